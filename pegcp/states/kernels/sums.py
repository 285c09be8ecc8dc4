"""Sums over the jumps of many positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, compiled
from pegcp.states.kernels.jumps import JumpTables, jump_on, ready, space
from pegcp.states.kernels.marks import Array, Marks, find, number

Values = NDArray[np.int64]  # a row for each position


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
        find(batch, size, marks)
        for k in range(size):
            if batch.at[k] >= 0:
                i, j = batch.whose[k], number(batch.at[k], marks)
                for part in range(sums.shape[1]):
                    sums[i, part] += values[j, part]
    return count
