"""python-constraint: runs models that return a Formulation of a constraint.Problem.

The library knows no time limit; the runner ends it from outside. Of its solver classes those that backtrack are
complete. The other one repairs an assignment at random: when it gives up, nothing is known.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from constraint import MinConflictsSolver

from pegcp.backends.attempts import uncountable
from pegcp.backends.model import Model
from pegcp.game.goal import Objective
from pegcp.game.notions import SEQUENCES
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status, Tally
from pegcp.modelling.formulation import Formulation

_SWEEPS = 1000  # of min-conflicts over all variables; the library's default


def run(model: Model, problem: Problem, run: Run, options: Mapping[str, Any]) -> Answer:
    """Find the first solution, or count them all when that is the objective."""
    counting = problem.objective is Objective.COUNT
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE)
    if problem.jump_counts[-1] == 0:  # the library cannot take a problem without variables
        if not problem.is_goal(problem.start.mask):
            return Answer(Status.INFEASIBLE)
        tally = Tally(problem, run, SEQUENCES)
        tally.add(tuple)
        return tally.answer(whole=True) if counting else Answer(Status.SOLVED, jumps=())
    began = time.perf_counter()
    formulation = model.build(problem, None, options)
    complete = not isinstance(formulation.model.getSolver(), MinConflictsSolver)
    if not complete:
        if counting:
            return uncountable("min-conflicts finds one solution")
        formulation.model.setSolver(MinConflictsSolver(_SWEEPS, random.Random(run.limits.seed)))
    if counting and not formulation.distinct:
        return uncountable("its Formulation has no distinct")
    built = time.perf_counter()
    if counting:
        answer = _counted(formulation, Tally(problem, run, formulation.distinct), run)
    elif (found := formulation.model.getSolution()) is not None:
        answer = Answer(Status.SOLVED, jumps=formulation.played(found.__getitem__))
    elif complete:
        answer = Answer(Status.INFEASIBLE)
    else:
        answer = Answer(Status.UNKNOWN, message=f"min-conflicts found nothing in {_SWEEPS} sweeps")
    return replace(answer, statistics={"build_seconds": built - began, "solve_seconds": time.perf_counter() - built})


def _counted(formulation: Formulation[Any], tally: Tally, run: Run) -> Answer:
    """All solutions, as long as more are wanted and there is time."""
    for solution in formulation.model.getSolutionIter():
        if not tally.add(partial(formulation.played, solution.__getitem__)) or not run.remaining:
            return tally.answer(whole=False)
    return tally.answer(whole=True)
