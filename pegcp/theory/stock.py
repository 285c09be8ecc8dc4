"""Jump budgets and the slacks of pagoda functions, packed into one number: one subtraction makes a jump pay for all.

Each field of the number has a guard bit above it, which is borrowed when the field falls below zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegcp.game.board import Jump
from pegcp.theory.pagoda import PagodaFunction


@dataclass(frozen=True)
class Stock:
    """All budgets and slacks at the ``start``, and how much of them each jump consumes (``uses``).

    ``share`` of a jump is the sum, over all budgets and slacks, of the part of each that it consumes. A jump may be
    made if the number that is left after it has all its ``guards``.
    """

    start: int
    guards: int
    uses: Mapping[Jump, int]
    share: Mapping[Jump, float]


def stock(jumps: Sequence[Jump], budgets: Mapping[Jump, int], pagodas: Sequence[PagodaFunction]) -> Stock:
    """The stock of some jumps. Without budgets and pagoda functions nothing ever runs out."""
    have = [*budgets.values(), *(pagoda.slack for pagoda in pagodas)]
    uses = {j: [*(int(j is k) for k in budgets), *(pagoda.cost(j) for pagoda in pagodas)] for j in jumps}
    width = max([1, *have, *(use for row in uses.values() for use in row)]).bit_length() + 1
    guards = _packed([1 << width - 1] * len(have), width)
    return Stock(
        _packed(have, width) | guards,
        guards,
        {j: _packed(row, width) for j, row in uses.items()},
        {j: sum(use / max(1, left) for use, left in zip(row, have, strict=True)) for j, row in uses.items()},
    )


def _packed(fields: Sequence[int], width: int) -> int:
    return sum(field << width * i for i, field in enumerate(fields))
