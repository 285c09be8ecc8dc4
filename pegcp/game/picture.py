"""The shape of a board, its holes in their places and the lines between them, and pictures of it in characters.

Holes on no lattice are drawn at the coordinates in the board's file; without those, on a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import cos, hypot, sin, tau
from textwrap import fill

from pegcp.game.lattice import Cell, Lattice, column_letters

Point = tuple[float, float]

PEG, VACANCY = "X", "o"
_LINE_CHARACTERS = 75  # characters of a line in the list of a graph board's holes, which explanations indent
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


def draw(board: Shape, pegs: int, coordinates: bool = False) -> str:
    """The map of a position, as in files; of graph boards a list of pairs ``name=X``. See :func:`draw_labels`."""
    signs = [PEG if pegs >> hole & 1 else VACANCY for hole in range(len(board.holes))]
    return draw_labels(board, signs, coordinates)


def draw_labels(board: Shape, labels: Sequence[str], coordinates: bool = False) -> str:
    """The board with a label at each hole; of graph boards a list of ``name=label``, or of the names alone.

    With ``coordinates`` the letters of the columns stand above them and the numbers of the rows before them. Where rows
    are staggered, columns lean: a letter stands at the upper end of its column.
    """
    if board.cells is None or board.lattice is None:
        pairs = zip(board.holes, labels, strict=True)
        words = [hole if labels == board.holes else f"{hole}={label}" for hole, label in pairs]
        return fill(" ".join(words), _LINE_CHARACTERS, break_long_words=False, break_on_hyphens=False)
    heads = {cell: column_letters(cell[1]) for cell in column_heads(board.cells, board.lattice)} if coordinates else {}
    lines = rows({**heads, **dict(zip(board.cells, labels, strict=True))}, board.lattice)
    if not coordinates:
        return "\n".join(lines.values())
    margin = len(str(max(lines) + 1))
    return "\n".join(f"{row + 1 if row >= 0 else '':>{margin}}  {line}".rstrip() for row, line in lines.items())


def column_heads(cells: Sequence[Cell], lattice: Lattice) -> list[Cell]:
    """The cell before the first of each column, where its letter goes: in one row unless the rows are staggered."""
    tops: dict[int, int] = {}
    for row, column in cells:
        tops[column] = min(row, tops.get(column, row))
    return [(row - 1 if lattice.staggered else -1, column) for column, row in sorted(tops.items())]


def rows(labels: dict[Cell, str], lattice: Lattice) -> dict[int, str]:
    """The lines of a picture by row number, empty rows too; :func:`pegcp.game.lattice.read_map` reads single signs."""
    width = max(map(len, labels.values()))
    if lattice.staggered:
        width |= 1  # half a step must be a whole number of characters
    places = {cell: lattice.place(*cell)[0] for cell in labels}
    first = min(places.values())
    lines = dict.fromkeys(range(min(r for r, _ in labels), max(r for r, _ in labels) + 1), "")
    for cell in sorted(labels):
        line = lines[cell[0]].ljust(round((places[cell] - first) * (width + 1)))
        lines[cell[0]] = line + labels[cell].rjust(width)
    return {row: line.rstrip() for row, line in lines.items()}
