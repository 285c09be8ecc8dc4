"""What backends have in common: horizon after horizon, by a solver that can be stopped and go on; and counting."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, TypeVar

from pegcp.backends.horizons import Horizon, approach, solve
from pegcp.backends.model import Model
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Reason, Run, Status, Tally
from pegcp.modelling.formulation import Formulation, Value

FIRST_TURN = 5.0  # seconds
T = TypeVar("T")

Totals = dict[str, Any]
# Search, or go on searching, for some seconds. A solution is the function from variable to value; False: there is none;
# None: the time is over. Whatever else the solver says is an Answer.
Search = Callable[[float], Value | Answer | bool | None]
Begin = Callable[[Formulation[Any]], Search]
Minimise = Callable[[Formulation[Any], range], Answer]
Count = Callable[[Formulation[Any], Tally], Answer]


def run(
    model: Model,
    problem: Problem,
    run: Run,
    options: Mapping[str, Any],
    begin: Begin,
    totals: Totals,
    *,
    resumes: bool = True,
    turns: bool = True,
    minimise: Minimise | None = None,
    count: Count | None = None,
) -> Answer:
    """Solve the model, horizon after horizon if it has horizons (see :mod:`pegcp.backends.horizons`).

    ``begin`` gives a formulation to the solver, which ``resumes`` after it was stopped or else gets a new one; horizons
    take ``turns`` or else have all the time. ``minimise`` looks for the best solution with a value in a range,
    ``count`` hands all solutions to a tally.
    ``totals`` becomes the statistics of the answer: the solver adds its own to them.
    """
    book = model.book(problem, options)
    begun: dict[Horizon, tuple[Formulation[Any], Search]] = {}
    totals |= {"build_seconds": 0.0, "solve_seconds": 0.0}

    def report() -> None:
        run.report(totals | ({} if book.bound is None else {"bound": book.bound}))

    def built(horizon: Horizon) -> tuple[Formulation[Any], Search]:
        totals.update({} if horizon is None else {"horizon": horizon})
        report()
        began = time.perf_counter()
        if horizon not in begun or not resumes:
            formulation = model.build(problem, horizon, options)
            begun[horizon] = formulation, begin(formulation)
        totals["build_seconds"] += time.perf_counter() - began
        report()
        return begun[horizon]

    def timed(search: Callable[[], T]) -> T:
        began = time.perf_counter()
        found = search()
        totals["solve_seconds"] += time.perf_counter() - began
        return found

    def attempt(horizon: Horizon, seconds: float) -> Answer:
        formulation, search = built(horizon)
        seconds = min(seconds, run.remaining)
        found = timed(lambda: search(seconds)) if seconds > 0 else None
        if found is None:
            return OUT_OF_TIME
        if isinstance(found, Answer):
            return found
        if callable(found):
            return Answer(Status.SOLVED, jumps=formulation.played(found))
        del begun[horizon]
        return Answer(Status.INFEASIBLE)

    def counted(count: Count) -> Answer:
        if not book.open:
            return Answer(Status.INFEASIBLE)
        if not book.complete:
            return uncountable("a given horizon leaves solutions out: count without it")
        formulation, _ = built(book.open[-1])  # which has all solutions
        if not formulation.distinct:
            return uncountable("with these options the model does not say what its solutions are")
        return timed(lambda: count(formulation, Tally(problem, run, formulation.distinct)))

    def nearest(horizon: Horizon, wanted: range, minimise: Minimise) -> Answer:
        formulation, _ = built(horizon)
        return timed(lambda: minimise(formulation, wanted))

    if problem.objective is Objective.COUNT and count is not None:
        answer = counted(count)
    elif problem.sought is not None and minimise is not None:
        answer = approach(problem, book, partial(nearest, minimise=minimise), run)
    else:
        answer = solve(book, attempt, run, FIRST_TURN if turns else inf)
    if book.refuted_horizons:
        totals["refuted_horizons"] = book.refuted_horizons
    return replace(answer, statistics=totals)


def uncountable(why: str) -> Answer:
    """The answer where counting means nothing."""
    return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=f"counting its solutions means nothing: {why}")
