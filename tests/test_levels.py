"""Levels, large and small, against plain exhaustion on random boards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pegcp
from pegcp.game.goal import Nearest
from pegcp.game.problem import Problem
from pegcp.game.symmetry import image
from pegcp.method import Limits, Run
from pegcp.search import bfs
from pegcp.states import levels, words
from pegcp.states.levels import Levels


def exhausted(problem: Problem) -> list[set[int]]:
    """All positions after no jump, one jump, and so on."""
    found = [{problem.start.mask}]
    while found[-1]:
        jumps = problem.board.jumps
        found.append({p ^ jump.mask for p in found[-1] for jump in jumps if jump.is_legal(p)})
    return found[:-1]


def classes(problem: Problem, positions: set[int]) -> set[int]:
    """The least images under the symmetries of the goal that keep the position class of the start."""
    symmetries = Levels(problem).symmetries
    return {min(image(p, position) for p in symmetries) for position in positions}


def test_levels_against_exhaustion(kernel: str, random_problem: Callable[[int], Problem]) -> None:
    sizes = set()
    for seed in range(60):
        problem = random_problem(seed)
        found = Levels(problem, Run(Limits(workers=2)))
        level = found.level([problem.start.mask])
        for positions in exhausted(problem):
            expected = classes(problem, positions)
            assert [int(p) for p in level] == sorted(expected), (seed, kernel)
            assert {int(p) for p in found.goals(level)} == {p for p in expected if problem.is_goal(p)}
            stuck = {p for p in expected if not any(jump.is_legal(p) for jump in problem.board.jumps)}
            assert {int(p) for p in found.dead_ends(level)} == stuck
            sizes.add(len(level))
            after = found.after(level)
            assert [int(p) for p in found.leading(level, after)] == sorted(expected - stuck)
            assert [int(p) for p in found.following(after, level)] == [int(p) for p in after]
            half = after[::2]
            into = {int(p) for p in half}
            leading = {
                p
                for p in expected
                if any(j.is_legal(p) and found.canonical(p ^ j.mask) in into for j in problem.board.jumps)
            }
            assert {int(p) for p in found.leading(level, half)} == leading
            assert {int(p) for p in found.before(half)} & expected == leading
            assert [int(p) for p in found.common(after, half)] == [int(p) for p in half]
            assert [int(p) for p in found.either(half, after)] == [int(p) for p in after]
            level = after
        assert not len(level)
    assert len(sizes) > 10


def test_complements(kernel: str) -> None:
    problem = pegcp.problem("english")
    found = Levels(problem)
    level = found.level([problem.start.mask])
    for _ in range(5):
        level = found.after(level)
    mirrored = found.complements(level)
    full = problem.board.full
    assert [int(p) for p in mirrored] == sorted({found.canonical(int(p) ^ full) for p in level}), kernel
    assert [int(p) for p in found.complements(mirrored)] == [int(p) for p in level]
    assert [int(p) for p in found.last()] == [1 << problem.board.hole("d4")]


def test_nearest(kernel: str) -> None:
    problem = pegcp.problem("english")
    found = Levels(problem)
    level = found.level([problem.start.mask])
    for _ in range(5):
        level = found.after(level)
    sought = Nearest(problem.board.full & 0x155555555, tuple(range(1, 34)))
    nearest = found.nearest(level, sought)
    assert sought.distance(nearest) == min(sought.distance(int(p)) for p in level), kernel
    assert nearest in {int(p) for p in level}


@pytest.mark.parametrize("name", ["hexagon37", "square8", "diamond", "wiegleb"])
def test_wide_boards_by_arrays_and_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 33 holes, up to 64: no exhaustion, but lists and arrays must agree."""
    problem = pegcp.problem(f"{name}:{pegcp.board(name).holes[0]}->?")
    lists = Levels(problem)
    level = lists.level([problem.start.mask])
    for _ in range(5):
        level = lists.after(level)
    before = lists.before(level)
    assert isinstance(before, list) or len(before) >= levels.LARGE
    for sparse in (0, 1 << 62):
        monkeypatch.setattr(levels, "LARGE", 1)
        monkeypatch.setattr(words, "_SPARSE", sparse if len(problem.board.holes) < 50 else 0)
        arrays = Levels(problem)
        other = arrays.level([problem.start.mask])
        for _ in range(5):
            other = arrays.after(other)
        assert [int(p) for p in other] == [int(p) for p in level]
        assert [int(p) for p in arrays.before(other)] == [int(p) for p in before]


def test_stopped_by_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "LARGE", 1)
    for limits, error in ((Limits(time=0.0), TimeoutError), (Limits(memory=1.0), MemoryError)):
        found = Levels(pegcp.problem("english"), Run(limits))
        with pytest.raises(error):
            found.after(found.level([pegcp.problem("english").start.mask]))
    result = bfs.search(pegcp.problem("english"), Run(Limits(memory=1.0)))
    assert (result.status, result.reason) == ("UNKNOWN", "MEMORY")
