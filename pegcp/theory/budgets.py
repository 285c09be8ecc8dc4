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
from math import isfinite

from ortools.math_opt.python import mathopt

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.theory.equations import Equations, jump_classes
from pegcp.theory.jump_counts import JumpCounts
from pegcp.theory.pagoda import PagodaFunction

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


@dataclass(frozen=True)
class Stock:
    """All budgets and slacks at the ``start``, and how much of them each jump consumes (``uses``), packed into one
    number: one subtraction makes a jump pay for all. Each field of the number has a guard bit above it, which is
    borrowed when the field falls below zero.

    ``share`` of a jump is the sum, over all budgets and slacks, of the part of each that it consumes. A jump may be
    made if the number that is left after it has all its ``guards``.
    """

    start: int
    guards: int
    uses: Mapping[Jump, int]
    share: Mapping[Jump, float]


def stock(jumps: Sequence[Jump], budgets: Mapping[Jump, int], pagodas: Sequence[PagodaFunction]) -> Stock:
    """The stock of some jumps. Without budgets and pagoda functions nothing ever runs out."""
    have = [*budgets.values(), *(pagoda.slack for pagoda in pagodas)]
    uses = {j: [*(int(j is k) for k in budgets), *(pagoda.cost(j) for pagoda in pagodas)] for j in jumps}
    width = max([1, *have, *(use for row in uses.values() for use in row)]).bit_length() + 1
    guards = _packed([1 << width - 1] * len(have), width)
    return Stock(
        _packed(have, width) | guards,
        guards,
        {j: _packed(row, width) for j, row in uses.items()},
        {j: sum(use / max(1, left) for use, left in zip(row, have, strict=True)) for j, row in uses.items()},
    )


def _packed(fields: Sequence[int], width: int) -> int:
    return sum(field << width * i for i, field in enumerate(fields))
