"""What a model file hands to its backend, and what a running method may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pegcp.game.board import Jump

Model = TypeVar("Model")
Value = Callable[[Any], Any]


@dataclass(frozen=True)
class Formulation(Generic[Model]):
    """A solver's model of a problem, and how to read jumps from its variables.

    ``jumps`` takes a function from variable to value and returns the jumps in playing order. In a relaxation it may
    return None, for a solution of the model that cannot be played; the backend then goes on to the next one.

    ``literals`` is the way back, for hints: the literals that are true when a solution begins with these jumps; it
    returns None if the model cannot express them. ``distinct`` says what the model's solutions are when they are
    counted, such as ``jump sequences``; it is empty if counting them means nothing.

    With ``refuted``, the relaxation learns: where ``jumps`` returns None it has added to the model what rules the
    solution out, and may have assumed more to find a better one. When nothing is left, ``refuted`` returns a
    certificate, or None if it finds none in so many seconds.
    """

    model: Model
    jumps: Callable[[Any], list[Jump] | None]  # of a Value; of a solver, too, where :func:`pegcp.model` made it
    relaxation: bool = False
    literals: Callable[[Sequence[Jump]], list[Any] | None] | None = None
    distinct: str = ""
    refuted: Callable[[float], Mapping[str, Any] | None] | None = None

    @property
    def native(self) -> Model:
        """The solver's own model, to change: a CpModel, a MathOpt model or a python-constraint Problem."""
        return self.model
