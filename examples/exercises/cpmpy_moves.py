"""Exercise: one jump per step in CPMpy, without the equation that carries a hole from one step to the next.

Variables    moves[t] = number of the jump made at step t = 0 .. T-1; made[t, j] is true iff moves[t] = j
             bState[t, h] is true iff hole h holds a peg before step t = 0 .. T
Constraints  each step makes one jump, and that finds two pegs and a vacancy
             MISSING: a hole holds a peg after a step iff a jump lands there, or it held one before and no jump takes it
             first position = start; last position satisfies the goal
"""

from typing import Any

import cpmpy as cp

from pegcp.modelling import Exact, Formulation, Problem
from pegcp.modelling.ordering import touching

BACKENDS = ("cpmpy-ortools", "cpmpy-z3", "cpmpy-pysat")
GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def horizons(problem: Problem) -> list[int]:
    """The number of jumps, which start and goal tell."""
    return [problem.lengths[-1]]


def build(problem: Problem, horizon: int) -> Formulation[cp.Model]:
    """The model."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    takes, lands = touching(board)  # for each hole: numbers of the jumps that take its peg; that land in it
    moves: list[Any] = [cp.intvar(0, len(jumps) - 1, name=f"moves_t{t:02}") for t in range(T)]
    made: Any = cp.boolvar(shape=(T, len(jumps)), name="made")
    bState: Any = cp.boolvar(shape=(T + 1, len(board.holes)), name="bState")
    model = cp.Model()
    for t in range(T):
        model += cp.sum(made[t]) == 1
        model += cp.sum(j * made[t, j] for j in range(len(jumps))) == moves[t]
        for j, (a, b, c) in enumerate(jumps):
            model += made[t, j].implies(bState[t, a] & bState[t, b] & ~bState[t, c])
        for h in range(len(board.holes)):
            # MISSING: one equation for each hole. In CPMpy == between Booleans is "iff", & is "and", | "or", ~ "not",
            # and cp.any(...) of a list says that one of them is true. (pass goes when it is there.)
            pass
    model += [literal if problem.start.mask >> h & 1 else ~literal for h, literal in enumerate(bState[0])]
    if isinstance(problem.goal, Exact):
        model += [literal if problem.final_pegs >> h & 1 else ~literal for h, literal in enumerate(bState[T])]
    else:
        model += cp.sum(bState[T]) == 1
    return Formulation(
        model, lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t, j])]
    )
