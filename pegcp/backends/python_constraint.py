"""python-constraint: runs models that return a Formulation of a constraint.Problem.

The library has no time limit; the runner ends it from outside. Its backtracking solvers are complete. Its min-conflicts
solver repairs an assignment at random: if it gives up, nothing is refuted.
"""

import random
from functools import partial
from typing import Any

from pegcp.backends.interface import (
    Ability,
    Answer,
    AnyFormulation,
    Backend,
    Figures,
    HorizonLoop,
    Outcome,
    Status,
    Tally,
    uncountable,
)

_NUMBER_OF_SWEEPS = 1000  # of min-conflicts over all variables; the library's default


class PythonConstraint(Backend):
    """python-constraint on its own problems."""

    takes_turns = False

    def begin(self, loop: HorizonLoop, formulation: AnyFormulation) -> bool:
        """Return True if the solver of the model is complete; give the seed to one that is not."""
        from constraint import MinConflictsSolver

        model, problem = formulation.model, loop.problem
        if not problem.lengths[-1]:  # the library does not support a problem without variables
            model.addVariable("no jump", [problem.start.mask])
            model.addConstraint(problem.is_goal, ["no jump"])
        complete = not isinstance(model.getSolver(), MinConflictsSolver)
        if not complete:
            model.setSolver(MinConflictsSolver(_NUMBER_OF_SWEEPS, random.Random(loop.run.limits.seed)))
        return complete

    def search(
        self,
        loop: HorizonLoop,
        formulation: AnyFormulation,
        state: bool,
        seconds: float,
    ) -> Outcome:
        """Search, however long it takes."""
        solution: dict[object, int] | None = formulation.model.getSolution()
        if solution is None and not state:
            return Answer(Status.UNKNOWN, message=f"min-conflicts found no solution in {_NUMBER_OF_SWEEPS} sweeps")
        return solution is not None and solution.__getitem__

    def count(self, loop: HorizonLoop, formulation: AnyFormulation, state: bool, tally: Tally) -> Answer:
        """Hand all solutions to a tally."""
        if not state:
            return uncountable("min-conflicts finds one solution only")
        for solution in formulation.model.getSolutionIter():
            if not tally.add(partial(formulation.played, solution.__getitem__)) or not loop.run.remaining:
                return tally.answer(is_complete=False)
        return tally.answer(is_complete=True)

    def sizes(self, native: Any) -> Figures:
        """Return the sizes of the problem, which the library has in private attributes only."""
        return {"variables": len(native._variables), "constraints": len(native._constraints)}


PYTHON_CONSTRAINT = PythonConstraint(
    name="python-constraint",
    title="python-constraint",
    licence="BSD-2-Clause",
    distribution="python-constraint2",
    modules=("constraint",),
    package="python-constraint2",
    abilities=frozenset({Ability.COUNTS}),
)
