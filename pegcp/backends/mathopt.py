"""HiGHS, SCIP and CP-SAT through MathOpt (OR-tools): runs models that return a Formulation of a MathOpt model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from google.protobuf import text_format
from ortools.math_opt.python import mathopt

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import OUT_OF_TIME, Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation, Value

_SOLVERS = {
    "highs": mathopt.SolverType.HIGHS,
    "scip": mathopt.SolverType.GSCIP,
    "cp-sat-mathopt": mathopt.SolverType.CP_SAT,
}
_FIRST_NODES = 200
_PROVED: Any = {"status": Status.OPTIMAL, "reason": Reason.COMPLETED}
_LIMITED = (mathopt.TerminationReason.FEASIBLE, mathopt.TerminationReason.NO_SOLUTION_FOUND)


def _rounded(values: Mapping[mathopt.Variable, float]) -> Value:
    return lambda variable: round(values[variable])


def _refuted(model: mathopt.Model, ended: mathopt.TerminationReason) -> bool:
    """Whether the model has no solution; one without an objective cannot be unbounded."""
    if ended is mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED:
        return not [*model.linear_objective_terms(), *model.quadratic_objective_terms()]
    return ended is mathopt.TerminationReason.INFEASIBLE


def size(model: mathopt.Model) -> dict[str, int]:
    """How large a model is; literals are the entries of its matrix that are not 0."""
    return {
        "variables": model.get_num_variables(),
        "constraints": model.get_num_linear_constraints(),
        "literals": sum(1 for _ in model.linear_constraint_matrix_entries()),
    }


class Solver:
    """One of the solvers, as a backend."""

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Solve the model, horizon after horizon if it has horizons (see :mod:`pegcp.backends.horizons`)."""
        totals: run_loop.Totals = {}
        ask = partial(self._attempt, run=run, totals=totals, parameters=given(self.name, options))

        def minimise(formulation: Formulation[mathopt.Model], wanted: range) -> Answer:
            """The best solution with a value in the range: one solution after the other, each better."""
            value = formulation.model.objective.as_linear_expression()
            formulation.model.minimize(0.0)
            row = formulation.model.add_linear_constraint(value >= wanted[0])
            best: Answer | None = None
            while wanted:
                row.upper_bound = wanted[-1] - value.offset  # which a row has moved to its bounds
                found = ask(formulation)
                if found.jumps is None:
                    if best is None:
                        return found
                    return replace(best, **_PROVED) if found.status is Status.INFEASIBLE else best
                best = replace(found, reason=Reason.TIME)
                wanted = range(wanted[0], problem.value(found.jumps) or 0)
            assert best is not None
            return replace(best, **_PROVED)

        def begin(formulation: Formulation[mathopt.Model]) -> run_loop.Search:
            return lambda _: ask(formulation)

        return run_loop.run(model, problem, run, options, begin, totals, turns=False, minimise=minimise)

    def _attempt(
        self, formulation: Formulation[mathopt.Model], run: Run, totals: dict[str, Any], parameters: Mapping[str, str]
    ) -> Answer:
        """Look for a solution of one model."""
        totals |= size(formulation.model)
        if run.remaining <= 0:
            return OUT_OF_TIME
        try:
            result = self._solved(formulation.model, run, totals, parameters)
        except Exception as error:  # noqa: BLE001 - MathOpt hides the solver's own error in the context
            return Answer(Status.UNKNOWN, Reason.ERROR, message=f"{self.name}: {error.__context__ or error}")
        if result.has_primal_feasible_solution():
            return Answer(Status.SOLVED, jumps=formulation.played(_rounded(result.variable_values())))
        if _refuted(formulation.model, result.termination.reason):
            return Answer(Status.INFEASIBLE)
        if result.termination.reason in _LIMITED:
            return OUT_OF_TIME
        message = f"{self.name}: {result.termination.reason.value} {result.termination.detail}"
        return Answer(Status.UNKNOWN, Reason.ERROR, message=message)

    def _solved(
        self, model: mathopt.Model, run: Run, totals: dict[str, Any], asked: Mapping[str, str]
    ) -> mathopt.SolveResult:
        """The first solution. SCIP starts afresh with the next seed after 200 nodes, then 400, 800, ...

        The times of a mixed-integer search for a first solution have a heavy tail; restarts cut it off (Gomes, Selman
        and Kautz 1998), and as the limit doubles they cost a proof no more than about its own time.
        """
        restart = 0
        while True:
            parameters = self._parameters(run, asked)
            if self.name == "scip":
                parameters.random_seed = run.limits.seed + restart
                parameters.node_limit = _FIRST_NODES << restart
            result = mathopt.solve(model, _SOLVERS[self.name], params=parameters)
            totals["nodes"] = totals.get("nodes", 0) + result.solve_stats.node_count
            totals["lp_iterations"] = totals.get("lp_iterations", 0) + result.solve_stats.simplex_iterations
            if result.termination.limit is not mathopt.Limit.NODE or run.remaining <= 0:
                return result
            restart += 1
            totals["restarts"] = restart

    def _parameters(self, run: Run, asked: Mapping[str, str]) -> mathopt.SolveParameters:
        parameters = mathopt.SolveParameters(
            time_limit=timedelta(seconds=run.remaining), random_seed=run.limits.seed, solution_limit=1
        )
        if self.name != "highs":  # HiGHS takes no number of threads from MathOpt
            parameters.threads = run.limits.workers if self.name == "cp-sat-mathopt" else 1
        if self.name == "cp-sat-mathopt":
            parameters.cp_sat.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong answers on linear models
            for name, value in asked.items():
                text_format.Merge(f"{name}: {value}", parameters.cp_sat)
            return parameters
        for name, value in asked.items():
            kind = mathopt.LPAlgorithm if name == "lp_algorithm" else mathopt.Emphasis
            setattr(parameters, name, kind[value.upper()])
        return parameters

    def write(self, formulation: Formulation[mathopt.Model], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG002
        """The model in LP or MPS format."""
        from ortools.linear_solver.python import model_builder
        from ortools.math_opt.io.python import mps_converter  # pyright: ignore[reportAttributeAccessIssue]

        mps = mps_converter.model_proto_to_mps(formulation.model.export_model())
        if format == "mps":
            return {"model.mps": mps}
        reader = model_builder.Model()  # type: ignore[no-untyped-call]
        if not reader.import_from_mps_string(mps):
            raise InputError("the model cannot be written in LP format")
        lp = re.sub(
            r"^ Obj: *$",
            f" Obj: 0 {next(formulation.model.variables()).name}",
            reader.export_to_lp_string(),
            flags=re.M,
        )
        return {"model.lp": lp}  # GLPK takes no objective without a variable


highs, scip, cp_sat = (Solver(name) for name in _SOLVERS)
