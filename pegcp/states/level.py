"""A level: all that is one jump further on, up to symmetry, without duplicates.

All positions of a level have the same number of pegs, so a level is all a breadth-first search must remember, and two
levels never share a position. A position stands for its class under a group of symmetries: it is the least image.

A small level is a sorted list of Python integers, and so is every level on a board of more than 64 holes
(:mod:`pegcp.states.list_level`). A large one is a sorted array of 64-bit words (:mod:`pegcp.states.array_level`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pegcp.game.goal import Nearest
    from pegcp.states.array_level import ArrayLevel
    from pegcp.states.levels import Levels


class LevelCounts(NamedTuple):
    """A level in numbers: its classes; how many satisfy the goal, are dead ends, and have a single peg."""

    positions: int
    goals: int
    dead_ends: int
    single_pegs: int


class Level(Protocol):
    """The positions of one number of pegs in one position class, rising; iterating yields bit masks."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[int]: ...

    def __getitem__(self, part: slice) -> Level: ...

    @property
    @abstractmethod
    def first(self) -> int:
        """The least position, as a bit mask; the level has one."""

    @property
    @abstractmethod
    def array(self) -> ArrayLevel:
        """The same level for compiled code. Raises ValueError if its positions are not of one kind."""

    @abstractmethod
    def index(self, position: int) -> int | None:
        """Return the place of a position (a bit mask) in the level, or None."""

    @abstractmethod
    def within(self, levels: Levels) -> Level:
        """Return the same positions under the limits of another run."""

    @abstractmethod
    def after(self) -> Level:
        """Return all positions one jump later."""

    @abstractmethod
    def before(self) -> Level:
        """Return all positions from which one jump leads into the level, reachable or not."""

    @abstractmethod
    def reversed(self) -> Level:
        """Return the complements of the positions, carried by the reversal of the problem, which must have one."""

    @abstractmethod
    def leading(self, into: Level) -> Level:
        """Return the positions of the level from which a jump leads into another level."""

    @abstractmethod
    def mirrored(self) -> Level:
        """Return the positions of the level from which a jump leads to a reversed position of the same level.

        The level has one peg more than vacancies.
        """

    @abstractmethod
    def following(self, out_of: Level) -> Level:
        """Return the positions of the level to which a jump leads from another level."""

    @abstractmethod
    def common(self, other: Level) -> Level:
        """Return the positions that are in both levels."""

    @abstractmethod
    def either(self, other: Level) -> Level:
        """Return the positions that are in one of the levels or in both."""

    @abstractmethod
    def goals(self) -> Level:
        """Return the positions of the level that satisfy the goal."""

    @abstractmethod
    def dead_ends(self) -> Level:
        """Return the positions of the level in which no jump can be made."""

    @abstractmethod
    def ending(self) -> Level:
        """Return the positions of the level from which a jump leads to a dead end."""

    @abstractmethod
    def nearest(self, goal: Nearest) -> int:
        """Return the position of the level that is nearest to a soft goal, as a bit mask."""
