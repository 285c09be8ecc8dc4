"""MiniZinc: runs models that return a Formulation of a MiniZinc model, by the program ``minizinc``.

The program on the path is started, with its default solver, such as Gecode, or another solver that it lists:
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
    """The program ``minizinc``, which pip cannot install: ``package`` is the command that does."""

    def version(self) -> str | None:
        """The version that the program prints, or None if it is not installed."""
        return printed_version("minizinc --version") if shutil.which("minizinc") else None

    def missing(self) -> Missing:
        """The error that says how to install the program."""
        return Missing(f"{self.title} is not installed: {self.package}")

    def run(self, model: Model, problem: Problem, run: Run, options: Options) -> Answer:
        """Solve the model within the limits, like a solver started by its command line."""
        arguments = _arguments(self.parameters(options))
        words = ("minizinc", "--output-mode", "json", "--random-seed", "{seed}", *arguments, "{file}")
        with tempfile.TemporaryDirectory(prefix="pegcp-", ignore_cleanup_errors=True) as folder, chdir(folder):
            return CommandRun(Command(words, self, "mzn"), model, problem, run, options).answer()

    def write(self, formulation: Formulation[MiniZinc], format: str, options: Options) -> dict[str, str]:  # noqa: A002
        """Write model and data; as ``fzn`` the FlatZinc that the program compiles them to for its solver."""
        if format == "mzn":
            return _files(formulation.model)
        if self.version() is None:
            raise Missing("export as fzn needs minizinc to compile it; export as mzn does not")
        return {"model.fzn": _flattened(formulation.model, self.parameters(options))}

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError unless the solver is one of those that the program lists."""
        self.check_word(name, ("solver",))
        command = ["minizinc", "--solvers-json"]
        try:
            output = subprocess.run(command, capture_output=True, text=True, timeout=_LISTING, check=False).stdout
            solvers: list[str] = [solver["id"] for solver in json.loads(output or "[]")]
        except (OSError, ValueError, TypeError, KeyError, subprocess.TimeoutExpired) as error:
            raise InputError(f'"{" ".join(command)}" does not list its solvers: {type(error).__name__}') from None
        self.check_word(value, [*solvers, *(solver.rpartition(".")[2] for solver in solvers)], parameter=name)

    def statistics(self, native: MiniZinc, run: Run, parameters: Mapping[str, str]) -> Figures:
        """Sizes of the FlatZinc."""
        lines = [line.partition(" ")[0] for line in _flattened(native, parameters, run.remaining).splitlines()]
        return {"variables_presolved": lines.count("var"), "constraints_presolved": lines.count("constraint")}


def _files(model: MiniZinc) -> dict[str, str]:
    return {"model.mzn": model.text, "model.dzn": model.data}


def _flattened(model: MiniZinc, parameters: Mapping[str, str], seconds: float | None = None) -> str:
    """Compile model and data to FlatZinc for the solver. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="pegcp-", ignore_cleanup_errors=True) as folder:
        for name, text in _files(model).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        options = ["-c", "--output-fzn-to-stdout", "--no-output-ozn", *_arguments(parameters)]
        command = ["minizinc", *options, "model.mzn", "model.dzn"]
        process = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    if process.returncode != 0:
        raise InputError(f"minizinc: {' '.join(process.stderr.split())[:500]}")
    return process.stdout


def _arguments(parameters: Mapping[str, str]) -> list[str]:
    return ["--solver", parameters["solver"]] if "solver" in parameters else []


MINIZINC = MiniZincProgram(
    name="minizinc",
    title="MiniZinc",
    licence="MPL-2.0",
    distribution="minizinc",
    package="apt install minizinc",
    formats=("mzn", "fzn"),
)
