"""List all solutions of a problem, or the first so many: each replayed, none twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from pegcp.catalogue import methods
from pegcp.errors import InputError, suggestion
from pegcp.game.board import Jump, grouped
from pegcp.game.equivalence import COARSER
from pegcp.game.goal import Objective
from pegcp.game.jump_notation import written
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.method import Listing, Reason, Status
from pegcp.result import Result
from pegcp.running.run import run
from pegcp.running.task import Task, make_limits

MOST = 100_000  # solutions


@dataclass(frozen=True, repr=False)
class Solutions(Sequence[tuple[Jump, ...]]):
    """Solutions in the order in which they were found; ``result`` is that of the run."""

    result: Result

    @property
    def notion(self) -> str:
        """The equivalence up to which no two solutions are the same; empty without solutions."""
        return self.result.counted

    @property
    def complete(self) -> bool:
        """True if these are all solutions, as the method claims."""
        return self.result.status in (Status.OPTIMAL, Status.INFEASIBLE)

    def __len__(self) -> int:
        return len(self.result.solutions)

    @overload
    def __getitem__(self, index: int) -> tuple[Jump, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Jump, ...]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Return a solution by its place, or several by a slice."""
        return self.result.solutions[index]

    def __repr__(self) -> str:
        return f"<Solutions: {self}>"

    def __str__(self) -> str:
        """Say how many solutions of which problem these are, and whether they are all."""
        result, number = self.result, len(self)
        if not result.answered:
            return f"{result.problem.name} by {result.method}: {result.verdict}; {result.message}"
        text = f"{number:,} solution{'s' * (number != 1)} of {result.problem.name} by {result.method}"
        return (
            f"{text}{f', {self.notion}' if self.notion else ''}; {'that is all' if self.complete else result.message}"
        )

    def written(self) -> Iterator[list[str]]:
        """Yield each solution as its moves, such as ``d2-d4-f4``."""
        board = self.result.problem.board
        return ([written(board, move) for move in grouped(jumps)] for jumps in self)

    def to_json(self) -> Iterator[dict[str, Any]]:
        """Yield the objects of a JSON-lines file: one about the list, then one for each solution."""
        result, board = self.result, self.result.problem.board
        yield {
            "problem": result.problem.name,
            "fingerprint": result.problem.fingerprint,
            "method": result.method,
            "status": result.status.value,
            "reason": result.reason.value,
            "solutions": len(self),
            "notion": self.notion,
            "complete": self.complete,
        }
        for jumps, moves in zip(self, self.written(), strict=True):
            yield {"jumps": [list(board.jump_names(jump)) for jump in jumps], "solution": moves}


def solutions(
    problem: Problem | str,
    method: str | None = None,
    *,
    most: int = 1000,
    up_to: str = "",
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    workers: int = 2,
    seed: int = 0,
) -> Solutions:
    """List the solutions of a problem, or the first ``most``, by any method that can count.

    The method says what they are: jump sequences, or one of those that are the same up to the order of independent
    jumps; ``up_to`` can ask for ``order``, or ``symmetry``, which is up to both. Every solution is replayed and none is
    listed twice. That the list is complete is claimed by the method. Raises InputError for an unknown problem or
    method, and for a method that cannot list.

    >>> import pegcp
    >>> solutions = pegcp.solutions("XoXX", "moves")
    >>> solutions
    <Solutions: 1 solution of XoXX by moves, up to the order of independent jumps; that is all>
    >>> list(solutions.written())
    [['d1-b1', 'a1-c1']]
    """
    counting = replace(lookup.problem(problem), objective=Objective.COUNT)
    if up_to not in ("", *COARSER):
        choices = " or ".join(COARSER)
        raise InputError(f'solutions are listed up to {choices}, not "{up_to}"{suggestion(up_to, COARSER)}')
    if not 1 <= most <= MOST:
        raise InputError(f"1 to {MOST:,} solutions can be listed, not {most:,}")
    chosen = methods.best_for(counting) if method is None else methods.choose(method)
    limits = make_limits(time_limit, memory_limit, workers, seed)
    result = run(Task(counting, chosen, limits, listing=Listing(most, up_to)))
    if result.reason is Reason.UNSUPPORTED:
        raise InputError(result.message)
    return Solutions(result)
