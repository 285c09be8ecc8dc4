"""One jump per step in clauses: the model `moves` for SAT solvers.

The horizon is the number of jumps, which for most goals follows from start and goal. The English central game takes 31
steps, against 13 of `sat-parallel` and 6 of `sat-rounds`: this model is much slower.

Variables    made[t, j] is true iff jump j is made at step t; idle[t] iff no jump is, after the goal has been reached
             peg[t, h] is true iff hole h holds a peg before step t
Constraints  exactly one of made[t] and idle[t];  idle[t] -> idle[t+1]
             jump made -> pegs before at from and over, none at to, and the reverse after;
             a hole that changes is changed by a jump
             peg[0] = start; peg[T] satisfies the goal
Symmetry     order: consecutive independent jumps (no hole in common) are in rising order
             symmetry: the first jump is the first of its class under the symmetries of the problem
"""

from pegcp.modelling import Formulation, Objective, Problem, by_hole, by_step
from pegcp.modelling.cnf import Clauses, begins_at_start, ends_in_goal, step
from pegcp.modelling.ordering import disordered, first_of_class

BACKENDS = ("cadical", "glucose")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")


def build(problem: Problem, *, order: bool = True, symmetry: bool = True) -> Formulation[Clauses]:
    """Return the clauses; ``order`` and ``symmetry`` as above, both off where solutions are counted."""
    if problem.objective is Objective.COUNT:
        order = symmetry = False
    board, jumps, T = problem.board, problem.board.jumps, problem.lengths[-1]
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    may_idle = len(problem.lengths) > 1

    model = Clauses()
    peg = [[model.variable(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.variable(f"made_t{t:02}_{name}") for name in names] for t in range(T)]
    idle = [[model.variable(f"idle_t{t:02}")] if may_idle else [] for t in range(T)]
    for t in range(T):
        model.exactly_one(made[t] + idle[t], f"one_t{t:02}")
        step(model, board, peg[t], made[t], peg[t + 1])
        if t > 0:
            for before, after in zip(idle[t - 1], idle[t], strict=True):
                model.implies(before, after)
            if order:
                for j, k in disordered(jumps):
                    model.add(-made[t - 1][j], -made[t][k])
    if symmetry and T > 0:
        model.add(*idle[0], *(made[0][j] for j in first_of_class(problem, jumps)))
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        distinct="" if order or symmetry else "jump sequences",
        made=by_step(board, made),
        peg=by_hole(board, peg),
    )
