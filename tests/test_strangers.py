"""Positions as strangers write them: legends, staircases, long rows, remarks, goals in words, odd endings of files."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_pasted import ENGLISH, SQUARE, TRIANGLE, lines, rows

import pegcp
from pegcp.errors import InputError

STARS = rows("*", "o", " ")
SHORT, LONG = "        O - O - O\n        |   |   |\n", "O - O - O - O - O - O - O\n|   |   |   |   |   |   |\n"
DRAWINGS = {
    "a map of signs": (
        "signs: {peg: 'h', hole: 'x', none: '-'}\nrows:\n" + "".join(f"  - '{row}'\n" for row in rows("h", "x", "-")),
        ENGLISH,
    ),
    "signs before words": ("a: Stift\n.: Loch\n-: Rand\n\n" + lines("a", ".", "-"), ENGLISH),
    "a legend in Dutch": (
        "Legenda: K = knikker, g = gat, spatie = geen gat\n" + lines("K", "g", " "),
        ENGLISH,
    ),
    "a legend in Russian": ("Ф — фишка, П — пусто\n" + lines("Ф", "П", " "), ENGLISH),
    "a legend in Japanese": ("盤面（○＝ペグ、×＝穴、・＝盤外）\n" + lines("○", "×", "・"), ENGLISH),
    "a legend in a remark": (
        "// The board (B=blocked, P=peg)\n" + "".join(f"//  {r}\n" for r in rows("P", ".", "B", " ")),
        ENGLISH,
    ),
    "a legend against the usual signs": ("o = peg, X = hole\n" + lines("o", "X", " "), ENGLISH),
    "a legend of the vacancy alone": ("'1' is an empty hole\n" + lines("0", "1", " "), ENGLISH),
    "digits and letters as wide as ideograms": (lines("１", "０", "　"), ENGLISH),
    "a staircase at the right": (
        "[[null, null, null, 0],\n[null, null, 1, 1],\n[null, 1, 1, 1],\n[1, 1, 1, 1]]\n",
        "   o\n  X X\n X X X\nX X X X\n",
    ),
    "a staircase at the left": ("o~~~~\nXX~~~\nXXX~~\nXXXX~\nXXXXX\n", TRIANGLE),
    "a staircase upside down": (
        "1 1 1 1\n1 1 1 -1\n1 1 -1 -1\n0 -1 -1 -1\n",
        "XXXX\n XXX\n  XX\n   o\n".replace("X", "X ").replace(" o", "o"),
    ),
    "rows with semicolons": ("0;11;111;1111;11111", TRIANGLE),
    "a long row": ("".join(rows("1", "0", "")), ENGLISH),
    "all places of the rows in a row": (f'new Board(7, 7, "{"".join(rows("o", ".", " "))}");', ENGLISH),
    "a row with the name of a board": ("triangle15: 011111111111111\n", TRIANGLE),
    "remarks between and behind rows": (
        "\n".join(
            ["# the top", *STARS[:2], "# long rows", STARS[2] + "  # here", *STARS[3:5], "// two more", *STARS[5:]]
        ),
        ENGLISH,
    ),
    "a remark between rows with their numbers": (
        "\n".join(["1 " + STARS[0], "(note)", *(f"{r} {row}" for r, row in enumerate(STARS[1:], 2))]),
        ENGLISH,
    ),
    "a remark of signs that begins each row": ("\n".join(f"% {row}" for row in rows("P", ".", " ")), ENGLISH),
    "a title that begins with a sign": ("o  my board\n" + "\n".join(STARS), ENGLISH),
    "counts and a remark of a page above": ("x = 3\n<!-- start -->\n" + "\n".join(STARS), ENGLISH),
    "remarks behind rows of Lisp": ("".join(f'"{row}" ; row {i}\n' for i, row in enumerate(STARS)), ENGLISH),
    "an arrow with a place behind a row": ("//  X X o\n//  X o X   <- (1,1) empty at first\n//  X X X\n", SQUARE),
    "a frame with coordinates": (
        "   a   b   c\n +---+---+---+\n3| * | * |   |3\n +---+---+---+\n2| * |   | * |2\n +---+---+---+\n"
        "1| * | * | * |1\n +---+---+---+\n   a   b   c\n",
        SQUARE,
    ),
    "a numbering beside it": (
        "   o\n  X X\n X X X\nX X X X\n\n   1\n  2 3\n 4 5 6\n7 8 9 10\n",
        "   o\n  X X\n X X X\nX X X X\n",
    ),
    "a strange digit outside": (lines("1", "0", "8", " "), ENGLISH),
    "letters of constructors": (f"[[{'],['.join(rows('P', 'H', 'E', ','))}]]", ENGLISH),
    "numbers in hexadecimal, a row each": (
        "english board\n" + "".join(f"{int(r, 2):#x}\n" for r in rows("1", "0", "0")),
        ENGLISH,
    ),
    "binary numbers and a name behind": (
        f"B = ({', '.join('0b' + r for r in rows('1', '0', '0'))})  # english\n",
        ENGLISH,
    ),
    "bits, and how many in a remark": (
        f"x = 0x{int(''.join(rows('1', '0', '')), 2):X}ULL; /* 33 bits, row by row */\n",
        ENGLISH,
    ),
    "facts among others": (
        "% an instance\ntime(1..3).\n"
        + "".join(
            f"{'hole' if s == 'o' else 'full'}({r},{c}).\n"
            for r, row in enumerate(SQUARE.split())
            for c, s in enumerate(row)
        ),
        SQUARE,
    ),
    "lines of a log": ("[LOG] start\n" + "".join(f"[LOG] {r}\n" for r in rows("1", "0", "2")), ENGLISH),
    "titles between marks": ("=== 1 ===\n***Start***\n" + lines("*", ".", " "), ENGLISH),
    "rows by their names": (
        "{" + ", ".join(f'"r{i}": "{r}"' for i, r in enumerate(rows("*", ".", "#"))) + "}",
        ENGLISH,
    ),
    "rows of elements": (
        "<b>\n" + "".join(f'  <row cells="{r}"/>\n' for r in rows("X", ".", "#")) + "</b>\n",
        ENGLISH,
    ),
    "a frame around signs like a remark": ("+---+\n|##.|\n|#.#|\n|###|\n+---+\n", SQUARE),
    "quotes in rows without commas": ("A = ['X' 'X' 'o';\n     'X' 'o' 'X';\n     'X' 'X' 'X'];\n", SQUARE),
    "a first row of a triangle in calls": (
        'val b = Array(\n  Array("o"),\n  Array("X", "X"),\n  Array("X", "X", "X"),\n  Array("X", "X", "X", "X"))\n',
        "   o\n  X X\n X X X\nX X X X\n",
    ),
    "a plus for a vacancy": (lines("O", "+", " "), ENGLISH),
    "rows of characters with an empty margin": (
        "char b[9][9] = {"
        + ", ".join(
            "{" + ",".join(f"'{sign}'" for sign in f" {row} ") + "}" for row in ["       ", *rows("O", "+", " ")]
        )
        + ", {' ',' ',' ',' ',' ',' ',' ',' ',' '}};\n",
        ENGLISH,
    ),
    "a capital O outside": (" ".join("".join(rows("X", "_", "O"))[i : i + 7] for i in range(0, 49, 7)), ENGLISH),
    "strokes between holes": (
        SHORT * 2 + LONG + LONG.replace("O - O - O - O", "O - O - O - +", 1) + LONG + SHORT * 2,
        ENGLISH,
    ),
    "a table with a header of a wiki": (
        "^ ^ 0 ^ 1 ^ 2 ^ 3 ^\n^ 0 | 0 |\n^ 1 | 1 | 1 |\n^ 2 | 1 | 1 | 1 |\n^ 3 | 1 | 1 | 1 | 1 |\n",
        "   o\n  X X\n X X X\nX X X X\n",
    ),
    "a letter I for a peg": ("   O\n  I I\n I I I\nI I I I\n", "   o\n  X X\n X X X\nX X X X\n"),
    "cells of LaTeX": (
        "\\begin{tabular}{ccc}\n"
        + "".join(
            " & ".join(f"\\multicolumn{{1}}{{|c|}}{{{sign}}}" for sign in row) + "\\\\\n" for row in SQUARE.split()
        )
        + "\\end{tabular}\n",
        SQUARE,
    ),
}


@pytest.mark.parametrize("kind", DRAWINGS)
def test_drawings(kind: str) -> None:
    text, same = DRAWINGS[kind]
    read, expected = pegcp.problem(text), pegcp.problem(same)
    assert (read.board.lines, read.start.mask, bool(read.read_as)) == (expected.board.lines, expected.start.mask, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[1,0,0,0],\n[1,1,0,0],\n[1,0,1,0],\n[1,1,1,1]]\n", "outside of a triangle"),
        ("X" * 20 + "o" + "X" * 20, "say board='diamond' or board='kralenspel'"),
        (lines("o", "O", " "), "o and O look alike"),
        (lines("0", "O", " "), "0 and O look alike"),
        (lines("•", "•", " "), "say what its signs mean"),
        ("+OO\n+OO\nOOO\n", "can be read in 2 ways"),
        ("P\nPP\nO\nPPP\nPP\nPPPP\nP\n", "longer and shorter by turns"),
        (
            2 * f"{'':8}●─●─●\n" + "●─●─●─●─●─●─●\n●─●─●─○─●─●─●\n●─●─●─●─●─●─●\n" + 2 * f"{'':8}●─●─●\n",
            "begin elsewhere .* board='english'",
        ),
        ("reshape(7, 7) [" + ",".join("1" * 24 + "0" + "1" * 23) + "]", "48 items cannot be parted into 7 rows"),
        (
            "Start:\nXXX\nXoX\nXXo\n\nGoal:\nooo\noXo\nooo\n\nThe last peg must be in a1.\n",
            "another goal than the drawing",
        ),
        ("a[" + "1" * 5000 + "][3] = XXoX\n", "."),
        ("(" + "1" * 5000 + ",2)\n", "."),
        ("a = [" + "(1,1) " * 99 + "x", "."),
        ("XXoX\nPegs: 4\n", "the words say 4 pegs, and the drawing has 3"),
        ("english board\nXXoX\n", "board english"),
        ("X o X o my board\nXXX\nXoX\nXXX\n", "X o X o may be a row of the drawing"),
        (
            "[ 1 1 1 ]\n[ 1 1 1 ]\n" + "[ 1 1 1 1 1 1 1 ]\n" * 2 + "[ 1 1 1 0 1 1 1 ]\n[ 1 1 1 ]\n" * 1 + "[ 1 1 1 ]\n",
            "row 5|begin at the left",
        ),
        ("m <- matrix(c(1,1,0, 1,0,1, 1,1,1), nrow=3)\n", "the program changes the board"),
        ("int b[4][4] = {{1,1,1,1},{1,0,1,1},{1,1,1,1}};\n", "declares other than 3 rows"),
        ("[0x1C, 0x1C, 0x7F, 0x77, 0x7F, 0x1C, 0x1C]\n", "or board='english'"),
        ("[0x10, 0x38, 0x7c, 0xee, 0x7c, 0x38, 0x10]\n", "a bit that is 0 may be a vacancy, or outside of the board"),
        (
            "English\n" + lines("*", "o", " ") + "\nSquare\n***\n*o*\n***\n***\n",
            "2 drawings, in line 2 .33 holes. and line 10 .12 holes.",
        ),
    ],
)
def test_two_meanings(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pegcp.problem(text)


@pytest.mark.parametrize(
    "text",
    [
        "; Target position = (3,3)\n;\n" + "".join(f"; {row}\n" for row in STARS),
        lines("*", "o", " ") + "\ngoal: d4\n",
        "Doel: laatste knikker in het midden\n" + lines("*", "o", " "),
        "Anfang\n"
        + lines("*", ".", " ")
        + "\nEndsituation\n"
        + lines("*", ".", " ").replace("*", "-").replace(".", "*").replace("-", "."),
    ],
)
def test_goals_beside_drawings(text: str) -> None:
    assert (read := pegcp.problem(text)).goal == pegcp.problem("english:d4").goal
    assert "goal" in read.read_as


def test_a_start_and_a_goal_in_strings_are_no_toml() -> None:
    start, goal = (str(rows(*signs)) for signs in (("●", "○", " "), ("○", "●", " ")))
    read = pegcp.problem(f"start = {start}\ngoal = {goal}\n".replace("'", '"').replace("[", "[\n"))
    assert (read.start, read.goal) == (pegcp.problem(ENGLISH).start, pegcp.problem("english:d4").goal)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("p01.pddl", "; * denotes occupied\n; o denotes free\n; * * o\n; * o *\n; * * *\n"),
        (
            "init.pddl",
            "(:init "
            + " ".join(
                f"({'free' if s == 'o' else 'occupied'} pos-{r}-{c})"
                for r, row in enumerate(SQUARE.split())
                for c, s in enumerate(row)
            )
            + ")\n",
        ),
        ("puzzles.toml", '[[puzzle]]\nname = "square"\nrows = [\n  "110",\n  "101",\n  "111",\n]\n'),
        ("board.lp", "% * * o\n% * o *\n% * * *\n"),
    ],
)
def test_a_file_is_read_whatever_its_ending_promises(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / file).write_text(text)
    read, expected = pegcp.problem(str(tmp_path / file)), pegcp.problem(SQUARE)
    assert (read.board.lines, read.start.mask) == (expected.board.lines, expected.start.mask)


def test_a_slip_in_a_problem_file_is_no_drawing(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('bord = "english"\nmap = """\nXXo\nXoX\nXXX\n"""\n')
    with pytest.raises(InputError, match="bord"):
        pegcp.problem(str(tmp_path / "mine.toml"))


def test_a_position_in_a_record_asks_for_one_peg_anywhere() -> None:
    for text in ('{"board": "english", "pegs": ["d4", "e4"]}', "board: english\nvacant: d4\n"):
        assert pegcp.problem(text).goal_text == "one peg anywhere"


@pytest.mark.parametrize(
    "text",
    [
        "(define board (vector (vector 0)\n  (vector 1 1)\n  (vector 1 1 1)\n  (vector 1 1 1 1)))",
        'check(render(board), "o\\n**\\n***\\n****")',
        "Start\\\n   ○\\\n  ● ●\\\n ● ● ●\\\n● ● ● ●\\\n",
        "/*\n    o\n    * *\n    * * *\n    * * * *\n*/",
        'rows = ["o", "**", "***", "****"]\nlevel = Level(rows, {"*", "o", "#"})\n',
    ],
)
def test_all_rows_of_a_triangle_are_read(text: str) -> None:
    problem = pegcp.problem(text)
    assert problem.start.mask == pegcp.problem("o\nXX\nXXX\nXXXX").start.mask
    assert len(problem.board) == 10


def test_a_row_of_a_triangle_beside_words_is_not_lost() -> None:
    problem = pegcp.problem("this is my board: X\n   X X\n  X o X\n X X X X\n")
    assert (problem.board.lines, problem.start) == (
        pegcp.board("triangle10").lines,
        pegcp.problem("X\nXX\nXoX\nXXXX").start,
    )
    with pytest.raises(InputError, match="give it a line of its own"):
        pegcp.problem("my board:\n   X X\n  X o X\n X X X X\n")


def test_a_rule_below_and_a_frame_around_are_no_rows() -> None:
    rows = ["    _ _ _", "    _ _ _", *["_ _ _ _ _ _ _"] * 2, "_ _ _ o _ _ _", "    _ o _", "    _ _ _"]
    problem = pegcp.problem("\n".join(["Level 3", *rows, "_" * 15]))
    assert (problem.board.name, problem.start.pegs) == ("position's board", ["d5", "d6"])


def test_a_row_says_that_it_may_be_a_board() -> None:
    read_as = pegcp.problem("boolean[] full = {false" + ", true" * 14 + "};").read_as
    assert "a row of 15 holes; if they are those of a board: --board triangle15" in read_as


@pytest.mark.parametrize("mask", ["0123456", "1__234567", "123456_", "0x1_"])
def test_what_is_no_number_is_no_mask(mask: str) -> None:
    with pytest.raises(InputError):
        pegcp.problem(mask, board="english")


def test_the_row_of_an_object_is_not_taken_from_its_pixels() -> None:
    places = [(r, c, sign) for r, row in enumerate(SQUARE.split()) for c, sign in enumerate(row)]
    text = str([{"row": r, "col": c, "x": 40 * c, "y": 9 * r, "peg": sign == "X"} for r, c, sign in places])
    with pytest.raises(InputError):
        pegcp.problem(text)


def test_the_file_of_a_solution_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.txt"):
        pegcp.check("XXoX", tmp_path / "missing.txt")
