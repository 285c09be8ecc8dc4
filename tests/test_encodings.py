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
    board = pegcp.board("rectangle3x3")
    start = board.full & ~1
    reached = {start}
    for position in (queue := [start]):
        for jump in board.jumps:
            if jump.is_legal(position) and position ^ jump.mask not in reached:
                reached.add(position ^ jump.mask)
                queue.append(position ^ jump.mask)
    verdicts = set()
    # All that is reached, and as many other positions.
    others = (position for position in range(1, board.full, 5) if position not in reached)
    for position in [*sorted(reached), *(other for other, _ in zip(others, reached, strict=False))]:
        found = answer(
            f"moves:encoding={encoding}:order={order}", Problem(board, Position(board, start), Exact(position))
        )
        verdicts.add(found.status)
        assert (found.status is Status.SOLVED) == (position in reached), board.names(position)
    assert verdicts == {Status.SOLVED, Status.INFEASIBLE}


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
