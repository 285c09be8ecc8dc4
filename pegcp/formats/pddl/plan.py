"""Reading plans: the steps of an IPC plan file, back to jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from pegcp.errors import InputError, InvalidSolution, suggestion
from pegcp.formats.pddl.write import pddl_names
from pegcp.game.board import Board, Jump
from pegcp.game.problem import Problem

# The actions of models/*.pddl and of the competitions, with the number of holes they take.
ACTIONS = {
    "jump": 3,
    "jump-new-move": 3,
    "jump-continue-move": 3,
    "end-move": 1,
    "take": 1,
    "stop": 0,
    "middle-vacant": 3,
    "ends-vacant": 3,
    "ends-filled": 3,
}
# "12: (jump a b c)", "0.001: (JUMP A B C) [1]", "(jump a b c) ; cost 1"
_STEP = re.compile(r"\s*(?:\d+(?:\.\d*)?\s*:)?\s*\(([^()]*)\)\s*(?:\[[^\]]*\])?\s*(.*)")
_GRID = re.compile(r"pos-(\d{1,3})-(\d{1,3})")


@dataclass(frozen=True)
class Step:
    """An action of a plan on holes of the board; ``number`` counts the actions from 1."""

    number: int
    action: str
    holes: tuple[int, ...]
    text: str


def read_plan(problem: Problem, text: str, source: str = "plan") -> list[Jump]:
    """The jumps of a plan, one action to a line, ``;`` comments, time stamps and durations allowed.

    Raises InputError, naming the step, for what is not an action on this board, and InvalidSolution if an action that
    is not a jump is impossible where it stands. Whether the jumps are possible, :func:`pegcp.game.check.check` says.
    """
    steps = list(_steps(problem.board, text, source))
    jumps = [Jump(*step.holes) for step in steps if step.action.startswith("jump")]
    if any(step.action != "jump" for step in steps):
        _check_bookkeeping(problem, steps)
    return jumps


def _steps(board: Board, text: str, source: str) -> Iterator[Step]:
    objects = {name: i for i, name in enumerate(pddl_names(board))}
    number = 0
    for row, content in enumerate(text.split("\n"), start=1):
        line = content.partition(";")[0].strip()
        if not line:
            continue
        number += 1
        column = len(content) - len(content.lstrip()) + 1
        fault = partial(InputError, source=source, line=row, column=column)
        match = _STEP.fullmatch(line)
        if match is None or match[2]:
            raise fault(f'step {number}: "{_short(line)}" is not an action such as (jump d2 d3 d4)')
        action, *names = match[1].lower().split() or [""]
        if action not in ACTIONS:
            known = suggestion(action, ACTIONS)
            raise fault(f'step {number}: unknown action "{_short(action)}"{known}')
        if len(names) != ACTIONS[action]:
            raise fault(f"step {number}: {action} takes {ACTIONS[action]} holes, not {len(names)}")
        holes = []
        for name in names:
            hole = _hole(board, objects, name)
            if hole is None:
                hint = suggestion(name, objects)
                raise fault(f'step {number}: board {board.name} has no hole "{_short(name)}"{hint}')
            holes.append(hole)
        yield Step(number, action, tuple(holes), f"{action} {' '.join(names)}".strip())


def _hole(board: Board, objects: dict[str, int], name: str) -> int | None:
    """A hole by its PDDL name, by the competitions' ``pos-ROW-COLUMN``, or as a board read from PDDL respells it."""
    if name in objects:
        return objects[name]
    match = _GRID.fullmatch(name)
    if match and board.cells is not None:
        cell = int(match[1]), int(match[2])
        return board.cells.index(cell) if cell in board.cells else None
    return objects.get(name.replace("-", "_"))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _check_bookkeeping(problem: Problem, steps: list[Step]) -> None:
    """Play the plan by the rules of the domains; stops at an impossible jump, which is the checker's to report."""
    board = problem.board
    position = problem.start.mask
    on_its_way: int | None = None
    stopped = taken = False
    blocked: set[tuple[int, ...]] = set()
    for step in steps:
        fault = ""
        if step.action.startswith("jump"):
            jump = Jump(*step.holes)
            if stopped:
                fault = "the play has been stopped"
            elif step.action == "jump-new-move" and on_its_way is not None:
                fault = f"the move of the peg at {board.holes[on_its_way]} has not been ended"
            elif step.action == "jump-continue-move" and on_its_way != jump.from_:
                fault = f"the peg at {board.holes[jump.from_]} did not make the jump before"
            elif not board.has_jump(jump) or not jump.is_legal(position):
                return
            position ^= jump.mask
            on_its_way = jump.to if step.action != "jump" else None
        elif step.action == "end-move":
            if on_its_way != step.holes[0]:
                fault = f"the peg at {board.holes[step.holes[0]]} did not make the jump before"
            on_its_way = None
        elif step.action == "take":
            if taken or not position >> step.holes[0] & 1:
                fault = "a peg has been taken already" if taken else "there is no peg"
            position &= ~(1 << step.holes[0])
            taken = True
        elif step.action == "stop":
            fault = "the play has been stopped already" if stopped else ""
            stopped = True
        else:
            a, over, b = step.holes
            filled = [position >> hole & 1 for hole in step.holes]
            if not stopped:
                fault = "the play has not been stopped"
            elif not board.has_jump(Jump(a, over, b)):
                fault = f"not a line of board {board.name}"
            elif filled not in _BLOCKED[step.action]:
                fault = "the line is not blocked in that way"
            blocked.add((a, over, b))
        if fault:
            raise InvalidSolution(
                f"step {step.number} of the plan ({step.text}) is impossible: {fault}", step=step.number
            )
    if taken and position:
        raise InvalidSolution(f"the plan takes a peg off, but {position.bit_count()} others are left at the end")
    # The goal writes each line as the board does, and a plan must show it in that direction.
    open_ = next((line for line in board.lines if line not in blocked), None)
    if stopped and open_ is not None:
        names = " ".join(board.holes[hole] for hole in open_)
        raise InvalidSolution(f"the plan stops without showing that the line {names} is blocked")


_BLOCKED = {
    "middle-vacant": ([0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]),
    "ends-vacant": ([0, 0, 0], [0, 1, 0]),
    "ends-filled": ([1, 0, 1], [1, 1, 1]),
}
