"""Jump counts: how often each jump is made says what the last position is, whatever the order of the jumps.

With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where one lands) and x the numbers of times
they are made, every solution satisfies A x = p_s - p_f (Kiyomi and Matsui 2001, section 3).
"""

from __future__ import annotations

from datetime import timedelta
from math import ceil, isfinite
from typing import assert_never

from ortools.math_opt.python import mathopt

from pegcp.game.board import Board, Jump
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem

RELAXATION_SECONDS = 60.0  # for a linear relaxation, which takes milliseconds on the boards of the literature
_NONE = 1e-7  # what counts as no change in a linear relaxation


def effects(board: Board) -> list[dict[int, int]]:
    """The rows of A: for each hole the jumps (by number) that take its peg, +1, and those that land in it, -1."""
    rows: list[dict[int, int]] = [{} for _ in board.holes]
    for j, jump in enumerate(board.jumps):
        rows[jump.from_][j] = rows[jump.over][j] = 1
        rows[jump.to][j] = -1
    return rows


def final_position(model: mathopt.Model, problem: Problem) -> list[mathopt.Variable]:
    """A variable for each hole, 1 iff it holds a peg at the end, constrained by the goal."""
    board = problem.board
    final = [model.add_binary_variable(name=f"final_{hole}") for hole in board.holes]
    for h, variable in enumerate(final):
        if (problem.final_pegs | problem.final_vacancies) >> h & 1:
            variable.lower_bound = variable.upper_bound = problem.final_pegs >> h & 1
    match problem.goal:
        case Exact() | Partial() | Nearest():
            pass
        case OnePeg():
            model.add_linear_constraint(mathopt.fast_sum(final) == 1, name="one_peg")
        case DeadEnd():
            for jump in board.jumps:
                blocked = final[jump.from_] + final[jump.over] - final[jump.to] <= 1
                model.add_linear_constraint(blocked, name="blocked_" + "_".join(board.jump_names(jump)))
        case _:
            assert_never(problem.goal)
    return final


def jump_classes(problem: Problem) -> dict[Jump, Jump]:
    """For each jump the first of those that the symmetries of start and goal carry into it."""
    symmetries = problem.symmetries()
    first: dict[Jump, Jump] = {}
    for jump in problem.board.jumps:
        queue = [] if jump in first else [jump]
        for member in queue:
            if first.setdefault(member, jump) is jump:
                images = (Jump(*(p[hole] for hole in member)) for p in symmetries)
                queue += [other for other in dict.fromkeys(images) if other not in first]
    return first


class Equations:
    """A x = p_s - p_f as a model, in whole numbers or relaxed; ``elastic``: at a price, any row may be violated."""

    def __init__(self, problem: Problem, whole: bool = True, elastic: bool = False) -> None:
        board, self.problem = problem.board, problem
        self.most = max(problem.jump_counts, default=0)
        self.model = mathopt.Model(name="budgets")
        self.times = {
            jump: self.model.add_variable(lb=0, ub=float("inf") if elastic else self.most, is_integer=whole)
            for jump in board.jumps
        }
        final = self.final = final_position(self.model, problem)
        for variable in final:
            variable.integer = whole
        self.rows, self.changes = [], []
        for hole, row in enumerate(effects(board)):
            taken = mathopt.fast_sum(a * self.times[board.jumps[j]] for j, a in row.items())
            change: mathopt.LinearTypes = 0.0
            if elastic:
                more, less = (self.model.add_variable(lb=0) for _ in range(2))
                self.changes += [more, less]
                change = more - less
            self.rows.append(
                self.model.add_linear_constraint(taken + final[hole] + change == problem.start.mask >> hole & 1)
            )

    def maximized(self, jump: Jump, solver: mathopt.SolverType, seconds: float) -> mathopt.SolveResult | None:
        """The largest number of times that a jump can be made; None if the solver fails."""
        self.model.maximize(self.times[jump])
        return self._solved(solver, seconds)

    def nearest(self, seconds: float) -> int | None:
        """A bound on the value of the objective, which seeks a position to end near; None if the solver fails.

        In whole numbers the equations also keep the position class.
        """
        sought = self.problem.sought
        assert sought is not None
        self.model.minimize(sought.cost(self.final))
        result = self._solved(mathopt.SolverType.CP_SAT, seconds)
        if result is None or not isfinite(result.best_objective_bound()):
            return None
        bound: int = ceil(result.best_objective_bound() - _NONE)
        return max(self.problem.least_value or 0, bound)

    def limiting(self, jump: Jump) -> list[float] | None:
        """The dual weights of the holes when a jump is made as often as the relaxation allows, or None."""
        return self._duals(self.maximized(jump, mathopt.SolverType.GLOP, RELAXATION_SECONDS))

    def repaired(self, seconds: float) -> list[float] | None:
        """The dual weights of the holes at the least change that gives a solution; None if no change is needed."""
        self.model.maximize(-mathopt.fast_sum(self.changes))
        result = self._solved(mathopt.SolverType.GLOP, seconds)
        weights = self._duals(result)
        if result is None or weights is None or result.objective_value() > -_NONE:
            return None
        return weights

    def _duals(self, result: mathopt.SolveResult | None) -> list[float] | None:
        if result is None or result.termination.reason is not mathopt.TerminationReason.OPTIMAL:
            return None
        duals = result.dual_values()
        return [duals[row] for row in self.rows]

    def _solved(self, solver: mathopt.SolverType, seconds: float) -> mathopt.SolveResult | None:
        limit = timedelta(seconds=min(seconds, RELAXATION_SECONDS) if solver is mathopt.SolverType.GLOP else seconds)
        parameters = mathopt.SolveParameters(time_limit=limit, threads=1)
        if solver is mathopt.SolverType.GLOP:  # its vertices make the pagoda functions that cut most
            parameters.lp_algorithm = mathopt.LPAlgorithm.DUAL_SIMPLEX
        parameters.cp_sat.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong optima of linear models
        try:
            return mathopt.solve(self.model, solver, params=parameters)
        except (RuntimeError, AttributeError):  # GLOP ends abnormally on some boards, in one version or the other
            return None
