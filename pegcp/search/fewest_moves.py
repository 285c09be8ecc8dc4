"""Fewest moves: from both ends, level by level, within a bound on the moves that grows until the levels meet.

Barker and Korf, Solving peg solitaire with bidirectional BFIDA*, AAAI 2012. A level holds the positions after a number
of jumps, so that equal positions meet. Each position is kept once, with the fewest moves that lead to it and the holes
where the last of these moves may end: with any other end, going on for nothing costs as much as a new move from there.
A position is dropped when its moves, and one for each full region that must still be opened
(:mod:`pegcp.theory.regions`; from behind: for each that is open and was full), exceed the bound. The first bound with a
solution is the optimum.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.states.levels import watch
from pegcp.theory.regions import least_moves, opened, packing

GOALS = ("exact", "one-peg")
OBJECTIVES = ("any", "fewest-moves")

_CHUNK = 1 << 16  # positions expanded at a time
_ONE = np.uint64(1)

Words = NDArray[np.uint64]
Bytes = NDArray[np.int8]


class Level(NamedTuple):
    """Positions (bit masks, rising), the fewest moves to each, and the holes (a mask) where the last of them may end.

    From behind: the holes where the first of them may begin.
    """

    positions: Words
    moves: Bytes
    ends: Words

    def at(self, position: int) -> tuple[int, int] | None:
        """Moves and ends of a position, or None if it is not here."""
        i = int(np.searchsorted(self.positions, np.uint64(position)))
        if i == len(self.positions) or int(self.positions[i]) != position:
            return None
        return int(self.moves[i]), int(self.ends[i])


def refuse(problem: Problem) -> str | None:
    """A position must fit into a word."""
    return "fewest-moves takes boards of at most 64 holes" if len(problem.board.holes) > 64 else None


def search(problem: Problem, run: Run) -> Answer:
    """A solution with the fewest moves, or a proof by exhaustion that there is none. Boards of at most 64 holes."""
    began = time.perf_counter()
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE, statistics={"solve_seconds": 0.0})
    ends = _Ends(problem, run)
    bound = least_moves(problem)
    optimising = problem.objective is Objective.FEWEST_MOVES
    jumps: list[Jump] | None = None
    try:
        while jumps is None and bound <= problem.jump_counts[-1]:
            jumps = ends.solution(bound)
            if jumps is None:
                if not ends.cut:
                    break
                bound += 1
                run.report({"nodes": ends.nodes, **({"bound": bound} if optimising else {})})
    except TimeoutError:
        statistics = {"nodes": ends.nodes, "largest_level": ends.largest, "solve_seconds": time.perf_counter() - began}
        proved = bound if optimising else None
        return Answer(Status.UNKNOWN, Reason.TIME, bound=proved, statistics=statistics, message="time limit")
    statistics = {"nodes": ends.nodes, "largest_level": ends.largest, "solve_seconds": time.perf_counter() - began}
    if jumps is None:
        return Answer(Status.INFEASIBLE, statistics=statistics)
    if not optimising:
        return Answer(Status.SOLVED, jumps=tuple(jumps), statistics=statistics)
    return Answer(Status.OPTIMAL, jumps=tuple(jumps), bound=bound, statistics=statistics)


class _Ends:
    """The search from both ends. A node is a position of a level; ``cut`` says that the last bound dropped some."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem = problem
        self.tick = watch(run)
        self.jumps = problem.board.jumps
        self.symmetries = problem.symmetries().elements
        self.carriers = [(images(p), np.array(p, np.int8)) for p in self.symmetries[1:]]
        self.regions = [np.uint64(region) for region in packing(opened(problem))]
        self.nodes = self.largest = 0
        self.cut = False

    def solution(self, bound: int) -> list[Jump] | None:
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
            self.largest = max(self.largest, len(levels[-1].positions))
            if not len(levels[-1].positions):
                return None
        meeting = self._meeting(fore[-1], back[-1], bound)
        if meeting is None:
            return None
        position, end, begin = meeting
        before = list(self._trace(fore, position, end, True))
        return [*reversed(before), *self._trace(back, position, begin, False)]

    def _images(self, position: int) -> list[int]:
        return [_image(p, position) for p in self.symmetries]

    def _next(self, level: Level, bound: int, forwards: bool) -> Level:
        """All positions one jump on (or back) that can be part of a solution within the bound."""
        parts = []
        for first in range(0, len(level.positions), _CHUNK):
            self.tick()
            positions, moves, ends = (column[first : first + _CHUNK] for column in level)
            found = []
            for jump in self.jumps:
                leaves, lands = (jump.from_, jump.to) if forwards else (jump.to, jump.from_)
                legal = positions & np.uint64(jump.mask) == np.uint64(jump.pegs if forwards else 1 << jump.to)
                after = positions[legal] ^ np.uint64(jump.mask)
                goes_on = (ends[legal] >> np.uint64(leaves) & _ONE).astype(np.int8)
                cost = moves[legal] + np.int8(1) - goes_on
                # A move may go on to open the region where it landed; from behind, one that opened a region before.
                needed = cost if forwards else cost - np.int8(1)
                for region in self.regions:
                    if not forwards or not int(region) >> lands & 1:
                        needed = needed + ((after & region == region) == forwards)
                kept = needed <= bound
                self.cut |= not kept.all()
                found.append((after[kept], cost[kept], np.full(int(kept.sum()), lands, np.int8)))
            after, cost, end = (np.concatenate(column) for column in zip(*found, strict=True))
            parts.append(_merged(*self._canonical(after, cost, end)))
        if len(parts) == 1:
            return parts[0]
        return _merged(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _canonical(self, positions: Words, moves: Bytes, end: Bytes) -> tuple[Words, Bytes, Words]:
        """Each position as the least of its images, its end carried along."""
        least, at = positions.copy(), end.copy()
        for carried, permutation in self.carriers:
            image = carried(positions)
            smaller = image < least
            least[smaller] = image[smaller]
            at[smaller] = permutation[end[smaller]]
        return least, moves, _ONE << at.astype(np.uint64)

    def _meeting(self, fore: Level, back: Level, bound: int) -> tuple[int, int | None, int | None] | None:
        """A position of both levels within the bound, where the move to it ends, and where the next begins."""
        common, i, j = np.intersect1d(fore.positions, back.positions, assume_unique=True, return_indices=True)
        ends = fore.ends[i]
        for carried, _ in self.carriers:  # a symmetric position keeps but one of its symmetric ends
            same = carried(common) == common
            ends[same] |= carried(fore.ends[i][same])
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

    def _trace(self, levels: list[Level], position: int, end: int | None, forwards: bool) -> Iterator[Jump]:
        """The jumps from a position of the last level back to the first, where ``end`` is the peg moved last."""
        for here, before in pairwise(reversed(levels)):
            state = here.at(min(self._images(position)))
            assert state is not None
            jump, position, end = self._step(before, position, state[0], end, forwards)
            yield jump

    def _step(
        self, before: Level, position: int, moves: int, end: int | None, forwards: bool
    ) -> tuple[Jump, int, int | None]:
        """The jump that led here from a position before, that position, and where the peg moved last stood there."""
        for jump in self.jumps:
            leaves, lands = (jump.from_, jump.to) if forwards else (jump.to, jump.from_)
            was = position ^ jump.mask
            if lands != end or was & jump.mask != (jump.pegs if forwards else 1 << jump.to):
                continue
            least = min(self._images(was))
            state = before.at(least)
            if state is None or state[0] not in (moves, moves - 1):
                continue
            # The ends stand in the frame of the least image; some symmetry carries them there.
            for p in self.symmetries:
                if _image(p, was) == least:
                    if state[0] == moves and state[1] >> p[leaves] & 1:
                        return jump, was, leaves
                    if state[0] == moves - 1 and not state[1] >> p[leaves] & 1:
                        return jump, was, p.index(_lowest(state[1])) if state[1] else None
        raise AssertionError("a level has a position that no jump leads to")


_PIECE = 13


def images(permutation: tuple[int, ...]) -> Callable[[Words], Words]:
    """A function that carries positions to their images."""
    tables = []
    for first in range(0, len(permutation), _PIECE):
        found = np.zeros(1, np.uint64)
        for to in permutation[first : first + _PIECE]:
            found = np.concatenate([found, found | np.uint64(1 << to)])
        tables.append(np.resize(found, 1 << _PIECE))
    low = np.uint64((1 << _PIECE) - 1)

    def carried(positions: Words) -> Words:
        image = np.zeros_like(positions)
        for i, table in enumerate(tables):
            image |= table[(positions >> np.uint64(i * _PIECE) & low).astype(np.intp)]
        return image

    return carried


def _level(positions: list[int]) -> Level:
    found = np.array(positions, np.uint64)
    return Level(found, np.zeros(len(found), np.int8), np.zeros(len(found), np.uint64))


def _merged(positions: Words, moves: Bytes, ends: Words) -> Level:
    """Each position once, with its fewest moves and all ends of those."""
    if not len(positions):
        return Level(positions, moves, ends)
    order = np.argsort(positions, kind="stable")
    positions, moves, ends = positions[order], moves[order], ends[order]
    starts = np.flatnonzero(np.concatenate([[True], positions[1:] != positions[:-1]]))
    fewest = np.minimum.reduceat(moves, starts)
    ends = np.where(moves == np.repeat(fewest, np.diff(np.append(starts, len(moves)))), ends, np.uint64(0))
    return Level(positions[starts], fewest, np.bitwise_or.reduceat(ends, starts))


def _image(permutation: tuple[int, ...], position: int) -> int:
    return sum(1 << to for hole, to in enumerate(permutation) if position >> hole & 1)


def _lowest(mask: int) -> int | None:
    return (mask & -mask).bit_length() - 1 if mask else None
