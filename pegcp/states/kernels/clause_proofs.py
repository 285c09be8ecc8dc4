"""Proofs about clauses, in compiled code: numbers as bytes, and what follows by units alone.

Clauses are arrays of literals (twice the variable, plus one if negated), each with a 0 at its end.
"""

from __future__ import annotations

import re
import warnings
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pegcp.method import Run
from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Places = NDArray[np.int64]
Truth = NDArray[np.bool_]

ADD, DELETE = 97, 100  # the letters a and d
_LARGEST = 2**31 - 1
_BITS = 28  # of a number before its last byte
_TURN = 500  # clauses
_LONGEST_LINE = 100_000  # the first of a text
_MOST_HINTS = 100_000_000


def literal_code(literal: int) -> int:
    """A literal as proofs write it: twice its variable, plus one if negated."""
    return 2 * abs(literal) + (literal < 0)


def numbers_of(data: Bytes, before: Numbers) -> Numbers:
    """Numbers that come before, and those of a proof up to the first that is malformed, and -1 for that."""
    numbers = np.empty(len(before) + np.count_nonzero(data < 128) + 1, np.int32)
    numbers[: len(before)] = before
    return numbers[: _decoded(data, numbers, len(before))]


def bytes_of(numbers: Numbers) -> bytes:
    """The bytes of a proof."""
    data = np.empty(5 * len(numbers), np.uint8)
    return data[: _encoded(numbers, data)].tobytes()


def with_hints(clauses: list[list[int]], variables: int, proof: bytes, run: Run) -> bytes:
    """A solver's proof that the clauses have no solution, in the LRAT that the checker reads.

    Each of its clauses, until the empty one follows, must follow from those before it by units; the hints are found
    here, what is deleted is kept, and what the empty clause does not need is left out. ``proof``: DRAT, binary or text,
    or LRAT as text, whose hints are not read. Raises ValueError if it proves nothing, TimeoutError.
    """
    found = _lemmas(proof)
    found = found[: len(found) - int(np.argmax(found[::-1] == 0))] if (found == 0).any() else found[:0]
    if len(found) and not (found < 2 * variables + 2).all():
        raise ValueError("it has variables that the formula has not")
    formula = np.fromiter(chain.from_iterable((*map(literal_code, clause), 0) for clause in clauses), np.int32)
    literals = np.concatenate([formula, found.astype(np.int32)])
    start = np.concatenate([[0], np.flatnonzero(literals == 0) + 1]).astype(np.int64)
    number, size = len(start) - 1, 2 * variables + 2
    ends, after, head = np.zeros(number + 1, np.int64), np.empty(2 * number, np.int64), np.full(size, -1, np.int64)
    true, reason, trail = np.zeros(size, np.bool_), np.zeros(variables + 1, np.int64), np.zeros(size, np.int32)
    hints, parts = np.empty(1_000_000 + 2 * variables, np.int64), list[Places]()
    state = np.zeros(4, np.int64)  # the next clause, how many literals are true for good, hints here, hints before
    verdict = 0
    while not verdict:
        if not run.remaining:
            raise TimeoutError("there was no time to follow it")
        verdict = _derive(literals, start, len(clauses), head, after, true, reason, trail, hints, ends, state)
        parts.append(hints[: state[2]].copy())
        state[2:] = 0, state[3] + state[2]
        if state[3] > _MOST_HINTS:
            raise ValueError("it is too long")
    if verdict < 0:
        where = f"its clause {state[0] - len(clauses) + 1} does not follow" if state[0] < number else "no empty clause"
        raise ValueError(f"it proves nothing: {where}")
    return _trimmed(literals, start, ends, np.concatenate(parts), len(clauses), int(state[0]))


def _lemmas(proof: bytes) -> Places:
    """The clauses that a proof adds, up to what is malformed. Raises ValueError for text that is no proof."""
    if b"\0" in proof:
        numbers = numbers_of(np.frombuffer(proof, np.uint8), np.zeros(0, np.int32))
        kept = np.empty(len(numbers), np.int64)
        return kept[: _added(numbers, kept)]
    text = re.sub(rb"(?m)^(?:c|d|\d+ d)\b.*$", b"", proof)
    if re.match(rb"\d+ (?:-?[1-9]\d* )*0 (?:-?[1-9]\d* )*0\s*$", text.lstrip()[:_LONGEST_LINE].split(b"\n", 1)[0]):
        text = re.sub(rb"(?m)^\d+ ((?:-?[1-9]\d* )*)0 .*$", rb"\g<1>0", text)
    if re.search(rb"[^-\d\s]", text):
        raise ValueError("it is no proof in DRAT or LRAT")
    with warnings.catch_warnings(action="ignore"):  # up to where it is cut
        written: Places = np.fromstring(text, np.int64, sep=" ")
    written[np.abs(written) > _LARGEST // 2] = _LARGEST // 2  # no formula has so many variables
    return np.where(written < 0, 1 - 2 * written, 2 * written)


def _trimmed(literals: Numbers, start: Places, ends: Places, hints: Places, formula: int, last: int) -> bytes:
    """The clauses after the formula that the last one, the empty one, needs, with their hints, numbered anew."""
    new, needed = np.arange(1, last + 2), np.zeros(last + 1, np.bool_)
    used = [hints[0 if clause == 0 else ends[clause - 1] : ends[clause]] for clause in range(last + 1)]
    needed[last] = True
    for clause in range(last, -1, -1):
        if needed[clause]:
            needed[used[clause]] = True
    kept = [*(np.flatnonzero(needed[formula:last]) + formula), last]  # in a formula with the empty clause, that alone
    new[kept] = np.arange(formula + 1, formula + 1 + len(kept))
    parts: list[Any] = []
    for clause in kept:
        body = literals[start[clause] : start[clause + 1]] if clause < last else [0]
        parts += [[ADD, 2 * new[clause]], body, 2 * new[used[clause]], [0]]
    return bytes_of(np.concatenate(parts).astype(np.int32))


@compiled
def _decoded(data: Bytes, numbers: Numbers, count: Number) -> Number:
    """Write the numbers of a proof after so many others, up to the first that is malformed; how many there are then."""
    value, shift = np.int64(0), 0
    for byte in data:
        value |= np.int64(byte & 127) << shift
        if byte < 128:
            bad = value > _LARGEST or (byte == 0 and shift > 0)  # as no zero ends a number, one ends each list
            numbers[count] = -1 if bad else value
            count += 1
            if bad:
                break
            value, shift = np.int64(0), 0
        elif shift == _BITS:
            numbers[count] = -1
            return count + 1
        else:
            shift += 7
    return count


@compiled
def _encoded(numbers: Numbers, data: Bytes) -> Number:
    """Write the bytes of a proof; how many."""
    size = 0
    for number in numbers:
        value = number
        while value > 127:
            data[size] = value & 127 | 128
            value >>= 7
            size += 1
        data[size] = value
        size += 1
    return size


@inlined
def end_of(numbers: Numbers, at: Number) -> Number:
    """The place of the next 0; the number of numbers if there is none, or another that is malformed before it."""
    while at < len(numbers) and numbers[at] > 0:
        at += 1
    return at if at < len(numbers) and numbers[at] == 0 else len(numbers)


@compiled
def _added(numbers: Numbers, kept: Places) -> Number:
    """Copy the clauses that a binary DRAT proof adds; how many numbers they have."""
    at, size = np.int64(0), np.int64(0)
    while at < len(numbers) and (numbers[at] == ADD or numbers[at] == DELETE):
        after = end_of(numbers, at + 1)
        if after == len(numbers):
            break
        if numbers[at] == ADD:
            for i in range(at + 1, after + 1):
                kept[size] = numbers[i]
                size += 1
        at = after + 1
    return size


@compiled
def _units(
    literals: Numbers, start: Places, head: Places, after: Places, true: Truth, reason: Places, trail: Numbers,
    at: Number, size: Number,
) -> tuple[Number, Number]:  # fmt: skip
    """Make true what follows by units from the literals from a place on of the trail. The clause that cannot hold, or
    -1, and the size of the trail.

    The first two literals of a clause are watched: ``head[literal]`` is the first of those that watch it, twice the
    clause plus 0 or 1, and ``after`` the next one.
    """
    while at < size:
        false = trail[at] ^ 1
        at += 1
        node = head[false]
        head[false] = -1
        while node >= 0:
            following, first = after[node], start[node >> 1]
            mine, other = first + (node & 1), literals[first + 1 - (node & 1)]
            k = first + 2
            if not true[other]:
                while literals[k] and true[literals[k] ^ 1]:
                    k += 1
                if literals[k]:
                    literals[mine], literals[k] = literals[k], false
            watched = literals[mine]
            after[node] = head[watched]
            head[watched] = node
            if watched == false and not true[other]:
                if true[other ^ 1]:
                    while following >= 0:
                        later = after[following]
                        after[following] = head[false]
                        head[false] = following
                        following = later
                    return node >> 1, size
                true[other] = True
                reason[other >> 1] = node >> 1
                trail[size] = other
                size += 1
            node = following
    return np.int64(-1), size


@compiled
def _why(
    literals: Numbers, start: Places, reason: Places, trail: Numbers, size: Number, clause: Number, hints: Places,
    used: Number,
) -> Number:  # fmt: skip
    """Write the clauses that make a clause false, in the order in which they become units, and it; how many then."""
    marked = np.zeros(len(reason), np.bool_)
    k, first = start[clause], used
    while literals[k]:
        marked[literals[k] >> 1] = True
        k += 1
    for i in range(size - 1, -1, -1):
        variable = trail[i] >> 1
        if not marked[variable] or reason[variable] < 0 or reason[variable] == clause:
            continue
        hints[used] = reason[variable]
        k = start[hints[used]]
        used += 1
        while literals[k]:
            marked[literals[k] >> 1] = True
            k += 1
    hints[first:used] = hints[first:used][::-1].copy()
    hints[used] = clause
    return used + 1


@compiled
def _derive(
    literals: Numbers, start: Places, formula: Number, head: Places, after: Places, true: Truth, reason: Places,
    trail: Numbers, hints: Places, ends: Places, state: Places,
) -> Number:  # fmt: skip
    """Take in some more clauses; 1: the empty one follows, -1: one does not follow or no more are left, 0: go on.

    Clauses after the formula are assumed to be false first. ``ends[clause]`` is how many hints there are then.
    """
    for _ in range(_TURN):
        clause = state[0]
        if clause == len(start) - 1:
            return -1
        if state[2] + 2 * len(reason) > len(hints):
            return 0
        size, wrong, trivial = state[1], np.int64(-1), False
        k = start[clause]
        while clause >= formula and literals[k] and wrong < 0 and not trivial:
            literal = literals[k]
            if true[literal]:  # for good, or it is assumed together with its negation
                wrong = reason[literal >> 1]
                trivial = wrong < 0
            elif not true[literal ^ 1]:
                true[literal ^ 1] = True
                reason[literal >> 1] = -1
                trail[size] = literal ^ 1
                size += 1
            k += 1
        if clause >= formula:
            if wrong < 0 and not trivial:
                wrong, size = _units(literals, start, head, after, true, reason, trail, state[1], size)
            if wrong >= 0:
                state[2] = _why(literals, start, reason, trail, size, wrong, hints, state[2])
            for i in range(state[1], size):
                true[trail[i]] = False
            if wrong < 0 and not trivial:
                return -1
        ends[clause] = state[2] + state[3]
        state[0] += 1
        if trivial:
            continue
        first, open_ = start[clause], 0
        k = first
        while literals[k] and open_ < 2:
            if not true[literals[k] ^ 1] and (open_ == 0 or literals[k] != literals[first]):
                literals[first + open_], literals[k] = literals[k], literals[first + open_]
                open_ += 1
            k += 1
        wrong = np.int64(-1)
        if open_ == 2:
            for one in range(2):
                after[2 * clause + one] = head[literals[first + one]]
                head[literals[first + one]] = 2 * clause + one
        elif open_ == 0:
            wrong = clause
        elif not true[literals[first]]:
            true[literals[first]] = True
            reason[literals[first] >> 1] = clause
            trail[state[1]] = literals[first]
            wrong, state[1] = _units(literals, start, head, after, true, reason, trail, state[1], state[1] + 1)
        if wrong >= 0:
            state[2] = _why(literals, start, reason, trail, state[1], wrong, hints, state[2])
            ends[state[0]] = state[2] + state[3]
            return 1
    return 0
