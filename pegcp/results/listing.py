"""List all solutions of a problem, or the first so many: each replayed, none twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from pegcp.game import Jump, group_moves, write_move
from pegcp.habits import Guided
from pegcp.method import Status
from pegcp.results.result import Result

MOST_SOLUTIONS = 100_000  # solutions


@dataclass(frozen=True, repr=False)
class Solutions(Sequence[tuple[Jump, ...]], Guided):
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
    def __getitem__(self, index: int | slice) -> object:
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
        return ([write_move(board, move) for move in group_moves(jumps)] for jumps in self)

    def to_json(self) -> Iterator[dict[str, object]]:
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
