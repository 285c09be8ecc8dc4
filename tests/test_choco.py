"""Rounds in Choco: verdicts, limits, exports."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from parts import need

import pegcp
from pegcp.catalogue import choose
from pegcp.errors import InputError
from pegcp.exporting import export
from pegcp.game.problem import Problem
from pegcp.method import Limits, Reason, Run, Status
from pegcp.result import Result, checked


def setup_module() -> None:
    need("choco")


def answer(problem: Problem, method: str, seconds: float = 100) -> Result:
    return checked(problem, method, choose(method).run(problem, Run(Limits(time=seconds, workers=1))))


@pytest.mark.parametrize("learning", ["on", "off"])
def test_verdicts_are_those_of_search(learning: str, random_problem: Callable[[int], Problem]) -> None:
    seen = []
    for seed in range(100):
        problem = random_problem(seed)
        if choose("choco-rounds").method.refusal(problem) is None:
            result = answer(problem, f"choco-rounds:learning={learning}")
            assert result.status is answer(problem, "bfs").status, problem.text
            seen.append(result.status)
    assert {*seen} == {Status.SOLVED, Status.INFEASIBLE}


def test_what_five_rounds_cannot_do_is_refuted() -> None:
    result = answer(pegcp.problem("english"), "choco-rounds:horizon=5")
    assert result.statistics["refuted_horizons"] == [5]
    assert answer(pegcp.problem("english:d3"), "choco-rounds").status is Status.SOLVED


def test_a_turn_that_was_stopped_says_nothing() -> None:
    """A solver that goes on after a limit would say at once that there is no solution."""
    began = time.monotonic()
    result = answer(pegcp.problem("wiegleb:e1"), "choco-rounds:horizon=12", 7)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert time.monotonic() - began < 100


def test_nothing_to_export() -> None:
    with pytest.raises(InputError, match="no export format"):
        export(pegcp.problem("english"), "choco-rounds")
