"""Measure the models of methods, side by side; nothing is solved."""

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


def measure_models(problem: Problem, text: str, limits: Limits) -> list[Result]:
    """Return the sizes of the model of each of the methods (:meth:`pegcp.backends.backend.Backend.statistics`).

    Raises InputError for a search.
    """
    models = [methods.choose(name) for name in methods.split(text)]
    for model in models:
        if not model.has_model:
            raise InputError(f"{model.text} is a search: it has no model to look at")
    return [run(Task(problem, model, limits, look=True)) for model in models]


def sizes_table(results: Sequence[Result]) -> RenderableType:
    """Return the sizes as a table, and below it why a model could not be measured."""

    cells: list[tuple[Column, Cell]] = [
        (Column("model"), lambda runs: runs[0].method),
        statistic("horizon", "horizon", 2),
        *(statistic(name, name, 1) for name in _FIGURES),
        *(statistic(f"{name} presolved", f"{name}_presolved", 3) for name in _FIGURES),
        *(statistic(name.replace("_", " "), name, 1) for name in ("facts", "operators", "mutex_groups")),
        statistic("build s", "build_seconds", 4, 2),
    ]
    messages = [Text(f"{r.method}: {r.message}") for r in results if r.message]
    return Group(listing(results, cells=cells), *messages)
