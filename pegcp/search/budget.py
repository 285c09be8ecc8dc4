"""Depth-first search within jump budgets and pagoda functions, with a table of failed positions.

Kiyomi and Matsui 2001. Every jump has a budget (:mod:`pegcp.theory.pagoda`) and uses it up; every pagoda function
has a slack, of which each jump uses a part. A branch ends where something would fall below zero. Jumps are tried in the
order of the share that they use of all budgets and slacks, the cheapest first; ties are broken by the seed.

Budgets and slacks hold for whole solutions, so a position that fails within them fails for good: the table is sound,
whatever way the position is reached. So the search can start afresh with another order of the jumps and keep the table,
which cuts off the heavy tail of unlucky orders (Gomes, Selman and Kautz 1998).
"""

import random
import time
from collections.abc import Iterator
from dataclasses import replace

from pegcp.game import Jump, Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.search.dfs import Descent
from pegcp.theory.pagoda import Stock, budgets, by_name, pagodas, stock

FIRST_NODES = 1000  # before the first restart
GROWTH = 1.3  # of the nodes from one restart to the next

ENGINE = "dfs"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True, pagoda: bool = True, greedy: bool = True) -> Answer:
    """Find a solution, or that there is none.

    ``symmetry`` enters failed positions in the table up to the symmetries of the goal; ``pagoda`` cuts by pagoda
    functions; ``greedy`` tries cheap jumps first (otherwise in the board's order, or shuffled if there is a seed).
    """
    began = time.perf_counter()
    if problem.is_goal(problem.start.mask):
        return Answer(Status.SOLVED, jumps=())
    try:
        limits = budgets(problem, run.remaining)
        weights = pagodas(problem) if pagoda and limits is not None else []
    except TimeoutError:
        return Answer(Status.UNKNOWN, Reason.TIME, message="time limit while the budgets were computed")
    statistics: dict[str, object] = {"build_seconds": time.perf_counter() - began}
    if limits is None:
        return Answer(
            Status.INFEASIBLE,
            statistics=statistics,
            message="no numbers of jumps add up from the start to the goal",
        )
    statistics |= {"budgets": by_name(problem, limits), "pagodas": len(weights)}
    budgeted = {jump: limits[jump] for jump in problem.board.jumps if limits[jump] > 0}
    supply = stock(list(budgeted), budgeted, weights)
    descent = Descent(problem, run, symmetry, set(), supply, _orders(supply, run.limits.seed, greedy=greedy))
    answer = descent.answer()
    return replace(answer, statistics={**statistics, **answer.statistics, "restarts": descent.restarts})


def _orders(supply: Stock, seed: int, *, greedy: bool) -> Iterator[tuple[list[Jump], float]]:
    """Yield orders of the jumps, each for more nodes than the one before."""
    source, jumps, nodes, shuffled = random.Random(seed), list(supply.uses), float(FIRST_NODES), seed != 0
    while True:
        if shuffled:
            jumps = source.sample(jumps, len(jumps))
        if greedy:
            jumps.sort(key=supply.share.__getitem__)
        yield jumps, int(nodes)
        nodes, shuffled = nodes * GROWTH, True
