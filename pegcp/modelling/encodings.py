"""What one jump per step does to the pegs, in the main encodings of constraint programming.

Each function posts the same constraint on every step t: ``moves[t]`` is the number of the jump made (or how many jumps
there are, for none), ``made[t]`` its literals, ``state[t]`` has a literal for each hole, peg or not, before the step.
They differ in what the solver can deduce, and how fast.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ortools.sat.python.cp_model import CpModel, IntVar

from pegcp.game.board import Board
from pegcp.modelling import clauses as shared
from pegcp.modelling.ordering import touching

Literals = Sequence[IntVar]
Steps = Sequence[Literals]


def clauses(model: CpModel, board: Board, moves: Literals, made: Steps, state: Steps) -> None:
    """Implications from a jump to its three holes, and frame clauses: a hole that changes is changed by some jump."""
    for t in range(len(moves)):
        shared.step(model, board, state[t], made[t], state[t + 1])


def linear(model: CpModel, board: Board, moves: Literals, made: Steps, state: Steps) -> None:
    """One equation for each hole: pegs after = pegs before + jumps that land - jumps that take."""
    takers, givers = touching(board)
    for t in range(len(moves)):
        for hole in range(len(board.holes)):
            lands, takes = sum(made[t][j] for j in givers[hole]), sum(made[t][j] for j in takers[hole])
            model.add(state[t + 1][hole] == state[t][hole] + lands - takes)


def element(model: CpModel, board: Board, moves: Literals, _made: Steps, state: Steps) -> None:
    """The change of each hole is looked up in its column of effects at moves[t]."""
    columns = _effects(board)
    for t, move in enumerate(moves):
        for hole, column in enumerate(columns):
            change = model.new_int_var(-1, 1, f"change_t{t:02}_{board.holes[hole]}")
            model.add_element(move, column, change)
            model.add(state[t + 1][hole] == state[t][hole] + change)


def table(model: CpModel, board: Board, moves: Literals, _made: Steps, state: Steps) -> None:
    """All triples (jump, before, after) that are possible at a hole."""
    for hole, column in enumerate(_effects(board)):
        rows = [(j, before, before + change) for j, change in enumerate(column) for before in _before(change)]
        for t, move in enumerate(moves):
            model.add_allowed_assignments([move, state[t][hole], state[t + 1][hole]], rows)


def automaton(model: CpModel, board: Board, moves: Literals, _made: Steps, state: Steps) -> None:
    """For each hole an automaton that reads the jumps and is in state peg or vacancy, and whose start is known."""
    for between in state[1:-1]:
        for literal in between:  # not used; left free, they would multiply the solutions that are counted
            model.add(literal == 0)
    for hole, column in enumerate(_effects(board)):
        arcs = [(before, j, before + change) for j, change in enumerate(column) for before in _before(change)]
        # It reads the start before the first jump and the end after the last one, as two more letters.
        vacancy, peg = len(column), len(column) + 1
        arcs += [(2, vacancy, 0), (2, peg, 1), (0, vacancy, 3), (1, peg, 3)]
        model.add_automaton([vacancy + state[0][hole], *moves, vacancy + state[-1][hole]], 2, [3], arcs)


ENCODINGS: dict[str, Callable[[CpModel, Board, Literals, Steps, Steps], None]] = {
    "clauses": clauses,
    "linear": linear,
    "element": element,
    "table": table,
    "automaton": automaton,
}


def _effects(board: Board) -> list[list[int]]:
    """For each hole, what each jump, and at the end no jump, does to its pegs: -1, 0 or 1."""
    return [
        [*(1 if hole == jump.to else -1 if hole in jump else 0 for jump in board.jumps), 0]
        for hole in range(len(board.holes))
    ]


def _before(change: int) -> tuple[int, ...]:
    """What a hole may hold before a change."""
    return {-1: (1,), 0: (0, 1), 1: (0,)}[change]
