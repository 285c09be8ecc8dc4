"""Integer program with jump and state variables, one jump per step: model A of the literature.

Jefferson, Miguel, Miguel and Tarim (2006), section 3; pagoda constraints: section 5.

Variables    M[t, j] = 1 iff jump j is made at step t, t = 0 .. T-1
             bState[t, h] = 1 iff hole h holds a peg before step t; whole numbers because M are
Constraints  M[t, j] <= bState[t, from(j)], M[t, j] <= bState[t, over(j)], M[t, j] <= 1 - bState[t, to(j)]
             bState[t+1, h] = bState[t, h] - sum of M[t, j] that take the peg at h + sum of M[t, j] that land in h
             sum over j of M[t, j] = 1
             bState[0] = start; bState[T] satisfies the goal
Pagoda       w . bState[t] >= the least w . p of a position p that satisfies the goal, for pagoda functions w
             (they follow from the frame equations, for real numbers too: they help presolve, if anything)
Horizon      T, the number of jumps; for Fool's Solitaire it grows until there is a solution
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Problem
from pegcp.theory.counts import effects
from pegcp.theory.equations import final_position
from pegcp.theory.pagoda import pagodas

BACKENDS = ("scip", "highs", "cp-sat-mathopt")
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"


def horizons(problem: Problem) -> Iterable[int]:
    """The numbers of jumps that a solution can have."""
    return problem.jump_counts


def build(problem: Problem, horizon: int, *, pagoda: bool = False) -> Formulation[mathopt.Model]:
    """Is there a solution of exactly ``horizon`` jumps? ``pagoda`` adds pagoda constraints."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    A = effects(board)

    model = mathopt.Model(name="ip-state")
    M = [[model.add_binary_variable(name=f"M_{t:02}_{name}") for name in names] for t in range(T)]
    state = [[model.add_variable(lb=0, ub=1, name=f"bState_{t:02}_{h}") for h in board.holes] for t in range(T)]
    state.append(final_position(model, problem))

    for t in range(T):
        model.add_linear_constraint(mathopt.fast_sum(M[t]) == 1, name=f"one_jump_{t:02}")
        for j, jump in enumerate(jumps):
            model.add_linear_constraint(M[t][j] <= state[t][jump.from_])
            model.add_linear_constraint(M[t][j] <= state[t][jump.over])
            model.add_linear_constraint(M[t][j] <= 1 - state[t][jump.to])
        for h, hole in enumerate(board.holes):
            taken = mathopt.fast_sum(a * M[t][j] for j, a in A[h].items())
            model.add_linear_constraint(state[t + 1][h] == state[t][h] - taken, name=f"frame_{t:02}_{hole}")
    for h in range(len(board.holes)):
        model.add_linear_constraint(state[0][h] == problem.start.mask >> h & 1)
    for w in pagodas(problem) if pagoda else []:
        start = sum(weight for h, weight in enumerate(w.weights) if problem.start.mask >> h & 1)
        for t in range(1, T):
            weight = mathopt.fast_sum(w.weights[h] * state[t][h] for h in range(len(board.holes)))
            model.add_linear_constraint(weight >= start - w.slack)

    return Formulation(model, lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(M[t][j])])
