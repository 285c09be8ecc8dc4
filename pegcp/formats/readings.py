"""Readings that a text of a solution may have: what its jumps are, by each notation and each numbering of the holes."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat, starmap
from typing import NamedTuple

from pegcp.errors import InputError, name_source
from pegcp.formats.namings import Naming, alphabets, drawn_names, letterings, numberings, offset_namings
from pegcp.formats.passages import HOLE_NAME, as_text, cut_to_joined_holes, says_much, without_prose
from pegcp.formats.pictures import read_pictures
from pegcp.formats.prose import JumpReader
from pegcp.formats.rows import read_rows
from pegcp.game import Cell, Jump, Problem

_LONGEST_STORY = 100_000  # characters of which each reading is tried; 10,000 jumps are fewer
_LONGEST_PAGE = 1_000_000  # characters, most of them for a browser
_LONGEST_RIDDLE = 20_000  # characters of which unusual readings are tried
_MOST_HOLES = 200  # holes of a board of which unusual numberings are tried
_ACTION = re.compile(r"[^(]*\(\s*([A-Za-z][A-Za-z_-]*)(?:\s[^()]*)?\)")  # the first in parentheses
_SENTENCES = re.compile(  # a blank between two of them
    r"(?:(?<=[^\W\d_][.!?:])|(?<=[^\W\d_] :)) |(?:(?<=\S \d[.!?])|(?<=\S \d\d[.!?])|(?<=\)[.!?])) (?=[A-Z][a-z])"
    r"|(?<=[a-z]\d\.) (?=[a-z]\d)"
)


class SolutionReading(NamedTuple):
    """The jumps of a text, the characters of the text at which they begin, how it was read, in words, and the
    characters at which lines begin that were left out."""

    jumps: list[Jump]
    places: list[int]
    read_as: str
    gaps: Sequence[int] = ()


Fault = tuple[int, InputError]  # how many legal jumps were read before a reading failed, and why it failed


def read_as_usual(problem: Problem, text: str, source: str, numbering: str | None) -> SolutionReading:
    """Read JSON, a plan, or jumps without words between their holes. Raises InputError with line and column."""
    naming = next(iter(numberings(problem.board, numbering)), None) if numbering else None
    reader = JumpReader(problem.board, text, source, naming)
    if text.lstrip().startswith(("{", "[")):
        return _read_json(reader)
    action = _ACTION.match(reader.bare) or (_ACTION.match(text) if text.lstrip().startswith("(") else None)
    if action and not problem.board.has_hole(action[1]):
        from pegcp.formats.pddl import read_plan

        return SolutionReading(read_plan(problem, text, source), [], "")
    jumps = reader.jumps(len(problem.start))
    if not jumps and (sign := re.search(r"[^\s()\[\]{},]", reader.bare)):
        raise reader.error("there are no jumps in this text", sign.start())
    return SolutionReading(jumps, [place for place, _ in reader.jumps_with_places], "")


def read_in_groups(
    problem: Problem, text: str, source: str, numbering: str | None
) -> Iterator[list[SolutionReading | Fault]]:
    """Yield the readings of a text in groups, those first that are taken if they are right: the usual one; rows that
    are alike; sentences; both in reverse order; and unusual ones."""
    try:
        yield [read_as_usual(problem, text, source, numbering)]
    except InputError as error:
        yield [(0, error)]
    with name_source(source):
        plain = as_text(text) if len(text) < _LONGEST_PAGE else text
    if len(plain) > _LONGEST_STORY:
        return
    is_moved = len(plain) != len(text)  # so the places are not those of the text
    board, usual = problem.board, numberings(problem.board, numbering)
    stories = dict.fromkeys((plain, without_prose(plain)))
    rows = [*starmap(SolutionReading, read_rows(problem, plain, [*letterings(board)[:2], *usual]))]
    yield _with_places(rows, not is_moved)
    is_named = any(board.has_hole(name) for word in HOLE_NAME.findall(plain) for name in (word, word.lower()))
    names = [None] if is_named else usual
    prose = [reading for story in stories for reading in _read_prose(problem, story, source, names)]
    yield _with_places(prose, not is_moved)
    yield _with_places(_backwards([*rows, *prose]), not is_moved)
    if board.cells and numbering in (None, "letters") and len(plain) <= _LONGEST_RIDDLE:
        odd = [reading for story in stories for reading in _read_odd(problem, story, source, numbering)]
        yield odd
        yield _backwards(odd)


def _with_places(readings: Sequence[SolutionReading | Fault], has_places: bool) -> list[SolutionReading | Fault]:
    """Return readings without their places if these are not those of the text."""
    return [
        reading if has_places or not isinstance(reading, SolutionReading) else reading._replace(places=[])
        for reading in readings
    ]


def _backwards(readings: Iterable[SolutionReading | Fault]) -> list[SolutionReading | Fault]:
    """Return readings of jumps that stand in a text in reverse order of play."""
    return [
        SolutionReading(jumps[::-1], places[::-1], f"{words}, in reverse order of play".removeprefix(", "), gaps)
        for jumps, places, words, gaps in (reading for reading in readings if isinstance(reading, SolutionReading))
        if places
    ]


def _read_prose(
    problem: Problem, text: str, source: str, namings: Iterable[Naming | None]
) -> Iterator[SolutionReading | Fault]:
    """Yield each reading in which all that is written are jumps of the board, in the order that is written."""
    for naming in namings:
        for story, lenient in ((text, False), (_SENTENCES.sub("\n", text), True)):
            reader = JumpReader(problem.board, story, source, naming, prose=True, lenient=lenient)
            try:
                jumps = reader.jumps(len(problem.start))
                if jumps and all(says_much(story, gap) for gap in reader.gaps):
                    places = [place for place, _ in reader.jumps_with_places]
                    yield SolutionReading(jumps, places, naming.words if naming else "", reader.gaps)
                break
            except InputError as error:
                most, _ = count_legal_jumps(problem, [jump for _, jump in reader.jumps_with_places])
                yield most, error


def _read_odd(problem: Problem, text: str, source: str, numbering: str | None) -> Iterator[SolutionReading | Fault]:
    """Yield unusual readings: by drawings, numbers of jumps, names that are drawn, odd tables, joined holes."""
    board, faults = problem.board, list[tuple[int, InputError]]()
    for jumps, words in read_pictures(problem, text, source, faults):
        yield SolutionReading(jumps, [], words)
    yield from faults
    yield from _read_numbers_of_jumps(problem, text)
    for naming, story in drawn_names(board, text):
        yield from _read_prose(problem, story, source, [naming])
        yield from starmap(SolutionReading, read_rows(problem, story, [naming]))
    strange = [*letterings(board)[2:], *alphabets(board)]
    usual = [*letterings(board), *numberings(board, numbering)]
    yield from starmap(SolutionReading, read_rows(problem, text, usual, is_odd=True))
    yield from starmap(SolutionReading, read_rows(problem, text, strange))
    numbers = [*map(int, re.findall(r"\d{1,6}", text))]
    if numbering is None and len(board) <= _MOST_HOLES:
        yield from starmap(SolutionReading, read_rows(problem, text, None))
        strange += offset_namings(board, numbers)
    parts = [
        _read_prose(problem, part, "", [None, *numberings(board, numbering)]) for part in cut_to_joined_holes(text)
    ]
    for reading in chain(*parts, _read_prose(problem, text, "", strange)):
        if isinstance(reading, SolutionReading):
            yield reading


def _read_numbers_of_jumps(problem: Problem, text: str) -> Iterator[SolutionReading]:
    """Yield what a list of numbers of the jumps of the board means."""
    numbers = [*re.finditer(r"\d{1,6}", text)] if re.fullmatch(r"\W*\d[\d\s,;]++\W*", text) else []
    jumps = sorted(problem.board.jumps, key=partial(_block, problem.board.cells or ())) if numbers else []
    for base in (0, 1):
        if numbers and all(base <= int(number[0]) < len(jumps) + base for number in numbers):
            words = f"numbers of the {len(jumps)} jumps from {base}"
            places = [number.start() for number in numbers]
            yield SolutionReading([jumps[int(number[0]) - base] for number in numbers], places, words)


def count_legal_jumps(problem: Problem, jumps: Sequence[Jump]) -> tuple[int, bool]:
    """Count the jumps that can be made, from the first to one that cannot; tell whether they are a solution."""
    position = problem.start.mask
    for number, jump in enumerate(jumps):
        if not jump.is_legal(position):
            return number, False
        position ^= jump.mask
    return len(jumps), problem.is_goal(position) and all(map(problem.board.has_jump, jumps))


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
