"""Jump counts: rows of integers that every solution satisfies, whatever the order of its jumps.

The numbers are how often each jump is made (first, in the order of ``board.jumps``), and which holes hold a peg at the
end. With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where one lands), x the jump counts
and p_s, p_f the first and the last position, every solution satisfies A x = p_s - p_f (Kiyomi and Matsui 2001,
section 3). The goal adds rows about p_f.

:class:`JumpCounts` is exact: nothing is rounded, and no linear program is solved. :class:`Equations` are the same rows
as a model of OR-tools: an integer program for bounds, or a linear one for weights of the holes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, isfinite, lcm
from typing import TYPE_CHECKING

from pegcp.game import Board, DeadEnd, Jump, OnePeg, Problem
from pegcp.theory.parity import bits, class_sets, odd

if TYPE_CHECKING:
    from ortools.math_opt.python import mathopt

Ranges = list[tuple[float, float]]  # of each number: the least and the largest value
# MathOpt raises these where a solver ends abnormally, as GLOP does on some large boards: its own error, or an
# AttributeError of the code that should translate it.
FAILURES = (RuntimeError, AttributeError)
RELAXATION_SECONDS = 60.0  # for a linear relaxation, which takes milliseconds on the boards of the literature
TOLERANCE = 1e-6  # a smaller number counts as 0 in a linear program
_DENOMINATORS = (10, 60, 1000, 10**5, 10**7)
_LARGEST_FACTOR = 10**300  # a float takes no more; on boards of some hundred holes denominators may multiply to more


@dataclass(frozen=True)
class LinearRow:
    """The sum of some numbers, each with a coefficient, is ``value``; or if not ``exact``, at most ``value``."""

    terms: Mapping[int, int]
    value: int
    exact: bool = True
    name: str = ""


def effects(board: Board) -> list[dict[int, int]]:
    """Return the rows of A: for each hole the jumps (by number) that take its peg, +1, and those that land in it,
    -1."""
    rows: list[dict[int, int]] = [{} for _ in board.holes]
    for j, jump in enumerate(board.jumps):
        rows[jump.from_][j] = rows[jump.over][j] = 1
        rows[jump.to][j] = -1
    return rows


def goal_rows(problem: Problem, first: int = 0) -> list[LinearRow]:
    """Return the rows that the goal adds about the last position; ``first`` is the number of the first hole."""
    board = problem.board
    if isinstance(problem.goal, OnePeg):
        return [LinearRow(dict.fromkeys(range(first, first + len(board.holes)), 1), 1, name="one_peg")]
    if not isinstance(problem.goal, DeadEnd):
        return []
    return [
        LinearRow(
            {first + jump.from_: 1, first + jump.over: 1, first + jump.to: -1},
            1,
            exact=False,
            name="blocked_" + "_".join(board.jump_names(jump)),
        )
        for jump in board.jumps
    ]


def end_ranges(problem: Problem) -> Ranges:
    """Return the least and the largest number of pegs that each hole holds at the end."""
    pegs, vacancies = problem.final_pegs, problem.final_vacancies
    return [(pegs >> hole & 1, 1 - (vacancies >> hole & 1)) for hole in range(len(problem.board.holes))]


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
        start, board = self.problem.start.mask, self.problem.board
        jumps = len(board.jumps)
        rows = [LinearRow({**row, jumps + hole: 1}, start >> hole & 1) for hole, row in enumerate(effects(board))]
        limit = [] if self.most is None else [LinearRow(dict.fromkeys(range(jumps), 1), self.most, exact=False)]
        return [*rows, *goal_rows(self.problem, jumps), *limit]

    def ranges(self) -> Ranges:
        """Return the least and the largest value of each number, before any case is divided."""
        return [*[(0, self.longest)] * len(self.problem.board.jumps), *end_ranges(self.problem)]

    def contradict(self, ranges: Ranges, times: Sequence[int]) -> bool:
        """Tell whether the sum of the rows, each taken so many ``times``, is too large whatever the numbers are within
        their ranges."""
        rows = [(row, many) for row, many in zip(self.rows, times, strict=True) if many]
        if any(many < 0 and not row.exact for row, many in rows):
            return False
        sums = Counter[int]()
        for row, many in rows:
            for number, coefficient in row.terms.items():
                sums[number] += many * coefficient
        least = sum(total * ranges[number][total < 0] for number, total in sums.items() if total)
        return least > sum(many * row.value for row, many in rows)


def in_whole_numbers(
    duals: Sequence[float], accept: Callable[[tuple[int, ...]], bool], denominators: Iterable[int] = _DENOMINATORS
) -> tuple[int, ...] | None:
    """Dual values as integers, by their common denominator: the smallest that are accepted, or None."""
    for limit in denominators:
        fractions = [Fraction(value).limit_denominator(limit) for value in duals]
        factor = lcm(*(fraction.denominator for fraction in fractions))
        if factor > _LARGEST_FACTOR:
            break
        integers = tuple(int(factor * fraction) for fraction in fractions)
        if accept(integers):
            return integers
    return None


def final_position(model: mathopt.Model, problem: Problem) -> list[mathopt.Variable]:
    """Return a variable for each hole, 1 iff it holds a peg at the end, constrained by the goal."""
    final = [
        model.add_variable(lb=low, ub=high, is_integer=True, name=f"final_{hole}")
        for hole, (low, high) in zip(problem.board.holes, end_ranges(problem), strict=True)
    ]
    for row in goal_rows(problem):
        terms = sum(times * final[hole] for hole, times in row.terms.items())
        model.add_linear_constraint(terms == row.value if row.exact else terms <= row.value, name=row.name)
    return final


def jump_classes(problem: Problem) -> dict[Jump, Jump]:
    """For each jump the first of those that the symmetries of start and goal carry into it."""
    symmetries = problem.symmetries()
    first: dict[Jump, Jump] = {}
    for jump in problem.board.jumps:
        if jump not in first:
            first |= {Jump(*(p[hole] for hole in jump)): jump for p in symmetries}
    return first


class NoResult(Exception):
    """The solver failed or had too little time, or its result is too rough for integers."""


class NoSolution(Exception):
    """The rows have no solution, so the problem has none."""


class Equations:
    """The numbers of a problem and their rows, as integers (CP-SAT) or relaxed (GLOP)."""

    def __init__(self, counts: JumpCounts, *, relaxed: bool = False) -> None:
        from ortools.math_opt.python import mathopt

        self.mathopt, self.model = mathopt, mathopt.Model()
        self.counts, self.problem, self.relaxed = counts, counts.problem, relaxed
        self.numbers = [
            self.model.add_variable(lb=low, ub=high, is_integer=not relaxed) for low, high in counts.ranges()
        ]
        self.times = dict(zip(self.problem.board.jumps, self.numbers, strict=False))
        self.final = self.numbers[len(self.times) :]
        self.rows = [
            self.model.add_linear_constraint(
                lb=row.value if row.exact else -inf,
                ub=row.value,
                expr=mathopt.fast_sum(times * self.numbers[number] for number, times in row.terms.items()),
            )
            for row in counts.rows
        ]

    def maximize(self, jump: Jump, seconds: float) -> tuple[int, dict[Jump, int]]:
        """Return an upper bound on the number of times that a jump can be made, and the jump counts of an integer
        solution.

        The counts are empty if the rows are relaxed, or if no solution was found in time. Raises NoSolution.
        """
        self.model.maximize(self.times[jump])
        result = self.solve(seconds) if seconds > 0 else None
        if result is None:
            return self.counts.longest, {}
        if result.termination.reason.name.startswith("INFEASIBLE"):
            raise NoSolution
        values = {} if self.relaxed or not result.has_primal_feasible_solution() else result.variable_values()
        bound = min(self.counts.longest + 0.5, result.termination.objective_bounds.dual_bound)
        return int(bound + TOLERANCE), {j: round(values[x]) for j, x in self.times.items() if x in values}

    def nearest(self, seconds: float) -> int | None:
        """Return a lower bound on the distance to the position to end near; None if the solver fails.

        The model gets rows that its equations imply, but that solvers do not find: a jump leaves a peg, and keeps the
        position class. Call this once.
        """
        sought = self.problem.sought
        assert sought is not None
        if self.problem.lengths:
            fewest = len(self.problem.start) - self.problem.lengths[-1]
            self.model.add_linear_constraint(sum(self.final) >= fewest)
        for holes in class_sets(self.problem.board):
            pegs = [self.final[hole] for hole in bits(holes)]
            pairs = self.model.add_integer_variable(lb=0, ub=len(pegs) // 2)
            self.model.add_linear_constraint(sum(pegs) - 2 * pairs == int(odd(holes & self.problem.start.mask)))
        bound = self._least(sought.cost(self.final), seconds)
        return None if bound is None else max(self.problem.least_value or 0, bound)

    def fewest_jumps(self, seconds: float) -> int:
        """Return a lower bound on the number of jumps: the least number that satisfies the rows; 0 if the solver
        fails."""
        return max(0, self._least(sum(self.times.values()), seconds) or 0)

    def _least(self, objective: mathopt.LinearTypes, seconds: float) -> int | None:
        """Return a lower bound on an objective; None if the solver fails."""
        self.model.minimize(objective)
        result = self.solve(seconds)
        bound = -inf if result is None else result.termination.objective_bounds.dual_bound
        return ceil(bound - TOLERANCE) if isfinite(bound) else None

    def dual_weights(self, jump: Jump) -> list[float] | None:
        """Return the dual values of the holes when a jump is made as often as the relaxation allows, or None."""
        self.model.maximize(self.times[jump])
        result = self.solve(RELAXATION_SECONDS)
        if result is None or result.termination.reason.name != "OPTIMAL":
            return None
        return list(result.dual_values(self.rows[: len(self.final)]))

    def solve(self, seconds: float) -> mathopt.SolveResult | None:
        """Return the result of the solver; None if it fails."""
        solver = self.mathopt.SolverType.GLOP if self.relaxed else self.mathopt.SolverType.CP_SAT
        parameters = self.parameters(seconds)
        if self.relaxed:  # its vertices make the pagoda functions that cut most
            parameters.lp_algorithm = self.mathopt.LPAlgorithm.DUAL_SIMPLEX
        try:
            return self.mathopt.solve(self.model, solver, params=parameters)
        except FAILURES:
            return None

    def parameters(self, seconds: float) -> mathopt.SolveParameters:
        """Return the parameters of a solver with a time limit."""
        limit = timedelta(seconds=min(seconds, RELAXATION_SECONDS) if self.relaxed else seconds)
        parameters = self.mathopt.SolveParameters(time_limit=limit, threads=1)
        parameters.cp_sat.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong optima of linear models
        parameters.cp_sat.catch_sigint_signal = False  # else Ctrl-C ends this search alone, and the program goes on
        return parameters


class Elastic(Equations):
    """The relaxed rows, any of which can be violated at a price: how near numbers within their ranges come to them."""

    def __init__(self, counts: JumpCounts) -> None:
        super().__init__(counts, relaxed=True)
        violations = []
        for row, constraint in zip(counts.rows, self.rows, strict=True):
            for sign, most in ((-1, inf), (1, inf if row.exact else 0)):
                violations.append(self.model.add_variable(lb=0, ub=most))
                constraint.set_coefficient(violations[-1], sign)
        self.model.minimize(self.mathopt.fast_sum(violations))
        self.solver = self.mathopt.IncrementalSolver(self.model, self.mathopt.SolverType.GLOP)
        self.ranges = counts.ranges()
        self.only_numbers = self.mathopt.ModelSolveParameters(
            variable_values_filter=self.mathopt.VariableFilter(filtered_items=self.numbers),
            reduced_costs_filter=self.mathopt.VariableFilter(filtered_items=[]),
        )

    def within(self, ranges: Ranges, seconds: float) -> list[float] | dict[int, int]:
        """Return the numbers that satisfy the rows; or how often to take each row for a sum that contradicts the
        ranges.

        Raises NoResult.
        """
        for variable, (low, high), before in zip(self.numbers, ranges, self.ranges, strict=True):
            if (low, high) != before:
                variable.lower_bound, variable.upper_bound = low, high
        self.ranges = ranges
        try:
            result = self.solver.solve(params=self.parameters(seconds), model_params=self.only_numbers)
        except FAILURES:
            raise NoResult from None
        if result.termination.reason.name != "OPTIMAL":
            raise NoResult
        if result.objective_value() <= TOLERANCE:
            return list(result.variable_values(self.numbers))
        duals = [-value for value in result.dual_values(self.rows)]
        times = in_whole_numbers(duals, lambda times: self.counts.contradict(ranges, times))
        if times is None:
            raise NoResult
        return {place: many for place, many in enumerate(times) if many}
