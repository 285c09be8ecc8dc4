"""LRAT in compiled code: follow the checker's refutations faster, and shorten proofs.

:func:`follow` accepts the same proofs as :func:`pegcp.checking.checker.follow`, which it calls for the message about
the others; ``python compiled.py FOLDER`` is the checker with it. proof-format.md has the format.
Here a proof is an array of numbers: for each step 97 (the letter a), the number of the new clause, its literals, 0, the
numbers of the clauses that it follows from, 0. In a file each number is one to five bytes, seven bits in each.
"""

from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pegcp.checking import checker
from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

ADD = 97  # the letter a
_LARGEST_NUMBER = 2**31 - 1
_LONGEST_BITS = 28  # of a number before its last byte


def follow(clauses: list[checker.Clause], variables: int, data: bytes) -> None:
    """Follow a proof that the clauses, over variables 1 to ``variables``, have no solution. Raises Rejected at the
    first bad step."""
    formula = np.fromiter(chain.from_iterable((*map(literal_code, clause), 0) for clause in clauses), np.int32)
    numbers = numbers_of(np.frombuffer(data, np.uint8), formula)
    where = np.empty(len(clauses) + (len(numbers) - len(formula)) // 4 + 2, np.int64)  # a step has four or more
    if not _follow(numbers, len(formula), len(clauses), where, np.zeros(2 * variables + 2, np.int64)):
        checker.follow(clauses, variables, data)


def trimmed(proof: Path, clauses: int) -> bytes:
    """Shorten a solver's proof: leave out deletions, and the steps that the empty clause does not need.

    ``clauses``: how many the formula has. New clauses are numbered one after the other, as the checker needs them. The
    proof is held in memory, several times as large as the file. Raises ValueError if it is incomplete: a full disk.
    """
    numbers = numbers_of(np.fromfile(proof, np.uint8), np.zeros(0, np.int32))
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
def _follow(numbers: Numbers, at: Number, newest: Number, where: NDArray[np.int64], true: NDArray[np.int64]) -> bool:
    """Decide whether the steps from a place on derive the empty clause, each from those before it and the clauses.

    ``where`` becomes the place of each clause, by its number; ``true[literal]`` is the last step in which the literal
    was true.
    """
    offset = np.int64(0)
    for clause in range(1, newest + 1):
        where[clause] = offset
        offset = end_of(numbers, offset) + 1
    while at < len(numbers) and numbers[at] == ADD:
        step = newest + 1
        middle = end_of(numbers, at + 1)
        end = end_of(numbers, middle + 1)
        if end >= len(numbers) or numbers[at + 1] != step << 1:
            return False
        for i in range(at + 2, middle):
            if not 2 <= numbers[i] < len(true):
                return False
            true[numbers[i] ^ 1] = step
        contradicted = False
        for i in range(middle + 1, end):
            clause = numbers[i] >> 1
            if numbers[i] & 1 or clause > newest:
                return False
            unit, k = np.int32(0), where[clause]
            while numbers[k]:
                if true[numbers[k] ^ 1] != step:
                    if unit and unit != numbers[k]:
                        return False
                    unit = numbers[k]
                k += 1
            if not unit:
                contradicted = True
                break
            true[unit] = step
        if not contradicted:
            return False
        if middle == at + 2:
            return True
        newest, where[step], at = step, at + 2, end + 1
    return False


@compiled
def _find_places(numbers: Numbers, places: NDArray[np.int64]) -> Number:
    """Put the place of each new clause's literals into ``places``, by its number.

    Returns the number of the empty clause, 0 if there is none that is complete.
    """
    at = np.int64(0)
    while at + 2 < len(numbers):
        literals, is_new = at + 2, numbers[at] == ADD
        at = end_of(numbers, at + 1) + 1
        if is_new:
            number = np.int64(numbers[literals - 1] >> 1)
            places[number] = literals
            at = end_of(numbers, at) + 1
            if numbers[literals] == 0 and at <= len(numbers):
                return number
    return np.int64(0)


@compiled
def _mark(numbers: Numbers, places: NDArray[np.int64], empty: Number, marks: NDArray[np.bool_]) -> None:
    """Mark the clauses that the empty clause needs; the place of those of the formula is 0."""
    marks[empty] = True
    for number in range(empty, 0, -1):
        if marks[number] and places[number]:
            at = end_of(numbers, places[number]) + 1
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
        middle = end_of(numbers, places[step])
        end = end_of(numbers, middle + 1)
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


def literal_code(literal: int) -> int:
    """Encode a literal as proofs do: twice its variable, plus one if negated."""
    return 2 * abs(literal) + (literal < 0)


@compiled
def numbers_of(data: Bytes, before: Numbers) -> Numbers:
    """Return the numbers ``before`` and those of a proof, up to the first that is malformed."""
    count = size = len(before)
    for byte in data:
        size += byte < 128
    numbers = np.empty(size, np.int32)
    for i in range(count):
        numbers[i] = before[i]
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
def end_of(numbers: Numbers, at: Number) -> Number:
    """Return the index of the next 0; the length if there is none."""
    while at < len(numbers) and numbers[at]:
        at += 1
    return at
