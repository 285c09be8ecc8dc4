"""Backends: the data about a solver or planner that is known without loading it, and the class of every solver."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pegcp import machine
from pegcp.backends.program import printed_version, resolved_words
from pegcp.errors import InputError, Missing, missing, suggestion, there
from pegcp.formats.foreign import convert
from pegcp.formats.texts import read_toml
from pegcp.formats.toml import parse_toml

if TYPE_CHECKING:
    from pegcp.backends.model import ModelFile
    from pegcp.game import Problem
    from pegcp.method import Answer, Options, Run
    from pegcp.modelling.formulation import AnyFormulation, Value

Figures = dict[str, Any]


class Ability(StrEnum):
    """An ability of a solver besides finding a solution."""

    THREADS = "threads"  # it keeps as many cores busy as it is given workers
    COUNTS = "counts"  # it can count solutions, and so list them
    HINTS = "hints"  # it can begin with a solution that is given to it


def check_word(owner: str, kind: str, word: str, words: Collection[str], which: str = "") -> None:
    """Raise InputError unless a word is one of those of its kind that a method or backend has; ``which`` tells them."""
    if word not in words:
        offer = which or ", ".join(words) or "none"
        raise InputError(f'{owner} has no {kind} "{word}"{suggestion(word, words)}; {kind}s: {offer}')


@dataclass(frozen=True)
class BackendInfo:
    """A solver or planner: its distribution, its modules, how to install it, and its abilities.

    A program of the user has no distribution.

    ``licence``: of the solver, by its SPDX name, empty where its package does not name one; ``modules`` must all be
    importable for the backend to run; ``package`` is the argument of pip that installs it; ``formats``: what it
    exports, the default first; ``abilities``: what it can do besides finding a solution; ``command`` starts a program,
    ``version_command`` prints its version; ``engine``: the program that does the reasoning, if that has another name,
    such as the solver behind a modelling library.
    """

    name: str
    title: str
    licence: str = ""
    distribution: str = ""
    modules: tuple[str, ...] = ()
    package: str = ""
    formats: tuple[str, ...] = ()
    abilities: frozenset[Ability] = field(default=frozenset(), kw_only=True)
    command: str = field(default="", kw_only=True)
    version_command: str = field(default="", kw_only=True)
    engine: str = field(default="", kw_only=True)

    @classmethod
    def read_all(cls, path: Path, take: Callable[[Self], object] = lambda _: None) -> list[Self]:
        """Return the programs of a TOML file, if it is there: a table for each, with the fields of this class as keys.

        Each is first taken by a function. Raises InputError, also one of the function, naming the table.
        """
        keys = {field.name.replace("_", "-") for field in fields(cls)} - {"name", "formats"}
        programs = []
        for name, table in parse_toml(read_toml(path), str(path)).items() if path.is_file() else ():
            try:
                if not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not isinstance(table, dict):
                    raise InputError("names of tables have small letters, digits and hyphens, such as [my-planner]")
                for key in table.keys() - keys:
                    raise InputError(f'unknown key "{key}"{suggestion(key, keys)}; keys: {", ".join(sorted(keys))}')
                values = {"title": name, **{key.replace("-", "_"): value for key, value in table.items()}}
                programs.append(convert({**values, "name": name}, cls, str(path)))
                take(programs[-1])
            except InputError as error:
                raise InputError(f"[{name}] {error.message}", source=str(path)) from None
        return programs

    @property
    def program(self) -> str:
        """The program that the command of the user starts; empty if there is none."""
        return next(iter(resolved_words(self.command)), "")

    def version(self) -> str | None:
        """Return the installed version, or the one that a program prints; None if the backend cannot run."""
        if not all(map(there, self.modules)):
            return None
        if self.distribution:
            return next((package.version for package in machine.packages(self.distribution)), None)
        # Nothing is started unasked for a file in the current folder, which may come from anybody. PEGCP_HOME is the
        # user's own choice.
        command = self.version_command if os.environ.get("PEGCP_HOME") else ""
        return printed_version(command) if shutil.which(self.program) else None

    def missing(self) -> Missing:
        """Return the error that says how to install the backend."""
        absent = [module for module in self.modules if not there(module)]
        if self.command and not self.distribution and not absent:
            return Missing(f"{self.name} needs the program {self.program}, which is not on the path")
        return missing(
            f"backend {self.name} needs {self.distribution or ', '.join(absent) or self.title}", self.package
        )


@dataclass(frozen=True)
class Backend(BackendInfo):
    """A solver that runs models.

    A subclass names the class of its ``runs``, or defines :meth:`run`; all else is optional. It imports the solver
    inside methods, never when its module is imported.
    """

    # Imported before a model file is, and before the clock of a run starts; by default the modules.
    preload: tuple[str, ...] = field(default=(), kw_only=True)
    loop: ClassVar[type[Any]]  # see pegcp.backends.run_loop

    def loaded(self) -> Self:
        """Return the backend. Raises Missing if the solver is not installed."""
        if self.version() is None:
            raise self.missing()
        return self

    def run(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Answer:
        """Build the model of the problem, solve it within the limits, and decode."""
        answer: Answer = self.loop(self, model, problem, run, options).answer()
        return answer

    def write(self, formulation: AnyFormulation, format: str, rising: bool = False) -> dict[str, str]:  # noqa: A002, ARG002
        """Write a formulation in one of the ``formats``: texts by file name. The solver itself may be missing."""
        raise InputError(f"backend {self.name} has no export format")

    def reader(self, solution: object) -> Value:
        """Return the function from variable to value of a solution.

        The solution is a mapping, the set of variables that are true, or the function itself.
        """
        if isinstance(solution, Mapping):
            return solution.__getitem__
        if isinstance(solution, Set):
            return solution.__contains__
        if not callable(solution):
            raise InputError(f"{self.name} cannot read values from {type(solution).__name__}")
        return solution

    def sizes(self, native: Any) -> Figures:  # noqa: ARG002
        """Return the sizes of a model; none of a backend that does not know them.

        The same names for all: ``variables``, ``constraints`` (rows, clauses, rules), ``literals`` (of clauses,
        non-zeros of rows).
        """
        return {}

    def statistics(self, native: Any, run: Run, parameters: Mapping[str, str]) -> Figures:  # noqa: ARG002
        """Return the sizes of a model before any search; with ``_presolved`` those after the solver's presolve.

        Raises InputError for a backend that has none of them.
        """
        sizes = self.sizes(native)
        if not sizes:
            raise InputError(f"{self.name} reports no sizes")
        return sizes

    def model_statistics(self, model: ModelFile, problem: Problem, run: Run, options: Options) -> Figures:
        """Return the statistics of the model with the given or the first horizon; none if every horizon is refuted."""
        horizons = model.horizon_log(problem, options).open
        if not horizons:
            return {}
        began = time.perf_counter()
        native = model.build(problem, horizons[0], options).model
        figures: Figures = {"build_seconds": time.perf_counter() - began}
        figures |= {} if horizons[0] is None else {"horizon": horizons[0]}
        return figures | self.statistics(native, run, self.parameters(options))

    def parameters(self, options: Options) -> dict[str, str]:
        """Return the options that are parameters of this solver, ``SOLVER.PARAMETER=VALUE``, by their names there."""
        begin = f"{self.name}."
        return {key.removeprefix(begin): value for key, value in options.items() if key.startswith(begin)}

    def check_parameter(self, name: str, value: str) -> None:  # noqa: ARG002
        """Raise InputError unless the solver has a parameter of that name, which takes that value.

        Parameters that pegcp itself sets do not count: limits, threads, the seed, logs and files.
        """
        raise InputError(f"{self.name} takes no parameters")
