"""Jump budgets: how often each jump can be made in a solution, whatever the order of the jumps.

Kiyomi and Matsui 2001, section 4. With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where
one lands) and x the numbers of times they are made, every solution satisfies A x = p_s - p_f. The budget of jump j is

    RUB_j = max x_j  subject to  A x = p_s - p_f,  x >= 0 and whole,  p_f a position that satisfies the goal.

No such x: no solution. The dual solutions of the linear relaxation are pagoda functions: weights y with y A >= 0, so
that the weight of the position never grows. What a position weighs more than the goal is the slack left for jumps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from math import isfinite, lcm

from ortools.math_opt.python import mathopt

from pegcp.game.board import Jump
from pegcp.game.goal import OnePeg
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.theory.equations import effects, final_position

_SECONDS = 60.0  # for a linear relaxation, which takes milliseconds on the boards of the literature
_INFEASIBLE = (mathopt.TerminationReason.INFEASIBLE, mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED)
_UNBOUNDED = 1 << 30
_DENOMINATOR = 1000  # dual weights are small fractions; weights that do not come out exactly are not used


@dataclass(frozen=True)
class Pagoda:
    """A pagoda function: a whole weight for each hole, and how much more the start weighs than the goal at least."""

    weights: tuple[int, ...]
    slack: int

    def cost(self, jump: Jump) -> int:
        """How much weight a jump loses; never negative."""
        return self.weights[jump.from_] + self.weights[jump.over] - self.weights[jump.to]


def jump_classes(problem: Problem) -> dict[Jump, Jump]:
    """For each jump the first of those that the symmetries of start and goal carry into it; budgets are equal."""
    symmetries = problem.symmetries()
    first: dict[Jump, Jump] = {}
    for jump in problem.board.jumps:
        queue = [] if jump in first else [jump]
        for member in queue:
            if first.setdefault(member, jump) is jump:
                images = (Jump(*(p[hole] for hole in member)) for p in symmetries)
                queue += [other for other in dict.fromkeys(images) if other not in first]
    return first


def budgets(problem: Problem, run: Run) -> dict[Jump, int] | None:
    """The budget of every jump; None when the equations have no solution, so that the problem has none either.

    At most one integer program for each class of jumps (CP-SAT), none where a solution met on the way reaches the bound
    of the linear relaxation. When the time is over, a budget may be larger than RUB_j,
    never smaller. Raises TimeoutError if not even the first program was solved.
    """
    if not problem.jump_counts:
        return None
    whole, relaxed = _Equations(problem), _Equations(problem, whole=False)
    classes = jump_classes(problem)
    found: dict[Jump, int] = {}
    seen = dict.fromkeys(classes, 0)  # how often a jump is made at most in the solutions met so far
    for jump in dict.fromkeys(classes.values()):
        result = relaxed.maximized(jump, mathopt.SolverType.GLOP, _SECONDS)
        if result.termination.reason in _INFEASIBLE:
            return None
        found[jump] = min(whole.most, _floor(result))
        if found[jump] == seen[jump] and any(seen.values()):
            continue
        if run.remaining <= 0:
            if len(found) == 1:
                raise TimeoutError
            continue
        result = whole.maximized(jump, mathopt.SolverType.CP_SAT, run.remaining)
        if result.termination.reason in _INFEASIBLE:
            return None
        found[jump] = min(found[jump], _floor(result))
        if result.has_primal_feasible_solution():
            values = result.variable_values()
            for other, variable in whole.times.items():
                seen[classes[other]] = max(seen[classes[other]], round(values[variable]))
    return {jump: found[first] for jump, first in classes.items()}


def _floor(result: mathopt.SolveResult) -> int:
    bound = result.termination.objective_bounds.dual_bound
    return int(bound + 1e-6) if isfinite(bound) else _UNBOUNDED


class _Equations:
    """A x = p_s - p_f as a model, with x of which one may be maximised."""

    def __init__(self, problem: Problem, whole: bool = True) -> None:
        board = problem.board
        self.most = max(problem.jump_counts, default=0)
        self.model = mathopt.Model(name="budgets")
        self.times = {jump: self.model.add_variable(lb=0, ub=self.most, is_integer=whole) for jump in board.jumps}
        final = final_position(self.model, problem)
        for variable in final:
            variable.integer = whole
        self.rows = []
        for hole, row in enumerate(effects(board)):
            taken = mathopt.fast_sum(a * self.times[board.jumps[j]] for j, a in row.items())
            self.rows.append(self.model.add_linear_constraint(taken + final[hole] == problem.start.mask >> hole & 1))

    def maximized(self, jump: Jump, solver: mathopt.SolverType, seconds: float) -> mathopt.SolveResult:
        """The largest number of times that a jump can be made."""
        self.model.maximize(self.times[jump])
        parameters = mathopt.SolveParameters(time_limit=timedelta(seconds=seconds), threads=1)
        if solver is mathopt.SolverType.GLOP:  # its vertices make the pagoda functions that cut most
            parameters.lp_algorithm = mathopt.LPAlgorithm.DUAL_SIMPLEX
        parameters.cp_sat.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong optima of linear models
        return mathopt.solve(self.model, solver, params=parameters)


def pagodas(problem: Problem) -> list[Pagoda]:
    """The pagoda functions that limit the jumps of each class most, with their images under the symmetries.

    They are whole numbers and checked as such. There are none where the linear relaxation has no solution; then
    :func:`budgets` finds the problem infeasible.
    """
    equations = _Equations(problem, whole=False)
    symmetries = problem.symmetries()
    found: dict[tuple[int, ...], Pagoda] = {}
    for jump in dict.fromkeys(jump_classes(problem).values()):
        result = equations.maximized(jump, mathopt.SolverType.GLOP, _SECONDS)
        if result.termination.reason is not mathopt.TerminationReason.OPTIMAL:
            return []
        duals = result.dual_values()
        pagoda = _pagoda(problem, [duals[row] for row in equations.rows])
        if pagoda is not None and pagoda.weights not in found:
            for p in symmetries:
                weights = [0] * len(p)
                for hole, weight in enumerate(pagoda.weights):
                    weights[p[hole]] = weight
                found[tuple(weights)] = Pagoda(tuple(weights), pagoda.slack)
    return list(found.values())


def _pagoda(problem: Problem, duals: Sequence[float]) -> Pagoda | None:
    exact = [Fraction(dual).limit_denominator(_DENOMINATOR) for dual in duals]
    factor = lcm(*(weight.denominator for weight in exact))
    weights = tuple(int(weight * factor) for weight in exact)
    before = sum(weight for hole, weight in enumerate(weights) if problem.start.mask >> hole & 1)
    pagoda = Pagoda(weights, before - _goal_weight(problem, weights))
    useful = any(weights) and all(pagoda.cost(jump) >= 0 for jump in problem.board.jumps)
    return pagoda if useful else None


def _goal_weight(problem: Problem, weights: Sequence[int]) -> int:
    """The least weight that a position satisfying the goal can have (a dead end: any position)."""
    if isinstance(problem.goal, OnePeg):
        return min(weights)
    fixed = problem.final_pegs | problem.final_vacancies
    return sum(
        weight if problem.final_pegs >> hole & 1 else min(0, weight) if not fixed >> hole & 1 else 0
        for hole, weight in enumerate(weights)
    )


def by_name(problem: Problem, found: Mapping[Jump, int]) -> dict[str, int]:
    """Budgets by the names of the holes, one for each class of jumps."""
    first = dict.fromkeys(jump_classes(problem).values())
    return {" ".join(problem.board.jump_names(jump)): found[jump] for jump in first}
