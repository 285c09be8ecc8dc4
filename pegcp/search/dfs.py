"""Depth-first search with a table of failed positions, on bit masks.

Complete on any board and for every goal. A position from which the goal cannot be reached is entered in the table,
once for its whole class under the board symmetries that keep the goal, and never searched again. Counting keeps the
number of solutions from each position instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.notions import SEQUENCES
from pegcp.game.problem import Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import Answer, Reason, Run, Status
from pegcp.search._listing import listed

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "count")


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """Find a solution or show there is none; or count the jump sequences that end in the goal.

    ``symmetry`` keeps one position of each class under the symmetries of the goal in the table.
    """
    table = _Table(problem, run, symmetry)
    if run.listing is not None:
        return listed(problem, run, table.reaches)
    try:
        jumps, count = table.count_all() if problem.objective is Objective.COUNT else (table.first(), None)
    except TimeoutError:
        return Answer(Status.UNKNOWN, Reason.TIME, statistics=table.statistics, message="time limit")
    statistics = table.statistics
    if jumps is None:
        return Answer(Status.INFEASIBLE, statistics=statistics)
    if count is not None:
        return Answer(Status.OPTIMAL, jumps=tuple(jumps), objective=count, statistics=statistics, counted=SEQUENCES)
    return Answer(Status.SOLVED, jumps=tuple(jumps), statistics=statistics)


class _Table:
    """The search and its table. A node is a position entered."""

    def __init__(self, problem: Problem, run: Run, symmetry: bool) -> None:
        self.problem = problem
        self.run = run
        self.key: Callable[[int], int] = canonical_form(problem.goal_symmetries()) if symmetry else lambda p: p
        self.jumps = [(jump.mask, jump.needs, jump) for jump in problem.board.jumps]
        self.least = problem.start.mask.bit_count() - problem.jump_counts[-1]
        self.failed: set[int] = set()
        self.good: set[int] = set()  # from which a solution was found
        self.nodes = 0
        self.stored = 0

    @property
    def statistics(self) -> dict[str, int]:
        """Nodes and stored positions so far."""
        return {"nodes": self.nodes, "stored": self.stored}

    def enter(self, position: int) -> Iterator[tuple[int, Jump]]:
        """Count a node; the positions one jump on, none below the pegs that the goal needs."""
        self.nodes += 1
        if self.nodes % 4096 == 0:
            self.run.report({"nodes": self.nodes, "stored": self.stored})
            if self.run.remaining <= 0:
                raise TimeoutError
        if position.bit_count() <= self.least:
            return iter(())
        return ((position ^ mask, jump) for mask, pegs, jump in self.jumps if position & mask == pegs)

    def first(self) -> list[Jump] | None:
        """A solution, or None if there is none."""
        return self._solution(self.problem.start.mask)

    def reaches(self, position: int) -> bool:
        """Whether the goal can be reached from a position."""
        return self.key(position) in self.good or self._solution(position) is not None

    def _solution(self, start: int) -> list[Jump] | None:
        """The jumps of a solution from a position, or None if there is none."""
        problem, key = self.problem, self.key
        if problem.is_goal(start):
            return []
        if key(start) in self.failed:
            return None
        path: list[Jump] = []
        stack = [(start, self.enter(start))]
        while stack:
            position, successors = stack[-1]
            for after, jump in successors:
                if problem.is_goal(after):
                    self.good.update(key(before) for before, _ in stack)
                    return [*path, jump]
                if key(after) not in self.failed:
                    path.append(jump)
                    stack.append((after, self.enter(after)))
                    break
            else:
                self.failed.add(key(position))
                self.stored = len(self.failed)
                stack.pop()
                if path:
                    path.pop()
        return None

    def count_all(self) -> tuple[list[Jump] | None, int]:
        """A solution and the number of all solutions."""
        problem, key = self.problem, self.key
        counts: dict[int, int] = {}
        stack = [problem.start.mask]
        while stack:
            position = stack[-1]
            if key(position) in counts:
                stack.pop()
                continue
            successors = list(self.enter(position))
            unknown = [after for after, _ in successors if key(after) not in counts]
            if unknown:
                stack += unknown
                continue
            counts[key(position)] = problem.is_goal(position) + sum(counts[key(after)] for after, _ in successors)
            self.stored = len(counts)
            stack.pop()
        total = counts[key(problem.start.mask)]
        if not total:
            return None, 0
        path: list[Jump] = []
        position = problem.start.mask
        while not problem.is_goal(position):
            position, jump = next((p, j) for p, j in self.enter(position) if counts[key(p)])
            path.append(jump)
        return path, total
