"""Levels without positions that pagoda functions exclude: they cannot be reached, or do not lead to the goal.

The weight of the pegs never grows (:mod:`pegcp.theory.pagoda`), so a position that weighs less than the goal does not
lead to it, and one that weighs more than the start does not come from it. A sample of each level decides which of the
functions that limit the jumps of the problem are used: those that exclude most of the positions one jump from it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pegcp.game.goal import Exact
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.symmetry import image
from pegcp.states.levels import Level, Levels, first
from pegcp.theory.pagoda import PagodaFunction, pagodas, weight

if TYPE_CHECKING:
    from pegcp.states.kernels.jumps import Weights

_WORTH = 2_000_000  # positions from which on a level is worth the linear programs, and loading their solver
_SAMPLE = 512  # positions
_MOST = 32  # functions
_GAIN = 0.002  # of what follows a sample: the share that a function must exclude to be used
_BYTE = 128


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
        pegs = first(level).bit_count() if len(level) else 0
        between = pegs < len(self.problem.start) if self.backwards else pegs > self.problem.goal_pegs[0]
        weights = {"weights": self._best(level)} if between and _is_large(level) else {}
        return self.levels.before(level, **weights) if self.backwards else self.levels.after(level, **weights)

    def mirrored(self, level: Level) -> Level:
        """Return the positions of a level from which a jump leads to a reversed position of the same level.

        The level has one peg more than vacancies. In a row of bits a look-up costs no more than the bounds.
        """
        bounded = _is_large(level) and not self.levels.arrays.sets.dense(level, 0, len(level))
        weights = {"weights": self._best(level)} if bounded else {}
        return self.levels.mirrored(level, **weights)

    @cached_property
    def all(self) -> Weights:
        """The bounds that fit a byte."""
        import numpy as np

        from pegcp.states.kernels.jumps import Weights

        bounds = [self._bound(function) for function in pagodas(self.problem)]
        fits = [
            (weights, least)
            for weights, least in bounds
            if least - _BYTE <= sum(min(w, 0) for w in weights) and sum(max(w, 0) for w in weights) < least + _BYTE
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

    def _best(self, level: Level) -> Weights | None:
        """Return the bounds that exclude most positions one jump from a sample of a level.

        Each is the best for the positions that the others do not exclude.
        """
        arrays, sample = self.levels.arrays, level[:: 1 + len(level) // _SAMPLE].copy()
        excluded = arrays.lighter(arrays.before(sample) if self.backwards else arrays.after(sample), self.all)
        least, columns = _GAIN * len(excluded), list[int]()
        while len(columns) < min(_MOST, excluded.shape[1]):
            counts = excluded.sum(axis=0)
            best = int(counts.argmax())
            if counts[best] <= least:
                break
            columns.append(best)
            excluded = excluded[~excluded[:, best]]
        return type(self.all)(self.all.holes[columns], self.all.least[columns]) if columns else None


def _is_large(level: Level) -> bool:
    return not isinstance(level, list) and len(level) >= _WORTH


class MeetingLevels:
    """Levels that grow from the start and from the goal, the smaller one first, until they meet.

    Where the problem is its own reversal (:mod:`pegcp.theory.reversal`) one end is enough, and half of the levels.
    With ``keep`` all levels are kept, otherwise the last ones alone.
    """

    def __init__(self, levels: Levels, keep: bool) -> None:
        self.levels, self.keep = levels, keep
        self.ahead, self.behind = Bounds(levels), Bounds(levels, backwards=True)
        self.forwards, self.backwards = [levels.level([levels.problem.start.mask])], [levels.last()]
        self.jumps, self.nodes, self.largest = 0, 0, 0  # from the start; positions; the size of the largest level

    def meet(self) -> Level:
        """Return the positions that solutions pass after ``self.jumps`` jumps; none if there is no solution."""
        levels, jumps = self.levels, self.levels.problem.jump_counts[-1]
        one_end = bool(len(self.backwards[0])) and levels.reversal is not None
        for _ in range(jumps // 2 if one_end else jumps):
            if not len(self.forwards[-1]) or not len(self.backwards[-1]):
                break
            if one_end or len(self.forwards[-1]) <= len(self.backwards[-1]):
                self.jumps += 1
                self._grow(self.forwards, self.ahead)
            else:
                self._grow(self.backwards, self.behind)
        last = self.forwards[-1]
        if not one_end:
            return levels.common(last, self.backwards[-1])
        return self.ahead.mirrored(last) if jumps % 2 else levels.common(last, levels.reversed(last))

    def _grow(self, grown: list[Level], bounds: Bounds) -> None:
        grown.append(self.tally(bounds.next(grown[-1])))
        if not self.keep:
            del grown[0]
        sizes = {"forward": len(self.forwards[-1]), "backward": len(self.backwards[-1])}
        self.levels.run.report({"positions": self.nodes, **sizes})

    def tally(self, level: Level) -> Level:
        """Count the positions of a level; return the level."""
        self.nodes += len(level)
        self.largest = max(self.largest, len(level))
        return level
