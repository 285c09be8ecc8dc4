"""What levels as arrays share: threads, and ranks of positions, by which a set of them is a row of bits.

Compiled code is in :mod:`pegcp.states.kernels.position_sets`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Any

import numpy as np

from pegcp.game import Board
from pegcp.states.frame import Frame
from pegcp.states.kernels.position_sets import Numbers, Row
from pegcp.states.words import Words
from pegcp.theory.parity import class_sets

_CHUNK_WORDS = 1 << 14  # words that a thread treats at a time
_MOST_BITS = 4096  # bits of a row for each position of a level: with more, sorted arrays are smaller and quicker
_LONGEST_ROW = 1 << 34  # bits
_MOST_HOLES = 52  # holes for rows of bits: the tables of the halves take 2 ** 26 numbers at most

_NONE, _NUMBERS = np.zeros(0, np.uint64), np.zeros(0, np.int64)
NO_ROW = Row(_NONE, _NUMBERS, _NUMBERS, _NONE, np.zeros(0, np.int32), 0)


def run_threads(frame: Frame, kernel: Callable[..., Any], words: Words | Numbers, *arguments: Any) -> list[Any]:
    """Return ``kernel(chunk, *arguments)`` for all chunks of some words, in their order, by the threads of a run."""

    def treat(begin: int) -> Any:
        frame.tick()
        return kernel(words[begin : begin + _CHUNK_WORDS], *arguments)

    begins, workers = range(0, len(words), _CHUNK_WORDS), frame.run.limits.workers
    if workers == 1 or len(begins) == 1:
        return [*map(treat, begins)]
    with ThreadPoolExecutor(workers) as pool:
        return [*pool.map(treat, begins)]


def is_dense(board: Board, pegs: int, positions: int) -> bool:
    """Tell whether the row of bits for positions with so many pegs is short for a number of ``positions``."""
    holes = len(board.holes)
    halves = 64 << (holes + 1) // 2
    if holes > _MOST_HOLES or halves > _MOST_BITS * positions:
        return False
    row = comb(holes, pegs) >> len(class_sets(board))
    return row + halves <= min(_MOST_BITS * positions, _LONGEST_ROW)


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

    def row(self, member: int, pegs: int) -> Row:
        """Return an empty row for the positions of one class (that of ``member``) with this number of pegs."""
        bits = len(self.sets)
        kind = 0
        for members in self.sets:
            kind = kind << 1 | (member & members).bit_count() & 1
        lacking = pegs - (self.high >> bits)
        possible = (lacking >= 0) & (lacking <= self.split)
        group = np.where(possible, lacking, 0) << bits | (self.high ^ kind) & (1 << bits) - 1
        starts = np.append(0, np.cumsum(np.where(possible, self.sizes[group], 0)))
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Row(words, starts, self.begins[group], self.groups, self.places, self.split)
