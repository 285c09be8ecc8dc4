"""Bidirectional breadth-first search: levels forward from the start and backward from the goal, until they meet.

Both grow by the smaller frontier, and large ones lose the positions that pagoda functions exclude
(:mod:`pegcp.states.bounds`). A goal of one peg anywhere starts backward from every single peg that the position classes
allow. Where a symmetry carries the complement of the start to the goal, one end is enough
(:mod:`pegcp.theory.reversal`). Complete.

Only the frontiers are kept. How a solution leads to the position where they met, and on from there, is found by the
same search between fewer jumps (Korf, Zhang, Thayer and Hohwald, Frontier search, Journal of the ACM 52, 2005).
"""

from __future__ import annotations

from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.states.bounds import Bounds
from pegcp.states.levels import Levels, group, stopped
from pegcp.states.positions import Level, first

GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """A solution, or a proof that there is none; ``symmetry``: up to the symmetries of the goal."""
    ends = _Ends(problem, run, symmetry)

    def statistics() -> dict[str, int]:
        return {"nodes": ends.nodes, "largest_level": ends.largest}

    try:
        path = ends.path()
    except (TimeoutError, MemoryError) as error:
        return stopped(error, statistics=statistics())
    if path is None:
        return Answer(Status.INFEASIBLE, statistics=statistics())
    return Answer(Status.SOLVED, jumps=tuple(ends.levels.lifted(path)), statistics=statistics())


class _Ends:
    """The search. A node is a position of a level."""

    def __init__(self, problem: Problem, run: Run, symmetry: bool) -> None:
        self.problem, self.run = problem, run
        self.levels = Levels(problem, run, group(problem, symmetry))
        self.ahead, self.behind = Bounds(self.levels), Bounds(self.levels, backwards=True)
        self.nodes = self.largest = 0

    def path(self) -> list[int] | None:
        """The positions of a solution, or None if there is none."""
        problem, jumps = self.problem, self.problem.jump_counts[-1]
        start, last = self.levels.level([problem.start.mask]), self.levels.last()
        one_end = len(last) and self.levels.reversal is not None
        meeting = self._half_way(start, jumps) if one_end else self._meeting(start, last, jumps)
        if meeting is None:
            return None
        position, made = meeting
        return self._between(start, [position], made) + self._between([position], last, jumps - made)[1:]

    def _half_way(self, start: Level, jumps: int) -> tuple[int, int] | None:
        """A position half-way, where the problem is its own reversal, and how many jumps lead there; or None."""
        level = start
        for _ in range(jumps // 2):
            level = self._counted(self.ahead.next(level))
            self.run.report({"forward": len(level)})
        found = self.behind.mirrored(level) if jumps % 2 else self.levels.common(level, self.levels.reversed(level))
        return (first(found), jumps // 2) if len(found) else None

    def _meeting(self, start: Level, last: Level, jumps: int) -> tuple[int, int] | None:
        """A position that levels from both ends have in common, and how many jumps lead there; or None."""
        made = 0
        for _ in range(jumps):
            if not len(start) or not len(last):
                return None
            if len(start) <= len(last):
                start = self._counted(self.ahead.next(start))
                made += 1
            else:
                last = self._counted(self.behind.next(last))
            self.run.report({"forward": len(start), "backward": len(last)})
        found = self.levels.common(start, last)
        return (first(found), made) if len(found) else None

    def _counted(self, level: Level) -> Level:
        self.nodes += len(level)
        self.largest = max(self.largest, len(level))
        return level

    def _between(self, start: Level, last: Level, jumps: int) -> list[int]:
        """A path of ``jumps`` jumps from a position of one level to one of another. There must be one."""
        if not jumps:
            return [first(self.levels.common(start, last))]
        if jumps == 1:
            there = first(self.levels.common(self.levels.after(start), last))
            return [first(self.levels.common(self.levels.before([there]), start)), there]
        fore, back, half = start, last, jumps // 2
        for _ in range(half):
            fore = self._counted(self.ahead.next(fore))
        for _ in range(jumps - half):
            back = self._counted(self.behind.next(back))
        middle = [first(self.levels.common(fore, back))]
        return self._between(start, middle, half) + self._between(middle, last, jumps - half)[1:]
