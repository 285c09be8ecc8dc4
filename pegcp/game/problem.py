"""Problems: a board, a start position, a goal and an objective."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from pegcp.errors import InputError
from pegcp.game.board import Board, Jump, Position
from pegcp.game.symmetry import Permutation, image


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
GOAL_KINDS = frozenset({Exact.kind, OnePeg.kind, Partial.kind, DeadEnd.kind})


@dataclass(frozen=True)
class Problem:
    """Reach the goal from the start position, best by the objective. Immutable, hashable; ``name`` is not compared."""

    board: Board
    start: Position
    goal: Goal
    objective: Objective = Objective.ANY
    name: str = field(default="problem", compare=False)

    def __post_init__(self) -> None:
        if self.start.board != self.board:
            raise InputError(f"the start position of {self.name} is on another board")
        fixed = self.final_pegs | self.final_vacancies
        if fixed > self.board.full:
            raise InputError(f"the goal of {self.name} names holes outside board {self.board.name}")
        if self.final_pegs & self.final_vacancies:
            both = self.board.names(self.final_pegs & self.final_vacancies)
            raise InputError(f"the goal of {self.name} wants {', '.join(both)} both with and without a peg")

    @property
    def final_pegs(self) -> int:
        """Holes (a bit mask) that must end with a peg."""
        return self.goal.pegs if isinstance(self.goal, Exact | Partial) else 0

    @property
    def final_vacancies(self) -> int:
        """Holes (a bit mask) that must end without a peg."""
        if isinstance(self.goal, Exact):
            return self.board.full & ~self.goal.pegs
        return self.goal.vacancies if isinstance(self.goal, Partial) else 0

    @property
    def goal_pegs(self) -> tuple[int, int]:
        """The least and the largest number of pegs that a position satisfying the goal may have."""
        if isinstance(self.goal, OnePeg):
            return 1, 1
        return self.final_pegs.bit_count(), len(self.board.holes) - self.final_vacancies.bit_count()

    @property
    def jump_counts(self) -> range:
        """The numbers of jumps a solution can have: a jump removes one peg and leaves at least one. May be empty."""
        pegs = len(self.start)
        least, most = self.goal_pegs
        if pegs == 0:
            return range(1) if least == 0 else range(0)
        return range(max(0, pegs - most), pegs - max(1, least) + 1)

    def is_goal(self, position: int) -> bool:
        """Whether a position (a bit mask) satisfies the goal."""
        match self.goal:
            case Exact(pegs):
                return position == pegs
            case OnePeg():
                return position.bit_count() == 1
            case Partial(pegs, vacancies):
                return position & pegs == pegs and not position & vacancies
            case DeadEnd():
                return not any(jump.is_legal(position) for jump in self.board.jumps)

    def value(self, jumps: list[Jump] | tuple[Jump, ...]) -> int | None:
        """The objective value of a solution; None when the objective is any solution or a count."""
        if self.objective is Objective.FEWEST_JUMPS:
            return len(jumps)
        if self.objective is Objective.FEWEST_MOVES:
            from pegcp.game.check import moves

            return len(moves(jumps))
        return None

    def goal_symmetries(self, limit: int = 48) -> list[Permutation]:
        """Board symmetries (at most ``limit`` are looked at) that leave the goal as it is; the identity first."""
        fixed = (self.final_pegs, self.final_vacancies)
        return [p for p in self.board.symmetries.elements(limit) if all(image(p, mask) == mask for mask in fixed)]

    def symmetries(self, limit: int = 48) -> list[Permutation]:
        """Those of :meth:`goal_symmetries` that leave the start position as it is, too."""
        return [p for p in self.goal_symmetries(limit) if image(p, self.start.mask) == self.start.mask]

    @cached_property
    def text(self) -> str:
        """The canonical text: a problem file without names. Equal problems have equal texts, and it reads back."""
        from pegcp.formats.toml import problem_text

        return problem_text(self)

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that stay the same between runs, machines and versions of Python."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def goal_text(self) -> str:
        """The goal in words."""
        match self.goal:
            case Exact(pegs):
                return f"exactly {_some(self.board, pegs)}"
            case OnePeg():
                return "one peg anywhere"
            case Partial(pegs, vacancies):
                parts = [f"pegs in {_some(self.board, pegs)}"] if pegs else []
                parts += [f"vacancies in {_some(self.board, vacancies)}"] if vacancies else []
                return " and ".join(parts) or "anything"
            case DeadEnd():
                return "a dead end"


def _some(board: Board, mask: int) -> str:
    names = board.names(mask)
    return " ".join(names) if len(names) <= 12 else f"{' '.join(names[:10])} ... ({len(names)} holes)"
