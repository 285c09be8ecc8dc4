"""Backends: what solves a model, one module per solver, loaded when it is used; and the planners."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from pegcp.backends.entry import Entry
from pegcp.errors import Missing, suggestion

if TYPE_CHECKING:
    from pegcp.backends.model import Model
    from pegcp.game.problem import Problem
    from pegcp.method import Answer, Run


class Backend(Protocol):
    """What the module of a solver offers."""

    def run(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Build the model of the problem, solve it within the limits, and decode."""
        ...

    def export(self, model: Model, problem: Problem, options: Mapping[str, Any], format: str) -> dict[str, str]:  # noqa: A002
        """File names and texts of the model in a format."""
        ...


@dataclass(frozen=True)
class Solver(Entry):
    """A backend that runs models.

    ``module`` is where it is: a module, or ``MODULE:NAME`` in one that holds several; it has what :class:`Backend` asks
    for.
    """

    module: str = ""

    def load(self) -> Backend:
        """The backend. Raises Missing if the solver is not installed."""
        if self.version() is None:
            raise Missing(f"backend {self.name} needs {self.distribution}; install it with: {self.install}")
        module, _, name = self.module.partition(":")
        found = import_module(module)
        return cast("Backend", getattr(found, name) if name else found)


class Program(Solver):
    """A backend that is a program on the path: its model can be exported without it."""

    def version(self) -> str | None:
        """What the program says, or None if it is not there."""
        return _program_version(self.distribution)

    def load(self) -> Backend:
        """The backend, which raises Missing when it runs without its program."""
        return cast("Backend", import_module(self.module))


@cache
def _program_version(name: str) -> str | None:
    if shutil.which(name) is None:
        return None
    said = subprocess.run([name, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    found = re.search(r"\d+(\.\d+)+", said)
    return found[0] if found else "unknown"


_ORTOOLS = ("ortools", "pip install ortools")
_CONSTRAINT = ("python-constraint2", "pip install python-constraint2")
_CPMPY = ("cpmpy", 'pip install "pegcp[cpmpy]"')
_SMT = 'pip install "pegcp[smt]"'
_SAT = ("python-sat", 'pip install "pegcp[sat]"')

SOLVERS = (
    Solver(
        "cp-sat",
        "OR-tools CP-SAT",
        *_ORTOOLS,
        ("proto",),
        threads=True,
        hints=True,
        counts=True,
        licence="Apache-2.0",
        module="pegcp.backends.cpsat",
    ),
    Solver(
        "highs", "HiGHS (in OR-tools)", *_ORTOOLS, ("lp", "mps"), licence="MIT", module="pegcp.backends.mathopt:highs"
    ),
    Solver(
        "scip",
        "SCIP (in OR-tools)",
        *_ORTOOLS,
        ("lp", "mps"),
        licence="Apache-2.0",
        module="pegcp.backends.mathopt:scip",
    ),
    Solver(
        "cp-sat-mathopt",
        "OR-tools CP-SAT on integer programs",
        *_ORTOOLS,
        ("lp", "mps"),
        threads=True,
        licence="Apache-2.0",
        module="pegcp.backends.mathopt:cp_sat",
    ),
    Solver(
        "python-constraint",
        "python-constraint",
        *_CONSTRAINT,
        counts=True,
        licence="BSD-2-Clause",
        module="pegcp.backends.python_constraint",
    ),
    Solver(
        "cadical",
        "CaDiCaL 1.9.5 (in python-sat)",
        *_SAT,
        ("cnf", "wcnf"),
        licence="MIT",
        module="pegcp.backends.sat:cadical",
    ),
    Solver(
        "glucose",
        "Glucose 4.2.1 (in python-sat)",
        *_SAT,
        ("cnf", "wcnf"),
        licence="MIT",
        module="pegcp.backends.sat:glucose",
    ),
    Solver(
        "kissat",
        "Kissat 4.0.4 (in python-sat)",
        *_SAT,
        ("cnf", "wcnf"),
        licence="MIT",
        module="pegcp.backends.sat:kissat",
    ),
    Solver(
        "clingo",
        "clingo",
        "clingo",
        'pip install "pegcp[asp]"',
        ("asp",),
        counts=True,
        licence="MIT",
        module="pegcp.backends.asp",
    ),
    Program(
        "minizinc",
        "MiniZinc and its default solver",
        "minizinc",
        "install MiniZinc with a solver, such as Debian's package minizinc",
        ("mzn", "fzn"),
        licence="MPL-2.0",
        module="pegcp.backends.minizinc",
    ),
    Solver(
        "cpmpy-ortools",
        "OR-tools CP-SAT (by CPMpy)",
        *_CPMPY,
        ("opb", "xcsp3"),
        licence="Apache-2.0",
        module="pegcp.backends.cpmpy:ortools",
    ),
    Solver(
        "cpmpy-z3", "Z3 (by CPMpy)", *_CPMPY, ("opb", "xcsp3"), licence="Apache-2.0", module="pegcp.backends.cpmpy:z3"
    ),
    Solver(
        "cpmpy-pysat",
        "a SAT solver (by CPMpy)",
        *_CPMPY,
        ("opb", "xcsp3"),
        licence="Apache-2.0",
        module="pegcp.backends.cpmpy:pysat",
    ),
    Solver(
        "choco", "Choco", "pychoco", 'pip install "pegcp[choco]"', licence="BSD-4-Clause", module="pegcp.backends.choco"
    ),
    Solver(
        "oxidd",
        "OxiDD (decision diagrams)",
        "oxidd",
        'pip install "pegcp[bdd]"',
        licence="MIT OR Apache-2.0",
        module="pegcp.backends.oxidd",
    ),
    Solver("bitwuzla", "Bitwuzla", "bitwuzla", _SMT, ("smt2",), licence="MIT", module="pegcp.backends.smt:bitwuzla"),
    Solver("z3", "Z3", "z3-solver", _SMT, ("smt2",), licence="MIT", module="pegcp.backends.smt:z3"),
    Solver("cvc5", "cvc5", "cvc5", _SMT, ("smt2",), licence="BSD-3-Clause", module="pegcp.backends.smt:cvc5"),
)


def solver(name: str) -> Solver:
    """The row of the solver of that name. Raises Missing for an unknown one."""
    for known in SOLVERS:
        if known.name == name:
            return known
    raise Missing(f'there is no backend "{name}"{suggestion(name, [known.name for known in SOLVERS])}')


def entries() -> tuple[Entry, ...]:
    """All backends, planners included."""
    from pegcp.backends import planning

    return (*SOLVERS, *planning.entries())


def entry(name: str | None) -> Entry | None:
    """The row of the backend of that name, or None if there is none, as for a search."""
    return next((known for known in entries() if known.name == name), None)


def modules(name: str | None) -> list[str]:
    """The modules that a solver loads to run a model; none for a planner, a search, or what is not installed."""
    return [known.module.partition(":")[0] for known in SOLVERS if known.name == name and known.version() is not None]
