"""The formulation that a model file returns to its backend: a solver's model, and its variables by meaning."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pegcp.errors import refuse_if
from pegcp.game import Board, Jump, read_jumps
from pegcp.habits import Guided
from pegcp.method import Data

SolverModel = TypeVar("SolverModel")
Variable = Any  # in the solver's own language: a variable, literal, term or atom
Value = Callable[[Variable], Any]  # of a variable in a solution


class ByJump(dict[Jump | str, Variable]):
    """The variables of a step or round by jump, in the order of ``jumps``; a key may be text, such as ``d2-d4``."""

    def __init__(self, board: Board, jumps: Sequence[Jump], variables: Sequence[Variable]) -> None:
        super().__init__(zip(jumps, variables, strict=True))
        self.board = board

    def __missing__(self, key: Jump | str) -> Variable:
        """Return the variable of a jump as text. Raises InputError if it is not one jump, KeyError if it has no
        variable."""
        if not isinstance(key, str):
            raise KeyError(key)
        jumps = read_jumps(self.board, key)
        refuse_if(len(jumps) != 1, f'"{key}" is not one jump, such as d2-d4')
        return self[jumps[0]]


def by_step(board: Board, made: Sequence[Sequence[Variable]]) -> list[ByJump]:
    """Return the variables of each step, which has one for each jump of the board."""
    return [ByJump(board, board.jumps, step) for step in made]


def by_hole(board: Board, pegs: Sequence[Sequence[Variable]]) -> list[dict[str, Variable]]:
    """Return the variables of each position, which has one for each hole of the board, by the hole's name."""
    return [dict(zip(board.holes, position, strict=True)) for position in pegs]


def by_round(board: Board, order: Sequence[Jump], made: Sequence[Variable]) -> list[ByJump]:
    """Return the variables by round, from a list that has those of all rounds one after the other, each in the same
    order."""
    n = len(order)
    return [ByJump(board, order, made[i : i + n]) for i in range(0, len(made), n or 1)]


@dataclass(frozen=True, repr=False)
class Formulation(Guided, Generic[SolverModel]):
    """A solver's model of a problem, and how to read jumps from its variables.

    ``model``: the solver's own object, in the language of the backend.

    ``jumps``: a function that takes a function from variable to value (after :func:`pegcp.model` also a solver), and
    returns the jumps in playing order.

    ``unordered``: True if the model leaves out the order of jumps, so that a solution of it may be none of the problem.
    Then ``jumps`` may return None, for one that cannot be played, and the backend goes on to the next solution.

    ``distinct``: what is counted when the model's solutions are counted, such as ``jump sequences``; empty if counting
    them makes no sense.

    ``learn``: for a model that is unordered and learns; called with the values of a solution that cannot be played, it
    adds constraints to the model that rule the solution out, and perhaps assumptions to find a better one.

    ``refuted``: for a model that learns; when it has no further solution, ``refuted(seconds)`` returns a certificate,
    or None if it finds none in that time.

    ``moves[t]``: the variable whose value is the number of the jump made at step t = 0, 1, .., in the order of the
    board's jumps or, in a MiniZinc file, of its data. It may have a further value for a step without a jump.

    ``made[t][jump]``: the variable that the jump is made in step or round t; a jump is a Jump or its text.

    ``peg[t][hole]``: the variable that the hole, by its name, holds a peg before step t; ``peg[-1]`` is at the end.

    These three are in the solver's own language: a literal, a variable, a term or an atom. They are empty if a model
    has no such variables.
    """

    model: SolverModel
    """The solver's own object."""
    jumps: Callable[[Any], list[Jump] | None]
    """Returns the jumps in playing order from a function of variable to value."""
    unordered: bool = False
    """True if the model leaves out the order of jumps."""
    distinct: str = ""
    """The notion that its solutions count; empty if counting them makes no sense."""
    learn: Callable[[Value], None] | None = None
    """Rules a solution out that cannot be played; None if the model does not learn."""
    refuted: Callable[[float], Data | None] = lambda _: None
    """Returns a certificate within some seconds, or None; for a model that learns."""
    moves: Sequence[Variable] = ()
    """``moves[t]``: the variable of the number of the jump of step t."""
    made: Sequence[ByJump] = ()
    """``made[t][jump]``: the variable that the jump is made in step t."""
    peg: Sequence[Mapping[str, Variable]] = ()
    """``peg[t][hole]``: the variable that the hole has a peg before step t."""

    def __repr__(self) -> str:
        native = f"{type(self.model).__module__.partition('.')[0]} {type(self.model).__name__}"
        return f"<Formulation: {native}, made[0 .. {len(self.made) - 1}], peg[0 .. {len(self.peg) - 1}]>"

    def decoded(self, value: Value) -> tuple[Jump, ...] | None:
        """Return the jumps of a solution, or None, as the model file says. Raises InputError for anything else."""
        jumps = self.jumps(value)
        is_list = isinstance(jumps, Sequence) and all(isinstance(jump, Jump) for jump in jumps)
        self._refuse_if(jumps is not None and not is_list, f"must return a list of jumps, not {jumps!r:.60}")
        return None if jumps is None else tuple(jumps)

    def played(self, value: Value) -> tuple[Jump, ...]:
        """Return the jumps of a solution, if the model has their order. Raises InputError if it returns None."""
        jumps = self.decoded(value)
        self._refuse_if(jumps is None, "returned None for a solution; only a model that is unordered may do that")
        return jumps or ()

    def _refuse_if(self, fault: bool, message: str) -> None:
        code = getattr(self.jumps, "__code__", None)
        source, line = (None, None) if code is None else (code.co_filename, code.co_firstlineno)
        refuse_if(fault, f"jumps() of a model {message}", source, line)

    @property
    def native(self) -> SolverModel:
        """The solver's own model, to be changed: a CpModel, a MathOpt model or a python-constraint Problem."""
        return self.model


AnyFormulation = Formulation[Any]  # of whichever backend
