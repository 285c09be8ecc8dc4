"""Fewest moves from both ends, level by level, within a bound that grows until the levels meet.

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
from itertools import pairwise

import numpy as np

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.game.symmetry import image
from pegcp.method import Run
from pegcp.states.kernels.compiled import compiling_for
from pegcp.states.kernels.jumps import PIECE
from pegcp.states.kernels.marks import Array
from pegcp.states.kernels.moves import Bounded, Reached, enter_all, expand_within
from pegcp.states.levels import watch
from pegcp.states.rules import rules
from pegcp.theory.regions import least_moves, opened, packing

_CHUNK = 1 << 13  # positions expanded at a time
_FULL = 0.6  # of the slots of a hash table


class BothEnds:
    """The search. A node is a position of a level; ``cut`` says that the last bound dropped some.

    A level is a table without empty slots, its positions rising.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run = problem, run
        self.tick = watch(run)
        compiling_for(run)
        self.jumps = problem.board.jumps
        self.symmetries = problem.symmetries()
        self.regions = np.array(packing(opened(problem)), np.uint64)
        self.forwards = rules(problem.board, self.symmetries, [(jump.mask, jump.needs) for jump in self.jumps])
        self.backwards = rules(problem.board, self.symmetries, [(jump.mask, 1 << jump.to) for jump in self.jumps])
        self.nodes = 0
        self.cut = False
        self.found: list[Jump] | None = None

    def lower_bounds(self) -> Iterator[int]:
        """Look for a solution within a bound that grows; each time, the bound that is looked at next."""
        bound = least_moves(self.problem)
        while bound <= self.problem.jump_counts[-1]:
            self.found = self._within(bound)
            if self.found is not None or not self.cut:
                return
            bound += 1
            yield bound

    def solution(self) -> list[Jump] | None:
        """The solution that was found."""
        return self.found

    def _within(self, bound: int) -> list[Jump] | None:
        """A solution with at most ``bound`` moves, or None if there is none."""
        problem = self.problem
        goals = sorted({min(self._images(goal)) for goal in problem.targets or ()})
        fore, back = [_level([problem.start.mask])], [_level(goals)]
        self.cut = False
        for _ in range(problem.jump_counts[0]):
            forwards = len(fore[-1].positions) <= len(back[-1].positions)
            levels = fore if forwards else back
            levels.append(self._next(levels[-1], bound, forwards))
            self.nodes += len(levels[-1].positions)
            self.run.report({"nodes": self.nodes})
            if not len(levels[-1].positions):
                return None
        meeting = self._meeting(fore[-1], back[-1], bound)
        if meeting is None:
            return None
        position, end, begin = meeting
        before = list(self._trace(fore, position, end, True))
        return [*reversed(before), *self._trace(back, position, begin, False)]

    def _images(self, position: int) -> list[int]:
        return [image(p, position) for p in self.symmetries]

    def _next(self, level: Reached, bound: int, forwards: bool) -> Reached:
        """All positions one jump on (or back) that can be part of a solution within the bound.

        Each thread looks at all jumps and enters the positions that are its own in a table of its own.
        """
        leaves = [jump.from_ if forwards else jump.to for jump in self.jumps]
        lands = [[p[jump.to if forwards else jump.from_] for p in self.symmetries] for jump in self.jumps]
        how = Bounded(
            self.forwards if forwards else self.backwards,
            np.array(leaves, np.uint64),
            np.array(lands, np.uint64),
            self.regions,
            int(forwards),
            bound,
        )
        owners = self.run.limits.workers if len(level.positions) > _CHUNK else 1
        if owners == 1:
            return _sorted([self._owned(level, how, 0, 1)])
        with ThreadPoolExecutor(owners) as pool:
            parts = [pool.submit(self._owned, level, how, owner, owners) for owner in range(owners)]
            return _sorted([part.result() for part in parts])

    def _owned(self, level: Reached, how: Bounded, owner: int, owners: int) -> Reached:
        most = _CHUNK * len(self.jumps) // owners + len(self.jumps)
        into = _table(most)
        stored = 0
        for first in range(0, len(level.positions), _CHUNK):
            self.tick()
            if stored + most > _FULL * len(into.positions):
                larger = _table(2 * stored + most)
                enter_all(into, larger)
                into = larger
            last = min(first + _CHUNK, len(level.positions))
            new, dropped = expand_within(level, first, last, how, into, owner, owners)
            stored += new
            self.cut |= dropped > 0
        used = into.positions != 0
        return Reached(into.positions[used], into.moves[used], into.ends[used])

    def _carried(self, masks: Array, s: int) -> Array:
        """Positions or sets of holes as a symmetry carries them."""
        carried = np.zeros_like(masks)
        for piece, images in enumerate(self.forwards.images):
            values = masks >> np.uint64(PIECE * piece) & np.uint64((1 << PIECE) - 1)
            carried |= images[values.astype(np.intp), 0, s]
        return carried

    def _meeting(self, fore: Reached, back: Reached, bound: int) -> tuple[int, int | None, int | None] | None:
        """A position of both levels within the bound, where the move to it ends, and where the next begins."""
        common, i, j = np.intersect1d(fore.positions, back.positions, assume_unique=True, return_indices=True)
        ends = fore.ends[i]
        for s in range(len(self.symmetries)):  # a symmetric position keeps but one of its symmetric ends
            same = self._carried(common, s) == common
            ends[same] |= self._carried(fore.ends[i][same], s)
        shared = ends & back.ends[j]
        total = fore.moves[i] + back.moves[j] - (shared != 0)
        self.cut |= bool(len(common))
        if not len(common) or total.min() > bound:
            return None
        best = int(total.argmin())
        if shared[best]:
            hole = _lowest(int(shared[best]))
            return int(common[best]), hole, hole
        return int(common[best]), _lowest(int(ends[best])), _lowest(int(back.ends[j[best]]))

    def _trace(self, levels: list[Reached], position: int, end: int | None, forwards: bool) -> Iterator[Jump]:
        """The jumps from a position of the last level back to the first, where ``end`` is the peg moved last."""
        for here, before in pairwise(reversed(levels)):
            state = _at(here, min(self._images(position)))
            assert state is not None
            jump, position, end = self._step(before, position, state[0], end, forwards)
            yield jump

    def _step(
        self, before: Reached, position: int, moves: int, end: int | None, forwards: bool
    ) -> tuple[Jump, int, int | None]:
        """The jump that led here from a position before, that position, and where the peg moved last stood there."""
        for jump in self.jumps:
            leaves, lands = (jump.from_, jump.to) if forwards else (jump.to, jump.from_)
            was = position ^ jump.mask
            if lands != end or was & jump.mask != (jump.needs if forwards else 1 << jump.to):
                continue
            least = min(self._images(was))
            state = _at(before, least)
            if state is None or state[0] not in (moves, moves - 1):
                continue
            # The ends stand in the frame of the least image; some symmetry carries them there.
            for p in self.symmetries:
                if image(p, was) == least:
                    if state[0] == moves and state[1] >> p[leaves] & 1:
                        return jump, was, leaves
                    if state[0] == moves - 1 and not state[1] >> p[leaves] & 1:
                        return jump, was, p.index(_lowest(state[1])) if state[1] else None
        raise AssertionError("a level has a position that no jump leads to")


def _level(positions: list[int]) -> Reached:
    found = np.array(positions, np.uint64)
    return Reached(found, np.zeros(len(found), np.int8), np.zeros(len(found), np.uint64))


def _table(positions: int) -> Reached:
    """An empty table with room for that many positions."""
    slots = 1 << max(10, int(positions / _FULL).bit_length())
    return Reached(np.zeros(slots, np.uint64), np.zeros(slots, np.int8), np.zeros(slots, np.uint64))


def _sorted(parts: list[Reached]) -> Reached:
    """The level of several tables without empty slots."""
    positions, moves, ends = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(positions)
    return Reached(positions[order], moves[order], ends[order])


def _at(level: Reached, position: int) -> tuple[int, int] | None:
    """Moves and ends of a position, or None if it is not in the level."""
    i = int(np.searchsorted(level.positions, np.uint64(position)))
    if i == len(level.positions) or int(level.positions[i]) != position:
        return None
    return int(level.moves[i]), int(level.ends[i])


def _lowest(mask: int) -> int | None:
    return (mask & -mask).bit_length() - 1 if mask else None
