"""The longest sweep of any solution, and the longest that ends one, for pairs of a first vacancy and a last peg.

Run it with:  python examples/records/sweeps.py BOARD[:START->FINISH] ... > examples/records/sweeps.jsonl

By pegcp's engine: a sweep of a peg from a position p to a position q is part of a solution if and only if p and q are
in the winnable set. The longest sweeps that the pegs of p allow are tried first. One line of JSON for each pair, with
a solution that has the longest sweep and one that ends with the longest, each replayed by the checker. forwards.py
finds the same lengths on the English board without pegcp.
"""

from __future__ import annotations

import sys
from itertools import count

import numpy as np
from solutions import pairs
from words import Array, Word, by_peg, compiled, ones, sweeps, tell

import pegcp
from pegcp.game import Jump, Problem, group_moves
from pegcp.game.symmetry import image
from pegcp.method import Limits, Run
from pegcp.states.frame import group
from pegcp.states.winnable import Winnable, winnable


@compiled
def longest_sweeps(positions: Array, flips: Array, needs: Array, lands: Array) -> Array:
    """How many jumps the longest sweep from each position has."""
    lengths = np.zeros(positions.size, np.uint64)
    for i in range(positions.size):
        for after in sweeps(positions[i], flips, needs, lands):
            lengths[i] = max(lengths[i], ones(positions[i]) - ones(after))
    return lengths


@compiled
def sweeps_of(length: Word, positions: Array, flips: Array, needs: Array, lands: Array) -> list[tuple[Word, Word]]:
    """All sweeps of so many jumps from positions, each as the position after and the one before."""
    return [
        (after, before)
        for before in positions
        for after in sweeps(before, flips, needs, lands)
        if ones(before) == ones(after) + length
    ]


class Sweeps:
    """The sweeps of a problem's solutions."""

    def __init__(self, problem: Problem, table: Winnable) -> None:
        self.problem, self.table = problem, table
        self.jumps = by_peg(problem.board.jumps, len(problem.board.holes), 0, 2)
        self.levels = {pegs: np.array(table.level(pegs), np.uint64) for pegs in range(2, len(problem.start) + 1)}
        self.lengths = {pegs: longest_sweeps(level, *self.jumps) for pegs, level in self.levels.items()}

    def _of(self, length: int, pegs: int) -> list[tuple[int, int]]:
        """The sweeps of so many jumps from positions with a number of pegs."""
        positions = self.levels[pegs][self.lengths[pegs] >= length]
        return list(sweeps_of(np.uint64(length), positions, *self.jumps))

    def longest(self) -> tuple[int, int, int]:
        """The length of the longest sweep, the position before and the one after."""
        for length in range(int(max(lengths.max(initial=0) for lengths in self.lengths.values())), 0, -1):
            for pegs in self.levels:
                for after, before in sorted(self._of(length, pegs)):
                    if after in self.table:
                        return length, before, after
        raise AssertionError

    def longest_last(self) -> tuple[int, int, int]:
        """The same of the sweeps to the last peg: without its first jump such a sweep is one, too, but shorter."""
        best = 0, 0, 0
        for length in count(1):
            fitting = [(length, before, after) for after, before in self._of(length, length + 1) if after in self.table]
            if not fitting:
                break
            best = fitting[0]
        return best

    def solution(self, length: int, before: int, after: int) -> list[Jump]:
        """A solution with a sweep between two positions: back from the first, the sweep, on from the second."""
        board, position, jumps = self.problem.board, before, list[Jump]()
        while position.bit_count() < len(self.problem.start):
            jump = next(
                jump
                for jump in board.jumps
                if position & jump.mask == 1 << jump.to and position ^ jump.mask in self.table
            )
            jumps.insert(0, jump)
            position ^= jump.mask

        def sweep(position: int, peg: int, left: int) -> list[Jump] | None:
            if not left:
                return [] if position == after else None
            for jump in board.jumps:
                if jump.from_ == peg and jump.is_legal(position):
                    rest = sweep(position ^ jump.mask, jump.to, left - 1)
                    if rest is not None:
                        return [jump, *rest]
            return None

        found = (sweep(before, peg, length) for peg in range(len(board.holes)))
        jumps += next(jumps for jumps in found if jumps is not None)
        jumps += self.table.solution(after) or []
        turned = next(p for p in group(self.problem) if image(p, position) == self.problem.start.mask)
        return [Jump(*(turned[hole] for hole in jump)) for jump in jumps]

    def told(self, sweep: tuple[int, int, int]) -> str:
        """A checked solution with that sweep, move by move."""
        jumps = self.solution(*sweep)
        pegcp.check(self.problem, jumps)
        names = self.problem.board.holes
        moves = group_moves(jumps)
        return " ".join("-".join([names[move[0].from_], *(names[jump.to] for jump in move)]) for move in moves)


def main() -> None:
    """A line for each pair."""
    for name in sys.argv[1:]:
        for problem in pairs(name):
            table = winnable(problem, Run(Limits(time=3600, memory=12_000, workers=1)))
            if not len(table):
                continue
            found = Sweeps(problem, table)
            longest, last = found.longest(), found.longest_last()
            about: dict[str, object] = {
                "problem": problem.name,
                "longest sweep": longest[0],
                "longest last sweep": last[0],
                "solution with the longest": found.told(longest),
                "solution that ends with the longest": found.told(last),
            }
            tell(about)


if __name__ == "__main__":
    main()
