"""pegcp as an engine of unified-planning, which plans and validates plans, for tasks that are peg solitaire:

get_environment().factory.add_engine("pegcp", "pegcp.planning_engine", "Pegcp")
with OneshotPlanner(name="pegcp") as planner:
    result = planner.solve(task)
with PlanValidator(name="pegcp") as validator:
    validator.validate(task, result.plan)
"""

from fractions import Fraction
from typing import IO, Any

from unified_planning import engines, model
from unified_planning.engines import mixins, results
from unified_planning.engines.results import PlanGenerationResultStatus as PlanStatus
from unified_planning.plans import Plan, PlanKind

from pegcp.api import solve
from pegcp.errors import InputError, InvalidSolution, refuse_if
from pegcp.formats.pddl.unified import UnifiedTask, plan_steps
from pegcp.method import Reason, Status

_LIMIT_SECONDS = 3600.0  # seconds where no time-out is given
_ANSWERS = {
    Status.SOLVED: PlanStatus.SOLVED_SATISFICING,
    Status.OPTIMAL: PlanStatus.SOLVED_OPTIMALLY,
    Status.INFEASIBLE: PlanStatus.UNSOLVABLE_PROVEN,
}
_REASONS = {  # why there is no answer
    Reason.TIME: PlanStatus.TIMEOUT,
    Reason.MEMORY: PlanStatus.MEMOUT,
    Reason.COMPLETED: PlanStatus.UNSOLVABLE_INCOMPLETELY,
}
_FEATURES = (  # that tasks may have
    "ACTION_BASED", "CONTINUOUS_TIME", "INT_TYPE_DURATIONS", "FLAT_TYPING", "HIERARCHICAL_TYPING", "EQUALITIES",
    "NEGATIVE_CONDITIONS", "ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST", "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST", "PLAN_LENGTH", "MAKESPAN", "FORALL_EFFECTS",
)  # fmt: skip


class Pegcp(engines.Engine, mixins.OneshotPlannerMixin, mixins.PlanValidatorMixin):  # type: ignore[misc]
    """Recognise the problem, solve it by a method (by default the one that is best for it), and write the plan; or
    replay a plan and evaluate the metric of the task for it.

    A task that is not peg solitaire is refused when it is solved: the answer is then UNSUPPORTED_PROBLEM, with the
    action that is not understood among the messages.
    """

    def __init__(self, method: str | None = None) -> None:
        engines.Engine.__init__(self)
        mixins.OneshotPlannerMixin.__init__(self)
        self.method = method

    @property
    def name(self) -> str:
        """The name of the engine in unified-planning."""
        return "pegcp"

    @staticmethod
    def supported_kind() -> model.ProblemKind:
        """Return the features that tasks may have."""
        return model.ProblemKind(set(_FEATURES), version=2)

    @staticmethod
    def supports(problem_kind: model.ProblemKind) -> bool:
        """Tell whether tasks with these features may be peg solitaire."""
        return bool(problem_kind <= Pegcp.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: engines.OptimalityGuarantee) -> bool:
        """Not all methods prove that a plan is best; where they do, the answer is SOLVED_OPTIMALLY."""
        return bool(optimality_guarantee == engines.OptimalityGuarantee.SATISFICING)

    def _solve(
        self,
        problem: model.AbstractProblem,
        heuristic: object = None,  # noqa: ARG002 - it takes none
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> results.PlanGenerationResult:
        try:
            task = _read_task(problem)
            result = solve(task.problem, self.method, time_limit=timeout or _LIMIT_SECONDS)
            plan = None if result.jumps is None else task.plan(result.jumps)
        except InputError as error:
            return results.PlanGenerationResult(
                PlanStatus.UNSUPPORTED_PROBLEM,
                None,
                self.name,
                log_messages=[results.LogMessage(results.LogLevel.ERROR, str(error))],
            )
        if output_stream is not None:
            output_stream.write(f"{result}\n")
        status = _ANSWERS.get(result.status) or _REASONS.get(result.reason, PlanStatus.INTERNAL_ERROR)
        return results.PlanGenerationResult(
            status, plan, self.name, {"engine_internal_time": str(result.statistics.get("wall_seconds", 0.0))}
        )

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        """Tell whether plans of this kind can be validated."""
        return plan_kind in (PlanKind.SEQUENTIAL_PLAN, PlanKind.TIME_TRIGGERED_PLAN)

    def _validate(self, problem: model.AbstractProblem, plan: Plan) -> results.ValidationResult:
        try:
            task = _read_task(problem)
        except InputError as error:
            messages = [results.LogMessage(results.LogLevel.ERROR, str(error))]
            return results.ValidationResult(results.ValidationResultStatus.UNKNOWN, self.name, messages)
        try:
            value = task.value(plan)
        except (InputError, InvalidSolution) as error:
            messages, step = [results.LogMessage(results.LogLevel.INFO, str(error))], getattr(error, "step", None)
            reason = (
                results.FailedValidationReason.UNSATISFIED_GOALS
                if isinstance(error, InvalidSolution) and step is None
                else results.FailedValidationReason.INAPPLICABLE_ACTION
            )
            action = None if step is None else plan_steps(plan)[step - 1][1]
            return results.ValidationResult(
                results.ValidationResultStatus.INVALID, self.name, messages, None, reason, action
            )
        values: Any = {metric: Fraction(str(value)) for metric in task.task.quality_metrics} or None
        return results.ValidationResult(results.ValidationResultStatus.VALID, self.name, [], values)


def _read_task(problem: Any) -> UnifiedTask:
    refuse_if(not isinstance(problem, model.Problem), f"not peg solitaire: a {type(problem).__name__}")
    return UnifiedTask(problem)
