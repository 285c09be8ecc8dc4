"""Triangles without pegcp: fewest moves to one peg anywhere; numbers of solutions and longest sweeps for each last peg.

Run it with:  python examples/records/triangles.py FEWEST-HOLES-A-SIDE MOST     (sides 4 to 7; side 7 takes 4 GB)

From the positions of one peg up to those of one vacancy: the fewest moves to one peg, and the holes from which the
first of these moves may begin. A peg that lands in one of those goes on in the same move. All positions are looked
at, reachable or not, so there is no bound, no symmetry and no search. Solutions are counted from the start down,
also up to the order of jumps without a common hole (Cartier and Foata 1969). So are, up to side 6, the jumps of sweeps:
for every position that a solution passes, and every peg in it, how many jumps that peg may just have made. One line of
JSON for each start, up to symmetry; a number of solutions is that of one hole, not of those that symmetry makes equal.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from words import Array, compiled, different, fill, in_words, larger_set, lattice, ones, tell

NONE = 99


@compiled
def level(pegs: int, moves: Array, begins: Array, flips: Array, needs: Array, origins: Array, targets: Array) -> None:
    """Fill in the positions with a number of pegs."""
    for p in range(moves.size):
        position = np.uint32(p)
        if ones(position) != pegs:
            continue
        best: Any = NONE
        first = np.uint32(0)
        for j in range(flips.size):
            if position & flips[j] == needs[j]:
                after = position ^ flips[j]
                if moves[after] < NONE:
                    cost = np.int64(moves[after]) + 1 - np.int64(begins[after] >> targets[j] & np.uint32(1))
                    if cost < best:
                        best, first = cost, np.uint32(0)
                    if cost == best:
                        first |= np.uint32(1) << origins[j]
        moves[p], begins[p] = best, first


@compiled
def count(ways: Array, pegs: int, flips: Array, needs: Array) -> None:
    """Add the numbers of ways to the positions with a number of pegs to those one jump on."""
    for p in range(ways.size):
        position = np.uint32(p)
        if ways[p] and ones(position) == pegs:
            for j in range(flips.size):
                if position & flips[j] == needs[j]:
                    ways[position ^ flips[j]] += ways[p]


@compiled
def order(traces: Array, pegs: int, flips: Array, taken: Array) -> None:
    """Fill in the ways to positions with a number of pegs, up to the order of jumps without a common hole.

    The sum over all sets of such jumps that can be taken back of the ways before them; minus where they are even.
    """
    made, jump, changes = np.zeros((12, 2), np.uint32), np.zeros(12, np.int64), np.zeros(flips.size, np.uint32)
    for p in range(traces.size):
        if ones(np.uint32(p)) != pegs:
            continue
        number = fill(changes, np.uint32(p), flips, taken)
        size, made[0, 0], jump[0] = 0, p, 0
        while size >= 0:
            jump[size] = larger_set(changes, number, made, size, jump[size]) + 1
            if jump[size] == 0:
                size -= 1
            elif traces[made[size + 1, 0]]:  # else it cannot be reached, nor can what is before it
                traces[p] += traces[made[size + 1, 0]] if size % 2 == 0 else -traces[made[size + 1, 0]]
                size += 1
                jump[size] = jump[size - 1]


@compiled
def winnable(where: Array, pegs: int, flips: Array, needs: Array) -> None:
    """Mark the positions with a number of pegs that lead to one that is marked."""
    for p in range(where.size):
        position = np.uint32(p)
        if ones(position) == pegs:
            for j in range(flips.size):
                if position & flips[j] == needs[j] and where[position ^ flips[j]]:
                    where[p] = 1


@compiled
def sweeps(where: Array, pegs: int, made: Array, flips: Array, needs: Array, origins: Array, targets: Array) -> None:
    """How many jumps each peg of a position may just have made, from the positions with a number of pegs on.

    Positions that a solution passes are marked with 2, those that lead to the goal with 1.
    """
    for p in range(where.size):
        position = np.uint32(p)
        if where[p] == 2 and ones(position) == pegs:
            for j in range(flips.size):
                after = position ^ flips[j]
                if position & flips[j] == needs[j] and where[after]:
                    where[after] = 2
                    made[after, targets[j]] = max(made[after, targets[j]], made[p, origins[j]] + 1)


def main() -> None:
    """All starts of the sides asked for."""
    for side in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
        holes, names, jumps = lattice(f"triangle{side * (side + 1) // 2}")
        flips, needs = (masks.astype(np.uint32) for masks in in_words(jumps))
        origins, targets = (np.array([jump[end] for jump in jumps], np.uint32) for end in (0, 2))
        moves, begins = np.full(1 << len(holes), NONE, np.uint8), np.zeros(1 << len(holes), np.uint32)
        moves[[1 << hole for hole in range(len(holes))]] = 0
        for pegs in range(2, len(holes)):
            level(pegs, moves, begins, flips, needs, origins, targets)
        for vacancy in different(holes):
            start = (1 << len(holes)) - 1 - (1 << vacancy)
            fewest = int(moves[start])
            ways = np.zeros(1 << len(holes), np.uint64)
            ways[start] = 1
            for pegs in range(len(holes) - 1, 1, -1):
                count(ways, pegs, flips, needs)
            ends = {names[hole]: int(ways[1 << hole]) for hole in range(len(holes)) if ways[1 << hole]}
            told: dict[str, Any] = {
                "problem": f"triangle{len(holes)}:{names[vacancy]}->?",
                "fewest moves": fewest if fewest < NONE else None,
                "solutions modulo 2**64": ends,
            }
            if ends:
                traces = ways.view(np.int64)
                traces.fill(0)
                traces[start] = 1
                for pegs in range(len(holes) - 2, 0, -1):
                    order(traces, pegs, flips, flips ^ needs)
                told["up to order"] = {finish: int(traces[1 << names.index(finish)]) for finish in ends}
            if side <= 6:
                told |= {"longest sweep": {}, "longest last sweep": {}}
                for finish in ends:
                    goal = 1 << names.index(finish)
                    where = np.zeros(1 << len(holes), np.uint8)
                    where[goal] = 1
                    for pegs in range(2, len(holes)):
                        winnable(where, pegs, flips, needs)
                    where[start] = 2
                    made = np.zeros((1 << len(holes), len(holes)), np.uint8)
                    for pegs in range(len(holes) - 1, 1, -1):
                        sweeps(where, pegs, made, flips, needs, origins, targets)
                    told["longest sweep"][finish] = int(made.max())
                    told["longest last sweep"][finish] = int(made[goal].max())
            tell(told)


if __name__ == "__main__":
    main()
