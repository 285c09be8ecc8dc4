"""Fewest moves for many positions at once: to the goal, and to a level within a bound."""

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.kernels.jumps import JumpTables, carry, jump_on, space
from pegcp.states.kernels.position_sets import Index, Numbers, find, room
from pegcp.states.words import Words

Moves = NDArray[np.int16]

_ONE = np.uint64(1)


@inlined
def carried(position: Word, tables: JumpTables, images: Words, jump: Number, after: Word) -> Number:
    """Return the number of the symmetry that carries the position after a jump to another one."""
    carry(position, tables, images)
    for s in range(len(images)):
        if images[s] ^ tables.flips[jump, s] == after:
            return s
    return -1


@compiled
def fewest(
    level: Words,
    tables: JumpTables,
    leaves: Numbers,
    lands: Numbers,
    into: Index,
    moves_after: Moves,
    begins_after: Words,
) -> tuple[Moves, Words]:
    """Return the fewest moves to the goal, and the holes (bits) from which the first of them may start.

    A peg that has just landed in one of these goes on in the same move. ``leaves[jump]``: the hole that the jump
    leaves; ``lands[jump, s]``: the hole where it lands, as symmetry ``s`` carries it. ``into``: the level after, of
    which both are known.
    """
    images, batch, first = space(tables), room(len(tables.flips)), 0
    moves, begins = np.full(len(level), 32767, np.int16), np.zeros(len(level), np.uint64)
    while first < len(level):
        first, size = jump_on(level, first, tables, images, batch)
        find(batch, size, into)
        for k in range(size):
            if batch.at[k] < 0:
                continue
            i, jump, after = batch.sources[k], batch.jumps[k], batch.at[k]
            hole = lands[jump, carried(level[i], tables, images, jump, batch.positions[k])]
            goes_on = begins_after[after] >> np.uint64(hole) & _ONE
            total = moves_after[after] + 1 - np.int64(goes_on)
            if total < moves[i]:
                moves[i] = total
                begins[i] = np.uint64(0)
            if total == moves[i]:
                begins[i] |= _ONE << np.uint64(leaves[jump])
    return moves, begins
