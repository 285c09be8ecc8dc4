"""Choco (pychoco): runs models that return a Formulation of a Choco model. It uses one thread, and no Java."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run
from pegcp.modelling.formulation import Formulation, Value

if TYPE_CHECKING:
    from pychoco.model import Model as Native


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model within the limits."""
    totals: run_loop.Totals = {"fails": 0}

    def begin(formulation: Formulation[Native]) -> run_loop.Search:
        solver = formulation.model.get_solver()

        def search(seconds: float) -> Value | bool | None:
            found = solver.solve(time_limit=f"{seconds:.3f}s")
            totals["fails"] += solver.get_fail_count()
            if found:
                return lambda variable: variable.get_value()
            return False if solver.get_search_state() == "TERMINATED" else None

        return search

    return run_loop.run(model, problem, run, options, begin, totals, resumes=False)
