"""Sets of positions of one level and one position class, for compiled code: rows of bits, and levels with an index.

A row has a bit for each such position, in the order of their numbers: the rank of a position is where the positions
with its high half begin, plus the place of its low half among those that fit. Several threads fill it at once, batch
by batch: a batch first computes where each position belongs; then the words of all of them are loaded, which wait for
the memory together, not one after the other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.game import Board
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined, numba
from pegcp.states.words import Words
from pegcp.theory.parity import class_sets

Numbers = NDArray[np.int64]

BATCH = 512  # positions

_intrinsic: Callable[..., Any] = numba.extending.intrinsic
_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_OCTETS, _UNITS = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


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


_NONE = np.zeros(0, np.int64)
_NO_ROW = Row(_NONE.astype(np.uint64), _NONE, _NONE, _NONE.astype(np.uint64), _NONE.astype(np.int32), 0)


class Index(NamedTuple):
    """A level, and its row of bits; ``numbers``: how many bits are set before each word. Both may be empty."""

    words: Words
    row: Row = _NO_ROW
    numbers: Numbers = _NO_ROW.starts


class Batch(NamedTuple):
    """Some ``positions``; ``at[k]``: the bit of each in a row, else its place in a level; -1 if it is not there.

    ``sources[k]``: the place in its level of the position that it comes from, and ``jumps[k]``: the jump. ``images``:
    those of one position.
    """

    positions: Words
    at: Numbers
    sources: Numbers
    jumps: Numbers
    images: Words


class Ranks:
    """Tables for the rank of a position among those of its class with as many pegs, by the two halves of its word.

    The low halves (``split`` bits) are put into groups by number of pegs and class: ``groups`` lists them group by
    group, rising, and ``places`` has the place of each in its group.
    """

    def __init__(self, board: Board) -> None:
        holes = len(board.holes)
        self.split = (holes + 1) // 2
        self.sets = class_sets(board)
        low, self.high = self._kinds(0, self.split), self._kinds(self.split, holes)
        self.sizes = np.bincount(low, minlength=(self.split + 1) << len(self.sets))
        self.begins = np.cumsum(self.sizes) - self.sizes
        order = np.argsort(low, kind="stable")
        self.groups = order.astype(np.uint64)
        self.places = np.empty(len(low), np.int32)
        self.places[order] = np.arange(len(low)) - self.begins[low[order]]

    def _kinds(self, first: int, last: int) -> Numbers:
        """Return pegs and class, in one number, of each set of the holes from ``first`` to ``last``."""
        halves = np.arange(1 << (last - first), dtype=np.uint64)
        kinds = np.bitwise_count(halves).astype(np.int64)
        for members in self.sets:
            parity = np.bitwise_count(halves & np.uint64(members >> first & (1 << last - first) - 1)) & 1
            kinds = kinds << 1 | parity
        return kinds

    def starts_and_bases(self, member: int, pegs: int) -> tuple[Numbers, Numbers]:
        """Return those of the row of the positions of one class (that of ``member``) with this number of pegs."""
        bits = len(self.sets)
        kind = 0
        for members in self.sets:
            kind = kind << 1 | (member & members).bit_count() & 1
        missing = pegs - (self.high >> bits)
        possible = (missing >= 0) & (missing <= self.split)
        group = np.where(possible, missing, 0) << bits | (self.high ^ kind) & (1 << bits) - 1
        starts = np.append(0, np.cumsum(np.where(possible, self.sizes[group], 0)))
        return starts, self.begins[group]

    def row(self, member: int, pegs: int) -> Row:
        """Return an empty row for the positions of one class (that of ``member``) with this number of pegs."""
        starts, bases = self.starts_and_bases(member, pegs)
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Row(words, starts, bases, self.groups, self.places, self.split)


def count_bits(row: Row) -> Numbers:
    """Return how many bits of a row are set before each word, and before the end."""
    numbers = np.zeros(len(row.bits) + 1, np.int64)
    np.cumsum(np.bitwise_count(row.bits), out=numbers[1:])
    return numbers


@inlined
def ones(word: Word) -> Number:
    """Count the bits of a word that are 1: one instruction of most processors."""
    word -= word >> _ONE & _PAIRS
    word = (word & _QUADS) + (word >> _TWO & _QUADS)
    return np.int64((word + (word >> _FOUR) & _OCTETS) * _UNITS >> _TOP)


@inlined
def lowest(word: Word) -> Number:
    """Return the number of the lowest bit of a word that is not 0."""
    return ones(~word & (word - _ONE))


@_intrinsic
def add_bits(_typing: object, words: Any, _index: object, _bits: object) -> tuple[object, Callable[..., object]]:
    """``words[index] |= bits`` as one atomic instruction; return the word before."""

    def generate(context: object, builder: Any, signature: Any, arguments: Any) -> object:
        kind, (row, index, bits) = signature.args[0], arguments
        array = numba.np.arrayobj.make_array(kind)(context, builder, row)
        address = numba.core.cgutils.get_item_pointer(context, builder, kind, array, [index], wraparound=False)
        return builder.atomic_rmw("or", address, bits, "monotonic")

    return numba.types.uint64(words, numba.types.int64, numba.types.uint64), generate


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
def has_bit(row: Row, at: Number) -> Number:
    """Return a bit of a row, 0 or 1."""
    return np.int64(row.bits[at >> 6] >> np.uint64(at & 63) & _ONE)


@inlined
def place(at: Number, index: Index) -> Number:
    """Return the place in its level of a position with this bit, or of which this is the place without a row."""
    if not len(index.numbers):
        return at
    return index.numbers[at >> 6] + ones(index.row.bits[at >> 6] & (_ONE << np.uint64(at & 63)) - _ONE)


@inlined
def mark(batch: Batch, size: Number, row: Row) -> None:
    """Put the positions of a batch into a row."""
    rank(batch, size, row)
    # First without branches: no processor can predict whether a position is new.
    missing: Number = 0
    for k in range(size):
        at = batch.at[k]
        batch.at[missing] = at
        missing += 1 - has_bit(row, at)
    for k in range(missing):
        at = batch.at[k]
        add_bits(row.bits, at >> 6, _ONE << np.uint64(at & 63))


@inlined
def find(batch: Batch, size: Number, index: Index) -> None:
    """Look up each position of a batch in a level."""
    if len(index.numbers):
        rank(batch, size, index.row)
        for k in range(size):
            batch.at[k] = batch.at[k] if has_bit(index.row, batch.at[k]) else -1
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
        size = min(BATCH, len(level) - first)
        for k in range(size):
            batch.positions[k] = level[first + k]
        mark(batch, size, row)
    return 0


@compiled
def list_bits(highs: Numbers, index: Index) -> Number:
    """Fill in the words of an index with the positions of its row that have some high halves, one after the other."""
    row = index.row
    i: Number = place(row.starts[highs[0]], index)
    for high in highs:
        begin, end = row.starts[high], row.starts[high + 1]
        upper, base = np.uint64(high) << np.uint64(row.split), row.bases[high] - begin
        mask = ~((_ONE << np.uint64(begin & 63)) - _ONE)
        for j in range(begin >> 6, end + 63 >> 6):
            word: Word = row.bits[j] & mask
            mask = ~np.uint64(0)
            while word:
                rank = 64 * j + lowest(word)
                if rank >= end:
                    break
                word &= word - _ONE
                index.words[i] = upper | row.groups[base + rank]
                i += 1
    return 0
