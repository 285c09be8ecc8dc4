"""What is known of a solver or planner without loading it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version


@dataclass(frozen=True)
class Entry:
    """A row of the table of backends: the distribution, how to install it, and what it can do.

    ``formats``: what it exports, the default first; ``threads``: it keeps as many cores busy as it is given workers;
    ``hints``: it can start from the beginning of a solution; ``counts``: it can count solutions; ``licence``: of the
    solver, by its SPDX name, empty where its package does not say.
    """

    name: str
    title: str
    distribution: str
    install: str
    formats: tuple[str, ...] = ()
    threads: bool = False
    hints: bool = False
    counts: bool = False
    licence: str = ""

    def version(self) -> str | None:
        """The installed version, or None."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None
