"""Read solutions as people and programs write them; the replay decides how holes are numbered.

``Move from 6 over 3 to 1``, ``(3,1) to (3,3) remove (3,2)``, ``[[1, 3], [3, 3]]``, ``Peg 4 jumps Peg 2 to Hole 1.``,
``4. D6 >> D4``, ``d4 up``, lists of triples, numbers of jumps. Holes are named by letters, numbered from 0 or 1 or by
the grid, or given as row and column; jumps stand in the order of play, or reversed. Each reading that the text may have
is replayed, and the only one that reaches the goal is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import product
from typing import NamedTuple

from pegcp.errors import InputError
from pegcp.game.board import Jump
from pegcp.game.hole_notation import read_hole, scheme_in_words
from pegcp.game.problem import Problem

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("→⇒➔➜➝⟶⟹»›", ">"))
_LABEL = re.compile(
    r"^[ \t]*(?:(?:step|move|jump|no\.?)[ \t]*)?(?:#\d+[.):]?|\d+[ \t]*[.):])[ \t]+", re.IGNORECASE | re.MULTILINE
)
_TOKEN = re.compile(
    r"pos-(?P<x>\d+)-(?P<y>\d+)|(?P<lean>(?:up|down)[- ]?(?:left|right))|(?P<number>\d+)|(?P<join>[-=]*>+|-+)"
    r"|(?P<word>[^\W\d_][^\W_]*)"
    r"|(?P<open>[\[({])|(?P<close>[\])}])|(?P<end>[;\n])|(?P<arrow>[↑↓←])",
    re.IGNORECASE,
)
_OVER = re.compile("over|jump(s|ed|ing)?|across|captur.*|remov.*|eat.*|tak.*|hop.*", re.IGNORECASE)
_TO = re.compile("to|into|x|onto|lands?|landing", re.IGNORECASE)
_DIRECTIONS = {  # rows downwards, columns to the right; on staggered rows those that lean have two words
    **dict.fromkeys(("up", "u", "north", "n", "↑"), (-1, 0)),
    **dict.fromkeys(("down", "d", "south", "s", "↓"), (1, 0)),
    **dict.fromkeys(("left", "l", "west", "w", "←"), (0, -1)),
    **dict.fromkeys(("right", "r", "east", "e"), (0, 1)),
}

Place = tuple[int, ...]  # one number of a hole, or the two of a row and a column; (-1, hole) for a name


class ReadSolution(NamedTuple):
    """The jumps of a text, the characters of the text at which they begin, and how it was read, in words."""

    jumps: list[Jump]
    places: list[int]
    read_as: str

    def reversed(self) -> ReadSolution:
        """The same jumps in the other order."""
        words = ", ".join(filter(None, (self.read_as, "in reverse order of play")))
        return ReadSolution(self.jumps[::-1], self.places[::-1], words)


@dataclass
class _Written:
    """A jump as it is written: its holes, of which all but the first may be missing."""

    at: int
    start: Place
    over: Place | None = None
    end: Place | None = None
    direction: str | None = None


@dataclass
class _Unit:
    """What stands together: a line, or a list: its places, each with the word before it, and a direction."""

    items: list[tuple[str, Place, int]] = field(default_factory=list)
    direction: str | None = None

    def jumps(self) -> Iterator[_Written]:
        """Yield the jumps. Raises ValueError if the places make none."""
        bare: list[tuple[Place, int]] = []
        over, last = None, None
        for role, place, at in self.items:
            if role == "over" and (bare or (over is None and last is None)):
                over = place
            elif role == "over" and last is not None:
                last.over = place
            elif role == "to" and (bare or last is not None):
                start, begin = bare[0] if bare or last is None else (last.end or (), at)
                last = _Written(begin, start, bare[1][0] if len(bare) == 2 else over, place)
                yield last
                bare, over = [], None
            else:
                bare.append((place, at))
        if len(bare) == 1 and (over or self.direction):
            yield _Written(bare[0][1], bare[0][0], over, None, self.direction)
        elif bare:
            size = 3 if len(bare) % 3 == 0 else 2
            for i in range(0, len(bare), size):
                (start, at), *between, (end, _) = bare[i : i + size]
                yield _Written(at, start, between[0][0] if between else None, end)


class MovesReader:
    """The readings of a text about the jumps of a problem."""

    def __init__(self, problem: Problem, text: str) -> None:
        self.problem, self.board = problem, problem.board
        bare = _LABEL.sub(lambda label: " " * len(label[0]), text.translate(_DASHES))
        self.text = re.sub(r"^[ \t]*(?:;|#(?!\d)|//).*", lambda note: " " * len(note[0]), bare, flags=re.MULTILINE)

    def readings(self, numbering: str | None = None) -> Iterator[ReadSolution]:
        """Yield each reading in which all that is written are jumps of the board, in the order that is written."""
        for together in (False, True):
            try:
                written = [jump for unit in self._units(together) for jump in unit.jumps()]
                named = any(jump.start[0] < 0 for jump in written)
                for words, hole in self._schemes(together, named, numbering):
                    yield from self._in_order([self._jump(jump, hole) for jump in written], written, words)
            except (ValueError, LookupError):
                continue
        yield from self._numbers_of_jumps()

    def _in_order(self, jumps: list[Jump | None], written: Sequence[_Written], words: str) -> Iterator[ReadSolution]:
        known = [jump for jump in jumps if jump is not None]
        places = [jump.at for jump in written]
        if known and len(known) == len(jumps):
            yield ReadSolution(known, places, words)

    def _units(self, together: bool) -> Iterator[_Unit]:
        """Yield what stands together; ``together``: two numbers are a row and a column."""
        unit, role, numbers, depth = _Unit(), "", list[tuple[int, int]](), list[int]()

        def flush() -> None:
            size = 2 if together else 1
            for i in range(0, len(numbers) - size + 1, size):
                place = tuple(number for number, _ in numbers[i : i + size])
                unit.items.append((role if i == 0 else "", place, numbers[i][1]))
            numbers.clear()

        named = any(self._hole(token["word"]) is not None for token in _TOKEN.finditer(self.text) if token["word"])
        for token in _TOKEN.finditer(self.text):
            word = (token["word"] or "").lower()
            if token["number"] and not named:
                numbers.append((int(token["number"]), token.start()))
                continue
            if token["x"]:
                numbers += [(int(token["x"]), token.start()), (int(token["y"]), token.start())]
                continue
            if word and (hole := self._hole(token["word"])) is not None:
                unit.items.append((role, (-1, hole), token.start()))
                role = ""
                continue
            if token["open"] and not numbers:
                depth.append(len(unit.items))
                continue
            way = token["lean"] or token["arrow"] or (word if word in _DIRECTIONS else None)
            ends = way or token["close"] or token["end"] or token["join"]
            if numbers and (ends or _TO.fullmatch(word) or _OVER.fullmatch(word)):
                flush()
                role = ""
            if token["close"] and depth:
                own = len(unit.items) - depth.pop()
                if own > 1:
                    yield _Unit(unit.items[-own:])
                    del unit.items[-own:]
            elif token["end"]:
                yield unit
                unit, role = _Unit(), ""
            elif token["join"] or _TO.fullmatch(word):
                role = "to" if unit.items else role
            elif _OVER.fullmatch(word):
                role = "over" if unit.items else role
            elif way:
                unit.direction = way
        flush()
        yield unit

    def _hole(self, word: str) -> int | None:
        return next((self.board.hole(name) for name in (word, word.lower()) if self.board.has_hole(name)), None)

    def _schemes(
        self, together: bool, named: bool, numbering: str | None
    ) -> Iterator[tuple[str, Callable[[Place], int]]]:
        """Yield the ways in which places may name holes, in words."""
        if named:
            yield "", lambda place: place[1]
        elif not together:
            for scheme in [numbering] if numbering else ("one", "zero", "grid"):
                if scheme != "grid" or self.board.cells:
                    yield scheme_in_words(self.board, scheme), partial(self._numbered, scheme)
        elif numbering is None and self.board.cells:
            for base, (order, turned) in product((0, 1), (("(column, row)", 1), ("(row, column)", 0))):
                yield f"{order} from {base}", partial(self._at, base, turned)

    def _numbered(self, scheme: str, place: Place) -> int:
        return read_hole(self.board, str(place[0]), scheme)

    def _at(self, base: int, turned: int, place: Place) -> int:
        return self._index[place[turned] - base, place[1 - turned] - base]

    @cached_property
    def _index(self) -> dict[tuple[int, int], int]:
        return {cell: hole for hole, cell in enumerate(self.board.cells or ())}

    def _jump(self, written: _Written, hole: Callable[[Place], int]) -> Jump | None:
        """Return the jump that is meant, or None."""
        try:
            start = hole(written.start)
            others = [hole(place) for place in (written.over, written.end) if place is not None]
        except (InputError, LookupError):
            return None
        aim = self._aim(start, written.direction) if written.direction else None
        fits = [
            jump
            for jump in self._jumps_from.get(start, ())
            if {*others} <= {jump.over, jump.to}
            and aim in (None, jump.to)
            and (len(others) != 1 or others[0] == (jump.to if written.over is None else jump.over))
        ]
        return fits[0] if len(fits) == 1 else None

    @cached_property
    def _jumps_from(self) -> dict[int, list[Jump]]:
        jumps: dict[int, list[Jump]] = {}
        for jump in self.board.jumps:
            jumps.setdefault(jump.from_, []).append(jump)
        return jumps

    def _aim(self, start: int, direction: str) -> int:
        """Return the hole two steps in a direction, or -1."""
        if self.board.cells is None or self.board.lattice is None:
            return -1
        steps = [_DIRECTIONS[word.lower()] for word in re.findall("up|down|left|right|.+", direction, re.IGNORECASE)]
        dr, dc = (sum(step[axis] for step in steps) for axis in (0, 1))
        if self.board.lattice.staggered and dr and dc:  # a skewed frame: down to the left is straight down
            dc = (dc + dr) // 2
        elif self.board.lattice.staggered and dr:
            return -1
        r, c = self.board.cells[start]
        return self._index.get((r + 2 * dr, c + 2 * dc), -1)

    def _numbers_of_jumps(self) -> Iterator[ReadSolution]:
        """Read numbers of the jumps rightwards, leftwards, upwards and downwards, in each block row by row."""
        words = [(int(match[0]), match.start()) for match in re.finditer(r"\d+", self.text)]
        if self.board.cells is None or re.search(r"[^\W\d_]", self.text):
            return
        cells = self.board.cells
        jumps = sorted(self.board.jumps, key=lambda jump: _block(cells[jump.from_], cells[jump.to]))
        for base in (0, 1):
            if words and all(base <= number < len(jumps) + base for number, _ in words):
                found = [jumps[number - base] for number, _ in words]
                places = [at for _, at in words]
                yield ReadSolution(found, places, f"numbers of the {len(jumps)} jumps from {base}")


def _block(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """Return the order of a jump among all: its direction, then the leftmost or topmost hole of its line."""
    direction = 0 if end[1] > start[1] else 1 if end[1] < start[1] else 2 if end[0] < start[0] else 3
    return direction, min(start, end)
