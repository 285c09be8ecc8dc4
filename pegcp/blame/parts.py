"""Model files in parts, each of which can be left out when a model is built; and the values of a model's variables that
mean the steps of a solution."""

import ast
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import FrameType
from typing import Any

from pegcp.catalogue.modelfile import ModelMethod
from pegcp.game import Board, Jump, Problem, jump_name
from pegcp.method import Options
from pegcp.modelling.formulation import AnyFormulation, ByJump, Value, Variable
from pegcp.modelling.steps import Steps

Part = tuple[int, int]  # the line of a statement, and how often it was run before
HOOK = "_pegcp_keeps"
# What a statement begins with that may add constraints: a call of a method of the model, or one that is given the
# model; model += and model.attribute =. The name of the model is that in Formulation(NAME, ...).
_ADDING = r"\[?(?:{0}\.(?!define|addVariable)[\w.]+\(|[\w.]*?(\w+)\((?:[^()]*, )?{0}[,)]|{0} \+=|{0}\.\w+ =)"
_MODEL = re.compile(r"\bFormulation\(\s*(?:model=)?(\w+)")
_GIVING = re.compile(r"(?:for |def )?([\w, \[\]]+?)(?: in |\(|\.append\(|(?:: [^=]+)? [|+]?= )")
_COMMENT = re.compile(r"%\*.*?\*%|/\*.*?\*/|%[^\n]*", re.DOTALL)
_RULE = re.compile(r'\S(?:"[^"]*"|\.\.|[^.])*\.(?=\s|$)')
_ITEM = re.compile(r"\S[^;]*;")
_HEAD = re.compile(r"(?!:-|#)[^:]*?\b([a-z]\w*)\(([^()]*)\)")
_DEFINITION = re.compile(r"(?:function|predicate|array|set of|int|bool|float|var|test)\b[^:]*:\s*(\w+)\s*[=(].*=", re.S)
# How a solver's model takes the value of a variable, by the module of its class; CP-SAT and CPMpy as the default.
_FIXES: Mapping[str, Callable[[Any, Variable, bool], object]] = {
    "pegcp.modelling.cnf": lambda model, literal, value: model.add(literal if value else -literal),
    "pegcp.modelling.smt": lambda model, term, value: model.add(term if value else f"(not {term})"),
    "ortools.math_opt.python.model": lambda model, variable, value: model.add_linear_constraint(variable == value),
    "constraint.problem": lambda model, pair, value: model._variables[pair[0]].__setitem__(
        slice(None), [other for other in model._variables[pair[0]] if (other == pair[1]) == value]
    ),
    "pychoco.model": lambda model, variable, value: model.arithm(variable, "=", int(value)).post(),
    "": lambda model, variable, value: model.add(variable == value),
}
# The field of a model that is text, and the text for a value, by the name of its class.
_TEXTS: Mapping[str, tuple[str, Callable[[str, bool], str]]] = {
    "Rules": ("facts", lambda atom, value: f":- {'not ' * value}{atom}.\n"),
    "MiniZinc": ("data", lambda term, value: f"constraint {term} = {int(value)};\n"),
}
_FIRST_STEP = {"Rules": 1, "MiniZinc": 0}  # where made is read by step and jump number


class ModelFile:
    """A model file whose parts can be left out.

    ``texts``: the text of each statement by its line; ``definitions``: the lines that give a name its value;
    ``variables``: the names by which a solution is given to the model; ``unused``: lines with atoms that are
    defined and not used, or used and not defined; ``spans``: the first and the last line of each statement in Python.
    """

    def __init__(self, method: ModelMethod, options: Options) -> None:
        self.path, self.options, self.text = str(method.path), options, method.source.content.decode()
        self.texts = dict(enumerate((line.strip() for line in self.text.splitlines()), start=1))
        self.definitions: dict[str, list[int]] = {}
        self.unused_lines: list[int] = []
        self.spans: list[tuple[int, int]] = []
        self.variables = "made peg"
        self.scopes: dict[Part, dict[str, Any]] = {}  # the variables of the function when a part was run

    def around(self, line: int) -> list[int]:
        """Return the lines of the loops, conditions and functions around a line, the nearest first."""
        return sorted((first for first, last in self.spans if first < line <= last), reverse=True)

    def tests(self, line: int) -> list[int]:
        """Return the conditions under which a line is run, the nearest first."""
        return [number for number in self.around(line) if self.texts[number].startswith(("if ", "elif "))]

    def sources(self, text: str) -> set[int]:
        """Return the lines that give the names in a text their values."""
        return {line for name in re.findall(r"\w+", text) for line in self.definitions.get(name, ())}

    def uses(self, line: int) -> list[int]:
        """Return the lines that a line depends on, loops last, the nearest first; for line 0 those that a solution is
        read from, and in Python what these use."""
        tests = self.tests(line)
        depends = [line, *tests] if line else self.sources(self.variables) if self.spans else []
        text = " ".join([self.variables * (not line), *(self.texts[number] for number in depends)])
        function = min(self.around(line), default=0)
        near = [number for number in self.sources(text) if not function or function < number < line]
        near.sort(key=lambda number: (self.texts[number].startswith("for "), -number))
        return [*tests, *self.unused_lines, *(other for number in near for other in (number, *self.tests(number)))]

    def place(self, part: Part, board: Board) -> str:
        """Return the loop variables of a part with their values: jumps, and indices that begin with h or j, by name."""
        rows = {"h": board.holes, "j": [jump_name(board, jump) for jump in board.jumps]}
        scope, loops = self.scopes.get(part, {}), [self.texts[line] for line in self.around(part[0])]
        targets = " ".join(loop.partition(" in ")[0] for loop in reversed(loops) if loop.startswith("for "))
        words = []
        for name in (name for name in re.findall(r"\w+", targets) if name in scope):
            value, row = scope[name], rows.get(name[0], ())
            is_index = isinstance(value, int) and 0 <= value < len(row)
            words.append(
                f"{name} = {jump_name(board, value) if isinstance(value, Jump) else row[value] if is_index else value}"
            )
        return ", ".join(words)


class PythonFile(ModelFile):
    """A model in Python: each statement that may add constraints asks first whether it is kept.

    Those are calls of a method of the model, calls that are given the model, ``model += ...``, and values given to an
    attribute of the model. What is called in the file itself is looked into.
    """

    def __init__(self, method: ModelMethod, options: Options) -> None:
        super().__init__(method, options)
        tree, lines = ast.parse(self.text), self.text.splitlines(keepends=True)
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        models = {"model", *_MODEL.findall(self.text)}
        adding = re.compile(_ADDING.format(f"(?:{'|'.join(models)})"))
        statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        self.spans = [(node.lineno, node.end_lineno or 0) for node in statements]
        for node in sorted(statements, key=lambda node: (-node.lineno, -node.col_offset)):
            text = ast.get_source_segment(self.text, node) or ""
            for name in {*re.findall(r"\w+", match[1])} - models if (match := _GIVING.match(text)) else ():
                self.definitions.setdefault(name, []).append(node.lineno)
            if text.startswith("return Formulation("):
                self.variables = " ".join(re.findall(r"(?:made|peg)=(.*)", text))
            match = adding.match(text) if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign) else None
            if match and match[1] not in own and node.col_offset:
                self.texts[node.lineno] = text
                line, at, ask = lines[node.lineno - 1].encode(), node.col_offset, f"{HOOK}({node.lineno}, locals())"
                ask = f"{ask} and " if isinstance(node, ast.Expr) else f"if {ask}: "
                lines[node.lineno - 1] = (line[:at] + ask.encode() + line[at:]).decode()
        self.model = replace(method, source=replace(method.source, content="".join(lines).encode())).loaded()

    def build(
        self, problem: Problem, horizon: int | None, selection: Collection[Part] | None = None
    ) -> tuple[AnyFormulation, list[Part]]:
        """Build the model; a statement asks each time that it is run."""
        parts: list[Part] = []
        times: dict[int, int] = {}

        def keep(line: int, scope: Mapping[str, Any]) -> bool:
            times[line] = times.get(line, -1) + 1
            parts.append((line, times[line]))
            if selection is None:
                self.scopes[parts[-1]] = dict(scope)
            return selection is None or parts[-1] in selection

        self.model.build_with.__globals__[HOOK] = keep
        return with_pairs(self.model.build(problem, horizon, self.options), problem.board), parts


def refusals(path: str, solve: Callable[[], object]) -> list[int]:
    """Return the line at which a function of a file returned False last, while a model was solved."""
    lines: list[int] = []

    def trace(frame: FrameType, event: str, value: object) -> Any:
        if event == "return" and value is False:
            lines[:] = [frame.f_lineno]
        return trace if frame.f_code.co_filename == path else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        solve()
    finally:
        sys.settrace(before)
    return lines


class StatementFile(ModelFile):
    """A file of rules, or in MiniZinc. A part is a statement.

    A rule that defines atoms is left out so that these may be true or false as they like: the model only gets weaker.
    """

    def __init__(self, method: ModelMethod, options: Options) -> None:
        super().__init__(method, options)
        is_rules = self.path.endswith(".lp")
        code = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), self.text)
        jumps = set(re.findall(r"\bjump\((\w+),", code))
        self._spans: dict[int, tuple[int, int, str]] = {}  # by line: where it is, and what stands there without it
        for match in (_RULE if is_rules else _ITEM).finditer(code):
            line, text = code.count("\n", 0, match.start()) + 1, match[0]
            self.texts[line], instead = " ".join(text.split()), ""
            if head := (_HEAD if is_rules else _DEFINITION).match(text):
                self.definitions.setdefault(head[1], []).append(line)
            if head and is_rules:
                variables = re.findall(r"\b[A-Z]\w*", head[2])
                sorts = [f"jump({name},_,_,_)" if name in jumps else f"hole({name})" for name in variables]
                instead = f"{{ {head[1]}({head[2]}) : {', '.join(sorts) or '#true'} }}."
            if text.startswith("constraint") or (is_rules and text[0] != "#"):
                self._spans[line] = *match.span(), instead + "\n" * text.count("\n")
        for name, lines in self.definitions.items() if is_rules else ():
            self.unused_lines += lines if len(re.findall(rf"\b{name}\(", code)) == len(lines) else []
        if is_rules and "made" not in self.definitions:
            self.unused_lines += [line for line in self._spans if "made(" in self.texts[line]]
        self.model = method.loaded()

    def build(
        self, problem: Problem, horizon: int | None, selection: Collection[Part] | None = None
    ) -> tuple[AnyFormulation, list[Part]]:
        """Build the model without the text of the statements that are left out."""
        formulation, text = self.model.build(problem, horizon, self.options), self.text
        if "peg" not in self.definitions:  # the file has another name for them
            formulation = replace(formulation, peg=[])
        for line, (start, end, instead) in sorted(self._spans.items(), reverse=True):
            if selection is not None and (line, 0) not in selection:
                text = text[:start] + instead + text[end:]
        return replace(formulation, model=replace(formulation.model, text=text)), [(line, 0) for line in self._spans]


def fix_values(formulation: AnyFormulation, steps: Steps, positions: Sequence[int], pegs: int) -> AnyFormulation:
    """Return the formulation with the values of some steps, and those of the first ``pegs`` holes of positions."""
    rows = [
        (variable, jump in step)
        for step, variables in zip(steps, formulation.made, strict=False)
        for jump, variable in variables.items()
    ]
    holes = [
        (variable, bool(position >> h & 1))
        for position, variables in zip(positions, formulation.peg, strict=False)
        for h, variable in enumerate(variables.values())
    ]
    model, library = formulation.model, type(formulation.model).__module__
    if type(model).__name__ in _TEXTS:
        name, row = _TEXTS[type(model).__name__]
        text = getattr(model, name) + "".join(row(variable, value) for variable, value in rows + holes[:pegs])
        return replace(formulation, model=replace(model, **{name: text}))
    for variable, value in rows + holes[:pegs]:
        _FIXES.get(library, _FIXES[""])(model, variable, value)
    return formulation


def with_pairs(formulation: AnyFormulation, board: Board) -> AnyFormulation:
    """Return a formulation for python-constraint that says ``made``: a variable and the value that means a jump there.

    What a value means is read from a solution of that value alone. Other formulations are returned as they are.
    """
    if type(formulation.model).__module__ != "constraint.problem":
        return formulation
    made = []
    for name, domain in formulation.model._variables.items():
        meanings = ((formulation.jumps(lambda _, value=value: value) or [], value) for value in domain)
        pairs = dict(sorted((jumps[0], (name, value)) for jumps, value in meanings if jumps))
        made.append(ByJump(board, [*pairs], [*pairs.values()]))
    return replace(formulation, made=made)


def read_steps(formulation: AnyFormulation, value: Value) -> Steps:
    """Return the jumps that a solution of a model makes in each step."""
    first = _FIRST_STEP.get(type(formulation.model).__name__)

    def is_made(t: int, j: int, variable: Variable) -> bool:
        if isinstance(variable, tuple):
            return bool(value(variable[0]) == variable[1])
        if bit := re.match(r"\(= \(\(_ extract (\d+) \d+\) (\w+)\)", str(variable)):
            return bool(value(bit[2]) >> int(bit[1]) & 1)
        return bool(value(variable if first is None else (t + first, j)))

    return [
        [jump for j, (jump, variable) in enumerate(step.items()) if isinstance(jump, Jump) and is_made(t, j, variable)]
        for t, step in enumerate(formulation.made)
    ]
