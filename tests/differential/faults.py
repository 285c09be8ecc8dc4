"""What is wrong in what a method said, measured by the truth."""

from __future__ import annotations

from collections.abc import Iterator

from pegcp.game import Jump, Objective, Problem
from pegcp.method import Reason, Status
from pegcp.results.result import Result

from .brute_force import Game, Truth
from .combinations import Combination, Said

WELL = (Reason.COMPLETED, Reason.UNSUPPORTED)
STOPPED = (Reason.TIME, Reason.MEMORY, Reason.INTERRUPTED)
FOUND = (Status.SOLVED, Status.OPTIMAL)


def untrue(problem: Problem, game: Game, truth: Truth, said: Said) -> Iterator[str]:
    """What is not true in the answer, or was not when it was reported; nothing may be, whenever a run was stopped."""
    yield from _untrue(problem, game, truth, said.result)
    optimum = truth.optimum(problem.objective)
    for report in said.reports:
        bound, jumps = report.get("bound"), report.get("jumps")
        if bound is not None and truth.solvable and (optimum is None or bound > optimum + 1e-6):
            yield f"reported the bound {bound}, the optimum is {optimum}"
        if jumps is not None and not _solves(game, jumps):
            yield f"reported jumps that are no solution: {jumps}"


def _untrue(problem: Problem, game: Game, truth: Truth, result: Result) -> Iterator[str]:
    optimum, claim = truth.optimum(problem.objective), result.status.value
    if result.status is Status.UNKNOWN and result.message.startswith("the planner failed (killed by "):
        return  # a program of others that crashes, as Tamer does now and then; what is said of it is true
    if result.reason not in (*WELL, *STOPPED):
        yield f"{result.reason.value}: {result.message}"
        return
    if result.reason is Reason.UNSUPPORTED and result.status is not Status.UNKNOWN:
        yield f"{claim} and UNSUPPORTED"
    if result.status is Status.INFEASIBLE and truth.solvable:
        yield f"INFEASIBLE, {truth}"
    if result.status in FOUND:
        assert result.jumps is not None
        if not _solves(game, result.jumps):
            yield f"{claim} with jumps that are no solution: {result.jumps}"
    if result.status is Status.OPTIMAL and problem.objective is Objective.ANY:
        yield "OPTIMAL where any solution will do"
    if result.certificate is not None and (
        result.status is not Status.INFEASIBLE or not game.is_certificate(problem, result.certificate)
    ):
        yield f"{claim} with the certificate {result.certificate}"
    if problem.objective is Objective.COUNT:
        yield from _untrue_count(truth, result)
    elif result.status in FOUND and result.jumps is not None:
        value = game.value(problem.objective, result.jumps)
        if result.objective != value:
            yield f"objective {result.objective}, its solution has {value}"
        if result.status is Status.OPTIMAL and value != optimum:
            yield f"OPTIMAL {value}, the optimum is {optimum}"
        if result.status is Status.OPTIMAL and result.bound not in (None, value):
            yield f"OPTIMAL {value} with the bound {result.bound}"
    if result.bound is not None and (optimum is None or result.bound > optimum + 1e-6) and truth.solvable:
        yield f"bound {result.bound}, the optimum is {optimum}"


def _untrue_count(truth: Truth, result: Result) -> Iterator[str]:
    if result.status is Status.INFEASIBLE and result.objective != 0:
        yield f"INFEASIBLE, and counts {result.objective}"
    if result.status in FOUND:
        number = {"jump sequences": truth.sequences, "up to the order of independent jumps": truth.orders}.get(
            result.counted
        )
        if result.counted == "up to symmetry and the order of independent jumps":  # at most so many are images
            if result.objective is None or not 1 <= result.objective <= truth.orders:
                yield f"counted {result.objective} {result.counted}, there are {truth.orders} up to order"
        elif number is None:
            yield f"counted something else: {result.counted}"
        elif result.status is Status.OPTIMAL and result.objective != number:
            yield f"counted {result.objective} {result.counted}, there are {number}"
        elif result.objective is None or not 1 <= result.objective <= number:
            yield f"counted {result.objective} {result.counted} so far, there are {number}"


def unfinished(problem: Problem, truth: Truth, said: Said) -> Iterator[str]:
    """What is missing in the answer of a run that was not stopped."""
    combination, result = said.combination, said.result
    if result.reason in STOPPED:
        return
    if result.status is Status.UNKNOWN and result.reason is Reason.COMPLETED and not _may_give_up(combination, truth):
        yield f"no answer: {result.message}"
    proves = not combination.planner and not combination.option("horizon")
    if result.status is Status.SOLVED and problem.objective is not Objective.ANY and proves:
        yield "SOLVED, and the optimum is not proved"
    if result.reason is Reason.UNSUPPORTED and not result.message:
        yield "UNSUPPORTED without a word"


def _may_give_up(combination: Combination, truth: Truth) -> bool:
    # Not every search of a planner proves that there is no plan.
    return combination.may_give_up or (combination.planner and not truth.solvable)


def _solves(game: Game, jumps: tuple[Jump, ...] | list[Jump]) -> bool:
    last = game.after(jumps)
    return last is not None and game.reached(last)
