"""Compiled functions on proofs in LRAT: following one step by step, and leaving out the steps that nothing needs.

A proof is a sequence of bytes (the binary form of LRAT, Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017).
``a``, the number of the new clause, its literals, 0, its hints, 0: the hints are the numbers of clauses, in the order
in which they become units when the new clause is assumed false; the last one has no true literal left. ``d``, numbers,
0: these clauses are not used any more. Numbers have seven bits in a byte, the lowest first, with the eighth bit set in
all bytes but the last. A literal is twice its variable, plus one if negated; the number of a clause is doubled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Counts = NDArray[np.int64]
Literals = NDArray[np.int32]

# What a checker counts, by place in its array of counts.
AT, NEWEST, USED, LIVE, DONE, WRONG = range(6)
COUNTS = 6

# What following a proof ends with. All but FOLLOWED are faults.
FOLLOWED, NO_STEP, MALFORMED, NOT_NEXT, NO_LITERAL, BOTH, NO_CLAUSE, OPEN, NOT_IMPLIED, GOES_ON = range(10)

_ADD, _DELETE = 97, 100
_MOST_BITS = 56


@inlined
def _number(data: Bytes, at: Number, last: Number) -> tuple[Number, Number]:
    """The number written at a place, and the place after it; -1 for that where the data end, -2 if it is malformed."""
    value, shift = np.int64(0), np.int64(0)
    while at < last:
        byte = np.int64(data[at])
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, -2 if byte == 0 and shift else at  # as no zero ends a number, one ends each list
        shift += 7
        if shift > _MOST_BITS:
            return value, -2
    return value, -1


@inlined
def _list(data: Bytes, at: Number, last: Number, found: Counts) -> tuple[Number, Number]:
    """How many numbers there are up to the next 0, put into ``found``; the place after it, or as :func:`_number`."""
    count = 0
    while True:
        value, at = _number(data, at, last)
        if at < 0 or value == 0:
            return count, at
        found[count] = value
        count += 1


@compiled
def follow(
    data: Bytes, arena: Literals, where: Counts, true: Counts, counts: Counts, literals: Counts, hints: Counts
) -> Number:
    """Follow the steps in the data that are complete, up to the first fault; which one, or FOLLOWED.

    ``arena`` has the clauses, each with its length before it, ``where`` says for each number where its clause is there,
    -1 if nowhere; ``true[literal]`` is the number of the step by which the literal is true at the moment.
    ``counts[AT]`` becomes the place of the first step that was not followed, ``counts[WRONG]`` the number of a clause
    that a fault is about. ``literals`` and ``hints`` are room for the numbers of one step.
    """
    last = len(data)
    while counts[AT] < last:
        at = counts[AT] + 1
        kind = data[counts[AT]]
        if counts[DONE]:
            return GOES_ON
        if kind == _DELETE:
            size, at = _list(data, at, last, hints)
            if at < 0:
                return FOLLOWED if at == -1 else MALFORMED
            for i in range(size):
                clause = hints[i] >> 1
                if hints[i] & 1 or clause > counts[NEWEST] or where[clause] < 0:
                    counts[WRONG] = clause
                    return NO_CLAUSE
                counts[LIVE] -= arena[where[clause]] + 1
                where[clause] = -1
            counts[AT] = at
            continue
        if kind != _ADD:
            return NO_STEP
        number, at = _number(data, at, last)
        if at < 0:
            return FOLLOWED if at == -1 else MALFORMED
        length, at = _list(data, at, last, literals)
        if at < 0:
            return FOLLOWED if at == -1 else MALFORMED
        size, at = _list(data, at, last, hints)
        if at < 0:
            return FOLLOWED if at == -1 else MALFORMED
        step = counts[NEWEST] + 1
        if number != step << 1:
            return NOT_NEXT
        for i in range(length):
            literal = literals[i]
            if not 2 <= literal < len(true):
                return NO_LITERAL
            if true[literal] == step:
                return BOTH
            true[literal ^ 1] = step
        contradicted = False
        for i in range(size):
            clause = hints[i] >> 1
            if hints[i] & 1 or clause > counts[NEWEST] or where[clause] < 0:
                counts[WRONG] = clause
                return NO_CLAUSE
            begin = where[clause]
            unit = np.int64(0)
            for k in range(begin + 1, begin + 1 + arena[begin]):
                literal = np.int64(arena[k])
                if true[literal ^ 1] != step:
                    if unit and unit != literal:
                        counts[WRONG] = clause
                        return OPEN
                    unit = literal
            if not unit:
                contradicted = True
                break
            true[unit] = step
        if not contradicted:
            return NOT_IMPLIED
        where[step] = counts[USED]
        arena[counts[USED]] = length
        for i in range(length):
            arena[counts[USED] + 1 + i] = literals[i]
        counts[USED] += length + 1
        counts[LIVE] += length + 1
        counts[NEWEST] = step
        counts[DONE] = length == 0
        counts[AT] = at
    return FOLLOWED


@compiled
def compact(arena: Literals, where: Counts, counts: Counts) -> None:
    """Move the clauses that are still there together; they stand in the order of their numbers."""
    used = 0
    for number in range(1, counts[NEWEST] + 1):
        begin = where[number]
        if begin >= 0:
            length = arena[begin] + 1
            for k in range(length):
                arena[used + k] = arena[begin + k]
            where[number] = used
            used += length
    counts[USED] = used


@inlined
def _skip(data: Bytes, at: Number) -> Number:
    """The place after the next 0."""
    value = 1
    while value:
        value, at = _number(data, at, len(data))
        if at < 0:
            return at
    return at


@compiled
def places(data: Bytes, found: Counts) -> tuple[Number, Number]:
    """Put the place of each new clause's literals into ``found``, by its number, where there is room.

    Returns the number of the empty clause, 0 if there is none, and the largest number of a clause.
    """
    at, largest = np.int64(0), np.int64(0)
    while at < len(data):
        kind = data[at]
        at += 1
        if kind == _DELETE:
            at = _skip(data, at)
            if at < 0:
                break
            continue
        number, at = _number(data, at, len(data))
        if at < 0:
            break
        number >>= 1
        largest = max(largest, number)
        if number < len(found):
            found[number] = at
        if data[at] == 0:
            return number, largest
        at = _skip(data, _skip(data, at))
        if at < 0:
            break
    return 0, largest


@compiled
def last_uses(data: Bytes, place: Counts, empty: int, used: Counts) -> None:
    """For each clause the last one that needs it on the way to the empty clause, 0 if none does.

    ``place`` is 0 for the clauses of the formula. ``used`` comes with zeros.
    """
    used[empty] = empty
    for number in range(empty, 0, -1):
        if not used[number] or not place[number]:
            continue
        at = _skip(data, place[number])
        while True:
            hint, at = _number(data, at, len(data))
            if not hint:
                break
            if not used[hint >> 1]:
                used[hint >> 1] = number


@inlined
def _write(out: Bytes, size: Number, value: Number) -> Number:
    """Write a number; the size after it."""
    while value > 127:
        out[size] = value & 127 | 128
        value >>= 7
        size += 1
    out[size] = value
    return size + 1


@compiled
def rewrite(
    data: Bytes, place: Counts, used: Counts, renumbered: Counts, number: int, empty: int, out: Bytes, counts: Counts
) -> Number:
    """Write the clauses that are needed from ``number`` on, numbered one after the other, until ``out`` is nearly full.

    After its last use a clause is deleted. ``counts[0]`` is the newest number, ``counts[1]`` becomes the size of what
    was written. Returns the number to go on with.
    """
    size = 0
    while number <= empty:
        if not used[number] or not place[number]:
            number += 1
            continue
        ends = _skip(data, _skip(data, place[number]))
        if size + 4 * (ends - place[number]) + 64 > len(out):  # a number may get longer when it is deleted, not else
            break
        counts[0] += 1
        renumbered[number] = counts[0]
        out[size] = _ADD
        size = _write(out, size + 1, counts[0] << 1)
        at = place[number]
        while True:
            literal, at = _number(data, at, len(data))
            size = _write(out, size, literal)
            if not literal:
                break
        hints = at
        ending = 0
        while True:
            hint, at = _number(data, at, len(data))
            if not hint:
                break
            size = _write(out, size, renumbered[hint >> 1] << 1)
            ending += used[hint >> 1] == number
        size = _write(out, size, 0)
        if ending and number < empty:
            out[size] = _DELETE
            size += 1
            at = hints
            while True:
                hint, at = _number(data, at, len(data))
                if not hint:
                    break
                if used[hint >> 1] == number:
                    used[hint >> 1] = -1
                    size = _write(out, size, renumbered[hint >> 1] << 1)
            size = _write(out, size, 0)
        number += 1
    counts[1] = size
    return number


def zeros(size: int) -> Any:
    """An array of counts."""
    return np.zeros(size, np.int64)
