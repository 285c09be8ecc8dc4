"""Jump budgets: how often each jump can be made in a solution, whatever the order of the jumps.

Kiyomi and Matsui 2001, section 4. With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where one
lands) and x the numbers of times they are made, every solution satisfies A x = p_s - p_f. The budget of jump j is

    RUB_j = max x_j  subject to  A x = p_s - p_f,  x >= 0 and whole,  p_f a position that satisfies the goal.

No such x: no solution. The dual solutions of the linear relaxation are pagoda functions: weights y with y A >= 0, so that
the weight of the position never grows. What a position weighs more than the goal is the slack that is left for jumps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from pegcp.board import Board, Jump
from pegcp.formulation import Run
from pegcp.problem import DeadEnd, OnePeg, Problem

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

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
    """For each jump the first of those that the symmetries of start and goal carry into it: they have the same budget."""
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

    One integer program for each class of jumps (CP-SAT). When the time is over, a budget may be larger than RUB_j, never
    smaller. Raises TimeoutError if not even the first program was solved.
    """
    classes = jump_classes(problem)
    found: dict[Jump, int] = {}
    if not problem.jump_counts:
        return None
    for number, jump in enumerate(dict.fromkeys(classes.values())):
        bound = _largest(problem, jump, run)
        if bound is None:
            return None
        if not number and run.remaining <= 0:
            raise TimeoutError
        found[jump] = bound
    return {jump: found[first] for jump, first in classes.items()}


def _largest(problem: Problem, jump: Jump, run: Run) -> int | None:
    from ortools.sat.python import cp_model

    board, most = problem.board, problem.jump_counts[-1]
    model = cp_model.CpModel()
    times = {j: model.new_int_var(0, most, "") for j in board.jumps}
    final = [model.new_bool_var("") for _ in board.holes]
    for hole, taken in enumerate(_effects(board)):
        start = problem.start.mask >> hole & 1
        model.add(sum(sign * times[j] for j, sign in taken.items()) == start - final[hole])
        if (problem.final_pegs | problem.final_vacancies) >> hole & 1:
            model.add(final[hole] == problem.final_pegs >> hole & 1)
    if isinstance(problem.goal, OnePeg):
        model.add_exactly_one(final)
    if isinstance(problem.goal, DeadEnd):
        for j in board.jumps:
            model.add_bool_or(~final[j.from_], ~final[j.over], final[j.to])
    model.maximize(times[jump])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = run.remaining
    solver.parameters.presolve_inclusion_work_limit = 0  # OR-tools issue 5293: wrong optima of all-linear models
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    return min(most, int(solver.best_objective_bound + 1e-6)) if status != cp_model.UNKNOWN else most


def _effects(board: Board) -> list[dict[Jump, int]]:
    """The rows of A: for each hole the jumps that take its peg (+1) and those that land in it (-1)."""
    rows: list[dict[Jump, int]] = [{} for _ in board.holes]
    for jump in board.jumps:
        rows[jump.from_][jump] = rows[jump.over][jump] = 1
        rows[jump.to][jump] = -1
    return rows


def pagodas(problem: Problem) -> list[Pagoda]:
    """The pagoda functions that limit the jumps of each class most, with their images under the symmetries.

    They are whole numbers and checked as such. None where the linear relaxation has no solution; then
    :func:`budgets` finds the problem infeasible.
    """
    from ortools.linear_solver import pywraplp

    board, most = problem.board, max(problem.jump_counts, default=0)
    solver = pywraplp.Solver.CreateSolver("GLOP")
    times = {j: solver.NumVar(0, most, "") for j in board.jumps}
    final = [solver.NumVar(0, 1, "") for _ in board.holes]
    rows = []
    for hole, taken in enumerate(_effects(board)):
        start = problem.start.mask >> hole & 1
        rows.append(solver.Add(sum(sign * times[j] for j, sign in taken.items()) + final[hole] == start))
        if (problem.final_pegs | problem.final_vacancies) >> hole & 1:
            final[hole].SetBounds(problem.final_pegs >> hole & 1, problem.final_pegs >> hole & 1)
    if isinstance(problem.goal, OnePeg):
        solver.Add(solver.Sum(final) == 1)
    symmetries = problem.symmetries()
    found: dict[tuple[int, ...], Pagoda] = {}
    for jump in dict.fromkeys(jump_classes(problem).values()):
        solver.Maximize(times[jump])
        if solver.Solve() != pywraplp.Solver.OPTIMAL:
            return []
        pagoda = _pagoda(problem, [row.dual_value() for row in rows])
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
