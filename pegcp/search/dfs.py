"""Depth-first search with a table of failed positions, on bit masks.

Complete on any board and for every goal. A position from which the goal cannot be reached is entered in the table,
once for its whole class under the board symmetries that keep the goal, and never searched again. Counting keeps the
number of solutions from each position instead.
"""

from __future__ import annotations

from collections.abc import Callable

from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import OUT_OF_TIME, SEQUENCES, Answer, Run, Status
from pegcp.search._depth_first import depth_first

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "count")


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """Find a solution or show there is none; or count the jump sequences that end in the goal.

    ``symmetry`` keeps one position of each class under the symmetries of the goal in the table.
    """
    key: Callable[[int], int] = canonical_form(problem.goal_symmetries()) if symmetry else lambda position: position
    if problem.objective is Objective.COUNT:
        return _counted(problem, run, key)
    return depth_first(problem, run, _Failed(key))


class _Failed:
    """The table: one position of each class."""

    def __init__(self, key: Callable[[int], int]) -> None:
        self.key, self.positions = key, set[int]()

    def __contains__(self, position: int) -> bool:
        return self.key(position) in self.positions

    def add(self, position: int) -> None:
        """Enter a position."""
        self.positions.add(self.key(position))

    def statistics(self) -> dict[str, float]:
        """How many there are."""
        return {"stored": len(self.positions)}


def _counted(problem: Problem, run: Run, key: Callable[[int], int]) -> Answer:
    """The number of solutions, and one of them. A node is a position looked at."""
    least = len(problem.start) - problem.jump_counts[-1]
    flips = [(jump.mask, jump.needs) for jump in problem.board.jumps]
    counts: dict[int, int] = {}
    nodes = 0
    stack = [problem.start.mask]
    while stack:
        position = stack[-1]
        if key(position) in counts:
            stack.pop()
            continue
        nodes += 1
        if nodes % 4096 == 0:
            run.report({"nodes": nodes, "stored": len(counts)})
            if run.remaining <= 0:
                return OUT_OF_TIME
        onward = flips if position.bit_count() > least else ()
        after = [key(position ^ mask) for mask, needs in onward if position & mask == needs]
        if all(later in counts for later in after):
            counts[key(position)] = problem.is_goal(position) + sum(counts[later] for later in after)
            stack.pop()
        stack += [later for later in after if later not in counts]
    number = counts[key(problem.start.mask)]
    statistics = {"nodes": nodes, "stored": len(counts)}
    if not number:
        return Answer(Status.INFEASIBLE, statistics=statistics)
    path: list[Jump] = []
    position = problem.start.mask
    while not problem.is_goal(position):
        legal = (jump for jump in problem.board.jumps if jump.is_legal(position))
        path.append(next(jump for jump in legal if counts.get(key(position ^ jump.mask))))
        position ^= path[-1].mask
    return Answer(Status.OPTIMAL, jumps=tuple(path), objective=number, statistics=statistics, counted=SEQUENCES)
