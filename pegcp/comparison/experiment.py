"""Experiment files: TOML that says which problems, methods, seeds and limits make a comparison.

    name = "Reversals of the English board"
    problems = ["english:*", "patterns/arrow.toml"]     # BOARD:* (also :*! and :*->?) is every hole; files: from here
    methods = ["moves", "moves:order=off", { method = "dfs", order = "random" }]
    seeds = 5                                           # 0, 1, 2, 3, 4; or a list
    time-limit = 60                                     # wall seconds per run
    memory-limit = 2000                                 # MB, all processes of a run together
    workers = 2
    parameters = { linearization_level = [0, 1, 2] }    # of the solvers of all methods; each with each value
    vary = "one"                                        # each option against its default; "all": each with each
    objective = "count"                                 # of all the problems; or a list, of each with each
    family = "triangle"                                 # or square, rectangle, line; or random positions of a board
    sizes = [4, 12]                                     # of the family: the first and the last

Tables ``[[runs]]`` add more groups of runs; what they leave out is as at the top of the file. A group with a ``name``
has a table of its own in reports, and one with a family a table of how times grow. ``[[published]]`` tables
have a ``name`` and a table ``values`` from problem names to numbers or words, shown beside the results in reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from pegcp.catalogue import methods
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.errors import InputError, PegcpError, place, suggestion
from pegcp.formats.toml import Description, read_objective
from pegcp.game.problem import Problem
from pegcp.library import generate, lookup
from pegcp.method import Limits
from pegcp.result import Result
from pegcp.running.task import MOST_RUNS, Task, make_limits

_GROUP_KEYS = (
    "problems", "methods", "seeds", "time-limit", "memory-limit", "workers", "parameters", "vary", "objective",
    "family", "sizes",
)  # fmt: skip
_PROBLEM_KEYS = ("problems", "family", "sizes")
_FAMILIES: dict[str, Callable[[int], str]] = {
    "triangle": lambda side: f"triangle{side * (side + 1) // 2}",
    "square": lambda side: f"square{side}",
    "rectangle": lambda width: f"rectangle{width}x4",
    "line": lambda holes: f"line{holes}",
}
_RANDOM = 3  # solvable random positions of each size
_LARGEST_SIZE = 1000
_MOST_SEEDS = 10_000
TOUR = Path(__file__).with_name("tour.toml")
_TOP_KEYS = ("name", "description", *_GROUP_KEYS, "runs", "published")


@dataclass(frozen=True)
class Published:
    """A column of published values, by problem name."""

    name: str
    values: Mapping[str, str | int | float]


@dataclass(frozen=True)
class Part:
    """Runs that have tables of their own in reports; those of a family by size one of how times grow."""

    name: str
    tasks: tuple[Task, ...]
    grows: bool = False

    def of(self, results: Iterable[Result]) -> list[Result]:
        """Those of the results that belong to it, by problem and method, in its order."""
        order = {(task.problem.fingerprint, task.method.text): n for n, task in enumerate(self.tasks)}
        placed = [(order.get((result.problem.fingerprint, result.method)), result) for result in results]
        ours = [(place, result) for place, result in placed if place is not None]
        return [result for _, result in sorted(ours, key=lambda pair: pair[0])]


@dataclass(frozen=True)
class Experiment:
    """A named list of runs, with published values to compare them with."""

    name: str
    description: str = ""
    tasks: tuple[Task, ...] = ()
    published: tuple[Published, ...] = ()
    parts: tuple[Part, ...] = ()


def read_experiment(path: Path) -> Experiment:
    """The experiment in a file. Raises InputError, with the line of its first fault."""
    return _Reader(lookup.read_toml(path), path).experiment()


class _Reader:
    def __init__(self, text: str, path: Path) -> None:
        self.description = Description(text, str(path))
        self.path = path
        self.runs = 0  # counted before they are made

    def experiment(self) -> Experiment:
        data = self.description.data
        self._known(data, _TOP_KEYS, "an experiment")
        top = {key: value for key, value in data.items() if key in _GROUP_KEYS}
        runs = self._tables(data, "runs")
        groups = [top] if not runs or not top.keys().isdisjoint(_PROBLEM_KEYS) else []
        for group in runs:
            self._known(group, (*_GROUP_KEYS, "name"), "a runs table")
            own = not group.keys().isdisjoint(_PROBLEM_KEYS)
            groups.append({key: value for key, value in top.items() if not (own and key in _PROBLEM_KEYS)} | group)
        parts: dict[tuple[str, bool], list[Task]] = {}
        for group in groups:
            parts.setdefault((self._string(group, "name", ""), "family" in group), []).extend(self._runs(group))
        return Experiment(
            self._string(data, "name", self.path.stem),
            self._string(data, "description", ""),
            tuple({task.key: task for some in parts.values() for task in some}.values()),
            tuple(self._published(table) for table in self._tables(data, "published")),
            tuple(Part(name, tuple(some), grows) for (name, grows), some in parts.items() if name or grows),
        )

    def _error(self, key: str, message: str, value: object = None) -> InputError:
        """The error about a key, or about one value in it."""
        text = self.description.text
        found = re.search(rf"""["']{re.escape(str(value))}["']""", text) if value is not None else None
        if found is None:
            return self.description.error(key, message)
        line, column = place(text, found.start())
        return InputError(message, source=self.description.source, line=line, column=column)

    def _known(self, data: Mapping[str, Any], keys: Iterable[str], what: str) -> None:
        for key in data:
            if key not in keys:
                raise self._error(key, f'unknown key "{key}" in {what}{suggestion(key, keys)}')

    def _tables(self, data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self._error(key, f"write {key} as tables: [[{key}]]")
        return value

    def _string(self, data: Mapping[str, Any], key: str, default: str) -> str:
        value = data.get(key, default)
        if not isinstance(value, str):
            raise self._error(key, f"{key} must be a string")
        return value

    def _list(self, data: Mapping[str, Any], key: str) -> list[Any]:
        value = data.get(key)
        if not isinstance(value, list) or not value:
            raise self._error(key, f"an experiment needs a list of {key}, with entries")
        return value

    def _runs(self, data: Mapping[str, Any]) -> list[Task]:
        """The runs of a group: each problem by each method with each seed."""
        problems = self._problems(data)
        vary = data.get("vary")
        if vary not in (None, "one", "all"):
            raise self._error("vary", f'vary must be "one" or "all", not {vary!r}')
        sweep = self._sweep(data.get("parameters", {}))
        chosen = [found for item in self._list(data, "methods") for found in self._method(item, vary, sweep)]
        limits = self._limits(data)
        self.runs += len(problems) * len(chosen) * len(limits)
        if self.runs > MOST_RUNS:
            raise self._error("seeds", f"an experiment has at most {MOST_RUNS:,} runs, not {self.runs:,}")
        return [Task(problem, method, limit) for problem in problems for method in chosen for limit in limits]

    def _problems(self, data: Mapping[str, Any]) -> list[Problem]:
        """The problems of a group: those listed, and those of its family, with each of its objectives."""
        given = data.get("objective")
        objectives = given if isinstance(given, list) else [given]
        for objective in objectives:
            with self.description.at("objective"):
                _ = objective is None or read_objective(str(objective))
        listed = self._list(data, "problems") if "problems" in data or "family" not in data else []
        return [
            *(problem for one in objectives for item in listed for problem in self._listed(item, one)),
            *(problem for one in objectives if "family" in data for problem in self._family(data, one)),
        ]

    def _listed(self, text: object, objective: str | None) -> list[Problem]:
        if not isinstance(text, str):
            raise self._error("problems", f"{text!r} is not the name of a problem or file: write it in quotes")
        try:
            file = lookup.beside(self.path.parent, text)
            if file is not None:
                return [lookup.problem(str(file), objective=objective)]
            return [lookup.problem(one, objective=objective) for one in lookup.each(text)]
        except InputError as error:
            raise self._error("problems", str(error), text) from None

    def _family(self, data: Mapping[str, Any], objective: str | None) -> list[Problem]:
        """A problem of each size; of a board some random positions of each number of jumps."""
        family, sizes = self._string(data, "family", ""), data.get("sizes")
        if not isinstance(sizes, list) or len(sizes) != 2 or not all(type(size) is int for size in sizes):
            raise self._error("sizes", "a family needs sizes = [first, last], whole numbers")
        first, last = sizes
        if not 1 <= first <= last <= _LARGEST_SIZE:
            fault = f"sizes must rise from 1 to at most {_LARGEST_SIZE:,}, not from {first} to {last}"
            raise self._error("sizes", fault)
        try:
            if family in _FAMILIES:
                return [lookup.problem(_FAMILIES[family](n), objective=objective) for n in range(first, last + 1)]
            if objective is not None:
                raise InputError("random positions of a board are for any solution, without an objective")
            board = lookup.board(family)
            return [generate.solvable(board, n + 1, k) for n in range(first, last + 1) for k in range(_RANDOM)]
        except InputError as error:
            fault = f"{error.message}; families are {', '.join(_FAMILIES)}, and any board"
            raise self._error("family", fault, family) from None

    def _sweep(self, table: object) -> dict[str, list[str]]:
        """The values of each parameter, as they are written."""
        if not isinstance(table, dict):
            raise self._error("parameters", "parameters must be a table from names to values, or to lists of values")
        found = {name: value if isinstance(value, list) else [value] for name, value in table.items()}
        if not 0 < prod(map(len, found.values())) <= MOST_RUNS:
            raise self._error("parameters", f"parameters must leave a choice, and at most {MOST_RUNS:,} of them")
        return {name: [_parameter_text(value) for value in values] for name, values in found.items()}

    def _method(self, item: object, vary: object, sweep: Mapping[str, Sequence[str]]) -> list[methods.Chosen]:
        """The method with each choice of parameters and, as far as they vary, options."""
        if isinstance(item, dict) and "parameters" in item:
            own = self._sweep(item["parameters"])
            return self._method({k: v for k, v in item.items() if k != "parameters"}, vary, own)
        text = _written(item)
        if text is None:
            fault = f'{item!r} is not a method: write "NAME" or {{ method = "NAME", OPTION = VALUE }}'
            raise self._error("methods", fault)
        name, colon, rest = text.partition(":")
        if name.endswith(SUFFIXES) and lookup.is_file(self.path.parent / name):
            text = f"{self.path.parent / name}{colon}{rest}"
        try:
            return [methods.choose(text + more) for more in _choices(methods.choose(text), vary, sweep)]
        except PegcpError as error:
            raise self._error("methods", str(error), item["method"] if isinstance(item, dict) else item) from None

    def _limits(self, data: Mapping[str, Any]) -> list[Limits]:
        """The limits of each seed; seeds are given as their number, or as a list."""
        for key in ("time-limit", "memory-limit", "workers"):
            if key in data and type(data[key]) not in ((int,) if key == "workers" else (int, float)):
                raise self._error(key, f"{key} must be a {'whole ' * (key == 'workers')}number")
        seeds = data.get("seeds", 1)
        listed = range(seeds) if type(seeds) is int and seeds <= _MOST_SEEDS else seeds
        if not isinstance(listed, range | list) or not listed or not all(type(seed) is int for seed in listed):
            raise self._error("seeds", f"seeds must be a number of seeds, at most {_MOST_SEEDS:,}, or a list of seeds")
        time, memory, workers = data.get("time-limit", 60.0), data.get("memory-limit"), data.get("workers", 2)
        try:
            return [make_limits(time, memory, workers, seed) for seed in listed]
        except InputError as error:
            words = {"time limit": "time-limit", "memory limit": "memory-limit", "workers": "workers", "seed": "seeds"}
            key = next(key for word, key in words.items() if word in error.message)
            raise self._error(key, error.message) from None

    def _published(self, table: Mapping[str, Any]) -> Published:
        self._known(table, ("name", "values"), "a published table")
        values = table.get("values", {})
        if not isinstance(values, dict) or not all(isinstance(v, str | int | float) for v in values.values()):
            raise self._error("values", "values must be a table from problem names to numbers or words")
        return Published(self._string(table, "name", "published"), values)


def _choices(chosen: methods.Chosen, vary: object, sweep: Mapping[str, Sequence[str]]) -> list[str]:
    """What follows the written form of a method, for each choice of its parameters and options.

    Options vary that are not written, and have a default and other values. Where options vary, so do parameters, from
    the solver's own value.
    """
    parts = [[f":{chosen.backend}.{name}={value}" for value in values] for name, values in sweep.items()]
    if vary is None:
        return ["".join(choice) for choice in product(*parts)]
    method = chosen.method
    for key, default in method.options.items():
        others = [value for value in method.values(key) if value != methods.option_text(default)]
        parts += [[f":{key}={value}" for value in others]] if others and key not in chosen.options else []
    if vary == "one":
        return ["", *(choice for part in parts for choice in part)]
    return ["".join(choice) for choice in product(*(["", *part] for part in parts))]


def _parameter_text(value: object) -> str:
    """The value of a solver's parameter as it is written: ``true`` and ``false`` as solvers say."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _written(item: object) -> str | None:
    """The written form of a method that is given as a string or as a table."""
    if isinstance(item, str):
        return item
    if not isinstance(item, dict) or not isinstance(item.get("method"), str):
        return None
    backend = [str(item["backend"])] if "backend" in item else []
    options = [f"{k}={methods.option_text(v)}" for k, v in item.items() if k not in ("method", "backend")]
    return ":".join([item["method"], *backend, *options])
