"""The state graph: reachable positions up to symmetry, level by level, and the whole graph of a small board.

A vertex is a position class, named by its least member (a bit mask); an edge is a jump. Levels are made one after the
other and only one is kept, so that large boards fit in memory too; the graph is for boards that a person can look at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from pegcp.errors import InputError, need
from pegcp.game import Problem
from pegcp.game.lattice import draw
from pegcp.game.svg import svg_document
from pegcp.states.frame import group
from pegcp.states.levels import Levels

if TYPE_CHECKING:
    import networkx as nx

    from pegcp.method import Run


class LevelCounts(NamedTuple):
    """A level in numbers: its classes; how many satisfy the goal, are dead ends, and have a single peg."""

    positions: int
    goals: int
    dead_ends: int
    single_pegs: int


def level_counts(problem: Problem, run: Run, symmetry: bool = True) -> Iterator[LevelCounts]:
    """Yield the counts of all levels that can be reached: after no jump, after one, and so on.

    Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    level, pegs = Levels(problem, run, group(problem, symmetry)).first(), len(problem.start)
    while len(level):
        singles = len(level) if pegs == 1 else 0
        yield LevelCounts(len(level), len(level.goals()), len(level.dead_ends()), singles)
        level, pegs = level.after(), pegs - 1


def state_graph(problem: Problem, symmetry: bool = True, limit: int = 20_000) -> nx.DiGraph[int]:
    """Return the graph of the reachable position classes and the jumps between them.

    Vertices have ``level`` (jumps made), ``pegs`` (hole names), ``goal`` and ``dead_end``; edges have ``jump`` (hole
    names from, over, to). The graph's attribute ``start`` is the start's class. Raises InputError beyond ``limit``
    vertices, and Missing without networkx.
    """
    need("a graph of positions", "pegcp[graph]", "networkx")
    import networkx as nx

    board = problem.board
    canonical = Levels(problem, symmetries=group(problem, symmetry)).canonical
    start = canonical(problem.start.mask)
    graph: nx.DiGraph[int] = nx.DiGraph(start=start)
    queue = [(start, 0)]
    graph.add_node(start)
    for position, level in queue:
        jumps = [jump for jump in board.jumps if jump.is_legal(position)]
        graph.add_node(
            position,
            level=level,
            pegs=" ".join(board.names(position)),
            goal=problem.is_goal(position),
            dead_end=not jumps,
        )
        for jump in jumps:
            after = canonical(position ^ jump.mask)
            if after not in graph:
                queue.append((after, level + 1))
                if len(queue) > limit:
                    raise InputError(
                        f"{problem.name} has more than {limit:,} position classes; leave out -o to count them"
                    )
            graph.add_edge(position, after, jump=" ".join(board.jump_names(jump)))
    return graph


def shortest_path(graph: nx.DiGraph[int]) -> list[int] | None:
    """Return the vertices from the start to the nearest one that satisfies the goal, or None if there is none."""
    import networkx as nx

    paths = nx.single_source_shortest_path(graph, graph.graph["start"])  # the nearest vertices first
    return next((path for vertex, path in paths.items() if graph.nodes[vertex]["goal"]), None)


def graph_svg(problem: Problem, graph: nx.DiGraph[int]) -> str:
    """Draw the graph as SVG: a row for each level, goals green, dead ends grey, a shortest solution red.

    Within a row vertices stand in the order in which breadth-first search meets them; their tooltips are the positions.
    """
    place = _places(graph)
    path = shortest_path(graph) or []
    width, height = (20 + max(side) for side in zip(*place.values(), strict=True))
    on_path = set(pairwise(path))
    lines = [
        f'<line x1="{place[a][0]:.1f}" y1="{place[a][1]:.1f}" x2="{place[b][0]:.1f}" y2="{place[b][1]:.1f}"'
        + (' stroke="#c00" stroke-width="2"/>' if (a, b) in on_path else "/>")
        for a, b in sorted(graph.edges, key=lambda edge: edge in on_path)
    ]
    dots = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_colour(graph.nodes[vertex], vertex in path)}">'
        f"<title>{escape(draw(problem.board, vertex))}</title></circle>"
        for vertex, (x, y) in place.items()
    ]
    title = f"{problem.name}: {len(graph)} position classes, {graph.size()} jumps"
    return svg_document(width, height, title, ['<g stroke="#999" stroke-width="0.5">', *lines, "</g>", *dots])


def _colour(vertex: dict[str, object], on_path: bool) -> str:
    if vertex["goal"]:
        return "#2a2"
    return "#c00" if on_path else "#aaa" if vertex["dead_end"] else "#26c"


def _places(graph: nx.DiGraph[int]) -> dict[int, tuple[float, float]]:
    """Return x and y of every vertex."""
    import networkx as nx

    rows = list(nx.bfs_layers(graph, graph.graph["start"]))
    width = 12 * max(map(len, rows))
    return {
        vertex: (20 + width * (i + 0.5) / len(row), 20.0 + 50 * level)
        for level, row in enumerate(rows)
        for i, vertex in enumerate(row)
    }


WRITERS = ("svg", "graphml", "json")


def written(problem: Problem, graph: nx.DiGraph[int], form: str) -> str:
    """Return the graph in a format: svg (a picture), graphml or json (node-link). Raises InputError for another."""
    import networkx as nx

    if form == "svg":
        return graph_svg(problem, graph)
    if form == "graphml":
        return "\n".join(nx.generate_graphml(graph)) + "\n"
    if form == "json":
        return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1) + "\n"
    raise InputError(f'cannot write a graph as "{form}": choose {", ".join(WRITERS)}')
