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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, pairwise, product, repeat
from operator import add, itemgetter
from typing import Any, NamedTuple

from pegcp.errors import InputError, name_source, refuse_if, suggestion
from pegcp.formats.drawing import read_drawings
from pegcp.formats.numbers import orders, places
from pegcp.game import Board, Cell, Jump, JumpReader, Problem, column_letters, hole_names, scheme_in_words

_LONGEST_STORY = 100_000  # characters of which each reading is tried; 10,000 jumps are fewer
_LONGEST_RIDDLE = 20_000  # characters of which unusual readings are tried
_MOST_PLACES = 200  # holes of a board of which unusual numberings are tried
_ACTION = re.compile(r"[^(]*\(\s*([A-Za-z][A-Za-z_-]*)(?:\s[^()]*)?\)")  # the first in parentheses
_LETTERED = re.compile(r"(?<![A-Za-z])([A-Za-z]\d{1,2})(?!\d)")
_INSTEAD = (  # how jumps are written elsewhere, and what is read there
    (r"\bpos-(\d+)-(\d+)|\b[Rr](\d+)[CcPp](\d+)", r"\1\3 \2\4"),  # places of planners, cells of a spreadsheet
    (r"\"\w+\"\s*:\s*(?=\[\s*[\[{])", ""),  # a key of JSON
    (r"\b(\w{1,9})\s{0,9}<[-=]{1,9}\s{0,9}(\w{1,9})", r"\2-\1"),
    (r"→(?=\s*(?:\n|\Z|[,;)\]]))", "⇨"),  # a way, and not to another hole
    (r"\bP(?=[a-z]\d)|_(?=\d)", " "),  # a pawn, and what parts the numbers of a name
    (r"<(\d[^<>]{0,30})>", r"t(\1)"),  # a tuple
    (r"(?<=[A-Za-z]\d)(?:[/+_]|\.\.)(?=[A-Za-z]\d)", "-"),
    (r"\n[ \t]*(?=(?:over|to):)", " "),  # keys of YAML
    (r"<\w{1,30}((?:\s{1,9}\w{1,30}=[\"'][^\"'<>]{0,30}[\"']){1,9})\s{0,9}/?>", r"\1"),  # attributes of XML
    (r"(\w[-–:x*]\w{1,4})[ \t]{1,9}(?:>{1,3}|[-=]{1,9}>|[→⇒➔»])[ \t]{1,9}(?=\w{1,4}[-–:x*]\w)", r"\1;"),  # of jumps
    (r"➡\ufe0f?(?=\s*(?:\n|\Z|[,;)\]]))", "⇨"),
    ("⬆\ufe0f?", "↑"),
    ("⬇\ufe0f?", "↓"),
    ("⬅\ufe0f?", "←"),
    (r"\b(?:depth|pegs|left|remaining|nodes|level|time)\s{0,9}[=:]\s{0,9}[\d.]+s?", " "),  # figures beside a jump
    (r"(?<!\S)\d{1,3}\.(?=[A-Za-z]\d)", " "),  # the number of a jump
    (r"\b[A-Z]\w{0,30}(?:\.|::)(?=(?i:up|down|left|right|north|south|east|west)\b)", " "),  # the type of a way
    (r"[\u3040-\u30ff\u4e00-\u9fff]+", " "),  # words without blanks between them
    (r"<[A-Za-z]{1,30} (\w{1,3})\s?[-=]?>\s?(\w{1,3})>", r"(\1 \2)"),
    (r"\[(\w{1,3}), ?\[(\w{1,3}), ?(\w{1,3})\]\]", r"[\1, \2, \3]"),
    (r"[-–]\((\w{1,4}[-–][^()\n]{0,99})\)", r"-\1"),  # a sweep
)
_PROSE = re.compile(r"(?:\b[^\W\d_]{2,}\b.*?){3}|^\s*\S(?:\s+\S)*\s*$|^\D*\b[12]\d{3}\b\D*$")
# three words; signs with blanks; a year
_SAYS_JUMP = re.compile(
    r"(?<!\w)(?:[A-Za-z]?\d{1,2}|[A-Z])\b\W{0,4}(?:[-–—>→x*:]\W*(?:[A-Za-z]?\d|[A-Z]\b)|[aà]\W|(?:(?!and)\w{1,30}\W{1,9}){0,3}(?:to|over|into|onto|nach|para|vers)\W)",
    re.IGNORECASE,
)
_NUMBERS = (  # of lines: what stands at their beginning, or before an item
    re.compile(r"^[ \t|(\[]*(?:move[ \t])?0*(\d{1,5})\b[\]|.:)]?[ \t,;](?!\s*pegs?\b)", re.MULTILINE),
    re.compile(r"(?<![\w(-])(\d{1,5})\)(?=\s)"),
)
_PARTS = {  # keys of a jump or of a hole in JSON, in the order in which these are read
    key: place
    for place, keys in enumerate(
        (
            "from start source src origin",
            "over mid middle jumped captured removed via",
            "to end target dest dst destination",
            "direction dir way",
            "x column col c",  # first, as in the first reading of two numbers
            "y row r",
        )
    )
    for key in keys.split()
}
_LETTERS = 33  # of the alphabet that is of one board only
_ALPHABETS = {  # in which each hole is a sign, row by row
    "hexadecimal digits": "0123456789ABCDEF",
    "hexadecimal digits from 1": "123456789ABCDEF",
    "letters": "abcdefghijklmnopqrstuvwxyz",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "the letters a to p, x and P to A": "abcdefghijklmnopxPONMLKJIHGFEDCBA",
}
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # letters, digits and signs as wide as ideographs
_WORD = re.compile(r"[A-Za-z]+\d+|\w+")


# How many numbers are a hole, in words, and the holes by them.
Numbering = tuple[int, str, dict[tuple[int, ...], int]]


class SolutionReading(NamedTuple):
    """One way to read a text: its jumps, the characters at which they begin, and how it was read, in words."""

    jumps: list[Jump]
    places: list[int]
    read_as: str


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
        if not words <= {*_PARTS, "into", "up", "down", "left", "right"}:
            raise
        return read_any_solution(problem, text)


def read_any_solution(
    problem: Problem, text: str, source: str = "solution", numbering: str | None = None
) -> SolutionReading:
    """Read the jumps of a solution in any notation, of which the replay decides which one it is.

    Raises InputError if the text has no jumps, or if readings that differ reach the goal.
    """
    readings, faults = list[SolutionReading](), list[InputError]()
    text = text.translate(_FULL_WIDTH)
    try:
        readings.append(_read_as_usual(problem, text, source, numbering))
    except InputError as error:
        faults.append(error)
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
            return right[0]
    lengths = [_legal_jumps(problem, reading.jumps)[0] for reading in readings]
    if not is_usual and not any(lengths):
        is_open = any(text.count(opening) != text.count(closing) for opening, closing in ("()", "[]", "{}"))
        furthest = max(
            faults,
            key=lambda fault: (
                is_open and "other half" in fault.message,
                re.search(r"no hole \"[A-Za-z]+\d+\"", fault.message) is not None,
                fault.line or 0,
                fault.column or 0,
            ),
        )
        # The first, unless it is about a word or a number that was read as a hole.
        fault = furthest if re.search(r"no hole \"([^\"\d]*|\d+\W*)\"|not valid JSON", faults[0].message) else faults[0]
        raise InputError(
            f"{fault.message}; write one jump a line: from-to, or from over to",
            source=source,
            line=fault.line,
            column=fault.column,
        )
    most, longest = max(zip(lengths, readings, strict=True), key=lambda item: item[0])
    if most < len(longest.jumps) and longest.jumps[most].is_legal(problem.start.mask):
        _, is_solution = _legal_jumps(problem, longest.jumps[:most])
        refuse_if(
            is_solution, f"there are two solutions here: jump {most + 1} begins another; give one of them", source
        )
    return longest._replace(read_as="") if is_usual and longest.jumps == readings[0].jumps else longest


def _ways(
    problem: Problem,
    text: str,
    source: str,
    numbering: str | None,
    readings: list[SolutionReading],
    faults: list[InputError],
) -> Iterator[Sequence[SolutionReading]]:
    """Yield readings of a text, those first that are taken if they are right; ``readings`` gets those in prose."""
    yield [*readings]
    if len(text) > _LONGEST_STORY:
        return
    with name_source(source):
        written, text = text, _as_text(text)
    stories = [*dict.fromkeys((text, _without_prose(text)))]
    for story in stories:
        readings += _read_prose(problem, story, source, lambda _: _usual_numberings(problem.board, numbering), faults)
    readings += _read_numbers_of_jumps(problem.board, text)
    if len(text) != len(written):  # so the places are not those of the text
        readings[:] = [reading._replace(places=[]) for reading in readings]
    for way in (readings, chain(*(_read_unusual(problem, story, numbering) for story in stories))):
        forwards = [*way]
        yield forwards
        yield [
            SolutionReading(jumps[::-1], at[::-1], f"{words}, in reverse order of play".removeprefix(", "))
            for jumps, at, words in forwards
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


def _as_text(text: str) -> str:
    """Return a text in which jumps are written in usual signs; objects of JSON as lists of their parts."""
    with suppress(RecursionError, ValueError):
        text = _listed(json.loads(text)) if re.match(r"\s*\{|\s*\[\s*\{", text) else text
    if re.search("[↑↓]", text):
        text = text.replace("→", "⇨")
    for pattern, sign in _INSTEAD:
        text = re.sub(pattern, partial(_expand, sign), text)
    return text


def _expand(template: str, match: re.Match[str]) -> str:
    """Return what is read in place of a part of a text, as long as that if it can be."""
    return match.expand(template).ljust(len(match[0]))


def _listed(value: Any) -> str:
    """Return a value of JSON as text: of an object the values of a jump or a hole in their order, or else its lists."""
    if isinstance(value, dict):
        parts = {key: _PARTS[key.lower()] for key in value if key.lower() in _PARTS}
        for key in value.keys() - parts.keys() if parts else ():
            hint = suggestion(key, _PARTS, 0.75)
            refuse_if(hint, f'unknown key "{key}"{hint}')
        lists = [item for item in value.values() if isinstance(item, list | dict)]
        value = [value[key] for key in sorted(parts, key=parts.__getitem__)] or lists or [*value.values()]
    return f"[{', '.join(map(_listed, value))}]" if isinstance(value, list) else str(value)


def _read_prose(
    problem: Problem, text: str, source: str, numberings: Callable[[str], Iterable[Numbering]], faults: list[InputError]
) -> Iterator[SolutionReading]:
    """Yield each reading in which all that is written are jumps of the board, in the order that is written.

    ``numberings`` returns those of the holes that a text without names may have.
    """
    board = problem.board
    turned = re.sub(r"\b(\d+)([A-Za-z])\b", r"\2\1", text)  # holes by row and the letter of the column
    has_names = any(board.has_hole(name) for word in _WORD.findall(turned) for name in (word, word.lower()))
    text = turned if has_names else text
    for written in _written(text):
        for count, words, holes in [(0, "", {})] if has_names else numberings(written):
            reader = JumpReader(
                board,
                written,
                source,
                "letters",
                prose=True,
                numbers=count,
                read=partial(_at, words, holes) if count else None,
            )
            try:
                if jumps := reader.jumps(len(problem.start)):
                    yield SolutionReading(jumps, reader.places if len(written) == len(text) else [], words)
            except InputError as error:
                faults.append(error)


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


def _written(text: str) -> Sequence[str]:
    """Return a text, and what it is without the numbers of its lines, by its columns and by its steps."""
    without_numbers = (_without_numbers(text, numbers) for numbers in _NUMBERS)
    steps = (_by_steps(text, place) for place in (0, -1))
    return [*dict.fromkeys((text, *without_numbers, text.replace(";", ","), _by_columns(text), *steps))]


def _without_prose(text: str) -> str:
    """Return a text with blanks for sentences that say no jump, and for the rows of drawings."""
    sentences = re.split(r"\n|(?<=[a-z\d][.!?])\s(?=[A-Z])", text)
    return "\n".join(
        " " * len(part) if _PROSE.search(part) and not _SAYS_JUMP.search(part) else part for part in sentences
    )


def _read_unusual(problem: Problem, text: str, numbering: str | None) -> Iterator[SolutionReading]:
    """Yield readings that are taken only if they reach the goal, by numberings that are no standard."""
    board, faults = problem.board, list[InputError]()
    if board.cells is None or numbering not in (None, "letters") or len(text) > _LONGEST_RIDDLE:
        return
    yield from _read_drawings(problem, text)
    for words, spelling, pattern in _spellings(board):
        parts = pattern.split(text)  # with a name between two of them
        if len(parts) > 1 and spelling.keys() >= {*parts[1::2]}:
            spelled = "".join(spelling.get(part, part) for part in parts)
            for reading in _read_prose(problem, spelled, "", lambda _: [], faults):
                yield reading._replace(read_as=words, places=reading.places if len(spelled) == len(text) else [])
    if numbering is None and len(board.holes) <= _MOST_PLACES:
        if re.search(r"[(,]\s*[-−]\d", text):  # columns and rows from the middle
            text = re.sub(r"(?<![\w)\]}])[-−]?\b\d{1,2}\b", lambda n: str(int(n[0].replace("−", "-")) + 50), text)
        yield from _read_prose(problem, text, "", partial(_fitting_numberings, board), faults)


def _read_drawings(problem: Problem, text: str) -> Iterator[SolutionReading]:
    """Yield the jumps between positions that are drawn one after the other."""
    board = problem.board
    with suppress(InputError):
        drawings = read_drawings(board, text)
        for peg in {*chain(*drawings)} if len(drawings) > 1 else ():
            masks = [sum(1 << hole for hole, sign in enumerate(signs) if sign == peg) for signs in drawings]
            masks.insert(0, problem.start.mask)  # which may be left out
            changes = [{a ^ b: a} for a, b in pairwise(masks) if a != b]
            jumps = [j for change in changes for j in board.jumps if j.mask in change and j.is_legal(change[j.mask])]
            if len(jumps) == len(changes):
                yield SolutionReading(jumps, [], "the positions one after the other")


def _spellings(board: Board) -> Iterator[tuple[str, dict[str, str], re.Pattern[str]]]:
    """Yield other names of the holes: in words, the usual name by each, and what looks like one."""
    for words, pairs in orders(board)[1:]:
        names = {f"{column_letters(a)}{b + 1}": hole for (a, b), hole in zip(pairs, board.holes, strict=True)}
        yield f"{words} by letter and number", names | {name.upper(): names[name] for name in names}, _LETTERED
    for words, alphabet in _ALPHABETS.items():
        if len(board.holes) == len(alphabet) or len(board.holes) <= len(alphabet) < _LETTERS:
            names = dict(zip(alphabet, board.holes, strict=False))
            jumps = {f"{a}{b}": f"{names[a]}-{names[b]}" for a in names for b in names}
            yield (
                f"holes by {words} row by row",
                names | jumps,
                re.compile(rf"(?<!\w)([{''.join(names)}]{{1,2}})(?!\w)"),
            )


def _usual_numberings(board: Board, numbering: str | None) -> list[Numbering]:
    """Return the numbering of a name, or all that are usual."""
    schemes = [numbering] if numbering else ["one", "zero", *(["grid"] if board.cells else [])]
    usual: list[Numbering] = [
        (1, scheme_in_words(board, scheme), {(int(n),): hole for hole, n in enumerate(hole_names(board, scheme))})
        for scheme in schemes
        if scheme != "letters"
    ]
    return usual + [(count, *place) for place in (() if numbering else places(board)) for count in (2, 1)]


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
        for first in product(*spans) if used else ():
            shifted = {tuple(map(add, place, first)): hole for hole, place in enumerate(holes)}
            if shifted.keys() >= used:
                yield len(first), f"{words} from {first[0]}", shifted


def _without_numbers(text: str, pattern: re.Pattern[str]) -> str:
    """Return a text without the numbers of its lines, if all that have a number count on from 0 or 1."""
    numbers = [int(number) for number in pattern.findall(text)]
    if numbers not in ([*range(first, first + len(numbers))] for first in (0, 1)):
        return text
    return pattern.sub(lambda number: " " * len(number[0]), text).replace(";", ",")


def _by_steps(text: str, place: int) -> str:
    """Return atoms such as ``jump(2,d4,d2)``, which a solver writes in any order, in the order of their steps.

    ``place``: the step is the first of their arguments (0), or the last (-1).
    """
    atoms = [
        re.split(r",(?=\s*\d+\s*$)" if place else r"(?<=\d),", atom, maxsplit=1)
        for atom in re.findall(r"\w\(((?:[^()]|\([^()]{0,99}\)){1,200})\)", text)
    ]
    if not all(len(atom) == 2 and atom[place].strip().isdecimal() for atom in atoms):
        return text
    steps = sorted(((int(atom[place]), atom[1 + place]) for atom in atoms), key=itemgetter(0))
    numbers = {step for step, _ in steps}
    counted = len(atoms) > 1 and numbers in ({*range(first, first + len(numbers))} for first in (0, 1))
    return "\n".join(holes for _, holes in steps) if counted else text


def _by_columns(text: str) -> str:
    """Return jumps by lines, where all starts, all that is jumped over and all ends are lists of their own."""
    lists = [_WORD.findall(numbers) for numbers in re.findall(r"\[([^\[\]]*)\]", text)]
    alike = len(lists) in (2, 3) and len({*map(len, lists)}) == 1 and len(lists[0]) > 3
    return "\n".join(map(" ".join, zip(*lists, strict=True))) if alike else text


def _at(words: str, holes: dict[tuple[int, ...], int], numbers: str) -> int:
    """Return the hole at numbers, or at the digits of one."""
    place = tuple(int(number[:9]) for number in numbers.split(","))
    place = tuple(map(int, numbers)) if place not in holes and numbers.isdecimal() else place
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
    reader.places = [match.start() for match in re.finditer(r"\[[^\[\]]*\]", reader.text)]
    solution = SolutionReading([], reader.places, "")
    for step, (jump, at) in enumerate(zip(jumps, chain(reader.places, repeat(0)), strict=False)):
        if not isinstance(jump, list) or len(jump) != 3 or not all(type(hole) in (str, int) for hole in jump):
            raise reader.error(f"jump {step + 1} must be three holes: from, over, to", at)
        solution.jumps.append(Jump(*(reader.hole(str(name), at) for name in jump)))
    return solution
