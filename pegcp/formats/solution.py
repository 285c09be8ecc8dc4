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
from collections.abc import Container

from pegcp.game.board import Jump
from pegcp.game.hole_notation import block_numbered_jumps
from pegcp.game.jump_notation import JumpReader
from pegcp.game.problem import Problem

_GROUP = re.compile(r"\(([^()]*)\)")
_ACTION = re.compile(r"[A-Za-z][A-Za-z_-]*")


def read_solution(problem: Problem, text: str, source: str = "solution", numbering: str = "letters") -> list[Jump]:
    """The jumps of a solution, in the order they are written; they are not yet checked.

    ``numbering`` is one of :data:`pegcp.game.hole_notation.SCHEMES`, or ``blocks`` for numbered jumps.
    Raises InputError with line and column.
    """
    reader = _Reader(problem.board, text, source, numbering)
    if text.lstrip().startswith(("{", "[")):
        return reader.json()
    if numbering == "blocks":
        return reader.blocks()
    if reader.is_plan(_actions(problem)):
        from pegcp.formats.pddl import read_plan, task_of

        return read_plan(task_of(problem) or problem, text, source)
    return reader.jumps()


def is_plan(problem: Problem, text: str) -> bool:
    """Whether a text is read as a plan."""
    json_text = text.lstrip().startswith(("{", "["))
    return not json_text and _Reader(problem.board, text, "solution", "letters").is_plan(_actions(problem))


def _actions(problem: Problem) -> Container[str]:
    """The names of actions in the file that a problem was read from, where they are not pegcp's."""
    if not problem.files:
        return ()
    from pegcp.formats.pddl import task_of

    task = task_of(problem)
    return () if task is None else task.own_actions


class _Reader(JumpReader):
    """Adds JSON and block numbers to the written forms."""

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

    def is_plan(self, actions: Container[str]) -> bool:
        """Whether the first parentheses hold an action, such as ``(jump d2 d3 d4)``, and not three holes."""
        group = _GROUP.search(self.bare)
        first = group[1].split()[:1] if group else []
        if first and first[0].lower() in actions:
            return True
        return bool(first and _ACTION.fullmatch(first[0]) and not self.board.has_hole(first[0]))
