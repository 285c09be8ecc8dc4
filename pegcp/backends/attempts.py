"""What backends have in common: horizon after horizon with a solver that can be stopped and go on; and counting."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pegcp.backends.book import Book, Horizon, solve
from pegcp.backends.model import Model
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation, Value

FIRST_TURN = 5.0  # seconds

Totals = dict[str, Any]
# Search, or go on searching, for some seconds. A solution is the function from variable to value; False: there is none;
# None: the time is over. Whatever else the solver says is an Answer.
Search = Callable[[float], Value | Answer | bool | None]
Begin = Callable[[Formulation[Any]], Search]


def run(
    model: Model,
    problem: Problem,
    run: Run,
    options: Mapping[str, Any],
    begin: Begin,
    totals: Totals,
    resumes: bool = True,
) -> Answer:
    """Solve the model, horizon after horizon if it has horizons (see :mod:`pegcp.backends.book`).

    ``begin`` gives a formulation to the solver, which ``resumes`` after it was stopped or else gets a new one.
    ``totals`` becomes the statistics of the answer: the solver adds its own to them.
    """
    book = model.book(problem, options)
    begun: dict[Horizon, tuple[Formulation[Any], Search]] = {}
    totals |= {"build_seconds": 0.0, "solve_seconds": 0.0}

    def report() -> None:
        run.report(totals | ({} if book.bound is None else {"bound": book.bound}))

    def attempt(horizon: Horizon, seconds: float) -> Answer:
        totals.update({} if horizon is None else {"horizon": horizon})
        report()
        began = time.perf_counter()
        if horizon not in begun or not resumes:
            formulation = model.build(problem, horizon, options)
            begun[horizon] = formulation, begin(formulation)
        built = time.perf_counter()
        totals["build_seconds"] += built - began
        report()
        formulation, search = begun[horizon]
        seconds = min(seconds, run.remaining)
        found = search(seconds) if seconds > 0 else None
        totals["solve_seconds"] += time.perf_counter() - built
        if found is None:
            return OUT_OF_TIME
        if isinstance(found, Answer):
            return found
        if callable(found):
            return Answer(Status.SOLVED, jumps=formulation.played(found))
        del begun[horizon]
        return Answer(Status.INFEASIBLE)

    answer = solve(book, attempt, run, FIRST_TURN)
    if book.refuted_horizons:
        totals["refuted_horizons"] = book.refuted_horizons
    return replace(answer, statistics=totals)


def countable(book: Book, build: Callable[[Horizon], Formulation[Any]]) -> Formulation[Any] | Answer:
    """The formulation of the last horizon, which has all solutions; or why they cannot be counted."""
    if not book.open:
        return Answer(Status.INFEASIBLE)
    if not book.complete:
        fault = "a given horizon leaves solutions out: count without it"
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
    formulation = build(book.open[-1])
    if not formulation.distinct:
        fault = "counting its solutions means nothing: with these options the model does not say what they are"
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
    return formulation
