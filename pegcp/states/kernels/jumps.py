"""Jumps from many positions at once, each position as the least of its images.

A position is cut into pieces of a few bits, and tables say for each value of a piece which jumps it allows and what
its images are. All images of the next position follow by one exclusive-or each: they differ in the image of the jump.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.states.kernels.compiled import Number, Word, compiled, inlined, lowest
from pegcp.states.kernels.marks import Array, Marks, mark, marked

PIECE = 11  # bits: the tables of all pieces stay in the cache

_ONE = np.uint64(1)
_LOW = np.uint64((1 << PIECE) - 1)


class Rules(NamedTuple):
    """Jumps of a board, or jumps taken back, and symmetries.

    ``legal[piece, value]``: the jumps (bits of words) that this piece allows; ``images[piece, value]``: its images;
    ``flips[jump]``: the images of the three holes.
    """

    legal: NDArray[np.uint64]
    images: NDArray[np.uint64]
    flips: NDArray[np.uint64]


@inlined
def allowed(position: Word, word: int, rules: Rules) -> Word:
    """The jumps that can be made, as bits: those numbered from 64 times ``word``."""
    legal = rules.legal[0, np.int64(position & _LOW), word]
    for piece in range(1, rules.legal.shape[0]):
        legal &= rules.legal[piece, np.int64(position >> np.uint64(PIECE * piece) & _LOW), word]
    return legal


@inlined
def carry(position: Word, rules: Rules, images: Array) -> None:
    """All images of a position."""
    low = np.int64(position & _LOW)
    for s in range(len(images)):
        images[s] = rules.images[0, low, s]
    for piece in range(1, rules.images.shape[0]):
        value = np.int64(position >> np.uint64(PIECE * piece) & _LOW)
        for s in range(len(images)):
            images[s] |= rules.images[piece, value, s]


@inlined
def least(images: Array, rules: Rules, jump: int) -> Word:
    """The least image after a jump."""
    best = images[0] ^ rules.flips[jump, 0]
    for s in range(1, len(images)):
        best = min(best, images[s] ^ rules.flips[jump, s])
    return best


@compiled
def canonical(positions: Array, first: int, last: int, rules: Rules) -> Number:
    """Replace the positions ``first`` to ``last`` by their least images; how many."""
    images = np.empty(rules.images.shape[2], np.uint64)
    for i in range(first, last):
        carry(positions[i], rules, images)
        best = images[0]
        for s in range(1, len(images)):
            best = min(best, images[s])
        positions[i] = best
    return last - first


@compiled
def expand(level: Array, first: int, last: int, rules: Rules, marks: Marks) -> Number:
    """Mark all positions one jump after the positions ``first`` to ``last`` of a level; how many are new."""
    images = np.empty(rules.images.shape[2], np.uint64)
    new = 0
    for i in range(first, last):
        carry(level[i], rules, images)
        for word in range(rules.legal.shape[2]):
            legal = allowed(level[i], word, rules)
            while legal:
                jump = 64 * word + lowest(legal)
                legal &= legal - _ONE
                new += mark(least(images, rules, jump), marks)
    return new


@compiled
def leads(level: Array, first: int, last: int, rules: Rules, marks: Marks, found: NDArray[np.bool_]) -> Number:
    """For each of the positions ``first`` to ``last`` of a level: whether a jump leads into the set."""
    images = np.empty(rules.images.shape[2], np.uint64)
    for i in range(first, last):
        carry(level[i], rules, images)
        found[i] = False
        for word in range(rules.legal.shape[2]):
            legal = allowed(level[i], word, rules)
            while legal and not found[i]:
                jump = 64 * word + lowest(legal)
                legal &= legal - _ONE
                found[i] = marked(least(images, rules, jump), marks)
    return last - first


@compiled
def stuck(level: Array, rules: Rules, found: NDArray[np.bool_]) -> None:
    """For each position: whether no jump can be made."""
    for i in range(len(level)):
        found[i] = True
        for word in range(rules.legal.shape[2]):
            if allowed(level[i], word, rules):
                found[i] = False
