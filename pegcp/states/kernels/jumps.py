"""Jumps from many positions at once, each position as the least of its images.

A level is an array of 64-bit words, one for each position. A word is cut into pieces of a few bits, and tables say for
each value of a piece which jumps it allows and what its images are. All images of the next position follow by one
exclusive-or each: they differ in the image of the jump.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.bit_instructions import lowest, ones
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.kernels.position_sets import BATCH, Array, Batch, Flags, Marks, find, mark, number, room

Values = NDArray[np.int64]  # a row for each position

PIECE = 11

_ONE = np.uint64(1)
_LOW = np.uint64((1 << PIECE) - 1)
_LARGEST = ~np.uint64(0)
_KEPT = np.uint64(0x8080808080808080)


class Scales(NamedTuple):
    """Eight linear bounds on positions, a byte of a word for each; a byte of 128 or more says that the bound is kept.

    ``begin``: the word for no peg at all; ``weights[piece, value]``: what a piece adds; ``losses[jump]``: what a jump
    takes away, in no byte less than 0. There are no losses where there are no bounds.
    """

    begin: np.uint64
    weights: NDArray[np.uint64]
    losses: NDArray[np.uint64]


class JumpTables(NamedTuple):
    """Jumps of a board, or jumps taken back, and symmetries.

    ``legal[piece, value]``: the jumps (bits of words) that this piece allows; ``images[piece, value]``: its images;
    ``flips[jump]``: the images of the three holes, and nothing for one jump more. Jumps after which a bound is not kept
    are left out.
    """

    legal: NDArray[np.uint64]
    images: NDArray[np.uint64]
    flips: NDArray[np.uint64]
    scales: Scales


@inlined
def allowed(position: Word, part: int, tables: JumpTables) -> Word:
    """The jumps that can be made in a position, as bits: those numbered from 64 times ``part``."""
    legal = _LARGEST
    for piece in range(len(tables.legal)):
        legal &= tables.legal[piece, position & _LOW, part]
        position >>= np.uint64(PIECE)
    return legal


@inlined
def weigh(position: Word, scales: Scales) -> Word:
    """The bytes of a position."""
    total = scales.begin
    for piece in range(len(scales.weights)):
        total += scales.weights[piece, position & _LOW]
        position >>= np.uint64(PIECE)
    return total


@inlined
def keeping(legal: Word, part: int, total: Word, scales: Scales) -> Word:
    """Those of the jumps after which a position of these bytes keeps the bounds."""
    kept = np.uint64(0)
    while legal and total & _KEPT == _KEPT:
        jump = lowest(legal)
        legal &= legal - _ONE
        after = total - scales.losses[64 * part + jump]
        kept |= np.uint64(after & _KEPT == _KEPT) << np.uint64(jump)
    return kept


@inlined
def carry(position: Word, tables: JumpTables, images: Array) -> None:
    """Put all images of a position into ``images``."""
    images[:] = np.uint64(0)
    for piece in range(len(tables.images)):
        row = tables.images[piece, position & _LOW]
        for s in range(len(images)):
            images[s] |= row[s]
        position >>= np.uint64(PIECE)


@inlined
def least(images: Array, tables: JumpTables, jump: Number) -> Word:
    """The least image after a jump."""
    found = _LARGEST
    row = tables.flips[jump]
    for s in range(len(images)):
        found = min(found, images[s] ^ row[s])
    return found


@inlined
def space(tables: JumpTables) -> Array:
    """Room for the images of a position."""
    return np.empty(tables.images.shape[2], np.uint64)


@inlined
def jump_on(
    level: Array, first: Number, last: Number, tables: JumpTables, images: Array, batch: Batch
) -> tuple[Number, Number]:
    """Put what is one jump after the positions of a level from ``first`` on into a batch, as long as there is room.

    The first position that is left, and the size of the batch.
    """
    size = 0
    while first < last and size < BATCH:
        carry(level[first], tables, images)
        for part in range(tables.legal.shape[2]):
            legal = allowed(level[first], part, tables)
            if len(tables.scales.losses):
                legal = keeping(legal, part, weigh(level[first], tables.scales), tables.scales)
            while legal:
                jump = 64 * part + lowest(legal)
                legal &= legal - _ONE
                batch.positions[size] = least(images, tables, jump)
                batch.whose[size] = first
                batch.jumps[size] = jump
                size += 1
        first += 1
    return first, size


@compiled
def canonical(positions: Array, first: Number, last: Number, tables: JumpTables) -> Number:
    """Replace the positions ``first`` to ``last`` by their least images; how many."""
    images = space(tables)
    for i in range(first, last):
        carry(positions[i], tables, images)
        positions[i] = least(images, tables, len(tables.flips) - 1)
    return last - first


@compiled
def expand(level: Array, first: Number, last: Number, tables: JumpTables, marks: Marks) -> Number:
    """Mark all positions one jump after the positions ``first`` to ``last`` of a level; how many are new."""
    images, batch = space(tables), room(len(tables.flips))
    new = 0
    while first < last:
        first, size = jump_on(level, first, last, tables, images, batch)
        new += mark(batch, size, marks)
    return new


@compiled
def leads(level: Array, first: Number, last: Number, tables: JumpTables, marks: Marks, found: Flags) -> Number:
    """Flag those of the positions ``first`` to ``last`` of a level from which a jump leads into the set."""
    images, batch = space(tables), room(len(tables.flips))
    count = last - first
    while first < last:
        first, size = jump_on(level, first, last, tables, images, batch)
        find(batch, size, marks)
        for k in range(size):
            if batch.at[k] >= 0:
                found[batch.whose[k]] = True
    return count


@compiled
def add_jumps(
    level: Array, first: Number, last: Number, tables: JumpTables, marks: Marks, values: Values, sums: Values
) -> Number:
    """Add to the sum of each of the positions ``first`` to ``last`` the values of those one jump later.

    ``marks``: the set of the level after, with numbers.
    """
    images, batch = space(tables), room(len(tables.flips))
    count = last - first
    while first < last:
        first, size = jump_on(level, first, last, tables, images, batch)
        find(batch, size, marks)
        for k in range(size):
            if batch.at[k] >= 0:
                i, j = batch.whose[k], number(batch.at[k], marks)
                for part in range(sums.shape[1]):
                    sums[i, part] += values[j, part]
    return count


@compiled
def keep(level: Array, scales: Scales) -> Number:
    """Move the positions of a level that keep the bounds to its front, in their order; how many."""
    kept: Number = 0
    for i in range(len(level)):
        total = weigh(level[i], scales)
        level[kept] = level[i]
        kept += np.int64(total & _KEPT == _KEPT)
    return kept


@compiled
def ways(level: Array, first: Number, last: Number, tables: JumpTables, found: NDArray[np.int32]) -> Number:
    """How many jumps can be made in each of the positions ``first`` to ``last`` of a level; and in all together."""
    total: Number = 0
    for i in range(first, last):
        found[i] = 0
        for part in range(tables.legal.shape[2]):
            found[i] += ones(allowed(level[i], part, tables))
        total += found[i]
    return total


@compiled
def ending(level: Array, first: Number, last: Number, tables: JumpTables, apart: Array, found: Flags) -> Number:
    """For each of the positions ``first`` to ``last`` of a level: whether a jump leads to a dead end.

    ``apart[jump]``: the jumps (bits of words) that have no hole in common with it; they can still be made after it.
    """
    parts = tables.legal.shape[2]
    legal = np.empty(parts, np.uint64)
    for i in range(first, last):
        for part in range(parts):
            legal[part] = allowed(level[i], part, tables)
        found[i] = False
        for part in range(parts):
            left = legal[part]
            while left:
                jump = 64 * part + lowest(left)
                left &= left - _ONE
                further = np.uint64(0)
                for other in range(parts):
                    further |= legal[other] & apart[jump, other]
                if further:
                    continue
                for other in range(parts):
                    further |= allowed(level[i] ^ tables.flips[jump, 0], other, tables)
                found[i] |= further == 0
    return last - first
