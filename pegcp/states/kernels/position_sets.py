"""Sets of positions of one level and one position class, for compiled code: rows of bits, and levels with an index.

A row has a bit for each such position, in the order of their numbers: the rank of a position is where the positions
with its high half begin, plus the place of its low half among those that fit. Several threads fill it at once, batch
by batch: a batch first computes where each position belongs; then the words of all of them are loaded, which wait for
the memory together, not one after the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.bit_instructions import add_bits, lowest, ones
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.words import Words

Numbers = NDArray[np.int64]

BATCH = 512  # positions

_ONE = np.uint64(1)


class Row(NamedTuple):
    """A row of ``bits``, in words, and the tables for ranks.

    ``starts``: the rank at which each high half begins, and the end. ``bases``: where the group of low halves begins
    that goes with each high half. ``groups``: the low halves, group by group, rising; ``places``: the place of each in
    its group. ``split``: the bits of a low half.
    """

    bits: Words
    starts: Numbers
    bases: Numbers
    groups: Words
    places: NDArray[np.int32]
    split: int


class Index(NamedTuple):
    """A level, and its row of bits, or a row without any; ``numbers``: how many bits are set before each word."""

    words: Words
    row: Row
    numbers: Numbers


class Batch(NamedTuple):
    """Some ``positions``; ``at[k]``: the bit of each in a row, or its place in a level, -1 if it is not there.

    ``sources[k]``: the place in its level of the position that it comes from, and ``jumps[k]``: the jump. ``images``:
    those of one position.
    """

    positions: Words
    at: Numbers
    sources: Numbers
    jumps: Numbers
    images: Words


@inlined
def room(more: int, symmetries: int) -> Batch:
    """Return an empty batch, with room for some positions more."""
    size = BATCH + more
    positions, images = np.empty(size, np.uint64), np.empty(symmetries, np.uint64)
    return Batch(positions, np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64), images)


@inlined
def rank(batch: Batch, size: Number, row: Row) -> None:
    """Compute the bit of each position of a batch in a row."""
    split = np.uint64(row.split)
    low = (_ONE << split) - _ONE
    for k in range(size):
        position = batch.positions[k]
        batch.at[k] = row.starts[position >> split] + row.places[position & low]


@inlined
def mark(batch: Batch, size: Number, row: Row) -> None:
    """Put the positions of a batch into a row."""
    rank(batch, size, row)
    # First without branches: no processor can predict whether a position is new.
    missing: Number = 0
    for k in range(size):
        at = batch.at[k]
        batch.at[missing] = at
        missing += 1 - np.int64(row.bits[at >> 6] >> np.uint64(at & 63) & _ONE)
    for k in range(missing):
        at = batch.at[k]
        add_bits(row.bits, at >> 6, _ONE << np.uint64(at & 63))


@inlined
def find(batch: Batch, size: Number, index: Index) -> None:
    """Look up each position of a batch in a level."""
    if len(index.numbers):
        rank(batch, size, index.row)
        for k in range(size):
            at = batch.at[k]
            word, bit = index.row.bits[at >> 6], _ONE << np.uint64(at & 63)
            batch.at[k] = index.numbers[at >> 6] + ones(word & (bit - _ONE)) if word & bit else -1
        return
    for k in range(size):
        first, last = 0, len(index.words)
        while first < last:
            middle = first + last >> 1
            if index.words[middle] < batch.positions[k]:
                first = middle + 1
            else:
                last = middle
        is_there = first < len(index.words) and index.words[first] == batch.positions[k]
        batch.at[k] = first if is_there else -1


@compiled
def mark_all(level: Words, row: Row) -> Number:
    """Put the positions of a level into a row."""
    batch = room(0, 0)
    for first in range(0, len(level), BATCH):
        part = level[first : first + BATCH]
        batch.positions[: len(part)] = part
        mark(batch, len(part), row)
    return 0


@compiled
def listed(highs: Numbers, row: Row) -> Words:
    """Return the positions of a row with some high halves, one after the other, in rising order."""
    first, last = row.starts[highs[0]], row.starts[highs[-1] + 1]
    most: Number = 0
    for i in range(first >> 6, last + 63 >> 6):
        most += ones(row.bits[i])
    level, size = np.empty(most, np.uint64), 0
    for high in highs:
        begin, end = row.starts[high], row.starts[high + 1]
        base = row.bases[high] - begin
        mask = ~((_ONE << np.uint64(begin & 63)) - _ONE)
        for i in range(begin >> 6, end + 63 >> 6):
            word: Word = row.bits[i] & mask
            mask = ~np.uint64(0)
            while word:
                rank = 64 * i + lowest(word)
                if rank >= end:
                    break
                word &= word - _ONE
                level[size] = np.uint64(high) << np.uint64(row.split) | row.groups[base + rank]
                size += 1
    return level[:size]
