"""Triangles without pegcp: fewest moves to one peg anywhere, and numbers of solutions for each last peg.

Run it with:  python examples/records/triangles.py FEWEST-HOLES-A-SIDE MOST     (sides 4 to 7; side 7 takes 4 GB)

From the positions of one peg up to those of one vacancy: the fewest moves to one peg, and the holes from which the
first of these moves may begin. A peg that lands in one of those goes on in the same move. All positions are looked
at, reachable or not, so there is no bound, no symmetry and no search. Solutions are counted from the start down. One
line of JSON for each start, up to symmetry; a number of solutions is that of one hole, not of those that symmetry
makes equal.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
from words import Array, compiled, ones

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


def main() -> None:
    """All starts of the sides asked for."""
    for side in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
        begun = time.process_time()
        holes = [(x, y) for y in range(side) for x in range(y + 1)]
        at = {hole: i for i, hole in enumerate(holes)}
        jumps = [
            [at[x + i * dx, y + i * dy] for i in range(3)]
            for x, y in holes
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
            if (x + dx, y + dy) in at and (x + 2 * dx, y + 2 * dy) in at
        ]
        flips = np.array([sum(1 << hole for hole in jump) for jump in jumps], np.uint32)
        needs = np.array([1 << jump[0] | 1 << jump[1] for jump in jumps], np.uint32)
        origins, targets = (np.array([jump[end] for jump in jumps], np.uint32) for end in (0, 2))
        moves, begins = np.full(1 << len(holes), NONE, np.uint8), np.zeros(1 << len(holes), np.uint32)
        moves[[1 << hole for hole in range(len(holes))]] = 0
        for pegs in range(2, len(holes)):
            level(pegs, moves, begins, flips, needs, origins, targets)
        seen = set[tuple[int, ...]]()
        for x, y in holes:
            images = {tuple(sorted((x, y - x, side - 1 - y)))}
            if not images & seen:
                seen |= images
                fewest = int(moves[(1 << len(holes)) - 1 - (1 << at[x, y])])
                names = ["abcdefghij"[a] + str(b + 1) for a, b in holes]
                ways = np.zeros(1 << len(holes), np.uint64)
                ways[(1 << len(holes)) - 1 - (1 << at[x, y])] = 1
                for pegs in range(len(holes) - 1, 1, -1):
                    count(ways, pegs, flips, needs)
                ends = {names[hole]: int(ways[1 << hole]) for hole in range(len(holes)) if ways[1 << hole]}
                told = {
                    "problem": f"triangle{len(holes)}:{names[at[x, y]]}->?",
                    "fewest moves": fewest if fewest < NONE else None,
                    "solutions modulo 2**64": ends,
                }
                print(json.dumps(told), flush=True)
        print(f"side {side}: {time.process_time() - begun:.1f} CPU s", file=sys.stderr)


if __name__ == "__main__":
    main()
