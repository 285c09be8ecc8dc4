"""Asking one method in this process, as the tests of the forms do."""

from __future__ import annotations

from collections.abc import Iterable

from pegcp.catalogue.methods import choose
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run, Status
from pegcp.result import Result, checked


def answer(problem: Problem, method: str, seconds: float = 100) -> Result:
    """The checked result of a method with one thread."""
    return checked(problem, method, choose(method).run(problem, Run(Limits(time=seconds, workers=1))))


def has_verdicts_of_search(method: str, problems: Iterable[Problem]) -> None:
    """Assert that the method says of each problem that it takes what breadth-first search says; both verdicts occur."""
    seen = set()
    for problem in problems:
        if choose(method).method.refusal(problem) is None:
            result = answer(problem, method)
            assert result.status is answer(problem, "bfs").status, problem.text
            seen.add(result.status)
    assert seen == {Status.SOLVED, Status.INFEASIBLE}
