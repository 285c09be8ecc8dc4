"""IP1: an integer program in the jumps alone, A(x^1 + .. + x^l) = p_s - p_f.

Kiyomi and Matsui (2001), section 2. A has a row for each hole and a column for each jump: +1 where the jump takes a peg
(from, over), -1 where one lands (to). One jump per step; the position before step k+1 is p_s - A(x^1 + .. + x^k).

Variables    x[k, j] = 1 iff jump j is made at step k, k = 1 .. l
             p_f[h] = 1 iff hole h holds a peg at the end (constants where the goal says so)
Constraints  sum over j of x[k, j] = 1                     for every step k
             0 <= p_s - A(x^1 + .. + x^k) <= 1             for every step k
             A(x^1 + .. + x^l) = p_s - p_f
Horizon      l, the number of jumps; the goal determines it unless some holes are free

The bounds on every partial sum make each jump legal: taking a missing peg would give less than 0, landing in a full
hole more than 1. The matrix is dense and its relaxation weak: a model for small boards.
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Problem, by_step
from pegcp.theory.equations import effects, final_position

BACKENDS = ("highs", "scip", "cp-sat-mathopt")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"


def horizons(problem: Problem) -> Iterable[int]:
    """Return the numbers of jumps that a solution can have."""
    return problem.lengths


def build(problem: Problem, horizon: int) -> Formulation[mathopt.Model]:
    """Is there a solution of exactly ``horizon`` jumps?"""
    board, jumps, steps = problem.board, problem.board.jumps, range(horizon)
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    A = effects(board)

    model = mathopt.Model(name="ip1")
    x = [[model.add_binary_variable(name=f"x_{k + 1:02}_{name}") for name in names] for k in steps]
    p_f = final_position(model, problem)
    p_s = [problem.start.mask >> h & 1 for h in range(len(board.holes))]

    for k in steps:
        model.add_linear_constraint(mathopt.fast_sum(x[k]) == 1, name=f"one_jump_{k + 1:02}")
    for h, hole in enumerate(board.holes):
        made = [mathopt.fast_sum(a * x[k][j] for j, a in A[h].items()) for k in steps]
        for k in steps:
            taken = mathopt.fast_sum(made[: k + 1])
            model.add_linear_constraint(lb=p_s[h] - 1, ub=p_s[h], expr=taken, name=f"peg_{k + 1:02}_{hole}")
        model.add_linear_constraint(mathopt.fast_sum(made) + p_f[h] == p_s[h], name=f"end_{hole}")

    return Formulation(
        model,
        lambda value: [jumps[j] for k in steps for j in range(len(jumps)) if value(x[k][j])],
        made=by_step(board, x),
    )
