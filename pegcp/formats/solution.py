"""Read the jumps of a solution from text, in every form that ``pegcp check`` accepts:

* JSON as ``pegcp solve --json`` prints it (an object with ``jumps``), or a list of triples of hole names;
* a plan: ``(jump d2 d3 d4)`` and the other actions that :func:`pegcp.formats.pddl.read_plan` reads;
* triples in parentheses, ``(32 39 46)``, in any numbering;
* one jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``;
* what people and other programs write (:mod:`pegcp.formats.written_jumps`), if one reading of it reaches the goal.

``#`` and ``;`` begin a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from pegcp.errors import InputError
from pegcp.formats.written_jumps import MovesReader, ReadSolution
from pegcp.game.board import Jump
from pegcp.game.jump_notation import JumpReader
from pegcp.game.problem import Problem

_GROUP = re.compile(r"\(([^()]*)\)")
_LONGEST_STORY = 500_000  # characters of which each reading is tried; 10,000 jumps are fewer
_ACTION = re.compile(r"[A-Za-z][A-Za-z_-]*")


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str | None = None) -> list[Jump]:
    """Read the jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.hole_notation.SCHEMES`.
    Raises InputError with line and column.
    """
    reader = JumpReader(problem.board, text, source, numbering or "letters")
    if text.lstrip().startswith(("{", "[")):
        return _read_json(reader)
    if is_plan(problem, text):
        from pegcp.formats.pddl import read_plan

        return read_plan(problem, text, source)
    return reader.jumps()


def read_any_solution(
    problem: Problem, text: str, source: str = "solution", numbering: str | None = None
) -> ReadSolution:
    """Read the jumps of a solution in any notation, of which the replay decides which one it is.

    Raises InputError if the text has no jumps, or if readings that differ reach the goal.
    """
    readings, fault = list[ReadSolution](), None
    try:
        readings.append(ReadSolution(read_solution(problem, text, source, numbering), [], ""))
    except InputError as error:
        fault = error
    if right := [reading for reading in readings if _legal_jumps(problem, reading.jumps)[1]]:
        return right[0]
    if len(text) <= _LONGEST_STORY:
        readings += MovesReader(problem, text).readings(numbering)
    for way in (readings, [reading.reversed() for reading in readings if reading.places]):
        right = [reading for reading in way if _legal_jumps(problem, reading.jumps)[1]]
        images = {image for reading in right[:1] for image in _images(problem, reading.jumps)}
        if others := [reading for reading in right if tuple(reading.jumps) not in images]:
            ways = "; ".join(reading.read_as or "holes by their names" for reading in (right[0], *others))
            message = f"readings of this text are different solutions: {ways}; choose one by --numbering"
            raise InputError(message, source=source)
        if right:
            return right[0]
    lengths = [_legal_jumps(problem, reading.jumps)[0] for reading in readings]
    if fault is not None and not any(lengths):
        raise fault
    longest = max(zip(lengths, readings, strict=True), key=lambda item: (item[0], bool(item[1].places)))[1]
    usual = fault is None and longest.jumps == readings[0].jumps
    return longest._replace(read_as="") if usual else longest


def _images(problem: Problem, jumps: Sequence[Jump]) -> Iterator[tuple[Jump, ...]]:
    """Yield the images of a solution under the symmetries of its problem."""
    for symmetry in problem.symmetries():
        yield tuple(Jump(*(symmetry[hole] for hole in jump)) for jump in jumps)


def _legal_jumps(problem: Problem, jumps: Sequence[Jump]) -> tuple[int, bool]:
    """Count the jumps that can be made, from the first to one that cannot; tell whether they are a solution."""
    position = problem.start.mask
    for number, jump in enumerate(jumps):
        if not jump.is_legal(position):
            return number, False
        position ^= jump.mask
    return len(jumps), problem.is_goal(position)


def is_plan(problem: Problem, text: str) -> bool:
    """True if the first parentheses hold an action, such as ``(jump d2 d3 d4)``, and not three holes."""
    group = _GROUP.search(JumpReader(problem.board, text, "solution", "letters").bare)
    if text.lstrip().startswith(("{", "[")) or group is None or not group[1].strip():
        return False
    word = group[1].split()[0]
    return _ACTION.fullmatch(word) is not None and not problem.board.has_hole(word)


def _read_json(reader: JumpReader) -> list[Jump]:
    try:
        data = json.loads(reader.text)
    except (RecursionError, ValueError) as error:
        fault = getattr(error, "msg", "nested too deeply, or a number with too many digits")
        raise reader.error(f"not valid JSON: {fault}", getattr(error, "pos", 0)) from None
    jumps = data.get("jumps") if isinstance(data, dict) else data
    if not isinstance(jumps, list):
        raise reader.error('no solution in this JSON: it needs "jumps", a list of triples of hole names')
    # The JSON reader gives no places; a triple is a list without lists inside.
    places = [match.start() for match in re.finditer(r"\[[^\[\]]*\]", reader.text)]
    triples = []
    for step, jump in enumerate(jumps):
        at = places[step] if step < len(places) else 0
        if not isinstance(jump, list) or len(jump) != 3 or not all(type(hole) in (str, int) for hole in jump):
            raise reader.error(f"jump {step + 1} must be three holes: from, over, to", at)
        triples.append(reader.triple([reader.hole(str(name), at) for name in jump]))
    return triples
