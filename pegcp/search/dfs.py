"""Depth-first search with a table of failed positions, on bit masks.

Complete on any board and for every goal. A position from which the goal cannot be reached is entered in the table,
once for its whole class under the board symmetries that keep the goal, and never searched again. The variants
``dfs-plain``, ``dfs-chained`` and ``dfs-double`` differ in the table alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import Answer, Reason, Run, Status
from pegcp.states.hash_tables import ChainedTable, DoubleTable

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """Find a solution or show there is none.

    ``symmetry`` keeps one position of each class under the symmetries of the goal in the table.
    """
    key: Callable[[int], int] = canonical_form(problem.goal_symmetries()) if symmetry else lambda position: position
    return depth_first(problem, run, Failed(key))


class Failed:
    """A table with one position of each class; ``key`` carries a position to that one."""

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


def depth_first(problem: Problem, run: Run, table: Failed | ChainedTable | DoubleTable | None) -> Answer:
    """Try the jumps of each position one after the other; enter in the table, if there is one, positions that failed.

    The jumps are tried in an order drawn by the seed of the run; seed 0 is the board's own order. Complete for
    every goal.
    """
    jumps = list(problem.board.jumps)
    if run.limits.seed:
        random.Random(run.limits.seed).shuffle(jumps)
    flips = [(jump.mask, jump.needs, jump) for jump in jumps]
    is_goal, stored = problem.is_goal, table if table is not None else ()
    most = problem.jump_counts.stop - 1
    nodes = 0
    path: list[Jump] = []
    cpu = time.process_time()

    def answer(status: Status, reason: Reason = Reason.COMPLETED, **about: Any) -> Answer:
        statistics: dict[str, float] = {
            "nodes": nodes,
            "cpu_seconds": time.process_time() - cpu,
            **(table.statistics() if table is not None else {}),
        }
        solution = tuple(path) if status is Status.SOLVED else None
        return Answer(status, reason, solution, statistics=statistics, **about)

    if is_goal(problem.start.mask):
        return answer(Status.SOLVED)
    position = problem.start.mask
    stack = [(position, iter(flips if most else ()))]
    while stack:
        position, untried = stack[-1]
        for mask, pegs, jump in untried:
            if position & mask != pegs:
                continue
            after = position ^ mask
            if after in stored:
                continue
            nodes += 1
            path.append(jump)
            if is_goal(after):
                return answer(Status.SOLVED)
            stack.append((after, iter(flips if len(path) < most else ())))
            if nodes % 4096 == 0:
                run.report({"nodes": nodes})
                if run.remaining <= 0:
                    return answer(Status.UNKNOWN, Reason.TIME, message="time limit")
            break
        else:
            if table is not None:
                table.add(position)
            stack.pop()
            if path:
                path.pop()
    return answer(Status.INFEASIBLE)
