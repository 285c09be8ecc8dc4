"""Model files in parts: the statements that add constraints, each of which can be left out when a model is built."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from traceback import extract_tb
from typing import Any

from pegcp.backends.run_loop import Model
from pegcp.catalogue.modelfile import Header, load
from pegcp.errors import InputError, PegcpError
from pegcp.game.board import Board, Jump, jump_name
from pegcp.game.problem import Problem
from pegcp.modelling.formulation import Formulation, by_hole, by_step

Part = tuple[int, int]  # the line of a statement, and how often it was run before
HOOK = "_pegcp_keeps"


@dataclass(frozen=True)
class Pieces:
    """A formulation without some of its parts, and the parts that it has, in the order in which they were added."""

    formulation: Formulation[Any]
    parts: tuple[Part, ...]


class ModelFile:
    """A model file whose parts can be left out.

    ``texts``: the text of each statement by its line; ``uses``: for a line, those that define the names that it uses.
    """

    def __init__(self, header: Header, model: Model, options: Mapping[str, Any]) -> None:
        self.model, self.options = model, options
        self.text = header.source.content.decode()
        self.texts = dict(enumerate((line.strip() for line in self.text.splitlines()), start=1))
        self.asked: list[int] = []  # lines that define what a solution is told in
        self.uses: dict[int, list[int]] = {}

    def build(self, problem: Problem, horizon: int | None, kept: Collection[Part] | None) -> Pieces:
        """Build the model with some of its parts, None for all."""
        raise NotImplementedError

    def place(self, part: Part, board: Board) -> str:  # noqa: ARG002
        """The instance of a statement by meaning, such as ``t = 3, h = b2``; empty where the language has none."""
        return ""

    def refusals(self, work: Callable[[], Any]) -> list[int]:  # noqa: ARG002
        """The lines of functions that say no during some work, where constraints are functions."""
        return []


class PythonFile(ModelFile):
    """A model in Python: each statement that adds constraints asks first whether it is kept.

    Those are calls of a method of the model, calls that are given the model, ``model += ...``, and values given to an
    attribute such as a bound. What is called in the file itself is looked into.
    """

    def __init__(self, header: Header, options: Mapping[str, Any]) -> None:
        text = header.source.content.decode()
        self._roots: dict[int, set[str]] = {}
        self._loops: dict[int, tuple[str, ...]] = {}
        self._places: dict[Part, dict[str, Any]] = {}
        self._adding: set[int] = set()  # the lines that add constraints, by the last build with all parts
        texts: dict[int, str] = {}
        lines = text.splitlines(keepends=True)
        tree = ast.parse(text)
        self._own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        asked = sorted(self._find(tree), key=lambda node: (-node.lineno, -node.col_offset))
        for node in asked:
            texts[node.lineno] = ast.get_source_segment(text, node) or ""
            line = lines[node.lineno - 1].encode()
            ask = f"{HOOK}({node.lineno}, locals())"
            ask = f"{ask} and " if isinstance(node, ast.Expr) else f"if {ask}: "
            at = node.col_offset
            lines[node.lineno - 1] = (line[:at] + ask.encode() + line[at:]).decode()
        header = replace(header, source=replace(header.source, content="".join(lines).encode()))
        module = load(header)
        horizons = module.horizons if header.has_horizons else None
        super().__init__(header, Model(header.source.path, module.build, horizons, None, header.parameters), options)
        self.text = text
        self.texts |= texts
        self.uses = dict(_uses(tree))
        domains = [line for line, code in self.texts.items() if ".addVariable" in code]
        self.asked = domains + self.uses.get(0, [])

    def _find(self, tree: ast.AST) -> Iterator[ast.stmt]:
        """Yield the statements in functions that may add constraints, and note the names of the model in each."""
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node, loops, _ in _statements(function):
                if roots := self._names(node):
                    self._roots[node.lineno] = roots
                    self._loops[node.lineno] = loops
                    yield node

    def _names(self, node: ast.stmt) -> set[str]:
        """The names of which one must be the model for a statement to add constraints; ``*`` for any."""
        match node:
            case ast.Assign(targets=targets) if all(isinstance(target, ast.Attribute) for target in targets):
                return {"*"}
            case ast.AugAssign(target=ast.Name(id=name)):
                return {name}
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="define" | "addVariable" | "addVariables"))):
                return set()  # of a name that the rest uses
            case ast.Expr(value=ast.Call() as call):
                return _owners(call) if _owners(call).isdisjoint(self._own) else set()
            case ast.Expr(value=ast.ListComp(elt=ast.Call() as call)):
                return _owners(call)
            case _:
                return set()

    def build(self, problem: Problem, horizon: int | None, kept: Collection[Part] | None) -> Pieces:
        """Build the model; a statement is asked for each time that it is run."""
        asked: dict[int, list[Any]] = {}  # by line what its names are, each time
        parts: list[Part] = []
        tables: dict[str, list[Any]] = {}

        def keep(line: int, scope: Mapping[str, Any]) -> bool:
            objects = asked.setdefault(line, [])
            part = line, len(objects)
            objects.append([scope.get(name) for name in self._roots[line]])
            self._places[part] = {name: scope[name] for name in self._loops[line] if name in scope}
            parts.append(part)
            tables.update({name: value for name, value in scope.items() if isinstance(value, list)})
            return kept is None or part in kept or line not in self._adding

        self.model.build_with.__globals__[HOOK] = keep
        try:
            formulation = self.model.build(problem, horizon, self.options)
        except PegcpError:
            raise
        except Exception as error:  # whatever the file raises
            frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename == str(self.model.path)]
            line = frames[-1].lineno if frames else None
            fault = f"{type(error).__name__}: {error}"
            raise InputError(fault, source=str(self.model.path), line=line) from error
        if not formulation.made:
            formulation = _with_tables(formulation, problem.board, [*tables.values()])
        if kept is None:
            self._adding = {
                line
                for line, runs in asked.items()
                if "*" in self._roots[line] or any(root is formulation.model for root in runs[0])
            }
        return Pieces(formulation, tuple(part for part in parts if part[0] in self._adding))

    def refusals(self, work: Callable[[], Any]) -> list[int]:
        """The last lines that were run in the first function of the file that returned False during some work."""
        path, lines, last = str(self.model.path), dict[Any, list[int]](), list[int]()

        def trace(frame: Any, event: str, value: Any) -> Any:
            if frame.f_code.co_filename != path:
                return None
            if event == "line":
                lines[frame] = [*lines.get(frame, []), frame.f_lineno][-2:]
            elif event == "return" and value is False and not last:
                last.extend(lines.get(frame, []))
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            work()
        finally:
            sys.settrace(before)
        return last

    def place(self, part: Part, board: Board) -> str:
        """The loop variables of a statement with their values, holes and jumps by name."""
        return ", ".join(f"{name} = {_shown(name, value, board)}" for name, value in self._places[part].items())


def _with_tables(formulation: Formulation[Any], board: Board, lists: list[list[Any]]) -> Formulation[Any]:
    """The formulation with the tables of variables that ``build`` made but did not return: by jump, and by hole."""

    def is_table(rows: list[Any], width: int) -> bool:
        return bool(rows) and all(isinstance(row, list | tuple) and len(row) == width for row in rows)

    for made in lists:
        if is_table(made, len(board.jumps)):
            for peg in lists:
                if len(peg) == len(made) + 1 and is_table(peg, len(board.holes)):
                    return replace(formulation, made=by_step(board, made), peg=by_hole(board, peg))
    return formulation


def _statements(
    node: ast.AST, loops: tuple[str, ...] = (), tests: tuple[int, ...] = ()
) -> Iterator[tuple[ast.stmt, tuple[str, ...], tuple[int, ...]]]:
    """Yield the statements of a function, not of functions within it, each with the variables of the loops around, and
    the lines of the conditions around, the nearest first."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.stmt):
            yield child, loops, tests
        names = (
            [name.id for name in _targets(child) if isinstance(name, ast.Name)] if isinstance(child, ast.For) else []
        )
        lines = (child.lineno,) if isinstance(child, ast.If) else ()
        yield from _statements(child, loops + tuple(names), lines + tests)


def _targets(loop: ast.For) -> list[ast.expr]:
    return loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]


def _owners(call: ast.Call) -> set[str]:
    """The name whose method a call is, or was in the first of a chain of calls; and the names given to it."""
    names = {argument.id for argument in call.args if isinstance(argument, ast.Name)}
    node: ast.expr = call
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return names | ({node.id} if isinstance(node, ast.Name) else set())


def _shown(name: str, value: Any, board: Board) -> str:
    """A value by meaning: a jump, or an index whose name begins with h or j, as hole or jump."""
    if isinstance(value, Jump):
        return jump_name(board, value)
    if isinstance(value, int) and name.startswith("h") and 0 <= value < len(board.holes):
        return board.holes[value]
    if isinstance(value, int) and name.startswith("j") and 0 <= value < len(board.jumps):
        return jump_name(board, board.jumps[value])
    return str(value)


def _uses(tree: ast.AST) -> Iterator[tuple[int, list[int]]]:
    """Yield each line of a function with the lines that it depends on, the nearest first: conditions around it, and
    definitions of the names that it uses. Under 0 are those of what the function returns."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        defined: dict[str, list[int]] = {}
        for node, _, tests in _statements(function):
            own = node.iter if isinstance(node, ast.For) else node.test if isinstance(node, ast.If) else node
            names = {name.id for name in ast.walk(own) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)}
            lines = {line for name in names for line in defined.get(name, ()) if line != node.lineno}
            is_end = isinstance(node, ast.Return) and function.name == "build"
            yield 0 if is_end else node.lineno, [*tests, *sorted(lines, reverse=True)]
            places = [node.lineno, *tests]
            targets: list[ast.expr] = []
            match node:
                case ast.Assign(value=ast.List(elts=[])) | ast.AnnAssign(value=ast.List(elts=[])):
                    pass
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=value, attr="append"))):
                    targets = [value]
                case ast.For(target=target) | ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                    targets = [target]
                case ast.Assign(targets=targets):
                    pass
                case _:
                    pass
            for target in targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        defined.setdefault(name.id, []).extend(places)
