"""Levels of positions: all that is one jump further on, up to symmetry, without duplicates.

All positions of a level have the same number of pegs, so a level is all a breadth-first search must remember, and two
levels never share a position. A position stands for its class under a group of symmetries: it is the least image.

A small level is a sorted list of Python integers, and so is every level on a board of more than 64 holes. A large one
is a sorted array of 64-bit words (:mod:`pegcp.states.array_levels`). Its machine code is loaded for the first large
level, or compiled, which is not charged to the run.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from pegcp.errors import there
from pegcp.game.board import Jump
from pegcp.game.goal import Nearest
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, Subgroup, canonical_form, image
from pegcp.method import Run, watch
from pegcp.theory.parity import class_sets, position_class
from pegcp.theory.reversal import reversal

if TYPE_CHECKING:
    from pegcp.states.array_levels import ArrayLevels

Level = Any  # a sorted list[int], or a sorted array of 64-bit words

WORD = 64  # holes
LARGE = 2000 if there("numba") else sys.maxsize  # positions from which on a level is an array


F = TypeVar("F", bound=Callable[..., Any])


def _compiled_when_large(method: F) -> F:
    """Call the method of this name of :class:`ArrayLevels` instead, where a level is large."""

    @wraps(method)
    def call(self: Levels, *levels: Level, **options: Any) -> Any:
        if self._large(*levels):
            return getattr(self.arrays, method.__name__)(*map(self.array, levels), **options)
        return method(self, *levels, **options)

    return cast("F", call)


def first(level: Level) -> int:
    """Return the first position of a level, as a bit mask."""
    return int(level[0])


def place(level: Level, position: int) -> int | None:
    """Return the index of a position (a bit mask) in a level, or None."""
    i = bisect_left(level, position)
    return i if i < len(level) and level[i] == position else None


class LevelCounts(NamedTuple):
    """A level in numbers: its classes; how many satisfy the goal, are dead ends, and have a single peg."""

    positions: int
    goals: int
    dead_ends: int
    single_pegs: int


def group(problem: Problem, symmetry: bool = True) -> Subgroup:
    """Return the group of symmetries under which positions are classed; without ``symmetry``, the identity alone.

    They are those of the goal that keep the position class of the start. The others cannot carry a position that can be
    reached to another one.
    """
    board, start = problem.board, problem.start.mask
    if not symmetry:
        return Subgroup((tuple(range(len(board.holes))),))
    kind, symmetries = position_class(board, start), problem.goal_symmetries()
    # Symmetries permute the position classes, so those that keep one of them are a group.
    stabiliser = tuple(p for p in symmetries if position_class(board, image(p, start)) == kind)
    return Subgroup(stabiliser, symmetries.complete)


class Levels:
    """Operations on levels: of positions that can be reached in a problem, or from which its goal can be reached.

    ``symmetries`` is the group under which positions are classed, by default that of :func:`group`. Raises TimeoutError
    or MemoryError when the limits of the run are reached.
    """

    def __init__(self, problem: Problem, run: Run | None = None, symmetries: Subgroup | None = None) -> None:
        self.problem = problem
        self.run = run or Run()
        self.symmetries = symmetries or group(problem)
        self.canonical = canonical_form(self.symmetries)
        self.tick = watch(self.run)
        jumps = problem.board.jumps
        self.forwards = [(jump.mask, jump.needs) for jump in jumps]
        self.backwards = [(jump.mask, 1 << jump.to) for jump in jumps]

    @cached_property
    def arrays(self) -> ArrayLevels:
        """The same operations on large levels."""
        from pegcp.states.array_levels import ArrayLevels
        from pegcp.states.kernels.compiled import compiling_for

        compiling_for(self.run)
        return ArrayLevels(self)

    def _large(self, *levels: Level) -> bool:
        """Tell whether to use compiled functions: a level is large, or one was, and they are loaded."""
        if len(self.problem.board.holes) > WORD:
            return False
        return "arrays" in vars(self) or any(len(level) >= LARGE or not isinstance(level, list) for level in levels)

    def array(self, level: Level) -> Any:
        """Return a level as an array, for compiled code, which would write to memory not its own for any other list.

        Raises ValueError if a list is not of one number of pegs and of the position class of the start.
        """
        import numpy as np

        array = np.asarray(level, np.uint64)
        if isinstance(level, list) and level:
            start = self.problem.start.mask
            mixed = (np.bitwise_count(array) != level[0].bit_count()).any()
            for holes in class_sets(self.problem.board):
                mixed |= (np.bitwise_count(array & np.uint64(holes)) & 1 != (start & holes).bit_count() & 1).any()
            if mixed:
                raise ValueError("a level has positions of one number of pegs and of the position class of the start")
        return array

    def level(self, masks: Iterable[int]) -> Level:
        """Return the level of some positions, all with as many pegs, in the position class of the start."""
        return sorted({self.canonical(mask) for mask in masks})

    def last(self) -> Level:
        """Return the targets of the goal, which must have some, that are in the position class of the start."""
        board, kind = self.problem.board, position_class(self.problem.board, self.problem.start.mask)
        return self.level(target for target in self.problem.targets or () if position_class(board, target) == kind)

    @_compiled_when_large
    def after(self, level: Level) -> Level:
        """Return all positions one jump later."""
        return self._neighbours(level, self.forwards)

    @_compiled_when_large
    def before(self, level: Level) -> Level:
        """Return all positions from which one jump leads into the level, reachable or not."""
        return self._neighbours(level, self.backwards)

    def _neighbours(self, level: list[int], flips: list[tuple[int, int]]) -> list[int]:
        neighbours: set[int] = set()
        for begin in range(0, len(level), 1024):
            self.tick()
            part = level[begin : begin + 1024]
            neighbours.update(self.canonical(p ^ mask) for p in part for mask, pegs in flips if p & mask == pegs)
        return sorted(neighbours)

    @cached_property
    def reversal(self) -> Permutation | None:
        """The symmetry that makes one end enough, or None: see :mod:`pegcp.theory.reversal`."""
        return reversal(self.problem, self.symmetries)

    @_compiled_when_large
    def reversed(self, level: Level) -> Level:
        """Return the complements of the positions, carried by the reversal of the problem, which must have one."""
        assert self.reversal is not None
        full = self.problem.board.full
        return sorted(self.canonical(image(self.reversal, mask ^ full)) for mask in level)

    @_compiled_when_large
    def leading(self, level: Level, into: Level) -> Level:
        """Return the positions of a level from which a jump leads into another level."""
        return self._touching(level, set(into), self.forwards)

    @_compiled_when_large
    def mirrored(self, level: Level) -> Level:
        """Return the positions of a level from which a jump leads to a reversed position of the same level.

        The level has one peg more than vacancies.
        """
        return self.leading(level, self.reversed(level))

    @_compiled_when_large
    def following(self, level: Level, out_of: Level) -> Level:
        """Return the positions of a level to which a jump leads from another level."""
        return self._touching(level, set(out_of), self.backwards)

    def _touching(self, level: list[int], others: set[int], flips: list[tuple[int, int]]) -> list[int]:
        self.tick()
        canonical = self.canonical
        return [p for p in level if any(p & mask == pegs and canonical(p ^ mask) in others for mask, pegs in flips)]

    @_compiled_when_large
    def common(self, level: Level, other: Level) -> Level:
        """Return the positions that are in both levels."""
        return sorted(set(level).intersection(other))

    @_compiled_when_large
    def either(self, level: Level, other: Level) -> Level:
        """Return the positions that are in one of the levels or in both."""
        return sorted({*level, *other})

    @_compiled_when_large
    def goals(self, level: Level) -> Level:
        """Return the positions of the level that satisfy the goal."""
        return [mask for mask in level if self.problem.is_goal(mask)]

    @_compiled_when_large
    def dead_ends(self, level: Level) -> Level:
        """Return the positions of the level in which no jump can be made."""
        return [p for p in level if not any(p & mask == pegs for mask, pegs in self.forwards)]

    @_compiled_when_large
    def ending(self, level: Level) -> Level:
        """Return the positions of the level from which a jump leads to a dead end."""
        return self.leading(level, self.dead_ends(self.after(level)))

    @_compiled_when_large
    def nearest(self, level: Level, *, sought: Nearest) -> int:
        """Return the position of the level that is nearest to what is sought."""
        return int(min(level, key=sought.distance))

    def trace(self, levels: Sequence[Level], last: int) -> list[int]:
        """Return one position of each level, each a jump after the one before, ending in ``last``."""
        path = [last]
        for level in levels[-2::-1]:
            path.append(first(self.common(self.before([path[-1]]), level)))
        return path[::-1]

    def lifted(self, path: Sequence[int]) -> list[Jump]:
        """Return the jumps of a solution for a path of position classes (least members), the start's class first."""
        position = self.problem.start.mask
        jumps = []
        for target in path[1:]:
            jump = next(
                jump
                for jump in self.problem.board.jumps
                if jump.is_legal(position) and self.canonical(position ^ jump.mask) == target
            )
            position ^= jump.mask
            jumps.append(jump)
        return jumps
