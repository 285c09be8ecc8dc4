"""Sets of positions of at most 64 holes as rising arrays of 64-bit words, and the images of such positions."""

from collections.abc import Collection, Iterator, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from pegcp.game.symmetry import Permutation

PIECE_BITS = 11  # of a position, whose images are looked up at a time

Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]


def distinct(words: Words) -> Words:
    """Return the words of an array, rising and each once; the array is sorted. (np.unique takes ten times as long.)"""
    words.sort(kind="stable")  # which merges what already rises
    return words[np.insert(words[1:] != words[:-1], 0, values=True)] if len(words) else words


def union(arrays: Sequence[Words]) -> Words:
    """Return the words that are in any of some arrays, rising and each once."""
    return distinct(np.concatenate(arrays))


def contains(members: Words, words: Words) -> Flags:
    """Flag the words that are in a set."""
    if not len(members):
        return np.zeros(len(words), np.bool_)
    flags: Flags = members.take(np.searchsorted(members, words), mode="clip") == words
    return flags


def pegs(positions: Words, holes: int) -> Iterator[NDArray[np.int64]]:
    """Yield for each hole a row with 1 for the positions that have a peg there, and 0."""
    return ((positions >> np.uint64(hole) & np.uint64(1)).astype(np.int64) for hole in range(holes))


def image_tables(holes: int, symmetries: Collection[Permutation]) -> Words:
    """Return ``[piece, value, symmetry]``: where the pegs of a piece of a position are carried."""
    values = np.arange(1 << PIECE_BITS, dtype=np.uint64)
    tables = np.zeros((-(-holes // PIECE_BITS), len(values), len(symmetries)), np.uint64)
    for hole in range(holes):
        piece, bit = divmod(hole, PIECE_BITS)
        has_peg = values >> np.uint64(bit) & np.uint64(1) != 0
        tables[piece, has_peg] |= np.array([1 << p[hole] for p in symmetries], np.uint64)
    return tables


def least_images(positions: Words, tables: Words) -> Words:
    """Return the set of the least images of positions, by tables ``[symmetry, piece, value]``."""
    mask = np.uint64((1 << PIECE_BITS) - 1)
    pieces = [(positions >> np.uint64(PIECE_BITS * i) & mask).astype(np.intp) for i in range(tables.shape[1])]
    images = (reduce(np.bitwise_or, map(np.take, symmetry, pieces)) for symmetry in tables)
    return distinct(reduce(np.minimum, images))
