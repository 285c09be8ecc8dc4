"""What a solver makes of a model before it searches: sizes, and what follows at the root.

The same names for all: ``variables``, ``constraints`` (rows, clauses, rules), ``literals`` (of clauses, non-zeros of
rows); with ``_presolved`` what the solver's presolve leaves of them, where it tells. ``root_fixed``: variables fixed by
propagation alone, ``root_open`` the others; ``root_bound``: the least value of the objective in the linear relaxation;
``root`` is "infeasible" where the root shows that there is no solution.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Run

Figures = dict[str, Any]

_NOTHING_LEFT = {"root": "infeasible", "root_open": 0}


def look(solver: str, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Figures:
    """The figures of the model with the given or the first horizon. Raises InputError for a solver without any."""
    if solver not in _LOOKS:
        raise InputError(f"{solver} tells no sizes; {', '.join(_LOOKS)} do")
    horizons = model.book(problem, options).open
    if not horizons:
        return dict(_NOTHING_LEFT)
    began = time.perf_counter()
    built = model.build(problem, horizons[0], options).model
    figures = {"build_seconds": time.perf_counter() - began}
    figures |= {} if horizons[0] is None else {"horizon": horizons[0]}
    return figures | _LOOKS[solver](built, run, given(solver, options))


def _cp_sat(model: Any, run: Run, parameters: Mapping[str, str]) -> Figures:
    from ortools.sat.python import cp_model

    from pegcp.backends.cpsat import size

    def solver(**fixed: Any) -> Any:
        made = cp_model.CpSolver()
        for name, value in parameters.items():
            made.parameters.merge_text_format(f"{name}: {value}")
        for name, value in (fixed | {"num_workers": 1, "max_time_in_seconds": run.remaining}).items():
            setattr(made.parameters, name, value)
        return made

    found: Figures = size(model)
    root = solver(
        stop_after_root_propagation=True, fill_tightened_domains_in_response=True, cp_model_presolve=False,
        cp_model_probing_level=0, symmetry_level=0, linearization_level=2,
    )  # fmt: skip
    if root.solve(model) == cp_model.INFEASIBLE:
        return found | _NOTHING_LEFT
    tightened = root.response_proto.tightened_variables
    before, after = (sum(len(set(v.domain)) == 1 for v in some) for some in (model.proto.variables, tightened))
    found |= {"root_fixed": max(0, after - before), "root_open": len(model.proto.variables) - after}
    if model.has_objective():
        found["root_bound"] = root.best_objective_bound
    said: list[str] = []
    presolve = solver(stop_after_presolve=True, log_search_progress=True, log_to_stdout=False)
    presolve.log_callback = said.append
    if presolve.solve(model) == cp_model.INFEASIBLE:
        return found | _NOTHING_LEFT
    return found | _presolved("\n".join(said))


def _presolved(log: str) -> Figures:
    """The sizes that CP-SAT's log tells after presolve."""
    words = {"Variables": "variables", "Constraints": "constraints", "Terms": "literals"}
    told = dict(re.findall(r"^PresolvedNum(\w+): (\d+)", log, re.MULTILINE))
    return {f"{key}_presolved": int(told[word]) for word, key in words.items() if word in told}


def _mathopt(model: Any, run: Run, _: Mapping[str, str]) -> Figures:
    from ortools.math_opt.python import mathopt

    from pegcp.backends.mathopt import size

    figures: Figures = size(model)
    for variable in model.variables():
        variable.integer = False
    limits = mathopt.SolveParameters(time_limit=timedelta(seconds=run.remaining))
    result = mathopt.solve(model, mathopt.SolverType.GLOP, params=limits)
    if result.termination.reason is mathopt.TerminationReason.INFEASIBLE:
        return figures | {"root": "infeasible"}
    has_objective = any(True for _ in model.linear_objective_terms())
    if has_objective and result.termination.reason is mathopt.TerminationReason.OPTIMAL:
        figures["root_bound"] = result.objective_value()
    return figures


def _clauses(model: Any, run: Run, _: Mapping[str, str]) -> Figures:
    from pegcp.backends.sat import size, whole

    figures: Figures = size(model)
    fixed = propagated(whole(model), run)
    if fixed is None:
        return figures | _NOTHING_LEFT
    return figures | {"root_fixed": len(fixed), "root_open": figures["variables"] - len(fixed)}


def propagated(clauses: Sequence[Sequence[int]], run: Run) -> set[int] | None:
    """The literals that follow from clauses by unit propagation; None if a clause is left with none."""
    fixed: set[int] = set()
    known = -1
    while known < len(fixed) and run.remaining:
        known = len(fixed)
        for clause in clauses:
            if fixed.isdisjoint(clause):
                open_ = {literal for literal in clause if -literal not in fixed}
                if not open_:
                    return None
                if len(open_) == 1:
                    fixed |= open_
    return fixed


def _rules(model: Any, run: Run, parameters: Mapping[str, str]) -> Figures:
    import clingo

    del run
    control = clingo.Control(["--solve-limit=0", *(f"--{name}={value}" for name, value in parameters.items())])
    control.add("base", [], f"{model.text}\n#program base.\n{model.facts}")
    steps = [("step", [clingo.Number(t)]) for t in range(1, model.horizon + 1)]
    control.ground([("base", []), *steps, ("check", [clingo.Number(model.horizon)])])
    control.assign_external(clingo.Function("query", [clingo.Number(model.horizon)]), True)
    result = control.solve()
    told = control.statistics["problem"]
    solver = told["generator"]
    rows = sum(int(solver[key]) for key in ("constraints", "constraints_binary", "constraints_ternary"))
    figures: Figures = {
        "variables": int(told["lp"]["atoms"]),
        "constraints": int(told["lp"]["rules"]),
        "variables_presolved": int(solver["vars"]),
        "constraints_presolved": rows,
    }
    return figures | ({"root": "infeasible"} if result.unsatisfiable else {})


def _flat(model: Any, run: Run, parameters: Mapping[str, str]) -> Figures:
    from pegcp.backends.minizinc import flattened

    lines = [line.partition(" ")[0] for line in flattened(model, parameters, run.remaining).splitlines()]
    return {"variables_presolved": lines.count("var"), "constraints_presolved": lines.count("constraint")}


def _script(model: Any, run: Run, _: Mapping[str, str]) -> Figures:
    del run
    return {"variables": len(model.names), "constraints": model.text.count("(assert ")}


def _cpmpy(model: Any, run: Run, _: Mapping[str, str]) -> Figures:
    from cpmpy.transformations.get_variables import get_variables_model

    del run
    return {"variables": len(get_variables_model(model)), "constraints": len(model.constraints)}


def _functions(model: Any, run: Run, _: Mapping[str, str]) -> Figures:
    del run
    return {"variables": len(model._variables), "constraints": len(model._constraints)}  # there is no other way


_LOOKS: dict[str, Callable[[Any, Run, Mapping[str, str]], Figures]] = {
    "cp-sat": _cp_sat,
    "highs": _mathopt,
    "scip": _mathopt,
    "cp-sat-mathopt": _mathopt,
    "cadical": _clauses,
    "glucose": _clauses,
    "kissat": _clauses,
    "clingo": _rules,
    "minizinc": _flat,
    **dict.fromkeys(("bitwuzla", "z3", "cvc5"), _script),
    **dict.fromkeys(("cpmpy-ortools", "cpmpy-z3", "cpmpy-pysat"), _cpmpy),
    "python-constraint": _functions,
}
