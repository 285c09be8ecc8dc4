"""The smallest armies: on an endless board, with pegs on one side of a line alone, to bring one peg far beyond it.

Run it with:  python examples/records/armies.py SECONDS JUMPS:LEVEL:PEGS ... > examples/records/armies.jsonl

An army of at most so many pegs is looked for; SECONDS limit each program, such as ``300 square:4:20 diagonal:5:13``.
Published: OEIS A014225 (jumps along rows and columns), A014227 (six directions), A125730 (diagonal jumps, too); Bell,
Hirschberg and Guerrero-García, The minimum size required of a solitaire army, Integers 7 (2007). The target is (0, 0),
and the pegs are in rows at least so far below it as the level says.

* An army: where the pegs are and how often each jump is made is an integer program (OR-tools); then the order of the
  jumps by search.
* A pagoda function gives a lower bound on the endless board: the golden section (0.618), to the power of the distance.
  No jump makes the sum over the pegs more, and the sum at the end is 1 or more.
* Let k be that bound: k - 1 pegs weigh less than 1. So an army of k is within some distance; and none of its pegs jumps
  away from the target, which loses at least what this peg weighed at first. So everything happens within that
  distance, and there the integer program shows whether k are too few.
* If they are, and the k heaviest weigh 1 exactly, let d be the distance of the lightest of them, and take k + 1 pegs.
  Each takes part, since k are too few. If one were farther than d + 2, the others would have to weigh so much that all
  are within d, and too much for one of them to jump away: none comes beside it. A jump away loses at least what the peg
  weighed at first, and leaves 1 at most: there is one such jump, to the next distance. So all is within d + 3.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count, product
from typing import Any, NamedTuple

from ortools.sat.python import cp_model
from words import tell

Hole = tuple[int, int]
Jump = tuple[Hole, Hole, Hole]
ACROSS = ((1, 0), (-1, 0), (0, 1), (0, -1))
SLANTED = ((1, 1), (-1, -1))
WAYS = {"square": ACROSS, "hexagonal": ACROSS + SLANTED, "diagonal": (*ACROSS, *SLANTED, (1, -1), (-1, 1))}
GOLDEN = (5**0.5 - 1) / 2
EQUAL = 1e-9  # sums of few powers of the golden section are equal, or much farther apart
REACH = {"square": 6, "hexagonal": 4, "diagonal": 2}  # an army is looked for so far behind the line


class Field(NamedTuple):
    """The holes of an endless board, and how far beyond the line the target is."""

    kind: str
    level: int

    def distance(self, hole: Hole) -> int:
        """How far a hole is from the target; neighbours differ by at most 1."""
        x, y = hole
        if self.kind == "square":
            return abs(x) + abs(y)
        return max(abs(x), abs(y), abs(x - y) if self.kind == "hexagonal" else 0)

    def holes(self, most: int) -> list[Hole]:
        """The holes up to a distance."""
        across = range(-most, most + 1)
        return [hole for hole in product(across, across) if self.distance(hole) <= most]

    def weights(self) -> Iterator[float]:
        """What the pegs of an army can weigh, the heaviest first."""
        for distance in count(self.level):
            behind = [hole for hole in self.holes(distance) if hole[1] <= -self.level]
            yield from (GOLDEN**distance for hole in behind if self.distance(hole) == distance)


def search(field: Field, distance: int, most: int, seconds: float) -> tuple[str, list[Hole], list[Jump]]:
    """How the search for at most so many pegs up to a distance ended; an army, and its jumps if they have an order."""
    holes = field.holes(distance)
    inside = set(holes)
    every = (
        ((x, y), (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)) for (x, y), (dx, dy) in product(holes, WAYS[field.kind])
    )
    jumps = [jump for jump in every if inside.issuperset(jump)]
    model = cp_model.CpModel()
    numbers = {jump: model.new_int_var(0, most - 1, "") for jump in jumps}
    start = {hole: model.new_bool_var("") for hole in holes if hole[1] <= -field.level}
    change: dict[Hole, list[Any]] = {hole: [] for hole in holes}
    for (begin, over, end), number in numbers.items():
        change[begin].append(-number)
        change[over].append(-number)
        change[end].append(number)
    for hole in holes:
        last = start.get(hole, 0) + sum(change[hole])
        model.add_linear_constraint(last, 1 if hole == (0, 0) else 0, 1)
    model.add(sum(start.values()) <= most)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return solver.status_name(status), [], []
    pegs = [hole for hole in start if solver.value(start[hole])]
    counts = {jump: solver.value(number) for jump, number in numbers.items() if solver.value(number)}
    return solver.status_name(status), pegs, in_order(frozenset(pegs), counts, set()) or []


def in_order(pegs: frozenset[Hole], counts: dict[Jump, int], seen: set[frozenset[object]]) -> list[Jump] | None:
    """The jumps, each so often, in an order in which they can be made; None if there is none."""
    key = frozenset[object](counts.items())
    if key in seen:
        return None
    seen.add(key)
    for jump in counts:
        begin, over, end = jump
        if begin in pegs and over in pegs and end not in pegs:
            less = {other: number - (other == jump) for other, number in counts.items() if other != jump or number > 1}
            after = in_order(pegs - {begin, over} | {end}, less, seen)
            if after is not None:
                return [jump, *after]
    return None if counts else []


def bound(field: Field, seconds: float) -> tuple[int, int]:
    """The lower bounds on the endless board: by the pagoda function alone, and with the integer program."""
    weights = field.weights()
    weighed, pegs, lightest = 0.0, 1, next(weights)
    while weighed + lightest < 1 - EQUAL:
        weighed, pegs, lightest = weighed + lightest, pegs + 1, next(weights)
    distance = max(d for d in range(field.level, 99) if weighed + GOLDEN**d >= 1 - EQUAL)
    least = pegs + excluded(field, distance, pegs, seconds)
    if least > pegs and abs(weighed + lightest - 1) < EQUAL:
        least += excluded(field, distance + 3, least, seconds)
    return pegs, least


def excluded(field: Field, distance: int, pegs: int, seconds: float) -> bool:
    """Whether the integer program shows that so many pegs up to a distance are too few."""
    ended, *_ = search(field, distance, pegs, seconds)
    print(field, f"{pegs} pegs up to distance {distance}: {ended}", file=sys.stderr)
    return ended == "INFEASIBLE"


def main() -> None:
    """A line for each level."""
    seconds = float(sys.argv[1])
    for argument in sys.argv[2:]:
        kind, level, pegs = argument.split(":")
        field = Field(kind, int(level))
        by_pagoda, least = bound(field, seconds)
        _, army, jumps = search(field, field.level + REACH[kind], int(pegs), seconds)
        about: dict[str, object] = {"jumps": kind, "level": field.level, "by pagoda": by_pagoda, "at least": least}
        if jumps:
            about |= {"pegs": len(army), "army": army, "solution": jumps}
        tell(about)


if __name__ == "__main__":
    main()
