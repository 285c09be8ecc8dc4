"""Plans: the steps of an IPC plan file, read back to jumps; and solutions written as plans."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pegcp.errors import InputError, InvalidSolution, clipped, suggestion
from pegcp.formats.pddl.domains import DOMAINS, Domain, domain_for, final_facts, names_in, pddl_names, start_facts
from pegcp.formats.pddl.read import PlanningTask
from pegcp.formats.pddl.syntax import Fact, Place
from pegcp.game import Board, Jump, OnePeg, Problem, group_moves, group_steps, replay_solution

DURATION = 1.0  # of an action that has one
_SAME_TIME = 1e-6  # between one time and another that are the same, but rounded
_TIME_BETWEEN_STEPS = (
    0.02  # between the end of a step and the start of the next: validators take what is nearer for one time
)
_SETTLING = {  # the action that settles a hole by what it holds and what it should hold, 1 for a peg
    (0, 0): "vacant-as-wanted",
    (0, 1): "peg-missing",
    (1, 0): "peg-too-many",
    (1, 1): "peg-as-wanted",
}
# "12: (jump a b c)", "0.001: (JUMP A B C) [1]", "(jump a b c) ; cost 1"
_STEP = re.compile(
    r"\s*(?:(?P<start>\d+(?:\.\d*)?)\s*:)?\s*\((?P<action>[^()]*)\)"
    r"\s*(?:\[\s*(?:D:)?\s*(?P<duration>\d+(?:\.\d*)?)?[^\]]*\]\)?)?"
)


@dataclass(frozen=True)
class Plan:
    """The jumps of a plan, and its cost in its domain: the value of the metric, or the number of actions."""

    jumps: tuple[Jump, ...]
    cost: float


@dataclass(frozen=True)
class _Step(Place):
    """An action of a plan; ``number`` counts them from 1.

    ``text`` is the action as written, without its brackets; ``start`` and ``end`` are None in a plan without times;
    ``action`` is its name in pegcp's domain, and ``holes`` are its objects as indices on a board.
    """

    number: int
    text: str
    start: float | None
    end: float | None
    action: str = ""
    holes: tuple[int, ...] = ()

    def error(self, message: str) -> InputError:
        """Return an error with its place in the file."""
        return super().error(f"step {self.number}: {message}")

    def invalid(self, why: str) -> InvalidSolution:
        """Return an error about a plan that is wrong at this step."""
        return InvalidSolution(f"step {self.number} of the plan ({clipped(self.text, 80)}) {why}", step=self.number)


def read_plan(target: Problem | PlanningTask, text: str, source: str = "plan") -> list[Jump]:
    """Read the jumps of a plan: one action a line; comments with ``;``, time stamps and durations are allowed.

    If every action has a time and a duration, the jumps are sorted by their start, and jumps that share a hole must
    not overlap in time. Raises InputError, naming the step, for anything but actions on this board, and InvalidSolution
    if jumps overlap or another action is impossible at its step. The jumps are not checked:
    :func:`pegcp.game.replay_solution` does that. A plan of a Task may be in the names of its file.
    """
    task = _task(target)
    steps = _read_steps(task, text, source)
    actions = {step.action for step in steps}
    if actions - {"jump"}:
        rows = [task.domain, *(row for row in DOMAINS if task.problem.goal.kind in row.takes)]
        choices = [row for row in rows if actions <= row.actions.keys()]
        row = max(choices, key=lambda row: (row is task.domain, row.fits(task.problem)), default=None)
        if row is None:
            raise InvalidSolution(
                f"the plan mixes {' and '.join(sorted(actions))}; no PDDL domain of this goal has all of these actions"
            )
        _check_bookkeeping(task if row is task.domain else PlanningTask(task.problem, row, names=task.names), steps)
    return [Jump(*step.holes) for step in _jumps(steps)]


def read_whole_plan(
    target: Problem | PlanningTask, text: str, source: str = "plan", domain: str | None = None, *, strict: bool = False
) -> Plan:
    """Read a plan of a task, or of a domain, by default the one that fits, in which no action is missing.

    A bare list of jumps is a plan only where the domain has no other actions. With ``strict`` a jump must begin after
    those with its holes have ended, as validators require. Raises as :func:`read_plan`, and InvalidSolution for a plan
    that does not solve the problem.
    """
    task = _task(target, domain)
    steps = _read_steps(task, text, source, strict=strict)
    for step in steps:
        if step.action not in task.domain.actions:
            raise step.invalid(f"is not an action of {task.domain.name}")
        timed = task.domain.actions[step.action].duration
        if timed and step.end is not None and abs(step.end - (step.start or 0) - DURATION) > _SAME_TIME:
            raise step.invalid(f"must take {DURATION:g} unit of time")
    _check_bookkeeping(task, steps, to_goal=True)
    jumps = tuple(Jump(*step.holes) for step in _jumps(steps))
    try:
        replay_solution(task.problem, jumps)
    except InvalidSolution as error:
        raise _jumps(steps)[error.step - 1].invalid(f"is impossible: {error}") if error.step else error from None
    return Plan(jumps, _cost(task, steps, jumps))


def metric_value(task: PlanningTask, text: str, source: str = "plan") -> float:
    """Return the value of a problem file's metric for a plan as it is written; the number of actions where it has none.

    Raises as a strict :func:`read_whole_plan`.
    """
    cost = read_whole_plan(task, text, source, strict=True).cost
    return cost if task.most is None else task.most - cost


def _task(target: Problem | PlanningTask, domain: str | None = None) -> PlanningTask:
    """Return the task of plans: for a problem that was read from a file that of the file, as long as it is the same."""
    if isinstance(target, PlanningTask):
        return target
    file = target.origin if domain is None else None
    if isinstance(file, PlanningTask) and (file.problem.start, file.problem.goal) == (target.start, target.goal):
        return file
    return PlanningTask(target, domain_for(target, domain))


def _read_steps(task: PlanningTask, text: str, source: str, *, strict: bool = False) -> list[_Step]:
    """Return the actions of a plan, one a line, with ``;`` comments, in the order in which they start.

    Raises InputError, naming the step, for any other line, and InvalidSolution for jumps that overlap in time.
    """
    board = task.problem.board
    grid = [f"pos-{row}-{column}" for row, column in board.cells or ()]
    objects = {name: i for names in (grid, pddl_names(board), task.names) for i, name in enumerate(names)}
    takes = {name: len(action.parameters) for domain in DOMAINS for name, action in domain.actions.items()}
    steps: list[_Step] = []
    lines = [line.partition(";")[0].rstrip() for line in text.split("\n")]
    for row, line in [(row, line) for row, line in enumerate(lines, start=1) if line]:
        number, place = len(steps) + 1, Place(source, row, len(line) - len(line.lstrip()) + 1)
        match = _STEP.fullmatch(line)
        if match is None:
            raise place.error(f'step {number}: "{clipped(line.strip(), 40)}" is not an action such as (jump d2 d3 d4)')
        start = float(match["start"]) if match["start"] else None
        end = start + float(match["duration"]) if start is not None and match["duration"] else None
        step = _Step(source, row, place.column, number, " ".join(match["action"].lower().split()), start, end)
        steps.append(_place_step(task, step, objects, takes))
    if all(step.end is not None for step in steps):
        steps.sort(key=lambda step: step.start or 0.0)
        _check_times(board, steps, 0.0 if strict else -_SAME_TIME)
    return steps


def _place_step(task: PlanningTask, step: _Step, objects: Mapping[str, int], takes: Mapping[str, int]) -> _Step:
    """Return a step with its action and holes: in the words of the task's file, or in those of any domain.

    ``objects`` are the indices of holes by their names, ``takes`` is how many of them an action takes.
    Raises InputError, naming the step, for an unknown action or hole, and InvalidSolution for one that no jump is.
    """
    written = tuple(step.text.split(" "))
    if not task.jumps and written[0] not in takes:
        raise step.error(f'unknown action "{clipped(written[0], 40)}"{suggestion(written[0], takes)}')
    if task.jumps and written not in task.jumps:
        raise step.invalid(
            "is impossible: the domain has no such action on these objects, but such as "
            f"({' '.join(next(iter(task.jumps)))})"
        )
    action, *names = task.jumps.get(written, written)
    step.require(len(names) == takes[action], f"{action} takes {takes[action]} holes, not {len(names)}")
    # A board that was read respells its own names.
    respelled = [name if name in objects else name.replace("-", "_") for name in names]
    for name in [name for name, other in zip(names, respelled, strict=True) if other not in objects]:
        raise step.error(f'{task.problem.board.name} has no hole "{clipped(name, 40)}"{suggestion(name, objects)}')
    return replace(step, action=action, holes=tuple(objects[name] for name in respelled))


def _jumps(steps: Sequence[_Step]) -> list[_Step]:
    """Return the steps that are jumps; the others are bookkeeping."""
    return [step for step in steps if step.action.startswith("jump")]


def _check_times(board: Board, steps: Sequence[_Step], gap: float) -> None:
    """Check that jumps with a hole in common are more than ``gap`` apart. Raises InvalidSolution."""
    last: dict[int, _Step] = {}  # the last jump of each hole
    for step, hole in [(jump, hole) for jump in _jumps(steps) for hole in jump.holes]:
        before = last.get(hole, step)
        if before is not step and (step.start or 0.0) - (before.end or 0.0) <= gap:
            raise step.invalid(
                f"is impossible: it begins while step {before.number} ({before.text}) is using {board.holes[hole]}"
            )
        last[hole] = step


def _check_bookkeeping(task: PlanningTask, steps: Sequence[_Step], *, to_goal: bool = False) -> None:
    """Check that every action that is not a jump is possible at its step, and none is missing. Raises InvalidSolution.

    With ``to_goal`` the goal must be true at the end. The replay judges the jumps: after one that is
    impossible on the board the rest is not looked at.
    """
    domain, names = task.domain, task.names or task.problem.board.holes
    true = set(start_facts(task.problem, domain))
    for step in steps:
        lifted = domain.actions[step.action]
        action = lifted.ground(dict(zip(lifted.parameters, step.holes, strict=True)), range(len(names)))
        missing = [fact for fact in action.wants if fact not in true]
        board_facts = ("line", "peg", "vacant") if _jumps([step]) else ()
        for fact in [fact for fact in missing if fact[0] not in board_facts]:
            raise step.invalid(f"is impossible: {domain.fact_text(fact, names)} is not true")
        if missing:
            return
        true.difference_update(action.takes)
        true.update(action.gives)
    unchecked = ("peg", "vacant", "blocked" if domain.has_rules else "", "" if to_goal else "holding")
    for fact in (*final_facts(task.problem, domain), *task.endings):
        if fact[0] not in unchecked and fact not in true:
            raise InvalidSolution(f"the plan ends without making {domain.fact_text(fact, names)} true")


def _cost(task: PlanningTask, steps: Sequence[_Step], jumps: tuple[Jump, ...]) -> float:
    """Return the cost of steps in the domain of a task: what its objective measures; without one the number of
    actions."""
    problem, domain = task.problem, task.domain
    value = problem.value(jumps)
    if value is None:
        return len(steps)
    if domain.measure == "total-time":
        return round(max((len(steps) if step.end is None else step.end for step in steps), default=0), 6)
    if problem.sought is not None:  # holes that end otherwise cost their weight
        return value
    costs = task.costs or domain.costs
    return sum(cost for step in steps if isinstance(cost := costs.get(step.action), int))


def write_plan(target: Problem | PlanningTask, jumps: Sequence[Jump], domain: str | None = None) -> str:
    """Write a solution as a plan of a task in the names of its file, or of a domain, by default the one that fits.

    Actions with durations get times. Raises InputError if the domain does not express the problem, and InvalidSolution
    for jumps that do not solve it.
    """
    task = _task(target, domain)
    problem, row = task.problem, task.domain
    last = replay_solution(problem, jumps).positions[-1].mask
    names = task.names or names_in(problem.board, row)
    own = {jump: key for key, jump in reversed(task.jumps.items())}  # the first action of a jump
    groups = [*_actions_of_jumps(task, jumps), *([action] for action in _actions_at_end(problem, row, last))]
    lines = []
    for number, group in enumerate(groups):
        for action, holes in group:
            step = (action, *(names[hole] for hole in holes))
            text = f"({' '.join(own.get(step, step))})"
            timed = row.actions[action].duration
            lines.append(f"{number * (DURATION + _TIME_BETWEEN_STEPS):.3f}: {text} [{DURATION:.3f}]" if timed else text)
    plan = "\n".join(lines)
    return f"{plan}\n; cost = {metric_value(task, plan):g}\n".lstrip("\n")


def _actions_of_jumps(task: PlanningTask, jumps: Sequence[Jump]) -> Iterator[Sequence[Fact]]:
    """Yield the jumps as actions of the domain of a task, in groups that start at one time."""
    domain = task.domain
    opening: list[Fact] = [("next-step", ())] if "next-step" in domain.actions else []
    if "jump-new-move" in domain.actions:
        for move in group_moves(jumps):
            yield [("jump-new-move", move[0])]
            yield from ([("jump-continue-move", jump)] for jump in move[1:])
            if move[-1] is not jumps[-1] or task.endings:
                yield [("end-move", (move[-1].to,))]
    else:
        groups = group_steps(jumps) if opening or domain.measure == "total-time" else [[jump] for jump in jumps]
        yield from ([*opening, *(("jump", jump) for jump in group)] for group in groups)


def _actions_at_end(problem: Problem, domain: Domain, last: int) -> Iterator[Fact]:
    """Yield the actions that follow the jumps in a plan of a domain, from the last position (a bit mask)."""
    if isinstance(problem.goal, OnePeg) and "take" in domain.actions:
        yield "take", (last.bit_length() - 1,)
    if "stop" in domain.actions:
        yield "stop", ()
    for line in problem.board.lines if "middle-vacant" in domain.actions else ():
        end, middle, _ = (last >> hole & 1 for hole in line)
        yield "ends-vacant" if middle and not end else "ends-filled" if middle else "middle-vacant", line
    if "settled" in domain.predicates:
        wanted, holes = problem.sought.pegs if problem.sought else 0, len(problem.board.holes)
        for hole in range(holes):
            yield _SETTLING[last >> hole & 1, wanted >> hole & 1], (hole, (hole + 1) % holes)
