"""Ways of writing holes: letters, running numbers, grid numbers.

The schemes:

* ``letters``: letter = column from the left, number = row from the top (``d4``); graph boards use their vertex names.
* ``zero`` and ``one``: holes numbered row by row from 0 or from 1.
* ``grid``: width * row + column, all cells of the bounding rectangle counted from 0 (the course sheets' 7 x 7 numbers).
"""

import re
from functools import lru_cache

from pegcp.errors import InputError
from pegcp.game.board import Board

SCHEMES = ("letters", "zero", "one", "grid")


def hole_names(board: Board, scheme: str = "letters") -> tuple[str, ...]:
    """The holes of a board written in a scheme, in the order of ``board.holes``.

    Raises InputError for an unknown scheme, or for grid numbers of a board that is not on a lattice.
    """
    if scheme == "letters":
        return board.holes
    if scheme in ("zero", "one"):
        return tuple(str(i + (scheme == "one")) for i in range(len(board.holes)))
    if scheme not in SCHEMES:
        raise InputError(f'unknown numbering "{scheme}": choose one of {", ".join(SCHEMES)}')
    if board.cells is None:
        raise InputError(f"board {board.name} has no rows and columns; use letters, zero or one")
    width = max(c for _, c in board.cells) + 1
    return tuple(str(width * r + c) for r, c in board.cells)


def scheme_in_words(board: Board, scheme: str) -> str:
    """Say how a scheme numbers the holes of a board."""
    width = max(c for _, c in board.cells) + 1 if board.cells else 0
    return {
        "letters": "holes by their names",
        "zero": "holes numbered from 0 row by row",
        "one": "holes numbered from 1 row by row",
        "grid": f"holes numbered {width} x row + column",
    }[scheme]


def read_hole(board: Board, text: str, scheme: str = "letters") -> int:
    """Index of a hole written in a scheme. Raises InputError if it is not on the board."""
    if scheme == "letters":
        text = text.strip()
        if not board.has_hole(text) and board.has_hole(text.lower()):
            text = text.lower()
        if board.numbered_from is not None and text.isdigit():
            return read_hole(board, text, "one" if board.numbered_from else "zero")
        return board.hole(text)
    numbers = _numbers(board, scheme)
    name = re.sub(r"\s|^0+(?=[0-9]+$)", "", text.strip())
    if name not in numbers:
        raise InputError(f"{text} is not a hole of board {board.name} in the {scheme} numbering")
    return numbers[name]


@lru_cache(maxsize=16)
def _numbers(board: Board, scheme: str) -> dict[str, int]:
    """The index of each hole by its name in a scheme."""
    return {name: hole for hole, name in enumerate(hole_names(board, scheme))}
