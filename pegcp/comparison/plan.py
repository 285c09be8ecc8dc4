"""Choose the runs of a comparison: of an experiment file, of problems and methods, or those of the tour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pegcp.catalogue.portfolio import SMALL_HOLES
from pegcp.comparison.experiment import TOUR, Experiment, read_experiment
from pegcp.comparison.schedule import read_problems, tasks
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Method

_LIMITS = ("time_limit", "memory_limit", "seeds", "workers")
# Methods of the tour that are slow on most problems, the slowest last, and those that need a small board.
_SLOW = (
    "smt-sweep", "choco-rounds", "fast-downward", "benders", "mzn-rounds", "constraint", "fast-downward-opt",
    "pyperplan", "bdd",
)  # fmt: skip
_FOR_SMALL_BOARDS = ("bdd", "pyperplan")


def choose_runs(
    problems: Sequence[Problem | str],
    methods: Sequence[str],
    experiment: Path | None,
    options: Mapping[str, Any],
) -> Experiment:
    """Return the runs of an experiment file, or of methods on problems, where there are none those of the tour.

    ``options`` that are not None are limits, which come before those of a file, and changes of the problems. Raises
    InputError.
    """
    options = {key: value for key, value in options.items() if value is not None}
    if experiment is not None:
        if problems or methods or not options.keys() <= set(_LIMITS):
            raise InputError("an experiment file sets problems and methods itself: leave them out")
        return read_experiment(experiment, **options)
    tour = read_experiment(TOUR)
    if not problems:
        if methods or options:
            raise InputError("the tour sets its own methods and limits; to choose them, name at least one problem")
        return tour
    limits = {key: value for key, value in options.items() if key in _LIMITS}
    changes = {key: value for key, value in options.items() if key not in _LIMITS}
    chosen = read_problems(problems, **changes)
    if methods:
        return Experiment("Comparison", "", tuple(tasks(chosen, methods, **limits)))
    names = dict.fromkeys(task.method.text for task in tour.tasks)
    in_order = sorted(names, key=lambda name: _SLOW.index(name) if name in _SLOW else -1)
    return Experiment("Comparison", "", tuple(tasks(chosen, in_order, fits=_suits, **limits)), shuffled=False)


def _suits(method: Method, problem: Problem) -> bool:
    """Tell whether a method is worth trying where none was asked for."""
    is_small = len(problem.board.holes) <= SMALL_HOLES
    return (is_small or method.name not in _FOR_SMALL_BOARDS) and method.refusal(problem) is None
