"""Pictures of boards in characters."""

from collections.abc import Sequence
from textwrap import fill

from pegcp.game.lattice import Cell, Lattice, column_letters
from pegcp.game.layout import Shape

PEG, VACANCY = "X", "o"
_WIDEST = 100  # characters of a graph board
_MOST = 60  # holes of one; more are listed


def draw(board: Shape, pegs: int) -> str:
    """The map of a position, as in files; on graph boards a drawing with a pair ``name=X`` for each hole."""
    return draw_labels(board, _signs(board, pegs))


def picture(board: Shape, pegs: int) -> str:
    """A position with the letters of the columns and the numbers of the rows."""
    return draw_labels(board, _signs(board, pegs), coordinates=True)


def _signs(board: Shape, pegs: int) -> list[str]:
    return [PEG if pegs >> i & 1 else VACANCY for i in range(len(board.holes))]


def draw_labels(board: Shape, labels: Sequence[str], coordinates: bool = False) -> str:
    """The board with a label at each hole; on graph boards ``name=label``, or just the name, with dots for the edges.

    With ``coordinates`` the letters of the columns stand above them and the numbers of the rows before them. Where rows
    are staggered, columns lean: a letter stands at the upper end of its column.
    """
    if board.cells is None or board.lattice is None:
        pairs = zip(board.holes, labels, strict=True)
        return _sketch(board, [hole if labels == board.holes else f"{hole}={label}" for hole, label in pairs])
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


def _sketch(board: Shape, tokens: Sequence[str]) -> str:
    """A graph board with a token at each hole and dots along its edges; if it is too large, only the tokens."""
    longest = max(map(len, tokens))
    width = max(x for x, _ in board.places)
    across = max(longest + 2, 5)  # characters a unit; lines are about twice as high as characters are wide
    columns = round(width * across) + longest
    if len(tokens) > _MOST or columns > _WIDEST:
        return fill(" ".join(tokens), _WIDEST, break_long_words=False, break_on_hyphens=False)
    spots = [(round(x * across), round(y * across / 2)) for x, y in board.places]
    canvas = [[" "] * columns for _ in range(max(row for _, row in spots) + 1)]
    for a, b in board.edges:
        (x, y), (u, v) = ((spots[hole][0] + len(tokens[hole]) // 2, spots[hole][1]) for hole in (a, b))
        steps = max(abs(u - x) // 2, abs(v - y), 1)
        for step in range(steps + 1):
            canvas[round(y + (v - y) * step / steps)][round(x + (u - x) * step / steps)] = "."
    for (column, row), token in zip(spots, tokens, strict=True):
        start = max(0, column - 1)
        canvas[row][start : column + len(token) + 1] = f" {token} "[start - column + 1 :]
    return "\n".join("".join(row).rstrip() for row in canvas)
