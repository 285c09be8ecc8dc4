"""The oracle by exhaustion: it finds what the searches find."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from exhaustion import fewest, keeps

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.game import Nearest, Objective, Problem
from pegcp.method import Run, Status


@pytest.mark.thorough
def test_the_same_as_searches(random_problem: Callable[[int], Problem]) -> None:
    kinds = set()
    for seed in range(40):
        problem = replace(random_problem(seed), objective=Objective.FEWEST_MOVES)
        least = fewest(problem)
        moves = choose("fewest-moves").run(problem, Run())
        assert (least is None) == (moves.status is Status.INFEASIBLE), problem.text
        if least is not None:
            assert moves.jumps is not None
            assert least["moves"] == moves.bound, problem.text
            jumps = choose("bfs").run(replace(problem, objective=Objective.FEWEST_JUMPS), Run())
            assert jumps.jumps is not None
            assert least["jumps"] == len(jumps.jumps)
        kinds.add((problem.goal.kind, least is None))
    assert len(kinds) >= 6


def test_weights_of_a_goal_are_looked_at() -> None:
    """A symmetry that carries a hole to one of another weight would make two positions one that are not the same."""
    near = Nearest(0, (1, 2, 3, 2, 1))
    problem = replace(pegcp.problem("XXoXX"), goal=near, objective=Objective.NEAREST)
    assert keeps((4, 3, 2, 1, 0), problem)
    assert not keeps((4, 3, 2, 1, 0), replace(problem, goal=Nearest(0, (1, 2, 3, 2, 2))))
    assert not keeps((0,) * 5, problem)


@pytest.mark.thorough
def test_how_near_an_end_can_be(random_problem: Callable[[int], Problem]) -> None:
    """Against the search that goes the other way."""
    for seed in range(12):
        chance, given = random.Random(seed), random_problem(seed)
        holes = len(given.board.holes)
        near = Nearest(chance.getrandbits(holes), tuple(chance.randrange(4) for _ in range(holes)))
        problem = replace(given, goal=near, objective=Objective.NEAREST)
        least = fewest(problem)
        assert least is not None
        assert least["distance"] == choose("bfs").run(problem, Run()).bound
