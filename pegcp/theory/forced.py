"""Jumps that all solutions have in common at their beginning and at their end."""

from __future__ import annotations

from dataclasses import replace

from pegcp.game.goal import Exact
from pegcp.game.position import Position
from pegcp.game.problem import Problem


def narrowed(problem: Problem) -> Problem:
    """The problem between the jumps that every solution begins with and those that every solution ends with.

    While only one jump is possible, it is made. While only one jump can be the last one before the goal, an exact
    position, it is taken back.
    """
    board, start, goal = problem.board, problem.start.mask, problem.goal
    end = goal.pegs if isinstance(goal, Exact) else 0
    while not problem.is_goal(start):
        first = [jump for jump in board.jumps if jump.is_legal(start)]
        if len(first) != 1:
            break
        start ^= first[0].mask
    while isinstance(goal, Exact) and end.bit_count() < start.bit_count():
        last = [jump for jump in board.jumps if end & jump.mask == 1 << jump.to]
        if len(last) != 1:
            break
        end ^= last[0].mask
    return replace(problem, start=Position(board, start), goal=Exact(end) if isinstance(goal, Exact) else goal)
