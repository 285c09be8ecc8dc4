"""A step of jumps as clauses of CP-SAT: the part that the CP-SAT models share.

Written with implications and frame clauses the models solve several times faster than with linear equalities.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pegcp.modelling import Board, ByJump, DeadEnd, Jump, OnePeg, Problem
from pegcp.modelling.ordering import touching
from pegcp.theory.pagoda import pagodas

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    Literals = Sequence[IntVar]


def step(model: CpModel, board: Board, before: Literals, made: Literals, after: Literals) -> None:
    """Channel the jumps made in a step with the pegs before and after it.

    ``before`` and ``after`` have a literal for each hole (peg or not), ``made`` one for each jump of the board. A jump
    made has its pegs and its vacancy before and the reverse after; a hole that changes is changed by a jump.
    """
    for literal, jump in zip(made, board.jumps, strict=True):
        model.add_bool_and(before[jump.from_], before[jump.over], ~before[jump.to]).only_enforce_if(literal)
        model.add_bool_and(~after[jump.from_], ~after[jump.over], after[jump.to]).only_enforce_if(literal)
    takes, lands = touching(board)
    for hole in range(len(board.holes)):
        model.add_bool_or(~before[hole], after[hole], *(made[j] for j in takes[hole]))
        model.add_bool_or(before[hole], ~after[hole], *(made[j] for j in lands[hole]))


def begins_at_start(model: CpModel, problem: Problem, first: Literals) -> None:
    """Require that the first position (a literal for each hole: peg or not) is the start of the problem."""
    _fix(model, first, problem.start.mask, problem.board.full & ~problem.start.mask)


def ends_in_goal(model: CpModel, problem: Problem, last: Literals) -> None:
    """Require that the last position (a literal for each hole: peg or not) satisfies the goal of the problem."""
    _fix(model, last, problem.final_pegs, problem.final_vacancies)
    if isinstance(problem.goal, OnePeg):
        model.add_exactly_one(last)
    elif isinstance(problem.goal, DeadEnd):
        dead_end(model, problem.board, last)


def _fix(model: CpModel, literals: Literals, pegs: int, vacancies: int) -> None:
    for hole, literal in enumerate(literals):
        if (pegs | vacancies) >> hole & 1:
            model.add(literal == (pegs >> hole & 1))


def dead_end(model: CpModel, board: Board, pegs: Literals, if_true: Literals = ()) -> None:
    """Require that no jump is possible: every jump lacks a peg or its vacancy. With literals ``if_true``, if all of
    them are."""
    unless = [~literal for literal in if_true]
    for jump in board.jumps:
        model.add_bool_or(*unless, ~pegs[jump.from_], ~pegs[jump.over], pegs[jump.to])


def pagoda_rows(model: CpModel, problem: Problem, made: Sequence[ByJump]) -> None:
    """For each pagoda function a row: all jumps together lose no more weight than its slack.

    The rows are over the literals themselves: sums of them, which rows could share, make the solver many times slower.
    """
    literals = {jump: [step[jump].index for step in made] for jump in problem.board.jumps}
    for weights in pagodas(problem):
        costs = {jump: cost for jump in literals if (cost := weights.cost(jump))}
        row = model.proto.constraints.add().linear  # ten times as fast as to make an expression and add it
        row.vars.extend(literal for jump in costs for literal in literals[jump])
        row.coeffs.extend(cost for cost in costs.values() for _ in made)
        row.domain.extend([-(1 << 63), weights.slack])


def normal_form(model: CpModel, jumps: Sequence[Jump], made: Sequence[Literals], idle: Sequence[Literals]) -> None:
    """Require the lexicographic normal form with one jump per step: of all orders that independent jumps allow, the
    least.

    ``late[j]`` means, before a step, that jump j would come too late there: it could change places with all jumps back
    to a larger one. It is defined both ways, so that every solution is found once. ``idle[t]`` has
    the literal of a step without a jump, if there may be one.
    """
    late: Literals = [model.new_constant(0) for _ in jumps]
    for t in range(len(made) - 1):
        after = [model.new_bool_var(f"late_t{t + 1:02}_{j}") for j in range(len(jumps))]
        for j, jump in enumerate(jumps):
            larger = []
            for k, other in enumerate(jumps):
                if not jump.independent_of(other):
                    model.add_implication(made[t][k], ~after[j])
                elif k > j:
                    model.add_implication(made[t][k], after[j])
                    larger.append(made[t][k])
                else:
                    model.add_bool_or(~made[t][k], ~late[j], after[j])
            model.add_bool_or(~after[j], late[j], *larger)
            for no_jump in idle[t]:
                model.add_implication(no_jump, ~after[j])
            model.add_implication(after[j], ~made[t + 1][j])
        late = after
