"""A reader and a writer of jumps as people write them.

One jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``; triples in
parentheses, ``(32 39 46)``. ``#`` and ``;`` begin a comment.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pegcp.errors import InputError, place
from pegcp.game.board import Board, Jump
from pegcp.game.hole_notation import read_hole

_COMMENT = re.compile(r"#(?!\d).*|(?:^[ \t]*;|;[ \t]*[A-Za-z]{3,}).*", re.MULTILINE)  # a semicolon also parts jumps
_JOIN = re.compile(r"-+>?|[–—‐‑−→]|(?<=\d)x(?=[A-Za-z])")
_SPACED_JOIN = re.compile(r"(?<![ \t])[ \t]+(-++>?|[–—‐‑−→])[ \t]+")
_WORDS = re.compile(r"\((?P<group>[^()]*)\)|[^\s,;()]+|[()]")

Hole = tuple[int, int]  # a hole and its place in the text


def read_jumps(board: Board, text: str) -> list[Jump]:
    """Read the jumps of a line such as ``d2-d4 b3-d3``, without checking that they can be made. Raises InputError."""
    try:
        return JumpReader(board, text, "", "letters").jumps()
    except InputError as error:
        raise InputError(error.message) from None


def jumps_of(board: Board, jumps: Iterable[Jump | str]) -> list[Jump]:
    """Return jumps that are given as such or by name, a name for one or several. Raises InputError."""
    try:
        lists = [read_jumps(board, jump) if isinstance(jump, str) else [Jump(*jump)] for jump in jumps]
    except TypeError:
        text = 'jumps are text, such as "d2-d4 b3-d3", or a list of such texts or of Jumps'
        raise InputError(text) from None
    return [jump for jumps in lists for jump in jumps]


def write_move(board: Board, move: Sequence[Jump]) -> str:
    """Write a jump or a sweep for :func:`read_jumps`: ``d2-d4-f4``, or if that is ambiguous ``(d2 d3 d4)``."""
    reader = JumpReader(board, "", "", "letters")
    holes = [move[0].from_, *(jump.to for jump in move)]
    name = "-".join(board.holes[hole] for hole in holes)
    clear = all(len(reader.middles[min(two), max(two)]) == 1 for two in pairwise(holes))
    if clear and len(_JOIN.split(name)) == len(holes) and not re.search(r"[\s,()#;]", name):
        return name
    return " ".join(f"({' '.join(board.jump_names(jump))})" for jump in move)


class JumpReader:
    """A reader of a text of jumps, whose errors have line and column."""

    def __init__(self, board: Board, text: str, source: str, numbering: str) -> None:
        self.board, self.text, self.source, self.numbering = board, text, source, numbering
        bare = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
        self.bare = _SPACED_JOIN.sub(lambda join: "-" * len(join[0]), bare)
        self.middles: dict[tuple[int, int], list[int]] = {}
        for a, over, b in board.lines:
            self.middles.setdefault((a, b), []).append(over)

    def error(self, message: str, at: int = 0) -> InputError:
        """An error at a character of the text."""
        line, column = place(self.text, at)
        return InputError(message, source=self.source, line=line, column=column)

    def hole(self, name: str, at: int) -> Hole:
        """A hole in the numbering of the text."""
        try:
            return read_hole(self.board, name, self.numbering), at
        except InputError as error:
            numbers = name.isdecimal() and self.source and self.numbering == "letters"
            hint = "; holes in numbers need the numbering zero, one or grid" if numbers else ""
            raise self.error(f"{error.message}{hint}", at) from None

    def jumps(self) -> list[Jump]:
        """All jumps. Raises InputError with line and column."""
        jumps: list[Jump] = []
        offset = 0
        for line in self.bare.split("\n"):
            single: list[Hole] = []
            for word in _WORDS.finditer(line):
                at = offset + word.start()
                if word[0] in "()":
                    raise self.error(f'"{word[0]}" without its other half', at)
                path = self.path(word[0], at)
                if len(path) == 1:
                    single += path
                    continue
                jumps += self.group(single)
                single = []
                if word[0].startswith("("):
                    jumps += self.group(path)
                else:
                    jumps += [self.pair(*two) for two in pairwise(path)]
            jumps += self.group(single)
            offset += len(line) + 1
        return jumps

    def path(self, word: str, at: int) -> list[Hole]:
        """The holes of a word such as ``d2``, ``d2-d4-f4`` or ``(d2 d3 d4)``."""
        if word.startswith("("):
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
        """A jump given by its three holes."""
        return Jump(*(hole for hole, _ in holes))

    def pair(self, start: Hole, end: Hole) -> Jump:
        """A jump given by its ends."""
        (a, at), (b, _) = start, end
        middles = self.middles.get((min(a, b), max(a, b)), [])
        name = f"{self.board.holes[a]} to {self.board.holes[b]}"
        if not middles:
            raise self.error(f"no jump leads from {name}", at)
        if len(middles) > 1:
            over = ", ".join(self.board.holes[middle] for middle in middles[:6])
            raise self.error(f"a jump from {name} may go over {over}: write all three holes, from over to", at)
        return Jump(a, middles[0], b)
