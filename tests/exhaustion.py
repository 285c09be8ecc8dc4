"""An oracle for the searches: all positions that can be reached, level by level, with the fewest moves to each.

It is another program than the searches of pegcp: it goes forwards from the start, with its own symmetries and its own
sorting, and without machine code of its own.

A position stands for its images under the symmetries of board and goal, by the least of them; bit i is hole i. Of each
it is known in how few moves it is reached, m, and in which holes the last peg may have landed then. A jump from such a
hole goes on with the move, any other begins one. A way with more moves than m is worth nothing: m + 1 are enough for
whatever comes next, whichever peg moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game import DeadEnd, Exact, Nearest, OnePeg, Partial, Problem

Words = NDArray[np.uint64]
Moves = NDArray[np.uint8]

_PIECE = 11  # bits of a position that are looked up at a time
_LOW = np.uint64((1 << _PIECE) - 1)
_ONE = np.uint64(1)


def fewest(problem: Problem) -> dict[str, int] | None:
    """The fewest ``jumps`` and ``moves`` of a solution, the fewest ``pegs`` that one leaves, and the least ``distance``
    of one from a soft goal; None if there is no solution. For boards of at most 64 holes."""
    board = problem.board
    assert len(board.holes) <= 64
    symmetries = [p for p in problem.goal_symmetries() if keeps(p, problem)]
    tables = _tables(symmetries, len(board.holes))
    jumps = [
        tuple(_ONE << np.uint64(hole) for hole in jump) for a, b, c in board.lines for jump in ((a, b, c), (c, b, a))
    ]
    start = min(moved(problem.start.mask, p) for p in symmetries)
    positions: Words = np.array([start], np.uint64)
    moves: Moves = np.zeros(1, np.uint8)
    holes: Words = np.zeros(1, np.uint64)
    least: dict[str, int] = {}
    for made in count():
        goals = _goals(problem, positions, jumps)
        if goals.any():
            values = {"jumps": made, "moves": int(moves[goals].min()), "pegs": len(problem.start) - made}
            values |= _distance(problem, positions)
            least = {measure: min(value, least.get(measure, value)) for measure, value in values.items()}
        parts = [_jumped(positions, moves, holes, jump, tables) for jump in jumps]
        if not any(len(part[0]) for part in parts):
            break
        positions, moves, holes = _merged(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    return least or None


def _jumped(
    positions: Words, moves: Moves, holes: Words, jump: tuple[np.uint64, ...], tables: Words
) -> tuple[Words, Moves, Words]:
    """Where a jump leads that can be made in some of the positions, in how many moves, and where its peg landed."""
    from_, over, to = jump
    legal = np.flatnonzero(positions & (from_ | over | to) == from_ | over)
    after, landed = positions[legal] ^ (from_ | over | to), np.full(len(legal), to)
    spent = moves[legal] + (holes[legal] & from_ == 0).astype(np.uint8)
    images = [(_image(after, table), _image(landed, table)) for table in tables]
    least = np.min([image for image, _ in images], axis=0)
    ends = np.zeros_like(least)
    for image, end in images:
        ends |= np.where(image == least, end, np.uint64(0))
    return least, spent, ends


def _image(positions: Words, table: Words) -> Words:
    """The images of positions, or of sets of holes, under a symmetry."""
    image = np.zeros_like(positions)
    for piece, values in enumerate(table):
        image |= values[(positions >> np.uint64(_PIECE * piece) & _LOW).astype(np.intp)]
    return image


def _merged(after: Words, spent: Moves, ends: Words) -> tuple[Words, Moves, Words]:
    """What is known of each position, in rising order: the fewest moves, and all holes where the last of them ends."""
    order = np.argsort(after)
    after, spent, ends = after[order], spent[order], ends[order]
    begins = np.flatnonzero(np.concatenate([[True], after[1:] != after[:-1]]))
    fewest = np.minimum.reduceat(spent, begins)
    ends[spent > np.repeat(fewest, np.diff(begins, append=len(after)))] = 0
    return after[begins], fewest, np.bitwise_or.reduceat(ends, begins)


def moved(mask: int, permutation: Sequence[int]) -> int:
    """The image of a position under a permutation of the holes."""
    return sum(2**image for hole, image in enumerate(permutation) if mask & 2**hole)


def keeps(permutation: Sequence[int], problem: Problem) -> bool:
    """Whether a permutation of the holes is a symmetry of the board that leaves the goal, with its weights, as it is.

    Those that the problem names itself are not believed.
    """
    board, goal = problem.board, problem.goal
    lines = {frozenset({(a, b, c), (c, b, a)}) for a, b, c in board.lines}
    images = [tuple(permutation[hole] for hole in line) for line in board.lines]
    fixed = [problem.final_pegs, problem.final_vacancies]
    weights = [0] * len(board.holes)
    if isinstance(goal, Nearest):
        fixed.append(goal.pegs)
        weights = list(goal.weights)
    return (
        sorted(permutation) == list(range(len(board.holes)))
        and [weights[image] for image in permutation] == weights
        and all(frozenset({image, image[::-1]}) in lines for image in images)
        and all(moved(mask, permutation) == mask for mask in fixed)
    )


def _tables(symmetries: list[Any], size: int) -> Words:
    """``[symmetry, piece, value]``: where the bits of a piece of a position go."""
    pieces = -(-size // _PIECE)
    tables = np.zeros((len(symmetries), pieces, 1 << _PIECE), np.uint64)
    values = np.arange(1 << _PIECE, dtype=np.uint64)
    for s, permutation in enumerate(symmetries):
        for hole in range(size):
            piece, bit = divmod(hole, _PIECE)
            tables[s, piece] |= (values >> np.uint64(bit) & _ONE) << np.uint64(permutation[hole])
    return tables


def _goals(problem: Problem, positions: Words, jumps: Sequence[tuple[np.uint64, ...]]) -> NDArray[np.bool_]:
    """Which positions satisfy the goal."""
    match problem.goal:
        case DeadEnd():
            stuck = np.ones(len(positions), np.bool_)
            for a, b, c in jumps:
                stuck &= (positions & (a | b | c)) != (a | b)
            return stuck
        case OnePeg():
            goals: NDArray[np.bool_] = (positions != 0) & ((positions & (positions - _ONE)) == 0)
            return goals
        case Exact() | Partial():
            fixed = np.uint64(problem.final_pegs | problem.final_vacancies)
            reached: NDArray[np.bool_] = (positions & fixed) == np.uint64(problem.final_pegs)
            return reached
        case Nearest():
            return np.ones(len(positions), np.bool_)
        case _:
            assert_never(problem.goal)


def _distance(problem: Problem, positions: Words) -> dict[str, int]:
    """How far from the soft goal, if the problem has one, the nearest of the positions is."""
    if not isinstance(problem.goal, Nearest):
        return {}
    total = np.zeros(len(positions), np.int64)
    for hole, weight in enumerate(problem.goal.weights):
        wanted = problem.goal.pegs >> hole & 1
        total += np.where((positions >> np.uint64(hole) & _ONE) == wanted, 0, weight)
    return {"distance": int(total.min())}
