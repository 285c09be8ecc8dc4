"""Rounds in CPMpy: a round goes once through all jumps in one fixed order, and makes each or leaves it out.

The model `rounds` written once for many solvers: CPMpy rewrites it for each of them.

Variables    made[r, j] is true iff jump j is made in round r; below, all rounds one after the other are one sequence
             a hole has a variable before the first round, and a new one after each jump that touches it
Constraints  made -> pegs before at from and over, none at to; at each of the three holes, with x before and x' after:
             from' = from and not made,  over' = over and not made,  not to' = not to and not made
             first variables = start; last variables satisfy the goal
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
"""

from collections.abc import Iterable

import cpmpy as cp

from pegcp.modelling import Exact, Formulation, OnePeg, Partial, Problem
from pegcp.modelling.ordering import outside_in

BACKENDS = ("cpmpy-ortools", "cpmpy-z3", "cpmpy-pysat")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def horizons(problem: Problem) -> Iterable[int]:
    """A few rounds, then more, then as many as jumps."""
    most = problem.jump_counts[-1]
    return sorted({min(rounds, most) for rounds in (4, 5, 6, 7, 8, 10, 14, most)})


def build(problem: Problem, horizon: int) -> Formulation[cp.Model]:
    """The model with ``horizon`` rounds."""
    board, order = problem.board, outside_in(problem.board)
    sequence = order * horizon

    model = cp.Model()
    peg = [cp.boolvar(name=f"start_{hole}") for hole in board.holes]
    model += [literal if problem.start.mask >> h & 1 else ~literal for h, literal in enumerate(peg)]
    made = []
    for i, jump in enumerate(sequence):
        name = f"r{i // len(order):02}_" + "_".join(board.jump_names(jump))
        made.append(cp.boolvar(name=name))
        for hole in jump:
            before, peg[hole] = peg[hole], cp.boolvar(name=f"{board.holes[hole]}_after_{name}")
            x, after = (~before, ~peg[hole]) if hole == jump.to else (before, peg[hole])
            model += [made[i].implies(x), made[i].implies(~after), after.implies(x), after | ~x | made[i]]
    match problem.goal:
        case OnePeg():
            model += cp.sum(peg) == 1
        case Exact() | Partial():
            fixed = problem.final_pegs | problem.final_vacancies
            model += [last if problem.final_pegs >> h & 1 else ~last for h, last in enumerate(peg) if fixed >> h & 1]

    return Formulation(model, lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)])
