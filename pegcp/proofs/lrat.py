"""Shorten refutations (LRAT), in compiled code: leave out what the empty clause does not need.

docs/proof-format.md has the format. Here a proof is an array of numbers: for each step 97 (the letter a), the number of
the new clause, its literals, 0, the numbers of the clauses that it follows from, 0.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

_ADD = 97  # the letter a


def trimmed(proof: Path, clauses: int) -> bytes:
    """Shorten a solver's proof: leave out deletions, and the steps that the empty clause does not need.

    ``clauses``: how many the formula has. New clauses are numbered one after the other, as the checker needs them. The
    proof is held in memory, several times as large as the file. Raises ValueError if it is incomplete: a full disk.
    """
    data = np.fromfile(proof, np.uint8)
    numbers = np.empty(np.count_nonzero(data < 128), np.int32)
    _decode(data, numbers)
    empty, largest = _places(numbers, np.zeros(0, np.int64))
    if not empty:
        raise ValueError("the solver's proof is not complete; the disk may be full")
    place = np.zeros(max(largest, empty) + clauses + 1, np.int64)
    _places(numbers, place)
    # A solver derives clauses from the first ones, and numbers them, before it reads the others.
    formula = np.flatnonzero(place[1:] == 0)[:clauses] + 1
    renumbered = np.zeros(len(place), np.int32)
    renumbered[formula] = np.arange(1, clauses + 1)
    _mark(numbers, place, empty, renumbered)
    size = _rewrite(numbers, place, empty, clauses, renumbered)
    shorter = np.empty(5 * size, np.uint8)
    return shorter[: _encode(numbers[:size], shorter)].tobytes()


@compiled
def _decode(data: Bytes, numbers: Numbers) -> None:
    """Read the numbers of a proof."""
    count, value, shift = 0, np.int64(0), 0
    for byte in data:
        value |= np.int64(byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers[count] = value
            count += 1
            value, shift = np.int64(0), 0


@compiled
def _encode(numbers: Numbers, data: Bytes) -> Number:
    """Write the bytes of a proof; return how many."""
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
def _end_of(numbers: Numbers, at: Number) -> Number:
    """Return the index of the next 0; the length if there is none, or a number that is too large before it."""
    while at < len(numbers) and numbers[at] > 0:
        at += 1
    return at if at < len(numbers) and numbers[at] == 0 else len(numbers)


@compiled
def _places(numbers: Numbers, place: NDArray[np.int64]) -> tuple[Number, Number]:
    """Put the place of each new clause's literals into ``place``, by its number, where there is room.

    Returns the number of the empty clause, 0 if there is none or a step before it is not complete, and the largest
    number of a clause.
    """
    at, largest = np.int64(0), np.int64(0)
    while at + 2 < len(numbers):
        number = np.int64(numbers[at + 1] >> 1)
        if numbers[at] == _ADD:
            middle = _end_of(numbers, at + 2)
            end = _end_of(numbers, middle + 1)
            if number <= largest or end >= len(numbers):
                break
            for i in range(middle + 1, end):
                if numbers[i] >> 1 >= number:
                    return np.int64(0), largest
            largest = number
            if number < len(place):
                place[number] = at + 2
            if numbers[at + 2] == 0:
                return number, largest
            at = middle
        at = _end_of(numbers, at + 1) + 1
    return np.int64(0), largest


@compiled
def _mark(numbers: Numbers, place: NDArray[np.int64], empty: Number, renumbered: Numbers) -> None:
    """Put 1 for each new clause that the empty clause needs; ``place`` is 0 for those of the formula."""
    renumbered[empty] = 1
    for number in range(empty, 0, -1):
        if renumbered[number] and place[number]:
            at = _end_of(numbers, place[number]) + 1
            while numbers[at]:
                hint = numbers[at] >> 1
                if place[hint]:
                    renumbered[hint] = 1
                at += 1


@compiled
def _rewrite(numbers: Numbers, place: NDArray[np.int64], empty: Number, newest: Number, renumbered: Numbers) -> Number:
    """Move the marked steps together, numbered one after the other; return how many numbers they have."""
    size = 0
    for number in range(1, empty + 1):
        if not renumbered[number] or not place[number]:
            continue
        newest += 1
        renumbered[number] = newest
        at, middle = place[number], _end_of(numbers, place[number])
        end = _end_of(numbers, middle + 1)
        numbers[size], numbers[size + 1] = _ADD, newest << 1
        size += 2
        for i in range(at, end + 1):
            numbers[size] = renumbered[numbers[i] >> 1] << 1 if middle < i < end else numbers[i]
            size += 1
    return size
