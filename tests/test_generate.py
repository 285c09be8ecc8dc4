"""Problems made to order."""

from __future__ import annotations

import pytest

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.errors import InputError
from pegcp.library.generate import scattered, solvable
from pegcp.method import Run


@pytest.mark.parametrize(("board", "pegs"), [("english", 1), ("english", 24), ("line8", 5), ("cycle8", 6)])
@pytest.mark.parametrize("seed", [0, 1])
def test_solvable_problems_have_solutions(board: str, pegs: int, seed: int) -> None:
    problem = solvable(pegcp.board(board), pegs, seed)
    assert len(problem.start) == pegs
    answer = choose("dfs").run(problem, Run())
    assert answer.status == "SOLVED"


def test_seeds() -> None:
    board = pegcp.board("english")
    for make in (solvable, scattered):
        assert make(board, 15, 7) == make(board, 15, 7)
        assert len({make(board, 15, seed).start.mask for seed in range(10)}) == 10


def test_random_problems_are_of_both_kinds() -> None:
    statuses = {choose("bfs").run(scattered(pegcp.board("english"), 8, seed), Run()).status for seed in range(30)}
    assert statuses == {"SOLVED", "INFEASIBLE"}


def test_bad_requests() -> None:
    english = pegcp.board("english")
    for pegs in (0, -1, 34):
        for make in (solvable, scattered):
            with pytest.raises(InputError, match="1 to 33 pegs"):
                make(english, pegs)
    with pytest.raises(InputError, match="no position of 5 pegs"):
        solvable(pegcp.board("line5"), 5)
