"""Finding, describing and loading the files that hold models and searches.

A Python file describes itself with literals that are read without running it (so listing needs no solver):

* the first line of its docstring: what it is;
* ``BACKENDS``: the backends that can run it (models only), the default first;
* ``GOALS`` and ``OBJECTIVES``: what it answers;
* ``COMPLETE``: whether it answers every problem that it takes, given time (True if not said);
* ``PARAMETERS``: parameters of its solver by name, where it needs others than the solver's own (CP-SAT, clingo);
* ``HORIZON``: the objective that the horizon of a model measures, if any;
* keyword-only arguments of ``build`` and ``horizons`` (models) or ``search`` (searches): its options with defaults;
  the annotation ``Literal["a", "b"]`` says which values an option takes.

A model defines ``build(problem, **options) -> Formulation``. If it must fix a horizon, it defines
``horizons(problem)``, rising and complete: when none of them has a solution there is none; then it is
``build(problem, horizon, **options)``. Solutions are counted with the last horizon, which must have them all. An
objective that the model itself minimises must be that of the problem.

A file that does not take every board defines ``refuse(problem)``: why it cannot take a problem, or None.

A file of answer-set rules (``.lp``) or in MiniZinc (``.mzn``) opens with a comment ``%* ... *%`` or ``/* ... */`` in
place of the docstring, and says the same in lines such as ``% backends: clingo``, ``% goals: exact, partial``,
``% objectives: any, count``, ``% measures: fewest-jumps``, ``% parameters: configuration=crafty``,
``% horizons: 2..10, most`` (see :mod:`pegcp.modelling.rules`) and ``% counted: jump sequences``.

All of this is checked when the header is read, so that a slip is an error with its line and not a silent default.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

from pegcp.backends import SOLVERS
from pegcp.errors import InputError, suggestion
from pegcp.formats.files import read_file
from pegcp.formats.folders import PACKAGE, models_folder
from pegcp.game.goal import GOAL_KINDS, Objective
from pegcp.modelling.mzn import MiniZincFile
from pegcp.modelling.rules import RuleFile, read_horizons

_LANGUAGES = {".lp": (RuleFile, "clingo"), ".mzn": (MiniZincFile, "minizinc")}  # of files that are not Python
SUFFIXES = (".py", *_LANGUAGES)  # of the files that can be models
_CONSTANTS = ("BACKENDS", "GOALS", "OBJECTIVES", "HORIZON", "COMPLETE", "PARAMETERS")
_GOALS = ("exact", "one-peg", "partial", "dead-end")  # of a file without GOALS: a new kind must be listed by name
_OBJECTIVES = tuple(objective.value for objective in Objective)
_LARGEST_FILE = 1_000_000  # bytes
_SAME = {
    "backends": "BACKENDS", "goals": "GOALS", "objectives": "OBJECTIVES", "measures": "HORIZON",
    "parameters": "PARAMETERS",
}  # fmt: skip
_KEYS = (*_SAME, "horizons", "counted")  # of the header of a file of rules
_SLIP = 0.88  # how much like one of the constants a name must be to be taken for a slip of the pen


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

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
    complete: bool = True
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
    if path.suffix in _LANGUAGES:
        return _RulesReader(path).header()
    return _Reader(path, function).header()


def _by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(name, str) for name in value)


class _Reader:
    """Reads one header."""

    def __init__(self, path: Path, function: str) -> None:
        self.path, self.function = path, function
        self.constants: dict[str, tuple[Any, int]] = {}  # each with its line
        self.functions: dict[str, ast.FunctionDef] = {}
        self.tree = self._parsed()
        for node in self.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._constant(name, value)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._constant(name, value)
                case ast.FunctionDef(name=name):
                    self.functions[name] = node
                case _:
                    pass

    def _source(self) -> bytes:
        return read_file(self.path, _LARGEST_FILE)

    def _parsed(self) -> ast.Module:
        try:
            return ast.parse(self._source(), filename=str(self.path))
        except (SyntaxError, ValueError) as error:
            self._fail(f"not valid Python: {getattr(error, 'msg', error)}", getattr(error, "lineno", None))
        except (RecursionError, MemoryError):
            self._fail("not valid Python: nested too deeply")

    def _fail(self, message: str, line: int | None = None) -> NoReturn:
        raise InputError(message, source=str(self.path), line=line) from None

    def _constant(self, name: str, value: ast.expr) -> None:
        if name in _CONSTANTS:
            self.constants[name] = self._literal(value, name), value.lineno
            return
        for known in get_close_matches(name, _CONSTANTS, 1, _SLIP):
            self._fail(f'"{name}" means nothing to pegcp: did you mean {known}? Else choose another name', value.lineno)

    def header(self) -> Header:
        """All of it."""
        main = self.functions.get(self.function)
        if main is None:
            self._fail(f"a {'model' if self.function == 'build' else 'search'} file needs a function {self.function}")
        functions = [main, *([self.functions["horizons"]] if "horizons" in self.functions else [])]
        arguments = [
            (argument, node)
            for function in functions
            for argument, node in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        ]
        options = {argument.arg: self._default(argument, node) for argument, node in arguments}
        choices = {argument.arg: self._choices(argument, options[argument.arg]) for argument, _ in arguments}
        return Header(
            self.path,
            (ast.get_docstring(self.tree) or self.path.stem).splitlines()[0].rstrip(),
            *self._takes(("cp-sat",) if self.function == "build" else ()),
            options,
            {name: values for name, values in choices.items() if values},
            "horizons" in self.functions,
            "refuse" in self.functions,
            self._measures("horizons" in self.functions),
            self._value("COMPLETE", True, lambda told: isinstance(told, bool), "COMPLETE is True or False"),
            self._value("PARAMETERS", {}, _by_name, "PARAMETERS gives the solver's parameters by name"),
        )

    def _takes(self, default: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
        """Goals, objectives and backends; a search has no backends."""
        solvers = {solver.name: solver for solver in SOLVERS}
        backends = self._names("BACKENDS", tuple(solvers), default) if default else ()
        objectives = self._names("OBJECTIVES", _OBJECTIVES, (Objective.ANY.value,))
        for name in backends:
            if Objective.COUNT in objectives and not solvers[name].counts:
                fault = f"OBJECTIVES has {Objective.COUNT}, but the backend {name} cannot count solutions"
                self._fail(fault, self.constants["OBJECTIVES"][1])
        return frozenset(self._names("GOALS", sorted(GOAL_KINDS), _GOALS)), frozenset(objectives), backends

    def _names(self, key: str, known: Collection[str], default: Collection[str]) -> tuple[str, ...]:
        """A constant that is a tuple of known names."""
        given, line = self.constants.get(key, (tuple(default), None))
        if not isinstance(given, tuple | list) or not given:
            self._fail(f'{key} must be a tuple of names, such as ("{next(iter(known))}",)', line)
        for name in given:
            if name not in known:
                near = suggestion(name, known) if isinstance(name, str) else ""
                self._fail(f"unknown name {name!r} in {key}{near}; choose from {', '.join(known)}", line)
        return tuple(dict.fromkeys(given))

    def _measures(self, has_horizons: bool) -> Objective | None:
        name = self._value("HORIZON", None, lambda name: name in _OBJECTIVES, "HORIZON names the objective it measures")
        if name is not None and not has_horizons:
            self._fail("a model with HORIZON needs a function horizons", self.constants["HORIZON"][1])
        return None if name is None else Objective(name)

    def _value(self, key: str, default: Any, fits: Callable[[Any], bool], fault: str) -> Any:
        """A constant, or its default."""
        value, line = self.constants.get(key, (default, None))
        if line is not None and not fits(value):
            self._fail(f"{fault}, not {value!r}{suggestion(str(value), _OBJECTIVES)}", line)
        return value

    def _default(self, argument: ast.arg, node: ast.expr | None) -> bool | int | float | str:
        """The default of a keyword-only argument, which is an option."""
        if node is None:
            self._fail(f"option {argument.arg} needs a default", argument.lineno)
        default = self._literal(node, argument.arg)
        if not isinstance(default, bool | int | float | str):
            self._fail(f"the default of option {argument.arg} must be a number, text, True or False", node.lineno)
        return default

    def _choices(self, argument: ast.arg, default: object) -> tuple[str, ...]:
        """The values of an option annotated as ``Literal``; none for the others."""
        match argument.annotation:
            case ast.Subscript(value=ast.Name(id="Literal"), slice=node):
                given = self._literal(node, argument.arg)
                values = given if isinstance(given, tuple) else (given,)
                if not all(isinstance(value, str) for value in values):
                    self._fail(f"option {argument.arg} can choose between texts only", node.lineno)
                if default not in values:
                    self._fail(f"the default of option {argument.arg} is none of its values", node.lineno)
                return values
            case _:
                return ()

    def _literal(self, node: ast.expr, name: str) -> Any:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            self._fail(f"{name} must be a literal, so that it can be read without running the file", node.lineno)


class _RulesReader(_Reader):
    """Reads the header of a file of answer-set rules or in MiniZinc."""

    def __init__(self, path: Path) -> None:
        self.path, self.function = path, "build"
        try:
            self.text = self._source().decode("utf-8")
        except UnicodeDecodeError as error:
            self._fail(f"not UTF-8: {error.reason}")
        self.constants: dict[str, tuple[Any, int]] = {}
        self.values: dict[str, tuple[str, int]] = {}
        for number, line in enumerate(self.text.splitlines(), start=1):
            told = re.fullmatch(r"%\s*([\w-]+)\s*:\s*(.*?)\s*", line)
            if told:
                self._told(told[1], told[2], number)

    def _told(self, key: str, value: str, line: int) -> None:
        """A line of the header. What is no key of a header is a comment, unless it looks like a slip."""
        if key not in _KEYS:
            near = suggestion(key, _KEYS)
            if near:
                self._fail(f'"{key}" means nothing to pegcp{near} Else write another comment', line)
            return
        self.values[key] = value, line
        if key in _SAME:
            said: Any = tuple(name.strip() for name in value.split(","))
            if key == "measures":
                said = value
            elif key == "parameters":
                said = {name: to for name, _, to in (pair.partition("=") for pair in said)}
            self.constants[_SAME[key]] = said, line

    def header(self) -> Header:
        """All of it."""
        self.rules()
        comment = re.match(r"\s*(?:%\*|/\*)\s*(.*)", self.text)
        return Header(
            self.path,
            comment[1].rstrip() if comment else self.path.stem,
            *self._takes((_LANGUAGES[self.path.suffix][1],)),
            has_horizons=True,
            measures=self._measures(True),
            parameters=self._value("PARAMETERS", {}, _by_name, ""),
        )

    def rules(self) -> RuleFile:
        """The file as a model. Raises InputError if the horizons are missing or cannot be read."""
        steps, line = self.values.get("horizons", ("", None))
        try:
            read_horizons(steps)
        except ValueError:
            self._fail('a file of rules needs a line such as "% horizons: 2..10, most" (or: jumps)', line)
        return _LANGUAGES[self.path.suffix][0](self.path, steps, self.values.get("counted", ("", 0))[0])


def load(path: Path) -> Any:
    """A model or search.

    A Python file is run as a module of its own, never under a top-level name such as ``models``.
    """
    if path.suffix in _LANGUAGES:
        return _RulesReader(path).rules()
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
