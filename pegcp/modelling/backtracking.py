"""The solvers of python-constraint, by the names that the options of models use."""

from constraint import (
    BacktrackingSolver,
    MinConflictsSolver,
    OptimizedBacktrackingSolver,
    RecursiveBacktrackingSolver,
    Solver,
)

_COMPLETE = {
    "optimized": OptimizedBacktrackingSolver,
    "backtracking": BacktrackingSolver,
    "recursive": RecursiveBacktrackingSolver,
}


def solver_class(name: str, forwardcheck: bool = False) -> Solver:
    """A solver of the library: optimized, backtracking, recursive or min-conflicts (which has no forward check)."""
    return MinConflictsSolver() if name == "min-conflicts" else _COMPLETE[name](forwardcheck)
