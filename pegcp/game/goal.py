"""Goals, which the last position must satisfy, and objectives, by which solutions are compared."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args

from pegcp.habits import GuidedEnum


class Objective(StrEnum, metaclass=GuidedEnum):
    """The measure by which solutions are compared."""

    ANY = "any"
    FEWEST_JUMPS = "fewest-jumps"
    FEWEST_MOVES = "fewest-moves"
    FEWEST_STEPS = "fewest-steps"
    FEWEST_PEGS = "fewest-pegs"
    NEAREST = "nearest"
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


@dataclass(frozen=True)
class Nearest:
    """Every position satisfies this goal; the best by the objective ``nearest`` is the one nearest to ``pegs``.

    ``pegs`` is a bit mask; ``weights[i]`` is what it costs that hole i ends otherwise. A soft goal, as in the
    net-benefit track of the planning competition.
    """

    pegs: int
    weights: tuple[int, ...]
    kind = "nearest"

    def cost(self, last: Iterable[Any]) -> Any:
        """Return the distance as an expression of a solver, or as an array.

        ``last`` has for each hole a variable, or an array, that is 1 iff the hole ends with a peg.
        """
        return sum(
            weight * (1 - peg if self.pegs >> hole & 1 else peg)
            for hole, (weight, peg) in enumerate(zip(self.weights, last, strict=True))
        )

    def distance(self, position: int) -> int:
        """Return the total weight of the holes that differ from the goal in a position (a bit mask)."""
        return sum(weight for hole, weight in enumerate(self.weights) if (position ^ self.pegs) >> hole & 1)


HEAVIEST = 1_000_000  # weight of a hole

Goal = Exact | OnePeg | Partial | DeadEnd | Nearest
GOAL_KINDS = frozenset(str(kind.kind) for kind in get_args(Goal))
