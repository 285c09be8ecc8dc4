"""To unified-planning and back: a task to change or to give to any of its engines, and the jumps of its plans.

The task is what the PDDL domain says, with one action for each jump, not one for all: unified-planning lists the values
of a fluent ``line(from, over, to)`` for all triples of objects, which are 125 million on a board of 20 x 25 holes. The
names say which action of the domain and which holes are meant: ``jump_d2_d3_d4``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

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
    start_facts,
)
from pegcp.formats.pddl.plan import plan_steps, read_plan, write_plan
from pegcp.formats.pddl.read import Task as Read
from pegcp.formats.pddl.read import read_task
from pegcp.formats.pddl.write import pddl_names, safe_name
from pegcp.game.board import Board, Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem

if TYPE_CHECKING:
    from unified_planning.model import Problem as Task
    from unified_planning.plans import Plan


def to_unified_planning(problem: Problem, domain: str | None = None) -> Task:
    """The problem as a ``unified_planning.model.Problem``. Raises InputError, and Missing without unified-planning.

    ``domain`` is the name of a file of ``models/``, by default of the one that fits. The objective becomes a quality
    metric.
    """
    chosen = domain_for(problem, domain)
    if chosen.has_rules:
        raise InputError(f"the domain {chosen.stem} has derived predicates, which unified-planning does not know")
    if chosen.prefers(problem):
        raise InputError(
            f"the domain {chosen.stem} has preferences, which unified-planning does not know; take nearest"
        )
    need("to_unified_planning", "pegcp[planners]", "unified_planning")
    return _Writer(problem, chosen).task


def from_unified_planning(task: Task) -> Problem:
    """The problem that a task of unified-planning is, recognised by what its actions do. Raises InputError, naming the
    action, where it is none."""
    return _read(task).problem


def _read(task: Task) -> Read:
    from unified_planning.io import PDDLWriter
    from unified_planning.model.metrics import MinimizeSequentialPlanLength

    name = task.name or "task"
    own = _own_text(task)
    if own is not None:
        return read_task(own, name, name)
    try:
        writer = PDDLWriter(task)
        texts = writer.get_problem(), writer.get_domain()
    except Exception as error:  # noqa: BLE001 - it raises many kinds, NotImplementedError among them
        why = str(error) or type(error).__name__
        raise InputError(f"not peg solitaire: unified-planning cannot write {name} as PDDL: {why}") from None
    found = read_task(texts[0], name, name, (texts[1], f"the domain of {name}"))
    made = {
        key: (writer.get_item_named(action).name, tuple(writer.get_item_named(item).name for item in objects))
        for key, (action, objects) in found.made.items()
    }
    shortest = any(isinstance(metric, MinimizeSequentialPlanLength) for metric in task.quality_metrics)
    problem = replace(found.problem, objective=Objective.FEWEST_JUMPS) if shortest else found.problem
    return replace(found, problem=problem, made=made)


def to_plan(task: Task, problem: Problem, jumps: Sequence[Jump]) -> Plan:
    """A solution as a plan of the task that is the problem. Raises InputError where the actions of the task have
    parameters that are not holes, such as pegs."""
    from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan

    read = _read(task)
    names = pddl_names(problem.board)
    steps: list[tuple[Fraction | None, ActionInstance]] = []
    for step in plan_steps(problem.board, write_plan(problem, jumps, read.domain.stem)):
        own = _name(step.action, *(names[hole] for hole in step.holes)), ()
        name, objects = read.made.get((step.action, step.holes), own)
        action = task.action(name)
        if len(objects) != len(action.parameters):
            raise InputError(f"not all parameters of {name} are holes: its plans cannot be written")
        given = [task.environment.expression_manager.ObjectExp(task.object(item)) for item in objects]
        at = None if step.start is None else Fraction(str(step.start))
        steps.append((at, ActionInstance(action, tuple(given))))
    if any(at is not None for at, _ in steps):
        return TimeTriggeredPlan([(at or Fraction(0), instance, Fraction(1)) for at, instance in steps])
    return SequentialPlan([instance for _, instance in steps])


def _own_text(task: Task) -> str | None:
    """The PDDL problem of which :func:`to_unified_planning` made a task; None for other tasks.

    What never changes is not in the task: lines, and what is wanted of holes, follow from the names of actions.
    """
    names = [item.name for item in task.all_objects]
    hole = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))

    def split(name: str) -> list[str]:
        """An action or fluent and its holes; nothing for other names."""
        found = re.fullmatch(rf"([a-z-]+)((?:_(?:{hole}))*)", name)
        return [found[1], *re.findall(rf"_({hole})(?=_|$)", found[2])] if found else []

    def fact(fluent: Any) -> str:
        return " ".join([*split(fluent.fluent().name), *map(str, fluent.args)])

    actions = {action.name: split(action.name) for action in task.actions}
    used = {words[0] if words else "" for words in actions.values()}
    row = _row(used, durative=any(hasattr(action, "duration") for action in task.actions))
    if row is None or any(action.parameters for action in task.actions):
        return None
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
    goal = [fact(fluent) for whole in task.goals for fluent in (whole.args if whole.is_and() else [whole])]
    return "\n".join(
        [
            f"(define (problem p) (:domain {row.name}) (:objects {' '.join(names)} - hole)",
            f"(:init {' '.join(f'({fact})' for fact in dict.fromkeys(init))})",
            f"(:goal (and {' '.join(f'({fact})' for fact in goal)}))",
            f"(:metric minimize ({measure})))" if task.quality_metrics else ")",
        ]
    )


def _row(used: set[str], *, durative: bool) -> Domain | None:
    """The domain of ``models/`` that has these actions, but for those that not all tasks need."""
    for row in DOMAINS:
        timed = any(action.durative for action in row.actions.values())
        own = used <= row.actions.keys() <= used | {"take", *_WANTED} and not row.like and not row.has_rules
        if own and timed == durative:
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


def _lines(problem: Problem, plan: Any) -> Iterator[str]:
    """The steps of a plan as in a plan file."""
    from unified_planning.plans import PartialOrderPlan, SequentialPlan, TimeTriggeredPlan

    names = pddl_names(problem.board)
    known = {}
    for action, place in (found for domain in DOMAINS for found in _actions(domain, problem.board)):
        holes = [names[hole] for hole in place]
        known[_name(action.name, *holes)] = " ".join([action.name, *holes])

    def written(step: Any) -> str:
        name = step.action.name
        return f"({known.get(name) or ' '.join([name, *map(str, step.actual_parameters)])})"

    match plan:
        case SequentialPlan():
            yield from map(written, plan.actions)
        case PartialOrderPlan():
            yield from map(written, next(iter(plan.all_sequential_plans())).actions)
        case TimeTriggeredPlan():
            for start, step, duration in plan.timed_actions:
                yield f"{float(start):.9f}: {written(step)}{'' if duration is None else f' [{float(duration):.9f}]'}"
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

        self.up, self.problem, self.domain = up, problem, domain
        self.task = up.Problem(safe_name(problem.name, "p-"))
        hole = up.UserType("hole")
        self.names = pddl_names(problem.board)
        self.holes = [self.task.add_object(name, hole) for name in self.names]
        start = start_facts(problem, domain)
        true = set(start)
        self.made: dict[tuple[str, tuple[int, ...]], Any] = {}
        every = [
            (action, holes, action.on(holes, len(self.names))) for action, holes in _actions(domain, problem.board)
        ]
        given = {fact[0] for _, _, step in every for fact in step.gives}
        steps = [one for one in every if all(fact in true or fact[0] in given for fact in one[2].wants)]
        self.changing = {fact[0] for _, _, step in steps for fact in (*step.takes, *step.gives)}
        for name in sorted(self.changing):
            takes: dict[str, Any] = {"h": hole} if domain.predicates[name] == 1 else {}
            if domain.predicates[name] <= 1:
                self.task.add_fluent(up.Fluent(name, up.BoolType(), **takes), default_initial_value=False)
        costs = {}
        for action, holes, step in steps:
            added = self.action(action, holes, step)
            if step.cost:
                costs[added] = up.Int(self.paid(step.cost))
        for fact in start:
            if fact[0] in self.changing:
                self.task.set_initial_value(self.fluent(fact), True)
        for fact in final_facts(problem, domain):
            self.task.add_goal(self.fluent(fact))
        if problem.objective is Objective.ANY:
            pass
        elif costs:
            self.task.add_quality_metric(up.MinimizeActionCosts(costs, default=up.Int(0)))
        elif domain.measure == "total-time":
            self.task.add_quality_metric(up.MinimizeMakespan())
        elif costs_jumps(problem, domain):
            # The other actions of a plan are as many in each.
            self.task.add_quality_metric(up.MinimizeSequentialPlanLength())

    def paid(self, cost: int | tuple[int, ...]) -> int:
        """What an action costs: a number, or the weight of a hole."""
        if isinstance(cost, int):
            return cost
        assert self.problem.sought is not None
        return self.problem.sought.weights[cost[0]]

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
        self.task.add_action(made)
        return made
