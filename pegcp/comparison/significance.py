"""Compute the bootstrap interval of a figure of many runs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
LEVEL = 0.05
_FEWEST = 3  # in a sample that has an interval
_DRAWS = 2000


def interval(sample: Sequence[T], statistic: Callable[[list[T]], float]) -> tuple[float, float] | None:
    """Return the bootstrap interval of a statistic at the level: its percentiles over samples drawn from the sample
    (Efron 1979). None for fewer than three."""
    if len(sample) < _FEWEST:
        return None
    chance = random.Random(0)
    values = sorted(statistic(chance.choices(sample, k=len(sample))) for _ in range(_DRAWS))
    return values[round(_DRAWS * LEVEL / 2)], values[round(_DRAWS * (1 - LEVEL / 2)) - 1]
