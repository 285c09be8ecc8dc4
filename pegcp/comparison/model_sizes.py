"""What solvers make of models before they search, side by side; nothing is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

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

_LOOK = 60.0  # seconds, for one model
_FIGURES = ("variables", "constraints", "literals")
_HEURISTICS = ("blind", "max", "lmcut", "ff", "landmarks", "merged")


def looks(problem: Problem, text: str, limits: Limits) -> list[Result]:
    """Look at the model of each of the methods (:meth:`pegcp.backends.backend.Backend.statistics`).

    Raises InputError for a search.
    """
    chosen = [methods.choose(one) for one in methods.split(text)]
    for one in chosen:
        if not one.has_model:
            raise InputError(f"{one.text} is a search: it has no model to look at")
    return [run(Task(problem, method, limits, look=True)) for method in chosen]


def with_roots(results: Sequence[Result]) -> list[Result]:
    """The results with the variables that propagation leaves open at the root of their models, looked at now; without
    for those whose solvers do not tell, and for searches. Raises InputError for a method that is not there."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    rooted = []
    for result in results:
        key = result.problem.fingerprint, result.method
        if key not in found:
            chosen = methods.choose(result.method)
            told = run(Task(result.problem, chosen, Limits(_LOOK), look=True)).statistics if chosen.has_model else {}
            found[key] = {name: value for name, value in told.items() if name == "root_open"}
        rooted.append(replace(result, statistics={**result.statistics, **found[key]}))
    return rooted


def sizes_table(results: Sequence[Result]) -> RenderableType:
    """The figures as a table; what could not be looked at is told below it."""

    def root(runs: Sequence[Result]) -> str:
        return str(runs[0].statistics.get("root", ""))

    shown: list[tuple[Column, Cell]] = [
        (Column("model"), lambda runs: runs[0].method),
        statistic("horizon", "horizon", 2),
        *(statistic(name, name, 1) for name in _FIGURES),
        *(statistic(f"{name} presolved", f"{name}_presolved", 3) for name in _FIGURES),
        *(statistic(name.replace("_", " "), name, 1) for name in ("facts", "operators", "mutex_groups")),
        *(statistic(f"h {name}", f"h_{name}", 2) for name in _HEURISTICS),
        statistic("fixed at root", "root_fixed", 1),
        statistic("bound at root", "root_bound", 1),
        (Column("root", 1), root),
        statistic("build s", "build_seconds", 4, 2),
    ]
    silent = [Text(f"{r.method}: {r.message}") for r in results if r.message]
    return Group(listing(results, shown=shown), *silent)
