"""Levels of positions: everything one jump further on, up to symmetry, without duplicates.

All positions of a level have the same number of pegs, so a level is all a breadth-first search must remember, and two
levels never share a position. A position stands for its class under a group of symmetries: it is the least image.

On boards of at most 64 holes a level is a sorted array of 64-bit words and all positions are treated at once
(:class:`Words`, numpy); on larger boards it is a sorted list of Python integers (:class:`Masks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Board, Jump
from pegcp.game.goal import DeadEnd, OnePeg
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, canonical_form
from pegcp.method import Run

Array = NDArray[np.uint64]
Level = Any  # an Array or a list[int], as the kernel has it

_PIECE = 13  # bits looked up at a time: the tables of a permutation stay in the cache
_CHUNK = 1 << 15  # positions expanded at a time
_SYMMETRIES = 48  # groups of more are not worth their time
_PENDING = 1 << 23  # successors that may wait to be sorted: bounds the memory


class Kernel(Protocol):
    """What can be done with levels."""

    def level(self, masks: Iterable[int]) -> Level:
        """The level of some positions (bit masks)."""
        ...

    def after(self, level: Level) -> Level:
        """All positions one jump later."""
        ...

    def before(self, level: Level) -> Level:
        """All positions from which one jump leads into the level, reachable or not."""
        ...

    def common(self, one: Level, other: Level) -> Level:
        """The positions that are in both levels."""
        ...

    def goals(self, level: Level, problem: Problem) -> Level:
        """The positions of the level that satisfy the goal of a problem."""
        ...

    def best(self, level: Level, weights: Sequence[int], width: int) -> Level:
        """The ``width`` positions whose pegs weigh least."""
        ...


def kernel(board: Board, symmetries: Sequence[Permutation], tick: Callable[[], None] = lambda: None) -> Kernel:
    """The kernel for a board. ``tick`` is called every few thousand positions and may raise to stop the work."""
    return (Words if len(board.holes) <= 64 else Masks)(board, symmetries, tick)


def group(problem: Problem, symmetry: bool = True) -> list[Permutation]:
    """The symmetries under which positions are classed: those of the goal; the identity alone when they are not wanted.

    Levels need a whole group, so a board with more symmetries than the problem lists is taken without any.
    """
    whole = problem.board.symmetries.order <= _SYMMETRIES
    return problem.goal_symmetries(_SYMMETRIES if symmetry and whole else 1)


def deadline(run: Run) -> Callable[[], None]:
    """A tick that raises TimeoutError when the time of a run is over."""

    def tick() -> None:
        if run.remaining <= 0:
            raise TimeoutError

    return tick


class Words:
    """Levels as sorted arrays of 64-bit words."""

    def __init__(self, board: Board, symmetries: Sequence[Permutation], tick: Callable[[], None]) -> None:
        self.tick = tick
        self.jumps = board.jumps
        identity = tuple(range(len(board.holes)))
        self.tables = [_tables(p) for p in symmetries if p != identity]
        self.shifts = range(0, len(board.holes), _PIECE)

    def level(self, masks: Iterable[int]) -> Array:
        """The level of some positions."""
        return np.unique(self.canonical(np.array(list(masks), np.uint64)))

    def canonical(self, positions: Array) -> Array:
        """The least image of every position."""
        if not self.tables:
            return positions
        least = positions.copy()
        for first in range(0, len(positions), _CHUNK):
            part = least[first : first + _CHUNK]
            pieces = [(part >> np.uint64(s) & np.uint64((1 << _PIECE) - 1)).astype(np.intp) for s in self.shifts]
            for tables in self.tables:
                image = tables[0][pieces[0]]
                for table, piece in zip(tables[1:], pieces[1:], strict=True):
                    image |= table[piece]
                np.minimum(part, image, out=part)
        return least

    def after(self, level: Array) -> Array:
        """All positions one jump later."""
        return self._neighbours(level, [(jump.mask, jump.pegs) for jump in self.jumps])

    def before(self, level: Array) -> Array:
        """All positions one jump earlier: a jump taken back finds one peg, where it landed."""
        return self._neighbours(level, [(jump.mask, 1 << jump.to) for jump in self.jumps])

    def _neighbours(self, level: Array, flips: list[tuple[int, int]]) -> Array:
        words = [(np.uint64(mask), np.uint64(pegs)) for mask, pegs in flips]
        if not words:
            return level[:0]
        pending: list[Array] = []
        waiting = 0
        for first in range(0, len(level), _CHUNK):
            self.tick()
            part = level[first : first + _CHUNK]
            found = [part[part & mask == pegs] ^ mask for mask, pegs in words]
            pending.append(np.unique(self.canonical(np.concatenate(found))))
            waiting += len(pending[-1])
            if waiting > max(_PENDING, 2 * len(pending[0])):
                pending = [np.unique(np.concatenate(pending))]
                waiting = 0
        if len(pending) == 1:
            return pending[0]
        return np.unique(np.concatenate(pending)) if pending else level[:0]

    def common(self, one: Array, other: Array) -> Array:
        """The positions that are in both levels."""
        both: Array = np.intersect1d(one, other, assume_unique=True)
        return both

    def goals(self, level: Array, problem: Problem) -> Array:
        """The positions of the level that satisfy the goal."""
        match problem.goal:
            case OnePeg():
                single: Array = level[(level != 0) & (level & level - np.uint64(1) == 0)]
                return single
            case DeadEnd():
                for jump in self.jumps:
                    level = level[level & np.uint64(jump.mask) != np.uint64(jump.pegs)]
                return level
        fixed = problem.final_pegs | problem.final_vacancies
        matching: Array = level[level & np.uint64(fixed) == np.uint64(problem.final_pegs)]
        return matching

    def best(self, level: Array, weights: Sequence[int], width: int) -> Array:
        """The positions that weigh least, ties broken towards small numbers."""
        if len(level) <= width:
            return level
        total = np.zeros(len(level), np.int64)
        for hole, weight in enumerate(weights):
            if weight:
                total += (level >> np.uint64(hole) & np.uint64(1)).astype(np.int64) * weight
        return np.sort(level[np.argsort(total, kind="stable")[:width]])


def _tables(permutation: Permutation) -> list[Array]:
    """For each piece of a word, the images of all its values."""
    tables = []
    for first in range(0, len(permutation), _PIECE):
        images = np.zeros(1, np.uint64)
        for to in permutation[first : first + _PIECE]:
            images = np.concatenate([images, images | np.uint64(1 << to)])
        tables.append(np.resize(images, 1 << _PIECE))
    return tables


def images(permutation: Permutation) -> Callable[[Array], Array]:
    """A function that carries positions to their images."""
    tables = _tables(permutation)
    low = np.uint64((1 << _PIECE) - 1)

    def carried(positions: Array) -> Array:
        image = np.zeros_like(positions)
        for i, table in enumerate(tables):
            image |= table[(positions >> np.uint64(i * _PIECE) & low).astype(np.intp)]
        return image

    return carried


class Masks:
    """Levels as sorted lists of Python integers, for boards of any size."""

    def __init__(self, board: Board, symmetries: Sequence[Permutation], tick: Callable[[], None]) -> None:
        self.tick = tick
        self.jumps = board.jumps
        self.canonical = canonical_form(symmetries)

    def level(self, masks: Iterable[int]) -> list[int]:
        """The level of some positions."""
        return sorted({self.canonical(mask) for mask in masks})

    def after(self, level: list[int]) -> list[int]:
        """All positions one jump later."""
        return self._neighbours(level, [(jump.mask, jump.pegs) for jump in self.jumps])

    def before(self, level: list[int]) -> list[int]:
        """All positions one jump earlier."""
        return self._neighbours(level, [(jump.mask, 1 << jump.to) for jump in self.jumps])

    def _neighbours(self, level: list[int], flips: list[tuple[int, int]]) -> list[int]:
        found: set[int] = set()
        for first in range(0, len(level), 1024):
            self.tick()
            part = level[first : first + 1024]
            found.update(self.canonical(p ^ mask) for p in part for mask, pegs in flips if p & mask == pegs)
        return sorted(found)

    def common(self, one: list[int], other: list[int]) -> list[int]:
        """The positions that are in both levels."""
        return sorted(set(one).intersection(other))

    def goals(self, level: list[int], problem: Problem) -> list[int]:
        """The positions of the level that satisfy the goal."""
        return [mask for mask in level if problem.is_goal(mask)]

    def best(self, level: list[int], weights: Sequence[int], width: int) -> list[int]:
        """The positions that weigh least, ties broken towards small numbers."""

        def weigh(mask: int) -> int:
            return sum(weight for hole, weight in enumerate(weights) if mask >> hole & 1)

        return sorted(sorted(level, key=weigh)[:width])


def trace(found: Kernel, levels: Sequence[Level], last: Level) -> list[Level]:
    """One position of each level, each a jump after the one before, ending in ``last`` (a level of one position)."""
    path = [last]
    for level in reversed(levels[:-1]):
        path.append(found.common(found.before(path[-1]), level)[:1])
    return path[::-1]


def lifted(problem: Problem, symmetries: Sequence[Permutation], path: Sequence[int]) -> list[Jump]:
    """The jumps of a solution from a path of position classes (their least members), the start's class first."""
    canonical = canonical_form(symmetries)
    position = problem.start.mask
    jumps = []
    for target in path[1:]:
        jump = next(j for j in problem.board.jumps if j.is_legal(position) and canonical(position ^ j.mask) == target)
        position ^= jump.mask
        jumps.append(jump)
    return jumps
