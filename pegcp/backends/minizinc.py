"""MiniZinc: runs models that return a Formulation of a MiniZinc model, by the program ``minizinc``.

It is what is found on the path, with its default solver, such as Gecode, or another of those that it lists:
``mzn-rounds:minizinc.solver=scip``.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pegcp.backends import attempts, solver
from pegcp.backends.model import Model
from pegcp.backends.parameters import given
from pegcp.errors import InputError, Missing
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation, Value
from pegcp.modelling.mzn import MiniZinc

_SPARE = 2.0  # seconds that the program may take to end after its own limit


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model within the limits; each turn begins anew."""
    totals: attempts.Totals = {}

    def begin(formulation: Formulation[MiniZinc]) -> attempts.Search:
        return lambda seconds: _search(formulation, seconds, run, given("minizinc", options))

    return attempts.run(model, problem, run, options, begin, totals)


def _search(
    formulation: Formulation[MiniZinc], seconds: float, run: Run, parameters: Mapping[str, str]
) -> Value | Answer | bool | None:
    """Ask the program for one solution."""
    limit = max(1, round(seconds * 1000))
    seed = run.limits.seed % (1 << 31)
    arguments = ["--output-mode", "json", "--time-limit", str(limit), "--random-seed", str(seed)]
    arguments += _arguments(parameters)
    try:
        said, errors, code = _told(formulation.model, arguments, seconds + _SPARE)
    except subprocess.TimeoutExpired:
        return None
    if "----------" in said:
        made = json.loads(said[: said.index("----------")])["made"]
        return lambda place: made[place[0]][place[1]]
    if "=====UNSATISFIABLE=====" in said:
        return False
    if code != 0 or "=====ERROR=====" in said:
        message = " ".join((errors or said).split())[:500]
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"minizinc: {message}")
    return None


def _told(model: MiniZinc, arguments: list[str], seconds: float | None = None) -> tuple[str, str, int]:
    """What the program writes, its errors, and its exit code."""
    with tempfile.TemporaryDirectory(prefix="pegcp-minizinc-") as folder:
        for name, text in _files(model).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        command = ["minizinc", *arguments, "model.mzn", "model.dzn"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
        return done.stdout, done.stderr, done.returncode


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
    arguments = ["-c", "--output-fzn-to-stdout", "--no-output-ozn", *_arguments(parameters)]
    said, errors, code = _told(model, arguments, seconds)
    if code != 0:
        raise InputError(f"minizinc: {' '.join(errors.split())[:500]}")
    return said


def _arguments(parameters: Mapping[str, str]) -> list[str]:
    return ["--solver", parameters["solver"]] if "solver" in parameters else []
