"""Pictures of boards in characters."""

from __future__ import annotations

from collections.abc import Sequence

from pegcp.game.board import Board
from pegcp.game.lattice import draw_map

PEG, VACANCY = "X", "o"


def draw(board: Board, pegs: int, *, peg: str = PEG, vacancy: str = VACANCY) -> str:
    """A picture in characters: a map for lattice boards, ``name=X`` pairs for graph boards."""
    marks = [peg if pegs >> i & 1 else vacancy for i in range(len(board.holes))]
    if board.lattice is None or board.cells is None:
        return " ".join(f"{hole}={mark}" for hole, mark in zip(board.holes, marks, strict=True))
    return draw_map(dict(zip(board.cells, marks, strict=True)), board.lattice)


def labelled(board: Board, labels: Sequence[str]) -> str:
    """The board with the label of each hole in its place; ``name=label`` pairs for graph boards."""
    if board.cells is None:
        return " ".join(f"{hole}={label}" for hole, label in zip(board.holes, labels, strict=True))
    width = max(map(len, labels))
    if board.lattice is not None and board.lattice.staggered:
        width |= 1  # half a step must be a whole number of characters
    rows: dict[int, str] = {}
    for (row, _), (x, _), label in zip(board.cells, board.places, labels, strict=True):
        before = rows.get(row, "")
        rows[row] = before + " " * (round(x * (width + 1)) - len(before)) + label.rjust(width)
    return "\n".join(rows.get(row, "").rstrip() for row in range(max(rows) + 1))
