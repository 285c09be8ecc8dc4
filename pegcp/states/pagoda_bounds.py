"""Levels without positions that pagoda functions exclude: they cannot be reached, or do not lead to the goal.

The weight of the pegs never grows (:mod:`pegcp.theory.pagoda`), so a position that weighs less than the goal does not
lead to it, and one that weighs more than the start does not come from it. A sample of each level decides which of the
functions that limit the jumps of the problem are used: those that exclude most of the positions one jump from it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pegcp.game import Exact, Position, Problem
from pegcp.game.symmetry import image
from pegcp.states.levels import Level, Levels, ListLevel
from pegcp.theory.pagoda import PagodaFunction, pagodas, weight

if TYPE_CHECKING:
    from pegcp.states.array_level import ArrayLevel
    from pegcp.states.kernels.jumps import Weights

BOUND_POSITIONS = 2_000_000  # positions from which on a level is worth the linear programs, and loading their solver
_SAMPLE_POSITIONS = 512  # positions
_MOST_FUNCTIONS = 32  # functions
_LEAST_SHARE = 0.002  # of what follows a sample: the share that a function must exclude to be used
_BYTE_WEIGHT = 128


def narrowed(problem: Problem) -> Problem:
    """Return the problem between the jumps with which every solution begins and those with which every solution ends.

    While only one jump is possible, it is made. While only one jump can be the last one before the goal, an exact
    position, it is taken back.
    """
    board, start, goal = problem.board, problem.start.mask, problem.goal
    while not problem.is_goal(start):
        jumps = [jump for jump in board.jumps if jump.is_legal(start)]
        if len(jumps) != 1:
            break
        start ^= jumps[0].mask
    while isinstance(goal, Exact) and goal.pegs.bit_count() < start.bit_count():
        jumps = [jump for jump in board.jumps if goal.pegs & jump.mask == 1 << jump.to]
        if len(jumps) != 1:
            break
        goal = Exact(goal.pegs ^ jumps[0].mask)
    return replace(problem, start=Position(board, start), goal=goal)


class Bounds:
    """The bounds of a problem on positions, forwards from the start or ``backwards`` from the goal.

    They are those of the problem between the jumps that are forced, since these are all made when levels are large.
    """

    def __init__(self, levels: Levels, backwards: bool = False) -> None:
        self.levels, self.backwards = levels, backwards
        self.problem = narrowed(levels.problem)

    def next(self, level: Level) -> Level:
        """Return the positions one jump after a level, or before it; of a large level those that keep the bounds."""
        large = self._large(level)
        if large is None:
            return level.before() if self.backwards else level.after()
        pegs = large.first.bit_count()
        between = pegs < len(self.problem.start) if self.backwards else pegs > self.problem.goal_pegs[0]
        weights = self._best(large) if between else None
        return large.before(weights) if self.backwards else large.after(weights)

    def mirrored(self, level: Level) -> Level:
        """Return the positions of a level from which a jump leads to a reversed position of the same level.

        The level has one peg more than vacancies. In a row of bits a look-up costs no more than the bounds.
        """
        large = self._large(level)
        if large is None or large.tables.sets.dense(large.words, 0, len(large)):
            return level.mirrored()
        return large.mirrored(self._best(large))

    def _large(self, level: Level) -> ArrayLevel | None:
        """Return a level for which bounds are worth their time as an array, None for a smaller one."""
        return None if isinstance(level, ListLevel) or len(level) < BOUND_POSITIONS else level.array

    @cached_property
    def all(self) -> Weights:
        """The bounds that fit a byte."""
        import numpy as np

        from pegcp.states.kernels.jumps import Weights

        bounds = [self._bound(function) for function in pagodas(self.problem)]
        fits = [
            (weights, least)
            for weights, least in bounds
            if least - _BYTE_WEIGHT <= sum(min(w, 0) for w in weights)
            and sum(max(w, 0) for w in weights) < least + _BYTE_WEIGHT
        ]
        weights = np.array([weights for weights, _ in fits], np.int16).reshape(-1, len(self.problem.board.holes))
        return Weights(weights, np.array([least for _, least in fits], np.int16))

    def _bound(self, function: PagodaFunction) -> tuple[tuple[int, ...], int]:
        """Return weights and the least weight of a position; backwards, the greatest, as negative numbers."""
        weights, start = function.weights, self.problem.start.mask
        if not self.backwards:
            return weights, weight(weights, start) - function.slack
        # A position stands for its class: some image of it can be reached.
        most = max(weight(weights, image(p, start)) for p in self.levels.symmetries)
        return tuple(-w for w in weights), -most

    def _best(self, level: ArrayLevel) -> Weights | None:
        """Return the bounds that exclude most positions one jump from a sample of a level.

        Each is the best for the positions that the others do not exclude.
        """
        sample = level[:: 1 + len(level) // _SAMPLE_POSITIONS]
        excluded = (sample.before() if self.backwards else sample.after()).lighter(self.all)
        least, columns = _LEAST_SHARE * len(excluded), list[int]()
        while len(columns) < min(_MOST_FUNCTIONS, excluded.shape[1]):
            counts = excluded.sum(axis=0)
            best = int(counts.argmax())
            if counts[best] <= least:
                break
            columns.append(best)
            excluded = excluded[~excluded[:, best]]
        return type(self.all)(self.all.holes[columns], self.all.least[columns]) if columns else None
