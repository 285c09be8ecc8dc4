"""Find and load the files of models and searches, and read their headers.

A header is read without running the file, so that listing methods needs no solver. In a Python file it is:

* the first line of its docstring: a summary of the model or search;
* the constants of the table below, as literals;
* keyword-only arguments of ``build`` and ``horizons`` (models) or ``search`` (searches): its options with defaults;
  the annotation ``Literal["a", "b"]`` lists the values of an option.

A model defines ``build(problem, **options) -> Formulation``. A model with a horizon defines ``horizons(problem)``,
rising and complete: if no horizon has a solution, the problem has none; and ``build(problem, horizon, **options)``.
Solutions are counted with the last horizon, which must admit them all. If the model minimises an objective, that must
be the objective of the problem.

A file that does not take every board defines ``refuse(problem)``, which returns the reason why it cannot take a
problem, or None.

A file of answer-set rules (``.lp``) or in MiniZinc (``.mzn``) opens with a comment ``%* ... *%`` or ``/* ... */`` in
place of the docstring, and has the constants in comments, such as ``% GOALS = ("one-peg",)``. Its ``STEPS`` are the
horizons (see :mod:`pegcp.modelling.rules`).

==============  ===========================================================================
constant        meaning
==============  ===========================================================================
``BACKENDS``    the backends that can run a model, the default first
``GOALS``       the kinds of goals that it takes
``OBJECTIVES``  the objectives that it takes
``HORIZON``     the objective that the horizon of a model measures, if any
``PARAMETERS``  parameters of its solver by name, where the defaults are not best
``ENGINE``      of a search: the name of the code that it shares with others, which do not confirm its verdicts
``STEPS``       of a file of rules: the horizons, such as ``"2..10, most"``
``COUNTED``     of a file of rules: what it counts, such as ``"jump sequences"``
==============  ===========================================================================

A slip in any of these is an error with its line; nothing is ignored silently.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pegcp.backends import BACKENDS, backend
from pegcp.errors import InputError, suggestion
from pegcp.formats.files import read_file
from pegcp.formats.folders import PACKAGE, models_folder
from pegcp.game.goal import GOAL_KINDS, Objective
from pegcp.modelling.mzn import MiniZincFile
from pegcp.modelling.rules import RuleFile, read_horizons

_LANGUAGES = {".lp": (RuleFile, "clingo"), ".mzn": (MiniZincFile, "minizinc")}  # of files that are not Python
SUFFIXES = (".py", *_LANGUAGES)  # of the files that can be models
_OBJECTIVES = tuple(objective.value for objective in Objective)
_GOALS = ("exact", "one-peg", "partial", "dead-end")  # of a file without GOALS: a new kind must be listed by name
_CONSTANTS = ("BACKENDS", "GOALS", "OBJECTIVES", "HORIZON", "PARAMETERS")
_OF_SEARCHES = (*_CONSTANTS, "ENGINE")
_OF_RULES = (*_CONSTANTS, "STEPS", "COUNTED")
_LARGEST_FILE = 1_000_000  # bytes
_SLIP = 0.88  # how similar to one of the constants a name must be to be taken for a slip of the pen


@dataclass(frozen=True)
class Header:
    """The header of a model or search file.

    ``rules`` are the horizons of a file of rules, and the notion of a solution that it counts.
    """

    path: Path
    summary: str
    goals: frozenset[str]
    objectives: frozenset[str]
    backends: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_horizons: bool = False
    refuses: bool = False
    measures: Objective | None = None
    parameters: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    rules: tuple[str, str] = ("", "")
    engine: str = ""

    @property
    def name(self) -> str:
        """The name of the model or search."""
        return name_of(self.path)


def name_of(path: Path) -> str:
    """The name of the model or search in a file: that of the file, with hyphens."""
    return path.stem.replace("_", "-")


def bundled_models() -> list[Path]:
    """The files of the bundled models but for the planning domains."""
    return sorted(path for path in models_folder().iterdir() if path.suffix in SUFFIXES)


def bundled_searches() -> list[Path]:
    """The files of the bundled searches."""
    return sorted((PACKAGE / "search").glob("[!_]*.py"))


def is_search(path: Path) -> bool:
    """True if a Python file defines ``search`` and no ``build``. Raises InputError."""
    functions = re.findall(rb"^def (search|build)\(", read_file(path, _LARGEST_FILE), re.MULTILINE)
    return path.suffix == ".py" and functions == [b"search"]


@cache
def read_header(path: Path, function: str) -> Header:
    """The header of a file whose main function is ``build`` or ``search``. Raises InputError, with the line."""
    source = _Source(path)
    return _read_comments(source) if path.suffix in _LANGUAGES else _read_python(source, function)


class _Source:
    """A file, and the constants of its header, each with its line."""

    def __init__(self, path: Path) -> None:
        self.path, self.content = path, read_file(path, _LARGEST_FILE)
        self.values: dict[str, tuple[Any, int | None]] = {}

    def fault(self, message: str, line: int | None = None) -> InputError:
        """The error for something in the file."""
        return InputError(message, source=str(self.path), line=line)

    def literal(self, node: ast.expr, name: str) -> Any:
        """The value of an expression. Raises InputError unless it is a literal."""
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            fault = f"{name} must be a literal, so that it can be read without running the file"
            raise self.fault(fault, node.lineno) from None

    def read_constants(self, content: bytes | str, names: Collection[str]) -> ast.Module:
        """Read the constants of these names from Python code, and return its syntax tree. Raises InputError."""
        try:
            tree = ast.parse(content, filename=str(self.path))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = getattr(error, "msg", str(error)) or "nested too deeply"
            raise self.fault(f"not valid Python: {reason}", getattr(error, "lineno", None)) from None
        for node in tree.body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    if name in names:
                        self.values[name] = self.literal(value, name), value.lineno
                    elif near := get_close_matches(name, names, 1, _SLIP):
                        raise self.fault(f'pegcp does not read "{name}": did you mean {near[0]}?', value.lineno)
                case _:
                    pass
        return tree

    def header(self, summary: str, default_backends: tuple[str, ...], **more: Any) -> Header:
        """The header with the constants and ``more``. Raises InputError for a constant that is not right."""
        solvers = self._names("BACKENDS", BACKENDS, default_backends) if default_backends else ()
        objectives = self._names("OBJECTIVES", _OBJECTIVES, (Objective.ANY.value,))
        for name in solvers if Objective.COUNT in objectives else ():
            if not backend(name).counts:
                fault = f"OBJECTIVES has {Objective.COUNT}, but the backend {name} cannot count solutions"
                raise self.fault(fault, self.values["OBJECTIVES"][1])
        goals = self._names("GOALS", sorted(GOAL_KINDS), _GOALS)
        measures, line = self.values.get("HORIZON", (None, None))
        if line is not None and measures not in _OBJECTIVES:
            near = suggestion(str(measures), _OBJECTIVES)
            raise self.fault(f"HORIZON names the objective that it measures, not {measures!r}{near}", line)
        if line is not None and not more["has_horizons"]:
            raise self.fault("a model with HORIZON needs a function horizons", line)
        parameters, line = self.values.get("PARAMETERS", ({}, None))
        if not isinstance(parameters, dict) or not all(isinstance(name, str) for name in parameters):
            raise self.fault('PARAMETERS gives parameters of the solver by name, such as {"presolve": "off"}', line)
        more |= {"measures": Objective(measures) if measures else None, "parameters": parameters}
        return Header(self.path, summary, frozenset(goals), frozenset(objectives), solvers, **more)

    def _names(self, key: str, known: Collection[str], default: tuple[str, ...]) -> tuple[str, ...]:
        """A constant that is a tuple of known names."""
        names, line = self.values.get(key, (default, None))
        if not isinstance(names, tuple | list) or not names:
            raise self.fault(f'{key} must be a tuple of names, such as ("{next(iter(known))}",)', line)
        for name in names:
            if not isinstance(name, str) or name not in known:
                near = suggestion(str(name), known)
                raise self.fault(f"unknown name {name!r} in {key}{near}; choose from {', '.join(known)}", line)
        return tuple(dict.fromkeys(names))


def _read_python(source: _Source, function: str) -> Header:
    """Read the header of a Python file from its syntax tree."""
    tree = source.read_constants(source.content, _OF_SEARCHES if function == "search" else _CONSTANTS)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if function not in functions:
        raise source.fault(f"the file needs a function {function}")
    options: dict[str, Any] = {}
    choices: dict[str, tuple[str, ...]] = {}
    for node in (functions[name] for name in (function, "horizons") if name in functions):
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            options[argument.arg] = _read_default(source, argument, default)
            choices |= _read_choices(source, argument, options[argument.arg])
    return source.header(
        (ast.get_docstring(tree) or source.path.stem).splitlines()[0].rstrip(),
        ("cp-sat",) if function == "build" else (),
        options=options,
        choices=choices,
        has_horizons="horizons" in functions,
        refuses="refuse" in functions,
        engine=str(source.values.get("ENGINE", ("",))[0]),
    )


def _read_default(source: _Source, argument: ast.arg, node: ast.expr | None) -> bool | int | float | str:
    """The default of a keyword-only argument, which is an option."""
    if node is None:
        raise source.fault(f"option {argument.arg} needs a default", argument.lineno)
    default = source.literal(node, argument.arg)
    if not isinstance(default, bool | int | float | str):
        raise source.fault(f"the default of option {argument.arg} must be a number, text, True or False", node.lineno)
    return default


def _read_choices(source: _Source, argument: ast.arg, default: object) -> dict[str, tuple[str, ...]]:
    """The values of an option annotated as ``Literal``, by its name; nothing for other options."""
    match argument.annotation:
        case ast.Subscript(value=ast.Name(id="Literal"), slice=node):
            literal = source.literal(node, argument.arg)
            values = literal if isinstance(literal, tuple) else (literal,)
            if not all(isinstance(value, str) for value in values) or default not in values:
                fault = f"option {argument.arg} needs texts to choose from, and one of them as its default"
                raise source.fault(fault, node.lineno)
            return {argument.arg: values}
        case _:
            return {}


def _read_comments(source: _Source) -> Header:
    """Read the header of a file of answer-set rules or in MiniZinc from its comments."""
    try:
        text = source.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise source.fault(f"not UTF-8: {error.reason}") from None
    lines = []
    for row in text.splitlines():
        comment = re.match(r"% *(([A-Z]+) *=.*)", row)  # or the words of the author, such as "N = number of holes"
        lines.append(comment[1] if comment and get_close_matches(comment[2], _OF_RULES, 1, _SLIP) else "")
    source.read_constants("\n".join(lines), _OF_RULES)
    (steps, line), (counted, _) = (source.values.get(name, ("", None)) for name in ("STEPS", "COUNTED"))
    try:
        read_horizons(str(steps))
    except ValueError:
        raise source.fault('a file of rules needs a line such as % STEPS = "2..10, most"', line) from None
    opening = re.match(r"\s*(?:%\*|/\*)\s*(.*)", text)
    summary = opening[1].rstrip() if opening else source.path.stem
    backends = (_LANGUAGES[source.path.suffix][1],)
    return source.header(summary, backends, has_horizons=True, rules=(str(steps), str(counted)))


def load(path: Path) -> Any:
    """Load a model or search.

    A Python file is run as a module of its own, never under a top-level name such as ``models``.
    """
    if path.suffix in _LANGUAGES:
        return _LANGUAGES[path.suffix][0](path, *read_header(path, "build").rules)
    name = f"_pegcp_file_{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
