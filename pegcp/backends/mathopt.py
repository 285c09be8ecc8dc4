"""HiGHS, SCIP and CP-SAT through MathOpt (OR-tools): run models that return a Formulation of a MathOpt model."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pegcp.backends.interface import (
    Ability,
    Answer,
    Backend,
    Figures,
    Formulation,
    HorizonLoop,
    Outcome,
    Reason,
    Status,
    Value,
    check_word,
    hint_values,
    refuse_if,
)

if TYPE_CHECKING:
    from ortools.math_opt.python import mathopt

    MathOptFormulation = Formulation[mathopt.Model]

_FIRST_NODES = 200


@dataclass(frozen=True)
class MathOpt(Backend):
    """One of the solvers.

    ``solver_type`` is its name in MathOpt; ``restarts``: it restarts after a number of nodes; ``words``: the parameters
    that it takes of those of MathOpt whose values are words.
    """

    solver_type: str = ""
    restarts: bool = False
    words: tuple[str, ...] = ()
    takes_turns = False
    minimises = True

    def search(
        self,
        loop: HorizonLoop,
        formulation: MathOptFormulation,
        state: None,
        seconds: float,
    ) -> Outcome:
        """Look for a solution of one model."""
        nearest = loop.problem.sought
        try:
            result = self._solve(loop, formulation)
        except Exception as error:  # noqa: BLE001 - MathOpt hides the solver's own error in the context
            return self._fault(error.__context__ or error)
        reason = result.termination.reason.name
        if result.has_primal_feasible_solution():
            if nearest is None:
                return self.reader(result)
            jumps = formulation.played(self.reader(result))
            is_best = reason == "OPTIMAL"
            return Answer(Status.OPTIMAL, jumps=jumps) if is_best else Answer(Status.SOLVED, Reason.TIME, jumps)
        # A model without an objective cannot be unbounded, nor one whose objective has a range.
        terms = (*formulation.model.linear_objective_terms(), *formulation.model.quadratic_objective_terms())
        is_bounded = not terms or nearest is not None
        if reason == "INFEASIBLE" or (reason == "INFEASIBLE_OR_UNBOUNDED" and is_bounded):
            return False
        if reason in ("FEASIBLE", "NO_SOLUTION_FOUND"):
            return None
        return self._fault(f"{result.termination.reason.value} {result.termination.detail}")

    def _fault(self, words: object) -> Answer:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"{self.name}: {words}")

    def minimise(self, loop: HorizonLoop, formulation: MathOptFormulation, state: None, values: range) -> Outcome:
        """Look for the best solution with a value in a range."""
        model = formulation.model
        model.add_linear_constraint(lb=values[0], ub=values[-1], expr=model.objective.as_linear_expression())
        return self.search(loop, formulation, state, loop.run.remaining)

    def _solve(self, loop: HorizonLoop, formulation: MathOptFormulation) -> mathopt.SolveResult:
        """Return the first solution, or the best where that is sought.

        For the first one SCIP starts afresh with the next seed after 200 nodes, then 400, 800, ...
        The times of a mixed-integer search for a first solution have a heavy tail; restarts cut it off (Gomes, Selman
        and Kautz 1998), and as the limit doubles they cost a proof no more than about its own time.
        """
        from ortools.math_opt.python import mathopt

        hint = {key: float(value) for key, value in hint_values(loop.problem, loop.run.wishes.hint, formulation)}
        of_model = mathopt.ModelSolveParameters(
            solution_hints=[mathopt.SolutionHint(variable_values=hint)] if hint else []
        )
        solver, limits, restart = mathopt.SolverType[self.solver_type], loop.run.limits, 0
        while True:
            settings = mathopt.SolveParameters(
                time_limit=timedelta(seconds=loop.run.remaining), random_seed=limits.seed, solution_limit=1
            )
            if self.solver_type != "HIGHS":  # HiGHS takes no number of threads from MathOpt
                settings.threads = limits.workers if Ability.THREADS in self.abilities else 1
            settings.cp_sat.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong answers on linear models
            for name, value in loop.parameters.items():
                setattr(settings, name, self._values(name)[value])
            if loop.problem.sought is not None:
                settings.solution_limit, settings.relative_gap_tolerance = None, 0.0
            elif self.restarts:
                settings.random_seed = limits.seed + restart
                settings.node_limit = _FIRST_NODES << restart
            result = mathopt.solve(formulation.model, solver, params=settings, model_params=of_model)
            solving = result.solve_stats
            loop.add_figures({"nodes": solving.node_count, "lp_iterations": solving.simplex_iterations})
            if result.termination.limit is not mathopt.Limit.NODE or loop.run.remaining <= 0:
                return result
            restart += 1
            loop.statistics["restarts"] = restart

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError unless the solver takes a parameter of that name, with that value."""
        check_word(self.name, "parameter", name, self.words)
        check_word(self.name, "parameter", f"{name}={value}", [f"{name}={word}" for word in self._values(name)])

    def _values(self, name: str) -> dict[str, Any]:
        """Return the values of a parameter by their words. Of the algorithms for linear programs SCIP has simplex
        only."""
        from ortools.math_opt.python import mathopt

        simplex = (mathopt.LPAlgorithm.PRIMAL_SIMPLEX, mathopt.LPAlgorithm.DUAL_SIMPLEX)
        return {value.name.lower(): value for value in (simplex if name == "lp_algorithm" else mathopt.Emphasis)}

    def reader(self, solution: Any) -> Value:
        """Read the values of a result of MathOpt, which are floats, as integers."""
        if not hasattr(solution, "variable_values"):
            return super().reader(solution)
        values = solution.variable_values()
        return lambda variable: round(values[variable])

    def sizes(self, native: mathopt.Model) -> Figures:
        """Return the sizes of a model; literals are the entries of its matrix that are not 0."""
        return {
            "variables": native.get_num_variables(),
            "constraints": native.get_num_linear_constraints(),
            "literals": sum(1 for _ in native.linear_constraint_matrix_entries()),
        }

    def write(self, formulation: MathOptFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write the model in LP or MPS format."""
        from ortools.linear_solver.python import model_builder
        from ortools.math_opt.io.python import mps_converter  # pyright: ignore[reportAttributeAccessIssue]

        mps = mps_converter.model_proto_to_mps(formulation.model.export_model())
        if format == "mps":
            return {"model.mps": mps}
        model = model_builder.Model()  # type: ignore[no-untyped-call]
        refuse_if(not model.import_from_mps_string(mps), "the model cannot be written in LP format")
        first = next(formulation.model.variables()).name  # GLPK takes no objective without a variable
        return {"model.lp": re.sub(r"^ Obj: *$", f" Obj: 0 {first}", model.export_to_lp_string(), flags=re.MULTILINE)}


_WORDS = ("presolve", "heuristics", "scaling")
HIGHS = MathOpt(
    name="highs",
    title="HiGHS (in OR-tools)",
    licence="MIT",
    distribution="ortools",
    modules=("ortools",),
    package="ortools",
    formats=("lp", "mps"),
    preload=("ortools.math_opt.python.mathopt",),
    solver_type="HIGHS",
    words=_WORDS,
    abilities=frozenset({Ability.HINTS}),
)
SCIP = replace(
    HIGHS,
    name="scip",
    title="SCIP (in OR-tools)",
    licence="Apache-2.0",
    solver_type="GSCIP",
    restarts=True,
    words=(*_WORDS, "cuts", "lp_algorithm"),
)
CP_SAT = replace(
    HIGHS,
    name="cp-sat-mathopt",
    title="OR-tools CP-SAT on integer programs",
    licence="Apache-2.0",
    solver_type="CP_SAT",
    abilities=frozenset({Ability.THREADS, Ability.HINTS}),
    words=("presolve", "cuts"),
    engine="cp-sat",
)
