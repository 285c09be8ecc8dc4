"""Problems that are their own reversal.

A jump played backwards is a jump on the complements (pegs and vacancies exchanged). So the positions from which the
complement of the start can be reached are the complements of those that can be reached; and if a symmetry of the board
carries the complement of the start to the goal, the positions from which the goal can be reached are their images.
"""

from pegcp.game import Exact, Problem
from pegcp.game.symmetry import Permutation, Subgroup, image


def reversal(problem: Problem, classes: Subgroup) -> Permutation | None:
    """Find a symmetry of the board that carries the complement of the start to the goal, and vice versa, or None.

    It must carry positions of one class, under a group of symmetries of the problem, to positions of one class, and
    leave each in its class if applied twice.
    """
    board, goal, members = problem.board, problem.goal, set(classes)
    if not isinstance(goal, Exact) or len(classes.fixing(problem.start.mask, goal.pegs)) < len(classes):
        return None
    ends = (turn for turn in board.symmetries.subgroup() if image(turn, board.full ^ problem.start.mask) == goal.pegs)
    for turn in ends:
        keeps_classes = {_then(turn, p) for p in members} == {_then(p, turn) for p in members}
        if keeps_classes and _then(turn, turn) in members:
            return turn
    return None


def _then(first: Permutation, second: Permutation) -> Permutation:
    """Return the first permutation, followed by the second."""
    return tuple(second[hole] for hole in first)
