"""Plans: the steps of an IPC plan file, read back to jumps; and solutions written as plans."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pegcp.errors import InvalidSolution, clipped, suggestion
from pegcp.formats.pddl.actions import Fact, grounded
from pegcp.formats.pddl.domains import DOMAINS, Domain, domain_for, final_facts, start_facts
from pegcp.formats.pddl.plan_steps import Step, written_steps
from pegcp.formats.pddl.read import PlanningTask
from pegcp.formats.pddl.write import names_in, pddl_names
from pegcp.game import Board, Jump, OnePeg, Problem, check, group_steps

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


@dataclass(frozen=True)
class Plan:
    """The jumps of a plan, and its cost in its domain: the value of the metric, or the number of actions."""

    jumps: tuple[Jump, ...]
    cost: float


def read_plan(target: Problem | PlanningTask, text: str, source: str = "plan") -> list[Jump]:
    """Read the jumps of a plan: one action a line; comments with ``;``, time stamps and durations are allowed.

    If every action has a time and a duration, the jumps are sorted by their start, and jumps that share a hole must
    not overlap in time. Raises InputError, naming the step, for anything but actions on this board, and InvalidSolution
    if jumps overlap or another action is impossible at its step. The jumps are not checked:
    :func:`pegcp.game.check` does that. A plan of a Task may be in the names of its file.
    """
    task = _task(target)
    steps = _read_steps(task, text, source)
    actions = {step.action for step in steps}
    if actions - {"jump"}:
        rows = [task.domain, *(row for row in DOMAINS if task.problem.goal.kind in row.takes)]
        domains = [row for row in rows if actions <= row.actions.keys()]
        if not domains:
            raise InvalidSolution(
                f"the plan mixes {' and '.join(sorted(actions))}; no PDDL domain of this goal has all of these actions"
            )
        row = max(domains, key=lambda row: (row is task.domain, row.fits(task.problem)))
        _check_bookkeeping(task if row is task.domain else PlanningTask(task.problem, row, names=task.names), steps)
    return [Jump(*step.holes) for step in steps if step.is_jump]


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
    _check_bookkeeping(task, steps, whole=True)
    jumps = [step for step in steps if step.is_jump]
    try:
        check(task.problem, [Jump(*jump.holes) for jump in jumps])
    except InvalidSolution as error:
        if error.step is None:
            raise
        raise jumps[error.step - 1].invalid(f"is impossible: {error}") from None
    return Plan(tuple(Jump(*jump.holes) for jump in jumps), _cost(task, steps))


def metric_value(task: PlanningTask, text: str, source: str = "plan") -> float:
    """The value of a problem file's metric for a plan as it is written; the number of actions where it has none.

    Raises as a strict :func:`read_whole_plan`.
    """
    cost = read_whole_plan(task, text, source, strict=True).cost
    return cost if task.most is None else task.most - cost


def _task(target: Problem | PlanningTask, domain: str | None = None) -> PlanningTask:
    """The task of plans: for a problem that was read from a file that of the file, as long as it is the same."""
    if isinstance(target, PlanningTask):
        return target
    file = target.origin
    if (
        domain is None
        and isinstance(file, PlanningTask)
        and (file.problem.start, file.problem.goal) == (target.start, target.goal)
    ):
        return file
    return PlanningTask(target, domain_for(target, domain))


def _read_steps(task: PlanningTask, text: str, source: str, *, strict: bool = False) -> list[Step]:
    """The actions of a plan in the order in which they start, in the names of its file or in pegcp's."""
    steps = written_steps(text, source)
    if any(step.action in task.own_actions for step in steps):
        steps = [_in_own_words(task, step) for step in steps]
    placed = list(_place_steps(task.problem.board, steps, task.names))
    _check_times(task.problem.board, placed, 0.0 if strict else -_SAME_TIME)
    return placed


def _in_own_words(task: PlanningTask, step: Step) -> Step:
    """The jump that an action of a domain of other names is. Raises InputError and InvalidSolution."""
    if step.action not in task.own_actions:
        raise step.fault(f'unknown action "{clipped(step.action, 40)}"{suggestion(step.action, task.own_actions)}')
    jump = task.jumps.get((step.action, *step.names))
    if jump is None:
        raise step.invalid("is impossible: the domain has no such action on these objects")
    return replace(step, action=jump[0], names=jump[1:])


def _cost(task: PlanningTask, steps: list[Step]) -> float:
    """The cost of steps in the domain of a task: what its objective measures; without one the number of actions."""
    problem, domain = task.problem, task.domain
    value = problem.value([Jump(*step.holes) for step in steps if step.is_jump])
    if value is None:
        return len(steps)
    match domain.measure:
        case "total-time":
            return round(max((len(steps) if step.end is None else step.end for step in steps), default=0), 6)
        case "total-cost":
            holes = len(problem.board.holes)
            weights = (0,) * holes if problem.sought is None else problem.sought.weights
            costs = [grounded(domain.actions[step.action], step.holes, holes).cost for step in steps]
            return sum(cost if isinstance(cost, int) else weights[cost[1][0]] for cost in costs)  # of a hole
        case _:  # jumps, pegs, violated preferences: no action costs anything, so a plan costs what its jumps do
            return value


def write_plan(target: Problem | PlanningTask, jumps: Sequence[Jump], domain: str | None = None) -> str:
    """Write a solution as a plan of a task in the names of its file, or of a domain, by default the one that fits.

    Actions with durations get times. Raises InputError if the domain does not express the problem, and InvalidSolution
    for jumps that do not solve it.
    """
    task = _task(target, domain)
    problem, row = task.problem, task.domain
    last = check(problem, jumps).positions[-1].mask
    names = task.names or names_in(problem.board, row)
    own = {jump: key for key, jump in reversed(task.jumps.items())}  # the first action of a jump
    groups = [*_actions_of_jumps(row, jumps), *_actions_at_end(problem, row, last)]
    if task.endings and jumps:
        groups.append([("end-move", (jumps[-1].to,))])
    lines = []
    for number, group in enumerate(groups):
        for action, holes in group:
            step = (action, *(names[hole] for hole in holes))
            text = f"({' '.join(own.get(step, step))})"
            timed = row.actions[action].duration
            lines.append(f"{number * (DURATION + _TIME_BETWEEN_STEPS):.3f}: {text} [{DURATION:.3f}]" if timed else text)
    cost = read_whole_plan(task, "\n".join(lines)).cost
    return "".join(f"{line}\n" for line in [*lines, f"; cost = {cost if task.most is None else task.most - cost:g}"])


def _actions_of_jumps(domain: Domain, jumps: Sequence[Jump]) -> Iterator[Sequence[Fact]]:
    """Yield the jumps as actions of a domain, in groups that start at one time."""
    if "next-step" in domain.actions:
        for step in group_steps(jumps):
            yield [("next-step", ()), *(("jump", jump) for jump in step)]
    elif domain.measure == "total-time":
        yield from ([("jump", jump) for jump in step] for step in group_steps(jumps))
    elif "jump-new-move" in domain.actions:
        for before, jump in zip([None, *jumps], jumps, strict=False):
            if before is not None and before.to == jump.from_:
                yield [("jump-continue-move", jump)]
            else:
                yield [*([] if before is None else [("end-move", (before.to,))]), ("jump-new-move", jump)]
    else:
        yield from ([("jump", jump)] for jump in jumps)


def _actions_at_end(problem: Problem, domain: Domain, last: int) -> Iterator[list[Fact]]:
    """Yield the actions that follow the jumps in a plan of a domain, from the last position (a bit mask)."""
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
            action = _SETTLING[last >> hole & 1, problem.sought.pegs >> hole & 1]
            yield [(action, (hole, (hole + 1) % holes))]


def _check_times(board: Board, steps: list[Step], gap: float) -> None:
    """Check that jumps with a hole in common are more than ``gap`` apart. Raises InvalidSolution."""
    last: dict[int, Step] = {}  # the last jump of each hole
    for step in steps if all(step.end is not None for step in steps) else ():
        for hole in step.holes if step.is_jump else ():
            before = last.get(hole, step)
            if before is not step and (step.start or 0.0) - (before.end or 0.0) <= gap:
                raise step.invalid(
                    f"is impossible: it begins while step {before.number} ({before.text}) is using {board.holes[hole]}"
                )
            last[hole] = step


def _place_steps(board: Board, steps: Iterable[Step], own: Sequence[str]) -> Iterator[Step]:
    """Yield the actions of a plan with their holes on a board: by the names of its file, ``own``, or of any domain.

    Raises InputError, naming the step, for an unknown action or hole.
    """
    grid = [f"pos-{row}-{column}" for row, column in board.cells or ()]
    objects = {name: i for names in (grid, pddl_names(board), own) for i, name in enumerate(names)}
    takes = {name: len(action.parameters) for domain in DOMAINS for name, action in domain.actions.items()}
    for step in steps:
        if step.action not in takes:
            raise step.fault(f'unknown action "{clipped(step.action, 40)}"{suggestion(step.action, takes)}')
        if len(step.names) != takes[step.action]:
            raise step.fault(f"{step.action} takes {takes[step.action]} holes, not {len(step.names)}")
        holes = []
        for name in step.names:
            hole = objects.get(name, objects.get(name.replace("-", "_")))  # as a board that was read respells its own
            if hole is None:
                raise step.fault(f'{board.name} has no hole "{clipped(name, 40)}"{suggestion(name, objects)}')
            holes.append(hole)
        yield replace(step, holes=tuple(holes))


def _check_bookkeeping(task: PlanningTask, steps: list[Step], *, whole: bool = False) -> None:
    """Check that every action that is not a jump is possible at its step, and none is missing. Raises InvalidSolution.

    With ``whole`` the goal must be true at the end. The checker of solutions judges the jumps: after one that is
    impossible on the board the rest is not looked at.
    """
    problem, domain = task.problem, task.domain
    names = task.names or problem.board.holes

    def written(fact: Fact) -> str:
        return f"({' '.join((domain.shown(fact[0]), *(names[hole] for hole in fact[1])))})"

    holes = len(names)
    true = set(start_facts(problem, domain))
    for step in steps:
        action = grounded(domain.actions[step.action], step.holes, holes)
        missing = [fact for fact in action.wants if fact not in true]
        fault = next((fact for fact in missing if not (step.is_jump and fact[0] in ("line", "peg", "vacant"))), None)
        if fault is not None:
            raise step.invalid(f"is impossible: {written(fault)} is not true")
        if missing:
            return
        true.difference_update(action.takes)
        true.update(action.gives)
    unchecked = ("peg", "vacant", "blocked" if domain.has_rules else "", "" if whole else "holding")
    for fact in (*final_facts(problem, domain), *task.endings):
        if fact[0] not in unchecked and fact not in true:
            raise InvalidSolution(f"the plan ends without making {written(fact)} true")
