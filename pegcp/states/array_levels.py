"""Levels as sorted arrays of 64-bit words: compiled, and shared among threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.symmetry import Subgroup
from pegcp.states.kernels import fewest_moves, jumps
from pegcp.states.kernels.fewest_moves import Moves
from pegcp.states.kernels.jumps import JumpTables, Scales, Values, Weights, jump_tables, scales
from pegcp.states.kernels.position_sets import Array, Flags
from pegcp.states.levels import first
from pegcp.states.position_sets import Sets, Threads

if TYPE_CHECKING:
    from pegcp.states.levels import Levels

_PART = 1 << 18  # positions whose jumps are counted at a time


class ArrayLevels:
    """The operations of :class:`pegcp.states.levels.Levels` on arrays, and more for counts of solutions and moves.

    All positions of a level have as many pegs and are in the same position class.
    """

    def __init__(self, levels: Levels) -> None:
        self.problem, self.board, self.symmetries = levels.problem, levels.problem.board, levels.symmetries
        self.reversal, self.jumps, self.jumps_back = levels.reversal, levels.forwards, levels.backwards
        self.threads = Threads(levels.run.limits.workers, levels.tick)
        self.sets = Sets(self.board, self.threads)

    @cached_property
    def forwards(self) -> JumpTables:
        """The jumps."""
        return jump_tables(self.board, self.symmetries, self.jumps)

    @cached_property
    def backwards(self) -> JumpTables:
        """The jumps taken back."""
        return jump_tables(self.board, self.symmetries, self.jumps_back)

    def reversed(self, level: Array) -> Array:
        """Return the complements of the positions, carried by the reversal."""
        return np.sort(self._carried(level))

    def mirrored(self, level: Array, weights: Weights | None = None) -> Array:
        """Return the positions of a level from which a jump leads to a reversed position of the same level."""
        return self.leading(level, self._carried(level), weights)

    def _carried(self, level: Array) -> Array:
        """Return the complements of the positions, carried by the reversal, in the order of the positions."""
        assert self.reversal is not None
        complements = level ^ np.uint64(self.board.full)
        turned = Subgroup(tuple(tuple(p[hole] for hole in self.reversal) for p in self.symmetries))
        self.threads.run(jumps.canonical, complements, tables=jump_tables(self.board, turned, []))
        return complements

    def after(self, level: Array, weights: Weights | None = None) -> Array:
        """Return all positions one jump later that weigh enough."""
        return self._neighbours(level, self.forwards, -1, weights)

    def before(self, level: Array, weights: Weights | None = None) -> Array:
        """Return all positions one jump earlier that weigh enough."""
        return self._neighbours(level, self.backwards, 1, weights)

    def _neighbours(self, level: Array, tables: JumpTables, change: int, weights: Weights | None) -> Array:
        if not self._has_jumps(level) or first(level).bit_count() + change < 0:
            return level[:0]
        bounds = [] if weights is None else scales(self.board, weights)
        if bounds:  # the first eight bounds are tested before a position is put into the set
            tables = tables._replace(scales=bounds[0])
        parts: list[Array] = []
        for neighbours in self.sets.neighbours(level, tables, change, several=True):
            positions = self.sets.positions(neighbours)
            if not len(neighbours.starts):
                positions.sort()
            parts.append(self._heavy(positions, bounds))
            parts = [self.together(parts)]  # at once, since they have much in common
        return parts[0]

    def _has_jumps(self, *levels: Array) -> bool:
        """Tell whether the board has jumps and the levels have positions; compiled functions take no empty arrays."""
        return bool(self.board.jumps) and all(map(len, levels))

    def _heavy(self, level: Array, bounds: Sequence[Scales]) -> Array:
        """Return the positions of a level that weigh enough; the array of the level is overwritten."""
        size = len(level)
        for eight in bounds:
            size = jumps.keep(level[:size], eight)
        return level if size == len(level) else level[:size].copy()

    def leading(self, level: Array, into: Array, weights: Weights | None = None) -> Array:
        """Return the positions of a level from which a jump leads into another level.

        With ``weights``, jumps to positions that weigh too little need not be looked at.
        """
        tables = self.forwards if weights is None else self.forwards._replace(scales=scales(self.board, weights)[0])
        return level[self._touching(level, into, tables, self.backwards, 1)]

    def following(self, level: Array, out_of: Array) -> Array:
        """Return the positions of a level to which a jump leads from another level."""
        return level[self._touching(level, out_of, self.backwards, self.forwards, -1)]

    def _touching(self, level: Array, others: Array, there: JumpTables, back: JumpTables, change: int) -> Flags:
        """Flag the positions of a level that are one jump from others; the fewer of the two are expanded."""
        flags = np.zeros(len(level), np.bool_)
        if not self._has_jumps(level, others):
            return flags
        if len(others) < len(level):
            return self.sets.marked(level, next(self.sets.neighbours(others, back, change)))
        for part in self.sets.parts(others):
            target = self.sets.of(part, len(level))
            self.threads.run(jumps.leads, level, tables=there, marks=target, flags=flags)
        return flags

    def common(self, level: Array, other: Array) -> Array:
        """Return the positions that are in both levels."""
        few, many = (level, other) if len(level) < len(other) else (other, level)
        return few[many.take(np.searchsorted(many, few), mode="clip") == few] if len(few) else few

    def together(self, levels: list[Array]) -> Array:
        """Return the positions that are in any of some levels; their list is emptied."""
        if len(levels) == 1:
            return levels.pop()
        every = np.concatenate(levels)
        levels.clear()  # for memory
        every.sort()  # np.unique takes ten times as long
        return every[np.insert(every[1:] != every[:-1], 0, values=True)] if len(every) else every

    def either(self, level: Array, other: Array) -> Array:
        """Return the positions that are in one of the levels or in both."""
        return self.together([level, other])

    def goals(self, level: Array) -> Array:
        """Return the positions of the level that satisfy the goal."""
        return level[self.are_goals(level)]

    def are_goals(self, level: Array) -> Flags:
        """Flag the positions of the level that satisfy the goal."""
        flags: Flags
        match self.problem.goal:
            case OnePeg():
                flags = np.bitwise_count(level) == 1
            case DeadEnd():
                flags = self.ways(level) == 0
            case Exact() | Partial() | Nearest():
                pegs, vacancies = self.problem.final_pegs, self.problem.final_vacancies
                flags = level & np.uint64(pegs | vacancies) == np.uint64(pegs)
            case _:
                assert_never(self.problem.goal)
        return flags

    def ways(self, level: Array) -> NDArray[np.int32]:
        """Count the jumps that can be made in each position of the level."""
        counts = np.zeros(len(level), np.int32)
        if self._has_jumps(level):
            self.threads.run(jumps.ways, level, tables=self.forwards, counts=counts)
        return counts

    def dead_ends(self, level: Array) -> Array:
        """Return the positions of the level in which no jump can be made."""
        parts = np.array_split(level, 1 + len(level) // _PART)  # for memory
        return np.concatenate([part[self.ways(part) == 0] for part in parts])

    def ending(self, level: Array) -> Array:
        """Return the positions of the level from which a jump leads to a dead end."""
        flags = np.zeros(len(level), np.bool_)
        if self._has_jumps(level):
            self.threads.run(jumps.ending, level, tables=self.forwards, apart=self.apart, flags=flags)
        return level[flags]

    def add_jumps(self, level: Array, into: Array, values: Values, totals: Values) -> None:
        """Add to the totals of a level, for each jump into the next level, the values there: a row for a position."""
        self._look_up(jumps.add_jumps, level, into, values=values, sums=totals)

    def fewest_moves(self, level: Array, into: Array, after: tuple[Moves, Array] | None) -> tuple[Moves, Array]:
        """Return for each position the fewest moves to the goal, and the holes from which the first of them may start.

        ``after`` has the same for the level after, ``into``. A position from which no jump leads there gets any values.
        """
        fewest, begins = np.zeros(len(level), np.int16), np.zeros_like(level)
        if after is not None:
            self._look_up(
                fewest_moves.fewest,
                level,
                into,
                leaves=np.array([jump.from_ for jump in self.board.jumps]),
                lands=np.array([[p[jump.to] for p in self.symmetries] for jump in self.board.jumps]),
                moves_after=after[0],
                begins_after=after[1],
                moves=fewest,
                begins=begins,
            )
        return fewest, begins

    def _look_up(self, kernel: Callable[..., int], level: Array, into: Array, **arguments: Any) -> None:
        """Run a compiled function that looks up the positions of the next level to which jumps lead."""
        if self._has_jumps(level, into):
            target = self.sets.numbered(into, len(level))
            self.threads.run(kernel, level, tables=self.forwards, marks=target, **arguments)

    @cached_property
    def apart(self) -> Array:
        """For each jump those that have no hole in common with it, as bits of words."""
        jumps = self.board.jumps
        masks = [sum(other.independent_of(jump) << i for i, other in enumerate(jumps)) for jump in jumps]
        words = [[mask >> begin & (1 << 64) - 1 for begin in range(0, len(jumps), 64)] for mask in masks]
        return np.array(words, np.uint64)

    def nearest(self, level: Array, sought: Nearest) -> int:
        """Return the position of the level that is nearest to what is sought."""
        return first(level[sought.cost(self._holes(level)).argmin() :])

    def lighter(self, level: Array, weights: Weights) -> Flags:
        """Flag the positions that weigh less than the least weights: a row for each position, a column for each bound.

        Matrices of floating-point numbers would be multiplied in threads that take time from those of the searches.
        """
        totals = np.zeros((len(weights.least), len(level)), np.int16)
        for pegs, column in zip(self._holes(level), weights.holes.T, strict=True):
            totals += np.multiply.outer(column, pegs.astype(np.int16))
        return np.less(totals.T, weights.least)

    def _holes(self, level: Array) -> Iterator[NDArray[np.int64]]:
        """Yield for each hole a row with 1 for the positions that have a peg there, and 0."""
        for hole in range(len(self.board.holes)):
            yield (level >> np.uint64(hole) & np.uint64(1)).astype(np.int64)
