"""Which lines of a model file exclude a solution, and which rule of the game no line says."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pegcp import backends
from pegcp.backends.run_loop import Model
from pegcp.blame.answer import Line, Why
from pegcp.blame.fixing import fixed
from pegcp.blame.layout import Steps, layouts
from pegcp.blame.parts import ModelFile, Part, PythonFile
from pegcp.blame.rules import SENTENCES, broken_rule
from pegcp.blame.statements import StatementFile
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
from pegcp.modelling.rules import Rules

Values = Callable[[Formulation[Any]], list[tuple[Any, Any]]]  # of the variables of a formulation
MOST_LAYOUTS = 6  # that are tried
MOST_USED = 3  # lines that are named because those before them use what they define


def explain(
    problem: Problem, chosen: Chosen, jumps: Sequence[Jump] | None, seconds: float = 60.0, *, is_given: bool = False
) -> Why:
    """Return why a model excludes a solution; or accepts what is none; without a solution, why it has none."""
    if not chosen.is_model or chosen.method.path is None:
        raise InputError(f"{chosen.text} is no model file with lines to name")
    asked = Question(problem, chosen, seconds)
    if jumps is None:
        return asked.answered(None)
    try:
        check(problem, jumps)
    except InvalidSolution as error:
        return asked.accepted(jumps, str(error))
    why = asked.excluded(jumps, is_given)
    if why is not None and why.kind == "excludes":
        return why
    answer = asked.answered(jumps)
    return why if why is not None and answer.kind == "agrees" else answer


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
        self.file: ModelFile = (
            PythonFile(header, self.options) if is_python else StatementFile(header, model, self.options)
        )
        self.horizons = self.file.model.horizon_log(problem, self.options).all
        self.counts_jumps = header.measures is not None or header.rules[0] in ("jumps", "counts")
        self.is_functions = chosen.backend == "python-constraint"
        self.horizon = self.horizons[-1] if self.horizons else None

    def is_single(self, formulation: Formulation[Any]) -> bool:
        """Whether a step of the model has one jump, and not several at once or one after the other."""
        counts = self.problem.jump_counts
        if not all(horizon is None or horizon in counts for horizon in self.horizons):
            return False
        in_board_order = not formulation.made or [*formulation.made[0]] == [*self.problem.board.jumps]
        return bool(formulation.moves) or self.counts_jumps or in_board_order

    # -- asking the solver

    def solve(self, values: Values, kept: Collection[Part] | None = None) -> tuple[Answer, Any]:
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

    def excludes(self, values: Values, kept: Collection[Part] | None = None) -> bool:
        """Whether the model has no solution with these values."""
        return self.solve(values, kept)[0].status is Status.INFEASIBLE

    # -- a solution that is excluded

    def excluded(self, jumps: Sequence[Jump], is_given: bool) -> Why | None:
        """The lines that exclude a solution; None if the model accepts it, in any order that it asks for.

        If it is given in another order, which the model excludes, the lines that do.
        """
        as_written = [[jump] for jump in jumps]
        for horizon in self.horizons:
            self.horizon = horizon
            tried = self.layouts(jumps)
            accepted = next((steps for steps in tried if not self.excludes(self.values(steps))), None)
            if accepted is not None:
                if not is_given or as_written not in tried or not self.excludes(self.values(as_written)):
                    return None
                order = " ".join(self.names([jump for step in accepted for jump in step]))
                says = (
                    f"The model accepts the solution in the order {order}; in the order that was asked for it does not."
                )
                return Why(
                    "order", says, self.path, tuple(self.lines(self.values(as_written))), jumps=self.names(jumps)
                )
            if tried:
                return self.exclusion(tried[0])
        return None

    def exclusion(self, steps: Steps) -> Why:
        """The lines that exclude a solution on the steps of the model, and where model and rules part."""
        lines = self.lines(self.values(steps))
        step = self.departing_step(steps, lines)
        names = self.names([jump for jumps in steps for jump in jumps])
        made = " ".join(self.names(steps[step - 1])) if step else ""
        where = f"step {step} ({made})" if step else "the start"
        says = f"The model excludes the solution {' '.join(names)}; model and rules part at {where}."
        return Why("excludes", says, self.path, tuple(lines), step, jumps=names)

    def layouts(self, jumps: Sequence[Jump]) -> list[Steps]:
        """Ways to place jumps on the steps of the model with this horizon; none if it has too few."""
        formulation = self.file.build(self.problem, self.horizon, None).formulation
        board_jumps = dict.fromkeys(self.problem.board.jumps)
        made: Sequence[Mapping[Any, Any]] = formulation.made or [board_jumps] * len(jumps) * (
            self.horizon in (None, self.horizons[-1])
        )
        tried: list[Steps] = []
        for steps in layouts(self.problem, jumps, made, self.is_single(formulation)):
            fits = formulation.made or all(len(step) == 1 for step in steps)
            if fits and steps not in tried and len(tried) < MOST_LAYOUTS:
                tried.append(steps)
        return tried

    def values(self, steps: Steps, first: int | None = None, *, pegs: bool = True) -> Values:
        """The values of a solution, of its ``first`` steps only or of all; without ``pegs`` of the jumps alone."""
        number = {jump: j for j, jump in enumerate(self.problem.board.jumps)}
        positions, holes = self.positions(steps), self.problem.board.holes
        last = len(steps) if first is None else first

        def values(formulation: Formulation[Any]) -> list[tuple[Any, Any]]:
            made = zip(steps[:last], formulation.made, strict=False)
            rows: list[tuple[Any, Any]] = [
                (variable, jump in step) for step, variables in made for jump, variable in variables.items()
            ]
            if pegs:
                for position, peg in zip(positions[: last + 1], formulation.peg, strict=False):
                    rows += [(peg[hole], bool(position >> h & 1)) for h, hole in enumerate(holes)]
            if not formulation.made and self.is_functions:
                domains = formulation.model._variables
                of_positions = len(domains) == len(positions)
                for t, (name, domain) in enumerate(domains.items()):
                    if of_positions and t <= last:
                        rows += [(name, positions[t])]
                    elif not of_positions and t < min(last, len(steps)):
                        rows += [(name, choice) for choice in (steps[t][0], number[steps[t][0]]) if choice in domain][
                            :1
                        ]
            return rows

        return values

    def lines(self, values: Values) -> list[Line]:
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
        named = [
            Line(line, self.file.texts[line], self.file.place(first[line], self.problem.board))
            for line in chosen
            if line in first
        ]
        used = dict.fromkeys(self.file.refusals(lambda: self.excludes(values, set(parts))) if self.is_functions else ())
        for line in chosen:
            used |= dict.fromkeys(self.file.uses.get(line, ()))
        used = used or dict.fromkeys([] if chosen else self.file.asked)
        rest = [line for line in used if line not in chosen and (line not in of_line or not chosen)][:MOST_USED]
        return named + [Line(line, self.file.texts[line], excludes=False) for line in rest]

    def departing_step(self, steps: Steps, lines: Sequence[Line]) -> int:
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
                return Why(
                    "agrees",
                    "The model accepts solutions, and its answer is one.",
                    self.path,
                    jumps=self.names(answer.jumps),
                )
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
        names = self.names(jumps)
        if read is None:
            for horizon in self.horizons:
                self.horizon = horizon
                for steps in self.layouts(jumps):
                    _, read = (None, None) if read else self.solve(self.values(steps, pegs=False))
            if read is None:
                return Why(
                    "agrees", f"That is no solution ({fault}), and the model excludes it.", self.path, jumps=names
                )
        rule = self.rule(jumps, *read)
        if rule is None:
            line = read[0].jumps.__code__.co_firstlineno
            says = f"The values of the model are a solution, but its jumps are read wrongly: {fault}."
            return Why(
                "accepts", says, self.path, (Line(line, self.file.texts[line], excludes=False),), rule=0, jumps=names
            )
        number, step, text = rule
        says = f"The model accepts what is no solution: {text}. No line says that {SENTENCES[number]}."
        return Why("accepts", says, self.path, step=step + 1, rule=number, jumps=names)

    def rule(self, jumps: Sequence[Jump], formulation: Formulation[Any], value: Any) -> Any:
        """The rule that the values of a solution break."""
        is_single, board = self.is_single(formulation), self.problem.board
        made: Sequence[Mapping[Any, Any]] = formulation.made
        is_together = bool(made) and [*made[0]] != [*board.jumps]
        kind = "single" if is_single else "several" if is_together else "independent"
        read = reader(formulation, value)
        if read is not None:
            steps = [[jump for jump, variable in step.items() if read(variable)] for step in made]
            pegs = [sum(1 << board.hole(h) for h, variable in peg.items() if read(variable)) for peg in formulation.peg]
            return broken_rule(self.problem, steps, pegs, kind)
        first = int(isinstance(formulation.model, Rules))
        steps = [[jump for j, jump in enumerate(step) if value((t, j))] for t, step in enumerate(made, start=first)]
        return broken_rule(self.problem, *self.departure(steps or [[jump] for jump in jumps], formulation), kind)

    def departure(self, steps: Steps, formulation: Formulation[Any]) -> tuple[Steps, list[int]]:
        """Steps of a model, and the positions between them; up to the first position where the model differs.

        That is found by asking, for languages whose solvers do not say where the pegs are.
        """
        pegs, made = self.positions(steps), self.values(steps, pegs=False)
        holes = self.problem.board.holes

        def differs(t: int, some: Collection[int]) -> bool:
            rows = [(formulation.peg[t][holes[h]], bool(pegs[t] >> h & 1)) for h in some]
            return self.excludes(lambda formulation: made(formulation) + rows)

        for t in range(len(formulation.peg)):
            if differs(t, range(len(holes))):
                pegs[t] ^= sum(1 << h for h in range(len(holes)) if differs(t, [h]))
                return steps[:t], pegs[: t + 1]
        return steps, pegs

    def positions(self, steps: Steps) -> list[int]:
        """The positions before and after each step; a jump leaves two vacancies and a peg, whatever it finds."""
        positions = [self.problem.start.mask]
        for step in steps:
            positions.append(positions[-1])
            for jump in step:
                positions[-1] = positions[-1] & ~jump.mask | jump.mask & ~jump.needs
        return positions


def reader(formulation: Formulation[Any], value: Any) -> Callable[[Any], int] | None:
    """The function from a variable by meaning to its value in a solution."""
    first = next(iter(formulation.peg[0].values())) if formulation.made and formulation.peg else ""
    if not isinstance(first, str):
        return lambda variable: int(value(variable))
    if not first.startswith("(= ((_ extract"):
        return None

    def bit(term: str) -> int:
        at, name = re.findall(r"(\d+)\) (\w+)\)", term)[0]
        return int(value(name)) >> int(at) & 1

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
