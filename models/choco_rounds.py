"""Rounds in Choco: each round passes all jumps once, in a fixed order, and makes or skips each.

The model `rounds` for a constraint solver with domains and propagators. The three equations of a jump propagate more
than single clauses do, and the solver can learn from each failure (lazy clause generation).

Variables    made[r, j] = 1 iff jump j is made in round r; the code below treats all rounds as one sequence
             a hole has a variable before the first round, and a new one after each jump that touches it
Constraints  from' = from - made,  over' = over - made,  to' = to + made
             first variables = start; last variables satisfy the goal
Symmetry     early: between a jump and its place in the previous round, another jump touches one of its holes. So every
             jump is made as early as possible, and each solution remains once, up to the order of independent jumps
Search       backwards, round by round, skipping each jump first, if the goal is one position; otherwise forwards,
             making each jump first
             learning: the reasons of failures are kept as clauses
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
             bottom: from one round upwards, each refuted before the next is tried, so that the answer has the
             fewest rounds in this order of jumps
"""

from collections.abc import Iterable
from typing import Any

from pychoco.model import Model
from pychoco.variables.boolvar import BoolVar

from pegcp.modelling import Exact, Formulation, OnePeg, Partial, Problem, by_hole, by_round
from pegcp.modelling.ordering import outside_in, round_counts, since_round_before

BACKENDS = ("choco",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def horizons(problem: Problem, *, bottom: bool = False) -> Iterable[int]:
    """Return a few rounds, then more, then as many as jumps; ``bottom`` as above."""
    return round_counts(problem, bottom)


def build(problem: Problem, horizon: int, *, early: bool = True, learning: bool = True) -> Formulation[Model]:
    """Return the model with ``horizon`` rounds; ``early`` and ``learning`` as above."""
    board, order = problem.board, outside_in(problem.board)
    sequence, since = order * horizon, since_round_before(order)

    model = Model("choco-rounds", lcg=learning)
    start = problem.start.mask
    peg = [model.intvar(start >> h & 1, name=f"start_{hole}") for h, hole in enumerate(board.holes)]
    made: list[BoolVar] = []
    between = [peg.copy()]
    for i, jump in enumerate(sequence):
        name = f"r{i // len(order):02}_" + "_".join(board.jump_names(jump))
        made.append(model.boolvar(name=name))
        if early and i >= len(order):
            model.add_clauses([made[i - back] for back in since[i % len(order)]], [made[i]])
        for hole in jump:
            before, peg[hole] = peg[hole], model.boolvar(name=f"{board.holes[hole]}_after_{name}")
            model.arithm(before, "+" if hole == jump.to else "-", made[i], "=", peg[hole]).post()
        if (i + 1) % len(order) == 0:  # the round ends
            between.append(peg.copy())
    match problem.goal:
        case OnePeg():
            model.sum(peg, "=", 1).post()
        case Exact() | Partial():
            for h, last in enumerate(peg):
                if (problem.final_pegs | problem.final_vacancies) >> h & 1:
                    model.arithm(last, "=", problem.final_pegs >> h & 1).post()
    solver: Any = model.get_solver()  # its methods have no types
    if isinstance(problem.goal, Exact) and made:
        solver.set_input_order_lb_search(*reversed(made))
    elif made:
        solver.set_input_order_ub_search(*made)

    return Formulation(
        model,
        lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)],
        made=by_round(board, order, made),
        peg=by_hole(board, between),
    )
