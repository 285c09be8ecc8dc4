"""CP-SAT (OR-tools): runs models that return a Formulation of a CpModel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil, isfinite
from typing import Any

from ortools.sat.python import cp_model

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Reason, Run, Status, Tally
from pegcp.modelling.formulation import Formulation

_TOLD = {  # of a search: what we call it, and what CP-SAT's response does
    "conflicts": ("num_conflicts",),
    "branches": ("num_branches",),
    "propagations": ("num_binary_propagations", "num_integer_propagations"),
    "restarts": ("num_restarts",),
    "lp_iterations": ("num_lp_iterations",),
}


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model, horizon after horizon if it has horizons (see :mod:`pegcp.backends.horizons`).

    Or count its solutions, if that is the objective.
    """
    search = _Search(model, problem, run, options)
    minimise = search.minimise if model.horizons is not None else None
    answer = run_loop.run(
        model, problem, run, options, search.begin, search.totals, minimise=minimise, count=search.count
    )
    if answer.status is Status.INFEASIBLE:
        answer = replace(answer, certificate=search.certificate)
    return replace(answer, statistics={**answer.statistics, **({} if search.last is None else size(search.last))})


def size(model: cp_model.CpModel) -> dict[str, int]:
    """How large a model is; literals are those of clauses and the terms of linear constraints."""
    rows = model.proto.constraints
    literals = sum(len(row.enforcement_literal) + _terms(row) for row in rows)
    return {"variables": len(model.proto.variables), "constraints": len(rows), "literals": literals}


def _terms(row: Any) -> int:
    """The literals, or terms, of a constraint; only what it is may be looked at, for else it becomes that."""
    for kind in ("bool_or", "bool_and", "exactly_one", "at_most_one"):
        if getattr(row, f"has_{kind}")():
            return len(getattr(row, kind).literals)
    return len(row.linear.vars) if row.has_linear() else 0


class _Search:
    """Attempts at the horizons of a problem, and totals over all of them."""

    def __init__(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> None:
        self.model, self.problem, self.run, self.options = model, problem, run, options
        self.totals: run_loop.Totals = {**dict.fromkeys(_TOLD, 0)}
        self.last: cp_model.CpModel | None = None
        self.attempts = 0
        self.certificate: Mapping[str, Any] | None = None

    def begin(self, formulation: Formulation[cp_model.CpModel]) -> run_loop.Search:
        """Take in a model. Raises InputError for one that maximises."""
        self.last = formulation.model
        if self.last.has_objective() and self.last.proto.objective.scaling_factor < 0:
            raise InputError("a model must minimise the objective, not maximise", source=str(self.model.path))
        return lambda seconds: self.attempt(formulation, seconds)

    def attempt(self, formulation: Formulation[cp_model.CpModel], seconds: float) -> Answer:
        """Solve one model for some seconds."""
        if formulation.refuted is not None:
            return self._learning(formulation, formulation.refuted)
        solver = self._solver(formulation, seconds)
        if formulation.relaxation:
            return self._relaxed(solver, formulation)
        if self._optimises(formulation):
            return self._optimised(solver, formulation)
        status = self._run(solver, formulation)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Answer(Status.SOLVED, jumps=formulation.played(solver.value))
        return _unsolved(solver, formulation, status)

    def minimise(self, formulation: Formulation[cp_model.CpModel], wanted: range) -> Answer:
        """The best solution of one model with a value in the range."""
        solver = self._solver(formulation, self.run.remaining)
        objective = formulation.model.proto.objective  # its domain is without the offset
        objective.domain.extend(value - round(objective.offset) for value in (wanted[0], wanted[-1]))
        return _best(solver, formulation, self._run(solver, formulation))

    def count(self, formulation: Formulation[cp_model.CpModel], tally: Tally) -> Answer:
        """Count the solutions; when stopped, those found so far."""
        solver = self._solver(formulation, self.run.remaining, workers=1)
        solver.parameters.enumerate_all_solutions = True
        every = _Watch(lambda found: not tally.add(lambda: formulation.played(found.value)))
        status = self._run(solver, formulation, every)
        if not tally.count:
            return _unsolved(solver, formulation, status)
        return tally.answer(whole=status == cp_model.OPTIMAL)

    def _solver(
        self, formulation: Formulation[cp_model.CpModel], seconds: float, workers: int = 0
    ) -> cp_model.CpSolver:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = workers or self.run.limits.workers
        solver.parameters.random_seed = self.run.limits.seed + self.attempts
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong proofs on linear models
        steps_alone = self.problem.sought is not None or not formulation.model.has_objective()
        if steps_alone and not formulation.relaxation and "linearization_level" not in self.model.parameters:
            # The linear relaxation of steps says next to nothing, half a peg here and half a peg there, and is slow.
            if solver.parameters.num_workers == 1:
                solver.parameters.linearization_level = 0
            else:
                solver.parameters.extra_subsolvers.append("no_lp")
        for name, value in {**self.model.parameters, **given("cp-sat", self.options)}.items():
            solver.parameters.merge_text_format(f"{name}: {str(value).lower() if isinstance(value, bool) else value}")
        self.attempts += 1
        if self.run.log:
            solver.parameters.log_search_progress = True
            solver.parameters.log_to_stdout = False
            solver.log_callback = self._log
        return solver

    def _log(self, lines: str) -> None:
        for line in lines.splitlines():
            self.run.report({"log": line})

    def _run(
        self,
        solver: cp_model.CpSolver,
        formulation: Formulation[cp_model.CpModel],
        callback: cp_model.CpSolverSolutionCallback | None = None,
    ) -> int:
        """The status of the solver."""
        status = solver.solve(formulation.model, callback)
        for name, told in _TOLD.items():
            self.totals[name] += sum(getattr(solver.response_proto, field) for field in told)
        return int(status)

    def _optimises(self, formulation: Formulation[cp_model.CpModel]) -> bool:
        """Whether the solver looks for the optimum of the problem; else an objective of the model is a preference."""
        if self.problem.objective is Objective.ANY or not formulation.model.has_objective():
            return False
        return self.model.book(self.problem, self.options).whole

    def _optimised(self, solver: cp_model.CpSolver, formulation: Formulation[cp_model.CpModel]) -> Answer:
        """Look for the optimum, and report better solutions and bounds on the way."""

        def told(better: _Watch) -> bool:
            news = {"objective": better.objective_value, "conflicts": better.num_conflicts}
            jumps = formulation.jumps(better.value)
            self.run.report({**news, **_bound(better.best_objective_bound), "jumps": jumps})
            return False

        solver.best_bound_callback = lambda bound: self.run.report(_bound(bound))
        answer = _best(solver, formulation, self._run(solver, formulation, _Watch(told)))
        value = None if answer.jumps is None else round(solver.objective_value)
        return replace(answer, objective=value, bound=_bound(solver.best_objective_bound).get("bound"))

    def _relaxed(self, solver: cp_model.CpSolver, formulation: Formulation[cp_model.CpModel]) -> Answer:
        """Take the solutions of a relaxation one by one, each once, until one of them can be played."""
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        self.totals.setdefault("relaxed_solutions", 0)
        jumps: list[Jump] | None = None

        def playable(found: _Watch) -> bool:
            nonlocal jumps
            self.totals["relaxed_solutions"] += 1
            jumps = formulation.jumps(found.value)
            return jumps is not None

        status = self._run(solver, formulation, _Watch(playable))
        if jumps is not None:
            return Answer(Status.SOLVED, jumps=tuple(jumps))
        if status == cp_model.OPTIMAL:  # none is left
            return Answer(Status.INFEASIBLE)
        return _unsolved(solver, formulation, status)

    def _learning(
        self,
        formulation: Formulation[cp_model.CpModel],
        refuted: Callable[[float], Mapping[str, Any] | None],
    ) -> Answer:
        """Solve a relaxation again and again, which learns from each solution that cannot be played."""
        model = formulation.model
        self.totals.setdefault("relaxed_solutions", 0)
        while self.run.remaining > 0:
            solver = self._solver(formulation, self.run.remaining, workers=1)
            solver.parameters.cp_model_presolve = False  # it would take longer than the search
            solver.parameters.randomize_search = True  # few of many solutions can be played: each shall be another
            status = self._run(solver, formulation)
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                self.totals["relaxed_solutions"] += 1
                jumps = formulation.jumps(solver.value)
                if jumps is not None:
                    return Answer(Status.SOLVED, jumps=tuple(jumps))
                self.run.report(self.totals)
            elif status != cp_model.INFEASIBLE:
                return _unsolved(solver, formulation, status)
            elif model.proto.assumptions:
                model.clear_assumptions()
            else:
                self.certificate = refuted(self.run.remaining / 2)
                return Answer(Status.INFEASIBLE)
        return OUT_OF_TIME


def _best(solver: cp_model.CpSolver, formulation: Formulation[cp_model.CpModel], status: int) -> Answer:
    """What it means that the solver ended its search for the best solution of a model."""
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return _unsolved(solver, formulation, status)
    jumps = formulation.played(solver.value)
    if status == cp_model.OPTIMAL:
        return Answer(Status.OPTIMAL, jumps=jumps)
    return Answer(Status.SOLVED, Reason.TIME, jumps)


def _unsolved(solver: cp_model.CpSolver, formulation: Formulation[cp_model.CpModel], status: int) -> Answer:
    """What it means that the solver ended without a solution."""
    if status == cp_model.INFEASIBLE:
        return Answer(Status.INFEASIBLE)
    if status == cp_model.MODEL_INVALID:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=formulation.model.validate() or solver.solution_info())
    return OUT_OF_TIME


def _bound(value: float) -> dict[str, int]:
    """The bound that the solver tells, if there is one yet: the objective is a whole number."""
    return {"bound": ceil(value - 1e-6)} if isfinite(value) else {}


class _Watch(cp_model.CpSolverSolutionCallback):
    """Calls a function at every solution, which says whether that is enough."""

    def __init__(self, enough: Callable[[_Watch], bool]) -> None:
        super().__init__()
        self.enough = enough

    def on_solution_callback(self) -> None:
        """Called by the solver at every solution."""
        if self.enough(self):
            self.stop_search()


def write(formulation: Formulation[cp_model.CpModel], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG001
    """The model as text protobuf."""
    return {"model.textproto": str(formulation.model.proto)}
