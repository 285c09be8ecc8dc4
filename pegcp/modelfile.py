"""Finding, describing and loading the files that hold models and searches.

A Python file describes itself with literals that are read without running it (so listing needs no solver):

* the first line of its docstring: what it is;
* ``BACKENDS``: the backends that can run it (models only), the default first;
* ``GOALS`` and ``OBJECTIVES``: what it answers;
* keyword-only arguments of ``build`` (models) or ``search`` (searches): its options and their defaults; the annotation
  ``Literal["a", "b"]`` says which values an option takes.

A model defines ``build(problem, **options) -> Formulation``. If it must fix a horizon, it defines
``horizons(problem)``, rising and complete: when none of them has a solution there is none; then it is
``build(problem, horizon, **options)``, and ``HORIZON`` names the objective that the horizon measures, if any.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from pegcp.errors import InputError, suggestion
from pegcp.game.goal import GOAL_KINDS, Objective


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
    horizon: bool = False

    @property
    def name(self) -> str:
        """The name of the model: that of its file, with hyphens."""
        return self.path.stem.replace("_", "-")


def models_folder() -> Path:
    """The folder of the bundled models: in the installed package, or in the checkout."""
    packaged = Path(__file__).parent / "_models"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "models"


def bundled_models() -> Iterator[Header]:
    """Headers of the bundled Python models, by name."""
    for path in sorted(models_folder().glob("*.py")):
        yield read_header(path, "build")


@cache
def read_header(path: Path, function: str) -> Header:
    """The header of a file whose main function is ``build`` or ``search``. Raises InputError, with the line."""
    try:
        tree = ast.parse(path.read_bytes(), filename=str(path))
    except OSError as error:
        raise InputError(f"cannot read the model: {error.strerror}", source=str(path)) from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"not valid Python: {getattr(error, 'msg', error)}", source=str(path), line=line) from None
    constants: dict[str, Any] = {}
    main: ast.FunctionDef | None = None
    horizon = False
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id in ("BACKENDS", "GOALS", "OBJECTIVES"):
                constants[node.targets[0].id] = _literal(node.value, path, node.targets[0].id)
        elif isinstance(node, ast.FunctionDef):
            if node.name == function:
                main = node
            horizon |= node.name == "horizons"
    if main is None:
        raise InputError(
            f"a {'model' if function == 'build' else 'search'} file needs a function {function}", source=str(path)
        )
    docstring = ast.get_docstring(tree) or path.stem
    return Header(
        path,
        docstring.splitlines()[0].rstrip(),
        _names(constants, "GOALS", GOAL_KINDS, path),
        _names(constants, "OBJECTIVES", frozenset(Objective), path),
        tuple(constants.get("BACKENDS", ("cp-sat",) if function == "build" else ())),
        {
            argument.arg: _literal(default, path, argument.arg)
            for argument, default in zip(main.args.kwonlyargs, main.args.kw_defaults, strict=True)
            if default is not None
        },
        {
            argument.arg: tuple(map(str, _literal(annotation.slice, path, argument.arg)))
            for argument in main.args.kwonlyargs
            if isinstance(annotation := argument.annotation, ast.Subscript)
            and isinstance(annotation.value, ast.Name)
            and annotation.value.id == "Literal"
        },
        horizon,
    )


def _literal(node: ast.expr, path: Path, name: str) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise InputError(
            f"{name} must be a literal, so that it can be read without running the file",
            source=str(path),
            line=node.lineno,
        ) from None


def _names(constants: Mapping[str, Any], key: str, known: frozenset[str], path: Path) -> frozenset[str]:
    given = constants.get(key, ("any",) if key == "OBJECTIVES" else tuple(known))
    if not isinstance(given, tuple | list):
        raise InputError(f"{key} must be a tuple of names", source=str(path))
    for name in given:
        if name not in known:
            raise InputError(f'unknown name "{name}" in {key}{suggestion(str(name), known)}', source=str(path))
    return frozenset(str(name) for name in given)


def load(path: Path) -> ModuleType:
    """Run a Python file as a module of its own, never under a top-level name such as ``models``."""
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
