"""Integer program with parallel steps: jumps that have no hole in common share a step.

The model `parallel` as an integer program. Few steps make it small; rows over all jumps at a hole make its relaxation
tight: in a step a hole loses at most one peg, and only if it has one, and gains one only if it has none.

Variables    made[t, j] = 1 iff jump j is made in step t, t = 0 .. T-1
             peg[t, h] = 1 iff hole h holds a peg before step t; integer because made is
Constraints  sum of made[t, j] that take the peg at h <= peg[t, h]
             sum of made[t, j] that land in h         <= 1 - peg[t, h]
             peg[t+1] = peg[t] - A made[t]
             peg[0] = start; peg[T] satisfies the goal
Horizon      T steps, some of which may be empty: half the number of jumps first, then all, which is always enough
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Objective, Problem, by_hole, by_step
from pegcp.modelling.ordering import step_counts
from pegcp.theory.equations import effects, final_position

BACKENDS = ("scip", "highs", "cp-sat-mathopt")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-steps")
HORIZON = "fewest-steps"


def horizons(problem: Problem) -> Iterable[int]:
    """Half the jumps, rounded up, and all of them; every number where the fewest steps are wanted."""
    if problem.objective is Objective.FEWEST_STEPS:
        return step_counts(problem)
    most = problem.lengths[-1]
    return sorted({(most + 1) // 2, most})


def build(problem: Problem, horizon: int) -> Formulation[mathopt.Model]:
    """Is there a solution of at most ``horizon`` steps?"""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    A = effects(board)

    model = mathopt.Model(name="ip-parallel")
    made = [[model.add_binary_variable(name=f"made_{t:02}_{name}") for name in names] for t in range(T)]
    peg = [[model.add_variable(lb=0, ub=1, name=f"peg_{t:02}_{h}") for h in board.holes] for t in range(T)]
    peg.append(final_position(model, problem))

    for t in range(T):
        for h, hole in enumerate(board.holes):
            taken = mathopt.fast_sum(made[t][j] for j, a in A[h].items() if a > 0)
            landed = mathopt.fast_sum(made[t][j] for j, a in A[h].items() if a < 0)
            model.add_linear_constraint(taken <= peg[t][h], name=f"take_{t:02}_{hole}")
            model.add_linear_constraint(landed <= 1 - peg[t][h], name=f"land_{t:02}_{hole}")
            model.add_linear_constraint(peg[t + 1][h] == peg[t][h] - taken + landed, name=f"frame_{t:02}_{hole}")
    for h in range(len(board.holes)):
        model.add_linear_constraint(peg[0][h] == problem.start.mask >> h & 1)

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        made=by_step(board, made),
        peg=by_hole(board, peg),
    )
