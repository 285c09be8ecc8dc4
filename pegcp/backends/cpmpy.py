"""CPMpy: runs models that return a Formulation of a CPMpy model, on one of the solvers that CPMpy compiles to.

Each turn begins anew; the solvers use one thread.
"""

import re
import warnings
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from pegcp.backends.interface import (
    Answer,
    AnyFormulation,
    Backend,
    Figures,
    HorizonLoop,
    Outcome,
    Reason,
    State,
    Status,
    refuse_if,
)

_OPERATORS = {  # of CPMpy, in XCSP3
    "->": "imp",
    "sum": "add",
    "==": "eq",
    "!=": "ne",
    "<=": "le",
    "<": "lt",
    ">=": "ge",
    ">": "gt",
    "and": "and",
    "or": "or",
    "not": "not",
}


@dataclass(frozen=True)
class Cpmpy(Backend):
    """One of the solvers. ``solver`` is its name in CPMpy; ``one_thread``: arguments that restrict it to one thread."""

    solver: str = ""
    one_thread: dict[str, int] = field(default_factory=dict)

    def begin(self, loop: HorizonLoop, formulation: AnyFormulation) -> object:
        """Compile the model for the solver."""
        return import_module("cpmpy").SolverLookup.get(self.solver, formulation.model)

    def search(self, loop: HorizonLoop, formulation: AnyFormulation, state: State, seconds: float) -> Outcome:
        """Search for some seconds."""
        has_solution = state.solve(time_limit=seconds, **self.one_thread)
        status = state.status().exitstatus.name
        if has_solution:
            return lambda variable: variable.value()
        if status in ("UNSATISFIABLE", "UNKNOWN"):
            return False if status == "UNSATISFIABLE" else None
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"CPMpy's {self.solver}: {status}")

    def write(self, formulation: AnyFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write XCSP3, or a pseudo-Boolean program with the names of the variables in comments."""
        if format == "xcsp3":
            return {"model.xml": _xcsp3(formulation.model)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # CPMpy warns about an argument that it passes itself
            write = import_module("cpmpy.tools.io.opb").write_opb
            names = SimpleNamespace(annotate=lambda variables, _: [str(variable.name) for variable in variables])
            return {"model.opb": write(formulation.model, annotate_bool=names) + "\n"}

    def sizes(self, native: Any) -> Figures:
        """Return the sizes of the model before it is compiled for a solver."""
        variables = import_module("cpmpy.transformations.get_variables").get_variables_model(native)
        return {"variables": len(variables), "constraints": len(native.constraints)}


def _xcsp3(model: Any) -> str:
    """Return a model of CPMpy whose constraints are logic and sums as XCSP3-core. Raises InputError for others.

    The format is that of Boussemart, Lecoutre, Audemard and Piette, XCSP3: an integrated format for benchmarking
    combinatorial constrained problems (specifications 3.2, section 4.1 for intensional constraints).
    """
    cpmpy = import_module("cpmpy")
    expressions = cpmpy.expressions
    variables = cpmpy.transformations.get_variables.get_variables(model.constraints)
    ids = {
        v.name: v.name if re.fullmatch(r"[A-Za-z]\w*", v.name, re.ASCII) else f"x{i}" for i, v in enumerate(variables)
    }

    def text_of(expression: Any) -> str:
        if isinstance(expression, expressions.variables.NegBoolView):
            return f"not({text_of(expression._bv)})"
        if not isinstance(expression, expressions.core.Expression):
            return str(int(expression))
        if expression.name in ids:
            return ids[expression.name]
        refuse_if(expression.name not in _OPERATORS, f'CPMpy operator "{expression.name}" cannot be written as XCSP3')
        parts = ",".join(map(text_of, expression.args))
        single = len(expression.args) == 1 and expression.name != "not"
        return parts if single else f"{_OPERATORS[expression.name]}({parts})"

    terms = [
        text if "(" in text else f"eq({text},1)" for text in map(text_of, expressions.utils.flatlist(model.constraints))
    ]
    lines = [
        '<instance format="XCSP3" type="CSP">',
        "  <variables>",
        *(f'    <var id="{ids[variable.name]}">{variable.lb}..{variable.ub}</var>' for variable in variables),
        "  </variables>",
        "  <constraints>",
        *(f"    <intension>{term}</intension>" for term in terms),
        "  </constraints>",
        "</instance>",
    ]
    return "\n".join(lines) + "\n"


ORTOOLS = Cpmpy(
    name="cpmpy-ortools",
    title="OR-tools CP-SAT (by CPMpy)",
    licence="Apache-2.0",
    distribution="cpmpy",
    modules=("cpmpy",),
    package="pegcp[cpmpy]",
    formats=("opb", "xcsp3"),
    preload=("pegcp.backends.import_cpmpy",),
    solver="ortools",
    engine="cp-sat",
    one_thread={"num_workers": 1},
)
Z3 = replace(
    ORTOOLS,
    name="cpmpy-z3",
    title="Z3 (by CPMpy)",
    licence="MIT",
    modules=("cpmpy", "z3"),
    solver="z3",
    engine="z3",
    one_thread={},
)
PYSAT = replace(
    Z3,
    name="cpmpy-pysat",
    title="a SAT solver (by CPMpy)",
    modules=("cpmpy", "pysat"),
    solver="pysat",
    engine="glucose",  # the solver of PySAT that CPMpy takes by default
)
