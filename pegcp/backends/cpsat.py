"""CP-SAT (OR-tools): runs models that return a Formulation of a CpModel."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ortools.sat.python import cp_model

from pegcp.backends.horizon import build, build_for_export, horizons
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation
from pegcp.theory.certificates import find

FIRST_TURN = 5.0  # seconds
HINT_SHARE = 0.25  # of the time of an attempt, for finishing what a hint begins


def run(model: ModuleType, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve horizon after horizon (or the one model) until there is an answer or the time is over.

    If the model says that its horizon measures the objective, the first horizon with a solution is an optimum. If not,
    horizons are only different ways to the same answer: they take turns, twice as long each time round, and each time
    round lets one more of them in (compare Rintanen, Heljanko and Niemela 2006, algorithm B). A goal in the wrong
    position class is settled before the solver starts.
    """
    wrong_class = find(problem, pagoda=False)
    if wrong_class is not None:
        return Answer(Status.INFEASIBLE, certificate=wrong_class)
    measured = getattr(model, "HORIZON", None) == problem.objective
    tried, complete = horizons(model, problem, options)
    pending = list(tried)
    if problem.objective is Objective.COUNT:
        return _Search(model, problem, run, options).count(pending[-1]) if pending else Answer(Status.INFEASIBLE)
    search = _Search(model, problem, run, options)
    admitted, turn = 1, FIRST_TURN
    while pending:
        for horizon in pending[:admitted]:
            if run.remaining <= 0:
                return search.answer(Status.UNKNOWN, Reason.TIME, message="time limit")
            alone = measured or len(pending) == 1
            status = search.attempt(horizon, run.remaining if alone else min(turn, run.remaining))
            if search.jumps is not None:
                proved = status == cp_model.OPTIMAL and (complete if measured else search.has_objective)
                if measured and complete and horizon is not None:
                    search.bound = horizon
                stopped = search.has_objective and not proved
                return search.answer(
                    Status.OPTIMAL if proved else Status.SOLVED,
                    Reason.TIME if stopped else Reason.COMPLETED,
                    jumps=tuple(search.jumps),
                )
            if status == cp_model.MODEL_INVALID:
                return search.answer(Status.UNKNOWN, Reason.ERROR, message=search.fault)
            if status == cp_model.INFEASIBLE:
                pending.remove(horizon)
                if measured and complete and horizon is not None:
                    search.bound = horizon + 1
                search.report()
        admitted, turn = admitted + 1, turn * 2
    if complete:
        return search.answer(Status.INFEASIBLE)
    return search.answer(Status.UNKNOWN, message=f"no solution with horizon {options['horizon']}")


class _Search:
    """Attempts at the horizons of a problem, and what they found: jumps, a bound, totals over all attempts."""

    def __init__(self, model: ModuleType, problem: Problem, run: Run, options: Mapping[str, Any]) -> None:
        self.model, self.problem, self.run, self.options = model, problem, run, options
        self.totals: dict[str, float] = {"build_seconds": 0.0, "solve_seconds": 0.0, "conflicts": 0, "branches": 0}
        self.built: dict[int | None, Formulation[cp_model.CpModel]] = {}
        self.attempts = 0
        self.jumps: list[Jump] | None = None
        self.bound: float | None = None
        self.has_objective = False
        self.fault = ""

    def answer(self, status: Status, reason: Reason = Reason.COMPLETED, **about: Any) -> Answer:
        """An answer with what is known so far."""
        bound = None if status is Status.INFEASIBLE else self.bound
        return Answer(status, reason, bound=bound, statistics=self.totals, **about)

    def attempt(self, horizon: int | None, seconds: float) -> int:
        """Solve one horizon for some seconds; the solver's status, an exhausted relaxation counting as INFEASIBLE."""
        first = horizon not in self.built
        formulation = self._formulation(horizon)
        self.has_objective = formulation.model.has_objective()
        self.report()
        if first and self.run.hint and self._hinted(formulation, seconds):
            return int(cp_model.OPTIMAL)
        solver = self._solver(formulation, min(seconds, self.run.remaining))
        began = time.perf_counter()
        status = self._relaxed(solver, formulation) if formulation.relaxation else self._solved(solver, formulation)
        self._add(solver, began)
        if status == cp_model.MODEL_INVALID:
            self.fault = formulation.model.validate() or solver.solution_info()
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.jumps = self.jumps if formulation.relaxation else formulation.jumps(solver.value)
            if self.has_objective:
                self.bound = solver.best_objective_bound
        return int(status)

    def count(self, horizon: int | None) -> Answer:
        """Count the solutions of the model of a horizon; when stopped, those found so far."""
        formulation = self._formulation(horizon)
        if not formulation.distinct:
            fault = "with these options the model does not count solutions; try order=off or order=full"
            return self.answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
        solver = self._solver(formulation, self.run.remaining, workers=1)
        solver.parameters.enumerate_all_solutions = True
        counted = _Counted(formulation, self.run)
        began = time.perf_counter()
        status = solver.solve(formulation.model, counted)
        self._add(solver, began)
        if counted.jumps is None:
            if status == cp_model.INFEASIBLE:
                return self.answer(Status.INFEASIBLE)
            if status == cp_model.MODEL_INVALID:
                fault = formulation.model.validate() or solver.solution_info()
                return self.answer(Status.UNKNOWN, Reason.ERROR, message=fault)
            return self.answer(Status.UNKNOWN, Reason.TIME, message="time limit")
        about: dict[str, Any] = {"jumps": tuple(counted.jumps), "objective": counted.solutions}
        if status == cp_model.OPTIMAL:
            return self.answer(Status.OPTIMAL, message=f"counted: {formulation.distinct}", **about)
        message = f"stopped while counting {formulation.distinct}: there are more"
        return self.answer(Status.SOLVED, Reason.TIME, message=message, **about)

    def _formulation(self, horizon: int | None) -> Formulation[cp_model.CpModel]:
        began = time.perf_counter()
        if horizon not in self.built:
            self.built[horizon] = build(self.model, self.problem, horizon, self.options)
        if horizon is not None:
            self.totals["horizon"] = horizon
        self.totals["build_seconds"] += time.perf_counter() - began
        return self.built[horizon]

    def _solver(
        self, formulation: Formulation[cp_model.CpModel], seconds: float, workers: int = 0
    ) -> cp_model.CpSolver:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = workers or self.run.limits.workers
        solver.parameters.random_seed = self.run.limits.seed + self.attempts
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong proofs on linear models
        if not (formulation.relaxation or formulation.model.has_objective()):
            # The linear relaxation of steps says next to nothing, half a peg here and half a peg there, and is slow.
            if solver.parameters.num_workers == 1:
                solver.parameters.linearization_level = 0
            else:
                solver.parameters.extra_subsolvers.append("no_lp")
        self.attempts += 1
        if self.run.log:
            solver.parameters.log_search_progress = True
            solver.parameters.log_to_stdout = False
            solver.log_callback = self._log
        return solver

    def _log(self, lines: str) -> None:
        for line in lines.splitlines():
            self.run.report({"log": line})

    def _add(self, solver: cp_model.CpSolver, began: float) -> None:
        self.totals["solve_seconds"] += time.perf_counter() - began
        self.totals["conflicts"] += solver.num_conflicts
        self.totals["branches"] += solver.num_branches

    def report(self) -> None:
        """Where the search stands: the horizon, conflicts over all attempts, and a bound where there is one."""
        known = {key: self.totals[key] for key in ("horizon", "conflicts") if key in self.totals}
        self.run.report(known | ({} if self.bound is None else {"bound": self.bound}))

    def _hinted(self, formulation: Formulation[cp_model.CpModel], seconds: float) -> bool:
        """Play the hint, and see whether the solver can finish what it begins; whether that is the answer.

        Fixing the jumps of the hint gives every variable of the model its value, or as many as follow. What is found
        stays as the solver's hint.
        """
        if formulation.literals is None:
            raise InputError("this model takes no hint: its Formulation has no literals")
        literals = formulation.literals(self.run.hint)
        if literals is None:
            return False
        model = formulation.model
        for literal in literals:
            model.add_hint(literal, 1)
        solver = self._solver(formulation, min(seconds, self.run.remaining) * HINT_SHARE)
        solver.parameters.fix_variables_to_their_hinted_value = True
        began = time.perf_counter()
        status = solver.solve(model)
        self._add(solver, began)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return False
        if not self.has_objective:
            self.jumps = formulation.jumps(solver.value)
            return True
        model.clear_hints()  # type: ignore[no-untyped-call]
        for index in range(len(model.proto.variables)):
            variable = model.get_int_var_from_proto_index(index)
            model.add_hint(variable, solver.value(variable))
        return False

    def _solved(self, solver: cp_model.CpSolver, formulation: Formulation[cp_model.CpModel]) -> int:
        """Solve, and report better solutions and bounds on the way."""
        if not self.has_objective:
            return int(solver.solve(formulation.model))
        solver.best_bound_callback = lambda bound: self.run.report({"bound": bound})
        return int(solver.solve(formulation.model, _Incumbents(formulation, self.run)))

    def _relaxed(self, solver: cp_model.CpSolver, formulation: Formulation[cp_model.CpModel]) -> int:
        """Take the solutions of a relaxation one by one, each once, until one of them can be played."""
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        played = _Played(formulation)
        status = solver.solve(formulation.model, played)
        self.totals["relaxed_solutions"] = self.totals.get("relaxed_solutions", 0) + played.solutions
        self.jumps = played.jumps
        if self.jumps is not None:
            return int(cp_model.OPTIMAL)
        return int(cp_model.INFEASIBLE if status == cp_model.OPTIMAL else status)


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


class _Counted(cp_model.CpSolverSolutionCallback):
    """Counts solutions and keeps the first."""

    def __init__(self, formulation: Formulation[cp_model.CpModel], run: Run) -> None:
        super().__init__()
        self.formulation, self.run = formulation, run
        self.solutions = 0
        self.jumps: list[Jump] | None = None

    def on_solution_callback(self) -> None:
        """Called by the solver at every solution."""
        self.solutions += 1
        if self.jumps is None:
            self.jumps = self.formulation.jumps(self.value)
        if self.solutions % 256 == 0:
            self.run.report({"solutions": self.solutions, "conflicts": self.num_conflicts})


class _Incumbents(cp_model.CpSolverSolutionCallback):
    """Reports every better solution with the bound and the conflicts so far."""

    def __init__(self, formulation: Formulation[cp_model.CpModel], run: Run) -> None:
        super().__init__()
        self.formulation, self.run = formulation, run

    def on_solution_callback(self) -> None:
        """Called by the solver at every better solution."""
        news = {"objective": self.objective_value, "bound": self.best_objective_bound, "conflicts": self.num_conflicts}
        self.run.report({**news, "jumps": self.formulation.jumps(self.value)})


def export(model: ModuleType, problem: Problem, options: Mapping[str, Any], format: str) -> dict[str, str]:  # noqa: A002, ARG001
    """The model as text protobuf, of the given or the first horizon."""
    return {"model.textproto": str(build_for_export(model, problem, options).model.proto)}
