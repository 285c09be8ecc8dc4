"""Pagoda functions exclude positions of levels: those that are not on the way, and all that they can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from asking import masks
from test_levels import classes, exhausted

import pegcp
from pegcp.game import DeadEnd, Objective, Position, Problem
from pegcp.method import Limits, Run, Status
from pegcp.search import bidirectional
from pegcp.states import ends
from pegcp.states.ends import Bounds, narrowed
from pegcp.states.levels import Level, Levels


def solvable(problem: Problem, position: int) -> bool:
    """Whether the goal can be reached, by exhaustion."""
    start = Position(problem.board, position)
    return any(problem.is_goal(p) for level in exhausted(replace(problem, start=start)) for p in level)


def first_eight(bounds: Bounds, _: object) -> Any:
    """In place of the best bounds."""
    from pegcp.states.kernels.jumps import scales

    return scales(bounds.problem.board, *(column[:8] for column in bounds.all)) if len(bounds.all[0]) else None


def heavy(bounds: Bounds, position: int) -> bool:
    """Whether a position weighs enough for the first eight bounds, one by one."""
    pegs = [position >> hole & 1 for hole in range(len(bounds.problem.board.holes))]
    weights, least = (column[:8].tolist() for column in bounds.all)
    return all(sum(map(int.__mul__, row, pegs)) >= b for row, b in zip(weights, least, strict=True))


def test_what_is_excluded(
    kernel: str, monkeypatch: pytest.MonkeyPatch, random_problem: Callable[[int], Problem]
) -> None:
    """Every step from either end, with eight bounds: what does not weigh enough, and nothing that is on the way."""
    monkeypatch.setattr(Bounds, "_best", first_eight)
    excluded = [0, 0]

    def kind(level: Level) -> Level:
        return level if kernel == "lists" else level.array

    for seed in range(30 if kernel == "lists" else 14):
        problem = random_problem(seed)
        if isinstance(problem.goal, DeadEnd):
            continue
        levels = Levels(problem)
        reached = [classes(problem, level) for level in exhausted(problem)]
        level, ahead = kind(levels.first()), Bounds(levels)
        while len(level):
            after, more = masks(level.after()), level.first.bit_count() > ahead.problem.goal_pegs[0]
            level = ahead.next(level)
            assert masks(level) == [p for p in after if kernel == "lists" or not more or heavy(ahead, p)], seed
            dropped = set(after).difference(masks(level))
            assert not any(solvable(problem, p) for p in dropped), seed
            excluded[0] += len(dropped)
        level = kind(levels.last() if problem.targets else levels.of(()))
        behind = Bounds(levels, backwards=True)
        while len(level):
            before, fewer = masks(level.before()), level.first.bit_count() < len(behind.problem.start)
            level = behind.next(level)
            assert masks(level) == [p for p in before if kernel == "lists" or not fewer or heavy(behind, p)], seed
            dropped = set(before).difference(masks(level))
            assert not any(dropped & positions for positions in reached), seed
            excluded[1] += len(dropped)
            level = level[:200]
    assert all(excluded) or kernel == "lists"


@pytest.mark.thorough
def test_the_bounds_that_exclude_most_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "BOUND_POSITIONS", 1)
    monkeypatch.setattr("pegcp.states.levels.ARRAY_POSITIONS", 1)
    levels = Levels(pegcp.problem("english"))
    level, ahead = levels.first(), Bounds(levels)
    for _ in range(9):
        level = ahead.next(level)
    after = level.after().array
    weights, least = ahead.all
    pegs = after.words >> np.arange(33, dtype=np.uint64)[:, None] & np.uint64(1)
    whole = int((weights @ pegs.astype(np.int64) >= least[:, None]).all(axis=0).sum())
    assert whole <= len(ahead.next(level)) < 1.05 * whole < len(after)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["triangle15:a1", "cross1", pytest.param("english", marks=pytest.mark.slow)])
def test_half_way_to_the_complement(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sorted, a few positions at a time, with bounds, and by whole levels without any."""
    problem = pegcp.problem(name)
    levels = Levels(problem)
    level = whole = levels.first()
    for _ in range(problem.lengths[0] // 2):
        whole = whole.after()
    expected = masks(whole.leading(whole.reversed()))
    monkeypatch.setattr("pegcp.states.array_level._MOST_BITS", 0)
    monkeypatch.setattr("pegcp.states.array_level._SORTED_WORDS", 1 << 20)
    monkeypatch.setattr(ends, "BOUND_POSITIONS", 1)
    bounded = Levels(problem, Run(Limits(workers=2)))
    ahead = Bounds(bounded)
    level = bounded.adopt(level.array)
    for _ in range(problem.lengths[0] // 2):
        level = ahead.next(level)
    assert len(level) < len(whole)
    assert masks(ahead.mirrored(level)) == expected != []


@pytest.mark.thorough
def test_forced_jumps(random_problem: Callable[[int], Problem]) -> None:
    """Between the forced jumps there are as many solutions as there are with them."""

    def count(problem: Problem) -> int:
        @cache
        def solutions(position: int) -> int:
            legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
            return problem.is_goal(position) + sum(solutions(position ^ jump.mask) for jump in legal)

        return solutions(problem.start.mask)

    shorter = set()
    for seed in range(100):
        problem = random_problem(seed)
        between = narrowed(problem)
        assert count(between) == count(problem), seed
        shorter.add((between.start != problem.start, between.goal != problem.goal, count(problem) > 0))
    assert {(True, True, True), (False, False, True)} < shorter
    e1 = narrowed(pegcp.problem("wiegleb:e1"))
    assert (len(e1.start), e1.goal_text) == (42, "exactly e2 e4 e5")


def test_bidirectional_search_with_bounds(kernel: str, random_problem: Callable[[int], Problem]) -> None:
    verdicts = set()
    for seed in range(100 if kernel == "lists" else 25):
        problem = replace(random_problem(seed), objective=Objective.ANY)
        if not problem.targets or not problem.lengths:
            continue
        found = bidirectional.search(problem, Run(Limits(workers=2)))
        assert (found.status is Status.SOLVED) == solvable(problem, problem.start.mask), (seed, kernel)
        verdicts.add(found.status)
    assert verdicts == {Status.SOLVED, Status.INFEASIBLE}
