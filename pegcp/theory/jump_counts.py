"""Jump counts: rows of integers that every solution satisfies, whatever the order of its jumps.

The numbers are how often each jump is made (first, in the order of ``board.jumps``), and which holes hold a peg at the
end. With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where one lands), x the jump counts
and p_s, p_f the first and the last position, every solution satisfies A x = p_s - p_f (Kiyomi and Matsui 2001,
section 3). The goal adds rows about p_f.

Everything here is exact: nothing is rounded, and no linear program is solved.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from pegcp.game import Board, DeadEnd, OnePeg, Problem

Limits = list[tuple[float, float]]  # of each number: the least and the largest value


@dataclass(frozen=True)
class LinearRow:
    """The sum of some numbers, each with a coefficient, is ``value``; or if not ``exact``, at most ``value``."""

    name: str
    terms: Mapping[int, int]
    value: int
    exact: bool = True


def effects(board: Board) -> list[dict[int, int]]:
    """The rows of A: for each hole the jumps (by number) that take its peg, +1, and those that land in it, -1."""
    rows: list[dict[int, int]] = [{} for _ in board.holes]
    for j, jump in enumerate(board.jumps):
        rows[jump.from_][j] = rows[jump.over][j] = 1
        rows[jump.to][j] = -1
    return rows


def goal_rows(problem: Problem) -> list[LinearRow]:
    """The rows that the goal adds about the last position, with the numbers of the holes."""
    board = problem.board
    if isinstance(problem.goal, OnePeg):
        return [LinearRow("one_peg", dict.fromkeys(range(len(board.holes)), 1), 1)]
    if isinstance(problem.goal, DeadEnd):
        names = ("_".join(board.jump_names(jump)) for jump in board.jumps)
        terms = ({jump.from_: 1, jump.over: 1, jump.to: -1} for jump in board.jumps)
        return [LinearRow(f"blocked_{name}", row, 1, exact=False) for name, row in zip(names, terms, strict=True)]
    return []


@dataclass(frozen=True)
class JumpCounts:
    """The numbers of a problem and their rows: one for each hole, those of the goal, and one for ``most``.

    With ``most`` the rows are only about solutions of at most so many jumps.
    """

    problem: Problem
    most: int | None = None

    @property
    def longest(self) -> int:
        """The largest number of jumps of a solution that the rows are about."""
        longest = max(self.problem.lengths, default=0)
        return longest if self.most is None else min(self.most, longest)

    @cached_property
    def rows(self) -> list[LinearRow]:
        """All rows, in the order in which certificates number them."""
        problem, board = self.problem, self.problem.board
        jumps = len(board.jumps)
        rows = [
            LinearRow(f"end_{board.holes[hole]}", {**terms, jumps + hole: 1}, problem.start.mask >> hole & 1)
            for hole, terms in enumerate(effects(board))
        ]
        rows += [
            replace(row, terms={jumps + hole: times for hole, times in row.terms.items()}) for row in goal_rows(problem)
        ]
        if self.most is not None:
            rows.append(LinearRow("jumps", dict.fromkeys(range(jumps), 1), self.most, exact=False))
        return rows

    def limits(self) -> Limits:
        """The least and the largest value of each number, before any case is divided."""
        problem = self.problem
        last: Limits = [
            (problem.final_pegs >> hole & 1, 1 - (problem.final_vacancies >> hole & 1))
            for hole in range(len(problem.board.holes))
        ]
        return [*[(0, self.longest)] * len(problem.board.jumps), *last]

    def contradict(self, limits: Limits, times: Mapping[int, int]) -> bool:
        """True if the sum of the rows, each taken so many ``times``, contradicts the limits.

        Either the least value of the sum is too large, or all rows are equations and their sum has the wrong parity.
        """
        rows = [(self.rows[place], many) for place, many in times.items() if many]
        if any(many < 0 and not row.exact for row, many in rows):
            return False
        sums: dict[int, int] = {}
        for row, many in rows:
            for number, coefficient in row.terms.items():
                sums[number] = sums.get(number, 0) + many * coefficient
        value = sum(many * row.value for row, many in rows)
        if sum(total * limits[number][total < 0] for number, total in sums.items() if total) > value:
            return True
        odd = [number for number, total in sums.items() if total % 2]
        fixed = all(limits[number][0] == limits[number][1] for number in odd)
        return fixed and all(row.exact for row, _ in rows) and sum(limits[number][0] for number in odd) % 2 != value % 2
