"""A large level: a sorted array of 64-bit words, for compiled code that several threads share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, reduce
from math import comb
from typing import Any, Protocol, assert_never

import numpy as np

from pegcp.game import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.symmetry import Subgroup
from pegcp.states.frame import LevelFrame, Positions
from pegcp.states.kernels import jumps
from pegcp.states.kernels.jumps import JumpTables, Moves, NumberRows, Scales, jump_tables
from pegcp.states.kernels.rows import Index, Numbers, Ranks, Row, count_bits, list_bits, mark_all
from pegcp.states.words import Flags, Words, contains, distinct, pegs, union
from pegcp.theory.parity import class_sets

_LEAST_CHUNK, _LARGEST_CHUNK = 1 << 14, 1 << 20  # words that a thread treats at a time
_SORTED_WORDS = 1 << 27  # words that are sorted at a time, where there is no row of bits
_MOST_BITS = 4096  # bits of a row for each position of a level: with more, sorted arrays are smaller and quicker
_LONGEST_ROW = 1 << 34  # bits
_MOST_HOLES = 52  # holes for rows of bits: the tables of the halves take 2 ** 26 numbers at most


class ArrayTables:
    """The ranks of positions and tables of jumps that all arrays of one run share."""

    def __init__(self, frame: LevelFrame) -> None:
        self.frame, self.board = frame, frame.problem.board

    @cached_property
    def ranks(self) -> Ranks:
        """The ranks of positions."""
        return Ranks(self.board)

    @cached_property
    def forwards(self) -> JumpTables:
        """The jumps."""
        return jump_tables(self.board, self.frame.symmetries, self.frame.forwards)

    @cached_property
    def backwards(self) -> JumpTables:
        """The jumps taken back."""
        return jump_tables(self.board, self.frame.symmetries, self.frame.backwards)

    @cached_property
    def reversed(self) -> JumpTables:
        """A jump of no hole; the images of what the reversal of the problem makes of a position."""
        reversal = self.frame.reversal
        assert reversal is not None
        turned = (tuple(p[hole] for hole in reversal) for p in self.frame.symmetries)
        return jump_tables(self.board, Subgroup(tuple(turned)), [(0, 0)])

    def run(
        self, kernel: Callable[..., Any], words: Words | Numbers, *arguments: Any, most: int = _LARGEST_CHUNK
    ) -> list[Any]:
        """Return ``kernel(chunk, *arguments)`` for all chunks of some words, in their order, by the threads of a run.

        ``most``: the words of a chunk where much follows from each.
        Raises TimeoutError or MemoryError when the limits of the run are reached.
        """

        workers = self.frame.run.limits.workers
        chunk = min(max(_LEAST_CHUNK, len(words) // (16 * workers)), most)

        def treat(begin: int) -> Any:
            self.frame.tick()
            return kernel(words[begin : begin + chunk], *arguments)

        begins = range(0, len(words), chunk)
        if workers == 1 or len(begins) == 1:
            return [*map(treat, begins)]
        with ThreadPoolExecutor(workers) as pool:
            return [*pool.map(treat, begins)]


class _AnyLevel(Protocol):
    """Another level, of whichever kind."""

    @property
    def array(self) -> ArrayLevel: ...


class ArrayLevel(Positions):
    """A sorted array of words: the operations of a list, and more for counts of solutions and moves."""

    words: Words

    def __init__(self, tables: ArrayTables, words: Words) -> None:
        self.tables, self.words = tables, words

    def __getitem__(self, part: slice) -> ArrayLevel:
        return self._part(self.words[part].copy())  # so that the memory of the others can be freed

    def _part(self, words: Words) -> ArrayLevel:
        return ArrayLevel(self.tables, words)

    @property
    def array(self) -> ArrayLevel:
        """The level itself."""
        return self

    def is_dense(self, change: int = 0) -> bool:
        """Tell whether a row of bits for positions with more or fewer pegs is short for so many positions."""
        board, most_bits = self.tables.board, _MOST_BITS * len(self)
        holes = len(board.holes)
        halves = 64 << (holes + 1) // 2
        if holes > _MOST_HOLES or halves > most_bits:
            return False
        row = comb(holes, self.first.bit_count() + change) >> len(class_sets(board))
        return row + halves <= min(most_bits, _LONGEST_ROW)

    def _row(self, change: int) -> Row:
        """Return an empty row of bits for positions with more or fewer pegs."""
        return self.tables.ranks.row(self.tables.frame.problem.start.mask, self.first.bit_count() + change)

    def indexed(self) -> Index:
        """Return the level with an index for compiled code."""
        if not self.is_dense():
            return Index(self.words)
        row = self._row(0)
        self.tables.run(mark_all, self.words, row)
        return Index(self.words, row, count_bits(row))

    def reversed(self) -> ArrayLevel:
        """Return the complements of the positions, carried by the reversal."""
        return self._part(self.words ^ np.uint64(self.tables.board.full))._neighbours(self.tables.reversed, 0, None)

    def _flags(self, kernel: Callable[..., Any], *arguments: Any) -> Flags:
        """Return the flags that a kernel gives to the positions of the level."""
        return np.concatenate([np.zeros(0, np.bool_), *self.tables.run(kernel, self.words, *arguments)])

    def after(self, scales: Scales | None = None) -> ArrayLevel:
        """Return all positions one jump later that keep some bounds."""
        return self._neighbours(self.tables.forwards, -1, scales)

    def before(self, scales: Scales | None = None) -> ArrayLevel:
        """Return all positions one jump earlier that keep some bounds."""
        return self._neighbours(self.tables.backwards, 1, scales)

    def _neighbours(self, tables: JumpTables, change: int, scales: Scales | None) -> ArrayLevel:
        if not len(self) or self.first.bit_count() + change < 0:
            return self[:0]
        if scales is not None:
            tables = tables._replace(scales=scales)
        if self.is_dense(change):
            row = self._row(change)
            self.tables.run(jumps.mark_after, self.words, tables, row)
            numbers = count_bits(row)
            words = np.empty(numbers[-1], np.uint64)
            self.tables.run(list_bits, np.arange(len(row.bases)), Index(words, row, numbers))
            return self._part(words)
        # A part is as long as its neighbours can be sorted together with those of the parts before.
        neighbours = [self.words[:0]]
        for part in np.array_split(self.words, 1 + len(self) * len(self.tables.board.jumps) // _SORTED_WORDS):
            neighbours += self.tables.run(lambda words: distinct(jumps.list_after(words, tables)), part)
            if sum(map(len, neighbours[1:])) > _SORTED_WORDS:
                neighbours = [union(neighbours)]
        return self._part(union(neighbours))

    def leading(self, into: _AnyLevel) -> ArrayLevel:
        """Return the positions of the level from which a jump leads into another level."""
        return self._touching(into.array, self.tables.forwards, ArrayLevel.before)

    def following(self, out_of: _AnyLevel) -> ArrayLevel:
        """Return the positions of the level to which a jump leads from another level."""
        return self._touching(out_of.array, self.tables.backwards, ArrayLevel.after)

    def _touching(self, other: ArrayLevel, there: JumpTables, back: Callable[[ArrayLevel], ArrayLevel]) -> ArrayLevel:
        if len(other) < len(self) or not other.is_dense():
            return self.common(back(other))
        return self._part(self.words[self._flags(jumps.leads, there, other.indexed())])

    def common(self, other: _AnyLevel) -> ArrayLevel:
        """Return the positions that are in both levels."""
        few, many = sorted((self.words, other.array.words), key=len)
        return self._part(few[contains(many, few)])

    def either(self, other: _AnyLevel) -> ArrayLevel:
        """Return the positions that are in one of the levels or in both."""
        return self._part(union([self.words, other.array.words]))

    def goals(self) -> ArrayLevel:
        """Return the positions of the level that satisfy the goal."""
        return self._part(self.words[self.are_goals()])

    def are_goals(self) -> Flags:
        """Flag the positions of the level that satisfy the goal."""
        flags: Flags
        problem = self.tables.frame.problem
        match problem.goal:
            case OnePeg():
                flags = np.bitwise_count(self.words) == 1
            case DeadEnd():
                flags = self._are_dead_ends()
            case Exact() | Partial() | Nearest():
                fixed = np.uint64(problem.final_pegs | problem.final_vacancies)
                flags = self.words & fixed == np.uint64(problem.final_pegs)
            case _:
                assert_never(problem.goal)
        return flags

    def dead_ends(self) -> ArrayLevel:
        """Return the positions of the level in which no jump can be made."""
        return self._part(self.words[self._are_dead_ends()])

    def _are_dead_ends(self) -> Flags:
        def can_go_on(words: Words) -> Flags:
            by_part = jumps.legal_jumps(words, self.tables.forwards).T  # any(axis=1) takes ten times as long
            return reduce(np.logical_or, by_part, np.zeros(len(words), np.bool_))

        return ~self._flags(can_go_on)

    def ending(self) -> ArrayLevel:
        """Return the positions of the level from which a jump leads to a dead end."""
        return self._part(self.words[self._flags(jumps.ending, self.tables.forwards)])

    def add_jumps(self, later: Sequence[tuple[Index, NumberRows]], totals: NumberRows) -> None:
        """Add to the totals of the level the values after each set of independent jumps; subtract those of even sizes.

        ``later``: the levels after one jump, after two and so on, with their values. Values and totals have a row for a
        position.
        """
        tables = self.tables.forwards

        def add(rows: Numbers) -> None:
            sets = self.words[rows], rows, jumps.legal_jumps(self.words[rows], tables)
            for size, (into, values) in enumerate(later, start=1):
                sign = 1 if size % 2 else -1
                sets = jumps.add_jumps(sets, tables, into, sign, values, totals, size < len(later))

        self.tables.run(add, np.arange(len(self)), most=_LEAST_CHUNK)

    def fewest_moves(self, into: ArrayLevel, *after: Moves | Words) -> tuple[Moves, Words]:
        """Return for each position the fewest moves to the goal, and the holes from which the first of them may start.

        ``after`` has the same for the level after, ``into``. A position from which no jump leads there gets any values.
        """
        if not len(self) or not len(into):
            return np.zeros(len(self), np.int16), np.zeros_like(self.words)
        all_jumps, symmetries = self.tables.board.jumps, self.tables.frame.symmetries
        leaves = np.array([jump.from_ for jump in all_jumps])
        lands = np.array([[p[jump.to] for p in symmetries] for jump in all_jumps])
        tables = self.tables.forwards, leaves, lands, into.indexed()
        moves, begins = zip(*self.tables.run(jumps.fewest_moves, self.words, *tables, *after), strict=True)
        return np.concatenate(moves), np.concatenate(begins)

    def nearest(self, goal: Nearest) -> int:
        """Return the position of the level that is nearest to a soft goal."""
        return int(self.words[goal.cost(pegs(self.words, len(self.tables.board.holes))).argmin()])
