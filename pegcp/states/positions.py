"""Sorted lists and arrays of positions: what stands where, as bit masks."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

Level = Any  # a sorted list[int], or a sorted array of 64-bit words or of rows of two words, the higher holes first

WORD = 64  # holes
TWO_WORDS = 127  # holes: with one more, every number would be a word of some position, and none could mean nothing


def masks(level: Level) -> list[int]:
    """The positions of a level as bit masks."""
    if isinstance(level, list):
        return level
    found: list[Any] = level.tolist()
    return [high << WORD | low for high, low in found] if level.ndim > 1 else found


def first(level: Level) -> int:
    """The first position of a level, as a bit mask."""
    return masks(level[:1])[0]


def rank(level: Level, position: int) -> int:
    """How many positions of a level come before a position (a bit mask)."""
    return bisect_left(range(len(level)), position, key=lambda i: first(level[i : i + 1]))


def place(level: Level, position: int) -> int | None:
    """Where a position (a bit mask) stands in a level; None if it is not there."""
    i = rank(level, position)
    return i if i < len(level) and first(level[i : i + 1]) == position else None
