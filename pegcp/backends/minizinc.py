"""MiniZinc: runs models that return a Formulation of a MiniZinc model, by the program ``minizinc``.

It is what is found on the path, with its default solver, such as Gecode, or another of those that it lists:
``mzn-rounds:minizinc.solver=scip``.
"""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

from pegcp.backends import external, solver
from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.errors import InputError, Missing
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run
from pegcp.modelling.formulation import Formulation
from pegcp.modelling.mzn import MiniZinc


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model within the limits, as any program is asked by its command line; each turn begins anew."""
    words = ["minizinc", "--output-mode", "json", "--random-seed", "{seed}", *_arguments(given("minizinc", options))]
    with tempfile.TemporaryDirectory(prefix="pegcp-", ignore_cleanup_errors=True) as folder, chdir(folder):
        return external.run(("minizinc",), model, problem, run, {**options, "command": shlex.join([*words, "{file}"])})


def _files(model: MiniZinc) -> dict[str, str]:
    return {"model.mzn": model.text, "model.dzn": model.data}


def write(formulation: Formulation[MiniZinc], format: str, options: Mapping[str, Any]) -> dict[str, str]:  # noqa: A002
    """Model and data; as ``fzn`` what the program makes of them for its solver."""
    if format == "mzn":
        return _files(formulation.model)
    if solver("minizinc").version() is None:
        raise Missing("export as fzn needs minizinc to compile it; export as mzn does not")
    return {"model.fzn": flattened(formulation.model, given("minizinc", options))}


def flattened(model: MiniZinc, parameters: Mapping[str, str], seconds: float | None = None) -> str:
    """What the program makes of model and data for its solver: FlatZinc. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="pegcp-", ignore_cleanup_errors=True) as folder:
        for name, text in _files(model).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        options = ["-c", "--output-fzn-to-stdout", "--no-output-ozn", *_arguments(parameters)]
        command = ["minizinc", *options, "model.mzn", "model.dzn"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    if done.returncode != 0:
        raise InputError(f"minizinc: {' '.join(done.stderr.split())[:500]}")
    return done.stdout


def _arguments(parameters: Mapping[str, str]) -> list[str]:
    return ["--solver", parameters["solver"]] if "solver" in parameters else []
