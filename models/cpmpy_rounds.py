"""Rounds in CPMpy: each round passes all jumps once, in a fixed order, and makes or skips each.

The model `rounds`, written once for many solvers: CPMpy compiles it for each of them.

Variables    made[r, j] is true iff jump j is made in round r; the code below treats all rounds as one sequence
             a hole has a variable before the first round, and a new one after each jump that touches it
Constraints  made -> pegs before at from and over, none at to; at each of the three holes, with x before and x' after:
             from' = from and not made,  over' = over and not made,  not to' = not to and not made
             first variables = start; last variables satisfy the goal
Symmetry     early: between a jump and its place in the previous round, another jump touches one of its holes. So every
             jump is made as early as possible, and each solution remains once, up to the order of independent jumps
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
             bottom: from one round upwards, each refuted before the next is tried, so that the answer has the
             fewest rounds in this order of jumps
"""

from collections.abc import Iterable
from typing import Any

import cpmpy as cp

from pegcp.modelling import Exact, Formulation, OnePeg, Partial, Problem, by_hole, by_round
from pegcp.modelling.ordering import outside_in, round_counts, since_round_before

BACKENDS = ("cpmpy-ortools", "cpmpy-z3", "cpmpy-pysat")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def horizons(problem: Problem, *, bottom: bool = False) -> Iterable[int]:
    """Return a few rounds, then more, then as many as jumps; ``bottom`` as above."""
    return round_counts(problem, bottom)


def build(problem: Problem, horizon: int, *, early: bool = True) -> Formulation[cp.Model]:
    """Return the model with ``horizon`` rounds; ``early`` as above."""
    board, order = problem.board, outside_in(problem.board)
    sequence, since = order * horizon, since_round_before(order)

    model = cp.Model()
    peg = [cp.boolvar(name=f"start_{hole}") for hole in board.holes]
    model += [literal if problem.start.mask >> h & 1 else ~literal for h, literal in enumerate(peg)]
    made: list[Any] = []
    between = [peg.copy()]
    for i, jump in enumerate(sequence):
        name = f"r{i // len(order):02}_" + "_".join(board.jump_names(jump))
        made.append(cp.boolvar(name=name))
        if early and i >= len(order):
            model += cp.any([~made[i], *(made[i - back] for back in since[i % len(order)])])
        for hole in jump:
            before, peg[hole] = peg[hole], cp.boolvar(name=f"{board.holes[hole]}_after_{name}")
            x, after = (~before, ~peg[hole]) if hole == jump.to else (before, peg[hole])
            model += [made[i].implies(x), made[i].implies(~after), after.implies(x), after | ~x | made[i]]
        if (i + 1) % len(order) == 0:  # the round ends
            between.append(peg.copy())
    match problem.goal:
        case OnePeg():
            model += cp.sum(peg) == 1
        case Exact() | Partial():
            fixed = problem.final_pegs | problem.final_vacancies
            model += [last if problem.final_pegs >> h & 1 else ~last for h, last in enumerate(peg) if fixed >> h & 1]

    return Formulation(
        model,
        lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)],
        made=by_round(board, order, made),
        peg=by_hole(board, between),
    )
