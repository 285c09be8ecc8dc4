"""Depth-first search with a table of failed positions, on bit masks.

Complete on any board and for every goal. A position from which the goal cannot be reached is entered in the table,
once for its whole class under the board symmetries that keep the goal, and never searched again. The table is a set of
Python, one of the hash tables of :mod:`pegcp.states.hash_tables`, or left out.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf
from typing import Literal

from pegcp.game import Jump, Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import Answer, Data, Limits, Run, Status, stopped
from pegcp.states.hash_tables import ChainedTable, DoubleTable
from pegcp.theory.pagoda import Stock, stock

ENGINE = "dfs"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(
    problem: Problem,
    run: Run,
    *,
    symmetry: bool = True,
    table: Literal["set", "none", "chained", "double"] = "set",
    size: int = 1009,
) -> Answer:
    """Find a solution or show there is none.

    ``symmetry`` keeps one position of each class under the symmetries of the goal in the table. ``table``: a set of
    Python; none, so that a position may be searched many times; or chained ("open") or double ("closed") hashing, with
    ``size`` slots to begin with. The seed of the run draws the order of the jumps; seed 0 keeps the board's own order.
    """
    hash_tables = {"chained": ChainedTable, "double": DoubleTable}
    positions = hash_tables[table](size) if table in hash_tables else None if table == "none" else set[int]()
    jumps = list(problem.board.jumps)
    if run.limits.seed:
        random.Random(run.limits.seed).shuffle(jumps)
    return Descent(problem, run, symmetry, positions, stock(jumps, {}, []), [(jumps, inf)]).answer()


def grade(problem: Problem) -> int:
    """Return how hard a problem is for this search, from 1, up to 100 nodes, to 5, more than 100,000: the same on any
    machine."""

    def stop_late(progress: Data) -> None:
        if progress["nodes"] > 100_000:
            raise TimeoutError

    answer = search(problem, Run(Limits(time=inf), report=stop_late))
    nodes = answer.statistics["nodes"]
    return next((number for number in range(1, 5) if nodes <= 10 ** (number + 1)), 5)


class Descent:
    """A depth-first search; a node is a jump made.

    It enters failed positions in the table, if there is one, once for each class; without ``symmetry``, each is a class
    of its own. Each jump uses a part of the ``supply``, of which nothing
    may run out. ``orders``: the jumps as they are tried, and after how many nodes the search starts afresh with the
    next order.
    """

    def __init__(
        self,
        problem: Problem,
        run: Run,
        symmetry: bool,
        table: set[int] | ChainedTable | None,
        supply: Stock,
        orders: Iterable[tuple[Sequence[Jump], float]],
    ) -> None:
        self.problem, self.run, self.table, self.supply, self.orders = problem, run, table, supply, orders
        self.key: Callable[[int], int] = canonical_form(problem.goal_symmetries()) if symmetry else int
        self.nodes, self.restarts = 0, -1

    def answer(self) -> Answer:
        """Return a solution, or INFEASIBLE; or UNKNOWN when the time is up."""
        began = time.process_time()
        try:
            jumps = self._solution()
            answer = Answer(Status.INFEASIBLE if jumps is None else Status.SOLVED, jumps=jumps)
        except TimeoutError as error:
            answer = stopped(error)
        table = self.table
        counts = {"stored": len(table)} if isinstance(table, set) else table.statistics() if table is not None else {}
        seconds = time.process_time() - began
        return replace(answer, statistics={"nodes": self.nodes, "cpu_seconds": seconds, **counts})

    def _solution(self) -> tuple[Jump, ...] | None:
        is_goal, guards, table, key = self.problem.is_goal, self.supply.guards, self.table, self.key
        start, most = self.problem.start.mask, self.problem.lengths.stop - 1
        if is_goal(start):
            return ()
        for jumps, nodes in self.orders:
            self.restarts += 1
            flips = [(jump.mask, jump.needs, self.supply.uses[jump], jump) for jump in jumps]
            path: list[Jump] = []
            stack = [(start, self.supply.start, iter(flips if most else ()))]
            limit = self.nodes + nodes
            while stack and self.nodes <= limit:
                position, stock, untried = stack[-1]
                for mask, pegs, use, jump in untried:
                    if position & mask != pegs:
                        continue
                    after, supply = position ^ mask, stock - use
                    if supply & guards != guards or (table is not None and key(after) in table):
                        continue
                    self.nodes += 1
                    path.append(jump)
                    if is_goal(after):
                        return tuple(path)
                    stack.append((after, supply, iter(flips if len(path) < most else ())))
                    if self.nodes % 4096 == 0:
                        self.run.report({"nodes": self.nodes})
                        if not self.run.remaining:
                            raise TimeoutError
                    break
                else:
                    if table is not None:
                        table.add(key(position))
                    stack.pop()
                    del path[-1:]
            if not stack:
                break
        return None
