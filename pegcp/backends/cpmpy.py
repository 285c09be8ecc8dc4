"""CPMpy: runs models that return a Formulation of a CPMpy model, by one of the solvers that CPMpy rewrites it for.

Each turn begins anew; the solvers use one thread.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation, Value


@contextmanager
def without_highspy() -> Iterator[None]:
    """Keep CPMpy from loading HiGHS's own package: it and OR-tools cannot be loaded in one process.

    Afterwards the process can import it as before.
    """
    if "highspy" in sys.modules:
        yield
        return
    sys.modules["highspy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["highspy"]


with without_highspy(), suppress(ModuleNotFoundError):  # before a model imports it
    import_module("cpmpy")

_ONE_THREAD: dict[str, dict[str, Any]] = {"ortools": {"num_workers": 1}}


class Solver:
    """One of the solvers, as a backend."""

    def __init__(self, name: str) -> None:
        self.name = name

    @without_highspy()
    def run(self, model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
        """Solve the model within the limits."""
        cpmpy: Any = import_module("cpmpy")
        totals: run_loop.Totals = {}

        def begin(formulation: Formulation[Any]) -> run_loop.Search:
            native = cpmpy.SolverLookup.get(self.name, formulation.model)
            totals["constraints"] = len(formulation.model.constraints)

            def search(seconds: float) -> Value | Answer | bool | None:
                found = native.solve(time_limit=seconds, **_ONE_THREAD.get(self.name, {}))
                ended = native.status().exitstatus.name
                if found:
                    return lambda variable: variable.value()
                if ended in ("UNSATISFIABLE", "UNKNOWN"):
                    return False if ended == "UNSATISFIABLE" else None
                return Answer(Status.UNKNOWN, Reason.ERROR, message=f"CPMpy's {self.name}: {ended}")

            return search

        return run_loop.run(model, problem, run, options, begin, totals)

    @without_highspy()
    def write(self, formulation: Formulation[Any], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002, ARG002
        """A pseudo-Boolean program, written by CPMpy, with the names of the variables in comments; or XCSP3."""
        if format == "xcsp3":
            from pegcp.modelling.xcsp3 import xcsp3

            return {"model.xml": xcsp3(formulation.model)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an argument that CPMpy gives itself
            write = import_module("cpmpy.tools.io.opb").write_opb
            names = SimpleNamespace(annotate=lambda variables, _: [str(variable.name) for variable in variables])
            return {"model.opb": write(formulation.model, annotate_bool=names) + "\n"}


ortools, z3, pysat = (Solver(name) for name in ("ortools", "z3", "pysat"))
