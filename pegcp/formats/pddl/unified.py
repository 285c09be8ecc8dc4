"""To unified-planning and back: a task to change or to give to any of its engines, and the jumps of its plans.

The task is what the PDDL domain says, with one action for each jump, not one for all: unified-planning lists the values
of a fluent ``line(from, over, to)`` for all triples of objects, which are 125 million on a board of 20 x 25 holes. The
names say which action of the domain and which holes are meant: ``jump_d2_d3_d4``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegcp import parts
from pegcp.errors import InputError
from pegcp.formats.pddl.plan import ACTIONS, read_plan
from pegcp.formats.pddl.write import ENCODINGS, model_file, pddl_names, safe_name
from pegcp.game.board import Board, Jump
from pegcp.game.goal import OnePeg
from pegcp.game.problem import Problem

if TYPE_CHECKING:
    from unified_planning.model import FNode
    from unified_planning.model import Problem as Task
    from unified_planning.plans import Plan


def to_unified_planning(problem: Problem, domain: str | None = None) -> Task:
    """The problem as a ``unified_planning.model.Problem``. Raises InputError, and Missing without unified-planning.

    ``domain`` is a file of ``models/``: ``jumps``, ``last-peg``, ``fools``, ``nearest``, ``steps`` or ``fewest-moves``,
    by default the one that fits. The objective becomes a quality metric.
    """
    model = Path(model_file(problem, domain)).stem
    if model in ENCODINGS:
        raise InputError(f"the domain {model} is written as files only; unified-planning may read what export writes")
    parts.need("to_unified_planning", "pegcp[planners]", "unified_planning")
    return _Writer(problem, model).task


def from_plan(problem: Problem, plan: Plan | str) -> list[Jump]:
    """The jumps of a plan: one of unified-planning's sequential, partial-order, hierarchical or time-triggered plans,
    or the text of a plan file.

    Raises InputError, naming the step, for what is no action of the problem, and InvalidSolution for what the rules of
    the domain forbid. The jumps are not yet checked.
    """
    if isinstance(plan, str):
        return read_plan(problem, plan)
    return read_plan(problem, "\n".join(_lines(problem, plan)), "plan")


def _lines(problem: Problem, plan: Any) -> Iterator[str]:
    """The steps of a plan as in a plan file."""
    from unified_planning.plans import HierarchicalPlan, PartialOrderPlan, SequentialPlan, TimeTriggeredPlan

    known = {name: f"{action} {' '.join(holes)}" for name, action, holes in _named(problem.board)}

    def written(step: Any) -> str:
        name = step.action.name
        return f"({known.get(name) or ' '.join([name, *map(str, step.actual_parameters)])})"

    match plan:
        case SequentialPlan():
            yield from map(written, plan.actions)
        case PartialOrderPlan():
            yield from map(written, next(iter(plan.all_sequential_plans())).actions)
        case HierarchicalPlan():
            yield from _lines(problem, plan.action_plan)
        case TimeTriggeredPlan():
            for start, step, duration in plan.timed_actions:
                yield f"{float(start):.9f}: {written(step)}{'' if duration is None else f' [{float(duration):.9f}]'}"
        case _:
            raise InputError(f"a plan of the kind {type(plan).__name__} is not understood")


def _named(board: Board) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The names of all actions there can be on a board, each with the action of the domain and its holes."""
    names = pddl_names(board)
    holes_ = range(len(names))
    places: list[Iterable[tuple[int, ...]]] = [
        [()],
        [(hole,) for hole in holes_],
        [(hole, (hole + 1) % len(names)) for hole in holes_],
        board.jumps,
    ]
    for action, takes in ACTIONS.items():
        for place in places[takes]:
            holes = tuple(names[hole] for hole in place)
            yield _name(action, *holes), action, holes


def _name(action: str, *holes: str) -> str:
    return "_".join((action, *holes))


class _Writer:
    """The task of a problem, made action by action."""

    def __init__(self, problem: Problem, model: str) -> None:
        from unified_planning import shortcuts as up

        self.up, self.problem, self.board = up, problem, problem.board
        self.task = up.Problem(safe_name(problem.name, "p-"))
        hole = up.UserType("hole")
        self.names = pddl_names(self.board)
        self.holes = [self.task.add_object(name, hole) for name in self.names]
        self.peg, self.vacant = self.fluent("peg", h=hole), self.fluent("vacant", h=hole)
        for i, one in enumerate(self.holes):
            held = bool(problem.start.mask >> i & 1)
            self.task.set_initial_value(self.peg(one), held)
            self.task.set_initial_value(self.vacant(one), not held)
        for h, one in enumerate(self.holes):
            if (problem.final_pegs | problem.final_vacancies) >> h & 1:
                self.task.add_goal((self.peg if problem.final_pegs >> h & 1 else self.vacant)(one))
        self.costs: dict[Any, Any] = {}
        {
            "jumps": self.jumps,
            "last-peg": self.last_peg,
            "fools": self.fools,
            "fewest-moves": self.fewest_moves,
            "nearest": self.nearest,
            "steps": self.steps,
        }[model]()
        if self.costs:
            self.task.add_quality_metric(up.MinimizeActionCosts(self.costs, default=up.Int(0)))
        elif problem.objective.value == "fewest-jumps":
            # The other actions of a plan are as many in each.
            self.task.add_quality_metric(up.MinimizeSequentialPlanLength())

    def fluent(self, name: str, **parameters: Any) -> Any:
        """A fluent that is false at the start."""
        fluent = self.up.Fluent(name, self.up.BoolType(), **parameters)
        self.task.add_fluent(fluent, default_initial_value=False)
        return fluent

    def begins(self, name: str) -> Any:
        """A fluent without parameters that is true at the start."""
        fluent = self.fluent(name)
        self.task.set_initial_value(fluent, True)
        return fluent

    def action(
        self,
        action: str,
        holes: Iterable[int],
        wants: Iterable[Any],
        gives: Iterable[Any] = (),
        takes: Iterable[Any] = (),
    ) -> Any:
        """An action with what must hold, what it makes true and what false."""
        made = self.up.InstantaneousAction(_name(action, *(self.names[hole] for hole in holes)))
        for fact in wants:
            made.add_precondition(fact)
        for fact in takes:
            made.add_effect(fact, False)
        for fact in gives:
            made.add_effect(fact, True)
        self.task.add_action(made)
        return made

    def facts(self, jump: Jump) -> tuple[list[FNode], list[FNode]]:
        """What is true of the holes of a jump before it, and after it; each is false at the other time."""
        from_, over, to = (self.holes[hole] for hole in jump)
        peg, vacant = self.peg, self.vacant
        return [peg(from_), peg(over), vacant(to)], [vacant(from_), vacant(over), peg(to)]

    def jumps(self, *also: Any) -> None:
        """``jump`` for each jump of the board."""
        for jump in self.board.jumps:
            before, after = self.facts(jump)
            self.action("jump", jump, [*also, *before], after, before)

    def take(self, hand_empty: Any) -> None:
        """``take``, and the goal that it has been done."""
        holding = self.fluent("holding")
        for h, hole in enumerate(self.holes):
            peg, vacant = self.peg(hole), self.vacant(hole)
            self.action("take", [h], [hand_empty, peg], [holding, vacant], [hand_empty, peg])
            self.task.add_goal(vacant)
        self.task.add_goal(holding)

    def last_peg(self) -> None:
        """models/last-peg.pddl."""
        hand_empty = self.begins("hand-empty")
        self.jumps(hand_empty)
        self.take(hand_empty)

    def fewest_moves(self) -> None:
        """models/fewest-moves.pddl."""
        between = self.begins("between-moves")
        on_its_way = self.fluent("on-its-way", h=self.up.UserType("hole"))
        for jump in self.board.jumps:
            before, after = self.facts(jump)
            here, there = on_its_way(self.holes[jump.from_]), on_its_way(self.holes[jump.to])
            begun = self.action("jump-new-move", jump, [between, *before], [*after, there], [*before, between])
            self.costs[begun] = self.up.Int(1)
            self.action("jump-continue-move", jump, [here, *before], [*after, there], [*before, here])
        for h, hole in enumerate(self.holes):
            self.action("end-move", [h], [on_its_way(hole)], [between], [on_its_way(hole)])
        if isinstance(self.problem.goal, OnePeg):
            self.take(self.begins("hand-empty"))

    def stop(self) -> Any:
        """Jumps until ``stop``; the fluent that it makes true."""
        playing, stopped = self.begins("playing"), self.fluent("stopped")
        self.jumps(playing)
        self.action("stop", [], [playing], [stopped], [playing])
        self.task.add_goal(stopped)
        return stopped

    def fools(self) -> None:
        """models/fools.pddl."""
        stopped, line = self.stop(), self.up.UserType("line")
        blocked = self.fluent("blocked", l=line)
        for number, (a, over, b) in enumerate(self.board.lines):
            done = blocked(self.task.add_object(f"line-{number}", line))
            a_, over_, b_ = (self.holes[hole] for hole in (a, over, b))
            for action, facts in (
                ("middle-vacant", [self.vacant(over_)]),
                ("ends-vacant", [self.vacant(a_), self.vacant(b_)]),
                ("ends-filled", [self.peg(a_), self.peg(b_)]),
            ):
                self.action(action, (a, over, b), [stopped, *facts], [done])
            self.task.add_goal(done)

    def nearest(self) -> None:
        """models/nearest.pddl; what is wanted of a hole says which of its actions there are."""
        sought, stopped = self.problem.sought, self.stop()
        assert sought is not None
        settled, turn = (self.fluent(name, h=self.up.UserType("hole")) for name in ("settled", "turn"))
        self.task.set_initial_value(turn(self.holes[0]), True)
        for h, hole in enumerate(self.holes):
            after = (h + 1) % len(self.holes)
            done, peg, vacant = settled(hole), self.peg(hole), self.vacant(hole)
            wants, gives = [stopped, turn(hole)], [done, turn(self.holes[after])]
            takes = [turn(hole)] if after != h else []
            names = ("peg-as-wanted", "peg-missing") if sought.pegs >> h & 1 else ("vacant-as-wanted", "peg-too-many")
            right, other = (peg, vacant) if sought.pegs >> h & 1 else (vacant, peg)
            self.action(names[0], (h, after), [*wants, right], gives, takes)
            wrong = self.action(names[1], (h, after), [*wants, other], gives, takes)
            self.costs[wrong] = self.up.Int(sought.weights[h])
            self.task.add_goal(done)

    def steps(self) -> None:
        """models/steps.pddl."""
        for jump in self.board.jumps:
            self.durative("jump", jump, *self.facts(jump))
        if isinstance(self.problem.goal, OnePeg):
            hand_empty, holding = self.begins("hand-empty"), self.fluent("holding")
            for h, hole in enumerate(self.holes):
                self.durative("take", [h], [hand_empty, self.peg(hole)], [holding, self.vacant(hole)])
                self.task.add_goal(self.vacant(hole))
            self.task.add_goal(holding)
        self.task.add_quality_metric(self.up.MinimizeMakespan())

    def durative(self, action: str, holes: Iterable[int], before: Iterable[Any], after: Iterable[Any]) -> None:
        """An action of duration 1 that takes facts at its start and gives others at its end."""
        made = self.up.DurativeAction(_name(action, *(self.names[hole] for hole in holes)))
        made.set_fixed_duration(1)
        for fact in before:
            made.add_condition(self.up.StartTiming(), fact)
            made.add_effect(self.up.StartTiming(), fact, False)
        for fact in after:
            made.add_effect(self.up.EndTiming(), fact, True)
        self.task.add_action(made)
