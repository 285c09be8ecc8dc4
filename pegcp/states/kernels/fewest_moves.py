"""Fewest moves for many positions at once: to the goal, and to a level within a bound."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.bit_instructions import lowest
from pegcp.states.kernels.compiled import Number, Word, compiled, inlined
from pegcp.states.kernels.jumps import JumpTables, allowed, carry, jump_on, space
from pegcp.states.kernels.position_sets import GOLDEN, Array, Marks, Numbers, find, number, room

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


class Reached(NamedTuple):
    """Positions with the fewest moves to each, and the holes (bits) where the last of these may end: a hash table.

    ``positions``: a power of 2 of slots, 0 where empty. From behind: where the first of the moves may begin.
    """

    positions: Array
    moves: NDArray[np.int8]
    ends: Array


class Bounded(NamedTuple):
    """A bound on the moves, and the tables to go on from a level within it.

    ``leaves[jump]`` and ``lands[jump, symmetry]``: numbers of holes; ``regions``: those that moves must open;
    ``forwards``: 1, or 0 from behind.
    """

    tables: JumpTables
    leaves: Array
    lands: Array
    regions: Array
    forwards: int
    bound: int


@compiled
def expand_within(
    level: Reached, first: Number, last: Number, limits: Bounded, into: Reached, owner: Number, owners: Number
) -> tuple[Number, Number]:
    """Enter the positions one jump after ``first`` to ``last`` of a level whose hash makes them this owner's.

    Return how many were new, and how many were dropped because they exceed the bound.
    """
    tables = limits.tables
    images = space(tables)
    new, dropped = 0, 0
    forwards = limits.forwards != 0
    for i in range(first, last):
        carry(level.positions[i], tables, images)
        for part in range(tables.legal.shape[2]):
            legal = allowed(level.positions[i], part, tables)
            while legal:
                jump = 64 * part + lowest(legal)
                legal &= legal - _ONE
                cost = np.int64(level.moves[i]) + 1 - np.int64(level.ends[i] >> limits.leaves[jump] & _ONE)
                # A move may go on to open the region where it landed; from behind, one that opened a region before.
                total = cost if forwards else cost - 1
                after = images[0] ^ tables.flips[jump, 0]
                for region in limits.regions:
                    if forwards:
                        if after & region == region and region >> limits.lands[jump, 0] & _ONE == 0:
                            total += 1
                    elif after & region != region:
                        total += 1
                if total > limits.bound:
                    dropped += 1
                    continue
                least, symmetry = after, 0
                for s in range(1, len(images)):
                    other = images[s] ^ tables.flips[jump, s]
                    if other < least:
                        least, symmetry = other, s
                if np.int64(least * GOLDEN & np.uint64(0xFFFF)) % owners != owner:
                    continue
                new += enter(least, cost, _ONE << limits.lands[jump, symmetry], into)
    return new, dropped


@inlined
def enter(position: Word, moves: Number, ends: Word, into: Reached) -> Number:
    """Enter a position; return 1 if it is new. Fewer moves replace its moves and ends; as many moves add their ends."""
    slot = np.int64(position * GOLDEN >> np.uint64(20)) & len(into.positions) - 1
    while True:
        entry = into.positions[slot]
        if entry == position:
            if moves < into.moves[slot]:
                into.moves[slot] = moves
                into.ends[slot] = ends
            elif moves == into.moves[slot]:
                into.ends[slot] |= ends
            return 0
        if entry == 0:
            into.positions[slot] = position
            into.moves[slot] = moves
            into.ends[slot] = ends
            return 1
        slot = slot + 1 & len(into.positions) - 1


@compiled
def enter_all(level: Reached, into: Reached) -> None:
    """Enter all positions of a level or hash table."""
    for i in range(len(level.positions)):
        if level.positions[i]:
            enter(level.positions[i], np.int64(level.moves[i]), level.ends[i], into)
