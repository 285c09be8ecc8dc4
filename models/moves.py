"""One jump per step: moves[t] and bState[t, hole], the CP model of the literature.

Jefferson, Miguel, Miguel and Tarim (2006), model C; CSPLib 037.

Variables    moves[t] = number of the jump made at step t, t = 0 .. T-1; made[t][j] = 1 iff moves[t] = j
             idle[t] = 1 iff no jump is made at step t, because the goal is reached; only if the goal allows several T
             bState[t][h] = 1 iff hole h holds a peg before step t, t = 0 .. T
Transition   moves[t] = j  ->  bState[t] has pegs at from(j) and over(j), none at to(j); bState[t+1] the reverse
             h loses its peg at t  ->  moves[t] leaves h or jumps over it
             h gains a peg at t    ->  moves[t] lands in h
Order        independent jumps (no hole in common) commute: consecutive ones are in rising order
             if solutions are counted, no jump comes after a larger one if it could be moved before it: each solution
             remains once (lexicographic normal form of traces: Anisimov and Knuth 1979)
Start, goal  bState[0] = start; bState[T] satisfies the goal
Implied      pagoda: all jumps together lose at most the weight of the start less that of the goal (section 5)
Search       step by step, jumps that begin outermost first, alternating with the solver's own strategy
"""

from ortools.sat.python.cp_model import CHOOSE_FIRST, SELECT_MAX_VALUE, CpModel, IntVar

from pegcp.modelling import Formulation, Objective, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, normal_form, pagoda_rows
from pegcp.modelling.ordering import outside_in, smaller_independent, touching

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")
PARAMETERS = {
    "cp_model_presolve": False, "cp_model_probing_level": 0, "use_sat_inprocessing": False,
    "search_branching": "PORTFOLIO_SEARCH", "restart_algorithms": "[LUBY_RESTART]", "initial_polarity": "POLARITY_TRUE",
}  # fmt: skip


def build(problem: Problem, *, order: bool = True, pagoda: bool = True) -> Formulation[CpModel]:
    """The model. Counted are solutions up to the order of independent jumps; without ``order``, jump sequences."""
    board, jumps, T = problem.board, problem.board.jumps, problem.jump_counts[-1]
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    takes, lands = touching(board)
    smaller = smaller_independent(jumps) if order and problem.objective is not Objective.COUNT else []

    model = CpModel()
    made: list[list[IntVar]] = []
    bState = [[model.new_bool_var(f"bState_t00_{h}") for h in board.holes]]
    idle = [model.new_bool_var(f"idle_t{t:02}") for t in range(T)] if len(problem.jump_counts) > 1 else []
    for t in range(T):  # the transition
        made.append([model.new_bool_var(f"made_t{t:02}_{name}") for name in names])
        bState.append([model.new_bool_var(f"bState_t{t + 1:02}_{h}") for h in board.holes])
        model.add_exactly_one(*made[t], *idle[t : t + 1])
        for j, (a, b, c) in enumerate(jumps):
            change = bState[t][a], bState[t][b], ~bState[t][c], ~bState[t + 1][a], ~bState[t + 1][b], bState[t + 1][c]
            model.add_bool_and(change).only_enforce_if(made[t][j])
        for h in range(len(board.holes)):
            model.add_bool_or(~bState[t][h], bState[t + 1][h], *(made[t][j] for j in takes[h]))
            model.add_bool_or(bState[t][h], ~bState[t + 1][h], *(made[t][j] for j in lands[h]))
    for t in range(1, T):  # the order
        left = [~literal for literal in made[t]]
        for j, numbers in enumerate(smaller):
            model.add_bool_and([left[k] for k in numbers]).only_enforce_if(made[t - 1][j])
        if idle:
            model.add_implication(idle[t - 1], idle[t])
    if order and problem.objective is Objective.COUNT:
        normal_form(model, jumps, made, idle)
    begins_at_start(model, problem, bState[0])
    ends_in_goal(model, problem, bState[T])
    steps = by_step(board, made)
    if pagoda:
        pagoda_rows(model, problem, steps)
    model.add_decision_strategy([step[j] for step in steps for j in outside_in(board)], CHOOSE_FIRST, SELECT_MAX_VALUE)
    moves = [sum(j * literal for j, literal in enumerate([*made[t], *idle[t : t + 1]])) for t in range(T)]
    return Formulation(
        model,
        lambda value: [jumps[value(move)] for move in moves if value(move) < len(jumps)],  # else idle
        distinct="up to the order of independent jumps" if order else "jump sequences",
        made=steps,
        peg=by_hole(board, bState),
    )
