"""Every model and every search, on small boards, against positions counted by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, product

import pytest
from parts import need

import pegcp
from pegcp.catalogue.methods import bundled, choose
from pegcp.catalogue.modelfile import bundled_models, bundled_searches
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Goal, Objective, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run, Status
from pegcp.result import Result, checked

MODELS = [header.name for header in bundled_models()]
SEARCHES = sorted(name for name, method in bundled().items() if method.path and "search" in method.path.parts)
COMPLETE = {header.name for header in (*bundled_models(), *bundled_searches()) if header.complete}
BOARDS = ("line7", "cycle6", "rectangle3x3", "triangle10")


def answer(method: str, problem: Problem, seconds: float = 60) -> Result:
    run = Run(Limits(time=seconds, workers=1))
    return checked(problem, method, choose(method).run(problem, run))


@cache
def levels(board: Board, start: int) -> tuple[frozenset[int], ...]:
    """Positions after 0, 1, 2, ... jumps, by nothing but the rules."""
    found = [frozenset({start})]
    while found[-1]:
        found.append(frozenset(p ^ jump.mask for p in found[-1] for jump in board.jumps if p & jump.mask == jump.needs))
    return tuple(found[:-1])


def problems() -> Iterator[Problem]:
    for name in BOARDS:
        board = pegcp.board(name)
        for orbit in board.symmetries.orbits:
            start = Position(board, board.full & ~(1 << orbit[0]))
            last = 1 << orbit[-1]
            goals: list[Goal] = [
                OnePeg(),
                Exact(last),
                Exact(board.full & ~last),
                Partial(last),
                Partial(0, last),
                DeadEnd(),
            ]
            for goal in goals:
                objective = Objective.FEWEST_JUMPS if isinstance(goal, DeadEnd) else Objective.ANY
                yield Problem(board, start, goal, objective, f"{name}:{board.holes[orbit[0]]} {goal.kind} {last:#x}")


def shortest(problem: Problem) -> int | None:
    reached = levels(problem.board, problem.start.mask)
    return next((depth for depth, level in enumerate(reached) if any(map(problem.is_goal, level))), None)


@pytest.mark.parametrize("method", [*MODELS, *SEARCHES])
def test_verdicts_are_those_of_brute_force(method: str) -> None:
    backend = choose(method).backend
    need(*([] if backend is None else [backend]))
    asked = 0
    for problem in problems():
        if choose(method).method.refusal(problem) is not None:
            continue
        result = answer(method, problem)
        asked += 1
        expected = shortest(problem)
        if expected is None:
            assert result.status in (Status.INFEASIBLE, Status.UNKNOWN), (problem.name, result)
        elif problem.objective is Objective.FEWEST_JUMPS and result.status is Status.OPTIMAL:
            assert result.objective == expected, problem.name
        elif method in COMPLETE:
            assert result.status is Status.SOLVED, (problem.name, result)
        if method in COMPLETE:
            assert result.answered, (problem.name, result)
    assert asked or not choose(method).method.objectives & {"any", "fewest-jumps"}


@pytest.mark.parametrize("options", ["early=on", "early=on:symmetry=off", "early=off", "symmetry=off"])
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
            result = answer(f"parallel:{options}", Problem(board, start, Exact(position)))
            assert (result.status is Status.SOLVED) == reachable, (depth, board.names(position))


@pytest.mark.parametrize(("method", "order"), list(product(("moves", "constraint"), ("on", "off"))))
def test_ordering_independent_jumps_loses_no_final_position(method: str, order: str) -> None:
    board = pegcp.board("rectangle3x3")
    start = Position(board, board.full & ~1)
    reached = set().union(*levels(board, start.mask))
    for position in range(1, board.full, 3):
        if position.bit_count() > len(start):
            continue
        result = answer(f"{method}:order={order}", Problem(board, start, Exact(position)))
        assert (result.status is Status.SOLVED) == (position in reached)


@pytest.mark.parametrize("method", ["fools", "fools-counts"])
@pytest.mark.parametrize(("name", "jumps"), [("a1", 6), ("a2", 6), ("a3", 7), ("b3", 4)])
def test_fools_solitaire_on_the_triangle(method: str, name: str, jumps: int) -> None:
    result = answer(method, pegcp.problem(f"triangle15:{name}!"))
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.parametrize(("name", "jumps"), [("d1", 6), ("d4", 6)])
def test_fools_solitaire_on_the_english_board(name: str, jumps: int) -> None:
    for method in ("fools", "fools-counts"):
        result = answer(method, pegcp.problem(f"english:{name}!"))
        assert (result.status, result.objective) == (Status.OPTIMAL, jumps)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "jumps"), [("c1", 9), ("c2", 13), ("c3", 13), ("d1", 6), ("d2", 10), ("d3", 9), ("d4", 6)]
)
def test_all_english_classes_by_jump_counts(name: str, jumps: int) -> None:
    result = answer("fools-counts", pegcp.problem(f"english:{name}!"), 300)
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.slow
def test_the_central_game_needs_thirteen_steps() -> None:
    assert answer("parallel:horizon=13", pegcp.problem("english"), 300).status is Status.SOLVED
    refuted = answer("parallel:horizon=12:early=on", pegcp.problem("english"), 300)
    assert refuted.status is Status.UNKNOWN
    assert "no solution with horizon 12" in refuted.message


@pytest.mark.parametrize(
    ("name", "count"), [("a1->?", 29_760), ("a2->?", 14_880), ("a3->?", 85_258), ("b3->?", 1_550), ("a1!", 568_630)]
)
@pytest.mark.parametrize("symmetry", ["on", "off"])
def test_counts_of_games_on_the_triangle(name: str, count: int, symmetry: str) -> None:
    problem = pegcp.problem(f"triangle15:{name}", objective="count")
    result = answer(f"dfs:symmetry={symmetry}", problem)
    assert (result.status, result.objective) == (Status.OPTIMAL, count)
