"""One jump per step: moves[t] and bState[t, hole], the CP model of the literature.

Jefferson, Miguel, Miguel and Tarim (2006), model C; CSPLib 037.

Variables    moves[t] = number of the jump made at step t, or idle once the goal is reached, t = 0 .. T-1
             bState[t, h] = 1 iff hole h holds a peg before step t, t = 0 .. T
Constraints  moves[t] = j  ->  bState[t] has pegs at from(j) and over(j), none at to(j); bState[t+1] the reverse
             h loses its peg at t  ->  moves[t] leaves h or jumps over it
             h gains a peg at t    ->  moves[t] lands in h
             moves[t] = idle       ->  moves[t+1] = idle
             bState[0] = start; bState[T] satisfies the goal
Implied      pagoda: the jumps together lose no more weight than the start has more than the goal (pegcp.theory.budgets)
Symmetry     order: independent jumps (no hole in common) commute: next to each other they stand in rising order; in
             full, no jump stands after a larger one that it could change places with, past all between: each solution
             is left once up to the order of independent jumps (lexicographic normal form of traces: Anisimov and
             Knuth 1979)
             symmetry: moves[0] is the first of its class under the symmetries of the problem. This agrees with both
             orders, which go by the same numbers: of the normal forms of all images of a solution, the one that begins
             with the least jump begins with the first of a class, and it is in order
Encodings    the three channelling constraints as clauses, linear equations, element, table or automaton constraints
"""

from collections.abc import Sequence
from typing import Literal

from ortools.sat.python.cp_model import CpModel, IntVar

from pegcp.modelling import Formulation, Jump, Problem
from pegcp.modelling.clauses import begins_at_start, ends_in_goal, normal_form, pagoda_rows
from pegcp.modelling.encodings import ENCODINGS
from pegcp.modelling.ordering import disordered, first_of_class, images, in_normal_form

BACKENDS = ("cp-sat",)
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "count")


def build(
    problem: Problem,
    *,
    order: Literal["on", "off", "full"] = "on",
    encoding: Literal["clauses", "linear", "element", "table", "automaton"] = "clauses",
    pagoda: bool = False,
    symmetry: bool = False,
) -> Formulation[CpModel]:
    """The model; ``order``, ``encoding``, ``pagoda`` and ``symmetry`` as above.

    Counted are jump sequences with ``order=off``; with ``order=full``, up to the order of independent jumps.
    """
    channel = ENCODINGS[encoding]
    board, jumps = problem.board, problem.board.jumps
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    T = problem.jump_counts[-1]
    may_idle = len(problem.jump_counts) > 1

    model = CpModel()
    state = [[model.new_bool_var(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.new_bool_var(f"jump_t{t:02}_{name}") for name in names] for t in range(T)]
    idle = [model.new_bool_var(f"idle_t{t:02}") if may_idle else model.new_constant(0) for t in range(T)]
    moves = [model.new_int_var(0, len(jumps), f"moves_t{t:02}") for t in range(T)]

    for t in range(T):
        model.add_map_domain(moves[t], [*made[t], idle[t]])
        model.add_exactly_one(*made[t], idle[t])
    channel(model, board, moves, made, state)
    for t in range(1, T):
        model.add_implication(idle[t - 1], idle[t])
        if order == "on":
            for j, k in disordered(jumps):
                model.add_bool_or(~made[t - 1][j], ~made[t][k])
    if order == "full":
        normal_form(model, jumps, made, idle)
    firsts = first_of_class(problem) if symmetry else range(len(jumps))
    if symmetry and T:
        model.add_bool_or(idle[0], *(made[0][j] for j in firsts))
    if pagoda:
        pagoda_rows(model, problem, jumps, made)
    begins_at_start(model, problem, state[0])
    ends_in_goal(model, problem, state[T])

    def literals(played: Sequence[Jump]) -> list[IntVar] | None:
        form = first_in_order(problem, played, order != "off", firsts)
        return None if form is None or len(form) > T else [made[t][jumps.index(jump)] for t, jump in enumerate(form)]

    counted = {"on": "", "off": "jump sequences", "full": "up to the order of independent jumps"}
    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        literals=literals,
        distinct="" if symmetry else counted[order],
    )


def first_in_order(problem: Problem, played: Sequence[Jump], order: bool, firsts: Sequence[int]) -> list[Jump] | None:
    """The first image of some jumps, in order if wanted, that begins with one of the jumps allowed first; or None."""
    jumps = problem.board.jumps
    forms = (in_normal_form(image) if order else image for image in images(problem, played))
    return next((form for form in forms if not form or jumps.index(form[0]) in firsts), None)
