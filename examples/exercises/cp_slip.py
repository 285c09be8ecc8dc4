"""Exercise: one jump per step in CP-SAT, with all sentences, one of them in a line that is wrong.

Variables    made[t][j] = 1 iff jump j is made at step t;  peg[t][h] = 1 iff hole h holds a peg before step t
Constraints  each step makes exactly one jump
             a jump that is made finds two pegs and a vacancy, and leaves the reverse
             a hole that changes is changed by a jump
             peg[0] = start; peg[T] satisfies the goal
"""

from ortools.sat.python.cp_model import CpModel

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal
from pegcp.modelling.ordering import touching

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def build(problem: Problem) -> Formulation[CpModel]:
    """The model."""
    board, jumps, T = problem.board, problem.board.jumps, problem.lengths[-1]
    takes, lands = touching(board)  # for each hole: numbers of the jumps that take its peg; that land in it
    model = CpModel()
    made = [[model.new_bool_var(f"made_{t}_{j}") for j in range(len(jumps))] for t in range(T)]
    peg = [[model.new_bool_var(f"peg_{t}_{hole}") for hole in board.holes] for t in range(T + 1)]
    for t in range(T):
        model.add_exactly_one(made[t])
        for j, (a, b, c) in enumerate(jumps):
            model.add_bool_and(peg[t][a], peg[t][b], ~peg[t][c]).only_enforce_if(made[t][j])
            model.add_bool_and(~peg[t + 1][a], ~peg[t + 1][b], peg[t + 1][c]).only_enforce_if(made[t][j])
        for h in range(len(board.holes)):
            model.add_bool_or(~peg[t][h], peg[t + 1][h], *(made[t][j] for j in lands[h]))
            model.add_bool_or(peg[t][h], ~peg[t + 1][h], *(made[t][j] for j in lands[h]))
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])
    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        made=by_step(board, made),
        peg=by_hole(board, peg),
    )
