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

A file is read each time that it is asked for, and known by its content: an edited file is another model. The modules
beside a Python file that it imports, and those that these import, belong to it. They are read with it, are loaded for
it alone, and leave modules of the same name as they are. A module that is installed goes before one beside the file.
"""

import ast
import linecache
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import decode_source, spec_from_loader
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from pegcp.backends import BACKENDS, backend, find
from pegcp.backends.backend import Ability
from pegcp.errors import InputError, suggestion
from pegcp.formats.files import read_file
from pegcp.formats.folders import PACKAGE, models_folder
from pegcp.game import GOAL_KINDS, Objective
from pegcp.method import Options
from pegcp.modelling.mzn import MiniZincFile
from pegcp.modelling.rules import RuleFile, read_horizons

_LANGUAGES = {".lp": (RuleFile, "clingo"), ".mzn": (MiniZincFile, "minizinc")}  # of files that are not Python
SUFFIXES = (".py", *_LANGUAGES)  # of the files that can be models
_OBJECTIVES = tuple(objective.value for objective in Objective)
_GOALS = ("exact", "one-peg", "partial", "dead-end")  # of a file without GOALS: a new kind must be listed by name
_CONSTANTS = ("BACKENDS", "GOALS", "OBJECTIVES", "HORIZON", "PARAMETERS")
_OF_SEARCHES = (*_CONSTANTS, "ENGINE")
_OF_RULES = (*_CONSTANTS, "STEPS", "COUNTED")
_LARGEST_FILE_BYTES = 1_000_000
_SLIP_SIMILARITY = 0.88  # how similar to one of the constants a name must be to be taken for a slip of the pen
_LOADING = RLock()


@dataclass(frozen=True)
class Source:
    """The file of a model or search as it was read, and by their names the modules beside it that it imports."""

    path: Path
    content: bytes
    helpers: tuple[tuple[str, bytes], ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that identify the content."""
        return sha256(b"".join([self.content, *(content for _, content in self.helpers)])).hexdigest()[:12]


@dataclass(frozen=True)
class Header:
    """The header of a model or search file.

    ``rules`` are the horizons of a file of rules, and the notion of a solution that it counts.
    """

    source: Source
    summary: str
    goals: frozenset[str]
    objectives: frozenset[str]
    backends: tuple[str, ...] = ()
    options: Options = field(default_factory=dict)
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
        return name_of(self.source.path)


def name_of(path: Path) -> str:
    """Return the name of the model or search in a file: that of the file, with hyphens."""
    return path.stem.replace("_", "-")


def bundled_models() -> list[Path]:
    """Return the files of the bundled models but for the planning domains."""
    return sorted(path for path in models_folder().iterdir() if path.suffix in SUFFIXES)


def bundled_searches() -> list[Path]:
    """Return the files of the bundled searches."""
    return sorted((PACKAGE / "search").glob("[!_]*.py"))


def is_search(source: Source) -> bool:
    """Tell whether a Python file defines ``search`` and no ``build``."""
    functions = re.findall(rb"^def (search|build)\(", source.content, re.MULTILINE)
    return source.path.suffix == ".py" and functions == [b"search"]


def read_source(path: Path) -> Source:
    """Read a file, and the modules beside it that it imports. Raises InputError."""
    content, helpers = read_file(path, _LARGEST_FILE_BYTES), dict[str, bytes]()
    names = [] if path.suffix in _LANGUAGES else list(_imported(content))
    while names:
        name = names.pop()
        file = path.with_name(f"{name}.py")
        if name not in (*helpers, path.stem) and file.is_file() and not _is_installed(name, path.parent):
            helpers[name] = read_file(file, _LARGEST_FILE_BYTES)
            names += _imported(helpers[name])
    return Source(path, content, tuple(sorted(helpers.items())))


@lru_cache(256)
def _imported(content: bytes) -> frozenset[str]:
    """Return the top-level names that Python code imports; none where it is not valid."""
    try:
        nodes = list(ast.walk(ast.parse(content)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return frozenset(name.partition(".")[0] for name in names)


def _is_installed(name: str, folder: Path) -> bool:
    """Tell whether a module can be imported from elsewhere than a folder."""
    elsewhere = [entry for entry in sys.path if Path(entry).resolve() != folder.resolve()]
    return name in sys.builtin_module_names or PathFinder.find_spec(name, elsewhere) is not None


def read_header(path: Path, function: str) -> Header:
    """Return the header of a file whose main function is ``build`` or ``search``. Raises InputError, with the line."""
    return header_of(read_source(path), function)


@lru_cache(256)
def header_of(source: Source, function: str) -> Header:
    """Return the header of a file that has been read. Raises InputError, with the line."""
    return _read_comments(source) if source.path.suffix in _LANGUAGES else _read_python(source, function)


class _Constants:
    """A file, and the constants of its header as they are written."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.written: dict[str, ast.expr] = {}

    def fault(self, message: str, line: int | None = None) -> InputError:
        """Return the error for something in the file."""
        return InputError(message, source=str(self.source.path), line=line)

    def literal(self, node: ast.expr, name: str) -> Any:
        """Return the value of an expression. Raises InputError unless it is a literal."""
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            fault = f"{name} must be a literal, so that it can be read without running the file"
            raise self.fault(fault, node.lineno) from None

    def value(self, name: str, default: Any = None) -> tuple[Any, int | None]:
        """Return the value of a constant with its line, or its default. Raises InputError unless it is a literal."""
        node = self.written.get(name)
        return (default, None) if node is None else (self.literal(node, name), node.lineno)

    def read(self, content: bytes | str, names: Collection[str]) -> ast.Module:
        """Read the constants of these names from Python code, and return its syntax tree. Raises InputError."""
        try:
            tree = ast.parse(content, filename=str(self.source.path))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = getattr(error, "msg", str(error)) or "nested too deeply"
            raise self.fault(f"not valid Python: {reason}", getattr(error, "lineno", None)) from None
        for node in tree.body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    if name not in names and (near := get_close_matches(name, names, 1, _SLIP_SIMILARITY)):
                        raise self.fault(f'pegcp does not read "{name}": did you mean {near[0]}?', value.lineno)
                    self.written[name] = value
        return tree

    def header(self, summary: str, default_backends: tuple[str, ...], **more: Any) -> Header:
        """Return the header with the constants and ``more``. Raises InputError for a constant that is not right."""
        solvers = self._names("BACKENDS", BACKENDS, default_backends, find) if default_backends else ()
        objectives = self._names("OBJECTIVES", _OBJECTIVES, (Objective.ANY.value,))
        for name in solvers if Objective.COUNT in objectives else ():
            if Ability.COUNTS not in backend(name).abilities:
                fault = f"OBJECTIVES has {Objective.COUNT}, but the backend {name} cannot count solutions"
                raise self.fault(fault, self.value("OBJECTIVES")[1])
        measures, line = self.value("HORIZON")
        if line is not None and measures not in _OBJECTIVES:
            near = suggestion(str(measures), _OBJECTIVES)
            raise self.fault(f"HORIZON names the objective that it measures, not {measures!r}{near}", line)
        if line is not None and not more["has_horizons"]:
            raise self.fault("a model with HORIZON needs a function horizons", line)
        parameters, line = self.value("PARAMETERS", {})
        if not isinstance(parameters, dict) or not all(isinstance(name, str) for name in parameters):
            raise self.fault('PARAMETERS gives parameters of the solver by name, such as {"presolve": "off"}', line)
        return Header(
            self.source,
            summary,
            frozenset(self._names("GOALS", sorted(GOAL_KINDS), _GOALS)),
            frozenset(objectives),
            solvers,
            measures=Objective(measures) if measures else None,
            parameters=parameters,
            **more,
        )

    def _names(
        self,
        key: str,
        choices: Collection[str],
        default: tuple[str, ...],
        find: Callable[[str], object] = lambda _: None,
    ) -> tuple[str, ...]:
        """Return a constant that is a tuple of names that are known, or that something is found by."""
        names, line = self.value(key, default)
        if not isinstance(names, tuple | list) or not names:
            raise self.fault(f'{key} must be a tuple of names, such as ("{next(iter(choices))}",)', line)
        for name in names:
            if not isinstance(name, str) or (name not in choices and find(name) is None):
                near = suggestion(str(name), choices)
                raise self.fault(f"unknown name {name!r} in {key}{near}; choose from {', '.join(choices)}", line)
        return tuple(dict.fromkeys(names))


def _read_python(source: Source, function: str) -> Header:
    """Read the header of a Python file from its syntax tree."""
    constants = _Constants(source)
    tree = constants.read(source.content, _OF_SEARCHES if function == "search" else _CONSTANTS)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if function not in functions:
        copy = f"; begin with a copy of a model: pegcp models moves > new_{source.path.name}" * (function == "build")
        raise constants.fault(f"the file needs a function {function}{copy}")
    options: dict[str, object] = {}
    choices: dict[str, tuple[str, ...]] = {}
    for node in (functions[name] for name in (function, "horizons") if name in functions):
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            options[argument.arg], values = _read_option(constants, argument, default)
            choices |= {argument.arg: values} if values else {}
    return constants.header(
        (ast.get_docstring(tree) or source.path.stem).splitlines()[0].rstrip(),
        ("cp-sat",) if function == "build" else (),
        options=options,
        choices=choices,
        has_horizons="horizons" in functions,
        refuses="refuse" in functions,
        engine=str(constants.value("ENGINE", "")[0]),
    )


def _read_option(
    constants: _Constants, argument: ast.arg, node: ast.expr | None
) -> tuple[bool | float | str, tuple[str, ...]]:
    """Return the default of a keyword-only argument, which is an option; and its values, if it is annotated as
    ``Literal``."""
    if node is None:
        raise constants.fault(f"option {argument.arg} needs a default", argument.lineno)
    default = constants.literal(node, argument.arg)
    if not isinstance(default, bool | int | float | str):
        raise constants.fault(
            f"the default of option {argument.arg} must be a number, text, True or False", node.lineno
        )
    match argument.annotation:
        case ast.Subscript(value=ast.Name(id="Literal"), slice=literal):
            literals = constants.literal(literal, argument.arg)
            values: tuple[Any, ...] = literals if isinstance(literals, tuple) else (literals,)
            if not all(isinstance(value, str) for value in values) or default not in values:
                fault = f"option {argument.arg} needs texts to choose from, and one of them as its default"
                raise constants.fault(fault, literal.lineno)
            return default, values
        case _:
            return default, ()


def _read_comments(source: Source) -> Header:
    """Read the header of a file of answer-set rules or in MiniZinc from its comments."""
    constants = _Constants(source)
    try:
        text = source.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise constants.fault(f"not UTF-8: {error.reason}") from None
    lines = []
    for row in text.splitlines():
        comment = re.match(r"% *(([A-Z]+) *=.*)", row)  # or the words of the author, such as "N = number of holes"
        lines.append(comment[1] if comment and get_close_matches(comment[2], _OF_RULES, 1, _SLIP_SIMILARITY) else "")
    constants.read("\n".join(lines), _OF_RULES)
    (steps, line), (counted, _) = constants.value("STEPS", ""), constants.value("COUNTED", "")
    try:
        read_horizons(str(steps))
    except ValueError:
        example = "asp-rounds" if source.path.suffix == ".lp" else "mzn-rounds"
        raise constants.fault(
            f'a file of rules needs a line such as % STEPS = "2..10, most"; '
            f"begin with a copy of a model: pegcp models {example} > new_{source.path.name}",
            line,
        ) from None
    opening = re.match(r"\s*(?:%\*|/\*)\s*(.*)", text)
    summary = opening[1].rstrip() if opening else source.path.stem
    backends = (_LANGUAGES[source.path.suffix][1],)
    return constants.header(summary, backends, has_horizons=True, rules=(str(steps), str(counted)))


def load(header: Header) -> Any:
    """Load a model or search, as its file was when the header was read.

    A Python file is run as a module of its own, never under a top-level name such as ``models``; there is one for each
    path, that of the content that was loaded last.
    """
    source = header.source
    if source.path.suffix in _LANGUAGES:
        return _LANGUAGES[source.path.suffix][0](source.content.decode("utf-8"), *header.rules)
    name = f"_pegcp_file_{source.path.stem}_{sha256(str(source.path).encode()).hexdigest()[:8]}"
    with _LOADING:
        module = sys.modules.get(name)
        if module is None or getattr(module.__loader__, "source", None) != source:
            module = _import(name, source)
        return module


def _import(name: str, source: Source) -> ModuleType:
    """Import a Python file as the module of that name; a file that raises leaves no module.

    Modules that have the names of those beside the file are put aside meanwhile.
    """
    loader, helpers = _Loader(name, source), [helper for helper, _ in source.helpers]
    others = {helper: sys.modules.pop(helper) for helper in helpers if helper in sys.modules}
    sys.modules.pop(name, None)
    sys.meta_path.insert(0, loader)
    try:
        return import_module(name)
    finally:
        sys.meta_path.remove(loader)
        for helper in helpers:
            sys.modules.pop(helper, None)
        sys.modules.update(others)


class _Loader(SourceLoader, MetaPathFinder):  # type: ignore[misc]  # in the types of importlib themselves
    """Loads a file, and the modules beside it, from what was read of them; tracebacks show these lines."""

    def __init__(self, name: str, source: Source) -> None:
        self.source = source
        helpers = {helper: str(source.path.with_name(f"{helper}.py")) for helper, _ in source.helpers}
        self.paths = {name: str(source.path), **helpers}
        self.contents = dict(zip(self.paths.values(), [source.content, *dict(source.helpers).values()], strict=True))

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return the specification of one of the modules."""
        return spec_from_loader(fullname, self) if fullname in self.paths else None

    def get_filename(self, fullname: str) -> str:
        """Return the path of a module."""
        return self.paths[fullname]

    def get_data(self, path: str) -> bytes:
        """Return the content of a file; byte code is neither read nor written."""
        content = self.contents[path]
        linecache.cache[path] = len(content), None, decode_source(content).splitlines(keepends=True), path
        return content
