"""Sorted lists and arrays of positions: what stands where, as bit masks."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

Level = Any  # a sorted list[int], or a sorted array of 64-bit words

WORD = 64  # holes


def first(level: Level) -> int:
    """The first position of a level, as a bit mask."""
    return int(level[0])


def place(level: Level, position: int) -> int | None:
    """Where a position (a bit mask) stands in a level; None if it is not there."""
    i = bisect_left(level, position)
    return i if i < len(level) and level[i] == position else None
