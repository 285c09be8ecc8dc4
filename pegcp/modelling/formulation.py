"""What a model file hands to its backend, and what a running method may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pegcp.errors import InputError
from pegcp.game.board import Board, Jump
from pegcp.game.jump_notation import read_jumps

Model = TypeVar("Model")
Value = Callable[[Any], Any]


class ByJump(dict[Jump | str, Any]):
    """The variables of a step or round by jump, in any order of ``jumps``; a jump may be written, too: ``d2-d4``."""

    def __init__(self, board: Board, jumps: Sequence[Jump], variables: Sequence[Any]) -> None:
        super().__init__(zip(jumps, variables, strict=True))
        self.board = board

    def __missing__(self, written: Jump | str) -> Any:
        """The variable of a written jump. Raises InputError where it is none, KeyError where there is no variable."""
        if not isinstance(written, str):
            raise KeyError(written)
        jumps = read_jumps(self.board, written)
        if len(jumps) != 1:
            raise InputError(f'"{written}" is not one jump, such as d2-d4')
        return self[jumps[0]]


class ByHole(dict[str, Any]):
    """The variables of a position by the names of holes."""

    def __init__(self, board: Board, variables: Sequence[Any]) -> None:
        super().__init__(zip(board.holes, variables, strict=True))
        self.board = board

    def __missing__(self, name: str) -> Any:
        """Raises InputError for a name that no hole has, KeyError for anything else."""
        if isinstance(name, str):
            self.board.hole(name)
        raise KeyError(name)


def by_step(board: Board, made: Sequence[Sequence[Any]]) -> list[ByJump]:
    """The variables of each step, which has one for each jump of the board."""
    return [ByJump(board, board.jumps, step) for step in made]


def by_hole(board: Board, pegs: Sequence[Sequence[Any]]) -> list[ByHole]:
    """The variables of each position, which has one for each hole of the board, by the hole's name."""
    return [ByHole(board, position) for position in pegs]


def by_round(board: Board, order: Sequence[Jump], made: Sequence[Any]) -> list[ByJump]:
    """The variables of all rounds one after the other, each a round of jumps in the same order, round by round."""
    n = len(order)
    return [ByJump(board, order, made[i : i + n]) for i in range(0, len(made), n or 1)]


@dataclass(frozen=True, repr=False)
class Formulation(Generic[Model]):
    """A solver's model of a problem, and how to read jumps from its variables.

    ``jumps`` takes a function from variable to value and returns the jumps in playing order. In a relaxation it may
    return None, for a solution of the model that cannot be played; the backend then goes on to the next one.

    ``distinct`` says what the model's solutions are when they are counted, such as ``jump sequences``; it is empty if
    counting them means nothing.

    With ``refuted``, the relaxation learns: where ``jumps`` returns None it has added to the model what rules the
    solution out, and may have assumed more to find a better one. When nothing is left, ``refuted`` returns a
    certificate, or None if it finds none in so many seconds.

    ``made[t][jump]`` and ``peg[t][hole]`` are the variables by what they mean, in the solver's own language: a literal,
    a variable, a term or an atom. A jump is a Jump or written, a hole is its name; ``t`` counts steps or rounds from 0,
    and ``peg[t]`` is the position before step t, its last that at the end. They are empty where a model has no such
    variables.
    """

    model: Model
    jumps: Callable[[Any], list[Jump] | None]  # of a Value; of a solver, too, where :func:`pegcp.model` made it
    relaxation: bool = False
    distinct: str = ""
    refuted: Callable[[float], Mapping[str, Any] | None] | None = None
    made: Sequence[ByJump] = ()
    peg: Sequence[Mapping[str, Any]] = ()

    def __repr__(self) -> str:
        native = f"{type(self.model).__module__.partition('.')[0]} {type(self.model).__name__}"
        return f"<Formulation: {native}, made[0 .. {len(self.made) - 1}], peg[0 .. {len(self.peg) - 1}]>"

    def played(self, value: Value) -> tuple[Jump, ...]:
        """The jumps of a solution of a model that is no relaxation. Raises InputError if there are none."""
        jumps = self.jumps(value)
        if jumps is None:
            raise InputError("a model that is no relaxation must have jumps for each of its solutions")
        return tuple(jumps)

    @property
    def native(self) -> Model:
        """The solver's own model, to change: a CpModel, a MathOpt model or a python-constraint Problem."""
        return self.model
