"""Numbers of solutions from one vacancy to one peg, by pegcp's engine: one line of JSON for each pair.

Run it with:  python examples/records/solutions.py BOARD[:START->FINISH] ... > examples/records/solutions.jsonl

For a board: all pairs that the position class allows, up to symmetry. A solution is a sequence of jumps. Also told:
how many positions, up to the symmetries that keep the last peg, a solution can pass; and where these are few, how many
solutions there are up to the order of independent jumps, and up to symmetry, too. Costs go to standard error.
forwards.py shows the numbers in another way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

from words import tell

import pegcp
from pegcp.game import Problem
from pegcp.game.equivalence import symmetries_of_solutions
from pegcp.method import Limits, Run
from pegcp.search.count import solutions
from pegcp.states.winnable import winnable
from pegcp.theory.parity import possible_finishes

# Position classes, which take four CPU minutes, on the French board fifteen and 8 GB; on other boards 2,300,000.
MOST_ORDERED = {"english": 51_000_000, "french": 210_000_000, "triangle28": 30_000_000}


def pairs(name: str) -> Iterator[Problem]:
    """The problems of a board with one vacancy first and one peg last, up to symmetry; or the one that is named."""
    if ":" in name:
        yield pegcp.problem(name)
        return
    board = pegcp.board(name)
    holes = range(len(board.holes))
    seen = set()
    for start, finish in product(holes, holes):
        pair = min((p[start], p[finish]) for p in board.symmetries.elements())
        if pair in seen or not possible_finishes(board, board.full & ~(1 << start)) >> finish & 1:
            continue
        seen.add(pair)
        yield pegcp.problem(f"{name}:{board.holes[start]}->{board.holes[finish]}")


def main() -> None:
    """A line for each pair."""
    for name in sys.argv[1:]:
        for problem in pairs(name):
            run = Run(Limits(time=3600, memory=12_000, workers=1))
            number, positions = solutions(problem, run), len(winnable(problem, run))
            about: dict[str, Any] = {"problem": problem.name, "solutions": number, "winnable": positions}
            if positions <= MOST_ORDERED.get(problem.board.name, 2_300_000) and number:
                ordered = solutions(problem, run, "order")
                is_alone = len(symmetries_of_solutions(problem).elements) == 1
                different = ordered if is_alone else solutions(problem, run, "symmetry")
                about |= {"up to order": ordered, "up to symmetry": different}
            tell(about)


if __name__ == "__main__":
    main()
