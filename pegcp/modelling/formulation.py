"""What a model file hands to its backend, and what a running method may use."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pegcp.game.board import Jump
from pegcp.result import Limits

Model = TypeVar("Model")
Value = Callable[[Any], Any]


@dataclass(frozen=True)
class Formulation(Generic[Model]):
    """A solver's model of a problem, and how to read jumps from its variables.

    ``jumps`` takes a function from variable to value and returns the jumps in playing order. In a relaxation it may
    return None, for a solution of the model that cannot be played; the backend then goes on to the next one.

    ``literals`` is the way back, for hints: the literals that are true when a solution begins with these jumps; it
    returns None if the model cannot express them. ``distinct`` says what the model's solutions are when they are
    counted; it is empty if counting them means nothing.
    """

    model: Model
    jumps: Callable[[Value], list[Jump] | None]
    relaxation: bool = False
    literals: Callable[[Sequence[Jump]], list[Any] | None] | None = None
    distinct: str = ""


def _silent(_: Mapping[str, Any]) -> None:
    pass


@dataclass(frozen=True)
class Run:
    """A run in progress: its limits, when it started, and where to report bounds and counts on the way.

    ``hint`` is a beginning of a solution, or a whole one, that has been replayed; ``log`` asks for the solver's
    own lines, which are reported as ``log``, one by one.
    """

    limits: Limits = field(default_factory=Limits)
    started: float = field(default_factory=time.monotonic)
    report: Callable[[Mapping[str, Any]], None] = _silent
    hint: tuple[Jump, ...] = ()
    log: bool = False

    @property
    def remaining(self) -> float:
        """Seconds of wall time left, never negative."""
        return max(0.0, self.started + self.limits.time - time.monotonic())
