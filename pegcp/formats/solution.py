"""Read the jumps of a solution from text, in every form that ``pegcp check`` accepts:

* JSON as ``pegcp solve --json`` prints it (an object with ``jumps``), or a list of triples of hole names;
* a plan: ``(jump d2 d3 d4)`` and the other actions that :func:`pegcp.formats.pddl.read_plan` reads;
* triples in parentheses, ``(32 39 46)``, in any numbering;
* one jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``;
* what people and other programs write: ``Move from 6 over 3 to 1``, ``(3,1) to (3,3) remove (3,2)``, ``d4 up``, numbers
  of jumps. Holes are named by letters, numbered from 0 or 1 or by the grid, or given as row and column; jumps stand in
  the order of play, or reversed. Each reading that the text may have is replayed, and the only one that reaches the
  goal is taken.

``#`` and ``;`` begin a comment.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise, product, repeat, takewhile
from operator import add, itemgetter
from typing import Any, NamedTuple

from pegcp.errors import InputError, clipped, line_and_column, name_source, refuse_if
from pegcp.formats.numbers import orders, places
from pegcp.formats.passages import (
    PARTS,
    REMARK,
    UNITS,
    WORD,
    alike,
    arrangements,
    as_text,
    is_open,
    says_much,
    without_prose,
)
from pegcp.formats.pictures import find_pictures, read_pictures
from pegcp.game import (
    Board,
    Cell,
    Jump,
    JumpReader,
    Position,
    Problem,
    column_letters,
    hole_names,
    scheme_in_words,
    write_move,
)

_LONGEST_STORY = 100_000  # characters of which each reading is tried; 10,000 jumps are fewer
_LONGEST_PAGE = 1_000_000  # characters, most of them for a browser
_LONGEST_RIDDLE = 20_000  # characters of which unusual readings are tried
_MOST_PLACES = 200  # holes of a board of which unusual numberings are tried
_ACTION = re.compile(r"[^(]*\(\s*([A-Za-z][A-Za-z_-]*)(?:\s[^()]*)?\)")  # the first in parentheses
_LETTERED = re.compile(r"(?<![A-Za-z])([A-Za-z]\d{1,2})(?!\d)")
_KEY = re.compile(r"\A\s*(?:(?:const|let|var)\s+)?\w+\s*[:=]\s*(?:[A-Za-z.]+\()?")  # before a list
_HOLE = re.compile(r"(?<![\w.])[A-Za-z]{0,2}\d{1,4}(?!\w|\.\d)")
_COMMENT = re.compile(  # from the last beginning to an end, so that each is looked for once
    r"/\*(?:(?!/\*).)*?\*/|<!--(?:(?!<!--).)*?-->|^[ \t]*(?:%|;|--[ \t]|//)[^\n]*", re.DOTALL | re.MULTILINE
)
_ROLES = ((0, 2), (0, 1, 2), (0, 1), (0, 2, 1))  # which holes of a jump are written, in which order
_SENTENCES = re.compile(  # a blank between two of them
    r"(?:(?<=[^\W\d_][.!?:])|(?<=[^\W\d_] :)) |(?:(?<=\S \d[.!?])|(?<=\S \d\d[.!?])|(?<=\)[.!?])) (?=[A-Z][a-z])"
    r"|(?<=[a-z]\d\.) (?=[a-z]\d)"
)
_LETTERS = 33  # of the alphabet that is of one board only
_ALPHABETS = {  # in which each hole is a sign, row by row
    "hexadecimal digits": "0123456789ABCDEF",
    "hexadecimal digits from 1": "123456789ABCDEF",
    "letters": "abcdefghijklmnopqrstuvwxyz",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "the letters a to p, x and P to A": "abcdefghijklmnopxPONMLKJIHGFEDCBA",
}
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # letters, digits and signs as wide as ideographs


# How many numbers are a hole, in words, and the holes by them.
Numbering = tuple[int, str, dict[tuple[Any, ...], int]]


_Fault = tuple[int, InputError]  # and how many legal jumps were read before


class SolutionReading(NamedTuple):
    """The jumps of a text, the characters of the text at which they begin, how it was read, in words, and the
    characters at which lines begin that were left out."""

    jumps: list[Jump]
    places: list[int]
    read_as: str
    gaps: Sequence[int] = ()


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str | None = None) -> list[Jump]:
    """Read the jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.notation.SCHEMES`.
    Raises InputError with line and column.
    """
    return _read_as_usual(problem, text, source, numbering).jumps


def read_beginning(problem: Problem, text: str) -> SolutionReading:
    """Read the jumps of an option, in any notation without words but those of jumps. Raises InputError."""
    try:
        return _read_as_usual(problem, text, "", None)
    except InputError:
        words = {*re.findall(r"[^\W\d_]{2,}(?!\d)", text.lower())}
        if not words <= {*PARTS, "into", "up", "down", "left", "right"}:
            raise
        return read_any_solution(problem, text)


def read_any_solution(
    problem: Problem, text: str, source: str = "solution", numbering: str | None = None
) -> SolutionReading:
    """Read the jumps of a solution in any notation, of which the replay decides which one it is.

    Comments of programs are left out, unless there are no jumps beside them. Raises InputError if the text has no
    jumps, or if readings that differ reach the goal.
    """
    bare = _COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
    if bare != text and bare.strip():
        with suppress(InputError):
            return read_any_solution(problem, bare, source, numbering)
    readings, all_readings, faults = list[SolutionReading](), list[SolutionReading](), list[_Fault]()
    text = text.translate(_FULL_WIDTH)
    try:
        readings.append(_read_as_usual(problem, text, source, numbering))
    except InputError as error:
        faults.append((0, error))
    is_usual = bool(readings)
    for way in _ways(problem, text, source, numbering, readings, faults):
        right = [reading for reading in way if _legal_jumps(problem, reading.jumps)[1]]
        images = {
            tuple(Jump(*(symmetry[hole] for hole in jump)) for jump in reading.jumps)
            for reading in right[:1]
            for symmetry in problem.symmetries()
        }
        others = [reading for reading in right if tuple(reading.jumps) not in images]
        ways = "; ".join(reading.read_as or "holes by their names" for reading in (*right[:1], *others))
        refuse_if(others, f"readings of this text are different solutions: {ways}; choose one by --numbering", source)
        if right:
            return _with_gaps(text, right[0])
        all_readings += way
    most, longest = _longest(problem, readings, all_readings)
    if not is_usual and not most:
        raise _worst(problem, text, source, faults)
    if most < len(longest.jumps) and longest.jumps[most].is_legal(problem.start.mask):
        _refuse_two(problem, text, longest, most, source)
    if is_usual and longest.jumps == readings[0].jumps:
        return longest._replace(read_as="")
    return _with_gaps(text, longest)


def _longest(
    problem: Problem, readings: Sequence[SolutionReading], all_readings: Sequence[SolutionReading]
) -> tuple[int, SolutionReading]:
    """Return the reading with the most legal jumps, and their number, where none is a solution.

    Nothing is left out from the first jump on; and in an unusual reading all jumps are legal, if not from the start of
    the problem then from that with the hole vacant in which the first jump ends.
    """
    candidates = [
        (_legal_jumps(problem, reading.jumps)[0], reading)
        for reading in readings
        if max(reading.gaps, default=0) <= min(reading.places, default=0)
    ]
    for reading in all_readings:
        if len(reading.jumps) > 2 and max(reading.gaps, default=0) <= min(reading.places, default=0):
            most, _ = _legal_jumps(problem, reading.jumps)
            vacant = reading.jumps[0].to
            other = replace(problem, start=Position(problem.board, problem.board.full ^ 1 << vacant))
            if most == len(reading.jumps):
                candidates.append((most, reading))
            elif problem.start != other.start and _legal_jumps(other, reading.jumps)[0] == len(reading.jumps):
                name = f"{problem.board.name}:{problem.board.holes[vacant]}->?"
                words = f"jumps from another start; to check them there, type its name: pegcp check '{name}'"
                candidates.append((most + 1, reading._replace(read_as=f"{reading.read_as}; {words}".lstrip("; "))))
    return max(candidates, key=itemgetter(0), default=(0, SolutionReading([], [], "")))


def _worst(problem: Problem, text: str, source: str, faults: Sequence[_Fault]) -> InputError:
    """Return an error about what is wrong with a text, in which faults were found in reading it in several ways."""
    lacks_end = is_open(text) or text.count("(") != text.count(")")
    most, furthest = max(
        faults,
        key=lambda fault: (
            lacks_end and not fault[1].hole,
            re.fullmatch(r"[A-Za-z]+\d+", fault[1].hole) is not None,
            fault[0],
            fault[1].line or 0,
            fault[1].column or 0,
        ),
    )
    first = faults[0][1]
    if says_much(text.replace("\n", " "), 0) and re.fullmatch(r"\D+", furthest.hole):
        furthest = InputError(f"no jumps of {problem.name} can be read in this text")
    # The first, unless it is about a word or a number that was read as a hole.
    is_other = re.fullmatch(r"\D+|\d+\W*", first.hole) or (text.lstrip()[:1] in "[{" and not first.hole)
    fault = furthest if is_other or most else first
    example = "".join(f", such as {write_move(problem.board, [jump])}" for jump in [*problem.start.jumps()][:1])
    return InputError(
        f"{fault.message}; write one jump a line: from-to, or from over to{example}",
        source=source,
        line=fault.line,
        column=fault.column,
    )


def _refuse_two(problem: Problem, text: str, reading: SolutionReading, most: int, source: str) -> None:
    """Raise InputError if the first jumps are a solution, so that another begins."""
    line, _ = line_and_column(text, reading.places[most] if reading.places else 0)
    is_below = line > line_and_column(text, reading.places[0] if reading.places else 0)[0]
    cut = f", in line {line}; give the lines before it, or it and those after it" if is_below else "; give one of them"
    refuse_if(
        _legal_jumps(problem, reading.jumps[:most])[1],
        f"there are two solutions here: jump {most + 1} begins another{cut}",
        source,
    )


def _with_gaps(text: str, reading: SolutionReading) -> SolutionReading:
    """Return a reading that also says, in words, which lines between the first jump and the last are left out."""
    lines = text.split("\n")
    times = Counter(" ".join(re.sub(r"\d+", "0", line).split()) for line in lines)
    at = sorted(line_and_column(text, place)[0] for place in reading.places)
    gaps = {line_and_column(text, gap)[0] for gap in reading.gaps}
    for number in range(at[0] + 1, at[-1]) if at else ():
        bare = "".join(REMARK.sub("", lines[number - 1]).split())
        is_lone = times[" ".join(lines[number - 1].split())] < 3 and not re.search(r"\d", bare)
        is_drawn = len(bare) > 2 and len({*bare}) < 5
        if number not in at and is_lone and not is_drawn and re.search(r"\w\w|\?", bare):
            gaps.add(number)
    if not gaps:
        return reading
    first = min(gaps)
    more = f", and {len(gaps) - 1} more" if len(gaps) > 1 else ""
    words = f"line {first} ({clipped(lines[first - 1].strip(), 40)}){more} left out"
    return reading._replace(read_as=f"{reading.read_as or 'holes by their names'}; {words}")


def _ways(
    problem: Problem,
    text: str,
    source: str,
    numbering: str | None,
    readings: list[SolutionReading],
    faults: list[_Fault],
) -> Iterator[Sequence[SolutionReading]]:
    """Yield readings of a text, those first that are taken if they are right; ``readings`` gets those in prose."""
    yield [*readings]
    with name_source(source):
        written, text = text, as_text(text) if len(text) < _LONGEST_PAGE else text
    if len(text) > _LONGEST_STORY:
        return
    forms = [alike(*form) for form in (*product((text,), UNITS), (written, UNITS[0]))]
    stories = [*dict.fromkeys((text, without_prose(text), *filter(None, forms[:2])))]
    numberings = _usual_numberings(problem.board, numbering)
    for story in stories:
        readings += _read_prose(problem, story, source, lambda _: numberings, faults)
    for form in dict.fromkeys([*forms, "" if re.search(r"[^\W\d_]{2}", text) else text]):
        readings += _read_columns(problem.board, form, numberings)
    readings += _read_numbers_of_jumps(problem.board, text)
    readings += _read_clicks(problem, text, numberings)
    if len(text) != len(written):  # so the places are not those of the text
        readings[:] = [reading._replace(places=[]) for reading in readings]
    for way in (readings, chain(*(_read_unusual(problem, story, source, numbering, faults) for story in stories))):
        forwards = [*way]
        yield forwards
        yield [
            SolutionReading(jumps[::-1], at[::-1], f"{words}, in reverse order of play".removeprefix(", "), gaps)
            for jumps, at, words, gaps in forwards
            if at
        ]


def _read_as_usual(problem: Problem, text: str, source: str, numbering: str | None) -> SolutionReading:
    """Read JSON, a plan, or jumps without words between their holes. Raises InputError with line and column."""
    reader = JumpReader(problem.board, text, source, numbering or "letters")
    if text.lstrip().startswith(("{", "[")):
        return _read_json(reader)
    action = _ACTION.match(reader.bare) or (_ACTION.match(text) if text.lstrip().startswith("(") else None)
    if action and not problem.board.has_hole(action[1]):
        from pegcp.formats.pddl import read_plan

        return SolutionReading(read_plan(problem, text, source), [], "")
    jumps = reader.jumps(len(problem.start))
    if not jumps and (sign := re.search(r"[^\s()\[\]{},]", reader.bare)):
        raise reader.error("there are no jumps in this text", sign.start())
    return SolutionReading(jumps, reader.places, "")


def _read_prose(
    problem: Problem, text: str, source: str, numberings: Callable[[str], Iterable[Numbering]], faults: list[_Fault]
) -> Iterator[SolutionReading]:
    """Yield each reading in which all that is written are jumps of the board, in the order that is written.

    ``numberings`` returns those of the holes that a text without names may have.
    """
    board = problem.board
    turned = re.sub(r"\b(\d+)([A-Za-z])\b", r"\2\1", text)  # holes by row and the letter of the column
    if not re.search(r"\d", text) and _LETTERED.fullmatch(board.holes[0]):
        return
    has_names = any(board.has_hole(name) for word in WORD.findall(turned) for name in (word, word.lower()))
    text = turned if has_names else text
    for written in arrangements(text):
        for count, words, holes in [(0, "", {})] if has_names else numberings(written):
            read = partial(_at, words, holes) if count else None
            for story, lenient in ((written, False), (_SENTENCES.sub("\n", written), True)):
                reader = JumpReader(
                    board, story, source, "letters", prose=True, lenient=lenient, numbers=count, read=read
                )
                try:
                    jumps = reader.jumps(len(problem.start))
                    if jumps and all(says_much(story, gap) for gap in reader.gaps):
                        places = reader.places if len(written) == len(text) else []
                        yield SolutionReading(jumps, places, words, reader.gaps)
                    break
                except InputError as error:
                    faults.append((_legal_jumps(problem, [jump for _, jump in reader.before])[0], error))


def _read_numbers_of_jumps(board: Board, text: str) -> Iterator[SolutionReading]:
    """Yield what a text of numbers of the jumps of a board may mean."""
    are_holes = {*map(len, map(str.split, text.strip().split("\n")))} <= {2, 3}
    is_list = board.cells is not None and re.fullmatch(r"[\[({]?[\d\s,;]+[\])}]?", text.strip())
    numbers = [*re.finditer(r"\d+", text)] if is_list and not are_holes else []
    jumps = sorted(board.jumps, key=partial(_block, board.cells or ())) if numbers else []
    for base in (0, 1):
        if numbers and all(len(n[0]) < 7 and base <= int(n[0]) < len(jumps) + base for n in numbers):
            yield SolutionReading(
                [jumps[int(n[0]) - base] for n in numbers],
                [n.start() for n in numbers],
                f"numbers of the {len(jumps)} jumps from {base}",
            )


def _read_columns(board: Board, text: str, numberings: Iterable[Numbering]) -> Iterator[SolutionReading]:
    """Yield the jumps of a text in which as many holes are each of them, which may be counted: from and to, from and
    over, or all three."""
    words = [*_HOLE.finditer(re.sub(r"(?<=\d)[x×*:](?=\d)", " ", text))]
    numbers = [int(word[0]) if word[0].isdecimal() else word[0].lower() for word in words]
    keys = [(roles, {tuple(jump[role] for role in roles): jump for jump in board.jumps}) for roles in _ROLES]
    for (count, in_words, holes), (roles, jumps), number in product(numberings, keys, (0, 1)):
        width = count * len(roles) + number
        rows = [numbers[i : i + width] for i in range(0, len(numbers), width)]
        counters = [row[0] for row in rows if isinstance(row[0], int)] if number else []
        is_counted = len(counters) == len(rows) and {b - a for a, b in pairwise(counters)} in ({1}, {-1})
        if not rows or len(rows[-1]) < width or (number and not is_counted):
            continue
        places = ([holes.get((*row[i : i + count],), -1) for i in range(number, width, count)] for row in rows)
        read = [jump for jump in takewhile(bool, (jumps.get(tuple(place)) for place in places)) if jump]
        if len(read) == len(rows):
            yield SolutionReading(read, [word.start() for word in words[number::width]], in_words)


def _read_clicks(problem: Problem, text: str, numberings: Iterable[Numbering]) -> Iterator[SolutionReading]:
    """Yield the jumps to a solution in a list of holes alone: a peg goes on to the next hole as long as it can, or else
    the next hole is that of another peg; the first may be that of no peg."""
    bare = _KEY.sub("", text)
    words = [] if is_open(bare) or re.search(r"[^\W\d_]{2}", bare) else _HOLE.findall(bare)
    for _, in_words, holes in [numbering for numbering in numberings if numbering[0] == 1]:
        position, jumps, at, is_stray = problem.start.mask, list[Jump](), -1, False
        for number, word in enumerate(words):
            hole = holes.get((int(word) if word.isdecimal() else word.lower(),), -1)
            fits = [j for j in problem.board.jumps_from[at] if j.to == hole and j.is_legal(position)] if at >= 0 else []
            if hole < 0 or (is_stray and not fits and number > 1):
                break
            position ^= fits[0].mask if fits else 0
            jumps += fits[:1]
            at, is_stray = hole, not fits
        else:
            if problem.is_goal(position) and jumps:
                yield SolutionReading(jumps, [], f"{in_words}, a peg going on where it can")


def _read_unusual(
    problem: Problem, text: str, source: str, numbering: str | None, faults: list[_Fault]
) -> Iterator[SolutionReading]:
    """Yield readings by numberings that are no standard, or that are drawn in the text."""
    board = problem.board
    if board.cells is None or numbering not in (None, "letters") or len(text) > _LONGEST_RIDDLE:
        return
    yield from (SolutionReading(jumps, [], words) for jumps, words in read_pictures(problem, text, source, faults))
    for words, spelling, pattern, story in [*_drawn_names(board, text), *_spellings(board, text)]:
        parts = pattern.split(story)  # with a name between two of them
        if len(parts) > 1 and spelling.keys() >= {*parts[1::2]}:
            spelled = "".join(spelling.get(part, part) for part in parts)
            names = [(1, words, {(hole,): number for number, hole in enumerate(board.holes)})]
            for reading in (
                *_read_prose(problem, spelled, source, lambda _: [], faults if story != text else []),
                *(jumps for unit in UNITS for jumps in _read_columns(board, alike(spelled, unit), names)),
            ):
                yield reading._replace(read_as=words, places=reading.places if len(spelled) == len(text) else [])
    if numbering is None and len(board.holes) <= _MOST_PLACES:
        if re.search(r"[(,]\s*[-−]\d", text):  # columns and rows from the middle
            text = re.sub(r"(?<![\w)\]}])[-−]?\b\d{1,2}\b", lambda n: str(int(n[0].replace("−", "-")) + 50), text)
        yield from _read_prose(problem, text, "", partial(_fitting_numberings, board), [])
        for form in [alike(text, unit) for unit in UNITS]:
            yield from _read_columns(board, form, _fitting_numberings(board, form))


def _drawn_names(board: Board, text: str) -> Iterator[tuple[str, dict[str, str], re.Pattern[str], str]]:
    """Yield the names of the holes that a picture of the board shows; and the text without it."""
    for lines, names in find_pictures(board, text, re.compile(r"\w+")):
        if len({*names}) == len(names):
            rest = [" " * len(line) if n in lines else line for n, line in enumerate(text.split("\n"))]
            shown = f"holes by their names in lines {lines[0] + 1} to {lines[-1] + 1}"
            yield shown, *_spelling(names, board.holes), "\n".join(rest)
            return


def _spelling(names: Iterable[str], holes: Sequence[str]) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the usual name of a hole or a jump by another, and what looks like one."""
    spelling = dict(zip(names, holes, strict=False))
    pattern = "|".join(map(re.escape, spelling))
    if max(map(len, spelling)) > 1:
        return spelling, re.compile(rf"(?<!\w)({pattern})(?!\w)")
    jumps = {f"{a}{b}": f"{spelling[a]}-{spelling[b]}" for a in spelling for b in spelling}
    return spelling | jumps, re.compile(rf"(?<!\w)((?:{pattern}){{1,2}})(?!\w)")


def _spellings(board: Board, text: str) -> Iterator[tuple[str, dict[str, str], re.Pattern[str], str]]:
    """Yield other names of the holes: in words, the usual name by each, and what looks like one; and the text."""
    for words, pairs in orders(board)[1:]:
        names = {f"{column_letters(a)}{b + 1}": hole for (a, b), hole in zip(pairs, board.holes, strict=True)}
        yield f"{words} by letter and number", names | {name.upper(): names[name] for name in names}, _LETTERED, text
    for words, alphabet in _ALPHABETS.items():
        if len(board.holes) == len(alphabet) or len(board.holes) <= len(alphabet) < _LETTERS:
            yield f"holes by {words} row by row", *_spelling(alphabet, board.holes), text


def _usual_numberings(board: Board, numbering: str | None) -> list[Numbering]:
    """Return the numbering of a name, or all that are usual."""
    schemes = [numbering] if numbering else ["one", "zero", *(["grid"] if board.cells else [])]
    usual: list[Numbering] = [
        (1, scheme_in_words(board, scheme), {(int(n),): hole for hole, n in enumerate(hole_names(board, scheme))})
        for scheme in schemes
        if scheme != "letters"
    ]
    pairs = [] if numbering else [*places(board)]
    digits = [(1, words, {(10 * a + b,): hole for (a, b), hole in holes.items() if b < 10}) for words, holes in pairs]
    return usual + [(2, *place) for place in pairs] + digits


def _fitting_numberings(board: Board, text: str) -> Iterator[Numbering]:
    """Yield numberings that fit all numbers of a text: the rows may be longer than those of the board, go upwards, and
    be counted from anywhere."""
    cells = board.cells or ()
    width = 1 + max(c for _, c in cells)
    grids: list[tuple[str, list[tuple[int, ...]]]] = [
        (f"holes numbered {length} x row + column", [(length * r + c,) for r, c in cells])
        for length in range(width, width + 6)
    ]
    numbers = [int(number) for number in re.findall(r"\d{1,6}", text)]
    for words, holes in [*grids, *orders(board)]:
        used = {*zip(*[iter(numbers)] * len(holes[0]), strict=False)}
        spans = [
            range(max(0, max(have) - max(want)), min(have) - min(want) + 1)
            for have, want in zip(zip(*used, strict=True), zip(*holes, strict=True), strict=False)
        ]
        for first in product(*spans) if used and max(numbers) > 2 else ():  # no signs of a drawing
            shifted = {tuple(map(add, place, first)): hole for hole, place in enumerate(holes)}
            if shifted.keys() >= used:
                yield len(first), f"{words} from {first[0]}", shifted


def _at(words: str, holes: dict[tuple[int, ...], int], numbers: str) -> int:
    """Return the hole at numbers. Raises InputError if there is none."""
    place = tuple(int(number[:9]) for number in numbers.split(","))
    refuse_if(place not in holes, f"{numbers} is no hole with {words}")
    return holes[place]


def _block(cells: Sequence[Cell], jump: Jump) -> tuple[int, Cell]:
    """Return the order of a jump among all: rightwards, leftwards, upwards and downwards, in each block row by row."""
    start, end = cells[jump.from_], cells[jump.to]
    direction = 0 if end[1] > start[1] else 1 if end[1] < start[1] else 2 if end[0] < start[0] else 3
    return direction, min(start, end)


def _legal_jumps(problem: Problem, jumps: Sequence[Jump]) -> tuple[int, bool]:
    """Count the jumps that can be made, from the first to one that cannot; tell whether they are a solution."""
    position = problem.start.mask
    for number, jump in enumerate(jumps):
        if not jump.is_legal(position):
            return number, False
        position ^= jump.mask
    return len(jumps), problem.is_goal(position)


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
