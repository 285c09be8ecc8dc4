"""Position classes: parities of pegs that no jump changes (Reiss 1857; Winning Ways, chapter 23)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce
from itertools import combinations
from operator import xor

from pegcp.game import Board

_MOST_SETS = 300  # sets of a basis
_MOST_SUMMED_SETS = 6  # independent sets for which all their sums are tried as well


def odd(mask: int) -> bool:
    """Tell whether a set of holes (a bit mask) has an odd number of them."""
    return mask.bit_count() % 2 == 1


def bits(mask: int) -> Iterator[int]:
    """Yield the holes of a bit mask, by number."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def position_class(board: Board, mask: int) -> tuple[int, ...]:
    """Return the class of a position (a bit mask): the parity of its pegs on each of the board's :func:`class_sets`.

    Positions of different classes cannot be reached from each other.
    """
    return tuple((mask & holes).bit_count() % 2 for holes in class_sets(board))


def possible_finishes(board: Board, start: int) -> int:
    """Return the holes (a bit mask) in which a single last peg has the class of the start position (a bit mask)."""
    finishes = board.full
    for holes in class_sets(board):
        finishes &= holes if odd(holes & start) else ~holes
    return finishes


@lru_cache(maxsize=32)
def class_sets(board: Board) -> tuple[int, ...]:
    """Return a basis of the sets of holes (bit masks) that meet every line in none or two holes.

    It spans the null space, over GF(2), of the matrix of lines and holes. The empty set is not in it. On boards whose
    lines leave more than a few hundred holes undetermined, it spans a part of that space.
    """
    return tuple(_null_space([1 << a | 1 << over | 1 << b for a, over, b in board.lines], len(board.holes)))


def _null_space(rows: Iterable[int], width: int) -> list[int]:
    """Return a basis of the vectors (bit masks) that meet every row in an even number of places, or a part of it."""
    leading: dict[int, int] = {}  # reduced rows, by their last place
    for row in rows:
        while row and row.bit_length() - 1 in leading:
            row ^= leading[row.bit_length() - 1]
        if row:
            leading[row.bit_length() - 1] = row
    basis = [1 << place for place in range(width) if place not in leading][:_MOST_SETS]
    for place, row in sorted(leading.items()):
        basis = [vector | odd(row & vector) << place for vector in basis]
    return basis


def invariant_sets(board: Board, free: int) -> list[int]:
    """Sets that meet every line in none or two holes and have none of the free holes, small ones first."""
    sets = class_sets(board)
    rows = [sum(1 << i for i, holes in enumerate(sets) if holes >> h & 1) for h in bits(free)]
    basis = [reduce(xor, (sets[i] for i in bits(choice))) for choice in _null_space(rows, len(sets))]
    most = len(basis) if len(basis) <= _MOST_SUMMED_SETS else 1
    sums = {reduce(xor, terms) for size in range(1, most + 1) for terms in combinations(basis, size)}
    return sorted(sums, key=lambda holes: (holes.bit_count(), holes))
