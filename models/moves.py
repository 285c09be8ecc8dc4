"""One jump per step: moves[t] and bState[t, hole], the CP model of the literature.

Jefferson, Miguel, Miguel and Tarim (2006), model C; CSPLib 037.

Variables    moves[t] = number of the jump made at step t, or idle once the goal is reached, t = 0 .. T-1
             bState[t, h] = 1 iff hole h holds a peg before step t, t = 0 .. T
Constraints  moves[t] = j  ->  bState[t] has pegs at from(j) and over(j), none at to(j); bState[t+1] the reverse
             h loses its peg at t  ->  moves[t] leaves h or jumps over it
             h gains a peg at t    ->  moves[t] lands in h
             moves[t] = idle       ->  moves[t+1] = idle
             bState[0] = start; bState[T] satisfies the goal
Symmetry     independent jumps (no hole in common) commute: next to each other they stand in rising order
"""

from ortools.sat.python.cp_model import CpModel

from pegcp.clauses import disordered, fix, step
from pegcp.formulation import Formulation
from pegcp.problem import OnePeg, Problem

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def build(problem: Problem, *, order: bool = True) -> Formulation[CpModel]:
    """The model; ``order`` puts independent jumps in order."""
    board, jumps = problem.board, problem.board.jumps
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    T = problem.jump_counts[-1]
    may_idle = len(problem.jump_counts) > 1

    model = CpModel()
    state = [[model.new_bool_var(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.new_bool_var(f"jump_t{t:02}_{name}") for name in names] for t in range(T)]
    idle = [model.new_bool_var(f"idle_t{t:02}") if may_idle else model.new_constant(0) for t in range(T)]
    moves = [model.new_int_var(0, len(jumps), f"moves_t{t:02}") for t in range(T)]

    for t in range(T):
        model.add_map_domain(moves[t], [*made[t], idle[t]])
        model.add_exactly_one(*made[t], idle[t])
        step(model, board, state[t], made[t], state[t + 1])
    for t in range(1, T):
        model.add_implication(idle[t - 1], idle[t])
        if order:
            for j, k in disordered(jumps):
                model.add_bool_or(~made[t - 1][j], ~made[t][k])

    fix(model, state[0], problem.start.mask, board.full & ~problem.start.mask)
    fix(model, state[T], problem.final_pegs, problem.final_vacancies)
    if isinstance(problem.goal, OnePeg):
        model.add_exactly_one(state[T])

    return Formulation(model, lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])])
