"""Backends: what solves a model, one module per solver, loaded when it is used; and the planners."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from pegcp.backends.backend_info import Entry, told_version
from pegcp.errors import InputError, Missing, suggestion

if TYPE_CHECKING:
    from pegcp.backends.model import Model
    from pegcp.game.problem import Problem
    from pegcp.method import Answer, Run
    from pegcp.modelling.formulation import Formulation


class Backend(Protocol):
    """What the module of a solver offers."""

    def run(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Build the model of the problem, solve it within the limits, and decode."""
        ...

    def write(self, formulation: Formulation[Any], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002
        """File names and texts of a formulation in one of the formats of the solver's row."""
        ...


@dataclass(frozen=True)
class Solver(Entry):
    """A backend that runs models.

    ``module`` is where in this package it is: a module, or ``MODULE:NAME`` in one that holds several; it has what
    :class:`Backend` asks for, and ``write`` where it has formats.
    """

    module: str = ""

    def load(self) -> Backend:
        """The backend, ready to run. Raises Missing if the solver is not installed."""
        if self.version() is None:
            raise self.missing()
        return self.writer()

    def writer(self) -> Backend:
        """The backend, to export only: the texts of clauses, rules and scripts are written without the solver."""
        module, _, name = self.module.partition(":")
        found = import_module(f"pegcp.backends.{module}")
        return cast("Backend", getattr(found, name) if name else found)


class Program(Solver):
    """A backend that is a program on the path. ``package`` says how to get it, as pip cannot."""

    def version(self) -> str | None:
        """What the program says, or None if it is not there."""
        return told_version(f"{self.distribution} --version") if shutil.which(self.distribution) else None

    def missing(self) -> Missing:
        """The error that says how to get the program."""
        return Missing(f"{self.title} is not installed: {self.package}")


_ORTOOLS = ("ortools", ("ortools",), "ortools")
_CONSTRAINT = ("python-constraint2", ("constraint",), "python-constraint2", ())
_MATHOPT = (*_ORTOOLS, ("lp", "mps"))
_SAT = ("python-sat", ("pysat",), "pegcp[sat]", ("cnf", "wcnf"))
_CPMPY = ("pegcp[cpmpy]", ("opb", "xcsp3"))
_SMT = ("pegcp[smt]", ("smt2",))
_MINIZINC = "apt install minizinc"
_A, _M = "Apache-2.0", "MIT"

SOLVERS = (
    Solver("cp-sat", "OR-tools CP-SAT", _A, *_ORTOOLS, ("proto",), "cpsat", threads=True, counts=True),
    Solver("highs", "HiGHS (in OR-tools)", _M, *_MATHOPT, "mathopt:highs"),
    Solver("scip", "SCIP (in OR-tools)", _A, *_MATHOPT, "mathopt:scip"),
    Solver("cp-sat-mathopt", "OR-tools CP-SAT on integer programs", _A, *_MATHOPT, "mathopt:cp_sat", threads=True),
    Solver("python-constraint", "python-constraint", "BSD-2-Clause", *_CONSTRAINT, "python_constraint", counts=True),
    Solver("cadical", "CaDiCaL 1.9.5 (in python-sat)", _M, *_SAT, "sat:cadical", counts=True),
    Solver("glucose", "Glucose 4.2.1 (in python-sat)", _M, *_SAT, "sat:glucose", counts=True),
    Solver("kissat", "Kissat 4.0.4 (in python-sat)", _M, *_SAT, "sat:kissat", counts=True),
    Solver("clingo", "clingo", _M, "clingo", ("clingo",), "pegcp[asp]", ("asp",), "asp", counts=True),
    Program("minizinc", "MiniZinc", "MPL-2.0", "minizinc", (), _MINIZINC, ("mzn", "fzn"), "minizinc"),
    Solver("cpmpy-ortools", "OR-tools CP-SAT (by CPMpy)", _A, "cpmpy", ("cpmpy",), *_CPMPY, "cpmpy:ortools"),
    Solver("cpmpy-z3", "Z3 (by CPMpy)", _A, "cpmpy", ("cpmpy", "z3"), *_CPMPY, "cpmpy:z3"),
    Solver("cpmpy-pysat", "a SAT solver (by CPMpy)", _A, "cpmpy", ("cpmpy", "pysat"), *_CPMPY, "cpmpy:pysat"),
    Solver("choco", "Choco", "BSD-4-Clause", "pychoco", ("pychoco",), "pegcp[choco]", (), "choco"),
    Solver("oxidd", "OxiDD (decision diagrams)", "MIT OR Apache-2.0", "oxidd", ("oxidd",), "pegcp[bdd]", (), "oxidd"),
    Solver("bitwuzla", "Bitwuzla", _M, "bitwuzla", ("bitwuzla",), *_SMT, "smt:bitwuzla"),
    Solver("z3", "Z3", _M, "z3-solver", ("z3",), *_SMT, "smt:z3"),
    Solver("cvc5", "cvc5", "BSD-3-Clause", "cvc5", ("cvc5",), *_SMT, "smt:cvc5"),
)


def solver(name: str) -> Solver:
    """The row of the solver of that name. Raises Missing for an unknown one."""
    for known in SOLVERS:
        if known.name == name:
            return known
    raise Missing(f'there is no backend "{name}"{suggestion(name, [known.name for known in SOLVERS])}')


def entries() -> tuple[Entry, ...]:
    """All backends, planners included, also the user's own."""
    from pegcp.backends import external, planners

    found: list[Entry] = [row for row in planners.shipped().values() if row.name != planners.BY_COMMAND]
    for own in (planners.own, external.own):
        with suppress(InputError):  # the list of methods tells what is wrong with it
            found += own()
    return (*SOLVERS, *found)


def entry(name: str | None) -> Entry | None:
    """The row of the backend of that name, or None if there is none, as for a search."""
    return next((known for known in entries() if known.name == name), None)


def modules(name: str | None) -> list[str]:
    """The modules that a solver loads to run a model; none for a planner, a search, or what is not installed."""
    for known in SOLVERS:
        if known.name == name and known.version() is not None:
            return [f"pegcp.backends.{known.module.partition(':')[0]}", *known.modules]
    return []
