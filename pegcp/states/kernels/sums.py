"""Sums over the jumps of many positions: whole numbers of several 64-bit words, the lowest word first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, Word, compiled, inlined, lowest, ones
from pegcp.states.kernels.jumps import Rules, allowed, carry, least
from pegcp.states.kernels.marks import Array, Marks, number

Means = NDArray[np.float64]

_ONE = np.uint64(1)


@inlined
def add(sums: Array, i: Number, values: Array, k: Number, invert: Word) -> None:
    """``sums[i] += values[k]``, or ``-=`` if all bits of ``invert`` are 1 (it is 0 otherwise)."""
    over = invert & _ONE
    for word in range(sums.shape[1]):
        one, other = sums[i, word], values[k, word] ^ invert
        total = one + other
        carried = np.uint64(total < one)
        sums[i, word] = total + over
        over = carried | np.uint64(sums[i, word] < total)


@compiled
def most(level: Array, rules: Rules) -> Number:
    """The largest number of jumps that can be made in a position."""
    found = 0
    for i in range(len(level)):
        here = 0
        for word in range(rules.legal.shape[2]):
            here += ones(allowed(level[i], word, rules))
        found = max(found, here)
    return found


@compiled
def add_jumps(
    level: Array, first: Number, last: Number, rules: Rules, into: Array, marks: Marks, values: Array, sums: Array
) -> Number:
    """Add to the sum of each of the positions ``first`` to ``last`` the values of those one jump later.

    ``into`` is the level after, ``marks`` its set.
    """
    images = np.empty(rules.images.shape[2], np.uint64)
    for i in range(first, last):
        carry(level[i], rules, images)
        for word in range(rules.legal.shape[2]):
            legal = allowed(level[i], word, rules)
            while legal:
                jump = 64 * word + lowest(legal)
                legal &= legal - _ONE
                k = number(least(images, rules, jump), marks, into)
                if k >= 0:
                    add(sums, i, values, k, np.uint64(0))
    return last - first


@compiled
def add_sets(
    level: Array,
    first: Number,
    last: Number,
    rules: Rules,
    apart: NDArray[np.uint64],
    size: Number,
    into: Array,
    marks: Marks,
    values: Array,
    sums: Array,
) -> Number:
    """Add the values of the positions after ``size`` independent jumps, for every set of them that can be made.

    The values are subtracted if ``size`` is even. ``apart[jump]``: the later jumps (bits of words) that are independent
    of it; ``into`` is the level after so many jumps, ``marks`` its set.
    """
    words, symmetries = rules.legal.shape[2], rules.images.shape[2]
    images = np.empty((size + 1, symmetries), np.uint64)  # after the jumps chosen so far
    choice = np.empty((size + 1, words), np.uint64)  # the jumps that may be chosen next
    sign = np.uint64(0) if size % 2 else ~np.uint64(0)
    for i in range(first, last):
        carry(level[i], rules, images[0])
        for word in range(words):
            choice[0, word] = allowed(level[i], word, rules)
        depth = 0
        while depth >= 0:
            word = 0
            while word < words and choice[depth, word] == 0:
                word += 1
            if word == words:
                depth -= 1
                continue
            jump = 64 * word + lowest(choice[depth, word])
            choice[depth, word] &= choice[depth, word] - _ONE
            for s in range(symmetries):
                images[depth + 1, s] = images[depth, s] ^ rules.flips[jump, s]
            if depth + 1 < size:
                for w in range(words):
                    choice[depth + 1, w] = choice[depth, w] & apart[jump, w]
                depth += 1
                continue
            best = images[size, 0]
            for s in range(1, symmetries):
                best = min(best, images[size, s])
            k = number(best, marks, into)
            if k >= 0:
                add(sums, i, values, k, sign)
    return last - first


@compiled
def average(
    level: Array, first: Number, last: Number, rules: Rules, into: Array, marks: Marks, values: Means, means: Means
) -> Number:
    """The mean of the values one jump later, over all jumps that can be made; 0 outside the level ``into``."""
    images = np.empty(rules.images.shape[2], np.uint64)
    for i in range(first, last):
        carry(level[i], rules, images)
        ways = 0
        total: Any = 0.0
        for word in range(rules.legal.shape[2]):
            legal = allowed(level[i], word, rules)
            while legal:
                jump = 64 * word + lowest(legal)
                legal &= legal - _ONE
                ways += 1
                k = number(least(images, rules, jump), marks, into)
                if k >= 0:
                    total += values[k]
        if ways:
            means[i] = total / ways
    return last - first
