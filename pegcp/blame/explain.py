"""Which lines of a model file exclude a solution, and which rule of the game no line says.

Of a planning domain: which precondition or effect is wrong or missing, next to the bundled domain of its actions.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from pathlib import Path
from traceback import extract_tb
from typing import Any

from pegcp.backends.interface import Backend
from pegcp.blame.answer import SENTENCES, Line, Why, broken_rule
from pegcp.blame.parts import Part, PythonFile, StatementFile, fix_values, read_steps, refusals
from pegcp.catalogue.methods import choose
from pegcp.catalogue.modelfile import ModelMethod
from pegcp.errors import InputError, InvalidSolution, PegcpError, name_source, plural, refuse_if
from pegcp.formats.pddl.domains import DOMAINS
from pegcp.formats.pddl.read import read_text
from pegcp.formats.pddl.syntax import Action, Node, parse, read_actions
from pegcp.game import Jump, Objective, Problem, jump_name, replay_solution
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.modelling.formulation import AnyFormulation
from pegcp.modelling.steps import Steps, layouts

MOST_LINES = 4  # that are named, if they are enough; further ones define what these use
MOST_DEFINITIONS = 6  # that are named where no line excludes: the slip is in one of them
Excludes = Callable[[Collection[Part] | None], bool]  # whether a model with some of its parts excludes something


def explain(
    problem: Problem,
    method: str,
    jumps: Sequence[Jump] | None,
    seconds: float = 60.0,
    *,
    is_given: bool = False,
    is_refuted: bool = False,
    backend: Backend | None = None,
) -> Why:
    """Return why a model excludes a solution, or accepts what is none; without a solution, why it has none.

    ``is_refuted``: the problem has no solution. ``backend`` runs the model where its own is not installed. Raises
    InputError for a method without lines.
    """
    if method.endswith(".pddl"):
        return explain_domain(problem, method)
    question = Question(problem, method, seconds, backend)
    try:
        with name_source(question.file.path):
            return question.explain(jumps, is_given, is_refuted)
    except TimeoutError as error:
        return Why("unknown", f"The model has not answered: {error}.", question.file.path)
    except PegcpError:
        raise
    except Exception as error:  # whatever the file raises
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == question.file.path]
        raise InputError(
            f"{type(error).__name__}: {error}", source=question.file.path, line=lines[-1] if lines else None
        ) from error


class Question:
    """A problem and a model file, which is built and solved again and again, without some of its lines."""

    def __init__(self, problem: Problem, method: str, seconds: float, backend: Backend | None = None) -> None:
        choice = choose(method)
        if not isinstance(choice.method, ModelMethod):
            raise InputError(f"{method} is no model file with lines to name")
        self.deadline, self.options = time.monotonic() + seconds, choice.all_options
        self.problem, self.backend = problem, backend or choice.method.solver(self.options, choice.backend)
        kind = PythonFile if choice.method.source.path.suffix == ".py" else StatementFile
        self.file = kind(choice.method, self.options)
        self.horizons = self.file.model.horizons_to_try(problem, self.options).all
        self.horizon = self.horizons[-1] if self.horizons else None
        steps = re.search(r"""^% *STEPS *= *["'](jumps|counts)["']""", self.file.text, re.MULTILINE)
        self.counts_jumps = self.file.model.measures is not None or steps is not None

    def explain(self, jumps: Sequence[Jump] | None, is_given: bool, is_refuted: bool) -> Why:
        """Return the answer about a solution; about the model itself if there is none, or if the model accepts it."""
        if jumps is None:
            return self.explain_answer(is_refuted=is_refuted)
        try:
            replay_solution(self.problem, jumps)
        except InvalidSolution as error:
            return self.explain_acceptance(jumps, str(error))
        why = self.explain_exclusion(jumps, is_given)
        answer = why if why and why.kind == "excludes" else self.explain_answer(len(jumps))
        return why if why and answer.kind == "agrees" else answer

    def build(self, parts: Collection[Part] | None = None) -> tuple[AnyFormulation, list[Part]]:
        """Build the model with some of its parts, None for all; return these, too."""
        return self.file.build(self.problem, self.horizon, parts if parts is None else frozenset(parts))

    def solve(self, steps: Steps, pegs: int, parts: Collection[Part] | None = None) -> tuple[Answer, Steps]:
        """Return the answer of the solver where some steps and pegs are fixed, and the jumps of each step.

        Raises TimeoutError if it has none.
        """
        formulation, answer_steps = fix_values(self.build(parts)[0], steps, self.positions(steps), pegs), Steps()

        def jumps(value: Any) -> Any:
            answer_steps[:] = read_steps(formulation, value)
            return formulation.decoded(value) if parts is None else []  # without its lines, values may mean nothing

        question = replace(formulation, jumps=jumps)
        model = replace(self.file.model, build_with=lambda *_, **__: question, horizons=None, measures=None)
        run = Run(Limits(time=max(0.1, self.deadline - time.monotonic()), workers=1))
        answer = self.backend.answer(model, replace(self.problem, objective=Objective.ANY), run, self.options)
        message, _, place = answer.message.partition(" (model.mzn:")
        refuse_if(
            answer.reason is Reason.ERROR and "(killed by " not in message,
            message.rpartition(" Error: ")[2],
            line=int(place.partition(".")[0]) if place else None,
        )
        if answer.jumps is None and answer.status is not Status.INFEASIBLE:
            raise TimeoutError(answer.message or "the time is over")
        return answer, answer_steps

    def exclusion_of(self, steps: Steps, pegs: int | None = None) -> Excludes:
        """Return the question whether the model has no solution with these steps and so many pegs, by default all."""
        number = len(self.positions(steps)) * len(self.problem.board.holes) if pegs is None else pegs
        return lambda parts: self.solve(steps, number, parts)[0].jumps is None

    def positions(self, steps: Steps) -> list[int]:
        """Return the positions before and after each step; a jump leaves two vacancies and a peg, whatever it finds."""

        def after(position: int, step: Sequence[Jump]) -> int:
            for jump in step:
                position = position & ~jump.mask | jump.mask & ~jump.needs
            return position

        return [*accumulate(steps, after, initial=self.problem.start.mask)]

    def step_kind(self, formulation: AnyFormulation) -> str:
        """Tell whether a step has a ``single`` jump, ``independent`` ones, or ``several`` one after the other."""
        in_board_order = not formulation.made or [*formulation.made[0]] == [*self.problem.board.jumps]
        is_counted = all(horizon is None or horizon in self.problem.lengths for horizon in self.horizons)
        if is_counted and (formulation.moves or self.counts_jumps or in_board_order):
            return "single"
        return "independent" if in_board_order else "several"

    def ways(self, jumps: Sequence[Jump]) -> Iterator[list[Steps]]:
        """Yield the ways to place jumps on the steps of the model, for each horizon that has room for them."""
        for horizon in self.horizons:
            self.horizon = horizon
            formulation = self.build()[0]
            is_single = self.step_kind(formulation) == "single"
            if ways := layouts(self.problem, jumps, formulation.made, is_single=is_single):
                yield ways

    def names(self, jumps: Iterable[Jump]) -> tuple[str, ...]:
        """Return the jumps by name."""
        return tuple(jump_name(self.problem.board, jump) for jump in jumps)

    def explain_exclusion(self, jumps: Sequence[Jump], is_given: bool) -> Why | None:
        """Return the lines that exclude a solution, and the first step at which they do; None if the model accepts it,
        in any order that it asks for.

        If it is given in another order, which the model excludes, the lines that do.
        """
        ways, one_by_one = next(self.ways(jumps), []), [[jump] for jump in jumps]
        right_way = next((way for way in ways if not self.exclusion_of(way)(None)), None)
        if not ways or right_way is not None:
            if not is_given or one_by_one not in ways or not self.exclusion_of(one_by_one)(None):
                return None
            order = " ".join(self.names(chain.from_iterable(right_way or [])))
            says = f"The model accepts the solution in the order {order}, not in the order that was asked for."
            return Why(
                "order", says, self.file.path, self.lines(self.exclusion_of(one_by_one)), jumps=self.names(jumps)
            )
        way, holes = ways[0], len(self.problem.board.holes)
        lines, names = self.lines(self.exclusion_of(way)), self.names(chain.from_iterable(way))
        parts = _of(self.build()[1], {line.number for line in lines if line.excludes})
        step = least(len(way), lambda t: self.exclusion_of(way[:t], (t + 1) * holes)(parts))
        names_there = " ".join(self.names(way[step - 1] if step else ()))
        where = "the start" if step == 0 else f"step {step} ({names_there})" if names_there else f"step {step}"
        says = f"The model excludes the solution {' '.join(names)}; model and rules part at {where}."
        says += self.wrong_length(self.build()[0], len(jumps))
        return Why("excludes", says, self.file.path, lines, step, jumps=names)

    def wrong_length(self, formulation: AnyFormulation, number: int) -> str:
        """Say how many steps a model with one jump a step has, if a solution has another number of jumps."""
        steps = len(formulation.made)
        if not number or steps in (0, number) or self.step_kind(formulation) != "single":
            return ""
        return f" It has {plural(steps, 'step')}, and a solution has {plural(number, 'jump')}."

    def lines(self, excludes: Excludes) -> tuple[Line, ...]:
        """Return a smallest set of lines that exclude something, each with an instance; then lines that they use."""
        parts = self.build()[1]
        blame = smallest([*dict.fromkeys(line for line, _ in parts)], lambda some: excludes(_of(parts, some)))
        instances = smallest(_of(parts, blame), excludes)
        has_functions = self.backend.name == "python-constraint"
        refusal = refusals(self.file.path, lambda: excludes(None)) if has_functions else []
        numbers = [*dict.fromkeys(refusal + blame)]
        sources = dict.fromkeys(source for line in numbers or [0] for source in self.file.uses(line))
        most = MOST_LINES - len(numbers) if numbers else MOST_DEFINITIONS
        firsts = [min(_of(instances, [line]), default=(line, 0)) for line in numbers]
        return (
            *(Line(part[0], self.file.texts[part[0]], self.file.place(part, self.problem.board)) for part in firsts),
            *(
                Line(line, self.file.texts[line], excludes=False)
                for line in [source for source in sources if source not in numbers][: max(0, most)]
            ),
        )

    def explain_answer(self, number: int = 0, *, is_refuted: bool = False) -> Why:
        """Ask the model itself: it has no solution, or one that breaks a rule, or a right one; ``number``: of the jumps
        of a solution that is known."""
        for horizon in self.horizons:
            self.horizon = horizon
            answer, steps = self.solve([], 0)
            if answer.jumps is not None:
                try:
                    replay_solution(self.problem, answer.jumps)
                except InvalidSolution as error:
                    return self.explain_acceptance(answer.jumps, str(error), steps or [[jump] for jump in answer.jumps])
                says = "The model accepts solutions, and its answer is one."
                return Why("agrees", says, self.file.path, jumps=self.names(answer.jumps))
        if is_refuted:
            return Why("agrees", "The problem has no solution, and the model has none.", self.file.path)
        says, formulation = "The model has no solution.", self.build()[0]
        says += self.wrong_length(formulation, number)
        if not any(formulation.made):
            says += " No solution can be given to it: its Formulation does not say made and peg."
        return Why("impossible", says, self.file.path, self.lines(self.exclusion_of([], 0)))

    def explain_acceptance(self, jumps: Sequence[Jump], fault: str, steps: Steps | None = None) -> Why:
        """Return the rule that no line says, if the model accepts jumps that are no solution, on these steps or any.

        Where the pegs of the model are not those of the game is asked for, which every language can answer.
        """
        names, holes = self.names(jumps), len(self.problem.board.holes)
        if steps is None:
            steps = next(
                (way for ways in self.ways(jumps) for way in ways if not self.exclusion_of(way, 0)(None)), None
            )
        if steps is None:
            says = f"That is no solution ({fault}), and the model excludes it."
            return Why("agrees", says, self.file.path, jumps=names)
        pegs, layout = self.positions(steps), steps
        number = least(len(pegs) * holes + 1, lambda n: self.exclusion_of(layout, n)(None))
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


def _of(parts: Collection[Part], lines: Collection[int]) -> list[Part]:
    """Return the parts of some lines."""
    return [part for part in parts if part[0] in lines]


def least(most: int, holds: Callable[[int], bool]) -> int:
    """Return the least number from which on something holds, by bisection; ``most`` is not asked."""
    return bisect_left(range(most), True, key=holds)


def smallest(units: list[Any], excludes: Callable[[list[Any]], bool]) -> list[Any]:
    """Return units that exclude, of which none can be left out: each time the last of the shortest beginning."""
    smallest_set: list[Any] = []
    while units and not excludes(smallest_set):
        number = least(len(units), lambda n: excludes(smallest_set + units[:n]))  # noqa: B023
        smallest_set.append(units[number - 1])
        units = units[: number - 1]
    return smallest_set


def explain_domain(problem: Problem, source: str) -> Why:
    """Return which part of an action excludes what the game allows; or which part is missing, so that it allows more.

    Raises InputError if no bundled domain for the problem has these actions.
    """
    text = read_text(Path(source))
    actions = read_actions([item for node in parse(text, source) for item in node.items], {})
    alike = [row for row in DOMAINS if actions.keys() == row.actions.keys()]
    domain = next((row for row in alike if row.fits(problem)), None)
    if domain is None:
        hint = f"; those of {alike[0].stem} are for other goals, such as an exact one" if alike else ""
        fault = f"no bundled domain for {problem.name} has the actions {', '.join(actions)}{hint}"
        raise InputError(fault, source=source)
    for name, right in domain.actions.items():
        mine = actions[name]
        for word, node, right_node in (
            ("precondition", mine.condition, right.condition),
            ("effect", mine.effect, right.effect),
        ):
            parts, right_parts = _parts(mine, node), _parts(right, right_node)
            wrong = [part for meaning, part in parts.items() if meaning not in right_parts]
            missing = [part for meaning, part in right_parts.items() if meaning not in parts]
            for part in wrong[:1] or missing[:1]:
                number = (part if wrong else node or mine).line
                line = Line(number, text.splitlines()[number - 1].strip(), excludes=bool(wrong))
                fault = f"the action {name} {'has' if wrong else 'lacks'} the {word} {_text(part)}"
                kind, what = ("excludes", "excludes jumps") if wrong else ("accepts", "accepts what is no jump")
                return Why(kind, f"The domain {what}: {fault}.", source, (line,), rule=None if wrong else 3)
    return Why("agrees", "The domain has the actions of the game.", source)


def _parts(action: Action, node: Node | None) -> dict[object, Node]:
    """Return the parts of a condition or an effect by what they mean, whatever the parameters are called."""
    parts = node.items[1:] if node is not None and node.head == "and" else [node]
    return {meaning: part for part in parts if part for meaning in action.facts(part, action.numbers, ("*",))}


def _text(node: Node) -> str:
    """Return the text of a condition or an effect."""
    return node.text or f"({' '.join(map(_text, node.items))})"
