"""Where to draw the holes of a board that is on no lattice: where its file says, else where a library puts them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import atan2, cos, hypot, sin
from typing import Any

Point = tuple[float, float]

_DEPTH = (0.37, -0.29)  # where the third direction goes on paper; holes of a block come to lie beside each other
_SPRINGS = 100  # holes up to which all distances count
_MOST = 400  # holes for which a library is asked; more lie on a circle


def flat(coordinates: Sequence[Sequence[float]]) -> list[Point]:
    """Coordinates of two or three numbers each on paper, y downwards."""
    return [
        (x + _DEPTH[0] * sum(z), y + _DEPTH[1] * sum(z)) for x, y, *z in (map(float, point) for point in coordinates)
    ]


def arranged(number: int, lines: Sequence[tuple[int, int, int]]) -> list[Point]:
    """Holes placed so that they are as far apart as they are in the graph (Kamada and Kawai 1989), or as springs would
    have it where the graph is large or in parts."""
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(range(number))
    graph.add_edges_from(edge for a, over, b in lines for edge in ((a, over), (over, b)))
    places = nx.planar_layout(graph) if number > 2 and nx.is_planar(graph) else nx.circular_layout(graph)
    if 2 < number <= _SPRINGS and nx.is_connected(graph):
        places = nx.kamada_kawai_layout(graph, pos=places)
    elif 2 < number <= _MOST:
        places = nx.spring_layout(graph, pos=places, seed=0)
    return _level([(float(places[hole][0]), float(places[hole][1])) for hole in range(number)])


def _level(points: Sequence[Point]) -> list[Point]:
    """The points turned so that what is longer than wide lies along the line."""
    middle_x, middle_y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    apart = [(x - middle_x, y - middle_y) for x, y in points]
    xx, yy, xy = sum(x * x for x, _ in apart), sum(y * y for _, y in apart), sum(x * y for x, y in apart)
    if hypot(xx - yy, 2 * xy) < 0.1 * (xx + yy):
        return list(points)
    turn = -atan2(2 * xy, xx - yy) / 2
    return [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in apart]


def scaled(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points moved and stretched: the nearest two one unit apart, as far as that does not make the drawing huge."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - left, max(y for _, y in points) - top) or 1.0
    factor = max(4.0, len(points)) / extent
    if 1 < len(points) <= _MOST:
        nearest = min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(points, 2))
        factor = min(factor, 1 / max(nearest, 1e-9))
    return tuple(((x - left) * factor, (y - top) * factor) for x, y in points)
