"""Orders of jumps, and the numbers of steps and rounds that are worth trying."""

from collections.abc import Sequence
from math import ceil

from pegcp.errors import is_importable
from pegcp.modelling import Board, Jump, Objective, Problem
from pegcp.theory.equations import Equations, JumpCounts, effects


def step_counts(problem: Problem) -> range:
    """Return the numbers of steps that a solution can have, when the jumps of a step have no hole in common."""
    counts = problem.lengths
    in_one_step = len(problem.board.holes) // 3
    return range(-(-counts[0] // in_one_step) if counts[0] else 0, counts[-1] + 1)


# Parallel steps to try, as shares of the largest number of jumps: few steps make a small model, but with too few there
# is no solution. The English centre needs 13 of 31, and the first share gives 14; the next ones are for problems that
# need more, and with as many steps as jumps every solution has its place.
STEP_SHARES = (0.45, 0.52, 0.6, 0.8, 1)
# Rounds to try. Six are enough for most problems of the English board and eight for 9 x 9 holes; each number is about a
# third larger than the one before, so that few are refuted in vain.
ROUNDS = (6, 8, 10, 14)


def parallel_steps(problem: Problem) -> Sequence[int]:
    """Return the numbers of parallel steps to try: from half the jumps to all; every number if the fewest are
    wanted."""
    if problem.objective is Objective.FEWEST_STEPS:
        return step_counts(problem)
    return sorted({ceil(share * problem.lengths[-1]) for share in STEP_SHARES})


def from_counts(problem: Problem) -> list[int]:
    """Return the numbers of jumps that a game can have, from the least that jump counts allow (Kiyomi and Matsui 2001).

    Without OR-tools, which computes the least, all numbers of jumps.
    """
    least = Equations(JumpCounts(problem)).fewest_jumps(5.0) if is_importable("ortools") else 0
    return [jumps for jumps in problem.lengths if least <= jumps]


def round_counts(problem: Problem, bottom: bool = False) -> list[int]:
    """Return how many rounds to try: few, which are quick to search, then more, then as many as jumps, always enough.

    No number above half the jumps is tried but that of all jumps, so that what has no solution is not refuted twice at
    nearly the same cost. With ``bottom`` every number from one round upwards: each is refuted before the next is tried.
    """
    most = problem.lengths[-1]
    return sorted({*(range(1, most) if bottom else (rounds for rounds in ROUNDS if 2 * rounds <= most)), most})


def since_round_before(order: Sequence[Jump]) -> list[list[int]]:
    """For each jump how many places back the jumps stand that share a hole with it, since its place a round before."""
    n = len(order)
    return [
        [back for back in range(1, n) if not jump.independent_of(order[(j - back) % n])] for j, jump in enumerate(order)
    ]


def touching(board: Board) -> tuple[list[list[int]], list[list[int]]]:
    """For each hole, the numbers of the jumps that take its peg, and of those that land in it."""
    rows = effects(board)
    return [[j for j in row if row[j] > 0] for row in rows], [[j for j in row if row[j] < 0] for row in rows]


def disordered(jumps: Sequence[Jump]) -> list[tuple[int, int]]:
    """Pairs (j, k) of independent jumps with j > k: in normal form j does not come just before k."""
    return [(j, k) for j, numbers in enumerate(smaller_independent(jumps)) for k in numbers]


def smaller_independent(jumps: Sequence[Jump]) -> list[list[int]]:
    """For each jump the numbers of the smaller ones with which it has no hole in common."""
    return [[k for k, other in enumerate(jumps[:j]) if jump.independent_of(other)] for j, jump in enumerate(jumps)]


def first_of_class(problem: Problem, order: Sequence[Jump]) -> list[int]:
    """Return the numbers in ``order`` of the jumps possible at the start that come first in their class under the
    symmetries.

    Every solution has a symmetric image that begins with one of them. A model that also puts independent jumps in order
    passes that order: of all images of a solution, in all orders, the least by it satisfies both constraints.
    """
    number = {jump: j for j, jump in enumerate(order)}
    symmetries = problem.symmetries()
    return [
        j
        for j, jump in enumerate(order)
        if jump.is_legal(problem.start.mask)
        and all(j <= number[Jump(*(symmetry[hole] for hole in jump))] for symmetry in symmetries)
    ]


def outside_in(board: Board) -> list[Jump]:
    """Return the jumps, ordered by the distance of their first hole from the middle of the board, the farthest
    first."""
    x0, y0 = (sum(axis) / len(board.holes) for axis in zip(*board.places, strict=True))

    def distance(hole: int) -> float:
        x, y = board.places[hole]
        return float(round((x - x0) ** 2 + (y - y0) ** 2, 6))

    return sorted(board.jumps, key=lambda jump: -distance(jump.from_))
