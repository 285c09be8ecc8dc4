"""The shape of a board: its holes in their places, and the lines between them. Nothing more is needed to draw it.

Holes on no lattice are drawn where the file of the board says, else so that distances are about those in the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import atan2, cos, hypot, sin, tau

from pegcp.game.lattice import Cell, Lattice

Point = tuple[float, float]

_DEPTH = (0.37, -0.29)  # where the third direction goes on paper; holes of a block come to lie beside each other
_PLACED = 100  # holes that are placed by their distances in the graph; more lie on a circle
_MOST = 400  # holes whose nearest two are looked for
_TURNS = 10_000  # in which a hole of a graph is moved, for all holes together


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
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The neighbours on the lines, each pair once, in rising order."""
        return tuple(sorted({(min(two), max(two)) for a, over, b in self.lines for two in ((a, over), (over, b))}))

    @cached_property
    def places(self) -> tuple[Point, ...]:
        """Where to draw each hole: (x, y), y downwards; neighbours one unit apart, on graph boards about that."""
        if self.lattice is not None and self.cells is not None:
            points = [self.lattice.place(r, c) for r, c in self.cells]
            left = min(x for x, _ in points)
            return tuple((x - left, y) for x, y in points)
        drawn = self.coordinates
        return _scaled(_arranged(len(self.holes), self.edges) if drawn is None else _flat(drawn))


def _flat(coordinates: Sequence[Sequence[float]]) -> list[Point]:
    """Coordinates of two or three numbers each on paper, y downwards."""
    return [
        (x + _DEPTH[0] * sum(z), y + _DEPTH[1] * sum(z)) for x, y, *z in (map(float, point) for point in coordinates)
    ]


def _arranged(number: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """Places in which holes are about as far apart as in the graph; many holes lie on a circle."""
    if number <= 2 or number > _PLACED:
        return _level([(cos(tau * i / number), sin(tau * i / number)) for i in range(number)])
    steps = _distances(number, edges)
    return _level(_spread(_between_corners(steps), steps))


def _distances(number: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each hole the distances in the graph, to all holes; parts of the graph are far apart."""
    neighbours: list[list[int]] = [[] for _ in range(number)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    rows = []
    for hole in range(number):
        row, queue = {hole: 0}, [hole]
        for here in queue:
            for other in neighbours[here]:
                if other not in row:
                    row[other] = row[here] + 1
                    queue.append(other)
        rows.append(row)
    farthest = 1 + max(max(row.values()) for row in rows)
    return [[row.get(other, farthest) for other in range(number)] for row in rows]


def _between_corners(steps: Sequence[Sequence[int]]) -> list[Point]:
    """Places by the distances from two pairs of corners of the graph."""
    holes = range(len(steps))
    left = max(holes, key=steps[0].__getitem__)
    right = max(holes, key=steps[left].__getitem__)
    top = max(holes, key=lambda hole: min(steps[left][hole], steps[right][hole]))
    bottom = max(holes, key=lambda hole: steps[top][hole] - abs(steps[left][hole] - steps[right][hole]))
    return [
        (steps[left][i] - steps[right][i] + 0.001 * sin(i), steps[top][i] - steps[bottom][i] + 0.001 * cos(i))
        for i in holes
    ]


def _spread(places: Sequence[Point], steps: Sequence[Sequence[int]]) -> list[Point]:
    """Move each place to where the others want it, again and again, until none moves far.

    Stress majorization: Gansner, Koren and North, Graph drawing by stress majorization, 2004.
    """
    places, moved = list(places), 1.0
    for _ in range(_TURNS // len(steps)):
        if moved < 1e-4:
            break
        moved = 0.0
        for i, (x, y) in enumerate(places):
            new_x = new_y = weights = 0.0
            for (u, v), step in zip(places, steps[i], strict=True):
                if step:
                    stretch, weight = step / (hypot(x - u, y - v) or 1e-9), 1 / step**2
                    new_x += weight * (u + stretch * (x - u))
                    new_y += weight * (v + stretch * (y - v))
                    weights += weight
            places[i] = new_x / weights, new_y / weights
            moved = max(moved, hypot(places[i][0] - x, places[i][1] - y))
    return places


def _level(points: Sequence[Point]) -> list[Point]:
    """The points turned so that what is longer than wide lies along the line."""
    middle_x, middle_y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    apart = [(x - middle_x, y - middle_y) for x, y in points]
    xx, yy, xy = sum(x * x for x, _ in apart), sum(y * y for _, y in apart), sum(x * y for x, y in apart)
    if hypot(xx - yy, 2 * xy) < 0.1 * (xx + yy):
        return list(points)
    turn = -atan2(2 * xy, xx - yy) / 2
    return [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in apart]


def _scaled(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points moved and stretched: the nearest two one unit apart, as far as that does not make the drawing huge."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - left, max(y for _, y in points) - top) or 1.0
    factor = max(4.0, len(points)) / extent
    if 1 < len(points) <= _MOST:
        nearest = min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(points, 2))
        factor = min(factor, 1 / max(nearest, 1e-9))
    return tuple(((x - left) * factor, (y - top) * factor) for x, y in points)
