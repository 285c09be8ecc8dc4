"""Levels in few bytes: the gaps between the ranks of positions, compressed.

Positions that can be reached lie close together: most gaps are small, and the same ones follow each other again and
again. A byte for each gap, and eight more for each large one, compressed by Zstandard (RFC 8878), are 0.2 to 0.4 bytes
for a position of a large level. On boards without ranks (:mod:`pegcp.states.ranks`) the gaps are those of bit masks.
"""

from __future__ import annotations

import numpy as np
import zstandard

from pegcp.states.kernels.marks import Array
from pegcp.states.ranks import ranked
from pegcp.states.sets import Sets

_LARGE = 255  # a gap from which on a byte is not enough
_FAST, _SMALL = 3, 12  # levels of the codec
_WINDOW = 27  # bits: repetitions are found in so many bytes


class Packing:
    """How levels of a board are packed that have as many pegs and are in the class of ``member``."""

    def __init__(self, sets: Sets, member: int, pegs: int) -> None:
        self.board, self.member, self.pegs = sets.board, member, pegs
        self.ranks = sets.ranks if ranked(sets.board) else None

    def pack(self, level: Array, fast: bool = False) -> bytes:
        """A level, packed; ``fast``: in a third of the time and half as many bytes again."""
        numbers = level if self.ranks is None else self.ranks.numbers(level, self.member, self.pegs)
        gaps = np.diff(numbers, prepend=numbers.dtype.type(0))
        large = gaps[gaps >= _LARGE].view(np.uint8).reshape(-1, 8)
        text = np.minimum(gaps, _LARGE).astype(np.uint8).tobytes() + large.T.tobytes()  # the highest bytes are alike
        how = zstandard.ZstdCompressionParameters.from_level(_FAST if fast else _SMALL, window_log=_WINDOW)
        return zstandard.ZstdCompressor(compression_params=how).compress(text)

    def unpack(self, text: bytes, size: int) -> Array:
        """The level of ``size`` positions that was packed. Raises ValueError if it is none of this board and class."""
        try:
            if zstandard.frame_content_size(text) not in range(size, 9 * size + 1):  # before there is room for it
                raise ValueError("not so many positions")
            every = np.frombuffer(zstandard.ZstdDecompressor().decompress(text), np.uint8)
        except zstandard.ZstdError:
            raise ValueError("damaged") from None
        gaps = every[:size].astype(np.uint64)
        gaps[gaps == _LARGE] = np.ascontiguousarray(every[size:].reshape(8, -1).T).view(np.uint64)[:, 0]
        numbers = np.cumsum(gaps)
        if (numbers[1:] <= numbers[:-1]).any():
            raise ValueError("not rising")
        if self.ranks is not None:
            return self.ranks.positions(numbers.astype(np.int64), self.member, self.pegs)
        if (np.bitwise_count(numbers) != self.pegs).any() or (numbers > self.board.full).any():
            raise ValueError("other positions")
        return numbers
