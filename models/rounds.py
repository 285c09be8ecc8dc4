"""Rounds: each round passes all jumps once, in a fixed order, and makes or skips each.

In `parallel` the jumps of a step have no hole in common. Here a step is an exists-step of planning as satisfiability
(Rintanen, Heljanko and Niemela 2006): its jumps need only be possible one after another, so that half a dozen rounds
are enough for every board tried. The order is fixed beforehand, outermost jumps first: pegs move inwards in one round.

Variables    made[r, j] = 1 iff jump j is made in round r; the code below treats all rounds as one sequence
             a hole has a literal before the first round, and a new one after each jump that touches it
Constraints  jump made -> pegs before at from and over, none at to;  at each of the three holes, with x before and x'
             after:  from' = from and not made,  over' = over and not made,  not to' = not to and not made
             first literals = start; last literals satisfy the goal
Objective    to end near a position: minimise the weight of the holes that differ from it
Implied      pagoda: all jumps lose at most the weight of the start less that of the goal (pegcp.theory.pagoda)
Symmetry     early: between a jump and its place in the previous round, another jump touches one of its holes. So every
             jump is made as early as possible, and each solution remains once, up to the order of independent jumps
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
             bottom: from one round upwards, each refuted before the next is tried, so that the answer has the
             fewest rounds in this order of jumps
"""

from collections.abc import Iterable

from ortools.sat.python.cp_model import CpModel, IntVar

from pegcp.modelling import Formulation, Problem, by_hole, by_round
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, pagoda_rows
from pegcp.modelling.ordering import outside_in, round_counts, since_round_before

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial", "dead-end", "nearest")
OBJECTIVES = ("any", "count", "fewest-pegs", "nearest")
PARAMETERS = {
    "cp_model_presolve": False, "cp_model_probing_level": 0, "use_sat_inprocessing": False,
    "restart_algorithms": "[LUBY_RESTART]", "initial_polarity": "POLARITY_TRUE",
}  # fmt: skip


def horizons(problem: Problem, *, bottom: bool = False) -> Iterable[int]:
    """Return a few rounds, then more, then as many as jumps; ``bottom`` as above."""
    return round_counts(problem, bottom)


def build(problem: Problem, horizon: int, *, pagoda: bool = True, early: bool = True) -> Formulation[CpModel]:
    """Return the model with ``horizon`` rounds; ``pagoda`` and ``early`` switch the implied constraints.

    With ``early``, solutions are counted up to the order of independent jumps.
    """
    board, order = problem.board, outside_in(problem.board)
    sequence, since = order * horizon, since_round_before(order)

    model = CpModel()
    peg = [model.new_bool_var(f"start_{hole}") for hole in board.holes]
    begins_at_start(model, problem, peg)
    made: list[IntVar] = []
    between = [peg.copy()]
    for i, jump in enumerate(sequence):
        name = f"r{i // len(order):02}_" + "_".join(board.jump_names(jump))
        made.append(model.new_bool_var(name))
        if early and i >= len(order):
            model.add_bool_or(~made[i], *(made[i - back] for back in since[i % len(order)]))
        for hole in jump:
            before, peg[hole] = peg[hole], model.new_bool_var(f"{board.holes[hole]}_after_{name}")
            x, after = (~before, ~peg[hole]) if hole == jump.to else (before, peg[hole])
            model.add_bool_and(x, ~after).only_enforce_if(made[i])
            model.add_implication(after, x)
            model.add_bool_or(after, ~x, made[i])
        if (i + 1) % len(order) == 0:  # the round ends
            between.append(peg.copy())
    ends_in_goal(model, problem, peg)
    rounds = by_round(board, order, made)
    if pagoda:
        pagoda_rows(model, problem, rounds)
    if problem.sought is not None:
        model.minimize(problem.sought.cost(peg))

    return Formulation(
        model,
        lambda value: [jump for jump, literal in zip(sequence, made, strict=True) if value(literal)],
        distinct="up to the order of independent jumps" if early else "",
        made=rounds,
        peg=by_hole(board, between),
    )
