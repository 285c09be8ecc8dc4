"""CP-SAT (OR-tools): runs models that return a Formulation of a CpModel."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ortools.sat.python import cp_model

from pegcp.backends.horizon import build, horizons
from pegcp.board import Jump
from pegcp.formulation import Formulation, Run
from pegcp.problem import Problem
from pegcp.result import Answer, Reason, Status


def run(model: ModuleType, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve horizon after horizon (or the one model) until there is an answer or the time is over.

    The first horizon with a solution gives an optimum if the model says that its horizon measures the objective.
    """
    measured = getattr(model, "HORIZON", None) == problem.objective
    totals = {"build_seconds": 0.0, "solve_seconds": 0.0, "conflicts": 0, "branches": 0}
    bound: float | None = None
    tried, complete = horizons(model, problem, options)
    for horizon in tried:
        began = time.perf_counter()
        formulation = build(model, problem, horizon, options)
        totals["build_seconds"] += time.perf_counter() - began
        solver = _solver(run)
        played = _Played(formulation)
        began = time.perf_counter()
        if formulation.relaxation:
            # Solutions come one by one, each once, until one of them can be played.
            solver.parameters.enumerate_all_solutions = True
            solver.parameters.num_workers = 1
            status = solver.solve(formulation.model, played)
            totals["relaxed_solutions"] = totals.get("relaxed_solutions", 0) + played.solutions
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) and played.jumps is None:
                status = cp_model.INFEASIBLE if status == cp_model.OPTIMAL else cp_model.UNKNOWN
        else:
            status = solver.solve(formulation.model)
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                played.jumps = formulation.jumps(solver.value)
        totals["solve_seconds"] += time.perf_counter() - began
        totals["conflicts"] += solver.num_conflicts
        totals["branches"] += solver.num_branches
        if horizon is not None:
            totals["horizon"] = horizon
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            has_objective = formulation.model.has_objective()
            proved = measured and complete if horizon is not None else has_objective and status == cp_model.OPTIMAL
            if has_objective:
                bound = solver.best_objective_bound
            elif measured:
                bound = horizon
            return Answer(
                Status.OPTIMAL if proved else Status.SOLVED,
                Reason.COMPLETED if proved or not has_objective else Reason.TIME,
                tuple(played.jumps or ()),
                bound=bound if measured or has_objective else None,
                statistics=totals,
            )
        if status == cp_model.MODEL_INVALID:
            return Answer(Status.UNKNOWN, Reason.ERROR, message=formulation.model.validate(), statistics=totals)
        if status != cp_model.INFEASIBLE:
            return Answer(Status.UNKNOWN, Reason.TIME, bound=bound, statistics=totals, message="time limit")
        if measured and horizon is not None and complete:
            bound = horizon + 1
            run.report({"bound": bound, "conflicts": totals["conflicts"]})
    if complete:
        return Answer(Status.INFEASIBLE, statistics=totals)
    return Answer(Status.UNKNOWN, statistics=totals, message=f"no solution with horizon {options['horizon']}")


class _Played(cp_model.CpSolverSolutionCallback):
    """Takes the solutions of a relaxation until one can be played."""

    def __init__(self, formulation: Formulation[cp_model.CpModel]) -> None:
        super().__init__()
        self.formulation = formulation
        self.solutions = 0
        self.jumps: list[Jump] | None = None

    def on_solution_callback(self) -> None:
        """Called by the solver at every solution."""
        self.solutions += 1
        self.jumps = self.formulation.jumps(self.value)
        if self.jumps is not None:
            self.stop_search()


def _solver(run: Run) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = run.limits.workers
    solver.parameters.random_seed = run.limits.seed
    solver.parameters.max_time_in_seconds = run.remaining
    return solver


def export(model: ModuleType, problem: Problem, options: Mapping[str, Any], format: str) -> dict[str, str]:  # noqa: A002, ARG001
    """The model as text protobuf, of the given or the first horizon."""
    tried, _ = horizons(model, problem, options)
    formulation = build(model, problem, next(iter(tried)), options)
    return {"model.textproto": str(formulation.model.proto)}
