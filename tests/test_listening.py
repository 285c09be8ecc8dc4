"""Kinds of texts as people and programs publish them: each is read as it is meant, or refused with what to type."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from asking import typed
from test_pasted import ENGLISH, GAMES, SQUARE, TRIANGLE, lines, rows, way, written

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.solution import read_any_solution
from pegcp.game import Jump

PLACES = [(r, c) for r in range(3) for c in range(3)]
HOLES = ((0, 2), (1, 1))  # of the square
DRAWINGS = {
    "empty cells between strokes": (
        "\n-----------\n".join(
            f"{row[: len(row) - len(row.lstrip())] * 2}|{'|'.join(row.strip())}|".replace("_", " ")
            for row in rows("o", "_", " ")
        ),
        ENGLISH,
    ),
    "labels on both sides, above and below": (
        "  a b c\n3 * * o 3\n2 * o * 2\n1 * * * 1\n  a b c\n",
        SQUARE,
    ),
    "numbers below": ("2 * * o\n1 * o *\n0 * * *\n  0 1 2\n", SQUARE),
    "numbers of rows and columns, and x": (
        "  0 1 2 3 4 5 6\n" + "\n".join(f"{i} {row}" for i, row in enumerate(rows("x", "0", " ", " "))),
        ENGLISH,
    ),
    "dots for pegs": (lines("·", "o", " ", " "), ENGLISH),
    "dots for pegs and a wall": (lines(".", "o", "#"), ENGLISH),
    "a sentence about signs": ('Let "." denote a peg and let "o" denote a hole\n' + lines(".", "o", " ", " "), ENGLISH),
    "words in quotes about signs": (
        '% "*" denotes "occupied"\n% "o" denotes "free"\n% * * o\n% * o *\n% * * *\n',
        SQUARE,
    ),
    "a legend of one sign": ("o=peg\n" + lines("o", ".", "#"), ENGLISH),
    "remarks in every line": ("\n".join(f"% {row}" for row in rows("x", ".", " ", " ")), ENGLISH),
    "facts": (
        " ".join(
            f"{'empty' if sign == 'o' else 'peg'}({r},{c})."
            for r, row in enumerate(rows("X", "o", " "), 1)
            for c, sign in enumerate(row, 1)
            if sign != " "
        ),
        ENGLISH,
    ),
    "cells": ("\n".join(f"cell({r},{c},{'hole' if (r, c) in HOLES else 'peg'})." for r, c in PLACES), SQUARE),
    "table of places": (str({place: int(place not in HOLES) for place in PLACES}), SQUARE),
    "constants": ("[[" + "], [".join(rows("Cell::Peg", "Cell::Empty", "Cell::Invalid", ", ")) + "]]", ENGLISH),
    "constants with dots": ("[[" + "], [".join(rows("State.PEG", "State.EMPTY", "State.OUT", ", ")) + "]]", ENGLISH),
    "several assignments": ("n = 7;\nboard = [\n [" + "]\n [".join(rows("1", "0", "-1", " ")) + "]\n];\n", ENGLISH),
    "lists of letters with a name": (
        "start = [ [" + "]\n        , [".join(rows("P", "E", "N", ",")) + "] ]\n",
        ENGLISH,
    ),
    "sequences": ("Board = <<" + ">,\n <".join(rows("P", "E", "N", ",")) + ">>\n", ENGLISH),
    "Lisp": ("((nil)\n (T T)\n (T T T)\n (T T T T)\n (T T T T T))\n", TRIANGLE),
    "rows from the longest": ("((T T T) (T T) (NIL))", "X X X\n X X\n  o\n"),
    "one list in rows": ("puzzle = [  0,\n   1,1,\n  1,1,1,\n 1,1,1,1,\n1,1,1,1,1]\n", TRIANGLE),
    "a step above": ("Step 0\n" + lines("*", ".", " ", " "), ENGLISH),
    "a rule of single strokes": ("|●|●|○|\n|-|-|-|\n|●|○|●|\n|●|●|●|\n", SQUARE),
    "cells of a page": (
        "<table>\n"
        + "\n".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in SQUARE.split())
        .replace("X", "&#9679;")
        .replace("o<", "&#9675;<")
        + "</table>\n",
        SQUARE,
    ),
    "classes of a page": (
        "\n".join(
            "".join(f'<td class="cell {"hole" if sign == "o" else "peg"}"></td>' for sign in row)
            for row in SQUARE.split()
        ).replace("\n", "</tr>\n<tr>"),
        SQUARE,
    ),
    "boxes between two places": (
        "\n".join(
            "    [X][X][X]" if row[0] == " " else "".join(f"[{sign}]" for sign in row) for row in rows("X", " ", " ")
        ),
        ENGLISH,
    ),
    "a symbol that nobody uses": (lines("♥", ".", "#"), ENGLISH),
    "a table of a wiki": (
        "{|\n" + "\n|-\n".join(f"| {row}" for row in rows("●", "○", " ", " || ")) + "\n|}\n",
        ENGLISH,
    ),
    "strings that begin with a vacancy": ('["o.oo", ".ooo", "..oo", "o.oo"]', "XoXX\noXXX\nooXX\nXoXX\n"),
    "walls of tildes": (lines("X", "o", "~"), ENGLISH),
    "a row of one vacancy": (
        "| | |-| | |\n| |T|T|T| |\n|T|T|T|T|T|\n| |T|T|T| |\n| | |T| | |\n",
        "  o\n XXX\nXXXXX\n XXX\n  X\n",
    ),
    "a row of vacancies between strokes": ("|X|X|X|\n|-|-|-|\n|X|X|X|\n|X|X|X|\n", "XXX\nooo\nXXX\nXXX\n"),
    "a table that is not aligned": ("|  | 0 |  |\n|---|---|---|\n| 1 | 1 | 1 |\n|  | 1 |  |\n", " o\nXXX\n X\n"),
    "labels like signs": ("  a b c\n1 1 1 1\n2 1 0 1\n3 1 1 0\n", "XXX\nXoX\nXXo\n"),
    "a start and the next position": ("Start\n**.\n***\n\nGoal\n..*\n***\n", "XXo\nXXX\n"),
    "digits for blanks": ("2ooo2/2ooo2/ooooooo/ooo.ooo/ooooooo/2ooo2/2ooo2", ENGLISH),
    "constants with numbers": (
        "const OUT = 0;\nconst HOLE = 1;\nconst PEG = 2;\nb = [[" + "], [".join(rows("2", "1", "0", ",")) + "]];\n",
        ENGLISH,
    ),
    "an enumeration": (
        "enum Cell { Out = 0, Empty = 1, Peg = 2 }\nb = [[" + "], [".join(rows("2", "1", "0", ",")) + "]]\n",
        ENGLISH,
    ),
    "letters that are defined": (
        "#define P 1\n#define H 0\n#define X -1\nint b[7][7] = {{" + "}, {".join(rows("P", "H", "X", ",")) + "}};\n",
        ENGLISH,
    ),
    "what signs mean, behind rows": (
        "    .        position at first\n   * *       * = peg\n  * * *      . = hole\n * * * *\n* * * * *\n",
        TRIANGLE,
    ),
    "pegs as their numbers": ("    .\n   2 3\n  4 5 6\n 7 8 9 A\nB C D E F\n", TRIANGLE),
    "a triangle around": (
        "      ^\n     / \\\n    / o \\\n   / X X \\\n  / X X X \\\n / X X X X \\\n/ X X X X X \\\n/_____________\\\n",
        TRIANGLE,
    ),
    "names of emoji": (lines(":blue_circle:", ":white_circle:", ":black_large_square:"), ENGLISH),
    "holes by name": (
        str({f"{'abc'[c]}{r + 1}": (r, c) not in HOLES for r, c in PLACES}).replace("'", '"').lower(),
        SQUARE,
    ),
    "objects": (
        str([{"row": r, "col": c, "state": "hole" if (r, c) in HOLES else "peg"} for r, c in PLACES]),
        SQUARE,
    ),
    "lists of places": (
        '{"pegs": ' + str([[*at] for at in PLACES if at not in HOLES]) + ', "holes": ' + str([*map(list, HOLES)]) + "}",
        SQUARE,
    ),
    "facts of a planner": (
        "\n".join(f"({'free' if (r, c) in HOLES else 'occupied'} pos-{r}-{c})" for r, c in PLACES),
        SQUARE,
    ),
    "a table with numbers": (
        "   0  1  2  3  4  5  6\n" + "\n".join(f"{i} {row}" for i, row in enumerate(rows(" 1", " 0", "-1", " "))),
        ENGLISH,
    ),
    "a table with names": ("c0,c1,c2,c3,c4,c5,c6\n" + lines("1", "0", "", ","), ENGLISH),
    "words in rows": ("   empty\n  peg peg\n peg peg peg\npeg peg peg peg\n", "   o\n  X X\n X X X\nX X X X\n"),
    "elements with a type": (
        "\n".join(
            "<row>" + "".join(f'<cell type="{"hole" if sign == "o" else "peg"}"/>' for sign in row) + "</row>"
            for row in SQUARE.split()
        ),
        SQUARE,
    ),
    "rows between strokes": ("|".join(rows("X", "o", ".")), ENGLISH),
    "a count below": (lines("o", ".", " ", " ") + "\nPegs remaining: 32\n", ENGLISH),
    "a jump above": ("Move 3: d5-d3\n" + lines("*", "o", " ", " "), ENGLISH),
    "a title with numbers": ("Position #12 (32 pegs)\n" + lines("*", "o", " "), ENGLISH),
    "a rule above": ("---------\nX X o\nX o X\nX X X\n", SQUARE),
    "a word before a row": ("Start X X o\n      X o X\n      X X X\n", SQUARE),
    "code of a forum": ("[code]\n" + lines("*", "o", ".") + "\n[/code]\n", ENGLISH),
    "quoted twice": ("\n".join(f"> > {row}" for row in rows("*", "o", ".")), ENGLISH),
    "blanks as wide as ideographs": (lines("●", "○", "\u3000"), ENGLISH),
    "a dead end": (
        lines("O", "-", " ", " ").replace("O", "-").replace("-", "O", 1),
        ENGLISH.replace("X", "o").replace("o", "X", 1),
    ),
    "a triangle in a row": ("0 11 111 1111 11111\n", TRIANGLE),
    "rows in one line": (" ".join(row.strip() for row in rows("o", ".", " ")), ENGLISH),
    "run lengths": ("..3X../..3X../7X/3Xo3X/7X/..3X../..3X..", ENGLISH),
    "a number of games first": ("1\n-oo--oo\n", "oXXooXX\n"),
    "a class": (
        "class Game:\n    def __init__(self):\n        self.moves = 0\n        self.cells = [\n"
        + ",\n".join(f"            [{row}]" for row in rows("1", "0", "None", ", "))
        + "\n        ]\n",
        ENGLISH,
    ),
    "a macro": ("#define START { \\\n" + ", \\\n".join(f'  "{row}"' for row in rows("o", ".", " ")) + " }\n", ENGLISH),
    "strings in a call": ("level = `\n" + lines("o", ".", " ") + "`.split('\\n').map(r => r.trim())\nn = 0\n", ENGLISH),
    "a blank in strings": ("rows = [" + ", ".join(f'"{row}"' for row in rows("x", " ", ".")) + "]\n", ENGLISH),
    "rows in dead and living code": (
        "# g.add([1, 1, 1])\n# g.add([1, 0, 1])\n\ng.add([1, 1, 0])\ng.add([1, 0, 1])\ng.add([1, 1, 1])\n",
        SQUARE,
    ),
    "letters that are named before": (
        "N = null\nT = true\nF = false\nexport const B = [\n [" + "],\n [".join(rows("T", "F", "N", ", ")) + "]\n]\n",
        ENGLISH,
    ),
    "words and a remark on both sides": (
        "/**\n * The state at the end of the game:\n"
        + "".join(f" * {row}\n" for row in rows("O", "_", " ", " "))
        + " * Score: 32\n * Each row is printed.\n */\n",
        ENGLISH,
    ),
    "a remark behind a row": ("XX. pegs: 7\nX.X\nXXX\n", SQUARE),
    "signs outside between the holes": (
        "game = '''\n" + "\n".join("-" + row for row in rows(".", "o", "-", "-")) + "'''\nprint(game)\n",
        ENGLISH,
    ),
    "rows of a database": (
        "INSERT INTO b VALUES " + ", ".join(f"({r}, {c}, {int((r, c) not in HOLES)})" for r, c in PLACES) + ";\n",
        SQUARE,
    ),
    "facts with ranges": ("peg(0..1,0). peg(2,0..2). hole(1,1). peg(0,1). peg(1,2). hole(0,2).\n", SQUARE),
    "objects in any order": (
        "let n = 9;\nlet b = [\n"
        + "".join(
            f"  {{id: '#h{i}', full: {str((r, c) not in HOLES).lower()}, x: {c}, y: {r}}}, // hole\n"
            for i, (r, c) in enumerate(PLACES)
        )
        + "];\n",
        SQUARE,
    ),
    "elements with places": (
        "".join(f'<{"hole" if (r, c) in HOLES else "peg"} x="{c}" y="{r}"/>' for r, c in PLACES) + "\n",
        SQUARE,
    ),
    "rows of a game": ('{"rows":[{"cells":"XXo"},{"cells":"XoX"},{"cells":"XXX"}]}\n', SQUARE),
    "words behind rows": (
        "XXo top\nXoX  <- the middle\nXXX bottom\n",
        SQUARE,
    ),
    "words before rows": ("top     X X o\nmiddle  X o X\nbottom  X X X\n", SQUARE),
    "marks of a page around rows": ("<pre><span class=a>X X o</span>\n<b>X o X</b>\nX X X</pre>\n", SQUARE),
    "rows in calls": ("$b = array(\n  array(1,1,0),\n  array(1,0,1),\n  array(1,1,1)\n);\necho $b;\n", SQUARE),
    "the game of Tatham": ("3x3cross:PPHPHPPPP\n", SQUARE),
    "divisions of a page": (
        "".join(f"<div>{row}</div>" for row in ("0", "1 1", "1 1 1", "1 1 1 1", "1 1 1 1 1")) + "\n",
        TRIANGLE,
    ),
}


@pytest.mark.parametrize("kind", DRAWINGS)
def test_drawings(kind: str) -> None:
    text, same = DRAWINGS[kind]
    read, expected = pegcp.problem(text), pegcp.problem(same)
    assert (read.board.lines, read.start.mask, bool(read.read_as)) == (expected.board.lines, expected.start.mask, True)


PAIRS = {
    "side by side": "   Start:       Goal:\n   X X .        . . X\n   X X X   ->   . . .\n   X X X        . . .\n",
    "arrays in a line": "int goal[3][3] = {{0,0,1},{0,0,0},{0,0,0}}; int start[3][3] = {{1,1,0},{1,1,1},{1,1,1}};\n",
    "arrays in lines": "GOAL = [[0,0,1],[0,0,0],[0,0,0]]\nSTART = [[1,1,0],[1,1,1],[1,1,1]]\n",
    "arrays with remarks": (
        "int goal[3][3] = {\n  {0,0,1},\n  {0,0,0},\n  {0,0,0}};\n// where it begins\nint board[3][3] = {\n  {1,1,0},\n"
        "  {1,1,1},\n  {1,1,1}};\n"
    ),
    "other languages": "Anfang:\nXX.\nXXX\nXXX\n\nZiel:\n..X\n...\n...\n",
    "matrices": (
        "\\[\\begin{matrix} \\mathrm{o} & \\mathrm{o} & . \\\\ o & o & o \\\\ o & o & o \\end{matrix} \\leadsto "
        "\\begin{matrix} \\cdot & . & o \\\\ . & . & . \\\\ . & . & . \\end{matrix}\\]\n"
    ),
    "words behind": "XX.\nXXX\nXXX\n\nThe last peg must be in c1.\n",
    "words before": "The last peg shall be left in the initial hole.\n\nXX.\nXXX\nXXX\n",
}


@pytest.mark.parametrize("kind", PAIRS)
def test_starts_and_goals_among_other_things(kind: str) -> None:
    read = pegcp.problem(PAIRS[kind])
    expected = pegcp.problem("XXo\nXXX\nXXX\n", goal="c1")
    assert (read.board.lines, read.start.mask, read.goal) == (expected.board.lines, expected.start.mask, expected.goal)
    assert "goal" in read.read_as


ON_BOARDS = {
    "all holes are filled except d4": "english",
    "Alle Felder besetzt außer d4": "english",
    "empty: d4": "english",
    "".join(rows("1", "0", "0")): "english",
    "{1: 0, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 1, 15: 1}": "triangle15:a1",
    "Pegs: a2, b2": "triangle15:a1",
    lines("1", "0", "", " "): "english",
    "All holes are filled except the center": "english",
    "32 pegs, centre empty": "english",
    "all pegs except the one in the middle": "english",
    "only the middle spot is empty": "english",
    "Start with hole 1 empty": "triangle15:a1",
    f"const uint64_t START = {int(''.join(rows('1', '0', '0')), 2):#x}ULL;": "english",
    '{"name": "x", "Pegs": ["a2", "b2"]}': "triangle15:a1",
    "2 3 4 5 6 7 8 9 10 11 12 13 14 15": "triangle15:a1",  # no labels of columns
}


@pytest.mark.parametrize("text", ON_BOARDS)
def test_positions_on_a_board(text: str) -> None:
    name = ON_BOARDS[text]
    read = pegcp.problem(text, board=name.partition(":")[0])
    expected = ["a2", "b2"] if "Pegs" in text else pegcp.problem(name).start.pegs
    assert (read.start.pegs, bool(read.read_as)) == (expected, True)


@pytest.mark.parametrize(
    "text",
    [
        '{"board": "english", "start": ["c3", "d4"], "goal": ["d4"]}',
        '{\n  "board": "english",\n  "pegs": ["c3", "d4"],\n  "goal": "d4"\n}\n',
        "board: english\npegs: [c3, d4]\ngoal: d4\n",
        "---\nboard: english\nPegs:\n- c3\n- d4\ngoal: d4\nobjective: any\n",
        "board = english\npegs = c3 d4\ngoal = d4\n",
    ],
)
def test_records(text: str) -> None:
    assert pegcp.problem(text) == pegcp.problem(f"{text}\n") == pegcp.problem("english", start="c3 d4", goal="d4")


def test_a_record_of_vacancies() -> None:
    assert pegcp.problem('{"board": "triangle15",\n "empty": 1}') == pegcp.problem("triangle15:a1->?")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"board": "english", "pegs": ["d4"], "gaol": "d4"}\n', r'unknown key "gaol" \(did you mean "goal"\?\)'),
        ('{"board": "english", "pegs": ["d4"], "vacant": ["d6"]}\n', "say by one key where the pegs are"),
        ('{"board": "english"}\n', "say by one key where the pegs are"),
        ("board: english\npegs: []\n", "say by one key where the pegs are"),
        ("board: english\nvacant: -\n", "say by one key where the pegs are"),
        ("board: english\nvacant: d9\n", r'^the text: english has no hole "d9"'),
        ("d4 d5\n", "say on which board these holes are, as in board='english'"),
        ('["d4", "d5"]\n', "say on which board these holes are"),
    ],
)
def test_slips_in_records(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        pegcp.problem(text)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("[(0, 3), (1, 3), (1, 4)]", {"board": "english"}, r"these can be \(column, row\) from 0 or \(row, column\)"),
        ("14 24 25 41 54", {"board": "english"}, "these can be .* write the names of holes"),
        ("pegs in d4 and e4, others empty", {"board": "english"}, 'names of the holes with pegs alone, or "all but"'),
        ("\n".join(row.strip() for row in rows("x", "0", " ", " ")), {}, "say board='english' if they are centred"),
        ("\n".join(row.strip() for row in rows("X", "o", " ")), {}, "say board='english' if they are centred"),
        ("x;x;o\no;o;x\n", {}, "can be read in 2 ways"),
        ("reshape([1,1,0, 1,0,1, 1,1,1], [3,3])", {}, "may go by rows or by columns"),
        ("Toutes les cases sont occupées sauf 44", {"board": "english"}, "these can be .* write the names of holes"),
        (str([[bool(int(bit)) for bit in row] for row in rows("1", "0", "0")]), {}, "or board='english'"),
        ("[[1,1,0],[1,0],[1,1,1]]", {}, "row 2 has 2 items"),
        ("start with 14 pegs", {"board": "triangle15"}, "names of the holes with pegs alone"),
        ("pegs left: 1", {"board": "triangle15"}, "names of the holes with pegs alone"),
        ("ooX -> XXo", {}, "the goal, has more pegs than the first, the start: write the start first"),
        (
            "English:      French:\n  X X X         X X X\n  X o X       X X o X X\n  X X X         X X X\n",
            {},
            "2 drawings, in line 2 .9 holes. and line 2 .11 holes.",
        ),
        (
            "[[1,1,0],\n [1,1,1]],\ntype: other\n[[1,1,0,1],\n [1,1,1,1]]\n",
            {},
            "2 drawings, in line 1 .6 holes. and line 4 .8 holes.",
        ),
        (ENGLISH.replace("XXXXXXX\n  XXX\n  XXX", "XXXXXX\n  XXX\n  XXX"), {}, "board english but for 1 hole"),
        ("A board with 37 holes:\n" + ENGLISH, {}, "the words say 37 holes, and the drawing has 33"),
        (
            "Start, centre empty:\n" + ENGLISH.replace("o", "X").replace("X", "o", 1),
            {},
            "the words say that d4 is empty",
        ),
        ("English cross, all pegs in except (2,3)", {}, "these can be .* from 0 or .* from 1"),
        ("31 pegs, centre empty", {"board": "english"}, "the words say 31 pegs, and name holes of 32"),
        ("Ein englisches Brett, bei dem ja nur die Mitte leer ist", {}, 'if it is meant, type "english:d4->\\?"'),
        ("Tavola francese o tavola inglese, un buco vuoto", {}, "boards english and french"),
        ("  1\n 2 3\n4 5 6\n7 8 9 10\n\nHere peg 1 is missing; finish in 5.", {}, "no drawing on board triangle10"),
        ("...*...\n..*#*..\n...*...\n", {}, "no reading of this drawing"),
        ("XXX\nXoX\nXQX\nXXX\n", {}, 'cannot tell what "Q" means'),
        ('{"to": ["100","000","000"], "from": ["110","101","111"]}', {}, "a jump to begin with"),
    ],
)
def test_two_meanings(text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pegcp.problem(text, **options)


@pytest.mark.parametrize(
    "text",
    [
        '{"start": ["XXo","XoX","XXX"], "goal": ["ooo","oXo","ooo"]}',
        '{"goal": ["ooo","oXo","ooo"], "start": ["XXo","XoX","XXX"]}',
    ],
)
def test_a_start_and_a_goal_by_their_names(text: str) -> None:
    read = pegcp.problem(text)
    assert (read.start, read.goal_text) == (pegcp.problem(SQUARE).start, "exactly b2")


Form = Callable[[int, tuple[int, ...], tuple[str, ...], tuple[int, ...]], str]
WIKI = "abcdefghijklmnopxPONMLKJIHGFEDCBA"
FORMS: dict[str, Form] = {
    "a pawn": lambda _, __, m, ___: f"P{m[0]}-{m[2]}",
    "a star between": lambda _, __, ___, a: "{}{}*{}{}".format(*(x + 1 for x in a)),
    "a label": lambda n, _, m, __: f"Zug {n} : {m[0]}-{m[2]}",
    "an ordinal": lambda n, h, *_: f"{n}º) La bolita {h[0]} salta a la {h[2]}",
    "a way behind": lambda _, __, m, a: f"{m[0]}{way(a)[0].upper()}",
    "rows from the bottom": lambda _, __, ___, a: f"{'abcdefg'[a[1]]}{7 - a[0]}-{'abcdefg'[a[3]]}{7 - a[2]}",
    "from the middle": lambda _, __, ___, a: f"({a[1] - 3},{3 - a[0]}) to ({a[3] - 3},{3 - a[2]})",
    "a grid with a border": lambda _, __, ___, a: f"{9 * a[0] + a[1] + 10} -> {9 * a[2] + a[3] + 10}",
    "a grid from 1": lambda _, __, ___, a: f"{7 * a[0] + a[1] + 1} -> {7 * a[2] + a[3] + 1}",
    "letters of an article": lambda _, h, *__: f"{WIKI[h[0] - 1]}{WIKI[h[2] - 1]}",
    "objects in another order": lambda n, _, m, __: (
        f'{"[" if n == 1 else ","}{{"to": "{m[2]}", "from": "{m[0]}"}}' + "]" * (n == 31)
    ),
    "attributes": lambda _, __, m, ___: f'<move from="{m[0]}" to="{m[2]}"/>',
    "attributes in single quotes": lambda _, __, m, ___: f"<jump from='{m[0]}' over='{m[1]}' to='{m[2]}'/>",
    "slashes": lambda _, __, m, ___: f"{m[0]}/{m[2]}",
    "names of variables": lambda n, _, __, a: f"move_{n}_{a[0]}_{a[1]}_{a[2]}_{a[3]}",
    "tuples of a solver": lambda n, h, *_: f"<{n},{h[0]},{h[1]},{h[2]}>",
    "a step behind": lambda n, _, __, a: f"jump({a[0]},{a[1]},{a[2]},{a[3]},{n}) ",
    "constructors": lambda _, __, ___, a: f"M ({a[0]},{a[1]}) {way(a)[0].upper()},",
    "ways with their type": lambda _, __, ___, a: f"Move(Way.{way(a).upper()}, Place({a[1]}, {a[0]})),",
    "numbers without a blank": lambda n, _, m, __: f"{n}.{m[0]}{m[2]}",
    "lists in lists": lambda _, h, __, ___: f"[{h[0]}, [{h[1]}, {h[2]}]]",
    "words without blanks": lambda n, _, m, __: f"第{n}步：从{m[0]}跳到{m[2]}",
    "objects of a program": lambda _, __, m, ___: f"<Jump {m[0]}->{m[2]}>,",
}


@pytest.mark.parametrize("form", FORMS)
def test_jumps(form: str) -> None:
    for text in (written("english", FORMS[form]), written("english", FORMS[form]).replace("\n", " ")):
        if form not in ("a label", "an ordinal", "names of variables", "words without blanks") or "\n" in text:
            assert len(pegcp.check("english", text).positions) == len(GAMES["english"]) + 1


TRIANGLES: dict[str, Form] = {
    "hexadecimal": lambda _, h, *__: "-".join(f"{hole - 1:X}" for hole in h),
    "letters": lambda _, h, *__: f"[{'abcdefghijklmno'[h[0] - 1]}, {'abcdefghijklmno'[h[2] - 1]}],",
    "capitals": lambda _, h, *__: f"{'ABCDEFGHIJKLMNO'[h[0] - 1]}-{'ABCDEFGHIJKLMNO'[h[2] - 1]},",
    "moves in a line": lambda n, h, *_: (
        "Start with empty peg in hole 1 " * (n == 1) + "Move from {} over {} to {}".format(*h)
    ),
}


@pytest.mark.parametrize("form", TRIANGLES)
def test_jumps_on_a_triangle(form: str) -> None:
    text = written("triangle15:a1->?", TRIANGLES[form])
    for written_so in (text, text.replace("\n", " ")):
        assert len(pegcp.check("triangle15:a1->?", written_so).positions) == 14


def test_atoms_in_any_order() -> None:
    text = written("english", lambda n, _, __, a: f"move({n},({a[0]},{a[1]}),({a[2]},{a[3]}))")
    assert pegcp.check("english", "Answer: 1\n" + " ".join(sorted(text.split("\n"), reverse=True))).positions


def test_sweeps_in_brackets_and_jumps_apart() -> None:
    jumps = [*pegcp.check("XXoXoo", "a1-c1-e1").moves]
    for text in ("1. a1-(c1-e1)", "a1-c1 >> c1-e1", "a1-c1 → c1-e1", "a1:c1 c1:e1"):
        assert [*pegcp.check("XXoXoo", text).moves] == jumps, text


@pytest.mark.parametrize("between", ["\n", "", "Move {}:\n", "Step {}\n"])
def test_the_positions_of_a_game(between: str) -> None:
    for game, jumps in GAMES.items():
        replay = pegcp.check(game, jumps)
        texts = [str(position).replace("o", "-") for position in replay.positions]
        plain = ["\n".join(line[3:].rstrip() for line in text.split("\n")[1:]) + "\n" for text in texts]
        if game == "english":
            read = pegcp.check(game, "".join(between.format(n) + text for n, text in enumerate(plain)))
            assert (read.positions, read.read_as) == (replay.positions, "the positions one after the other")


def test_sentences_beside_jumps() -> None:
    jumps = written("triangle15:a1->?", lambda _, h, *__: f"from {h[0]} to {h[2]}").split("\n")
    first, rest = ", ".join(jumps[:5]), " and ".join(jumps[5:])
    text = f"Leave hole 1 empty, the tip. Jump like this: {first}. Now holes 1, 2, 3 and 5 are empty. Go on {rest}.\n"
    assert pegcp.check("triangle15:a1->?", f"{text}So it was done by many people in 1912 and\nin 1964.\n").positions


def test_positions_with_the_jumps_between() -> None:
    replay = pegcp.check("triangle15:a1->?", GAMES["triangle15:a1->?"])
    pictures, lists = [], []
    for number, position in enumerate(replay.positions):
        bits = [position.mask >> hole & 1 for hole in range(15)]
        signs = [f"{hole + 1:X}" if bit else "." for hole, bit in enumerate(bits)]
        pictures += [" " * (4 - r) + " ".join(signs[r * (r + 1) // 2 :][: r + 1]) for r in range(5)]
        if number < len(replay.moves) + 1 and number < len(GAMES["triangle15:a1->?"]):
            start, over, end = GAMES["triangle15:a1->?"][number]
            pictures.append(f"\nPeg {start + 1:X} jumped over {over + 1:X} to land on {end + 1:X}\n")
        lists.append(str(bits))
    for text in ("\n".join(pictures), "\n".join(lists), "\n".join(lists[1:])):  # the start may be left out
        assert pegcp.check("triangle15:a1->?", text).positions == replay.positions


TRIPLES = [list(pegcp.board("english").jump_names(jump)) for jump in GAMES["english"]]
OBJECTS = [{"from": start, "over": over, "to": end} for start, over, end in TRIPLES]


def test_lists_beside_other_keys() -> None:
    for data in ({"time": 0.3, "solution": OBJECTS, "moves": 31}, {"jmups": TRIPLES}):
        assert len(pegcp.check("english", json.dumps(data)).positions) == 32


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps(OBJECTS).replace('"over"', '"ovr"', 1), r'unknown key "ovr" \(did you mean "over"\?\)'),
        (json.dumps(OBJECTS).replace('"from"', '"form"', 1), r'unknown key "form" \(did you mean "from"\?\)'),
        (json.dumps(TRIPLES)[:-1], r'1:1: "\[" without its other half'),
        (str(TRIPLES)[:-1], r'1:1: "\[" without its other half'),
        (f"{json.dumps(TRIPLES)[:-1]},]".replace("d4", "d44", 1), 'no hole "d44"'),
    ],
)
def test_slips_in_lists(text: str, message: str) -> None:
    with pytest.raises((InputError, InvalidSolution), match=message):
        pegcp.check("english", text)


def test_two_solutions_are_one_too_many() -> None:
    for game, jumps in GAMES.items():
        names = [pegcp.board(game.partition(":")[0]).jump_names(jump) for jump in jumps]
        text = "\n".join(f"{start}-{end}" for start, _, end in names)
        with pytest.raises(InputError, match=f"two solutions here: jump {len(jumps) + 1} begins another"):
            pegcp.check(game, f"Solution 1:\n{text}\n\nSolution 2:\n{text}\n")


def test_a_slip_in_a_sentence_is_named() -> None:
    with pytest.raises(InputError, match=r'2:33: english has no hole "z9"'):
        pegcp.check("english", "Move the peg in d2 over d3 into d4.\nMove the peg in b3 over c3 into z9.\n")
    with pytest.raises(InvalidSolution, match=r"jump 3 "):
        pegcp.check("english", "d2-d4\nb3-d3\nd1-f1\n".replace("f1", "d3"))


def test_jumps_that_were_made_in_other_notations() -> None:
    expected = pegcp.problem("english", after="d2-d4").start
    for after in ("(3,1)->(3,3)", "d2:d4", "D2 to D4"):
        assert pegcp.problem("english", after=after).start == expected
    assert pegcp.problem("english", after="(3,1)->(3,3)").read_as == "(column, row) from 0"
    assert GAMES["english"][0] == Jump(4, 9, 16)


@pytest.mark.parametrize("game", ["triangle15:a1->?", "XXoX"])
def test_a_game_as_it_is_printed(game: str) -> None:
    """Each position with the letters of its columns and the numbers of its rows, as ``print`` shows it."""
    positions = pegcp.solve(game, "dfs").positions()
    replay = pegcp.check(game, "\n\n".join(map(str, positions)))
    assert [*replay.positions] == positions


@pytest.mark.parametrize("text", ["---", "==>", "- - -\n* * *\n", "|---|---|\n"])
def test_signs_without_a_jump_are_no_solution(text: str) -> None:
    with pytest.raises(InputError, match="write one jump a line"):
        pegcp.check("XXo", text)


@pytest.mark.parametrize("text", ["", "# solved", "[]", "()", '{"jumps": []}'])
def test_a_solution_without_jumps(text: str) -> None:
    assert len(pegcp.check("Xo", text).positions) == 1


@pytest.mark.parametrize(
    ("line", "hint"), [("board", "type: pegcp boards"), ("for", "pegcp --help"), ("the english", "--help")]
)
def test_a_command_that_is_a_word_to_leave_out(line: str, hint: str) -> None:
    assert hint in typed(*line.split(), status=2)


def test_an_option_that_is_the_value_of_another() -> None:
    assert "no such option" in typed("solve", "english", "--hole=--time-limit=", "--numbering", "--json", status=2)


def test_one_number_that_is_no_hole_is_no_row_and_column() -> None:
    assert "17 is not a hole of board line8" in typed("solve", "line8", "--start", "17", status=2)


@pytest.mark.parametrize("board", [None, "square4"])
@pytest.mark.parametrize(
    "text",
    [
        "# c1 is empty\n1 X X o o\n2 o X X X\n3 X X X o\n4 o X X X\n",
        "# c1 is empty\n[['peg', 'peg', 'hole', 'hole'], ['hole', 'peg', 'peg', 'peg'], ['peg', 'peg', 'peg', 'hole'],"
        " ['hole', 'peg', 'peg', 'peg']]",
    ],
)
def test_words_that_name_a_hole_beside_a_drawing_are_left_out(text: str, board: str | None) -> None:
    start = pegcp.problem(text, board=board).start
    assert start.pegs == ["a1", "b1", "b2", "c2", "d2", "a3", "b3", "c3", "b4", "c4", "d4"]


@pytest.mark.parametrize(
    "rows", ["####\n#.##\n####\n####", "peg peg hole peg\npeg peg peg peg\npeg peg peg peg\nhole peg peg peg"]
)
def test_a_drawing_that_contradicts_a_word_beside_it_is_not_passed_over(rows: str) -> None:
    with pytest.raises(InputError, match="the words say that d4 is empty, and the drawing has a peg there"):
        pegcp.problem(f"# d4 is empty\n{rows}\n", board="square4")


@pytest.mark.parametrize(("row", "column"), [("r", "c"), ("row", "col"), ("y", "x")])
def test_keys_say_what_is_a_row(row: str, column: str) -> None:
    jump = [{"from": {row: 5, column: 3}, "to": {row: 3, column: 3}}]
    read = pegcp.problem("english", after=json.dumps(jump)).start
    assert read == pegcp.problem("english", after="d6-d4").start


def test_a_goal_beside_a_drawing_that_is_left_out_is_said() -> None:
    assert "also of the goal: say it by --goal" in pegcp.problem("goal: (1,1)\n\nXXoX\nXXXX\n").read_as


Games = Callable[[list[tuple[int, ...]], list[tuple[int, ...]]], str]  # holes from 1; rows and columns from 1
WAYS = {
    "en": "up down left right",
    "de": "oben unten links rechts",
    "pt": "cima baixo esquerda direita",
    "ja": "上下左右",
}


def word_of(at: tuple[int, ...], words: str) -> str:
    """The word for the way of a jump, of those for up, down, left and right."""
    words_of = [*words] if " " not in words else words.split()
    return words_of[["up", "down", "left", "right"].index(way(tuple(at)))]


def ways_in(words: str) -> Games:
    """Write places and ways with the words for up, down, left and right."""
    return lambda _, a: "Moves:\n" + "\n".join(f"{at[0]} {at[1]} {word_of(at, words)}" for at in a)


NOISY: dict[str, Games] = {
    "prompts": lambda h, _: "HOLES 1 TO 33 PEGS 32\n" + "\n".join(f"WHICH PEG? {a}\nTO WHERE? {c}" for a, _, c in h),
    "a table below a number": lambda _, a: (
        "Table 12 of 40\n| 44 |\n" + "\n".join(f"| {n} | {r}{c} | {s}{d} |" for n, (r, c, s, d) in enumerate(a, 1))
    ),
    "steps that count down": lambda h, _: "\n".join(
        f"step {n}: {a} -> {b} -> {c}" for n, (a, b, c) in zip(range(len(h), 0, -1), h, strict=True)
    ),
    "pegs and those jumped": lambda h, _: f"Result = {[[a, b] for a, b, _ in h]} .",
    "pegs and those jumped, in words": lambda h, _: "Now, peg by peg: " + "; ".join(f"{a} takes {b}" for a, b, _ in h),
    "lists of rows and columns": lambda _, a: "".join(
        f"{name} = {[at[i] for at in a]};\n" for i, name in enumerate(("r", "c", "to_r", "to_c"))
    ),
    "atoms with the step between": lambda h, _: " ".join(
        sorted(f"go({a},{n},{c})" for n, (a, _, c) in enumerate(h, 1))
    ),
    "names of variables and numbers in them": lambda h, _: "\n".join(
        f"(define from_{n} {a})\n(define to_{n} {c})" for n, (a, _, c) in enumerate(h)
    ),
    "a sentence without a jump": lambda h, _: (
        "The holes are counted from 1 to 33 here.\n"
        + "\n".join(f"La {a} salta sobre la {b} y cae en {c}" for a, b, c in h)
    ),
    "clicks": lambda h, _: f"const clicks = {[x for a, _, c in h for x in (a, c)]}",
    **{f"ways ({language})": ways_in(words) for language, words in WAYS.items()},
    "a page": lambda h, _: (
        "<html><style>p { margin: 1 2 3 }</style><body><p>12 May</p><ol>"
        + "".join(f"<li>{a} &rarr; {c}</li>" for a, _, c in h)
        + "</ol></body></html>"
    ),
}


@pytest.mark.parametrize("form", NOISY)
def test_jumps_beside_other_numbers(form: str) -> None:
    game = GAMES["english"]
    cells = pegcp.board("english").cells or ()
    ends = [tuple(place + 1 for hole in (jump.from_, jump.to) for place in cells[hole]) for jump in game]
    text = NOISY[form]([tuple(hole + 1 for hole in jump) for jump in game], ends)
    assert len(pegcp.check("english", text).positions) == 32
    half = text.replace("\n", "\n\n", 3)  # blank lines say nothing
    assert len(pegcp.check("english", half).positions) == 32


@pytest.mark.parametrize("form", ["a score", "last first", "side by side", "a border", "own labels"])
def test_positions_drawn_in_a_game(form: str) -> None:
    replay = pegcp.check("english", GAMES["english"])
    plain = [[line[3:] for line in str(position).split("\n")[1:]] for position in replay.positions]
    texts = {
        "a score": "".join("\n".join(rows) + f"\nScore: {32 - n}, {n / 10} s\n" for n, rows in enumerate(plain)),
        "last first": "\n".join("\n".join(rows) for rows in plain[::-1]) + "\n1234567 moves tried\n",
        "side by side": "\n\n".join(
            "\n".join("     ".join(rows) for rows in zip(*(plain[i : i + 2]), strict=True)) for i in range(0, 32, 2)
        ),
        "own labels": "\n".join(str(position) for position in replay.positions),
    }
    if form == "a border":
        cells = pegcp.board("english").cells or ()
        pictures = []
        for position in replay.positions:
            grid = [["."] * 9 for _ in range(9)]
            for hole, (r, c) in enumerate(cells):
                grid[r + 1][c + 1] = "Xo"[not position.mask >> hole & 1]
            pictures.append("\n".join(map("".join, grid)))
        texts[form] = "\n".join(pictures)
    assert pegcp.check("english", texts[form]).positions == replay.positions


def test_names_that_are_drawn_above() -> None:
    letters = "thequickbrownfx"
    assert len({*letters}) == 15
    drawn = "\n".join(" " * (4 - r) + " ".join(letters[r * (r + 1) // 2 :][: r + 1]) for r in range(5))
    pairs = " ".join(letters[jump.from_] + letters[jump.to] for jump in GAMES["triangle15:a1->?"])
    read = pegcp.check("triangle15:a1->?", f"{drawn}\n{pairs}\n")
    assert read.read_as == "holes by their names in lines 1 to 5"


def test_what_is_left_out_is_said() -> None:
    jumps = [f"{start}-{end}" for start, _, end in TRIPLES]
    read = pegcp.check("english", "\n".join(f"{n}. {jump}" for n, jump in enumerate([*jumps[:9], "?", *jumps[9:]], 1)))
    assert read.read_as == ""
    text = "Solution:\n" + "\n".join([*jumps[:9], "?", *jumps[9:]])
    assert "line 11 (?) left out" in pegcp.check("english", text).read_as


def test_a_game_from_another_start_names_it() -> None:
    problem = pegcp.problem("triangle15:c5->?")
    jumps = pegcp.solve(problem, "dfs").jumps or ()
    text = "Starting with empty hole: 13\n" + "\n".join(f"{jump.from_ + 1} -> {jump.to + 1}" for jump in jumps)
    read = read_any_solution(pegcp.problem("triangle15:a1->?"), text)
    assert read.read_as.endswith("type its name: pegcp check 'triangle15:c5->?'")
    assert pegcp.check("triangle15:c5->?", text).positions


@pytest.mark.parametrize("slip", ["77", "3"])
def test_a_slip_among_many_jumps_is_no_other_form(slip: str) -> None:
    lines = [f"Move {n}: {a + 1} over {b + 1} to {c + 1}" for n, (a, b, c) in enumerate(GAMES["english"], 1)]
    lines[4] = lines[4].rsplit(" ", 1)[0] + f" {slip}"
    with pytest.raises((InputError, InvalidSolution), match=r":5:|jump 5 "):
        pegcp.check("english", "\n".join(lines))


@pytest.mark.parametrize(
    ("text", "pegs"),
    [
        ("English board, all empty except d4 d5", "d4 d5"),
        ("english, empty but for d4 e4", "d4 e4"),
        ("English board, all pegs removed except d4 d5", "d4 d5"),
    ],
)
def test_what_is_excepted_from_empty_holes_has_pegs(text: str, pegs: str) -> None:
    assert pegcp.problem(text).start.pegs == pegs.split()


@pytest.mark.parametrize("row", ["XXXoXX.", "XXXoXX", "XXXoXXXX", "XXXoX.X"])
def test_a_slip_in_a_row_in_the_middle_is_told(row: str) -> None:
    rows = ["..XXX..", "..XXX..", "XXXXXXX", row, "XXXXXXX", "..XXX..", "..XXX.."]
    with pytest.raises(InputError, match="this is board english but for 1 hole"):
        pegcp.problem("\n".join(rows))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("b = np.array([[1, 1, 1], [1, 0, 1], [0, 0, 0]]).T", "the program changes the board"),
        ("int b[3][3] = {{1,1,1},{1,0,1},{1,1,1}};\nb[0][2] = 0;", "the program changes the board"),
        ('{"board": "english", "empty": "d4", "empty": "d1"}', "a key is there twice"),
        ("english board, d4 is not empty", "not all the words are clear; write the names"),
        ("ab\nab\nab", "--legend|legend="),
    ],
)
def test_what_changes_or_contradicts_a_board_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        pegcp.problem(text)


@pytest.mark.parametrize("comment", ["% d1-b1\n", "/* d1-b1 */ ", "<!-- d1-b1 -->\n", "-- d1-b1\n", "; d1-b1\n"])
def test_jumps_in_comments_are_not_made(comment: str) -> None:
    with pytest.raises(InvalidSolution, match=r"jump 1 .a1-c1. is impossible"):
        pegcp.check("XoXX", f"{comment}a1-c1")


def test_numbers_in_narrow_columns_and_colours_of_a_terminal_are_read() -> None:
    rows = ["-1-1 1 1 1-1-1"] * 2 + [" 1 1 1 1 1 1 1", " 1 1 1 0 1 1 1", " 1 1 1 1 1 1 1"] + ["-1-1 1 1 1-1-1"] * 2
    assert pegcp.problem("\n".join(rows)).start == pegcp.problem(ENGLISH).start
    assert pegcp.problem("\x1b[31mX\x1b[0mXo\nXXX\nXXX").start == pegcp.problem("XXo\nXXX\nXXX").start


@pytest.mark.parametrize(
    "text",
    [
        "XXo\n\nooX",
        "goal: ooX\nstart: XXo",
        "start XXo\ngoal ooX",
        "goal:\nooX\nstart:\nXXo",
        "Start position:\nX X o\nEnd position:\no o X",
        '{"goal": [[0, 0, 1]], "start": [[1, 1, 0]]}',
        '{"start": [1, 1, 0], "goal": [0, 0, 1]}',
    ],
)
def test_a_start_and_a_goal_of_one_row_are_no_board_of_two_rows(text: str) -> None:
    problem = pegcp.problem(text)
    assert (problem.start.pegs, problem.goal_text) == (["a1", "b1"], "exactly c1")


def test_letters_of_other_alphabets_that_look_like_signs_are_these() -> None:
    for text in ("XХo\nXXX\nXXX", "ХХо\nХХХ\nХХХ", "ＸＸｏ\nＸＸＸ\nＸＸＸ"):
        assert pegcp.problem(text).start == pegcp.problem("XXo\nXXX\nXXX").start
