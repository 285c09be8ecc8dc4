"""Levels as sets: rows of bits, or hash tables where those would be too long (:mod:`pegcp.states.kernels.marks`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from math import comb

import numpy as np

from pegcp.game.board import Board
from pegcp.states.kernels import jumps, marks
from pegcp.states.kernels.jumps import Rules
from pegcp.states.kernels.marks import Array, Flags, Marks
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
        self.words = -(-len(board.holes) // WORD)

    @cached_property
    def ranks(self) -> Ranks:
        """The tables for ranks."""
        return Ranks(self.board)

    def rows(self, level: Array) -> Array:
        """A level as the compiled functions take it: a row of words for each position."""
        return np.ascontiguousarray(level).reshape(len(level), self.words)

    def of(self, level: Array, queries: int = 0) -> Marks:
        """A level as a set, for so many questions."""
        dense = self.dense(level, 0, max(len(level), queries))
        found = self._row(level, 0) if dense else self._table(2 * len(level), level, 0)
        rows = self.rows(level)
        self.threads.share(lambda first, last: marks.mark_all(rows, first, last, found), len(rows))
        return found

    def numbered(self, level: Array, queries: int) -> Marks:
        """A level as a set that knows the number of each position in the level."""
        found, rows = self.of(level, queries), self.rows(level)
        found = found._replace(numbers=np.empty(len(found.words), np.int64))
        if len(found.starts):
            marks.count_bits(found.words, found.numbers)
        else:
            self.threads.share(lambda first, last: marks.count(rows, first, last, found), len(rows))
        return found

    def neighbours(self, level: Array, found: Rules, change: int) -> Marks:
        """The set of what is one jump after or before a level."""
        if self.dense(level, change, len(level)):
            return self.in_row(level, found, change)[0]
        [table] = self.tables(level, found, change)
        return table

    def in_row(self, level: Array, found: Rules, change: int) -> tuple[Marks, int]:
        """The same as a row of bits, and how many positions it has."""
        into, rows = self._row(level, change), self.rows(level)
        return into, self.threads.share(lambda first, last: jumps.expand(rows, first, last, found, into), len(rows))

    def tables(self, level: Array, found: Rules, change: int, several: bool = False) -> Iterator[Marks]:
        """What is one jump after or before a level: one hash table, or ``several`` one after the other.

        Several are of limited size. A position may be in more than one of them; each is emptied to make the next.
        """
        rows, stored = self.rows(level), 0
        into = self._table(min(len(level), int(_FULL * _SLOTS) - 1) if several else len(level), level, change)
        for begin in range(0, len(rows), _PART * self.threads.workers):
            some = rows[begin : begin + _PART * self.threads.workers]
            most = stored + self.threads.share(partial(jumps.ways, some, rules=found), len(some))
            if most > _FULL * len(into.words) / self.words:
                if several and stored and len(into.words) >= _SLOTS * self.words:
                    yield into
                    into.words.reshape(-1, self.words)[:] = into.empty
                    stored = 0
                else:
                    before = self.rows(self.filled(into))
                    into = self._table(2 * most, level, change)
                    marks.mark_all(before, 0, stored, into)
            stored += self.threads.share(partial(jumps.expand, some, rules=found, marks=into), len(some), _PART)
        yield into

    def parts(self, level: Array) -> list[Array]:
        """A level in parts whose sets are not too large."""
        size = int(_FULL * _SLOTS) // 2
        return [level[begin : begin + size] for begin in range(0, len(level), size)]

    def filled(self, table: Marks) -> Array:
        """The positions in a hash table."""
        found: Array = table.words.reshape(-1, self.words)
        found = found[found[:, 0] != table.empty[0]]
        return found.reshape(-1) if self.words == 1 else found

    def listed(self, row: Marks, size: int) -> Array:
        """The positions of a row of bits, so many."""
        found, halves = np.empty(size, np.uint64), len(row.bases)
        chunk = halves if size < _FEW else -(-halves // _LISTS)
        begins = marks.ones_before(row.words, np.ascontiguousarray(row.starts[:halves:chunk]))
        self.threads.share(
            lambda first, last: marks.listed(row, self.ranks.groups, first, last, begins[first // chunk], found),
            halves,
            chunk,
        )
        return found

    def marked(self, level: Array, target: Marks) -> Flags:
        """Which positions of a level are in a set."""
        flags, rows = np.empty(len(level), np.bool_), self.rows(level)
        self.threads.share(lambda first, last: marks.marked(rows, first, last, target, flags), len(rows))
        return flags

    def dense(self, level: Array, change: int, positions: int) -> bool:
        """Whether the row of bits for a level with more or fewer pegs is short, for so many positions to be marked."""
        holes = len(self.board.holes)
        halves = 64 << (holes + 1) // 2
        if self.words > 1 or holes > LARGEST or halves > _SPARSE * positions:
            return False
        row = comb(holes, first(level).bit_count() + change) >> len(class_sets(self.board))
        return row + halves <= min(_SPARSE * positions, 64 * _SLOTS)

    def _row(self, level: Array, change: int) -> Marks:
        """The empty row of bits for the class of a level, with more or fewer pegs."""
        starts, bases = self.ranks.row(first(level), first(level).bit_count() + change)
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Marks(words, starts, bases, self.ranks.places, self.ranks.split, (np.uint64(0),), _NONE)

    def _table(self, positions: int, level: Array, change: int) -> Marks:
        """An empty hash table with room for so many positions with more or fewer pegs than those of a level."""
        bits = max(10, int(positions / _FULL).bit_length())
        pegs, rest = first(level).bit_count() + change, len(self.board.holes) % WORD
        # A word that is no word of any position: not even with all pegs, or not even with all other holes full.
        empty = [(1 << WORD) - 1 if pegs < WORD or (rest and not word) else 0 for word in range(self.words)]
        words = np.empty((1 << bits, self.words), np.uint64)
        words[:] = empty
        return Marks(words.reshape(-1), _NONE, _NONE, _NO_PLACES, 64 - bits, tuple(np.array(empty, np.uint64)), _NONE)
