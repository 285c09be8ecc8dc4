"""Certificates that go through cases of whole jump counts: what they settle, and that changed ones are refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from parts import share
from test_certificates import DATA, english_puzzle, reachable

import pegcp
from pegcp.checking import checker
from pegcp.checking.verification import explain, verify
from pegcp.game import DeadEnd, Exact, Position, Problem
from pegcp.theory import certificates
from pegcp.theory.cases import find_cases
from pegcp.theory.certificates import find, for_checker

FIGURES = {  # of Kiyomi and Matsui 2001; both have none of the simpler certificates
    "fig5": ("110/111/1111110/1101011/0101011/111/011", "001/111/0110111/0100010/1100010/111/100"),
    "fig7": ("111/101/1111111/1011111/1111111/111/111", "000/010/0000000/0100000/0000000/000/000"),
}


def figure(name: str) -> Problem:
    board = pegcp.board("english")
    start, goal = (sum(1 << i for i, mark in enumerate(rows.replace("/", "")) if mark == "1") for rows in FIGURES[name])
    return Problem(board, Position(board, start), Exact(goal))


@pytest.mark.thorough
@pytest.mark.parametrize("name", FIGURES)
def test_the_figures(name: str) -> None:
    problem = figure(name)
    assert find(problem) is None
    certificate = find(problem, cases=True)
    assert certificate is not None
    assert certificate["kind"] == "cases"
    assert ("cuts" in certificate) == (name == "fig5")
    assert f"{sum(node[0] == 'sum' for node in certificate['tree'])} cases" in " ".join(
        explain(problem, certificate).split()
    )


@pytest.mark.slow
def test_the_last_english_puzzles() -> None:
    """The two that have no simpler certificate."""
    for puzzle in json.loads((DATA / "english_puzzles.json").read_text()):
        if puzzle["id"] in (43, 100):
            problem = english_puzzle(puzzle)
            certificate = find(problem, cases=True)
            assert certificate is not None
            assert verify(problem, certificate) is None


@pytest.mark.long
@share(45, 250)
def test_against_exhaustion(seeds: range, random_problem: Callable[[int], Problem]) -> None:
    """No solvable problem has one; of the unsolvable ones that have no simpler one most do."""
    settled = left = 0
    for seed in seeds:
        problem = random_problem(seed)
        if isinstance(problem.goal, DeadEnd) or find(problem) is not None:
            continue
        certificate = find(problem, cases=True)
        solvable = any(map(problem.is_goal, reachable(problem.board, problem.start.mask)))
        assert certificate is None or not solvable, problem.text
        if certificate is not None:
            assert verify(problem, certificate) is None
        settled += certificate is not None
        left += certificate is None and not solvable
    assert settled >= 1
    assert left <= 1


@pytest.fixture(scope="module")
def refuted() -> tuple[Problem, dict[str, Any]]:
    problem = figure("fig5")
    certificate = find(problem, cases=True)
    assert certificate is not None
    return problem, certificate


@pytest.mark.thorough
def test_changed_cases_are_refused(refuted: tuple[Problem, dict[str, Any]]) -> None:
    """What still passes with a node left out, put elsewhere or doubled, or a number changed, is right, too: it does not
    pass for a problem that has a solution."""
    problem, good = refuted
    position = problem.start  # as many jumps from the same start, but some of them can be made
    for _ in range(7):
        position = position.after(position.legal_jumps()[0])
    solvable = Problem(problem.board, problem.start, Exact(position.mask))
    assert verify(solvable, good) is not None
    chance = random.Random(1)
    refused = 0
    for _ in range(8):
        bad = copy.deepcopy(good)
        tree: list[Any] = bad["tree"]
        i = chance.randrange(len(tree))
        match chance.randrange(5):
            case 0:
                del tree[i]
            case 1:
                tree[i] = tree[chance.randrange(len(tree))]
            case 2:
                tree.insert(i, tree[chance.randrange(len(tree))])
            case 3 if tree[i][0] == "split":
                tree[i][2] += chance.choice([-1, 1])
            case _ if tree[i][0] == "sum":
                pair = chance.choice(tree[i][1])
                pair[1] += chance.choice([-1, 1, -pair[1]])
        if verify(problem, bad) is None:
            assert verify(solvable, bad) is not None
        else:
            refused += 1
    assert refused > 2


@pytest.mark.parametrize(
    "changes",
    [
        {"tree": 5},
        {"tree": []},
        {"tree": [["stuck"]]},
        {"tree": [["split", 999, 0]]},
        {"tree": [["sum", [[0, 0.5]]]]},
        {"tree": [["sum", [[0, 1]]]]},
        {"cuts": []},
        {"most": 3},
    ],
)
def test_malformed(refuted: tuple[Problem, dict[str, Any]], changes: dict[str, Any]) -> None:
    problem, good = refuted
    assert verify(problem, good | changes) is not None


@pytest.mark.parametrize(
    ("hole", "least"),
    [
        ("d1", 6),
        ("d4", 6),
        pytest.param("c1", 9, marks=pytest.mark.slow),
        pytest.param("d3", 9, marks=pytest.mark.slow),
        pytest.param("d2", 10, marks=pytest.mark.slow),
    ],
)
def test_bounds_of_fools_solitaire(hole: str, least: int) -> None:
    """Fewer jumps are refuted, and a bound shows no more than it says."""
    problem = pegcp.problem(f"english:{hole}!")
    bound = find_cases(problem, 200, most=least - 1)
    assert bound is not None
    read, told = checker.read_problem(problem.text.encode()), for_checker(problem, json.loads(json.dumps(bound)))
    shown = checker.Certificate(read, told)
    shown.check()
    assert shown.longest == least - 1
    with pytest.raises(checker.Rejected, match="node"):
        checker.Certificate(read, told | {"most": least}).check()
    assert "no part shows" in str(verify(problem, bound))


def test_as_many_jumps_as_there_are_solutions_of_are_not_refuted() -> None:
    assert find_cases(pegcp.problem("english:d4!"), 200, most=6) is None


def test_only_a_malformed_certificate_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of pegcp's own code is none of the certificate."""

    def broken(*_: object) -> dict[str, Any]:
        raise KeyError("ours")

    monkeypatch.setitem(certificates.KINDS, "class", certificates.KINDS["class"]._replace(tree=broken))
    with pytest.raises(KeyError, match="ours"):
        verify(pegcp.problem("english:c1->e5"), {"kind": "class", "holes": ["c1"]})


@pytest.mark.parametrize(
    "certificate",
    [
        {"kind": "class"},
        {"kind": "class", "holes": "c1"},
        {"kind": "class", "holes": [["c1"]]},
        {"kind": "pagoda", "weights": ["c1"]},
        {"kind": "pagoda", "weights": {"c1": 0.5}},
        {"kind": "finishes", "cases": [5]},
        {"kind": "finishes", "cases": [{"kind": "finishes", "finishes": [], "cases": []}]},
        {"kind": "finishes", "cases": [{"kind": "class", "holes": ["c1"]}]},
    ],
)
def test_certificates_without_the_form_of_their_kind(certificate: dict[str, Any]) -> None:
    assert "malformed" in str(verify(pegcp.problem("english:c1->e5"), certificate))
