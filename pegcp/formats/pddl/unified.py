"""To unified-planning and back: a task to change or to give to any of its engines, and the jumps of its plans.

The task is what the PDDL domain says, with one action for each jump, not one for all: unified-planning lists the values
of a fluent ``line(from, over, to)`` for all triples of objects, which are 125 million on a board of 20 x 25 holes. The
names say which action of the domain and which holes are meant: ``jump_d2_d3_d4``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from pegcp.errors import InputError, need
from pegcp.formats.pddl.domains import (
    DOMAINS,
    Action,
    Domain,
    Fact,
    Grounded,
    costs_jumps,
    domain_for,
    final_facts,
    grounded,
    start_facts,
)
from pegcp.formats.pddl.plan import metric_value, read_plan, task_steps
from pegcp.formats.pddl.read import Task as Read
from pegcp.formats.pddl.read import read_task
from pegcp.formats.pddl.write import pddl_names, safe_name
from pegcp.game.board import Board, Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem

if TYPE_CHECKING:
    from unified_planning.model import Problem as Task
    from unified_planning.plans import ActionInstance, Plan


def to_unified_planning(problem: Problem, domain: str | None = None) -> Task:
    """The problem as a ``unified_planning.model.Problem``. Raises InputError, and Missing without unified-planning.

    ``domain`` is the name of a file of ``models/``, by default of the one that fits. The objective becomes a quality
    metric, preferences one of oversubscription; derived predicates are written out in the goal.
    """
    chosen = domain_for(problem, domain)
    need("to_unified_planning", "pegcp[planners]", "unified_planning")
    return _Writer(problem, chosen).task


def from_unified_planning(task: Task) -> Problem:
    """The problem that a task of unified-planning is, recognised by what its actions do. Raises InputError, naming the
    action, where it is none."""
    return Recognised(task).problem


class Recognised:
    """A task of unified-planning that is peg solitaire. Raises InputError as :func:`from_unified_planning`."""

    def __init__(self, task: Task) -> None:
        self.task, name = task, task.name or "task"
        self.writer: Any = None
        self.read = _own(task, name) or self._translated(name)
        self.problem = self.read.problem
        self._shortest = any(metric.is_minimize_sequential_plan_length() for metric in task.quality_metrics)
        if self._shortest:
            self.problem = replace(self.problem, objective=Objective.FEWEST_JUMPS)

    def _translated(self, name: str) -> Read:
        from unified_planning.io import PDDLWriter

        try:
            self.writer = PDDLWriter(self.task)
            texts = self.writer.get_problem(), self.writer.get_domain()
        except Exception as error:  # noqa: BLE001 - it raises many kinds, NotImplementedError among them
            why = str(error) or type(error).__name__
            raise InputError(f"not peg solitaire: unified-planning cannot write {name} as PDDL: {why}") from None
        return read_task(texts[0], name, name, (texts[1], f"the domain of {name}"))

    def plan(self, jumps: Sequence[Jump]) -> Plan:
        """A solution as a plan of the task. Raises InvalidSolution for what is none."""
        from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan

        actions = {action.name: action for action in self.task.actions}
        steps: list[tuple[Fraction | None, ActionInstance]] = []
        for start, name, objects in task_steps(self.read, jumps):
            action = actions[_name(name, *objects)] if self.writer is None else self.writer.get_item_named(name)
            items = map(self.writer.get_item_named, objects) if self.writer is not None else ()
            given = tuple(self.task.environment.expression_manager.ObjectExp(item) for item in items)
            steps.append((None if start is None else Fraction(f"{start:.3f}"), ActionInstance(action, given)))
        if any(start is not None for start, _ in steps):
            length = Fraction(str(self.read.duration))
            return TimeTriggeredPlan([(start or Fraction(0), step, length) for start, step in steps])
        return SequentialPlan([step for _, step in steps])

    def value(self, plan: Plan) -> float:
        """What the metric of the task says of a plan; the number of actions where it has none.

        Raises InputError for what is no action of the task, and InvalidSolution for what is no plan.
        """
        actions = {action.name: action for action in self.task.actions}
        steps = plan_instances(plan)
        for number, step in enumerate(steps, start=1):
            if actions.get(step.action.name) != step.action:
                raise InputError(f"step {number}: {step.action.name} is no action of {self.task.name}")
        names: Callable[[Any], str] | None = None if self.writer is None else self.writer.get_pddl_name
        value = metric_value(self.read, "\n".join(_lines(self.problem, plan, names)))
        return len(steps) if self._shortest else value


def _own(task: Task, name: str) -> Read | None:
    """What a task of :func:`to_unified_planning` says; None for other tasks, and those that were changed."""
    text = _own_text(task)
    if text is None:
        return None
    try:
        read = read_task(text, name, name)
    except InputError:
        return None
    made = _Writer(read.problem, read.domain).task
    made.name = cast("str", task.name)
    return read if made == task else None


def _own_text(task: Task) -> str | None:
    """The PDDL problem of which :func:`to_unified_planning` made a task; None for other tasks.

    What never changes is not in the task: lines, and what is wanted of holes, follow from the names of actions. A goal
    that is no fact is read as one of rules, all lines blocked: whether it is that is seen when the task is made again.
    """
    names = [item.name for item in task.all_objects]
    hole = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))

    def split(name: str) -> list[str]:
        """An action or fluent and its holes; nothing for other names."""
        found = re.fullmatch(rf"([a-z-]+)((?:_(?:{hole}))*)", name)
        return [found[1], *re.findall(rf"_({hole})(?=_|$)", found[2])] if found else []

    def fact(node: Any) -> str:
        """A fact, or nothing for other formulas."""
        return " ".join([*split(node.fluent().name), *map(str, node.args)]) if node.is_fluent_exp() else ""

    actions = {action.name: split(action.name) for action in task.actions}
    goal = [fact(part) for whole in task.goals for part in (whole.args if whole.is_and() else [whole])]
    soft = {fact(part): gain for metric in task.quality_metrics for part, gain in getattr(metric, "goals", {}).items()}
    durative = any(hasattr(action, "duration") for action in task.actions)
    row = _row({words[0] if words else "" for words in actions.values()}, durative=durative, rules="" in goal)
    if row is None:
        return None
    if row.has_rules:
        goal = [" ".join(("blocked", *holes)) for _, *holes in actions.values()]
    costs = {a.name: cost for metric in task.quality_metrics for a, cost in getattr(metric, "costs", {}).items()}
    init = [fact(fluent) for fluent, value in task.initial_values.items() if value.is_true()]
    for name, (action, *holes) in actions.items():
        if action.startswith("jump"):
            init.append(" ".join(("line", *holes)))
        elif action in _WANTED:
            init.append(f"{_WANTED[action]} {holes[0]}")
            init += [f"= (weight {holes[0]}) {costs[name]}"] if name in costs else []
    measure = row.measure or "total-cost"
    init += ["= (total-cost) 0"] if measure == "total-cost" else []
    wanted = [*(f"({words})" for words in goal), *(f"(preference g{i} ({words}))" for i, words in enumerate(soft))]
    lost = " ".join(f"(* (is-violated g{i}) {gain})" for i, gain in enumerate(soft.values()))
    metric = f"maximize (- {sum(soft.values())} (+ {lost}))" if soft else f"minimize ({measure})"
    return "\n".join(
        [
            f"(define (problem p) (:domain {row.name}) (:objects {' '.join(names)} - hole)",
            f"(:init {' '.join(f'({fact})' for fact in dict.fromkeys(init))})",
            f"(:goal (and {' '.join(wanted)}))",
            f"(:metric {metric}))" if task.quality_metrics else ")",
        ]
    )


def _row(used: set[str], *, durative: bool, rules: bool) -> Domain | None:
    """The domain of ``models/`` that has these actions, but for those that not all tasks need."""
    for row in DOMAINS:
        timed = any(action.durative for action in row.actions.values())
        own = used <= row.actions.keys() <= used | {"take", *_WANTED} and not row.like
        # A goal of lines that are blocked is that of rules where no action shows it.
        if own and timed == durative and row.has_rules == (rules and used == {"jump"}):
            return row
    return None


_WANTED = {
    "peg-as-wanted": "wanted-peg",
    "peg-missing": "wanted-peg",
    "vacant-as-wanted": "wanted-vacant",
    "peg-too-many": "wanted-vacant",
}


def from_plan(problem: Problem, plan: Plan | str) -> list[Jump]:
    """The jumps of a plan: one of unified-planning's sequential, partial-order or time-triggered plans,
    or the text of a plan file.

    Raises InputError, naming the step, for what is no action of the problem, and InvalidSolution for what the rules of
    the domain forbid. The jumps are not yet checked.
    """
    if isinstance(plan, str):
        return read_plan(problem, plan)
    return read_plan(problem, "\n".join(_lines(problem, plan)), "plan")


def _lines(problem: Problem, plan: Any, named: Callable[[Any], str] | None = None) -> Iterator[str]:
    """The steps of a plan as in a plan file, in the names of the domain, or as ``named`` names actions and objects."""
    names = pddl_names(problem.board)
    known = {}
    for action, place in (found for domain in DOMAINS for found in _actions(domain, problem.board) if named is None):
        holes = [names[hole] for hole in place]
        known[_name(action.name, *holes)] = " ".join([action.name, *holes])

    def written(step: Any) -> str:
        if named is not None:
            return f"({' '.join(map(named, (step.action, *(item.object() for item in step.actual_parameters))))})"
        name = step.action.name
        return f"({known.get(name) or ' '.join([name, *map(str, step.actual_parameters)])})"

    timed = getattr(plan, "timed_actions", ())
    for (start, _, duration), step in zip_longest(timed, plan_instances(plan), fillvalue=(None, None, None)):
        end = "" if duration is None else f" [{float(duration):.9f}]"
        yield f"{'' if start is None else f'{float(start):.9f}: '}{written(step)}{end}"


def plan_instances(plan: Any) -> list[ActionInstance]:
    """The steps of a plan, as they stand; of a partial order in one of its orders. Raises InputError for others."""
    from unified_planning.plans import PartialOrderPlan, SequentialPlan, TimeTriggeredPlan

    match plan:
        case SequentialPlan():
            return list(plan.actions)
        case PartialOrderPlan():
            return list(next(iter(plan.all_sequential_plans())).actions)
        case TimeTriggeredPlan():
            return [step for _, step, _ in plan.timed_actions]
        case _:
            raise InputError(f"a plan of the kind {type(plan).__name__} is not understood")


def _actions(domain: Domain, board: Board) -> Iterator[tuple[Action, tuple[int, ...]]]:
    """The actions of a domain with the holes on which they may be possible on a board."""
    holes = range(len(board.holes))
    places: list[Iterable[tuple[int, ...]]] = [
        [()],
        [(hole,) for hole in holes],
        [(hole, (hole + 1) % len(holes)) for hole in holes],
    ]
    for action in domain.actions.values():
        lines = board.jumps if action.name.startswith("jump") else board.lines
        for place in [*places, lines][len(action.parameters)]:
            yield action, tuple(place)


def _name(action: str, *holes: str) -> str:
    return "_".join((action, *holes))


class _Writer:
    """The task of a problem: the actions of its domain on all holes and lines on which they can ever be possible."""

    def __init__(self, problem: Problem, domain: Domain) -> None:
        from unified_planning import shortcuts as up

        self.up = up
        self.task = up.Problem(safe_name(problem.name, "p-"))
        hole = up.UserType("hole")
        self.names = pddl_names(problem.board)
        self.holes = [self.task.add_object(name, hole) for name in self.names]
        start = start_facts(problem, domain)
        true = set(start)
        self.made: dict[tuple[str, tuple[int, ...]], Any] = {}
        every = [
            (action, holes, grounded(action, holes, len(self.names)))
            for action, holes in _actions(domain, problem.board)
        ]
        given = {fact[0] for _, _, step in every for fact in step.gives}
        steps = [one for one in every if all(fact in true or fact[0] in given for fact in one[2].wants)]
        self.changing = {fact[0] for _, _, step in steps for fact in (*step.takes, *step.gives)}
        for name in sorted(self.changing):
            takes: dict[str, Any] = {"h": hole} if domain.predicates[name] == 1 else {}
            if domain.predicates[name] <= 1:
                self.task.add_fluent(up.Fluent(name, up.BoolType(), **takes), default_initial_value=False)
        costs = {}
        # The list itself: add_action compares a name with all before it, which is quadratic, and these names differ.
        actions = self.task.actions
        for action, holes, step in steps:
            added = self.action(action, holes, step)
            actions.append(added)
            if step.cost:
                costs[added] = up.Int(step.paid(problem))
        for fact in start:
            if fact[0] in self.changing:
                self.task.set_initial_value(self.fluent(fact), True)
        for fact in final_facts(problem, domain):
            self.task.add_goal(self.blocked(fact[1]) if domain.has_rules else self.fluent(fact))
        if domain.prefers(problem):
            assert problem.sought is not None
            wanted = ("peg" if problem.sought.pegs >> hole & 1 else "vacant" for hole in range(len(self.holes)))
            gains: Any = {self.fluent((name, (i,))): problem.sought.weights[i] for i, name in enumerate(wanted)}
            self.task.add_quality_metric(up.Oversubscription(gains))
        elif problem.objective is Objective.ANY:
            pass
        elif costs:
            self.task.add_quality_metric(up.MinimizeActionCosts(costs, default=up.Int(0)))
        elif domain.measure == "total-time":
            self.task.add_quality_metric(up.MinimizeMakespan())
        elif costs_jumps(problem, domain):
            # The other actions of a plan are as many in each.
            self.task.add_quality_metric(up.MinimizeSequentialPlanLength())

    def blocked(self, line: tuple[int, ...]) -> Any:
        """What the rule of ``derived.pddl`` says of a line: unified-planning has no derived predicates."""
        vacant, peg = ([self.fluent((name, (hole,))) for hole in line] for name in ("vacant", "peg"))
        return self.up.Or(vacant[1], self.up.And(vacant[0], vacant[2]), self.up.And(peg[0], peg[2]))

    def fluent(self, fact: Fact) -> Any:
        """A fact as unified-planning has it; one of several holes is a fluent of its own."""
        predicate, holes = fact
        if len(holes) <= 1:
            return self.task.fluent(predicate)(*(self.holes[hole] for hole in holes))
        if fact not in self.made:
            fluent = self.up.Fluent(_name(predicate, *(self.names[hole] for hole in holes)), self.up.BoolType())
            self.task.add_fluent(fluent, default_initial_value=False)
            self.made[fact] = fluent()
        return self.made[fact]

    def action(self, action: Action, holes: tuple[int, ...], step: Grounded) -> Any:
        """An action on certain holes, without what never changes; a durative one takes at its start and gives at its
        end."""
        name = _name(action.name, *(self.names[hole] for hole in holes))
        start: list[Any] = []
        end: list[Any] = []
        made: Any
        if action.durative:
            made, start, end = self.up.DurativeAction(name), [self.up.StartTiming()], [self.up.EndTiming()]
            made.set_fixed_duration(1)
        else:
            made = self.up.InstantaneousAction(name)
        wants = made.add_condition if action.durative else made.add_precondition
        for fact in step.wants:
            if fact[0] in self.changing:
                wants(*start, self.fluent(fact))
        for fact in step.takes:
            if fact not in step.gives:
                made.add_effect(*start, self.fluent(fact), False)
        for fact in step.gives:
            made.add_effect(*end, self.fluent(fact), True)
        return made
