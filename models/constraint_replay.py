"""One jump per step in python-constraint, every prefix replayed: the constraints are plain functions.

Variables    moves[t] = the jump made at step t, t = 0 .. T-1; or None once the goal is reached
Constraints  for every t: moves[0] .. moves[t] can be played from the start; after the last step the goal holds
Symmetry     consecutive independent jumps are in rising order

The library assigns variables with many constraints first, so moves[0] comes first and every prefix is replayed as soon
as it is complete: this is chronological backtracking, without memory of failed positions. The constraints are pure
functions of the values, so every solver class of the library can use them.
"""

from collections.abc import Callable
from typing import Literal

from constraint import FunctionConstraint
from constraint import Problem as Model

from pegcp.modelling import Formulation, Jump, Objective, Problem
from pegcp.modelling.backtracking import solver_class

BACKENDS = ("python-constraint",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")


def build(
    problem: Problem,
    *,
    order: bool = True,
    solver: Literal["optimized", "backtracking", "recursive", "min-conflicts"] = "optimized",
    forwardcheck: bool = False,
) -> Formulation[Model]:
    """Return the model; ``order`` puts independent jumps in order (switched off to count all solutions)."""
    T = problem.lengths[-1]
    moves = [f"moves_t{t:02}" for t in range(T)]
    domain: list[Jump | None] = [*problem.board.jumps]
    if len(problem.lengths) > 1:
        domain.append(None)

    model = Model(solver_class(solver, forwardcheck))
    model.addVariables(moves, domain)
    for t in range(T):
        model.addConstraint(FunctionConstraint(playable(problem, last=t == T - 1)), moves[: t + 1])
    neighbours = in_order if order and problem.objective is not Objective.COUNT else idle_last
    for t in range(1, T):
        model.addConstraint(FunctionConstraint(neighbours), moves[t - 1 : t + 1])

    return Formulation(
        model, lambda value: [jump for jump in map(value, moves) if jump is not None], distinct="jump sequences"
    )


def playable(problem: Problem, last: bool) -> Callable[..., bool]:
    """Return the constraint that a sequence of jumps can be played, and, if it is the whole, reaches the goal."""
    start, goal = problem.start.mask, problem.is_goal

    def holds(*jumps: Jump | None) -> bool:
        position = start
        for jump in jumps:
            if jump is not None:
                if not jump.is_legal(position):
                    return False
                position ^= jump.mask
        return not last or goal(position)

    return holds


def idle_last(one: Jump | None, after: Jump | None) -> bool:
    """After None comes None."""
    return one is not None or after is None


def in_order(one: Jump | None, after: Jump | None) -> bool:
    """Independent jumps rise; after None comes None."""
    if one is None or after is None:
        return after is None
    return one <= after or not one.independent_of(after)
