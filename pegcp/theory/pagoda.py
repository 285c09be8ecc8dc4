"""Pagoda functions: weights of the holes such that no jump increases the total weight of the pegs.

w(from) + w(over) >= w(to) for every jump (Conway; Berlekamp, Conway and Guy, Winning Ways, chapter 23). If the goal
weighs more than the start, there is no solution. The slack is how much more the start weighs than the goal: all jumps
together cannot lose more.

Pagoda functions are dual solutions of the linear relaxation of the jump counts (Kiyomi and Matsui 2001, section 3; see
:mod:`pegcp.theory.equations`). One that refutes exists if and only if the relaxation has no solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from pegcp.errors import there
from pegcp.game import Jump, OnePeg, Problem
from pegcp.theory.equations import Elastic, Equations, NoResult, in_whole_numbers, jump_classes
from pegcp.theory.jump_counts import JumpCounts
from pegcp.theory.parity import bits

Weights = tuple[int, ...]  # one for each hole
_LARGEST_DENOMINATORS = (1000,)  # denominators of dual weights that limit jumps; weights with larger ones are not used


@dataclass(frozen=True)
class PagodaFunction:
    """An integer weight for each hole, and by how much at least the start weighs more than the goal."""

    weights: Weights
    slack: int

    def cost(self, jump: Jump) -> int:
        """The weight that a jump loses; never negative."""
        return self.weights[jump.from_] + self.weights[jump.over] - self.weights[jump.to]


def weight(weights: Sequence[int], pegs: int) -> int:
    """The weight of the pegs (a bit mask)."""
    return sum(weights[hole] for hole in bits(pegs))


def goal_weight(problem: Problem, weights: Sequence[int]) -> int:
    """A lower bound on the weight of a position that satisfies the goal (a dead end, or a soft goal: any position)."""
    if isinstance(problem.goal, OnePeg):
        return min(weights)
    free = problem.board.full & ~problem.final_pegs & ~problem.final_vacancies
    return weight(weights, problem.final_pegs) + sum(min(0, weights[hole]) for hole in bits(free))


def refuting(problem: Problem, seconds: float) -> Weights | None:
    """Find a pagoda function by which the goal weighs more than the start; None if none was found within the seconds.

    The goal must not be one peg anywhere. The weights are multipliers of the rows of the jump counts whose sum no
    counts satisfy, however large.
    """
    counts = JumpCounts(problem)
    jumps = len(problem.board.jumps)
    try:
        _, times = Elastic(counts).within([(0, inf)] * jumps + counts.limits()[jumps:], seconds)
    except NoResult:
        return None
    return None if times is None else tuple(times.get(hole, 0) for hole in range(len(problem.board.holes)))


@lru_cache(maxsize=8)
def pagodas(problem: Problem) -> list[PagodaFunction]:
    """The pagoda functions that limit the jumps of each class most, with their images under the symmetries.

    The list is empty if the linear relaxation has no solution (then the problem has none either), or if its solver
    fails or is not installed, as in a browser.
    """
    if not there("ortools"):
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
