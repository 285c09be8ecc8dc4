"""All methods by name: models, planners, searches, methods of other packages, and the user's own programs.

Packages add methods through entry points of the group ``pegcp.methods``: each loads a
:class:`pegcp.method.Method`, or a function that returns one.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from importlib import import_module
from pathlib import Path

from pegcp import backends, machine
from pegcp.backends import external, inventory, planners
from pegcp.backends.model import ModelFile
from pegcp.backends.program import home
from pegcp.catalogue import portfolio
from pegcp.catalogue.modelfile import (
    SUFFIXES,
    Header,
    Source,
    bundled_models,
    bundled_searches,
    header_of,
    is_search,
    load,
    name_of,
    read_source,
)
from pegcp.catalogue.synonyms import explain_name
from pegcp.errors import InputError, suggestion, there
from pegcp.game import Problem
from pegcp.method import Answer, Method, Options, Run, Runner, Status

# Solves the linear programs of bounds and pagoda functions. Models load it before the clock of a run starts.
LINEAR_PROGRAMS = "ortools.math_opt.python.mathopt"


def load_model(header: Header) -> ModelFile:
    """Load the model of a header. Raises Missing if the library that it is written in is not installed."""
    solvers, path = list(map(backends.backend, header.backends)), header.source.path
    try:
        libraries = [LINEAR_PROGRAMS] if there("ortools") else []
        for name in dict.fromkeys([*libraries, *(name for solver in solvers for name in solver.preload)]):
            import_module(name)
        module = load(header)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        for solver in solvers:
            if library in solver.modules and not there(library):
                raise solver.missing() from None
        raise InputError(f"cannot import the model: {error}", source=str(path)) from None
    horizons = module.horizons if header.has_horizons else None
    return ModelFile(path, module.build, horizons, header.measures, header.parameters)


@lru_cache(256)
def _model_method(source: Source) -> Method:
    header = header_of(source, "build")
    model = partial(load_model, header)

    def read_command(options: Options) -> external.Command:
        return external.read_command(options["command"], header.name, header.backends)

    def run(problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:
        is_command = backend == external.NAME
        solver = read_command(options) if is_command else backends.backend(backend or header.backends[0]).loaded()
        return solver.run(model(), problem, run, options)

    horizon = {"horizon": 0} if header.has_horizons else {}
    command = {"command": ""} if external.formats(header.backends) else {}
    return replace(
        _method(header, run, {**header.options, **horizon, **command}),
        model=model,
        parameters=header.parameters,
        check=lambda options: read_command(options) if "command" in options else None,
    )


@lru_cache(256)
def _search_method(source: Source) -> Method:
    """Return the method of a search file; a goal that no number of jumps leads to is settled before the search."""
    header = header_of(source, "search")

    def run(problem: Problem, run: Run, options: Options, _backend: str | None) -> Answer:
        if not problem.lengths:
            from pegcp.theory.certificates import find

            return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
        search = load(header).search
        began = time.perf_counter()
        answer: Answer = search(problem, run, **options)
        building = answer.statistics.get("build_seconds", 0.0)
        solving = time.perf_counter() - began - run.pause.seconds - building
        return replace(answer, statistics={**answer.statistics, "solve_seconds": solving})

    return _method(header, run, header.options)


def file_method(path: Path) -> Method:
    """Return the method of a model or search file as it is now. Raises InputError if its header is faulty."""
    source = read_source(path)
    return (_search_method if is_search(source) else _model_method)(source)


# Names of the lesson on hashing for the same search with other options: what they say of it, and these options.
ALIASES: dict[str, tuple[str, Options]] = {
    "dfs-plain": ("Depth-first search without memory", {"table": "none", "symmetry": False, "size": 1009}),
    "dfs-chained": ("Depth-first search with chained hashing", {"table": "chained", "symmetry": False}),
    "dfs-double": ("Depth-first search with double hashing", {"table": "double", "symmetry": False}),
}


def _alias(name: str) -> Method:
    """Return the method that another name stands for; options that the name implies are left out."""
    (about, implied), dfs = ALIASES[name], bundled()["dfs"]
    shown = ":".join(f"{key}={value}" for key, value in implied.items() if isinstance(value, str))

    return replace(
        dfs,
        name=name,
        summary=f"{about}; short for dfs:{shown}:symmetry=off",
        run=lambda problem, run, options, backend: dfs.run(problem, run, {**options, **implied}, backend),
        options={key: value for key, value in dfs.options.items() if key not in implied},
    )


def _planner_method(name: str) -> Method:
    return planners.method(planners.shipped()[name])


def _method(header: Header, run: Runner, options: Options) -> Method:
    return Method(
        header.name,
        header.summary,
        header.goals,
        header.objectives,
        run,
        header.backends,
        options,
        header.choices,
        lambda problem: load(header).refuse(problem) if header.refuses else None,
        header.source.path,
        fingerprint=header.source.fingerprint,
        engine=header.engine,
    )


class _Bundled(Mapping[str, Method]):
    """Methods by name; the file of a method is read when the method is asked for."""

    def __init__(self) -> None:
        self._readers: dict[str, Callable[[], Method]] = {
            **{name_of(path): partial(file_method, path) for path in (*bundled_models(), *bundled_searches())},
            **{name: partial(_alias, name) for name in ALIASES},
            **{name: cache(partial(_planner_method, name)) for name in planners.shipped_names()},
            "auto": cache(partial(portfolio.auto, self)),
        }

    def __getitem__(self, name: str) -> Method:
        return self._readers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


@cache
def bundled() -> Mapping[str, Method]:
    """Return the methods that ship with pegcp, by name."""
    return _Bundled()


def added() -> dict[str, Method | Exception]:
    """Return the methods of other packages, and the user's own planners and solvers; for those that do not load, the
    error."""
    methods = dict(plugins())

    def add(program: planners.Planner | external.OwnSolver) -> None:
        method = planners.method(program) if isinstance(program, planners.Planner) else _solver_method(program)
        if program.name in bundled():
            raise InputError("is the name of a method that ships with pegcp: choose another name")
        method.check({**method.options, "command": program.command})
        methods[program.name] = method

    for kind in inventory.OWN_PROGRAMS:
        try:
            kind.read_all(home() / kind.file, add)
        except InputError as error:
            methods[kind.file] = error
    return methods


def _solver_method(program: external.OwnSolver) -> Method:
    """Return the method that gives a model to a program of the user. Raises InputError."""
    model = bundled().get(program.model)
    if model is None or model.model is None:
        raise InputError(f'there is no model "{program.model}"{suggestion(program.model, bundled())}')
    return replace(
        model,
        name=program.name,
        summary=f"{model.name} by {program.title}",
        run=lambda problem, run, options, _: model.run(problem, run, options, external.NAME),
        backends=(program.name,),
        options={**model.options, "command": program.command},
    )


@cache
def plugins() -> dict[str, Method | Exception]:
    """Return the methods of other packages; for a plug-in that does not load, the error."""
    methods: dict[str, Method | Exception] = {}
    for name, plugin in machine.plugins("pegcp.methods"):
        try:
            method = plugin if isinstance(plugin, Method | Exception) else plugin()
            is_fault = not isinstance(method, Method | Exception)
            methods[name] = TypeError(f"{name} must be a pegcp.method.Method, or return one") if is_fault else method
        except Exception as error:  # noqa: BLE001 - a broken plug-in must not take the others down
            methods[name] = error
    return methods


def named(name: str) -> Method:
    """Return the method of that name. Raises InputError if there is none, or if it does not load."""
    if (method := bundled().get(name)) is not None:
        return method
    more = added()
    match more.get(name):
        case Method() as plugin:
            return plugin
        case Exception() as error:
            raise InputError(f"the plug-in {name} does not load: {type(error).__name__}: {error}")
    for kind in inventory.OWN_PROGRAMS:
        if isinstance(fault := more.get(kind.file), InputError):
            raise fault
    if os.path.isfile(name):
        kinds = "Python (.py), answer-set rules (.lp) or MiniZinc (.mzn)"
        raise InputError(f'a model file is {kinds}; "pegcp models" lists those to begin with', source=name)
    file = next((f"{name}{suffix}" for suffix in SUFFIXES if os.path.isfile(f"{name}{suffix}")), "")
    about = f"type: -m {file}" if file else explain_name(name, bundled())
    hint = f": {about}" if about else suggestion(name, [*bundled(), *more])
    raise InputError(f'unknown method "{name}"{hint}; "pegcp models" lists all')
