"""The checker: replays a solution on the lines of the board alone, trusting no model and no solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from pegcp.errors import InvalidSolution
from pegcp.game.board import Board, Jump, grouped, jump_name
from pegcp.game.goal import DeadEnd, Exact, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem


@dataclass(frozen=True)
class Replay:
    """What a correct solution does: the positions from start to end, its moves and the value of the objective."""

    positions: tuple[Position, ...]
    moves: tuple[tuple[Jump, ...], ...]
    value: int | None

    @property
    def sweeps(self) -> int:
        """How many moves have more than one jump."""
        return sum(len(move) > 1 for move in self.moves)


def why_illegal(board: Board, position: int, jump: Jump) -> str | None:
    """Why a jump cannot be made in a position (a bit mask), or None if it can."""
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


def check(problem: Problem, jumps: Sequence[Jump]) -> Replay:
    """Replay a solution and see that its last position satisfies the goal.

    Raises InvalidSolution: the first impossible jump and why, or what the goal lacks.
    """
    board = problem.board
    positions = replay(board, problem.start.mask, jumps)
    last = positions[-1]
    if not problem.is_goal(last):
        lacking = _lacking(problem, last)
        raise InvalidSolution(f"after {len(jumps)} jumps the goal ({problem.goal_text}) is not reached: {lacking}")
    return Replay(tuple(Position(board, mask) for mask in positions), grouped(jumps), problem.value(tuple(jumps)))


def _lacking(problem: Problem, last: int) -> str:
    board = problem.board
    match problem.goal:
        case DeadEnd():
            jump = next(jump for jump in board.jumps if jump.is_legal(last))
            return f"{jump_name(board, jump)} is still possible"
        case OnePeg():
            return f"{last.bit_count()} pegs are left"
        case Exact() | Partial():
            missing = board.names(problem.final_pegs & ~last)
            surplus = board.names(problem.final_vacancies & last)
            parts = [f"no peg at {' '.join(missing)}"] if missing else []
            parts += [f"a peg too many at {' '.join(surplus)}"] if surplus else []
            return " and ".join(parts)
        case _:
            assert_never(problem.goal)
