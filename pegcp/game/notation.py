"""Names of holes in several numberings; jumps as pegcp writes them, and jumps of holes that are joined.

The schemes of holes:

* ``letters``: letter = column from the left, number = row from the top (``d4``); graph boards use their vertex names.
* ``zero`` and ``one``: holes numbered row by row from 0 or from 1.
* ``grid``: width * row + column, all cells of the bounding rectangle counted from 0 (the course sheets' 7 x 7 numbers).

One jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``; triples in
parentheses, ``(d2 d3 d4)``. Texts with comments and words are read by :class:`pegcp.formats.prose.JumpReader`.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pegcp.errors import InputError, clipped, refuse_if
from pegcp.game.board import Board, Jump

SCHEMES = ("letters", "zero", "one", "grid")
JOIN = re.compile(r"[-=‐‑‒–—−]{0,20}[>→⇒➔➜➝➡⟶⟹»›]+\ufe0f?|[-‐‑‒–—−]+|(?<=\d)[x*](?=\w)|(?<=[A-Za-z]\d):?(?=[A-Za-z]\d)")
_WORD = re.compile(r"[\n;()\[\]]|[^\s,;()\[\]]+")
FORM = "a jump is three holes (from over to), or two joined by a hyphen (from-to)"


def hole_names(board: Board, scheme: str = "letters") -> tuple[str, ...]:
    """Return the holes of a board written in a scheme, in the order of ``board.holes``.

    Raises InputError for an unknown scheme, or for grid numbers of a board that is not on a lattice.
    """
    match scheme:
        case "letters":
            return board.holes
        case "zero" | "one":
            return tuple(str(i + (scheme == "one")) for i in range(len(board.holes)))
        case "grid" if board.cells is not None:
            width = max(c for _, c in board.cells) + 1
            return tuple(str(width * r + c) for r, c in board.cells)
        case "grid":
            raise InputError(f"board {board.name} has no rows and columns; use letters, zero or one")
        case _:
            raise InputError(f'unknown numbering "{scheme}": choose one of {", ".join(SCHEMES)}')


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
    """Return the index of a hole written in a scheme. Raises InputError if it is not on the board."""
    name = text.strip()
    if scheme == "letters" and board.numbered_from is not None and name.isdigit():
        text, scheme = name, "one" if board.numbered_from else "zero"
    if scheme == "letters":
        refuse_if(
            name.isdigit() and board.cells is not None and not board.has_hole(name),
            f"{board.name} has no hole {clipped(name, 40)}; its holes are {board.holes[0]} .. {board.holes[-1]}, and "
            "numbers need --numbering one, zero or grid",
        )
        return board.hole(name.lower() if board.has_hole(name.lower()) and not board.has_hole(name) else name)
    numbers, number = _numbers(board, scheme), re.sub(r"\s|^0+(?=[0-9]+$)", "", name)
    refuse_if(number not in numbers, f"{text} is not a hole of board {board.name} in the {scheme} numbering")
    return numbers[number]


@lru_cache(maxsize=16)
def _numbers(board: Board, scheme: str) -> dict[str, int]:
    """Return the index of each hole by its name in a scheme."""
    return {name: hole for hole, name in enumerate(hole_names(board, scheme))}


def read_jumps(board: Board, text: str) -> list[Jump]:
    """Read the jumps of a line such as ``d2-d4 b3-d3``, without checking that they can be made. Raises InputError."""
    parts, role = list[Part](), ""
    for word in _WORD.findall(text):
        for number, name in enumerate([word] if board.has_hole(word) else JOIN.split(word)):
            if word in "\n;()[]":
                role = "from"
            elif name:
                parts.append(Part(read_hole(board, name), role="to" if number else role))
                role = ""
            else:
                role = "to"
    return [jump for chain in join_parts(parts) for jump in jumps_of_chain(board, chain)]


def jumps_of(board: Board, jumps: Iterable[Jump | str]) -> list[Jump]:
    """Return jumps that are given as such, by the names of their holes, or as text for one or several.

    Raises InputError.
    """
    try:
        items = [
            jump if isinstance(jump, str) or {*map(type, jump)} != {str} else f"({' '.join(map(str, jump))})"
            for jump in jumps
        ]
        groups = (read_jumps(board, item) if isinstance(item, str) else [Jump(*item)] for item in items)
        return [jump for group in groups for jump in group]
    except TypeError:
        raise InputError('jumps are text, such as "d2-d4 b3-d3", or a list of such texts or of Jumps') from None


def write_move(board: Board, move: Sequence[Jump]) -> str:
    """Write a jump or a sweep for :func:`read_jumps`: ``d2-d4-f4``, or if that is ambiguous ``(d2 d3 d4)``."""
    holes = [move[0].from_, *(jump.to for jump in move)]
    name = "-".join(board.holes[hole] for hole in holes)
    is_clear = all(sum(jump.to == b for jump in board.jumps_from[a]) == 1 for a, b in pairwise(holes))
    if is_clear and len(JOIN.split(name)) == len(holes):
        return name
    return " ".join(f"({' '.join(board.jump_names(jump))})" for jump in move)


Way = tuple[int, int]  # rows downwards, columns to the right


class Part(NamedTuple):
    """A hole of a text and its place there, or a way (hole -1)."""

    hole: int
    at: int = 0
    role: str = ""  # "to" and "over" join it to the hole before, "from" never does
    way: Way = (0, 0)


Chain = list[Part]


def join_parts(parts: Iterable[Part]) -> list[Chain]:
    """Return parts in chains: holes that signs or words join, holes side by side, or holes and their way."""
    chains: list[Chain] = []
    for part in parts:
        chain = chains[-1] if chains else []
        is_list = all(other.hole >= 0 and other.role in ("", "from") for other in chain)
        if part.hole < 0:
            goes_on = all(other.hole >= 0 for other in chain) or chain[-1].hole < 0
        elif part.role in ("to", "over"):
            goes_on = True
            if is_list and len(chain) > 1:  # only the last of a list is joined
                chains.append([chain.pop()])
        else:
            goes_on = all(other.hole < 0 for other in chain) or (is_list and part.role == "")
        if chains and goes_on:
            chains[-1].append(part)
        else:
            chains.append([part])
    return chains


def jumps_of_chain(board: Board, chain: Chain) -> list[Jump]:
    """Return the jumps of parts that belong together. Raises InputError."""
    holes = [part.hole for part in chain if part.hole >= 0]
    is_joined = any(part.role in ("to", "over") for part in chain[1:]) or len(holes) < len(chain)
    is_triple = len(holes) == 3 and board.has_jump(Jump(*holes))
    is_sweep = len(holes) > 1 and all(any(b == jump.to for jump in board.jumps_from[a]) for a, b in pairwise(holes))
    if is_triple and not (is_joined and is_sweep):
        return [Jump(*holes)]
    if not (is_joined or is_sweep or len(holes) == 2):
        refuse_if(len(holes) % 3, FORM)
        return [find_jump(board, *triple) for triple in zip(holes[::3], holes[1::3], holes[2::3], strict=True)]
    if not holes:
        return []
    start, *others = (part for part in chain if part.hole >= 0)
    jumps, over = list[Jump](), None
    for part in others:
        if part.role == "over":
            over = part.hole
        else:
            jumps.append(find_jump(board, start.hole, over, part.hole))
            start, over = part, None
    way = sum(part.way[0] for part in chain), sum(part.way[1] for part in chain)
    if over is not None or (way != (0, 0) and not jumps):
        jumps.append(find_jump(board, start.hole, over, None, way))
    return jumps


def find_jump(board: Board, start: int, over: int | None, end: int | None, way: Way = (0, 0)) -> Jump:
    """Return the only jump that is meant. Raises InputError."""
    exact = None if over is None or end is None else Jump(start, over, end)
    fits = [
        jump
        for jump in board.jumps_from[start]
        if (over in (None, jump.over) and end in (None, jump.to)) or (end, over) == jump[1:]
        if way == (0, 0) or leads(board, jump, way)
    ]
    if exact is not None and (board.has_jump(exact) or len(fits) != 1):  # the replay says what is wrong
        return exact
    name = f"{board.holes[start]} " + ("this way" if end is None else f"to {board.holes[end]}")
    refuse_if(not fits or (len(fits) > 1 and end is None), f"no jump leads from {name}")
    middles = ", ".join(board.holes[jump.over] for jump in fits[:6])
    refuse_if(len(fits) > 1, f"a jump from {name} may go over {middles}: write all three holes, from over to")
    return fits[0]


def leads(board: Board, jump: Jump, way: Way) -> bool:
    """Tell whether a jump leads a way, as it is drawn or in cells."""
    if board.cells is None or board.lattice is None:
        return False
    ends = board.cells[jump.from_], board.cells[jump.to]
    points = [board.lattice.place(*end)[::-1] for end in ends]
    return way in (tuple((b > a) - (b < a) for a, b in zip(*pair, strict=True)) for pair in (points, ends))
