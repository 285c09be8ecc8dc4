"""CP-SAT (OR-tools): runs models that return a Formulation of a CpModel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from pegcp.backends.interface import (
    OUT_OF_TIME,
    Ability,
    Answer,
    Backend,
    Figures,
    Formulation,
    HorizonLoop,
    InputError,
    Jump,
    Objective,
    Reason,
    Run,
    Status,
    Tally,
    Value,
    check_word,
    hint_values,
    refuse_if,
)

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

    Callback = cp_model.CpSolverSolutionCallback
    CpSatFormulation = Formulation[cp_model.CpModel]

_FIGURES = {  # of a search, from the fields of CP-SAT's response
    "conflicts": ("num_conflicts",),
    "branches": ("num_branches",),
    "propagations": ("num_binary_propagations", "num_integer_propagations"),
    "restarts": ("num_restarts",),
    "lp_iterations": ("num_lp_iterations",),
}
_OURS = re.compile(  # parameters that pegcp sets itself
    r"max_time_in_seconds|max_deterministic_time|num_(search_)?workers|random_seed|enumerate_all_solutions|name|log_.*|"
    r"fix_variables_to_their_hinted_value|presolve_inclusion_work_limit|.*_(file|prefix|path|proof)(_.*)?"
)
_SOLVED = ("OPTIMAL", "FEASIBLE")
_ENUMERATION: Mapping[str, Any] = {"num_workers": 1, "enumerate_all_solutions": True}


def _conclude(
    loop: HorizonLoop, formulation: CpSatFormulation, solver: cp_model.CpSolver, status: str, *, is_best: bool = False
) -> Answer:
    """Conclude from the end of a search for any solution of a model, or for the best."""
    match status:
        case "OPTIMAL" | "FEASIBLE":
            answer = Answer(Status.SOLVED, jumps=formulation.played(solver.value))
            verdict = {"status": Status.OPTIMAL} if status == "OPTIMAL" else {"reason": Reason.TIME}
            return replace(answer, **verdict) if is_best else answer
        case "INFEASIBLE":
            return Answer(Status.INFEASIBLE, certificate=formulation.refuted(loop.run.remaining / 2))
        case "MODEL_INVALID":
            return Answer(Status.UNKNOWN, Reason.ERROR, message=formulation.model.validate() or solver.solution_info())
        case _:
            return OUT_OF_TIME


def _configure(settings: Mapping[str, object]) -> cp_model.CpSolver:
    """Return a solver with these parameters."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in settings.items():
        solver.parameters.merge_text_format(f"{name}: {str(value).lower() if isinstance(value, bool) else value}")
    return solver


def _bound(value: float) -> dict[str, Any]:
    """Return the bound that the solver has proved, if there is one yet: the objective is a whole number."""
    return {"bound": ceil(value - 1e-6)} if isfinite(value) else {}


def _stop_when(enough: Callable[[Callback], object]) -> Callback:
    """Return a callback that stops the search when a function, called at every solution, returns what is true."""
    from ortools.sat.python import cp_model

    class AtSolution(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            if enough(self):
                self.stop_search()

    return AtSolution()


def _terms(row: Any) -> int:
    """Return the number of literals or terms of a constraint. Reading a field of another kind would change its kind."""
    for kind in ("bool_or", "bool_and", "exactly_one", "at_most_one"):
        if getattr(row, f"has_{kind}")():
            return len(getattr(row, kind).literals)
    return len(row.linear.vars) if row.has_linear() else 0


class CpSat(Backend):
    """CP-SAT on its own models. It also looks for the optimum of a model, and counts its solutions."""

    minimises = True

    def begin(self, loop: HorizonLoop, formulation: CpSatFormulation) -> None:
        """Give the hint to the model. Raises InputError for one that maximises."""
        maximises = formulation.model.has_objective() and formulation.model.proto.objective.scaling_factor < 0
        refuse_if(maximises, "a model must minimise the objective, not maximise", loop.model.path)
        for variable, value in hint_values(loop.problem, loop.run.wishes.hint, formulation):
            formulation.model.add_hint(variable, value)

    def search(self, loop: HorizonLoop, formulation: CpSatFormulation, state: None, seconds: float) -> Answer:
        """Solve one model for some seconds."""
        if formulation.learn is not None:
            return self._learn(loop, formulation, formulation.learn)
        if formulation.unordered:
            return self._find_playable(loop, formulation, seconds)
        # The model's objective may be that of the problem; otherwise it is a preference only.
        is_asked = loop.problem.objective is not Objective.ANY and loop.horizons.covers_all
        if is_asked and formulation.model.has_objective():
            return self._optimise(loop, formulation, seconds)
        return _conclude(loop, formulation, *self._solve(loop, formulation, seconds))

    def minimise(self, loop: HorizonLoop, formulation: CpSatFormulation, state: None, values: range) -> Answer:
        """Look for the best solution of one model with a value in a range."""
        objective = formulation.model.proto.objective  # its domain is without the offset
        objective.domain.extend(value - round(objective.offset) for value in (values[0], values[-1]))
        return _conclude(loop, formulation, *self._solve(loop, formulation, loop.run.remaining), is_best=True)

    def count(self, loop: HorizonLoop, formulation: CpSatFormulation, state: None, tally: Tally) -> Answer:
        """Count the solutions; when stopped, those found so far."""
        callback = _stop_when(lambda solution: not tally.add(lambda: formulation.played(solution.value)))
        solver, status = self._solve(loop, formulation, loop.run.remaining, callback, **_ENUMERATION)
        if not tally.count:
            return _conclude(loop, formulation, solver, status)
        return tally.answer(is_complete=status == "OPTIMAL")

    def _optimise(self, loop: HorizonLoop, formulation: CpSatFormulation, seconds: float) -> Answer:
        """Look for the optimum, and report better solutions and bounds."""

        def report(better: Callback) -> None:
            progress = {"objective": better.objective_value, "conflicts": better.num_conflicts}
            bound, jumps = _bound(better.best_objective_bound), formulation.decoded(better.value)
            loop.run.report({**progress, **bound, "jumps": jumps})

        solver, status = self._solve(
            loop, formulation, seconds, _stop_when(report), lambda bound: loop.run.report(_bound(bound))
        )
        answer = _conclude(loop, formulation, solver, status, is_best=True)
        value = None if answer.jumps is None else round(solver.objective_value)
        return replace(answer, objective=value, **_bound(solver.best_objective_bound))

    def _find_playable(self, loop: HorizonLoop, formulation: CpSatFormulation, seconds: float) -> Answer:
        """Enumerate the solutions of a model without the order of jumps until one of them can be played."""
        playable: list[tuple[Jump, ...]] = []

        def is_playable(solution: Callback) -> bool:
            jumps = formulation.decoded(solution.value)
            playable.extend([] if jumps is None else [jumps])
            return bool(playable)

        solver, status = self._solve(loop, formulation, seconds, _stop_when(is_playable), **_ENUMERATION)
        if playable:
            return Answer(Status.SOLVED, jumps=playable[0])
        # OPTIMAL: all solutions were enumerated; FEASIBLE: some of them.
        status = {"OPTIMAL": "INFEASIBLE", "FEASIBLE": "UNKNOWN"}.get(status, status)
        return _conclude(loop, formulation, solver, status)

    def _learn(self, loop: HorizonLoop, formulation: CpSatFormulation, learn: Callable[[Value], None]) -> Answer:
        """Solve a model repeatedly; it learns from each solution that cannot be played."""
        # Presolve would take longer than the search; and few of many solutions can be played, so they must vary.
        settings: dict[str, Any] = {"num_workers": 1, "cp_model_presolve": False, "randomize_search": True}
        seeds = count(loop.run.limits.seed)
        while loop.run.remaining > 0:
            solver, status = self._solve(loop, formulation, loop.run.remaining, random_seed=next(seeds), **settings)
            if status in _SOLVED:
                jumps = formulation.decoded(solver.value)
                if jumps is not None:
                    return Answer(Status.SOLVED, jumps=jumps)
                learn(solver.value)
                loop.run.report(loop.statistics)
            elif status == "INFEASIBLE" and formulation.model.proto.assumptions:
                formulation.model.clear_assumptions()
            else:
                return _conclude(loop, formulation, solver, status)
        return OUT_OF_TIME

    def _solve(
        self,
        loop: HorizonLoop,
        formulation: CpSatFormulation,
        seconds: float,
        callback: Callback | None = None,
        on_bound: Callable[[float], None] | None = None,
        **settings: object,
    ) -> tuple[cp_model.CpSolver, str]:
        """Solve a model for some seconds, and add the figures of the search; return the solver and its status.

        ``settings`` override those of the model file and the user.
        """
        limits = loop.run.limits
        parameters: dict[str, object] = {
            "num_workers": limits.workers,
            "random_seed": limits.seed + loop.searches,
            "max_time_in_seconds": seconds,
            "log_search_progress": loop.run.wishes.log,
            "log_to_stdout": False,
            "presolve_inclusion_work_limit": 0,  # OR-tools issue 5293: wrong proofs on linear models
            **settings,
        }
        steps_alone = loop.problem.sought is not None or not formulation.model.has_objective()
        if steps_alone and "linearization_level" not in loop.model.parameters:
            # The linear relaxation of steps is weak, half a peg here and half a peg there, and slow. A model whose
            # argument it is says so in its PARAMETERS.
            only = parameters["num_workers"] == 1
            parameters |= {"linearization_level": 0} if only else {"extra_subsolvers": '"no_lp"'}
        solver = _configure({**parameters, **loop.model.parameters, **loop.parameters, **settings})
        solver.log_callback, solver.best_bound_callback = loop.report_log, on_bound
        status = solver.solve(formulation.model, callback)
        about = solver.response_proto
        loop.add_figures({name: sum(getattr(about, key) for key in keys) for name, keys in _FIGURES.items()})
        return solver, status.name

    def sizes(self, native: cp_model.CpModel) -> Figures:
        """Return the sizes of a model; literals are those of clauses and the terms of linear constraints."""
        rows = native.proto.constraints
        literals = sum(len(row.enforcement_literal) + _terms(row) for row in rows)
        return {"variables": len(native.proto.variables), "constraints": len(rows), "literals": literals}

    def write(self, formulation: CpSatFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Return the model as text protobuf."""
        return {"model.textproto": str(formulation.model.proto)}

    def reader(self, solution: Any) -> Value:
        """Return the values of a CpSolver that has a solution. Raises InputError for one that has none."""
        if not hasattr(solution, "response_proto"):
            return super().reader(solution)
        status = solution.status_name(solution.response_proto.status)
        # CP-SAT would return 0 for every variable.
        refuse_if(status not in _SOLVED, f"the solver has no solution to read: {status}")
        return solution.value  # type: ignore[no-any-return]

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError unless SatParameters has the field and takes the value, which must set nothing else."""
        from google.protobuf import text_format
        from ortools.sat.sat_parameters_pb2 import SatParameters

        fields = [field for field in SatParameters.DESCRIPTOR.fields_by_name if not _OURS.fullmatch(field)]
        check_word(self.name, "parameter", name, fields, "the fields of SatParameters, but for limits, threads, seed")
        try:
            parameters = text_format.Parse(f"{name}: {value}", SatParameters())
        except text_format.ParseError as error:
            raise InputError(f'{self.name}.{name} cannot be "{value}": {str(error).partition(" : ")[2]}') from None
        refuse_if(
            [field.name for field, _ in parameters.ListFields()] != [name],
            f'{self.name}.{name} cannot be "{value}": that sets other parameters, too',
        )

    def presolved_sizes(self, native: cp_model.CpModel, run: Run, parameters: Mapping[str, str]) -> Figures:
        """Return the sizes after presolve; none where presolve refutes the model."""
        log: list[str] = []
        presolve = {"stop_after_presolve": True, "log_search_progress": True, "log_to_stdout": False}
        solver = _configure({**parameters, "num_workers": 1, "max_time_in_seconds": run.remaining, **presolve})
        solver.log_callback = log.append
        solver.solve(native)
        numbers = re.findall(r"^PresolvedNum(Variables|Constraints|Terms): (\d+)", "\n".join(log), re.MULTILINE)
        names = {"Variables": "variables", "Constraints": "constraints", "Terms": "literals"}
        return {f"{names[name]}_presolved": int(number) for name, number in numbers}


CP_SAT = CpSat(
    name="cp-sat",
    title="OR-tools CP-SAT",
    licence="Apache-2.0",
    distribution="ortools",
    modules=("ortools",),
    preload=("ortools.sat.python.cp_model",),
    package="ortools",
    formats=("proto",),
    abilities=frozenset(Ability),
)
