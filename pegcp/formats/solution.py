"""Reads the jumps of a solution from text: what ``pegcp check`` accepts.

* JSON as ``pegcp solve --json`` prints it (an object with ``jumps``), or a list of triples of hole names;
* a plan: ``(jump d2 d3 d4)`` and whatever else :func:`pegcp.formats.pddl.read_plan` knows;
* triples in parentheses, ``(32 39 46)``, in any numbering;
* one jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``;
* block-numbered jumps, ``61 47 13``, with ``numbering="blocks"``.

``#`` and ``;`` begin a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise

from pegcp.errors import InputError, place
from pegcp.game.board import Board, Jump
from pegcp.game.notation import block_numbered_jumps, read_hole
from pegcp.game.problem import Problem

_COMMENT = re.compile(r"[#;].*")
_GROUP = re.compile(r"\(([^()]*)\)")
_ACTION = re.compile(r"[A-Za-z][A-Za-z_-]*")
_JOIN = re.compile(r"-+>?|[–→]|(?<=\d)x(?=[A-Za-z])")
_SPACED_JOIN = re.compile(r"(?<![ \t])[ \t]+(-++>?|[–→])[ \t]+")
_CELL = r"\(\s*\d+\s*,\s*\d+\s*\)"
_WORDS = re.compile(r"\((?P<group>[^()]*)\)|[^\s,()]+|[()]")
_CELL_WORDS = re.compile(rf"{_CELL}(?:[-→>–]+{_CELL})*|[^\s,]+")

Hole = tuple[int, int]  # a hole and where in the text it is written


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str = "letters") -> list[Jump]:
    """The jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.notation.SCHEMES`, or ``blocks`` for numbered jumps.
    Raises InputError with line and column.
    """
    reader = _Reader(problem.board, text, source, numbering)
    if text.lstrip().startswith(("{", "[")):
        return reader.json()
    if numbering == "blocks":
        return reader.blocks()
    if reader.is_plan():
        from pegcp.formats.pddl import read_plan

        return read_plan(problem, text, source)
    return reader.jumps()


class _Reader:
    """A text with its board and numbering; knows where an error is."""

    def __init__(self, board: Board, text: str, source: str, numbering: str) -> None:
        self.board, self.text, self.source, self.numbering = board, text, source, numbering
        bare = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
        self.bare = _SPACED_JOIN.sub(lambda join: "-" * len(join[0]), bare)
        self.middles: dict[tuple[int, int], list[int]] = {}
        for a, over, b in board.lines:
            self.middles.setdefault((a, b), []).append(over)

    def error(self, message: str, at: int = 0) -> InputError:
        line, column = place(self.text, at)
        return InputError(message, source=self.source, line=line, column=column)

    def hole(self, name: str, at: int) -> Hole:
        try:
            return read_hole(self.board, name, self.numbering), at
        except InputError as error:
            raise self.error(error.message, at) from None

    def json(self) -> list[Jump]:
        try:
            data = json.loads(self.text)
        except json.JSONDecodeError as error:
            raise self.error(f"not valid JSON: {error.msg}", error.pos) from None
        except (RecursionError, ValueError):
            raise self.error("not valid JSON: nested too deeply, or a number with too many digits") from None
        jumps = data.get("jumps") if isinstance(data, dict) else data
        if not isinstance(jumps, list):
            raise self.error('no solution in this JSON: it needs "jumps", a list of triples of hole names')
        # The JSON reader does not tell where things stand; a triple is a list without lists inside.
        places = [match.start() for match in re.finditer(r"\[[^\[\]]*\]", self.text)]
        found = []
        for step, jump in enumerate(jumps):
            at = places[step] if step < len(places) else 0
            if not isinstance(jump, list) or len(jump) != 3 or not all(type(hole) in (str, int) for hole in jump):
                raise self.error(f"jump {step + 1} must be three holes: from, over, to", at)
            found.append(self.triple([self.hole(str(name), at) for name in jump]))
        return found

    def blocks(self) -> list[Jump]:
        numbered = block_numbered_jumps(self.board)
        found = []
        for word in re.finditer(r"[^\s,]+", self.bare):
            number = word[0].lstrip("0") or "0"
            if not number.isascii() or not number.isdigit() or len(number) > 9 or int(number) >= len(numbered):
                message = f'"{word[0][:20]}" is not the number of a jump: they run from 0 to {len(numbered) - 1}'
                raise self.error(message, word.start())
            found.append(numbered[int(number)])
        return found

    def is_plan(self) -> bool:
        """Whether the first parentheses hold an action, such as ``(jump d2 d3 d4)``, and not three holes."""
        group = _GROUP.search(self.bare)
        first = group[1].split()[:1] if group else []
        return bool(first and _ACTION.fullmatch(first[0]) and not self.board.has_hole(first[0]))

    def jumps(self) -> list[Jump]:
        words = _CELL_WORDS if self.numbering == "row-column" else _WORDS
        found: list[Jump] = []
        offset = 0
        for line in self.bare.split("\n"):
            single: list[Hole] = []
            for word in words.finditer(line):
                at = offset + word.start()
                if word[0] in "()":
                    raise self.error(f'"{word[0]}" without its other half', at)
                path = self.path(word[0], at)
                if len(path) == 1:
                    single += path
                    continue
                found += self.group(single)
                single = []
                if word[0].startswith("(") and words is _WORDS:
                    found += self.group(path)
                else:
                    found += [self.pair(*two) for two in pairwise(path)]
            found += self.group(single)
            offset += len(line) + 1
        return found

    def path(self, word: str, at: int) -> list[Hole]:
        """The holes of a word such as ``d2``, ``d2-d4-f4`` or ``(d2 d3 d4)``."""
        if self.numbering != "row-column" and word.startswith("("):
            return [self.hole(part[0], at + part.start()) for part in re.finditer(r"[^\s,()]+", word)]
        if self.board.has_hole(word):
            return [self.hole(word, at)]
        starts = [0, *(join.end() for join in _JOIN.finditer(word))]
        ends = [*(join.start() for join in _JOIN.finditer(word)), len(word)]
        return [self.hole(word[start:end], at + start) for start, end in zip(starts, ends, strict=True)]

    def group(self, holes: list[Hole]) -> list[Jump]:
        """Jumps of holes written one after the other: triples, or one pair."""
        if len(holes) == 2:
            return [self.pair(*holes)]
        if len(holes) % 3:
            raise self.error("a jump is three holes (from over to), or two joined by a hyphen (from-to)", holes[0][1])
        return [self.triple(holes[i : i + 3]) for i in range(0, len(holes), 3)]

    def triple(self, holes: Sequence[Hole]) -> Jump:
        return Jump(*(hole for hole, _ in holes))

    def pair(self, start: Hole, end: Hole) -> Jump:
        (a, at), (b, _) = start, end
        middles = self.middles.get((min(a, b), max(a, b)), [])
        name = f"{self.board.holes[a]} to {self.board.holes[b]}"
        if not middles:
            raise self.error(f"no jump leads from {name}", at)
        if len(middles) > 1:
            over = ", ".join(self.board.holes[middle] for middle in middles[:6])
            raise self.error(f"a jump from {name} may go over {over}: write all three holes, from over to", at)
        return Jump(a, middles[0], b)
