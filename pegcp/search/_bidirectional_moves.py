"""Find the fewest moves from both ends, level by level, within a bound that grows until the levels meet.

Barker and Korf, Solving peg solitaire with bidirectional BFIDA*, AAAI 2012. A level holds the positions after a number
of jumps, so that equal positions meet. Each position is kept once, with the fewest moves that lead to it and the holes
where the last of these moves may end: with any other end, going on for nothing costs as much as a new move from there.
A position is dropped when its moves, and one for each full region that must still be opened
(:mod:`pegcp.theory.regions`; from behind: for each that is open and was full), exceed the bound. The first bound with a
solution is the optimum.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.states.kernels.fewest_moves import Bounded, Reached, enter_all, expand_within
from pegcp.states.kernels.jumps import PIECE
from pegcp.states.kernels.position_sets import Array
from pegcp.states.levels import Levels
from pegcp.states.move_counts import MoveCounts
from pegcp.theory.regions import least_moves, packing, regions_to_open

_CHUNK = 1 << 13  # positions expanded at a time
_FULL = 0.6  # of the slots of a hash table


class BothEnds:
    """The search. A node is a position of a level; ``cut`` is True if the last bound dropped some.

    A level is a table without empty slots, its positions rising.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run = problem, run
        self.levels = Levels(problem, run, problem.symmetries())
        self.regions = np.array(packing(regions_to_open(problem)), np.uint64)
        self.nodes = 0
        self.cut = False
        self.jumps: list[Jump] | None = None

    def lower_bounds(self) -> Iterator[int]:
        """Look for a solution within a bound that grows; each time, yield the next bound."""
        bound = least_moves(self.problem)
        while bound <= self.problem.jump_counts[-1]:
            path = self._within(bound)
            if path:
                moves = MoveCounts(self.levels, path.copy)
                list(moves.lower_bounds())
                self.jumps = moves.solution()
            if path or not self.cut:
                return
            bound += 1
            yield bound

    def solution(self) -> list[Jump] | None:
        """Return the solution, or None if there is none."""
        return self.jumps

    def _within(self, bound: int) -> list[Array]:
        """Return levels with at least one solution within the bound; none if there is no such solution.

        They have all solutions that pass the positions where the levels meet.
        """
        problem, levels = self.problem, self.levels
        fore = [_level([problem.start.mask])]
        back = [_level(levels.last())]
        self.cut = False
        for _ in range(problem.jump_counts[0]):
            forwards = len(fore[-1].positions) <= len(back[-1].positions)
            grown = fore if forwards else back
            grown.append(self._next(grown[-1], bound, forwards))
            self.nodes += len(grown[-1].positions)
            self.run.report({"nodes": self.nodes})
            if not len(grown[-1].positions):
                return []
        path = [self._meeting(fore.pop(), back.pop(), bound)]
        if not len(path[0]):
            return []
        while fore:
            path.insert(0, levels.common(levels.before(path[0]), fore.pop().positions))
        while back:
            path.append(levels.common(levels.after(path[-1]), back.pop().positions))
        return path

    def _next(self, level: Reached, bound: int, forwards: bool) -> Reached:
        """Return all positions one jump on (or back) that can be part of a solution within the bound.

        Each thread looks at all jumps and enters the positions that are its own in a table of its own.
        """
        jumps, symmetries = self.problem.board.jumps, self.levels.symmetries
        leaves = [jump.from_ if forwards else jump.to for jump in jumps]
        lands = [[p[jump.to if forwards else jump.from_] for p in symmetries] for jump in jumps]
        limits = Bounded(
            self.levels.arrays.forwards if forwards else self.levels.arrays.backwards,
            np.array(leaves, np.uint64),
            np.array(lands, np.uint64),
            self.regions,
            int(forwards),
            bound,
        )
        owners = self.run.limits.workers if len(level.positions) > _CHUNK else 1
        with ThreadPoolExecutor(owners) as pool:
            parts = [pool.submit(self._owned, level, limits, owner, owners) for owner in range(owners)]
            return _sorted([part.result() for part in parts])

    def _owned(self, level: Reached, limits: Bounded, owner: int, owners: int) -> Reached:
        most = _CHUNK * len(self.problem.board.jumps) // owners + len(self.problem.board.jumps)
        into = _table(most)
        stored = 0
        for first in range(0, len(level.positions), _CHUNK):
            self.levels.tick()
            if stored + most > _FULL * len(into.positions):
                larger = _table(2 * stored + most)
                enter_all(into, larger)
                into = larger
            last = min(first + _CHUNK, len(level.positions))
            new, dropped = expand_within(level, first, last, limits, into, owner, owners)
            stored += new
            self.cut |= dropped > 0
        used = into.positions != 0
        return Reached(into.positions[used], into.moves[used], into.ends[used])

    def _meeting(self, fore: Reached, back: Reached, bound: int) -> Array:
        """Return the positions of both levels that solutions within the bound pass."""
        common, i, j = np.intersect1d(fore.positions, back.positions, assume_unique=True, return_indices=True)
        ends = fore.ends[i]
        for s in range(len(self.levels.symmetries)):  # a symmetric position keeps but one of its symmetric ends
            fixed = self._carried(common, s) == common
            ends[fixed] |= self._carried(fore.ends[i][fixed], s)
        self.cut |= bool(len(common))
        within: Array = common[fore.moves[i] + back.moves[j] - (ends & back.ends[j] != 0) <= bound]
        return within

    def _carried(self, masks: Array, s: int) -> Array:
        """Return positions or sets of holes as a symmetry carries them."""
        carried = np.zeros_like(masks)
        for piece, images in enumerate(self.levels.arrays.forwards.images):
            values = masks >> np.uint64(PIECE * piece) & np.uint64((1 << PIECE) - 1)
            carried |= images[values.astype(np.intp), s]
        return carried


def _level(positions: list[int]) -> Reached:
    size = len(positions)
    return Reached(np.array(positions, np.uint64), np.zeros(size, np.int8), np.zeros(size, np.uint64))


def _table(positions: int) -> Reached:
    """Return an empty table with room for that many positions."""
    slots = 1 << max(10, int(positions / _FULL).bit_length())
    return Reached(np.zeros(slots, np.uint64), np.zeros(slots, np.int8), np.zeros(slots, np.uint64))


def _sorted(parts: list[Reached]) -> Reached:
    """Return the level of several hash tables without empty slots."""
    positions, moves, ends = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(positions)
    return Reached(positions[order], moves[order], ends[order])
