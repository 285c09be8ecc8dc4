"""The frame of all levels of one problem: its jumps, the symmetries that class positions, and the limits of the run."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pegcp.game import Exact, Problem
from pegcp.game.symmetry import Permutation, Subgroup, canonical_form, image
from pegcp.method import Run, watch
from pegcp.theory.parity import position_class

WORD_HOLES = 64  # holes


def group(problem: Problem, symmetry: bool = True) -> Subgroup:
    """Return the group of symmetries under which positions are classed; without ``symmetry``, the identity alone.

    They are those of the goal that keep the position class of the start. The others cannot carry a position that can be
    reached to another one.
    """
    board, start = problem.board, problem.start.mask
    if not symmetry:
        return Subgroup((tuple(range(len(board.holes))),))
    kind, symmetries = position_class(board, start), problem.goal_symmetries()
    # Symmetries permute the position classes, so those that keep one of them are a group.
    stabiliser = tuple(p for p in symmetries if position_class(board, image(p, start)) == kind)
    return Subgroup(stabiliser, symmetries.complete)


def reversal(problem: Problem, classes: Subgroup) -> Permutation | None:
    """Find a symmetry of the board that carries the complement of the start to the goal, and vice versa, or None.

    The problem is then its own reversal. A jump played backwards is a jump on the complements (pegs and vacancies
    exchanged). So the positions from which the complement of the start can be reached are the complements of those that
    can be reached; and those from which the goal can be reached are their images under the symmetry. It must carry
    positions of one class, under a group of symmetries of the problem, to positions of one class, and leave each in its
    class if applied twice.
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


class LevelFrame:
    """A problem, and the group under which positions are classed, by default that of :func:`group`.

    ``tick`` raises TimeoutError or MemoryError when the limits of the run are reached. ``forwards`` and ``backwards``
    have for each jump the mask to flip, and what it needs of that mask.
    """

    def __init__(self, problem: Problem, run: Run | None = None, symmetries: Subgroup | None = None) -> None:
        self.problem = problem
        self.run = run or Run()
        self.symmetries = symmetries or group(problem)
        self.canonical = canonical_form(self.symmetries)
        self.tick = watch(self.run)
        jumps = problem.board.jumps
        self.forwards = [(jump.mask, jump.needs) for jump in jumps]
        self.backwards = [(jump.mask, 1 << jump.to) for jump in jumps]

    @cached_property
    def reversal(self) -> Permutation | None:
        """The symmetry that makes one end enough, or None: see :func:`reversal`."""
        return reversal(self.problem, self.symmetries)


class Positions:
    """Positions in rising order, as bit masks: what all levels have in common. ``words``: a list or an array."""

    words: Any

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[int]:
        return map(int, self.words)

    def __contains__(self, position: int) -> bool:
        return self.index(position) is not None

    @property
    def first(self) -> int:
        """The least position."""
        return int(self.words[0])

    def index(self, position: int) -> int | None:
        """Return the place of a position in the level, or None."""
        i = bisect_left(self.words, position)
        return i if i < len(self) and self.words[i] == position else None
