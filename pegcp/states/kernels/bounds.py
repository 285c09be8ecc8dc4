"""Linear bounds on positions, eight at a time: a byte of a word for each."""

from __future__ import annotations

import numpy as np

from pegcp.states.kernels.compiled import Number, Word, compiled
from pegcp.states.kernels.jumps import PIECE
from pegcp.states.kernels.marks import Array

_LOW = np.uint64((1 << PIECE) - 1)
_KEPT = np.uint64(0x8080808080808080)


@compiled
def keep(level: Array, pieces: tuple[int, ...], begin: Word, weights: Array) -> Number:
    """Move the positions that keep all bounds to the front of a level, in their order; how many.

    A position keeps a bound if its byte is 128 or more. ``begin``: the bytes without any peg;
    ``weights[piece, value]``: what a piece adds to them. ``pieces``: how many pieces each word of a position has.
    """
    kept: Number = 0
    for i in range(len(level)):
        total = begin
        piece = np.int64(0)
        for word in range(len(pieces)):
            left = level[i, word]
            for _ in range(pieces[word]):
                total += weights[piece, left & _LOW]
                left >>= np.uint64(PIECE)
                piece += 1
        for word in range(len(pieces)):
            level[kept, word] = level[i, word]
        kept += np.int64(total & _KEPT == _KEPT)
    return kept
