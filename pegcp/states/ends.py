"""Levels from either end of a problem, until they meet, without positions that pagoda functions exclude.

The weight of the pegs never grows (:mod:`pegcp.theory.pagoda`), so a position that weighs less than the goal does not
lead to it, and one that weighs more than the start does not come from it. A sample of each level decides which of the
functions that limit the jumps of the problem are used: the eight that exclude most of the positions one jump from it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pegcp.game import Exact, Position, Problem
from pegcp.game.symmetry import image
from pegcp.states.levels import Level, Levels, ListLevel
from pegcp.theory.pagoda import pagodas, weight

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pegcp.states.array_level import ArrayLevel
    from pegcp.states.kernels.jumps import Scales

BOUND_POSITIONS = 2_000_000  # positions from which on a level is worth the linear programs, and loading their solver
_SAMPLE_POSITIONS = 512  # positions
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
        if isinstance(level, ListLevel) or len(level) < BOUND_POSITIONS:
            return level.before() if self.backwards else level.after()
        pegs = level.first.bit_count()
        between = pegs < len(self.problem.start) if self.backwards else pegs > self.problem.goal_pegs[0]
        scales = self._best(level) if between else None
        return level.before(scales) if self.backwards else level.after(scales)

    def mirrored(self, level: Level) -> Level:
        """Return the positions of a level from which a jump leads to a reversed position of the same level.

        The level has one peg more than vacancies. In a row of bits a look-up costs no more than the bounds.
        """
        turned = level.reversed()
        if isinstance(level, ListLevel) or level.is_dense() or len(level) < BOUND_POSITIONS:
            return level.leading(turned)
        return level.leading(self.next(level).common(turned))

    @cached_property
    def all(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The bounds that fit a byte: a row with the weights of the holes for each, and the least weights.

        Backwards these are the greatest, as negative numbers.
        """
        import numpy as np

        from pegcp.states.words import pegs

        functions, start, holes = pagodas(self.problem), self.problem.start.mask, len(self.problem.board.holes)
        weights = np.array([function.weights for function in functions], np.int64).reshape(-1, holes)
        if self.backwards:
            # A position stands for its class: some image of it can be reached.
            images = np.array([image(p, start) for p in self.levels.symmetries], np.uint64)
            weights = -weights
            least = (weights @ np.array([*pegs(images, holes)])).min(axis=1)
        else:
            least = np.array([weight(function.weights, start) - function.slack for function in functions], np.int64)
        lightest, heaviest = weights.clip(max=0).sum(axis=1), weights.clip(min=0).sum(axis=1)
        fits = (least - _BYTE_WEIGHT <= lightest) & (heaviest < least + _BYTE_WEIGHT)
        return weights[fits], least[fits]

    def _best(self, level: ArrayLevel) -> Scales | None:
        """Return the bounds that exclude most positions one jump from a sample of a level.

        Each is the best for the positions that the others do not exclude.
        """
        import numpy as np

        from pegcp.states.kernels.jumps import MOST_BOUNDS, scales
        from pegcp.states.words import pegs

        weights, least = self.all
        sample, board = level[:: 1 + len(level) // _SAMPLE_POSITIONS], self.problem.board
        after = (sample.before() if self.backwards else sample.after()).words
        excluded = weights @ np.array([*pegs(after, len(board.holes))]) < least[:, None]
        chosen = list[int]()
        while len(chosen) < min(MOST_BOUNDS, len(least)):
            counts = excluded.sum(axis=1)
            best = int(counts.argmax())
            if counts[best] <= _LEAST_SHARE * len(after):
                break
            chosen.append(best)
            excluded = excluded[:, ~excluded[best]]
        return scales(board, weights[chosen], least[chosen]) if chosen else None


class MeetingLevels:
    """Levels that grow from the start and from the goal, the smaller one first, until they meet.

    Where the problem is its own reversal (:func:`pegcp.states.frame.reversal`) one end is enough, and half of the
    levels. With ``keep`` all levels are kept, otherwise the last ones alone.
    """

    def __init__(self, levels: Levels, keep: bool) -> None:
        self.levels, self.keep = levels, keep
        self.ahead, self.behind = Bounds(levels), Bounds(levels, backwards=True)
        self.forwards, self.backwards = [levels.first()], [levels.last()]
        self.jumps, self.nodes, self.largest = 0, 0, 0  # from the start; positions; the size of the largest level

    def meet(self) -> Level:
        """Return the positions that solutions pass after ``self.jumps`` jumps; none if there is no solution."""
        levels, jumps = self.levels, self.levels.problem.lengths[-1]
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
            return last.common(self.backwards[-1])
        return self.ahead.mirrored(last) if jumps % 2 else last.common(last.reversed())

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
