"""Levels: all that is one jump further on, up to symmetry, without duplicates.

All positions of a level have the same number of pegs, so a level is all a breadth-first search must remember, and two
levels never share a position. A position stands for its class under a group of symmetries: it is the least image.
Iterating over a level yields bit masks, rising.

A small level is a sorted list of Python integers, and so is every level on a board of more than 64 holes. A large one
is a sorted array of 64-bit words (:mod:`pegcp.states.array_level`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from pegcp.errors import is_importable
from pegcp.game import Jump, Nearest
from pegcp.game.symmetry import image
from pegcp.states.frame import WORD_HOLES, LevelFrame, Positions
from pegcp.theory.parity import class_sets, position_class

if TYPE_CHECKING:
    from pegcp.states.array_level import ArrayLevel, ArrayTables

ARRAY_POSITIONS = 2000 if is_importable("numba") else sys.maxsize  # positions from which on a level is an array

Level: TypeAlias = "ListLevel | ArrayLevel"


class Levels(LevelFrame):
    """Makes the levels of a problem, which raise TimeoutError or MemoryError when the limits of the run are reached."""

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

    def adopt(self, level: Level) -> Level:
        """Return the level of another run under the limits of this one."""
        return ListLevel(self, level.words) if isinstance(level, ListLevel) else type(level)(self.tables, level.words)

    def first(self) -> Level:
        """Return the level of the start."""
        return self.of([self.canonical(self.problem.start.mask)])

    def last(self) -> Level:
        """Return the targets of the goal, which must have some, that are in the position class of the start."""
        board, kind = self.problem.board, position_class(self.problem.board, self.problem.start.mask)
        targets = (target for target in self.problem.targets or () if position_class(board, target) == kind)
        return self.of({*map(self.canonical, targets)})

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


class ListLevel(Positions):
    """A sorted list of bit masks: a small level, or one of a board of any size."""

    def __init__(self, levels: Levels, words: Sequence[int]) -> None:
        self.levels, self.words = levels, words

    def __getitem__(self, part: slice) -> ListLevel:
        return ListLevel(self.levels, self.words[part])

    @property
    def array(self) -> ArrayLevel:
        """The same level for compiled code, which would write to memory not its own for any other positions.

        Raises ValueError if the positions are not of one number of pegs and of the position class of the start.
        """
        import numpy as np

        from pegcp.states.array_level import ArrayLevel

        start, words = self.levels.problem.start, np.array(self.words, np.uint64)
        parities = ((words & np.uint64(holes), (start.mask & holes).bit_count()) for holes in class_sets(start.board))
        strangers = any((np.bitwise_count(pegs) + parity & 1).any() for pegs, parity in parities)
        if strangers or len(set(np.bitwise_count(words).tolist())) > 1:
            raise ValueError("a level has positions of one number of pegs and of the position class of the start")
        return ArrayLevel(self.levels.tables, words)

    def after(self) -> Level:
        """Return all positions one jump later."""
        return self._neighbours(self.levels.forwards)

    def before(self) -> Level:
        """Return all positions from which one jump leads into the level."""
        return self._neighbours(self.levels.backwards)

    def _neighbours(self, flips: Sequence[tuple[int, int]]) -> Level:
        neighbours, canonical = set[int](), self.levels.canonical
        for begin in range(0, len(self), 1024):
            self.levels.tick()
            part = self.words[begin : begin + 1024]
            neighbours.update(canonical(p ^ mask) for p in part for mask, pegs in flips if p & mask == pegs)
        return self.levels.of(neighbours)

    def reversed(self) -> Level:
        """Return the complements of the positions, carried by the reversal of the problem."""
        reversal, full = self.levels.reversal, self.levels.problem.board.full
        assert reversal is not None
        return self.levels.of({self.levels.canonical(image(reversal, mask ^ full)) for mask in self})

    def leading(self, into: Level) -> ListLevel:
        """Return the positions of the level from which a jump leads into another level."""
        return self._touching(into, self.levels.forwards)

    def following(self, out_of: Level) -> ListLevel:
        """Return the positions of the level to which a jump leads from another level."""
        return self._touching(out_of, self.levels.backwards)

    def _touching(self, other: Level, flips: Sequence[tuple[int, int]]) -> ListLevel:
        self.levels.tick()
        canonical = self.levels.canonical
        return self._part(lambda p: any(p & mask == pegs and canonical(p ^ mask) in other for mask, pegs in flips))

    def _part(self, belongs: Callable[[int], bool]) -> ListLevel:
        return ListLevel(self.levels, [*filter(belongs, self.words)])

    def common(self, other: Level) -> ListLevel:
        """Return the positions that are in both levels."""
        return self._part(other.__contains__)

    def either(self, other: Level) -> Level:
        """Return the positions that are in one of the levels or in both."""
        return self.levels.of({*self, *other})

    def goals(self) -> ListLevel:
        """Return the positions of the level that satisfy the goal."""
        return self._part(self.levels.problem.is_goal)

    def dead_ends(self) -> ListLevel:
        """Return the positions of the level in which no jump can be made."""
        return self._part(lambda p: not any(p & mask == pegs for mask, pegs in self.levels.forwards))

    def ending(self) -> ListLevel:
        """Return the positions of the level from which a jump leads to a dead end."""
        return self.leading(self.after().dead_ends())

    def nearest(self, goal: Nearest) -> int:
        """Return the position of the level that is nearest to a soft goal."""
        return min(self, key=goal.distance)
