"""Pagoda functions and jump budgets: what weights of the holes, and equations of jump counts, allow.

A pagoda function gives weights to the holes such that no jump increases the total weight of the pegs: w(from) + w(over)
>= w(to) for every jump (Conway; Berlekamp, Conway and Guy, Winning Ways, chapter 23). If the goal weighs more than the
start, there is no solution. The slack is how much more the start weighs than the goal: all jumps together cannot lose
more.

A budget is how often a jump can be made in a solution, whatever the order of the jumps (Kiyomi and Matsui 2001,
section 4). With A the matrix of what the jumps do to the holes (+1 where a peg goes, -1 where one lands) and x the
numbers of times they are made, every solution satisfies A x = p_s - p_f. The budget of jump j is

    RUB_j = max x_j  subject to  A x = p_s - p_f,  x >= 0 and integer,  p_f a position that satisfies the goal.

If there is no such x, there is no solution. Pagoda functions are the dual solutions of the linear relaxation
(section 3; :mod:`pegcp.theory.equations`): weights y with y A >= 0. One that refutes exists if and only if the
relaxation has no solution.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from pegcp.errors import is_importable
from pegcp.game import Jump, OnePeg, Problem
from pegcp.theory.equations import (
    Elastic,
    Equations,
    JumpCounts,
    NoResult,
    NoSolution,
    in_whole_numbers,
    jump_classes,
)
from pegcp.theory.parity import bits

Weights = tuple[int, ...]  # one for each hole
_LARGEST_DENOMINATORS = (1000,)  # denominators of dual weights that limit jumps; weights with larger ones are not used


@dataclass(frozen=True)
class PagodaFunction:
    """An integer weight for each hole, and by how much at least the start weighs more than the goal."""

    weights: Weights
    slack: int

    def cost(self, jump: Jump) -> int:
        """Return the weight that a jump loses; never negative."""
        return self.weights[jump.from_] + self.weights[jump.over] - self.weights[jump.to]


def weight(weights: Sequence[int], pegs: int) -> int:
    """Return the weight of the pegs (a bit mask)."""
    return sum(weights[hole] for hole in bits(pegs))


def free_holes(problem: Problem) -> int:
    """Return the holes (a bit mask) that the goal leaves free."""
    return problem.board.full & ~problem.final_pegs & ~problem.final_vacancies


def goal_weight(problem: Problem, weights: Sequence[int]) -> int:
    """Return a lower bound on the weight of a position that satisfies the goal (a dead end, or a soft goal: any
    position)."""
    if isinstance(problem.goal, OnePeg):
        return min(weights)
    return weight(weights, problem.final_pegs) + sum(min(0, weights[hole]) for hole in bits(free_holes(problem)))


def refuting(problem: Problem, seconds: float) -> Weights | None:
    """Find a pagoda function by which the goal weighs more than the start; None if none was found within the seconds.

    The goal must not be one peg anywhere. The weights are multipliers of the rows of the jump counts whose sum no
    counts satisfy, however large.
    """
    counts = JumpCounts(problem)
    jumps = len(problem.board.jumps)
    try:
        times = Elastic(counts).within([(0, inf)] * jumps + counts.ranges()[jumps:], seconds)
    except NoResult:
        return None
    return tuple(times.get(h, 0) for h in range(len(problem.board.holes))) if isinstance(times, dict) else None


@lru_cache(maxsize=8)
def pagodas(problem: Problem) -> list[PagodaFunction]:
    """Return the pagoda functions that limit the jumps of each class most, with their images under the symmetries.

    The list is empty if the linear relaxation has no solution (then the problem has none either), or if its solver
    fails or is not installed, as in a browser.
    """
    if not is_importable("ortools"):
        return []

    def is_pagoda(weights: Weights) -> bool:
        return any(weights) and min(map(PagodaFunction(weights, 0).cost, problem.board.jumps)) >= 0

    equations = Equations(JumpCounts(problem), relaxed=True)
    symmetries = problem.symmetries()
    functions: dict[Weights, PagodaFunction] = {}
    for jump in dict.fromkeys(jump_classes(problem).values()):
        duals = equations.dual_weights(jump)
        if duals is None:
            return []
        weights = in_whole_numbers(duals, is_pagoda, _LARGEST_DENOMINATORS)
        if weights is None or weights in functions:
            continue
        slack = weight(weights, problem.start.mask) - goal_weight(problem, weights)
        for permutation in symmetries:
            image = tuple(value for _, value in sorted(zip(permutation, weights, strict=True)))
            functions[image] = PagodaFunction(image, slack)
    return list(functions.values())


def budgets(problem: Problem, seconds: float = 60.0) -> dict[Jump, int] | None:
    """Return the budget of every jump; None when the equations have no solution, so that the problem has none either.

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
    """Return the stock of some jumps. Without budgets and pagoda functions nothing ever runs out."""
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
