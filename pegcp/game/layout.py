"""Where to draw the holes of a board that is on no lattice: where its file says, else where a library puts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """Holes placed so that they are as far apart as they are in the graph (Kamada and Kawai 1989): what comes out best
    from several beginnings, or what comes out of springs for a graph that is large or in parts."""
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_nodes_from(range(number))
    graph.add_edges_from(edge for a, over, b in lines for edge in ((a, over), (over, b)))
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


def scaled(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points moved and stretched: the nearest two one unit apart, as far as that does not make the drawing huge."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - left, max(y for _, y in points) - top) or 1.0
    factor = max(4.0, len(points)) / extent
    if 1 < len(points) <= _MOST:
        nearest = min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(points, 2))
        factor = min(factor, 1 / max(nearest, 1e-9))
    return tuple(((x - left) * factor, (y - top) * factor) for x, y in points)
