"""Levels, large and small, against plain exhaustion on random boards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from asking import masks

import pegcp
from pegcp.game.goal import Nearest
from pegcp.game.problem import Problem
from pegcp.game.symmetry import image
from pegcp.method import Limits, Run
from pegcp.search import bfs
from pegcp.states import levels, position_sets
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
            assert masks(level) == sorted(expected), (seed, kernel)
            assert set(masks(found.goals(level))) == {p for p in expected if problem.is_goal(p)}
            stuck = {p for p in expected if not any(jump.is_legal(p) for jump in problem.board.jumps)}
            assert set(masks(found.dead_ends(level))) == stuck
            sizes.add(len(level))
            after = found.after(level)
            assert masks(found.leading(level, after)) == sorted(expected - stuck)
            assert masks(found.ending(level)) == masks(found.leading(level, found.dead_ends(after)))
            assert masks(found.following(after, level)) == masks(after)
            half = after[::2]
            into = set(masks(half))
            leading = {
                p
                for p in expected
                if any(j.is_legal(p) and found.canonical(p ^ j.mask) in into for j in problem.board.jumps)
            }
            assert set(masks(found.leading(level, half))) == leading
            assert set(masks(found.before(half))) & expected == leading
            assert masks(found.common(after, half)) == masks(half)
            assert masks(found.either(half, after)) == masks(after)
            level = after
        assert not len(level)
    assert len(sizes) > 10


def test_reversed(kernel: str) -> None:
    problem = pegcp.problem("triangle15:a1")
    found = Levels(problem)
    level = found.level([problem.start.mask])
    for _ in range(6):
        level = found.after(level)
    mirrored = found.reversed(level)
    full = problem.board.full
    assert masks(mirrored) == sorted({found.canonical(p ^ full) for p in masks(level)}), kernel
    assert masks(found.reversed(mirrored)) == masks(level)
    assert masks(found.mirrored(level)) == masks(found.leading(level, mirrored))
    assert len(found.mirrored(level))
    assert masks(found.last()) == [1 << problem.board.hole("a1")]


def test_nearest(kernel: str) -> None:
    problem = pegcp.problem("triangle15:a1")
    found = Levels(problem)
    level = found.level([problem.start.mask])
    for _ in range(5):
        level = found.after(level)
    sought = Nearest(problem.board.full & 0x5555, tuple(range(1, 16)))
    nearest = found.nearest(level, sought=sought)
    assert sought.distance(nearest) == min(sought.distance(p) for p in masks(level)), kernel
    assert nearest in masks(level)


@pytest.mark.thorough
def test_compiled_code_refuses_a_level_of_another_position_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "LARGE", 1)
    found = Levels(pegcp.problem("english:d4->?"))
    of_its_class = found.last()
    assert len(found.before(of_its_class))
    for strangers in ([1 << 0], [1 << hole for hole in range(33)], [*of_its_class, (1 << 33) - 1]):
        with pytest.raises(ValueError, match="position class"):
            found.before(strangers)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hexagon37", "square8"])
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
        monkeypatch.setattr(position_sets, "_SPARSE", sparse if len(problem.board.holes) < 50 else 0)
        arrays = Levels(problem)
        other = arrays.level([problem.start.mask])
        for _ in range(5):
            other = arrays.after(other)
        assert masks(other) == masks(level)
        assert masks(arrays.before(other)) == masks(before)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["triangle28:a2", "english"])
def test_several_small_tables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash tables of 1,024 slots, one after the other, make the same level as one."""
    problem = pegcp.problem(name)
    lists = Levels(problem)
    for constant, value in (("_SLOTS", 1 << 10), ("_SPARSE", 0), ("_PART", 16)):
        monkeypatch.setattr(position_sets, constant, value)
    arrays = Levels(problem, Run(Limits(workers=2)))
    level = lists.level([problem.start.mask])
    for _ in range(6):
        monkeypatch.setattr(levels, "LARGE", 1 << 30)
        after, mirrored = lists.after(level), lists.mirrored(level)
        before, common = lists.before(after[::7]), lists.common(level, lists.before(after[::7]))
        monkeypatch.setattr(levels, "LARGE", 1)
        rows = arrays.array(level)
        assert masks(arrays.after(rows)) == after
        assert masks(arrays.mirrored(rows)) == mirrored
        assert masks(arrays.before(arrays.array(after[::7]))) == before
        assert masks(arrays.common(rows, arrays.array(before))) == common
        level = after
    assert len(level) > 600


def test_stopped_by_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "LARGE", 1)
    for limits, error in ((Limits(time=0.0), TimeoutError), (Limits(memory=1.0), MemoryError)):
        found = Levels(pegcp.problem("english"), Run(limits))
        with pytest.raises(error):
            found.after(found.level([pegcp.problem("english").start.mask]))
    result = bfs.search(pegcp.problem("english"), Run(Limits(memory=1.0)))
    assert (result.status, result.reason) == ("UNKNOWN", "MEMORY")
