"""Numbers and names that a text of a solution may give the holes, besides their usual names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from operator import add
from typing import Any

from pegcp.formats.numbers import orders, places
from pegcp.formats.pictures import find_pictures
from pegcp.game import Board, column_letters, hole_names, scheme_in_words

LETTERED = re.compile(r"(?<![A-Za-z])([A-Za-z]\d{1,2})(?!\d)")
_LETTERS = 33  # of the alphabet that is of one board only
_ALPHABETS = {  # in which each hole is a sign, row by row
    "hexadecimal digits": "0123456789ABCDEF",
    "hexadecimal digits from 1": "123456789ABCDEF",
    "letters": "abcdefghijklmnopqrstuvwxyz",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "the letters a to p, x and P to A": "abcdefghijklmnopxPONMLKJIHGFEDCBA",
}
# How many numbers are a hole, in words, and the holes by them.
Numbering = tuple[int, str, dict[tuple[Any, ...], int]]
# In words, the usual name of each hole or jump by another, what looks like such a name, and the text with these names.
Spelling = tuple[str, dict[str, str], re.Pattern[str], str]


def usual_numberings(board: Board, numbering: str | None) -> list[Numbering]:
    """Return the numbering of a name, or all that are usual."""
    schemes = [numbering] if numbering else ["one", "zero", *(["grid"] if board.cells else [])]
    usual: list[Numbering] = [
        (1, scheme_in_words(board, scheme), {(int(n),): hole for hole, n in enumerate(hole_names(board, scheme))})
        for scheme in schemes
        if scheme != "letters"
    ]
    pairs = [] if numbering else [*places(board)]
    digits = [(1, words, {(10 * a + b,): hole for (a, b), hole in holes.items() if b < 10}) for words, holes in pairs]
    return usual + [(2, *place) for place in pairs] + digits


def fitting_numberings(board: Board, text: str) -> Iterator[Numbering]:
    """Yield numberings that fit all numbers of a text: the rows may be longer than those of the board, go upwards, and
    be counted from anywhere."""
    cells = board.cells or ()
    width = 1 + max(c for _, c in cells)
    grids: list[tuple[str, list[tuple[int, ...]]]] = [
        (f"holes numbered {length} x row + column", [(length * r + c,) for r, c in cells])
        for length in range(width, width + 6)
    ]
    numbers = [int(number) for number in re.findall(r"\d{1,6}", text)]
    for words, holes in [*grids, *orders(board)]:
        numbers_in_text = {*zip(*[iter(numbers)] * len(holes[0]), strict=False)}
        spans = [
            range(max(0, max(have) - max(want)), min(have) - min(want) + 1)
            for have, want in zip(zip(*numbers_in_text, strict=True), zip(*holes, strict=True), strict=False)
        ]
        for first in product(*spans) if numbers_in_text and max(numbers) > 2 else ():  # no signs of a drawing
            holes_from_there = {tuple(map(add, place, first)): hole for hole, place in enumerate(holes)}
            if holes_from_there.keys() >= numbers_in_text:
                yield len(first), f"{words} from {first[0]}", holes_from_there


def drawn_spellings(board: Board, text: str) -> Iterator[Spelling]:
    """Yield the names of the holes that a picture of the board shows; and the text without it."""
    for lines, names in find_pictures(board, text, re.compile(r"\w+")):
        if len({*names}) == len(names):
            rest = [" " * len(line) if n in lines else line for n, line in enumerate(text.split("\n"))]
            in_words = f"holes by their names in lines {lines[0] + 1} to {lines[-1] + 1}"
            yield in_words, *_spelling(names, board.holes), "\n".join(rest)
            return


def other_spellings(board: Board, text: str) -> Iterator[Spelling]:
    """Yield other names of the holes: in words, the usual name by each, and what looks like one; and the text."""
    for words, pairs in orders(board)[1:]:
        names = {f"{column_letters(a)}{b + 1}": hole for (a, b), hole in zip(pairs, board.holes, strict=True)}
        yield f"{words} by letter and number", names | {name.upper(): names[name] for name in names}, LETTERED, text
    for words, alphabet in _ALPHABETS.items():
        if len(board.holes) == len(alphabet) or len(board.holes) <= len(alphabet) < _LETTERS:
            yield f"holes by {words} row by row", *_spelling(alphabet, board.holes), text


def _spelling(names: Iterable[str], holes: Sequence[str]) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the usual name of a hole or a jump by another, and what looks like one."""
    spelling = dict(zip(names, holes, strict=False))
    pattern = "|".join(map(re.escape, spelling))
    if max(map(len, spelling)) > 1:
        return spelling, re.compile(rf"(?<!\w)({pattern})(?!\w)")
    jumps = {f"{a}{b}": f"{spelling[a]}-{spelling[b]}" for a in spelling for b in spelling}
    return spelling | jumps, re.compile(rf"(?<!\w)((?:{pattern}){{1,2}})(?!\w)")
