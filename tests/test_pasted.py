"""What stands in programs, contests, pages and answers, pasted as it is: read right, or refused with what to type."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.solution import read_any_solution
from pegcp.game.board import Board, Jump
from pegcp.game.hole_notation import hole_names

ENGLISH = "  XXX\n  XXX\nXXXXXXX\nXXXoXXX\nXXXXXXX\n  XXX\n  XXX\n"
TRIANGLE = "    o\n   X X\n  X X X\n X X X X\nX X X X X\n"
LINE = "XoXXXXXX\n"
SQUARE = "XXo\nXoX\nXXX\n"


def rows(peg: str, vacancy: str, outside: str, between: str = "") -> list[str]:
    """The rows of the central game in some signs."""
    signs = {"X": peg, "o": vacancy, " ": outside}
    return [between.join(signs[sign] for sign in f"{row:7}") for row in ENGLISH.splitlines()]


def lines(*signs: str) -> str:
    return "\n".join(rows(*signs))


DRAWINGS: dict[str, tuple[str, str]] = {
    # programs
    "string in Go": (
        "var board = []rune(\n\t`...........\n" + "\n".join(f"..{row}.." for row in rows("●", "○", ".")) + "\n`)\n",
        ENGLISH,
    ),
    "matrix with semicolons": ("[" + "; ".join(rows("1", "0", "-1", " ")) + "]", ENGLISH),
    "matrix with a name": ("B = [" + ";\n     ".join(rows("1", "0", "2", " ")) + "];", ENGLISH),
    "printed array": ("[[" + "]\n [".join(rows(" 1", " 0", "-1", " ")) + "]]", ENGLISH),
    "array": ("array([[" + "],\n       [".join(rows(" 1", " 0", "-1", ", ")) + "]])", ENGLISH),
    "braces with a type": (
        "int[][] board = {\n" + ",\n".join(f"    {{{row}}}" for row in rows("1", "0", "-1", ", ")) + "\n};",
        ENGLISH,
    ),
    "braces": ("{{" + "},{".join(rows("1", "0", "9", ",")) + "}}", ENGLISH),
    "assignment": ("board = [[" + "],\n         [".join(rows("2", "1", "0", ", ")) + "]]\n", ENGLISH),
    "strings with a name": ('board = ["' + '","'.join(rows("o", ".", "#")) + '"]', ENGLISH),
    "list of strings": ('[ "' + '"\n, "'.join(rows("O", ".", " ")) + '"\n]', ENGLISH),
    "strings in C": ('char *board[] = {\n  "' + '",\n  "'.join(rows("*", ".", " ")) + '"\n};', ENGLISH),
    "string with ends of lines": ('"' + '\\n"\n"'.join(rows("X", ".", "#")) + '\\n"', ENGLISH),
    "lists without commas": ("((" + ")\n (".join(rows("1", "0", "-1", " ")) + "))", ENGLISH),
    "array of Lisp": ("#2A((" + ")\n    (".join(rows("1", "0", "-1", " ")) + "))", ENGLISH),
    "lists of letters": ("[[" + "],\n [".join(rows("x", "o", "n", ",")) + "]].", ENGLISH),
    "fact": ("board([[" + "],\n [".join(rows("1", "0", "-1", ",")) + "]]).", ENGLISH),
    "JSON strings": (json.dumps({"board": rows("X", "o", ".")}), ENGLISH),
    "JSON lists": ('{"board": [[' + "], [".join(rows("1", "0", "-1", ", ")) + "]]}", ENGLISH),
    "truth": ("[[" + "], [".join(rows("True", "False", "None", ", ")) + "]]", ENGLISH),
    "words": ('[["peg","peg","hole"],["peg","hole","peg"],["peg","peg","peg"]]', SQUARE),
    "characters": ('[["X","X","."],["X",".","X"],["X","X","X"]]', SQUARE),
    "remark and assignment": ("# the board\nboard = [[" + "],\n [".join(rows("1", "0", "-1", ", ")) + "]]", ENGLISH),
    "remark": ("// start position\n" + lines("X", ".", "#"), ENGLISH),
    "remarks": ("\n".join(f"// {row}" for row in rows("●", "○", ".")), ENGLISH),
    "bits": ("0b10111111", LINE),
    "list": ("{1,0,1,1,1,1,1,1}", LINE),
    "list of words": ("[peg,empty,peg,peg,peg,peg,peg,peg]", LINE),
    "vectors": ("let b = vec![\n  vec![" + "],\n  vec![".join(rows("1", "0", "2", ", ")) + "],\n];", ENGLISH),
    "text of several lines": ('board = """\n' + lines("O", ".", " ") + '\n"""', ENGLISH),
    "remarks after lists": (
        "board = [\n" + "\n".join(f"  [{row}],  # row" for row in rows("1", "0", "-1", ", ")) + "\n]",
        ENGLISH,
    ),
    "remarks after rows": ("\n".join(f"{row}  // row" for row in rows("X", ".", "#")), ENGLISH),
    "array between strokes": ("b = [|" + "\n|".join(rows("1", "0", "-1", ",")) + "|];", ENGLISH),
    # contests
    "size first": ("7 7\n" + lines("o", ".", "#"), ENGLISH),
    "number of rows first": ("7\n" + lines("1", "0", "2", " "), ENGLISH),
    # pages and answers
    "title": ("Start position:\n\n" + lines("X", "o", ".", " ") + "\n", ENGLISH),
    "quotation": ("\n".join(f"> {row}" for row in rows("●", "○", " ")), ENGLISH),
    "fence": ("```\n" + lines("X", ".", "#") + "\n```\n", ENGLISH),
    "tabs": (lines("1", "0", "-1", "\t"), ENGLISH),
    "tabs without signs outside": (lines("X", "O", "", "\t"), ENGLISH),
    "commas without signs outside": (lines("1", "0", "", ","), ENGLISH),
    "commas": ("1,0,1,1,1,1,1,1", LINE),
    "frame": ("+-------+\n" + "\n".join(f"|{row}|" for row in rows("o", ".", " ")) + "\n+-------+", ENGLISH),
    "drawn frame": ("┌───────┐\n" + "\n".join(f"│{row}│" for row in rows("●", "○", " ")) + "\n└───────┘", ENGLISH),
    "cells": ("\n".join(f"|{row}|" for row in rows("o", ".", " ", "|")), ENGLISH),
    "lines between cells": (
        "+---+---+---+\n| X | X | o |\n+---+---+---+\n| X | o | X |\n+---+---+---+\n| X | X | X |\n+---+---+---+\n",
        SQUARE,
    ),
    "numbers of rows": ("\n".join(f"{i} {row}" for i, row in enumerate(rows("X", ".", " ", " "))), ENGLISH),
    "numbers of rows and columns": (
        "  0 1 2 3 4 5 6\n" + "\n".join(f"{i} {row}" for i, row in enumerate(rows("X", ".", " ", " "))),
        ENGLISH,
    ),
    "letters of columns": (
        "   A B C D E F G\n" + "\n".join(f"{i}  {row}" for i, row in enumerate(rows("*", "o", " ", " "), 1)),
        ENGLISH,
    ),
    "emoji": (lines("🔴", "⚪", "⬛"), ENGLISH),
    "twos": (lines("1", "0", "2"), ENGLISH),
    "x as a vacancy": (lines("o", "x", "#"), ENGLISH),
    "pins": (lines("i", ".", " "), ENGLISH),
    # triangles
    "rows of a triangle": ("[[0],[1,1],[1,1,1],[1,1,1,1],[1,1,1,1,1]]", TRIANGLE),
    "strings of a triangle": ('["0","11","111","1111","11111"]', TRIANGLE),
    "braces of a triangle": ("{{0},{1,1},{1,1,1},{1,1,1,1},{1,1,1,1,1}}", TRIANGLE),
    "wide triangle": (
        "        .\n      P   P\n    P   P   P\n  P   P   P   P\nP   P   P   P   P\n",
        TRIANGLE,
    ),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings(name: str) -> None:
    text, same = DRAWINGS[name]
    problem, other = pegcp.problem(text), pegcp.problem(same)
    assert (problem.board.cells, problem.board.lines) == (other.board.cells, other.board.lines)
    assert problem.start.pegs == other.start.pegs
    assert problem.read_as or name == "lines between cells"  # pegcp's own signs


def test_numbers_in_a_column_are_no_size() -> None:
    assert len(pegcp.problem("3\n4\n9\n15\n").start) == 4
    assert len(pegcp.problem("3 10\n4 11\n9 16\n15 22\n").start) == 8


def test_words_that_are_left_out_are_said() -> None:
    assert len(pegcp.problem("baXyyba\nXXbybXX\n", legend="a=outside b=vacancy y=peg X=peg").board.holes) == 12
    assert pegcp.problem("Start position:\nXXo\n").read_as == "words beside it are left out"
    assert pegcp.problem("board = ['XX.']").read_as == "X peg, . vacancy; words beside it are left out"
    with pytest.raises(InputError, match='cannot tell what "q" means'):
        pegcp.problem("oooqooo\nooo.ooo\n")
    with pytest.raises(InputError, match="--board english or --board french"):
        pegcp.problem(" ".join(rows("1", "0", "0")))
    assert len(pegcp.problem(" ".join(rows("1", "0", "0")), board="english").start) == 32


CENTRAL = (
    "d2-d4 f3-d3 e5-e3 d3-f3 g3-e3 e7-e5 g4-e4 b3-d3 c5-c3 d3-b3 e4-c4 c1-c3 e1-c1 a5-c5 c7-e7 e2-e4 c4-c2 e4-e6 "
    "d5-b5 c1-c3 a3-a5 a5-c5 g5-e5 b3-d3 c6-c4 b4-d4 d3-d5 d5-f5 e7-e5 f5-d5 d6-d4"
)
TRIANGULAR = "6 3 1,13 9 6,10 6 3,1 3 6,2 5 9,7 4 2,14 9 5,6 5 4,2 4 7,11 7 4,4 8 13,12 13 14,15 14 13"  # holes from 1
GAMES = {
    "english": read_any_solution(pegcp.problem("english"), CENTRAL).jumps,
    "triangle15:a1->?": [Jump(*(int(hole) - 1 for hole in jump.split())) for jump in TRIANGULAR.split(",")],
}
Form = Callable[[int, tuple[int, ...], tuple[str, ...], tuple[int, ...]], str]
# Number of the jump; its holes from 1; their names; rows and columns of its ends from 0.
FORMS: dict[str, Form] = {
    "move in Prolog": lambda _, h, *__: f"move({h[0]},{h[1]},{h[2]}),",
    "facts": lambda _, h, *__: f"move({h[0]},{h[2]}).",
    "record": lambda _, h, *__: f"Move {{from = {h[0]}, over = {h[1]}, to = {h[2]}}},",
    "record as text": lambda _, h, *__: f"Move{{from={h[0]}, over={h[1]}, to={h[2]}}}",
    "row of a table": lambda n, h, *_: f"| {n} | {h[0]} | {h[1]} | {h[2]} |",
    "row of a file": lambda n, h, *_: f"{n},{h[0]},{h[1]},{h[2]}",
    "jumps over": lambda _, h, *__: f"#{h[0]} jumps over #{h[1]} to #{h[2]}",
    "lands on": lambda _, h, *__: f"Peg {h[0]} jumped over {h[1]} to land on {h[2]}",
    "jump over": lambda n, h, *_: f"{n}. Jump {h[0]} over {h[1]}",
    "numbers in brackets": lambda n, h, *_: f"[{n:02d}] {h[0]} x {h[1]} -> {h[2]}",
    "remarks": lambda n, h, *_: f"{h[0]}, {h[2]}  // jump {n}",
    "hole": lambda _, h, *__: f"Move peg in hole {h[0]} to hole {h[2]}, removing peg {h[1]}",
    "colon": lambda _, __, name, ___: f"{name[0]}:{name[2]}",
    "without a sign between": lambda _, __, name, ___: f"{name[0]}{name[2]}",
    "log of a planner": lambda _, __, name, ___: f"jump {' '.join(name)} (1)",
    "atoms": lambda n, _, name, __: f"jump({name[0]},{name[1]},{name[2]},{n})",
    "atoms with the time before": lambda n, _, name, __: f"jump({n},{name[0]},{name[2]})",
    "plan with times": lambda n, _, name, __: f"{n - 1}.000: (jump {' '.join(name)}) [1.000]",
    "two digits": lambda _, __, ___, at: "{}{}-{}{}".format(*(x + 1 for x in at)),
    "two digits from 0": lambda _, __, ___, at: "{1}{0} {3}{2}".format(*at),
    "tuples of tuples": lambda _, __, ___, at: "(({}, {}), ({}, {})),".format(*at),
    "words": lambda _, __, ___, at: "Peg at row {}, col {} moves to row {}, col {}".format(*at),
}


def written(game: str, form: Form) -> str:
    board = pegcp.problem(game).board
    assert board.cells is not None
    texts = []
    for number, jump in enumerate(GAMES[game], 1):
        ends = (*board.cells[jump.from_], *board.cells[jump.to])
        texts.append(form(number, tuple(hole + 1 for hole in jump), board.jump_names(jump), ends))
    return "\n".join(texts)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("form", FORMS)
def test_jumps(game: str, form: str) -> None:
    text = written(game, FORMS[form])
    for pasted in (text, f"```\n{text}\n```", f"Solution:\n{text}\n1 peg left\n"):
        if form in ("log of a planner", "plan with times") and pasted != text:
            continue  # a log of a planner is pasted without such lines
        assert len(pegcp.check(game, pasted).positions) == len(GAMES[game]) + 1


def test_lists_of_starts_and_ends() -> None:
    columns = list(zip(*GAMES["english"], strict=True))
    text = "".join(f"{name} = {list(holes)};\n" for name, holes in zip(("from", "over", "to"), columns, strict=True))
    assert pegcp.check("english", text).read_as == "holes numbered from 0 row by row"


def test_readings_that_differ_are_refused() -> None:
    """A text that is one solution with holes from 0, and another with holes from 1."""
    problem = pegcp.problem("XXXo\nXXXo\noooo\n", goal="b3 *")
    text = "1 5 9\n2 6 10"
    jumps = {"zero": "b1-b3 c1-c3", "one": "a1-a3 b1-b3"}
    with pytest.raises(InputError, match=r"holes numbered from 1 row by row; holes numbered from 0 .* by --numbering"):
        read_any_solution(problem, text)
    for numbering, same in jumps.items():
        read = read_any_solution(problem, text, numbering=numbering)
        assert read.jumps == read_any_solution(problem, same).jumps
        assert pegcp.check(problem, read.jumps).positions


def test_long_texts_are_checked_soon() -> None:
    with pytest.raises(InvalidSolution, match="jump 2"):
        pegcp.check("english", "d2-d4 " * 1_600_000, time_limit=1)


BOARDS = [
    *("english", "french", "wiegleb", "diamond", "asymmetric", "cross1", "huber", "hermary", "kralenspel"),
    *("triangle10", "triangle15", "triangle21", "square4", "square5", "rectangle3x5", "rectangle4x6", "line8"),
    *("line12", "diamond32", "cross2"),
]


def positions(seed: str, number: int) -> Iterator[tuple[Board, int]]:
    """Random positions of the boards in turn."""
    chance = random.Random(seed)
    for i in range(number):
        board = pegcp.board(BOARDS[i % len(BOARDS)])
        yield board, chance.getrandbits(len(board.holes)) or 1


def picture(board: Board, mask: int, peg: str, vacancy: str, outside: str, between: str = "") -> list[str]:
    """The rows of a position, those of a triangle at the left."""
    assert board.cells is not None
    at = {cell: peg if mask >> hole & 1 else vacancy for hole, cell in enumerate(board.cells)}
    width, height = (1 + max(cell[axis] for cell in at) for axis in (1, 0))
    full = [[at.get((r, c), outside) for c in range(width)] for r in range(height)]
    staggered = board.name.startswith("triangle")
    return [between.join(row[: r + 1] if staggered else row) for r, row in enumerate(full)]


WRITINGS: dict[str, Callable[[Board, int], tuple[str, dict[str, str]]]] = {
    "legend": lambda b, m: ("\n".join(picture(b, m, "q", "z", "w")), {"legend": "q=peg z=vacancy w=outside"}),
    "lists": lambda b, m: (
        "[[" + "], [".join(picture(b, m, "1", "0", "-1", ", ")) + "]]",
        {"legend": "1=peg 0=vacancy -1=outside"},
    ),
    "lists of strings": lambda b, m: (
        json.dumps(picture(b, m, "o", "-", "#")),
        {"legend": "o=peg -=vacancy #=outside"},
    ),
    "on a board": lambda b, m: ("".join("01"[m >> h & 1] for h in range(len(b.holes))), {"legend": "1=peg 0=vacancy"}),
    "rows on a board": lambda b, m: ("\n".join(picture(b, m, "1", "0", "0")), {"legend": "1=peg 0=vacancy"}),
    "zero": lambda b, m: (" ".join(str(h) for h in range(len(b.holes)) if m >> h & 1), {"numbering": "zero"}),
    "one": lambda b, m: (str([h + 1 for h in range(len(b.holes)) if m >> h & 1]), {"numbering": "one"}),
    "letters": lambda b, m: (", ".join(b.names(m)).upper(), {"numbering": "letters"}),
    "grid": lambda b, m: (
        " ".join(n for h, n in enumerate(hole_names(b, "grid")) if m >> h & 1),
        {"numbering": "grid"},
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("writing", WRITINGS)
def test_positions_in_each_notation_read_back(writing: str) -> None:
    """The same position, said how to read it; without that the same, or refused, or said otherwise."""
    same = 0
    for board, mask in positions(writing, 500):
        text, options = WRITINGS[writing](board, mask)
        if "board" in writing or "numbering" in options:
            options = options | {"board": board.name}
        read = pegcp.problem(text + "\n", **options)
        assert (read.board.cells, read.start.mask) == (board.cells, mask), (board.name, text)
        try:
            free = pegcp.problem(text + "\n", **({"board": board.name} if "board" in options else {}))
        except InputError:
            continue
        assert free.read_as or writing == "letters", text
        same += (free.board.cells, free.start.mask) == (board.cells, mask)
    assert (same > 50) == (writing != "legend"), same  # whose signs nobody uses
