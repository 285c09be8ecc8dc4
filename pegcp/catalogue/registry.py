"""All methods by name: models, planners, searches, methods of other packages, and the user's own programs.

Packages add methods through entry points of the group ``pegcp.methods``: each loads a
:class:`pegcp.method.Method`, or a function that returns one.
"""

from collections import UserDict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from pegcp import machine
from pegcp.backends import external, inventory, planners
from pegcp.backends.program import home
from pegcp.catalogue import portfolio
from pegcp.catalogue.modelfile import bundled_models, bundled_searches, file_method, name_of
from pegcp.catalogue.synonyms import explain_name
from pegcp.errors import InputError, refuse_if, suggestion
from pegcp.method import Method, Options

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


class _Bundled(UserDict[str, Any]):
    """Methods by name; the file of a method is read when the method is asked for."""

    def __getitem__(self, name: str) -> Method:
        method: Method = self.data[name]()
        return method


@cache
def bundled() -> Mapping[str, Method]:
    """Return the methods that ship with pegcp, by name."""
    methods = _Bundled({name_of(path): partial(file_method, path) for path in (*bundled_models(), *bundled_searches())})
    methods |= {name: partial(_alias, name) for name in ALIASES}
    methods |= {name: partial(planners.shipped_method, name) for name in planners.shipped_names()}
    methods["auto"] = cache(partial(portfolio.auto, methods))
    return methods


def added() -> dict[str, Method | Exception]:
    """Return the methods of other packages, and the user's own planners and solvers; for those that do not load, the
    error."""
    methods = dict(plugins())

    def add(program: planners.Planner | external.OwnSolver) -> None:
        method = planners.method(program) if isinstance(program, planners.Planner) else _solver_method(program)
        refuse_if(program.name in bundled(), "is the name of a method that ships with pegcp: choose another name")
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
    about = explain_name(name, bundled())
    hint = f": {about}" if about else suggestion(name, [*bundled(), *more])
    raise InputError(f'unknown method "{name}"{hint}; "pegcp models" lists all')
