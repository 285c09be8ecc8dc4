"""One jump per step: moves[t] and bState[t, hole], the CP model of the literature.

Jefferson, Miguel, Miguel and Tarim (2006), model C; CSPLib 037.

Variables    moves[t] = number of the jump made at step t, or `idle` once the goal is reached, t = 0 .. T-1
             bState[t, h] = 1 iff hole h holds a peg before step t, t = 0 .. T
Constraints  moves[t] = j    ->  bState[t] has pegs at from(j), over(j), none at to(j); bState[t+1] the reverse
             h loses its peg at t  ->  moves[t] leaves h or jumps over it
             h gains a peg at t    ->  moves[t] lands on h
             moves[t] = idle -> moves[t+1] = idle
             bState[0] = start; bState[T] satisfies the goal
Symmetry     independent jumps (no hole in common) commute: next to each other they stand in rising order
"""

from ortools.sat.python.cp_model import CpModel

from pegcp.formulation import Formulation
from pegcp.problem import OnePeg, Problem

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def build(problem: Problem, *, order: bool = True) -> Formulation[CpModel]:
    """The model; ``order`` switches the ordering of independent jumps."""
    holes, jumps = range(len(problem.board.holes)), problem.board.jumps
    names = ["_".join(problem.board.jump_names(jump)) for jump in jumps]
    steps = range(problem.jump_counts[-1])
    idle = len(jumps)
    may_idle = len(problem.jump_counts) > 1

    model = CpModel()
    state = [[model.new_bool_var(f"peg_t{t:02}_{h}") for h in problem.board.holes] for t in range(len(steps) + 1)]
    moves = [model.new_int_var(0, idle if may_idle else idle - 1, f"moves_t{t:02}") for t in steps]
    made = [[model.new_bool_var(f"jump_t{t:02}_{name}") for name in names] for t in steps]
    rests = [model.new_bool_var(f"idle_t{t:02}") for t in steps] if may_idle else []

    for t in steps:
        choices = made[t] + rests[t : t + 1]
        model.add_map_domain(moves[t], choices)
        model.add_exactly_one(choices)
        for literal, jump in zip(made[t], jumps, strict=True):
            before, after = state[t], state[t + 1]
            model.add_bool_and(before[jump.from_], before[jump.over], ~before[jump.to]).only_enforce_if(literal)
            model.add_bool_and(~after[jump.from_], ~after[jump.over], after[jump.to]).only_enforce_if(literal)
        for h in holes:
            lose = [m for m, jump in zip(made[t], jumps, strict=True) if h in (jump.from_, jump.over)]
            gain = [m for m, jump in zip(made[t], jumps, strict=True) if h == jump.to]
            model.add_bool_or(~state[t][h], state[t + 1][h], *lose)
            model.add_bool_or(state[t][h], ~state[t + 1][h], *gain)
        if may_idle and t > 0:
            model.add_implication(rests[t - 1], rests[t])

    if order:
        disordered = [
            (j, k) for j in range(idle) for k in range(j) if jumps[j].independent_of(jumps[k])
        ]
        for t in steps[1:]:
            for j, k in disordered:
                model.add_bool_or(~made[t - 1][j], ~made[t][k])

    for h in holes:
        model.add(state[0][h] == (problem.start.mask >> h & 1))
        if problem.final_pegs >> h & 1:
            model.add(state[-1][h] == 1)
        if problem.final_vacancies >> h & 1:
            model.add(state[-1][h] == 0)
    if isinstance(problem.goal, OnePeg):
        model.add_exactly_one(state[-1])

    return Formulation(
        model, lambda value: [jump for t in steps for m, jump in zip(made[t], jumps, strict=True) if value(m)]
    )
