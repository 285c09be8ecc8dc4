"""Boards, positions, problems and goals, and the checker that replays every answer.

The words of the game, which every other room speaks, can be imported from here; what only some need, such as pictures
and symmetries, from the modules.
"""

from pegcp.game.board import (
    MOST_HOLES,
    Board,
    Jump,
    check_hole_name,
    graph_board,
    group_moves,
    group_steps,
    jump_name,
    lattice_board,
    lines_board,
)
from pegcp.game.goal import GOAL_KINDS, HEAVIEST, DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.lattice import PEG, VACANCY, Cell, Lattice, column_letters, draw, read_map
from pegcp.game.notation import (
    SCHEMES,
    JumpReader,
    hole_names,
    jumps_of,
    read_hole,
    read_jumps,
    scheme_in_words,
    write_move,
)
from pegcp.game.position import Position
from pegcp.game.problem import FREE, Problem, Replay, check, quoted

__all__ = [
    "FREE",
    "GOAL_KINDS",
    "HEAVIEST",
    "MOST_HOLES",
    "PEG",
    "SCHEMES",
    "VACANCY",
    "Board",
    "Cell",
    "DeadEnd",
    "Exact",
    "Goal",
    "Jump",
    "JumpReader",
    "Lattice",
    "Nearest",
    "Objective",
    "OnePeg",
    "Partial",
    "Position",
    "Problem",
    "Replay",
    "check",
    "check_hole_name",
    "column_letters",
    "draw",
    "graph_board",
    "group_moves",
    "group_steps",
    "hole_names",
    "jump_name",
    "jumps_of",
    "lattice_board",
    "lines_board",
    "quoted",
    "read_hole",
    "read_jumps",
    "read_map",
    "scheme_in_words",
    "write_move",
]
