"""Names that texts give the holes of a board: by letters, by running numbers, by rows and columns, by alphabets."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from operator import add
from typing import Any, NamedTuple

from pegcp.formats.pictures import find_pictures
from pegcp.game import Board, column_letters, hole_names, scheme_in_words

_PART = re.compile(r"\d+|[^\W\d_]+")  # of a name
_LETTERS = 33  # of the alphabet that is of one board only
_ALPHABETS = {  # in which each hole is a sign, row by row
    "hexadecimal digits": "0123456789ABCDEF",
    "hexadecimal digits from 1": "123456789ABCDEF",
    "letters": "abcdefghijklmnopqrstuvwxyz",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "the letters a to p, x and P to A": "abcdefghijklmnopxPONMLKJIHGFEDCBA",
}
Word = int | str  # a part of a name: a number, or letters


class Naming(NamedTuple):
    """A way to name the holes of a board, in words; and each hole by the numbers and letters of its name."""

    words: str
    holes: Mapping[tuple[Any, ...], int]

    @property
    def size(self) -> int:
        """How many numbers and letters are a name."""
        return len(next(iter(self.holes)))

    @property
    def has_letters(self) -> bool:
        """Whether there are letters in all names."""
        return all(any(isinstance(part, str) for part in name) for name in self.holes)


def name_parts(name: str) -> tuple[Word, ...]:
    """Return the numbers and letters of a name."""
    return tuple(int(part[:9]) if part.isdecimal() else part for part in _PART.findall(name))


def orders(board: Board) -> list[tuple[str, list[tuple[int, int]]]]:
    """Return ways to count the rows and columns of a lattice board from 0: in words, and the pair of each hole."""
    cells = board.cells or ()
    last = max((r for r, _ in cells), default=0)
    ways = (
        ("(column, row)", [(c, r) for r, c in cells]),
        ("(row, column)", [(r, c) for r, c in cells]),
        ("(column, row from the bottom)", [(c, last - r) for r, c in cells]),
        ("(row from the bottom, column)", [(last - r, c) for r, c in cells]),
    )
    return [way for way in ways if cells]


def places(board: Board) -> Iterator[Naming]:
    """Yield ways to write the holes of a lattice board as pairs of numbers."""
    for base, (words, pairs) in product((0, 1), orders(board)[:2]):
        yield Naming(f"{words} from {base}", {(a + base, b + base): hole for hole, (a, b) in enumerate(pairs)})


def numberings(board: Board, numbering: str | None = None) -> list[Naming]:
    """Return the numbering of a name, or all names of holes in numbers that are usual."""
    schemes = [numbering] if numbering else ["one", "zero", *(["grid"] if board.cells else [])]
    by_scheme = [
        Naming(scheme_in_words(board, scheme), {(int(n),): hole for hole, n in enumerate(hole_names(board, scheme))})
        for scheme in schemes
        if scheme != "letters"
    ]
    pairs = [] if numbering else [*places(board)]
    digits = [
        Naming(words, {(10 * a + b,): hole for (a, b), hole in holes.items() if b < 10}) for words, holes in pairs
    ]
    return by_scheme + pairs + digits


def letterings(board: Board) -> list[Naming]:
    """Return the names of the holes by a letter and a number, by a number and a letter, and others on a lattice."""
    names = [name_parts(name) for name in board.holes]
    ways = {"": names, "number and letter": [name[::-1] for name in names]}
    for words, pairs in orders(board)[1:]:
        ways[f"{words} by letter and number"] = [(column_letters(a), b + 1) for a, b in pairs]
    return [
        Naming(words, {key: hole for hole, name in enumerate(names) for key in (name, _in_capitals(name))})
        for words, names in ways.items()
        if {*map(len, names)} == {2}
    ]


def _in_capitals(name: tuple[Word, ...]) -> tuple[Word, ...]:
    return tuple(part.upper() if isinstance(part, str) else part for part in name)


def alphabets(board: Board) -> list[Naming]:
    """Return the alphabets in which each hole may be a sign, row by row."""
    return [
        Naming(
            f"holes by {words} row by row", {name_parts(sign): hole for hole, sign in enumerate(alphabet[: len(board)])}
        )
        for words, alphabet in _ALPHABETS.items()
        if len(board) == len(alphabet) or len(board) <= len(alphabet) < _LETTERS
    ]


def offset_namings(board: Board, numbers: Sequence[int]) -> Iterator[Naming]:
    """Yield namings that fit all numbers: the rows may be longer than those of the board, go upwards, and be counted
    from anywhere."""
    cells = board.cells or ()
    width = 1 + max((c for _, c in cells), default=0)
    grids: list[tuple[str, Sequence[tuple[int, ...]]]] = [
        (f"holes numbered {length} x row + column", [(length * r + c,) for r, c in cells])
        for length in range(width, width + 6)
    ]
    for words, names in [*grids, *orders(board)] if cells else []:
        have = {*zip(*[iter(numbers)] * len(names[0]), strict=False)}
        spans = [
            range(max(min(0, *own), max(own) - max(want)), min(own) - min(want) + 1)
            for own, want in zip(zip(*have, strict=True), zip(*names, strict=True), strict=False)
        ]
        for first in product(*spans) if have and max(numbers) > 2 else ():  # no signs of a drawing
            holes = {tuple(map(add, name, first)): hole for hole, name in enumerate(names)}
            if holes.keys() >= have:
                yield Naming(f"{words} from {first[0]}", holes)


def drawn_names(board: Board, text: str) -> Iterator[tuple[Naming, str]]:
    """Yield the names of the holes that a picture of the board shows; and the text without it."""
    for lines, names in find_pictures(board, text, re.compile(r"\w+")):
        holes = {name_parts(name): hole for hole, name in enumerate(names)}
        if len(holes) == len(names) and len({*map(len, holes)}) == 1:
            rest = [" " * len(line) if n in lines else line for n, line in enumerate(text.split("\n"))]
            yield Naming(f"holes by their names in lines {lines[0] + 1} to {lines[-1] + 1}", holes), "\n".join(rest)
            return
