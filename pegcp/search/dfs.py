"""Depth-first search with a table of failed positions, on bit masks.

Complete on any board and for every goal. A position from which the goal cannot be reached is entered in the table,
once for its whole class under the board symmetries that keep the goal, and never searched again.
"""

from __future__ import annotations

from collections.abc import Callable

from pegcp.game.problem import Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import Answer, Run
from pegcp.search._depth_first import Failed, depth_first

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """Find a solution or show there is none.

    ``symmetry`` keeps one position of each class under the symmetries of the goal in the table.
    """
    key: Callable[[int], int] = canonical_form(problem.goal_symmetries()) if symmetry else lambda position: position
    return depth_first(problem, run, Failed(key))
