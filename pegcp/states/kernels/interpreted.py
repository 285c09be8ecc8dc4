"""What :mod:`.machine` offers to compiled functions, for the same functions run by Python.

Words are numpy's, so they wrap around as a processor's do. Threads must not share what they fill.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def lowest(word: Any) -> Any:
    """The number of the lowest bit of a 64-bit word that is not 0."""
    word = int(word)
    return np.int64((word & -word).bit_length() - 1)


def ones(word: Any) -> Any:
    """How many bits of a 64-bit word are 1."""
    return np.int64(int(word).bit_count())


def add_bits(words: Any, index: Any, bits: Any) -> Any:
    """``words[index] |= bits``; the word before."""
    before = words[index]
    words[index] |= bits
    return before


def fill_slot(words: Any, index: Any, empty: Any, word: Any) -> Any:
    """Put a word where ``empty`` stands; the word before."""
    before = words[index]
    if before == empty:
        words[index] = word
    return before


def prefetch(_words: Any, _index: Any) -> None:
    """Nothing."""


def put_images(images: Any, at: Any, tables: Any, begin: Any, lanes: Any) -> None:
    """``images[at + lane] |= tables[begin + lane]``; the arrays are taken as rows of words."""
    images.reshape(-1)[at : at + len(lanes)] |= tables.reshape(-1)[begin : begin + len(lanes)]


def least_image(images: Any, at: Any, flips: Any, begin: Any, lanes: Any) -> Any:
    """The least ``images[at + lane] ^ flips[begin + lane]``; the arrays are taken as rows of words."""
    return _flipped(images, at, flips, begin, lanes).min()


def least_second(images: Any, at: Any, flips: Any, begin: Any, first: Any, further: Any, lanes: Any) -> Any:
    """The least second word of the images that have this first word. Second words stand so much ``further`` on."""
    seconds = _flipped(images, at + further, flips, begin + further, lanes)
    return seconds[_flipped(images, at, flips, begin, lanes) == first].min(initial=~np.uint64(0))


def _flipped(images: Any, at: Any, flips: Any, begin: Any, lanes: Any) -> Any:
    return images.reshape(-1)[at : at + len(lanes)] ^ flips.reshape(-1)[begin : begin + len(lanes)]
