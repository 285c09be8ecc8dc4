"""What is known of a solver or planner without loading it."""

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
class Entry:
    """A row of the table of backends: the distribution, its modules, how to install it, and what it can do.

    A program of the user has no distribution.

    ``licence``: of the solver, by its SPDX name, empty where its package does not say; ``modules`` must all be there
    for the backend to run; ``package`` is what pip is asked for; ``formats``: what it exports, the default first;
    ``threads``: it keeps as many cores busy as it is given workers; ``counts``: it can count solutions; ``command``:
    what starts a program, ``version_command``: what makes it tell its version.
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
        """The installed version, what a program tells of itself, or None if the backend cannot run."""
        if not self.distribution:
            program = split(self.command)[:1]
            if not program or shutil.which(resolved(program[0])) is None:
                return None
            # A file in the current folder may be anybody's: it starts nothing unasked. PEGCP_HOME the user has named.
            return told_version(self.version_command if os.environ.get("PEGCP_HOME") else "")
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
    """The folder of the user's own rows; child processes, which work elsewhere, are told."""
    return Path(os.environ.get("PEGCP_HOME") or os.getcwd())


def split(command: str) -> tuple[str, ...]:
    """The words of a command. Raises InputError if it cannot be split."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise InputError(f"cannot split the command into words: {error}") from None


def resolved(word: str) -> str:
    """A word of a command; a relative path begins at the user's folder, as programs run in another."""
    return os.path.normpath(home() / word) if word.startswith(("./", "../")) else word


@cache
def told_version(command: str) -> str:
    """The version that a program tells of itself when it is started so.

    ``unknown`` if none can be read, ``found`` if it is not known how to ask.
    """
    if not command:
        return "found"
    words = [resolved(word) for word in split(command)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    found = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else "unknown"
