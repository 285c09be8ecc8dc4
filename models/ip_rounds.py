"""Rounds as an integer program: each round passes all jumps once, in a fixed order, and makes or skips each.

The model `rounds` in equations, three for each jump. For the English board six rounds of 76 jumps are enough; one jump
per step takes 31 steps of 76.

Variables    made[r, j] = 1 iff jump j is made in round r; the code below treats all rounds as one sequence
             a hole has a variable in [0, 1] before the first round, and a new one after each jump that touches it:
             1 iff it holds a peg; integer because made is
Constraints  from' = from - made,  over' = over - made,  to' = to + made
             first variables = start; last variables satisfy the goal
Symmetry     early: between a jump and its place in the previous round, another jump touches one of its holes. So every
             jump is made as early as possible, and each solution remains once, up to the order of independent jumps
Objective    to end near a position: minimise the weight of the holes that differ from it
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
             bottom: from one round upwards, each refuted before the next is tried, so that the answer has the
             fewest rounds in this order of jumps
"""

from collections.abc import Iterable

from ortools.math_opt.python import mathopt

from pegcp.modelling import Formulation, Problem, by_hole, by_round
from pegcp.modelling.ordering import outside_in, round_counts, since_round_before
from pegcp.theory.equations import final_position

BACKENDS = ("cp-sat-mathopt", "scip", "highs")
GOALS = ("exact", "one-peg", "partial", "dead-end", "nearest")
OBJECTIVES = ("any", "fewest-pegs", "nearest")


def horizons(problem: Problem, *, bottom: bool = False) -> Iterable[int]:
    """Return a few rounds, then more, then as many as jumps; ``bottom`` as above."""
    return round_counts(problem, bottom)


def build(problem: Problem, horizon: int, *, early: bool = True) -> Formulation[mathopt.Model]:
    """Return the program for ``horizon`` rounds; ``early`` as above."""
    board, order = problem.board, outside_in(problem.board)
    sequence, since = order * horizon, since_round_before(order)

    model = mathopt.Model(name="ip-rounds")
    peg = [model.add_variable(lb=0, ub=1, name=f"start_{hole}") for hole in board.holes]
    for hole, variable in enumerate(peg):
        variable.lower_bound = variable.upper_bound = problem.start.mask >> hole & 1
    made: list[mathopt.Variable] = []
    between = [peg.copy()]
    for i, jump in enumerate(sequence):
        name = f"r{i // len(order):02}_" + "_".join(board.jump_names(jump))
        made.append(model.add_binary_variable(name=name))
        if early and i >= len(order):
            model.add_linear_constraint(made[i] <= mathopt.fast_sum(made[i - back] for back in since[i % len(order)]))
        for hole in jump:
            before = peg[hole]
            peg[hole] = model.add_variable(lb=0, ub=1, name=f"{board.holes[hole]}_after_{name}")
            change = made[i] if hole == jump.to else -made[i]
            model.add_linear_constraint(peg[hole] == before + change, name=f"{board.holes[hole]}_at_{name}")
        if (i + 1) % len(order) == 0:  # the round ends
            between.append(peg.copy())
    for last, final in zip(peg, final_position(model, problem), strict=True):
        model.add_linear_constraint(last == final, name=f"end_{final.name}")
    if problem.sought is not None:
        model.minimize(problem.sought.cost(peg))

    return Formulation(
        model,
        lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)],
        made=by_round(board, order, made),
        peg=by_hole(board, between),
    )
