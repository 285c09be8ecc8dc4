"""Jump budgets: how often each jump can be made in a solution, whatever the order of the jumps.

Kiyomi and Matsui 2001, section 4. With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where
one lands) and x the numbers of times they are made, every solution satisfies A x = p_s - p_f. The budget of jump j is

    RUB_j = max x_j  subject to  A x = p_s - p_f,  x >= 0 and integer,  p_f a position that satisfies the goal.

If there is no such x, there is no solution. The dual solutions of the linear relaxation are pagoda functions: weights y
with y A >= 0, so that the weight of the position never grows. The slack is how much more a position weighs than the
goal.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegcp.game import Jump, Problem
from pegcp.theory.equations import Equations, NoSolution, jump_classes
from pegcp.theory.jump_counts import JumpCounts
from pegcp.theory.pagoda import PagodaFunction


def budgets(problem: Problem, seconds: float = 60.0) -> dict[Jump, int] | None:
    """The budget of every jump; None when the equations have no solution, so that the problem has none either.

    At most one integer program is solved for each class of jumps, and none where a solution of another one reaches the
    bound of the linear relaxation. When the ``seconds`` are over, a budget may be larger than RUB_j, never smaller.
    Raises TimeoutError if not even the first program was solved.
    """
    if not problem.lengths:
        return None
    deadline = time.monotonic() + seconds
    counts = JumpCounts(problem)
    integer, relaxed = Equations(counts), Equations(counts, relaxed=True)
    classes = jump_classes(problem)
    budget: dict[Jump, int] = {}
    reached = dict.fromkeys(classes, 0)  # the most times that a jump is made in the solutions found so far
    try:
        for jump in dict.fromkeys(classes.values()):
            budget[jump], _ = relaxed.maximize(jump, max(0.0, deadline - time.monotonic()))
            if budget[jump] > reached[jump] or not any(reached.values()):
                if time.monotonic() >= deadline and len(budget) == 1:
                    raise TimeoutError
                bound, times = integer.maximize(jump, max(0.0, deadline - time.monotonic()))
                budget[jump] = min(budget[jump], bound)
                for other, number in times.items():
                    reached[classes[other]] = max(reached[classes[other]], number)
    except NoSolution:
        return None
    return {jump: budget[first] for jump, first in classes.items()}


def by_name(problem: Problem, budget: Mapping[Jump, int]) -> dict[str, int]:
    """Budgets by the names of the holes, one for each class of jumps."""
    return {" ".join(problem.board.jump_names(jump)): budget[jump] for jump in jump_classes(problem).values()}


@dataclass(frozen=True)
class Stock:
    """All budgets and slacks at the ``start``, and how much of them each jump ``uses``, packed into integers.

    Each budget or slack is a field of bits, so that one subtraction makes a jump consume its part of all. Above each
    field is a guard bit, which is borrowed when the field falls below zero: a jump may be made if all ``guards`` are
    still set after it. ``share`` of a jump is the sum, over all budgets and slacks, of the part of each that it
    consumes.
    """

    start: int
    guards: int
    uses: Mapping[Jump, int]
    share: Mapping[Jump, float]


def stock(jumps: Sequence[Jump], budgets: Mapping[Jump, int], pagodas: Sequence[PagodaFunction]) -> Stock:
    """The stock of some jumps. Without budgets and pagoda functions nothing ever runs out."""
    supplies = [*budgets.values(), *(pagoda.slack for pagoda in pagodas)]
    uses = {j: [*(int(j is k) for k in budgets), *(pagoda.cost(j) for pagoda in pagodas)] for j in jumps}
    width = max([1, *supplies, *(use for row in uses.values() for use in row)]).bit_length() + 1
    guards = _pack([1 << width - 1] * len(supplies), width)
    return Stock(
        _pack(supplies, width) | guards,
        guards,
        {j: _pack(row, width) for j, row in uses.items()},
        {j: sum(use / max(1, supply) for use, supply in zip(row, supplies, strict=True)) for j, row in uses.items()},
    )


def _pack(fields: Sequence[int], width: int) -> int:
    return sum(field << width * i for i, field in enumerate(fields))
