"""Pictures of boards in characters."""

from collections.abc import Sequence
from textwrap import fill

from pegcp.game.lattice import Cell, Lattice, column_letters
from pegcp.game.layout import Shape

PEG, VACANCY = "X", "o"
_LINE_CHARACTERS = 75  # characters of a line in the list of a graph board's holes, which explanations indent


def draw(board: Shape, pegs: int) -> str:
    """The map of a position, as in files; of graph boards a list of pairs ``name=X``."""
    return draw_labels(board, _signs(board, pegs))


def picture(board: Shape, pegs: int) -> str:
    """A position with the letters of the columns and the numbers of the rows."""
    return draw_labels(board, _signs(board, pegs), coordinates=True)


def _signs(board: Shape, pegs: int) -> list[str]:
    return [PEG if pegs >> i & 1 else VACANCY for i in range(len(board.holes))]


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
