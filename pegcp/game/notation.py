"""Readers and writers of holes and of jumps as people and programs write them.

The schemes of holes:

* ``letters``: letter = column from the left, number = row from the top (``d4``); graph boards use their vertex names.
* ``zero`` and ``one``: holes numbered row by row from 0 or from 1.
* ``grid``: width * row + column, all cells of the bounding rectangle counted from 0 (the course sheets' 7 x 7 numbers).

One jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``; triples in
parentheses, ``(32 39 46)``. ``#`` and ``;`` begin a comment. In prose, numbers of lines and words that say nothing are
left out, too: ``4. Move from d6 over d5 to d4``, ``(3,1) to (3,3) remove (3,2)``, ``d4 up``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

from pegcp.errors import InputError, clipped, line_and_column, refuse_if
from pegcp.game.board import Board, Jump

SCHEMES = ("letters", "zero", "one", "grid")
_COMMENT = re.compile(r"#(?!\d).*|(?:^[ \t]*;|;[ \t]*[A-Za-z]{3,}).*", re.MULTILINE)  # a semicolon also parts jumps
_NOTE = re.compile(  # in prose: comments, the number of a line, how many pegs are left, signs between words
    r"^[ \t]*(?:;|#(?!\d)).*|//.*|\b\d+[ \t]+pegs?\b.*\b(?:left|remain).*"
    r"|^[ \t]*+(?:(?!pegs?\b|holes?\b|row\b|from\b)[^\W\d_]{2,12}\.?[ \t]*+)?"
    r"(?:#\d+[.):]?(?![^\n]*#)|\d+[ \t]*[.):º°ª]+-?)[ \t]+|^[ \t]*\[\d+,\]"
    r"|</?[a-z][^<>\n]*>|&\w+;|\\item|\\(?=\w)|(?<=\w)[=:](?=[\w\"'])|[\"'`|#/$]",
    re.IGNORECASE | re.MULTILINE,
)
_JOIN = re.compile(
    r"[-=‐‑‒–—−]{0,20}[>→⇒➔➜➝➡⟶⟹»›]+\ufe0f?|[-‐‑‒–—−]+|(?<=\d)[x*](?=\w)|(?<=[A-Za-z]\d):?(?=[A-Za-z]\d)"
)
_WORDS = re.compile(r"[()\[\]{}↑↓←⇨↖↗↘↙]|[;\n]+|[^\s,;()\[\]{}↑↓←⇨↖↗↘↙]+")
_ROLES = {  # of a hole, by the word before it
    "from": re.compile("from|von|de|desde"),
    "to": re.compile("to|into|x|onto|lands?|landing"),
    "over": re.compile("over|jump(s|ed|ing)?|across|captur.*|remov.*|eat.*|tak.*|hop.*|x"),
}
_Way = tuple[int, int]
_DIRECTIONS = {  # words and signs in several languages
    (-1, 0): "up u north n ↑ 上 oben hoch rauf nord haut arriba norte cima su omhoog boven góra вверх",
    (1, 0): "down d south s ↓ 下 unten runter süd bas abajo sur sul baixo giù omlaag beneden dół вниз",
    (0, 1): "right r east e ⇨ 右 rechts ost droite droit derecha este direita destra est prawo вправо",
    (0, -1): "left l west w ← 左 links gauche izquierda oeste esquerda sinistra ovest lewo влево",
}
_UP, _RIGHT = (
    {word: sum(way) for way, words in _DIRECTIONS.items() if way[axis] for word in words.split()} for axis in (0, 1)
)
_WAYS = {  # rows downwards, columns to the right
    **{word: (rows, 0) for word, rows in _UP.items()},
    **{word: (0, columns) for word, columns in _RIGHT.items()},
    **{f"{up}{sign}{right}": (_UP[up], _RIGHT[right]) for up in _UP for right in _RIGHT for sign in ("", "-", "_")},
    "↖": (-1, -1),
    "↗": (-1, 1),
    "↘": (1, 1),
    "↙": (1, -1),
}
_LETTERED = re.compile("[A-Za-z]{1,2}[0-9]{1,2}")  # the name of a hole, perhaps of another board
_MOST_FAULTS = 20  # in a line, and lines that are left out
_FORM = "a jump is three holes (from over to), or two joined by a hyphen (from-to)"


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
    return JumpReader(board, text, "", "letters").jumps()


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
    if is_clear and len(_JOIN.split(name)) == len(holes):
        return name
    return " ".join(f"({' '.join(board.jump_names(jump))})" for jump in move)


class _Part(NamedTuple):
    """A hole or a way of a text, with the role that the word before it gives, and its place in the text."""

    role: str
    hole: int
    at: int
    way: _Way = (0, 0)


@dataclass
class _Unit:
    """A line or a list of a text."""

    parts: list[_Part] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)  # of a place that is not yet complete
    role: str = ""
    prose: bool = False
    at: int = 0  # where it begins
    faults: list[tuple[int, InputError]] = field(default_factory=list)  # of words, with their places
    strangers: list[tuple[str, int]] = field(default_factory=list)  # names of no hole, with their places

    def add(self, hole: int, at: int) -> None:
        """Add a hole after the word that was read last; what is jumped over goes before the hole that is jumped to."""
        is_late = self.role == "over" and any(part.role == "to" for part in self.parts[-1:])
        self.parts.insert(len(self.parts) - is_late, _Part(self.role, hole, at))
        self.role = ""


def _split(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Return parts in groups: a hole begins another one after the word "from", after a hole and its way, and before
    one to jump over where there is one already."""
    groups: list[list[_Part]] = [[]]
    for part, following in zip(parts, [*parts[1:], None], strict=False):
        group = groups[-1]
        has_hole = any(other.hole >= 0 for other in group)
        is_over = following and following.role == "over" and any(other.role == "over" for other in group)
        if has_hole and part.hole >= 0 and (part.role == "from" or (not part.role and (group[-1].hole < 0 or is_over))):
            groups.append([])
        groups[-1].append(part)
    return groups


class JumpReader:
    """A reader of a text of jumps, whose errors have line and column.

    ``prose``: words may stand between the holes. ``lenient``: lines that cannot be read are left out.

    ``numbers``: how many numbers are a place there, 2 for (row, column),
    of which ``read`` returns the hole; holes are else written in the numbering.
    """

    def __init__(
        self,
        board: Board,
        text: str,
        source: str,
        numbering: str,
        *,
        prose: bool = False,
        lenient: bool = False,
        numbers: int = 0,
        read: Callable[[str], int] | None = None,
    ) -> None:
        self.board, self.text, self.source, self.numbering = board, text, source, numbering
        self.prose, self.lenient, self.numbers = prose, lenient, numbers
        self.is_lettered = not numbers and _LETTERED.fullmatch(board.holes[0]) is not None
        self.read = read or partial(read_hole, board, scheme=numbering)
        self.bare = (_NOTE if prose else _COMMENT).sub(lambda note: " " * len(note[0]), text)
        self.before: list[tuple[int, Jump]] = []  # the jumps before a fault, each behind its place
        self.places: list[int] = []  # of the jumps that were read
        self.gaps: list[int] = []  # where lines begin that are left out

    def error(self, message: str, at: int = 0, hole: str = "") -> InputError:
        """Return an error at a character of the text; a text without a source is short, and needs no line."""
        line, column = line_and_column(self.text, at) if self.source else (None, None)
        return InputError(message, source=self.source or None, line=line, column=column, hole=hole)

    def hole(self, name: str, at: int) -> int:
        """Return a hole in the numbering of the text."""
        try:
            return self.read(name)
        except InputError as error:
            raise self.error(error.message, at, name) from None

    def jumps(self, most: float = float("inf")) -> list[Jump]:
        """Return all jumps, or a few more than the first ``most``. Raises InputError with line and column."""
        jumps = self.before
        for unit in self._units(most):
            try:
                for _, fault in unit.faults:
                    raise fault
                jumps += [*self._jumps(unit)]
            except InputError:
                if not self.lenient or len(self.gaps) > _MOST_FAULTS:
                    raise
                self.gaps.append(unit.at)
            if len(jumps) > most:
                break
        self.places = [place for place, _ in jumps]
        return [jump for _, jump in jumps]

    def _units(self, most: float) -> Iterator[_Unit]:
        unit, lists = _Unit(), list[tuple[int, int]]()  # the lists that are open: the holes before each, its place
        for word in _WORDS.finditer(f"{self.bare}\n"):
            sign, at = word[0], word.start()
            if sign in "([{":
                lists.append((len(unit.parts), at))
            elif sign in ")]}":
                if not lists and not self.lenient:
                    raise self.error(f'"{sign}" without its other half', at)
                before, start = lists.pop() if lists else (len(unit.parts), at)
                own = unit.parts[before:]
                if len(own) > 1:
                    earlier = [fault for fault in unit.faults if fault[0] < start]
                    yield _Unit(unit.parts[:before], at=unit.at, faults=earlier)  # is played before the list
                    yield _Unit(
                        own, unit.numbers, strangers=unit.strangers, at=start, faults=unit.faults[len(earlier) :]
                    )
                    unit.parts, unit.numbers, unit.strangers, unit.faults = [], [], [], []
                    lists = [(0, start) for _, start in lists]
            elif ";" in sign or (sign[0] == "\n" and not lists):
                if unit.role and not self.prose:  # a hyphen waits for its second hole
                    self.hole("", len(self.bare[:at].rstrip()))
                yield unit
                unit, lists = _Unit(at=word.end()), [(0, start) for _, start in lists]
            elif sign[0] != "\n":
                try:
                    self._add(unit, sign, at)
                except InputError as fault:
                    if not self.lenient or len(unit.faults) > _MOST_FAULTS:
                        raise
                    unit.faults.append((at, fault))
            if len(unit.parts) > 6 * most + 6 and len(unit.parts) % 6 == 0 and not unit.role:  # pairs and triples
                yield unit
                return
        for _, start in lists[-1:]:
            raise self.error(f'"{self.text[start]}" without its other half', start)

    def _add(self, unit: _Unit, word: str, at: int) -> None:
        """Add a word, which may be several holes joined by hyphens."""
        start, is_hole = 0, self.board.has_hole(word) and not self.numbers
        joins = [] if is_hole or word.lower() in _WAYS else [*_JOIN.finditer(word)]
        pieces = _JOIN.split(word) if joins else []
        is_jump = any(map(self._is_hole, pieces))  # so all its pieces are holes
        is_triple = (
            len(pieces) == 3
            and self.numbers < 2
            and all(map(self._is_hole, pieces))
            and self._is_triple([self.hole(piece, at) for piece in pieces])
        )
        for join in [*joins, None]:
            piece = word[start : join.start() if join else len(word)]
            if self.prose and not is_hole:
                self._add_prose(unit, piece, at + start, is_of_jump=is_jump)
            elif piece:
                unit.add(self.hole(piece, at + start), at + start)
            if join:
                role = "over" if is_triple and start == 0 else "to"
                unit.role, start = role if unit.parts else "", join.end()

    def _is_hole(self, word: str) -> bool:
        """Tell whether a word is a number, where holes are numbers, or the name of a hole, perhaps in capitals."""
        return word.isdecimal() if self.numbers else self.board.has_hole(word) or self.board.has_hole(word.lower())

    def _add_prose(self, unit: _Unit, piece: str, at: int, *, is_of_jump: bool) -> None:
        word = piece.strip(".:!?*")
        name = word.lower()
        if self._is_hole(word):
            unit.numbers.append(word)
            if len(unit.numbers) >= self.numbers:
                place = ",".join(unit.numbers)
                unit.numbers.clear()
                unit.add(self.hole(place, at), at)
        elif name in _WAYS:
            unit.parts.append(_Part("", -1, at, _WAYS[name]))
        elif (both := re.fullmatch("([A-Za-z]?[0-9]{1,3})([UDLRNSEW])", word)) and self._is_hole(both[1]):
            for part in both.groups():
                self._add_prose(unit, part, at, is_of_jump=is_of_jump)
        elif word:
            unit.prose = True
            if role := next((role for role, words in _ROLES.items() if words.fullmatch(name)), ""):
                unit.role = role if unit.parts else ""
            elif is_of_jump:
                raise self.error(f'{self.board.name} has no hole "{word}"', at, word)
            elif self.is_lettered and _LETTERED.fullmatch(word) and not piece.endswith(":"):  # which ends a label
                unit.strangers.append((word, at))
                if unit.role:
                    self.hole(word, at)

    def _jumps(self, unit: _Unit) -> Iterator[tuple[int, Jump]]:
        """Yield the jumps of what stands together, with their places."""
        holes = [part.hole for part in unit.parts if part.hole >= 0]
        if self.prose and self._is_triple(holes):  # whatever joins them
            yield unit.parts[0].at, Jump(holes[0], holes[1], holes[2])
            return
        for parts in _split(unit.parts):
            bare, over, last = list[tuple[int, int]](), None, None
            for role, hole, at, _ in [part for part in parts if part.hole >= 0]:
                if role == "over":
                    over = hole
                elif role == "to" and (bare or last is not None):
                    start, begin = bare.pop() if bare else (last or 0, at)
                    yield from self._groups(bare)
                    yield begin, self._jump(begin, start, over, hole)
                    bare, over, last = [], None, hole
                else:
                    bare.append((hole, at))
            way = sum(part.way[0] for part in parts), sum(part.way[1] for part in parts)
            if len(bare) in (1, 2) and (over is not None or (len(bare) == 1 and way != (0, 0))):
                start, begin = bare[0]
                yield begin, self._jump(begin, start, over, bare[1][0] if bare[1:] else None, way)
            elif unit.strangers and len(bare) + len(unit.strangers) > 1:
                self.hole(*unit.strangers[0])
            elif not unit.prose or len(bare) + len(unit.numbers) > 1:
                if unit.numbers:
                    raise self.error(_FORM)
                yield from self._groups(bare)

    def _is_triple(self, holes: Sequence[int]) -> bool:
        """Tell whether holes can only be from, over and to."""
        return (
            len(holes) == 3
            and self.board.has_jump(Jump(holes[0], holes[1], holes[2]))
            and not any(jump.to == holes[1] for jump in self.board.jumps_from[holes[0]])
        )

    def _groups(self, holes: Sequence[tuple[int, int]]) -> Iterator[tuple[int, Jump]]:
        """Yield jumps of holes written one after the other: a sweep, or triples."""
        pairs = [*pairwise(holes)]
        is_triple = len(holes) == 3 and self.board.has_jump(Jump(holes[0][0], holes[1][0], holes[2][0]))
        if len(holes) == 2 or (
            pairs
            and not is_triple
            and all(any(b == jump.to for jump in self.board.jumps_from[a]) for (a, _), (b, _) in pairs)
        ):
            for (start, at), (end, _) in pairs:
                yield at, self._jump(at, start, None, end)
        elif len(holes) % 3:
            raise self.error(_FORM, holes[0][1])
        else:
            for (start, at), (over, _), (end, _) in zip(holes[::3], holes[1::3], holes[2::3], strict=True):
                yield at, self._jump(at, start, over, end)

    def _jump(self, at: int, start: int, over: int | None, end: int | None, way: _Way = (0, 0)) -> Jump:
        """Return the only jump that is meant."""
        exact = None if over is None or end is None else Jump(start, over, end)
        fits = [
            jump
            for jump in self.board.jumps_from[start]
            if (over in (None, jump.over) and end in (None, jump.to)) or (end, over) == jump[1:]
            if way == (0, 0) or self._leads(jump, *way)
        ]
        if exact is not None and (self.board.has_jump(exact) or len(fits) != 1):  # the replay says what is wrong
            return exact
        if len(fits) == 1:
            return fits[0]
        names = self.board.holes
        name = f"{names[start]} " + ("this way" if end is None else f"to {names[end]}")
        if not fits or end is None:
            raise self.error(f"no jump leads from {name}", at)
        middles = ", ".join(names[jump.over] for jump in fits[:6])
        raise self.error(f"a jump from {name} may go over {middles}: write all three holes, from over to", at)

    def _leads(self, jump: Jump, dr: int, dc: int) -> bool:
        """Tell whether a jump leads down ``dr`` rows and ``dc`` columns to the right, as it is drawn or in cells."""
        if self.board.cells is None or self.board.lattice is None:
            return False
        ends = self.board.cells[jump.from_], self.board.cells[jump.to]
        points = [self.board.lattice.place(*end)[::-1] for end in ends]
        return [dr, dc] in ([(b > a) - (b < a) for a, b in zip(*pair, strict=True)] for pair in (points, ends))
