"""The winnable set of a problem: the positions that can be reached and from which the goal can be reached.

Levels grow forwards from the start and backwards from the goal until they meet; then each end keeps what leads to the
meeting or comes from it. Where a symmetry carries the complement of the start to the goal one end is enough
(:func:`pegcp.states.frame.reversal`), and half of the levels. A goal that can be reached after different numbers of
jumps is met forwards alone.
"""

from __future__ import annotations

from collections.abc import Callable

from pegcp.game import DeadEnd, Jump, Problem
from pegcp.method import Run
from pegcp.states.ends import Bounds, MeetingLevels
from pegcp.states.frame import WORD_HOLES
from pegcp.states.levels import Level, Levels

_MOST_PEGS = 12  # on boards of more than 64 holes; with more, there are most often too many positions


class Winnable:
    """A winnable set, up to the symmetries of the goal.

    ``levels``: the positions by their number of pegs. Of a problem that is its own reversal, the levels with fewer pegs
    than these are those with more, reversed, once somebody asks for them.
    """

    def __init__(self, classes: Levels, levels: dict[int, Level]) -> None:
        self.problem, self.classes, self.levels = classes.problem, classes, levels

    def within(self, run: Run) -> Winnable:
        """Return the same set under the limits of another run."""
        classes = Levels(self.problem, run, self.classes.symmetries)
        return Winnable(classes, {pegs: classes.adopt(level) for pegs, level in self.levels.items()})

    def __len__(self) -> int:
        """Return the number of position classes in the set."""
        return sum(len(self._stored(pegs) or ()) for pegs in range(len(self.problem.board.holes) + 1))

    def _stored(self, pegs: int) -> Level | None:
        """Return the level with this number of pegs, or the one that is reversed to make it; None if it is empty."""
        reversed_pegs = len(self.problem.board.holes) - pegs
        return self.levels.get(pegs, None if self.classes.reversal is None else self.levels.get(reversed_pegs))

    def __contains__(self, position: int) -> bool:
        """Tell whether the goal can be reached from a position (a bit mask) that can be reached itself."""
        if isinstance(self.problem.goal, DeadEnd):
            return True  # every game ends
        return self.classes.canonical(position) in self.level(position.bit_count())

    def solution(self, position: int) -> list[Jump] | None:
        """Return the jumps of a solution from a position, or None if there is none."""
        jumps = []
        while not self.problem.is_goal(position):
            legal = (jump for jump in self.problem.board.jumps if jump.is_legal(position))
            jump = next((jump for jump in legal if position ^ jump.mask in self), None)
            if jump is None:
                return None
            jumps.append(jump)
            position ^= jump.mask
        return jumps

    def level(self, pegs: int) -> Level:
        """Return the positions with this number of pegs, as a level."""
        stored = self._stored(pegs)
        if stored is None:
            return self.classes.of(())
        if pegs not in self.levels:
            self.levels[pegs] = stored.reversed()
        return self.levels[pegs]


_LATEST: list[Winnable] = []  # the last set that was built, if any: games ask for one set again and again


def within_reach(problem: Problem) -> bool:
    """Tell whether it is worth trying to make the winnable set."""
    return len(problem.board.holes) <= WORD_HOLES or len(problem.start) <= _MOST_PEGS


def winnable(problem: Problem, run: Run) -> Winnable:
    """Build the winnable set of a problem, or return it if it was the last one that was built in this process.

    Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    for table in _LATEST:
        if (table.problem.start, table.problem.goal) == (problem.start, problem.goal):
            return table.within(run)
    table = build(problem, run)
    _LATEST[:] = [table]
    return table


def winning_levels(problem: Problem, levels: Levels, run: Run) -> list[Level]:
    """Return all levels with positions from which the goal can be reached, the start's first."""
    if isinstance(problem.goal, DeadEnd):
        return _reached(levels, lambda level: level.after())
    level = winnable(problem, run).level
    return [level(len(problem.start) - jumps) for jumps in range(problem.lengths.stop)]


def build(problem: Problem, run: Run) -> Winnable:
    """Build the winnable set. Raises TimeoutError or MemoryError when the limits of the run are reached."""
    levels = Levels(problem, run)
    winning: list[Level] = []
    if problem.lengths and not isinstance(problem.goal, DeadEnd):
        if problem.targets is None:
            reached = _reached(levels, Bounds(levels).next)
            winning = _leading(reached[:-1], reached[-1].goals(), several=True)
        elif len(levels.last()):  # else the goal is in another position class
            winning = _from_both_ends(levels)
    return Winnable(levels, {len(problem.start) - jumps: level for jumps, level in enumerate(winning) if len(level)})


def _from_both_ends(levels: Levels) -> list[Level]:
    """Return all levels, or the first half of them for a problem that is its own reversal."""
    ends = MeetingLevels(levels, keep=True)
    middle = ends.meet()
    ends.forwards.pop()
    ends.backwards.pop()
    winning = _leading(ends.forwards, middle)
    while ends.backwards:
        winning.append(ends.backwards.pop().following(winning[-1]))
    return winning


def _reached(levels: Levels, following: Callable[[Level], Level]) -> list[Level]:
    """Return the levels from the start on, as long as solutions and as there are positions."""
    reached = [levels.first()]
    for _ in range(levels.problem.lengths.stop - 1):
        level = following(reached[-1])
        if not len(level):
            break
        reached.append(level)
        levels.run.report({"positions": sum(map(len, reached))})
    return reached


def _leading(forwards: list[Level], last: Level, several: bool = False) -> list[Level]:
    """Return the positions of each level that lead to the last one, or with ``several`` to the goals of any level."""
    winning = [last]
    while forwards:
        level = forwards.pop()
        leading = level.leading(winning[-1])
        winning.append(leading.either(level.goals()) if several else leading)
    return winning[::-1]
