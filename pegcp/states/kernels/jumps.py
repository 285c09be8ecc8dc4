"""Jumps from many positions at once, each position as the least of its images.

A level is an array of 64-bit words, one for each position. A word is cut into pieces of a few bits; tables have, for
each value of a piece, the jumps that it allows and its images. All images of the next position follow by one
exclusive-or each: they differ in the image of the jump.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.game import Board
from pegcp.game.symmetry import Subgroup, image
from pegcp.states.kernels.bit_instructions import lowest, ones
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.kernels.position_sets import BATCH, Array, Batch, Flags, Marks, Numbers, find, mark, number, room
from pegcp.states.words import image_tables

Values = NDArray[np.int64]  # a row for each position
JumpSets = tuple[Array, Numbers, Numbers]  # of independent jumps: after each; from where in a level; its last jump

PIECE_BITS = 11

_ONE = np.uint64(1)
_PIECE_MASK = np.uint64((1 << PIECE_BITS) - 1)
_ALL_BITS = ~np.uint64(0)
_KEPT_BITS = np.uint64(0x8080808080808080)


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


class Weights(NamedTuple):
    """Bounds on positions: ``holes``, the weights of the holes, a row for each bound, and the ``least`` weights.

    The weight of any pegs less a least weight fits a signed byte. No jump, or no jump taken back, raises a weight.
    """

    holes: NDArray[np.int16]
    least: NDArray[np.int16]


def jump_tables(board: Board, symmetries: Subgroup, flips: Sequence[tuple[int, int]]) -> JumpTables:
    """Build the tables for jumps given as (holes that change, holes that must have pegs) and for symmetries."""
    pieces, values = _pieces(board), np.arange(1 << PIECE_BITS, dtype=np.uint64)
    legal = np.zeros((len(pieces), len(values), -(-len(flips) // 64)), np.uint64)
    images = image_tables(len(board.holes), symmetries.elements, PIECE_BITS)
    for piece, holes in enumerate(pieces):
        low = (1 << len(holes)) - 1
        for j, (mask, pegs) in enumerate(flips):
            fits = values & np.uint64(mask >> holes.start & low) == np.uint64(pegs >> holes.start & low)
            legal[piece, fits, j // 64] |= np.uint64(1 << j % 64)
    changes = np.array([[image(p, mask) for p in symmetries] for mask in [*(mask for mask, _ in flips), 0]], np.uint64)
    unbounded = Scales(np.uint64(0), np.zeros((0, 0), np.uint64), np.zeros(0, np.uint64))
    return JumpTables(legal, images, changes, unbounded)


def scales(board: Board, weights: Weights) -> list[Scales]:
    """Build the tables for bounds, eight by eight."""
    missing = -len(weights.least) % 8  # bounds that all positions keep
    holes, least = np.pad(weights.holes, ((0, missing), (0, 0))), np.pad(weights.least, (0, missing))
    values = np.arange(1 << PIECE_BITS)[:, None] >> np.arange(PIECE_BITS) & 1
    from_, over, to = np.array(board.jumps).T
    tables = []
    for begin in range(0, len(least), 8):
        eight, bounds = holes[begin : begin + 8], least[begin : begin + 8]
        pieces = np.array([_bytes(values[:, : len(piece)] @ eight[:, piece].T) for piece in _pieces(board)])
        losses = _bytes(np.abs(eight[:, from_] + eight[:, over] - eight[:, to]).T)
        tables.append(Scales(np.uint64(_bytes(128 - bounds)), pieces, losses))
    return tables


def _pieces(board: Board) -> list[range]:
    """Return the holes of each piece of a position."""
    holes = range(len(board.holes))
    return [holes[begin : begin + PIECE_BITS] for begin in range(0, len(holes), PIECE_BITS)]


def _bytes(values: NDArray[np.int16]) -> Array:
    """Put eight numbers, the last axis, into the bytes of a word, the first in the lowest; they carry into the next."""
    words: Array = (values.astype(np.int64) << 8 * np.arange(8)).sum(axis=-1).astype(np.uint64)
    return words


@inlined
def allowed(position: Word, part: int, tables: JumpTables) -> Word:
    """Return the jumps that can be made in a position, as bits: those numbered from 64 times ``part``."""
    legal = _ALL_BITS
    for piece in range(len(tables.legal)):
        legal &= tables.legal[piece, position & _PIECE_MASK, part]
        position >>= np.uint64(PIECE_BITS)
    return legal


@inlined
def weigh(position: Word, scales: Scales) -> Word:
    """Return the weights of a position, as bytes."""
    total = scales.begin
    for piece in range(len(scales.weights)):
        total += scales.weights[piece, position & _PIECE_MASK]
        position >>= np.uint64(PIECE_BITS)
    return total


@inlined
def within_bounds(legal: Word, part: int, total: Word, scales: Scales) -> Word:
    """Return those of the jumps after which a position of this weight keeps the bounds."""
    keeping = np.uint64(0)
    while legal and total & _KEPT_BITS == _KEPT_BITS:
        jump = lowest(legal)
        legal &= legal - _ONE
        after = total - scales.losses[64 * part + jump]
        keeping |= np.uint64(after & _KEPT_BITS == _KEPT_BITS) << np.uint64(jump)
    return keeping


@inlined
def carry(position: Word, tables: JumpTables, images: Array) -> None:
    """Put all images of a position into ``images``."""
    images[:] = np.uint64(0)
    for piece in range(len(tables.images)):
        row = tables.images[piece, position & _PIECE_MASK]
        for s in range(len(images)):
            images[s] |= row[s]
        position >>= np.uint64(PIECE_BITS)


@inlined
def least(images: Array, tables: JumpTables, jump: Number) -> Word:
    """Return the least image after a jump."""
    smallest = _ALL_BITS
    row = tables.flips[jump]
    for s in range(len(images)):
        smallest = min(smallest, images[s] ^ row[s])
    return smallest


@inlined
def space(tables: JumpTables) -> Array:
    """Return room for the images of a position."""
    return np.empty(tables.images.shape[2], np.uint64)


@inlined
def jump_on(
    level: Array, first: Number, last: Number, tables: JumpTables, images: Array, batch: Batch
) -> tuple[Number, Number]:
    """Put the positions one jump after those of a level from ``first`` on into a batch, as long as there is room.

    Return the first position that is not treated, and the size of the batch.
    """
    size = 0
    while first < last and size < BATCH:
        carry(level[first], tables, images)
        for part in range(tables.legal.shape[2]):
            legal = allowed(level[first], part, tables)
            if len(tables.scales.losses):
                legal = within_bounds(legal, part, weigh(level[first], tables.scales), tables.scales)
            while legal:
                jump = 64 * part + lowest(legal)
                legal &= legal - _ONE
                batch.positions[size] = least(images, tables, jump)
                batch.sources[size] = first
                batch.jumps[size] = jump
                size += 1
        first += 1
    return first, size


@compiled
def canonical(positions: Array, first: Number, last: Number, tables: JumpTables) -> Number:
    """Replace the positions ``first`` to ``last`` by their least images."""
    images = space(tables)
    for i in range(first, last):
        carry(positions[i], tables, images)
        positions[i] = least(images, tables, len(tables.flips) - 1)
    return 0


@compiled
def expand(level: Array, first: Number, last: Number, tables: JumpTables, marks: Marks) -> Number:
    """Mark all positions one jump after the positions ``first`` to ``last`` of a level; return how many are new."""
    images, batch = space(tables), room(len(tables.flips))
    new = 0
    while first < last:
        first, size = jump_on(level, first, last, tables, images, batch)
        new += mark(batch, size, marks)
    return new


@compiled
def leads(level: Array, first: Number, last: Number, tables: JumpTables, marks: Marks, flags: Flags) -> Number:
    """Flag those of the positions ``first`` to ``last`` of a level from which a jump leads into the set."""
    images, batch = space(tables), room(len(tables.flips))
    while first < last:
        first, size = jump_on(level, first, last, tables, images, batch)
        find(batch, size, marks)
        for k in range(size):
            if batch.at[k] >= 0:
                flags[batch.sources[k]] = True
    return 0


@compiled
def add_jumps(
    sets: JumpSets, tables: JumpTables, marks: Marks, level: Array, sign: Number, values: Values, sums: Values
) -> JumpSets:
    """Add to the sum of each position of a level the values after sets of independent jumps that are one jump larger.

    Return these sets: those that lead into the level after so many jumps, of which ``marks`` is the set with numbers.
    """
    images, batch, first, n = space(tables), room(len(tables.flips)), 0, 0
    larger = (np.empty_like(sets[0]), np.empty_like(sets[1]), np.empty_like(sets[2]))
    while first < len(sets[0]):
        first, size = jump_on(sets[0], first, len(sets[0]), tables, images, batch)
        find(batch, size, marks)
        for k in range(size):
            before, jump = batch.sources[k], batch.jumps[k]
            position, i = sets[0][before], sets[1][before]
            if batch.at[k] < 0 or jump < sets[2][before] or (position ^ level[i]) & tables.flips[jump, 0]:
                continue
            for digit in range(values.shape[1]):
                sums[i, digit] += sign * values[number(batch.at[k], marks), digit]
            if n == len(larger[0]):
                larger = (_doubled(larger[0]), _doubled(larger[1]), _doubled(larger[2]))
            larger[0][n], larger[1][n], larger[2][n] = position ^ tables.flips[jump, 0], i, jump
            n += 1
    return larger[0][:n], larger[1][:n], larger[2][:n]


@inlined
def _doubled(values: Any) -> Any:
    """Return an array with as much room again."""
    return np.concatenate((values, values))


@compiled
def keep(level: Array, scales: Scales) -> Number:
    """Move the positions of a level that keep the bounds to its front, in their order; return how many."""
    size: Number = 0
    for i in range(len(level)):
        level[size] = level[i]
        size += np.int64(weigh(level[i], scales) & _KEPT_BITS == _KEPT_BITS)
    return size


@compiled
def ways(level: Array, first: Number, last: Number, tables: JumpTables, counts: NDArray[np.int32]) -> Number:
    """Count the jumps of each of the positions ``first`` to ``last`` of a level; return the sum. All counts are 0."""
    for i in range(first, last):
        for part in range(tables.legal.shape[2]):
            counts[i] += ones(allowed(level[i], part, tables))
    return counts[first:last].sum()


@compiled
def ending(level: Array, first: Number, last: Number, tables: JumpTables, apart: Array, flags: Flags) -> Number:
    """Flag those of the positions ``first`` to ``last`` of a level from which a jump leads to a dead end.

    ``apart[jump]``: the jumps (bits of words) that have no hole in common with it; they can still be made after it.
    """
    parts = tables.legal.shape[2]
    legal = np.empty(parts, np.uint64)
    for i in range(first, last):
        for part in range(parts):
            legal[part] = allowed(level[i], part, tables)
        for part in range(parts):
            untried = legal[part]
            while untried:
                jump = 64 * part + lowest(untried)
                untried &= untried - _ONE
                further = np.uint64(0)
                for other in range(parts):
                    further |= legal[other] & apart[jump, other]
                if not further:
                    for other in range(parts):
                        further |= allowed(level[i] ^ tables.flips[jump, 0], other, tables)
                flags[i] |= further == 0
    return 0
