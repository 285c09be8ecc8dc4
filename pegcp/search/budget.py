"""Depth-first search within jump budgets and pagoda functions, with a table of failed positions.

Kiyomi and Matsui 2001. Every jump has a budget (:mod:`pegcp.theory.budgets`) and uses it up; every pagoda function
has a slack, of which each jump uses a part. A branch ends where something would fall below zero. Jumps are tried in the
order of the share that they use of all budgets and slacks, the cheapest first; ties are broken by the seed.

Budgets and slacks hold for whole solutions, so a position that fails within them fails for good: the table is sound,
whatever way the position is reached. So the search can start afresh with another order of the jumps and keep the table,
which cuts off the heavy tail of unlucky orders (Gomes, Selman and Kautz 1998).
"""

from __future__ import annotations

import random
import time

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import Answer, Reason, Run, Status, stopped
from pegcp.theory.budgets import budgets, by_name, stock
from pegcp.theory.pagoda import PagodaFunction, pagodas

FIRST_NODES = 1000  # before the first restart
GROWTH = 1.3  # of the nodes from one restart to the next

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True, pagoda: bool = True, greedy: bool = True) -> Answer:
    """A solution, or a proof that there is none.

    ``symmetry`` enters failed positions in the table up to the symmetries of the goal; ``pagoda`` cuts by pagoda
    functions; ``greedy`` tries cheap jumps first (otherwise in the board's order, or shuffled if there is a seed).
    """
    began = time.perf_counter()
    if problem.is_goal(problem.start.mask):
        return Answer(Status.SOLVED, jumps=())
    try:
        limits = budgets(problem, run)
        weights = pagodas(problem) if pagoda and limits is not None else []
    except TimeoutError:
        return Answer(Status.UNKNOWN, Reason.TIME, message="time limit while the budgets were computed")
    statistics: dict[str, object] = {"build_seconds": time.perf_counter() - began}
    if limits is None:
        message = "no numbers of jumps add up from the start to the goal"
        return Answer(Status.INFEASIBLE, statistics=statistics, message=message)
    statistics |= {"budgets": by_name(problem, limits), "pagodas": len(weights)}
    descent = _Descent(problem, run, limits, weights, symmetry, greedy)
    try:
        jumps = descent.solution()
    except TimeoutError as error:
        return stopped(error, statistics=statistics | descent.statistics)
    if jumps is None:
        return Answer(Status.INFEASIBLE, statistics=statistics | descent.statistics)
    return Answer(Status.SOLVED, jumps=tuple(jumps), statistics=statistics | descent.statistics)


class _Descent:
    """The search, its order of the jumps and its table."""

    def __init__(
        self,
        problem: Problem,
        run: Run,
        limits: dict[Jump, int],
        weights: list[PagodaFunction],
        symmetry: bool,
        greedy: bool,
    ) -> None:
        self.problem, self.run, self.greedy = problem, run, greedy
        self.key = canonical_form(problem.goal_symmetries()) if symmetry else lambda position: position
        self.failed: set[int] = set()
        self.nodes = self.restarts = 0
        budgeted = [jump for jump in problem.board.jumps if limits[jump] > 0]
        self.stock = stock(budgeted, {jump: limits[jump] for jump in budgeted}, weights)
        self.random = random.Random(run.limits.seed)
        self.order = self._ordered(budgeted, shuffled=run.limits.seed != 0)

    @property
    def statistics(self) -> dict[str, object]:
        """How much was searched so far."""
        return {"nodes": self.nodes, "restarts": self.restarts, "stored": len(self.failed)}

    def _ordered(self, jumps: list[Jump], *, shuffled: bool) -> list[Jump]:
        jumps = self.random.sample(jumps, len(jumps)) if shuffled else jumps
        return sorted(jumps, key=self.stock.share.__getitem__) if self.greedy else jumps

    def _flips(self) -> list[tuple[int, int, int, Jump]]:
        """Of each jump, in the present order, the holes, the pegs that it needs, and what it uses."""
        return [(jump.mask, jump.needs, self.stock.uses[jump], jump) for jump in self.order]

    def solution(self) -> list[Jump] | None:
        """The jumps of a solution, or None if there is none. Raises TimeoutError."""
        flips = self._flips()
        is_goal, key, failed, guards = self.problem.is_goal, self.key, self.failed, self.stock.guards
        start, most = (self.problem.start.mask, self.stock.start), self.problem.jump_counts[-1]
        path: list[Jump] = []
        stack = [(*start, iter(flips))]
        nodes, last = float(FIRST_NODES), FIRST_NODES
        while stack:
            position, left, untried = stack[-1]
            for mask, pegs, use, jump in untried:
                if position & mask != pegs:
                    continue
                rest = left - use
                if rest & guards != guards:
                    continue
                after = position ^ mask
                if is_goal(after):
                    return [*path, jump]
                if key(after) in failed:
                    continue
                self.nodes += 1
                if self.nodes > last:  # afresh, with another order of the jumps
                    self.restarts += 1
                    nodes *= GROWTH
                    last = self.nodes + int(nodes)
                    self.order = self._ordered(self.order, shuffled=True)
                    flips = self._flips()
                    path, stack = [], [(*start, iter(flips))]
                    break
                if self.nodes % 4096 == 0:
                    self.run.report({"nodes": self.nodes, "stored": len(failed)})
                    if self.run.remaining <= 0:
                        raise TimeoutError
                path.append(jump)
                stack.append((after, rest, iter(flips if len(path) < most else ())))
                break
            else:
                failed.add(key(position))
                stack.pop()
                if path:
                    path.pop()
        return None
