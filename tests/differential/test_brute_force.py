"""The oracle itself: against published numbers, and against a list of all jump sequences one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import assume, given, seed

import pegcp
from pegcp.game import Nearest, Problem

from .brute_force import Game, Triple
from .campaign import examples
from .problems import problems

MOST = 300  # jump sequences to list


@pytest.mark.parametrize(
    ("vacancy", "solutions", "dead_end"), [("a1", 29_760, 6), ("a2", 14_880, 6), ("a3", 85_258, 7), ("b3", 1_550, 4)]
)
def test_published_numbers_of_the_triangle(vacancy: str, solutions: int, dead_end: int) -> None:
    truth = Game(pegcp.problem(f"triangle15:{vacancy}->?")).truth()
    assert (truth.sequences, truth.dead_end, truth.fewest_jumps) == (solutions, dead_end, 13)


@pytest.mark.parametrize(("problem", "moves"), [("triangle15:a1", 10), ("triangle15:a3", 9)])
def test_published_fewest_moves_of_the_triangle(problem: str, moves: int) -> None:
    assert Game(pegcp.problem(problem)).truth().fewest_moves == moves


@seed(0)
@examples(30)
@given(problems())
def test_truth_is_what_a_list_of_all_sequences_shows(problem: Problem) -> None:
    game = Game(problem)
    truth = game.truth()
    assume(truth.plays <= MOST)
    plays = list(listed(game, game.start))
    solutions = [jumps for jumps, last in plays if game.reached(last)]
    assert truth.plays == len(plays)
    assert truth.sequences == len(solutions)
    assert truth.fewest_jumps == min(map(len, solutions), default=None)
    assert truth.fewest_moves == min(map(moves, solutions), default=None)
    assert truth.fewest_steps == min(map(steps, solutions), default=None)
    ends = [last for _, last in plays if game.reached(last)]
    assert truth.fewest_pegs == min((last.bit_count() for last in ends), default=None)
    if isinstance(problem.goal, Nearest):
        pegs, weights = problem.goal.pegs, problem.goal.weights
        assert truth.nearest == min(
            sum(weight for hole, weight in enumerate(weights) if (last ^ pegs) >> hole & 1) for last in ends
        )
    assert truth.dead_end == min(len(jumps) for jumps, last in plays if not list(game.possible(last)))
    left, orders = set(solutions), 0
    while left:
        queue = [left.pop()]
        orders += 1
        for jumps in queue:
            found = left.intersection(swapped(jumps))
            left -= found
            queue += found
    assert truth.orders == orders


def listed(game: Game, position: int) -> Iterator[tuple[tuple[Triple, ...], int]]:
    """All jump sequences from a position, each with the position after it."""
    yield (), position
    for jump, after in game.possible(position):
        for jumps, last in listed(game, after):
            yield (jump, *jumps), last


def moves(jumps: tuple[Triple, ...]) -> int:
    """How many times a jump is made by another peg than the jump before."""
    return bool(jumps) + sum(one[2] != other[0] for one, other in pairwise(jumps))


def steps(jumps: tuple[Triple, ...]) -> int:
    """How many steps it takes when every jump is made as soon as no jump before it that shares a hole is to come."""
    left, number = list(jumps), 0
    while left:
        number += 1
        left = [jump for i, jump in enumerate(left) if any(set(jump) & set(before) for before in left[:i])]
    return number


def swapped(jumps: tuple[Triple, ...]) -> Iterator[tuple[Triple, ...]]:
    """The sequences with two independent neighbours exchanged."""
    for i in range(len(jumps) - 1):
        if not set(jumps[i]) & set(jumps[i + 1]):
            yield (*jumps[:i], jumps[i + 1], jumps[i], *jumps[i + 2 :])
