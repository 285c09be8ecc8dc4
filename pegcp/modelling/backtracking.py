"""The solvers of python-constraint, by the names that the options of models use."""

from typing import Any

_CLASSES = {
    "optimized": "OptimizedBacktrackingSolver",
    "backtracking": "BacktrackingSolver",
    "recursive": "RecursiveBacktrackingSolver",
    "min-conflicts": "MinConflictsSolver",
}


def solver_class(name: str, forwardcheck: bool = False) -> Any:
    """Return a solver of the library; ``min-conflicts`` has no forward check."""
    import constraint

    return getattr(constraint, _CLASSES[name])(*(() if name == "min-conflicts" else (forwardcheck,)))
