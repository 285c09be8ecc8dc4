"""Breadth-first search: all positions after one jump, after two, and so on, up to symmetry.

Complete on any board and for every goal. The first level that has a goal position gives the fewest jumps; the best goal
position of all levels is the nearest to what the objective seeks.

The shortest dead end is seen one level before; and where memory does not suffice for the next level, two levels before,
part by part.
"""

from contextlib import suppress
from dataclasses import replace

from pegcp.game import DeadEnd, Objective, Problem
from pegcp.method import Answer, Run, Status, stopped
from pegcp.states.frame import group
from pegcp.states.levels import Level, Levels, ListLevel

ENGINE = "levels"
GOALS = ("exact", "one-peg", "partial", "dead-end", "nearest")
OBJECTIVES = ("any", "fewest-jumps", "fewest-pegs", "nearest")

_PART_POSITIONS = 1 << 22  # positions


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """Find the shortest or the nearest solution, or by exhaustion that there is none.

    ``symmetry`` keeps one position of each class under the symmetries of the goal. The bound on the number of jumps is
    the number of levels finished without a goal.
    """
    levels = _BreadthFirst(problem, run, symmetry)
    try:
        levels.expand()
    except (TimeoutError, MemoryError) as error:
        best = levels.best.jumps if levels.best else None
        return stopped(error, best, bound=levels.bound, statistics=levels.statistics)
    return replace(levels.best or Answer(Status.INFEASIBLE), statistics=levels.statistics)


class _BreadthFirst:
    """The levels so far, and the best solution in them.

    ``finished``: no solution has fewer jumps than this.
    """

    def __init__(self, problem: Problem, run: Run, symmetry: bool) -> None:
        self.problem, self.run = problem, run
        self.levels = Levels(problem, run, group(problem, symmetry))
        self.shortest = problem.objective is Objective.FEWEST_JUMPS
        self.expanded: list[Level] = []
        self.frontier = self.levels.first()  # the positions of the last level from which the search goes on
        self.finished, self.looked_ahead = 0, False
        self.best: Answer | None = None

    @property
    def bound(self) -> int | None:
        """A lower bound on the objective of every solution, if there is one so far."""
        return self.finished if self.shortest else self.problem.least_value if self.best else None

    @property
    def statistics(self) -> dict[str, int]:
        """The numbers of positions and levels."""
        sizes = list(map(len, self.expanded))
        return {"nodes": sum(sizes), "levels": len(sizes), "largest_level": max(sizes, default=0)}

    def expand(self) -> None:
        """Make one level after the other, until no solution can be better than the best or there are no positions."""
        for jumps in range(self.problem.lengths.stop):
            level = self._following() if self.expanded else self.frontier
            self.expanded.append(level)
            goals = level.goals() if jumps in self.problem.lengths else level[:0]
            if not len(level) or (len(goals) and self._keep(jumps, goals)):
                return
            self.finished, self.frontier = jumps + 1, level
            dead_end = self.shortest and isinstance(self.problem.goal, DeadEnd)
            self.looked_ahead = dead_end and not isinstance(level, ListLevel)
            if self.looked_ahead:  # the next level may be several times as large
                ending = level.ending()
                self.frontier = ending[:1] if len(ending) else level  # one position is enough
                self.finished += not len(ending)
            self.run.report({"bound": self.finished, **self.statistics} if self.shortest else self.statistics)

    def _keep(self, jumps: int, goals: Level) -> bool:
        """Keep the best of the goal positions of the last level; return True if no solution can be better."""
        sought, value = self.problem.sought, jumps if self.shortest else None
        position = goals.first
        if sought is not None:
            position = goals.nearest(sought)
            value = sought.distance(position)
        if self.best is None or value is None or value < (self.best.bound or 0):
            solution = tuple(self.levels.lifted(self.levels.trace(self.expanded, position)))
            self.best = Answer(Status.SOLVED if value is None else Status.OPTIMAL, jumps=solution, bound=value)
        return sought is None or value == self.problem.least_value

    def _following(self) -> Level:
        """Return the next level; where memory does not suffice for it, a position before a dead end."""
        with suppress(MemoryError):
            return self.frontier.after()
        if not self.looked_ahead:
            raise MemoryError
        for begin in range(0, len(self.frontier), _PART_POSITIONS):
            ending = self.frontier[begin : begin + _PART_POSITIONS].after().ending()
            if len(ending):
                return ending[:1]
        self.finished += 1
        raise MemoryError
