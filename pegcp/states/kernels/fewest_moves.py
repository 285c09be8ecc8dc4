"""Fewest moves for many positions at once: to the goal, and to a level within a bound."""

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.kernels.jumps import JumpTables, carry, jump_on, space
from pegcp.states.kernels.position_sets import Array, Marks, Numbers, find, number, room

Moves = NDArray[np.int16]

_ONE = np.uint64(1)


@inlined
def carried(position: Word, tables: JumpTables, images: Array, jump: Number, after: Word) -> Number:
    """Return the number of the symmetry that carries the position after a jump to another one."""
    carry(position, tables, images)
    for s in range(len(images)):
        if images[s] ^ tables.flips[jump, s] == after:
            return s
    return -1


@compiled
def fewest(
    level: Array,
    first: Number,
    last: Number,
    tables: JumpTables,
    leaves: Numbers,
    lands: Numbers,
    marks: Marks,
    moves_after: Moves,
    begins_after: Array,
    moves: Moves,
    begins: Array,
) -> Number:
    """Fill in ``moves`` and ``begins`` for the positions ``first`` to ``last`` of a level, from the level after.

    ``moves``: the fewest moves to the goal; ``begins``: the holes (bits) from which the first of them may start, none
    at first. A peg that has just landed in one of these goes on in the same move. ``leaves[jump]``: the hole that the
    jump leaves; ``lands[jump, s]``: the hole where it lands, as symmetry ``s`` carries it. ``marks``: the set of the
    level after, with numbers.
    """
    images, batch = space(tables), room(len(tables.flips))
    while first < last:
        begin = first
        first, size = jump_on(level, first, last, tables, images, batch)
        moves[begin:first] = 32767
        find(batch, size, marks)
        for k in range(size):
            if batch.at[k] < 0:
                continue
            i, jump, after = batch.sources[k], batch.jumps[k], number(batch.at[k], marks)
            hole = lands[jump, carried(level[i], tables, images, jump, batch.positions[k])]
            goes_on = begins_after[after] >> np.uint64(hole) & _ONE
            total = moves_after[after] + 1 - np.int64(goes_on)
            if total < moves[i]:
                moves[i] = total
                begins[i] = np.uint64(0)
            if total == moves[i]:
                begins[i] |= _ONE << np.uint64(leaves[jump])
    return 0
