"""Plans: the steps of an IPC plan file, read back to jumps; and solutions written as plans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pegcp.errors import InputError, InvalidSolution, suggestion
from pegcp.formats.pddl.domains import DOMAINS, Domain, Fact, costs_jumps, domain_for, final_facts, start_facts
from pegcp.formats.pddl.read import Task
from pegcp.formats.pddl.write import names_in, pddl_names
from pegcp.game.board import Board, Jump, in_steps
from pegcp.game.check import check
from pegcp.game.goal import Objective, OnePeg
from pegcp.game.lattice import Cell
from pegcp.game.problem import Problem

# "12: (jump a b c)", "0.001: (JUMP A B C) [1]", "(jump a b c) ; cost 1"
_STEP = re.compile(
    r"\s*(?:(?P<start>\d+(?:\.\d*)?)\s*:)?\s*\((?P<action>[^()]*)\)"
    r"\s*(?:\[\s*(?:D:)?\s*(?P<duration>\d+(?:\.\d*)?)?[^\]]*\]\)?)?\s*(?P<rest>.*)"
)
_GAP = 1e-6  # between one time and another that are the same, but rounded
_APART = 0.02  # between the end of a step and the start of the next: validators take what is nearer for one time
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


@dataclass(frozen=True)
class Plan:
    """The jumps of a plan, and what it costs as its domain counts: what is to be small there, else its actions."""

    jumps: tuple[Jump, ...]
    cost: float


def read_plan(problem: Problem, text: str, source: str = "plan") -> list[Jump]:
    """The jumps of a plan, one action to a line, ``;`` comments, time stamps and durations allowed.

    If every action has a time and a duration, the jumps are sorted by their start, and jumps that share a hole must
    not overlap in time. Raises InputError, naming the step, for what is not an action on this board, and
    InvalidSolution if jumps overlap or an action that is not a jump is impossible where it stands. Whether the jumps
    are possible, :func:`pegcp.game.check.check` says.
    """
    steps = _in_time(problem, list(_steps(problem.board, text, source)))
    if any(step.action != "jump" for step in steps):
        _check_bookkeeping(problem, _domain_of(problem, {step.action for step in steps}), steps)
    return _jumps(steps)


def read_whole_plan(problem: Problem, text: str, source: str = "plan", domain: str | None = None) -> Plan:
    """A plan of a domain, by default of the one that fits, in which no action is missing: a bare list of jumps is a
    plan only where the domain has no other actions. Raises as :func:`read_plan`."""
    steps = _in_time(problem, list(_steps(problem.board, text, source)))
    chosen = domain_for(problem, domain)
    _check_whole(problem, chosen, steps)
    return Plan(tuple(_jumps(steps)), _cost(problem, chosen, steps))


def metric_value(task: Task, text: str, source: str = "plan") -> float:
    """What the metric of a problem file says of a plan as it is written; the number of actions where it has none.

    Raises as :func:`read_plan`, and InvalidSolution for what is no plan of the file.
    """
    steps = _in_time(task.problem, list(_steps(task.problem.board, text, source)))
    _check_whole(task.problem, task.domain, steps)
    check(task.problem, _jumps(steps))
    if not task.metric:
        return len(steps)
    cost = _cost(task.problem, task.domain, steps)
    return cost if task.most is None else task.most - cost


def _check_whole(problem: Problem, domain: Domain, steps: list[Step]) -> None:
    """Raises InvalidSolution for steps that are no plan of a domain, wherever the pegs are."""
    other = next((step for step in steps if step.action not in domain.actions), None)
    if other is not None:
        raise InvalidSolution(f"step {other.number} of the plan ({other.text}) is no action of {domain.name}")
    _check_bookkeeping(problem, domain, steps, whole=True)


def _jumps(steps: list[Step]) -> list[Jump]:
    return [Jump(*step.holes) for step in steps if step.is_jump]


def _cost(problem: Problem, domain: Domain, steps: list[Step]) -> float:
    """What steps cost as a domain counts."""
    if domain.measure == "total-time":
        return round(max((len(steps) if step.end is None else step.end for step in steps), default=0), 6)
    if costs_jumps(problem, domain):
        return len(_jumps(steps))
    if domain.prefers(problem):
        return problem.value(tuple(_jumps(steps))) or 0
    if not domain.measure or problem.objective is Objective.ANY:
        return len(steps)
    weights = () if problem.sought is None else problem.sought.weights
    costs = [domain.actions[step.action].on(step.holes, len(problem.board.holes)).cost for step in steps]
    return sum(cost if isinstance(cost, int) else weights[cost[0]] for cost in costs)


def write_plan(problem: Problem, jumps: Sequence[Jump], domain: str | None = None) -> str:
    """A solution as a plan of a domain, by default of the one that fits; with times where actions have durations.

    Raises InputError if the domain does not express the problem, and InvalidSolution for what is no solution.
    """
    chosen = domain_for(problem, domain)
    last = check(problem, jumps).positions[-1].mask
    names = names_in(problem.board, chosen)
    lines: list[str] = []
    for number, step in enumerate([*_written_jumps(chosen, jumps), *_written_end(problem, chosen, last)]):
        for action, holes in step:
            line = f"({' '.join([action, *(names[hole] for hole in holes)])})"
            timed = chosen.actions[action].durative
            lines.append(f"{number * (1 + _APART):.3f}: {line} [1.000]" if timed else line)
    cost = read_whole_plan(problem, "\n".join(lines), domain=chosen.stem).cost
    return "".join(f"{line}\n" for line in [*lines, f"; cost = {cost:g}"])


def _written_jumps(domain: Domain, jumps: Sequence[Jump]) -> Iterator[list[Fact]]:
    """The jumps as actions of a domain; those that stand together are made at once."""
    if "next-step" in domain.actions:
        for step in in_steps(jumps):
            yield [("next-step", ()), *(("jump", jump) for jump in step)]
    elif domain.measure == "total-time":
        yield from ([("jump", jump) for jump in step] for step in in_steps(jumps))
    elif "jump-new-move" in domain.actions:
        for before, jump in zip([None, *jumps], jumps, strict=False):
            if before is not None and before.to == jump.from_:
                yield [("jump-continue-move", jump)]
            else:
                yield [*([] if before is None else [("end-move", (before.to,))]), ("jump-new-move", jump)]
    else:
        yield from ([("jump", jump)] for jump in jumps)


def _written_end(problem: Problem, domain: Domain, last: int) -> Iterator[list[Fact]]:
    """What follows the jumps in a plan of a domain, at the last position."""
    if isinstance(problem.goal, OnePeg) and "take" in domain.actions:
        yield [("take", (last.bit_length() - 1,))]
    if "stop" in domain.actions:
        yield [("stop", ())]
    for a, over, b in problem.board.lines if "blocked" in domain.predicates and not domain.has_rules else ():
        filled = [bool(last >> hole & 1) for hole in (a, over, b)]
        yield [("middle-vacant" if not filled[1] else "ends-filled" if filled[0] else "ends-vacant", (a, over, b))]
    if "settled" in domain.predicates:
        assert problem.sought is not None
        holes = len(problem.board.holes)
        for hole in range(holes):
            peg, wanted = last >> hole & 1, problem.sought.pegs >> hole & 1
            done = ("peg" if peg else "vacant") + "-as-wanted" if peg == wanted else ""
            yield [(done or ("peg-too-many" if peg else "peg-missing"), (hole, (hole + 1) % holes))]


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
    takes = {name: len(action.parameters) for domain in DOMAINS for name, action in domain.actions.items()}
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


def _check_bookkeeping(problem: Problem, domain: Domain, steps: list[Step], *, whole: bool = False) -> None:
    """Raises InvalidSolution if an action that is not a jump is impossible where it stands, or one is missing.

    Where the pegs are is the checker's to judge: after a jump that is impossible on the board nothing counts.
    """
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
    left = ("peg", "vacant", "blocked" if domain.has_rules else "", "" if whole else "holding")
    for fact in final_facts(problem, domain):
        if fact[0] not in left and fact not in true:
            raise InvalidSolution(f"the plan ends without making {_told(problem.board, fact)} true")


def _domain_of(problem: Problem, actions: set[str]) -> Domain:
    """The domain that a plan with these actions is for: one that fits the problem if there is one."""
    having = [domain for domain in DOMAINS if actions <= domain.actions.keys()]
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
