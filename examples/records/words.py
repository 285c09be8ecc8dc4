"""What the scripts in this folder share: compiling, words of bits, boards, sweeps, records."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
Array = Any  # of numpy
Word = Any  # an unsigned number
numba: Any = import_module("numba")


def tell(record: dict[str, Any]) -> None:
    """Print a line of JSON; and to standard error what has been spent by now."""
    print(json.dumps(record), flush=True)
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
    print(next(iter(record.values())), f"{time.process_time():.0f} CPU s, {most_mb} MB", file=sys.stderr, flush=True)


def compiled(function: F) -> F:
    """Compile a function when it is first called, and keep its machine code beside it."""
    found: F = numba.njit(cache=True)(function)
    return found


# Numba makes a floating-point number of an unsigned and a signed one, so all are unsigned.
_1, _2, _4, _56 = (np.uint64(number) for number in (1, 2, 4, 56))
_PAIRS, _FOURS, _EIGHTS, _SUM = (np.uint64((2**64 - 1) // divisor) for divisor in (3, 5, 17, 255))


@compiled
def ones(word: Word) -> Word:
    """How many of 64 bits are set."""
    word = np.uint64(word)
    word -= word >> _1 & _PAIRS
    word = (word & _FOURS) + (word >> _2 & _FOURS)
    return ((word + (word >> _4)) & _EIGHTS) * _SUM >> _56


@compiled
def lowest(word: Word) -> Word:
    """The number of the lowest bit that is set; the word is not 0."""
    return ones(~word & (word - _1))


@compiled
def fill(changes: Array, position: Word, flips: Array, pegs: Array) -> int:
    """Fill in the holes that each possible jump changes, its pegs being as given; return how many there are."""
    number = 0
    for jump in range(flips.size):
        if position & flips[jump] == pegs[jump]:
            changes[number] = flips[jump]
            number += 1
    return number


@compiled
def larger_set(changes: Array, number: int, made: Array, size: int, next_jump: int) -> int:
    """Make the next jump, from a number on, that has no hole in common with those made; return its number, or -1.

    Sets of jumps with rising numbers: the position after each is ``made[size, 0]``, the holes of all ``made[size, 1]``.
    """
    for jump in range(next_jump, number):
        if not made[size, 1] & changes[jump]:
            made[size + 1, 0], made[size + 1, 1] = made[size, 0] ^ changes[jump], made[size, 1] | changes[jump]
            return jump
    return -1


@compiled
def slot(table: Array, key: Word) -> int:
    """Where a key that is not 0 is in a table of words, or would be; the size is a power of 2, and there is room."""
    mask = np.uint64(table.size - 1)
    at = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & mask
    while table[at] and table[at] != key:
        at = at + np.uint64(1) & mask
    return int(at)


@compiled
def enter(keys: Array, table: Array) -> None:
    """Put keys into a table with room for them."""
    for key in keys:
        table[slot(table, key)] = key


def image_tables(symmetries: Sequence[Sequence[int]]) -> Array:
    """Where each symmetry carries positions, by pieces of 11 bits."""
    table = np.zeros((len(symmetries), -(-len(symmetries[0]) // 11), 2048), np.uint64)
    for s, image in enumerate(symmetries):
        for hole, to in enumerate(image):
            holds = np.arange(2048) >> hole % 11 & 1 == 1
            table[s, hole // 11, holds] |= np.uint64(1 << to)
    return table


@compiled
def least(position: Word, images: Array) -> Word:
    """The least of the positions that the symmetries make equal, by their tables."""
    best = ~np.uint64(0)
    for s in range(images.shape[0]):
        image = np.uint64(0)
        for piece in range(images.shape[1]):
            image |= images[s, piece, position >> np.uint64(11 * piece) & np.uint64(2047)]
        best = min(best, image)
    return best


def lattice(name: str) -> tuple[list[tuple[int, int]], list[str], list[list[int]]]:
    """The holes of a triangle or square as places and by name, row by row; the jumps: from, over, to."""
    rows = next(n for n in range(11) if name in (f"triangle{n * (n + 1) // 2}", f"square{n}"))
    is_triangle = name.startswith("triangle")
    places = [(x, y) for y in range(rows) for x in range(y + 1 if is_triangle else rows)]
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)][: 6 if is_triangle else 4]
    at = {place: hole for hole, place in enumerate(places)}
    lines = [[(x + i * dx, y + i * dy) for i in range(3)] for x, y in places for dx, dy in steps]
    names = ["abcdefghij"[x] + str(y + 1) for x, y in places]
    return places, names, [[at[place] for place in line] for line in lines if set(line) <= at.keys()]


def different(places: Sequence[tuple[int, int]]) -> list[int]:
    """The holes of a triangle up to symmetry, each the first of those that are equal."""
    first = dict[tuple[int, ...], int]()
    for hole, (x, y) in enumerate(places):
        first.setdefault(tuple(sorted((x, y - x, places[-1][1] - y))), hole)
    return list(first.values())


def in_words(jumps: Iterable[Sequence[int]]) -> tuple[Array, Array]:
    """The holes that each jump changes, and those of them with pegs before."""
    masks = [(1 << a | 1 << b | 1 << c, 1 << a | 1 << b) for a, b, c in jumps]
    flips, needs = np.array(masks, np.uint64).T.copy()
    return flips, needs


def by_peg(jumps: Sequence[Sequence[int]], holes: int, begin: int, end: int) -> list[Array]:
    """For each hole its jumps, or those taken back: what changes, what of that are pegs before, where the peg lands."""
    by = [[jump for jump in jumps if jump[begin] == hole] for hole in range(holes)]
    tables = [np.zeros((holes, max(map(len, by))), kind) for kind in (np.uint64, np.uint64, np.int64)]
    for hole, row in enumerate(by):
        for j, jump in enumerate(row):
            tables[0][hole, j] = sum(1 << h for h in jump)
            tables[1][hole, j] = 1 << hole | (1 << jump[1] if begin == 0 else 0)
            tables[2][hole, j] = jump[end]
    return tables


@compiled
def sweeps(position: Word, flips: Array, needs: Array, lands: Array) -> list[Word]:
    """All positions one move on, or one move back; some of them more than once."""
    found = [position for _ in range(0)]
    hole, place, board = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64, np.uint64)
    for peg in range(flips.shape[0]):
        if not position >> np.uint64(peg) & np.uint64(1):
            continue
        depth, hole[0], place[0], board[0] = 0, peg, 0, position
        while depth >= 0:
            h, j = hole[depth], place[depth]
            if j == flips.shape[1]:
                depth -= 1
                continue
            place[depth] += 1
            if flips[h, j] and board[depth] & flips[h, j] == needs[h, j]:
                depth += 1
                board[depth], hole[depth], place[depth] = board[depth - 1] ^ flips[h, j], lands[h, j], 0
                found.append(board[depth])
    return found
