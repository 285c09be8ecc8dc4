"""Notions of equal solutions, for counting and listing them; only counts by the same notion can be compared.

Independent jumps have no hole in common, so they change places without changing what can be played or where it ends.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pegcp.errors import refuse_if
from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Subgroup

SEQUENCES = "jump sequences"
UP_TO_ORDER = "up to the order of independent jumps"
UP_TO_SYMMETRY = "up to symmetry and the order of independent jumps"
COARSER = {"order": UP_TO_ORDER, "symmetry": UP_TO_SYMMETRY}  # by the words of options
_MOST_SYMMETRIES = 1000  # of a board on which solutions are listed up to symmetry


def in_normal_form(jumps: Sequence[Jump], ranks: Mapping[Jump, int] | None = None) -> list[Jump]:
    """Return the least order of the jumps, by ranks or else by holes, that changes places of independent jumps only."""
    normal: list[Jump] = []
    for jump in jumps:
        place = at = len(normal)
        while at and jump.independent_of(normal[at - 1]):
            at -= 1
            is_larger = normal[at] > jump if ranks is None else ranks[normal[at]] > ranks[jump]
            place = at if is_larger else place
        normal.insert(place, jump)
    return normal


def keeps_normal_form(jumps: Sequence[Jump], jump: Jump) -> bool:
    """Tell whether jumps in normal form stay so with one more: it cannot change places with all back to a larger one.

    Anisimov and Knuth 1979.
    """
    for before in reversed(jumps):
        if not jump.independent_of(before):
            return True
        if before > jump:
            return False
    return True


def representative(
    problem: Problem, jumps: Sequence[Jump], notion: str, ranks: Mapping[Jump, int] | None = None
) -> tuple[Jump, ...]:
    """Return one solution for all that are equal by a notion; by a notion without a name here, the solution itself.

    It is the least by the ranks of jumps, which are by default in the order of their holes.
    """
    if notion == UP_TO_ORDER:
        return tuple(in_normal_form(jumps, ranks))
    if notion == UP_TO_SYMMETRY:
        orders = (
            tuple(in_normal_form([Jump(*(permutation[hole] for hole in jump)) for jump in jumps], ranks))
            for permutation in symmetries_of_solutions(problem)
        )
        return min(orders, key=lambda order: order if ranks is None else [ranks[jump] for jump in order])
    return tuple(jumps)


@lru_cache(maxsize=8)
def symmetries_of_solutions(problem: Problem) -> Subgroup:
    """Return the symmetries of a problem, which make solutions equal. Raises InputError if there are too many."""
    symmetries = problem.symmetries(_MOST_SYMMETRIES)
    refuse_if(
        not symmetries.complete,
        f"board {problem.board.name} has too many symmetries: list or count its solutions up to order",
    )
    return symmetries
