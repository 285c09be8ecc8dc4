"""Sets of positions of at most 64 holes as rising arrays of 64-bit words, and the images of such positions."""

from collections.abc import Collection, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from pegcp.game.symmetry import Permutation

PIECE_BITS = 11  # of a position, by which tables are read

Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]


def distinct(words: Words) -> Words:
    """Return the words of an array, rising and each once; the array is sorted. (np.unique takes ten times as long.)"""
    words.sort()
    return words[np.insert(words[1:] != words[:-1], 0, values=True)] if len(words) else words


def contains(members: Words, words: Words) -> Flags:
    """Flag the words that are in a set."""
    if not len(members):
        return np.zeros(len(words), np.bool_)
    flags: Flags = members.take(np.searchsorted(members, words), mode="clip") == words
    return flags


def union(arrays: Sequence[Words]) -> Words:
    """Return the words that are in any of some arrays, rising and each once."""
    return distinct(np.concatenate(arrays))


def pieces(holes: int) -> list[range]:
    """Return the holes of each piece of a position."""
    return [range(holes)[begin : begin + PIECE_BITS] for begin in range(0, holes, PIECE_BITS)]


def image_tables(holes: int, symmetries: Collection[Permutation]) -> Words:
    """Return ``[piece, value, symmetry]``: where the pegs of a piece of a position are carried."""
    values = np.arange(1 << PIECE_BITS, dtype=np.uint64)
    tables = np.zeros((len(pieces(holes)), len(values), len(symmetries)), np.uint64)
    for hole in range(holes):
        piece, bit = divmod(hole, PIECE_BITS)
        has_peg = values >> np.uint64(bit) & np.uint64(1) != 0
        tables[piece, has_peg] |= np.array([1 << p[hole] for p in symmetries], np.uint64)
    return tables


def piece_values(positions: Words, number: int) -> list[NDArray[np.intp]]:
    """Return for each of a number of pieces the values that positions have there."""
    mask = np.uint64((1 << PIECE_BITS) - 1)
    return [(positions >> np.uint64(PIECE_BITS * piece) & mask).astype(np.intp) for piece in range(number)]


def least_images(positions: Words, tables: Words) -> Words:
    """Return the set of the least images of positions, by tables ``[symmetry, piece, value]``."""
    values = piece_values(positions, tables.shape[1])
    images = (reduce(np.bitwise_or, map(np.take, symmetry, values)) for symmetry in tables)
    return distinct(reduce(np.minimum, images))
