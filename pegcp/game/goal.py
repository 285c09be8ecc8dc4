"""Goals and objectives: what the last position must satisfy, and what makes one solution better than another."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import get_args


class Objective(StrEnum):
    """What makes one solution better than another."""

    ANY = "any"
    FEWEST_JUMPS = "fewest-jumps"
    FEWEST_MOVES = "fewest-moves"
    COUNT = "count"


@dataclass(frozen=True)
class Exact:
    """The last position is exactly this one (a bit mask)."""

    pegs: int
    kind = "exact"


@dataclass(frozen=True)
class OnePeg:
    """One peg is left, anywhere."""

    kind = "one-peg"


@dataclass(frozen=True)
class Partial:
    """Some holes end with a peg, some as vacancies (bit masks), the others are free; as in the army problems."""

    pegs: int
    vacancies: int = 0
    kind = "partial"


@dataclass(frozen=True)
class DeadEnd:
    """No jump is possible."""

    kind = "dead-end"


Goal = Exact | OnePeg | Partial | DeadEnd
GOAL_KINDS = frozenset(str(kind.kind) for kind in get_args(Goal))
