"""Finding and loading the files that hold models and searches, and reading their headers.

A header is read without running the file, so that listing methods needs no solver. In a Python file it is:

* the first line of its docstring: what the model or search is;
* the constants of the table below, as literals;
* keyword-only arguments of ``build`` and ``horizons`` (models) or ``search`` (searches): its options with defaults;
  the annotation ``Literal["a", "b"]`` lists the values of an option.

A model defines ``build(problem, **options) -> Formulation``. If it must fix a horizon, it defines
``horizons(problem)``, rising and complete: when none of them has a solution there is none; then it is
``build(problem, horizon, **options)``. Solutions are counted with the last horizon, which must have them all. An
objective that the model itself minimises must be that of the problem.

A file that does not take every board defines ``refuse(problem)``: why it cannot take a problem, or None.

A file of answer-set rules (``.lp``) or in MiniZinc (``.mzn``) opens with a comment ``%* ... *%`` or ``/* ... */`` in
place of the docstring, and has the same in lines such as ``% backends: clingo``; beside them
``% horizons: 2..10, most`` (see :mod:`pegcp.modelling.rules`) and ``% counted: jump sequences``.

=============  ==============  ===========================================================================
constant       in a comment    meaning
=============  ==============  ===========================================================================
BACKENDS       backends        the backends that can run a model, the default first
GOALS          goals           the kinds of goals that it takes
OBJECTIVES     objectives      the objectives that it takes
HORIZON        measures        the objective that the horizon of a model measures, if any
PARAMETERS     parameters      parameters of its solver by name, where it needs others than the solver's own
=============  ==============  ===========================================================================

A slip in any of these is an error with its line, never a silent default.
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
_KEYS = {  # of a comment, and the constants that they stand for
    "backends": "BACKENDS",
    "goals": "GOALS",
    "objectives": "OBJECTIVES",
    "measures": "HORIZON",
    "parameters": "PARAMETERS",
    "horizons": "horizons",
    "counted": "counted",
}
_LARGEST_FILE = 1_000_000  # bytes
_SLIP = 0.88  # how much like one of the constants a name must be to be taken for a slip of the pen


@dataclass(frozen=True)
class Header:
    """The header of a model or search file."""

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


@cache
def read_header(path: Path, function: str) -> Header:
    """The header of a file whose main function is ``build`` or ``search``. Raises InputError, with the line."""
    if path.suffix not in _LANGUAGES:
        return _PythonHeader(path, function).header()
    comments = _Comments(path)
    comments.model()
    default = () if function == "search" else (_LANGUAGES[path.suffix][1],)
    return comments.checked(comments.summary, default, has_horizons=True)


class _Constants:
    """The constants of a header, each with its line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = read_file(path, _LARGEST_FILE)
        self.values: dict[str, tuple[Any, int | None]] = {}

    def fault(self, message: str, line: int | None = None) -> InputError:
        """The error for something in the file."""
        return InputError(message, source=str(self.path), line=line)

    def checked(self, summary: str, default_backends: tuple[str, ...], **others: Any) -> Header:
        """The header, with ``others`` than the constants. Raises InputError for a constant that is not right."""
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
            raise self.fault(f"HORIZON names the objective it measures, not {measures!r}{near}", line)
        if line is not None and not others.get("has_horizons"):
            raise self.fault("a model with HORIZON needs a function horizons", line)
        parameters, line = self.values.get("PARAMETERS", ({}, None))
        if not isinstance(parameters, dict) or not all(isinstance(name, str) for name in parameters):
            raise self.fault("PARAMETERS gives the solver's parameters by name", line)
        others |= {"measures": Objective(measures) if measures else None, "parameters": parameters}
        return Header(self.path, summary, frozenset(goals), frozenset(objectives), solvers, **others)

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


class _PythonHeader(_Constants):
    """Reads the header of a Python file from its syntax tree."""

    def __init__(self, path: Path, function: str) -> None:
        super().__init__(path)
        self.function = function
        try:
            self.tree = ast.parse(self.source, filename=str(path))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = getattr(error, "msg", str(error)) or "nested too deeply"
            raise self.fault(f"not valid Python: {reason}", getattr(error, "lineno", None)) from None
        self.functions = {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}
        for node in self.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._read_constant(name, value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._read_constant(name, value)
                case _:
                    pass

    def _read_constant(self, name: str, value: ast.expr) -> None:
        constants = [constant for constant in _KEYS.values() if constant.isupper()]
        if name in constants:
            self.values[name] = self._literal(value, name), value.lineno
        elif near := get_close_matches(name, constants, 1, _SLIP):
            raise self.fault(f'"{name}" means nothing to pegcp: did you mean {near[0]}?', value.lineno)

    def header(self) -> Header:
        """All of it."""
        if self.function not in self.functions:
            raise self.fault(f"the file needs a function {self.function}")
        options: dict[str, Any] = {}
        choices: dict[str, tuple[str, ...]] = {}
        for function in [self.functions[name] for name in (self.function, "horizons") if name in self.functions]:
            for argument, node in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
                options[argument.arg] = self._default(argument, node)
                values = self._choices(argument, options[argument.arg])
                choices |= {argument.arg: values} if values else {}
        return self.checked(
            (ast.get_docstring(self.tree) or self.path.stem).splitlines()[0].rstrip(),
            ("cp-sat",) if self.function == "build" else (),
            options=options,
            choices=choices,
            has_horizons="horizons" in self.functions,
            refuses="refuse" in self.functions,
        )

    def _default(self, argument: ast.arg, node: ast.expr | None) -> bool | int | float | str:
        """The default of a keyword-only argument, which is an option."""
        if node is None:
            raise self.fault(f"option {argument.arg} needs a default", argument.lineno)
        default = self._literal(node, argument.arg)
        if not isinstance(default, bool | int | float | str):
            raise self.fault(f"the default of option {argument.arg} must be a number, text, True or False", node.lineno)
        return default

    def _choices(self, argument: ast.arg, default: object) -> tuple[str, ...]:
        """The values of an option annotated as ``Literal``; none for the others."""
        match argument.annotation:
            case ast.Subscript(value=ast.Name(id="Literal"), slice=node):
                literal = self._literal(node, argument.arg)
                values = literal if isinstance(literal, tuple) else (literal,)
                if not all(isinstance(value, str) for value in values) or default not in values:
                    raise self.fault(f"option {argument.arg} chooses between texts, its default is one", node.lineno)
                return values
            case _:
                return ()

    def _literal(self, node: ast.expr, name: str) -> Any:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            fault = f"{name} must be a literal, so that it can be read without running the file"
            raise self.fault(fault, node.lineno) from None


class _Comments(_Constants):
    """Reads the header of a file of answer-set rules or in MiniZinc from its comments."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self.text = self.source.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fault(f"not UTF-8: {error.reason}") from None
        for number, line in enumerate(self.text.splitlines(), start=1):
            comment = re.fullmatch(r"%\s*([\w-]+)\s*:\s*(.*?)\s*", line)
            if comment is None:
                continue
            key, value = comment.groups()
            if key in _KEYS:
                self.values[_KEYS[key]] = self._value(key, value), number
            elif near := suggestion(key, _KEYS):
                raise self.fault(f'"{key}" means nothing to pegcp{near} Else write another comment', number)

    @staticmethod
    def _value(key: str, text: str) -> Any:
        words = tuple(word.strip() for word in text.split(","))
        if key == "parameters":
            return {name: value for name, _, value in (word.partition("=") for word in words)}
        return words if key in ("backends", "goals", "objectives") else text

    @property
    def summary(self) -> str:
        """The first line of the comment that opens the file."""
        comment = re.match(r"\s*(?:%\*|/\*)\s*(.*)", self.text)
        return comment[1].rstrip() if comment else self.path.stem

    def model(self) -> RuleFile:
        """The file as a model. Raises InputError if the horizons are missing or cannot be read."""
        horizons, line = self.values.get("horizons", ("", None))
        try:
            read_horizons(horizons)
        except ValueError:
            fault = 'a file of rules needs a line such as "% horizons: 2..10, most" (or: jumps)'
            raise self.fault(fault, line) from None
        return _LANGUAGES[self.path.suffix][0](self.path, horizons, self.values.get("counted", ("", 0))[0])


def load(path: Path) -> Any:
    """A model or search.

    A Python file is run as a module of its own, never under a top-level name such as ``models``.
    """
    if path.suffix in _LANGUAGES:
        return _Comments(path).model()
    name = f"_pegcp_file_{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
