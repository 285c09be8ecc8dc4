"""The tables that compiled functions take: which jumps can be made, the images of positions, what pegs weigh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Board
from pegcp.game.symmetry import Subgroup, image
from pegcp.states.kernels.jumps import PIECE, JumpTables, Scales
from pegcp.states.kernels.position_sets import Array


class Weights(NamedTuple):
    """Bounds on positions: ``holes``, the weights of the holes, a row for each bound, and the ``least`` weights.

    What any pegs weigh more or less than a least weight fits a signed byte. No jump, or no jump taken back, lets a
    weight grow.
    """

    holes: NDArray[np.int16]
    least: NDArray[np.int16]


def jump_tables(board: Board, symmetries: Subgroup, flips: Sequence[tuple[int, int]]) -> JumpTables:
    """The tables for jumps given as (holes that change, holes that must have pegs) and for symmetries."""
    pieces = _pieces(board)
    values = np.arange(1 << PIECE, dtype=np.uint64)
    legal = np.zeros((len(pieces), len(values), -(-len(flips) // 64)), np.uint64)
    images = np.zeros((len(pieces), len(values), len(symmetries)), np.uint64)
    for piece, holes in enumerate(pieces):
        low = (1 << len(holes)) - 1
        for j, (mask, pegs) in enumerate(flips):
            fits = values & np.uint64(mask >> holes.start & low) == np.uint64(pegs >> holes.start & low)
            legal[piece, fits, j // 64] |= np.uint64(1 << j % 64)
        for bit, hole in enumerate(holes):
            has = values >> np.uint64(bit) & np.uint64(1) != 0
            images[piece, has] |= np.array([1 << p[hole] for p in symmetries], np.uint64)
    changes = np.array([[image(p, mask) for p in symmetries] for mask in [*(mask for mask, _ in flips), 0]], np.uint64)
    none = Scales(np.uint64(0), np.zeros((0, 0), np.uint64), np.zeros(0, np.uint64))
    return JumpTables(legal, images, changes, none)


def scales(board: Board, weights: Weights) -> list[Scales]:
    """The tables for bounds, eight by eight."""
    missing = -len(weights.least) % 8  # bounds that all positions keep
    holes, least = np.pad(weights.holes, ((0, missing), (0, 0))), np.pad(weights.least, (0, missing))
    values = np.arange(1 << PIECE)[:, None] >> np.arange(PIECE) & 1
    pieces = _pieces(board)
    from_, over, to = np.array(board.jumps).T
    found = []
    for begin in range(0, len(least), 8):
        eight, bound = holes[begin : begin + 8], least[begin : begin + 8]
        tables = np.array([_bytes(values[:, : len(piece)] @ eight[:, piece].T) for piece in pieces])
        losses = _bytes(np.abs(eight[:, from_] + eight[:, over] - eight[:, to]).T)
        found.append(Scales(np.uint64(_bytes(128 - bound)), tables, losses))
    return found


def _pieces(board: Board) -> list[range]:
    """The holes of each piece of a position."""
    holes = range(len(board.holes))
    return [holes[begin : begin + PIECE] for begin in range(0, len(holes), PIECE)]


def _bytes(values: NDArray[np.int16]) -> Array:
    """Eight numbers, the last axis, in the bytes of a word, the first in the lowest; what exceeds a byte is carried."""
    found: Array = (values.astype(np.int64) << 8 * np.arange(8)).sum(axis=-1).astype(np.uint64)
    return found
