"""Solutions as people and programs write them: the replay decides how they are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from asking import answer, said
from test_drawing import NOTATIONS

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.solution import read_any_solution
from pegcp.game import Jump, OnePeg, Position, Problem, lattice_board, write_move
from pegcp.game.lattice import lattice

# The lab sheet's printed solution, in reverse order of play, and the course notebook's numbers of jumps.
SHEET = """(32 39 46) (34 33 32) (25 32 39) (27 26 25) (30 31 32) (16 23 30) (18 17 16) (4 11 18) (25 18 11) (20 19 18)
(29 30 31) (44 37 30) (46 45 44) (3 10 17) (24 17 10) (38 31 24) (9 16 23) (23 30 37) (15 22 29)"""
PEGS = "3 4 9 15 16 17 19 20 22 23 25 26 27 30 31 33 34 38 45 46"
NOTEBOOK = """61 47 13 54 32 55 12 32 63 12 21 34 32 56 72 62 45 2 22 57 41 19 57 25 50 3 5 25 67 53 29"""


@pytest.mark.parametrize("case", [c for c in NOTATIONS if c["kind"] == "solution"], ids=lambda case: str(case["id"]))
def test_published_solutions(case: Mapping[str, Any], tmp_path: Path) -> None:
    if case["right"]:
        assert pegcp.check(case["problem"], case["text"]).positions
        return
    with pytest.raises(InvalidSolution, match=r"jump 4 .* d3 is not vacant"):
        pegcp.check(case["problem"], case["text"])
    (tmp_path / "mine.txt").write_text(case["text"])
    out, _, _, status = said("check", case["problem"], tmp_path / "mine.txt")
    assert status == 4
    assert "line 4 (b3 to d3)" in out


def test_the_notations_of_the_course() -> None:
    sheet = read_any_solution(pegcp.problem(PEGS), SHEET)
    assert sheet.read_as == "holes numbered 7 x row + column, in reverse order of play"
    assert pegcp.check(PEGS, SHEET).value is None
    assert read_any_solution(pegcp.problem("english"), NOTEBOOK).read_as == "numbers of the 76 jumps from 0"


def names(problem: Problem, jump: Jump) -> list[str]:
    return list(problem.board.jump_names(jump))


def lines(form: Callable[[Problem, Jump], str]) -> Callable[[Problem, tuple[Jump, ...]], str]:
    return lambda problem, jumps: "\n".join(form(problem, jump) for jump in jumps)


def cell(problem: Problem, hole: int, base: int = 0) -> list[int]:
    assert problem.board.cells is not None
    row, column = problem.board.cells[hole]
    return [row + base, column + base]


_WAYS = {(0, 1): "right", (0, -1): "left", (1, 0): "down", (-1, 0): "up"}


def way(problem: Problem, jump: Jump) -> str:
    (a, b), (c, d) = cell(problem, jump.from_), cell(problem, jump.to)
    return _WAYS[(c - a) // 2, (d - b) // 2]


FORMS: dict[str, Callable[[Problem, tuple[Jump, ...]], str]] = {
    "from over to": lines(lambda _, j: "Move from {} over {} to {}".format(*(h + 1 for h in j))),
    "capitals": lines(lambda p, j: f"{names(p, j)[0]} to {names(p, j)[2]}".upper()),
    "arrow": lines(lambda p, j: f"{names(p, j)[0]} → {names(p, j)[2]}"),
    "double arrow": lines(lambda p, j: f"{names(p, j)[0]} >> {names(p, j)[2]}"),
    "x": lines(lambda p, j: f"{names(p, j)[0]} x {names(p, j)[2]}"),
    "dashes": lines(lambda p, j: f"{names(p, j)[0]}–{names(p, j)[2]}"),
    "minus": lines(lambda p, j: f"{names(p, j)[0]} − {names(p, j)[2]}"),
    "numbered": lambda p, js: "\n".join(f"{i}. {names(p, j)[0]}-{names(p, j)[2]}" for i, j in enumerate(js, 1)),
    "steps": lambda p, js: "\n".join(f"Step {i}: {names(p, j)[0]} to {names(p, j)[2]}" for i, j in enumerate(js, 1)),
    "hashes": lambda p, js: "\n".join(f"#{i} {names(p, j)[0]} {names(p, j)[2]}" for i, j in enumerate(js, 1)),
    "semicolons": lambda p, js: "; ".join(",".join(names(p, j)) for j in js),
    "semicolons and arrows": lambda p, js: "; ".join(f"{names(p, j)[0]}->{names(p, j)[2]}" for j in js),
    "tuples": lambda _, js: str([tuple(j) for j in js]),
    "pairs of numbers": lambda _, js: str([(j.from_, j.to) for j in js]),
    "x and y": lines(lambda p, j: "({1},{0}) to ({3},{2})".format(*cell(p, j.from_), *cell(p, j.to))),
    "rows and columns": lines(lambda p, j: str([cell(p, j.from_, 1), cell(p, j.to, 1)])),
    "four numbers": lines(lambda p, j: " ".join(map(str, cell(p, j.from_) + cell(p, j.to)))),
    "row, column": lines(
        lambda p, j: "row {} column {} to row {} column {}".format(*cell(p, j[0], 1), *cell(p, j[2], 1))
    ),
    "facts": lines(
        lambda p, j: "from pos-{}-{} over pos-{}-{} to pos-{}-{}".format(*(x for h in j for x in cell(p, h)))
    ),
    "words": lines(lambda _, j: "Peg {} jumps Peg {} to Hole {}.".format(*(h + 1 for h in j))),
    "over": lines(lambda _, j: f"{j.from_} over {j.over}"),
    "way": lines(lambda p, j: f"{names(p, j)[0]} {way(p, j)}"),
    "place and way": lines(lambda p, j: "({}, {}) {}".format(*cell(p, j.from_), way(p, j))),
    "objects": lambda p, js: json.dumps([dict(zip(("from", "over", "to"), names(p, j), strict=True)) for j in js]),
    "json": lambda p, js: json.dumps({"jumps": [names(p, j) for j in js]}),
    "grid": lines(lambda p, j: "({} {} {})".format(*(7 * r + c for r, c in (cell(p, h) for h in j)))),
}


@cache
def solution(name: str) -> tuple[Jump, ...]:
    """A solution of a problem."""
    jumps = answer(pegcp.problem(name), "beam").jumps
    assert jumps is not None
    return jumps


@pytest.mark.parametrize("form", FORMS)
def test_a_solution_in_each_notation(form: str) -> None:
    for name in ("english:c1->f4", "english:d1->d4"):
        problem = pegcp.problem(name)
        jumps = solution(name)
        text = FORMS[form](problem, jumps)
        for written in (text, text.replace("\n", "\r\n")):
            read = read_any_solution(problem, written)
            assert pegcp.check(problem, read.jumps), (form, read)
        backwards = read_any_solution(problem, FORMS[form](problem, jumps[::-1]))
        assert pegcp.check(problem, backwards.jumps), form


@pytest.mark.parametrize("form", ["{}-{}", "{} to {}", "{} >> {}"])
def test_letters_may_be_rows_and_numbers_columns(form: str) -> None:
    """A solution from a corner: the same words with the letter for the column are other jumps."""
    problem = pegcp.problem("english:c1->f4")
    jumps = solution(problem.name)
    holes = {hole: "ABCDEFG"[row] + str(column + 1) for hole, (row, column) in enumerate(problem.board.cells or ())}
    read = read_any_solution(problem, "\n".join(form.format(holes[jump.from_], holes[jump.to]) for jump in jumps))
    assert (tuple(read.jumps), read.read_as) == (jumps, "(row, column) by letter and number")
    backwards = "\n".join(form.format(holes[jump.from_], holes[jump.to]) for jump in jumps[::-1])
    assert tuple(read_any_solution(problem, backwards).jumps) == jumps


def test_a_plan_with_an_odd_hole_is_a_plan() -> None:
    with pytest.raises(InputError, match='no hole "#c1"'):
        read_any_solution(pegcp.problem("english"), "(jump d1 #c1 b1)\n(jump a1 b1 c1)")
    assert len(read_any_solution(pegcp.problem("english"), "(d2 d3 d4) # (as above)").jumps) == 1


@pytest.mark.parametrize(
    ("written", "over_to"), [("a1 downright", "b2 c3"), ("c1 down-left", "b2 a3"), ("a3 upright", "b2 c1")]
)
def test_ways_along_diagonals(written: str, over_to: str) -> None:
    board = lattice_board([(r, c) for r in range(3) for c in range(3)], lattice("square", "both"))
    start = written.split()[0]
    problem = Problem(board, Position(board, board.mask([start, "b2"])), OnePeg())
    ((jump,),) = pegcp.check(problem, written).moves
    assert " ".join(names(problem, jump)[1:]) == over_to


def test_triangles_by_row_and_place() -> None:
    problem = pegcp.problem("triangle15:a1->?")
    jumps = pegcp.solve(problem, "beam").jumps
    assert jumps is not None
    for form in ("from over to", "tuples", "x and y", "rows and columns", "words"):
        assert pegcp.check(problem, read_any_solution(problem, FORMS[form](problem, jumps)).jumps), form


def test_words_are_no_jumps() -> None:
    with pytest.raises(InputError, match=r"write one jump a line"):
        read_any_solution(pegcp.problem("english"), "hello world")


def winning(problem: Problem, position: int, known: dict[int, bool]) -> bool:
    """Whether the goal can be reached: all games are played."""
    if position not in known:
        after = (position ^ jump.mask for jump in problem.board.jumps if jump.is_legal(position))
        known[position] = problem.is_goal(position) or any(winning(problem, mask, known) for mask in after)
    return known[position]


def test_the_first_jump_that_lost(tmp_path: Path) -> None:
    """A game on the triangle that plays the first jump that loses as soon as there is one."""
    problem = pegcp.problem("triangle15:a1->a1")
    position, known, after, would = problem.start.mask, dict[int, bool](), list[str](), list[str]()
    assert winning(problem, position, known)
    while winning(problem, position, known):
        legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
        wins = [jump for jump in legal if winning(problem, position ^ jump.mask, known)]
        jump = next((jump for jump in legal if jump not in wins), legal[0])
        would = [write_move(problem.board, [jump]) for jump in wins]
        after.append(write_move(problem.board, [jump]))
        position ^= jump.mask
    lost = f"lost by jump {len(after)}, {after[-1]}; {' or '.join(would[:3])} would have won"
    text = " ".join(after)
    with pytest.raises(InvalidSolution, match=f"the game was {lost}") as fault:
        pegcp.check(problem, text)
    assert fault.value.lost == lost
    assert pegcp.next_jumps(problem, text).lost == lost
    (tmp_path / "s.txt").write_text(text)
    out, _, _, status = said("check", problem.name, tmp_path / "s.txt")
    assert (status, f"The game was {lost}." in out) == (4, True)
    assert json.loads(said("check", problem.name, tmp_path / "s.txt", "--json")[0])["lost"] == lost
    assert f"It was {lost}." in said("next", problem.name, "--after", text)[0]


def test_the_numbering_of_a_solution(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("(10 17 24)")
    out = said("check", "english", tmp_path / "s.txt", "--numbering", "grid")[0]
    assert "1 legal jump" in out


@pytest.mark.parametrize(
    "text",
    [
        "a1-c1\nz9-z8\nd1-b1\n",
        "a1-c1, z9-z8, d1-b1",
        "a1-c1\nd1-h1\nd1-b1",
        "a1-c1\nd5 f6\nd1-b1",
        "a1-c1\nd1-bq",
        "a1-c1\nbq-d1\nd1-b1",
    ],
)
def test_a_hole_of_another_board_is_no_word(text: str) -> None:
    with pytest.raises(InputError, match=r'no hole "(z9|h1|d5|bq)"'):
        pegcp.check("XXoX", text)


def test_a_slip_among_numbers_is_no_word() -> None:
    text = "6-1\n4-6\n1-4\n7-q\n10-8\n"
    with pytest.raises(InputError, match='no hole "q"'):
        pegcp.check("triangle15:a1", text)


@pytest.mark.parametrize(
    "text",
    [
        "M1: a1-c1\nM2: d1-b1",
        "P1: a1-c1 P2: d1-b1",
        "jump(1,a1,c1). jump(2,d1,b1).",
        "jump(1,a1,c1). jump(1,d1,b1).",
        "1) a1-c1 2) d1-b1",
        "1) a1-c1, 2) d1-b1",
        "a1➡c1 d1➡️b1",
        "c1 <- a1\nb1 <== d1",
        "ａ１－ｃ１\nｄ１－ｂ１",
        "jump(2,d1,b1) jump(1,a1,c1)",
        "Solution 1: a1-c1, d1-b1",
        "a1 moves over b1 into c1; d1 captures c1 landing on b1. End!",
    ],
)
def test_two_jumps_in_other_signs(text: str) -> None:
    assert [*pegcp.check("XXoX", text).moves] == [*pegcp.check("XXoX", "a1-c1 d1-b1").moves]
