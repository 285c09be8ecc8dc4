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
from words import Array, compiled, tell

import pegcp
from pegcp.game import Jump, Problem, group_moves
from pegcp.game.symmetry import image
from pegcp.method import Limits, Run
from pegcp.states.frame import group
from pegcp.states.winnable import Winnable, winnable


@compiled
def deepest(
    positions: Array,
    flip: Array,
    need: Array,
    to: Array,
    leaving: Array,
    wanted: int,
    lengths: Array,
    at: Array,
    ends: Array,
) -> int:
    """The longest sweep from each position; or, with ``wanted``, where the sweeps of that length begin and end."""
    one = np.uint64(1)
    holes, most = leaving.shape
    peg, place, board = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64, np.uint64)
    n = 0
    for i in range(positions.size):
        if lengths[i] < wanted:
            continue
        for hole in range(holes):
            if not positions[i] >> np.uint64(hole) & one:
                continue
            depth, peg[0], place[0], board[0] = 0, hole, 0, positions[i]
            while depth >= 0:
                j = leaving[peg[depth], place[depth]] if place[depth] < most else -1
                place[depth] += 1
                if j < 0 or (wanted and depth == wanted):
                    depth -= 1
                elif board[depth] & flip[j] == need[j]:
                    board[depth + 1], peg[depth + 1], place[depth + 1] = board[depth] ^ flip[j], to[j], 0
                    depth += 1
                    if not wanted:
                        lengths[i] = max(lengths[i], depth)
                    elif depth == wanted:
                        if n < at.size:
                            at[n], ends[n] = i, board[depth]
                        n += 1
    return n


class Sweeps:
    """The sweeps of a problem's solutions."""

    def __init__(self, problem: Problem, table: Winnable) -> None:
        self.problem, self.table = problem, table
        jumps = problem.board.jumps
        self.flip = np.array([jump.mask for jump in jumps], np.uint64)
        self.need = np.array([jump.needs for jump in jumps], np.uint64)
        self.to = np.array([jump.to for jump in jumps], np.int64)
        by = [[j for j, jump in enumerate(jumps) if jump.from_ == hole] for hole in range(len(problem.board.holes))]
        self.leaving = np.array([row + [-1] * (max(map(len, by)) - len(row)) for row in by], np.int64)
        self.levels = {pegs: np.array(table.level(pegs), np.uint64) for pegs in range(2, len(problem.start) + 1)}
        self.lengths = {pegs: np.zeros(len(level), np.int64) for pegs, level in self.levels.items()}
        for pegs in self.levels:
            self._search(pegs, 0)

    def _search(self, pegs: int, wanted: int) -> tuple[Array, Array]:
        room = 0
        while True:
            at, ends = np.zeros(room, np.int64), np.zeros(room, np.uint64)
            told = self.flip, self.need, self.to, self.leaving, wanted, self.lengths[pegs], at, ends
            found = deepest(self.levels[pegs], *told)
            if not wanted or found <= room:
                return at[:found], ends[:found]
            room = found

    def longest(self) -> tuple[int, int, int]:
        """The length of the longest sweep, the position before and the one after."""
        for wanted in range(max(int(lengths.max(initial=0)) for lengths in self.lengths.values()), 0, -1):
            for pegs in self.levels:
                at, ends = self._search(pegs, wanted)
                different, first = np.unique(ends, return_index=True)
                for end, i in zip(different.tolist(), first.tolist(), strict=True):
                    if end in self.table:
                        return wanted, int(self.levels[pegs][at[i]]), end
        raise AssertionError

    def longest_last(self) -> tuple[int, int, int]:
        """The same of the sweeps to the last peg: without its first jump such a sweep is one, too, but shorter."""
        best = 0, 0, 0
        for length in count(1):
            at, ends = self._search(length + 1, length)
            fitting = [i for i, end in enumerate(ends.tolist()) if end in self.table]
            if not fitting:
                return best
            best = length, int(self.levels[length + 1][at[fitting[0]]]), int(ends[fitting[0]])
        raise AssertionError

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
            sweeps = Sweeps(problem, table)
            longest, last = sweeps.longest(), sweeps.longest_last()
            about: dict[str, object] = {
                "problem": problem.name,
                "longest sweep": longest[0],
                "longest last sweep": last[0],
                "solution with the longest": sweeps.told(longest),
                "solution that ends with the longest": sweeps.told(last),
            }
            tell(about)


if __name__ == "__main__":
    main()
