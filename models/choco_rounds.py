"""Rounds in Choco: a round goes once through all jumps in one fixed order, and makes each or leaves it out.

The model `rounds` for a solver of constraint programming that works with domains and propagators. Three equations a
jump propagate more than clauses do one by one, and from each failure it can learn (lazy clause generation).

Variables    made[r, j] = 1 iff jump j is made in round r; below, all rounds one after the other are one sequence
             a hole has a variable before the first round, and a new one after each jump that touches it
Constraints  from' = from - made,  over' = over - made,  to' = to + made
             first variables = start; last variables satisfy the goal
Search       learning: failures are explained, and their reasons kept as clauses
Horizon      few rounds are quick to search, and as many rounds as jumps are always enough
"""

from collections.abc import Iterable

from pychoco.model import Model
from pychoco.variables.boolvar import BoolVar

from pegcp.modelling import Exact, Formulation, OnePeg, Partial, Problem
from pegcp.modelling.ordering import outside_in

BACKENDS = ("choco",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def horizons(problem: Problem) -> Iterable[int]:
    """A few rounds, then more, then as many as jumps."""
    most = problem.jump_counts[-1]
    return sorted({min(rounds, most) for rounds in (5, 6, 7, 8, 10, 14, most)})


def build(problem: Problem, horizon: int, *, learning: bool = True) -> Formulation[Model]:
    """The model with ``horizon`` rounds; ``learning`` as above."""
    board, order = problem.board, outside_in(problem.board)
    sequence = order * horizon

    model = Model("choco-rounds", lcg=learning)
    start = problem.start.mask
    peg = [model.intvar(start >> h & 1, name=f"start_{hole}") for h, hole in enumerate(board.holes)]
    made: list[BoolVar] = []
    for i, jump in enumerate(sequence):
        name = f"r{i // len(order):02}_" + "_".join(board.jump_names(jump))
        made.append(model.boolvar(name=name))
        for hole in jump:
            before, peg[hole] = peg[hole], model.boolvar(name=f"{board.holes[hole]}_after_{name}")
            model.arithm(before, "+" if hole == jump.to else "-", made[i], "=", peg[hole]).post()
    match problem.goal:
        case OnePeg():
            model.sum(peg, "=", 1).post()
        case Exact() | Partial():
            for h, last in enumerate(peg):
                if (problem.final_pegs | problem.final_vacancies) >> h & 1:
                    model.arithm(last, "=", problem.final_pegs >> h & 1).post()

    return Formulation(model, lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)])
