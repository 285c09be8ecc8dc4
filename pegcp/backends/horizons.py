"""The book of a run over the horizons of a model: which of them are refuted, and what that proves of the problem.

An attempt at one horizon says something about one model only. All conclusions about the problem are drawn here:
a bound, an optimum, that there is no solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from math import inf

from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Number, Reason, Run, Status
from pegcp.theory.equations import Equations
from pegcp.theory.jump_counts import JumpCounts

Horizon = int | None  # None: the model has no horizon
# Solve the model of a horizon for some seconds. The answer is about that model; UNKNOWN with reason TIME is no answer.
Attempt = Callable[[Horizon, float], Answer]
# Minimise the model of a horizon, looking only for values in a range. OPTIMAL and INFEASIBLE are about that model.
Minimise = Callable[[Horizon, range], Answer]
BOUND_SHARE = 0.2  # of the time of an approach, for the bound


class Book:
    """The horizons that are not refuted, rising.

    ``measured``: a solution with a horizon has that value of the objective. ``complete``: every solution has one of
    the horizons. Raises InputError if the horizons do not rise.
    """

    def __init__(self, horizons: Iterable[Horizon], *, measured: bool = False, complete: bool = True) -> None:
        self.tried = tuple(horizons)
        self.open = list(self.tried)
        self.proved: Number | None = None  # the best bound that a solver has proved of the only model
        self.measured, self.complete = measured, complete
        for one, other in pairwise(self.tried):
            if one is None or other is None or one >= other:
                raise InputError(f"the horizons of a model must rise, not go from {one} to {other}")

    @property
    def bound(self) -> Number | None:
        """The least value that the objective can still have: the first horizon that is not refuted. None if unknown."""
        return self.open[0] if self.measured and self.complete and self.open else self.proved

    @property
    def whole(self) -> bool:
        """Whether the model of the only horizon has every solution, so that what is proved of it holds altogether."""
        return self.complete and len(self.tried) == 1

    @property
    def refuted_horizons(self) -> list[int]:
        """The horizons with which there is no solution."""
        return [horizon for horizon in self.tried if horizon is not None and horizon not in self.open]

    def refute(self, horizon: Horizon) -> None:
        """Note that there is no solution with this horizon."""
        self.open.remove(horizon)

    def stopped(self, found: Answer) -> None:
        """Note what an attempt has proved that was stopped."""
        if self.whole and found.bound is not None:
            self.proved = max(found.bound, self.proved or found.bound)

    def solved(self, horizon: Horizon, found: Answer) -> Answer:
        """What a solution with this horizon says about the problem."""
        if self.measured:
            optimal = horizon is not None and horizon == self.bound
            return replace(
                found, status=Status.OPTIMAL if optimal else Status.SOLVED, reason=Reason.COMPLETED, bound=self.bound
            )
        if self.whole:
            return found
        return replace(found, status=Status.SOLVED, reason=Reason.COMPLETED, bound=None)

    def refuted(self) -> Answer:
        """What it says about the problem that all horizons are refuted."""
        if self.complete:
            return Answer(Status.INFEASIBLE)
        return Answer(Status.UNKNOWN, message=f"no solution with horizon {self.tried[0]}")


def solve(book: Book, attempt: Attempt, run: Run, first_turn: float = inf) -> Answer:
    """Attempt horizon after horizon until there is an answer or the time is over.

    A measured horizon has all the time, and the next one waits until it is refuted: whatever an attempt at the next one
    found, it would prove nothing. Other horizons are only different ways to the same answer: they take turns, twice as
    long each time round, and each time round lets one more of them in (compare Rintanen, Heljanko and Niemela 2006,
    algorithm B).
    """
    admitted, turn = 1, first_turn
    while book.open:
        for horizon in book.open[: 1 if book.measured else admitted]:
            left = run.remaining
            if left <= 0:
                return replace(OUT_OF_TIME, bound=book.bound)
            alone = book.measured or len(book.open) == 1
            found = attempt(horizon, left if alone else min(turn, left))
            if found.jumps is not None:
                return book.solved(horizon, found)
            if found.status is Status.INFEASIBLE:
                book.refute(horizon)
                continue
            book.stopped(found)
            if found.reason is not Reason.TIME:
                return replace(found, bound=book.bound)
        admitted, turn = admitted + 1, turn * 2
    return book.refuted()


def approach(problem: Problem, book: Book, minimise: Minimise, run: Run) -> Answer:
    """The solution that ends nearest to what the objective seeks, with a bound for all solutions.

    A few rounds nearly always hold a nearest solution, but only the last horizon holds all solutions. The whole problem
    is bounded by the jump counts: how often jumps are made, whatever their order.
    """
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
