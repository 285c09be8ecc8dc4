"""Sets of positions that several threads fill at once, batch by batch.

A set of positions of one level and one position class is a row of bits, one for each such position, in the order of
their numbers: the rank of a position is where the positions with its high half begin, plus the place of its low half
among those that fit. Where such a row would be too long the set is a hash table (open addressing, linear probing).

A batch first computes where each position belongs; then the words of all of them are loaded, which wait for the memory
together, not one after the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.bit_instructions import add_bits, fill_slot, lowest, ones
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
    of low halves begins that goes with each high half. ``places``: the place of each low half in its group. ``split``:
    the bits of a low half; for a hash table: 64 less the bits of a slot's number. ``empty``: the word of an empty slot,
    which is no position. ``numbers``, where they were counted: how many bits are set before each word; for a hash
    table: the index in its level of the position in each slot.
    """

    words: Array
    starts: Numbers
    bases: Numbers
    places: NDArray[np.int32]
    split: int
    empty: np.uint64
    numbers: Numbers


class Batch(NamedTuple):
    """Some ``positions``; ``at[k]``: the bit or slot of each in a set, -1 if it is not there; ``words[k]``: its slot.

    ``sources[k]``: the index in its level of the position that it comes from, and ``jumps[k]``: the jump.
    """

    positions: Array
    words: Array
    at: Numbers
    sources: Numbers
    jumps: Numbers


@inlined
def room(more: int) -> Batch:
    """Return an empty batch, with room for some positions more."""
    size = BATCH + more
    positions, words = np.empty(size, np.uint64), np.empty(size, np.uint64)
    return Batch(positions, words, np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64))


@inlined
def take(level: Array, first: Number, last: Number, batch: Batch) -> Number:
    """Put the positions of a level from ``first`` on, at most up to ``last``, into a batch; return how many."""
    size = min(BATCH, last - first)
    for k in range(size):
        batch.positions[k] = level[first + k]
    return size


@inlined
def seek(batch: Batch, size: Number, marks: Marks) -> None:
    """Compute the bit of each position of a batch in the set; or the slot to begin with, whose word is loaded."""
    split = np.uint64(marks.split)
    if len(marks.starts):
        low = (_ONE << split) - _ONE
        for k in range(size):
            position = batch.positions[k]
            batch.at[k] = marks.starts[position >> split] + marks.places[position & low]
    else:
        for k in range(size):
            batch.at[k] = np.int64(batch.positions[k] * GOLDEN >> split)
            batch.words[k] = marks.words[batch.at[k]]


@inlined
def mark(batch: Batch, size: Number, marks: Marks) -> Number:
    """Put the positions of a batch into the set; return how many are new."""
    seek(batch, size, marks)
    new = 0
    if len(marks.starts):
        # First without branches: no processor can predict whether a position is new.
        missing = 0
        for k in range(size):
            at = batch.at[k]
            batch.at[missing] = at
            missing += 1 - _bit(marks.words[at >> 6], at)
        for k in range(missing):
            at = batch.at[k]
            new += 1 - _bit(add_bits(marks.words, at >> 6, _ONE << np.uint64(at & 63)), at)
        return new
    for k in range(size):
        new += _fill(batch.positions[k], batch.at[k], marks)
    return new


@inlined
def _bit(word: Word, at: Number) -> Number:
    """Return a bit of a word, 0 or 1."""
    return np.int64(word >> np.uint64(at & 63) & _ONE)


@inlined
def _fill(position: Word, slot: Number, marks: Marks) -> Number:
    """Put a position into a hash table, from a slot on; return 1 if it is new."""
    while True:
        word = marks.words[slot]
        if word == marks.empty:
            word = fill_slot(marks.words, slot, marks.empty, position)
            if word == marks.empty:
                return 1
        if word == position:
            return 0
        slot = slot + 1 & len(marks.words) - 1


@inlined
def find(batch: Batch, size: Number, marks: Marks) -> None:
    """Look up each position of a batch in the set."""
    seek(batch, size, marks)
    if len(marks.starts):
        for k in range(size):
            batch.words[k] = marks.words[batch.at[k] >> 6]
        for k in range(size):
            batch.at[k] = batch.at[k] if _bit(batch.words[k], batch.at[k]) else -1
        return
    for k in range(size):
        at, position = batch.at[k], batch.positions[k]
        word = marks.words[at]
        while word != position and word != marks.empty:
            at = at + 1 & len(marks.words) - 1
            word = marks.words[at]
        batch.at[k] = at if word == position else -1


@inlined
def number(at: Number, marks: Marks) -> Number:
    """Return the index in its level of the position with this bit or slot in the set."""
    if len(marks.starts):
        below = (_ONE << np.uint64(at & 63)) - _ONE
        return marks.numbers[at >> 6] + ones(marks.words[at >> 6] & below)
    return marks.numbers[at]


@compiled
def mark_all(level: Array, first: Number, last: Number, marks: Marks) -> Number:
    """Put the positions ``first`` to ``last`` of a level into the set; return how many were new."""
    batch = room(0)
    new = 0
    while first < last:
        size = take(level, first, last, batch)
        new += mark(batch, size, marks)
        first += size
    return new


@compiled
def marked(level: Array, first: Number, last: Number, marks: Marks, flags: Flags) -> Number:
    """Flag those of the positions ``first`` to ``last`` of a level that are in the set."""
    batch = room(0)
    while first < last:
        size = take(level, first, last, batch)
        find(batch, size, marks)
        for k in range(size):
            flags[first + k] = batch.at[k] >= 0
        first += size
    return 0


@compiled
def count(level: Array, first: Number, last: Number, marks: Marks) -> Number:
    """Fill in the numbers of the positions ``first`` to ``last`` of a level that is a hash table."""
    batch = room(0)
    while first < last:
        size = take(level, first, last, batch)
        find(batch, size, marks)
        for k in range(size):
            marks.numbers[batch.at[k]] = first + k
        first += size
    return 0


@compiled
def count_bits(words: Array, numbers: Numbers) -> Number:
    """Write how many bits are set before each word; return how many are set in all."""
    total: Number = 0
    for i in range(len(words)):
        numbers[i] = total
        total += ones(words[i])
    return total


@compiled
def listed(bases: Numbers, first: Number, last: Number, marks: Marks, groups: Array, level: Array) -> Number:
    """Write those positions of a row of bits in rising order whose high halves go from ``first`` to ``last``.

    The row has numbers, and is of one class, with the ``bases`` of each high half; ``groups``: the low halves, group by
    group.
    """
    index: Number = number(marks.starts[first], marks)
    for high in range(first, last):
        begin, end = marks.starts[high], marks.starts[high + 1]
        upper = np.uint64(high) << np.uint64(marks.split)
        base = bases[high] - begin
        mask = ~((_ONE << np.uint64(begin & 63)) - _ONE)
        for i in range(begin >> 6, end + 63 >> 6):
            word = marks.words[i] & mask
            mask = ~np.uint64(0)
            while word:
                rank = 64 * i + lowest(word)
                if rank >= end:
                    break
                word &= word - _ONE
                level[index] = upper | groups[base + rank]
                index += 1
    return 0
