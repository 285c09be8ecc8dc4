"""The python-constraint models: every solver class, what they remember, and what min-conflicts may claim."""

from __future__ import annotations

import random

import pytest

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.catalogue.modelfile import load, read_source
from pegcp.formats.files import models_folder
from pegcp.game import Exact, OnePeg, Position, Problem
from pegcp.method import Limits, Reason, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result

COMPLETE = [
    *(f"constraint:solver={name}" for name in ("optimized", "backtracking", "recursive")),
    *(f"constraint:{options}" for options in ("memory=off", "bounds=off", "memory=off:bounds=off:order=off")),
    *(f"constraint-replay:solver={name}" for name in ("optimized", "backtracking", "recursive")),
    "constraint-replay:forwardcheck=on",
    *(f"constraint-positions:solver={name}" for name in ("optimized", "backtracking", "recursive")),
]


def answer(method: str, problem: Problem, seed: int = 0) -> Result:
    return judge_answer(problem, method, choose(method).run(problem, Run(Limits(workers=1, seed=seed))))


def random_problems(board_name: str, pegs: range) -> list[Problem]:
    board, rng = pegcp.board(board_name), random.Random(1)
    problems = []
    for many in pegs:
        start = Position(board, sum(1 << hole for hole in rng.sample(range(len(board.holes)), many)))
        finish = 1 << rng.randrange(len(board.holes))
        problems += [Problem(board, start, OnePeg()), Problem(board, start, Exact(finish))]
    return problems


@pytest.mark.thorough
@pytest.mark.parametrize("method", COMPLETE)
def test_every_complete_class_agrees_with_depth_first_search(method: str) -> None:
    for problem in random_problems("rectangle3x4", range(6, 7)):
        assert answer(method, problem).status == answer("dfs", problem).status, problem.text


@pytest.mark.thorough
@pytest.mark.parametrize(
    "problem",
    ["triangle15:a1", "lab2", *(pytest.param(name, marks=pytest.mark.slow) for name in ("triangle15:b3", "lab4"))],
)
@pytest.mark.parametrize("bounds", ["on", "off"])
def test_what_is_remembered_loses_no_solution(problem: str, bounds: str) -> None:
    asked = pegcp.problem(problem)
    assert answer(f"constraint:bounds={bounds}", asked).status == answer("dfs", asked).status


@pytest.mark.thorough
@pytest.mark.parametrize(
    "problem", ["english", *(pytest.param(name, marks=pytest.mark.slow) for name in ("french:c1->?", "wiegleb"))]
)
def test_boards_up_to_45_holes(problem: str) -> None:
    assert answer("constraint", pegcp.problem(problem)).status is Status.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize("options", ["", ":bounds=off", ":solver=recursive"])
def test_counting_forgets(options: str) -> None:
    problem = pegcp.problem("triangle10:a2->?", objective="count")
    result = answer(f"constraint{options}", problem)
    assert (result.status, result.objective) == (Status.OPTIMAL, answer("count", problem).objective)


def test_a_model_can_be_solved_again() -> None:
    model = load(read_source(models_folder() / "constraint.py")).build(pegcp.problem("triangle15:a1")).model
    assert model.getSolution() == model.getSolution() != None  # noqa: E711


@pytest.mark.thorough
def test_min_conflicts_proves_nothing() -> None:
    for name in ("constraint-positions", "constraint-replay"):
        result = answer(f"{name}:solver=min-conflicts", pegcp.problem("line6:b1->a1"))
        assert (result.status, result.reason) == (Status.UNKNOWN, Reason.COMPLETED)
        assert "1000 sweeps" in result.message


@pytest.mark.thorough
def test_min_conflicts_repairs_paths_of_positions_by_the_seed() -> None:
    problem = pegcp.problem("triangle10:a2->?")
    found = [answer("constraint-positions:solver=min-conflicts", problem, seed) for seed in (0, 0, 1)]
    assert [result.status for result in found] == [Status.SOLVED] * 3
    assert found[0].jumps == found[1].jumps != found[2].jumps


def test_min_conflicts_does_not_count() -> None:
    problem = pegcp.problem("triangle10:b2->?", objective="count")
    result = answer("constraint-replay:solver=min-conflicts", problem)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)
