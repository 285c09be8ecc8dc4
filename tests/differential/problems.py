"""Random small problems: boards of 1 to 14 holes on all lattices and on graphs, all goals, all objectives."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

import pegcp
from pegcp.game import (
    Board,
    DeadEnd,
    Exact,
    Goal,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
    lattice_board,
    lines_board,
)
from pegcp.game.lattice import lattice

from .brute_force import Game

LARGEST = 14  # holes
FAMILIES = (
    *("line1", "line4", "line7", "line9", "cycle3", "cycle6", "cycle9", "square2", "square3", "rectangle3x4"),
    *("triangle3", "triangle6", "triangle10", "hexagon7"),
)

Edges = list[tuple[int, int]]


def complete(n: int) -> Edges:
    return [(a, b) for a in range(n) for b in range(a)]


def complete_bipartite(a: int, b: int) -> Edges:
    return [(i, a + j) for i in range(a) for j in range(b)]


def windmill(triangles: int) -> Edges:
    """Triangles that share the vertex 0."""
    return [edge for i in range(1, 2 * triangles, 2) for edge in ((0, i), (0, i + 1), (i, i + 1))]


def double_star(a: int, b: int) -> Edges:
    """The adjacent centres 0 and 1 with ``a`` and ``b`` leaves."""
    return [(0, 1), *((0, 2 + i) for i in range(a)), *((1, 2 + a + i) for i in range(b))]


def cube(dimensions: int) -> Edges:
    return [(v, v | 1 << d) for v in range(1 << dimensions) for d in range(dimensions) if not v >> d & 1]


PETERSEN: Edges = [edge for i in range(5) for edge in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))]
GRAPHS = (
    *map(complete, (3, 4, 5, 6)),
    *(complete_bipartite(a, b) for a, b in ((1, 5), (2, 3), (2, 4), (3, 3), (3, 5))),
    *map(windmill, (2, 3, 4, 5)),
    *(double_star(a, b) for a, b in ((2, 2), (2, 4), (3, 4), (5, 5))),
    *map(cube, (2, 3)),
    PETERSEN,
)


def vertices(edges: Edges) -> int:
    """How many vertices a graph has that are numbered from 0, none without an edge."""
    return 1 + max((v for edge in edges for v in edge), default=-1)


def on_graph(edges: Edges, least: int = 0) -> Board:
    """The board of a graph, with vertices that have no edge if it would have fewer than ``least``."""
    names = [f"v{i}" for i in range(max(least, vertices(edges)))]
    return graph_board(names, [(names[a], names[b]) for a, b in edges])


@st.composite
def cut_out(draw: st.DrawFn) -> Board:
    """Some cells of a small rectangle, on any lattice; often in pieces that no jump connects."""
    name, jumps = draw(
        st.sampled_from([("square", "orthogonal"), ("square", "diagonal"), ("square", "both"), ("triangular", "")])
    )
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    cells = [(r, c) for r in range(height) for c in range(width)]
    fewest_removed = max(0, len(cells) - LARGEST)
    most_removed = min(len(cells) - 1, fewest_removed + 4)
    removed = draw(st.sets(st.sampled_from(cells), min_size=fewest_removed, max_size=most_removed))
    return lattice_board(set(cells) - removed, lattice(name, jumps or "orthogonal"))


@st.composite
def random_graph(draw: st.DrawFn) -> Board:
    size = draw(st.integers(1, 8))
    pairs = complete(size)
    return on_graph(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12)) if pairs else [], size)


@st.composite
def random_lines(draw: st.DrawFn) -> Board:
    """Lines with no geometry at all."""
    names = [f"h{i}" for i in range(draw(st.integers(3, 8)))]
    triples = [(a, b, c) for a in names for b in names for c in names if len({a, b, c}) == 3 and a < c]
    return lines_board(names, draw(st.lists(st.sampled_from(triples), unique=True, max_size=10)))


@st.composite
def two_graphs(draw: st.DrawFn) -> Board:
    """Two graphs side by side, often the same one twice, and perhaps a vertex without an edge."""
    small = [edges for edges in GRAPHS if len(edges) <= 8]
    one = draw(st.sampled_from(small))
    other = draw(st.sampled_from([edges for edges in small if vertices(edges) + vertices(one) < LARGEST]))
    size = vertices(one)
    together = [*one, *((a + size, b + size) for a, b in other)]
    return on_graph(together, vertices(together) + draw(st.integers(0, 1)))


def boards() -> st.SearchStrategy[Board]:
    return st.one_of(
        cut_out(),
        st.sampled_from(FAMILIES).map(pegcp.board),
        st.sampled_from(GRAPHS).map(on_graph),
        random_graph(),
        random_lines(),
        two_graphs(),
    )


@st.composite
def starts(draw: st.DrawFn, board: Board) -> int:
    """Any position, but mostly one with few vacancies, and with a peg that can jump if there is such a position."""
    if draw(st.integers(0, 5)) == 0:
        return draw(st.integers(0, board.full))
    vacancies = draw(st.integers(0, board.full)) & draw(st.integers(0, board.full))
    if board.lines:
        _, _, end = draw(st.sampled_from(board.lines))
        vacancies |= 1 << end
    return board.full & ~vacancies


@st.composite
def problems(draw: st.DrawFn, objectives: Sequence[Objective] = tuple(Objective)) -> Problem:
    """A problem whose goal is, more often than not, one that play from the start leads to."""
    board = draw(boards())
    start = Position(board, draw(starts(board)))
    game, last = Game(Problem(board, start, OnePeg())), start.mask
    jumps = len(board.holes) - draw(st.integers(0, len(board.holes)))
    for choice in draw(st.lists(st.integers(0, 200), min_size=jumps, max_size=jumps)):
        possible = [after for _, after in game.possible(last)]
        last = possible[choice % len(possible)] if possible else last
    chosen = draw(st.integers(0, board.full))
    weights = draw(st.lists(st.integers(0, 3), min_size=len(board.holes), max_size=len(board.holes)))
    goals: tuple[Goal, ...] = (
        OnePeg(),
        Exact(last),
        DeadEnd(),
        Partial(chosen & last),
        Partial(last & chosen, ~last & chosen),
        Partial(0, board.full & ~last & chosen),
        Exact(chosen),
        Exact(start.mask),
        Exact(0),
        Partial(0, board.full),
        Partial(0, 0),
        Nearest(chosen, tuple(weights)),
        Nearest(chosen, (1,) * len(board.holes)),
    )
    often = (6, 5, 5, 3, 3, 3, 3, 1, 1, 1, 1, 2, 2)
    goal = draw(st.sampled_from([goal for goal, times in zip(goals, often, strict=True) for _ in range(times)]))
    soft = isinstance(goal, Nearest)
    fitting = [objective for objective in objectives if soft or objective is not Objective.NEAREST]
    # A soft goal is one only with its objective.
    fitting += 3 * [objective for objective in fitting if objective is Objective.NEAREST]
    # Fool's Solitaire has models of its own, which take nothing else.
    fitting += 4 * [objective for objective in fitting if objective is Objective.FEWEST_JUMPS and goal == DeadEnd()]
    return Problem(board, start, goal, draw(st.sampled_from(fitting)), "random")
