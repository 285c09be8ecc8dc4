"""Certificates that go through cases of whole jump counts: what they settle, and that changed ones are refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from test_certificates import DATA, english_puzzle, reachable

import pegcp
from pegcp.errors import InputError
from pegcp.game.goal import DeadEnd, Exact
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run
from pegcp.theory.certificates import explain, find, find_bound, verify, verify_bound

FIGURES = {  # of Kiyomi and Matsui 2001; both have none of the simpler certificates
    "fig5": ("110/111/1111110/1101011/0101011/111/011", "001/111/0110111/0100010/1100010/111/100"),
    "fig7": ("111/101/1111111/1011111/1111111/111/111", "000/010/0000000/0100000/0000000/000/000"),
}


def figure(name: str) -> Problem:
    board = pegcp.board("english")
    start, goal = (sum(1 << i for i, mark in enumerate(rows.replace("/", "")) if mark == "1") for rows in FIGURES[name])
    return Problem(board, Position(board, start), Exact(goal))


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures(name: str) -> None:
    problem = figure(name)
    assert find(problem) is None
    certificate = find(problem, cases=True)
    assert certificate is not None
    assert certificate["kind"] == "cases"
    assert verify(problem, json.loads(json.dumps(certificate))) is None
    assert "cases, split by" in explain(problem, certificate)
    kinds = {"stuck" if node == "stuck" else type(node) for node in certificate["tree"]}
    assert kinds == ({"stuck", list, dict} if name == "fig5" else {list, dict})


def test_the_last_english_puzzles() -> None:
    """The two that have no simpler certificate."""
    for puzzle in json.loads((DATA / "english_puzzles.json").read_text()):
        if puzzle["id"] in (43, 100):
            problem = english_puzzle(puzzle)
            certificate = find(problem, cases=True)
            assert certificate is not None
            assert verify(problem, certificate) is None


def test_against_exhaustion(random_problem: Callable[[int], Problem]) -> None:
    """No solvable problem has one; of the unsolvable ones that have no simpler one most do."""
    settled = left = 0
    for seed in range(400):
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
    assert settled >= 5
    assert left <= 1


@pytest.fixture(scope="module")
def refuted() -> tuple[Problem, dict[str, Any]]:
    problem = figure("fig5")
    certificate = find(problem, cases=True)
    assert certificate is not None
    return problem, certificate


def test_changed_cases_are_refused(refuted: tuple[Problem, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every node left out, put elsewhere or doubled, and every number changed, unless what results is right, too: then
    it does not pass for a problem that has a solution."""
    from pegcp.theory import whole

    monkeypatch.setattr(whole, "MOST_POSITIONS", 1000)  # enough for the good one
    problem, good = refuted
    assert verify(problem, good) is None
    # As many jumps from the same start, but some of them can be made.
    position = problem.start
    for _ in range(7):
        position = position.after(position.legal_jumps()[0])
    solvable = Problem(problem.board, problem.start, Exact(position.mask))
    chance = random.Random(1)
    refused = 0
    for _ in range(300):
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
            case 3 if isinstance(tree[i], list):
                tree[i] = [tree[i][0], tree[i][1] + chance.choice([-1, 1])]
            case _ if isinstance(tree[i], dict):
                key = chance.choice(list(tree[i]))
                tree[i] = tree[i] | {key: tree[i][key] + chance.choice([-1, 1, -tree[i][key]])}
        refused += verify(problem, bad) is not None
        assert verify(solvable, bad) is not None
    assert refused > 150
    assert verify(solvable, good) is not None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"tree": 5}, "tree must be a list"),
        ({"tree": []}, "1 cases are not settled"),
        ({"tree": ["stuck"]}, "case 1: the goal is reached, or there are more"),
        ({"tree": [{"d4": 1}, "stuck"]}, "case 1: the rows can hold together"),
        ({"tree": [["z9", 0]]}, "neither a split nor a sum"),
        ({"tree": [["d4", "0"]]}, "neither a split nor a sum"),
        ({"tree": [{"d4": 0.5}]}, "neither a split nor a sum"),
        ({"tree": [{"z9": 1}]}, "neither a split nor a sum"),
        ({"tree": [{"d4": 1}]}, "case 1: the rows can hold together"),
        ({"tree": [["d4", 0]] * 30_000}, "more than 20,000 cases"),
        ({"most": 3}, "only about solutions of at most 3 jumps"),
        ({"most": "3"}, "most must be a whole number"),
    ],
)
def test_malformed(refuted: tuple[Problem, dict[str, Any]], changes: dict[str, Any], fault: str) -> None:
    problem, good = refuted
    said = verify(problem, good | changes)
    assert said is not None
    assert fault in said


def test_too_many_positions(refuted: tuple[Problem, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can make the checker search for long."""
    from pegcp.theory import whole

    monkeypatch.setattr(whole, "MOST_POSITIONS", 10)
    assert "more than 10 positions" in str(verify(*refuted))


@pytest.mark.parametrize(("hole", "least"), [("d1", 6), ("d4", 6), ("c1", 9)])
def test_bounds_of_fools_solitaire(hole: str, least: int) -> None:
    """Fewer jumps are refuted, as many are not; a bound shows no more than it says."""
    problem = pegcp.problem(f"english:{hole}!")
    bound = find_bound(problem, least - 1, Run(Limits(time=200)))
    assert bound is not None
    assert verify_bound(problem, json.loads(json.dumps(bound))) == least
    with pytest.raises(InputError, match=r"case \d+|cases"):
        verify_bound(problem, bound | {"most": least})
    assert verify(problem, bound) == "a dead end can always be reached"
    assert find_bound(problem, least, Run(Limits(time=200))) is None
    with pytest.raises(InputError, match="shows no bound"):
        verify_bound(problem, {"kind": "count"})
