"""What the scripts in this folder share: compiling, the bits of a word, sets of independent jumps, lines of records."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
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
