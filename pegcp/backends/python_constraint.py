"""python-constraint: runs models that return a Formulation of a constraint.Problem.

The library has no time limit; the runner ends it from outside. Its backtracking solvers are complete. Its min-conflicts
solver repairs an assignment at random: if it gives up, nothing is refuted.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pegcp.backends.interface import (
    Ability,
    Answer,
    Backend,
    Figures,
    Formulation,
    HorizonLoop,
    Outcome,
    Status,
    Tally,
    uncountable,
)

if TYPE_CHECKING:
    from constraint import Problem as Model


_NUMBER_OF_SWEEPS = 1000  # of min-conflicts over all variables; the library's default


class PythonConstraintLoop(HorizonLoop):
    """A run on python-constraint."""

    takes_turns = False

    def begin(self, formulation: Formulation[Model]) -> bool:
        """Return True if the solver of the model is complete; give the seed to one that is not."""
        from constraint import MinConflictsSolver

        model, start = formulation.model, self.problem.start.mask
        if not self.problem.lengths[-1]:  # the library does not support a problem without variables
            model.addVariable("no jump", [start])
            model.addConstraint(self.problem.is_goal, ["no jump"])
        complete = not isinstance(model.getSolver(), MinConflictsSolver)
        if not complete:
            model.setSolver(MinConflictsSolver(_NUMBER_OF_SWEEPS, random.Random(self.run.limits.seed)))
        return complete

    def search(self, formulation: Formulation[Model], state: bool, seconds: float) -> Outcome:  # noqa: ARG002
        """Search, however long it takes."""
        solution: Mapping[object, int] | None = formulation.model.getSolution()
        if solution is None and not state:
            return Answer(Status.UNKNOWN, message=f"min-conflicts found no solution in {_NUMBER_OF_SWEEPS} sweeps")
        return solution is not None and solution.__getitem__

    def count(self, formulation: Formulation[Model], state: bool, tally: Tally) -> Answer:
        """Hand all solutions to a tally."""
        if not state:
            return uncountable("min-conflicts finds one solution only")
        for solution in formulation.model.getSolutionIter():
            if not tally.add(partial(formulation.played, solution.__getitem__)) or not self.run.remaining:
                return tally.answer(is_complete=False)
        return tally.answer(is_complete=True)


class PythonConstraint(Backend):
    """python-constraint on its own problems."""

    loop = PythonConstraintLoop

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
