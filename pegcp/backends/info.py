"""Facts about a solver or planner that need no loading: its package, its version, its abilities."""

import os
import re
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Self

from pegcp import machine
from pegcp.backends.program import printed_version, resolved_words
from pegcp.errors import InputError, Missing, is_importable, missing, refuse_if, suggestion
from pegcp.formats.files import read_toml
from pegcp.formats.foreign import convert
from pegcp.formats.toml import parse_toml


class Ability(StrEnum):
    """An ability of a solver besides finding a solution."""

    THREADS = "threads"  # it keeps as many cores busy as it is given workers
    COUNTS = "counts"  # it can count solutions, and so list them
    HINTS = "hints"  # it can begin with a solution that is given to it


def check_word(owner: str, kind: str, word: str, words: Collection[str], which: str = "") -> None:
    """Raise InputError unless a word is one of those of its kind that a method or backend has; ``which`` tells them."""
    if word not in words:
        raise InputError(
            f'{owner} has no {kind} "{word}"{suggestion(word, words)}; {kind}s: {which or ", ".join(words) or "none"}'
        )


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
                refuse_if(
                    not re.fullmatch(r"[a-z][a-z0-9-]*", name) or not isinstance(table, dict),
                    "names of tables have small letters, digits and hyphens, such as [my-planner]",
                )
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
        if not all(map(is_importable, self.modules)):
            return None
        if self.distribution:
            return next((package.version for package in machine.packages(self.distribution)), None)
        # Nothing is started unasked for a file in the current folder, which may come from anybody. PEGCP_HOME is the
        # user's own choice.
        command = self.version_command if os.environ.get("PEGCP_HOME") else ""
        return printed_version(command) if shutil.which(self.program) else None

    def missing(self) -> Missing:
        """Return the error that says how to install the backend."""
        absent = [module for module in self.modules if not is_importable(module)]
        if self.command and not self.distribution and not absent:
            return Missing(f"{self.name} needs the program {self.program}, which is not on the path")
        return missing(
            f"backend {self.name} needs {self.distribution or ', '.join(absent) or self.title}", self.package
        )

    def require(self) -> Self:
        """Return the backend. Raises Missing if the solver is not installed."""
        if self.version() is None:
            raise self.missing()
        return self
