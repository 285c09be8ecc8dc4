"""Bounds on moves by numpy: the checker's sets from both sides, made faster; and how to divide the moves between them.

:func:`meet` returns the same as :func:`pegcp.proofs.checker.meet`; docs/proof-format.md defines the sets. A position is
a word of 64 bits; a set of positions is a rising array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from pegcp.game.symmetry import image
from pegcp.proofs import checker
from pegcp.proofs.checker import Symmetry

Words = NDArray[np.uint64]

MOST_HOLES = 64
_PIECE = 11  # holes whose images are looked up at a time
_BATCH = 1 << 17  # positions from which runs are made at a time


def meet(problem: checker.Problem, group: list[Symmetry], regions: list[int], most: int) -> int | None:
    """Return the fewest runs of a solution; None if it has more than ``most``."""
    if len(problem.holes) > MOST_HOLES:
        return checker.meet(problem, group, regions, most)
    return walk(problem, group, regions, most)[0]


def walk(
    problem: checker.Problem,
    group: list[Symmetry],
    regions: list[int],
    most: int,
    tick: Callable[[int], None] = lambda _: None,
) -> tuple[int | None, list[int]]:
    """Return the fewest runs of a solution, None if it has more than ``most``; and the runs of each side.

    ``tick`` is called with the number of positions that are kept. The board must have at most 64 holes.
    """
    tables = _tables(len(problem.holes), group)
    goals = [1 << hole for hole in range(len(problem.holes))] if problem.goal == "one peg" else [problem.pegs]
    reached = [_least_images(np.array(masks, np.uint64), tables) for masks in ([problem.start], goals)]
    starts = [image(symmetry, problem.start) for symmetry in group]
    fewest_full = _full(np.array(starts, np.uint64), regions).min()
    most_full = _full(np.array(goals, np.uint64), regions).max()
    newest, runs = list(reached), [0, 0]
    while not _contains(*reached).any():
        if sum(runs) == most:
            return None, runs
        side = int(len(newest[1]) < len(newest[0]))  # the smaller one
        runs[side] += 1
        left = most - runs[side]
        few, many = (fewest_full - left, len(regions)) if side else (0, most_full + left)
        parts = [newest[side][:0]]
        for ends in _after_a_run(problem, newest[side], side == 1):
            full = _full(ends, regions)
            images = _least_images(ends[(few <= full) & (full <= many)], tables)
            if _contains(reached[1 - side], images).any():
                return sum(runs), runs
            if sum(runs) < most:
                parts.append(images[~_contains(reached[side], images)])
            tick(sum(map(len, (*reached, *parts))))
        newest[side] = _union(*parts)
        reached[side] = _union(reached[side], newest[side])
    return 0, runs


def _tables(holes: int, group: list[Symmetry]) -> Words:
    """``[symmetry, piece, value]``: where the bits of a piece of a position are carried."""
    values = np.arange(1 << _PIECE, dtype=np.uint64)
    tables = np.zeros((len(group), -(-holes // _PIECE), 1 << _PIECE), np.uint64)
    for s, symmetry in enumerate(group):
        for hole, carried in enumerate(symmetry):
            piece, bit = divmod(hole, _PIECE)
            tables[s, piece] |= (values >> np.uint64(bit) & np.uint64(1)) << np.uint64(carried)
    return tables


def _full(positions: Words, regions: list[int]) -> NDArray[np.int64]:
    """Count the full regions of each position."""
    full = np.zeros(len(positions), np.int64)
    for region in map(np.uint64, regions):
        full += positions & region == region
    return full


def _least_images(positions: Words, tables: Words) -> Words:
    """Make the set of the least images of positions."""
    mask = np.uint64((1 << _PIECE) - 1)
    pieces = [(positions >> np.uint64(_PIECE * i) & mask).astype(np.intp) for i in range(tables.shape[1])]
    images = (reduce(np.bitwise_or, map(np.take, symmetry, pieces)) for symmetry in tables)
    return _union(reduce(np.minimum, images))


def _union(*parts: Words) -> Words:
    """Make the set of all positions in some arrays. (numpy's own functions hash, which takes ten times as long.)"""
    words = np.sort(np.concatenate(parts))
    return np.asarray(words[np.diff(words, prepend=~words[:1]) != 0])


def _contains(members: Words, positions: Words) -> NDArray[np.bool_]:
    """Find which positions are in a set."""
    if not len(members):
        return np.zeros(len(positions), np.bool_)
    return np.asarray(members[np.minimum(np.searchsorted(members, positions), len(members) - 1)] == positions)


def _after_a_run(problem: checker.Problem, positions: Words, back: bool) -> Iterator[Words]:
    """Yield the positions after a run from these, or before a run to them, many at a time."""
    jumps: list[list[tuple[np.uint64, np.uint64, int]]] = [[] for _ in problem.holes]  # by the hole where the peg is
    for (holes, pegs), (a, _, b) in zip(problem.masks, problem.jumps, strict=True):
        jump = (np.uint64(holes), np.uint64(holes ^ pegs if back else pegs), a if back else b)
        jumps[b if back else a].append(jump)
    for first in range(0, len(positions), _BATCH):
        newest = [positions[first : first + _BATCH]] * len(jumps)  # by the hole where the peg is now
        ends = [positions[:0]] * len(jumps)
        while any(map(len, newest)):
            longer: list[list[Words]] = [[part[:0]] for part in ends]
            for before, from_hole in zip(newest, jumps, strict=True):
                for mask, occupied, to in from_hole:
                    longer[to].append(before[before & mask == occupied] ^ mask)
            after = [_union(*parts) for parts in longer]
            newest = [new[~_contains(end, new)] for end, new in zip(ends, after, strict=True)]
            ends = list(map(_union, ends, newest))
        yield np.concatenate(ends)
