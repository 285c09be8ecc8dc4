"""Any solver by its command line: it gets what ``pegcp export`` writes, and what it says is read, decoded and replayed.

``sat-rounds:command=kissat --quiet {file}``: ``{file}`` is the model in the first format of the language, ``{mps}`` or
``{xcsp3}`` in another; ``{solution}`` a file that the program writes, which is read as if it were printed;
``{seconds}`` and ``{seed}`` are numbers. With ``{proof}``, a file for the proof that it writes, the program gets the
checker's own formulas in place of those of ``sat-moves``; the proofs for all numbers of jumps are the certificate. The
command is split as a shell splits it, and started without one. Each turn begins anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

from pegcp import backends
from pegcp.backends import run_loop
from pegcp.backends.backend_info import Entry, resolved, split
from pegcp.backends.model import Model
from pegcp.backends.program import execute, failure
from pegcp.backends.program_tables import own_rows
from pegcp.backends.solver_output import READERS
from pegcp.errors import InputError, PegcpError
from pegcp.formats.files import open_file
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.modelling.cnf import Clauses
from pegcp.modelling.formulation import Formulation, Value
from pegcp.theory import certificates

OWN = "solvers.toml"  # of the user
NAME = "command"  # of the backend, in results
LOG = "solver.log"
SOLUTION = "solution.txt"
PROOF = "proof"
_MOST = 50_000_000  # characters of what a solver says
_COLOURS = re.compile(r"\x1b\[[\d;]*m")  # ACE gives its lines some
_LARGEST_PROOF = 100_000_000  # bytes
_PLACES = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Command:
    """A command line and what it asks for: the backend that writes the file, and its format."""

    words: tuple[str, ...]
    writer: backends.Solver
    format: str

    @property
    def proves(self) -> bool:
        """Whether the program is to write a proof."""
        return any("{proof}" in word for word in self.words)

    def started(self, file: str, run: Run, seconds: float) -> list[str]:
        """The words with everything filled in."""
        limit = str(max(1, ceil(seconds)))
        told = {
            "solution": SOLUTION,
            "proof": PROOF,
            "seconds": limit,
            "seed": str(run.limits.seed),
            "file": file,
            self.format: file,
        }
        return [_PLACES.sub(lambda found: told.get(found[1], found[0]), resolved(word)) for word in self.words]


@dataclass(frozen=True, kw_only=True)
class Program(Entry):
    """A table of the user's ``solvers.toml``: a program, and the name of the model that it gets."""

    model: str = ""


def own() -> tuple[Program, ...]:
    """The programs of the user's own file, if there is one. Raises InputError."""
    return own_rows(OWN, Program)


def formats(languages: tuple[str, ...]) -> dict[str, backends.Solver]:
    """The formats in which programs can read a model that these backends run, and which of them writes each."""
    known = [backends.solver(name) for name in languages]
    return {format: solver for solver in reversed(known) for format in solver.formats if format in READERS}  # noqa: A001


def read_command(text: str, model: str, languages: tuple[str, ...]) -> Command:
    """The command of a method. Raises InputError where it can't be split, or names no file of the model."""
    words = split(text)
    known = formats(languages)
    wanted = [place for word in words for place in _PLACES.findall(word) if place == "file" or place in READERS]
    first = next(iter(known), "")
    asked = {first if place == "file" else place for place in wanted}
    if not known:
        raise InputError(f"{model} is written in a language that programs cannot read from a file")
    if len(asked) != 1 or not asked <= known.keys():
        places = ", ".join(f"{{{name}}}" for name in known)
        raise InputError(f"the command needs {{file}} for the model, or one of {places}: {model} has no other formats")
    chosen = asked.pop()
    command = Command(words, known[chosen], chosen)
    if command.proves and (model.replace("_", "-"), chosen) != ("sat-moves", "cnf"):
        raise InputError(
            f"{{proof}} is for the model sat-moves and its format cnf: the proofs of {model} are not followed"
        )
    return command


def run(languages: tuple[str, ...], model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Solve the model horizon after horizon in the current directory. Raises InputError and Missing."""
    command = read_command(options["command"], model.path.stem, languages)
    if problem.objective is Objective.COUNT or problem.sought is not None:
        fault = f"a program by its command line cannot be asked for {problem.objective}"
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=fault)
    writer = command.writer.writer()
    read = READERS[command.format]
    proofs, faults = dict[int, bytes](), list[str]()
    proving = command.proves and not problem.is_goal(problem.start.mask)
    if proving:
        model = replace(model, build_with=_checked, horizons=lambda problem: problem.jump_counts)

    totals: run_loop.Totals = {}

    def begin(formulation: Formulation[Any]) -> run_loop.Search:
        files = writer.write(formulation, command.format, {**options, "horizon": totals.get("horizon") or 1})
        file = Path(next(iter(files)))
        file.write_text("\n".join(files.values()), encoding="utf-8")
        names = _numbered(files[file.name]) if command.format == "opb" else {}

        def search(seconds: float) -> Value | Answer | bool | None:
            for name in (SOLUTION, PROOF):
                Path(name).unlink(missing_ok=True)
            code, log = execute(command.started(file.name, run, seconds), run, seconds, LOG, _MOST)
            if code is None:
                return None
            try:
                values = read(_COLOURS.sub("", log + _solution()), code)
            except (ValueError, ArithmeticError) as error:
                return _fault(f"{command.words[0]}: {error}")
            if values is None:
                return _fault(f"{command.words[0]} says neither yes nor no {failure(code, log)}")
            if not isinstance(values, Mapping):
                if proving and not faults:
                    try:
                        proofs[totals["horizon"]] = _proof(formulation.model, run)
                    except (ValueError, PegcpError, OSError) as error:
                        faults.append(getattr(error, "strerror", None) or str(error))
                return False

            def value(variable: Any) -> int:
                name = getattr(variable, "name", variable)
                return values.get(names.get(name, name), 0)

            return value

        return search

    answer = run_loop.run(model, problem, run, options, begin, totals, resumes=False)
    if not proving or answer.status is not Status.INFEASIBLE or not problem.jump_counts:
        return answer
    try:
        if not faults:
            return replace(answer, certificate=certificates.refutation(proofs))
    except ValueError as error:
        faults.append(str(error))
    return replace(answer, message=f"the proof of {command.words[0]} was not followed: {faults[0]}")


def _checked(problem: Problem, horizon: int) -> Formulation[Any]:
    """The formula of the checker for so many jumps, and how its variables are numbered (docs/proof-format.md)."""
    lines = certificates.formula(problem, horizon).splitlines()
    model = Clauses()
    model.names = [f"x{n}" for n in range(int(lines[0].split()[2]))]
    model.clauses = [[int(word) for word in line.split()[:-1]] for line in lines[1:]]
    first, jumps = 1 + len(problem.board.holes) * (horizon + 1), problem.board.jumps * horizon
    return Formulation(model, lambda value: [jump for n, jump in enumerate(jumps, first) if value(n)])


def _proof(model: Any, run: Run) -> bytes:
    """The proof that the program wrote, with hints. Raises ValueError and OSError where it is none, TimeoutError."""
    with open_file(PROOF, os.O_NOFOLLOW) as file:
        data = file.read(_LARGEST_PROOF + 1)
    if len(data) > _LARGEST_PROOF:
        raise ValueError(f"it is larger than {_LARGEST_PROOF // 1_000_000} MB")
    from pegcp.states.kernels.clause_proofs import with_hints

    return with_hints(model.clauses, len(model.names), data, run)


def _fault(message: str) -> Answer:
    return Answer(Status.UNKNOWN, Reason.ERROR, message=message)


def _solution() -> str:
    """What the program wrote to the file of its own, if it is one."""
    path = Path(SOLUTION)
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as file:
        return "\n" + file.read(_MOST)


def _numbered(opb: str) -> dict[str, str]:
    """The numbers of variables by their names, from the comments of a pseudo-Boolean program."""
    return {name: number for number, name in re.findall(r"^\* (x\d+) (.+)$", opb, re.MULTILINE)}
