"""Jump counts with Benders cuts: verdicts, and certificates that the checker accepts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from asking import answer
from parts import share

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.game import Problem
from pegcp.method import Evidence, Reason, Status
from pegcp.theory.cases import play


@pytest.mark.thorough
@share(6, 30)
def test_what_the_counts_refute_has_a_certificate(seeds: range, random_problem: Callable[[int], Problem]) -> None:
    certificates = 0
    for seed in seeds:
        problem = random_problem(seed)
        if not choose("benders").method.refusal(problem):
            result = answer(problem, "benders")
            if result.status is Status.INFEASIBLE and result.evidence is Evidence.CERTIFICATE:
                assert result.certificate is not None
                certificates += result.certificate["kind"] == "cases"
    assert certificates


@pytest.mark.parametrize(
    "hole", [pytest.param("c2", marks=pytest.mark.thorough), pytest.param("d3", marks=pytest.mark.slow)]
)
def test_english_reversals(hole: str) -> None:
    assert answer(pegcp.problem(f"english:{hole}"), "benders").status is Status.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "cuts"), [("fig5", 1), ("fig7", 0), pytest.param("triangle15:b3->a1", 99, marks=pytest.mark.slow)]
)
def test_what_is_refuted_has_a_certificate(name: str, cuts: int) -> None:
    """Figures of Kiyomi and Matsui: one cut refutes the one, whole numbers without any refute the other."""
    result = answer(pegcp.problem(name), "benders")
    assert (result.status, result.evidence) == (Status.INFEASIBLE, Evidence.CERTIFICATE)
    assert result.certificate is not None
    assert min(cuts, 99) == min(len(result.certificate.get("cuts", [])), 99)


def test_play_within_limits() -> None:
    problem = pegcp.problem("XXoXX")
    names = [" ".join(problem.board.jump_names(jump)) for jump in problem.board.jumps]
    nothing = play(problem, dict.fromkeys(range(len(names)), 0))
    assert nothing is not None
    assert (nothing.jumps, nothing.positions) == ([], 1)
    assert {names[j] for j in nothing.cut} == {"a1 b1 c1", "e1 d1 c1"}
    free = play(problem, {})
    assert free is not None
    assert (free.solved, free.cut, free.positions) == (False, {}, 5)
    assert play(problem, {}, most=4) is None


@pytest.mark.thorough
def test_a_child_can_send_it() -> None:
    result = pegcp.solve("fig7", "benders", time_limit=60)
    assert (result.status, result.evidence) == (Status.INFEASIBLE, Evidence.CERTIFICATE)


@pytest.mark.long
def test_time_limit() -> None:
    result = answer(pegcp.problem("wiegleb:e1"), "benders", 0.3)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
