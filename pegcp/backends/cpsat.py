"""CP-SAT (OR-tools): runs models that return a Formulation of a CpModel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from pegcp.backends.backend import Backend, Figures
from pegcp.backends.run_loop import HorizonLoop, hint_values
from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.method import OUT_OF_TIME, Answer, Options, Reason, Run, Status, Tally
from pegcp.modelling.formulation import Formulation, Value

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


class CpSatLoop(HorizonLoop):
    """A run on CP-SAT, which may also look for the optimum of a model, or count its solutions."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.statistics |= dict.fromkeys(_FIGURES, 0)
        self.attempts = 0
        self.certificate: Mapping[str, object] | None = None
        self.minimises = self.model.horizons is not None  # any other model has the objective of the problem

    def answer(self) -> Answer:
        """Run, and conclude."""
        answer = super().answer()
        return replace(answer, certificate=self.certificate) if answer.status is Status.INFEASIBLE else answer

    def begin(self, formulation: CpSatFormulation) -> None:
        """Raise InputError for a model that maximises."""
        if formulation.model.has_objective() and formulation.model.proto.objective.scaling_factor < 0:
            raise InputError("a model must minimise the objective, not maximise", source=str(self.model.path))

    def search(self, formulation: CpSatFormulation, state: None, seconds: float) -> Answer:  # noqa: ARG002
        """Solve one model for some seconds."""
        if formulation.learn is not None:
            return self._learning(formulation, formulation.learn)
        if formulation.unordered:
            single = {"num_workers": 1, "enumerate_all_solutions": True}
            return self._first_playable(self._solver(formulation, seconds, **single), formulation)
        solver = self._solver(formulation, seconds)
        # The model's objective may be that of the problem; otherwise it is a preference only.
        is_asked = self.problem.objective is not Objective.ANY and self.horizons.covers_all
        if is_asked and formulation.model.has_objective():
            return self._optimised(solver, formulation)
        status = self._solve(solver, formulation)
        if status in _SOLVED:
            return Answer(Status.SOLVED, jumps=formulation.played(solver.value))
        return _unsolved(solver, formulation, status)

    def minimise(self, formulation: CpSatFormulation, state: None, values: range) -> Answer:  # noqa: ARG002
        """Look for the best solution of one model with a value in a range."""
        solver = self._solver(formulation, self.run.remaining)
        objective = formulation.model.proto.objective  # its domain is without the offset
        objective.domain.extend(value - round(objective.offset) for value in (values[0], values[-1]))
        return _best(solver, formulation, self._solve(solver, formulation))

    def count(self, formulation: CpSatFormulation, state: None, tally: Tally) -> Answer:  # noqa: ARG002
        """Count the solutions; when stopped, those found so far."""
        solver = self._solver(formulation, self.run.remaining, num_workers=1, enumerate_all_solutions=True)
        callback = _stopping(lambda solution: not tally.add(lambda: formulation.played(solution.value)))
        status = self._solve(solver, formulation, callback)
        return tally.answer(whole=status == "OPTIMAL") if tally.count else _unsolved(solver, formulation, status)

    def _solver(self, formulation: CpSatFormulation, seconds: float, **settings: object) -> cp_model.CpSolver:
        """A solver with the parameters of the run; ``settings`` come before those of the model file and the user."""
        limits = self.run.limits
        parameters: dict[str, object] = {
            "num_workers": limits.workers,
            "random_seed": limits.seed + self.attempts,
            "max_time_in_seconds": seconds,
            "log_search_progress": self.run.log,
            "log_to_stdout": False,
            "presolve_inclusion_work_limit": 0,  # OR-tools issue 5293: wrong proofs on linear models
            **settings,
        }
        steps_alone = self.problem.sought is not None or not formulation.model.has_objective()
        if steps_alone and "linearization_level" not in self.model.parameters:
            # The linear relaxation of steps is weak, half a peg here and half a peg there, and slow. A model whose
            # argument it is says so in its PARAMETERS.
            only = parameters["num_workers"] == 1
            parameters |= {"linearization_level": 0} if only else {"extra_subsolvers": '"no_lp"'}
        solver = _configured({**parameters, **self.model.parameters, **self.parameters, **settings})
        self.attempts += 1
        solver.log_callback = self._log
        return solver

    def _log(self, lines: str) -> None:
        for line in lines.splitlines():
            self.run.report({"log": line})

    def _solve(self, solver: cp_model.CpSolver, formulation: CpSatFormulation, callback: Callback | None = None) -> str:
        """Solve, add the figures of the search, and return the name of the solver's status."""
        formulation.model.clear_hints()  # type: ignore[no-untyped-call]
        for variable, value in hint_values(self.problem, formulation.made, self.run.hint).items():
            formulation.model.add_hint(variable, value)
        status = solver.solve(formulation.model, callback)
        about = solver.response_proto
        self.add_figures({name: sum(getattr(about, key) for key in keys) for name, keys in _FIGURES.items()})
        return status.name

    def _optimised(self, solver: cp_model.CpSolver, formulation: CpSatFormulation) -> Answer:
        """Look for the optimum, and report better solutions and bounds."""

        def report(better: Callback) -> bool:
            progress = {"objective": better.objective_value, "conflicts": better.num_conflicts}
            jumps = formulation.decoded(better.value)
            self.run.report({**progress, **_bound(better.best_objective_bound), "jumps": jumps})
            return False

        solver.best_bound_callback = lambda bound: self.run.report(_bound(bound))
        answer = _best(solver, formulation, self._solve(solver, formulation, _stopping(report)))
        value = None if answer.jumps is None else round(solver.objective_value)
        return replace(answer, objective=value, bound=_bound(solver.best_objective_bound).get("bound"))

    def _first_playable(self, solver: cp_model.CpSolver, formulation: CpSatFormulation) -> Answer:
        """Enumerate the solutions of a model without the order of jumps until one of them can be played."""
        jumps: tuple[Jump, ...] | None = None

        def playable(solution: Callback) -> bool:
            nonlocal jumps
            jumps = formulation.decoded(solution.value)
            return jumps is not None

        status = self._solve(solver, formulation, _stopping(playable))
        if jumps is not None:
            return Answer(Status.SOLVED, jumps=jumps)
        # After all solutions were enumerated the status is OPTIMAL.
        return _unsolved(solver, formulation, "INFEASIBLE" if status == "OPTIMAL" else status)

    def _learning(self, formulation: CpSatFormulation, learn: Callable[[Value], None]) -> Answer:
        """Solve a model repeatedly; it learns from each solution that cannot be played."""
        model = formulation.model
        while self.run.remaining > 0:
            # Presolve would take longer than the search; and few of many solutions can be played, so they must vary.
            varied = {"num_workers": 1, "cp_model_presolve": False, "randomize_search": True}
            solver = self._solver(formulation, self.run.remaining, **varied)
            status = self._solve(solver, formulation)
            if status in _SOLVED:
                jumps = formulation.decoded(solver.value)
                if jumps is not None:
                    return Answer(Status.SOLVED, jumps=jumps)
                learn(solver.value)
                self.run.report(self.statistics)
            elif status != "INFEASIBLE":
                return _unsolved(solver, formulation, status)
            elif model.proto.assumptions:
                model.clear_assumptions()
            else:
                self.certificate = formulation.refuted and formulation.refuted(self.run.remaining / 2)
                return Answer(Status.INFEASIBLE)
        return OUT_OF_TIME


def _configured(settings: Mapping[str, object]) -> cp_model.CpSolver:
    """A solver with these parameters."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in settings.items():
        solver.parameters.merge_text_format(f"{name}: {str(value).lower() if isinstance(value, bool) else value}")
    return solver


def _best(solver: cp_model.CpSolver, formulation: CpSatFormulation, status: str) -> Answer:
    """Conclude from the end of a search for the best solution of a model."""
    if status not in _SOLVED:
        return _unsolved(solver, formulation, status)
    answer = Answer(Status.OPTIMAL, jumps=formulation.played(solver.value))
    return answer if status == "OPTIMAL" else replace(answer, status=Status.SOLVED, reason=Reason.TIME)


def _unsolved(solver: cp_model.CpSolver, formulation: CpSatFormulation, status: str) -> Answer:
    """Conclude from the end of a search without a solution."""
    if status == "INFEASIBLE":
        return Answer(Status.INFEASIBLE)
    if status == "MODEL_INVALID":
        return Answer(Status.UNKNOWN, Reason.ERROR, message=formulation.model.validate() or solver.solution_info())
    return OUT_OF_TIME


def _bound(value: float) -> dict[str, int]:
    """The bound that the solver has proved, if there is one yet: the objective is a whole number."""
    return {"bound": ceil(value - 1e-6)} if isfinite(value) else {}


def _stopping(enough: Callable[[Callback], bool]) -> Callback:
    """A callback that stops the search when a function, called at every solution, returns True."""
    from ortools.sat.python import cp_model

    class AtSolution(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            if enough(self):
                self.stop_search()

    return AtSolution()


def _terms(row: Any) -> int:
    """The number of literals or terms of a constraint. Reading a field of another kind would change its kind."""
    for kind in ("bool_or", "bool_and", "exactly_one", "at_most_one"):
        if getattr(row, f"has_{kind}")():
            return len(getattr(row, kind).literals)
    return len(row.linear.vars) if row.has_linear() else 0


class CpSat(Backend):
    """CP-SAT on its own models."""

    loop = CpSatLoop

    def sizes(self, native: cp_model.CpModel) -> Figures:
        """Sizes of a model; literals are those of clauses and the terms of linear constraints."""
        rows = native.proto.constraints
        literals = sum(len(row.enforcement_literal) + _terms(row) for row in rows)
        return {"variables": len(native.proto.variables), "constraints": len(rows), "literals": literals}

    def write(self, formulation: CpSatFormulation, format: str, options: Options) -> dict[str, str]:  # noqa: A002, ARG002
        """The model as text protobuf."""
        return {"model.textproto": str(formulation.model.proto)}

    def reader(self, solution: Any) -> Value:
        """The values of a CpSolver that has a solution. Raises InputError for one that has none."""
        if not hasattr(solution, "response_proto"):
            return super().reader(solution)
        status = solution.status_name(solution.response_proto.status)
        if status not in _SOLVED:  # CP-SAT would return 0 for every variable
            raise InputError(f"the solver has no solution to read: {status}")
        return solution.value  # type: ignore[no-any-return]

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError unless SatParameters has the field and takes the value, which must set nothing else."""
        from google.protobuf import text_format
        from ortools.sat.sat_parameters_pb2 import SatParameters

        fields = [field for field in SatParameters.DESCRIPTOR.fields_by_name if not _OURS.fullmatch(field)]
        self.check_word(name, fields, "the fields of SatParameters, but for limits, threads, seed")
        try:
            parsed = text_format.Parse(f"{name}: {value}", SatParameters())
        except text_format.ParseError as error:
            raise InputError(f'{self.name}.{name} cannot be "{value}": {str(error).partition(" : ")[2]}') from None
        if [field.name for field, _ in parsed.ListFields()] != [name]:
            raise InputError(f'{self.name}.{name} cannot be "{value}": that sets other parameters, too')

    def statistics(self, native: cp_model.CpModel, run: Run, parameters: Mapping[str, str]) -> Figures:
        """Sizes, also after presolve; without those where presolve refutes the model."""
        log: list[str] = []
        presolve = {"stop_after_presolve": True, "log_search_progress": True, "log_to_stdout": False}
        solver = _configured({**parameters, "num_workers": 1, "max_time_in_seconds": run.remaining, **presolve})
        solver.log_callback = log.append
        solver.solve(native)
        numbers = re.findall(r"^PresolvedNum(Variables|Constraints|Terms): (\d+)", "\n".join(log), re.MULTILINE)
        names = {"Variables": "variables", "Constraints": "constraints", "Terms": "literals"}
        return self.sizes(native) | {f"{names[name]}_presolved": int(number) for name, number in numbers}


CP_SAT = CpSat(
    name="cp-sat",
    title="OR-tools CP-SAT",
    licence="Apache-2.0",
    distribution="ortools",
    modules=("ortools",),
    preload=("ortools.sat.python.cp_model",),
    package="ortools",
    formats=("proto",),
    threads=True,
    counts=True,
    hints=True,
)
