"""Where levels come from: the positions that can be reached in a problem, or from which its goal can be reached."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pegcp.errors import there
from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, Subgroup, canonical_form, image
from pegcp.method import Run, watch
from pegcp.states.level import Level
from pegcp.states.list_level import ListLevel
from pegcp.theory.parity import position_class
from pegcp.theory.reversal import reversal

if TYPE_CHECKING:
    from pegcp.states.array_level import ArrayTables

WORD_HOLES = 64  # holes
ARRAY_POSITIONS = 2000 if there("numba") else sys.maxsize  # positions from which on a level is an array


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
    """Makes the levels of a problem, under the limits of a run.

    ``symmetries`` is the group under which positions are classed, by default that of :func:`group`. The operations of
    its levels raise TimeoutError or MemoryError when the limits of the run are reached.
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
    def tables(self) -> ArrayTables:
        """The tables of the board for compiled code.

        The code is loaded for the first large level, or compiled, which is not charged to the run.
        """
        from pegcp.states.array_level import ArrayTables
        from pegcp.states.kernels.compiled import compiling_for

        compiling_for(self.run)
        return ArrayTables(self)

    def of(self, positions: Collection[int]) -> Level:
        """Return the level of some least images, which all have as many pegs and are of the start's position class."""
        level = ListLevel(self, sorted(positions))
        large = len(positions) >= ARRAY_POSITIONS or "tables" in vars(self)
        return level.array if large and len(self.problem.board.holes) <= WORD_HOLES else level

    def level(self, masks: Iterable[int]) -> Level:
        """Return the level of some positions, all with as many pegs, in the position class of the start."""
        return self.of({self.canonical(mask) for mask in masks})

    def first(self) -> Level:
        """Return the level of the start."""
        return self.level([self.problem.start.mask])

    def last(self) -> Level:
        """Return the targets of the goal, which must have some, that are in the position class of the start."""
        board, kind = self.problem.board, position_class(self.problem.board, self.problem.start.mask)
        return self.level(target for target in self.problem.targets or () if position_class(board, target) == kind)

    @cached_property
    def reversal(self) -> Permutation | None:
        """The symmetry that makes one end enough, or None: see :mod:`pegcp.theory.reversal`."""
        return reversal(self.problem, self.symmetries)

    def trace(self, levels: Sequence[Level], last: int) -> list[int]:
        """Return one position of each level, each a jump after the one before, ending in ``last``."""
        path = [last]
        for level in levels[-2::-1]:
            path.append(self.of([path[-1]]).before().common(level).first)
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
