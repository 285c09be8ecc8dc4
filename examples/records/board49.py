"""The board of 49 holes: its first levels, and all its positions of one to four pegs.

Run it with:  python examples/records/board49.py tail
              python examples/records/board49.py levels FOLDER [JUMPS]     (14 jumps: 80 MB, and 1 GB meanwhile;
                                                                             needs the package zstandard)

The levels are made on disk, up to symmetry, and counted; a second run goes on where the first one ended. For the tail
all positions of the class of the start are listed. One can be reached if a solution leads from its complement to the
complement of the start, one peg in the middle: played backwards on complements, a jump is a jump. Costs go to standard
error.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from words import tell

import pegcp
from pegcp.game import Exact, Problem
from pegcp.method import Limits, Run, Status
from pegcp.states.levels import Levels
from pegcp.theory.parity import position_class

BOARD = Path(__file__).with_name("board49.toml")


def tail(problem: Problem, pegs: int) -> dict[str, int]:
    """How many positions of the class have so many pegs, up to symmetry, and how many of them can be reached."""
    board, canonical = problem.board, Levels(problem).canonical
    kind = position_class(board, problem.start.mask)
    every = (sum(1 << hole for hole in holes) for holes in combinations(range(len(board.holes)), pegs))
    found = sorted({canonical(mask) for mask in every if position_class(board, mask) == kind})
    reached = 0
    for mask in found:
        back = replace(
            problem,
            start=replace(problem.start, mask=board.full ^ mask),
            goal=Exact(board.full ^ problem.start.mask),
        )
        answer = pegcp.solve(back, "beam", time_limit=60, workers=1)  # replayed before it says "solved"
        reached += answer.status is Status.SOLVED
    return {"pegs": pegs, "positions": len(found), "reached": reached}


def main() -> None:
    """A line of JSON for each number of pegs, or for each number of jumps."""
    problem = pegcp.problem(str(BOARD))
    match sys.argv[1:]:
        case ["tail"]:
            for pegs in (1, 2, 3, 4):
                tell(tail(problem, pegs))
        case ["levels", folder, *jumps]:
            from levels_on_disk import level_sizes

            last, run = int(jumps[0]) if jumps else 14, Run(Limits(time=86_400))
            for made, positions in enumerate(level_sizes(problem, run, Path(folder))):
                tell({"jumps": made, "positions": positions})
                if made == last:
                    break


if __name__ == "__main__":
    main()
