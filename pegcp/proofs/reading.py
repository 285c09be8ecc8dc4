"""A second reading of what a formula must say: the clauses of a problem, written from the rules of the game alone.

The models of :mod:`models` write the formulas that solvers get. Here the same clauses are written once more, in another
way, from the lines of the board, the start and the goal, over the names of the variables. A formula is what it should
be if each of its clauses is one of these; that some are missing only makes it weaker, and its refutation stronger. No
code is shared with the models.

In the model of rounds a round goes once through all jumps, in a given order.

Variables    peg_tT_HOLE     the hole holds a peg after T steps
             jump_tT_A_B_C   the jump is made in step T; idle_tT: none is, the goal has been reached before
             dead_tT         the position after T steps is a dead end
             start_HOLE      the hole holds a peg at the start
             rT_A_B_C        the jump is made in round T; HOLE_after_rT_A_B_C: the hole holds a peg afterwards
             NAME_upto_I     one of the first I + 1 of those is made of which at most one can be

Clauses that only say which of several equal solutions is wanted:
  order     jumps that have no hole in common and stand next to each other can change places; the one whose holes are
            the smaller numbers comes first
  early     in parallel steps, each jump shares a hole with a jump of the step before: else it could stand there
  symmetry  of first jumps that symmetries of start and goal carry into each other, the smallest is made
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, assert_never

from pegcp.errors import InputError
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem

Named = frozenset[str]  # a clause; a name after "-" is negated
Line = tuple[int, int, int]  # a jump: from, over, to

MODELS = {
    "sat-fools": ("order", "symmetry"),
    "sat-moves": ("order", "symmetry"),
    "sat-parallel": ("early", "symmetry"),
    "sat-rounds": (),
}


def clauses(
    problem: Problem, model: str, horizon: int, options: Mapping[str, bool], order: Sequence[Line] = ()
) -> set[Named]:
    """All clauses that a formula of a model with so many steps, or rounds through all jumps in this order, may have.

    Raises InputError for an unknown model.
    """
    if model not in MODELS:
        raise InputError(f'there is no second reading of the model "{model}", only of {", ".join(MODELS)}')
    reading = _Reading(problem, horizon, options)
    found = set(reading.rounds(order) if model == "sat-rounds" else reading.of(model))
    if frozenset() in found:  # which is written as two clauses, since not all programs read an empty one
        found |= {frozenset({"impossible"}), frozenset({"-impossible"})}
    return found


class _Reading:
    """The names of the variables, and what they must satisfy."""

    def __init__(self, problem: Problem, horizon: int, options: Mapping[str, bool]) -> None:
        self.problem, self.horizon, self.options = problem, horizon, options
        self.jumps: list[Line] = sorted({jump for a, b, c in problem.board.lines for jump in ((a, b, c), (c, b, a))})
        names = [self.jump(0, jump) for jump in self.jumps]
        if len(set(names)) < len(names):
            raise InputError("two jumps of the board have the same name in the formula")

    def peg(self, t: int, hole: int) -> str:
        return f"peg_t{t:02}_{self.problem.board.holes[hole]}"

    def jump(self, t: int, jump: Line) -> str:
        return f"jump_t{t:02}_" + "_".join(self.problem.board.holes[hole] for hole in jump)

    def of(self, model: str) -> Iterator[Named]:
        """The clauses of a model."""
        yield from self.start()
        for t in range(self.horizon):
            yield from self.effects(t)
            yield from self.inertia(t)
        if model == "sat-parallel":
            yield from self.parallel()
            yield from self.goal(self.last())
        else:
            idle = model == "sat-moves" and self.may_end_early()
            yield from self.one_by_one(idle)
            yield from self.goal(self.last()) if model == "sat-moves" else self.dead_ends()

    def rounds(self, order: Sequence[Line]) -> Iterator[Named]:
        """The clauses of the model of rounds: each jump of each round is made, or leaves its holes as they are."""
        now = [f"start_{hole}" for hole in self.problem.board.holes]
        for hole, name in enumerate(now):
            yield _unit(name, bool(self.problem.start.mask & 2**hole))
        for t, jump in product(range(self.horizon), order):
            made = f"r{t:02}_" + "_".join(self.problem.board.holes[hole] for hole in jump)
            for hole, before in zip(jump, (True, True, False), strict=True):
                old, now[hole] = now[hole], f"{self.problem.board.holes[hole]}_after_{made}"
                yield _clause({made: False, old: before})
                yield _clause({made: False, now[hole]: not before})
                yield _clause({now[hole]: not before, old: before})
                yield _clause({made: True, now[hole]: before, old: not before})
        yield from self.goal(now)

    def may_end_early(self) -> bool:
        """Whether solutions can have different numbers of jumps."""
        least, most = self.problem.goal_pegs
        return min(most, len(self.problem.start)) != max(least, 1)

    def start(self) -> Iterator[Named]:
        """The pegs before the first step."""
        for hole in range(len(self.problem.board.holes)):
            yield _unit(self.peg(0, hole), bool(self.problem.start.mask & 2**hole))

    def effects(self, t: int) -> Iterator[Named]:
        """A jump takes two pegs and puts one into a vacancy."""
        for jump in self.jumps:
            for hole, before in zip(jump, (True, True, False), strict=True):
                yield _clause({self.jump(t, jump): False, self.peg(t, hole): before})
                yield _clause({self.jump(t, jump): False, self.peg(t + 1, hole): not before})

    def inertia(self, t: int) -> Iterator[Named]:
        """A hole changes only by a jump."""
        for hole in range(len(self.problem.board.holes)):
            taking = {self.jump(t, jump): True for jump in self.jumps if hole in jump[:2]}
            putting = {self.jump(t, jump): True for jump in self.jumps if hole == jump[2]}
            yield _clause({self.peg(t, hole): False, self.peg(t + 1, hole): True, **taking})
            yield _clause({self.peg(t, hole): True, self.peg(t + 1, hole): False, **putting})

    def one_by_one(self, idle: bool) -> Iterator[Named]:
        """Each step makes one jump, or none from some step on."""
        for t in range(self.horizon):
            choices = [self.jump(t, jump) for jump in self.jumps] + [f"idle_t{t:02}"] * idle
            yield _clause(dict.fromkeys(choices, True))
            yield from _at_most_one(choices, f"one_t{t:02}")
            if t and idle:
                yield _clause({f"idle_t{t - 1:02}": False, f"idle_t{t:02}": True})
            if t and self.options["order"]:
                for one, other in product(self.jumps, repeat=2):
                    if one > other and not set(one) & set(other):
                        yield _clause({self.jump(t - 1, one): False, self.jump(t, other): False})
        if self.options["symmetry"] and self.horizon:
            yield _clause(dict.fromkeys([self.jump(0, jump) for jump in self.firsts()] + ["idle_t00"] * idle, True))

    def parallel(self) -> Iterator[Named]:
        """The jumps of a step have no hole in common."""
        for t in range(self.horizon):
            for hole, name in enumerate(self.problem.board.holes):
                yield from _at_most_one([self.jump(t, j) for j in self.jumps if hole in j], f"one_t{t:02}_{name}")
            if t and self.options["early"]:
                for jump in self.jumps:
                    near = [self.jump(t - 1, other) for other in self.jumps if set(jump) & set(other)]
                    yield _clause({self.jump(t, jump): False} | dict.fromkeys(near, True))
        if self.options["symmetry"] and self.horizon:
            firsts = dict.fromkeys((self.jump(0, jump) for jump in self.firsts()), True)
            for jump in self.jumps:
                if self.jump(0, jump) not in firsts:
                    yield _clause({self.jump(0, jump): False} | firsts)

    def last(self) -> list[str]:
        """What stands for the holes after the last step."""
        return [self.peg(self.horizon, hole) for hole in range(len(self.problem.board.holes))]

    def goal(self, last: Sequence[str]) -> Iterator[Named]:
        """The last position satisfies the goal."""
        match self.problem.goal:
            case Exact(pegs):
                for hole, name in enumerate(last):
                    yield _unit(name, bool(pegs & 2**hole))
            case Partial(pegs, vacancies):
                for hole, name in enumerate(last):
                    if (pegs | vacancies) & 2**hole:
                        yield _unit(name, bool(pegs & 2**hole))
            case OnePeg():
                yield _clause(dict.fromkeys(last, True))
                yield from _at_most_one(last, "last")
            case DeadEnd():
                for jump in self.jumps:
                    yield self.blocked(self.horizon, jump)
            case Nearest():
                pass  # any end will do
            case _:
                assert_never(self.problem.goal)

    def blocked(self, t: int, jump: Line) -> Named:
        """A jump lacks a peg or its vacancy."""
        start, over, end = (self.peg(t, hole) for hole in jump)
        return _clause({start: False, over: False, end: True})

    def dead_ends(self) -> Iterator[Named]:
        """The last position is a dead end; what it would mean of the others is said, too."""
        for t in range(self.horizon + 1):
            for jump in self.jumps:
                yield self.blocked(t, jump) | {f"-dead_t{t:02}"}
        yield _unit(f"dead_t{self.horizon:02}", True)

    def firsts(self) -> list[Line]:
        """The smallest of each class of possible first jumps, under symmetries of which each is checked here."""
        symmetries = [p for p in self.problem.symmetries() if keeps(p, self.problem)]
        pegs = {hole for hole in range(len(self.problem.board.holes)) if self.problem.start.mask & 2**hole}
        possible = [jump for jump in self.jumps if {*jump[:2]} <= pegs and jump[2] not in pegs]
        images = {jump: [(p[jump[0]], p[jump[1]], p[jump[2]]) for p in symmetries] for jump in possible}
        return [jump for jump in possible if jump <= min([jump, *images[jump]])]


def moved(mask: int, permutation: Sequence[int]) -> int:
    """The image of a position under a permutation of the holes."""
    return sum(2**image for hole, image in enumerate(permutation) if mask & 2**hole)


def keeps(permutation: Sequence[int], problem: Problem, start: bool = True) -> bool:
    """Whether a permutation of the holes is a symmetry of the board that leaves the goal, and the start, as it is."""
    board = problem.board
    lines = {frozenset({(a, b, c), (c, b, a)}) for a, b, c in board.lines}
    images = [tuple(permutation[hole] for hole in line) for line in board.lines]
    return (
        sorted(permutation) == list(range(len(board.holes)))
        and all(frozenset({image, image[::-1]}) in lines for image in images)
        and all(moved(mask, permutation) == mask for mask in (problem.final_pegs, problem.final_vacancies))
        and (not start or moved(problem.start.mask, permutation) == problem.start.mask)
    )


def _at_most_one(names: Sequence[str], counter: str) -> Iterator[Named]:
    """At most one of the names is true; the counter is true from the first that is."""
    counters = [f"{counter}_upto_{i}" for i in range(len(names) - 1)]
    for i, name in enumerate(names):
        if i:
            yield _clause({counters[i - 1]: False, name: False})
        if i < len(names) - 1:
            yield _clause({name: False, counters[i]: True})
            if i:
                yield _clause({counters[i - 1]: False, counters[i]: True})


def _unit(name: str, true: bool) -> Named:
    return _clause({name: true})


def _clause(literals: Mapping[str, Any]) -> Named:
    return frozenset(name if true else f"-{name}" for name, true in literals.items())
