"""Any solver by its command line: it gets a file that ``pegcp export`` writes, and its output is read and replayed.

``sat-rounds:command=kissat --quiet {file}``: ``{file}`` is the model in the first format of the language, ``{mps}`` or
``{xcsp3}`` in another; ``{solution}`` a file that the program writes, which is read like its output; ``{seconds}`` and
``{seed}`` are numbers. The command is split as a shell splits it, and started without a shell. Each turn starts the
program again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from pegcp import backends
from pegcp.backends.backend import Backend, BackendInfo
from pegcp.backends.program import execute, failure, resolved_words
from pegcp.backends.program_tables import own_programs
from pegcp.backends.run_loop import HorizonRun, Model, Outcome
from pegcp.backends.solver_output import READERS
from pegcp.errors import InputError
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.modelling.formulation import Formulation

OWN = "solvers.toml"  # of the user
NAME = "command"  # of the backend, in results
LOG = "solver.log"
SOLUTION = "solution.txt"
_MOST = 50_000_000  # bytes of a solver's output
_COLOURS = re.compile(r"\x1b\[[\d;]*m")  # ACE gives its lines some
_PLACES = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Command:
    """A command line with places to fill in, the backend that writes the file, and its format."""

    words: tuple[str, ...]
    writer: Backend
    format: str

    def filled(self, file: str, run: Run, seconds: float) -> list[str]:
        """The words with all places filled in."""
        values = {
            "solution": SOLUTION,
            "seconds": str(max(1, ceil(seconds))),
            "seed": str(run.limits.seed),
            "file": file,
            self.format: file,
        }
        return [_PLACES.sub(lambda place: values.get(place[1], place[0]), word) for word in self.words]


@dataclass(frozen=True, kw_only=True)
class OwnSolver(BackendInfo):
    """A table of the user's ``solvers.toml``: a program, and the name of the model that it is given."""

    model: str = ""


def own() -> list[OwnSolver]:
    """The programs of the user's own file, if there is one. Raises InputError."""
    return own_programs(OWN, OwnSolver)


def formats(languages: tuple[str, ...]) -> dict[str, Backend]:
    """The formats in which programs can read a model that these backends run, each with the backend that writes it."""
    writers = [backends.backend(name) for name in reversed(languages)]
    return {format: writer for writer in writers for format in writer.formats if format in READERS}  # noqa: A001


def read_command(text: str, model: str, languages: tuple[str, ...]) -> Command:
    """The command of a method. Raises InputError if it cannot be split, or has no place for the model's file."""
    writers = formats(languages)
    if not writers:
        raise InputError(f"no program can read {model} from a file: its language has no file format")
    words = resolved_words(text)
    places = [place for word in words for place in _PLACES.findall(word)]
    places_of_model = {
        next(iter(writers)) if place == "file" else place for place in places if place in ("file", *READERS)
    }
    if len(places_of_model) != 1 or not places_of_model <= writers.keys():
        names = ", ".join(f"{{{name}}}" for name in writers)
        raise InputError(f"the command must have one place for the file of {model}: {{file}}, or one of {names}")
    (name,) = places_of_model
    return Command(words, writers[name], name)


class CommandRun(HorizonRun):
    """A run of a program which is started again at each turn."""

    keeps_model = False

    def __init__(self, command: Command, *about: Any) -> None:
        super().__init__(command.writer, *about)
        self.command = command

    def answer(self) -> Answer:
        """Run, and conclude."""
        if self.problem.objective is Objective.COUNT or self.problem.sought is not None:
            fault = f"a solver started by its command line does not support the objective {self.problem.objective}"
            return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
        return super().answer()

    def begin(self, formulation: Formulation[Any]) -> tuple[str, dict[str, str]]:
        """Write the file; return its name, and how the program's output names the variables."""
        options = {**self.options, "horizon": self.horizon or 1}
        files = self.command.writer.write(formulation, self.command.format, options)
        name = next(iter(files))
        (self.run.folder / name).write_text("\n".join(files.values()), encoding="utf-8")
        # A pseudo-Boolean program names its variables in comments: the output has their numbers.
        numbers = re.findall(r"^\* (x\d+) (.+)$", files[name], re.MULTILINE)
        return name, {variable: number for number, variable in numbers}

    def search(self, formulation: Formulation[Any], state: tuple[str, dict[str, str]], seconds: float) -> Outcome:  # noqa: ARG002
        """Start the program, and read its output."""
        file, names = state
        solution = self.run.folder / SOLUTION
        solution.unlink(missing_ok=True)
        code, log = execute(self.command.filled(file, self.run, seconds), self.run, seconds, LOG, _MOST)
        if code is None:
            return None
        try:
            values = READERS[self.command.format](_COLOURS.sub("", log + _written_text(solution)), code)
        except (ValueError, ArithmeticError) as error:
            return _fault(f"{self.command.words[0]}: {error}")
        if values is None:
            return _fault(f"{self.command.words[0]} reported no verdict {failure(code, log)}")
        if not isinstance(values, Mapping):
            return False

        def value(variable: Any) -> int:
            name = getattr(variable, "name", variable)
            return values.get(names.get(name, name), 0)

        return value


def run(languages: tuple[str, ...], model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model horizon after horizon. Raises InputError and Missing."""
    command = read_command(options["command"], model.path.stem, languages)
    return CommandRun(command, model, problem, run, options).answer()


def _fault(message: str) -> Answer:
    return Answer(Status.UNKNOWN, Reason.ERROR, message=message)


def _written_text(path: Path) -> str:
    """The text of the solution file, if the program wrote one."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return "\n" + file.read(_MOST)
