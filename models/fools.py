"""Fool's Solitaire: a dead end in as few jumps as possible, as moves[t] with the value DeadEnd.

Jefferson, Miguel, Miguel and Tarim (2006), section on Fool's Solitaire. J are the jumps, H the holes.

Variables    moves[t] = j: jump j in J is made at step t, t = 0 .. T; or DeadEnd = |J|: no jump is possible any more
             bState[t, h] = 1 iff hole h in H holds a peg before step t, t = 0 .. T
Literals     made[t][j] = 1 iff moves[t] = j, t = 0 .. T-1;  dead[t] = 1 iff moves[t] = DeadEnd
Transition   as in `moves`: a jump requires and changes its three holes, and every change of a hole is due to a jump
DeadEnd      dead[t] -> in bState[t] every jump lacks a peg or its vacancy
Start        bState[0] = start
Objective    DeadEnd as early as possible: at T, not before. T grows from the least that jump counts allow, as in
             `fools-counts`; the first T with a solution is the optimum, because all smaller T have been refuted
Order        consecutive independent jumps (no hole in common) are in rising order
Implied      counts: n[j] = how often jump j is made; bState[T] = start + sum of n[j] * (+1 where j lands, -1 where it
             leaves or jumps over). The solver's linear relaxation uses these rows, and the dead end as rows
Search       the counts first
"""

from collections.abc import Iterable

from ortools.sat.python.cp_model import CHOOSE_FIRST, SELECT_MIN_VALUE, CpModel

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, dead_end, step
from pegcp.modelling.ordering import from_counts, smaller_independent, touching

BACKENDS = ("cp-sat",)
GOALS = ("dead-end",)
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"
PARAMETERS = {
    "cp_model_presolve": False,  # as in `moves`
    "cp_model_probing_level": 0,
    "use_sat_inprocessing": False,
    "search_branching": "FIXED_SEARCH",  # the strategy of this model alone
    "restart_algorithms": "[LUBY_RESTART]",
    "linearization_level": 1,  # the counts are equations: here the linear relaxation is the argument
}


def horizons(problem: Problem) -> Iterable[int]:
    """Return the numbers of jumps that a game can have, from the least that jump counts allow."""
    return from_counts(problem)


def build(problem: Problem, horizon: int, *, order: bool = True) -> Formulation[CpModel]:
    """Is there a dead end after exactly ``horizon`` jumps? ``order`` puts independent jumps in order."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    DeadEnd = len(jumps)
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    smaller = smaller_independent(jumps) if order else []
    takes, lands = touching(board)

    model = CpModel()
    bState = [[model.new_bool_var(f"bState_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.new_bool_var(f"made_t{t:02}_{name}") for name in names] for t in range(T)]
    dead = [model.new_bool_var(f"dead_t{t:02}") for t in range(T + 1)]
    moves = [model.new_int_var(0, DeadEnd, f"moves_t{t:02}") for t in range(T + 1)]
    for t in range(T + 1):
        values = {**dict(enumerate(made[t] if t < T else ())), DeadEnd: dead[t]}
        model.add_exactly_one(values.values())
        model.add(moves[t] == sum(number * literal for number, literal in values.items()))
        model.add(dead[t] == (t == T))  # the objective: DeadEnd at T, and not before
        dead_end(model, board, bState[t], if_true=[dead[t]])
    for t in range(T):
        step(model, board, bState[t], made[t], bState[t + 1])
        others = [~literal for literal in made[t]]
        for j, numbers in enumerate(smaller if t > 0 else []):
            model.add_bool_and([others[k] for k in numbers]).only_enforce_if(made[t - 1][j])
    begins_at_start(model, problem, bState[0])
    n = [model.new_int_var(0, T, f"n_{name}") for name in names]
    model.add(sum(n) == T)
    for j in range(len(jumps)):
        model.add(n[j] == sum(made[t][j] for t in range(T)))
    for h in range(len(board.holes)):
        start = problem.start.mask >> h & 1
        model.add(bState[T][h] == start + sum(n[j] for j in lands[h]) - sum(n[j] for j in takes[h]))
    for a, b, c in jumps:  # the dead end again, as rows (for the relaxation)
        model.add(bState[T][a] + bState[T][b] <= bState[T][c] + 1)
    model.add_decision_strategy(n, CHOOSE_FIRST, SELECT_MIN_VALUE)

    return Formulation(
        model,
        lambda value: [jumps[value(move)] for move in moves if value(move) != DeadEnd],
        moves=moves,
        made=by_step(board, made),
        peg=by_hole(board, bState),
    )
