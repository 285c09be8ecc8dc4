"""Position classes: parities of pegs that no jump changes (Reiss 1857; Winning Ways, chapter 23)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from pegcp.game.board import Board

_MOST_UNKNOWNS = 300
_COMBINED = 6  # independent sets up to which all their sums are tried as well


def odd(mask: int) -> bool:
    """Whether a set of holes (a bit mask) has an odd number of them."""
    return mask.bit_count() % 2 == 1


def bits(mask: int) -> Iterator[int]:
    """The holes of a bit mask, by number."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def position_class(board: Board, mask: int) -> tuple[int, ...]:
    """The class of a position (a bit mask): the parity of its pegs on each of the board's :func:`class_sets`.

    Positions of different classes cannot be reached from each other.
    """
    return tuple((mask & holes).bit_count() % 2 for holes in class_sets(board))


def possible_finishes(board: Board, start: int) -> int:
    """The holes (a bit mask) where a last peg is in the class of the start position (a bit mask)."""
    left = board.full
    for holes in class_sets(board):
        left &= holes if odd(holes & start) else ~holes
    return left


@lru_cache(maxsize=32)
def class_sets(board: Board) -> tuple[int, ...]:
    """A basis of the sets of holes (bit masks) that meet every line in none or two holes.

    It spans the null space, over GF(2), of the matrix of lines and holes. The empty set is not in it. On boards whose
    lines leave more than a few hundred holes undetermined, it spans a part of that space.
    """
    # Membership of a hole is a sum of unknowns (a bit mask of them); a line gives its third hole from the other two.
    through: list[list[tuple[int, int, int]]] = [[] for _ in board.holes]
    for line in board.lines:
        for hole in line:
            through[hole].append(line)
    sums: dict[int, int] = {}
    equations: list[int] = []
    unknowns = 0
    for seed in range(len(board.holes)):
        if seed in sums:
            continue
        sums[seed] = 1 << unknowns if unknowns < _MOST_UNKNOWNS else 0
        unknowns += sums[seed] > 0
        queue = [seed]
        for known in queue:
            for line in through[known]:
                new = [hole for hole in line if hole not in sums]
                total = _xor(sums[hole] for hole in line if hole in sums)
                if len(new) == 1:
                    sums[new[0]] = total
                    queue.append(new[0])
                elif not new and total:
                    equations.append(total)
    return tuple(
        sum(1 << hole for hole, total in sums.items() if odd(total & choice))
        for choice in _null_space(equations, unknowns)
    )


def _xor(masks: Iterable[int]) -> int:
    total = 0
    for mask in masks:
        total ^= mask
    return total


def _null_space(rows: Iterable[int], width: int) -> list[int]:
    """A basis of the vectors (bit masks) that meet every row in an even number of places."""
    reduced: dict[int, int] = {}
    for row in rows:
        for place, pivot in reduced.items():
            if row >> place & 1:
                row ^= pivot
        if row:
            place = row.bit_length() - 1
            for other in reduced:
                if reduced[other] >> place & 1:
                    reduced[other] ^= row
            reduced[place] = row
    return [
        1 << free | sum(1 << place for place, row in reduced.items() if row >> free & 1)
        for free in range(width)
        if free not in reduced
    ]


def invariant_sets(board: Board, free: int) -> list[int]:
    """Sets that meet every line in none or two holes and have none of the free holes, small ones first."""
    basis = class_sets(board)
    rows = [sum(1 << i for i, holes in enumerate(basis) if holes >> h & 1) for h in bits(free)]
    basis = tuple(
        _xor(holes for i, holes in enumerate(basis) if choice >> i & 1) for choice in _null_space(rows, len(basis))
    )
    most = len(basis) if len(basis) <= _COMBINED else 1
    sums = {_xor(chosen) for size in range(1, most + 1) for chosen in combinations(basis, size)}
    return sorted(sums, key=lambda holes: (holes.bit_count(), holes))
