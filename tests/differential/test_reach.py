"""What keeps the goal in reach, and how many positions there are: against all positions, by plain recursion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

import pegcp
from pegcp.game import Jump, Problem
from pegcp.method import Run
from pegcp.states.graph import level_counts

from .brute_force import Game
from .campaign import examples
from .problems import problems

Check = Callable[[Problem, Sequence[int]], None]


def campaign(block: int, count: int, check: Check) -> None:
    """Check so many random problems, each with the choices of a game on it."""

    @seed(block)
    @examples(count)
    @given(problems(), st.lists(st.integers(0, 200), max_size=6))
    def is_true(problem: Problem, choices: Sequence[int]) -> None:
        check(problem, choices)

    is_true()


def played(game: Game, choices: Sequence[int]) -> list[Jump]:
    """The jumps of a game that these choices make."""
    position, jumps = game.start, list[Jump]()
    for choice in choices:
        possible = list(game.possible(position))
        if possible:
            made, position = possible[choice % len(possible)]
            jumps.append(Jump(*made))
    return jumps


def advice_is_true(problem: Problem, choices: Sequence[int]) -> None:
    """Which jumps keep the goal in reach."""
    game = Game(problem)
    jumps = played(game, choices)
    found = pegcp.next_jumps(problem, jumps)
    here = game.after(jumps)
    assert here is not None
    assert dict(found.jumps) == {Jump(*made): game.solvable(after) for made, after in game.possible(here)}
    assert found.solvable == game.solvable(here), problem.text


def levels_are_true(problem: Problem, _: Sequence[int]) -> None:
    """The counts of levels, also up to symmetry."""
    game = Game(problem)
    expected = [
        (
            len(level),
            sum(map(game.reached, level)),
            sum(not list(game.possible(position)) for position in level),
            sum(position.bit_count() == 1 for position in level),
        )
        for level in game.levels()
    ]
    found = [tuple(level) for level in level_counts(problem, Run(), symmetry=False)]
    assert found == expected, problem.text
    classes = [tuple(level) for level in level_counts(problem, Run())]  # no more than positions, and none is missing
    for fewer, all_of_them in zip(classes, expected, strict=True):
        assert all(bool(a) == bool(b) and a <= b for a, b in zip(fewer, all_of_them, strict=True))


def test_random_problems() -> None:
    campaign(0, 25, advice_is_true)


@pytest.mark.thorough
def test_levels_of_random_problems() -> None:
    campaign(1, 15, levels_are_true)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("check", [advice_is_true, levels_are_true])
def test_many_random_problems(check: Check) -> None:
    campaign(2, 5_000, check)
