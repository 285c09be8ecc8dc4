"""The shape of a board: its holes in their places, and the lines between them. Nothing more is needed to draw it.

Holes on no lattice are drawn at the coordinates in the board's file; without those, by their distances in the graph.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import atan2, cos, hypot, sin, tau

from pegcp.game.lattice import Cell, Lattice

Point = tuple[float, float]

_DEPTH = (0.37, -0.29)  # the third direction on paper; holes of a block are drawn beside each other
_PLACED = 100  # holes that are placed by their distances in the graph; more lie on a circle
_MOST = 400  # holes for which the smallest distance is computed
_TURNS = 5_000  # moves of a hole, for all holes together


@dataclass(frozen=True, repr=False)
class Shape:
    """Holes and lines.

    ``holes``: names, in reading order.
    ``lines``: triples (end, middle, end) of hole indices, the lower end first.
    ``lattice`` and ``cells``: the cell of each hole on a lattice; None for graph boards.
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
        """The point of each hole in a drawing: (x, y), y downwards; neighbours are about one unit apart."""
        if self.lattice is not None and self.cells is not None:
            points = [self.lattice.place(r, c) for r, c in self.cells]
            margin = min(x for x, _ in points)
            return tuple((x - margin, y) for x, y in points)
        if self.coordinates is None:
            return _scaled(_level(_arranged(len(self.holes), self.edges)))
        return _scaled([(x + _DEPTH[0] * sum(z), y + _DEPTH[1] * sum(z)) for x, y, *z in self.coordinates])


def _arranged(number: int, edges: Sequence[tuple[int, int]]) -> Sequence[Point]:
    """Points about as far apart as in the graph; very many points lie on a circle."""
    if not 2 < number <= _PLACED:
        return [(cos(tau * i / number), sin(tau * i / number)) for i in range(number)]
    rows = _distances(number, edges)
    return _spread(_between_corners(rows), rows)


def _distances(number: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each vertex of a graph its distances to all; the parts of a graph that is not connected are far apart."""
    neighbours: list[set[int]] = [set() for _ in range(number)]
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    rows = []
    for vertex in range(number):
        row, queue = {vertex: 0}, [vertex]
        for near in queue:
            for other in neighbours[near] - row.keys():
                row[other] = row[near] + 1
                queue.append(other)
        rows.append(row)
    farthest = 1 + max(max(row.values()) for row in rows)
    return [[row.get(other, farthest) for other in range(number)] for row in rows]


def _between_corners(rows: Sequence[Sequence[int]]) -> list[Point]:
    """Points by the distances from two pairs of corners of the graph, a little apart where those are equal."""
    vertices = range(len(rows))
    first = max(vertices, key=rows[0].__getitem__)
    last = max(vertices, key=rows[first].__getitem__)
    top = max(vertices, key=lambda vertex: min(rows[first][vertex], rows[last][vertex]))
    bottom = max(vertices, key=lambda vertex: rows[top][vertex] - abs(rows[first][vertex] - rows[last][vertex]))
    return [
        (rows[first][i] - rows[last][i] + 0.001 * sin(i), rows[top][i] - rows[bottom][i] + 0.001 * cos(i))
        for i in vertices
    ]


def _spread(places: Sequence[Point], steps: Sequence[Sequence[int]]) -> list[Point]:
    """Move each point to the mean of the places that its distances ask for, again and again.

    Stress majorization: Gansner, Koren and North, Graph drawing by stress majorization, 2004.
    """
    places = list(places)
    for _ in range(_TURNS // len(steps)):
        for i, (x, y) in enumerate(places):
            new_x = new_y = weights = 0.0
            for (u, v), step in zip(places, steps[i], strict=True):
                if step:
                    stretch, weight = step / (hypot(x - u, y - v) or 1e-9), 1 / step**2
                    new_x += weight * (u + stretch * (x - u))
                    new_y += weight * (v + stretch * (y - v))
                    weights += weight
            places[i] = new_x / weights, new_y / weights
    return places


def _level(points: Sequence[Point]) -> Sequence[Point]:
    """Turn the points so that their longest extent, if there is one, is horizontal."""
    middle_x, middle_y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    centred = [(x - middle_x, y - middle_y) for x, y in points]
    xx, yy, xy = sum(x * x for x, _ in centred), sum(y * y for _, y in centred), sum(x * y for x, y in centred)
    if hypot(xx - yy, 2 * xy) < 0.1 * (xx + yy):
        return points
    turn = -atan2(2 * xy, xx - yy) / 2
    return [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in centred]


def _scaled(points: Sequence[Point]) -> tuple[Point, ...]:
    """Scale the points so that the nearest two are one unit apart, unless that would make the drawing huge."""
    margin, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - margin, max(y for _, y in points) - top) or 1.0
    factor = max(4.0, len(points)) / extent
    if 1 < len(points) <= _MOST:
        nearest = min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(points, 2))
        factor = min(factor, 1 / max(nearest, 1e-9))
    return tuple(((x - margin) * factor, (y - top) * factor) for x, y in points)
