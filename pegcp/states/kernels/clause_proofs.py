"""Proofs about clauses, in LRAT, in compiled code: as numbers and as bytes, and made short.

A proof is an array of numbers: for each step 97 (the letter a), the number of the new clause, its literals, 0, the
numbers of the clauses that it follows from, 0. A literal is twice its variable, plus one if negated; the number of a
clause is doubled. What a solver deletes it says by 100 (the letter d), numbers of clauses, 0.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled, inlined

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Places = NDArray[np.int64]

ADD = 97
_LARGEST = 2**31 - 1
_BITS = 28  # of a number before its last byte
_MOST_CLAUSES = 50_000_000


def literal_code(literal: int) -> int:
    """A literal as proofs write it: twice its variable, plus one if negated."""
    return 2 * abs(literal) + (literal < 0)


def numbers_of(data: Bytes, before: Numbers) -> Numbers:
    """Numbers that come before, and those of a proof up to the first that is malformed, and -1 for that."""
    numbers = np.empty(len(before) + _count(data) + 1, np.int32)
    numbers[: len(before)] = before
    return numbers[: _decoded(data, numbers, len(before))]


def bytes_of(numbers: Numbers) -> bytes:
    """The bytes of a proof."""
    data = np.empty(5 * len(numbers), np.uint8)
    return data[: _encoded(numbers, data)].tobytes()


def trimmed(proof: bytes, clauses: int) -> bytes:
    """A proof from a solver, without the steps that the empty clause does not need, and without what is deleted.

    ``proof``: LRAT, binary or as text; whether it is right is for the checker to say. ``clauses``: how many the formula
    has. New clauses are numbered one after the other, as the checker wants them. Raises ValueError for text that is no
    proof, and if there is no empty clause in it.
    """
    numbers = _numbers(proof)
    if numbers.max(initial=0) >> 1 > _MOST_CLAUSES:
        raise ValueError("it has too large numbers")
    place = np.zeros((int(numbers.max(initial=0)) >> 1) + clauses + 2, np.int64)
    empty = _places(numbers, place)
    if not empty:
        raise ValueError("it has no empty clause, or its clauses are not in order")
    # What follows from the first clauses alone a solver says, and numbers, before it is given the others.
    given = np.flatnonzero(place[1:] == 0)[:clauses] + 1
    renumbered = np.zeros(len(place), np.int32)
    renumbered[given] = np.arange(1, clauses + 1)
    _mark(numbers, place, empty, renumbered)
    size = _rewrite(numbers, place, empty, clauses, renumbered)
    return bytes_of(numbers[:size])


def _numbers(proof: bytes) -> Numbers:
    """The numbers of a proof, and 0. Raises ValueError."""
    if b"\0" in proof:
        numbers = numbers_of(np.frombuffer(proof, np.uint8), np.zeros(0, np.int32))
        return np.append(numbers[numbers >= 0], np.int32(0))
    text = re.sub(rb"(?m)^\d+ d .*$", b"", proof)
    if re.search(rb"(?m)^(?!\d+ (?:-?[1-9]\d* )*0 (?:[1-9]\d* )*0\s*$).*\S", text):
        raise ValueError("it is no proof in LRAT")
    written: Places = np.fromstring(re.sub(rb"(?m)^(?=\d)", b"-48 ", text), np.int64, sep=" ")  # which means ADD
    written = np.clip(written, -_LARGEST // 2, _LARGEST // 2)
    return np.append(np.where(written < 0, 1 - 2 * written, 2 * written), 0).astype(np.int32)


@compiled
def _count(data: Bytes) -> Number:
    """How many numbers there are at most."""
    count = 0
    for byte in data:
        count += byte < 128
    return count


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
def _places(numbers: Numbers, place: Places) -> Number:
    """Put the place of each new clause's literals into ``place``, by its number; the number of the empty clause.

    0 if there is none, or the numbers do not rise before it.
    """
    at, largest = np.int64(0), np.int64(0)
    while at + 2 < len(numbers):
        if numbers[at] == ADD:
            number = np.int64(numbers[at + 1] >> 1)
            if number <= largest:
                return np.int64(0)
            place[number], largest = at + 2, number
            if numbers[at + 2] == 0:
                return number
            at = end_of(numbers, at + 2)
        at = end_of(numbers, at + 1) + 1
    return np.int64(0)


@compiled
def _mark(numbers: Numbers, place: Places, empty: Number, renumbered: Numbers) -> None:
    """Put 1 for each new clause that the empty clause needs; ``place`` is 0 for those of the formula."""
    renumbered[empty] = 1
    for number in range(empty, 0, -1):
        if renumbered[number] and place[number]:
            at = end_of(numbers, place[number]) + 1
            for i in range(at, end_of(numbers, at)):
                hint = numbers[i] >> 1
                if place[hint]:
                    renumbered[hint] = 1


@compiled
def _rewrite(numbers: Numbers, place: Places, empty: Number, newest: Number, renumbered: Numbers) -> Number:
    """Move the steps that are marked together, numbered one after the other; how many numbers they have."""
    size = 0
    for number in range(1, empty + 1):
        if not renumbered[number] or not place[number]:
            continue
        newest += 1
        renumbered[number] = newest
        at, middle = place[number], end_of(numbers, place[number])
        end = end_of(numbers, middle + 1)
        numbers[size], numbers[size + 1] = ADD, newest << 1
        size += 2
        for i in range(at, end + 1):
            numbers[size] = renumbered[numbers[i] >> 1] << 1 if middle < i < end else numbers[i]
            size += 1
    return size
