"""Sets of positions of at most 64 holes as rising arrays of 64-bit words, and the images of such positions."""

from collections.abc import Collection
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from pegcp.game.symmetry import Permutation

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


def image_tables(holes: int, symmetries: Collection[Permutation], bits: int) -> Words:
    """Return ``[piece, value, symmetry]``: where the pegs of a piece of a position, of so many bits, are carried."""
    values = np.arange(1 << bits, dtype=np.uint64)
    tables = np.zeros((-(-holes // bits), len(values), len(symmetries)), np.uint64)
    for hole in range(holes):
        piece, bit = divmod(hole, bits)
        has_peg = values >> np.uint64(bit) & np.uint64(1) != 0
        tables[piece, has_peg] |= np.array([1 << p[hole] for p in symmetries], np.uint64)
    return tables


def least_images(positions: Words, tables: Words) -> Words:
    """Return the set of the least images of positions, by tables ``[symmetry, piece, value]``."""
    bits = tables.shape[2].bit_length() - 1
    mask = np.uint64((1 << bits) - 1)
    pieces = [(positions >> np.uint64(bits * i) & mask).astype(np.intp) for i in range(tables.shape[1])]
    images = (reduce(np.bitwise_or, map(np.take, symmetry, pieces)) for symmetry in tables)
    return distinct(reduce(np.minimum, images))
