"""What solvers make of models before they search, side by side; nothing is solved."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp.catalogue import methods
from pegcp.comparison.table import Cell, listing, statistic
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Limits
from pegcp.render.columns import Column
from pegcp.result import Result
from pegcp.running.run import run
from pegcp.running.task import Task

_FIGURES = ("variables", "constraints", "literals")


def looks(problem: Problem, text: str, limits: Limits) -> list[Result]:
    """Look at the model of each of the methods (:meth:`pegcp.backends.backend.Backend.statistics`).

    Raises InputError for a search.
    """
    chosen = [methods.choose(one) for one in methods.split(text)]
    for one in chosen:
        if not one.has_model:
            raise InputError(f"{one.text} is a search: it has no model to look at")
    return [run(Task(problem, method, limits, look=True)) for method in chosen]


def sizes_table(results: Sequence[Result]) -> RenderableType:
    """The figures as a table; what could not be looked at is told below it."""

    shown: list[tuple[Column, Cell]] = [
        (Column("model"), lambda runs: runs[0].method),
        statistic("horizon", "horizon", 2),
        *(statistic(name, name, 1) for name in _FIGURES),
        *(statistic(f"{name} presolved", f"{name}_presolved", 3) for name in _FIGURES),
        *(statistic(name.replace("_", " "), name, 1) for name in ("facts", "operators", "mutex_groups")),
        statistic("build s", "build_seconds", 4, 2),
    ]
    silent = [Text(f"{r.method}: {r.message}") for r in results if r.message]
    return Group(listing(results, shown=shown), *silent)
