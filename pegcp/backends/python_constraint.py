"""python-constraint: runs models that return a Formulation of a constraint.Problem.

The library knows no time limit and no seed; the runner ends it from outside.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from pegcp.errors import InputError
from pegcp.formulation import Run
from pegcp.problem import Objective, Problem
from pegcp.result import Answer, Status


def run(model: ModuleType, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Find the first solution, or count them all when that is the objective."""
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE)
    if problem.jump_counts[-1] == 0:  # the library cannot take a problem without variables
        solved = problem.is_goal(problem.start.mask)
        return Answer(Status.SOLVED, jumps=()) if solved else Answer(Status.INFEASIBLE)
    began = time.perf_counter()
    formulation = model.build(problem, **options)
    built = time.perf_counter()
    counting = problem.objective is Objective.COUNT
    first, count = None, 0
    for solution in formulation.model.getSolutionIter():
        first, count = first or solution, count + 1
        if not counting:
            break
        if count % 10_000 == 0:
            run.report({"solutions": count})
    statistics = {"build_seconds": built - began, "solve_seconds": time.perf_counter() - built}
    if first is None:
        return Answer(Status.INFEASIBLE, statistics=statistics)
    jumps = tuple(formulation.jumps(first.__getitem__))
    if counting:
        return Answer(Status.OPTIMAL, jumps=jumps, objective=count, statistics=statistics)
    return Answer(Status.SOLVED, jumps=jumps, statistics=statistics)


def export(model: ModuleType, problem: Problem, options: Mapping[str, Any], format: str) -> dict[str, str]:  # noqa: A002, ARG001
    """python-constraint has no file format."""
    raise InputError("python-constraint models cannot be exported: the library has no file format")
