"""The data about a solver or planner that is known without loading it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pegcp.errors import InputError, Missing, missing, there


@dataclass(frozen=True)
class BackendInfo:
    """A solver or planner: its distribution, its modules, how to install it, and its abilities.

    A program of the user has no distribution.

    ``licence``: of the solver, by its SPDX name, empty where its package does not say; ``modules`` must all be there
    for the backend to run; ``package`` is what pip is asked for; ``formats``: what it exports, the default first;
    ``threads``: it keeps as many cores busy as it is given workers; ``counts``: it can count solutions; ``command``:
    what starts a program, ``version_command``: what makes it print its version.
    """

    name: str
    title: str
    licence: str = ""
    distribution: str = ""
    modules: tuple[str, ...] = ()
    package: str = ""
    formats: tuple[str, ...] = ()
    threads: bool = field(default=False, kw_only=True)
    counts: bool = field(default=False, kw_only=True)
    command: str = field(default="", kw_only=True)
    version_command: str = field(default="", kw_only=True)

    def version(self) -> str | None:
        """The installed version, or that which a program prints; None if the backend cannot run."""
        if not self.distribution:
            program = split_command(self.command)[:1]
            if not program or shutil.which(resolved(program[0])) is None:
                return None
            # A file in the current folder may be anybody's: it starts nothing unasked. PEGCP_HOME the user has named.
            return printed_version(self.version_command if os.environ.get("PEGCP_HOME") else "")
        if not all(map(there, self.modules)):
            return None
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None

    def missing(self) -> Missing:
        """The error that says how to get what the backend needs."""
        if not self.distribution:
            return Missing(f"{self.name}: there is no {self.command}")
        return missing(f"backend {self.name} needs {self.distribution}", self.package)


def home() -> Path:
    """The folder of the user's own files; processes of runs, which work elsewhere, get it as PEGCP_HOME."""
    return Path(os.environ.get("PEGCP_HOME") or os.getcwd())


def split_command(command: str) -> tuple[str, ...]:
    """The words of a command. Raises InputError if it cannot be split."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise InputError(f"cannot split the command into words: {error}") from None


def resolved(program: str) -> str:
    """A program by its path, if it has a folder; a relative path begins at the user's folder."""
    return os.path.normpath(home() / program) if "/" in program and not program.startswith("{") else program


def resolved_words(command: str) -> tuple[str, ...]:
    """The words of a command for a process that works in another folder than the user.

    A word that is a path from ``.`` or ``..``, or the name of a file in the user's folder, becomes absolute; a program
    without a folder in its name is looked for on the path alone.
    """
    words = split_command(command)
    return (*map(resolved, words[:1]), *map(_resolved_argument, words[1:]))


def _resolved_argument(word: str) -> str:
    path = home() / word
    return os.path.normpath(path) if word.startswith(("./", "../")) or (word and path.is_file()) else word


@cache
def printed_version(command: str) -> str:
    """The version that a program prints when it is started by a command.

    ``unknown`` if none can be read, ``found`` if there is no command to ask with.
    """
    if not command:
        return "found"
    words = resolved_words(command)
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return number[0] if number else "unknown"
