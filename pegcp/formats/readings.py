"""Readings that a text of a solution may have: what its jumps are, by each notation and each numbering of the holes."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise, product, repeat, takewhile
from typing import NamedTuple

from pegcp.errors import InputError, name_source, refuse_if
from pegcp.formats.numberings import (
    LETTERED,
    Numbering,
    drawn_spellings,
    fitting_numberings,
    other_spellings,
    usual_numberings,
)
from pegcp.formats.passages import UNITS, WORD, alike, arrangements, as_text, is_open, says_much, without_prose
from pegcp.formats.pictures import read_pictures
from pegcp.game import Cell, Jump, JumpReader, Problem

_LONGEST_STORY = 100_000  # characters of which each reading is tried; 10,000 jumps are fewer
_LONGEST_PAGE = 1_000_000  # characters, most of them for a browser
_LONGEST_RIDDLE = 20_000  # characters of which unusual readings are tried
_MOST_PLACES = 200  # holes of a board of which unusual numberings are tried
_ACTION = re.compile(r"[^(]*\(\s*([A-Za-z][A-Za-z_-]*)(?:\s[^()]*)?\)")  # the first in parentheses
_KEY = re.compile(r"\A\s*(?:(?:const|let|var)\s+)?\w+\s*[:=]\s*(?:[A-Za-z.]+\()?")  # before a list
_HOLE = re.compile(r"(?<![\w.])[A-Za-z]{0,2}\d{1,4}(?!\w|\.\d)")
_ROLES = ((0, 2), (0, 1, 2), (0, 1), (0, 2, 1))  # which holes of a jump are written, in which order
_SENTENCES = re.compile(  # a blank between two of them
    r"(?:(?<=[^\W\d_][.!?:])|(?<=[^\W\d_] :)) |(?:(?<=\S \d[.!?])|(?<=\S \d\d[.!?])|(?<=\)[.!?])) (?=[A-Z][a-z])"
    r"|(?<=[a-z]\d\.) (?=[a-z]\d)"
)

Fault = tuple[int, InputError]  # of a reading that failed, and how many legal jumps were read before


class SolutionReading(NamedTuple):
    """The jumps of a text, the characters of the text at which they begin, how it was read, in words, and the
    characters at which lines begin that were left out."""

    jumps: list[Jump]
    places: list[int]
    read_as: str
    gaps: Sequence[int] = ()


class Readings:
    """The readings of a text of a solution of a problem.

    ``usual`` is the one without words between the holes, None if it failed; ``plain`` are those so far by usual names
    and numberings; ``faults`` is what was wrong in those that failed.
    """

    def __init__(self, problem: Problem, text: str, source: str, numbering: str | None) -> None:
        self.problem, self.board, self.text, self.source = problem, problem.board, text, source
        self.numbering = numbering
        self.usual: SolutionReading | None = None
        self.plain = list[SolutionReading]()
        self.faults = list[Fault]()

    def read_as_usual(self) -> SolutionReading:
        """Read JSON, a plan, or jumps without words between their holes. Raises InputError with line and column."""
        problem, text = self.problem, self.text
        reader = JumpReader(self.board, text, self.source, self.numbering or "letters")
        if text.lstrip().startswith(("{", "[")):
            return _read_json(reader)
        action = _ACTION.match(reader.bare) or (_ACTION.match(text) if text.lstrip().startswith("(") else None)
        if action and not self.board.has_hole(action[1]):
            from pegcp.formats.pddl import read_plan

            return SolutionReading(read_plan(problem, text, self.source), [], "")
        jumps = reader.jumps(len(problem.start))
        if not jumps and (sign := re.search(r"[^\s()\[\]{},]", reader.bare)):
            raise reader.error("there are no jumps in this text", sign.start())
        return SolutionReading(jumps, reader.places, "")

    def ways(self) -> Iterator[Sequence[SolutionReading]]:
        """Yield the readings in groups, those first that are taken if they are right."""
        try:
            self.usual = self.read_as_usual()
            self.plain.append(self.usual)
        except InputError as error:
            self.faults.append((0, error))
        yield [*self.plain]
        with name_source(self.source):
            text = as_text(self.text) if len(self.text) < _LONGEST_PAGE else self.text
        if len(text) > _LONGEST_STORY:
            return
        forms = [alike(*form) for form in (*product((text,), UNITS), (self.text, UNITS[0]))]
        stories = [*dict.fromkeys((text, without_prose(text), *filter(None, forms[:2])))]
        numberings = usual_numberings(self.board, self.numbering)
        for story in stories:
            self.plain += self._read_prose(story, lambda _: numberings)
        for form in dict.fromkeys([*forms, "" if re.search(r"[^\W\d_]{2}", text) else text]):
            self.plain += self._read_columns(form, numberings)
        self.plain += self._read_numbers_of_jumps(text)
        self.plain += self._read_clicks(text, numberings)
        if len(text) != len(self.text):  # so the places are not those of the text
            self.plain = [reading._replace(places=[]) for reading in self.plain]
        for way in (self.plain, chain(*map(self._read_unusual, stories))):
            forwards = [*way]
            yield forwards
            yield [
                SolutionReading(jumps[::-1], at[::-1], f"{words}, in reverse order of play".removeprefix(", "), gaps)
                for jumps, at, words, gaps in forwards
                if at
            ]

    def _read_prose(
        self, text: str, numberings: Callable[[str], Iterable[Numbering]], *, is_certain: bool = True
    ) -> Iterator[SolutionReading]:
        """Yield each reading in which all that is written are jumps of the board, in the order that is written.

        ``numberings`` returns those of the holes that a text without names may have. A fault counts where it is certain
        that there are jumps.
        """
        board = self.board
        with_letters_first = re.sub(r"\b(\d+)([A-Za-z])\b", r"\2\1", text)  # holes by row and the letter of the column
        if not re.search(r"\d", text) and LETTERED.fullmatch(board.holes[0]):
            return
        has_names = any(
            board.has_hole(name) for word in WORD.findall(with_letters_first) for name in (word, word.lower())
        )
        text = with_letters_first if has_names else text
        source = self.source if is_certain else ""
        for written in arrangements(text):
            for count, words, holes in [(0, "", {})] if has_names else numberings(written):
                read = partial(_hole_at, words, holes) if count else None
                for story, lenient in ((written, False), (_SENTENCES.sub("\n", written), True)):
                    reader = JumpReader(
                        board, story, source, "letters", prose=True, lenient=lenient, numbers=count, read=read
                    )
                    try:
                        jumps = reader.jumps(len(self.problem.start))
                        if jumps and all(says_much(story, gap) for gap in reader.gaps):
                            places = reader.places if len(written) == len(text) else []
                            yield SolutionReading(jumps, places, words, reader.gaps)
                        break
                    except InputError as error:
                        most, _ = count_legal_jumps(self.problem, [jump for _, jump in reader.before])
                        self.faults += [(most, error)] * is_certain

    def _read_columns(self, text: str, numberings: Iterable[Numbering]) -> Iterator[SolutionReading]:
        """Yield the jumps of a text in which as many holes are each of them, which may be counted: from and to, from
        and over, or all three."""
        words = [*_HOLE.finditer(re.sub(r"(?<=\d)[x×*:](?=\d)", " ", text))]
        numbers = [int(word[0]) if word[0].isdecimal() else word[0].lower() for word in words]
        keys = [(roles, {tuple(jump[role] for role in roles): jump for jump in self.board.jumps}) for roles in _ROLES]
        for (count, in_words, holes), (roles, jumps), number in product(numberings, keys, (0, 1)):
            width = count * len(roles) + number
            rows = [numbers[i : i + width] for i in range(0, len(numbers), width)]
            counters = [row[0] for row in rows if isinstance(row[0], int)] if number else []
            is_counted = len(counters) == len(rows) and {b - a for a, b in pairwise(counters)} in ({1}, {-1})
            if not rows or len(rows[-1]) < width or (number and not is_counted):
                continue
            places = ([holes.get((*row[i : i + count],), -1) for i in range(number, width, count)] for row in rows)
            column_jumps = [jump for jump in takewhile(bool, (jumps.get(tuple(place)) for place in places)) if jump]
            if len(column_jumps) == len(rows):
                yield SolutionReading(column_jumps, [word.start() for word in words[number::width]], in_words)

    def _read_numbers_of_jumps(self, text: str) -> Iterator[SolutionReading]:
        """Yield what a text of numbers of the jumps of the board may mean."""
        are_holes = {*map(len, map(str.split, text.strip().split("\n")))} <= {2, 3}
        is_list = self.board.cells is not None and re.fullmatch(r"[\[({]?[\d\s,;]+[\])}]?", text.strip())
        numbers = [*re.finditer(r"\d+", text)] if is_list and not are_holes else []
        jumps = sorted(self.board.jumps, key=partial(_block, self.board.cells or ())) if numbers else []
        for base in (0, 1):
            if numbers and all(len(n[0]) < 7 and base <= int(n[0]) < len(jumps) + base for n in numbers):
                yield SolutionReading(
                    [jumps[int(n[0]) - base] for n in numbers],
                    [n.start() for n in numbers],
                    f"numbers of the {len(jumps)} jumps from {base}",
                )

    def _read_clicks(self, text: str, numberings: Iterable[Numbering]) -> Iterator[SolutionReading]:
        """Yield the jumps to a solution in a list of holes alone: a peg goes on to the next hole as long as it can, or
        else the next hole is that of another peg; the first may be that of no peg."""
        bare = _KEY.sub("", text)
        words = [] if is_open(bare) or re.search(r"[^\W\d_]{2}", bare) else _HOLE.findall(bare)
        for _, in_words, holes in [numbering for numbering in numberings if numbering[0] == 1]:
            position, jumps, at, is_stray = self.problem.start.mask, list[Jump](), -1, False
            for number, word in enumerate(words):
                hole = holes.get((int(word) if word.isdecimal() else word.lower(),), -1)
                near = self.board.jumps_from[at] if at >= 0 else []
                fits = [jump for jump in near if jump.to == hole and jump.is_legal(position)]
                if hole < 0 or (is_stray and not fits and number > 1):
                    break
                position ^= fits[0].mask if fits else 0
                jumps += fits[:1]
                at, is_stray = hole, not fits
            else:
                if self.problem.is_goal(position) and jumps:
                    yield SolutionReading(jumps, [], f"{in_words}, a peg going on where it can")

    def _read_unusual(self, text: str) -> Iterator[SolutionReading]:
        """Yield readings by numberings that are no standard, or that are drawn in the text."""
        board = self.board
        if board.cells is None or self.numbering not in (None, "letters") or len(text) > _LONGEST_RIDDLE:
            return
        for jumps, words in read_pictures(self.problem, text, self.source, self.faults):
            yield SolutionReading(jumps, [], words)
        for words, spelling, pattern, story in [*drawn_spellings(board, text), *other_spellings(board, text)]:
            parts = pattern.split(story)  # with a name between two of them
            if len(parts) > 1 and spelling.keys() >= {*parts[1::2]}:
                usual_text = "".join(spelling.get(part, part) for part in parts)
                names = [(1, words, {(hole,): number for number, hole in enumerate(board.holes)})]
                for reading in (
                    *self._read_prose(usual_text, lambda _: [], is_certain=story != text),
                    *(jumps for unit in UNITS for jumps in self._read_columns(alike(usual_text, unit), names)),
                ):
                    yield reading._replace(read_as=words, places=reading.places if len(usual_text) == len(text) else [])
        if self.numbering is None and len(board.holes) <= _MOST_PLACES:
            if re.search(r"[(,]\s*[-−]\d", text):  # columns and rows from the middle
                text = re.sub(r"(?<![\w)\]}])[-−]?\b\d{1,2}\b", lambda n: str(int(n[0].replace("−", "-")) + 50), text)
            yield from self._read_prose(text, partial(fitting_numberings, board), is_certain=False)
            for form in [alike(text, unit) for unit in UNITS]:
                yield from self._read_columns(form, fitting_numberings(board, form))


def count_legal_jumps(problem: Problem, jumps: Sequence[Jump]) -> tuple[int, bool]:
    """Count the jumps that can be made, from the first to one that cannot; tell whether they are a solution."""
    position = problem.start.mask
    for number, jump in enumerate(jumps):
        if not jump.is_legal(position):
            return number, False
        position ^= jump.mask
    return len(jumps), problem.is_goal(position)


def _hole_at(words: str, holes: dict[tuple[int, ...], int], numbers: str) -> int:
    """Return the hole at numbers. Raises InputError if there is none."""
    place = tuple(int(number[:9]) for number in numbers.split(","))
    refuse_if(place not in holes, f"{numbers} is no hole with {words}")
    return holes[place]


def _block(cells: Sequence[Cell], jump: Jump) -> tuple[int, Cell]:
    """Return the order of a jump among all: rightwards, leftwards, upwards and downwards, in each block row by row."""
    start, end = cells[jump.from_], cells[jump.to]
    direction = 0 if end[1] > start[1] else 1 if end[1] < start[1] else 2 if end[0] < start[0] else 3
    return direction, min(start, end)


def _read_json(reader: JumpReader) -> SolutionReading:
    try:
        data = json.loads(reader.text)
    except (RecursionError, ValueError) as error:
        fault = getattr(error, "msg", "nested too deeply, or a number with too many digits")
        raise reader.error(f"not valid JSON: {fault}", getattr(error, "pos", 0)) from None
    jumps = data.get("jumps") if isinstance(data, dict) else data
    if not isinstance(jumps, list):
        raise reader.error('no solution in this JSON: it needs "jumps", a list of triples of hole names')
    # The JSON reader gives no places; a triple is a list without lists inside.
    solution = SolutionReading([], [match.start() for match in re.finditer(r"\[[^\[\]]*\]", reader.text)], "")
    for step, (jump, at) in enumerate(zip(jumps, chain(solution.places, repeat(0)), strict=False)):
        if not isinstance(jump, list) or len(jump) != 3 or not all(type(hole) in (str, int) for hole in jump):
            raise reader.error(f"jump {step + 1} must be three holes: from, over, to", at)
        solution.jumps.append(Jump(*(reader.hole(str(name), at) for name in jump)))
    return solution
