"""Sets of positions (64-bit words) that several threads fill at once.

A set of positions of one level and one position class is a row of bits, one for each such position, in the order of
their numbers: the rank of a position is where the positions with its high half begin, plus the place of its low half
among those that fit. Where such a row would be too long the set is a hash table (open addressing, linear probing).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, Word, add_bits, compiled, fill_slot, inlined, lowest, ones

Array = NDArray[np.uint64]
Numbers = NDArray[np.int64]

_ONE = np.uint64(1)
_SIX = np.uint64(6)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Marks(NamedTuple):
    """A set. ``words``: the bits, or the slots of the hash table (a power of 2 of them, 0 where empty).

    ``starts``: the rank at which each high half begins, and the end; empty for a hash table. ``places``: the place of
    each low half. ``split``: the bits of a low half; for a hash table: 64 less the bits of a slot's number. ``counts``:
    how many bits are set before each word, where that was counted.
    """

    words: Array
    starts: Numbers
    places: NDArray[np.int32]
    split: int
    counts: Numbers


@inlined
def rank(word: Word, marks: Marks) -> Number:
    """The rank of a position."""
    split = np.uint64(marks.split)
    low = word & ((_ONE << split) - _ONE)
    return marks.starts[np.int64(word >> split)] + marks.places[np.int64(low)]


@inlined
def mark(word: Word, marks: Marks) -> Number:
    """Put a position into the set; 1 if it is new, 0 otherwise."""
    if len(marks.starts):
        at = np.uint64(rank(word, marks))
        bit = _ONE << (at & np.uint64(63))
        index = np.int64(at >> _SIX)
        if marks.words[index] & bit:
            return 0
        return 0 if add_bits(marks.words, index, bit) & bit else 1
    slot = np.int64(word * GOLDEN >> np.uint64(marks.split))
    while True:
        found = marks.words[slot]
        if found == 0:
            found = fill_slot(marks.words, slot, word)
            if found == 0:
                return 1
        if found == word:
            return 0
        slot = slot + 1 & len(marks.words) - 1


@inlined
def marked(word: Word, marks: Marks) -> Any:
    """Whether a position is in the set."""
    if len(marks.starts):
        at = np.uint64(rank(word, marks))
        return marks.words[np.int64(at >> _SIX)] >> (at & np.uint64(63)) & _ONE != 0
    slot = np.int64(word * GOLDEN >> np.uint64(marks.split))
    while marks.words[slot] != 0:
        if marks.words[slot] == word:
            return True
        slot = slot + 1 & len(marks.words) - 1
    return False


@inlined
def number(word: Word, marks: Marks, level: Array) -> Number:
    """Where a position stands in the sorted level that was marked; -1 if it is not there."""
    if len(marks.starts):
        at = np.uint64(rank(word, marks))
        index = np.int64(at >> _SIX)
        bit = _ONE << (at & np.uint64(63))
        if marks.words[index] & bit == 0:
            return -1
        return marks.counts[index] + ones(marks.words[index] & bit - _ONE)
    low, high = 0, len(level)
    while low < high:
        middle = low + high >> 1
        if level[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < len(level) and level[low] == word else -1


@compiled
def mark_all(level: Array, first: int, last: int, marks: Marks) -> Number:
    """Put the positions ``first`` to ``last`` of a level into the set; how many were new."""
    new = 0
    for i in range(first, last):
        new += mark(level[i], marks)
    return new


@compiled
def count_bits(words: Array, counts: Numbers) -> None:
    """How many bits are set before each word."""
    total = 0
    for i in range(len(words)):
        counts[i] = total
        total += ones(words[i])


@compiled
def listed(marks: Marks, groups: Array, bases: Numbers, level: Array) -> Number:
    """Write the positions of a set of bits in rising order; how many.

    ``groups``: the low halves, group by group; ``bases``: where the group that goes with each high half begins.
    """
    at = 0
    for high in range(len(bases)):
        begin, end = marks.starts[high], marks.starts[high + 1]
        if begin == end:
            continue
        upper = np.uint64(high) << np.uint64(marks.split)
        base = bases[high] - begin
        index = begin >> 6
        word = marks.words[index] & ~((_ONE << np.uint64(begin & 63)) - _ONE)
        while True:
            while word:
                found = 64 * index + lowest(word)
                if found >= end:
                    break
                word &= word - _ONE
                level[at] = upper | groups[base + found]
                at += 1
            index += 1
            if 64 * index >= end:
                break
            word = marks.words[index]
    return at
