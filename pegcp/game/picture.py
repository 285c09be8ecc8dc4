"""Pictures of boards in characters."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from pegcp.game.lattice import Cell, Lattice, column_letters
from pegcp.game.layout import Shape

PEG, VACANCY = "X", "o"
_WIDEST = 100  # characters of a graph board
_MOST = 60  # holes of one; more are listed


def draw(board: Shape, pegs: int) -> str:
    """The map of a position, as files have it; the pairs ``name=X`` for graph boards, where they lie."""
    return labelled(board, marks(board, pegs))


def picture(board: Shape, pegs: int) -> str:
    """A position with the letters of the columns and the numbers of the rows."""
    return marked(board, marks(board, pegs))


def marks(board: Shape, pegs: int) -> list[str]:
    """The sign of each hole in a position (a bit mask)."""
    return [PEG if pegs >> i & 1 else VACANCY for i in range(len(board.holes))]


def labelled(board: Shape, labels: Sequence[str]) -> str:
    """The board with the label of each hole in its place; ``name=label`` on graph boards, with dots for the edges."""
    if board.cells is None or board.lattice is None:
        pairs = zip(board.holes, labels, strict=True)
        return _sketch(board, [f"{hole}={label}" if hole != label else hole for hole, label in pairs])
    return "\n".join(rows(dict(zip(board.cells, labels, strict=True)), board.lattice).values())


def marked(board: Shape, labels: Sequence[str]) -> str:
    """As :func:`labelled`, with the letters of the columns above them and the numbers of the rows before them.

    Where rows are staggered, columns lean: a letter stands at the upper end of its column.
    """
    if board.cells is None or board.lattice is None:
        return labelled(board, labels)
    heads = {cell: column_letters(cell[1]) for cell in column_heads(board.cells, board.lattice)}
    drawn = rows({**heads, **dict(zip(board.cells, labels, strict=True))}, board.lattice)
    margin = len(str(max(drawn) + 1))
    return "\n".join(f"{row + 1 if row >= 0 else '':>{margin}}  {line}".rstrip() for row, line in drawn.items())


def column_heads(cells: Sequence[Cell], lattice: Lattice) -> list[Cell]:
    """The cell before the first of each column, where its letter goes: in one row unless the rows are staggered."""
    tops: dict[int, int] = {}
    for row, column in cells:
        tops[column] = min(row, tops.get(column, row))
    return [(row - 1 if lattice.staggered else -1, column) for column, row in sorted(tops.items())]


def rows(labels: dict[Cell, str], lattice: Lattice) -> dict[int, str]:
    """The rows of a picture by number, empty ones too; :func:`pegcp.game.lattice.read_map` reads single signs back."""
    width = max(map(len, labels.values()))
    if lattice.staggered:
        width |= 1  # half a step must be a whole number of characters
    places = {cell: lattice.place(*cell)[0] for cell in labels}
    left = min(places.values())
    drawn = dict.fromkeys(range(min(r for r, _ in labels), max(r for r, _ in labels) + 1), "")
    for cell in sorted(labels):
        before = drawn[cell[0]]
        drawn[cell[0]] = (
            before + " " * (round((places[cell] - left) * (width + 1)) - len(before)) + labels[cell].rjust(width)
        )
    return {row: line.rstrip() for row, line in drawn.items()}


def _sketch(board: Shape, tokens: Sequence[str]) -> str:
    """The tokens of the holes of a graph board in their places, and dots along its edges; on boards too large for that,
    one token after the other."""
    longest = max(map(len, tokens))
    width = max(x for x, _ in board.places)
    across = max(longest + 2, 5)  # characters a unit; lines are about twice as high as characters are wide
    columns = round(width * across) + longest
    if len(tokens) > _MOST or columns > _WIDEST:
        return fill(" ".join(tokens), _WIDEST, break_long_words=False, break_on_hyphens=False)
    down = across / 2
    spots = [(round(x * across), round(y * down)) for x, y in board.places]
    drawn = [[" "] * columns for _ in range(max(row for _, row in spots) + 1)]
    for a, b in board.edges:
        (x, y), (u, v) = ((spot[0] + len(tokens[hole]) // 2, spot[1]) for hole, spot in ((a, spots[a]), (b, spots[b])))
        steps = max(abs(u - x) // 2, abs(v - y), 1)
        for step in range(steps + 1):
            drawn[round(y + (v - y) * step / steps)][round(x + (u - x) * step / steps)] = "."
    for (column, row), token in zip(spots, tokens, strict=True):
        for at in range(column - 1, column + len(token) + 1):
            if 0 <= at < columns:
                drawn[row][at] = " "
    for (column, row), token in zip(spots, tokens, strict=True):
        drawn[row][column : column + len(token)] = token
    return "\n".join("".join(row).rstrip() for row in drawn)
