"""Problems that played backwards are themselves: one end says what both ends say."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from asking import answer, masks

import pegcp
from pegcp.game import Exact, Position, Problem
from pegcp.game.symmetry import image
from pegcp.method import Run, Status
from pegcp.search.count import solutions
from pegcp.states import frame
from pegcp.states.frame import group, reversal
from pegcp.states.winnable import build

BOARDS = ("triangle10", "square4", "cycle8")


def turned(board: str, count: int) -> Iterator[Problem]:
    """Random positions of which most of the holes have pegs, to the images of their complements."""
    chance, found = random.Random(board), pegcp.board(board)
    turns, size = found.symmetries.subgroup().elements, len(found.holes)
    for _ in range(count):
        pegs = chance.choice([size - 1, size - 1, size - 2, size - 3, size - 4])
        start = sum(1 << hole for hole in chance.sample(range(size), pegs))
        yield Problem(found, Position(found, start), Exact(image(chance.choice(turns), found.full ^ start)))


def pairs(board: str) -> Iterator[Problem]:
    """From each vacancy to each last peg."""
    holes = pegcp.board(board).holes
    for start in holes:
        for end in holes:
            yield pegcp.problem(f"{board}:{start}->{end}")


@pytest.mark.parametrize(
    ("problem", "own"),
    [
        ("english", True),
        ("english:d1->d7", True),
        ("french:c1->e1", True),
        ("french:c1->e7", True),
        ("french:c1->b4", False),
        ("french:c1->g3", False),  # a quarter turn: twice in a row it moves the start
        ("triangle15:a1->e5", True),
        ("triangle15:a1->?", False),
        ("triangle15:a1!", False),
    ],
)
def test_which_problems_are_their_own_reversal(problem: str, own: bool) -> None:
    found = pegcp.problem(problem)
    turn = reversal(found, group(found))
    assert (turn is not None) == own
    if turn is not None:
        assert isinstance(found.goal, Exact)
        assert image(turn, found.board.full ^ found.start.mask) == found.goal.pegs
        assert image(turn, found.board.full ^ found.goal.pegs) == found.start.mask


@pytest.mark.parametrize("board", BOARDS)
def test_one_end_says_what_both_ends_say(board: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turns, solvable = set(), 0
    problems = [*turned(board, 8), *random.Random(board).sample([*pairs(board)], 8)]
    for problem in problems:
        turn = reversal(problem, group(problem))
        if turn is None:
            continue
        turns.add(turn)
        by_one, count = build(problem, Run()), solutions(problem, Run())
        verdict = answer(problem, "bidirectional").status
        with monkeypatch.context() as patched:
            patched.setattr(frame, "reversal", lambda *_: None)
            by_both = build(problem, Run())
            assert count == solutions(problem, Run()), (problem.text, kernel)
            assert verdict is answer(problem, "bidirectional").status
        assert (verdict is Status.SOLVED) == (len(by_both) > 0)
        assert len(by_one) == len(by_both)
        for pegs in range(len(problem.board.holes) + 1):
            level = masks(by_both.level(pegs))
            assert masks(by_one.level(pegs)) == level
            assert all(position in by_one for position in level)
        solvable += len(by_both) > 0
    assert len(turns) > 1
    assert solvable
