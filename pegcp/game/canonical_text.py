"""The canonical text of boards and problems: a description without names. Equal problems have equal texts.

It is TOML, and :mod:`pegcp.formats.toml` reads it back.
"""

from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.lattice import Lattice
from pegcp.game.picture import PEG, VACANCY, draw

FREE = "?"


def quoted(text: str) -> str:
    """A TOML string on one line; line breaks and controls become escapes."""
    return '"' + "".join(f"\\u{ord(c):04x}" if c in '"\\' or ord(c) < 32 or ord(c) == 127 else c for c in text) + '"'


def _listed(names: list[str]) -> str:
    return "[" + ", ".join(quoted(name) for name in names) + "]"


def board_text(board: Board) -> str:
    """The lines of a board file that define the board, without its name."""
    if board.lattice is None:
        lines = ["-".join(board.holes[i] for i in line) for line in board.lines]
        return f"holes = {_listed(list(board.holes))}\nlines = {_listed(lines)}\n"
    return f'{_lattice_text(board.lattice)}legend = {{ hole = "o" }}\nmap = """\n{draw(board, 0)}\n"""\n'


def _lattice_text(on: Lattice) -> str:
    name, _, jumps = on.name.partition(" ")
    return f'lattice = "{name}"\n' + (f'jumps = "{jumps}"\n' if jumps else "")


def canonical_text(board: Board, start: int, goal: Goal, objective: Objective) -> str:
    """The canonical text of a problem, its start given as a bit mask. Two different problems never share it."""
    if board.lattice is None:
        text = board_text(board) + f"start = {_listed(board.names(start))}\n"
    else:
        text = _lattice_text(board.lattice)
        text += f'legend = {{ peg = "{PEG}", vacancy = "{VACANCY}", free = "{FREE}" }}\n'
        text += f'start = """\n{draw(board, start)}\n"""\n'
    return text + f'goal = {_goal(board, goal)}\nobjective = "{objective.value}"\n'


def _goal(board: Board, goal: Goal) -> str:
    """The value of the key ``goal``."""
    match goal:
        case OnePeg():
            return '"one peg"'
        case DeadEnd():
            return '"dead end"'
        case Exact(pegs):
            return _listed(board.names(pegs))
        case Partial(pegs, vacancies):
            return f"{{ pegs = {_listed(board.names(pegs))}, vacancies = {_listed(board.names(vacancies))} }}"
        case Nearest(pegs, weights):
            pairs = zip(board.holes, weights, strict=True)
            weighted = ", ".join(f"{quoted(hole)} = {weight}" for hole, weight in pairs if weight != 1)
            return f"{{ nearest = {_listed(board.names(pegs))}, weights = {{ {weighted} }} }}"
