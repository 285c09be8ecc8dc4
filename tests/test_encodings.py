"""The encodings of one jump per step: all say the same, with and without order."""

from __future__ import annotations

from itertools import product

import pytest

import pegcp
from pegcp.board import Position
from pegcp.channelling import ENCODINGS
from pegcp.errors import InputError
from pegcp.formulation import Run
from pegcp.methods import choose
from pegcp.problem import Exact, Objective, OnePeg, Partial, Problem
from pegcp.result import Answer, Limits, Status
from pegcp.solution import check

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
@pytest.mark.parametrize(("board", "vacancies"), [("rectangle3x3", 1), ("rectangle3x3", 1 << 4), ("triangle10", 1)])
def test_pagodas_and_symmetry_lose_no_final_position(method: str, pagoda: str, board: str, vacancies: int) -> None:
    assert_verdicts(f"{method}:pagoda={pagoda}", board, vacancies)


def assert_verdicts(method: str, name: str, vacancies: int) -> None:
    """All positions that are reached, and as many others, are told apart."""
    board = pegcp.board(name)
    start = board.full & ~vacancies
    reached = {start}
    for position in (queue := [start]):
        for jump in board.jumps:
            if jump.is_legal(position) and position ^ jump.mask not in reached:
                reached.add(position ^ jump.mask)
                queue.append(position ^ jump.mask)
    verdicts = set()
    others = (position for position in range(1, board.full, 5) if position not in reached)
    for position in [*sorted(reached), *(other for other, _ in zip(others, reached, strict=False))]:
        found = answer(method, Problem(board, Position(board, start), Exact(position)))
        verdicts.add(found.status)
        assert (found.status is Status.SOLVED) == (position in reached), board.names(position)
    assert verdicts == {Status.SOLVED, Status.INFEASIBLE}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("vacancies", [1 << 4, 1 << 1 | 1 << 7, 1 << 3 | 1 << 4 | 1 << 5])
def test_first_jumps_of_a_class_agree_with_the_order(order: str, vacancies: int) -> None:
    """Goals as symmetric as the start, so that the first jump is restricted, with the steps of all lengths."""
    board = pegcp.board("rectangle3x3")
    start = Position(board, board.full & ~vacancies)
    for pegs, free in product(range(board.full + 1), repeat=2):
        if pegs & free or (pegs | free) % 7:
            continue
        problem = Problem(board, start, Partial(pegs, board.full & ~pegs & ~free))
        if len(problem.symmetries()) == 1:
            continue
        found = answer(f"moves:order={order}:symmetry=on:pagoda=on", problem)
        assert found.status is answer("dfs", problem).status


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
