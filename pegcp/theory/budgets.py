"""Jump budgets: how often each jump can be made in a solution, whatever the order of the jumps.

Kiyomi and Matsui 2001, section 4. With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where
one lands) and x the numbers of times they are made, every solution satisfies A x = p_s - p_f. The budget of jump j is

    RUB_j = max x_j  subject to  A x = p_s - p_f,  x >= 0 and whole,  p_f a position that satisfies the goal.

No such x: no solution. The dual solutions of the linear relaxation are pagoda functions: weights y with y A >= 0, so
that the weight of the position never grows. What a position weighs more than the goal is the slack left for jumps.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from ortools.math_opt.python import mathopt

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.theory.counts import JumpCounts
from pegcp.theory.equations import Equations, jump_classes

_INFEASIBLE = (mathopt.TerminationReason.INFEASIBLE, mathopt.TerminationReason.INFEASIBLE_OR_UNBOUNDED)
_UNBOUNDED = 1 << 30


def budgets(problem: Problem, run: Run) -> dict[Jump, int] | None:
    """The budget of every jump; None when the equations have no solution, so that the problem has none either.

    At most one integer program for each class of jumps (CP-SAT), none where a solution met on the way reaches the bound
    of the linear relaxation. When the time is over, a budget may be larger than RUB_j, never smaller. Raises
    TimeoutError if not even the first program was solved.
    """
    if not problem.jump_counts:
        return None
    counts = JumpCounts(problem)
    integer, relaxed = Equations(counts), Equations(counts, relaxed=True)
    classes = jump_classes(problem)
    budget: dict[Jump, int] = {}
    seen = dict.fromkeys(classes, 0)  # how often a jump is made at most in the solutions met so far
    for jump in dict.fromkeys(classes.values()):
        result = relaxed.maximized(jump, run.remaining) if run.remaining > 0 else None
        if result is not None and result.termination.reason in _INFEASIBLE:
            return None
        budget[jump] = min(counts.longest, _floor(result))
        if budget[jump] == seen[jump] and any(seen.values()):
            continue
        if run.remaining <= 0:
            if len(budget) == 1:
                raise TimeoutError
            continue
        result = integer.maximized(jump, run.remaining)
        if result is None:
            continue
        if result.termination.reason in _INFEASIBLE:
            return None
        budget[jump] = min(budget[jump], _floor(result))
        if result.has_primal_feasible_solution():
            values = result.variable_values()
            for other, variable in integer.times.items():
                seen[classes[other]] = max(seen[classes[other]], round(values[variable]))
    return {jump: budget[first] for jump, first in classes.items()}


def _floor(result: mathopt.SolveResult | None) -> int:
    if result is None:
        return _UNBOUNDED
    bound = result.termination.objective_bounds.dual_bound
    return int(bound + 1e-6) if isfinite(bound) else _UNBOUNDED


def by_name(problem: Problem, budget: Mapping[Jump, int]) -> dict[str, int]:
    """Budgets by the names of the holes, one for each class of jumps."""
    first = dict.fromkeys(jump_classes(problem).values())
    return {" ".join(problem.board.jump_names(jump)): budget[jump] for jump in first}
