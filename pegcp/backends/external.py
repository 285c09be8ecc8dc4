"""A solver by its command line: it gets a file that ``pegcp export`` writes, and its output is read and replayed.

``sat-rounds:command=kissat --quiet {file}``: ``{file}`` is the model in the first format of the language, ``{mps}`` or
``{xcsp3}`` in another; ``{solution}`` a file that the program writes, which is read like its output; ``{seconds}`` and
``{seed}`` are numbers. The command is split as a shell splits it, and started without a shell. Each turn starts the
program again, unless it gave up by itself: then the other horizons have their turn, and its own words are the answer.
"""

import re
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pegcp import backends
from pegcp.backends.interface import (
    Answer,
    AnyFormulation,
    Backend,
    BackendInfo,
    Figures,
    Formulation,
    HorizonLoop,
    InvalidSolution,
    Jump,
    Missing,
    ModelFile,
    Objective,
    Options,
    Outcome,
    Problem,
    Reason,
    Run,
    Status,
    check_word,
    refuse_if,
)
from pegcp.backends.program import execute, failure, fill_places, places, printed_version, resolved_words
from pegcp.backends.solver_output import READERS, Reading
from pegcp.game import replay_solution
from pegcp.modelling.rules import MiniZinc

NAME = "command"  # of the backend, in results
LOG = "solver.log"
SOLUTION = "solution.sol"  # Gurobi and CPLEX go by the ending
_MOST_BYTES = 50_000_000  # bytes of a solver's output
_MOST_OF_STOPPED = 2_000_000  # bytes, for the time is over
_COLOURS = re.compile(r"\x1b\[[\d;]*m")  # ACE gives its lines some
_OTHER_PLACES = ("solution", "seconds", "seed")


@dataclass(frozen=True, kw_only=True)
class OwnSolver(BackendInfo):
    """A table of the user's ``solvers.toml``: a program, and the name of the model that it is given."""

    file = "solvers.toml"
    model: str = ""


def formats(languages: tuple[str, ...]) -> dict[str, Backend]:
    """Return the formats in which programs can read a model that these backends run, each with the backend that writes
    it."""
    writers = [backends.backend(name) for name in reversed(languages)]
    return {format: writer for writer in writers for format in writer.formats if format in READERS}  # noqa: A001


def read_command(text: str, model: str, languages: tuple[str, ...]) -> "Command":
    """Return the command of a method. Raises InputError if it cannot be split, or has no place for the model's file."""
    writers = formats(languages)
    refuse_if(not writers, f"no program can read {model} from a file: its language has no file format")
    words = resolved_words(text)
    files = {"file": next(iter(writers)), **{name: name for name in writers}}
    formats_of_command = {files[place] for place in places(words, (*files, *_OTHER_PLACES)) if place in files}
    refuse_if(
        len(formats_of_command) != 1,
        f"the command must have one place for the file of {model}, such as: "
        f"{words[0] if words else 'PROGRAM'} {{file}}; {model} has {', '.join(f'{{{name}}}' for name in files)}",
    )
    (name,) = formats_of_command
    return Command(NAME, words=words, writer=writers[name], format=name)


@dataclass(frozen=True)
class Command(Backend):
    """A command line with places to fill in, as a backend: it is started again at each turn.

    ``writer``: the backend that writes the file, in a ``format``.
    """

    title: str = ""
    words: tuple[str, ...] = field(kw_only=True)
    writer: Backend = field(kw_only=True)
    format: str = field(kw_only=True)
    keeps_model = False

    def answer(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Answer:
        """Solve the model horizon after horizon."""
        if problem.objective is Objective.COUNT or problem.sought is not None:
            return Answer(
                Status.UNKNOWN,
                Reason.UNSUPPORTED,
                message=f"a solver started by its command line does not support the objective {problem.objective}",
            )
        return super().answer(model, problem, run, options)

    def command_line(self, file: str, run: Run, seconds: float) -> list[str]:
        """Return the words with all places filled in. The program is told a little less than the time that it has, so
        that it can write down what it has."""
        limit = str(max(1, int(0.95 * seconds)))
        values = {"solution": SOLUTION, "seconds": limit, "seed": str(run.limits.seed), "file": file, self.format: file}
        return [fill_places(word, values) for word in self.words]

    def sizes(self, native: Any) -> Figures:
        """Return the sizes of a model, by the backend that writes it."""
        return self.writer.sizes(native)

    def begin(self, loop: HorizonLoop, formulation: AnyFormulation) -> tuple[str, dict[str, str]]:
        """Write the file; return its name, and how the program's output names the variables."""
        files = self.writer.write(formulation, self.format)
        name = next(iter(files))
        (loop.run.folder / name).write_text("\n".join(files.values()), encoding="utf-8")
        # A pseudo-Boolean program names its variables in comments: the output has their numbers.
        return name, {
            variable: number for number, variable in re.findall(r"^\* (x\d+) (.+)$", files[name], re.MULTILINE)
        }

    def search(
        self, loop: HorizonLoop, formulation: AnyFormulation, state: tuple[str, dict[str, str]], seconds: float
    ) -> Outcome:
        """Start the program, and read its output."""
        (file, names), run, solution = state, loop.run, loop.run.folder / SOLUTION
        solution.unlink(missing_ok=True)
        began = time.monotonic()
        code, log = execute(self.command_line(file, run, seconds), run, seconds, LOG, _MOST_BYTES)
        output = _COLOURS.sub("", (log if code is not None else log[-_MOST_OF_STOPPED:]) + _written_text(solution))
        reading = READERS[self.format](output, code)
        jumps, fault = self._solution(loop.problem, formulation, reading, names, output)
        if jumps is not None:
            return Answer(Status.SOLVED, jumps=jumps)
        if code is None or reading.refuted:
            return None if code is None else False
        if reading.reason is Reason.ERROR:
            words = fault or reading.words or "reported no verdict"
            about = "" if reading.clear else f" {failure(code, log)}"
            return Answer(Status.UNKNOWN, Reason.ERROR, message=f"{self.words[0]} {words}{about}")
        gave_up = Answer(Status.UNKNOWN, reading.reason, message=f"{self.words[0]}: {reading.words}")
        used_up = "{seconds}" in " ".join(self.words) and time.monotonic() - began > seconds / 2
        return None if used_up and reading.reason in (Reason.TIME, Reason.COMPLETED) else gave_up

    def _solution(
        self,
        problem: Problem,
        formulation: AnyFormulation,
        reading: Reading,
        names: dict[str, str],
        output: str,
    ) -> tuple[tuple[Jump, ...] | None, str]:
        """Return the jumps of a solution; wrong ones only if the program has clearly given all of it. Else what is not
        there.

        Only the values that the jumps are read from count.
        """
        values, values_of_jumps = reading.values, dict[Any, int | None]()

        def value(variable: Any) -> int:
            name = getattr(variable, "name", variable)
            name = names.get(name, name)
            values_of_jumps[name] = values.get(name)
            return values_of_jumps[name] or 0

        if not values and not reading.clear:
            return None, ""
        jumps = formulation.played(value) if values else ()
        try:
            replay_solution(problem, jumps)
        except InvalidSolution:
            # A variable that is 0 may be left out of a sparse solution, not named without a value.
            sparse = READERS[self.format].sparse
            words = {*values, *re.findall(r"\w+", output)} if sparse else values_of_jumps
            unread = next((name for name, number in values_of_jumps.items() if number is None and name in words), None)
            if not values or (sparse and not values.keys() & values_of_jumps):
                return None, ""
            if unread is not None:
                return None, f"gives no value of {unread} that can be read"
            return jumps if reading.clear else None, ""
        return jumps, ""


def _written_text(path: Path) -> str:
    """Return the text of the solution file, if the program wrote one."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return "\n" + file.read(_MOST_BYTES)


class MiniZincProgram(Backend):
    """The program ``minizinc``, which pip cannot install: ``package`` is the command that does.

    The program on the path is started like any other, with its default solver, such as Gecode, or another one that it
    lists: ``mzn-rounds:minizinc.solver=scip``.
    """

    def version(self) -> str | None:
        """Return the version that the program prints, or None if it is not installed."""
        return printed_version("minizinc --version") if shutil.which("minizinc") else None

    def missing(self) -> Missing:
        """Return the error that says how to install the program."""
        return Missing(f"{self.title} is not installed: {self.package}")

    def answer(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Answer:
        """Solve the model like a solver started by its command line."""
        solver = [word for name, value in self.parameters(options).items() for word in (f"--{name}", value)]
        words = ("minizinc", "--output-mode", "json", "--random-seed", "{seed}", *solver, "{file}")
        return Command(NAME, words=words, writer=self, format="mzn").answer(model, problem, run, options)

    def write(self, formulation: Formulation[MiniZinc], format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002
        """Write model and data."""
        return {"model.mzn": formulation.model.text, "model.dzn": formulation.model.data}

    def check_parameter(self, name: str, value: str) -> None:
        """Raise InputError for any parameter but the solver, of which the program itself says whether it has it."""
        check_word(self.name, "parameter", name, ("solver",))


MINIZINC = MiniZincProgram(
    name="minizinc",
    title="MiniZinc",
    licence="MPL-2.0",
    distribution="minizinc",
    package="apt install minizinc",
    formats=("mzn",),
)
