"""Positions: which holes of a board hold pegs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pegcp.errors import InputError
from pegcp.game.board import Board, Jump
from pegcp.game.picture import draw
from pegcp.game.svg import position_svg


@dataclass(frozen=True)
class Position:
    """A set of pegs on a board; ``mask`` has bit i set when hole i holds a peg."""

    board: Board
    mask: int

    def __post_init__(self) -> None:
        if self.mask < 0 or self.mask > self.board.full:
            raise InputError(f"position {self.mask:#x} has pegs outside board {self.board.name}")

    def __repr__(self) -> str:
        return f"Position({self.board!r}, {self.mask:#x})"

    def __str__(self) -> str:
        return draw(self.board, self.mask)

    def _repr_svg_(self) -> str:
        return position_svg(self.board, self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()

    @property
    def pegs(self) -> list[str]:
        """Names of the holes that hold a peg."""
        return self.board.names(self.mask)

    def jumps(self) -> Iterator[Jump]:
        """The jumps that can be made now."""
        return (jump for jump in self.board.jumps if jump.is_legal(self.mask))

    def is_dead_end(self) -> bool:
        """Whether no jump is possible."""
        return not any(True for _ in self.jumps())

    def after(self, jump: Jump) -> Position:
        """The position after a jump; the caller has seen to it that the jump is legal."""
        return Position(self.board, self.mask ^ jump.mask)
