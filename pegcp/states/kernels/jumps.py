"""Jumps from many positions at once, each position as the least of its images.

A level is an array of 64-bit words, one for each position. A word is cut into pieces of a few bits; tables have, for
each value of a piece, the jumps that it allows and its images. All images of the next position follow by one
exclusive-or each: they differ in the image of the jump.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.game import Board
from pegcp.game.symmetry import Subgroup, image
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.kernels.rows import BATCH, Batch, Index, Numbers, Row, find, lowest, mark, ones, place, room
from pegcp.states.words import PIECE_BITS, Flags, Words, image_tables

NumberRows = NDArray[np.int64]  # a row for each position
Moves = NDArray[np.int16]
JumpSets = tuple[Words, Numbers, Words]  # of independent jumps: after each; from where in a level; what to add

MOST_BOUNDS = 8  # a byte of a word for each

_ONE = np.uint64(1)
_PIECE_MASK = np.uint64((1 << PIECE_BITS) - 1)
_ALL_BITS = ~np.uint64(0)
_KEPT_BITS = np.uint64(0x8080808080808080)


class Scales(NamedTuple):
    """Linear bounds on positions, a byte of a word for each; a byte of 128 or more says that the bound is kept.

    ``begin``: the word for no peg at all; ``weights[piece, value]``: what a piece adds; ``losses[jump]``: what a jump
    takes away, in no byte less than 0. There are no losses where there are no bounds.
    """

    begin: np.uint64
    weights: Words
    losses: Words


_UNBOUNDED = Scales(np.uint64(0), np.zeros((0, 0), np.uint64), np.zeros(0, np.uint64))


class JumpTables(NamedTuple):
    """Jumps of a board, or jumps taken back, and symmetries.

    ``legal[piece, value]``: the jumps (bits of words) that this piece allows; ``images[piece, value]``: its images;
    ``flips[jump]``: the images of the three holes. Jumps after which a bound is not kept are left out.
    """

    legal: Words
    images: Words
    flips: Words
    scales: Scales = _UNBOUNDED


def jump_tables(board: Board, symmetries: Subgroup, flips: Sequence[tuple[int, int]]) -> JumpTables:
    """Build the tables for jumps given as (holes that change, holes that must have pegs) and for symmetries."""
    images, values = image_tables(len(board.holes), symmetries.elements), np.arange(1 << PIECE_BITS, dtype=np.uint64)
    legal = np.zeros((len(images), len(values), -(-len(flips) // 64)), np.uint64)
    for piece in range(len(images)):
        for j, flip in enumerate(flips):
            mask, pegs = (np.uint64(holes >> PIECE_BITS * piece) & _PIECE_MASK for holes in flip)
            legal[piece, values & mask == pegs, j // 64] |= np.uint64(1 << j % 64)
    changes = np.array([[image(p, mask) for p in symmetries] for mask, _ in flips], np.uint64)
    return JumpTables(legal, images, changes.reshape(len(flips), len(symmetries)))


def scales(board: Board, holes: NDArray[np.int64], least: NDArray[np.int64]) -> Scales:
    """Build the tables for at most eight bounds: a row with the weights of the holes, and a least weight, for each.

    The weight of any pegs less a least weight fits a signed byte. No jump, or no jump taken back, raises a weight.
    """
    bits = np.arange(1 << PIECE_BITS)[:, None] >> np.arange(PIECE_BITS) & 1
    pieces = np.pad(holes, ((0, 0), (0, -len(board.holes) % PIECE_BITS))).reshape(len(holes), -1, PIECE_BITS)
    from_, over, to = np.array(board.jumps).T
    losses = np.abs(holes[:, from_] + holes[:, over] - holes[:, to])
    begin = np.pad(128 - least, (0, MOST_BOUNDS - len(least)), constant_values=128)  # the others are always kept
    return Scales(np.uint64(_bytes(begin)), _bytes(bits @ pieces.transpose(1, 2, 0)), _bytes(losses.T))


def _bytes(values: NDArray[np.int64]) -> Words:
    """Put numbers, the last axis, into the bytes of a word, the first in the lowest; they carry into the next."""
    words: Words = (values << 8 * np.arange(values.shape[-1])).sum(axis=-1).astype(np.uint64)
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
def within_bounds(legal: Word, part: int, position: Word, scales: Scales) -> Word:
    """Return those of the jumps after which the bounds are kept."""
    total, keeping = scales.begin, np.uint64(0)
    for piece in range(len(scales.weights)):
        total += scales.weights[piece, position & _PIECE_MASK]
        position >>= np.uint64(PIECE_BITS)
    while legal and total & _KEPT_BITS == _KEPT_BITS:
        jump = lowest(legal)
        legal &= legal - _ONE
        after = total - scales.losses[64 * part + jump]
        keeping |= np.uint64(after & _KEPT_BITS == _KEPT_BITS) << np.uint64(jump)
    return keeping


@inlined
def carry(position: Word, tables: JumpTables, images: Words) -> None:
    """Put all images of a position into ``images``."""
    for s in range(len(images)):
        images[s] = np.uint64(0)
    for piece in range(len(tables.images)):
        row = tables.images[piece, position & _PIECE_MASK]
        for s in range(len(images)):
            images[s] |= row[s]
        position >>= np.uint64(PIECE_BITS)


@inlined
def least(images: Words, tables: JumpTables, jump: Number) -> Word:
    """Return the least image after a jump."""
    smallest = _ALL_BITS
    row = tables.flips[jump]
    for s in range(len(images)):
        smallest = min(smallest, images[s] ^ row[s])
    return smallest


@compiled
def legal_jumps(level: Words, tables: JumpTables) -> Words:
    """Return the jumps that can be made in each position and keep the bounds, as bits: a row of words for each."""
    legal = np.empty((len(level), tables.legal.shape[2]), np.uint64)
    for i in range(len(level)):
        for part in range(tables.legal.shape[2]):
            legal[i, part] = allowed(level[i], part, tables)
            if len(tables.scales.losses):
                legal[i, part] = within_bounds(legal[i, part], part, level[i], tables.scales)
    return legal


@inlined
def count_ones(rows: Words) -> Number:
    """Count the bits of rows of words that are 1."""
    total: Number = 0
    for word in rows.flat:
        total += ones(word)
    return total


@inlined
def make_jumps(level: Words, legal: Words, first: Number, tables: JumpTables, batch: Batch) -> tuple[Number, Number]:
    """Put the positions after some jumps from those of a level, from ``first`` on, into a batch while there is room.

    ``legal``: the jumps, a row of bits for each. Return the first position that is not treated, and the batch's size.
    """
    size = 0
    while first < len(level) and size < BATCH:
        carry(level[first], tables, batch.images)
        for part in range(legal.shape[1]):
            untried = legal[first, part]
            while untried:
                jump = 64 * part + lowest(untried)
                untried &= untried - _ONE
                batch.positions[size] = least(batch.images, tables, jump)
                batch.sources[size] = first
                batch.jumps[size] = jump
                size += 1
        first += 1
    return first, size


@compiled
def mark_after(level: Words, tables: JumpTables, row: Row) -> Number:
    """Put all positions one jump after those of a level into a row."""
    legal, batch, first = legal_jumps(level, tables), room(*tables.flips.shape), 0
    while first < len(level):
        first, size = make_jumps(level, legal, first, tables, batch)
        mark(batch, size, row)
    return 0


@compiled
def list_after(level: Words, tables: JumpTables) -> Words:
    """Return the positions one jump after those of a level, each as often as a jump leads to it."""
    legal, batch, first, n = legal_jumps(level, tables), room(*tables.flips.shape), 0, 0
    positions = np.empty(count_ones(legal), np.uint64)
    while first < len(level):
        first, size = make_jumps(level, legal, first, tables, batch)
        for k in range(size):
            positions[n + k] = batch.positions[k]
        n += size
    return positions[:n]


@compiled
def leads(level: Words, tables: JumpTables, into: Index) -> Flags:
    """Flag the positions from which a jump leads into another level."""
    legal, batch, first = legal_jumps(level, tables), room(*tables.flips.shape), 0
    flags = np.zeros(len(level), np.bool_)
    while first < len(level):
        first, size = make_jumps(level, legal, first, tables, batch)
        find(batch, size, into)
        for k in range(size):
            if batch.at[k] >= 0:
                flags[batch.sources[k]] = True
    return flags


@compiled
def add_jumps(
    sets: JumpSets, tables: JumpTables, into: Index, sign: Number, values: NumberRows, sums: NumberRows, grow: bool
) -> JumpSets:
    """Add to the sum of each position the values after sets of independent jumps that are one jump larger.

    Return those of these sets that lead ``into`` the level after so many jumps and may ``grow`` further: by later jumps
    that lead there from the smaller set, too, and have no hole in common with the new one.
    """
    positions, sources, further = sets
    batch, first, n, most = room(*tables.flips.shape), 0, 0, count_ones(further) if grow else 0
    after, origins = np.empty(most, np.uint64), np.empty(most, np.int64)
    larger = np.zeros((most, further.shape[1]), np.uint64)
    while first < len(positions):
        first, size = make_jumps(positions, further, first, tables, batch)
        find(batch, size, into)
        for k in range(size):
            if batch.at[k] < 0:
                continue
            before, mask, at = batch.sources[k], tables.flips[batch.jumps[k], 0], place(batch.at[k], into)
            for digit in range(values.shape[1]):
                sums[sources[before], digit] += sign * values[at, digit]
            other = k + 1
            while grow and other < size and batch.sources[other] == before:
                jump = batch.jumps[other]
                if batch.at[other] >= 0 and not tables.flips[jump, 0] & mask:
                    larger[n, jump >> 6] |= _ONE << np.uint64(jump & 63)
                other += 1
            if grow and larger[n].any():
                after[n], origins[n] = positions[before] ^ mask, sources[before]
                n += 1
    return after[:n], origins[:n], larger[:n]


@compiled
def ending(level: Words, tables: JumpTables) -> Flags:
    """Flag the positions from which a jump leads to a dead end."""
    parts, flags = tables.legal.shape[2], np.zeros(len(level), np.bool_)
    for i in range(len(level)):
        for part in range(parts):
            untried = allowed(level[i], part, tables)
            while untried:
                after = level[i] ^ tables.flips[64 * part + lowest(untried), 0]
                untried &= untried - _ONE
                further = np.uint64(0)
                for other in range(parts):
                    if not further:
                        further = allowed(after, other, tables)
                flags[i] |= further == 0
    return flags


@compiled
def fewest_moves(
    level: Words,
    tables: JumpTables,
    leaves: Numbers,
    lands: Numbers,
    into: Index,
    moves_after: Moves,
    begins_after: Words,
) -> tuple[Moves, Words]:
    """Return the fewest moves to the goal, and the holes (bits) from which the first of them may start.

    A peg that has just landed in one of these goes on in the same move. ``leaves[jump]``: the hole that the jump
    leaves; ``lands[jump, s]``: the hole where it lands, as symmetry ``s`` carries it. ``into``: the level after, of
    which both are known.
    """
    legal, batch, first = legal_jumps(level, tables), room(*tables.flips.shape), 0
    moves, begins = np.full(len(level), 32767, np.int16), np.zeros(len(level), np.uint64)
    while first < len(level):
        first, size = make_jumps(level, legal, first, tables, batch)
        find(batch, size, into)
        for k in range(size):
            if batch.at[k] < 0:
                continue
            i, jump, after = batch.sources[k], batch.jumps[k], place(batch.at[k], into)
            carry(level[i], tables, batch.images)
            symmetry = 0
            while batch.images[symmetry] ^ tables.flips[jump, symmetry] != batch.positions[k]:
                symmetry += 1
            goes_on = begins_after[after] >> np.uint64(lands[jump, symmetry]) & _ONE
            total = moves_after[after] + 1 - np.int64(goes_on)
            if total < moves[i]:
                moves[i] = total
                begins[i] = np.uint64(0)
            if total == moves[i]:
                begins[i] |= _ONE << np.uint64(leaves[jump])
    return moves, begins
