"""Shorten LRAT proofs by numpy. proof-format.md has the format.

Here a proof is an array of numbers: for each step 97 (the letter a), the number of the new clause, its literals, 0, the
numbers of the clauses that it follows from, 0. In a file each number is one to five bytes, seven bits in each.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

_ADD = 97  # the letter a; no other list begins with an odd number
_LONGEST_NUMBER = 5  # bytes
_LISTS = 1000  # that are decoded, or encoded, at a time


def trimmed(proof: Path, clauses: int) -> bytes:
    """Shorten a solver's proof: leave out deletions, and the steps that the empty clause does not need.

    ``clauses``: how many the formula has. New clauses are numbered one after the other, as the checker needs them. The
    proof is held in memory, eight times as large as the file. Raises ValueError if it is incomplete: a full disk.
    """
    data = np.fromfile(proof, np.uint8)
    pieces = np.split(data, np.flatnonzero(data == 0)[::_LISTS] + 1)  # arrays that fit the cache
    numbers = np.concatenate([*map(_decoded, pieces)])
    ends = np.flatnonzero(numbers == 0)
    begins = np.append(0, ends + 1)[: len(ends)]
    steps = np.flatnonzero(numbers[begins[:-1]] == _ADD)  # the list after the literals has the clauses
    empty = np.flatnonzero(ends[steps] == begins[steps] + 2)
    if not len(empty):
        raise ValueError("the solver's proof is not complete; the disk may be full")
    steps = steps[: empty[0] + 1]
    new_clauses = numbers[begins[steps] + 1] >> 1
    lists = np.column_stack((new_clauses, begins[steps], ends[steps], ends[steps + 1])).tolist()
    is_new, is_needed = np.zeros((2, numbers.max() // 2 + clauses + 1), np.bool_)
    is_new[new_clauses] = is_needed[new_clauses[-1]] = True
    for clause, _, middle, end in reversed(lists):
        if is_needed[clause]:
            is_needed[numbers[middle + 1 : end] >> 1] = True
    # A solver derives clauses from the first ones, and numbers them, before it reads the others.
    formula, needed = np.flatnonzero(~is_new[1:])[:clauses] + 1, new_clauses[is_needed[new_clauses]]
    new_numbers = np.zeros(len(is_new), np.int32)
    new_numbers[formula] = np.arange(1, clauses + 1)
    new_numbers[needed] = np.arange(1, len(needed) + 1) + clauses
    numbers[begins[steps] + 1] = new_numbers[new_clauses] << 1
    parts = list[Numbers]()
    for clause, begin, middle, end in lists:
        if is_needed[clause]:
            parts += numbers[begin : middle + 1], new_numbers[numbers[middle + 1 : end + 1] >> 1] << 1
    return b"".join(_encoded(np.concatenate(parts[at : at + _LISTS])) for at in range(0, len(parts), _LISTS))


def _decoded(data: Bytes) -> Numbers:
    """Return the numbers in the bytes of a proof; the last one may be cut."""
    ends = np.flatnonzero(data < 128)
    lengths, numbers = np.diff(ends, prepend=-1), data[ends].astype(np.int32)
    for place in range(1, _LONGEST_NUMBER):
        longer = np.flatnonzero(lengths > place)
        numbers[longer] = numbers[longer] << 7 | data[ends[longer] - place] & 127
    return numbers


def _encoded(numbers: Numbers) -> bytes:
    """Return the bytes of numbers."""
    lengths = 1 + np.searchsorted([1 << 7 * place for place in range(1, _LONGEST_NUMBER)], numbers, side="right")
    ends = np.cumsum(lengths)
    data = np.empty(ends[-1], np.uint8)
    for place in range(_LONGEST_NUMBER):
        longer = np.flatnonzero(lengths > place)
        bits = numbers[longer] >> 7 * place & 127
        data[ends[longer] - lengths[longer] + place] = bits | (lengths[longer] > place + 1) * 128
    return data.tobytes()
