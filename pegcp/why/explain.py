"""Which lines of a model file exclude a solution, and which rule of the game no line says."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pegcp import backends
from pegcp.backends.run_loop import Model
from pegcp.catalogue.methods import Chosen
from pegcp.catalogue.modelfile import read_header
from pegcp.catalogue.registry import load_model
from pegcp.errors import InputError, InvalidSolution
from pegcp.game.board import Jump, jump_name
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.replay import check
from pegcp.method import Answer, Limits, Run, Status
from pegcp.modelling.formulation import Formulation
from pegcp.why.fixing import fixed
from pegcp.why.layout import Steps, layouts
from pegcp.why.parts import ModelFile, Part, PythonFile
from pegcp.why.rules import SENTENCES, broken_rule
from pegcp.why.statements import StatementFile

MOST_LAYOUTS = 6  # that are tried
MOST_USED = 3  # lines that are named because those before them use what they define


@dataclass(frozen=True)
class Line:
    """A line of a model file: its number, its text, and an instance by meaning.

    ``excludes``: False for a line that only defines what a line before it uses.
    """

    number: int
    text: str
    place: str = ""
    excludes: bool = True


@dataclass(frozen=True, repr=False)
class Why:
    """The answer: ``says`` in one sentence, and the lines that exclude, or the rule that is missing.

    ``kind``: ``excludes``, ``impossible`` (no solution at all), ``order`` (only this order is excluded), ``accepts``
    (what is no solution; ``rule`` is the sentence that no line says, ``step`` where), ``agrees`` or ``unknown``.
    ``step`` is the step, from 1, at which model and rules part; ``jumps`` the solution that was asked about.
    """

    kind: str
    says: str
    path: str = ""
    lines: tuple[Line, ...] = ()
    step: int | None = None
    rule: int | None = None
    jumps: tuple[str, ...] = ()

    def __str__(self) -> str:
        name = Path(self.path).name
        rows = [f"{name}:{line.number} `{_short(line.text)}`{f': at {line.place}' if line.place else ''}" for line in self.lines if line.excludes]
        used = [f"  from {name}:{line.number} `{_short(line.text)}`" for line in self.lines if not line.excludes]
        return "\n".join([self.says, *rows, *used])

    def __repr__(self) -> str:
        return f"<Why: {self.kind}, lines {[line.number for line in self.lines]}>"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:97]}..."


def explain(problem: Problem, chosen: Chosen, jumps: Sequence[Jump] | None, seconds: float = 60.0) -> Why:
    """Return why a model excludes a solution; or accepts what is none; without a solution, why it has none."""
    if not chosen.is_model or chosen.method.path is None:
        raise InputError(f"{chosen.text} is no model file with lines to name")
    asked = Question(problem, chosen, seconds)
    if jumps is not None:
        try:
            check(problem, jumps)
        except InvalidSolution as error:
            return asked.accepted(jumps, str(error))
        if (why := asked.excluded(jumps)) is not None:
            return why
    return asked.answered(jumps)


class Question:
    """A problem and a model file, which is built and solved again and again, without some of its lines."""

    def __init__(self, problem: Problem, chosen: Chosen, seconds: float) -> None:
        assert chosen.method.path is not None
        assert chosen.backend is not None
        self.problem, self.backend = problem, backends.backend(chosen.backend).loaded()
        self.ends = time.monotonic() + seconds
        self.options = chosen.parameters
        header = read_header(chosen.method.path, "build")
        self.path = str(header.source.path)
        is_python = header.source.path.suffix == ".py"
        model = load_model(header)
        self.file: ModelFile = PythonFile(header, self.options) if is_python else StatementFile(header, model, self.options)
        self.horizons = self.file.model.horizon_log(problem, self.options).all
        self.measures = header.measures
        self.is_functions = chosen.backend == "python-constraint"
        self.horizon = self.horizons[-1] if self.horizons else None

    def is_single(self, formulation: Formulation[Any]) -> bool:
        """Whether a step of the model has one jump, and not several at once or one after the other."""
        counts = self.problem.jump_counts
        if not all(horizon is None or horizon in counts for horizon in self.horizons):
            return False
        in_board_order = not formulation.made or [*formulation.made[0]] == [*self.problem.board.jumps]
        return bool(formulation.moves) or self.measures is not None or in_board_order

    # -- asking the solver

    def solve(self, values: Callable[[Formulation[Any]], list[tuple[Any, Any]]], kept: Collection[Part] | None = None) -> tuple[Answer, Any]:
        """The answer of the solver with some values fixed, and only the parts that are kept; and what it read."""
        formulation = self.file.build(self.problem, self.horizon, kept).formulation
        read: list[Any] = []

        def jumps(value: Any) -> Any:
            read[:] = [(formulation, value)]
            return formulation.jumps(value)

        model = fixed(formulation.model, values(formulation))
        asked = replace(formulation, model=model, jumps=jumps)
        once = Model(Path(self.path), lambda *_, **__: asked, None, None, self.file.model.parameters)
        run = Run(Limits(time=max(0.1, self.ends - time.monotonic()), workers=1))
        options = {key: value for key, value in self.options.items() if key != "horizon"}
        answer = self.backend.run(once, replace(self.problem, objective=Objective.ANY), run, options)
        return answer, read[0] if read else None

    def excludes(self, values: Callable[[Formulation[Any]], list[tuple[Any, Any]]], kept: Collection[Part] | None = None) -> bool:
        """Whether the model has no solution with these values."""
        return self.solve(values, kept)[0].status is Status.INFEASIBLE

    # -- a solution that is excluded

    def excluded(self, jumps: Sequence[Jump]) -> Why | None:
        """The lines that exclude a solution; None if the model accepts it, in any order that it asks for."""
        tried: list[Steps] = []
        usual: tuple[Any, Steps] | None = None
        for horizon in self.horizons:
            self.horizon = horizon
            formulation = self.file.build(self.problem, horizon, None).formulation
            board_jumps = dict.fromkeys(self.problem.board.jumps)
            made = formulation.made or [board_jumps] * len(jumps) * (horizon in (None, self.horizons[-1]))
            tried = []
            for steps in layouts(self.problem, jumps, made, self.is_single(formulation)):
                if steps not in tried and len(tried) < MOST_LAYOUTS:
                    tried.append(steps)
            for steps in tried:
                if not self.excludes(self.values(steps)):
                    return None
            if tried:
                usual = usual or (horizon, tried[0])
                break
        if usual is None:
            return None
        self.horizon, steps = usual
        lines = self.lines(self.values(steps))
        step = self.parts_at(steps, lines)
        names = tuple(jump_name(self.problem.board, jump) for step in steps for jump in step)
        where = "the start" if step == 0 else f"step {step}"
        made = " ".join(jump_name(self.problem.board, jump) for jump in steps[step - 1]) if 0 < (step or 0) <= len(steps) else ""
        says = f"The model excludes the solution {' '.join(names)}; model and rules part at {where}{f' ({made})' if made else ''}."
        return Why("excludes", says, self.path, tuple(lines), step, jumps=names)

    def values(self, steps: Steps, first: int | None = None) -> Callable[[Formulation[Any]], list[tuple[Any, Any]]]:
        """The values of a solution, of its ``first`` steps only or of all."""
        number = {jump: j for j, jump in enumerate(self.problem.board.jumps)}

        def values(formulation: Formulation[Any]) -> list[tuple[Any, Any]]:
            positions = [self.problem.start.mask]
            for step in steps:
                positions.append(positions[-1])
                for jump in step:
                    positions[-1] ^= jump.mask
            last = len(steps) if first is None else first
            rows = [(variable, jump in step) for step, made in zip(steps[:last], formulation.made, strict=False) for jump, variable in made.items()]
            rows += [
                (variable, bool(position >> self.problem.board.hole(hole) & 1))
                for position, peg in zip(positions[: last + 1], formulation.peg, strict=False)
                for hole, variable in peg.items()
            ]
            if not formulation.made and hasattr(formulation.model, "_variables"):
                domains = formulation.model._variables
                for t, (name, domain) in enumerate(domains.items()):
                    is_position = len(domains) == len(positions)
                    choices = (positions[t],) if is_position else (steps[t][0], number[steps[t][0]])
                    rows += [(name, choice) for choice in choices if choice in domain and (is_position or t < last)][:1]
            return rows

        return values

    def lines(self, values: Callable[[Formulation[Any]], list[tuple[Any, Any]]]) -> list[Line]:
        """A smallest set of lines that exclude some values, each with an instance; then lines that they use."""
        pieces = self.file.build(self.problem, self.horizon, None)
        of_line: dict[int, list[Part]] = {}
        for part in pieces.parts:
            of_line.setdefault(part[0], []).append(part)

        def all_of(lines: Collection[int]) -> set[Part]:
            return {part for line in lines for part in of_line[line]}

        chosen = smallest(list(of_line), lambda lines: self.excludes(values, all_of(lines)))
        parts = [part for part in pieces.parts if part[0] in chosen]
        if time.monotonic() < self.ends:
            parts = smallest(parts, lambda some: self.excludes(values, set(some)))
        first = {part[0]: part for part in sorted(parts, reverse=True)}
        named = [Line(line, self.file.texts[line], self.file.place(first[line], self.problem.board)) for line in chosen if line in first]
        used = dict.fromkeys(self.file.refusals(lambda: self.excludes(values, set(parts))) if self.is_functions else ())
        for line in chosen:
            used |= dict.fromkeys(self.file.uses.get(line, ()))
        used = used if chosen else dict.fromkeys(self.file.asked)
        rest = [line for line in used if line not in chosen and (line not in of_line or not chosen)][:MOST_USED]
        return named + [Line(line, self.file.texts[line], excludes=False) for line in rest]

    def parts_at(self, steps: Steps, lines: Sequence[Line]) -> int | None:
        """The first step after which the named lines exclude what the solution has made so far."""
        numbers = {line.number for line in lines if line.excludes}
        kept = {part for part in self.file.build(self.problem, self.horizon, None).parts if part[0] in numbers}
        least, most = 0, len(steps)
        while least < most:
            middle = (least + most) // 2
            if self.excludes(self.values(steps, middle), kept):
                most = middle
            else:
                least = middle + 1
        return least

    # -- an answer that is no solution

    def answered(self, jumps: Sequence[Jump] | None) -> Why:
        """Ask the model itself: it has no solution, or one that breaks a rule, or a right one."""
        for horizon in self.horizons:
            self.horizon = horizon
            answer, read = self.solve(lambda _: [])
            if answer.jumps is not None:
                try:
                    check(self.problem, answer.jumps)
                except InvalidSolution as error:
                    return self.accepted(answer.jumps, str(error), read)
                return Why("agrees", "The model accepts solutions, and its answer is one.", self.path, jumps=self.names(answer.jumps))
            if answer.status is not Status.INFEASIBLE:
                return Why("unknown", f"The model has not answered: {answer.message}.", self.path)
        if jumps is not None:
            return Why("agrees", "The model accepts the solution.", self.path, jumps=self.names(jumps))
        return Why("impossible", "The model has no solution.", self.path, tuple(self.lines(lambda _: [])))

    def names(self, jumps: Sequence[Jump]) -> tuple[str, ...]:
        """Jumps by name."""
        return tuple(jump_name(self.problem.board, jump) for jump in jumps)

    def accepted(self, jumps: Sequence[Jump], fault: str, read: Any = None) -> Why:
        """The rule that no line says, for jumps that are no solution but an answer of the model."""
        if read is None:
            return Why("unknown", "todo")
        rule = self.rule(jumps, *read)
        if rule is None:
            line = read[0].jumps.__code__.co_firstlineno
            says = f"The values of the model are a solution, but its jumps are read wrongly: {fault}."
            return Why("accepts", says, self.path, (Line(line, self.file.texts[line], excludes=False),), rule=0, jumps=self.names(jumps))
        number, step, text = rule
        says = f"The model accepts what is no solution: {text}. No line says that {SENTENCES[number]}."
        return Why("accepts", says, self.path, step=step + 1, rule=number, jumps=self.names(jumps))

    def rule(self, jumps: Sequence[Jump], formulation: Formulation[Any], value: Any) -> Any:
        """The rule that the values of a solution break."""
        kind = "single"
        steps = [[jump] for jump in jumps]
        pegs = [self.problem.start.mask]
        for jump in jumps:
            pegs.append((pegs[-1] & ~jump.mask) | (jump.mask & ~jump.needs))
        if formulation.made and not isinstance(formulation.made[0], str):
            order = list(formulation.made[0])
            kind = "single" if self.is_single(formulation) else "independent" if order == [j for j in self.problem.board.jumps] else "several"
            read = reader(formulation, value)
            if read is not None:
                steps = [[jump for jump, variable in made.items() if read(variable)] for made in formulation.made]
                pegs = [sum(1 << self.problem.board.hole(h) for h, variable in peg.items() if read(variable)) for peg in formulation.peg]
        return broken_rule(self.problem, steps, pegs, kind)


def reader(formulation: Formulation[Any], value: Any) -> Callable[[Any], int] | None:
    """The function from a variable by meaning to its value in a solution."""
    first = next(iter(formulation.peg[0].values()))
    if not isinstance(first, str):
        return value
    if not first.startswith("(= ((_ extract"):
        return None

    def bit(term: str) -> int:
        at, name = re.findall(r"(\d+)\) (\w+)\)", term)[0]
        return value(name) >> int(at) & 1

    return bit


def smallest(units: list[Any], excludes: Callable[[list[Any]], bool]) -> list[Any]:
    """A set of units that exclude, of which none can be left out: each time the last of the shortest beginning."""
    chosen: list[Any] = []
    rest = units
    while not excludes(chosen):
        least, most = 1, len(rest)
        if not most:
            break
        while least < most:
            middle = (least + most) // 2
            if excludes(chosen + rest[:middle]):
                most = middle
            else:
                least = middle + 1
        chosen.append(rest[least - 1])
        rest = rest[: least - 1]
    return chosen
