"""Positions as people draw them: read right, refused with the line to type, or said how they were read."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from asking import answer, said

import pegcp
from pegcp.errors import InputError
from pegcp.game import Board, Problem, hole_names

NOTATIONS = json.loads((Path(__file__).parent / "data" / "notations.json").read_text(encoding="utf-8"))
POSITIONS = [case for case in NOTATIONS if case["kind"] == "position"]
CORNERS = "-1,-1,1,1,1,-1,-1"
ENGLISH = "  XXX\n  XXX\nXXXXXXX\nXXXoXXX\nXXXXXXX\n  XXX\n  XXX\n"
# Signs for peg, vacancy and outside that public drawings use.
ALPHABETS = (
    "Xo.",
    "Xo ",
    "*O.",
    "*. ",
    "o. ",
    "O. ",
    "●○.",
    "●o ",
    "X.#",
    "PO ",
    "PH.",
    "+.#",
    "o.#",
    "1_ ",
    "10 ",
    "x. ",
)


def alike(problem: Problem, other: Problem) -> bool:
    """The same holes, lines and pegs; the names of boards do not matter."""
    return (problem.board.cells, problem.board.lines, problem.start.mask) == (
        other.board.cells,
        other.board.lines,
        other.start.mask,
    )


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: str(case["id"]))
def test_published_drawings(case: Mapping[str, Any]) -> None:
    if case["id"] == "bits-0-outside":
        with pytest.raises(InputError, match=r"legend='0=vacancy 1=peg' or board='english'"):
            pegcp.problem(case["text"])
        return
    name, *options = case.get("args", [case["text"]])
    problem = pegcp.problem(name, start=options[1], goal="one peg") if options else pegcp.problem(name)
    assert problem.read_as
    if case.get("same_as"):
        assert alike(problem, pegcp.problem(case["same_as"]))
    assert answer(problem, "auto").status == (case.get("one_peg") or case["status"])


def test_goals_of_drawings() -> None:
    contest = next(case for case in POSITIONS if case["id"] == "contest-goal-marks")
    assert pegcp.problem(contest["text"]).goal_text == "exactly d4"
    vacant = "x x e e e x x\nx x o e e x x\ne e o e e e e\ne e e E e e e\ne e e e e e e\nx x e e e x x\nx x e e e x x\n"
    assert pegcp.problem(vacant).goal_text == "exactly d4"
    assert pegcp.problem("XXo\nXXX\nXXX\n\nooo\noXo\nooo\n").goal_text == "exactly b2"
    assert pegcp.problem("XXo -> ooX").goal_text == "exactly c1"
    assert pegcp.problem("XXo\n=>\n??X").goal_text == "pegs in c1"


@pytest.mark.parametrize(
    ("text", "pegs", "words"),
    [
        ("[[0 0 1 1 1 0 0]\n [0 0 1 1 1 0 0]\n [1 1 1 1 1 1 1]\n [1 1 1 2 1 1 1]\n [1 1 1 1 1 1 1]\n [0 0 1 1 1 0 0]\n"
         " [0 0 1 1 1 0 0]]", 32, "1 peg, 2 vacancy, 0 outside"),
        ("\n".join([CORNERS] * 2 + ["1,1,1,1,1,1,1", "1,1,1,0,1,1,1", "1,1,1,1,1,1,1"] + [CORNERS] * 2), 32,
         "1 peg, 0 vacancy, -1 outside"),
        (str(["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"]), 32,
         "o peg, . vacancy, # outside"),
        ("#########\n###ooo###\n###ooo###\n#ooooooo#\n#ooo.ooo#\n#ooooooo#\n###ooo###\n###ooo###\n#########", 32,
         "o peg, . vacancy, # outside"),
        ("⬛🔵🔵⬛\n🔵🔵🔵🔵\n🔵🔵⚪🔵\n⬛🔵🔵⬛", 11,
         "🔵 peg, ⚪ vacancy, ⬛ outside"),
        ("   a b c d\n1    X X\n2  X X o X\n3  X X X X\n", 9, ""),
        ("[" + f"{CORNERS}," * 2 + "1,1,1,1,1,1,1,1,1,1,0,1,1,1,1,1,1,1,1,1,1," + f"{CORNERS},{CORNERS}]", 32,
         "1 peg, 0 vacancy, -1 outside"),  # a square in a row, which makes no line
        ("#,#,X,X,X,#,#\n" * 2 + "X,X,X,X,X,X,X\nX,X,X,.,X,X,X\nX,X,X,X,X,X,X\n" + "#,#,X,X,X,#,#\n" * 2, 32,
         "X peg, . vacancy, # outside"),  # no remarks
        ("The board (7x7), central game:\n\n##ooo##\n##ooo##\nooooooo\nooo.ooo\nooooooo\n##ooo##\n##ooo##", 32,
         "o peg, . vacancy, # outside"),
        ("....0....\n...1.1...\n..1.1.1..\n.1.1.1.1.\n1.1.1.1.1", 14,
         "1 peg, 0 vacancy, . outside; rows of a triangle"),
    ],
)  # fmt: skip
def test_other_ways_to_draw(text: str, pegs: int, words: str) -> None:
    problem = pegcp.problem(text)
    assert (len(problem.start), problem.read_as.partition(";")[0]) == (pegs, words.partition(";")[0])
    assert len(problem.board.holes) == pegs + 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ooo\nooo\nooo\n", "legend="),  # no pegs
        ("XqX\nXoX\n", '1:2: cannot tell what "q" means'),
        ("    X\n   X X\n  X X X\n X X o X\nX X X X X\nX X X X X\n", "6: no three holes"),
        ("*oo*\n**o*\n", "2 ways"),  # * and o may be peg and vacancy, or the reverse
        ("xxx\nxxx\n", "legend="),
        ("XXo\n\nXXo\nXXo\nXoX\n", "1: this line may be a row"),
        ("XXX\nAAA\nXoX\n", '2:1: cannot tell what "A" means'),  # no end of a text in a script
        ("#WWW#\n#W.W#\n#WWW#\n", '1:2: cannot tell what "W" means'),  # no comment
        ("XX=XX\nXXXXX\nXXXXX\n", '1:3: cannot tell what "=" means'),  # no name
        ("XXo\nXoX\nXXX\n\nooo\noXo\nooo\n\nooo\noXo\nooo\n", "3 drawings"),
        ("list(0, c(1,1), c(1,1,1), c(1,1,1,1))\n", "outside of the lists: 0"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        pegcp.problem(text)


def test_legends_and_boards() -> None:
    assert pegcp.problem("qqq\nq-q\nqqq", legend="q=peg -=vacancy").read_as == "q peg, - vacancy"
    assert pegcp.problem("oXo", legend="o=peg X=vacancy,last").goal_text == "exactly b1"
    many = pegcp.problem("abcdefgh-o", legend=" ".join(f"{sign}=peg" for sign in "abcdefgh") + " -=outside o=vacancy")
    assert (len(many.start), len(many.board.holes)) == (8, 9)
    bits = "0011100\n0011100\n1111111\n1110111\n1111111\n0011100\n0011100\n"
    assert alike(pegcp.problem(bits, board="english"), pegcp.problem(ENGLISH))
    assert len(pegcp.problem(bits, legend="1=peg 0=vacancy").board.holes) == 49
    assert pegcp.problem("011111111111111", board="triangle15").start.pegs[0] == "a2"
    with pytest.raises(InputError, match="has no hole there"):
        pegcp.problem("1" + bits[1:], board="english")
    for legend, words in (("X", "SIGN=MEANING"), ("X=hole", "meanings")):
        with pytest.raises(InputError, match=words):
            pegcp.problem("XXo", legend=legend)
    for option, value in (("board", "french"), ("legend", "X=peg"), ("numbering", "zero")):
        with pytest.raises(InputError, match=f"{option}= is for .*leave it out"):
            pegcp.problem("english", **{option: value})
    assert pegcp.problem("d4 e4", board="english").start.pegs == ["d4", "e4"]
    with pytest.raises(InputError, match="outside of the lists: 1"):
        pegcp.problem("[1, 1, 0], 1, 1\n")


@pytest.mark.parametrize("sign", "X*")
def test_a_blank_is_a_vacancy_of_a_known_board_alone(sign: str) -> None:
    problem = pegcp.problem(ENGLISH.replace("o", " ").replace("X", sign))
    assert problem.start == pegcp.problem(ENGLISH).start
    assert "blanks on it are vacancies" in problem.read_as
    with pytest.raises(InputError, match="where it is a vacancy, type a sign there"):
        pegcp.problem("XXXX\nXXXX\nX XX\nXXXX\nXXXX\n".replace("X", sign))


@pytest.mark.long
def test_long_texts_do_not_hang() -> None:
    for text in (
        " " * 400_000 + "X\n",
        "-" * 400_000 + "\n",
        "\n" * 400_000 + "Xo\n",
        f"|{'-' * 300_000}|\n|x|x|\n",
        "上" * 50_000,
        "+---" * 50_000,
    ):
        with suppress(InputError):
            pegcp.problem(text)


def test_a_row_of_plus_and_minus_is_no_rule_of_a_table() -> None:
    rows = ["  +++", "  +-+", "+++++++", "++--+++", "+++++++", "  +++", "  +++"]
    read = pegcp.problem("\n".join(rows))
    assert {*read.board.holes} - {*read.start.pegs} == {"d2", "c4", "d4"}
    assert pegcp.problem("+-+-+-+\n|X|X|o|\n+-+-+-+\n|X|X|o|\n+-+-+-+\n").start.pegs == ["a1", "b1", "a2", "b2"]


def test_numbers() -> None:
    sheet = pegcp.problem("3 4 9 15")
    assert (sheet.board.name, sheet.start.pegs) == ("english", ["d1", "e1", "c2", "b3"])
    assert sheet.read_as == "holes numbered 7 x row + column on board english"
    assert pegcp.problem("[3, 4, 9]", board="triangle15", numbering="zero").start.pegs == ["a3", "b3", "d4"]
    assert pegcp.problem("0 1 14", board="triangle15").read_as == "holes numbered from 0 row by row on board triangle15"
    with pytest.raises(InputError, match=r"numbering='zero'.* or .*numbering='one'"):
        pegcp.problem("english", start="3 4 9")
    assert pegcp.problem("english", start="3 4 9", numbering="grid").start.pegs == ["d1", "e1", "c2"]
    with pytest.raises(InputError, match="1:5: 9 is given twice"):
        pegcp.problem("3 9 9")


def test_bits_of_a_number() -> None:
    """All holes of the board but one, which need not be the same from both ends."""
    assert pegcp.problem("0x1fffeffffUL", board="english").start == pegcp.problem("english").start
    grid = sum(1 << int(name) for name in hole_names(pegcp.board("english"), "grid"))
    read = pegcp.problem("english", start=hex(grid ^ 1 << 24))
    assert read.start == pegcp.problem("english").start
    assert read.read_as == "bits of a number, the lowest first, holes numbered 7 x row + column, on board english"
    with pytest.raises(InputError, match="can be 011111111111111 or 111111111111110; type the one that is meant"):
        pegcp.problem("triangle15", start="0x7ffe")
    with pytest.raises(InputError, match="do not fit board english"):
        pegcp.problem("0xfffffffffffffff", board="english")
    with pytest.raises(InputError, match="board='english'"):
        pegcp.problem("0x1fffeffff")


def test_boxes_are_holes() -> None:
    """A box without a sign is a vacancy, not what is outside of the board."""
    read = pegcp.problem("[X][X][ ]\n[X][ ][X]\n[X][X][X]\n")
    assert (len(read.board.holes), {*read.board.holes} - {*read.start.pegs}) == (9, {"c1", "b2"})
    assert read.read_as == "X peg, □ vacancy"


def test_the_command_says_how_it_read() -> None:
    assert json.loads(said("solve", "X.XXXXXX", "--json")[0])["read_as"] == "X peg, . vacancy"
    assert "read as: 1 peg, 0 vacancy" in said("solve", "10111111")[1]


def drawn(board: Board, mask: int, signs: str) -> str:
    """A position on a square board, in an alphabet."""
    cells = dict(zip(board.cells or (), range(len(board.holes)), strict=True))
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    sign = {cell: signs[0] if mask >> hole & 1 else signs[1] for cell, hole in cells.items()}
    return "\n".join("".join(sign.get((r, c), signs[2]) for c in range(columns)) for r in range(rows))


@pytest.mark.thorough
@pytest.mark.parametrize("times", [1, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("signs", ALPHABETS)
def test_positions_read_back(signs: str, times: int) -> None:
    """Random positions: by the legend the same, and without it the same, refused, or said."""
    chance, silent = random.Random(signs), 0
    names = [
        "english",
        "french",
        "wiegleb",
        "diamond",
        "asymmetric",
        "cross1",
        "square4",
        "rectangle3x5",
        "huber",
        "hermary",
        *("square3", "square5", "square6", "rectangle4x6", "rectangle3x7", "rectangle5x4", "line6", "line8", "line12"),
        "square7",
    ]
    legend = " ".join(f"{s}={m}" for s, m in zip(signs, ("peg", "vacancy", "outside"), strict=True) if s != " ")
    for name in names * times:
        board = pegcp.board(name)
        mask = chance.getrandbits(len(board.holes)) | chance.getrandbits(len(board.holes)) | 1
        text = drawn(board, mask, signs) + "\n"
        written = pegcp.problem(text, legend=legend)
        assert (written.board.cells, written.start.mask) == (board.cells, mask), text
        try:
            guessed = pegcp.problem(text)
        except InputError:
            continue
        assert guessed.read_as or alike(guessed, written), text
        silent += not guessed.read_as and not (signs == "X.#" and {*text} == {*"X\n"})
    assert silent == (0 if signs not in ("Xo.", "Xo ") else len(names) * times)


@pytest.mark.slow
def test_mutated_drawings() -> None:
    """Signs exchanged, rows cut: what is read without a word is what pegcp's own signs say."""
    chance = random.Random(58)
    for _ in range(20_000):
        text = list(chance.choice(POSITIONS)["text"])
        for _ in range(chance.randint(1, 4)):
            match chance.randrange(4):
                case 0:
                    text[chance.randrange(len(text))] = chance.choice("Xo.*O01 #\n")
                case 1:
                    del text[chance.randrange(len(text)) :][: chance.randint(1, 9)]
                case 2:
                    a, b = chance.sample(sorted({*text}), 2) if len({*text}) > 1 else ("X", "o")
                    text = [b if sign == a else a if sign == b else sign for sign in text]
                case _:
                    lines = "".join(text).split("\n")
                    del lines[chance.randrange(len(lines))]
                    text = list("\n".join(lines)) or ["X"]
        drawing = "".join(text) + "\n"
        try:
            problem = pegcp.problem(drawing)
        except InputError:
            continue
        if not problem.read_as:
            assert {*drawing} <= {*"Xo. \n"}, drawing
            assert len(problem.start) == drawing.count("X"), drawing
            assert "X" in drawing or len(drawing.split()) == 1, drawing  # a line of vacancies is a board


BOARDS = ("english", "french", "wiegleb", "diamond", "asymmetric", "cross1", "square4", "rectangle3x5", "line7")


def mutated(text: str, signs: str, chance: random.Random) -> str:
    """A drawing with signs exchanged or replaced, and rows cut, doubled or swapped."""
    rows = text.split("\n")
    match chance.randrange(5):
        case 0:
            a, b = chance.sample(signs, 2)
            return text.translate(str.maketrans(a + b, b + a))
        case 1:
            at = chance.randrange(len(text))
            return text[:at] + (text[at] if text[at] == "\n" else chance.choice(signs)) + text[at + 1 :]
        case 2:
            at = chance.randrange(len(rows))
            rows[at] = rows[at][: chance.randrange(len(rows[at]) + 1)]
        case 3:
            rows.insert(chance.randrange(len(rows)), chance.choice(rows))
        case _:
            del rows[chance.randrange(len(rows))]
    return "\n".join(rows)


@pytest.mark.slow
@pytest.mark.parametrize("signs", ALPHABETS)
def test_mutations_are_read_as_said(signs: str) -> None:
    """What is read has the pegs and the holes that the drawing has by the legend that is said, or by X, o and dot."""
    chance, counts = random.Random(signs), {"as drawn": 0, "said": 0, "refused": 0}
    words = dict(zip(signs, ("peg", "vacancy", "outside"), strict=True))
    for number in range(600):
        board = pegcp.board(BOARDS[number % len(BOARDS)])
        text = drawn(board, chance.getrandbits(len(board.holes)) | 1, signs)
        for _ in range(chance.randrange(3)):
            text = mutated(text, signs, chance) or signs[0]
        try:
            problem = pegcp.problem(text + "\n")
        except InputError:
            counts["refused"] += 1
            continue
        pairs = (
            item.rsplit(" ", 1)
            for item in problem.read_as.partition(";")[0].split(", ")
            if " " in item and "start" not in item
        )
        legend = dict(pairs) or {"X": "peg", "o": "vacancy", ".": "outside"}
        counts["as drawn" if all(words.get(sign) == legend[sign] for sign in legend if sign in text) else "said"] += 1
        assert problem.read_as or signs in ("Xo.", "Xo ", "X.#", "o. ", "●o ") or len(text.split()) == 1, text
        if "a start and a goal" in problem.read_as:
            continue
        assert len(problem.start) == sum(legend.get(sign) == "peg" for sign in text), (text, legend)
        holes = sum(legend.get(sign) in ("peg", "vacancy") for sign in text)
        assert len(problem.board.holes) == holes, (text, legend)
        assert {*text} - {" ", "\n"} <= legend.keys(), (text, legend)
    print(signs, counts)
    assert counts["as drawn"] > 0


@pytest.mark.parametrize(
    ("legend", "signs"),
    [
        ("O = peg, . = hole", "O."),
        ("(. = empty, * = peg):", "*."),
        ("x  = peg\n o = vacancy", "xo"),
        ("X is a peg and o is empty.", "Xo"),
        ("# @ = full; - = vacant", "@-"),
        ('Legend: "X" = peg "-" = hole', "X-"),
    ],
)
def test_a_legend_may_stand_in_the_text(legend: str, signs: str) -> None:
    text = f"{legend}\n{'XXoX'.translate(str.maketrans('Xo', signs))}\n"
    assert pegcp.problem(text).start.pegs == ["a1", "b1", "d1"]


def test_places_are_pairs_of_numbers() -> None:
    problem = pegcp.problem("(1,1) (2,2) (4,4)", board="square4")
    assert (problem.start.pegs, problem.read_as) == (["a1", "b2", "d4"], "(column, row) from 1, on board square4")
    with pytest.raises(InputError, match=r"can be \(column, row\) from 0 or \(row, column\) from 0; write the names"):
        pegcp.problem("(0,1) (0,2) (3,3)", board="square4")
    with pytest.raises(InputError, match="no places of board english"):
        pegcp.problem("(9,9)", board="english")


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"goal": "17"}, {"goal": "d4"}),
        ({"goal": "near 17"}, {"goal": "near d4"}),
        ({"start": "all but 17"}, {"start": "all but d4"}),
        ({"after": "5-17"}, {"after": "d2-d4"}),
        ({"start": "1 2 3", "goal": "17 *"}, {"start": "c1 d1 e1", "goal": "d4 *"}),
    ],
)
def test_a_numbering_is_for_goals_and_jumps_too(changes: dict[str, str], same: dict[str, str]) -> None:
    assert pegcp.problem("english", numbering="one", **changes) == pegcp.problem("english", **same)


@pytest.mark.parametrize("text", ["d4-c1", "d4=>c1", "d4→c1", "d4 to c1", "d4 -> c1"])
def test_start_and_finish_in_other_signs(text: str) -> None:
    assert pegcp.problem(f"english:{text}") == pegcp.problem("english:d4->c1")


def test_a_whole_number_is_bits() -> None:
    numbers: tuple[Any, ...] = (0x1FFFEFFFF, "8589869055")
    for number in numbers:
        assert pegcp.problem(number, board="english").start == pegcp.problem("english").start


@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_number_behind_the_name_of_its_board(between: str) -> None:
    assert pegcp.problem(f"english{between}0x1FFFEFFFF").start == pegcp.problem("english").start
