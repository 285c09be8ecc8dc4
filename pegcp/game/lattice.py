"""Lattices, the shapes of boards on a lattice or on none, and maps of positions: read, and drawn in characters.

A *cell* is a pair ``(row, column)`` of integers. On the square lattice rows and columns are what they look like. On the
triangular lattice (six neighbours; hexagonal cells have the same neighbours) a map staggers its rows by one character,
and the column of a cell counts along its row in a skewed frame, so that a triangle reads ``a1 / a2 b2 / a3 b3 c3``.
Holes on no lattice are drawn at the coordinates in the board's file; without those, on a circle.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations, product
from math import cos, hypot, sin, sqrt, tau
from textwrap import fill

from pegcp.errors import InputError, refuse_if

Cell = tuple[int, int]
Point = tuple[float, float]
Matrix = tuple[Cell, Cell]  # of a rotation or reflection of cells: its rows give the new row and the new column
MOST_PLACES = 500_000  # places of a map or a drawing, holes or not
PEG, VACANCY = "X", "o"
_LINE_CHARACTERS = 75  # characters of a line in the list of a graph board's holes, which explanations indent
_DEPTH_DIRECTION = (0.37, -0.29)  # the third direction on paper; holes of a block are drawn beside each other
_MOST_DISTANT_HOLES = 400  # holes for which the smallest distance is computed


@dataclass(frozen=True)
class Lattice:
    """A lattice with the directions in which a peg may jump (one of each opposite pair)."""

    name: str
    directions: tuple[Cell, ...]
    point_group: tuple[Matrix, ...]

    @property
    def staggered(self) -> bool:
        """True if a map draws the rows of this lattice staggered."""
        return self.name == "triangular"

    def place(self, row: int, column: int) -> tuple[float, float]:
        """Return the point of a cell in a drawing: (x, y), y downwards; neighbours are one unit apart."""
        return (column - row / 2, row * sqrt(3) / 2) if self.staggered else (float(column), float(row))

    def lines(self, cells: Collection[Cell]) -> list[tuple[Cell, Cell, Cell]]:
        """Return all triples of adjacent cells in a row, each once."""
        triples = (((r, c), (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)) for r, c in cells for dr, dc in self.directions)
        return [line for line in triples if line[1] in cells and line[2] in cells]

    def symmetries(self, cells: Sequence[Cell]) -> list[tuple[int, ...]]:
        """Return the rotations and reflections, moved in place, that map the cells onto themselves: sorted
        permutations."""
        index = {cell: i for i, cell in enumerate(cells)}
        images = set()
        for (rr, rc), (cr, cc) in self.point_group:
            target = [(rr * r + rc * c, cr * r + cc * c) for r, c in cells]
            dr, dc = (min(cell[axis] for cell in cells) - min(cell[axis] for cell in target) for axis in (0, 1))
            images.add(tuple(index.get((r + dr, c + dc), -1) for r, c in target))
        return sorted(image for image in images if -1 not in image)


_SQUARE: dict[str, tuple[Cell, ...]] = {
    "orthogonal": ((0, 1), (1, 0)),
    "diagonal": ((1, 1), (1, -1)),
    "both": ((0, 1), (1, 0), (1, 1), (1, -1)),
}
_SQUARE_GROUP: tuple[Matrix, ...] = tuple(
    matrix for a, b in product((1, -1), repeat=2) for matrix in (((a, 0), (0, b)), ((0, a), (b, 0)))
)
# In cube coordinates (r, -c, c - r), which add up to zero: the permutations, with and without a change of sign.
_CUBE = ((1, 0), (0, -1), (-1, 1))
_TRIANGULAR_GROUP: tuple[Matrix, ...] = tuple(
    ((sign * a, sign * b), (-sign * c, -sign * d)) for (a, b), (c, d) in permutations(_CUBE, 2) for sign in (1, -1)
)


def lattice(name: str, jumps: str = "orthogonal") -> Lattice:
    """Return the lattice of that name.

    ``square`` takes ``jumps`` = ``orthogonal``, ``diagonal`` or ``both``; ``triangular`` (or ``hexagonal``) has six
    directions. Raises InputError for other names.
    """
    match name:
        case "triangular" | "hexagonal":
            refuse_if(jumps != "orthogonal", f'jumps = "{jumps}" needs the square lattice')
            return Lattice("triangular", ((0, 1), (1, 0), (1, 1)), _TRIANGULAR_GROUP)
        case "square":
            refuse_if(jumps not in _SQUARE, f'unknown jumps "{jumps}": choose orthogonal, diagonal or both')
            return Lattice(f"square {jumps}", _SQUARE[jumps], _SQUARE_GROUP)
        case _:
            raise InputError(f'unknown lattice "{name}": choose square, triangular or hexagonal')


def column_letters(column: int) -> str:
    """a .. z, aa, ab, ... for column 0, 1, ..."""
    return (column_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("a") + column % 26)


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
            return _scale([(cos(turn), sin(turn)) for turn in turns])
        return _scale(
            [(x + _DEPTH_DIRECTION[0] * sum(z), y + _DEPTH_DIRECTION[1] * sum(z)) for x, y, *z in self.coordinates]
        )


def _scale(points: Sequence[Point]) -> tuple[Point, ...]:
    """Scale the points so that the nearest two are one unit apart, unless that would make the drawing huge."""
    margin, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - margin, max(y for _, y in points) - top) or 1.0
    factor = max(4.0, len(points)) / extent
    if 1 < len(points) <= _MOST_DISTANT_HOLES:
        nearest = min(hypot(x - u, y - v) for (x, y), (u, v) in combinations(points, 2))
        factor = min(factor, 1 / max(nearest, 1e-9))
    return tuple(((x - margin) * factor, (y - top) * factor) for x, y in points)


# Maps -----------------------------------------------------------------------------------------------------------------


def read_map(text: str, legend: Mapping[str, str], lattice: Lattice) -> dict[Cell, str]:
    """Read an ASCII map: its cells, each with its meaning from the legend (character -> meaning), without ``outside``.

    A blank is always outside. On the square lattice cells may be written side by side or with one blank between them;
    on the triangular lattice neighbours in a row are two characters apart and rows are staggered by one.
    Raises InputError with line and column (within the map) for a character without a meaning or a row out of step.
    """
    marks = {
        (r, x): mark
        for r, line in enumerate(text.expandtabs().splitlines())
        for x, mark in enumerate(line)
        if mark != " "
    }
    pairs = ", ".join(f'"{c}" is {m}' for c, m in legend.items())
    for (r, x), mark in marks.items():
        refuse_if(mark not in legend, f'"{mark}" has no meaning in the legend ({pairs})', line=r + 1, column=x + 1)
    meanings = {cell: legend[mark] for cell, mark in marks.items() if legend[mark] != "outside"}
    refuse_if(not meanings, "the map has no holes", line=1)
    rows, columns = ({cell[axis] for cell in meanings} for axis in (0, 1))
    top, places = min(rows), (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
    refuse_if(places > MOST_PLACES, f"the map spans {places:,} places, more than {MOST_PLACES:,}", line=1)
    # Column of a cell in the skewed frame of a staggered lattice: x = 2 * column - row, up to a constant.
    steps = [(r, x + r * lattice.staggered) for r, x in marks]
    odd = sum(x % 2 for _, x in steps)
    spaced = odd in (0, len(steps))
    if lattice.staggered and not spaced:
        r, x = next((r, x - r) for r, x in steps if x % 2 != (2 * odd > len(steps)))
        raise InputError(
            "a triangular map draws holes of a row two characters apart and staggers the rows by one",
            line=r + 1,
            column=x + 1,
        )
    cells = {(r - top, (x + r * lattice.staggered) // (1 + spaced)): meaning for (r, x), meaning in meanings.items()}
    margin = min(c for _, c in cells)
    return {(r, c - margin): meaning for (r, c), meaning in sorted(cells.items())}


def draw(board: Shape, pegs: int, coordinates: bool = False) -> str:
    """Return the map of a position, as in files; of graph boards a list of pairs ``name=X``. See
    :func:`draw_labels`."""
    return draw_labels(board, [PEG if pegs >> hole & 1 else VACANCY for hole in range(len(board.holes))], coordinates)


def draw_labels(board: Shape, labels: Sequence[str], coordinates: bool = False) -> str:
    """Return the board with a label at each hole; of graph boards a list of ``name=label``, or of the names alone.

    With ``coordinates`` the letters of the columns stand above them and the numbers of the rows before them. Where rows
    are staggered, columns lean: a letter stands at the upper end of its column.
    """
    if board.cells is None or board.lattice is None:
        words = board.holes if labels == board.holes else map("=".join, zip(board.holes, labels, strict=True))
        return fill(" ".join(words), _LINE_CHARACTERS, break_long_words=False, break_on_hyphens=False)
    heads = {cell: column_letters(cell[1]) for cell in column_heads(board.cells, board.lattice)} if coordinates else {}
    lines = rows({**heads, **dict(zip(board.cells, labels, strict=True))}, board.lattice)
    if not coordinates:
        return "\n".join(lines.values())
    margin = len(str(max(lines) + 1))
    return "\n".join(f"{row + 1 if row >= 0 else '':>{margin}}  {line}".rstrip() for row, line in lines.items())


def column_heads(cells: Sequence[Cell], lattice: Lattice) -> list[Cell]:
    """Return the cell before the first of each column, where its letter goes: in one row unless the rows are
    staggered."""
    tops = {column: row for row, column in sorted(cells, reverse=True)}  # of each column the first row comes last
    return [(row - 1 if lattice.staggered else -1, column) for column, row in sorted(tops.items())]


def rows(labels: dict[Cell, str], lattice: Lattice) -> dict[int, str]:
    """Return the lines of a picture by row number, empty rows too; :func:`pegcp.game.lattice.read_map` reads single
    signs."""
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
