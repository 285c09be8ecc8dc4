"""The horizons of a model that have been refuted, and what that says about the problem.

An attempt at one horizon says something about one model only. All conclusions about the problem are drawn here: a
bound, an optimum, that there is no solution.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from math import inf

from pegcp.errors import refuse_if
from pegcp.game import Problem
from pegcp.method import OUT_OF_TIME, Answer, Number, Reason, Run, Status

Horizon = int | None  # None: the model has no horizon
# Solves the model of a horizon for some seconds. The answer is about that model; UNKNOWN with reason TIME is no answer.
Attempt = Callable[[Horizon, float], Answer]
BOUND_SHARE = 0.2  # of the time of an approach, for the bound


class Horizons:
    """The horizons of a model that are not refuted, rising.

    ``measured``: a solution with a horizon has that value of the objective. ``complete``: every solution has one of
    the horizons. Raises InputError if the horizons do not rise.
    """

    def __init__(self, horizons: Iterable[Horizon], *, measured: bool = False, complete: bool = True) -> None:
        self.all = tuple(horizons)
        self.open = list(self.all)
        self.claimed_bound: Number | None = None  # the best bound that a solver has claimed of the only model
        self.measured, self.complete = measured, complete
        for horizon, following in pairwise(self.all):
            refuse_if(
                horizon is None or following is None or horizon >= following,
                f"the horizons of a model must rise, not go from {horizon} to {following}",
            )

    @property
    def bound(self) -> Number | None:
        """The least value that the objective can still have: the first horizon that is not refuted. None if unknown."""
        return self.open[0] if self.measured and self.complete and self.open else self.claimed_bound

    @property
    def covers_all(self) -> bool:
        """True if the only horizon covers all solutions: what is refuted of it is refuted of the problem."""
        return self.complete and len(self.all) == 1

    @property
    def refuted_horizons(self) -> list[int]:
        """The horizons with which there is no solution."""
        return [horizon for horizon in self.all if horizon is not None and horizon not in self.open]

    def conclude_solution(self, horizon: Horizon, answer: Answer) -> Answer:
        """Conclude about the problem from a solution with this horizon."""
        if self.covers_all and not self.measured:
            return answer
        optimal = self.measured and horizon is not None and horizon == self.bound
        status, bound = Status.OPTIMAL if optimal else Status.SOLVED, self.bound if self.measured else None
        return replace(answer, status=status, reason=Reason.COMPLETED, bound=bound)

    def conclude_refutation(self) -> Answer:
        """Conclude about the problem from the refutation of all horizons."""
        if self.complete:
            return Answer(Status.INFEASIBLE)
        return Answer(Status.UNKNOWN, message=f"no solution with horizon {self.all[0]}")


def solve(horizons: Horizons, attempt: Attempt, run: Run, first_turn: float = inf) -> Answer:
    """Attempt horizon after horizon until there is an answer or the time is over.

    A measured horizon has all the time, and the next one waits until it is refuted: a solution with the next one would
    prove nothing. Other horizons are only different ways to the same answer: they take turns, twice as long in each
    round, and each round admits one more of them (compare Rintanen, Heljanko and Niemela 2006, algorithm B).

    A horizon that the solver gave up by itself is not tried again; if nothing else comes of it, the solver's own words
    are the answer.
    """
    most, turn, gave_up = 1, first_turn, dict[Horizon, Answer]()
    while waiting := [horizon for horizon in horizons.open if horizon not in gave_up]:
        for horizon in waiting[: 1 if horizons.measured else most]:
            remaining = run.remaining
            if remaining <= 0:
                return replace([OUT_OF_TIME, *gave_up.values()][-1], bound=horizons.bound)
            alone = horizons.measured or len(waiting) == 1
            answer = attempt(horizon, remaining if alone else min(turn, remaining))
            if answer.jumps is not None:
                return horizons.conclude_solution(horizon, answer)
            if answer.status is Status.INFEASIBLE:
                horizons.open.remove(horizon)
                if answer.certificate is not None and horizons.covers_all:
                    return Answer(Status.INFEASIBLE, certificate=answer.certificate)
                continue
            if horizons.covers_all and answer.bound is not None:
                horizons.claimed_bound = max(answer.bound, horizons.claimed_bound or answer.bound)
            if answer.reason is Reason.TIME and answer.message in ("", OUT_OF_TIME.message):  # no words of its own
                continue
            if horizons.measured or answer.reason not in (Reason.TIME, Reason.COMPLETED):
                return replace(answer, bound=horizons.bound)
            gave_up[horizon] = answer
        most, turn = most + 1, turn * 2
    return replace([*gave_up.values()][-1], bound=horizons.bound) if gave_up else horizons.conclude_refutation()


def approach(problem: Problem, horizons: Horizons, minimise: Callable[[Horizon, range], Answer], run: Run) -> Answer:
    """Find the solution whose last position is best by the objective, with a bound for all solutions.

    ``minimise`` looks in the model of a horizon for values in a range: OPTIMAL and INFEASIBLE are about that model.
    A few rounds nearly always hold a nearest solution, but only the last horizon holds all solutions. The whole problem
    is bounded by the jump counts: how often jumps are made, whatever their order.
    """
    from pegcp.theory.equations import Equations, JumpCounts

    if not horizons.open:
        return Answer(Status.INFEASIBLE)
    bound = Equations(JumpCounts(problem)).nearest(run.remaining * BOUND_SHARE)
    run.report({} if bound is None else {"bound": bound})
    assert problem.sought is not None
    values = range(bound or 0, sum(problem.sought.weights) + 1)
    best: Answer | None = None
    for horizon in horizons.all:
        answer = minimise(horizon, values)
        if answer.jumps is not None:
            best = replace(answer, bound=bound)
            values = range(values.start, problem.value(answer.jumps) or 0)
            if not values:
                return replace(best, status=Status.OPTIMAL, reason=Reason.COMPLETED, message="")
        if answer.status not in (Status.OPTIMAL, Status.INFEASIBLE):
            if best is None:
                return replace(answer, bound=bound)
            # A fault after a solution does not spoil it; only a limit is the reason why it is not proved best.
            return replace(
                best,
                status=Status.SOLVED,
                reason=answer.reason if answer.reason.sort == "limit" else Reason.COMPLETED,
                message=answer.message,
            )
    if best is None:
        return horizons.conclude_refutation()
    if not horizons.complete:
        return replace(best, status=Status.SOLVED)
    return replace(best, status=Status.OPTIMAL, bound=problem.value(best.jumps or ()))
