"""Measure the models of methods, side by side; nothing is solved."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp.catalogue import methods
from pegcp.errors import InputError
from pegcp.game import Problem
from pegcp.method import Limits
from pegcp.render.table import Column, Table, figure
from pegcp.results.result import Result
from pegcp.running.road import run
from pegcp.running.task import Task

_SIZES = ("variables", "constraints", "literals")
_FIGURES = {  # the statistics in the table, and the ranks of their columns
    "horizon": 2,
    **dict.fromkeys(_SIZES, 1),
    **{f"{size}_presolved": 3 for size in _SIZES},
    **dict.fromkeys(("facts", "operators", "mutex_groups"), 1),
    "build_seconds": 4,
}


def measure_models(problem: Problem, text: str, limits: Limits) -> list[Result]:
    """Return the sizes of the model of each of the methods (:meth:`pegcp.backends.interface.Backend.model_statistics`).

    Raises InputError for a search.
    """
    models = [methods.choose(name) for name in methods.split(text)]
    for model in models:
        if model.method.model is None and model.planner is None:
            raise InputError(f"{model.text} is a search: it has no model to look at")
    return [run(Task(problem, model, limits, sizes=True)) for model in models]


def sizes_table(results: Sequence[Result]) -> RenderableType:
    """Return the sizes as a table, and below it why a model could not be measured."""
    columns = (
        Column(name.replace("_seconds", " s").replace("_", " "), rank, right=True) for name, rank in _FIGURES.items()
    )
    decimals = {"build_seconds": 2}
    rows = ((r.method, *(figure(r.statistics.get(name), decimals.get(name)) for name in _FIGURES)) for r in results)
    table = Table("", (Column("model"), *columns), tuple(rows))
    return Group(table, *(Text(f"{r.method}: {r.message}") for r in results if r.message))
