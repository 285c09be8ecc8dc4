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

from pegcp.errors import InputError, need, refuse_if
from pegcp.formats.pddl.domains import costs_jumps, domain_for, export
from pegcp.formats.pddl.plan import metric_value, read_plan, write_plan
from pegcp.formats.pddl.read import read_task
from pegcp.game import Jump, Objective, Problem

if TYPE_CHECKING:
    from unified_planning.model import Problem as PlanningTask
    from unified_planning.plans import ActionInstance, Plan

_MOST_VALUES = 1_000_000  # of all fluents: unified-planning lists them when it writes PDDL


def to_unified_planning(problem: Problem, domain: str | None = None) -> PlanningTask:
    """Return the problem as a ``unified_planning.model.Problem``. Raises InputError, and Missing without
    unified-planning.

    ``domain`` is the name of a file of ``models/``, by default of the one that fits. The objective becomes a quality
    metric. unified-planning has no derived predicates.
    """
    row = domain_for(problem, domain)
    need("to_unified_planning", "pegcp[planners]", "unified_planning")
    refuse_if(row.has_rules, f"unified-planning cannot read {row.stem}: it has derived predicates")
    from unified_planning.io import PDDLReader
    from unified_planning.model.metrics import MinimizeSequentialPlanLength

    # With a metric costs are read as costs, without as a number that planners would have to keep.
    unmeasured = row.measure == "total-cost" and problem.objective is Objective.ANY
    measured = replace(problem, objective=row.means) if unmeasured and row.means else problem
    files = export(measured, domain=row.stem, metric=False)
    task: PlanningTask = PDDLReader().parse_problem_string(files["domain.pddl"], files["problem.pddl"])
    if unmeasured:
        task.clear_quality_metrics()
    if costs_jumps(problem, row):  # the other actions of a plan are as many in each
        task.add_quality_metric(MinimizeSequentialPlanLength())
    return task


class UnifiedTask:
    """A task of unified-planning that is peg solitaire, with its problem. Raises InputError for any other."""

    def __init__(self, task: PlanningTask) -> None:
        from unified_planning.io import PDDLWriter

        self.task, name = task, task.name or "task"
        objects = {kind: len(list(task.objects(kind))) for kind in task.user_types}
        values = sum(prod(objects.get(p.type, 0) for p in fluent.signature) for fluent in task.fluents)
        refuse_if(values > _MOST_VALUES, f"{name} is too large: its fluents have {values:,} values")
        try:
            self._writer: Any = PDDLWriter(task)
            problem, domain = self._writer.get_problem(), self._writer.get_domain()
        except Exception as error:  # noqa: BLE001 - it raises many kinds, NotImplementedError among them
            raise InputError(
                f"not peg solitaire: unified-planning cannot write {name} as PDDL: {str(error) or type(error).__name__}"
            ) from None
        self.read = read_task(problem, name, name, (domain, f"the domain of {name}"))
        self.problem = self.read.problem

    def plan(self, jumps: Sequence[Jump]) -> Plan:
        """Write a solution as a plan of the task. Raises InvalidSolution for jumps that do not solve it."""
        from unified_planning.io import PDDLReader

        text, reader = write_plan(self.read, jumps), PDDLReader(self.task.environment)
        return reader.parse_plan_string(self.task, text, self._writer.get_item_named)

    def value(self, plan: Plan) -> float:
        """Return the value of the task's metric for a plan; the number of actions where it has none.

        Raises InputError for an action of another task, and InvalidSolution for a plan that does not solve the task.
        """
        actions = {action.name: action for action in self.task.actions}
        for number, (_, step, _) in enumerate(plan_steps(plan), start=1):
            if actions.get(step.action.name) != step.action:
                raise InputError(f"step {number}: {step.action.name} is not an action of {self.task.name}")
        return metric_value(self.read, "\n".join(_lines(plan, self._writer.get_pddl_name)))


def from_plan(problem: Problem, plan: Plan | str | Sequence[str]) -> list[Jump]:
    """Read the jumps of a plan of unified-planning (sequential, partial-order or timed), or of a plan file's text.

    Raises InputError, naming the step, for an unknown action or hole, and InvalidSolution for a plan that breaks the
    rules of its domain. The jumps are not yet checked.
    """
    if not isinstance(plan, str):
        plan = "\n".join(plan if isinstance(plan, Sequence) else _lines(plan, lambda item: item.name))
    return read_plan(problem, plan)


def _lines(plan: Plan, name: Callable[[Any], str]) -> Iterator[str]:
    """Yield the steps of a plan as in a plan file, with ``name`` for actions and objects."""
    for start, step, duration in plan_steps(plan):
        words = [name(step.action), *(name(item.object()) for item in step.actual_parameters)]
        end = "" if duration is None else f" [{float(duration):.9f}]"
        yield f"{'' if start is None else f'{float(start):.9f}: '}({' '.join(words)}){end}"


def plan_steps(plan: Any) -> list[tuple[Fraction | None, ActionInstance, Fraction | None]]:
    """Return the steps of a plan, with start and duration if it has times; of a partial order in one of its orders.

    Raises InputError for other kinds of plans.
    """
    from unified_planning.plans import PartialOrderPlan, SequentialPlan, TimeTriggeredPlan

    match plan:
        case SequentialPlan():
            return [(None, step, None) for step in plan.actions]
        case PartialOrderPlan():
            return plan_steps(next(iter(plan.all_sequential_plans())))
        case TimeTriggeredPlan():
            return list(plan.timed_actions)
        case _:
            raise InputError(f"plans of the kind {type(plan).__name__} are not supported")
