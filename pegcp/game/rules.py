"""The rules: the jumps that are possible in a position, and the positions after them."""

from collections.abc import Sequence

from pegcp.errors import InvalidSolution
from pegcp.game.board import Board, Jump, jump_name


def why_illegal(board: Board, position: int, jump: Jump) -> str | None:
    """Explain why a jump cannot be made in a position (a bit mask); return None if it can."""
    if not all(0 <= hole < len(board.holes) for hole in jump):
        return f"a hole is not on board {board.name}"
    names = board.jump_names(jump)
    if not board.has_jump(jump):
        return f"{' '.join(names)} is not a line of board {board.name}"
    if not position >> jump.from_ & 1:
        return f"there is no peg at {names[0]} to jump"
    if not position >> jump.over & 1:
        return f"there is no peg at {names[1]} to jump over"
    if position >> jump.to & 1:
        return f"{names[2]} is not vacant"
    return None


def replay(board: Board, start: int, jumps: Sequence[Jump]) -> list[int]:
    """All positions (bit masks) of a sequence of jumps. Raises InvalidSolution naming the first bad jump and why."""
    positions = [start]
    for step, jump in enumerate(jumps, start=1):
        reason = why_illegal(board, positions[-1], jump)
        if reason is not None:
            label = jump_name(board, jump) if all(0 <= h < len(board.holes) for h in jump) else str(tuple(jump))
            raise InvalidSolution(f"jump {step} ({label}) is impossible: {reason}", step=step)
        positions.append(positions[-1] ^ (1 << jump.from_) ^ (1 << jump.over) ^ (1 << jump.to))
    return positions
