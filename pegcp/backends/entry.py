"""What is known of a solver or planner without loading it."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

from pegcp.errors import Missing, missing, there


@dataclass(frozen=True)
class Entry:
    """A row of the table of backends: the distribution, its modules, how to install it, and what it can do.

    ``licence``: of the solver, by its SPDX name, empty where its package does not say; ``modules`` must all be there
    for the backend to run; ``package`` is what pip is asked for; ``formats``: what it exports, the default first;
    ``threads``: it keeps as many cores busy as it is given workers; ``counts``: it can count solutions.
    """

    name: str
    title: str
    licence: str
    distribution: str
    modules: tuple[str, ...]
    package: str
    formats: tuple[str, ...] = ()
    threads: bool = field(default=False, kw_only=True)
    counts: bool = field(default=False, kw_only=True)

    def version(self) -> str | None:
        """The installed version, or None if the backend cannot run."""
        if not all(map(there, self.modules)):
            return None
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None

    def missing(self) -> Missing:
        """The error that says how to get what the backend needs."""
        return missing(f"backend {self.name} needs {self.distribution}", self.package)
