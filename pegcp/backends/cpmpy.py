"""CPMpy: runs models that return a Formulation of a CPMpy model, on one of the solvers that CPMpy compiles to.

Each turn begins anew; the solvers use one thread.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pegcp.backends.interface import (
    Answer,
    AnyFormulation,
    Backend,
    Figures,
    Formulation,
    HorizonLoop,
    Outcome,
    Reason,
    Status,
)

if TYPE_CHECKING:
    import cpmpy as cp


@dataclass(frozen=True)
class Cpmpy(Backend):
    """One of the solvers. ``solver`` is its name in CPMpy; ``one_thread``: arguments that restrict it to one thread."""

    solver: str = ""
    one_thread: Mapping[str, int] = field(default_factory=dict)

    def begin(self, loop: HorizonLoop, formulation: Formulation[cp.Model]) -> object:
        """Compile the model for the solver."""
        return import_module("cpmpy").SolverLookup.get(self.solver, formulation.model)

    def search(self, loop: HorizonLoop, formulation: object, state: Any, seconds: float) -> Outcome:
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
            from pegcp.modelling.xcsp3 import xcsp3

            return {"model.xml": xcsp3(formulation.model)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # CPMpy warns about an argument that it passes itself
            write = import_module("cpmpy.tools.io.opb").write_opb
            names = SimpleNamespace(annotate=lambda variables, _: [str(variable.name) for variable in variables])
            return {"model.opb": write(formulation.model, annotate_bool=names) + "\n"}

    def sizes(self, native: Any) -> Figures:
        """Return the sizes of the model before it is compiled for a solver."""
        variables = import_module("cpmpy.transformations.get_variables").get_variables_model(native)
        return {"variables": len(variables), "constraints": len(native.constraints)}


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
