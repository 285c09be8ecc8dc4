"""Levels as sorted arrays of 64-bit words: compiled, and shared among threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, Subgroup
from pegcp.states.jump_tables import Weights, jump_tables, scales
from pegcp.states.kernels import fewest_moves, jumps
from pegcp.states.kernels.fewest_moves import Moves
from pegcp.states.kernels.jumps import JumpTables, Scales, Values
from pegcp.states.kernels.position_sets import Array, Flags
from pegcp.states.position_sets import Sets
from pegcp.states.positions import first
from pegcp.states.threads import Threads

_PART = 1 << 18  # positions whose jumps are counted at a time
_MANY = 1 << 20  # positions that are put together faster by a row of bits than by sorting


class ArrayLevels:
    """The operations of :class:`pegcp.states.levels.Levels` on arrays, and more for counts of solutions and moves.

    All positions of a level have as many pegs and are in the same position class.

    ``symmetries`` are a group that keeps this class; ``tick`` is called between chunks and may raise to stop the work.
    """

    def __init__(
        self,
        problem: Problem,
        symmetries: Subgroup,
        reversal: Permutation | None,
        tick: Callable[[], None],
        workers: int,
    ) -> None:
        self.problem, self.symmetries, self.reversal = problem, symmetries, reversal
        self.board = problem.board
        self.threads = Threads(workers, tick)
        self.sets = Sets(self.board, self.threads)

    @cached_property
    def forwards(self) -> JumpTables:
        """The jumps."""
        return jump_tables(self.board, self.symmetries, [(jump.mask, jump.needs) for jump in self.board.jumps])

    @cached_property
    def backwards(self) -> JumpTables:
        """The jumps taken back: a jump taken back finds one peg, where it landed."""
        return jump_tables(self.board, self.symmetries, [(jump.mask, 1 << jump.to) for jump in self.board.jumps])

    def reversed(self, level: Array) -> Array:
        """The complements of the positions, carried by the reversal of the problem, in rising order."""
        return np.sort(self._carried(level))

    def _carried(self, level: Array) -> Array:
        """The complements of the positions, carried by the reversal: in the order of the positions."""
        assert self.reversal is not None
        complements = level ^ np.uint64(self.board.full)
        turned = Subgroup(tuple(tuple(p[hole] for hole in self.reversal) for p in self.symmetries))
        self.threads.run(jumps.canonical, complements, tables=jump_tables(self.board, turned, []))
        return complements

    def after(self, level: Array, weights: Weights | None = None) -> Array:
        """All positions one jump later that weigh enough."""
        return self._listed(level, self.forwards, -1, weights)

    def before(self, level: Array, weights: Weights | None = None) -> Array:
        """All positions one jump earlier that weigh enough."""
        return self._listed(level, self.backwards, 1, weights)

    def _listed(self, level: Array, tables: JumpTables, change: int, weights: Weights | None) -> Array:
        if not self._fruitful(level) or first(level).bit_count() + change < 0:
            return level[:0]
        bounds = [] if weights is None else scales(self.board, weights)
        if self.sets.dense(level, change, len(level)):
            return self._heavy(self.sets.listed(*self.sets.in_row(level, tables, change)), bounds)
        if bounds:  # what is left out so soon needs no room in a table; in a row of bits it does not matter
            tables = tables._replace(scales=bounds[0])
        parts: list[Array] = []
        for table in self.sets.in_tables(level, tables, change, several=True):
            found = self.sets.filled(table)
            found.sort()
            parts.append(self._heavy(found, bounds))
            parts = [self.together(parts)]  # at once, since they have much in common
        return parts[0]

    def _fruitful(self, *levels: Array) -> bool:
        """Whether the board has jumps and the levels have positions; compiled functions take no empty arrays."""
        return bool(self.board.jumps) and all(map(len, levels))

    def _heavy(self, level: Array, bounds: Sequence[Scales]) -> Array:
        """The positions of a level that weigh enough; the array of the level is overwritten."""
        kept = level
        for eight in bounds:
            kept = kept[: jumps.keep(kept, eight)]
        return level if len(kept) == len(level) else kept.copy()

    def leading(self, level: Array, into: Array) -> Array:
        """The positions of a level from which a jump leads into another level."""
        return level[self._touching(level, into, self.forwards, self.backwards, 1)]

    def following(self, level: Array, out_of: Array) -> Array:
        """The positions of a level to which a jump leads from another level."""
        return level[self._touching(level, out_of, self.backwards, self.forwards, -1)]

    def mirrored(self, level: Array, weights: Weights | None = None) -> Array:
        """The positions of a level from which a jump leads to a reversed position of the same level.

        Jumps to positions that weigh too little are not looked at: the goal cannot be reached from there.
        """
        there = self.forwards if weights is None else self.forwards._replace(scales=scales(self.board, weights)[0])
        return level[self._touching(level, self._carried(level), there, self.backwards, 1)]

    def _touching(self, level: Array, others: Array, there: JumpTables, back: JumpTables, change: int) -> Flags:
        """Which positions of a level are one jump from others, in any order; found from the fewer of them."""
        flags = np.zeros(len(level), np.bool_)
        if not self._fruitful(level, others):
            return flags
        if len(others) < len(level):
            if self.sets.dense(others, change, len(others)):
                return self.sets.marked(level, self.sets.in_row(others, back, change)[0])
            return self.sets.marked(level, next(self.sets.in_tables(others, back, change)))
        for part in self.sets.parts(others):
            target = self.sets.of(part, len(level))
            self.threads.run(jumps.leads, level, tables=there, marks=target, found=flags)
        return flags

    def common(self, one: Array, other: Array) -> Array:
        """The positions that are in both levels."""
        few, many = (one, other) if len(one) < len(other) else (other, one)
        return few[many.take(np.searchsorted(many, few), mode="clip") == few] if len(few) else few

    def together(self, levels: list[Array]) -> Array:
        """The positions that are in any of some levels; their list is emptied."""
        if len(levels) == 1:
            return levels.pop()
        size = sum(map(len, levels))
        if size > _MANY and self.sets.dense(max(levels, key=len), 0, size):
            return self.sets.union(levels)
        every = np.concatenate(levels)
        levels.clear()
        every.sort()  # np.unique takes ten times as long
        return every[np.insert(every[1:] != every[:-1], 0, values=True)] if len(every) else every

    def either(self, level: Array, other: Array) -> Array:
        """The positions that are in one of the levels or in both."""
        return self.together([level, other])

    def goals(self, level: Array) -> Array:
        """The positions of the level that satisfy the goal."""
        return level[self.are_goals(level)]

    def are_goals(self, level: Array) -> Flags:
        """Which positions of the level satisfy the goal."""
        problem = self.problem
        match problem.goal:
            case OnePeg():
                single: Flags = np.bitwise_count(level) == 1
                return single
            case DeadEnd():
                stuck: Flags = self.ways(level) == 0
                return stuck
            case Exact() | Partial() | Nearest():
                fixed = np.uint64(problem.final_pegs | problem.final_vacancies)
                matching: Flags = level & fixed == np.uint64(problem.final_pegs)
                return matching
            case _:
                assert_never(problem.goal)

    def ways(self, level: Array) -> NDArray[np.int32]:
        """How many jumps can be made in each position of the level."""
        return self.sets.ways(level, self.forwards) if self._fruitful(level) else np.zeros(len(level), np.int32)

    def dead_ends(self, level: Array) -> Array:
        """The positions of the level in which no jump can be made."""
        parts = np.array_split(level, 1 + len(level) // _PART)  # for memory
        return np.concatenate([part[self.ways(part) == 0] for part in parts])

    def ending(self, level: Array) -> Array:
        """The positions of the level from which a jump leads to a dead end."""
        flags = np.zeros(len(level), np.bool_)
        if self._fruitful(level):
            self.threads.run(jumps.ending, level, tables=self.forwards, apart=self.apart, found=flags)
        return level[flags]

    def add_jumps(self, level: Array, into: Array, values: Values, totals: Values) -> None:
        """Add to the totals of a level, for each jump into the next level, the values there: a row for a position."""
        self._add(jumps.add_jumps, level, into, values=values, sums=totals)

    def fewest_moves(self, level: Array, into: Array, after: tuple[Moves, Array] | None) -> tuple[Moves, Array]:
        """For each position the fewest moves to the goal, and the holes from which the first of them may start.

        ``after`` has the same for the level after, ``into``. A position from which no jump leads there gets any values.
        """
        fewest, begins = np.zeros(len(level), np.int16), np.zeros_like(level)
        if after is not None:
            self._add(
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

    def _add(self, kernel: Callable[..., int], level: Array, into: Array, **others: Any) -> None:
        """Run a compiled function that looks up where in the next level each jump leads."""
        if self._fruitful(level, into):
            target = self.sets.numbered(into, len(level))
            self.threads.run(kernel, level, tables=self.forwards, marks=target, **others)

    @cached_property
    def apart(self) -> Array:
        """For each jump those that have no hole in common with it, as bits of words."""
        found = self.board.jumps
        apart = np.zeros((len(found), -(-len(found) // 64)), np.uint64)
        for i, jump in enumerate(found):
            for j, other in enumerate(found):
                if jump.independent_of(other):
                    apart[i, j // 64] |= np.uint64(1 << j % 64)
        return apart

    def nearest(self, level: Array, sought: Nearest) -> int:
        """The position of the level that is nearest to what is sought."""
        return first(level[sought.cost(self._holes(level)).argmin() :])

    def lighter(self, level: Array, weights: Weights) -> Flags:
        """Which positions weigh less than the least weights: a row for each position, a column for each bound."""
        # Not by "@" of floating-point numbers: its threads wait at the cost of those of the searches.
        found = np.zeros((len(weights.least), len(level)), np.int16)
        for pegs, column in zip(self._holes(level), weights.holes.T, strict=True):
            found += column[:, None] * pegs.astype(np.int16)
        lighter: Flags = np.less(found.T, weights.least)
        return lighter

    def _holes(self, level: Array) -> Iterator[NDArray[np.int64]]:
        """For each hole which positions have a peg there, 0 or 1."""
        for hole in range(len(self.board.holes)):
            yield (level >> np.uint64(hole) & np.uint64(1)).astype(np.int64)
