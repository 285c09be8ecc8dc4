"""What the integer programs share: the matrix of the jumps, and the last position."""

from __future__ import annotations

from ortools.math_opt.python import mathopt

from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, OnePeg
from pegcp.game.problem import Problem


def effects(board: Board) -> list[dict[int, int]]:
    """The rows of A: for each hole the jumps (by number) that take its peg, +1, and those that land in it, -1."""
    rows: list[dict[int, int]] = [{} for _ in board.holes]
    for j, jump in enumerate(board.jumps):
        rows[jump.from_][j] = rows[jump.over][j] = 1
        rows[jump.to][j] = -1
    return rows


def final_position(model: mathopt.Model, problem: Problem) -> list[mathopt.Variable]:
    """A variable for each hole, 1 iff it holds a peg at the end, constrained by the goal."""
    board = problem.board
    final = [model.add_binary_variable(name=f"final_{hole}") for hole in board.holes]
    for h, variable in enumerate(final):
        if (problem.final_pegs | problem.final_vacancies) >> h & 1:
            variable.lower_bound = variable.upper_bound = problem.final_pegs >> h & 1
    if isinstance(problem.goal, OnePeg):
        model.add_linear_constraint(mathopt.fast_sum(final) == 1, name="one_peg")
    if isinstance(problem.goal, DeadEnd):
        for jump in board.jumps:
            blocked = final[jump.from_] + final[jump.over] - final[jump.to] <= 1
            model.add_linear_constraint(blocked, name="blocked_" + "_".join(board.jump_names(jump)))
    return final
