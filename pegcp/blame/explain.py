"""Which lines of a model file exclude a solution, and which rule of the game no line says."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from traceback import extract_tb
from typing import Any

from pegcp import backends
from pegcp.backends.backend import Backend
from pegcp.blame.answer import Line, Why
from pegcp.blame.domains import explain_domain
from pegcp.blame.parts import Part, PythonFile, StatementFile
from pegcp.blame.rules import SENTENCES, broken_rule
from pegcp.blame.steps import Steps, fixed, layouts, read_steps
from pegcp.catalogue.methods import choose
from pegcp.catalogue.modelfile import read_header
from pegcp.errors import InputError, InvalidSolution, PegcpError
from pegcp.game.board import Jump, jump_name
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.replay import check
from pegcp.method import Answer, Limits, Run, Status
from pegcp.modelling.formulation import Formulation

MOST_LINES = 5  # that are named, if they are enough; further ones define what these use
Excludes = Callable[[Collection[Part] | None], bool]  # whether a model with some of its parts excludes something


def explain(
    problem: Problem,
    method: str,
    jumps: Sequence[Jump] | None,
    seconds: float = 60.0,
    *,
    is_given: bool = False,
    backend: Backend | None = None,
) -> Why:
    """Return why a model excludes a solution, or accepts what is none; without a solution, why it has none.

    ``backend`` runs the model where its own is not installed. Raises InputError for a method without lines.
    """
    if method.endswith(".pddl"):
        return explain_domain(problem, method)
    question = Question(problem, method, seconds, backend)
    try:
        if jumps is None:
            return question.explain_answer()
        try:
            check(problem, jumps)
        except InvalidSolution as error:
            return question.explain_acceptance(jumps, str(error))
        why = question.explain_exclusion(jumps, is_given)
        answer = why if why and why.kind == "excludes" else question.explain_answer()
        return why if why and answer.kind == "agrees" else answer
    except TimeoutError as error:
        return Why("unknown", f"The model has not answered: {error}.", question.file.path)
    except PegcpError:
        raise
    except Exception as error:  # whatever the file raises
        places = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == question.file.path]
        fault = f"{type(error).__name__}: {error}"
        raise InputError(fault, source=question.file.path, line=places[-1] if places else None) from error


class Question:
    """A problem and a model file, which is built and solved again and again, without some of its lines."""

    def __init__(self, problem: Problem, method: str, seconds: float, backend: Backend | None = None) -> None:
        chosen = choose(method)
        if chosen.method.path is None or chosen.backend is None or not chosen.method.is_model:
            raise InputError(f"{method} is no model file with lines to name")
        self.problem, self.backend = problem, backend or backends.backend(chosen.backend).loaded()
        self.ends, self.options = time.monotonic() + seconds, chosen.parameters
        header = read_header(chosen.method.path, "build")
        self.file = (PythonFile if chosen.method.path.suffix == ".py" else StatementFile)(header, self.options)
        self.horizons = self.file.model.horizon_log(problem, self.options).all
        self.horizon = self.horizons[-1] if self.horizons else None
        self.counts_jumps = header.measures is not None or header.rules[0] in ("jumps", "counts")

    def build(self, kept: Collection[Part] | None = None) -> tuple[Formulation[Any], list[Part]]:
        """Build the model with some of its parts, None for all; return these, too."""
        return self.file.build(self.problem, self.horizon, kept if kept is None else frozenset(kept))

    def solve(self, steps: Steps, pegs: int, kept: Collection[Part] | None = None) -> tuple[Answer, Steps]:
        """Return the answer of the solver where some steps and pegs are fixed, and the jumps of each step.

        Raises TimeoutError if it has none.
        """
        formulation, made = fixed(self.build(kept)[0], steps, self.positions(steps), pegs), Steps()

        def jumps(value: Any) -> Any:
            made[:] = read_steps(formulation, value)
            return formulation.jumps(value)

        question = replace(formulation, jumps=jumps)
        model = replace(self.file.model, build_with=lambda *_, **__: question, horizons=None, measures=None)
        run = Run(Limits(time=max(0.1, self.ends - time.monotonic()), workers=1))
        answer = self.backend.run(model, replace(self.problem, objective=Objective.ANY), run, self.options)
        if answer.jumps is None and answer.status is not Status.INFEASIBLE:
            raise TimeoutError(answer.message or "the time is over")
        return answer, made

    def exclusion_of(self, steps: Steps, pegs: int | None = None) -> Excludes:
        """The question whether the model has no solution with these steps and so many pegs, by default all."""
        number = len(self.positions(steps)) * len(self.problem.board.holes) if pegs is None else pegs
        return lambda kept: self.solve(steps, number, kept)[0].jumps is None

    def positions(self, steps: Steps) -> list[int]:
        """The positions before and after each step; a jump leaves two vacancies and a peg, whatever it finds."""
        positions = [self.problem.start.mask]
        for step in steps:
            positions.append(positions[-1])
            for jump in step:
                positions[-1] = positions[-1] & ~jump.mask | jump.mask & ~jump.needs
        return positions

    def step_kind(self, formulation: Formulation[Any]) -> str:
        """A step has a ``single`` jump, ``independent`` ones, or ``several`` one after the other."""
        in_board_order = not formulation.made or [*formulation.made[0]] == [*self.problem.board.jumps]
        is_counted = all(horizon is None or horizon in self.problem.jump_counts for horizon in self.horizons)
        if is_counted and (formulation.moves or self.counts_jumps or in_board_order):
            return "single"
        return "independent" if in_board_order else "several"

    def layouts(self, jumps: Sequence[Jump]) -> list[Steps]:
        """Ways to place jumps on the steps of the model with this horizon."""
        formulation = self.build()[0]
        return layouts(self.problem, jumps, formulation.made, is_single=self.step_kind(formulation) == "single")

    def names(self, jumps: Sequence[Jump]) -> tuple[str, ...]:
        """Jumps by name."""
        return tuple(jump_name(self.problem.board, jump) for jump in jumps)

    def explain_exclusion(self, jumps: Sequence[Jump], is_given: bool) -> Why | None:
        """Return the lines that exclude a solution; None if the model accepts it, in any order that it asks for.

        If it is given in another order, which the model excludes, the lines that do.
        """
        for horizon in self.horizons:
            self.horizon = horizon
            ways = self.layouts(jumps)
            accepted = next((way for way in ways if not self.exclusion_of(way)(None)), None)
            one_by_one = [[jump] for jump in jumps]
            if accepted is not None:
                if not is_given or one_by_one not in ways or not self.exclusion_of(one_by_one)(None):
                    return None
                order = " ".join(self.names([jump for step in accepted for jump in step]))
                says = f"The model accepts the solution in the order {order}, not in the order that was asked for."
                lines = self.lines(self.exclusion_of(one_by_one))
                return Why("order", says, self.file.path, lines, jumps=self.names(jumps))
            if ways:
                return self.explain_steps(ways[0])
        return None

    def explain_steps(self, way: Steps) -> Why:
        """Return the lines that exclude these steps, and the first step that they exclude."""
        lines, holes = self.lines(self.exclusion_of(way)), len(self.problem.board.holes)
        numbers = {line.number for line in lines if line.excludes}
        parts = [part for part in self.build()[1] if part[0] in numbers]
        step = least(len(way), lambda t: self.exclusion_of(way[:t], (t + 1) * holes)(parts))
        made = " ".join(self.names(way[step - 1] if step else ()))
        where = "the start" if step == 0 else f"step {step} ({made})" if made else f"step {step}"
        names = self.names([jump for step in way for jump in step])
        says = f"The model excludes the solution {' '.join(names)}; model and rules part at {where}."
        return Why("excludes", says, self.file.path, lines, step, jumps=names)

    def lines(self, excludes: Excludes) -> tuple[Line, ...]:
        """A smallest set of lines that exclude something, each with an instance; then lines that they use."""
        parts = self.build()[1]
        lines = [*dict.fromkeys(line for line, _ in parts)]
        chosen = smallest(lines, lambda some: excludes([part for part in parts if part[0] in some]))
        instances = smallest([part for part in parts if part[0] in chosen], excludes)
        named = [
            Line(line, self.file.texts[line], self.file.place(part, self.problem.board))
            for line in chosen
            for part in [min(part for part in instances if part[0] == line)]
        ]
        used = dict.fromkeys(place for line in chosen or [0] for place in self.file.uses(line) if place not in chosen)
        named += [Line(line, self.file.texts[line], excludes=False) for line in [*used][: MOST_LINES - len(named)]]
        return tuple(named)

    def explain_answer(self) -> Why:
        """Ask the model itself: it has no solution, or one that breaks a rule, or a right one."""
        for horizon in self.horizons:
            self.horizon = horizon
            answer, steps = self.solve([], 0)
            if answer.jumps is not None:
                try:
                    check(self.problem, answer.jumps)
                except InvalidSolution as error:
                    return self.explain_acceptance(answer.jumps, str(error), steps or [[jump] for jump in answer.jumps])
                says = "The model accepts solutions, and its answer is one."
                return Why("agrees", says, self.file.path, jumps=self.names(answer.jumps))
        says = "The model has no solution."
        if not self.build()[0].made:
            says += " No solution can be given to it: its Formulation does not say made and peg."
        return Why("impossible", says, self.file.path, self.lines(self.exclusion_of([], 0)))

    def explain_acceptance(self, jumps: Sequence[Jump], fault: str, steps: Steps | None = None) -> Why:
        """Return the rule that no line says, if the model accepts jumps that are no solution, on these steps or any.

        Where the pegs of the model are not those of the game is asked for, which every language can answer.
        """
        names, holes = self.names(jumps), len(self.problem.board.holes)
        for horizon in self.horizons if steps is None else ():
            self.horizon = horizon
            ways = (way for way in self.layouts(jumps) if not self.exclusion_of(way, 0)(None))
            steps = steps or next(ways, None)
        if steps is None:
            says = f"That is no solution ({fault}), and the model excludes it."
            return Why("agrees", says, self.file.path, jumps=names)
        pegs, whole = self.positions(steps), steps
        number = least(len(pegs) * holes + 1, lambda n: self.exclusion_of(whole, n)(None))
        if number <= len(pegs) * holes:
            t, hole = divmod(number - 1, holes)
            steps, pegs = steps[:t], [*pegs[:t], pegs[t] ^ 1 << hole]
        rule = broken_rule(self.problem, steps, pegs, self.step_kind(self.build()[0]))
        if rule is None:
            says = f"The values of the model are a solution, but its jumps are read wrongly: {fault}."
            return Why("accepts", says, self.file.path, rule=0, jumps=names)
        sentence, step, text = rule
        says = f"The model accepts what is no solution: {text}. No line says that {SENTENCES[sentence]}."
        return Why("accepts", says, self.file.path, step=step + 1, rule=sentence, jumps=names)


def least(most: int, holds: Callable[[int], bool]) -> int:
    """Return the least number from which on something holds, by bisection; ``most`` is not asked."""
    first = 0
    while first < most:
        middle = (first + most) // 2
        if holds(middle):
            most = middle
        else:
            first = middle + 1
    return first


def smallest(units: list[Any], excludes: Callable[[list[Any]], bool]) -> list[Any]:
    """Return units that exclude, of which none can be left out: each time the last of the shortest beginning."""
    chosen: list[Any] = []
    while units and not excludes(chosen):
        before, rest = [*chosen], units
        number = least(len(units), lambda n: excludes(before + rest[:n]))  # noqa: B023
        chosen.append(units[number - 1])
        units = units[: number - 1]
    return chosen
