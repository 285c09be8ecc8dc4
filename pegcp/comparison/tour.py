"""The tour: a first comparison of everything that ships with pegcp, in about a minute on two cores."""

from __future__ import annotations

from pegcp.comparison.runner import Task
from pegcp.comparison.schedule import tasks

TIME_LIMIT = 30.0  # seconds per run

# One model in each of the twelve languages of docs/languages.md. The last two are at home on small boards only.
_LANGUAGES = (
    "rounds ip-rounds sat-rounds asp-rounds smt-sweep cpmpy-rounds choco-rounds mzn-rounds benders fast-downward "
    "constraint bdd"
)
_STOPS = (
    ("triangle15", f"{_LANGUAGES} dfs"),
    ("english", "rounds moves parallel sat-rounds fast-downward budget"),
    ("XXXoXXX", "moves constraint fast-downward pyperplan dfs"),
    ("english:d4!", "fools fast-downward-opt"),
)


METHODS = tuple(dict.fromkeys(method for _, methods in _STOPS for method in methods.split()))


def tour() -> list[Task]:
    """The runs of the tour: each kind of problem, solvable or not, by the methods that are good for it."""
    return [task for problem, methods in _STOPS for task in tasks([problem], methods.split(), time_limit=TIME_LIMIT)]
