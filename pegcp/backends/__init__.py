"""Solvers that run models, one class in one file each, loaded when they are used; planners; the user's programs."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from pegcp.backends.backend import Backend
from pegcp.errors import Missing, suggestion

BACKENDS = {  # by name: the module in this package, and the backend in it
    "cp-sat": "cpsat:CP_SAT",
    "highs": "mathopt:HIGHS",
    "scip": "mathopt:SCIP",
    "cp-sat-mathopt": "mathopt:CP_SAT",
    "python-constraint": "python_constraint:PYTHON_CONSTRAINT",
    "cadical": "sat:CADICAL",
    "glucose": "sat:GLUCOSE",
    "clingo": "asp:CLINGO",
    "minizinc": "minizinc:MINIZINC",
    "cpmpy-ortools": "cpmpy:ORTOOLS",
    "cpmpy-z3": "cpmpy:Z3",
    "cpmpy-pysat": "cpmpy:PYSAT",
    "choco": "choco:CHOCO",
    "oxidd": "oxidd:OXIDD",
    "bitwuzla": "smt:BITWUZLA",
    "z3": "smt:Z3",
    "cvc5": "smt:CVC5",
}


def backend(name: str) -> Backend:
    """The backend of that name; its solver may be missing. Raises Missing for an unknown name."""
    if name not in BACKENDS:
        raise Missing(f'there is no backend "{name}"{suggestion(name, BACKENDS)}')
    return _loaded(BACKENDS[name])


@cache
def _loaded(place: str) -> Backend:
    module, _, constant = place.partition(":")
    return cast("Backend", getattr(import_module(f"pegcp.backends.{module}"), constant))


def modules(name: str | None) -> list[str]:
    """The modules that a solver loads to run a model; none for a planner, a search, or a missing solver."""
    if name not in BACKENDS or backend(name).version() is None:
        return []
    solver = backend(name)
    # The bounds of horizons come from linear programs, which are slow to load.
    return [type(solver).__module__, "pegcp.theory.equations", *(solver.preload or solver.modules)]
