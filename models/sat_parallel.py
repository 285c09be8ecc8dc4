"""Parallel steps in clauses: jumps that have no hole in common share a step.

The model `parallel` for SAT solvers, without its pagoda functions; this is the classical form of planning as
satisfiability (Kautz and Selman 1996, forall-steps in Rintanen, Heljanko and Niemela 2006).

Variables    made[t, j] is true iff jump j is made in step t; peg[t, h] iff hole h holds a peg before step t
Constraints  jump made -> pegs before at from and over, none at to, and the reverse after;
             a hole that changes is changed by a jump;  the jumps of a step touch each hole at most once
             peg[0] = start; peg[T] satisfies the goal
Symmetry     early: every jump touches a hole of a jump in the step before (Foata's normal form of a sequence up to the
             order of independent jumps: each solution remains exactly once, in as few steps as possible)
             symmetry: some jump of the first step is the first of its class under the symmetries of the problem
Horizon      few steps are quick to search, and as many steps as jumps are always enough; a step may be empty
"""

from collections.abc import Iterable

from pegcp.modelling import Formulation, Problem, by_hole, by_step
from pegcp.modelling.cnf import Clauses, begins_at_start, ends_in_goal, step
from pegcp.modelling.ordering import first_of_class, parallel_steps

BACKENDS = ("cadical", "glucose")
GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any", "fewest-steps")
HORIZON = "fewest-steps"


def horizons(problem: Problem) -> Iterable[int]:
    """From half the jumps to all of them; every number where the fewest steps are wanted."""
    return parallel_steps(problem)


def build(problem: Problem, horizon: int, *, early: bool = True, symmetry: bool = True) -> Formulation[Clauses]:
    """Return the clauses for ``horizon`` steps; ``early`` and ``symmetry`` as above."""
    board, jumps, T = problem.board, problem.board.jumps, horizon
    names = ["_".join(board.jump_names(jump)) for jump in jumps]
    around = [[j for j, jump in enumerate(jumps) if h in jump] for h in range(len(board.holes))]
    near = [[k for k, other in enumerate(jumps) if not jump.independent_of(other)] for jump in jumps]

    model = Clauses()
    peg = [[model.variable(f"peg_t{t:02}_{h}") for h in board.holes] for t in range(T + 1)]
    made = [[model.variable(f"made_t{t:02}_{name}") for name in names] for t in range(T)]
    for t in range(T):
        step(model, board, peg[t], made[t], peg[t + 1])
        for h, touching in zip(board.holes, around, strict=True):
            model.at_most_one([made[t][j] for j in touching], f"one_t{t:02}_{h}")
        if early and t > 0:
            for j in range(len(jumps)):
                model.add(-made[t][j], *(made[t - 1][k] for k in near[j]))
    if symmetry and T > 0:
        firsts = [made[0][j] for j in first_of_class(problem, jumps)]
        for one in made[0]:
            if one not in firsts:
                model.add(-one, *firsts)
    begins_at_start(model, problem, peg[0])
    ends_in_goal(model, problem, peg[T])

    return Formulation(
        model,
        lambda value: [jumps[j] for t in range(T) for j in range(len(jumps)) if value(made[t][j])],
        made=by_step(board, made),
        peg=by_hole(board, peg),
    )
