"""pegcp as an engine of unified-planning, which plans and validates plans, for tasks that are peg solitaire:

get_environment().factory.add_engine("pegcp", "pegcp.planning_engine", "Pegcp")
with OneshotPlanner(name="pegcp") as planner:
    result = planner.solve(task)
with PlanValidator(name="pegcp") as validator:
    validator.validate(task, result.plan)
"""

from fractions import Fraction
from typing import IO, Any

from unified_planning.engines import (
    Engine,
    LogMessage,
    OptimalityGuarantee,
    PlanGenerationResult,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines import PlanGenerationResultStatus as PlanStatus
from unified_planning.engines.mixins import OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.engines.results import FailedValidationReason, LogLevel
from unified_planning.model import AbstractProblem, ProblemKind
from unified_planning.model import Problem as Task
from unified_planning.plans import Plan, PlanKind

from pegcp.api import solve
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.pddl.unified import UnifiedTask, plan_instances
from pegcp.method import Reason, Status

_LIMIT_SECONDS = 3600.0  # seconds where no time-out is given
_FEATURES = (  # that tasks may have
    "ACTION_BASED", "CONTINUOUS_TIME", "INT_TYPE_DURATIONS", "FLAT_TYPING", "HIERARCHICAL_TYPING", "EQUALITIES",
    "NEGATIVE_CONDITIONS", "ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST", "INT_NUMBERS_IN_ACTIONS_COST",
    "REAL_NUMBERS_IN_ACTIONS_COST", "PLAN_LENGTH", "MAKESPAN", "FORALL_EFFECTS",
)  # fmt: skip


class Pegcp(Engine, OneshotPlannerMixin, PlanValidatorMixin):  # type: ignore[misc]
    """Recognise the problem, solve it by a method (by default the one that is best for it), and write the plan; or
    replay a plan and evaluate the metric of the task for it.

    A task that is not peg solitaire is refused when it is solved: the answer is then UNSUPPORTED_PROBLEM, with the
    action that is not understood among the messages.
    """

    def __init__(self, method: str | None = None) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self.method = method

    @property
    def name(self) -> str:
        """The name of the engine in unified-planning."""
        return "pegcp"

    @staticmethod
    def supported_kind() -> ProblemKind:
        """The features that tasks may have."""
        return ProblemKind(set(_FEATURES), version=2)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Tell whether tasks with these features may be peg solitaire."""
        return bool(problem_kind <= Pegcp.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Not all methods prove that a plan is best; where they do, the answer is SOLVED_OPTIMALLY."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    def _solve(
        self,
        problem: AbstractProblem,
        heuristic: object = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        del heuristic  # it takes none
        try:
            read = _recognised(problem)
            result = solve(read.problem, self.method, time_limit=timeout or _LIMIT_SECONDS)
            plan = None if result.jumps is None else read.plan(result.jumps)
        except InputError as error:
            messages = [LogMessage(LogLevel.ERROR, str(error))]
            return PlanGenerationResult(PlanStatus.UNSUPPORTED_PROBLEM, None, self.name, log_messages=messages)
        if output_stream is not None:
            output_stream.write(f"{result}\n")
        metrics = {"engine_internal_time": str(result.statistics.get("wall_seconds", 0.0))}
        return PlanGenerationResult(_status(result.status, result.reason), plan, self.name, metrics)

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        """Tell whether plans of this kind can be validated."""
        return plan_kind in (PlanKind.SEQUENTIAL_PLAN, PlanKind.TIME_TRIGGERED_PLAN)

    def _validate(self, problem: AbstractProblem, plan: Plan) -> ValidationResult:
        valid, reason, action, message = ValidationResultStatus.INVALID, None, None, ""
        values: Any = None
        try:
            read = _recognised(problem)
        except InputError as error:
            messages = [LogMessage(LogLevel.ERROR, str(error))]
            return ValidationResult(ValidationResultStatus.UNKNOWN, self.name, messages)
        try:
            value = read.value(plan)
            valid = ValidationResultStatus.VALID
            values = {metric: Fraction(str(value)) for metric in read.task.quality_metrics} or None
        except InputError as error:
            reason, message = FailedValidationReason.INAPPLICABLE_ACTION, str(error)
        except InvalidSolution as error:
            message = str(error)
            reason = FailedValidationReason.UNSATISFIED_GOALS
            if error.step is not None:
                reason = FailedValidationReason.INAPPLICABLE_ACTION
                action = plan_instances(plan)[error.step - 1]
        messages = [LogMessage(LogLevel.INFO, message)] if message else []
        return ValidationResult(valid, self.name, messages, values, reason, action)


def _recognised(problem: AbstractProblem) -> UnifiedTask:
    if not isinstance(problem, Task):
        raise InputError(f"not peg solitaire: a {type(problem).__name__}")
    return UnifiedTask(problem)


def _status(status: Status, reason: Reason) -> PlanStatus:
    if status is Status.UNKNOWN:
        others = PlanStatus.TIMEOUT if reason.sort == "limit" else PlanStatus.INTERNAL_ERROR
        return {Reason.MEMORY: PlanStatus.MEMOUT, Reason.COMPLETED: PlanStatus.UNSOLVABLE_INCOMPLETELY}.get(
            reason, others
        )
    answers = {Status.OPTIMAL: PlanStatus.SOLVED_OPTIMALLY, Status.INFEASIBLE: PlanStatus.UNSOLVABLE_PROVEN}
    return answers.get(status, PlanStatus.SOLVED_SATISFICING)
