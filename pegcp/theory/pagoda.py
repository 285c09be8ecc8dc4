"""Pagoda functions: weights of holes that no jump lets grow.

w(from) + w(over) >= w(to) for every jump, so that the weight of the pegs never grows (Conway; Berlekamp,
Conway and Guy, Winning Ways, chapter 23).
If the goal weighs more than the start there is no solution. What the start weighs more than the goal is slack that the
jumps may lose.

Pagoda functions are dual solutions of the linear relaxation of the jump counts (Kiyomi and Matsui 2001, section 3; see
:mod:`pegcp.theory.equations`). One that refutes exists if and only if the relaxation has no solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import assert_never

from pegcp.game.board import Board, Jump
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.theory.parity import bits

Weights = tuple[int, ...]  # one for each hole
_SMALL = tuple(10**digits for digits in range(1, 8))  # denominators tried for weights that should be small
_FINE = (1000,)  # denominators of dual weights that limit jumps; weights that do not come out exactly are not used


@dataclass(frozen=True)
class PagodaFunction:
    """A whole weight for each hole, and how much more the start weighs than the goal at least."""

    weights: Weights
    slack: int

    def cost(self, jump: Jump) -> int:
        """How much weight a jump loses; never negative."""
        return cost(self.weights, jump)


def cost(weights: Sequence[int], jump: Jump) -> int:
    """How much weight a jump loses."""
    return weights[jump.from_] + weights[jump.over] - weights[jump.to]


def growing(board: Board, weights: Sequence[int]) -> Jump | None:
    """A jump that lets the weight grow, or None: then the weights are a pagoda function."""
    return next((jump for jump in board.jumps if cost(weights, jump) < 0), None)


def weight(weights: Sequence[int], pegs: int) -> int:
    """The weight of the pegs (a bit mask)."""
    return sum(weights[hole] for hole in bits(pegs))


def least_weight(weights: Sequence[int], pegs: int, free: int) -> int:
    """The smallest weight of a position with these pegs and any pegs in the free holes (bit masks)."""
    return weight(weights, pegs) + sum(min(0, weights[hole]) for hole in bits(free))


def goal_weight(problem: Problem, weights: Sequence[int]) -> int:
    """A lower bound on the weight of a position that satisfies the goal (a dead end, or a soft goal: any position)."""
    match problem.goal:
        case OnePeg():
            return min(weights)
        case Exact() | Partial() | DeadEnd() | Nearest():
            fixed = problem.final_pegs | problem.final_vacancies
            return least_weight(weights, problem.final_pegs, problem.board.full & ~fixed)
        case _:
            assert_never(problem.goal)


def whole(
    weights: Iterable[float], wanted: Callable[[Weights], bool], denominators: Iterable[int] = _SMALL
) -> Weights | None:
    """The weights as whole numbers, by their common denominator; None if none of the denominators makes them
    ``wanted``."""
    given = list(weights)
    for limit in denominators:
        exact = [Fraction(value).limit_denominator(limit) for value in given]
        factor = lcm(*(value.denominator for value in exact))
        found = tuple(int(factor * value) for value in exact)
        if wanted(found):
            return found
    return None


def refuting(problem: Problem, seconds: float) -> Weights | None:
    """A pagoda function by which the goal is heavier than the start, or None, also after so many seconds. The goal has
    one target.

    It is the dual of the least change to the equations that would give them a solution.
    """
    from pegcp.theory.equations import Equations

    free = problem.board.full & ~problem.final_pegs & ~problem.final_vacancies

    def refutes(found: Weights) -> bool:
        heavier = least_weight(found, problem.final_pegs, free) > weight(found, problem.start.mask)
        return heavier and growing(problem.board, found) is None

    duals = Equations(problem, whole=False, elastic=True).repaired(seconds)
    return None if duals is None else whole(duals, refutes)


def pagodas(problem: Problem) -> list[PagodaFunction]:
    """The pagoda functions that limit the jumps of each class most, with their images under the symmetries.

    There are none where the linear relaxation has no solution; then the problem has none either.
    """
    from pegcp.theory.equations import Equations, jump_classes

    def useful(found: Weights) -> bool:
        return any(found) and growing(problem.board, found) is None

    equations = Equations(problem, whole=False)
    symmetries = problem.symmetries()
    limiting: dict[Weights, PagodaFunction] = {}
    for jump in dict.fromkeys(jump_classes(problem).values()):
        duals = equations.limiting(jump)
        if duals is None:
            return []
        weights = whole(duals, useful, _FINE)
        if weights is None or weights in limiting:
            continue
        slack = weight(weights, problem.start.mask) - goal_weight(problem, weights)
        for permutation in symmetries:
            carried = [0] * len(weights)
            for hole, value in enumerate(weights):
                carried[permutation[hole]] = value
            limiting[tuple(carried)] = PagodaFunction(tuple(carried), slack)
    return list(limiting.values())
