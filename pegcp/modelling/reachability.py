"""Symbolic reachability: what a model tells of a problem when whole sets of positions are its values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pegcp.game.board import Jump

Positions = TypeVar("Positions")


@dataclass(frozen=True)
class Reachability(Generic[Positions]):
    """Sets of positions of a kind that has union ``|``, intersection ``&``, difference ``-``, ``satisfiable()`` (not
    empty), ``sat_count(holes)``, ``node_count()`` and ``pick_cube()`` (one position), as OxiDD's have.

    ``position`` makes the set of one position (a bit mask), ``every`` that of all positions with so many pegs. ``made``
    has the positions after a jump, ``undone`` those before it, ``goal`` those of a set that satisfy the goal. With
    ``winnable`` the positions that can be reached and from which the goal can be are counted.
    """

    position: Callable[[int], Positions]
    every: Callable[[int], Positions]
    made: Callable[[Positions, Jump], Positions]
    undone: Callable[[Positions, Jump], Positions]
    goal: Callable[[Positions], Positions]
    winnable: bool = False
