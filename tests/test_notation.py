"""Ways of writing holes, jumps and solutions."""

from __future__ import annotations

import json

import pytest

import pegcp
from pegcp.errors import InputError
from pegcp.formats.solution import read_solution
from pegcp.game import SCHEMES, Board, Jump, Problem, Replay, check, group_moves, hole_names, read_hole, read_jumps

# The course sheets' solutions: the central game; the 20-peg board as triples, last jump first.
CENTRAL = (
    "d2-d4 d5-d3 b5-d5 c7-c5 d5-b5 d7-d5 a5-c5 d5-b5 a3-a5 a5-c5 c3-a3 f5-d5 d5-b5 "
    "e7-e5 e4-e6 e2-e4 b5-b3 a3-c3 d3-b3 c1-c3 c4-c2 e1-c1 c1-c3 g3-e3 g5-g3 b3-d3 d3-f3 g3-e3 e3-e5 e6-e4 f4-d4"
)
TRIPLES = (
    "(32 39 46) (34 33 32) (25 32 39) (27 26 25) (30 31 32) (16 23 30) (18 17 16) (4 11 18) (25 18 11) (20 19 18) "
    "(29 30 31) (44 37 30) (46 45 44) (3 10 17) (24 17 10) (38 31 24) (9 16 23) (23 30 37) (15 22 29)"
)


@pytest.fixture(scope="module")
def english() -> Problem:
    return pegcp.problem("english")


@pytest.fixture(scope="module")
def solution(english: Problem) -> list[Jump]:
    return read_solution(english, CENTRAL)


def test_the_course_sheets_central_game(english: Problem, solution: list[Jump]) -> None:
    replay = check(english, solution)
    assert len(solution) == 31
    assert replay.positions[-1].pegs == ["d4"]
    assert (len(replay.moves), replay.sweeps) == (26, 5)


def test_the_course_sheets_board_of_twenty_pegs() -> None:
    problem = pegcp.problem("lab4")
    played_backwards = read_solution(problem, TRIPLES, numbering="grid")
    replay = check(problem, played_backwards[::-1])
    assert [hole_names(problem.board, "grid")[problem.board.hole(peg)] for peg in replay.positions[-1].pegs] == ["46"]


@pytest.mark.parametrize(
    ("hole", "zero", "one", "grid"),
    [("c1", "0", "1", "2"), ("d4", "16", "17", "24"), ("e7", "32", "33", "46")],
)
def test_schemes_of_the_english_board(hole: str, zero: str, one: str, grid: str) -> None:
    board = pegcp.board("english")
    written = dict(zip(SCHEMES, (hole, zero, one, grid), strict=True))
    for source, a in written.items():
        for target, b in written.items():
            assert hole_names(board, target)[read_hole(board, a, source)] == b


def test_schemes_of_other_boards() -> None:
    triangle = pegcp.board("triangle15")
    assert hole_names(triangle)[:6] == ("a1", "a2", "b2", "a3", "b3", "c3")
    assert read_hole(triangle, "15") == triangle.hole("e5")  # its holes are numbered from 1 by tradition
    assert read_hole(triangle, " E5 ") == triangle.hole("e5")
    wide = pegcp.board("line30")
    assert (wide.holes[25], wide.holes[26], wide.holes[29]) == ("z1", "aa1", "ad1")
    with pytest.raises(InputError, match="has no rows and columns"):
        hole_names(pegcp.board("cycle8"), "grid")
    with pytest.raises(InputError, match='unknown numbering "roman"'):
        hole_names(wide, "roman")
    with pytest.raises(InputError, match="47 is not a hole"):
        read_hole(pegcp.board("english"), "47", "grid")


def written(board: Board, jumps: list[Jump], replay: Replay, scheme: str) -> dict[str, str]:
    """A solution in every form that a numbering allows."""
    names = hole_names(board, scheme)
    forms = {
        "triples": "\n".join(" ".join(names[hole] for hole in jump) for jump in jumps),
        "one line": ", ".join(" ".join(names[hole] for hole in jump) for jump in jumps),
        "pairs": " ".join(f"{names[jump.from_]}-{names[jump.to]}" for jump in jumps),
        "apart": "; a comment\n" + "\n".join(f"{names[j.from_]} -> {names[j.to]}  # and more" for j in jumps),
        "two names": "\r\n".join(f"{names[jump.from_]} {names[jump.to]}" for jump in jumps),
        "sweeps": "\n".join(
            "-".join(names[h] for h in (move[0].from_, *(j.to for j in move))) for move in replay.moves
        ),
        "parentheses": " ".join(f"({' '.join(names[hole] for hole in jump)})" for jump in jumps),
        "commas": "\n".join(f"({', '.join(names[hole] for hole in jump)})" for jump in jumps),
        "json": json.dumps([[names[hole] for hole in jump] for jump in jumps]),
        "solve --json": json.dumps({"status": "SOLVED", "jumps": [[names[h] for h in jump] for jump in jumps]}),
    }
    if scheme == "letters":
        forms["x"] = " ".join(f"{names[jump.from_]}x{names[jump.to]}" for jump in jumps)
        forms["capitals"] = " ".join(f"{names[j.from_]}-{names[j.to]}".upper() for j in jumps)
        forms["plan"] = (
            "".join(f"(jump {' '.join(names[hole] for hole in jump)})\n" for jump in jumps) + "; cost = 31\n"
        )
    return forms


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_form_of_a_solution(english: Problem, solution: list[Jump], scheme: str) -> None:
    for form, text in written(english.board, solution, check(english, solution), scheme).items():
        assert read_solution(english, text, numbering=scheme) == solution, form


def test_a_sweep_is_its_jumps(solution: list[Jump]) -> None:
    assert [jump for move in group_moves(solution) for jump in move] == solution
    assert read_solution(pegcp.problem("triangle15"), "e5-c3-a3-a1") == [(14, 9, 5), (5, 4, 3), (3, 1, 0)]


def test_an_empty_solution_has_no_jumps(english: Problem) -> None:
    assert read_solution(english, "") == []
    assert read_solution(english, "; cost = 0\n") == []
    assert read_solution(english, '{"jumps": []}') == []


def test_graph_boards_may_need_the_middle() -> None:
    square = pegcp.problem("cycle4")
    assert read_solution(square, "1 2 3") == [(1, 2, 3)]
    with pytest.raises(InputError, match="1 to 3 may go over 0, 2: write all three holes"):
        read_solution(square, "1-3")


@pytest.mark.parametrize(
    ("text", "numbering", "place", "message"),
    [
        ("d2-d4\nd9-d7", "letters", (2, 1), 'no hole "d9" (did you mean'),
        ("9-23", "letters", (1, 1), "numbers need --numbering"),
        ("d2-d4 d2-d3", "letters", (1, 7), "no jump leads from d2 to d3"),
        ("d2-d4\nf4", "letters", (2, 1), "a jump is three holes"),
        ("d2 d3 d4 d5", "letters", (1, 1), "a jump is three holes"),
        ("d2-", "letters", (1, 4), 'no hole ""'),
        ("# x\n(d2 d3 d4", "letters", (2, 1), '"(" without its other half'),
        ("(0 1 2)\n (0 1 99)", "zero", (2, 7), "99 is not a hole"),
        ('{"jumps": [["d2", "d3", "d4"],\n ["d2"]]}', "letters", (2, 2), "jump 2 must be three holes"),
        ('{"jumps": [["d2", "d3", "d8"]]}', "letters", (1, 12), 'no hole "d8"'),
        ('{"jumps": [[1, true, 2]]}', "letters", (1, 12), "jump 1 must be three holes"),
        ('{"jumps": null, "status": "UNKNOWN"}', "letters", (1, 1), "no solution in this JSON"),
        ('{"jumps": ', "letters", (1, 11), "not valid JSON"),
        ("[" * 100_000, "letters", (1, 1), "nested too deeply"),
    ],
)
def test_bad_solutions(english: Problem, text: str, numbering: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_solution(english, text, "mine.txt", numbering)
    error = caught.value
    assert message in error.message
    assert (error.source, error.line, error.column) == ("mine.txt", *place)


def test_jumps_stand_in_the_order_of_the_text_whatever_their_form() -> None:
    board = pegcp.board("english")
    jumps = read_jumps(board, "d2-d4 (b3 c3 d3) d5-d3 f4-d4 (d6 d5 d4)")
    assert [board.jump_names(jump)[0] for jump in jumps] == ["d2", "b3", "d5", "f4", "d6"]
