"""Solutions in rows that are alike: what stands in each column the board tells."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from test_pasted import GAMES, way

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.game import Jump

Row = Callable[[int, tuple[int, ...], tuple[int, ...], str], str]
WAYS = ["up", "down", "left", "right"]
# Number of the jump; its holes from 1; rows and columns of its ends from 0; its way.
ROWS: dict[str, Row] = {
    "numbers for ways": lambda _, __, at, way: f"[{at[0]}, {at[1]}, {WAYS.index(way)}],",
    "numbers for ways before the place": lambda _, __, at, way: f"({4 - WAYS.index(way)}) {at[1]} {at[0]}",
    "words of a language that is not known": lambda _, __, at, way: (
        f"{at[0] + 1} {at[1] + 1} " + {"up": "ylös", "down": "alas", "left": "vasen", "right": "oikea"}[way]
    ),
    "letters of an editor for ways": lambda _, __, at, way: f"{at[1]},{at[0]} {'kjhl'[WAYS.index(way)]}",
    "a place and a step": lambda _, __, at, ___: f"({at[0]},{at[1]})+({at[2] - at[0]},{at[3] - at[1]})",
    "a step to the hole between": lambda _, __, at, ___: f"{at[:2]} {(at[2] - at[0]) // 2} {(at[3] - at[1]) // 2}",
    "the end first": lambda number, holes, *_: f"{number} {holes[2]} {holes[0]}",
    "the hole between first": lambda _, holes, *__: f"kill {holes[1]}: {holes[0]} hop {holes[2]}",
    "the end and the hole between": lambda _, holes, *__: f"fill {holes[2]} from beyond {holes[1]}",
    "counters on both sides": lambda number, holes, *_: f"{number}| {holes[0]} | {holes[2]} | {32 - number} pegs",
    "other numbers that count": lambda number, holes, *_: f"t={number + 99}ms move {holes[0]} {holes[2]}",
    "words for rows": lambda _, __, at, ___: (
        f"row {at[0] + 1} column {at[1] + 1} to row {at[2] + 1} column {at[3] + 1}"
    ),
    "from and to": lambda _, holes, *__: f"from {holes[0]} to {holes[2]}",
    "names in pieces": lambda _, __, at, ___: (
        f"Peg('{'abcdefg'[at[1]]}', {at[0] + 1}) Peg('{'abcdefg'[at[3]]}', {at[2] + 1})"
    ),
}


def rows(form: str, jumps: list[Jump]) -> str:
    cells = pegcp.board("english").cells or ()
    texts = []
    for number, jump in enumerate(jumps, 1):
        at = (*cells[jump.from_], *cells[jump.to])
        texts.append(ROWS[form](number, tuple(hole + 1 for hole in jump), at, way(at)))
    return "\n".join(texts)


@pytest.mark.parametrize("form", ROWS)
def test_columns(form: str) -> None:
    jumps = GAMES["english"]
    read = pegcp.check("english", f"My game:\n\n{rows(form, jumps)}\n")
    assert len(read.positions) == 32
    wrong = [*jumps[:20], jumps[3], *jumps[21:]]
    with pytest.raises((InputError, InvalidSolution)):
        pegcp.check("english", rows(form, wrong))


def test_rows_in_one_line() -> None:
    for form in ("numbers for ways", "words of a language that is not known", "a place and a step", "the end first"):
        text = rows(form, GAMES["english"]).replace("\n", " ")
        assert len(pegcp.check("english", text).positions) == 32, form


def test_rows_in_another_order_than_their_numbers() -> None:
    lines = [f"{number}: {a + 1} {b + 1}" for number, (a, _, b) in enumerate(GAMES["english"])]
    assert len(pegcp.check("english", "\n".join(sorted(lines))).positions) == 32


def test_a_row_that_differs_is_not_left_out() -> None:
    lines = [f"{a + 1} {b + 1}" for a, _, b in GAMES["english"]]
    with pytest.raises((InputError, InvalidSolution)):
        pegcp.check("english", "\n".join([*lines[:9], "7 8", *lines[9:]]))


@pytest.mark.parametrize(
    ("before", "jump", "between", "after"),
    [
        ("Kulspel med 33 hål: ", "från {} till {}", ", ", ".\n"),
        ("The first 3 jumps and the 28 next ones, ", "{}-{}", " and ", ".\nNow 1 peg of 32 is left."),
        ("(4, 4) is vacant \u2014 ", "{}→{}", " ", ""),
    ],
)
def test_jumps_among_other_numbers(before: str, jump: str, between: str, after: str) -> None:
    jumps = [jump.format(start + 1, end + 1) for start, _, end in GAMES["english"]]
    assert len(pegcp.check("english", before + between.join(jumps) + after).positions) == 32
    jumps[20] = jumps[3]
    with pytest.raises((InputError, InvalidSolution)):
        pegcp.check("english", before + between.join(jumps) + after)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        ("XXoX", "XX.X -> ..XX -> .X.."),
        ("english", "The top row is row 1. " + "; ".join(rows("words for rows", GAMES["english"]).split("\n"))),
        ("english", rows("from and to", GAMES["english"])),
    ],
)
def test_solutions_in_sentences(problem: str, text: str) -> None:
    assert pegcp.check(problem, text).positions
