"""Tests of significance for comparisons of methods on many problems (Demsar 2006), in textbook formulas."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from math import comb, erf, erfc, exp, lgamma, log, pi, sqrt
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


def corrected(p_values: Sequence[float]) -> list[float]:
    """The p values of several tests, so that few of those below a level are wrong (Benjamini and Hochberg 1995)."""
    tests = len(p_values)
    falling = sorted(range(tests), key=lambda i: p_values[i], reverse=True)
    raised = accumulate((p_values[i] * tests / (tests - below) for below, i in enumerate(falling)), min)
    found = dict(zip(falling, raised, strict=True))
    return [found[i] for i in range(tests)]


def ranked(costs: Sequence[float]) -> list[float]:
    """The rank of each cost, 1 for the least; equal ones share the average of their ranks."""
    return [sum(other < cost for other in costs) + (costs.count(cost) + 1) / 2 for cost in costs]


def friedman(rows: Sequence[Sequence[float]]) -> float:
    """The p value of Friedman's test that methods do not differ; each row has their ranks on one problem."""
    problems, methods = len(rows), len(rows[0])
    middle = (methods + 1) / 2
    spread = sum((rank - middle) ** 2 for row in rows for rank in row)
    between = sum((sum(column) - problems * middle) ** 2 for column in zip(*rows, strict=True))
    return _chi_square(methods - 1, (methods - 1) * between / spread) if spread else 1.0


def nemenyi(methods: int, problems: int) -> float:
    """How far apart the average ranks of two of the methods are that differ by Nemenyi's test."""
    return _studentized_range(methods) / sqrt(2) * sqrt(methods * (methods + 1) / (6 * problems))


def _chi_square(freedom: int, value: float) -> float:
    """The probability that chi square with so many degrees of freedom is at least the value."""
    half = value / 2
    begin, tail = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    terms = range((freedom - 1) // 2 if half else 0)
    return tail + sum(exp((begin + i) * log(half) - half - lgamma(begin + i + 1)) for i in terms)


@cache
def _studentized_range(samples: int) -> float:
    """What the range of so many standard normal numbers exceeds with the probability LEVEL, by bisection."""
    grid = [i / 25 for i in range(-200, 201)]

    def below(value: float) -> float:
        """The probability that the range is at most the value."""
        return sum(
            exp(-z * z / 2) / sqrt(2 * pi) * ((erf(z / sqrt(2)) - erf((z - value) / sqrt(2))) / 2) ** (samples - 1)
            for z in grid
        ) * (samples / 25)

    low, high = 0.0, 50.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < 1 - LEVEL else (low, middle)
    return low
