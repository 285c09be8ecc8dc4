"""The shape of a board: its holes in their places, and the lines between them. Nothing more is needed to draw it.

Holes on no lattice are drawn where the file of the board says, else where a library puts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import atan2, cos, hypot, sin
from typing import Any

from pegcp.game.lattice import Cell, Lattice

Point = tuple[float, float]

_DEPTH = (0.37, -0.29)  # where the third direction goes on paper; holes of a block come to lie beside each other
_SPRINGS = 100  # holes up to which all distances count
_MOST = 400  # holes for which a library is asked; more lie on a circle


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
    """Holes placed so that they are as far apart as they are in the graph (Kamada and Kawai 1989): what comes out best
    from several beginnings, or what comes out of springs for a graph that is large or in parts."""
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(range(number))
    graph.add_edges_from(edges)
    circle = nx.circular_layout(graph)
    if number <= 2 or number > _MOST:
        places = circle
    elif number <= _SPRINGS and nx.is_connected(graph):
        steps = dict(nx.all_pairs_shortest_path_length(graph))
        begins = [circle, *([nx.planar_layout(graph)] if nx.is_planar(graph) else [])]
        found = [nx.kamada_kawai_layout(graph, steps, begin) for begin in begins]
        places = min(found, key=lambda places: _stress(places, steps))
    else:
        places = nx.spring_layout(graph, pos=circle, seed=0)
    return _level([(float(places[hole][0]), float(places[hole][1])) for hole in range(number)])


def _stress(places: Mapping[int, Any], steps: Mapping[int, Mapping[int, int]]) -> float:
    """How much the drawn distances differ from those in the graph at the best scale; rounded, so that ties stay ties on
    all machines."""
    ratios = [
        hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]) / steps[a][b]
        for a, b in combinations(places, 2)
    ]
    size = sum(ratio * ratio for ratio in ratios) / (sum(ratios) or 1.0)
    return round(sum((ratio / size - 1) ** 2 for ratio in ratios), 3) if size else 0.0


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
