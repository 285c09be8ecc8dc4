"""The replay of solutions, by the lines of the board alone: it trusts no model and no solver."""

from collections.abc import Sequence
from dataclasses import dataclass

from pegcp.errors import InvalidSolution, plural
from pegcp.game.board import Jump, group_moves, jump_name
from pegcp.game.goal import DeadEnd, OnePeg
from pegcp.game.notation import write_move
from pegcp.game.position import Position, replay
from pegcp.game.problem import Problem
from pegcp.game.svg import Drawn, Frame, strip_svg


@dataclass(frozen=True, repr=False)
class Replay(Drawn):
    """A correct solution: the positions from start to end, its moves and the value of the objective; and how the text
    of the solution was read, in words, if it was not read as usual."""

    positions: tuple[Position, ...]
    moves: tuple[tuple[Jump, ...], ...]
    value: int | None
    read_as: str = ""

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value}"
        return f"<Replay: {plural(len(self.positions) - 1, 'jump')} in {plural(len(self.moves), 'move')}{value}>"

    def __str__(self) -> str:
        """Return the moves, and the last position as a map."""
        moves = " ".join(write_move(self.positions[0].board, move) for move in self.moves)
        return f"{moves or 'no jumps'}\n{self.positions[-1]}"

    def _repr_svg_(self) -> str:
        """Return a picture for each move, its jumps drawn as arrows, and one of the last position."""
        board, step, frames = self.positions[0].board, 0, []
        for number, move in enumerate([*self.moves, ()], start=1):
            caption = f"{number}. {write_move(board, move)}" if move else "end"
            frames.append(Frame(self.positions[step].mask, caption, move))
            step += len(move)
        length = f"{plural(len(self.positions) - 1, 'jump')} in {plural(len(self.moves), 'move')}"
        return strip_svg(board, frames, f"{board.name}: {length}")

    @property
    def sweeps(self) -> int:
        """How many moves have more than one jump."""
        return sum(len(move) > 1 for move in self.moves)


def check(problem: Problem, jumps: Sequence[Jump]) -> Replay:
    """Replay a solution, and check that its last position satisfies the goal.

    Raises InvalidSolution: the first impossible jump and why, or why the last position does not satisfy the goal.
    """
    board = problem.board
    positions = replay(board, problem.start.mask, jumps)
    if not problem.is_goal(positions[-1]):
        raise InvalidSolution(
            f"after {plural(len(jumps), 'jump')} the goal ({problem.goal_text}) is not reached: "
            f"{_why_not_goal(problem, positions[-1])}"
        )
    return Replay(tuple(Position(board, mask) for mask in positions), group_moves(jumps), problem.value(tuple(jumps)))


def _why_not_goal(problem: Problem, last: int) -> str:
    board = problem.board
    if isinstance(problem.goal, DeadEnd):
        jump = next(jump for jump in board.jumps if jump.is_legal(last))
        return f"{jump_name(board, jump)} is still possible"
    if isinstance(problem.goal, OnePeg):
        return f"{last.bit_count()} pegs are left"
    faults = (("no peg", problem.final_pegs & ~last), ("a peg too many", problem.final_vacancies & last))
    return " and ".join(f"{fault} at {' '.join(board.names(holes))}" for fault, holes in faults if holes)
