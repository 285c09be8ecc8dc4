"""Read jumps from lines, lists and sentences: holes among words, which may say how a peg goes, in several languages."""

import re
from collections.abc import Iterator

from pegcp.errors import InputError, line_and_column, refuse_if
from pegcp.formats.namings import Naming, name_parts
from pegcp.game import Board, Jump, read_hole
from pegcp.game.notation import FORM, JOIN, Chain, Part, join_parts, jumps_of_chain

_COMMENT = re.compile(r"#(?!\d).*|(?:^[ \t]*;|;[ \t]*[A-Za-z]{3,}).*", re.MULTILINE)  # a semicolon also parts jumps
_LIST = re.compile(r"[\[({]([^][(){}]*)[])}]")  # without lists inside
_DEEPEST_LIST = 9
_MOST_GAPS = 20  # lines that are left out
_NOTE = re.compile(  # in prose: comments, the number of a line, how many pegs are left, signs between words
    r"^[ \t]*(?:;|#(?!\d)).*|//.*|\b\d+[ \t]+pegs?\b.{0,99}?\b(?:left|remain).*"
    r"|^[ \t]*+(?:(?!pegs?\b|holes?\b|row\b|from\b)[^\W\d_]{2,12}\.?[ \t]*+)?"
    r"(?:#\d+[.):]?(?![^\n]*#)|\d+[ \t]*[.):º°ª]+-?)[ \t]+|^[ \t]*\[\d+,\]"
    r"|</?[a-z][^<>\n]*>|&\w+;|\\item|\\(?=\w)|(?<=\w)[=:](?=[\w\"'])|[\"'`|#/$]",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = re.compile(r"[↑↓←⇨↖↗↘↙]|[A-Za-z]?\d{1,3}(?=[UDLRNSEW](?!\w))|[^\s,;()\[\]{}↑↓←⇨↖↗↘↙]+")
_ROLES = {  # of a hole, by the word before it
    "from": re.compile("from|von|de|desde"),
    "to": re.compile("to|into|x|onto|lands?|landing"),
    "over": re.compile("over|jump(s|ed|ing)?|across|captur.*|remov.*|eat.*|tak.*|hop.*|x"),
}
_DIRECTIONS = {  # words and signs in several languages
    (-1, 0): "up u north n ↑ 上 oben hoch rauf nord haut arriba norte cima su omhoog boven góra вверх",
    (1, 0): "down d south s ↓ 下 unten runter süd bas abajo sur sul baixo giù omlaag beneden dół вниз",
    (0, 1): "right r east e ⇨ 右 rechts ost droite droit derecha este direita destra est prawo вправо",
    (0, -1): "left l west w ← 左 links gauche izquierda oeste esquerda sinistra ovest lewo влево",
}
_UP, _RIGHT = (
    {word: sum(way) for way, words in _DIRECTIONS.items() if way[axis] for word in words.split()} for axis in (0, 1)
)
WAYS = {  # rows downwards, columns to the right
    **{word: (rows, 0) for word, rows in _UP.items()},
    **{word: (0, columns) for word, columns in _RIGHT.items()},
    **{f"{up}{sign}{right}": (_UP[up], _RIGHT[right]) for up in _UP for right in _RIGHT for sign in ("", "-", "_")},
    "↖": (-1, -1),
    "↗": (-1, 1),
    "↘": (1, 1),
    "↙": (1, -1),
}
_LETTERED = re.compile("[A-Za-z]{1,2}[0-9]{1,2}")  # the name of a hole, perhaps of another board


class JumpReader:
    """A reader of a text of jumps, whose errors have line and column.

    Holes are written by a ``naming``, or else by their names on the board. ``prose``: words may stand between them.
    ``lenient``: lines that cannot be read are left out.
    """

    def __init__(
        self, board: Board, text: str, source: str, naming: Naming | None, *, prose: bool = False, lenient: bool = False
    ) -> None:
        self.board, self.text, self.source, self.naming = board, text, source, naming
        self.prose, self.lenient = prose, lenient
        self.size = 1 if naming is None or naming.has_letters else naming.size
        self.is_lettered = (naming is None or naming.has_letters) and _LETTERED.fullmatch(board.holes[0]) is not None
        self.bare = (_NOTE if prose else _COMMENT).sub(lambda note: " " * len(note[0]), text)
        self.jumps_with_places: list[tuple[int, Jump]] = []  # the jumps read so far, each behind its place
        self.gaps: list[int] = []  # where lines begin that are left out

    def error(self, message: str, at: int = 0, hole: str = "") -> InputError:
        """Return an error at a character of the text; a text without a source is short, and needs no line."""
        line, column = line_and_column(self.text, at) if self.source else (None, None)
        return InputError(message, source=self.source or None, line=line, column=column, hole=hole)

    def hole(self, name: str, at: int) -> int:
        """Return the hole of a name, or of numbers joined by commas."""
        try:
            if self.naming is None or not (self.naming.has_letters or name.replace(",", "").isdecimal()):
                return read_hole(self.board, name.rpartition(",")[2])
            is_strange = name_parts(name) not in self.naming.holes
            refuse_if(is_strange, f"{name} is not a hole of board {self.board.name} with {self.naming.words}")
            return self.naming.holes[name_parts(name)]
        except InputError as error:
            raise self.error(error.message, at, name) from None

    def jumps(self, most: float = float("inf")) -> list[Jump]:
        """Return all jumps, or a few more than the first ``most``. Raises InputError with line and column."""
        for at, unit in self._units():
            try:
                chains = self._chains(unit, at)
                self.jumps_with_places += [(chain[0].at, jump) for chain in chains for jump in self._jumps(chain)]
            except InputError:
                if not self.lenient or len(self.gaps) > _MOST_GAPS:
                    raise
                self.gaps.append(at)
            if len(self.jumps_with_places) > most:
                break
        return [jump for _, jump in self.jumps_with_places]

    def _jumps(self, chain: Chain) -> list[Jump]:
        try:
            return jumps_of_chain(self.board, chain)
        except InputError as error:
            raise self.error(error.message, chain[0].at) from None

    def _units(self) -> Iterator[tuple[int, str]]:
        """Yield the lines of the text and its lists of several holes, each behind its place."""
        text = self.bare
        for _ in range(_DEEPEST_LIST):
            text = _LIST.sub(self._flat, text)
        for unit in re.finditer(r"[^;\n]+", text):
            yield unit.start(), unit[0]
        sign = re.search(r"[\[({]" if self.lenient else r"[\[\](){}]", text)
        if sign:
            raise self.error(f'"{sign[0]}" without its other half', sign.start())

    def _flat(self, match: re.Match[str]) -> str:
        """Return a list as a line of its own if it has several holes, or else without its brackets."""
        holes = sum(self._is_hole(piece.strip(".:!?*")) for pieces in self._words(match[1]) for _, piece in pieces)
        sign = ";" if ";" in match[1] or holes // self.size > 1 else " "
        return sign + match[1].replace("\n", " ") + sign

    def _words(self, text: str) -> Iterator[list[tuple[int, str]]]:
        """Yield the words of a text, each as the pieces between signs that join holes, behind their places."""
        for word in _WORD.finditer(text):
            is_whole = word[0].lower() in WAYS or (self.naming is None and self.board.has_hole(word[0]))
            joins = [] if is_whole else [*JOIN.finditer(word[0])]
            starts = (0, *(join.end() for join in joins))
            ends = (*(join.start() for join in joins), len(word[0]))
            yield [(word.start() + a, word[0][a:b]) for a, b in zip(starts, ends, strict=True)]

    def _is_hole(self, word: str) -> bool:
        """Tell whether a word is a number, where holes are numbers, or the name of a hole, perhaps in capitals."""
        if self.naming is None:
            return self.board.has_hole(word) or self.board.has_hole(word.lower())
        return name_parts(word) in self.naming.holes if self.naming.has_letters else word.isdecimal()

    def _chains(self, unit: str, at: int) -> list[Chain]:
        """Return the holes and ways of a line or list at a character of the text, as they are joined."""
        parts, role, numbers, strangers, is_prose = list[Part](), "", list[str](), list[tuple[str, int]](), False
        for pieces in self._words(unit):
            if len(parts) > 6 * len(self.board) and len(parts) % 6 == 0:  # more than a solution has
                break
            is_of_jump = not self.prose or (len(pieces) > 1 and any(self._is_hole(piece) for _, piece in pieces))
            for number, (start, piece) in enumerate(pieces):
                role = "to" if number and parts else role
                word, place = piece.strip(".:!?*") if self.prose else piece, at + start
                name = word.lower() if self.prose else ""
                other = next((role for role, words in _ROLES.items() if words.fullmatch(name)), "")
                if self._is_hole(word) or (word and is_of_jump and not other and name not in WAYS):
                    numbers.append(word)
                    if len(numbers) == self.size:
                        part = Part(self.hole(",".join(numbers), place), place, role)
                        is_late = role == "over" and any(before.role == "to" for before in parts[-1:])
                        parts.insert(len(parts) - is_late, part)
                        role, numbers = "", []
                elif name in WAYS:
                    parts.append(Part(-1, place, "", WAYS[name]))
                elif other:
                    role, is_prose = other if parts else "", True
                elif word:
                    is_prose = True
                    if self.is_lettered and _LETTERED.fullmatch(word) and not piece.endswith(":"):  # no label
                        strangers.append((word, place))
                        if role:
                            self.hole(word, place)
        if role and not self.prose:
            self.hole("", at + len(unit.rstrip()))
        chains = join_parts(parts)
        lone = sum(len(chain) for chain in chains if not any(part.role or part.hole < 0 for part in chain[1:]))
        if strangers and lone + len(strangers) > 1:
            self.hole(*strangers[0])
        if numbers and (not is_prose or lone + len(numbers) > 1):
            raise self.error(FORM)
        return [chain for chain in chains if len(chain) > 1 or not is_prose]
