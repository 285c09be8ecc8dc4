"""MiniZinc: a problem as data, and a file in its language as a model.

A file declares the data of :func:`data`, the variables ``made[t, j]``: jump j is made in step t, and the jumps of a
step are made in rising order; and the function ``peg(t, h)``: hole h holds a peg after step t. It may have the
variables ``moves[t] = j``, too.
"""

import re
from dataclasses import dataclass

from pegcp.modelling import ByJump, Formulation, Jump, OnePeg, Problem, Value
from pegcp.modelling.ordering import outside_in
from pegcp.modelling.rules import RuleFile

_MOVES = re.compile(r":\s*moves\b")  # a declaration


@dataclass(frozen=True)
class MiniZinc:
    """A model in MiniZinc with its data."""

    text: str
    data: str


def data(problem: Problem, steps: int) -> str:
    """Return the problem as MiniZinc data: holes and jumps are numbered from 1, outermost jumps first."""
    board = problem.board
    rows = [", ".join(str(hole + 1) for hole in jump) for jump in outside_in(board)]
    table = f"[| {' | '.join(rows)} |]" if rows else "array2d(1..0, 1..3, [])"
    sets = {"start": problem.start.mask, "final_pegs": problem.final_pegs, "final_vacancies": problem.final_vacancies}
    lines = [
        f"holes = {len(board.holes)}; % {' '.join(board.holes)}",
        f"jumps = {len(rows)};",
        f"steps = {steps};",
        f"jump = {table};",
        *(
            f"{name} = {{{', '.join(str(h + 1) for h in range(len(board.holes)) if mask >> h & 1)}}};"
            for name, mask in sets.items()
        ),
        f"one_peg = {str(isinstance(problem.goal, OnePeg)).lower()};",
    ]
    return "\n".join(lines) + "\n"


class MiniZincFile(RuleFile):
    """A file in MiniZinc as a model, with the functions of a model file."""

    def build(self, problem: Problem, horizon: int) -> Formulation[MiniZinc]:  # type: ignore[override]
        """Return the model and the data for a number of steps."""
        board, order = problem.board, outside_in(problem.board)

        def jumps(value: Value) -> list[Jump]:
            return [jump for t in range(horizon) for j, jump in enumerate(order) if value((t, j))]

        return Formulation(
            MiniZinc(self.text, data(problem, horizon)),
            jumps,
            moves=[f"moves[{t + 1}]" for t in range(horizon) if _MOVES.search(self.text)],
            made=[ByJump(board, order, [f"made[{t + 1}, {j + 1}]" for j in range(len(order))]) for t in range(horizon)],
            peg=[{hole: f"peg({t}, {h + 1})" for h, hole in enumerate(board.holes)} for t in range(horizon + 1)],
        )
