"""Fool's Solitaire by jump counts: choose how often each jump is made, then find an order in which to play them.

How often each jump is made determines the last position, whatever the order (Kiyomi and Matsui 2001). So a dead end
after T jumps is a solution of a small integer program. The solutions of that relaxation are enumerated, and each is
either ordered by search or discarded. Near the optimum there are few of them: on the English board 9 for c2 and
T = 12, where models with a variable per step search for hours.

Variables    x[j] = how often jump j is made; last[h] = 1 iff hole h holds a peg in the last position
Constraints  last = start + sum of x[j] * (+1 where j lands, -1 where it leaves or jumps over);  sum of x = T
             last is a dead end;  one of the jumps that are legal at the start is made
Objective    T grows from the least sum of x in the relaxation; the first T with a solution that can be played is the
             optimum, because all smaller T have been refuted
"""

from collections.abc import Iterable

from ortools.sat.python.cp_model import CpModel

from pegcp.modelling import Formulation, Jump, Problem, Value
from pegcp.modelling.ordering import from_counts, touching
from pegcp.theory.cases import play

BACKENDS = ("cp-sat",)
GOALS = ("dead-end",)
OBJECTIVES = ("any", "fewest-jumps")
HORIZON = "fewest-jumps"
PARAMETERS = {
    "cp_model_presolve": False, "use_sat_inprocessing": False, "restart_algorithms": "[LUBY_RESTART]", "cut_level": 0,
    "linearization_level": 1,  # the equations of the counts are the argument
}  # fmt: skip


def horizons(problem: Problem) -> Iterable[int]:
    """Return the numbers of jumps that a game can have, from the least that the relaxation allows."""
    return from_counts(problem)


def build(problem: Problem, horizon: int) -> Formulation[CpModel]:
    """Return the relaxation for exactly ``horizon`` jumps."""
    board, start = problem.board, problem.start.mask
    model = CpModel()
    x = [model.new_int_var(0, horizon, "jump_" + "_".join(board.jump_names(jump))) for jump in board.jumps]
    last = [model.new_bool_var(f"last_{hole}") for hole in board.holes]

    takes, lands = touching(board)
    for h in range(len(board.holes)):
        model.add(last[h] == (start >> h & 1) + sum(x[j] for j in lands[h]) - sum(x[j] for j in takes[h]))
    model.add(sum(x) == horizon)
    for jump in board.jumps:  # a dead end, as rows: the linear relaxation uses them
        model.add(last[jump.from_] + last[jump.over] <= last[jump.to] + 1)
    if horizon:
        model.add(sum(count for count, jump in zip(x, board.jumps, strict=True) if jump.is_legal(start)) >= 1)

    def jumps(value: Value) -> list[Jump] | None:
        outcome = play(problem, {j: value(count) for j, count in enumerate(x)})
        return outcome.jumps if outcome is not None and outcome.solved else None

    return Formulation(model, jumps, unordered=True)
