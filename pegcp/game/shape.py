"""The shape of a board: its holes in their places, and the lines between them. Nothing more is needed to draw it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from pegcp.game.lattice import Cell, Lattice
from pegcp.game.layout import arranged, flat, scaled


@dataclass(frozen=True, repr=False)
class Shape:
    """Holes and lines.

    ``holes``: names, in reading order.
    ``lines``: triples (end, middle, end) of hole indices, the lower end first.
    ``cells`` and ``lattice``: where the holes lie on a lattice; None for graph boards.
    ``name`` and ``coordinates`` (two or three numbers for each hole of a graph board) take no part in comparisons.
    """

    holes: tuple[str, ...]
    lines: tuple[tuple[int, int, int], ...]
    lattice: Lattice | None = None
    cells: tuple[Cell, ...] | None = None
    name: str = field(default="board", compare=False)
    coordinates: tuple[tuple[float, ...], ...] | None = field(default=None, compare=False)

    @cached_property
    def places(self) -> tuple[tuple[float, float], ...]:
        """Where to draw each hole: (x, y), y downwards; neighbours one unit apart, on graph boards about that."""
        if self.lattice is not None and self.cells is not None:
            points = [self.lattice.place(r, c) for r, c in self.cells]
            left = min(x for x, _ in points)
            return tuple((x - left, y) for x, y in points)
        drawn = self.coordinates
        return scaled(arranged(len(self.holes), self.lines) if drawn is None else flat(drawn))
