"""Boards with more symmetries than are listed: what is listed is a group, nothing is missed or counted twice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

import pytest
from asking import answer
from hypothesis import given
from hypothesis import strategies as st

import pegcp
from pegcp.game import Board, DeadEnd, Exact, Goal, Objective, OnePeg, Partial, Position, Problem, graph_board
from pegcp.game.symmetry import LISTED, Permutation, Subgroup, canonical_form, image
from pegcp.states.frame import group


def graph(vertices: int, edges: Sequence[tuple[int, int]], name: str) -> Board:
    return graph_board([str(v + 1) for v in range(vertices)], [(str(a + 1), str(b + 1)) for a, b in edges], name)


def complete(n: int) -> Board:
    return graph(n, list(combinations(range(n), 2)), f"K{n}")


def bipartite(a: int, b: int) -> Board:
    return graph(a + b, list(product(range(a), range(a, a + b))), f"K{a},{b}")


def petersen() -> Board:
    outer = [(i, (i + 1) % 5) for i in range(5)]
    inner = [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
    return graph(10, [*outer, *inner, *((i, i + 5) for i in range(5))], "Petersen")


def windmill(blades: int) -> Board:
    edges = [(0, v) for v in range(1, 2 * blades + 1)] + [(v, v + 1) for v in range(1, 2 * blades, 2)]
    return graph(2 * blades + 1, edges, f"windmill {blades}")


def double_star(a: int, b: int) -> Board:
    edges = [(0, 1), *((0, 2 + i) for i in range(a)), *((1, 2 + a + i) for i in range(b))]
    return graph(2 + a + b, edges, f"double star {a},{b}")


def cube(dimension: int) -> Board:
    vertices = range(1 << dimension)
    edges = [(v, v ^ 1 << bit) for v in vertices for bit in range(dimension) if v < v ^ 1 << bit]
    return graph(1 << dimension, edges, f"{dimension}-cube")


SMALL = (complete(6), bipartite(3, 5), petersen(), windmill(4), double_star(4, 4))
BOARDS = {board.name: board for board in (*SMALL, complete(9), windmill(7), double_star(5, 7), cube(6))}
ORDERS = {
    "K6": 720, "K3,5": 720, "Petersen": 120, "windmill 4": 384, "double star 4,4": 1152, "K9": 362_880,
    "windmill 7": 645_120, "double star 5,7": 604_800, "6-cube": 46_080,
}  # fmt: skip


def goals(board: Board, chance: random.Random) -> list[Goal]:
    some = chance.randrange(1, board.full + 1)
    one = 1 << chance.randrange(len(board.holes))
    return [OnePeg(), DeadEnd(), Exact(one), Exact(some), Partial(one), Partial(0, one)]


def is_group(elements: Sequence[Permutation]) -> bool:
    found = set(elements)
    closed = all(tuple(q[i] for i in p) in found for p in found for q in found)
    return closed and len(found) == len(elements) and elements[0] == tuple(range(len(elements[0])))


@pytest.mark.parametrize(
    "name", [name if ORDERS[name] < 40_000 else pytest.param(name, marks=pytest.mark.thorough) for name in BOARDS]
)
def test_what_is_listed_is_a_group_of_symmetries(name: str) -> None:
    board = BOARDS[name]
    assert board.symmetries.order == ORDERS[name]
    chance = random.Random(name)
    for goal in goals(board, chance):
        problem = Problem(board, Position(board, chance.randrange(board.full + 1)), goal)
        for listed, masks in (
            (problem.goal_symmetries(), (problem.final_pegs, problem.final_vacancies)),
            (problem.symmetries(), (problem.final_pegs, problem.final_vacancies, problem.start.mask)),
            (group(problem), (problem.final_pegs, problem.final_vacancies)),
        ):
            assert is_group(listed.elements)
            assert len(listed) <= LISTED
            assert not listed.complete
            assert all(image(p, mask) == mask for p in listed for mask in masks)
    lines = set(board.lines)
    for p in board.symmetries.subgroup():
        assert {(min(p[a], p[b]), p[over], max(p[a], p[b])) for a, over, b in lines} == lines
    assert len(board.symmetries.subgroup()) > 1


@given(st.sampled_from([name for name in ORDERS if ORDERS[name] <= 1152]), st.integers(1, 1200))
def test_a_subgroup_of_any_size(name: str, most: int) -> None:
    whole = BOARDS[name].symmetries
    found = whole.subgroup(most)
    assert len(found) <= most
    assert found.complete == (whole.order <= most) == (len(found) == whole.order)
    assert whole.order % len(found) == 0
    if len(found) <= 60:
        assert is_group(found.elements)


def test_a_group_that_can_be_listed_is_listed_whole() -> None:
    problem = pegcp.problem("english:d1")
    assert problem.goal_symmetries().complete
    assert len(problem.goal_symmetries()) == len(problem.symmetries()) == 2
    assert is_group(problem.board.symmetries.subgroup().elements)


@cache
def listed_of(name: str) -> Subgroup:
    return BOARDS[name].symmetries.subgroup()


@given(st.sampled_from(sorted(BOARDS)), st.integers(0), st.integers(0))
def test_positions_of_one_class_have_one_canonical_form(name: str, position: int, element: int) -> None:
    board = BOARDS[name]
    position %= board.full + 1
    listed = listed_of(name)
    least = canonical_form(listed)
    assert least(position) == least(image(listed.elements[element % len(listed)], position)) == least(least(position))


def count(problem: Problem) -> int:
    """How many sequences of jumps end in the goal, by brute force."""
    found: dict[int, int] = {}

    def ways(position: int) -> int:
        if position not in found:
            after = (position ^ jump.mask for jump in problem.board.jumps if jump.is_legal(position))
            found[position] = problem.is_goal(position) + sum(map(ways, after))
        return found[position]

    return ways(problem.start.mask)


def test_the_count_of_k6() -> None:
    board = complete(6)
    for start, last in ((1, 2), (2, 1)):
        problem = Problem(board, Position(board, board.full & ~(1 << start - 1)), Exact(1 << last - 1), Objective.COUNT)
        assert answer(problem, "count").objective == count(problem) == 11_520


@pytest.mark.long
@pytest.mark.parametrize(
    "method", ["bfs", *(pytest.param(name, marks=pytest.mark.slow) for name in ("dfs", "beam", "count"))]
)
def test_a_board_of_64_holes_and_46080_symmetries(method: str) -> None:
    """Few pegs, so that brute force is quick."""
    board = cube(6)
    chance = random.Random(6)
    for _ in range(1):
        near = sum(1 << v for v in chance.sample(range(8), 4))
        for goal in (OnePeg(), Exact(1 << chance.randrange(8)), Partial(1 << chance.randrange(8))):
            objective = Objective.COUNT if method == "count" else Objective.ANY
            problem = Problem(board, Position(board, near), goal, objective, f"{near:b} {goal}")
            result = answer(problem, method)
            assert (result.jumps is not None) == (count(problem) > 0), problem.name
            assert result.answered
            assert objective is Objective.ANY or (result.objective or 0) == count(problem)
