"""Jump budgets, pagoda functions, and the search within them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.game import Exact, Position, Problem
from pegcp.method import Limits, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result
from pegcp.theory.equations import jump_classes
from pegcp.theory.pagoda import budgets, pagodas

DATA = Path(__file__).parent / "data"

# Kiyomi and Matsui (2001): rows from top to bottom, 1 = peg; start, goal
FIGURES = {
    "fig5": ("110/111/1111110/1101011/0101011/111/011", "001/111/0110111/0100010/1100010/111/100"),
    "fig7": ("111/101/1111111/1011111/1111111/111/111", "000/010/0000000/0100000/0000000/000/000"),
    "fig8": ("000/101/0111111/1111111/1111111/111/111", "111/010/1000000/0000000/0000000/000/000"),
    "fig10": ("110/111/1111110/1111111/0111111/111/011", "001/111/0100011/0100010/1100010/111/100"),
}


def figure(name: str) -> Problem:
    board = pegcp.board("english")
    start, goal = (sum(1 << i for i, mark in enumerate(text.replace("/", "")) if mark == "1") for text in FIGURES[name])
    return Problem(board, Position(board, start), Exact(goal), name=name)


def run(problem: Problem, seed: int = 0, method: str = "budget") -> Result:
    return judge_answer(problem, method, choose(method).run(problem, Run(Limits(seed=seed))))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "status"),
    [("fig5", "INFEASIBLE"), ("fig10", "SOLVED"), pytest.param("fig8", "SOLVED", marks=pytest.mark.slow)],
)
def test_figures_by_search(name: str, status: str) -> None:
    assert budgets(figure(name)) is not None
    result = run(figure(name))
    assert result.status == status
    assert result.statistics["nodes"] > 0


def test_fig7_has_no_whole_solution_but_a_fractional_one() -> None:
    assert pagodas(figure("fig7"))  # there are none where the linear relaxation has no solution
    assert budgets(figure("fig7")) is None
    assert run(figure("fig7")).status is Status.INFEASIBLE


def test_english_centre() -> None:
    problem = pegcp.problem("english")
    found = budgets(problem)
    assert found is not None
    assert len(set(jump_classes(problem).values())) == 12
    by_name = {" ".join(problem.board.jump_names(jump)): budget for jump, budget in found.items()}
    # The same optima come from HiGHS.
    expected = {"c1 d1 e1": 2, "c1 c2 c3": 3, "d1 d2 d3": 1, "c2 d2 e2": 1, "c2 c3 c4": 4, "d2 d3 d4": 2}
    expected |= {"c3 c2 c1": 1, "c3 d3 e3": 3, "d3 d2 d1": 1, "d3 c3 b3": 4, "d3 d4 d5": 1, "d4 d3 d2": 1}
    assert {name: by_name[name] for name in expected} == expected


def test_budgets_hold_for_every_solution() -> None:
    problem = pegcp.problem("triangle15:a1")
    found = budgets(problem)
    assert found is not None
    for method in ("dfs", "bfs", "dfs-plain", "beam"):
        jumps = run(problem, method=method).jumps
        assert jumps is not None
        for jump, budget in found.items():
            assert jumps.count(jump) <= budget


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    ["triangle15:a1->?", *(pytest.param(name, marks=pytest.mark.slow) for name in ("english:d4->?", "wiegleb"))],
)
def test_pagoda_functions(name: str) -> None:
    problem = pegcp.problem(name)
    found = pagodas(problem)
    assert found
    result = run(problem)
    for pagoda in found:
        assert all(pagoda.cost(jump) >= 0 for jump in problem.board.jumps)
        if result.jumps is not None:
            assert 0 <= sum(pagoda.cost(jump) for jump in result.jumps) <= pagoda.slack


@pytest.mark.thorough
@pytest.mark.parametrize(
    "seed", [seed if seed < 3 else pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 21)]
)
def test_english_centre_in_any_order(seed: int) -> None:
    result = run(pegcp.problem("english"), seed)
    assert result.status is Status.SOLVED
    assert result.statistics["nodes"] < 20_000


@pytest.mark.thorough
def test_pagoda_functions_are_vertices_that_cut_most() -> None:
    """Any other optimal dual weights of the same linear programs leave more than ten times as many nodes."""
    result = run(pegcp.problem("square6:a1"))
    assert result.statistics["nodes"] < 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english:d1", "english:a4", "english:c1->f4"])
def test_english_pairs(name: str) -> None:
    assert run(pegcp.problem(name)).status is Status.SOLVED


@pytest.mark.thorough
def test_options() -> None:
    problem = figure("fig5")
    for options in ("pagoda=off", "greedy=off:symmetry=off"):
        assert run(problem, 3, f"budget:{options}").status is Status.INFEASIBLE


@pytest.mark.thorough
def test_dead_ends_and_armies() -> None:
    assert run(pegcp.problem("english:d4!", objective="any")).status is Status.SOLVED
    for army in json.loads((DATA / "row5_army.json").read_text())[:2]:
        cells = army["cells"]["rect"]
        board = pegcp.board(f"rectangle{cells[0]}x{cells[1]}")
        assert board.cells is not None
        where = {cell: board.holes[i] for i, cell in enumerate(board.cells)}
        x_y = [where[y, x] for x, y in army["pegs"]]
        goal = " ".join(where[y, x] for x, y in army["goal_pegs"])
        problem = pegcp.problem(f"rectangle{cells[0]}x{cells[1]}", start=" ".join(x_y), goal=f"{goal} *")
        assert run(problem).status is Status.INFEASIBLE


def test_no_time_for_budgets() -> None:
    chosen = choose("budget")
    answer = chosen.run(pegcp.problem("english"), Run(Limits(time=0)))
    assert (answer.status, answer.reason) == ("UNKNOWN", "TIME")


@pytest.mark.thorough
def test_a_line_on_which_the_linear_solver_ends_abnormally() -> None:
    """GLOP does, and MathOpt cannot say so: it raises an AttributeError."""
    problem = pegcp.problem("line60", start="a1 b1 d1", goal="dead end", objective="any")
    found = budgets(problem)
    assert found is not None
    assert max(found.values()) == 1
    assert pagodas(problem) == []
