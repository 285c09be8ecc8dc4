"""Numbers of solutions and games: published ones, and plain enumeration on random boards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from math import factorial
from pathlib import Path

import pytest

import pegcp
from pegcp.catalogue.choice import best_for, choose
from pegcp.game import DeadEnd, Exact, Jump, Objective, Position, Problem, lines_board
from pegcp.game.equivalence import COARSER, SEQUENCES, representative
from pegcp.method import Limits, Run
from pegcp.results.judge import judge_answer
from pegcp.search.count import solutions

DATA = Path(__file__).parent / "data"
TRIANGLE = json.loads((DATA / "triangle15.json").read_text())["by_start_hole"]


def played(problem: Problem) -> Iterator[list[Jump]]:
    """All solutions."""
    path: list[Jump] = []

    def play(position: int) -> Iterator[list[Jump]]:
        if problem.is_goal(position):
            yield list(path)
        for jump in problem.board.jumps:
            if jump.is_legal(position):
                path.append(jump)
                yield from play(position ^ jump.mask)
                path.pop()

    return play(problem.start.mask)


@cache
def number_played(problem: Problem) -> int | None:
    """How many solutions there are; None if there are too many games to play."""
    games = islice(played(replace(problem, goal=DeadEnd())), 1001)
    return sum(1 for _ in played(problem)) if sum(1 for _ in games) <= 1000 else None


@pytest.mark.usefixtures("kernel")
def test_counts_against_enumeration(random_problem: Callable[[int], Problem]) -> None:
    counts = set()
    for seed in range(40):
        problem = random_problem(seed)
        number = number_played(problem)
        if number is not None:
            assert solutions(problem, Run()) == number, seed
            counts.add(number)
    assert len(counts) > 10


@pytest.mark.thorough
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(("hole", "number"), [("a2", "2"), ("b3", "5")])
def test_triangle(hole: str, number: str) -> None:
    problem = pegcp.problem(f"triangle15:{hole}->?")
    assert solutions(problem, Run()) == TRIANGLE[number]["wins"]
    assert solutions(replace(problem, goal=DeadEnd()), Run()) == TRIANGLE[number]["games"]
    at_start = replace(problem, goal=Exact(problem.board.mask([hole])))
    assert solutions(at_start, Run()) == TRIANGLE[number]["wins_last_at_start"]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(("hole", "number"), [("a1", 180), ("a2", 90), ("a3", 696), ("b3", 12)])
def test_triangle_up_to_order(hole: str, number: int) -> None:
    problem = pegcp.problem(f"triangle15:{hole}->?")
    assert solutions(problem, Run(), "order") == number
    assert solutions(problem, Run(), "symmetry") == number // len(problem.symmetries())  # no solution is its own image


@pytest.mark.usefixtures("kernel")
def test_solutions_that_a_symmetry_keeps() -> None:
    problem = pegcp.problem("XXoXoXX", goal="c1 d1 e1")  # both jumps, in one order or the other
    assert [solutions(problem, Run(), up_to) for up_to in ("", "order", "symmetry")] == [2, 1, 1]
    problem = pegcp.problem("rectangle3x4", start="a1 a2 c1 c2 b4", goal="one peg")
    every = {tuple(jumps) for jumps in played(problem)}
    for up_to, notion in COARSER.items():
        assert solutions(problem, Run(), up_to) == len({representative(problem, jumps, notion) for jumps in every})


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_central_game_up_to_order_and_symmetry() -> None:
    problem, run = pegcp.problem("english"), Run(Limits(time=800))
    assert solutions(problem, run, "order") == 8_126_848 == 8 * solutions(problem, run, "symmetry")


def test_more_solutions_than_can_be_listed() -> None:
    """Twelve lines apart: the twelve jumps in any order."""
    twelve = range(12)
    names = [f"{letter}{line}" for line in twelve for letter in "abc"]
    board = lines_board(names, [(f"a{line}", f"b{line}", f"c{line}") for line in twelve])
    start, end = (sum(pegs << 3 * line for line in twelve) for pegs in (0b011, 0b100))
    problem = Problem(board, Position(board, start), Exact(end), Objective.COUNT)
    found = choose("count").run(problem, Run(Limits(time=60)))
    assert (found.status, found.objective) == ("OPTIMAL", factorial(12))


@pytest.mark.slow
def test_central_game() -> None:
    published = json.loads((DATA / "published_counts.json").read_text())["english33_center"]
    problem = pegcp.problem("english", objective="count")
    assert best_for(problem).method.name == "count"
    result = judge_answer(problem, "count", choose("count").run(problem, Run(Limits(time=200))))
    assert result.objective == published["n_solution_sequences_to_center"]
    assert result.counted == SEQUENCES


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_games_of_the_central_game() -> None:
    published = json.loads((DATA / "published_counts.json").read_text())["english33_center"]
    problem = replace(pegcp.problem("english"), goal=DeadEnd())
    assert solutions(problem, Run(Limits(time=800))) == published["n_game_sequences"]


def test_no_solution_and_no_time() -> None:
    problem = pegcp.problem("XXoXXoX", objective="count")
    assert choose("count").run(problem, Run()).status == "INFEASIBLE"
    late = choose("count").run(pegcp.problem("english", objective=Objective.COUNT), Run(Limits(time=0.01)))
    assert (late.status, late.reason, late.jumps) == ("UNKNOWN", "TIME", None)
