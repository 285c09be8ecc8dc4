"""Choose the runs of a comparison: of an experiment file, of problems and methods, or those of the tour.

An experiment file is TOML with problems, methods, seeds and limits:

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

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, product
from math import prod
from numbers import Integral
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from pegcp.catalogue.choice import Choice, choose, option_text
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.catalogue.portfolio import SMALL_HOLES
from pegcp.comparison.groups import group_by
from pegcp.errors import InputError, PegcpError, refuse_if
from pegcp.formats.files import beside, read_toml
from pegcp.formats.foreign import convert
from pegcp.formats.toml import parse_toml, read_objective
from pegcp.game import Problem
from pegcp.library import generate, lookup
from pegcp.method import Limits, Method, check_number, make_limits
from pegcp.results.result import Result
from pegcp.running.task import MOST_RUNS, Task, method_name, result_key

_PROBLEM_KEYS = {"problems", "family", "sizes"}
_Value = str | int | float | bool  # of a parameter
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
_LIMIT_NAMES = ("time_limit", "memory_limit", "seeds", "workers")
# Methods of the tour that are slow on most problems, the slowest last, and those that need a small board.
_SLOW = (
    "smt-sweep", "choco-rounds", "fast-downward", "benders", "mzn-rounds", "constraint", "fast-downward-opt",
    "pyperplan", "bdd",
)  # fmt: skip
_FOR_SMALL_BOARDS = ("bdd", "pyperplan")


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
        order = {(task.problem.fingerprint, _name(task.choice)): n for n, task in enumerate(self.tasks)}

        def rank(result: Result) -> int:
            """Return the rank of a result, -1 if it has none; runs kept apart have their limits after the method."""
            rank_apart = order.get((result.problem.fingerprint, result.method.rpartition(" (")[0]), -1)
            return order.get((result.problem.fingerprint, result.method), rank_apart)

        return sorted((result for result in results if rank(result) >= 0), key=rank)


@dataclass(frozen=True)
class Experiment:
    """A named list of runs, with published values to compare them with."""

    name: str
    description: str = ""
    tasks: tuple[Task, ...] = ()
    published: tuple[Published, ...] = ()
    parts: tuple[Part, ...] = ()
    shuffled: bool = True  # runs are made in random order
    names: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)
    """The names of the method of a run, several where methods are equal, by the fingerprint of its problem and the
    written form of the method."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The written forms of methods by their names."""

    def label(self, results: Iterable[Result]) -> list[Result]:
        """Return results with their methods called as the experiment calls them; one for each name."""
        return [
            replace(result, method=name)
            for result in results
            for name in self.names.get((result.problem.fingerprint, result.method), (result.method,))
        ]

    def select(self, results: Iterable[Result]) -> list[Result]:
        """Return those of the results that it asks for, whatever the versions and machines, in its order."""
        order = {
            result_key(
                task.problem.fingerprint, task.choice.method.name, task.choice.backend, task.parameters, {}
            ): number
            for number, task in enumerate(self.tasks)
        }
        runs = [
            (result_key(run.problem.fingerprint, method_name(run.method), run.backend, run.parameters, {}), run)
            for run in results
        ]
        return [run for key, run in sorted(runs, key=lambda pair: order.get(pair[0], 0)) if key in order]


class _Labelled(msgspec.Struct, forbid_unknown_fields=True):
    """A method, and the name by which tables and reports call it."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    method: str


class _Group(msgspec.Struct, rename="kebab", forbid_unknown_fields=True):
    """A group of runs, as it stands in the file. Errors begin with the key at fault."""

    name: str = ""
    problems: list[str] = []
    methods: list[str | _Labelled] = []
    seeds: Annotated[int, msgspec.Meta(ge=1, le=_MOST_SEEDS)] | Annotated[list[int], msgspec.Meta(min_length=1)] = 1
    time_limit: float = 60.0
    memory_limit: float | None = None
    workers: int = 2
    parameters: dict[str, _Value | list[_Value]] = {}
    vary: Literal["one", "all"] | None = None
    objective: str | list[str] | None = None
    family: str | None = None
    sizes: tuple[int, int] | None = None

    def make_tasks(self, folder: Path, most: int) -> list[Task]:
        """Return each problem by each method with each seed; files are found from a folder. Raises InputError."""
        problems = [*self._listed(folder), *self._family()]
        with _at("limits"):
            limits = _limits(self.time_limit, self.memory_limit, self.workers, self.seeds)
        sweep = {name: value if isinstance(value, list) else [value] for name, value in self.parameters.items()}
        refuse_if(
            not 0 < prod(map(len, sweep.values())) <= MOST_RUNS,
            f"parameters: parameters must leave a choice, and at most {MOST_RUNS:,} of them",
        )
        for key, entries in (("problems", problems), ("methods", self.methods)):
            refuse_if(not entries, f"{key}: an experiment needs a list of {key}, with entries")
        choices = [choice for number in range(len(self.methods)) for choice in self._method(number, folder, sweep)]
        refuse_if(
            len(problems) * len(choices) * len(limits) > most, f"seeds: an experiment has at most {MOST_RUNS:,} runs"
        )
        return [Task(problem, choice, limit) for problem in problems for choice in choices for limit in limits]

    def _objectives(self) -> Sequence[str | None]:
        objectives = self.objective if isinstance(self.objective, list) else [self.objective]
        with _at("objective"):
            for objective in objectives:
                _ = objective is None or read_objective(objective)
        return objectives

    def _listed(self, folder: Path) -> Iterator[Problem]:
        """Yield the problems that are listed, with each objective."""
        for objective in self._objectives():
            for number, text in enumerate(self.problems):
                with _at(f"problems[{number}]"):
                    file = beside(folder, text)
                    for name in lookup.expand_name(text) if file is None else [str(file)]:
                        yield lookup.problem(name, objective=objective)

    def _family(self) -> Iterator[Problem]:
        """Yield a problem of each size with each objective; of a board some random positions of each number of
        jumps."""
        if self.family is None:
            return
        first, last = self.sizes or (0, 0)
        refuse_if(
            not 1 <= first <= last <= _LARGEST_SIZE,
            f"sizes: a family needs sizes = [first, last], rising from 1 to {_LARGEST_SIZE:,}",
        )
        sizes = range(first, last + 1)
        with _at("family"):
            if self.family in _FAMILIES:
                yield from (
                    lookup.problem(_FAMILIES[self.family](size), objective=each)
                    for each in self._objectives()
                    for size in sizes
                )
                return
            refuse_if(
                self.objective is not None, "random positions of a board are for any solution, without an objective"
            )
            try:
                board = lookup.board(self.family)
            except InputError as error:
                raise InputError(f"{error}; families are {', '.join(_FAMILIES)}, and any board") from None
            yield from (generate.solvable(board, size + 1, seed) for size in sizes for seed in range(_RANDOM_POSITIONS))

    def _method(self, number: int, folder: Path, sweep: Mapping[str, Sequence[_Value]]) -> list[Choice]:
        """Return a method with each choice of parameters and, as far as they vary, options.

        Options vary that are not written, and have a default and other values. Where options vary, so do parameters,
        from the solver's own value.
        """
        entry = self.methods[number]
        label, text = ("", entry) if isinstance(entry, str) else (entry.name, entry.method)
        with _at(f"methods[{number}]"):
            name, colon, options = text.partition(":")
            if name.endswith(SUFFIXES) and os.path.isfile(folder / name):  # False if it is too long
                text = f"{folder / name}{colon}{options}"
            choice = choose(text)
            parts = [
                [
                    f":{choice.backend}.{key}={str(value).lower() if isinstance(value, bool) else value}"
                    for value in values
                ]
                for key, values in sweep.items()
            ]
            if self.vary is not None:
                parts += [
                    [f":{key}={value}" for value in choice.method.values(key) if value != option_text(default)]
                    for key, default in choice.method.options.items()
                    if key not in choice.options
                ]
            every = product(*(part if self.vary is None else ["", *part] for part in parts))
            ends = ["", *chain.from_iterable(parts)] if self.vary == "one" else map("".join, every)
            return [replace(choose(text + end), label=label and label + end) for end in ends]


class _File(_Group, rename="kebab", forbid_unknown_fields=True):
    """An experiment file: the keys at its top are those of each group that leaves them out."""

    description: str = ""
    runs: list[_Group] = []
    published: list[Published] = []


_KEYS = (*(name.replace("_", "-") for name in _File.__struct_fields__), "values", "method")


def read_experiment(path: Path, **limits: object) -> Experiment:
    """Read the experiment in a file, with other ``limits`` than it says: ``seeds``, ``time_limit``, ...

    Raises InputError that names the first key at fault, such as ``runs[1].seeds``.
    """
    source = str(path)
    overrides = {key.replace("_", "-"): value for key, value in limits.items()}
    data = parse_toml(read_toml(path), source)
    file = convert(data, _File, source, _KEYS)
    top = {key: value for key, value in data.items() if key not in ("name", "description", "runs", "published")}
    tables = {f"runs[{number}].": table for number, table in enumerate(data.get("runs", []))}
    if not tables or not top.keys().isdisjoint(_PROBLEM_KEYS):
        tables = {"": {}, **tables}
    parts: dict[tuple[str, bool], list[Task]] = {}
    most = MOST_RUNS
    for key, table in tables.items():
        keys_of_top = top.keys() - (_PROBLEM_KEYS if table.keys() & _PROBLEM_KEYS else ())
        group = convert({name: top[name] for name in keys_of_top} | table | overrides, _Group, source)
        try:
            runs = group.make_tasks(path.parent, most)
        except InputError as error:
            raise InputError(key + error.message, source=source) from None
        most -= len(runs)
        parts.setdefault((group.name, group.family is not None), []).extend(runs)
    every = [*chain.from_iterable(parts.values())]
    forms: dict[str, str] = {}
    for name, text in ((_name(task.choice), task.choice.text) for task in every):
        form = forms.setdefault(name, text)
        refuse_if(form != text, f"methods: {name} is the name of two methods: {form} and {text}", source)
    same_runs = group_by(every, lambda task: task.key).values()
    names = {
        (task.problem.fingerprint, task.choice.text): [*dict.fromkeys(_name(other.choice) for other in same)]
        for same in same_runs
        for task in same
    }
    return Experiment(
        file.name or path.stem,
        file.description,
        tuple(same[0] for same in same_runs),
        tuple(file.published),
        tuple(Part(name, tuple(runs), grows) for (name, grows), runs in parts.items() if name or grows),
        names=names,
        texts=forms,
    )


def _name(choice: Choice) -> str:
    """Return what tables and reports call a method."""
    return choice.label or choice.text


@contextmanager
def _at(key: str) -> Iterator[None]:
    """Put the path of a key before errors."""
    try:
        yield
    except PegcpError as error:
        raise InputError(f"{key}: {error}") from None


# Problems and methods -------------------------------------------------------------------------------------------------


def read_problems(texts: Iterable[Problem | str | Path], **changes: Any) -> list[Problem]:
    """Return problems, each once, with ``changes`` as :func:`pegcp.problem` takes them. Files of one name are called by
    the part of their paths that tells them apart.

    ``BOARD:*`` stands for the problems with each of the holes as the vacancy. Raises InputError.
    """
    problems: dict[str, Problem] = {}
    folders: dict[str, str] = {}  # of those that are read from files; both by fingerprint
    for item in texts:
        for text in lookup.expand_name(item) if isinstance(item, str) else [""]:
            problem = lookup.problem(text or item, **changes)
            if problems.setdefault(problem.fingerprint, problem) is problem and os.path.isfile(text):
                folders[problem.fingerprint] = os.path.dirname(os.path.abspath(text))
    for same in group_by(folders, lambda key: problems[key].name).values():
        root = os.path.commonpath([folders[key] for key in same])
        for key in same if len(same) > 1 else ():
            name = os.path.join(os.path.relpath(folders[key], root), problems[key].name)
            problems[key] = replace(problems[key], name=os.path.normpath(name))
    return list(problems.values())


def make_tasks(
    problems: Iterable[Problem | str | Path],
    methods: Iterable[str],
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] = 1,
    workers: int = 2,
    fits: Callable[[Method, Problem], bool] = lambda *_: True,
    **changes: Any,
) -> list[Task]:
    """Return every method on every problem that it ``fits`` with every seed (a number of seeds means 0, 1, ...).

    Problems and methods that are named twice count once; see :func:`read_problems`, also for ``changes``. Raises
    InputError.
    """
    all_problems, choices = read_problems(problems, **changes), [*map(choose, dict.fromkeys(methods))]
    is_list = isinstance(seeds, Sequence) and not isinstance(seeds, str)
    check_number("number of seeds", 1 if is_list else seeds, Integral)
    number_of_seeds = seeds if isinstance(seeds, int) else len(seeds)
    refuse_if(number_of_seeds < 1, f"a comparison needs at least one seed, not {seeds}")
    number = len(choices) * len(all_problems) * number_of_seeds
    refuse_if(number > MOST_RUNS, f"a comparison has at most {MOST_RUNS:,} runs, not {number:,}")
    limits = _limits(time_limit, memory_limit, workers, seeds)
    return [
        Task(problem, choice, limit)
        for problem in all_problems
        for choice in choices
        if fits(choice.method, problem)
        for limit in limits
    ]


def _limits(time: float, memory: float | None, workers: int, seeds: int | Iterable[int]) -> list[Limits]:
    """Return the limits of runs with each seed (a number of seeds means 0, 1, ...). Raises InputError."""
    return [
        make_limits(time, memory, workers, seed)
        for seed in (range(seeds) if isinstance(seeds, int) else dict.fromkeys(seeds))
    ]


def choose_runs(
    problems: Sequence[Problem | str | Path],
    methods: Sequence[str],
    experiment: Path | None,
    options: Mapping[str, Any],
) -> Experiment:
    """Return the runs of an experiment file, or of methods on problems, where there are none those of the tour.

    ``options`` that are not None are limits, which come before those of a file, and changes of the problems. Raises
    InputError.
    """
    refuse_if(
        methods and not methods[-1],
        'the list of methods ends with a comma: write it in quotes, as in -m "moves, dfs"',
    )
    options = {key: value for key, value in options.items() if value is not None}
    if experiment is not None:
        refuse_if(
            problems or methods or not options.keys() <= set(_LIMIT_NAMES),
            "an experiment file sets problems and methods itself: leave them out",
        )
        return read_experiment(experiment, **options)
    if not problems:
        refuse_if(
            methods or options, "the tour sets its own methods and limits; to choose them, name at least one problem"
        )
        return read_experiment(TOUR)
    if methods:
        return Experiment("Comparison", tasks=tuple(make_tasks(problems, methods, **options)))
    names = dict.fromkeys(task.choice.text for task in read_experiment(TOUR).tasks)
    in_order = sorted(names, key=lambda name: _SLOW.index(name) if name in _SLOW else -1)
    return Experiment("Comparison", tasks=tuple(make_tasks(problems, in_order, fits=_suits, **options)), shuffled=False)


def _suits(method: Method, problem: Problem) -> bool:
    """Tell whether a method is worth trying where none was asked for."""
    return not method.refusal(problem) and (
        len(problem.board.holes) <= SMALL_HOLES or method.name not in _FOR_SMALL_BOARDS
    )
