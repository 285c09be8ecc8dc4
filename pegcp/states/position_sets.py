"""Levels as sets: rows of bits, or hash tables where those would be too long.

Their compiled code is in :mod:`pegcp.states.kernels.position_sets`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Board
from pegcp.states.kernels import jumps
from pegcp.states.kernels import position_sets as kernels
from pegcp.states.kernels.jumps import JumpTables
from pegcp.states.kernels.position_sets import Array, Flags, Marks
from pegcp.states.positions import WORD, first
from pegcp.states.ranks import LARGEST, Ranks
from pegcp.states.threads import Threads
from pegcp.theory.parity import class_sets

_FEW = 1 << 14  # positions that are listed by one thread
_PART = 1 << 12  # positions at a time for a hash table: its new size follows from their jumps
_LISTS = 64  # that a row of bits makes, one after the other
_SPARSE = 4096  # bits of a row for each position of a level: with more, a hash table is smaller and quicker
_FULL = 0.6  # of the slots of a hash table
_SLOTS = 1 << 28  # of a hash table, where several do as well
_NONE = np.zeros(0, np.int64)
_NO_PLACES = np.zeros(0, np.int32)


class Sets:
    """Sets of positions of a board, all with as many pegs and in one position class."""

    def __init__(self, board: Board, threads: Threads) -> None:
        self.board, self.threads = board, threads

    @cached_property
    def ranks(self) -> Ranks:
        """The tables for ranks."""
        return Ranks(self.board)

    def of(self, level: Array, queries: int = 0) -> Marks:
        """A level as a set, of which ``queries`` positions will be looked for."""
        dense = self.dense(level, 0, max(len(level), queries))
        found = self._row(level, 0) if dense else self._table(2 * len(level), level, 0)
        self.threads.run(kernels.mark_all, level, marks=found)
        return found

    def union(self, levels: list[Array]) -> Array:
        """The positions that are in any of some levels, by a row of bits; their list is emptied."""
        row, size = self._row(max(levels, key=len), 0), 0
        while levels:
            level = levels.pop()
            size += self.threads.run(kernels.mark_all, level, marks=row) if len(level) else 0
        return self.listed(row, size)

    def numbered(self, level: Array, queries: int) -> Marks:
        """A level as a set that knows the number of each position in the level."""
        found = self.of(level, queries)
        found = found._replace(numbers=np.empty(len(found.words), np.int64))
        if len(found.starts):
            kernels.count_bits(found.words, found.numbers)
        else:
            self.threads.run(kernels.count, level, marks=found)
        return found

    def in_row(self, level: Array, tables: JumpTables, change: int) -> tuple[Marks, int]:
        """What is one jump after or before a level, as a row of bits; and how many positions that is."""
        into = self._row(level, change)
        return into, self.threads.run(jumps.expand, level, tables=tables, marks=into)

    def in_tables(self, level: Array, tables: JumpTables, change: int, several: bool = False) -> Iterator[Marks]:
        """What is one jump after or before a level: one hash table, or ``several`` one after the other.

        Several are of limited size. A position may be in more than one of them; each is emptied to make the next.
        """
        stored = 0
        into = self._table(min(len(level), int(_FULL * _SLOTS) - 1) if several else len(level), level, change)
        for begin in range(0, len(level), _PART * self.threads.workers):
            some = level[begin : begin + _PART * self.threads.workers]
            most = stored + int(self.ways(some, tables).sum())
            if most > _FULL * len(into.words):
                if several and stored and len(into.words) >= _SLOTS:
                    yield into
                    into.words[:] = into.empty
                    stored = 0
                else:
                    before = self.filled(into)
                    into = self._table(2 * most, level, change)
                    kernels.mark_all(before, 0, stored, into)
            stored += self.threads.run(jumps.expand, some, _PART, tables=tables, marks=into)
        yield into

    def ways(self, level: Array, tables: JumpTables) -> NDArray[np.int32]:
        """How many jumps can be made in each position of a level."""
        numbers = np.zeros(len(level), np.int32)
        self.threads.run(jumps.ways, level, tables=tables, found=numbers)
        return numbers

    def parts(self, level: Array) -> list[Array]:
        """A level in parts whose sets are not too large."""
        size = int(_FULL * _SLOTS) // 2
        return [level[begin : begin + size] for begin in range(0, len(level), size)]

    def filled(self, table: Marks) -> Array:
        """The positions in a hash table."""
        found: Array = table.words[table.words != table.empty]
        return found

    def listed(self, row: Marks, size: int) -> Array:
        """The positions of a row of bits, ``size`` of them."""
        found, halves = np.empty(size, np.uint64), len(row.bases)
        chunk = halves if size < _FEW else -(-halves // _LISTS)
        begins = kernels.ones_before(row.words, np.ascontiguousarray(row.starts[:halves:chunk]))
        self.threads.share(
            lambda first, last: kernels.listed(row, self.ranks.groups, first, last, begins[first // chunk], found),
            halves,
            chunk,
        )
        return found

    def marked(self, level: Array, target: Marks) -> Flags:
        """Which positions of a level are in a set."""
        flags = np.empty(len(level), np.bool_)
        self.threads.run(kernels.marked, level, marks=target, found=flags)
        return flags

    def dense(self, level: Array, change: int, positions: int) -> bool:
        """Whether the row of bits for a level with more or fewer pegs is short, for so many ``positions``."""
        holes = len(self.board.holes)
        halves = 64 << (holes + 1) // 2
        if holes > LARGEST or halves > _SPARSE * positions:
            return False
        row = comb(holes, first(level).bit_count() + change) >> len(class_sets(self.board))
        return row + halves <= min(_SPARSE * positions, 64 * _SLOTS)

    def _row(self, level: Array, change: int) -> Marks:
        """The empty row of bits for the class of a level, with more or fewer pegs."""
        starts, bases = self.ranks.row(first(level), first(level).bit_count() + change)
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Marks(words, starts, bases, self.ranks.places, self.ranks.split, np.uint64(0), _NONE)

    def _table(self, positions: int, level: Array, change: int) -> Marks:
        """An empty hash table with room for positions with more or fewer pegs than those of a level."""
        bits = max(10, int(positions / _FULL).bit_length())
        full = first(level).bit_count() + change == WORD
        empty = np.uint64(0 if full else (1 << WORD) - 1)  # no position with as many pegs
        return Marks(np.full(1 << bits, empty), _NONE, _NONE, _NO_PLACES, 64 - bits, empty, _NONE)
