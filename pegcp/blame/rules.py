"""The rule of the game that an answer breaks: the five sentences that a model must say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pegcp.game.board import Jump, jump_name
from pegcp.game.problem import Problem

SENTENCES = {
    1: "the first position is the start",
    2: "each step makes exactly one jump",
    3: "a jump that is made finds two pegs and a vacancy, and leaves the reverse",
    4: "a hole that changes is changed by a jump: a frame axiom is missing",
    5: "the last position is the goal",
}
Pegs = Callable[[int, int], int]  # whether the model has a peg before a step in a hole

Fault = tuple[int, int, str]  # the number of a sentence, of a step, and what happens there


def broken_rule(problem: Problem, steps: Sequence[Sequence[Jump]], pegs: Sequence[int], kind: str) -> Fault | None:
    """The first rule that is broken by the jumps of each step and the positions before and after them.

    ``kind``: a step has a ``single`` jump, ``independent`` ones, or ``several`` one after the other.
    """
    board = problem.board
    if pegs[0] != problem.start.mask:
        (hole, is_peg) = _difference(pegs[0], problem.start.mask)
        return 1, 0, f"the first position has {_a(is_peg)} at {board.holes[hole]}, the start has not"
    for t, jumps in enumerate(steps):
        names = " and ".join(jump_name(board, jump) for jump in jumps)
        holes = [hole for jump in jumps for hole in jump]
        if kind == "single" and len(jumps) > 1:
            return 2, t, f"step {t + 1} makes {len(jumps)} jumps, {names}"
        if kind == "single" and not jumps and (len(problem.jump_counts) == 1 or any(steps[t + 1 :])):
            return 2, t, f"step {t + 1} makes no jump"
        if kind == "independent" and len(set(holes)) < len(holes):
            return 2, t, f"step {t + 1} makes {names}, which have a hole in common"
        position, after = pegs[t], pegs[t + 1]
        for jump in jumps:
            if not jump.is_legal(position):
                hole, is_peg = _difference(position & jump.mask, jump.needs)
                return (
                    3,
                    t,
                    f"step {t + 1} makes {jump_name(board, jump)}, but finds {_a(is_peg)} at {board.holes[hole]}",
                )
            position ^= jump.mask
        if position != after:
            touched = sum({1 << hole for hole in holes})
            hole, is_peg = _difference(after & touched, position & touched) if (position ^ after) & touched else (-1, 0)
            if hole >= 0:
                return 3, t, f"step {t + 1} makes {names}, but leaves {_a(is_peg)} at {board.holes[hole]}"
            hole, is_peg = _difference(after, position)
            what = "appears, and no jump lands there" if is_peg else "vanishes, and no jump takes it"
            return 4, t, f"between step {t + 1} and {t + 2} the peg at {board.holes[hole]} {what}"
    if not problem.is_goal(pegs[len(steps)]):
        return 5, len(steps), "the last position is not the goal"
    return None


def _a(is_peg: int) -> str:
    return "a peg" if is_peg else "no peg"


def _difference(position: int, right: int) -> tuple[int, int]:
    """The first hole in which two positions differ, and whether the former has a peg there."""
    hole = ((position ^ right) & -(position ^ right)).bit_length() - 1
    return hole, position >> hole & 1
