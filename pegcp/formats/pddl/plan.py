"""Reading plans: the steps of an IPC plan file, back to jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from pegcp.errors import InputError, InvalidSolution, suggestion
from pegcp.formats.pddl.write import pddl_names
from pegcp.game.board import Board, Jump
from pegcp.game.goal import Nearest, Partial
from pegcp.game.lattice import Cell
from pegcp.game.problem import Problem

# The actions of models/*.pddl and of the competitions, with the number of holes they take.
ACTIONS = {
    "jump": 3,
    "jump-new-move": 3,
    "jump-continue-move": 3,
    "end-move": 1,
    "take": 1,
    "stop": 0,
    "next-step": 0,
    "middle-vacant": 3,
    "ends-vacant": 3,
    "ends-filled": 3,
    "peg-as-wanted": 2,
    "vacant-as-wanted": 2,
    "peg-too-many": 2,
    "peg-missing": 2,
}
# "12: (jump a b c)", "0.001: (JUMP A B C) [1]", "(jump a b c) ; cost 1"
_STEP = re.compile(
    r"\s*(?:(?P<start>\d+(?:\.\d*)?)\s*:)?\s*\((?P<action>[^()]*)\)"
    r"\s*(?:\[\s*(?:D:)?\s*(?P<duration>\d+(?:\.\d*)?)?[^\]]*\]\)?)?\s*(?P<rest>.*)"
)
_GAP = 1e-6  # between one time and another that are the same, but rounded
_GRID = re.compile(r"pos-(\d{1,3})-(\d{1,3})")


@dataclass(frozen=True)
class Step:
    """An action of a plan on holes of the board; ``number`` counts the actions from 1.

    ``start`` and ``end`` are the times of a plan that tells them.
    """

    number: int
    action: str
    holes: tuple[int, ...]
    text: str
    start: float | None = None
    end: float | None = None


def read_plan(problem: Problem, text: str, source: str = "plan") -> list[Jump]:
    """The jumps of a plan, one action to a line, ``;`` comments, time stamps and durations allowed.

    Where every action has both, the jumps come in the order in which they start, and those with a hole in common must
    not overlap in time. Raises InputError, naming the step, for what is not an action on this board, and
    InvalidSolution if jumps overlap or an action that is not a jump is impossible where it stands. Whether the jumps
    are possible, :func:`pegcp.game.check.check` says.
    """
    steps = _in_time(problem, list(_steps(problem.board, text, source)))
    jumps = [Jump(*step.holes) for step in steps if step.action.startswith("jump")]
    if any(step.action != "jump" for step in steps):
        _check_bookkeeping(problem, steps)
    return jumps


def _in_time(problem: Problem, steps: list[Step]) -> list[Step]:
    """The steps in the order in which they start. Raises InvalidSolution for jumps that are in each other's way."""
    if any(step.start is None or step.end is None for step in steps):
        return steps
    steps = sorted(steps, key=lambda step: step.start or 0.0)
    last: dict[int, Step] = {}
    for step in steps:
        for hole in step.holes if step.action.startswith("jump") else ():
            before = last.get(hole)
            if before is not None and (step.start or 0.0) < (before.end or 0.0) - _GAP:
                raise InvalidSolution(
                    f"step {step.number} of the plan ({step.text}) is impossible: it begins while "
                    f"step {before.number} ({before.text}) is using {problem.board.holes[hole]}",
                    step=step.number,
                )
            last[hole] = step
    return steps


def _steps(board: Board, text: str, source: str) -> Iterator[Step]:
    objects = {name: i for i, name in enumerate(pddl_names(board))}
    cells = {cell: i for i, cell in enumerate(board.cells or ())}
    number = 0
    for row, content in enumerate(text.split("\n"), start=1):
        line = content.partition(";")[0].strip()
        if not line:
            continue
        number += 1
        column = len(content) - len(content.lstrip()) + 1
        fault = partial(InputError, source=source, line=row, column=column)
        match = _STEP.fullmatch(line)
        if match is None or match["rest"]:
            raise fault(f'step {number}: "{_short(line)}" is not an action such as (jump d2 d3 d4)')
        action, *names = match["action"].lower().split() or [""]
        if action not in ACTIONS:
            known = suggestion(action, ACTIONS)
            raise fault(f'step {number}: unknown action "{_short(action)}"{known}')
        if len(names) != ACTIONS[action]:
            raise fault(f"step {number}: {action} takes {ACTIONS[action]} holes, not {len(names)}")
        holes = []
        for name in names:
            hole = _hole(cells, objects, name)
            if hole is None:
                hint = suggestion(name, objects)
                raise fault(f'step {number}: board {board.name} has no hole "{_short(name)}"{hint}')
            holes.append(hole)
        start = float(match["start"]) if match["start"] else None
        end = start + float(match["duration"]) if start is not None and match["duration"] else None
        yield Step(number, action, tuple(holes), f"{action} {' '.join(names)}".strip(), start, end)


def _hole(cells: Mapping[Cell, int], objects: Mapping[str, int], name: str) -> int | None:
    """A hole by its PDDL name, by the competitions' ``pos-ROW-COLUMN``, or as a board read from PDDL respells it."""
    if name in objects:
        return objects[name]
    match = _GRID.fullmatch(name)
    if match and cells:
        return cells.get((int(match[1]), int(match[2])))
    return objects.get(name.replace("-", "_"))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


class _Play:
    """A plan played by the rules of the domains, action by action.

    The jumps themselves are the checker's to judge: at an impossible one ``lost`` is set, and nothing after it counts.
    """

    def __init__(self, problem: Problem) -> None:
        self.board = problem.board
        self.position = problem.start.mask
        self.on_its_way: int | None = None  # where the peg stands that is making a move
        self.stopped = self.taken = self.lost = False
        self.fresh: int | None = None  # the holes that no jump of this step has used, where steps are told
        self.blocked: set[tuple[int, ...]] = set()
        self.sought = problem.sought if isinstance(problem.goal, Partial | Nearest) else None
        self.settled = self.turn = 0

    def fault(self, step: Step) -> str | None:
        """Make an action; why that is impossible, or None."""
        match step.action:
            case "jump" | "jump-new-move" | "jump-continue-move":
                return self._jump(step.action, Jump(*step.holes))
            case "end-move":
                return self._end_move(*step.holes)
            case "take":
                return self._take(*step.holes)
            case "stop":
                again, self.stopped = self.stopped, True
                return "the play has been stopped already" if again else None
            case "next-step":
                self.fresh = self.board.full
                return None
            case "peg-as-wanted" | "vacant-as-wanted" | "peg-too-many" | "peg-missing":
                return self._settle(step.action, *step.holes)
            case _:
                return self._block(step.action, Jump(*step.holes))

    def _jump(self, action: str, jump: Jump) -> str | None:
        if self.stopped:
            return "the play has been stopped"
        if action == "jump-new-move" and self.on_its_way is not None:
            return f"the move of the peg at {self.board.holes[self.on_its_way]} has not been ended"
        if action == "jump-continue-move" and self.on_its_way != jump.from_:
            return f"the peg at {self.board.holes[jump.from_]} did not make the jump before"
        if self.fresh is not None:
            if jump.mask & ~self.fresh:
                return "one of its holes is not fresh: a jump of this step has used it, or no step has begun"
            self.fresh &= ~jump.mask
        self.lost = not self.board.has_jump(jump) or not jump.is_legal(self.position)
        self.position ^= jump.mask
        self.on_its_way = jump.to if action != "jump" else None
        return None

    def _end_move(self, hole: int) -> str | None:
        ended, self.on_its_way = self.on_its_way, None
        return None if ended == hole else f"the peg at {self.board.holes[hole]} did not make the jump before"

    def _take(self, hole: int) -> str | None:
        if self.taken:
            return "a peg has been taken already"
        if not self.position >> hole & 1:
            return "there is no peg"
        self.position &= ~(1 << hole)
        self.taken = True
        return None

    def _settle(self, action: str, hole: int, next_: int) -> str | None:
        if self.sought is None:
            return "nothing is wanted of single holes"
        turn, self.turn = self.turn, (self.turn + 1) % len(self.board.holes)
        if (hole, next_) != (turn, self.turn):
            return f"it is the turn of {self.board.holes[turn]}, and then of {self.board.holes[self.turn]}"
        self.settled |= 1 << hole
        if not self.stopped:
            return "the play has not been stopped"
        wanted, held = self.sought.pegs >> hole & 1, self.position >> hole & 1
        return None if (wanted, held) == _SETTLED[action] else "the hole has not ended in that way"

    def _block(self, action: str, line: Jump) -> str | None:
        filled = [self.position >> hole & 1 for hole in line]
        self.blocked.add(tuple(line))
        if not self.stopped:
            return "the play has not been stopped"
        if not self.board.has_jump(line):
            return f"not a line of board {self.board.name}"
        return None if filled in _BLOCKED[action] else "the line is not blocked in that way"

    def end(self) -> str | None:
        """What is wrong with the plan as a whole, or None."""
        if self.taken and self.position:
            return f"the plan takes a peg off, but {self.position.bit_count()} others are left at the end"
        if self.sought is not None:
            unsettled = self.board.names(self.board.full & ~self.settled)
            return f"the plan ends without settling {unsettled[0]}" if unsettled else None
        # The goal writes each line as the board does, and a plan must show it in that direction.
        unshown = next((line for line in self.board.lines if line not in self.blocked), None)
        if self.stopped and unshown is not None:
            names = " ".join(self.board.holes[hole] for hole in unshown)
            return f"the plan stops without showing that the line {names} is blocked"
        return None


def _check_bookkeeping(problem: Problem, steps: list[Step]) -> None:
    """Raises InvalidSolution if an action that is not a jump is impossible where it stands."""
    play = _Play(problem)
    if any(step.action == "next-step" for step in steps):
        play.fresh = 0
    for step in steps:
        fault = play.fault(step)
        if fault:
            raise InvalidSolution(
                f"step {step.number} of the plan ({step.text}) is impossible: {fault}", step=step.number
            )
        if play.lost:
            return
    fault = play.end()
    if fault:
        raise InvalidSolution(fault)


# What was wanted of a hole, and what it holds at the end.
_SETTLED = {
    "peg-as-wanted": (1, 1),
    "vacant-as-wanted": (0, 0),
    "peg-too-many": (0, 1),
    "peg-missing": (1, 0),
}
_BLOCKED = {
    "middle-vacant": ([0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]),
    "ends-vacant": ([0, 0, 0], [0, 1, 0]),
    "ends-filled": ([1, 0, 1], [1, 1, 1]),
}
