"""Whole jump counts: case by case, no numbers of jumps lead from the start to the goal.

How often each jump is made, x, and the last position, f, satisfy linear rows: for each hole, start - takings + landings
= f; for the goal, that one peg is left, or that each jump is blocked at the end; and, where that is asked, that there
are at most so many jumps (Kiyomi and Matsui 2001, section 4). A tree of cases splits on one count: at most k, or more.
In each case either

* the rows, each taken so many times, add up to what no numbers within their limits satisfy: weights of the holes, as in
  a pagoda function, that the limits of the case help out; or
* the jumps that the case limits run out: whatever order they are made in, the goal is not reached. This is found by
  making them, so it is for cases with few positions.

Nothing here is rounded, and nothing is looked for: :mod:`pegcp.theory.branching` does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from pegcp.errors import InputError
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem

MOST_POSITIONS = 100_000  # in all cases together that are settled by making their jumps
MOST_CASES = 20_000

Limits = list[tuple[int, int]]  # of each number: the least and the largest value


@dataclass(frozen=True)
class Row:
    """Coefficients of the numbers, and what their sum is, or what it is at most."""

    name: str
    terms: Mapping[int, int]
    value: int
    exact: bool = True


@dataclass(frozen=True)
class Split:
    """The next case has the number at most so large; the one after its whole tree has it larger."""

    number: int
    most: int


@dataclass(frozen=True)
class Sum:
    """How many times each row is taken, by its place among the rows; those that are not exact not less than 0 times."""

    times: Mapping[int, int]


@dataclass(frozen=True)
class Stuck:
    """The jumps of this case run out."""


Node = Split | Sum | Stuck


@dataclass(frozen=True)
class Played:
    """The jumps that were possible somewhere and used up, and how many positions there were."""

    missed: frozenset[int]
    positions: int


@dataclass(frozen=True)
class Counts:
    """The numbers and rows of a problem. First come the counts of the board's jumps, then the holes at the end.

    ``most``: at most so many jumps are made, None if that is not said.
    """

    problem: Problem
    most: int | None = None
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        board = self.problem.board
        names = [" ".join(board.jump_names(jump)) for jump in board.jumps] + list(board.holes)
        if len(set(names)) < len(names):
            raise InputError("jumps and holes of the board have the same names")
        object.__setattr__(self, "names", tuple(names))

    @property
    def longest(self) -> int:
        """No solution has more jumps."""
        longest = max(self.problem.jump_counts, default=0)
        return longest if self.most is None else min(self.most, longest)

    @cached_property
    def rows(self) -> list[Row]:
        """All rows."""
        problem, board = self.problem, self.problem.board
        last = range(len(board.jumps), len(board.jumps) + len(board.holes))
        rows = []
        for hole, name in enumerate(board.holes):
            terms = {last[hole]: 1}
            for j, jump in enumerate(board.jumps):
                if hole in jump:
                    terms[j] = -1 if hole == jump.to else 1
            rows.append(Row(name, terms, problem.start.mask >> hole & 1))
        match problem.goal:
            case OnePeg():
                rows.append(Row("one peg", dict.fromkeys(last, 1), 1))
            case DeadEnd():
                for jump, name in zip(board.jumps, self.names, strict=False):
                    terms = {last[jump.from_]: 1, last[jump.over]: 1, last[jump.to]: -1}
                    rows.append(Row(f"blocked {name}", terms, 1, exact=False))
            case Exact() | Partial() | Nearest():
                pass
            case _:
                assert_never(problem.goal)
        if self.most is not None:
            rows.append(Row("jumps", dict.fromkeys(range(len(board.jumps)), 1), self.most, exact=False))
        return rows

    def limits(self) -> Limits:
        """What is known of each number at the beginning."""
        problem, board = self.problem, self.problem.board
        found = [(0, self.longest)] * len(board.jumps)
        for hole in range(len(board.holes)):
            peg, vacancy = problem.final_pegs >> hole & 1, problem.final_vacancies >> hole & 1
            found.append((peg, 1 - vacancy))
        return found

    def contradict(self, limits: Limits, times: Mapping[int, int]) -> bool:
        """Whether the rows, taken so many times, cannot hold together within the limits."""
        sums: dict[int, int] = {}
        total = 0
        for place, many in times.items():
            row = self.rows[place]
            if many < 0 and not row.exact:
                return False
            total -= many * row.value
            for number, one in row.terms.items():
                sums[number] = sums.get(number, 0) + many * one
        # Each row says that its terms less its value are 0, or at most 0. The least that the sum can be is above 0.
        return total + sum(one * limits[number][one < 0] for number, one in sums.items()) > 0

    def play(self, most: Sequence[int], positions: int) -> Played | None:
        """Make the jumps in all orders, each so often at most. None if the goal is reached, or more positions."""
        problem, jumps = self.problem, [(jump.mask, jump.needs) for jump in self.problem.board.jumps]
        scarce = [j for j, number in enumerate(most) if number < self.longest]
        place = {j: i for i, j in enumerate(scarce)}
        first = (problem.start.mask, tuple(most[j] for j in scarce))
        seen, queue = {first}, [first]
        missed: set[int] = set()
        pegs = len(problem.start) - self.longest
        for position, left in queue:
            if problem.is_goal(position) or len(seen) > positions:
                return None
            if position.bit_count() <= pegs:
                continue
            for j, (mask, needs) in enumerate(jumps):
                if position & mask != needs:
                    continue
                i = place.get(j)
                after = left
                if i is not None:
                    if not left[i]:
                        missed.add(j)
                        continue
                    after = (*left[:i], left[i] - 1, *left[i + 1 :])
                state = (position ^ mask, after)
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
        return Played(frozenset(missed), len(seen))

    def flaw(self, tree: Sequence[Node]) -> str | None:
        """What is wrong with a tree of cases, in the order of :class:`Split`; or None if it settles all of them."""
        if len(tree) > MOST_CASES:
            return f"more than {MOST_CASES:,} cases"
        open_ = [self.limits()]
        positions = MOST_POSITIONS
        for i, node in enumerate(tree, start=1):
            if not open_:
                return f"case {i} comes after the last"
            limits = open_.pop()
            match node:
                case Split(number, most):
                    least, largest = limits[number]
                    more, less = list(limits), list(limits)
                    more[number], less[number] = (max(least, most + 1), largest), (least, min(largest, most))
                    open_ += [more, less]
                case Sum(times):
                    if not self.contradict(limits, times):
                        return f"case {i}: the rows can hold together"
                case Stuck():
                    played = self.play([largest for _, largest in limits[: len(self.problem.board.jumps)]], positions)
                    if played is None:
                        return f"case {i}: the goal is reached, or there are more than {MOST_POSITIONS:,} positions"
                    positions -= played.positions
                case _:
                    assert_never(node)
        return f"{len(open_)} cases are not settled" if open_ else None
