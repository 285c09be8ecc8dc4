"""Fewest moves without pegcp, from both ends, within a bound that grows.

Run it with:  python examples/records/both_ends.py BOARD [pairs | START->FINISH ...]

BOARD is triangleN or squareN, of up to 64 holes; FINISH may be ?, one peg anywhere. Without a problem, all vacancies to
one peg anywhere, up to symmetry; with ``pairs``, to each hole that parities allow.

A level is the set of positions a number of *moves* from the start, or moves taken back from the end, the least of those
that the symmetries of the problem make equal. The smaller side grows by a move until the two have as many moves as the
bound; if they do not meet, no solution has as few. Positions are left out that cannot be part of a solution within the
bound: each of several disjoint full regions costs a move that begins in it, and each that was full and no longer is has
cost one (Merson 1962, in Beasley, The Ins and Outs of Peg Solitaire). One line of JSON for each problem; sizes and
costs go to standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from words import Array, Word, by_peg, compiled, enter, image_tables, lattice, least, slot, sweeps, tell

Hole = tuple[int, int]
ROOM = 0.6  # of the slots of a table
LARGEST = 7  # holes of a region
FORWARDS, BACKWARDS = 0, 1


@compiled
def cost(position: Word, opened: bool, regions: Array) -> int:
    """Disjoint regions that are full; or those that are not."""
    used, found = np.uint64(0), 0
    for region in regions:
        if (position & region == region) != opened and not region & used:
            used |= region
            found += 1
    return found


@compiled
def grow(
    queue: Array,
    first: int,
    last: int,
    count: int,
    table: Array,
    most: int,
    opened: bool,
    regions: Array,
    images: Array,
    flips: Array,
    needs: Array,
    lands: Array,
) -> tuple[int, int]:
    """Enter what is one move from some positions and costs at most so much, until the queue has no room for more.

    Returns the first position that was not looked at, and how many the queue holds.
    """
    while first < last:
        near = sweeps(queue[first], flips, needs, lands)
        if count + len(near) > queue.size:
            break
        for q in near:
            if cost(q, opened, regions) <= most:
                position = least(q, images)
                at = slot(table, position)
                if not table[at]:
                    table[at] = queue[count] = position
                    count += 1
        first += 1
    return first, count


@compiled
def meeting(positions: Array, table: Array, images: Array, flips: Array, needs: Array, lands: Array) -> Word:
    """A position of a table that is one move from some positions, or 0."""
    for before in positions:
        for q in sweeps(before, flips, needs, lands):
            position = least(q, images)
            if table[slot(table, position)]:
                return position
    return np.uint64(0)


class Board:
    """Holes, jumps, symmetries, regions."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.holes, self.names, self.jumps = lattice(name)
        self.full = (1 << len(self.holes)) - 1
        self.symmetries = [image for image in self._maps() if sorted(image) == list(range(len(self.holes)))]
        self.regions = self._regions()
        self.tables = [by_peg(self.jumps, len(self.holes), *ends) for ends in ((0, 2), (2, 0))]

    def _maps(self) -> list[list[int]]:
        """Linear maps of the lattice with a shift that carries the corner of the rectangle around the board."""
        found = []
        for a, b, c, d in product((-1, 0, 1), repeat=4):
            if abs(a * d - b * c) == 1:
                image = [(a * x + b * y, c * x + d * y) for x, y in self.holes]
                left, top = (min(p[i] for p in image) - min(h[i] for h in self.holes) for i in (0, 1))
                image = [(x - left, y - top) for x, y in image]
                if set(image) == set(self.holes):
                    places = [self.holes.index(hole) for hole in image]
                    lines = {frozenset(jump) for jump in self.jumps}
                    if {frozenset(places[h] for h in line) for line in lines} == lines:
                        found.append(places)
        return found

    def _regions(self) -> list[int]:
        """Sets of holes, none in another, that have an end of every line whose middle they have."""
        found = set[frozenset[int]]()
        seen = {frozenset([hole]) for hole in range(len(self.holes))}
        stack = list(seen)
        while stack:
            region = stack.pop()
            shut = [{a, c} for a, b, c in self.jumps if b in region and not region & {a, c}]
            if not shut:
                found.add(region)
            elif len(region) < LARGEST:
                new = {region | {end} for end in shut[0]} - seen
                seen |= new
                stack += new
        smallest = [r for r in found if not any(q < r for q in found)]
        return [sum(1 << hole for hole in r) for r in sorted(smallest, key=lambda r: (len(r), sorted(r)))]


@dataclass
class Side:
    """The positions found from one end, level after level."""

    positions: Array
    images: Array
    regions: Array
    tables: list[Array]
    opened: bool
    ends: list[int] = field(default_factory=list)  # where each level ends
    table: Array = field(init=False)

    def __post_init__(self) -> None:
        self.ends = [0, len(self.positions)]
        self._resize(1 << 18)

    def _resize(self, slots: int) -> None:
        used = self.positions[: self.ends[-1]]
        self.table = np.zeros(slots, np.uint64)
        self.positions = np.empty(int(slots * ROOM), np.uint64)
        self.positions[: used.size] = used
        enter(used, self.table)

    @property
    def moves(self) -> int:
        """The moves of the last level."""
        return len(self.ends) - 2

    def level(self, moves: int) -> Array:
        """The positions after a number of moves."""
        return self.positions[self.ends[moves] : self.ends[moves + 1]]

    def grow(self, bound: int) -> None:
        """The next level."""
        first, last = self.ends[-2:]
        self.ends.append(last)
        while first < last:
            most = bound - self.moves
            first, self.ends[-1] = grow(
                self.positions, first, last, self.ends[-1], self.table, most, self.opened, self.regions, self.images,
                *self.tables,
            )  # fmt: skip
            if first < last:
                self._resize(2 * self.table.size)


def within(bound: int, start: Array, ends: Array, board: Board, images: Array) -> list[int]:
    """The positions that a solution of so many moves passes, each the least of its images; none if there is none."""
    regions = np.array(board.regions, np.uint64)
    kept = np.array([r for r in board.regions if not r & ~int(start[0])], np.uint64)
    fore = Side(start, images, regions, board.tables[FORWARDS], False)
    back = Side(ends, images, kept, board.tables[BACKWARDS], True)
    while True:
        small, large = (fore, back) if len(fore.level(fore.moves)) <= len(back.level(back.moves)) else (back, fore)
        if fore.moves + back.moves + 1 == bound:
            met = int(meeting(small.level(small.moves), large.table, images, *small.tables))
            break
        small.grow(bound)
    sizes = [[int(n) for n in np.diff(side.ends)] for side in (fore, back)]
    print(f"  {bound} moves: {sizes[0]} from the start, {sizes[1]} from the end", file=sys.stderr, flush=True)
    if not met:
        return []
    before = traced(fore, met, BACKWARDS, fore.moves - (fore is large), board)
    return [*reversed(before), met, *traced(back, met, FORWARDS, back.moves - (back is large), board)]


def traced(side: Side, position: int, how: int, moves: int, board: Board) -> list[int]:
    """From a position to the first level of a side, from this level on: a position of each."""
    path = []
    for level in range(moves, -1, -1):
        near = np.array([least(q, side.images) for q in sweeps(np.uint64(position), *board.tables[how])], np.uint64)
        position = int(near[np.isin(near, side.level(level))][0])
        path.append(position)
    return path


def told(path: list[int], position: int, board: Board, images: Array) -> str:
    """The moves of a solution that passes these positions, or images of them."""
    moves = []
    for target in path[1:]:
        stack = [(position, [hole]) for hole in range(len(board.holes)) if position >> hole & 1]
        while stack:
            now, holes = stack.pop()
            if len(holes) > 1 and least(np.uint64(now), images) == target:
                position = now
                moves.append("-".join(board.names[hole] for hole in holes))
                break
            for a, b, c in board.jumps:
                if a == holes[-1] and now >> a & 1 and now >> b & 1 and not now >> c & 1:
                    stack.append((now ^ (1 << a | 1 << b | 1 << c), [*holes, c]))
    assert position.bit_count() == 1
    return " ".join(moves)


def colours(board: Board, position: int) -> list[int]:
    """The parities that no jump changes: holes in two of three colours, for each colouring by diagonals there is."""
    found = []
    for sign in (1, -1):
        colour = [(x + sign * y) % 3 for x, y in board.holes]
        if all(len({colour[hole] for hole in jump}) == 3 for jump in board.jumps):
            count = [sum(position >> hole & 1 for hole, c in enumerate(colour) if c == each) for each in range(3)]
            found += [(count[0] + count[1]) % 2, (count[1] + count[2]) % 2]
    return found


def solve(board: Board, start: int, goals: list[int], finish: str) -> None:
    """Print the fewest moves from a vacancy to one peg in one of some holes."""
    first = board.full & ~(1 << start)
    row: dict[str, Any] = {"problem": f"{board.name}:{board.names[start]}->{finish}", "fewest moves": None}
    if goals:
        images = image_tables([image for image in board.symmetries if len(goals) > 1 or image[goals[0]] == goals[0]])
        ends = np.unique([least(np.uint64(1 << hole), images) for hole in goals])
        origin = np.array([least(np.uint64(first), images)], np.uint64)
        bound = cost(origin[0], False, np.array(board.regions, np.uint64))
        for moves in range(bound, len(board.holes)):
            path = within(moves, origin, ends, board, images)
            if path:
                row |= {"fewest moves": moves, "solution": told(path, first, board, images)}
                break
    tell(row)


def problems(board: Board, pairs: bool) -> Iterator[str]:
    """All vacancies up to symmetry, to one peg anywhere or to each hole that is not equal to one before."""
    holes = range(len(board.holes))
    for start in sorted({min(image[hole] for image in board.symmetries) for hole in holes}):
        fixing = [image for image in board.symmetries if image[start] == start]
        finishes = sorted({min(image[hole] for image in fixing) for hole in possible(board, start)})
        yield from (
            (f"{board.names[start]}->{board.names[hole]}" for hole in finishes)
            if pairs
            else [f"{board.names[start]}->?"]
        )


def possible(board: Board, start: int) -> list[int]:
    """The holes that a last peg can be in, as parities say."""
    first = colours(board, board.full & ~(1 << start))
    return [hole for hole in range(len(board.holes)) if colours(board, 1 << hole) == first]


def main() -> None:
    """The problems that are named, or all."""
    board = Board(sys.argv[1])
    asked = sys.argv[2:]
    for problem in problems(board, asked == ["pairs"]) if asked in ([], ["pairs"]) else asked:
        start, _, finish = problem.partition("->")
        hole = board.names.index(start)
        solve(board, hole, [end for end in possible(board, hole) if finish in ("?", board.names[end])], finish)


if __name__ == "__main__":
    main()
