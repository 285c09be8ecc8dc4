"""Exercise: rounds in CP-SAT that find each solution several times; the model is right but for its count.

A round goes once through all jumps in one fixed order, and makes each or leaves it out. Independent jumps (no hole in
common) commute, so one solution stands in the rounds in several ways.

Variables    made[i] = 1 iff the jump at place i of all rounds is made
Constraints  those of the model rounds
Symmetry     MISSING: early: a jump is made only if, since its own place in the round before, a jump is made that has a
             hole in common with it. So every jump stands as early as it can
"""

from collections.abc import Iterable

from ortools.sat.python.cp_model import CpModel

from pegcp.modelling import Formulation, Problem
from pegcp.modelling.clauses import begins_at_start, ends_in_goal
from pegcp.modelling.ordering import outside_in, round_counts, since_round_before

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg")
OBJECTIVES = ("any", "count")


def horizons(problem: Problem) -> Iterable[int]:
    """Numbers of rounds; the last, as many as jumps, is enough for every solution."""
    return round_counts(problem)


def build(problem: Problem, horizon: int) -> Formulation[CpModel]:
    """The model with ``horizon`` rounds."""
    board, order = problem.board, outside_in(problem.board)
    n, since = len(order), since_round_before(order)  # since[j]: how many places back stand those with a common hole
    sequence = order * horizon
    model = CpModel()
    peg = [model.new_bool_var(f"start_{hole}") for hole in board.holes]
    begins_at_start(model, problem, peg)
    made = [model.new_bool_var(f"made_{i}") for i in range(len(sequence))]
    for i, jump in enumerate(sequence):
        # MISSING: from the second round on (i >= n), made[i] needs one of the made[i - back], back in since[i % n].
        for hole in jump:
            before, peg[hole] = peg[hole], model.new_bool_var(f"{board.holes[hole]}_after_{i}")
            x, after = (~before, ~peg[hole]) if hole == jump.to else (before, peg[hole])
            model.add_bool_and(x, ~after).only_enforce_if(made[i])
            model.add_implication(after, x)
            model.add_bool_or(after, ~x, made[i])
    ends_in_goal(model, problem, peg)
    return Formulation(
        model,
        lambda value: [jump for jump, one in zip(sequence, made, strict=True) if value(one)],
        distinct="up to the order of independent jumps",
    )
