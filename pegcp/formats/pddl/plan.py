"""Reading plans: the steps of an IPC plan file, back to jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from pegcp.errors import InputError, InvalidSolution, suggestion
from pegcp.formats.pddl.domains import WRITTEN, Domain, Fact, final_facts, start_facts
from pegcp.formats.pddl.write import pddl_names
from pegcp.game.board import Board, Jump
from pegcp.game.lattice import Cell
from pegcp.game.problem import Problem

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

    ``start`` and ``end`` are its times; None in a plan without times.
    """

    number: int
    action: str
    holes: tuple[int, ...]
    text: str
    start: float | None = None
    end: float | None = None

    @property
    def is_jump(self) -> bool:
        """Whether it is a jump, not bookkeeping."""
        return self.action.startswith("jump")


def read_plan(problem: Problem, text: str, source: str = "plan") -> list[Jump]:
    """The jumps of a plan, one action to a line, ``;`` comments, time stamps and durations allowed.

    If every action has a time and a duration, the jumps are sorted by their start, and jumps that share a hole must
    not overlap in time. Raises InputError, naming the step, for what is not an action on this board, and
    InvalidSolution if jumps overlap or an action that is not a jump is impossible where it stands. Whether the jumps
    are possible, :func:`pegcp.game.check.check` says.
    """
    steps = _in_time(problem, list(_steps(problem.board, text, source)))
    jumps = [Jump(*step.holes) for step in steps if step.is_jump]
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
        for hole in step.holes if step.is_jump else ():
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
    takes = {name: len(action.parameters) for domain in WRITTEN for name, action in domain.actions.items()}
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
        if action not in takes:
            known = suggestion(action, takes)
            raise fault(f'step {number}: unknown action "{_short(action)}"{known}')
        if len(names) != takes[action]:
            raise fault(f"step {number}: {action} takes {takes[action]} holes, not {len(names)}")
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


def _check_bookkeeping(problem: Problem, steps: list[Step]) -> None:
    """Raises InvalidSolution if an action that is not a jump is impossible where it stands, or one is missing.

    Where the pegs are is the checker's to judge: after a jump that is impossible on the board nothing counts.
    """
    domain = _domain_of(problem, {step.action for step in steps})
    holes = len(problem.board.holes)
    true = set(start_facts(problem, domain))
    for step in steps:
        action = domain.actions[step.action].on(step.holes, holes)
        missing = [fact for fact in action.wants if fact not in true]
        fault = next((fact for fact in missing if not (step.is_jump and fact[0] in ("line", "peg", "vacant"))), None)
        if fault is not None:
            raise InvalidSolution(
                f"step {step.number} of the plan ({step.text}) is impossible: "
                f"{_told(problem.board, fault)} is not true",
                step=step.number,
            )
        if missing:
            return
        true.difference_update(action.takes)
        true.update(action.gives)
    for fact in final_facts(problem, domain):
        if fact[0] not in ("peg", "vacant", "holding") and fact not in true:
            raise InvalidSolution(f"the plan ends without making {_told(problem.board, fact)} true")


def _domain_of(problem: Problem, actions: set[str]) -> Domain:
    """The domain that a plan with these actions is for: one that fits the problem if there is one."""
    having = [domain for domain in WRITTEN if actions <= domain.actions.keys()]
    fitting = [domain for domain in having if problem.goal.kind in domain.takes]
    best = [domain for domain in fitting if domain.fits(problem)]
    for domain in (*best, *fitting):
        return domain
    raise InvalidSolution(
        f"the plan mixes {' and '.join(sorted(actions))}; no PDDL domain of this goal has all of these actions"
    )


def _told(board: Board, fact: Fact) -> str:
    predicate, holes = fact
    return f"({' '.join((predicate, *(board.holes[hole] for hole in holes)))})"
