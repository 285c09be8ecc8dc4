"""Pagoda functions exclude positions of levels: those that are not on the way, and all that they can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from test_levels import classes, exhausted

from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run, Status
from pegcp.search import bidirectional
from pegcp.states import bounds
from pegcp.states.bounds import Bounds
from pegcp.states.levels import Levels
from pegcp.states.positions import masks


def solvable(problem: Problem, position: int) -> bool:
    """Whether the goal can be reached, by exhaustion."""
    start = Position(problem.board, position)
    return any(problem.is_goal(p) for level in exhausted(replace(problem, start=start)) for p in level)


def heavy(bound: Bounds, position: int) -> bool:
    """Whether a position weighs enough for all bounds, one by one."""
    weights, least = bound.all
    pegs = [position >> hole & 1 for hole in range(len(bound.levels.problem.board.holes))]
    return all(sum(map(int.__mul__, row, pegs)) >= b for row, b in zip(weights.tolist(), least.tolist(), strict=True))


def test_what_is_excluded(
    kernel: str, monkeypatch: pytest.MonkeyPatch, random_problem: Callable[[int], Problem]
) -> None:
    monkeypatch.setattr(bounds, "_GAIN", 0)
    monkeypatch.setattr(bounds, "_MOST", 1 << 30)
    excluded = [0, 0]
    for seed in range(60):
        problem = random_problem(seed)
        if isinstance(problem.goal, DeadEnd):
            continue
        levels = Levels(problem)
        reached = [classes(problem, level) for level in exhausted(problem)]
        ahead, behind = Bounds(levels), Bounds(levels, backwards=True)
        for positions in reached:
            level = levels.level(positions)
            kept = masks(ahead.kept(levels.array(level) if kernel != "lists" else level))
            assert kept == sorted(kept)
            if kernel != "lists":
                assert kept == [p for p in level if heavy(ahead, p)]
            dropped = positions.difference(kept)
            assert not any(solvable(problem, p) for p in dropped), seed
            excluded[0] += len(dropped)
        if not problem.targets or kernel == "lists":
            continue
        level = masks(levels.last())
        while level:
            kept = masks(behind.kept(levels.array(level)))
            assert kept == [p for p in level if heavy(behind, p)]
            assert not any(positions & set(level).difference(kept) for positions in reached), seed
            excluded[1] += len(level) - len(kept)
            level = masks(levels.before(kept[:200]))
    assert all(excluded) or kernel == "lists"


def test_bidirectional_search_with_bounds(kernel: str, random_problem: Callable[[int], Problem]) -> None:
    verdicts = set()
    for seed in range(150):
        problem = replace(random_problem(seed), objective=Objective.ANY)
        if not problem.targets:
            continue
        found = bidirectional.search(problem, Run(Limits(workers=2)))
        assert (found.status is Status.SOLVED) == solvable(problem, problem.start.mask), (seed, kernel)
        verdicts.add(found.status)
    assert verdicts == {Status.SOLVED, Status.INFEASIBLE}
