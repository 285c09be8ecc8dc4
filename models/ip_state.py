"""Integer program with jump and state variables, one jump per step: model A of the literature.

Jefferson, Miguel, Miguel and Tarim (2006), section 3; with the order of their constraint model as rows.

Variables    M[t, j] = 1 iff jump j is made at step t, t = 0 .. T-1
             bState[t, h] = 1 iff hole h holds a peg before step t; integer because M is
Constraints  M[t, j] <= bState[t, from(j)], M[t, j] <= bState[t, over(j)], M[t, j] <= 1 - bState[t, to(j)]
             bState[t+1, h] = bState[t, h] - sum of M[t, j] that take the peg at h + sum of M[t, j] that land in h
             sum over j of M[t, j] = 1
             bState[0] = start; bState[T] satisfies the goal
Order        M[t-1, j] + sum of M[t, k] <= 1 over the smaller jumps k that have no hole in common with j:
             consecutive independent jumps are in rising order
Horizon      T, the number of jumps; for Fool's Solitaire it grows until there is a solution
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.ordering import smaller_independent
from pegcp.theory.equations import effects, final_position

BACKENDS = ("cp-sat-mathopt", "scip", "highs")
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"


def horizons(problem: Problem) -> Iterable[int]:
    """Return the numbers of jumps that a solution can have."""
    return problem.lengths


def build(problem: Problem, horizon: int, *, order: bool = True) -> Formulation[mathopt.Model]:
    """Is there a solution of exactly ``horizon`` jumps? ``order`` puts independent jumps in order."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    A = effects(board)

    model = mathopt.Model(name="ip-state")
    M = [[model.add_binary_variable(name=f"M_{t:02}_{name}") for name in names] for t in range(T)]
    bState = [[model.add_variable(lb=0, ub=1, name=f"bState_{t:02}_{h}") for h in board.holes] for t in range(T)]
    bState.append(final_position(model, problem))

    for t in range(T):
        model.add_linear_constraint(mathopt.fast_sum(M[t]) == 1, name=f"one_jump_{t:02}")
        for j, jump in enumerate(jumps):
            model.add_linear_constraint(M[t][j] <= bState[t][jump.from_])
            model.add_linear_constraint(M[t][j] <= bState[t][jump.over])
            model.add_linear_constraint(M[t][j] <= 1 - bState[t][jump.to])
        for h, hole in enumerate(board.holes):
            taken = mathopt.fast_sum(a * M[t][j] for j, a in A[h].items())
            model.add_linear_constraint(bState[t + 1][h] == bState[t][h] - taken, name=f"frame_{t:02}_{hole}")
    for t in range(1, T) if order else ():
        for j, smaller in enumerate(smaller_independent(jumps)):
            model.add_linear_constraint(M[t - 1][j] + mathopt.fast_sum(M[t][k] for k in smaller) <= 1)
    for h in range(len(board.holes)):
        model.add_linear_constraint(bState[0][h] == problem.start.mask >> h & 1)

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(M[t][j])],
        made=by_step(board, M),
        peg=by_hole(board, bState),
    )
