"""Bounds on moves in compiled code: the checker's sets from both sides, made faster; and where they are divided best.

:func:`meet` says what :func:`pegcp.proofs.checker.meet` says. docs/proof-format.md says what the sets are. A position
is a word of 64 bits; a set of them is a rising array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pegcp.proofs import checker
from pegcp.proofs.checker import PIECE, Symmetry
from pegcp.states.kernels.compiled import Number, compiled

Words = NDArray[np.uint64]
Places = NDArray[np.int64]

_BATCH = 1 << 22  # positions that are made before they are sorted
_ENDS = 1 << 14  # of the runs from one position, beside those of one jump
_ONE = np.uint64(1)


def meet(problem: checker.Problem, group: list[Symmetry], forward: int, backward: int) -> int | None:
    """The fewest runs of a solution; None if there is none of at most ``forward`` and ``backward`` together."""
    try:
        return walk(problem, group, forward, backward, forward + backward)[0]
    except OverflowError:
        return checker.meet(problem, group, forward, backward)


def walk(
    problem: checker.Problem,
    group: list[Symmetry],
    forward: int,
    backward: int,
    most: int,
    tick: Callable[[int], None] = lambda _: None,
) -> tuple[int | None, list[int]]:
    """The fewest runs of a solution, None if there is none of at most ``most``; and how many runs each side was taken.

    No side is taken farther than ``forward`` and ``backward``. ``tick`` hears how many positions are kept. Raises
    OverflowError for boards of more than 64 holes, and where a position has too many runs.
    """
    holes = len(problem.holes)
    if holes > 64:
        raise OverflowError("boards of at most 64 holes")
    images = _tables(holes, group)
    goals = [1 << hole for hole in range(holes)] if problem.goal == "one peg" else [problem.pegs]
    reached = [_images(np.array(some, np.uint64), images) for some in ([problem.start], goals)]
    new, runs = list(reached), [0, 0]
    while not _common(*reached):
        if sum(runs) == most:
            return None, runs
        farther = [runs[0] < forward, runs[1] < backward]
        side = int(not farther[0] or (farther[1] and len(new[1]) < len(new[0])))
        runs[side] += 1
        parts = [np.zeros(0, np.uint64)]
        for after in _after_a_run(problem, new[side], side == 1, images):
            if _common(after, reached[1 - side]):
                return sum(runs), runs
            if sum(runs) < most:
                parts.append(after[~_among(after, reached[side])])
            tick(sum(map(len, reached)) + sum(map(len, parts)))
        new[side] = np.unique(np.concatenate(parts))
        reached[side] = np.union1d(reached[side], new[side])
    return 0, runs


def _tables(holes: int, group: list[Symmetry]) -> NDArray[np.uint64]:
    """``[symmetry, piece, value]``: where the bits of a piece of a position are carried."""
    values = np.arange(1 << PIECE, dtype=np.uint64)
    tables = np.zeros((len(group), -(-holes // PIECE), 1 << PIECE), np.uint64)
    for s, symmetry in enumerate(group):
        for hole, image in enumerate(symmetry):
            piece, bit = divmod(hole, PIECE)
            tables[s, piece] |= (values >> np.uint64(bit) & _ONE) << np.uint64(image)
    return tables


def _images(positions: Words, images: NDArray[np.uint64]) -> Words:
    """The least images of positions."""
    return np.unique(np.array([_least(position, images) for position in positions], np.uint64))


def _among(some: Words, of: Words) -> NDArray[np.bool_]:
    """Which positions are in a set that is not empty."""
    at = np.minimum(np.searchsorted(of, some), len(of) - 1)
    return np.asarray(of[at] == some)


def _common(some: Words, others: Words) -> bool:
    """Whether two sets have a position in common."""
    return bool(len(others)) and bool(_among(some, others).any())


def _after_a_run(problem: checker.Problem, positions: Words, back: bool, images: NDArray[np.uint64]) -> Iterator[Words]:
    """The least images of the positions after a run from these, or before a run to them, many at a time."""
    jumps = np.zeros((len(problem.jumps), 2), np.uint64)
    places = np.zeros((len(problem.jumps), 2), np.int64)
    for j, ((holes, pegs), (a, _, b)) in enumerate(zip(problem.masks, problem.jumps, strict=True)):
        jumps[j] = holes, holes ^ pegs if back else pegs
        places[j] = (b, a) if back else (a, b)
    room = _ENDS + len(jumps)
    made, ends, pegs_at = np.empty(_BATCH, np.uint64), np.empty(room, np.uint64), np.empty(room, np.int64)
    first = 0
    while first < len(positions):
        first, size = _fill(positions, first, jumps, places, images, made, ends, pegs_at)
        if size < 0:
            raise OverflowError("a position has too many runs")
        yield np.unique(made[:size])


@compiled
def _least(position: Number, images: NDArray[np.uint64]) -> Number:
    """The least image of a position."""
    least = position
    for s in range(1, len(images)):
        image = np.uint64(0)
        for piece in range(images.shape[1]):
            image |= images[s, piece, position >> np.uint64(PIECE * piece) & np.uint64((1 << PIECE) - 1)]
        least = min(least, image)
    return least


@compiled
def _fill(
    positions: Words,
    first: Number,
    jumps: NDArray[np.uint64],
    places: Places,
    images: NDArray[np.uint64],
    made: Words,
    ends: Words,
    pegs_at: Places,
) -> tuple[Number, Number]:
    """Put least images into ``made`` while there is room; the position to go on with, and how many there are.

    ``ends`` and ``pegs_at`` are room for the runs from a position: what is after each, and where its peg is. The size
    is -1 where that is too little.
    """
    size = 0
    while first < len(positions) and size + len(ends) <= len(made):
        count = 0
        for j in range(len(jumps)):
            if positions[first] & jumps[j, 0] == jumps[j, 1]:
                ends[count], pegs_at[count] = positions[first] ^ jumps[j, 0], places[j, 1]
                count += 1
        single, k = count, 0
        while k < count:
            for j in range(len(jumps)):
                if places[j, 0] == pegs_at[k] and ends[k] & jumps[j, 0] == jumps[j, 1]:
                    after, is_new = ends[k] ^ jumps[j, 0], True
                    for i in range(single, count):
                        if ends[i] == after and pegs_at[i] == places[j, 1]:
                            is_new = False
                    if is_new:
                        if count == len(ends):
                            return first, -1
                        ends[count], pegs_at[count] = after, places[j, 1]
                        count += 1
            k += 1
        for i in range(count):
            made[size + i] = _least(ends[i], images)
        size += count
        first += 1
    return first, size
