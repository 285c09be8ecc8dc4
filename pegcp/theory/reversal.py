"""Problems that are their own reversal.

Played backwards on the complements (pegs and vacancies exchanged), a jump is a jump. So the positions from which the
complement of the start can be reached are the complements of those that can be reached; and if a symmetry of the board
carries the complement of the start to the goal, the positions from which the goal can be reached are their images.
"""

from __future__ import annotations

from pegcp.game.goal import Exact
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, Subgroup, image


def reversal(problem: Problem, classes: Subgroup) -> Permutation | None:
    """A symmetry of the board that carries the complement of the start to the goal, and that of the goal to the start.

    It must carry positions of one class, under a group of symmetries of the problem, to positions of one class, and
    twice in a row leave each in its class. None if there is none.
    """
    board, goal, members = problem.board, problem.goal, set(classes)
    if not isinstance(goal, Exact) or len(classes.fixing(problem.start.mask, goal.pegs)) < len(classes):
        return None
    ends = (turn for turn in board.symmetries.subgroup() if image(turn, board.full ^ problem.start.mask) == goal.pegs)
    for turn in ends:
        carried = {_then(turn, p) for p in members} == {_then(p, turn) for p in members}
        if carried and _then(turn, turn) in members:
            return turn
    return None


def _then(one: Permutation, other: Permutation) -> Permutation:
    """One permutation, then another."""
    return tuple(other[hole] for hole in one)
