"""Integer program with parallel steps: jumps that have no hole in common share a step.

The model `parallel` as an integer program. Few steps make it small; rows over all jumps at a hole make its relaxation
tight: in a step a hole loses its peg once at most, and only if it has one, and gains one only if it has none.

Variables    x[t, j] = 1 iff jump j is made in step t, t = 0 .. T-1
             p[t, h] = 1 iff hole h holds a peg before step t; whole numbers because x are
Constraints  sum of x[t, j] that take the peg at h <= p[t, h]
             sum of x[t, j] that land in h         <= 1 - p[t, h]
             p[t+1] = p[t] - A x[t]
             p[0] = p_s; p[T] satisfies the goal
Horizon      T steps, some of which may be empty: half the number of jumps first, then all, which is always enough
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Objective, Problem
from pegcp.modelling.ordering import step_counts
from pegcp.theory.counts import effects
from pegcp.theory.equations import final_position

BACKENDS = ("scip", "highs", "cp-sat-mathopt")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-steps")
HORIZON = "fewest-steps"


def horizons(problem: Problem) -> Iterable[int]:
    """Half the jumps, rounded up, and all of them; every number where the fewest steps are wanted."""
    if problem.objective is Objective.FEWEST_STEPS:
        return step_counts(problem)
    most = problem.jump_counts[-1]
    return sorted({(most + 1) // 2, most})


def build(problem: Problem, horizon: int) -> Formulation[mathopt.Model]:
    """Is there a solution of at most ``horizon`` steps?"""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    A = effects(board)

    model = mathopt.Model(name="ip-parallel")
    x = [[model.add_binary_variable(name=f"x_{t:02}_{name}") for name in names] for t in range(T)]
    p = [[model.add_variable(lb=0, ub=1, name=f"p_{t:02}_{h}") for h in board.holes] for t in range(T)]
    p.append(final_position(model, problem))

    for t in range(T):
        for h, hole in enumerate(board.holes):
            taken = mathopt.fast_sum(x[t][j] for j, a in A[h].items() if a > 0)
            landed = mathopt.fast_sum(x[t][j] for j, a in A[h].items() if a < 0)
            model.add_linear_constraint(taken <= p[t][h], name=f"take_{t:02}_{hole}")
            model.add_linear_constraint(landed <= 1 - p[t][h], name=f"land_{t:02}_{hole}")
            model.add_linear_constraint(p[t + 1][h] == p[t][h] - taken + landed, name=f"frame_{t:02}_{hole}")
    for h in range(len(board.holes)):
        model.add_linear_constraint(p[0][h] == problem.start.mask >> h & 1)

    return Formulation(model, lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(x[t][j])])
