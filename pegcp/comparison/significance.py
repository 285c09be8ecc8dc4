"""How sure a figure of many runs is: the bootstrap interval, the sign test."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import comb
from typing import TypeVar

T = TypeVar("T")
LEVEL = 0.05
_FEWEST = 3  # of which a sample says something
_DRAWS = 2000


def interval(sample: Sequence[T], statistic: Callable[[list[T]], float]) -> tuple[float, float] | None:
    """The bootstrap interval of a statistic at the level: its percentiles over samples drawn from the sample (Efron
    1979). None for fewer than three."""
    if len(sample) < _FEWEST:
        return None
    chance = random.Random(0)
    drawn = sorted(statistic(chance.choices(sample, k=len(sample))) for _ in range(_DRAWS))
    return drawn[round(_DRAWS * LEVEL / 2)], drawn[round(_DRAWS * (1 - LEVEL / 2)) - 1]


def sign_test(wins: int, losses: int) -> float:
    """The p value of the two-sided sign test."""
    runs = wins + losses
    as_uneven = 2 * sum(comb(runs, i) for i in range(min(wins, losses) + 1))
    return min(1.0, as_uneven / (1 << runs))
