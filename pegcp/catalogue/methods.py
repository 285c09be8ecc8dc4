"""All methods by name: those that ship, those of other packages, and the user's own.

Packages add methods through entry points of the group ``pegcp.methods``: each loads a
:class:`pegcp.method.Method`, or a function that returns one.
"""

import os
import re
from collections import UserDict
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import filter as filter_names
from functools import cache, partial
from pathlib import Path
from typing import Any

from pegcp import backends, machine
from pegcp.backends import external, inventory, planners
from pegcp.backends.program import home
from pegcp.catalogue import portfolio
from pegcp.catalogue.modelfile import (
    SUFFIXES,
    ModelMethod,
    SearchMethod,
    bundled_models,
    bundled_searches,
    file_method,
    name_of,
)
from pegcp.errors import InputError, refuse_if, suggestion
from pegcp.habits import SOLVERS, meaning
from pegcp.method import Method, Options

_NAME_TWICE = "two programs or packages have this name: rename one of them in planners.toml or solvers.toml"
_NAME_IN_USE = "is the name of a method that ships with pegcp: choose another name"
# Names of the lesson on hashing for the same search with other options: what they say of it, and these options.
ALIASES: dict[str, tuple[str, Options]] = {
    "dfs-plain": ("Depth-first search without memory", {"table": "none", "symmetry": False, "size": 1009}),
    "dfs-chained": ("Depth-first search with chained hashing", {"table": "chained", "symmetry": False}),
    "dfs-double": ("Depth-first search with double hashing", {"table": "double", "symmetry": False}),
}


def _alias(name: str) -> Method:
    """Return the method that another name stands for; options that the name implies are left out."""
    (about, settings), dfs = ALIASES[name], bundled()["dfs"]
    form = ":".join(f"{key}={value}" for key, value in settings.items() if isinstance(value, str))

    assert isinstance(dfs, SearchMethod)
    return replace(
        dfs,
        name=name,
        summary=f"{about}; short for dfs:{form}:symmetry=off",
        settings=settings,
        options={key: value for key, value in dfs.options.items() if key not in settings},
    )


class _Readers(UserDict[str, Any]):
    """Methods by name. Each look-up reads the file of the method: one that was edited is another method."""

    def __getitem__(self, name: str) -> Method:
        method: Method = self.data[name]()
        return method


@cache
def bundled() -> Mapping[str, Method]:
    """Return the methods that ship with pegcp, by name; each look-up reads the file of its method."""
    methods = _Readers(
        {
            **{name_of(path): partial(file_method, path) for path in (*bundled_models(), *bundled_searches())},
            **{name: partial(_alias, name) for name in ALIASES},
            **{name: partial(planners.shipped_method, name) for name in planners.shipped_names()},
        }
    )
    methods["auto"] = cache(partial(portfolio.auto, methods))
    return methods


def added() -> dict[str, Method | Exception]:
    """Return the methods of other packages, and the user's own planners and solvers; for those that do not load, the
    error."""
    methods: dict[str, Method | Exception] = {**machine.plugins("pegcp.methods", Method)}
    for name in [*methods.keys() & bundled().keys()]:
        del methods[name]
        methods[f"{name} (plug-in)"] = InputError(_NAME_IN_USE)

    def add(program: planners.Planner | external.OwnSolver) -> None:
        method = planners.method(program) if isinstance(program, planners.Planner) else _solver_method(program)
        refuse_if(program.name in bundled(), _NAME_IN_USE)
        method.check_options({**method.options, "command": program.command})
        methods[program.name] = InputError(_NAME_TWICE) if program.name in methods else method

    for kind in inventory.OWN_PROGRAMS:
        try:
            kind.read_all(home() / kind.file, add)
        except InputError as error:
            methods[kind.file] = error
    return methods


def _solver_method(program: external.OwnSolver) -> ModelMethod:
    """Return the method that gives a model to a program of the user. Raises InputError."""
    model = bundled().get(program.model)
    if not isinstance(model, ModelMethod):
        raise InputError(f'there is no model "{program.model}"{suggestion(program.model, bundled())}')
    return replace(
        model,
        name=program.name,
        summary=f"{model.name} by {program.title}",
        backends=(program.name,),
        options={**model.options, "command": program.command},
    )


def method_of(name: str) -> Method:
    """Return the method of a name, or of the path of a model or search file. Raises InputError if there is none, or if
    it does not load."""
    refuse_if(
        name.endswith(".pddl"),
        f"{name}: a planner plays a planning domain; pegcp why PROBLEM -m {name} compares it with the rules",
    )
    if name.endswith(SUFFIXES):
        return file_method(Path(os.path.abspath(name)))
    if (method := bundled().get(name)) is not None:
        return method
    more = added()
    match more.get(name):
        case Method() as plugin:
            return plugin
        case Exception() as error:
            about = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
            raise InputError(f"the method {name} does not load: {about}{error}")
    for kind in inventory.OWN_PROGRAMS:
        if isinstance(fault := more.get(kind.file), InputError):
            raise fault
    refuse_if(
        os.path.isfile(name),
        "a model file is Python (.py), answer-set rules (.lp) or MiniZinc (.mzn); "
        '"pegcp models" lists those to begin with',
        name,
    )
    file = next((f"{name}{suffix}" for suffix in SUFFIXES if os.path.isfile(f"{name}{suffix}")), "")
    about = f"type: -m {file}" if file else explain_name(name)
    hint = f": {about}" if about else suggestion(name, [*bundled(), *more])
    raise InputError(f'unknown method "{name}"{hint}; "pegcp models" lists all')


def explain_name(name: str) -> str:
    """Say which methods run on a solver or read a language, and what to type; empty for any other name."""
    methods, name = bundled(), name.lower().replace(" ", "-")
    target = meaning(name, SOLVERS) or name
    solver = backends.find(target)
    if target in methods:
        return f"type: -m {target}" if name == target else f"{name} is {target} here; type: -m {target}"
    if solver is None and not meaning(name, SOLVERS):
        matches = ",".join(filter_names(methods, name))  # a pattern, such as sat*
        return f"type: -m {matches}" if matches else ""
    form = next((place for place in re.findall(r"\{(\w+)\}", target) if place != "solution"), target)
    solvers = {target} if solver is not None else {info.name for info in inventory.infos() if form in info.formats}
    names = [key for key, method in methods.items() if not solvers.isdisjoint(method.backends)]
    if not names:  # a backend of another package, which only models of others name
        return ""
    at_hand = (key for key in names if (info := inventory.info(methods[key].backends[0])) and info.version())
    example, listing = next((key for key in names if "rounds" in key), next(at_hand, names[0])), ", ".join(names)
    if solver is not None:
        about = f"a backend of {listing}" if name == target else f"{target}, a backend of {listing}"
        is_default = methods[example].backends[0] == target
        return f"{name} is {about}; type: -m {example if is_default else f'{example}:{target}'}"
    if form == target:
        return f"{listing}; type: -m {example}"
    return f"{name} runs {listing} by its command line; type: -m '{example}:command={target}'"
