"""What a step of jumps means, in clauses: the part that the CP-SAT models share.

Written with implications and frame clauses the models solve several times faster than with linear equalities.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ortools.sat.python.cp_model import INT_MIN, CpModel, IntVar

from pegcp.game.board import Board, Jump
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.modelling.formulation import ByJump
from pegcp.modelling.ordering import touching
from pegcp.theory.pagoda import pagodas

Literals = Sequence[IntVar]


def step(model: CpModel, board: Board, before: Literals, made: Literals, after: Literals) -> None:
    """Channel the jumps made in a step with the pegs before and after it.

    ``before`` and ``after`` have a literal for each hole (peg or not), ``made`` one for each jump of the board. A jump
    made has its pegs and its vacancy before and the reverse after; a hole that changes is changed by a jump.
    """
    for literal, jump in zip(made, board.jumps, strict=True):
        model.add_bool_and(before[jump.from_], before[jump.over], ~before[jump.to]).only_enforce_if(literal)
        model.add_bool_and(~after[jump.from_], ~after[jump.over], after[jump.to]).only_enforce_if(literal)
    takers, givers = touching(board)
    for hole in range(len(board.holes)):
        model.add_bool_or(~before[hole], after[hole], *(made[j] for j in takers[hole]))
        model.add_bool_or(before[hole], ~after[hole], *(made[j] for j in givers[hole]))


def begins_at_start(model: CpModel, problem: Problem, first: Literals) -> None:
    """The first position (a literal for each hole: peg or not) is the start of the problem."""
    _fix(model, first, problem.start.mask, problem.board.full & ~problem.start.mask)


def ends_in_goal(model: CpModel, problem: Problem, last: Literals) -> None:
    """The last position (a literal for each hole: peg or not) satisfies the goal of the problem."""
    _fix(model, last, problem.final_pegs, problem.final_vacancies)
    match problem.goal:
        case Exact() | Partial() | Nearest():
            pass
        case OnePeg():
            model.add_exactly_one(last)
        case DeadEnd():
            dead_end(model, problem.board, last)
        case _:
            assert_never(problem.goal)


def _fix(model: CpModel, literals: Literals, pegs: int, vacancies: int) -> None:
    for hole, literal in enumerate(literals):
        if (pegs | vacancies) >> hole & 1:
            model.add(literal == (pegs >> hole & 1))


def dead_end(model: CpModel, board: Board, pegs: Literals) -> None:
    """No jump is possible: every jump lacks a peg or its vacancy."""
    for jump in board.jumps:
        model.add_bool_or(~pegs[jump.from_], ~pegs[jump.over], pegs[jump.to])


def pagoda_rows(model: CpModel, problem: Problem, made: Sequence[ByJump]) -> None:
    """For each pagoda function a row: all jumps together lose no more weight than the start has more than the goal.

    The rows are over the literals themselves: sums of them, which rows could share, make the solver many times slower.
    """
    literals = {jump: [step[jump].index for step in made] for jump in problem.board.jumps}
    for weights in pagodas(problem):
        costs = {jump: cost for jump in literals if (cost := weights.cost(jump))}
        row = model.proto.constraints.add().linear  # ten times as fast as to make an expression and add it
        row.vars.extend(literal for jump in costs for literal in literals[jump])
        row.coeffs.extend(cost for cost in costs.values() for _ in made)
        row.domain.extend([INT_MIN, weights.slack])


def normal_form(model: CpModel, jumps: Sequence[Jump], made: Sequence[Literals], idle: Literals) -> None:
    """One jump per step in the lexicographic normal form: of all orders that independent jumps allow, the least.

    ``late[j]`` says, before a step, that jump j would stand too late there: it could change places with all jumps back
    to a larger one. It is defined both ways, so that every solution is found once. ``idle`` is empty where
    all steps have a jump.
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
            for none in idle[t : t + 1]:
                model.add_implication(none, ~after[j])
            model.add_implication(after[j], ~made[t + 1][j])
        late = after
