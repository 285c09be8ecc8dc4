"""Backends: what solves a model. One module per solver, loaded when it is used.

A backend module has ``run(model_module, problem, run, options) -> Answer`` and
``export(model_module, problem, options, format) -> dict[str, str]`` (file name -> text).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

from pegcp.errors import PegcpError, suggestion

if TYPE_CHECKING:
    from pegcp.game.problem import Problem
    from pegcp.modelling.formulation import Run
    from pegcp.result import Answer


class Missing(PegcpError):
    """A backend that is not installed; the message says how to get it."""


class Backend(Protocol):
    """What a backend module offers."""

    def run(self, model: ModuleType, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Build the model of the problem, solve it within the limits, and decode."""
        ...

    def export(self, model: ModuleType, problem: Problem, options: Mapping[str, Any], format: str) -> dict[str, str]:  # noqa: A002
        """File names and texts of the model in a format."""
        ...


@dataclass(frozen=True)
class Entry:
    """What is known of a backend without loading it: its distribution, how to install it, and what it can do.

    ``threads`` says that it keeps as many cores busy as it is given workers.
    """

    name: str
    title: str
    distribution: str
    install: str
    module: str
    formats: tuple[str, ...] = ()
    threads: bool = False

    def version(self) -> str | None:
        """The installed version, or None."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None


_ORTOOLS = ("ortools", "pip install ortools")

ENTRIES = (
    Entry("cp-sat", "OR-tools CP-SAT", *_ORTOOLS, "pegcp.backends.cpsat", ("proto",), threads=True),
    Entry("highs", "HiGHS (in OR-tools)", *_ORTOOLS, "pegcp.backends.highs", ("lp", "mps")),
    Entry("scip", "SCIP (in OR-tools)", *_ORTOOLS, "pegcp.backends.scip", ("lp", "mps")),
    Entry(
        "cp-sat-mathopt",
        "OR-tools CP-SAT on integer programs",
        *_ORTOOLS,
        "pegcp.backends.cpsat_mathopt",
        ("lp", "mps"),
        threads=True,
    ),
    Entry(
        "python-constraint",
        "python-constraint",
        "python-constraint2",
        "pip install python-constraint2",
        "pegcp.backends.python_constraint",
    ),
)


def entries() -> tuple[Entry, ...]:
    """All backends, planners included."""
    from pegcp.backends import planning

    return (*ENTRIES, *planning.entries())


def entry(name: str) -> Entry:
    """What is known of the backend of that name. Raises Missing for an unknown one."""
    for known in entries():
        if known.name == name:
            return known
    raise Missing(f'there is no backend "{name}"{suggestion(name, [known.name for known in entries()])}')


def get(name: str) -> Backend:
    """The backend of that name, loaded. Raises Missing if it is not installed."""
    known = entry(name)
    if known.version() is None:
        raise Missing(f"backend {name} needs {known.distribution}; install it with: {known.install}")
    return cast("Backend", import_module(known.module))
