"""Boards of your own: each kind of board file, shown, solved and replayed.

Run it without arguments for the files in ``examples/boards``, or with the names of your own board files.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pegcp


def main(files: list[str]) -> None:
    """Load each board, count what follows from its description, solve its default problem and print the moves."""
    for file in files or sorted(map(str, (Path(__file__).parent / "boards").glob("*.toml"))):
        problem = pegcp.problem(file)
        board = problem.board
        print(f"{board.title or board.name}: {len(board.holes)} holes, {len(board.jumps)} jumps, ", end="")
        print(f"{board.symmetries.order} symmetries")
        print(problem.start)
        print(pegcp.solve(problem, time_limit=30))
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
