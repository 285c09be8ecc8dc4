"""The tour: a first comparison of everything that ships with pegcp, in about a minute on two cores."""

from __future__ import annotations

from pegcp.comparison.runner import Task
from pegcp.comparison.schedule import tasks

TIME_LIMIT = 30.0  # seconds per run

_STOPS = (
    ("english", "moves parallel rounds fast-downward dfs"),
    ("triangle15", "moves constraint fast-downward pyperplan dfs"),
    ("XoXXXX", "moves constraint fast-downward pyperplan dfs"),
    ("XXXoXXX", "moves constraint fast-downward pyperplan dfs"),
    ("english:d4!", "fools fast-downward-opt"),
    ("triangle15:b3!", "fools fast-downward-opt"),
)


METHODS = tuple(dict.fromkeys(method for _, methods in _STOPS for method in methods.split()))


def tour() -> list[Task]:
    """The runs of the tour: each kind of problem, solvable or not, by the methods that are good for it."""
    return [task for problem, methods in _STOPS for task in tasks([problem], methods.split(), time_limit=TIME_LIMIT)]
