"""Levels without positions that pagoda functions exclude: they cannot be reached, or do not lead to the goal.

The weight of the pegs never grows (:mod:`pegcp.theory.pagoda`), so a position that weighs less than the goal does not
lead to it, and one that weighs more than the start does not come from it. Of the functions that limit the jumps of the
problem, those are taken for a level that exclude most of what is one jump from a sample of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pegcp.game.goal import Exact
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.symmetry import image
from pegcp.states.levels import Levels
from pegcp.states.positions import Level, first
from pegcp.theory.pagoda import PagodaFunction, pagodas, weight

if TYPE_CHECKING:
    from pegcp.states.jump_tables import Weights

_WORTH = 2_000_000  # positions from which on a level is worth the linear programs, and loading their solver
_SAMPLE = 512  # positions
_MOST = 32  # functions
_GAIN = 0.002  # of what follows a sample: what a function must exclude to be taken
_BYTE = 128


def narrowed(problem: Problem) -> Problem:
    """The problem between the jumps that every solution begins with and those that every solution ends with.

    While only one jump is possible, it is made. While only one jump can be the last one before the goal, an exact
    position, it is taken back.
    """
    board, start, goal = problem.board, problem.start.mask, problem.goal
    end = goal.pegs if isinstance(goal, Exact) else 0
    while not problem.is_goal(start):
        first = [jump for jump in board.jumps if jump.is_legal(start)]
        if len(first) != 1:
            break
        start ^= first[0].mask
    while isinstance(goal, Exact) and end.bit_count() < start.bit_count():
        last = [jump for jump in board.jumps if end & jump.mask == 1 << jump.to]
        if len(last) != 1:
            break
        end ^= last[0].mask
    return replace(problem, start=Position(board, start), goal=Exact(end) if isinstance(goal, Exact) else goal)


class Bounds:
    """The bounds of a problem on positions, forwards from the start or ``backwards`` from the goal.

    They are those of the problem between the jumps that are forced, since these are all made when levels are large.
    """

    def __init__(self, levels: Levels, backwards: bool = False) -> None:
        self.levels, self.backwards = levels, backwards
        self.problem = narrowed(levels.problem)

    def next(self, level: Level) -> Level:
        """The positions one jump after a level, or before it; the bounds exclude some where the level is large."""
        if isinstance(level, list) or len(level) < _WORTH:
            return self.levels.before(level) if self.backwards else self.levels.after(level)
        pegs, least = first(level).bit_count(), self.problem.goal_pegs[0]
        between = pegs < len(self.problem.start) if self.backwards else pegs > least
        step = self.levels.arrays.before if self.backwards else self.levels.arrays.after
        return step(level, self._chosen(_sample(level)) if between else None)

    def mirrored(self, level: Level) -> Level:
        """See :meth:`Levels.mirrored`; large levels without the jumps that the bounds exclude."""
        if isinstance(level, list) or len(level) < _WORTH or self.levels.arrays.sets.dense(level, 0, len(level)):
            return self.levels.mirrored(level)  # in a row of bits a look-up costs no more than the bounds
        return self.levels.arrays.mirrored(level, self._chosen(_sample(level)))

    @cached_property
    def all(self) -> Weights:
        """The bounds that fit a byte."""
        import numpy as np

        from pegcp.states.jump_tables import Weights

        bounds = [self._bound(function) for function in pagodas(self.problem)]
        fits = [
            (weights, least)
            for weights, least in bounds
            if least - _BYTE <= sum(min(w, 0) for w in weights) and sum(max(w, 0) for w in weights) < least + _BYTE
        ]
        weights = np.array([weights for weights, _ in fits], np.int16).reshape(-1, len(self.problem.board.holes))
        return Weights(weights, np.array([least for _, least in fits], np.int16))

    def _bound(self, function: PagodaFunction) -> tuple[tuple[int, ...], int]:
        """Weights, and the least that a position may weigh. Backwards the most: as the least of negative weights."""
        weights, start = function.weights, self.problem.start.mask
        if not self.backwards:
            return weights, weight(weights, start) - function.slack
        # A position stands for its class: what can be reached is an image of it.
        most = max(weight(weights, image(p, start)) for p in self.levels.symmetries)
        return tuple(-w for w in weights), -most

    def _chosen(self, sample: Level) -> Weights | None:
        """The bounds that exclude most of what is one jump from a sample; each the best for what the others leave."""
        arrays = self.levels.arrays
        excluded = arrays.lighter(arrays.before(sample) if self.backwards else arrays.after(sample), self.all)
        enough, chosen = _GAIN * len(excluded), list[int]()
        while len(chosen) < min(_MOST, excluded.shape[1]):
            counts = excluded.sum(axis=0)
            best = int(counts.argmax())
            if counts[best] <= enough:
                break
            chosen.append(best)
            excluded = excluded[~excluded[:, best]]
        return type(self.all)(self.all.holes[chosen], self.all.least[chosen]) if chosen else None


def _sample(level: Level) -> Level:
    """Some positions of a level."""
    return level[:: 1 + len(level) // _SAMPLE].copy()


class MeetingLevels:
    """Levels that grow from the start and from the goal, the smaller one first, until they meet.

    Where the problem is its own reversal (:mod:`pegcp.theory.reversal`) one end is enough, and half of the levels.
    ``kept``: whether all levels are kept, or the last ones alone.
    """

    def __init__(self, levels: Levels, kept: bool) -> None:
        self.levels, self.kept = levels, kept
        self.ahead, self.behind = Bounds(levels), Bounds(levels, backwards=True)
        self.forwards, self.backwards = [levels.level([levels.problem.start.mask])], [levels.last()]
        self.made, self.nodes, self.largest = 0, 0, 0  # jumps from the start; positions; the largest level

    def meet(self) -> Level:
        """The positions where the levels meet, which solutions pass after ``made`` jumps; none without a solution."""
        levels, jumps = self.levels, self.levels.problem.jump_counts[-1]
        one_end = bool(len(self.backwards[0])) and levels.reversal is not None
        for _ in range(jumps // 2 if one_end else jumps):
            if not len(self.forwards[-1]) or not len(self.backwards[-1]):
                break
            if one_end or len(self.forwards[-1]) <= len(self.backwards[-1]):
                self.made += 1
                self._grow(self.forwards, self.ahead)
            else:
                self._grow(self.backwards, self.behind)
        last = self.forwards[-1]
        if not one_end:
            return levels.common(last, self.backwards[-1])
        return self.ahead.mirrored(last) if jumps % 2 else levels.common(last, levels.reversed(last))

    def _grow(self, grown: list[Level], bounds: Bounds) -> None:
        grown.append(self.tally(bounds.next(grown[-1])))
        if not self.kept:
            del grown[0]
        sizes = {"forward": len(self.forwards[-1]), "backward": len(self.backwards[-1])}
        self.levels.run.report({"positions": self.nodes, **sizes})

    def tally(self, level: Level) -> Level:
        """Count the positions of a level that was made; the level."""
        self.nodes += len(level)
        self.largest = max(self.largest, len(level))
        return level
