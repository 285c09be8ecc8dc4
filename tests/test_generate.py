"""Problems made to order."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import typed

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.errors import InputError
from pegcp.formats.toml import read_problem
from pegcp.game import DeadEnd, Exact
from pegcp.game.equivalence import UP_TO_SYMMETRY, representative
from pegcp.library.generate import scattered, solvable
from pegcp.method import Run
from pegcp.search.dfs import grade


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


def test_solvable_problems_end_in_an_exact_goal() -> None:
    board = pegcp.board("english")
    problem = solvable(board, 9, 3, Exact(board.mask(["c3", "d4"])))
    assert (len(problem.start), choose("dfs").run(problem, Run()).status) == (9, "SOLVED")
    with pytest.raises(InputError, match="not for dead-end"):
        solvable(board, 9, 3, DeadEnd())


@pytest.mark.thorough
@pytest.mark.parametrize("words", [("english", "--goal", "d4"), ("XXoXoXoX", "--random"), ("triangle15",)])
def test_unique_problems_have_one_solution_up_to_order_and_symmetry(words: tuple[str, ...], tmp_path: Path) -> None:
    typed("generate", *words, "--pegs", "4", "--unique", "--count", "2", "-o", str(tmp_path))
    for file in tmp_path.iterdir():
        found = pegcp.solutions(str(file))
        forms = {representative(found.result.problem, jumps, UP_TO_SYMMETRY) for jumps in found}
        assert (found.complete, len(forms)) == (True, 1)
    assert len([*tmp_path.iterdir()]) == 2


def test_no_unique_problem() -> None:
    assert "goal or seed" in typed("generate", "line3", "--pegs", "3", "--unique", "--random", status=2)


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


def test_grades_are_those_of_the_depth_first_search() -> None:
    names = ("XoXX", "csplib:plus", "csplib:arrow", "english")
    assert [grade(pegcp.problem(name)) for name in names] == [1, 1, 3, 3]
    for number in (1, 2, 3):
        made = read_problem(typed("generate", "english", "--pegs", "12", "--grade", str(number)))
        assert grade(made) == number
    assert "no problem with grade 5 was found" in typed("generate", "line4", "--pegs", "2", "--grade", "5", status=2)
