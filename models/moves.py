"""One jump per step: moves[t] and bState[t, h], the constraint model of the literature.

Model C of Jefferson, Miguel, Miguel and Tarim (2006); problem 037 of CSPLib. J are the jumps, H the holes, and T is the
number of jumps of a solution; if the goal allows several numbers, the largest.

Variables    moves[t] = j: jump j in J is made at step t, t = 0 .. T-1; or |J|: no jump, for the goal has been reached
             bState[t, h] = 1 iff hole h in H holds a peg before step t, t = 0 .. T
Literals     made[t][j] = 1 iff moves[t] = j;  idle[t] = 1 iff moves[t] = |J|; only if the goal allows several T
Constraints  (1) bState[0] = start; bState[T] satisfies the goal
             (2) moves[t] has one value: sum of made[t][j] over J, and idle[t], is 1;  idle[t] -> idle[t+1]
             (3) moves[t] = j -> bState[t] has pegs at from(j) and over(j), none at to(j), and bState[t+1] the reverse
             (4) bState[t, h] > bState[t+1, h] -> moves[t] leaves h or jumps over it
                 bState[t, h] < bState[t+1, h] -> moves[t] lands in h
Symmetry     (5) order: independent jumps (no hole in common) commute; next to each other they are in rising order
             (6) if solutions are counted: no jump comes after a larger one before which it could be made, so that each
                 remains once (lexicographic normal form of traces: Anisimov and Knuth 1979)
Implied      (7) pagoda: for each pagoda function, all jumps together lose at most the weight of the start less that of
                 the goal (Jefferson et al. 2006; which functions: Kiyomi and Matsui 2001, see pegcp.theory.pagoda)
Search       step by step, jumps that begin outermost first, in turns with the solver's own strategy
             Parameters and encoding are those that ENCODINGS.md measures
"""

from ortools.sat.python.cp_model import CHOOSE_FIRST, SELECT_MAX_VALUE, CpModel, IntVar

from pegcp.modelling import Formulation, Objective, Problem, by_hole, by_step
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, normal_form, pagoda_rows
from pegcp.modelling.ordering import outside_in, smaller_independent, touching

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")
PARAMETERS = {
    "cp_model_presolve": False,  # presolve, probing and inprocessing take longer than the search itself
    "cp_model_probing_level": 0,
    "use_sat_inprocessing": False,
    "search_branching": "PORTFOLIO_SEARCH",  # the strategy of this model in turns with the solver's own
    "restart_algorithms": "[LUBY_RESTART]",  # often: the time until a first solution has a heavy tail
    "initial_polarity": "POLARITY_TRUE",  # a jump is made rather than left out
}


def build(problem: Problem, *, order: bool = True, pagoda: bool = True) -> Formulation[CpModel]:
    """Return the model. Counted are solutions up to the order of independent jumps; without ``order``, jump
    sequences."""
    board, jumps, T = problem.board, problem.board.jumps, problem.lengths[-1]
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    H, IDLE = range(len(board.holes)), len(jumps)
    takes, lands = touching(board)
    smaller = smaller_independent(jumps)

    # Step by step, each time moves before bState: the solver is quickest when it meets the variables in this order.
    model = CpModel()
    moves: list[IntVar] = []
    made: list[list[IntVar]] = []
    idle: list[list[IntVar]] = []  # at each step the literal, if there is one
    bState = {(0, h): model.new_bool_var(f"bState_t00_{board.holes[h]}") for h in H}
    for t in range(T):
        made.append([model.new_bool_var(f"made_t{t:02}_{name}") for name in names])
        idle.append([model.new_bool_var(f"idle_t{t:02}")] if len(problem.lengths) > 1 else [])
        moves.append(model.new_int_var(0, len(made[t] + idle[t]) - 1, f"moves_t{t:02}"))
        bState |= {(t + 1, h): model.new_bool_var(f"bState_t{t + 1:02}_{board.holes[h]}") for h in H}

        model.add_exactly_one(made[t] + idle[t])  # (2)
        model.add(moves[t] == sum(j * literal for j, literal in enumerate(made[t] + idle[t])))
        for j, (a, b, c) in enumerate(jumps):  # (3)
            before = bState[t, a], bState[t, b], ~bState[t, c]
            after = ~bState[t + 1, a], ~bState[t + 1, b], bState[t + 1, c]
            model.add_bool_and(*before, *after).only_enforce_if(made[t][j])
        for h in H:  # (4)
            model.add_bool_or(~bState[t, h], bState[t + 1, h], *(made[t][j] for j in takes[h]))
            model.add_bool_or(bState[t, h], ~bState[t + 1, h], *(made[t][j] for j in lands[h]))
    for t in range(1, T):
        for earlier, later in zip(idle[t - 1], idle[t], strict=True):
            model.add_implication(earlier, later)  # (2)
        if order and problem.objective is not Objective.COUNT:  # (5)
            others = [~literal for literal in made[t]]
            for j, numbers in enumerate(smaller):
                model.add_bool_and([others[k] for k in numbers]).only_enforce_if(made[t - 1][j])
    if order and problem.objective is Objective.COUNT:
        normal_form(model, jumps, made, idle)  # (6)
    pegs = [[bState[t, h] for h in H] for t in range(T + 1)]
    begins_at_start(model, problem, pegs[0])  # (1)
    ends_in_goal(model, problem, pegs[T])
    steps = by_step(board, made)
    if pagoda:
        pagoda_rows(model, problem, steps)  # (7)
    model.add_decision_strategy([step[j] for step in steps for j in outside_in(board)], CHOOSE_FIRST, SELECT_MAX_VALUE)

    return Formulation(
        model,
        lambda value: [jumps[value(move)] for move in moves if value(move) != IDLE],
        distinct="up to the order of independent jumps" if order else "jump sequences",
        moves=moves,
        made=steps,
        peg=by_hole(board, pegs),
    )
