"""The rows of jump counts as models of OR-tools: integer programs for bounds, linear ones for weights of the holes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from fractions import Fraction
from math import ceil, inf, isfinite, lcm
from typing import TYPE_CHECKING

from pegcp.game import Jump, Problem
from pegcp.theory.jump_counts import JumpCounts, Limits, LinearRow, goal_rows
from pegcp.theory.parity import bits, class_sets, odd

if TYPE_CHECKING:
    from ortools.math_opt.python import mathopt

# MathOpt raises these where a solver ends abnormally, as GLOP does on some large boards: its own error, or an
# AttributeError of the code that should translate it.
FAILURES = (RuntimeError, AttributeError)
RELAXATION_SECONDS = 60.0  # for a linear relaxation, which takes milliseconds on the boards of the literature
TOLERANCE = 1e-6  # a smaller number counts as 0 in a linear program
_DENOMINATORS = (10, 60, 1000, 10**5, 10**7)
_LARGEST_FACTOR = 10**300  # a float takes no more; on boards of some hundred holes denominators may multiply to more


def in_whole_numbers(
    values: Iterable[float], accept: Callable[[tuple[int, ...]], bool], denominators: Iterable[int] = _DENOMINATORS
) -> tuple[int, ...] | None:
    """Dual values as integers, by their common denominator: the smallest that are accepted, or None."""
    duals = list(values)
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
    """A variable for each hole, 1 iff it holds a peg at the end, constrained by the goal."""
    final = [model.add_binary_variable(name=f"final_{hole}") for hole in problem.board.holes]
    for h, variable in enumerate(final):
        if (problem.final_pegs | problem.final_vacancies) >> h & 1:
            variable.lower_bound = variable.upper_bound = problem.final_pegs >> h & 1
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

        self.counts, self.problem, self.relaxed = counts, counts.problem, relaxed
        self.model = mathopt.Model()
        self.numbers = [
            self.model.add_variable(lb=low, ub=high, is_integer=not relaxed) for low, high in counts.limits()
        ]
        jumps = self.problem.board.jumps
        self.times = dict(zip(jumps, self.numbers, strict=False))
        self.final = self.numbers[len(jumps) :]
        self.rows = [self._row(row) for row in counts.rows]

    def _row(self, row: LinearRow, violation: mathopt.LinearTypes = 0.0) -> mathopt.LinearConstraint:
        from ortools.math_opt.python import mathopt

        terms = mathopt.fast_sum(times * self.numbers[number] for number, times in row.terms.items()) - violation
        return self.model.add_linear_constraint(terms == row.value if row.exact else terms <= row.value)

    def maximize(self, jump: Jump, seconds: float) -> tuple[int, dict[Jump, int]]:
        """An upper bound on the number of times that a jump can be made, and the jump counts of an integer solution.

        The counts are empty if the rows are relaxed, or if no solution was found in time. Raises NoSolution.
        """
        self.model.maximize(self.times[jump])
        result = self._solve(seconds) if seconds > 0 else None
        if result is None:
            return self.counts.longest, {}
        if result.termination.reason.name.startswith("INFEASIBLE"):
            raise NoSolution
        values = {} if self.relaxed or not result.has_primal_feasible_solution() else result.variable_values()
        bound = min(self.counts.longest + 0.5, result.termination.objective_bounds.dual_bound)
        return int(bound + TOLERANCE), {j: round(values[x]) for j, x in self.times.items() if x in values}

    def nearest(self, seconds: float) -> int | None:
        """A lower bound on the distance to the position to end near; None if the solver fails.

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
        """A lower bound on the number of jumps: the least number that satisfies the rows; 0 if the solver fails."""
        return max(0, self._least(sum(self.times.values()), seconds) or 0)

    def _least(self, objective: mathopt.LinearTypes, seconds: float) -> int | None:
        """Return a lower bound on an objective; None if the solver fails."""
        self.model.minimize(objective)
        result = self._solve(seconds)
        bound = -inf if result is None else result.termination.objective_bounds.dual_bound
        return ceil(bound - TOLERANCE) if isfinite(bound) else None

    def dual_weights(self, jump: Jump) -> list[float] | None:
        """The dual values of the holes when a jump is made as often as the relaxation allows, or None."""
        self.model.maximize(self.times[jump])
        result = self._solve(RELAXATION_SECONDS)
        if result is None or result.termination.reason.name != "OPTIMAL":
            return None
        duals: list[float] = result.dual_values(self.rows[: len(self.final)])
        return duals

    def _solve(self, seconds: float) -> mathopt.SolveResult | None:
        from ortools.math_opt.python import mathopt

        solver = mathopt.SolverType.GLOP if self.relaxed else mathopt.SolverType.CP_SAT
        parameters = _parameters(seconds, self.relaxed)
        if self.relaxed:  # its vertices make the pagoda functions that cut most
            parameters.lp_algorithm = mathopt.LPAlgorithm.DUAL_SIMPLEX
        try:
            return mathopt.solve(self.model, solver, params=parameters)
        except FAILURES:
            return None


class Elastic(Equations):
    """The relaxed rows, any of which can be violated at a price: how near numbers within limits come to them."""

    def __init__(self, counts: JumpCounts) -> None:
        from ortools.math_opt.python import mathopt

        self.violations: list[mathopt.Variable] = []
        super().__init__(counts, relaxed=True)
        self.model.minimize(mathopt.fast_sum(self.violations))
        self.solver = mathopt.IncrementalSolver(self.model, mathopt.SolverType.GLOP)
        self.limits = counts.limits()
        self.only_numbers = mathopt.ModelSolveParameters(
            variable_values_filter=mathopt.VariableFilter(filtered_items=self.numbers),
            reduced_costs_filter=mathopt.VariableFilter(filtered_items=[]),
        )

    def _row(self, row: LinearRow, violation: mathopt.LinearTypes = 0.0) -> mathopt.LinearConstraint:
        more, less = (self.model.add_variable(lb=0, ub=high) for high in (inf, inf if row.exact else 0))
        self.violations += [more, less]
        return super()._row(row, more - less + violation)

    def within(self, limits: Limits, seconds: float) -> tuple[list[float], None] | tuple[None, dict[int, int]]:
        """Numbers that satisfy the rows; or how often to take each row for a sum that contradicts the limits.

        Raises NoResult.
        """
        for variable, (low, high), before in zip(self.numbers, limits, self.limits, strict=True):
            if (low, high) != before:
                variable.lower_bound, variable.upper_bound = low, high
        self.limits = limits
        try:
            result = self.solver.solve(params=_parameters(seconds, relaxed=True), model_params=self.only_numbers)
        except FAILURES:
            raise NoResult from None
        if result.termination.reason.name != "OPTIMAL":
            raise NoResult
        if result.objective_value() <= TOLERANCE:
            return result.variable_values(self.numbers), None
        duals = (-value for value in result.dual_values(self.rows))
        times = in_whole_numbers(duals, lambda times: self.counts.contradict(limits, dict(enumerate(times))))
        if times is None:
            raise NoResult
        return None, {place: many for place, many in enumerate(times) if many}


def _parameters(seconds: float, relaxed: bool) -> mathopt.SolveParameters:
    from ortools.math_opt.python import mathopt

    limit = timedelta(seconds=min(seconds, RELAXATION_SECONDS) if relaxed else seconds)
    parameters = mathopt.SolveParameters(time_limit=limit, threads=1)
    parameters.cp_sat.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong optima of linear models
    parameters.cp_sat.catch_sigint_signal = False  # else Ctrl-C ends this search alone, and the program goes on
    return parameters
