"""Positions, which are sets of pegs on a board, and the rules of the game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pegcp.errors import InputError, InvalidSolution, plural, refuse_if
from pegcp.game.board import Board, Jump, jump_name
from pegcp.game.lattice import draw
from pegcp.game.notation import jumps_of, write_move
from pegcp.game.svg import Drawn, position_svg


@dataclass(frozen=True, repr=False)
class Position(Drawn):
    """A set of pegs on a board; ``mask`` has bit i set when hole i holds a peg.

    :func:`pegcp.position` reads one: from a problem's name, a drawing, or numbers of holes.

    >>> import pegcp
    >>> position = pegcp.position("english")
    >>> position["d4"], len(position)
    (False, 32)
    >>> position.legal_jumps()
    ['d2-d4', 'b4-d4', 'f4-d4', 'd6-d4']
    >>> print(position.after("d2-d4", "b3-d3"))
       a b c d e f g
    1      X X X
    2      X o X
    3  X o o X X X X
    4  X X X X X X X
    5  X X X X X X X
    6      X X X
    7      X X X
    """

    board: Board
    mask: int = -1

    def __post_init__(self) -> None:
        refuse_if(
            not isinstance(self.board, Board),
            'a position needs a board and a bit mask; pegcp.position("english") reads one from a text',
        )
        refuse_if(
            not isinstance(self.mask, int) or not 0 <= self.mask <= self.board.full,
            f"a position needs a bit mask of its pegs, none of them outside board {self.board.name}",
        )

    def __repr__(self) -> str:
        return f"<Position on {self.board.name}: {plural(len(self), 'peg')}, {self.mask:#x}>"

    def __str__(self) -> str:
        return draw(self.board, self.mask, coordinates=True)

    def _repr_svg_(self) -> str:
        return position_svg(self.board, self.mask)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __iter__(self) -> Iterator[str]:
        return iter(self.pegs)

    def __getitem__(self, hole: str) -> bool:
        """Tell whether the hole of that name holds a peg. Raises InputError if there is no such hole."""
        return bool(self.mask >> self.board.hole(hole) & 1)

    @property
    def pegs(self) -> list[str]:
        """Names of the holes that hold a peg."""
        return self.board.names(self.mask)

    def jumps(self) -> Iterator[Jump]:
        """Return the jumps that can be made now."""
        return (jump for jump in self.board.jumps if jump.is_legal(self.mask))

    def legal_jumps(self) -> list[str]:
        """Return the jumps that can be made now, by name: ``d2-d4``, or ``(a b c)`` if two names are ambiguous."""
        return [write_move(self.board, [jump]) for jump in self.jumps()]

    def is_dead_end(self) -> bool:
        """Tell whether no jump is possible."""
        return not any(True for _ in self.jumps())

    def outcome(self) -> int | None:
        """Return the number of pegs at the end of a game; None as long as a jump is possible."""
        return len(self) if self.is_dead_end() else None

    def after(self, *jumps: Jump | str) -> "Position":
        """Return the position after some jumps, in that order; a name may hold several: ``"d2-d4 b3-d3"``.

        Raises InputError, naming the first impossible jump and why.
        """
        try:
            return Position(self.board, replay(self.board, self.mask, jumps_of(self.board, jumps))[-1])
        except InvalidSolution as error:
            raise InputError(str(error)) from None


def why_illegal(board: Board, position: int, jump: Jump) -> str | None:
    """Explain why a jump cannot be made in a position (a bit mask); return None if it can."""
    if not all(0 <= hole < len(board.holes) for hole in jump):
        return f"a hole is not on board {board.name}"
    names = board.jump_names(jump)
    faults = (
        (not board.has_jump(jump), f"{' '.join(names)} is not a line of board {board.name}"),
        (not position >> jump.from_ & 1, f"there is no peg at {names[0]} to jump"),
        (not position >> jump.over & 1, f"there is no peg at {names[1]} to jump over"),
        (position >> jump.to & 1, f"{names[2]} is not vacant"),
    )
    return next((reason for is_fault, reason in faults if is_fault), None)


def replay(board: Board, start: int, jumps: Sequence[Jump]) -> list[int]:
    """Return all positions (bit masks) of a sequence of jumps. Raises InvalidSolution naming the first bad jump and
    why."""
    positions = [start]
    for step, jump in enumerate(jumps, start=1):
        reason = why_illegal(board, positions[-1], jump)
        if reason is not None:
            label = jump_name(board, jump) if all(0 <= h < len(board.holes) for h in jump) else str(tuple(jump))
            raise InvalidSolution(f"jump {step} ({label}) is impossible: {reason}", step=step)
        positions.append(positions[-1] ^ (1 << jump.from_) ^ (1 << jump.over) ^ (1 << jump.to))
    return positions
