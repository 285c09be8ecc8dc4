"""A large level: a sorted array of 64-bit words, for compiled code that several threads share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from typing import Any, Protocol, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.symmetry import Subgroup
from pegcp.states.frame import Frame, Positions
from pegcp.states.kernels import jumps
from pegcp.states.kernels.jumps import JumpTables, Moves, Values, jump_tables
from pegcp.states.kernels.position_sets import Index, Numbers, Row, listed, mark_all
from pegcp.states.position_sets import NO_ROW, Ranks, is_dense, run_threads
from pegcp.states.words import PIECE_BITS, Flags, Words, contains, distinct, piece_values, pieces, union

Bound = tuple[Sequence[int], int]  # weights of the holes, and the least weight of a position

_PART_POSITIONS = 1 << 22  # positions whose jumps are listed at a time, where the list must be sorted


class ArrayTables:
    """The ranks of positions and tables of jumps that all arrays of one problem share."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.board, self.symmetries = frame, frame.problem.board, frame.symmetries

    @cached_property
    def ranks(self) -> Ranks:
        """The ranks of positions."""
        return Ranks(self.board)

    @cached_property
    def forwards(self) -> JumpTables:
        """The jumps."""
        return jump_tables(self.board, self.symmetries, self.frame.forwards)

    @cached_property
    def backwards(self) -> JumpTables:
        """The jumps taken back."""
        return jump_tables(self.board, self.symmetries, self.frame.backwards)

    @cached_property
    def reversed(self) -> JumpTables:
        """No jumps; the images of what the reversal of the problem makes of a position."""
        reversal = self.frame.reversal
        assert reversal is not None
        turned = Subgroup(tuple(tuple(p[hole] for hole in reversal) for p in self.symmetries))
        return jump_tables(self.board, turned, [])


def find_lighter(bounds: Sequence[Bound]) -> Callable[[Words], Flags]:
    """Return a function that flags positions below each bound: a row for a position, a column for a bound."""
    holes, least = np.array([weights for weights, _ in bounds]).T, np.array([least for _, least in bounds], np.int32)
    bits = np.arange(1 << PIECE_BITS)[:, None] >> np.arange(PIECE_BITS) & 1
    tables = [(bits[:, : len(piece)] @ holes[piece]).astype(np.int32) for piece in pieces(len(holes))]

    def lighter(words: Words) -> Flags:
        weights = (table[values] for table, values in zip(tables, piece_values(words, len(tables)), strict=True))
        totals: NDArray[np.int32] = reduce(np.add, weights)
        return totals < least

    return lighter


class _Level(Protocol):
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

    def _run(self, kernel: Callable[..., Any], *arguments: Any) -> list[Any]:
        return run_threads(self.tables.frame, kernel, self.words, *arguments)

    def _flags(self, kernel: Callable[..., Flags], *arguments: Any) -> Flags:
        return np.concatenate([np.zeros(0, np.bool_), *self._run(kernel, *arguments)])

    def _row(self, change: int) -> Row | None:
        """Return an empty row for positions with more or fewer pegs; None where it would be too long."""
        pegs = self.first.bit_count() + change
        return self.tables.ranks.row(self.first, pegs) if is_dense(self.tables.board, pegs, len(self)) else None

    def _index(self) -> Index:
        """Return the level with an index for compiled code."""
        row = self._row(0)
        if row is None:
            return Index(self.words, NO_ROW, NO_ROW.starts)
        self._run(mark_all, row)
        sizes = np.bitwise_count(row.bits).astype(np.int64)
        return Index(self.words, row, np.cumsum(sizes) - sizes)

    def with_tables(self, tables: ArrayTables) -> ArrayLevel:
        """Return the same positions with the tables of another run."""
        return ArrayLevel(tables, self.words)

    def reversed(self) -> ArrayLevel:
        """Return the complements of the positions, carried by the reversal."""
        complements = self._part(self.words ^ np.uint64(self.tables.board.full))
        return self._part(
            np.sort(np.concatenate([self.words[:0], *complements._run(jumps.canonical, self.tables.reversed)]))
        )

    def after(self, bounds: Sequence[Bound] = ()) -> ArrayLevel:
        """Return all positions one jump later that keep some bounds."""
        return self._neighbours(self.tables.forwards, -1, bounds)

    def before(self, bounds: Sequence[Bound] = ()) -> ArrayLevel:
        """Return all positions one jump earlier that keep some bounds."""
        return self._neighbours(self.tables.backwards, 1, bounds)

    def _neighbours(self, tables: JumpTables, change: int, bounds: Sequence[Bound]) -> ArrayLevel:
        if not self._has_jumps(self) or self.first.bit_count() + change < 0:
            return self[:0]
        lighter, row = find_lighter(bounds) if bounds else None, self._row(change)

        def heavy(words: Words) -> Words:
            return words if lighter is None else words[~lighter(words).any(axis=1)]

        if row is not None:
            self._run(jumps.mark_after, tables, row)
            highs = np.arange(len(row.bases))
            lists = run_threads(self.tables.frame, lambda highs: heavy(listed(highs, row)), highs)
            return self._part(np.concatenate(lists))
        neighbours = self.words[:0]
        for part in np.array_split(self.words, 1 + len(self) // _PART_POSITIONS):
            lists = self._part(part)._run(lambda words: heavy(distinct(jumps.list_after(words, tables))))
            neighbours = union([neighbours, *lists])
        return self._part(neighbours)

    def _has_jumps(self, *levels: ArrayLevel) -> bool:
        """Tell whether the board has jumps and the levels have positions; compiled functions take no empty arrays."""
        return bool(self.tables.board.jumps) and all(map(len, levels))

    def leading(self, into: _Level) -> ArrayLevel:
        """Return the positions of the level from which a jump leads into another level."""
        if len(into.array) < len(self):
            return self.common(into.array.before())
        return self._touching(into.array, self.tables.forwards)

    def following(self, out_of: _Level) -> ArrayLevel:
        """Return the positions of the level to which a jump leads from another level."""
        if len(out_of.array) < len(self):
            return self.common(out_of.array.after())
        return self._touching(out_of.array, self.tables.backwards)

    def _touching(self, other: ArrayLevel, tables: JumpTables) -> ArrayLevel:
        if not self._has_jumps(self, other):
            return self[:0]
        return self._part(self.words[self._flags(jumps.leads, tables, other._index())])

    def mirrored(self) -> ArrayLevel:
        """Return the positions of the level from which a jump leads to a reversed position of the same level."""
        return self.leading(self.reversed())

    def common(self, other: _Level) -> ArrayLevel:
        """Return the positions that are in both levels."""
        few, many = sorted((self.words, other.array.words), key=len)
        return self._part(few[contains(many, few)])

    def either(self, other: _Level) -> ArrayLevel:
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
                pegs, vacancies = problem.final_pegs, problem.final_vacancies
                flags = self.words & np.uint64(pegs | vacancies) == np.uint64(pegs)
            case _:
                assert_never(problem.goal)
        return flags

    def dead_ends(self) -> ArrayLevel:
        """Return the positions of the level in which no jump can be made."""
        return self._part(self.words[self._are_dead_ends()])

    def _are_dead_ends(self) -> Flags:
        return self._flags(lambda words: np.equal(jumps.ways(words, self.tables.forwards), 0))

    def ending(self) -> ArrayLevel:
        """Return the positions of the level from which a jump leads to a dead end."""
        return self._part(self.words[self._flags(jumps.ending, self.tables.forwards)])

    def lighter(self, bounds: Sequence[Bound]) -> Flags:
        """Flag the positions that do not keep each bound: a row for a position, a column for a bound."""
        return find_lighter(bounds)(self.words)

    def add_jumps(self, later: Sequence[tuple[ArrayLevel, Values]], totals: Values) -> None:
        """Add to the totals of the level the values after each set of independent jumps; subtract those of even sizes.

        ``later``: the levels after one jump, after two and so on, with their values. Values and totals have a row for a
        position.
        """

        tables, sides = self.tables.forwards, [(level._index(), values) for level, values in later if len(level)]

        def add(rows: Numbers) -> None:
            sets = self.words[rows], rows, np.zeros_like(rows)
            for size, (into, values) in enumerate(sides):
                if len(sets[0]):
                    sets = jumps.add_jumps(sets, tables, into, self.words, (1, -1)[size % 2], values, totals)

        run_threads(self.tables.frame, add, np.arange(len(self)))

    def fewest_moves(self, into: ArrayLevel, *after: Moves | Words) -> tuple[Moves, Words]:
        """Return for each position the fewest moves to the goal, and the holes from which the first of them may start.

        ``after`` has the same for the level after, ``into``. A position from which no jump leads there gets any values.
        """
        if not self._has_jumps(self, into):
            return np.zeros(len(self), np.int16), np.zeros_like(self.words)
        all_jumps, symmetries = self.tables.board.jumps, self.tables.symmetries
        leaves = np.array([jump.from_ for jump in all_jumps])
        lands = np.array([[p[jump.to] for p in symmetries] for jump in all_jumps])
        parts = self._run(jumps.fewest_moves, self.tables.forwards, leaves, lands, into._index(), *after)
        moves, begins = (np.concatenate(column) for column in zip(*parts, strict=True))
        return moves, begins

    def nearest(self, goal: Nearest) -> int:
        """Return the position of the level that is nearest to a soft goal."""
        holes = map(np.uint64, range(len(self.tables.board.holes)))
        pegs = ((self.words >> hole & np.uint64(1)).astype(np.int64) for hole in holes)
        return int(self.words[goal.cost(pegs).argmin()])
