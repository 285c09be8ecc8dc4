"""Solvers that run models, one class in one file each, loaded when they are used; planners; the user's programs."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import cast

from pegcp import machine
from pegcp.backends.backend import Backend
from pegcp.errors import Missing, suggestion


class _Backends(dict[str, str]):
    """Backends by name, those of other packages (entry points ``pegcp.backends``) included once one is asked for."""

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and name in plugins())


BACKENDS = _Backends({  # by name: the module in this package, and the backend in it
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
})  # fmt: skip


@cache
def plugins() -> dict[str, Backend]:
    """The backends of other packages; one that does not load is missing, and its title says why."""
    by_name: dict[str, Backend] = {}
    for package in machine.packages():
        for point in package.entry_points.select(group="pegcp.backends"):
            try:
                by_name[point.name] = point.load()
            except Exception as error:  # noqa: BLE001 - a broken plug-in must not take the others down
                by_name[point.name] = Backend(point.name, f"does not load: {type(error).__name__}: {error}")
    return by_name


def backend(name: str) -> Backend:
    """The backend of that name; its solver may be missing. Raises Missing for an unknown name."""
    if name not in BACKENDS:
        raise Missing(f'there is no backend "{name}"{suggestion(name, BACKENDS)}')
    return _loaded(BACKENDS[name]) if name in BACKENDS.keys() else plugins()[name]  # noqa: SIM118


@cache
def _loaded(place: str) -> Backend:
    module, _, constant = place.partition(":")
    return cast("Backend", getattr(import_module(f"pegcp.backends.{module}"), constant))


def modules(name: str | None) -> list[str]:
    """The modules that a solver loads to run a model; none for a planner, a search, or a missing solver."""
    if name is None or name not in BACKENDS or backend(name).version() is None:
        return []
    solver = backend(name)
    # The bounds of horizons come from linear programs, which are slow to load.
    return [type(solver).__module__, "pegcp.theory.equations", *(solver.preload or solver.modules)]


class _Package(ModuleType):
    """This package, which lists the names of all backends when it is called: ``pegcp.backends()``."""

    def __call__(self) -> list[str]:
        from pegcp.backends.inventory import infos

        return [info.name for info in infos()]


sys.modules[__name__].__class__ = _Package
