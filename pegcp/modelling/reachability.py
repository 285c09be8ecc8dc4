"""Symbolic reachability: the sets of positions and the operations on them that such a model provides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pegcp.game import Jump

Positions = TypeVar("Positions")


@dataclass(frozen=True)
class Reachability(Generic[Positions]):
    """Functions on sets of positions, which have the methods of OxiDD's diagrams.

    These are union ``|``, intersection ``&``, difference ``-``, ``satisfiable()`` (not empty), ``sat_count(holes)``,
    ``node_count()`` and ``pick_cube()`` (one position). ``position`` returns the set of one position (a bit mask),
    ``every`` that of all positions with so many pegs, ``made`` the positions after a jump, ``undone`` those before it,
    and ``goal`` the positions of a set that satisfy the goal.
    """

    position: Callable[[int], Positions]
    every: Callable[[int], Positions]
    made: Callable[[Positions, Jump], Positions]
    undone: Callable[[Positions, Jump], Positions]
    goal: Callable[[Positions], Positions]
