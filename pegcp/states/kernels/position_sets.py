"""Sets of positions that several threads fill at once, batch by batch.

A set of positions of one level and one position class is a row of bits, one for each such position, in the order of
their numbers: the rank of a position is where the positions with its high half begin, plus the place of its low half
among those that fit. Where such a row would be too long the set is a hash table (open addressing, linear probing).

Where a position may stand is computed for a whole batch first, and the memory is asked for: it is there when it is
needed, and one wait is enough for many positions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.bit_instructions import add_bits, fill_slot, lowest, ones, prefetch
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined

Array = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

BATCH = 512  # positions

_ONE = np.uint64(1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Marks(NamedTuple):
    """A set. ``words``: the bits, or the slots of the hash table (a power of 2 of them).

    ``starts``: the rank at which each high half begins, and the end; empty for a hash table. ``bases``: where the group
    of low halves begins that goes with it. ``places``: the place of each low half. ``split``: the bits of a low half;
    for a hash table: 64 less the bits of a slot's number. ``empty``: what stands in an empty slot, no
    position. ``numbers``, where they were counted: how many bits are set before each word; for a hash table: where the
    position of each slot stands in its level.
    """

    words: Array
    starts: Numbers
    bases: Numbers
    places: NDArray[np.int32]
    split: int
    empty: np.uint64
    numbers: Numbers


class Batch(NamedTuple):
    """Some ``positions``; ``at[k]``: where it stands in a set (a bit or a slot), -1 if it does not.

    ``whose[k]``: from which position of a level it comes, and ``jumps[k]``: by which jump.
    """

    positions: Array
    at: Numbers
    whose: Numbers
    jumps: Numbers


@inlined
def room(more: int) -> Batch:
    """Room for a batch, and for some positions more."""
    size = BATCH + more
    return Batch(
        np.empty(size, np.uint64), np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)
    )


@inlined
def take(level: Array, first: Number, last: Number, batch: Batch) -> Number:
    """Put the positions of a level from ``first`` on into a batch, at most up to ``last``; how many."""
    size = min(BATCH, last - first)
    for k in range(size):
        batch.positions[k] = level[first + k]
    return size


@inlined
def seek(batch: Batch, size: Number, marks: Marks) -> None:
    """Where each position of a batch would stand in the set, if it is a hash table: where to begin to look."""
    split = np.uint64(marks.split)
    if len(marks.starts):
        low = (_ONE << split) - _ONE
        for k in range(size):
            position = batch.positions[k]
            batch.at[k] = marks.starts[position >> split] + marks.places[position & low]
        for k in range(size):
            prefetch(marks.words, batch.at[k] >> 6)
        return
    for k in range(size):
        batch.at[k] = np.int64(batch.positions[k] * GOLDEN >> split)
        prefetch(marks.words, batch.at[k])


@inlined
def mark(batch: Batch, size: Number, marks: Marks) -> Number:
    """Put the positions of a batch into the set; how many are new."""
    seek(batch, size, marks)
    new = 0
    if len(marks.starts):
        # Those that are not there yet are put to the front: whether one is there cannot be foreseen, and a branch not
        # foreseen takes as long as all the rest.
        left = 0
        for k in range(size):
            at = batch.at[k]
            batch.at[left] = at
            left += 1 - _bit(marks.words[at >> 6], at)
        for k in range(left):
            at = batch.at[k]
            new += 1 - _bit(add_bits(marks.words, at >> 6, _ONE << np.uint64(at & 63)), at)
        return new
    for k in range(size):
        new += _fill(batch, k, marks)
    return new


@inlined
def _bit(word: Word, at: Number) -> Number:
    """A bit of a word, 0 or 1."""
    return np.int64(word >> np.uint64(at & 63) & _ONE)


@inlined
def _fill(batch: Batch, k: Number, marks: Marks) -> Number:
    """Put a position of a batch into a hash table; 1 if it is new."""
    at = batch.at[k]
    while True:
        found = marks.words[at]
        if found == marks.empty:
            found = fill_slot(marks.words, at, marks.empty, batch.positions[k])
            if found == marks.empty:
                return 1
        if found == batch.positions[k]:
            return 0
        at = at + 1 & len(marks.words) - 1


@inlined
def find(batch: Batch, size: Number, marks: Marks) -> None:
    """Where each position of a batch stands in the set."""
    seek(batch, size, marks)
    if len(marks.starts):
        for k in range(size):
            at = batch.at[k]
            batch.at[k] = at if _bit(marks.words[at >> 6], at) else -1
        return
    for k in range(size):
        at = batch.at[k]
        while True:
            same = marks.words[at] == batch.positions[k]
            if same or marks.words[at] == marks.empty:
                batch.at[k] = at if same else -1
                break
            at = at + 1 & len(marks.words) - 1


@inlined
def number(at: Number, marks: Marks) -> Number:
    """The number in its level of the position that stands there in the set."""
    if len(marks.starts):
        below = (_ONE << np.uint64(at & 63)) - _ONE
        return marks.numbers[at >> 6] + ones(marks.words[at >> 6] & below)
    return marks.numbers[at]


@compiled
def mark_all(level: Array, first: Number, last: Number, marks: Marks) -> Number:
    """Put the positions ``first`` to ``last`` of a level into the set; how many were new."""
    batch = room(0)
    new = 0
    while first < last:
        size = take(level, first, last, batch)
        new += mark(batch, size, marks)
        first += size
    return new


@compiled
def marked(level: Array, first: Number, last: Number, marks: Marks, found: Flags) -> Number:
    """For each of the positions ``first`` to ``last`` of a level: whether it is in the set."""
    batch = room(0)
    count = last - first
    while first < last:
        size = take(level, first, last, batch)
        find(batch, size, marks)
        for k in range(size):
            found[first + k] = batch.at[k] >= 0
        first += size
    return count


@compiled
def count(level: Array, first: Number, last: Number, marks: Marks) -> Number:
    """Fill in the numbers of the positions ``first`` to ``last`` of a level that is a hash table; how many."""
    batch = room(0)
    begin = first
    while first < last:
        size = take(level, first, last, batch)
        find(batch, size, marks)
        for k in range(size):
            marks.numbers[batch.at[k]] = first + k
        first += size
    return last - begin


@compiled
def count_bits(words: Array, counts: Numbers) -> None:
    """How many bits are set before each word."""
    total = 0
    for i in range(len(words)):
        counts[i] = total
        total += ones(words[i])


@compiled
def ones_before(words: Array, bits: Numbers) -> Numbers:
    """How many bits are set before each of some bits of a row, which rise."""
    found = np.empty_like(bits)
    total: Number = 0
    index: Number = 0
    for i in range(len(bits)):
        while index < bits[i] >> 6:
            total += ones(words[index])
            index += 1
        found[i] = total + ones(words[index] & ((_ONE << np.uint64(bits[i] & 63)) - _ONE))
    return found


@compiled
def listed(marks: Marks, groups: Array, first: Number, last: Number, at: Number, level: Array) -> Number:
    """Write those positions of a row of bits in rising order whose high halves go from ``first`` to ``last``.

    ``at``: where in the level the first stands; ``groups``: the low halves, group by group. Where the next one stands.
    """
    for high in range(first, last):
        begin, end = marks.starts[high], marks.starts[high + 1]
        if begin == end:
            continue
        upper = np.uint64(high) << np.uint64(marks.split)
        base = marks.bases[high] - begin
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
