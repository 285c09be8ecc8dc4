"""Choco (pychoco): runs models that return a Formulation of a Choco model. It uses one thread, and no Java."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pegcp.backends import attempts
from pegcp.backends.model import Model
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation

if TYPE_CHECKING:
    from pychoco.model import Model as Native


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model within the limits."""
    totals: attempts.Totals = {"fails": 0}

    def begin(formulation: Formulation[Native]) -> attempts.Search:
        solver = formulation.model.get_solver()

        def search(seconds: float) -> Answer:
            found = seconds > 0 and solver.solve(time_limit=f"{seconds:.3f}s")
            totals["fails"] += solver.get_fail_count()
            if found:
                jumps = formulation.jumps(lambda variable: variable.get_value())
                if jumps is None:
                    raise InputError("a Choco model must have jumps for each of its solutions")
                return Answer(Status.SOLVED, jumps=tuple(jumps))
            if seconds > 0 and solver.get_search_state() == "TERMINATED":
                return Answer(Status.INFEASIBLE)
            return Answer(Status.UNKNOWN, Reason.TIME, message="time limit")

        return search

    return attempts.run(model, problem, run, options, begin, totals, resumes=False)


def export(model: Model, problem: Problem, options: Mapping[str, Any], format: str) -> dict[str, str]:  # noqa: A002, ARG001
    """Pychoco writes no files."""
    raise InputError("Choco models cannot be exported: pychoco writes no files")
