"""The encodings of one jump per step: all say the same, with and without order."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from pegcp.modelling.encodings import ENCODINGS

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError
from pegcp.game.board import Board
from pegcp.game.check import check
from pegcp.game.goal import Exact, Goal, Objective, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Answer, Limits, Run, Status

ORDERS = ("on", "off", "full")


def answer(method: str, problem: Problem) -> Answer:
    found = choose(method).run(problem, Run(Limits(workers=1)))
    if found.jumps is not None:
        check(problem, found.jumps)
    return found


@pytest.mark.parametrize(("encoding", "order"), list(product(ENCODINGS, ORDERS)))
def test_every_final_position_is_reached_or_refuted_alike(encoding: str, order: str) -> None:
    assert_verdicts(f"moves:encoding={encoding}:order={order}", "rectangle3x3", 1)


@pytest.mark.parametrize("method", [f"moves:order={order}:symmetry=on" for order in ORDERS] + ["parallel:early=on"])
@pytest.mark.parametrize("pagoda", ["on", "off"])
@pytest.mark.parametrize(("board", "vacancies"), [("rectangle3x3", 1), ("triangle10", 1)])
def test_pagodas_and_symmetry_lose_no_final_position(method: str, pagoda: str, board: str, vacancies: int) -> None:
    assert_verdicts(f"{method}:pagoda={pagoda}", board, vacancies)


def reached_from(board: Board, start: int) -> set[int]:
    reached = {start}
    for position in (queue := [start]):
        for jump in board.jumps:
            if jump.is_legal(position) and position ^ jump.mask not in reached:
                reached.add(position ^ jump.mask)
                queue.append(position ^ jump.mask)
    return reached


def assert_verdicts(method: str, name: str, vacancies: int) -> None:
    """All positions that are reached, and as many others, are told apart."""
    board = pegcp.board(name)
    start = board.full & ~vacancies
    reached = reached_from(board, start)
    verdicts = set()
    others = (position for position in range(1, board.full, 5) if position not in reached)
    for position in [*sorted(reached), *(other for other, _ in zip(others, reached, strict=False))]:
        found = answer(method, Problem(board, Position(board, start), Exact(position)))
        verdicts.add(found.status)
        assert (found.status is Status.SOLVED) == (position in reached), board.names(position)
    assert verdicts == {Status.SOLVED, Status.INFEASIBLE}


@pytest.mark.parametrize("method", [*(f"moves:order={order}" for order in ORDERS), "parallel:early=on"])
@pytest.mark.parametrize(
    ("name", "vacancies"), [("rectangle3x3", "a1 c3"), ("rectangle4x4", "a1 a4 d1 d4"), ("triangle15", "a3 c3")]
)
def test_symmetric_goals_are_reached_or_refuted_alike(method: str, name: str, vacancies: str) -> None:
    for problem, expected in symmetric_problems(name, vacancies):
        assert (answer(f"{method}:symmetry=on:pagoda=on", problem).status is Status.SOLVED) == expected, problem.goal


@cache
def symmetric_problems(name: str, vacancies: str) -> list[tuple[Problem, bool]]:
    """Problems in which the first jump has images, and whether they have a solution."""
    board = pegcp.board(name)
    start = Position(board, board.full & ~board.mask(vacancies.split()))
    assert len(list(start.jumps())) > 2
    everywhere = reached_from(board, start.mask)
    symmetric = [p for p in range(1, start.mask, 5) if len(Problem(board, start, Exact(p)).symmetries()) > 1]
    reached = [position for position in symmetric if position in everywhere]
    others = [position for position in symmetric if position not in everywhere]
    some = reached[:5] + others[:3]
    goals: list[Goal] = [OnePeg(), *map(Exact, some), *map(Partial, some)]
    problems = [Problem(board, start, goal) for goal in goals]
    return [(problem, any(map(problem.is_goal, everywhere))) for problem in problems]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_partial_goals_where_steps_may_be_idle(encoding: str) -> None:
    board = pegcp.board("rectangle3x4")
    start = Position(board, board.full & ~0b11)
    for goal in (Partial(1, 1 << 5), Partial(1 << 1 | 1 << 2), OnePeg()):
        problem = Problem(board, start, goal)
        assert answer(f"moves:encoding={encoding}", problem).status is answer("dfs", problem).status


@pytest.mark.parametrize(("encoding", "order"), list(product(ENCODINGS, ("off", "full"))))
def test_all_encodings_count_the_same(encoding: str, order: str) -> None:
    problem = pegcp.problem("triangle10:a2->?", objective="count")
    found = answer(f"moves:encoding={encoding}:order={order}", problem)
    by_clauses = answer(f"moves:order={order}", problem)
    assert (found.status, found.objective) == (Status.OPTIMAL, by_clauses.objective)
    assert by_clauses.objective == 14 or order == "full"


def test_unknown_values_are_refused() -> None:
    problem = Problem(pegcp.board("line4"), Position(pegcp.board("line4"), 0b1011), OnePeg(), Objective.ANY)
    with pytest.raises(InputError, match=r'cannot be "tables" .did you mean "table"'):
        answer("moves:encoding=tables", problem)
    with pytest.raises(InputError, match=r"on.*off.*full"):
        answer("moves:order=maybe", problem)
