"""Jump counts with Benders cuts: verdicts, and certificates that the checker accepts, and refuses when changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from asking import answer
from pegcp.theory.cuts import play

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Evidence, Reason, Status
from pegcp.theory.certificates import explain, verify

OPTIONS = [f"benders:keep={keep}:symmetry={symmetry}" for keep in ("on", "off") for symmetry in ("on", "off")]


@pytest.mark.parametrize("method", OPTIONS)
def test_verdicts_are_those_of_search(method: str, random_problem: Callable[[int], Problem]) -> None:
    certificates = 0
    for seed in range(120):
        problem = random_problem(seed)
        if choose(method).method.refusal(problem) is None:
            result = answer(problem, f"{method}:certificates=off")
            assert result.status is answer(problem, "bfs").status, problem.text
            if result.status is Status.INFEASIBLE and result.evidence is Evidence.CERTIFICATE:
                assert result.certificate is not None
                certificates += result.certificate["kind"] == "jump-counts"
    assert certificates > 4


@pytest.mark.parametrize("hole", ["c2", "d2", "c3", "d3", "d4"])
def test_english_reversals(hole: str) -> None:
    assert answer(pegcp.problem(f"english:{hole}"), "benders").status is Status.SOLVED


@cache
def certificate(name: str) -> tuple[Problem, dict[str, Any]]:
    problem = pegcp.problem(name)
    result = answer(problem, "benders")
    assert (result.status, result.evidence) == (Status.INFEASIBLE, Evidence.CERTIFICATE)
    return problem, json.loads(json.dumps(result.certificate))


def test_one_cut_refutes_what_budgets_do_not() -> None:
    """Figure 5 of Kiyomi and Matsui: every jump has a budget, and still there is no solution."""
    problem, found = certificate("fig5")
    assert len(found["cuts"]) == 1
    assert verify(problem, found) is None
    assert "one of these jumps more often" in explain(problem, found)


def test_without_cuts() -> None:
    """Figure 7: half jumps would do, whole ones do not."""
    problem, found = certificate("fig7")
    assert found["cuts"] == []
    assert verify(problem, found) is None


def changed(found: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    other = copy.deepcopy(found)
    change(other)
    return other


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        (lambda found: found["cases"].pop(), "left open"),
        (lambda found: found["cases"].clear(), "left open"),
        (lambda found: found["cases"].insert(0, {}), "malformed"),
        (lambda found: found["cases"].insert(0, 7), "malformed"),
        (lambda found: found["cases"][0].update(cut=7), "malformed"),
        (lambda found: found.update(cases=None), "list of cases"),
        (lambda found: found["cuts"].clear(), "malformed"),
        (lambda found: found["cases"][1].update(weights={"d4": 1}), "leave it open"),
        (lambda found: found["cases"][1].update(weights={"d4": "x"}), "malformed"),
        (lambda found: found.update(cases=[found["cases"][0], {"class": []}]), "same class"),
        (lambda found: found.update(cases=[found["cases"][0], {"class": ["d4"]}]), "odd number"),
        (lambda found: found["cuts"][0].update({"d4 d5 d7": 1}), "not on the board"),
        (lambda found: found["cuts"].append({"d4 d5 d6": -1}), "limit for each"),
        (lambda found: found["cases"].extend(found["cases"]), None),
        (lambda found: found.pop("cuts"), "list of cuts"),
    ],
)
def test_changed_certificates_are_refused(change: Callable[[dict[str, Any]], object], flaw: str | None) -> None:
    """But for cases after the last one, which take nothing from the proof."""
    problem, found = certificate("fig5")
    if flaw is None:
        assert verify(problem, changed(found, change)) is None
        return
    assert flaw in str(verify(problem, changed(found, change)))
    with pytest.raises(InputError, match="certificate is wrong"):
        explain(problem, changed(found, change))


def test_a_certificate_is_worth_nothing_for_a_problem_with_a_solution() -> None:
    _, found = certificate("fig5")
    assert verify(pegcp.problem("english:c3"), found) is not None
    assert verify(pegcp.problem("english:c3"), {**found, "cuts": [{}], "cases": [{"cut": 1}]}) is not None


def test_play_within_limits() -> None:
    problem = pegcp.problem("XXoXX")
    names = [" ".join(problem.board.jump_names(jump)) for jump in problem.board.jumps]
    nothing = play(problem, dict.fromkeys(range(len(names)), 0))
    assert nothing is not None
    assert (nothing.jumps, nothing.positions) == ([], 1)
    assert {names[j] for j in nothing.used_up} == {"a1 b1 c1", "e1 d1 c1"}
    free = play(problem, {})
    assert free is not None
    assert (free.solved, free.used_up, free.positions) == (False, frozenset(), 5)
    assert play(problem, {}, most=4) is None


def test_a_child_can_send_it() -> None:
    result = pegcp.solve("fig7", "benders", time_limit=60)
    assert (result.status, result.evidence) == (Status.INFEASIBLE, Evidence.CERTIFICATE)


def test_time_limit() -> None:
    result = answer(pegcp.problem("wiegleb:e1"), "benders", 1)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
