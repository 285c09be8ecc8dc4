"""Fool's Solitaire in clauses: a dead end in as few jumps as possible, one jump per step.

The model `fools` for SAT solvers. The clauses for T jumps include those for T-1, except the assumption that the game
ends there, so a solver keeps what it has learned: for c2 of the English board that halves the time.

Variables    made[t, j] is true iff jump j is made at step t; peg[t, h] iff hole h holds a peg after t jumps
             dead[t]: the position after t jumps is a dead end
Constraints  exactly one of made[t]
             jump made -> pegs before at from and over, none at to, and the reverse after;
             a hole that changes is changed by a jump
             dead[t] -> every jump lacks a peg or its vacancy after t jumps
             peg[0] = start
Assumed      dead[T]
Objective    T grows; the first T with a solution is the optimum, because every smaller one has been refuted
Symmetry     order: consecutive independent jumps (no hole in common) are in rising order
             symmetry: the first jump is the first of its class under the symmetries of the problem
"""

from collections.abc import Iterable

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.cnf import Clauses, begins_at_start, step
from pegcp.modelling.ordering import disordered, first_of_class

BACKENDS = ("cadical", "glucose")
GOALS = ("dead-end",)
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"


def horizons(problem: Problem) -> Iterable[int]:
    """Return the numbers of jumps that a game can have."""
    return problem.lengths


def build(problem: Problem, horizon: int, *, order: bool = True, symmetry: bool = True) -> Formulation[Clauses]:
    """Is there a dead end after exactly ``horizon`` jumps? ``order`` and ``symmetry`` as above."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]

    model = Clauses()
    peg: list[list[int]] = []
    made: list[list[int]] = []
    dead = 0
    for t in range(T + 1):
        peg.append([model.variable(f"peg_t{t:02}_{h}") for h in board.holes])
        if t == 0:
            begins_at_start(model, problem, peg[0])
        else:
            made.append([model.variable(f"made_t{t - 1:02}_{name}") for name in names])
            model.exactly_one(made[-1], f"one_t{t - 1:02}")
            step(model, board, peg[t - 1], made[-1], peg[t])
        if order and t > 1:
            for j, k in disordered(jumps):
                model.add(-made[-2][j], -made[-1][k])
        if symmetry and t == 1:
            model.add(*(made[0][j] for j in first_of_class(problem, jumps)))
        dead = model.variable(f"dead_t{t:02}")
        for jump in jumps:
            model.add(-dead, -peg[t][jump.from_], -peg[t][jump.over], peg[t][jump.to])
    model.assumed = [dead]

    return Formulation(
        model,
        lambda value: [jumps[j] for step in made for j, one in enumerate(step) if value(one)],
        made=by_step(board, made),
        peg=by_hole(board, peg),
    )
