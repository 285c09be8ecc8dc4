"""Read the jumps of a solution from text, in every form that ``pegcp check`` accepts:

* JSON as ``pegcp solve --json`` prints it (an object with ``jumps``), or a list of triples of hole names;
* a plan: ``(jump d2 d3 d4)`` and the other actions that :func:`pegcp.formats.pddl.read_plan` reads;
* triples in parentheses, ``(32 39 46)``, in any numbering;
* one jump or sweep a line, or several separated by blanks: ``d2 d3 d4``, ``d2-d4``, ``d2xd4``, ``d2-d4-f4``.

``#`` and ``;`` begin a comment.
"""

from __future__ import annotations

import json
import re

from pegcp.game.board import Jump
from pegcp.game.jump_notation import JumpReader
from pegcp.game.problem import Problem

_GROUP = re.compile(r"\(([^()]*)\)")
_ACTION = re.compile(r"[A-Za-z][A-Za-z_-]*")


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str = "letters") -> list[Jump]:
    """Read the jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.hole_notation.SCHEMES`.
    Raises InputError with line and column.
    """
    reader = JumpReader(problem.board, text, source, numbering)
    if text.lstrip().startswith(("{", "[")):
        return _read_json(reader)
    if is_plan(problem, text):
        from pegcp.formats.pddl import read_plan

        return read_plan(problem, text, source)
    return reader.jumps()


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
