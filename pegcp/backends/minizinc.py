"""MiniZinc: runs models that return a Formulation of a MiniZinc model, by the program ``minizinc``.

It is what is found on the path, with its default solver, such as Gecode, or another of those that it lists:
``mzn-rounds:minizinc.solver=scip``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

from pegcp.backends.backend import Backend, Figures, Options
from pegcp.backends.external import Command, CommandRun
from pegcp.backends.program import printed_version
from pegcp.backends.run_loop import Model
from pegcp.errors import InputError, Missing
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run
from pegcp.modelling.formulation import Formulation
from pegcp.modelling.mzn import MiniZinc

_LISTING = 20.0  # seconds


class MiniZincProgram(Backend):
    """The program ``minizinc``. ``package`` says how to get it, as pip cannot."""

    def version(self) -> str | None:
        """The version that the program prints, or None if it is not there."""
        return printed_version("minizinc --version") if shutil.which("minizinc") else None

    def missing(self) -> Missing:
        """The error that says how to get the program."""
        return Missing(f"{self.title} is not installed: {self.package}")

    def run(self, model: Model, problem: Problem, run: Run, options: Options) -> Answer:
        """Solve the model within the limits, as any program is asked by its command line."""
        chosen = _arguments(self.parameters(options))
        words = ("minizinc", "--output-mode", "json", "--random-seed", "{seed}", *chosen, "{file}")
        with tempfile.TemporaryDirectory(prefix="pegcp-", ignore_cleanup_errors=True) as folder, chdir(folder):
            return CommandRun(Command(words, self, "mzn"), model, problem, run, options).answer()

    def write(self, formulation: Formulation[MiniZinc], format: str, options: Options) -> dict[str, str]:  # noqa: A002
        """Model and data; as ``fzn`` the FlatZinc that the program makes of them for its solver."""
        if format == "mzn":
            return _files(formulation.model)
        if self.version() is None:
            raise Missing("export as fzn needs minizinc to compile it; export as mzn does not")
        return {"model.fzn": _flattened(formulation.model, self.parameters(options))}

    def check_parameter(self, name: str, value: str) -> None:
        """See that the solver is one of those that the program lists."""
        self.check_word(name, ("solver",))
        solvers = _solvers()
        self.check_word(value, [*solvers, *(known.rpartition(".")[2] for known in solvers)], parameter=name)

    def statistics(self, native: MiniZinc, run: Run, parameters: Mapping[str, str]) -> Figures:
        """Sizes of the FlatZinc."""
        lines = [line.partition(" ")[0] for line in _flattened(native, parameters, run.remaining).splitlines()]
        return {"variables_presolved": lines.count("var"), "constraints_presolved": lines.count("constraint")}


def _files(model: MiniZinc) -> dict[str, str]:
    return {"model.mzn": model.text, "model.dzn": model.data}


def _flattened(model: MiniZinc, parameters: Mapping[str, str], seconds: float | None = None) -> str:
    """The FlatZinc that the program makes of model and data for its solver. Raises InputError."""
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


def _solvers() -> list[str]:
    """The solvers that the program lists. Raises InputError if it does not."""
    command = ["minizinc", "--solvers-json"]
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=_LISTING, check=False).stdout
        return [solver["id"] for solver in json.loads(output or "[]")]
    except (OSError, ValueError, TypeError, KeyError, subprocess.TimeoutExpired) as error:
        raise InputError(f'"{" ".join(command)}" does not list its solvers: {type(error).__name__}') from None


MINIZINC = MiniZincProgram(
    name="minizinc",
    title="MiniZinc",
    licence="MPL-2.0",
    distribution="minizinc",
    package="apt install minizinc",
    formats=("mzn", "fzn"),
)
