"""Parallel steps: jumps that have no hole in common share a step, as in planning graphs.

With one jump per step a solution has as many orders as its independent jumps allow; parallel steps remove that symmetry
instead of breaking it, and shorten the horizon (the English central game: 13 steps instead of 31 jumps).

Variables    made[t, j] = 1 iff jump j is made in step t, t = 0 .. T-1
             idle[t] = 1 iff no jump is made in step t, because the goal is reached; only if the goal allows several
             numbers of jumps. Otherwise no step is idle: a solution of n jumps can be stretched to any T <= n steps
             peg[t, h] = 1 iff hole h holds a peg before step t, t = 0 .. T
Constraints  jump made -> pegs before at from and over, none at to, and the reverse after;
             a hole that changes is changed by a jump;  the jumps of a step touch each hole at most once
             idle[t] -> no jump is made in step t and idle[t+1]
             peg[0] = start; peg[T] satisfies the goal
Implied      pagoda: all jumps lose at most the weight of the start less that of the goal (pegcp.theory.pagoda)
Symmetry     symmetry: some jump of the first step is the first of its class under the symmetries of the problem
Horizon      few steps are quick to search, and as many steps as jumps are always enough
"""

from collections.abc import Iterable

from ortools.sat.python.cp_model import CpModel

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, pagoda_rows, step
from pegcp.modelling.ordering import first_of_class, parallel_steps

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-steps")
HORIZON = "fewest-steps"
PARAMETERS = {
    "cp_model_presolve": False, "cp_model_probing_level": 0, "use_sat_inprocessing": False,
    "restart_algorithms": "[LUBY_RESTART]", "initial_polarity": "POLARITY_TRUE",
}  # fmt: skip


def horizons(problem: Problem) -> Iterable[int]:
    """From half the jumps to all of them; every number where the fewest steps are wanted."""
    return parallel_steps(problem)


def build(problem: Problem, horizon: int, *, symmetry: bool = True, pagoda: bool = True) -> Formulation[CpModel]:
    """Return the model with ``horizon`` steps; ``symmetry`` and ``pagoda`` as above."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    around = [[j for j, jump in enumerate(jumps) if h in jump] for h in range(len(board.holes))]
    firsts = first_of_class(problem, jumps) if symmetry else range(len(jumps))
    varies = len(problem.lengths) > 1

    model = CpModel()
    peg = [[model.new_bool_var(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.new_bool_var(f"made_t{t:02}_{name}") for name in names] for t in range(T)]
    idle = [model.new_bool_var(f"idle_t{t:02}") for t in range(T)] if varies else []
    for t in range(T):
        step(model, board, peg[t], made[t], peg[t + 1])
        for touching in around:
            model.add_at_most_one(made[t][j] for j in touching)
        model.add_bool_or(*made[t], *idle[t : t + 1])
    for t, none in enumerate(idle):
        model.add_bool_and([*(~literal for literal in made[t]), *idle[t + 1 : t + 2]]).only_enforce_if(none)
    if symmetry and T:
        model.add_bool_or(*idle[:1], *(made[0][j] for j in firsts))
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])
    steps = by_step(board, made)
    if pagoda:
        pagoda_rows(model, problem, steps)

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        made=steps,
        peg=by_hole(board, peg),
    )
