"""Shorten LRAT proofs, by compiled code. proof-format.md has the format.

Here a proof is an array of numbers: for each step 97 (the letter a), the number of the new clause, its literals, 0, the
numbers of the clauses that it follows from, 0. In a file each number is one to five bytes, seven bits in each.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

ADD = 97  # the letter a
_LARGEST_NUMBER = 2**31 - 1
_LONGEST_BITS = 28  # of a number before its last byte


def trimmed(proof: Path, clauses: int) -> bytes:
    """Shorten a solver's proof: leave out deletions, and the steps that the empty clause does not need.

    ``clauses``: how many the formula has. New clauses are numbered one after the other, as the checker needs them. The
    proof is held in memory, several times as large as the file. Raises ValueError if it is incomplete: a full disk.
    """
    numbers = _numbers_of(np.fromfile(proof, np.uint8))
    places = np.zeros(numbers.max(initial=0) // 2 + clauses + 1, np.int64)
    empty = _find_places(numbers, places)
    if not empty:
        raise ValueError("the solver's proof is not complete; the disk may be full")
    marks = np.zeros(len(places), np.bool_)
    _mark(numbers, places, empty, marks)
    # A solver derives clauses from the first ones, and numbers them, before it reads the others.
    formula, steps = np.flatnonzero(places[1:] == 0)[:clauses] + 1, np.flatnonzero(marks & (places > 0))
    new_numbers = np.zeros(len(places), np.int32)
    new_numbers[formula] = np.arange(1, clauses + 1)
    new_numbers[steps] = np.arange(1, len(steps) + 1) + clauses
    data = np.empty(5 * len(numbers), np.uint8)
    return data[: _write(numbers, places, steps, new_numbers, data)].tobytes()


@compiled
def _find_places(numbers: Numbers, places: NDArray[np.int64]) -> Number:
    """Put the place of each new clause's literals into ``places``, by its number.

    Returns the number of the empty clause, 0 if there is none that is complete.
    """
    at = np.int64(0)
    while at + 2 < len(numbers):
        literals, is_new = at + 2, numbers[at] == ADD
        at = _end_of(numbers, at + 1) + 1
        if is_new:
            number = np.int64(numbers[literals - 1] >> 1)
            places[number] = literals
            at = _end_of(numbers, at) + 1
            if numbers[literals] == 0 and at <= len(numbers):
                return number
    return np.int64(0)


@compiled
def _mark(numbers: Numbers, places: NDArray[np.int64], empty: Number, marks: NDArray[np.bool_]) -> None:
    """Mark the clauses that the empty clause needs; the place of those of the formula is 0."""
    marks[empty] = True
    for number in range(empty, 0, -1):
        if marks[number] and places[number]:
            at = _end_of(numbers, places[number]) + 1
            while numbers[at]:
                marks[numbers[at] >> 1] = True
                at += 1


@compiled
def _write(
    numbers: Numbers, places: NDArray[np.int64], steps: NDArray[np.int64], new_numbers: Numbers, data: Bytes
) -> Number:
    """Write the bytes of some steps, with new numbers of clauses; return how many."""
    size = 0
    for step in steps:
        middle = _end_of(numbers, places[step])
        end = _end_of(numbers, middle + 1)
        size = _encode(new_numbers[step] << 1, data, _encode(ADD, data, size))
        for i in range(places[step], end + 1):
            size = _encode(new_numbers[numbers[i] >> 1] << 1 if middle < i else numbers[i], data, size)
    return size


@inlined
def _encode(number: Number, data: Bytes, size: Number) -> Number:
    """Write the bytes of a number behind others; return how many there are then."""
    while number > 127:
        data[size] = number & 127 | 128
        number >>= 7
        size += 1
    data[size] = number
    return size + 1


@compiled
def _numbers_of(data: Bytes) -> Numbers:
    """Return the numbers of a proof, up to the first that is malformed."""
    count = size = 0
    for byte in data:
        size += byte < 128
    numbers = np.empty(size, np.int32)
    value, shift = np.int64(0), 0
    for byte in data:
        value |= np.int64(byte & 127) << shift
        shift += 7
        if byte < 128 or shift > _LONGEST_BITS:
            # A last byte of 0 is written for the number 0 alone, which ends a list.
            if byte > 127 or value > _LARGEST_NUMBER or (byte == 0 and shift > 7):
                break
            numbers[count] = value
            count += 1
            value, shift = np.int64(0), 0
    return numbers[:count]


@inlined
def _end_of(numbers: Numbers, at: Number) -> Number:
    """Return the index of the next 0; the length if there is none."""
    while at < len(numbers) and numbers[at]:
        at += 1
    return at
