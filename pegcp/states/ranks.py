"""The rank of a position among those of its position class with as many pegs, by its two halves."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Board
from pegcp.theory.parity import class_sets

Numbers = NDArray[np.int64]

LARGEST = 52  # holes: the tables of the halves take 2 ** 26 numbers at most


class Ranks:
    """Tables for a board of at most :data:`LARGEST` holes.

    The low halves (``split`` bits) are put into groups by number of pegs and class: ``groups`` lists them group by
    group, rising, and ``places`` says where each stands in its group.
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
        self.row = lru_cache(maxsize=2)(self._row)

    def _kinds(self, first: int, last: int) -> Numbers:
        """For each set of the holes from ``first`` to ``last``: pegs and class in one number."""
        halves = np.arange(1 << (last - first), dtype=np.uint64)
        kinds = np.bitwise_count(halves).astype(np.int64)
        for members in self.sets:
            parity = np.bitwise_count(halves & np.uint64(members >> first & (1 << last - first) - 1)) & 1
            kinds = kinds << 1 | parity
        return kinds

    def _row(self, member: int, pegs: int) -> tuple[Numbers, Numbers]:
        """Where each high half begins in the row of the positions of one class (that of ``member``) with these pegs.

        The ranks at which they begin, and the end; and where the group of low halves begins that goes with each.
        """
        bits = len(self.sets)
        kind = 0
        for members in self.sets:
            kind = kind << 1 | (member & members).bit_count() & 1
        missing = pegs - (self.high >> bits)
        possible = (missing >= 0) & (missing <= self.split)
        group = np.where(possible, missing, 0) << bits | (self.high ^ kind) & (1 << bits) - 1
        starts = np.zeros(len(group) + 1, np.int64)
        np.cumsum(np.where(possible, self.sizes[group], 0), out=starts[1:])
        return starts, self.begins[group]
