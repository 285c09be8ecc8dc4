"""One jump per step: pagoda functions and every order reach and refute the same positions; variables by meaning."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.errors import InputError
from pegcp.formats.files import models_folder
from pegcp.game import Board, Exact, Goal, OnePeg, Partial, Position, Problem
from pegcp.method import Status

ORDERS = ("on", "off")


def reached_from(board: Board, start: int) -> set[int]:
    reached = {start}
    for position in (queue := [start]):
        for jump in board.jumps:
            if jump.is_legal(position) and position ^ jump.mask not in reached:
                reached.add(position ^ jump.mask)
                queue.append(position ^ jump.mask)
    return reached


@pytest.mark.thorough
@pytest.mark.parametrize("method", [*(f"moves:order={order}" for order in ORDERS), "parallel"])
@pytest.mark.parametrize("pagoda", ["on", "off"])
def test_every_final_position_is_reached_or_refuted_alike(method: str, pagoda: str) -> None:
    board = pegcp.board("rectangle3x3")
    start = board.full & ~1
    reached = reached_from(board, start)
    others = (position for position in range(1, board.full, 15) if position not in reached)
    for position in [*sorted(reached)[::3], *(other for other, _ in zip(others, reached, strict=False))]:
        found = answer(Problem(board, Position(board, start), Exact(position)), f"{method}:pagoda={pagoda}")
        assert found.status is (Status.SOLVED if position in reached else Status.INFEASIBLE), board.names(position)


@pytest.mark.thorough
@pytest.mark.parametrize("method", [*(f"moves:order={order}" for order in ORDERS), "parallel"])
@pytest.mark.parametrize(
    ("name", "vacancies"), [("rectangle3x3", "a1 c3"), pytest.param("triangle15", "a3 c3", marks=pytest.mark.slow)]
)
def test_symmetric_goals_are_reached_or_refuted_alike(method: str, name: str, vacancies: str) -> None:
    for problem, expected in symmetric_problems(name, vacancies):
        assert (answer(problem, method).status is Status.SOLVED) == expected, problem.goal


@cache
def symmetric_problems(name: str, vacancies: str) -> list[tuple[Problem, bool]]:
    """Problems in which the first jump has images, and whether they have a solution."""
    board = pegcp.board(name)
    start = Position(board, board.full & ~board.mask(vacancies.split()))
    everywhere = reached_from(board, start.mask)
    symmetric = [p for p in range(1, start.mask, 5) if len(Problem(board, start, Exact(p)).symmetries()) > 1]
    reached = [position for position in symmetric if position in everywhere]
    some = reached[:5] + [position for position in symmetric if position not in everywhere][:3]
    goals: list[Goal] = [OnePeg(), *map(Exact, some), *map(Partial, some)]
    problems = [Problem(board, start, goal) for goal in goals]
    return [(problem, any(map(problem.is_goal, everywhere))) for problem in problems]


def test_partial_goals_where_steps_may_be_idle() -> None:
    board = pegcp.board("rectangle3x4")
    start = Position(board, board.full & ~0b11)
    for goal in (Partial(1, 1 << 5), Partial(1 << 1 | 1 << 2), OnePeg()):
        problem = Problem(board, start, goal)
        assert answer(problem, "moves").status is answer(problem, "dfs").status


def test_unknown_values_are_refused() -> None:
    with pytest.raises(InputError, match=r"optimized.*recursive"):
        answer(pegcp.problem("XoXX"), "constraint:solver=maybe")


def test_models_import_no_backend() -> None:
    for path in models_folder().glob("*.py"):
        assert "pegcp.backends" not in path.read_text("utf-8"), path.name


LANGUAGES = {
    "moves": "cp-sat",
    "rounds": "cp-sat",
    "parallel": "cp-sat",
    "long-hop": "cp-sat",
    "ip-rounds": "cp-sat-mathopt",
    "sat-rounds": "cadical",
    "asp-rounds": "clingo",
    "smt-sweep": "bitwuzla",
    "mzn-rounds": "minizinc",
    "choco-rounds": "choco",
    "cpmpy-rounds": "cpmpy-ortools",
}


@pytest.mark.parametrize(("method", "backend"), LANGUAGES.items())
def test_variables_by_meaning(method: str, backend: str) -> None:
    """In every language: each jump in the steps where it can be made, and each hole before and after."""
    if backend != "minizinc":  # whose models are text
        need(backend)
    problem = pegcp.problem("rectangle3x4:a1->?")
    built = pegcp.model(problem, method)
    assert len(built.peg) == len(built.made) + 1
    assert {jump for step in built.made for jump in step} == {*problem.board.jumps}
    assert all({*position} == {*problem.board.holes} for position in built.peg)
    c1 = next(step for step in built.made if problem.board.jumps[0] in step)
    names = problem.board.jump_names(problem.board.jumps[0])
    assert c1[f"{names[0]}-{names[2]}"] is c1[problem.board.jumps[0]]
    with pytest.raises(InputError):
        c1["a1-a1"]


def forbid(built: Any, jump: str) -> None:
    for step in built.made:
        built.native.add(step[jump] == 0)


def demand(model: Any, literal: Any) -> None:
    model.add(literal == 1)


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        (lambda b: demand(b.native, b.made[0]["a3-a1"]), lambda names, _: names[0] == "a3-a1"),
        (lambda b: demand(b.native, b.peg[8]["a5"]), lambda _, positions: positions[8] & 1 << 10),
        (lambda b: forbid(b, "a5-a3"), lambda names, _: "a5-a3" not in names),
    ],
)
@pytest.mark.thorough
def test_constraints_of_your_own(change: Callable[[Any], Any], holds: Callable[[Any, Any], Any]) -> None:
    """A first jump, a hole that is still full after 8 jumps, a jump that is never made."""
    from ortools.sat.python.cp_model import CpSolver

    problem = pegcp.problem("triangle15")
    assert problem.board.holes[10] == "a5"
    built = pegcp.model(problem, "moves:order=off")
    change(built)
    solver = CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 0
    solver.parameters.cp_model_presolve = False
    solver.solve(built.native)
    jumps = built.jumps(solver)
    assert jumps is not None
    pegcp.check(problem, jumps)
    positions = [problem.start.mask]
    for jump in jumps:
        positions.append(positions[-1] ^ jump.mask)
    names = [f"{problem.board.holes[jump.from_]}-{problem.board.holes[jump.to]}" for jump in jumps]
    assert holds(names, positions)
