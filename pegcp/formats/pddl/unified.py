"""To unified-planning and back: a task to change or to give to any of its engines, and the jumps of its plans.

The task is what the PDDL domain says, with one action for each jump, not one for all: unified-planning lists the values
of a fluent ``line(from, over, to)`` for all triples of objects, which are 125 million on a board of 20 x 25 holes. The
names say which action of the domain and which holes are meant: ``jump_d2_d3_d4``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from pegcp.formats.pddl.plan import read_plan
from pegcp.formats.pddl.write import pddl_names, safe_name
from pegcp.game.board import Board, Jump
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
    need("to_unified_planning", "pegcp[planners]", "unified_planning")
    return _Writer(problem, chosen).task


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
        if costs:
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
