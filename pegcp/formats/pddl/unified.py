"""To unified-planning and back: a task to change or to give to any of its engines, and the jumps of its plans.

The task is what unified-planning reads in the PDDL files that pegcp writes. A task that comes back is written as PDDL
by unified-planning, and read like any other file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from pegcp.errors import InputError, need
from pegcp.formats.pddl.domains import costs_jumps, domain_for
from pegcp.formats.pddl.plan import DURATION, metric_value, read_plan, task_steps
from pegcp.formats.pddl.read import read_task
from pegcp.formats.pddl.write import export
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem

if TYPE_CHECKING:
    from unified_planning.model import Problem as Task
    from unified_planning.plans import ActionInstance, Plan

_MOST_VALUES = 1_000_000  # of all fluents: unified-planning lists them when it writes PDDL


def to_unified_planning(problem: Problem, domain: str | None = None) -> Task:
    """The problem as a ``unified_planning.model.Problem``. Raises InputError, and Missing without unified-planning.

    ``domain`` is the name of a file of ``models/``, by default of the one that fits. The objective becomes a quality
    metric. unified-planning has neither derived predicates nor preferences.
    """
    chosen = domain_for(problem, domain)
    need("to_unified_planning", "pegcp[planners]", "unified_planning")
    if chosen.has_rules or chosen.prefers(problem):
        raise InputError(f"unified-planning does not read {chosen.stem}: it has derived predicates or preferences")
    from unified_planning.io import PDDLReader
    from unified_planning.model.metrics import MinimizeSequentialPlanLength

    files = export(problem, domain=chosen.stem, metric=False)
    text = files["problem.pddl"]
    unmeasured = chosen.measure == "total-cost" and problem.objective is Objective.ANY
    if unmeasured:  # with the metric costs are read as costs, without as a number that planners would have to keep
        text = text.rstrip().removesuffix(")") + "(:metric minimize (total-cost)))"
    task: Task = PDDLReader().parse_problem_string(files["domain.pddl"], text)
    if unmeasured:
        task.clear_quality_metrics()
    if costs_jumps(problem, chosen):  # the other actions of a plan are as many in each
        task.add_quality_metric(MinimizeSequentialPlanLength())
    return task


def from_unified_planning(task: Task) -> Problem:
    """The problem that a task of unified-planning is, recognised by what its actions do.

    Raises InputError, naming the action, for a task that is not peg solitaire.
    """
    return UnifiedTask(task).problem


class UnifiedTask:
    """A task of unified-planning that is peg solitaire, with its problem. Raises InputError for any other."""

    def __init__(self, task: Task) -> None:
        self.task, name = task, task.name or "task"
        shortest = [metric for metric in task.quality_metrics if metric.is_minimize_sequential_plan_length()]
        without = task.clone()
        if shortest and len(task.quality_metrics) == 1:
            without.clear_quality_metrics()
        problem, domain = self._write(without, name)
        self.read = read_task(problem, name, name, (domain, f"the domain of {name}"))
        self.problem = self.read.problem
        if shortest:
            if self.read.domain.measure:
                raise InputError(f"not peg solitaire: the length of a plan of {name} is not its number of jumps")
            self.problem = replace(self.problem, objective=Objective.FEWEST_JUMPS)
        self._shortest = bool(shortest)

    def _write(self, task: Task, name: str) -> tuple[str, str]:
        """The problem and the domain as PDDL."""
        from unified_planning.io import PDDLWriter

        try:
            objects = {kind: len(list(task.objects(kind))) for kind in task.user_types}
            values = sum(prod(objects[p.type] for p in fluent.signature) for fluent in task.fluents)
            if values > _MOST_VALUES:
                raise InputError(f"{name} is too large: its fluents have {values:,} values")
            self.writer: Any = PDDLWriter(task)
            return self.writer.get_problem(), self.writer.get_domain()
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - it raises many kinds, NotImplementedError among them
            why = str(error) or type(error).__name__
            raise InputError(f"not peg solitaire: unified-planning cannot write {name} as PDDL: {why}") from None

    def plan(self, jumps: Sequence[Jump]) -> Plan:
        """A solution as a plan of the task. Raises InvalidSolution for what is none."""
        from unified_planning.plans import ActionInstance, SequentialPlan, TimeTriggeredPlan

        objects = self.task.environment.expression_manager.ObjectExp
        steps: list[tuple[Fraction | None, ActionInstance]] = []
        for start, name, names in task_steps(self.read, jumps):
            action = self.task.action(self.writer.get_item_named(name).name)
            parameters = tuple(objects(self.writer.get_item_named(item)) for item in names)
            steps.append((None if start is None else Fraction(f"{start:.3f}"), ActionInstance(action, parameters)))
        if any(start is not None for start, _ in steps):
            return TimeTriggeredPlan([(start or Fraction(0), step, Fraction(DURATION)) for start, step in steps])
        return SequentialPlan([step for _, step in steps])

    def value(self, plan: Plan) -> float:
        """The value of the task's metric for a plan; the number of actions where it has none.

        Raises InputError for what is no action of the task, and InvalidSolution for what is no plan.
        """
        actions = {action.name: action for action in self.task.actions}
        steps = plan_instances(plan)
        for number, step in enumerate(steps, start=1):
            if actions.get(step.action.name) != step.action:
                raise InputError(f"step {number}: {step.action.name} is no action of {self.task.name}")
        value = metric_value(self.read, "\n".join(_lines(plan, self.writer.get_pddl_name)))
        return len(steps) if self._shortest else value


def from_plan(problem: Problem, plan: Plan | str) -> list[Jump]:
    """The jumps of a plan: one of unified-planning's sequential, partial-order or time-triggered plans,
    or the text of a plan file.

    Raises InputError, naming the step, for what is no action of the problem, and InvalidSolution for what the rules of
    the domain forbid. The jumps are not yet checked.
    """
    text = plan if isinstance(plan, str) else "\n".join(_lines(plan, lambda item: item.name))
    return read_plan(problem, text)


def _lines(plan: Plan, name: Callable[[Any], str]) -> Iterator[str]:
    """The steps of a plan as in a plan file, with ``name`` for actions and objects."""
    steps = plan_instances(plan)
    times = [(start, length) for start, _, length in getattr(plan, "timed_actions", ())] or [(None, None)] * len(steps)
    for (start, duration), step in zip(times, steps, strict=True):
        words = [name(step.action), *(name(item.object()) for item in step.actual_parameters)]
        end = "" if duration is None else f" [{float(duration):.9f}]"
        yield f"{'' if start is None else f'{float(start):.9f}: '}({' '.join(words)}){end}"


def plan_instances(plan: Any) -> list[ActionInstance]:
    """The steps of a plan; of a partial order in one of its orders. Raises InputError for other kinds of plans."""
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
