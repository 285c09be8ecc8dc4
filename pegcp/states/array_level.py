"""A large level: a sorted array of 64-bit words, for compiled code that several threads share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.symmetry import Subgroup
from pegcp.states.frame import Frame
from pegcp.states.kernels import fewest_moves, jumps
from pegcp.states.kernels.fewest_moves import Moves
from pegcp.states.kernels.jumps import JumpTables, Scales, Values, Weights, jump_tables, scales
from pegcp.states.kernels.position_sets import Array, Flags, Marks
from pegcp.states.position_sets import Sets, Threads
from pegcp.states.words import contains, distinct

_PART_POSITIONS = 1 << 18  # positions whose jumps are counted at a time


class ArrayTables:
    """The threads, sets of positions and tables of jumps that all arrays of one run share."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.board, self.symmetries = frame, frame.problem.board, frame.symmetries
        self.threads = Threads(frame.run.limits.workers, frame.tick)
        self.sets = Sets(self.board, self.threads)

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

    @cached_property
    def apart(self) -> Array:
        """For each jump those that have no hole in common with it, as bits of words."""
        jumps = self.board.jumps
        masks = [sum(other.independent_of(jump) << i for i, other in enumerate(jumps)) for jump in jumps]
        words = [[mask >> begin & (1 << 64) - 1 for begin in range(0, len(jumps), 64)] for mask in masks]
        return np.array(words, np.uint64)


class _Level(Protocol):
    """Another level, of whichever kind."""

    @property
    def array(self) -> ArrayLevel: ...


class ArrayLevel:
    """A sorted array of words: the operations of a list, and more for counts of solutions and moves."""

    def __init__(self, tables: ArrayTables, words: Array) -> None:
        self.tables, self.words = tables, words

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[int]:
        return map(int, self.words)

    def __getitem__(self, part: slice) -> ArrayLevel:
        return self._part(self.words[part].copy())  # so that the memory of the others can be freed

    def _part(self, words: Array) -> ArrayLevel:
        return ArrayLevel(self.tables, words)

    @property
    def first(self) -> int:
        """The least position, as a bit mask."""
        return int(self.words[0])

    @property
    def array(self) -> ArrayLevel:
        """The level itself."""
        return self

    def index(self, position: int) -> int | None:
        """Return the place of a position in the level, or None."""
        i = int(np.searchsorted(self.words, np.uint64(position)))
        return i if i < len(self) and self.words[i] == position else None

    def with_tables(self, tables: ArrayTables) -> ArrayLevel:
        """Return the same positions with the tables of another run."""
        return ArrayLevel(tables, self.words)

    def reversed(self) -> ArrayLevel:
        """Return the complements of the positions, carried by the reversal."""
        return self._part(np.sort(self._reversed_words()))

    def mirrored(self, weights: Weights | None = None) -> ArrayLevel:
        """Return the positions of the level from which a jump leads to a reversed position of the same level."""
        return self.leading(self._part(self._reversed_words()), weights)

    def _reversed_words(self) -> Array:
        """Return the complements of the positions, carried by the reversal, in the order of the positions."""
        complements = self.words ^ np.uint64(self.tables.board.full)
        self.tables.threads.run(jumps.canonical, complements, tables=self.tables.reversed)
        return complements

    def after(self, weights: Weights | None = None) -> ArrayLevel:
        """Return all positions one jump later that weigh enough."""
        return self._neighbours(self.tables.forwards, -1, weights)

    def before(self, weights: Weights | None = None) -> ArrayLevel:
        """Return all positions one jump earlier that weigh enough."""
        return self._neighbours(self.tables.backwards, 1, weights)

    def _neighbours(self, tables: JumpTables, change: int, weights: Weights | None) -> ArrayLevel:
        if not self._has_jumps(self) or self.first.bit_count() + change < 0:
            return self[:0]
        bounds = [] if weights is None else scales(self.tables.board, weights)
        if bounds:  # the first eight bounds are tested before a position is put into the set
            tables = tables._replace(scales=bounds[0])
        sets, words = self.tables.sets, list[Array]()
        for neighbours in sets.neighbours(self.words, tables, change, several=True):
            positions = sets.positions(neighbours)
            if not len(neighbours.starts):
                positions.sort()
            words.append(_heavy(positions, bounds))
            words = [union(words)]  # at once, since they have much in common
        return self._part(words[0])

    def _has_jumps(self, *levels: ArrayLevel) -> bool:
        """Tell whether the board has jumps and the levels have positions; compiled functions take no empty arrays."""
        return bool(self.tables.board.jumps) and all(map(len, levels))

    def leading(self, into: _Level, weights: Weights | None = None) -> ArrayLevel:
        """Return the positions of the level from which a jump leads into another level.

        With ``weights``, jumps to positions that weigh too little need not be looked at.
        """
        tables = self.tables.forwards
        if weights is not None:
            tables = tables._replace(scales=scales(self.tables.board, weights)[0])
        return self._part(self.words[self._touching(into.array, tables, self.tables.backwards, 1)])

    def following(self, out_of: _Level) -> ArrayLevel:
        """Return the positions of the level to which a jump leads from another level."""
        return self._part(self.words[self._touching(out_of.array, self.tables.backwards, self.tables.forwards, -1)])

    def _touching(self, other: ArrayLevel, there: JumpTables, back: JumpTables, change: int) -> Flags:
        """Flag the positions of the level that are one jump from others; the fewer of the two are expanded."""
        flags, sets = np.zeros(len(self), np.bool_), self.tables.sets
        if not self._has_jumps(self, other):
            return flags
        if len(other) < len(self):
            return sets.marked(self.words, next(sets.neighbours(other.words, back, change)))
        for part in sets.parts(other.words):
            target = sets.of(part, len(self))
            self.tables.threads.run(jumps.leads, self.words, tables=there, marks=target, flags=flags)
        return flags

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
                flags = self.ways() == 0
            case Exact() | Partial() | Nearest():
                pegs, vacancies = problem.final_pegs, problem.final_vacancies
                flags = self.words & np.uint64(pegs | vacancies) == np.uint64(pegs)
            case _:
                assert_never(problem.goal)
        return flags

    def ways(self) -> NDArray[np.int32]:
        """Count the jumps that can be made in each position of the level."""
        counts = np.zeros(len(self), np.int32)
        if self._has_jumps(self):
            self.tables.threads.run(jumps.ways, self.words, tables=self.tables.forwards, counts=counts)
        return counts

    def dead_ends(self) -> ArrayLevel:
        """Return the positions of the level in which no jump can be made."""
        parts = np.array_split(self.words, 1 + len(self) // _PART_POSITIONS)  # for memory
        return self._part(np.concatenate([part[self._part(part).ways() == 0] for part in parts]))

    def ending(self) -> ArrayLevel:
        """Return the positions of the level from which a jump leads to a dead end."""
        flags, tables = np.zeros(len(self), np.bool_), self.tables
        if self._has_jumps(self):
            tables.threads.run(jumps.ending, self.words, tables=tables.forwards, apart=tables.apart, flags=flags)
        return self._part(self.words[flags])

    @cached_property
    def marks(self) -> Marks:
        """The level as a set that has the index of each position."""
        return self.tables.sets.numbered(self.words, len(self))

    def add_jumps(self, later: Sequence[tuple[ArrayLevel, Values]], totals: Values) -> None:
        """Add to the totals of the level the values after each set of independent jumps; subtract those of even sizes.

        ``later``: the levels after one jump, after two and so on, with their values. Values and totals have a row for a
        position.
        """

        def add(words: Array, first: int, last: int) -> int:
            sets = words[first:last], np.arange(first, last), np.zeros(last - first, np.int64)
            for size, (level, values) in enumerate(later):
                if self._has_jumps(level) and len(sets[0]):
                    sign = (1, -1)[size % 2]
                    sets = jumps.add_jumps(sets, self.tables.forwards, level.marks, words, sign, values, totals)
            return 0

        self.tables.threads.run(add, self.words)

    def fewest_moves(self, into: ArrayLevel, after: tuple[Moves, Array] | None) -> tuple[Moves, Array]:
        """Return for each position the fewest moves to the goal, and the holes from which the first of them may start.

        ``after`` has the same for the level after, ``into``. A position from which no jump leads there gets any values.
        """
        fewest, begins, tables = np.zeros(len(self), np.int16), np.zeros_like(self.words), self.tables
        if after is not None:
            self._look_up(
                fewest_moves.fewest,
                into,
                leaves=np.array([jump.from_ for jump in tables.board.jumps]),
                lands=np.array([[p[jump.to] for p in tables.symmetries] for jump in tables.board.jumps]),
                moves_after=after[0],
                begins_after=after[1],
                moves=fewest,
                begins=begins,
            )
        return fewest, begins

    def _look_up(self, kernel: Callable[..., int], into: ArrayLevel, **arguments: Any) -> None:
        """Run a compiled function that looks up the positions of the next level to which jumps lead."""
        if self._has_jumps(self, into):
            target = self.tables.sets.numbered(into.words, len(self))
            self.tables.threads.run(kernel, self.words, tables=self.tables.forwards, marks=target, **arguments)

    def nearest(self, goal: Nearest) -> int:
        """Return the position of the level that is nearest to a soft goal."""
        return int(self.words[goal.cost(self._holes()).argmin()])

    def lighter(self, weights: Weights) -> Flags:
        """Flag the positions that weigh less than the least weights: a row for each position, a column for each bound.

        Matrices of floating-point numbers would be multiplied in threads that take time from those of the searches.
        """
        totals = np.zeros((len(weights.least), len(self)), np.int16)
        for pegs, column in zip(self._holes(), weights.holes.T, strict=True):
            totals += np.multiply.outer(column, pegs.astype(np.int16))
        return np.less(totals.T, weights.least)

    def _holes(self) -> Iterator[NDArray[np.int64]]:
        """Yield for each hole a row with 1 for the positions that have a peg there, and 0."""
        for hole in range(len(self.tables.board.holes)):
            yield (self.words >> np.uint64(hole) & np.uint64(1)).astype(np.int64)


def _heavy(words: Array, bounds: Sequence[Scales]) -> Array:
    """Return the positions that weigh enough; the array is overwritten."""
    size = len(words)
    for eight in bounds:
        size = jumps.keep(words[:size], eight)
    return words if size == len(words) else words[:size].copy()


def union(arrays: list[Array]) -> Array:
    """Return the positions that are in any of some arrays, rising; the list is emptied."""
    if len(arrays) == 1:
        return arrays.pop()
    every = np.concatenate(arrays)
    arrays.clear()  # for memory
    return distinct(every)
