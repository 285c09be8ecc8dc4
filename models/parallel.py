"""Parallel steps: jumps that have no hole in common share a step, as in planning graphs.

One jump per step leaves a solution as many orders as its independent jumps allow; parallel steps remove that symmetry
instead of breaking it, and shorten the horizon (the English central game: 13 steps instead of 31 jumps).

Variables    made[t, j] = 1 iff jump j is made in step t; peg[t, h] = 1 iff hole h holds a peg before step t
Constraints  the channelling of `moves`; the jumps of a step touch each hole at most once
             peg[0] = start; peg[T] satisfies the goal
             active[t] = 1 iff step t has a jump; no active step after an empty one. A solution of n jumps can be
             stretched to any T <= n steps, so that no step is empty when all solutions have n jumps
Implied      pagoda: the jumps together lose no more weight than the start has more than the goal (pegcp.theory.budgets)
Symmetry     early: every jump touches a hole of a jump in the step before (Foata's normal form of a sequence up to the
             order of independent jumps: each solution is left exactly once, in as few steps as it can have)
             symmetry: some jump of the first step is the first of its class under the symmetries of the problem
Horizon      few steps are quick to search, and as many steps as jumps are always enough
"""

from collections.abc import Iterable
from math import ceil

from ortools.sat.python.cp_model import CpModel

from pegcp.modelling import Formulation, Objective, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, pagoda_rows, step
from pegcp.modelling.ordering import first_of_class, step_counts

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-steps")
HORIZON = "fewest-steps"
PARAMETERS = {
    "cp_model_presolve": False, "cp_model_probing_level": 0, "use_sat_inprocessing": False,
    "restart_algorithms": "[LUBY_RESTART]", "initial_polarity": "POLARITY_TRUE",
}  # fmt: skip


def horizons(problem: Problem) -> Iterable[int]:
    """From half the jumps to all of them; every number where the fewest steps are wanted."""
    if problem.objective is Objective.FEWEST_STEPS:
        return step_counts(problem)
    most = problem.jump_counts[-1]
    return sorted({ceil(share * most) for share in (0.45, 0.52, 0.6, 0.8, 1)})


def build(
    problem: Problem, horizon: int, *, early: bool = False, symmetry: bool = True, pagoda: bool = True
) -> Formulation[CpModel]:
    """The model with ``horizon`` steps; ``early``, ``symmetry`` and ``pagoda`` as above."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    around = [[j for j, jump in enumerate(jumps) if h in jump] for h in range(len(board.holes))]
    near = [[k for k, other in enumerate(jumps) if not jump.independent_of(other)] for jump in jumps]

    model = CpModel()
    peg = [[model.new_bool_var(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.new_bool_var(f"made_t{t:02}_{name}") for name in names] for t in range(T)]
    active = [model.new_bool_var(f"active_t{t:02}") for t in range(T)]
    for t in range(T):
        step(model, board, peg[t], made[t], peg[t + 1])
        for touching in around:
            model.add_at_most_one(made[t][j] for j in touching)
        model.add_max_equality(active[t], made[t] or [model.new_constant(0)])  # a board may have no jumps
    for t in range(1, T):
        model.add_implication(active[t], active[t - 1])
        if early:
            for j in range(len(jumps)):
                model.add_bool_or(~made[t][j], *(made[t - 1][k] for k in near[j]))
    all_active = len(problem.jump_counts) == 1 and not early
    if all_active and T:
        model.add(active[T - 1] == 1)
    firsts = first_of_class(problem) if symmetry else range(len(jumps))
    if symmetry and T:
        model.add_bool_or(~active[0], *(made[0][j] for j in firsts))
    steps = by_step(board, made)
    if pagoda:
        pagoda_rows(model, problem, steps)
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        made=steps,
        peg=by_hole(board, peg),
    )
