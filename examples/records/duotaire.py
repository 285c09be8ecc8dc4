"""Peg duotaire on triangles: two players jump in turn, and who cannot jump loses; or wins, in the misere game.

Run it with:  python examples/records/duotaire.py FEWEST-HOLES-A-SIDE MOST > examples/records/duotaire.jsonl

Shares no code with pegcp. From the positions without pegs up: the nim-value of each, the least number that no position
one jump later has (Moore and Eppstein, One-dimensional peg solitaire, and duotaire, 2002); and whether who is to move
wins the misere game. The first player wins if the value of the start is not 0. One line of JSON for each vacancy, up to
symmetry.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from words import Array, compiled, ones


@compiled
def play(pegs: int, values: Array, misere: Array, flips: Array, needs: Array) -> None:
    """Fill in the positions with a number of pegs."""
    for p in range(values.size):
        position = np.uint32(p)
        if ones(position) != pegs:
            continue
        seen, wins, stuck = np.uint64(0), False, True
        for j in range(flips.size):
            if position & flips[j] == needs[j]:
                after = position ^ flips[j]
                seen |= np.uint64(1) << np.uint64(values[after])
                wins |= not misere[after]
                stuck = False
        misere[p] = wins or stuck
        while seen >> np.uint64(values[p]) & np.uint64(1):
            values[p] += 1


def main() -> None:
    """All vacancies of the sides asked for."""
    for side in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
        holes = [(x, y) for y in range(side) for x in range(y + 1)]
        jumps = [
            [holes.index((x + i * dx, y + i * dy)) for i in range(3)]
            for x, y in holes
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
            if (x + dx, y + dy) in holes and (x + 2 * dx, y + 2 * dy) in holes
        ]
        flips = np.array([sum(1 << hole for hole in jump) for jump in jumps], np.uint32)
        needs = np.array([1 << jump[0] | 1 << jump[1] for jump in jumps], np.uint32)
        values, misere = np.zeros(1 << len(holes), np.uint8), np.zeros(1 << len(holes), np.bool_)
        for pegs in range(len(holes)):
            play(pegs, values, misere, flips, needs)
        seen = set[tuple[int, ...]]()
        for hole, (x, y) in enumerate(holes):
            image = tuple(sorted((x, y - x, side - 1 - y)))
            if image not in seen:
                seen.add(image)
                start = (1 << len(holes)) - 1 - (1 << hole)
                name = f"triangle{len(holes)}:{'abcdefghij'[x]}{y + 1}"
                told = {
                    "vacancy": name,
                    "nim-value": int(values[start]),
                    "misere": "first" if misere[start] else "second",
                }
                print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
