"""Exercise: an integer program in the jumps alone (IP1 of Kiyomi and Matsui 2001), without one of its bounds.

A has a row for each hole and a column for each jump: +1 where the jump takes a peg, -1 where one lands. The position
after k jumps is p_s - A(x^1 + .. + x^k).

Variables    x[k][j] = 1 iff jump j is the jump number k;  p_f[h] = 1 iff hole h holds a peg at the end
Constraints  each step makes exactly one jump
             p_s - A(x^1 + .. + x^k) <= 1 for every k
             MISSING: 0 <= p_s - A(x^1 + .. + x^k) for every k
             A(x^1 + .. + x^l) = p_s - p_f
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Problem
from pegcp.theory.equations import effects, final_position

BACKENDS = ("highs", "scip", "cp-sat-mathopt")
GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def horizons(problem: Problem) -> Iterable[int]:
    """The numbers of jumps that a solution can have."""
    return problem.lengths


def build(problem: Problem, horizon: int) -> Formulation[mathopt.Model]:
    """The program for ``horizon`` jumps."""
    board, jumps = problem.board, problem.board.jumps
    A = effects(board)  # A[h] has the jumps j with A[h][j] != 0
    model = mathopt.Model(name="ip-prefix")
    x = [[model.add_binary_variable(name=f"x_{k}_{j}") for j in range(len(jumps))] for k in range(horizon)]
    p_f = final_position(model, problem)
    for step in x:
        model.add_linear_constraint(mathopt.fast_sum(step) == 1)
    for h in range(len(board.holes)):
        p_s = problem.start.mask >> h & 1
        changes = [mathopt.fast_sum(a * step[j] for j, a in A[h].items()) for step in x]
        for k in range(1, horizon + 1):
            after = p_s - mathopt.fast_sum(changes[:k])  # what hole h holds after k jumps
            model.add_linear_constraint(after <= 1)
            # MISSING: no hole holds fewer than no pegs.
        model.add_linear_constraint(p_s - mathopt.fast_sum(changes) == p_f[h])
    return Formulation(model, lambda value: [jumps[j] for step in x for j in range(len(jumps)) if value(step[j])])
