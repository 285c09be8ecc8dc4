"""Fool's Solitaire: a dead end in as few jumps as possible, as moves[t] with the value DeadEnd.

Jefferson, Miguel, Miguel and Tarim (2006), section on Fool's Solitaire.

Variables    moves[t] = number of the jump made at step t < T, by its literals made[t][j]; moves[T] = DeadEnd
             bState[t][h] = 1 iff hole h holds a peg before step t, t = 0 .. T
Transition   as in `moves`: a jump requires and changes its three holes, and every change of a hole is due to a jump
DeadEnd      is allowed only in a position without a legal jump, so bState[T] is a dead end
Start        bState[0] = start
Objective    T, the number of jumps: T grows from the least that jump counts allow, as in `fools-counts`; the first T
             with a solution is the optimum, because all smaller T have been refuted
Order        consecutive independent jumps (no hole in common) are in rising order
Implied      counts: n[j] = how often jump j is made; bState[T] = start + sum of n[j] * (+1 where j lands, -1 where it
             leaves or jumps over). The solver's linear relaxation uses these rows, and the dead end as rows
Search       the counts first
"""

from collections.abc import Iterable

from ortools.sat.python.cp_model import CHOOSE_FIRST, SELECT_MIN_VALUE, CpModel

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, step
from pegcp.modelling.ordering import from_counts, smaller_independent, touching

BACKENDS = ("cp-sat",)
GOALS = ("dead-end",)
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"
PARAMETERS = {
    "cp_model_presolve": False, "cp_model_probing_level": 0, "use_sat_inprocessing": False,
    "search_branching": "FIXED_SEARCH", "restart_algorithms": "[LUBY_RESTART]", "linearization_level": 1,
}  # fmt: skip


def horizons(problem: Problem) -> Iterable[int]:
    """The numbers of jumps that a game can have, from the least that jump counts allow."""
    return from_counts(problem)


def build(problem: Problem, horizon: int, *, order: bool = True) -> Formulation[CpModel]:
    """Is there a dead end after exactly ``horizon`` jumps? ``order`` puts independent jumps in order."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    smaller = smaller_independent(jumps) if order else []

    model = CpModel()
    bState = [[model.new_bool_var(f"bState_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.new_bool_var(f"made_t{t:02}_{name}") for name in names] for t in range(T)]
    for t in range(T):
        model.add_exactly_one(made[t])
        step(model, board, bState[t], made[t], bState[t + 1])
        left = [~literal for literal in made[t]]
        for j, numbers in enumerate(smaller if t > 0 else []):
            model.add_bool_and([left[k] for k in numbers]).only_enforce_if(made[t - 1][j])
    begins_at_start(model, problem, bState[0])
    ends_in_goal(model, problem, bState[T])
    steps = by_step(board, made)
    n = [model.new_int_var(0, T, f"n_{name}") for name in names]
    model.add(sum(n) == T)
    for j in range(len(jumps)):
        model.add(n[j] == sum(made[t][j] for t in range(T)))
    for h, (takes, lands) in enumerate(zip(*touching(board), strict=True)):
        was = problem.start.mask >> h & 1
        model.add(bState[T][h] == was + sum(n[j] for j in lands) - sum(n[j] for j in takes))
    for a, b, c in jumps:
        model.add(bState[T][a] + bState[T][b] <= bState[T][c] + 1)
    model.add_decision_strategy(n, CHOOSE_FIRST, SELECT_MIN_VALUE)

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        made=steps,
        peg=by_hole(board, bState),
    )
