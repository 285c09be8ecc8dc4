"""Fewest moves without pegcp, a second way: from the start alone, jump by jump, without symmetry.

Run it with:  python examples/records/one_end.py FILE       (records, a row for each problem)

For each problem: is there a solution with a move less than told? A state is a position and the hole of the peg that
jumped last; a level has all positions a number of moves from the start, as a sorted array. What leaves out positions is
simpler than in both_ends.py: disjoint regions drawn by hand, that do not change. One line for each problem.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
from words import Array, tell

ONE = np.uint64(1)
PEG = np.uint64(48)  # the hole of the peg that jumped last stands in the bits from here


def board(name: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The holes of a triangle or square and their places, row by row."""
    rows = next(n for n in range(20) if name in (f"triangle{n * (n + 1) // 2}", f"square{n}"))
    places = [(x, y) for y in range(rows) for x in range(y + 1 if name.startswith("t") else rows)]
    return ["abcdefghij"[x] + str(y + 1) for x, y in places], places


def regions(name: str, places: list[tuple[int, int]]) -> list[list[set[tuple[int, int]]]]:
    """Sets with an end of every line whose middle they have: corners, pairs along sides, blocks inside.

    In lists of sets of which one is counted at most; sets of different lists do not meet.
    """
    last = places[-1][1]
    ends = range(last + 1)
    if name.startswith("square"):
        sides = [[(i, 0) for i in ends], [(i, last) for i in ends], [(0, i) for i in ends], [(last, i) for i in ends]]
        inside = [
            [{(x + i, y + j) for i in (0, 1) for j in (0, 1)}] for x, y in product(range(1, last - 1, 2), repeat=2)
        ]
    else:
        sides = [[(0, i) for i in ends], [(i, i) for i in ends], [(i, last) for i in ends]]
        hexagon = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, -1)]
        inside = [[{(x + i, y + j) for i, j in hexagon} for x, y in places if 1 < x < y - 1 < last - 2]]
    corners = [[{corner}] for corner in sorted({side[end] for side in sides for end in (0, -1)})]
    pairs = [[set(side[i : i + 2])] for side in sides for i in range(1, last - 1, 2)]
    return [*corners, *pairs, *inside]


@cache
def within(name: str, start: str, most: int) -> tuple[dict[str, int], int]:
    """The fewest moves to one peg in each hole, where they are at most so many; and the states looked at."""
    names, places = board(name)
    at = {place: i for i, place in enumerate(places)}
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)] + [(1, 1), (-1, -1)] * name.startswith("triangle")
    lines = [[(x + i * dx, y + i * dy) for i in range(3)] for x, y in places for dx, dy in steps]
    jumps = [[at[place] for place in line] for line in lines if line[2] in at]
    kinds = [[{at[place] for place in region} for region in kind] for kind in regions(name, places)]
    assert all({a, c} & region for kind in kinds for region in kind for a, b, c in jumps if b in region)
    assert not any(q & r for one, other in combinations(kinds, 2) for q in one for r in other)
    masks = [[np.uint64(sum(1 << hole for hole in region)) for region in kind] for kind in kinds]

    def costs(positions: Array) -> Array:
        """The full regions: a move begins in each, later."""
        full = np.zeros(positions.size, np.int8)
        for kind in masks:
            full += np.any([positions & mask == mask for mask in kind], axis=0)
        return full

    def kept(states: Array, moves: int) -> Array:
        """Those within the bound; the peg that jumped last may go on, so what it fills costs nothing yet."""
        others = states & ~(ONE << (states >> PEG)) & (ONE << PEG) - ONE
        return np.unique(states[moves + costs(others) <= most])

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
        level = level[moves + costs(level) <= most]
    return ends, looked


def main() -> None:
    """All problems of a file."""
    for row in map(json.loads, Path(sys.argv[1]).read_text().splitlines()):
        name, _, pair = row["problem"].partition(":")
        start, _, finish = pair.partition("->")
        if row["fewest moves"]:
            ends, looked = within(name, start, row["fewest moves"] - 1)
            sooner = min((moves for hole, moves in ends.items() if finish in ("?", hole)), default=None)
            tell({"problem": row["problem"], "fewest moves": row["fewest moves"], "fewer": sooner, "states": looked})


if __name__ == "__main__":
    main()
