"""Levels as sets: rows of bits, or hash tables where those would be too long; filled and read by several threads.

Their compiled code is in :mod:`pegcp.states.kernels.position_sets`.
"""

from collections.abc import Callable, Iterator, Sized
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np

from pegcp.game import Board
from pegcp.states.frame import WORD_HOLES
from pegcp.states.kernels import jumps
from pegcp.states.kernels import position_sets as kernels
from pegcp.states.kernels.jumps import JumpTables
from pegcp.states.kernels.position_sets import Array, Flags, Marks, Numbers
from pegcp.theory.parity import class_sets

_CHUNK_POSITIONS = 1 << 14  # positions that a thread treats at a time
_PART_POSITIONS = 1 << 12  # positions at a time for a hash table: its new size follows from their jumps
_NUMBER_OF_LISTS = 64  # that a row of bits makes, one after the other
_MOST_BITS = 4096  # bits of a row for each position of a level: with more, a hash table is smaller and quicker
_SLOTS_SHARE = 0.6  # of the slots of a hash table
_MOST_SLOTS = 1 << 28  # of a hash table, where several do as well
_MOST_HOLES = 52  # holes for rows of bits: the tables of the halves take 2 ** 26 numbers at most
_NO_POSITIONS = np.zeros(0, np.int64)
_NO_PLACES = np.zeros(0, np.int32)


class Threads:
    """Runs compiled functions in several threads; ``tick`` is called between chunks and may raise to stop the work."""

    def __init__(self, workers: int, tick: Callable[[], None]) -> None:
        self.workers, self.tick = workers, tick

    def run(self, kernel: Callable[..., int], rows: Sized, chunk: int = _CHUNK_POSITIONS, **arguments: Any) -> int:
        """Call ``kernel(rows, first, last, **arguments)`` for all chunks of the rows; return the sum of the results."""
        begins = iter(range(0, len(rows), chunk))

        def work() -> int:
            total = 0
            for begin in begins:
                self.tick()
                total += kernel(rows, begin, min(begin + chunk, len(rows)), **arguments)
            return total

        if self.workers == 1 or len(rows) <= chunk:
            return work()
        with ThreadPoolExecutor(self.workers - 1) as pool:
            futures = [pool.submit(work) for _ in range(self.workers - 1)]
            try:
                return work() + sum(future.result() for future in futures)
            finally:
                list(begins)  # after an error nothing is left to do for the other threads


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
        self.row = lru_cache(maxsize=2)(self._row)

    def _kinds(self, first: int, last: int) -> Numbers:
        """Return pegs and class, in one number, of each set of the holes from ``first`` to ``last``."""
        halves = np.arange(1 << (last - first), dtype=np.uint64)
        kinds = np.bitwise_count(halves).astype(np.int64)
        for members in self.sets:
            parity = np.bitwise_count(halves & np.uint64(members >> first & (1 << last - first) - 1)) & 1
            kinds = kinds << 1 | parity
        return kinds

    def _row(self, member: int, pegs: int) -> tuple[Numbers, Numbers]:
        """Describe the row of the positions of one class (that of ``member``) with this number of pegs.

        Return the ranks at which the high halves begin, and the end; and the begin of the group of low halves that goes
        with each.
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


class Sets:
    """Makes sets of positions of a board, all with as many pegs and in one position class."""

    def __init__(self, board: Board, threads: Threads) -> None:
        self.board, self.threads = board, threads

    @cached_property
    def ranks(self) -> Ranks:
        """The tables for ranks."""
        return Ranks(self.board)

    def of(self, level: Array, queries: int = 0) -> Marks:
        """Return a level as a set, in which ``queries`` positions will be looked up."""
        target = self._empty(level, 0, 2 * len(level), queries)
        self.threads.run(kernels.mark_all, level, marks=target)
        return target

    def numbered(self, level: Array, queries: int) -> Marks:
        """Return a level as a set that has the index of each position in the level."""
        target = self.of(level, queries)
        target = target._replace(numbers=np.empty(len(target.words), np.int64))
        if len(target.starts):
            kernels.count_bits(target.words, target.numbers)
        else:
            self.threads.run(kernels.count, level, marks=target)
        return target

    def neighbours(self, level: Array, tables: JumpTables, change: int, several: bool = False) -> Iterator[Marks]:
        """Make the set of the positions one jump after or before a level: a row of bits, or a hash table.

        ``change`` is the change of the number of pegs. With ``several``, there may be several hash tables of limited
        size; a position may be in more than one of them, and each is emptied to make the next.
        """
        room = min(len(level), int(_SLOTS_SHARE * _MOST_SLOTS) - 1) if several else len(level)
        into, stored = self._empty(level, change, room), 0
        if len(into.starts):
            self.threads.run(jumps.expand, level, tables=tables, marks=into)
            level = level[:0]
        for begin in range(0, len(level), _PART_POSITIONS * self.threads.workers):
            part = level[begin : begin + _PART_POSITIONS * self.threads.workers]
            most = stored + self.threads.run(jumps.ways, part, tables=tables, counts=np.zeros(len(part), np.int32))
            if most > _SLOTS_SHARE * len(into.words):
                if several and stored and len(into.words) >= _MOST_SLOTS:
                    yield into
                    into.words[:] = into.empty
                    stored = 0
                else:
                    entries = self.positions(into)
                    into = self._table(2 * most, into.empty)
                    kernels.mark_all(entries, 0, stored, into)
            stored += self.threads.run(jumps.expand, part, _PART_POSITIONS, tables=tables, marks=into)
        yield into

    def parts(self, level: Array) -> list[Array]:
        """Cut a level into parts whose sets are not too large."""
        size = int(_SLOTS_SHARE * _MOST_SLOTS) // 2
        return [level[begin : begin + size] for begin in range(0, len(level), size)]

    def positions(self, marks: Marks) -> Array:
        """Return the positions of a set; those of a row of bits rise."""
        if not len(marks.starts):
            entries: Array = marks.words[marks.words != marks.empty]
            return entries
        marks = marks._replace(numbers=np.empty(len(marks.words), np.int64))
        level = np.empty(kernels.count_bits(marks.words, marks.numbers), np.uint64)
        chunk = -(-len(marks.bases) // _NUMBER_OF_LISTS)
        self.threads.run(kernels.listed, marks.bases, chunk, marks=marks, groups=self.ranks.groups, level=level)
        return level

    def marked(self, level: Array, target: Marks) -> Flags:
        """Flag the positions of a level that are in a set."""
        flags = np.empty(len(level), np.bool_)
        self.threads.run(kernels.marked, level, marks=target, flags=flags)
        return flags

    def dense(self, level: Array, change: int, positions: int) -> bool:
        """Tell whether the row of bits for a level with more or fewer pegs is short, for so many ``positions``."""
        holes = len(self.board.holes)
        halves = 64 << (holes + 1) // 2
        if holes > _MOST_HOLES or halves > _MOST_BITS * positions:
            return False
        row = comb(holes, int(level[0]).bit_count() + change) >> len(class_sets(self.board))
        return row + halves <= min(_MOST_BITS * positions, 64 * _MOST_SLOTS)

    def _empty(self, level: Array, change: int, positions: int, queries: int = 0) -> Marks:
        """Return an empty set for the class of a level, with more or fewer pegs: a row, or a table with some room."""
        pegs = int(level[0]).bit_count() + change
        if not self.dense(level, change, max(len(level), queries)):
            return self._table(positions, np.uint64(0 if pegs == WORD_HOLES else (1 << WORD_HOLES) - 1))
        starts, bases = self.ranks.row(int(level[0]), pegs)
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Marks(words, starts, bases, self.ranks.places, self.ranks.split, np.uint64(0), _NO_POSITIONS)

    def _table(self, positions: int, empty: np.uint64) -> Marks:
        """Return an empty hash table with room for some positions; ``empty`` has another number of pegs than those."""
        bits = max(10, int(positions / _SLOTS_SHARE).bit_length())
        return Marks(
            np.full(1 << bits, empty), _NO_POSITIONS, _NO_POSITIONS, _NO_PLACES, 64 - bits, empty, _NO_POSITIONS
        )
