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
from pegcp.comparison.runner import MOST_RUNS, Task, make_limits
from pegcp.errors import InputError, PegcpError, suggestion
from pegcp.formats.toml import Description, read_objective
from pegcp.game.problem import Problem
from pegcp.library import generate, lookup
from pegcp.method import Limits
from pegcp.result import Result

_GROUP_KEYS = (
    "problems", "methods", "seeds", "time-limit", "memory-limit", "workers", "parameters", "vary", "objective",
    "family", "sizes",
)  # fmt: skip
_PROBLEM_KEYS = ("problems", "family", "sizes")
_VARY = ("one", "all")
_FAMILIES: dict[str, Callable[[int], str]] = {
    "triangle": lambda side: f"triangle{side * (side + 1) // 2}",
    "square": lambda side: f"square{side}",
    "rectangle": lambda width: f"rectangle{width}x4",
    "line": lambda holes: f"line{holes}",
}
_RANDOM = 3  # solvable random positions of each size
_LARGEST_SIZE = 1000
_MOST_FAULTS = 20  # that are told at once
_MOST_SEEDS = 10_000
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
    description: str
    tasks: tuple[Task, ...]
    published: tuple[Published, ...] = ()
    parts: tuple[Part, ...] = ()


def read_experiment(path: Path) -> Experiment:
    """The experiment in a file. Raises InputError with all faults of the file, each with its line."""
    return _Reader(lookup.read_toml(path), path).experiment()


class _Enough(Exception):
    """There are faults enough."""


class _Reader:
    def __init__(self, text: str, path: Path) -> None:
        self.description = Description(text, str(path))
        self.folder = path.parent
        self.stem = path.stem
        self.faults: list[InputError] = []
        self.runs = 0  # counted before they are made

    def experiment(self) -> Experiment:
        try:
            found = self._experiment()
        except _Enough:
            pass
        else:
            if not self.faults:
                return found
        distinct = dict.fromkeys(
            str(fault) for fault in sorted(self.faults, key=lambda f: (f.line or 0, f.column or 0))
        )
        more = [f"and perhaps more: only {_MOST_FAULTS} are told"] if len(self.faults) == _MOST_FAULTS else []
        raise InputError("\n".join([*distinct, *more]))

    def _experiment(self) -> Experiment:
        data = self.description.data
        self._known(data, _TOP_KEYS, "an experiment")
        top = {key: value for key, value in data.items() if key in _GROUP_KEYS}
        parts: list[Part] = []
        runs = self._tables(data, "runs")
        if not top.keys().isdisjoint(_PROBLEM_KEYS) or not runs:
            parts.append(self._part(top))
        for group in runs:
            self._known(group, (*_GROUP_KEYS, "name"), "a runs table")
            own = not group.keys().isdisjoint(_PROBLEM_KEYS)
            kept = {key: value for key, value in top.items() if not (own and key in _PROBLEM_KEYS)}
            parts.append(self._part({**kept, **group}))
        published = [self._published(table) for table in self._tables(data, "published")]
        name, about = (self._string(data, key, default) for key, default in (("name", self.stem), ("description", "")))
        tasks = {task.key: task for part in parts for task in part.tasks}
        named = dict.fromkeys((part.name, part.grows) for part in parts if part.name or part.grows)
        shown = (
            Part(
                called,
                tuple(task for part in parts if (part.name, part.grows) == (called, grows) for task in part.tasks),
                grows,
            )
            for called, grows in named
        )
        return Experiment(name, about, tuple(tasks.values()), tuple(published), tuple(shown))

    def _fault(self, key: str, message: str, value: object = None) -> None:
        """Note a fault of a key, or of one value in it."""
        line, column = self.description.place(key)
        text = self.description.text
        found = re.search(rf"""["']{re.escape(str(value))}["']""", text) if value is not None else None
        if found is not None:
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
        self.faults.append(InputError(message, source=self.description.source, line=line, column=column))
        if len(self.faults) == _MOST_FAULTS:
            raise _Enough

    def _known(self, data: Mapping[str, Any], keys: Iterable[str], what: str) -> None:
        for key in data:
            if key not in keys:
                self._fault(key, f'unknown key "{key}" in {what}{suggestion(key, keys)}')

    def _tables(self, data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
        value = data.get(key, [])
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return value
        self._fault(key, f"write {key} as tables: [[{key}]]")
        return []

    def _string(self, data: Mapping[str, Any], key: str, default: str) -> str:
        value = data.get(key, default)
        if not isinstance(value, str):
            self._fault(key, f"{key} must be a string")
        return str(value)

    def _part(self, data: Mapping[str, Any]) -> Part:
        problems = self._all_problems(data)
        vary = data.get("vary")
        if vary is not None and vary not in _VARY:
            self._fault("vary", f'vary must be "one" or "all", not {vary!r}{suggestion(str(vary), _VARY)}')
        sweep = self._sweep(data.get("parameters", {}))
        chosen = [found for item in self._list(data, "methods") for found in self._method(item, vary, sweep)]
        limits_ = self._limits(data)
        self.runs += len(problems) * len(chosen) * len(limits_)
        if self.runs > MOST_RUNS:
            self._fault("seeds", f"an experiment has at most {MOST_RUNS:,} runs, not {self.runs:,}")
            raise _Enough
        tasks = [Task(problem, method, limit) for problem in problems for method in chosen for limit in limits_]
        return Part(self._string(data, "name", ""), tuple(tasks), "family" in data)

    def _all_problems(self, data: Mapping[str, Any]) -> list[Problem]:
        """The problems of a group: those listed, and those of its family, with each of its objectives."""
        given = data.get("objective")
        objectives = given if isinstance(given, list) else [given]
        if not all(objective is None or self._is_objective(objective) for objective in objectives):
            return []
        listed = self._list(data, "problems") if "problems" in data or "family" not in data else []
        return [
            *(problem for one in objectives for item in listed for problem in self._problems(item, one)),
            *(problem for one in objectives if "family" in data for problem in self._family(data, one)),
        ]

    def _is_objective(self, name: object) -> bool:
        try:
            read_objective(str(name))
        except InputError as error:
            self._fault("objective", error.message, name)
            return False
        return True

    def _family(self, data: Mapping[str, Any], objective: str | None) -> list[Problem]:
        """A problem of each size; of a board some random positions of each number of jumps."""
        family, sizes = self._string(data, "family", ""), data.get("sizes")
        if not isinstance(sizes, list) or len(sizes) != 2 or not all(type(size) is int for size in sizes):
            self._fault("sizes", "a family needs sizes = [first, last], whole numbers")
            return []
        first, last = sizes
        if not 1 <= first <= last <= _LARGEST_SIZE:
            self._fault("sizes", f"sizes must rise from 1 to at most {_LARGEST_SIZE:,}, not from {first} to {last}")
            return []
        try:
            if family in _FAMILIES:
                return [lookup.problem(_FAMILIES[family](n), objective=objective) for n in range(first, last + 1)]
            if objective is not None:
                raise InputError("random positions of a board are for any solution, without an objective")
            board = lookup.board(family)
            return [generate.solvable(board, n + 1, k) for n in range(first, last + 1) for k in range(_RANDOM)]
        except InputError as error:
            self._fault("family", f"{error.message}; families are {', '.join(_FAMILIES)}, and any board", family)
            return []

    def _list(self, data: Mapping[str, Any], key: str) -> list[Any]:
        value = data.get(key)
        if isinstance(value, list) and value:
            return value
        self._fault(
            key, f"an experiment needs a list of {key}" if value is None else f"{key} must be a list with entries"
        )
        return []

    def _problems(self, text: object, objective: str | None) -> list[Problem]:
        if not isinstance(text, str):
            self._fault("problems", f"{text!r} is not the name of a problem or file: write it in quotes")
            return []
        try:
            file = lookup.beside(self.folder, text)
            if file is not None:
                return [lookup.problem(str(file), objective=objective)]
            return [lookup.problem(one, objective=objective) for one in lookup.each(text)]
        except InputError as error:
            self._fault("problems", str(error), text)
            return []

    def _sweep(self, table: object) -> dict[str, list[str]]:
        """The values of each parameter, as they are written."""
        if not isinstance(table, dict):
            self._fault("parameters", "parameters must be a table from names to values, or to lists of values")
            return {}
        found = {name: value if isinstance(value, list) else [value] for name, value in table.items()}
        if not 0 < prod(map(len, found.values())) <= MOST_RUNS:
            self._fault("parameters", f"parameters must leave a choice, and at most {MOST_RUNS:,} of them")
            return {}
        return {name: [_parameter_text(value) for value in values] for name, values in found.items()}

    def _method(self, item: object, vary: object, sweep: Mapping[str, Sequence[str]]) -> list[methods.Chosen]:
        """The method with each choice of parameters and, as far as they vary, options."""
        if isinstance(item, dict) and "parameters" in item:
            own = self._sweep(item["parameters"])
            return self._method({k: v for k, v in item.items() if k != "parameters"}, vary, own)
        text = _written(item)
        if text is None:
            self._fault("methods", f'{item!r} is not a method: write "NAME" or {{ method = "NAME", OPTION = VALUE }}')
            return []
        name, colon, rest = text.partition(":")
        if name.endswith(SUFFIXES) and lookup.is_file(self.folder / name):
            text = f"{self.folder / name}{colon}{rest}"
        try:
            return [methods.choose(text + more) for more in _choices(methods.choose(text), vary, sweep)]
        except PegcpError as error:
            self._fault("methods", str(error), item["method"] if isinstance(item, dict) else item)
            return []

    def _limits(self, data: Mapping[str, Any]) -> list[Limits]:
        time_limit = self._number(data, "time-limit", 60.0)
        memory_limit = self._number(data, "memory-limit", None)
        workers = self._number(data, "workers", 2, whole=True)
        seeds = self._seeds(data)
        self._try("time-limit", time_limit, None, 1, 0)
        self._try("memory-limit", 1.0, memory_limit, 1, 0)
        self._try("workers", 1.0, None, workers, 0)
        self._try("seeds", 1.0, None, 1, next((seed for seed in seeds if not 0 <= seed < 2**31), 0))
        return [Limits(time_limit, memory_limit, workers, seed) for seed in seeds]

    def _seeds(self, data: Mapping[str, Any]) -> Sequence[int]:
        """Given as a number of seeds, or as a list."""
        seeds = data.get("seeds", 1)
        if type(seeds) is int and 0 < seeds <= _MOST_SEEDS:
            return range(seeds)
        if isinstance(seeds, list) and 0 < len(seeds) <= _MOST_SEEDS and all(type(seed) is int for seed in seeds):
            return seeds
        self._fault("seeds", f"seeds must be a number of seeds, or a list of seeds, at most {_MOST_SEEDS:,}")
        return [0]

    def _number(self, data: Mapping[str, Any], key: str, default: Any, whole: bool = False) -> Any:
        value = data.get(key, default)
        if value is None or (not isinstance(value, bool) and isinstance(value, int if whole else int | float)):
            return value
        self._fault(key, f"{key} must be a {'whole ' if whole else ''}number")
        return default

    def _try(self, key: str, *limits: Any) -> None:
        """See that limits, of which one comes from a key, can be kept."""
        try:
            make_limits(*limits)
        except InputError as error:
            self._fault(key, error.message)

    def _published(self, table: Mapping[str, Any]) -> Published:
        self._known(table, ("name", "values"), "a published table")
        values = table.get("values", {})
        if not isinstance(values, dict) or not all(isinstance(v, str | int | float) for v in values.values()):
            self._fault("values", "values must be a table from problem names to numbers or words")
            values = {}
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
