"""Solvers that run models, one class in one file each, loaded when they are used; planners; the user's programs."""

import sys
from pkgutil import resolve_name
from types import ModuleType

from pegcp import machine
from pegcp.backends.interface import Ability, Backend
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
    "minizinc": "external:MINIZINC",
    "cpmpy-ortools": "cpmpy:ORTOOLS",
    "cpmpy-z3": "cpmpy:Z3",
    "cpmpy-pysat": "cpmpy:PYSAT",
    "choco": "choco:CHOCO",
    "oxidd": "oxidd:OXIDD",
    "bitwuzla": "smt:BITWUZLA",
    "z3": "smt:Z3",
    "cvc5": "smt:CVC5",
}  # fmt: skip


class _Unavailable(Backend):
    """A backend of another package that does not load; its title says why. Nobody knows what it is not able to do."""

    def missing(self) -> Missing:
        """Return the error that says why it does not load."""
        return Missing(f"the backend {self.name} {self.title}")


def plugins() -> dict[str, Backend]:
    """Return the backends of other packages; one that does not load, or is none, is missing, and its title says why."""
    return {
        name: _Unavailable(name, f"does not load: {type(plugin).__name__}: {plugin}", abilities=frozenset(Ability))
        if isinstance(plugin, Exception)
        else plugin
        for name, plugin in machine.plugins("pegcp.backends", Backend).items()
    }


def find(name: str | None) -> Backend | None:
    """Return the backend of that name, whose solver may be missing; None if there is none, as for a planner."""
    if name in BACKENDS:
        solver: Backend = resolve_name(f"pegcp.backends.{BACKENDS[name]}")
        return solver
    return None if name is None else plugins().get(name)


def backend(name: str) -> Backend:
    """Return the backend of that name; its solver may be missing. Raises Missing for an unknown name."""
    if (solver := find(name)) is None:
        raise Missing(f'there is no backend "{name}"{suggestion(name, BACKENDS)}')
    return solver


def modules(name: str | None) -> list[str]:
    """Return the modules that a solver loads to run a model; none for a planner, a search, or a missing solver."""
    if (solver := find(name)) is None or solver.version() is None:
        return []
    # The bounds of horizons come from linear programs, which are slow to load.
    return [type(solver).__module__, "pegcp.theory.equations", *(solver.preload or solver.modules)]


class _Package(ModuleType):
    """This package, which lists the names of all backends when it is called: ``pegcp.backends()``."""

    def __call__(self) -> list[str]:
        from pegcp.backends.inventory import infos

        return [info.name for info in infos()]


sys.modules[__name__].__class__ = _Package
