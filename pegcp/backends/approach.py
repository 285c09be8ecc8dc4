"""Ending as near as possible to a position: horizon by horizon, each minimised, until a bound says that it is enough.

A few rounds nearly always hold a nearest solution, but only the last horizon holds all solutions. The whole problem is
bounded by the jump counts: how often jumps are made, whatever their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pegcp.backends.book import Book, Horizon
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.theory.counts import JumpCounts
from pegcp.theory.equations import Equations

BOUND_SHARE = 0.2  # of the time, for the bound

# Minimise the model of a horizon, looking only for values in a range. OPTIMAL and INFEASIBLE are about that model.
Minimise = Callable[[Horizon, range], Answer]


def approach(problem: Problem, book: Book, minimise: Minimise, run: Run) -> Answer:
    """The solution that ends nearest to what the objective seeks, with a bound for all solutions."""
    if not book.open:
        return Answer(Status.INFEASIBLE)
    bound = Equations(JumpCounts(problem)).nearest(run.remaining * BOUND_SHARE)
    run.report({} if bound is None else {"bound": bound})
    sought = problem.sought
    assert sought is not None
    wanted = range(bound or 0, sum(sought.weights) + 1)
    best: Answer | None = None
    for horizon in book.tried:
        found = minimise(horizon, wanted)
        if found.jumps is not None:
            best = replace(found, bound=bound)
            wanted = range(wanted.start, problem.value(found.jumps) or 0)
            if not wanted:
                return replace(best, status=Status.OPTIMAL, reason=Reason.COMPLETED, message="")
        if found.status not in (Status.OPTIMAL, Status.INFEASIBLE):
            reason = found.reason if found.reason is not Reason.COMPLETED else Reason.TIME
            if best is None:
                return replace(found, bound=bound)
            return replace(best, status=Status.SOLVED, reason=reason, message=found.message)
    if best is None:
        return book.refuted()
    if not book.complete:
        return replace(best, status=Status.SOLVED)
    return replace(best, status=Status.OPTIMAL, bound=problem.value(best.jumps or ()))
