"""Sums over the jumps of many positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled, inlined
from pegcp.states.kernels.jumps import JumpTables, allowed, carry, jump_on, least, ready, space
from pegcp.states.kernels.machine import lowest
from pegcp.states.kernels.marks import BATCH, Array, Batch, Marks, find, number

Values = NDArray[np.int64 | np.float64]  # a row for each position

_ONE = np.uint64(1)


@inlined
def add_found(batch: Batch, size: Number, marks: Marks, values: Values, sums: Values, sign: Number) -> None:
    """Add to the sums the values, times a sign, of those positions of a batch that are in the set."""
    find(batch, size, marks)
    for k in range(size):
        if batch.at[k] >= 0:
            i, j = batch.whose[k], number(batch.at[k], marks)
            for part in range(sums.shape[1]):
                sums[i, part] += sign * values[j, part]


@compiled
def add_jumps(
    level: Array, first: Number, last: Number, tables: JumpTables, marks: Marks, values: Values, sums: Values
) -> Number:
    """Add to the sum of each of the positions ``first`` to ``last`` the values of those one jump later.

    ``marks``: the set of the level after, with numbers.
    """
    images, batch = space(tables), ready(tables)
    count = last - first
    while first < last:
        first, size = jump_on(level, first, last, tables, images, batch)
        add_found(batch, size, marks, values, sums, 1)
    return count


@compiled
def add_sets(
    level: Array,
    first: Number,
    last: Number,
    tables: JumpTables,
    apart: NDArray[np.uint64],
    size: Number,
    marks: Marks,
    values: Values,
    sums: Values,
) -> Number:
    """Add the values of the positions after ``size`` independent jumps, for every set of them that can be made.

    The values are subtracted if ``size`` is even. ``apart[jump]``: the later jumps (bits of words) that are independent
    of it; ``marks``: the set of the level after these jumps, with numbers.
    """
    parts, words, symmetries = tables.legal.shape[2], tables.images.shape[2], tables.images.shape[3]
    batch = ready(tables)
    images = np.empty((size, words, symmetries), np.uint64)  # after the jumps chosen so far
    choice = np.empty((size, parts), np.uint64)  # the jumps that may be chosen next
    sign = 1 if size % 2 else -1
    found = 0
    for i in range(first, last):
        carry(level, i, tables, images[0])
        for part in range(parts):
            choice[0, part] = allowed(level, i, part, tables)
        depth = 0
        while depth >= 0:
            part = 0
            while part < parts and choice[depth, part] == 0:
                part += 1
            if part == parts:
                depth -= 1
                continue
            jump = 64 * part + lowest(choice[depth, part])
            choice[depth, part] &= choice[depth, part] - _ONE
            if depth + 1 < size:
                for word in range(words):
                    for s in range(symmetries):
                        images[depth + 1, word, s] = images[depth, word, s] ^ tables.flips[jump, word, s]
                for p in range(parts):
                    choice[depth + 1, p] = choice[depth, p] & apart[jump, p]
                depth += 1
                continue
            least(images[depth], tables, jump, batch, found)
            batch.whose[found] = i
            found += 1
            if found == BATCH:
                add_found(batch, found, marks, values, sums, sign)
                found = 0
    add_found(batch, found, marks, values, sums, sign)
    return last - first
