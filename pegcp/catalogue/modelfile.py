"""Find the files of models and searches, read their headers, and load them.

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
import os
import re
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace
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

from pegcp import backends
from pegcp.backends import external
from pegcp.backends.interface import Ability, Backend, ModelFile
from pegcp.errors import InputError, is_importable, name_source, refuse_if, suggestion
from pegcp.formats.files import PACKAGE, models_folder, read_file
from pegcp.game import GOAL_KINDS, Objective, Problem
from pegcp.method import Answer, Data, Method, Options, Run, Status
from pegcp.modelling.rules import MiniZincFile, RuleFile, read_horizons
from pegcp.theory import certificates

# Solves the linear programs of bounds and pagoda functions. Models load it before the clock of a run starts.
LINEAR_PROGRAMS = "ortools.math_opt.python.mathopt"
_LANGUAGES = {".lp": (RuleFile, "clingo"), ".mzn": (MiniZincFile, "minizinc")}  # of files that are not Python
SUFFIXES = (".py", *_LANGUAGES)  # of the files that can be models
_OBJECTIVES = tuple(objective.value for objective in Objective)
_GOALS = ("exact", "one-peg", "partial", "dead-end")  # of a file without GOALS: a new kind must be listed by name
_CONSTANTS = ("BACKENDS", "GOALS", "OBJECTIVES", "HORIZON", "PARAMETERS")
_OF_RULES = (*_CONSTANTS, "STEPS", "COUNTED")
_LARGEST_FILE_BYTES = 1_000_000
_SLIP_SIMILARITY = 0.88  # how similar to one of the constants a name must be to be taken for a slip of the pen
_LOADING = RLock()
Constants = dict[str, tuple[Any, int | None]]  # of a header, by name: the value and its line


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
        if name not in (*helpers, path.stem) and os.path.isfile(file) and not _is_installed(name, path.parent):
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
    elsewhere = [entry for entry in sys.path if isinstance(entry, str) and Path(entry).resolve() != folder.resolve()]
    return name in sys.builtin_module_names or PathFinder.find_spec(name, elsewhere) is not None


@dataclass(frozen=True, kw_only=True)
class FileMethod(Method):
    """The method of a file: what its header says. ``may_refuse``: the file defines ``refuse``."""

    source: Source
    may_refuse: bool = False

    def refuse(self, problem: Problem) -> str | None:
        """Return the reason of the file why it cannot take a problem, or None."""
        return load(self.source).refuse(problem) if self.may_refuse else None


@dataclass(frozen=True, kw_only=True)
class SearchMethod(FileMethod):
    """A search. ``settings``: options that its name stands for."""

    settings: Options = field(default_factory=dict)

    def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:  # noqa: ARG002
        """Run the search; a goal that no number of jumps leads to is settled before."""
        if not problem.lengths:
            return Answer(Status.INFEASIBLE, certificate=certificates.find(problem, seconds=0))
        search = load(self.source).search
        began = time.perf_counter()
        answer: Answer = search(problem, run, **options, **self.settings)
        solving = time.perf_counter() - began - run.pause.seconds - answer.statistics.get("build_seconds", 0.0)
        return replace(answer, statistics={**answer.statistics, "solve_seconds": solving})


@dataclass(frozen=True, kw_only=True)
class ModelMethod(FileMethod):
    """A model. ``solvers``: the backends that its file names; ``measures``: the objective that its horizon measures."""

    solvers: tuple[str, ...]
    measures: Objective | None

    def loaded(self) -> ModelFile:
        """Return the model. Raises Missing if the library that it is written in is not installed."""
        takers = list(map(backends.backend, self.solvers))
        try:
            libraries = [LINEAR_PROGRAMS] if is_importable("ortools") else []
            for name in dict.fromkeys([*libraries, *(name for solver in takers for name in solver.preload)]):
                import_module(name)
            module = load(self.source)
        except ModuleNotFoundError as error:
            library = (error.name or "").partition(".")[0]
            for solver in takers:
                if library in solver.modules and not is_importable(library):
                    raise solver.missing() from None
            raise InputError(f"cannot import the model: {error}", source=str(self.source.path)) from None
        horizons = getattr(module, "horizons", None)
        return ModelFile(self.source.path, module.build, horizons, self.measures, self.parameters)

    def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:
        """Give the model to its solver."""
        return self.solver(options, backend).answer(self.loaded(), problem, run, options)

    def sizes(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Data:
        """Return the sizes of the model, before and after the presolve of its solver."""
        return self.solver(options, backend).model_statistics(self.loaded(), problem, run, options)

    def solver(self, options: Options, backend: str | None) -> Backend:
        """Return the program of the command, if there is one, else the backend. Raises Missing if that is not
        installed."""
        return (
            self._read_command(options)
            if options.get("command")
            else backends.backend(backend or self.solvers[0]).loaded()
        )

    def check_options(self, options: Options) -> None:
        """Raise InputError for a command that has no place for the file of the model."""
        if "command" in options:
            self._read_command(options)

    def _read_command(self, options: Options) -> external.Command:
        return external.read_command(options["command"], name_of(self.source.path), self.solvers)


def file_method(path: Path) -> SearchMethod | ModelMethod:
    """Return the method of a model or search file as it is now. Raises InputError if its header is faulty, with the
    line."""
    return _read_method(read_source(path))


@lru_cache(256)
def _read_method(source: Source) -> SearchMethod | ModelMethod:
    """Return the method of a file that was read; the same object as long as the content is the same."""
    with name_source(str(source.path)):
        constants, about = (_read_comments if source.path.suffix in _LANGUAGES else _read_python)(source)
        facts = {
            "name": name_of(source.path),
            "goals": frozenset(_names(constants, "GOALS", sorted(GOAL_KINDS), _GOALS)),
            "objectives": frozenset(_names(constants, "OBJECTIVES", _OBJECTIVES, [Objective.ANY.value])),
            "path": source.path,
            "fingerprint": source.fingerprint,
            "source": source,
            **about,
        }
        return SearchMethod(**facts) if is_search(source) else _model_method(constants, facts)


def _read_python(source: Source) -> tuple[Constants, dict[str, Any]]:
    """Return the constants of a Python file, and what else its syntax tree says of its method. Raises InputError."""
    main = "search" if is_search(source) else "build"
    tree, constants = _read_constants(source.content, (*_CONSTANTS, "ENGINE"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    copy = f"; begin with a copy of a model: pegcp models moves > new_{source.path.name}" * (main == "build")
    refuse_if(main not in functions, f"the file needs a function {main}{copy}")
    options: dict[str, object] = {}
    option_values: dict[str, tuple[str, ...]] = {}
    for node in (functions[name] for name in (main, "horizons") if name in functions):
        for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            options[argument.arg], values = _read_option(argument, default)
            option_values |= {argument.arg: values} if values else {}
    return constants, {
        "summary": (ast.get_docstring(tree) or source.path.stem).splitlines()[0].rstrip(),
        "options": options | ({"horizon": 0} if "horizons" in functions else {}),
        "option_values": option_values,
        "engine": str(constants.get("ENGINE", ("",))[0]),
        "may_refuse": "refuse" in functions,
    }


def _read_comments(source: Source) -> tuple[Constants, dict[str, Any]]:
    """Return the constants of a file of answer-set rules or in MiniZinc, and what else its comments say of its method.
    Raises InputError."""
    try:
        text = source.content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: {error.reason}") from None
    lines = []
    for row in text.splitlines():
        comment = re.match(r"% *(([A-Z]+) *=.*)", row)  # or the words of the author, such as "N = number of holes"
        lines.append(comment[1] if comment and get_close_matches(comment[2], _OF_RULES, 1, _SLIP_SIMILARITY) else "")
    _, constants = _read_constants("\n".join(lines), _OF_RULES)
    steps, line = constants.get("STEPS", ("", None))
    try:
        read_horizons(str(steps))
    except ValueError:
        example = "asp-rounds" if source.path.suffix == ".lp" else "mzn-rounds"
        raise InputError(
            f'a file of rules needs a line such as % STEPS = "2..10, most"; '
            f"begin with a copy of a model: pegcp models {example} > new_{source.path.name}",
            line=line,
        ) from None
    opening = re.match(r"\s*(?:%\*|/\*)\s*(.*)", text)
    return constants, {"summary": opening[1].rstrip() if opening else source.path.stem, "options": {"horizon": 0}}


def _model_method(constants: Constants, facts: dict[str, Any]) -> ModelMethod:
    """Return the method of a model. Raises InputError for a constant that is not right."""
    _, default = _LANGUAGES.get(facts["path"].suffix, (None, "cp-sat"))
    solvers = _names(constants, "BACKENDS", backends.BACKENDS, [default])
    for solver in solvers if Objective.COUNT in facts["objectives"] else ():
        refuse_if(
            Ability.COUNTS not in backends.backend(solver).abilities,
            f"OBJECTIVES has {Objective.COUNT}, but the backend {solver} cannot count solutions",
            line=constants["OBJECTIVES"][1],
        )
    objective, line = constants.get("HORIZON", (None, None))
    refuse_if(
        objective not in (None, *_OBJECTIVES),
        f"HORIZON names the objective that it measures, not {objective!r}{suggestion(str(objective), _OBJECTIVES)}",
        line=line,
    )
    refuse_if(line and "horizon" not in facts["options"], "a model with HORIZON needs a function horizons", line=line)
    parameters, line = constants.get("PARAMETERS", ({}, None))
    refuse_if(
        not isinstance(parameters, dict) or not all(isinstance(name, str) for name in parameters),
        'PARAMETERS gives parameters of the solver by name, such as {"presolve": "off"}',
        line=line,
    )
    facts["options"] |= {"command": ""} if external.formats(solvers) else {}
    measures = None if objective is None else Objective(objective)
    return ModelMethod(**facts, backends=solvers, solvers=solvers, measures=measures, parameters=parameters)


def _read_constants(content: bytes | str, names: Collection[str]) -> tuple[ast.Module, Constants]:
    """Return the syntax tree of Python code, and its constants of these names. Raises InputError."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = getattr(error, "msg", str(error)) or "nested too deeply"
        raise InputError(f"not valid Python: {reason}", line=getattr(error, "lineno", None)) from None
    constants: Constants = {}
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if name in names:
                    constants[name] = _literal(value, name), value.lineno
                elif near := get_close_matches(name, names, 1, _SLIP_SIMILARITY):
                    raise InputError(f'pegcp does not read "{name}": did you mean {near[0]}?', line=value.lineno)
    return tree, constants


def _literal(node: ast.expr, name: str) -> Any:
    """Return the value of an expression. Raises InputError unless it is a literal."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise InputError(
            f"{name} must be a literal, so that it can be read without running the file", line=node.lineno
        ) from None


def _names(constants: Constants, key: str, offer: Collection[str], default: Collection[str]) -> tuple[str, ...]:
    """Return a constant that is a tuple of names from which to choose; of backends also those of other packages."""
    names, line = constants.get(key, (tuple(default), None))
    refuse_if(
        not isinstance(names, tuple | list) or not names,
        f'{key} must be a tuple of names, such as ("{next(iter(offer))}",)',
        line=line,
    )
    for name in names:
        is_known = isinstance(name, str) and (
            name in offer or (offer is backends.BACKENDS and backends.find(name) is not None)
        )
        near, listing = suggestion(str(name), offer), ", ".join(offer)
        refuse_if(not is_known, f"unknown name {name!r} in {key}{near}; choose from {listing}", line=line)
    return tuple(dict.fromkeys(names))


def _read_option(argument: ast.arg, node: ast.expr | None) -> tuple[bool | float | str, tuple[str, ...]]:
    """Return the default of a keyword-only argument, which is an option; and its values, if it is annotated as
    ``Literal``."""
    name = argument.arg
    if node is None:
        raise InputError(f"option {name} needs a default", line=argument.lineno)
    default: Any = _literal(node, name)
    refuse_if(
        not isinstance(default, bool | int | float | str),
        f"the default of option {name} must be a number, text, True or False",
        line=node.lineno,
    )
    match argument.annotation:
        case ast.Subscript(value=ast.Name(id="Literal"), slice=literal):
            values: Any = _literal(literal, name)
            values = values if isinstance(values, tuple) else (values,)
            refuse_if(
                not all(isinstance(value, str) for value in values) or default not in values,
                f"option {name} needs texts to choose from, and one of them as its default",
                line=literal.lineno,
            )
            return default, values
        case _:
            return default, ()


def load(source: Source) -> Any:
    """Load a model or search, as its file was when it was read.

    A Python file is run as a module of its own, never under a top-level name such as ``models``; there is one for each
    path, that of the content that was loaded last.
    """
    if source.path.suffix in _LANGUAGES:
        constants, _ = _read_comments(source)
        steps, notion = (str(constants.get(name, ("",))[0]) for name in ("STEPS", "COUNTED"))
        return _LANGUAGES[source.path.suffix][0](source.content.decode("utf-8"), steps, notion)
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
        self.paths = {name: str(source.path)}
        self.paths |= {helper: str(source.path.with_name(f"{helper}.py")) for helper, _ in source.helpers}
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
