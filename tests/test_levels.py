"""Levels, large and small, against plain exhaustion on random boards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from asking import masks

import pegcp
from pegcp.game import Nearest, Problem
from pegcp.game.symmetry import image
from pegcp.method import Limits, Run
from pegcp.search import bfs
from pegcp.states import levels
from pegcp.states.ends import Bounds
from pegcp.states.levels import Levels, ListLevel


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


@pytest.mark.parametrize(
    "kernel",
    ["lists", pytest.param("bits", marks=pytest.mark.thorough), pytest.param("sorted", marks=pytest.mark.long)],
    indirect=True,
)
def test_levels_against_exhaustion(kernel: str, random_problem: Callable[[int], Problem]) -> None:
    sizes = set()
    for seed in range(60 if kernel == "lists" else 25):
        problem = random_problem(seed)
        found = Levels(problem, Run(Limits(workers=2)))
        level = found.first()
        for positions in exhausted(problem):
            expected = classes(problem, positions)
            assert masks(level) == sorted(expected), (seed, kernel)
            assert set(masks(level.goals())) == {p for p in expected if problem.is_goal(p)}
            stuck = {p for p in expected if not any(jump.is_legal(p) for jump in problem.board.jumps)}
            assert set(masks(level.dead_ends())) == stuck
            sizes.add(len(level))
            after = level.after()
            assert masks(level.leading(after)) == sorted(expected - stuck)
            assert masks(level.ending()) == masks(level.leading(after.dead_ends()))
            assert masks(after.following(level)) == masks(after)
            half = after[::2]
            into = set(masks(half))
            leading = {
                p
                for p in expected
                if any(j.is_legal(p) and found.canonical(p ^ j.mask) in into for j in problem.board.jumps)
            }
            assert set(masks(level.leading(half))) == leading
            assert set(masks(half.before())) & expected == leading
            assert masks(after.common(half)) == masks(half)
            assert masks(half.either(after)) == masks(after)
            level = after
        assert not len(level)
    assert len(sizes) > 10


def test_reversed(kernel: str) -> None:
    problem = pegcp.problem("triangle15:a1")
    found = Levels(problem)
    level = found.first()
    for _ in range(6):
        level = level.after()
    mirrored = level.reversed()
    full = problem.board.full
    assert masks(mirrored) == sorted({found.canonical(p ^ full) for p in masks(level)}), kernel
    assert masks(mirrored.reversed()) == masks(level)
    assert masks(Bounds(found).mirrored(level)) == masks(level.leading(mirrored)) != []
    assert masks(found.last()) == [1 << problem.board.hole("a1")]


def test_nearest(kernel: str) -> None:
    problem = pegcp.problem("triangle15:a1")
    found = Levels(problem)
    level = found.first()
    for _ in range(5):
        level = level.after()
    sought = Nearest(problem.board.full & 0x5555, tuple(range(1, 16)))
    nearest = level.nearest(sought)
    assert sought.distance(nearest) == min(sought.distance(p) for p in masks(level)), kernel
    assert nearest in masks(level)


@pytest.mark.thorough
def test_compiled_code_refuses_a_level_of_another_position_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1)
    found = Levels(pegcp.problem("english:d4->?"))
    of_its_class = found.last()
    assert len(of_its_class.before())
    for strangers in ([1 << 0], [1 << hole for hole in range(33)], [*of_its_class, (1 << 33) - 1]):
        with pytest.raises(ValueError, match="position class"):
            ListLevel(found, strangers).array.before()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hexagon37", "square8"])
def test_wide_boards_by_arrays_and_lists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 33 holes, up to 64: no exhaustion, but lists and arrays must agree."""
    problem = pegcp.problem(f"{name}:{pegcp.board(name).holes[0]}->?")
    level = Levels(problem).first()
    for _ in range(5):
        level = level.after()
    before = level.before()
    assert isinstance(before, ListLevel) or len(before) >= levels.ARRAY_POSITIONS
    for sparse in (0, 1 << 62):
        monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1)
        monkeypatch.setattr("pegcp.states.array_level._MOST_BITS", sparse if len(problem.board.holes) < 50 else 0)
        other = Levels(problem).first()
        for _ in range(5):
            other = other.after()
        assert masks(other) == masks(level)
        assert masks(other.before()) == masks(before)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["triangle28:a2", "english"])
def test_sorted_part_by_part(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels that are sorted a few words at a time are the same as lists."""
    problem = pegcp.problem(name)
    lists, arrays = Levels(problem), Levels(problem, Run(Limits(workers=2)))
    monkeypatch.setattr("pegcp.states.array_level._MOST_BITS", 0)
    monkeypatch.setattr("pegcp.states.array_level._SORTED_WORDS", 1 << 10)
    monkeypatch.setattr("pegcp.states.array_level._LEAST_CHUNK", 16)
    level = lists.first()
    for _ in range(6):
        monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1 << 30)
        after, turned = level.after(), level.reversed()
        before = after[::7].before()
        common, leading = level.common(before), level.leading(turned)
        monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1)
        rows = arrays.of(list(level)).array
        assert masks(rows.after()) == masks(after)
        assert masks(rows.reversed()) == masks(turned)
        assert masks(rows.leading(rows.reversed())) == masks(leading)
        assert masks(arrays.of(list(after[::7])).before()) == masks(before)
        assert masks(rows.common(arrays.of(list(before)))) == masks(common)
        level = after
    assert len(level) > 600


def test_stopped_by_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1)
    for limits, error in ((Limits(time=0.0), TimeoutError), (Limits(memory=1.0), MemoryError)):
        found = Levels(pegcp.problem("english"), Run(limits))
        with pytest.raises(error):
            found.first().after()
    result = bfs.search(pegcp.problem("english"), Run(Limits(memory=1.0)))
    assert (result.status, result.reason) == ("UNKNOWN", "MEMORY")
