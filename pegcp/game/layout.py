"""The shape of a board: its holes in their places, and the lines between them. Nothing more is needed to draw it.

Holes on no lattice are drawn at the coordinates in the board's file; without those, on a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import cos, hypot, sin, tau

from pegcp.game.lattice import Cell, Lattice

Point = tuple[float, float]

_DEPTH_DIRECTION = (0.37, -0.29)  # the third direction on paper; holes of a block are drawn beside each other
_MOST_HOLES = 400  # holes for which the smallest distance is computed


@dataclass(frozen=True, repr=False)
class Shape:
    """Holes and lines.

    ``holes``: names, in reading order.
    ``lines``: triples (end, middle, end) of hole indices, the lower end first.
    ``lattice`` and ``cells``: the cell of each hole on a lattice; None for graph boards.
    ``name`` and ``coordinates`` (two or three numbers for each hole of a graph board) take no part in comparisons.
    """

    holes: tuple[str, ...]
    lines: tuple[tuple[int, int, int], ...] = ()
    lattice: Lattice | None = None
    cells: tuple[Cell, ...] | None = None
    name: str = field(default="board", compare=False)
    coordinates: tuple[tuple[float, ...], ...] | None = field(default=None, compare=False)

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The neighbours on the lines, each pair once, in rising order."""
        return tuple(sorted({(min(two), max(two)) for a, over, b in self.lines for two in ((a, over), (over, b))}))

    @cached_property
    def places(self) -> tuple[Point, ...]:
        """The point of each hole in a drawing: (x, y), y downwards; neighbours are about one unit apart."""
        if self.lattice is not None and self.cells is not None:
            points = [self.lattice.place(r, c) for r, c in self.cells]
            margin = min(x for x, _ in points)
            return tuple((x - margin, y) for x, y in points)
        if self.coordinates is None:
            turns = [tau * i / len(self.holes) for i in range(len(self.holes))]
            return _scaled([(cos(turn), sin(turn)) for turn in turns])
        return _scaled(
            [(x + _DEPTH_DIRECTION[0] * sum(z), y + _DEPTH_DIRECTION[1] * sum(z)) for x, y, *z in self.coordinates]
        )


def _scaled(points: Sequence[Point]) -> tuple[Point, ...]:
    """Scale the points so that the nearest two are one unit apart, unless that would make the drawing huge."""
    margin, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - margin, max(y for _, y in points) - top) or 1.0
    factor = max(4.0, len(points)) / extent
    if 1 < len(points) <= _MOST_HOLES:
        nearest = min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(points, 2))
        factor = min(factor, 1 / max(nearest, 1e-9))
    return tuple(((x - margin) * factor, (y - top) * factor) for x, y in points)
