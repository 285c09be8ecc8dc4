"""python-constraint: runs models that return a Formulation of a constraint.Problem.

The library knows no time limit; the runner ends it from outside. Of its solver classes those that backtrack are
complete. The other one repairs an assignment at random: when it gives up, nothing is known.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from constraint import MinConflictsSolver

from pegcp.backends import run_loop
from pegcp.backends.model import Model
from pegcp.game.equivalence import SEQUENCES
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status, Tally
from pegcp.modelling.formulation import Formulation, Value

_SWEEPS = 1000  # of min-conflicts over all variables; the library's default


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Find the first solution, or count them all when that is the objective."""
    if problem.jump_counts and problem.jump_counts[-1] == 0:  # the library cannot take a problem without variables
        if not problem.is_goal(problem.start.mask):
            return Answer(Status.INFEASIBLE)
        tally = Tally(problem, run, SEQUENCES)
        tally.add(tuple)
        counting = problem.objective is Objective.COUNT
        return tally.answer(whole=True) if counting else Answer(Status.SOLVED, jumps=())

    def begin(formulation: Formulation[Any]) -> run_loop.Search:
        complete = _complete(formulation)
        if not complete:
            formulation.model.setSolver(MinConflictsSolver(_SWEEPS, random.Random(run.limits.seed)))

        def search(_: float) -> Value | Answer | bool:
            found: Mapping[Any, int] | None = formulation.model.getSolution()
            if found is None and not complete:
                return Answer(Status.UNKNOWN, message=f"min-conflicts found nothing in {_SWEEPS} sweeps")
            return found is not None and found.__getitem__

        return search

    def count(formulation: Formulation[Any], tally: Tally) -> Answer:
        if not _complete(formulation):
            return run_loop.uncountable("min-conflicts finds one solution")
        for solution in formulation.model.getSolutionIter():
            if not tally.add(partial(formulation.played, solution.__getitem__)) or not run.remaining:
                return tally.answer(whole=False)
        return tally.answer(whole=True)

    return run_loop.run(model, problem, run, options, begin, {}, turns=False, count=count)


def _complete(formulation: Formulation[Any]) -> bool:
    return not isinstance(formulation.model.getSolver(), MinConflictsSolver)
