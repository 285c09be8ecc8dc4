"""Judge the answer of a method: replay its solutions, verify its certificate, and make it a Result."""

import threading
import time
from math import inf
from typing import Any

from pegcp.checking.verification import Unverified, verify
from pegcp.errors import InvalidSolution
from pegcp.game import Objective, Problem, Replay, replay_solution
from pegcp.game.equivalence import representative
from pegcp.method import Answer, Limits, Number, Reason, Status
from pegcp.results.result import REASONS, Result, failed


def judge_answer(
    problem: Problem,
    method: str,
    answer: Answer,
    limits: Limits | None = None,
    stop: threading.Event | None = None,
    **about: Any,
) -> Result:
    """Return the result of a method's answer: solutions replayed, objective values recomputed, certificates verified.

    An answer that fails becomes UNKNOWN with reason INVALID_SOLUTION and a message; one with a certificate that takes
    more than the limits to verify, with reason TIME or MEMORY, or INTERRUPTED if ``stop`` is set meanwhile. ``about``
    goes to Result as it is.
    """
    reason, replay, value = Reason.INVALID_SOLUTION, None, None
    try:
        if answer.jumps is not None and answer.status.has_solution:
            replay = replay_solution(problem, answer.jumps)
        value = _compute_value(problem, answer, replay)
        fault = _find_contradiction(problem, method, answer, value) or _find_fault_in_list(problem, answer, limits)
        if not fault and answer.certificate is not None:
            flaw = verify(problem, answer.certificate, limits, stop)
            fault = f"the certificate of {method} is wrong: {flaw}" if flaw else ""
    except (InvalidSolution, Unverified) as error:
        reason, fault = getattr(error, "reason", reason), error.message
    if fault:
        return failed(problem, method, reason, fault, statistics=answer.statistics, **about)
    values = {**vars(answer), "objective": value, "counted": answer.counted if replay else ""}
    return Result(problem=problem, method=method, **values, replay=replay, **about)


def _find_fault_in_list(problem: Problem, answer: Answer, limits: Limits | None) -> str:
    """Return what is wrong with the solutions that were listed: empty if nothing is. Raises Unverified at the limit."""
    deadline = inf if limits is None else time.monotonic() + limits.time
    if answer.solutions and (problem.objective is not Objective.COUNT or len(answer.solutions) != answer.objective):
        return f"{len(answer.solutions):,} solutions are listed, and {answer.objective} are counted"
    for number, solution in enumerate(answer.solutions, start=1):
        if time.monotonic() > deadline:
            raise Unverified(
                Reason.TIME,
                f"the list was not checked: only {number - 1:,} of its {len(answer.solutions):,} solutions in time",
            )
        try:
            replay_solution(problem, solution)
        except InvalidSolution as error:
            return f"solution {number} of the list: {error}"
        if representative(problem, solution, answer.counted) != solution:
            return f"solution {number} of the list does not stand for those that are the same {answer.counted}"
    return "" if len(set(answer.solutions)) == len(answer.solutions) else "a solution is listed twice"


def _compute_value(problem: Problem, answer: Answer, replay: Replay | None) -> Number | None:
    """Return the objective's value: from the replay, but a count as it is claimed. No solution counts as 0."""
    if problem.objective is Objective.COUNT:
        return 0 if answer.status is Status.INFEASIBLE else answer.objective if replay else None
    return replay.value if replay else None


def _find_contradiction(problem: Problem, method: str, answer: Answer, objective: Number | None) -> str:
    """Return what contradicts itself in a method's claims: empty if nothing does. Its solution has the value
    ``objective``."""
    bound, claim = answer.bound, answer.objective
    is_count = problem.objective is Objective.COUNT and answer.jumps is not None
    is_positive = isinstance(objective, int) and objective > 0
    faults = {
        f"gives a solution together with {answer.status}": answer.jumps is not None and not answer.status.has_solution,
        f"claims {answer.status} without a solution": answer.jumps is None and answer.status.has_solution,
        f"claims {answer.status} with the reason {answer.reason}": answer.reason.sort not in REASONS[answer.status],
        f"claims the bound {bound}, and the problem has nothing to bound": (
            problem.objective is Objective.ANY and bound is not None
        ),
        f"has a solution and counts {objective}": (
            is_count and not is_positive and (answer.status is Status.OPTIMAL or objective is not None)
        ),
        f"claims objective {claim}, its answer has {objective}": claim is not None and claim != objective,
        f"claims the bound {bound}, its own solution has {objective}": (
            bound is not None and objective is not None and bound > objective
        ),
        f"claims the optimum {objective} with the bound {bound}": (
            bound is not None and objective is not None and answer.status is Status.OPTIMAL and bound < objective
        ),
    }
    return next((f"{method} {fault}" for fault, is_so in faults.items() if is_so), "")
