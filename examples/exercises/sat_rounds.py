"""Exercise: rounds in clauses, without one of the three clauses that carry a hole through a jump.

A round goes once through all jumps in one fixed order, and makes each or leaves it out.

Variables    made[i] is true iff the jump at place i of all rounds is made
             a hole has a variable before the first round, and a new one after each jump that touches it
Constraints  a jump that is made finds two pegs and a vacancy, and leaves the reverse
             from and over: a peg that stays was there before; to: a vacancy that stays was one before
             MISSING: where the jump is not made, its three holes lose nothing: a peg of from and over, the vacancy to
             first variables = start; last variables satisfy the goal
"""

from collections.abc import Iterable

from pegcp.modelling import Formulation, Problem
from pegcp.modelling.cnf import Clauses, begins_at_start, ends_in_goal
from pegcp.modelling.ordering import outside_in, round_counts

BACKENDS = ("cadical", "glucose")
GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def horizons(problem: Problem) -> Iterable[int]:
    """Numbers of rounds; the last, as many as jumps, is enough for every solution."""
    return round_counts(problem)


def build(problem: Problem, horizon: int) -> Formulation[Clauses]:
    """The clauses for ``horizon`` rounds."""
    board = problem.board
    sequence = outside_in(board) * horizon
    model = Clauses()
    peg = [model.variable(f"start_{hole}") for hole in board.holes]
    begins_at_start(model, problem, peg)
    made = [model.variable(f"made_{i}") for i in range(len(sequence))]
    for i, jump in enumerate(sequence):
        for hole in jump:
            before, peg[hole] = peg[hole], model.variable(f"{board.holes[hole]}_after_{i}")
            # x: what the jump needs here (a peg, or a vacancy) is here before it;  y: it is still here after it
            x, y = (-before, -peg[hole]) if hole == jump.to else (before, peg[hole])
            model.implies(made[i], x, -y)
            model.implies(y, x)
            # MISSING: if x, then y or the jump is made. model.add(l1, l2, ...) adds a clause, -l negates.
    ends_in_goal(model, problem, peg)
    return Formulation(model, lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)])
