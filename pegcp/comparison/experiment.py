"""Read experiment files: TOML with the problems, methods, seeds and limits of a comparison.

    name = "Reversals of the English board"
    problems = ["english:*", "patterns/arrow.toml"]     # BOARD:* (also :*! and :*->?) is every hole; files: from here
    methods = ["moves", "moves:order=off", { name = "no symmetry", method = "dfs:symmetry=off" }]
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

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from pegcp.catalogue import methods
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.errors import InputError, PegcpError
from pegcp.formats import texts
from pegcp.formats.declared import convert
from pegcp.formats.toml import parse_toml, read_objective
from pegcp.game.problem import Problem
from pegcp.library import generate, lookup
from pegcp.method import Limits
from pegcp.results.result import Result
from pegcp.running.task import MOST_RUNS, Task, make_limits, method_name, result_key

_PROBLEM_KEYS = {"problems", "family", "sizes"}
_Parameters = dict[str, str | int | float | bool | list[str | int | float | bool]]
_FAMILIES: dict[str, Callable[[int], str]] = {
    "triangle": lambda side: f"triangle{side * (side + 1) // 2}",
    "square": lambda side: f"square{side}",
    "rectangle": lambda width: f"rectangle{width}x4",
    "line": lambda holes: f"line{holes}",
}
_RANDOM_POSITIONS = 3  # solvable random positions of each size
_LARGEST_SIZE = 1000
_MOST_SEEDS = 10_000
TOUR = Path(__file__).with_name("tour.toml")


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column of published values, by problem name."""

    name: str = "published"
    values: dict[str, str | int | float] = {}


@dataclass(frozen=True)
class Part:
    """Runs that have tables of their own in reports; those of a family by size one of how times grow."""

    name: str
    tasks: tuple[Task, ...]
    grows: bool = False

    def select(self, results: Iterable[Result]) -> list[Result]:
        """Return those of the results that belong to it, by problem and method, in its order."""
        order = {
            (task.problem.fingerprint, task.method.label or task.method.text): n for n, task in enumerate(self.tasks)
        }

        def place(result: Result) -> int:
            """Return the place of a result, -1 if it has none; runs kept apart have their limits after the method."""
            shared = order.get((result.problem.fingerprint, result.method.rpartition(" (")[0]), -1)
            return order.get((result.problem.fingerprint, result.method), shared)

        return sorted((result for result in results if place(result) >= 0), key=place)


@dataclass(frozen=True)
class Experiment:
    """A named list of runs, with published values to compare them with."""

    name: str
    description: str = ""
    tasks: tuple[Task, ...] = ()
    published: tuple[Published, ...] = ()
    parts: tuple[Part, ...] = ()
    shuffled: bool = True  # runs are made in random order

    @cached_property
    def labels(self) -> dict[str, str]:
        """The names of the methods that are called by one, by their written form."""
        return {task.method.text: task.method.label for task in self.tasks if task.method.label}

    def label(self, results: Iterable[Result]) -> list[Result]:
        """Return results with their methods called as the experiment calls them."""
        return [replace(result, method=self.labels.get(result.method, result.method)) for result in results]

    def select(self, results: Iterable[Result]) -> list[Result]:
        """Return those of the results that it asks for, whatever the versions and machines, in its order."""

        def run(fingerprint: str, method: str, backend: str | None, parameters: Mapping[str, object]) -> str:
            return result_key(fingerprint, method, backend, parameters, {})

        order = {
            run(task.problem.fingerprint, task.method.method.name, task.method.backend, task.parameters): number
            for number, task in enumerate(self.tasks)
        }
        runs = [(run(r.problem.fingerprint, method_name(r.method), r.backend, r.parameters), r) for r in results]
        return [result for key, result in sorted(runs, key=lambda item: order.get(item[0], 0)) if key in order]


class _Labelled(msgspec.Struct, forbid_unknown_fields=True):
    """A method, and the name by which tables and reports call it."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    method: str


class _Settings(msgspec.Struct, rename="kebab", forbid_unknown_fields=True):
    """The keys of a group of runs, as they stand in the file."""

    name: str = ""
    problems: list[str] = []
    methods: list[str | _Labelled] = []
    seeds: Annotated[int, msgspec.Meta(ge=1, le=_MOST_SEEDS)] | Annotated[list[int], msgspec.Meta(min_length=1)] = 1
    time_limit: float = 60.0
    memory_limit: float | None = None
    workers: int = 2
    parameters: _Parameters = {}
    vary: Literal["one", "all"] | None = None
    objective: str | list[str] | None = None
    family: str | None = None
    sizes: tuple[int, int] | None = None


class _File(_Settings, rename="kebab", forbid_unknown_fields=True):
    """The keys of an experiment file."""

    description: str = ""
    runs: list[_Settings] = []
    published: list[Published] = []


_KEYS = (*(name.replace("_", "-") for name in _File.__struct_fields__), "values", "method")


def read_experiment(path: Path, **limits: object) -> Experiment:
    """Read the experiment in a file, with other ``limits`` than it says: ``seeds``, ``time_limit``, ...

    Raises InputError that names the first key at fault, such as ``runs[1].seeds``.
    """
    source = str(path)
    overrides = {key.replace("_", "-"): value for key, value in limits.items()}
    data = parse_toml(texts.read_toml(path), source)
    file = convert(data, _File, source, _KEYS)
    top = {key: value for key, value in data.items() if key not in ("name", "description", "runs", "published")}
    tables = {f"runs[{number}].": table for number, table in enumerate(data.get("runs", []))}
    if not tables or not top.keys().isdisjoint(_PROBLEM_KEYS):
        tables = {"": {}, **tables}
    parts: dict[tuple[str, bool], list[Task]] = {}
    number = 0
    for place, table in tables.items():
        inherited = top.keys() - (_PROBLEM_KEYS if table.keys() & _PROBLEM_KEYS else ())
        group = convert({key: top[key] for key in inherited} | table | overrides, _Settings, source)
        runs = _TaskTable(group, place, source, MOST_RUNS - number).tasks()
        number += len(runs)
        parts.setdefault((group.name, group.family is not None), []).extend(runs)
    tasks = tuple({task.key: task for runs in parts.values() for task in runs}.values())
    names: dict[str, str] = {}
    for choice in dict.fromkeys((task.method.label, task.method.text) for task in tasks):
        name, text = choice[0] or choice[1], choice[1]
        if names.setdefault(name, text) != text:
            raise InputError(f"methods: {name} is the name of two methods: {names[name]} and {text}", source=source)
    return Experiment(
        file.name or path.stem,
        file.description,
        tasks,
        tuple(file.published),
        tuple(Part(name, tuple(runs), grows) for (name, grows), runs in parts.items() if name or grows),
    )


@dataclass(frozen=True)
class _TaskTable:
    """The runs of a group. ``place`` is the path of its keys in the file ``source``."""

    group: _Settings
    place: str
    source: str
    most: int

    def tasks(self) -> list[Task]:
        """Return each problem by each method with each seed. Raises InputError."""
        problems, limits, sweep = self._problems(), self._limits(), self._sweep()
        if not self.group.methods:
            raise self._error("methods", "an experiment needs a list of methods, with entries")
        choices = [
            choice for number, entry in enumerate(self.group.methods) for choice in self._method(number, entry, sweep)
        ]
        if len(problems) * len(choices) * len(limits) > self.most:
            raise self._error("seeds", f"an experiment has at most {MOST_RUNS:,} runs")
        return [Task(problem, method, limit) for problem in problems for method in choices for limit in limits]

    def _error(self, key: str, message: str) -> InputError:
        return InputError(f"{self.place}{key}: {message}", source=self.source)

    @contextmanager
    def _at(self, key: str) -> Iterator[None]:
        """Put the path of the key before errors."""
        try:
            yield
        except PegcpError as error:
            raise self._error(key, str(error)) from None

    def _problems(self) -> list[Problem]:
        """Return the problems that are listed, and those of the family, with each objective."""
        group = self.group
        objectives = group.objective if isinstance(group.objective, list) else [group.objective]
        for objective in objectives:
            with self._at("objective"):
                _ = objective is None or read_objective(objective)
        if not group.problems and group.family is None:
            raise self._error("problems", "an experiment needs a list of problems, with entries")
        return [
            *(
                problem
                for objective in objectives
                for number, text in enumerate(group.problems)
                for problem in self._listed(number, text, objective)
            ),
            *(problem for objective in objectives if group.family for problem in self._family(group.family, objective)),
        ]

    def _listed(self, number: int, text: str, objective: str | None) -> list[Problem]:
        with self._at(f"problems[{number}]"):
            file = texts.beside(Path(self.source).parent, text)
            names = lookup.each(text) if file is None else [str(file)]
            return [lookup.problem(name, objective=objective) for name in names]

    def _family(self, family: str, objective: str | None) -> list[Problem]:
        """Return a problem of each size; of a board some random positions of each number of jumps."""
        first, last = self.group.sizes or (0, 0)
        if not 1 <= first <= last <= _LARGEST_SIZE:
            raise self._error("sizes", f"a family needs sizes = [first, last], rising from 1 to {_LARGEST_SIZE:,}")
        sizes = range(first, last + 1)
        with self._at("family"):
            if family in _FAMILIES:
                return [lookup.problem(_FAMILIES[family](size), objective=objective) for size in sizes]
            if objective is not None:
                raise InputError("random positions of a board are for any solution, without an objective")
            try:
                board = lookup.board(family)
            except InputError as error:
                raise InputError(f"{error}; families are {', '.join(_FAMILIES)}, and any board") from None
            return [generate.solvable(board, size + 1, seed) for size in sizes for seed in range(_RANDOM_POSITIONS)]

    def _sweep(self) -> dict[str, list[str]]:
        """Return the values of each parameter, as they are written."""
        table = self.group.parameters.items()
        sweep = {name: value if isinstance(value, list) else [value] for name, value in table}
        if not 0 < prod(map(len, sweep.values())) <= MOST_RUNS:
            raise self._error("parameters", f"parameters must leave a choice, and at most {MOST_RUNS:,} of them")
        return {name: [_parameter_text(value) for value in values] for name, values in sweep.items()}

    def _method(self, number: int, entry: str | _Labelled, sweep: Mapping[str, Sequence[str]]) -> list[methods.Choice]:
        """Return the method with each choice of parameters and, as far as they vary, options."""
        label, text = ("", entry) if isinstance(entry, str) else (entry.name, entry.method)
        with self._at(f"methods[{number}]"):
            name, colon, options = text.partition(":")
            if name.endswith(SUFFIXES) and os.path.isfile(Path(self.source).parent / name):  # False if it is too long
                text = f"{Path(self.source).parent / name}{colon}{options}"
            choices = _choices(methods.choose(text), self.group.vary, sweep)
            return [replace(methods.choose(text + choice), label=label and f"{label}{choice}") for choice in choices]

    def _limits(self) -> list[Limits]:
        """Return the limits of each seed; seeds are given as their number, or as a list."""
        group = self.group
        seeds = range(group.seeds) if isinstance(group.seeds, int) else group.seeds
        with self._at("limits"):
            return [make_limits(group.time_limit, group.memory_limit, group.workers, seed) for seed in seeds]


def _choices(chosen: methods.Choice, vary: object, sweep: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the text to add to a method, for each choice of its parameters and options.

    Options vary that are not written, and have a default and other values. Where options vary, so do parameters, from
    the solver's own value.
    """
    parts = [[f":{chosen.backend}.{name}={value}" for value in values] for name, values in sweep.items()]
    if vary is None:
        return ["".join(choice) for choice in product(*parts)]
    method = chosen.method
    for key, default in method.options.items():
        values = [value for value in method.values(key) if value != methods.option_text(default)]
        parts += [[f":{key}={value}" for value in values]] if values and key not in chosen.options else []
    if vary == "one":
        return ["", *(choice for part in parts for choice in part)]
    return ["".join(choice) for choice in product(*(["", *part] for part in parts))]


def _parameter_text(value: object) -> str:
    """Return the value of a solver's parameter as it is written: ``true`` and ``false`` as solvers say."""
    return str(value).lower() if isinstance(value, bool) else str(value)
