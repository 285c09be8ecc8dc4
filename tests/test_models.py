"""What models leave out to be quick loses no final position; published optima and counts."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest
from asking import answer

import pegcp
from pegcp.game import Board, Exact, Position, Problem
from pegcp.method import Status


@cache
def levels(board: Board, start: int) -> tuple[frozenset[int], ...]:
    """Positions after 0, 1, 2, ... jumps, by nothing but the rules."""
    found = [frozenset({start})]
    while found[-1]:
        found.append(frozenset(p ^ jump.mask for p in found[-1] for jump in board.jumps if p & jump.mask == jump.needs))
    return tuple(found[:-1])


@pytest.mark.thorough
@pytest.mark.parametrize("options", ["symmetry=on", "symmetry=off"])
def test_breaking_symmetry_in_parallel_steps_loses_no_final_position(options: str) -> None:
    board = pegcp.board("rectangle3x4")
    start = Position(board, board.full & ~(1 << 4))
    everywhere = levels(board, start.mask)
    for depth, level in enumerate(everywhere[1:5], start=1):
        unreached = (p for p in range(board.full + 1) if p.bit_count() == len(start) - depth and p not in level)
        for position, reachable in [
            *((p, True) for p in sorted(level)[:12]),
            *((p, False) for p in islice(unreached, 4)),
        ]:
            result = answer(Problem(board, start, Exact(position)), f"parallel:{options}")
            assert (result.status is Status.SOLVED) == reachable, (depth, board.names(position))


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["on", "off"])
def test_ordering_independent_jumps_loses_no_final_position(order: str) -> None:
    """By `constraint`; tests/test_encodings.py asks `moves`."""
    board = pegcp.board("rectangle3x3")
    start = Position(board, board.full & ~1)
    reached = set().union(*levels(board, start.mask))
    for position in range(1, board.full, 14):
        if position.bit_count() > len(start):
            continue
        result = answer(Problem(board, start, Exact(position)), f"constraint:order={order}")
        assert (result.status is Status.SOLVED) == (position in reached)


@pytest.mark.parametrize("method", ["fools", "fools-counts"])
@pytest.mark.parametrize(("name", "jumps"), [("a1", 6), ("a2", 6), ("a3", 7), ("b3", 4)])
def test_fools_solitaire_on_the_triangle(method: str, name: str, jumps: int) -> None:
    result = answer(pegcp.problem(f"triangle15:{name}!"), method)
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "jumps"), [("d1", 6), ("d4", 6)])
def test_fools_solitaire_on_the_english_board(name: str, jumps: int) -> None:
    for method in ("fools", "fools-counts"):
        result = answer(pegcp.problem(f"english:{name}!"), method)
        assert (result.status, result.objective) == (Status.OPTIMAL, jumps)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "jumps"), [("c1", 9), ("c2", 13), ("c3", 13), ("d1", 6), ("d2", 10), ("d3", 9), ("d4", 6)]
)
def test_all_english_classes_by_jump_counts(name: str, jumps: int) -> None:
    result = answer(pegcp.problem(f"english:{name}!"), "fools-counts", 300)
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.slow
def test_the_central_game_needs_thirteen_steps() -> None:
    assert answer(pegcp.problem("english"), "parallel:horizon=13", 300).status is Status.SOLVED
    refuted = answer(pegcp.problem("english"), "parallel:horizon=12", 300)
    assert refuted.status is Status.UNKNOWN
    assert "no solution with horizon 12" in refuted.message


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "count"), [("a1->?", 29_760), ("a2->?", 14_880), ("a3->?", 85_258), ("b3->?", 1_550), ("a1!", 568_630)]
)
def test_counts_of_games_on_the_triangle(name: str, count: int) -> None:
    result = answer(pegcp.problem(f"triangle15:{name}", objective="count"), "count")
    assert (result.status, result.objective) == (Status.OPTIMAL, count)
