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
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from operator import itemgetter
from typing import NamedTuple, Self

from pegcp.errors import InputError
from pegcp.formats.numbers import places
from pegcp.game import Board, Cell, Jump, JumpReader, Problem, column_letters, scheme_in_words

_LONGEST_STORY = 500_000  # characters of which each reading is tried; 10,000 jumps are fewer
_ACTION = re.compile(r"[^(]*\(\s*([A-Za-z][A-Za-z_-]*)(?:\s[^()]*)?\)")  # the first in parentheses
_PLACE = re.compile(r"pos-\d+-\d+|\b[Rr]\d+[Cc]\d+")  # a hole of a well-known planning domain, a cell of a spreadsheet
_RIGHTWARDS = re.compile(r"→(?=\s*(?:\n|\Z|[,;)\]]))")  # and not from one hole to another
_TURNED = re.compile(r"\b(\d+)([A-Za-z])\b")  # a hole by its row and the letter of its column
_ROW_AND_COLUMN = re.compile(r"\b([A-Za-z])([1-9]\d?)\b")  # where a letter is the row
_KEY = re.compile(r"\"\w+\"\s*:\s*(?=\[\s*[\[{])")  # of JSON, before a list of lists
_NUMBERS = (  # of lines: what stands at their beginning, or at the beginning or the end of an atom
    re.compile(r"^[ \t|(\[]*0*(\d{1,5})\b[\]|.:)]?[ \t,;](?!\s*pegs?\b)", re.MULTILINE),
    re.compile(r"(?<=[A-Za-z]\()(\d{1,5}),"),
    re.compile(r",[ \t]*(\d{1,5})\b(?=[ \t]*\)[.,]?[ \t]*$)", re.MULTILINE),
    re.compile(r"(?<![\w(-])(\d{1,5})\)(?=\s)"),
)
_BACKWARDS = re.compile(r"(\w+)\s*<[-=]+\s*(\w+)")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # letters, digits and signs as wide as ideographs
_WORD = re.compile(r"[A-Za-z]+\d+|\w+")


class ReadSolution(NamedTuple):
    """The jumps of a text, the characters of the text at which they begin, and how it was read, in words."""

    jumps: list[Jump]
    places: list[int]
    read_as: str

    def reversed(self) -> Self:
        """Return the same jumps in the other order."""
        words = f"{self.read_as}, in reverse order of play".removeprefix(", ")
        return self._replace(jumps=self.jumps[::-1], places=self.places[::-1], read_as=words)


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str | None = None) -> list[Jump]:
    """Read the jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.notation.SCHEMES`.
    Raises InputError with line and column.
    """
    return _read_as_usual(problem, text, source, numbering).jumps


def read_any_solution(
    problem: Problem, text: str, source: str = "solution", numbering: str | None = None
) -> ReadSolution:
    """Read the jumps of a solution in any notation, of which the replay decides which one it is.

    Raises InputError if the text has no jumps, or if readings that differ reach the goal.
    """
    readings, fault = list[ReadSolution](), None
    text = text.translate(_FULL_WIDTH)
    try:
        readings.append(_read_as_usual(problem, text, source, numbering))
    except InputError as error:
        fault = error
    for way in _ways(problem, text, numbering, readings):
        right = [reading for reading in way if _legal_jumps(problem, reading.jumps)[1]]
        images = {
            tuple(Jump(*(symmetry[hole] for hole in jump)) for jump in reading.jumps)
            for reading in right[:1]
            for symmetry in problem.symmetries()
        }
        if others := [reading for reading in right if tuple(reading.jumps) not in images]:
            ways = "; ".join(reading.read_as or "holes by their names" for reading in (right[0], *others))
            raise InputError(
                f"readings of this text are different solutions: {ways}; choose one by --numbering", source=source
            )
        if right:
            return right[0]
    lengths = [_legal_jumps(problem, reading.jumps)[0] for reading in readings]
    if fault is not None and not any(lengths):
        raise InputError(
            f"{fault.message}; write one jump a line: from-to, or from over to",
            source=source,
            line=fault.line,
            column=fault.column,
        )
    longest = max(zip(lengths, readings, strict=True), key=lambda item: item[0])[1]
    return longest._replace(read_as="") if longest.jumps == readings[0].jumps and fault is None else longest


def _ways(
    problem: Problem, text: str, numbering: str | None, readings: list[ReadSolution]
) -> Iterator[Sequence[ReadSolution]]:
    """Yield readings of a text, those first that are taken if they are right; ``readings`` gets those in prose."""
    yield [*readings]
    if len(text) > _LONGEST_STORY:
        return
    readings += _read_prose(problem, text, numbering)
    rows_first = _ROW_AND_COLUMN.sub(
        lambda name: f"{column_letters(int(name[2]) - 1)}{ord(name[1].lower()) - 96}", text
    )
    words = "rows by letters and columns by numbers"
    turned = (reading._replace(read_as=words) for reading in _read_prose(problem, rows_first, "letters"))
    for way in (readings, turned if problem.board.cells and rows_first != text else ()):
        forwards = [*way]
        yield forwards
        yield [reading.reversed() for reading in forwards if reading.places]


def _read_as_usual(problem: Problem, text: str, source: str, numbering: str | None) -> ReadSolution:
    """Read JSON, a plan, or jumps without words between their holes. Raises InputError with line and column."""
    reader = JumpReader(problem.board, text, source, numbering or "letters")
    if text.lstrip().startswith(("{", "[")):
        return _read_json(reader)
    action = _ACTION.match(reader.bare) or (_ACTION.match(text) if text.lstrip().startswith("(") else None)
    if action and not problem.board.has_hole(action[1]):
        from pegcp.formats.pddl import read_plan

        return ReadSolution(read_plan(problem, text, source), [], "")
    return ReadSolution(reader.jumps(len(problem.start)), reader.places, "")


def _read_prose(problem: Problem, text: str, numbering: str | None) -> Iterator[ReadSolution]:
    """Yield each reading in which all that is written are jumps of the board, in the order that is written."""
    board, most = problem.board, len(problem.start)
    text = _KEY.sub(lambda key: " " * len(key[0]), _PLACE.sub(lambda name: re.sub(r"\D", " ", name[0]), text))
    text = _BACKWARDS.sub(lambda jump: f"{jump[2]}-{jump[1]}".ljust(len(jump[0])), _RIGHTWARDS.sub("⇨", text))
    turned = _TURNED.sub(r"\2\1", text)
    has_names = any(board.has_hole(name) for word in _WORD.findall(turned) for name in (word, word.lower()))
    text = turned if has_names else text
    for words, reader in _readers(board, text, numbering, has_names):
        try:
            if jumps := reader.jumps(most):
                yield ReadSolution(jumps, reader.places if len(reader.text) == len(text) else [], words)
        except InputError:
            continue
    numbers = [] if board.cells is None or re.search(r"[^\W\d_]", text) else [*re.finditer(r"\d+", text)]
    jumps = sorted(board.jumps, key=partial(_block, board.cells or ())) if numbers else []
    for base in (0, 1):
        if numbers and all(len(n[0]) < 7 and base <= int(n[0]) < len(jumps) + base for n in numbers):
            words = f"numbers of the {len(jumps)} jumps from {base}"
            yield ReadSolution([jumps[int(n[0]) - base] for n in numbers], [n.start() for n in numbers], words)


def _readers(board: Board, text: str, numbering: str | None, has_names: bool) -> Iterator[tuple[str, JumpReader]]:
    """Yield readers of all numberings of holes, with and without numbers of the lines, and their words."""
    without_numbers = (_without_numbers(text, numbers) for numbers in _NUMBERS)
    ways = (text, *without_numbers, text.replace(";", ","), _by_columns(text), _by_steps(text))
    for written in dict.fromkeys(ways):
        read = partial(JumpReader, board, written, "", prose=True)
        if has_names:
            yield "", read("letters")
            continue
        for scheme in [numbering] if numbering else ["one", "zero", *(["grid"] if board.cells else [])]:
            yield scheme_in_words(board, scheme), read(scheme, numbers=1)
        if numbering is None and board.cells:
            for words, holes in places(board):
                for numbers in (2, 1):
                    yield words, read("letters", numbers=numbers, read=partial(_at, holes))


def _without_numbers(text: str, pattern: re.Pattern[str]) -> str:
    """Return a text without the numbers of its lines, if all that have a number count on from 0 or 1."""
    numbers = [int(number) for number in pattern.findall(text)]
    if numbers not in ([*range(first, first + len(numbers))] for first in (0, 1)):
        return text
    return pattern.sub(lambda number: " " * len(number[0]), text).replace(";", ",")


def _by_steps(text: str) -> str:
    """Return atoms such as ``jump(2,d4,d2)``, which a solver writes in any order, in the order of their steps."""
    atoms = [(int(step), holes) for step, holes in re.findall(r"\w\((\d{1,5}),([^()]*)\)", text)]
    return "\n".join(holes for _, holes in sorted(atoms, key=itemgetter(0))) if len(atoms) > 1 else text


def _by_columns(text: str) -> str:
    """Return jumps by lines, where all starts, all that is jumped over and all ends are lists of their own."""
    lists = [_WORD.findall(numbers) for numbers in re.findall(r"\[([^\[\]]*)\]", text)]
    alike = len(lists) in (2, 3) and len({*map(len, lists)}) == 1 and len(lists[0]) > 3
    return "\n".join(map(" ".join, zip(*lists, strict=True))) if alike else text


def _at(holes: Mapping[tuple[int, int], int], numbers: str) -> int:
    pair = tuple(int(number[:9]) for number in (numbers.split(",") if "," in numbers else numbers))
    hole = holes.get(pair) if len(pair) == 2 else None
    if hole is None:
        raise InputError(f"no hole at {numbers}")
    return hole


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


def _read_json(reader: JumpReader) -> ReadSolution:
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
    solution = ReadSolution([], reader.places, "")
    for step, (jump, at) in enumerate(zip(jumps, chain(reader.places, repeat(0)), strict=False)):
        if not isinstance(jump, list) or len(jump) != 3 or not all(type(hole) in (str, int) for hole in jump):
            raise reader.error(f"jump {step + 1} must be three holes: from, over, to", at)
        solution.jumps.append(Jump(*(reader.hole(str(name), at) for name in jump)))
    return solution
