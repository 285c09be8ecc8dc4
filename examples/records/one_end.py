"""Fewest moves without pegcp, a second way: from the start alone, jump by jump, without symmetry.

Run it with:  python examples/records/one_end.py FILE       (records, a row for each problem; triangle36: 1 GB)

For each problem: is there a solution with a move less than told? A state is a position and the hole of the peg that
jumped last; a level has all positions a number of moves from the start, as a sorted array. What leaves out positions is
simpler than in both_ends.py: disjoint regions drawn by hand, that do not change. One line for each problem.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

Array = Any
ONE = np.uint64(1)
PEG = np.uint64(48)  # the hole of the peg that jumped last stands in the bits from here


def board(name: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The holes of a triangle or square and their places, row by row."""
    rows = next(n for n in range(20) if name in (f"triangle{n * (n + 1) // 2}", f"square{n}"))
    places = [(x, y) for y in range(rows) for x in range(y + 1 if name.startswith("t") else rows)]
    return ["abcdefghij"[x] + str(y + 1) for x, y in places], places


def regions(name: str, places: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Disjoint sets with an end of every line whose middle they have: corners, pairs along sides, blocks inside."""
    last = places[-1][1]
    if name.startswith("square"):
        sides = [[(i, 0) for i in range(last + 1)], [(i, last) for i in range(last + 1)]]
        sides += [[(y, x) for x, y in side] for side in sides]
        inside = [[(x + i, y + j) for i in (0, 1) for j in (0, 1)] for x, y in product(range(1, last - 1, 2), repeat=2)]
    else:
        sides = [
            [(0, i) for i in range(last + 1)],
            [(i, i) for i in range(last + 1)],
            [(i, last) for i in range(last + 1)],
        ]
        hexagon = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1)]
        inside = [[(x + 2, y + 4) for x, y in hexagon]] if last > 5 else []
    corners = [[corner] for corner in sorted({side[end] for side in sides for end in (0, -1)})]
    pairs = [side[i : i + 2] for side in sides for i in range(1, last - 1, 2)]
    return corners + pairs + inside


def within(name: str, start: str, most: int) -> tuple[dict[str, int], int]:
    """The fewest moves to one peg in each hole, where they are at most so many; and the states looked at."""
    names, places = board(name)
    at = {place: i for i, place in enumerate(places)}
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)] + [(1, 1), (-1, -1)] * name.startswith("triangle")
    lines = [[(x + i * dx, y + i * dy) for i in range(3)] for x, y in places for dx, dy in steps]
    jumps = [[at[place] for place in line] for line in lines if line[2] in at]
    masks = [np.uint64(sum(1 << at[place] for place in region)) for region in regions(name, places)]
    assert sum(map(int, masks)) == int(np.bitwise_or.reduce(masks))  # no two of them meet
    assert all({a, c} & r for r in ({at[p] for p in q} for q in regions(name, places)) for a, b, c in jumps if b in r)

    def kept(states: Array, moves: int) -> Array:
        states = np.unique(states)
        full = sum((states & mask == mask).astype(np.int8) for mask in masks)
        return states[moves + full <= most]

    def jumped(states: Array, again: bool) -> Array:
        found = []
        for a, b, c in jumps:
            can = states >> np.uint64(a) & ~states >> np.uint64(c) & states >> np.uint64(b) & ONE == ONE
            if again:
                can &= states >> PEG == a
            now = states[can] & (ONE << PEG) - ONE
            found.append(now ^ np.uint64(1 << a | 1 << b | 1 << c) | np.uint64(c) << PEG)
        return np.concatenate(found)

    ends: dict[str, int] = {}
    level = np.array([(1 << len(places)) - 1 - (1 << names.index(start))], np.uint64)
    seen, looked = level, 0
    for moves in range(1, most + 1):
        states = kept(jumped(level, False), moves)
        parts = []
        while states.size:
            looked += states.size
            parts.append(np.unique(states & (ONE << PEG) - ONE))
            states = kept(jumped(states, True), moves)
        if not parts:
            break
        level = np.setdiff1d(np.concatenate(parts), seen)
        seen = np.union1d(seen, level)
        for hole, name_ in enumerate(names):
            if np.uint64(1 << hole) in level:
                ends.setdefault(name_, moves)
    return ends, looked


def main() -> None:
    """All problems of a file."""
    for row in map(json.loads, Path(sys.argv[1]).read_text().splitlines()):
        begun = time.process_time()
        name, _, pair = row["problem"].partition(":")
        start, _, finish = pair.partition("->")
        if row["fewest moves"]:
            ends, looked = within(name, start, row["fewest moves"] - 1)
            sooner = min((moves for hole, moves in ends.items() if finish in ("?", hole)), default=None)
            print(
                row["problem"], row["fewest moves"], "agrees" if sooner is None else f"but {sooner} is told", end=", "
            )
            print(f"{looked:,} states, {time.process_time() - begun:.1f} CPU s", flush=True)


if __name__ == "__main__":
    main()
