"""From what a person types to a problem: compact names, files, and lists of numbers.

``BOARD`` is a bundled name, a family member such as ``triangle15``, or a board file.

    BOARD               the board's own problem
    BOARD:HOLE          start with that vacancy, finish with one peg there (reversal)
    BOARD:HOLE->HOLE    start vacancy, hole of the last peg
    BOARD:HOLE->?       one peg anywhere
    BOARD:HOLE!         Fool's Solitaire: a dead end in as few jumps as possible
    SET:NAME            a problem of a set ("pegcp suite")
    XoXX                a one-line board, X = peg, o = vacancy; one peg anywhere
    FILE                a problem file, a board file, a PDDL file, a map of X and o, or numbers on the 7 x 7 grid
    -                   what standard input holds, like a file

A file is meant by a path (``./mine``) or by a name with a suffix (``mine.toml``); other names are those that ship. A
text of several lines is what a file may hold.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from os.path import exists, isdir, isfile  # unlike Path.is_file it takes any text
from pathlib import Path
from typing import TYPE_CHECKING

from pegcp import library
from pegcp.errors import InputError, place, suggestion
from pegcp.formats.files import read_file
from pegcp.formats.toml import (
    default_objective,
    is_problem,
    read_board,
    read_goal,
    read_objective,
    read_pegs,
    read_problem,
)
from pegcp.game.board import Board, lattice_board
from pegcp.game.goal import DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.hole_notation import read_hole
from pegcp.game.lattice import lattice, read_map
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.theory.parity import possible_finishes

if TYPE_CHECKING:
    from unified_planning.model import Problem as Task

_ROW = re.compile(r"[Xo]{1,1000}")
_NUMBERED = re.compile(r"^ *1 .*[Xo.]", re.MULTILINE)  # the first row of a picture that pegcp prints
_LARGEST_FILE = 10_000_000  # bytes
_LARGEST_TOML = 500_000  # characters; a map of 10,000 holes takes 20,000


def _is_path(text: str) -> bool:
    return "/" in text or bool(Path(text).suffix)


def board(text: str) -> Board:
    """The board of that name or in that file. Raises InputError.

    >>> import pegcp
    >>> board = pegcp.board("triangle15")
    >>> board
    <Board triangle15: 15 holes, 36 jumps>
    >>> len(board.holes), len(board.jumps)
    (15, 36)
    """
    if not isinstance(text, str):
        raise InputError(f"expected the name of a board, or a file; not {type(text).__name__}")
    path = Path(text)
    if path.suffix == ".toml":
        return read_board(read_toml(path), str(path), path.stem)
    if _is_path(text) and isfile(path):
        return _problem(text).board
    return library.board(text)


def problem(
    text: str | Problem | Task,
    *,
    start: str | None = None,
    after: str | None = None,
    goal: str | None = None,
    objective: str | None = None,
) -> Problem:
    """The problem a person means, with its start, goal or objective replaced where given. It may also be a problem, or
    a task of unified-planning.

    ``start``: holes with pegs (``"d4 e4"``) or ``"all but d4"``; ``after``: jumps that have been made from there
    (``"d2-d4 b3-d3"``); ``goal``: ``"one peg"``, ``"dead end"``, holes of the last pegs, with ``*`` when the other
    holes are free, ``"near d4"``; ``objective``: any, fewest-jumps, fewest-moves, fewest-steps, count; fewest-pegs, for
    which without a goal any end will do; nearest, which makes the goal a target to end near. Raises InputError.

    >>> import pegcp
    >>> problem = pegcp.problem("english:c1->d4", after="c3-c1 e3-c3")
    >>> len(problem.start), problem.goal_text
    (30, 'exactly d4')
    >>> position = pegcp.problem('''
    ...    X
    ...   o X
    ...  X X o
    ... ''')
    >>> position.start.pegs, position.goal_text
    (['a1', 'b2', 'a3', 'b3'], 'one peg anywhere')
    """
    read = text if isinstance(text, Problem) else _problem(text) if isinstance(text, str) else _read_task(text)
    options = {"start": start, "after": after, "goal": goal, "objective": objective}
    changes = {key: value for key, value in options.items() if value is not None}
    for option, value in changes.items():
        try:
            read = _changed(read, option, value, keep_goal=goal is not None)
        except InputError as error:
            raise InputError(error.message, source=option) from None
    if changes:
        read = replace(read, name=" ".join([read.name, *(f"{key}={value}" for key, value in changes.items())]))
    return read


def _changed(problem: Problem, option: str, value: str, *, keep_goal: bool) -> Problem:
    """The problem with its start, goal or objective replaced; an objective changes the goal, too, unless it is kept."""
    match option:
        case "start":
            return replace(problem, start=Position(problem.board, read_pegs(problem.board, value)))
        case "after":
            return replace(problem, start=problem.start.after(value))
        case "goal":
            goal = read_goal(problem.board, value)
            return replace(problem, goal=goal, objective=default_objective(goal))
        case _:
            objective = read_objective(value)
            return replace(
                problem, goal=problem.goal if keep_goal else _goal_of(problem, objective), objective=objective
            )


def _read_task(task: Task) -> Problem:
    if not type(task).__module__.startswith("unified_planning"):
        raise InputError(f"expected a problem, with a goal, or its name, or a map; not {type(task).__name__}")
    from pegcp.formats.pddl.unified import from_unified_planning

    return from_unified_planning(task)


def _goal_of(problem: Problem, objective: Objective) -> Goal:
    """The goal that goes with an objective when no goal is given: most objectives keep the goal of the problem."""
    if objective is Objective.FEWEST_PEGS:
        return Partial(0)
    fixed = problem.final_pegs | problem.final_vacancies
    if objective is Objective.NEAREST and fixed:
        weights = (fixed >> hole & 1 for hole in range(len(problem.board.holes)))
        return Nearest(problem.final_pegs, tuple(weights))
    return problem.goal


def _problem(text: str) -> Problem:
    if text == "-":
        return from_text(read_text(text), "standard input", "position", board)
    if "\n" in text:
        return from_text(text, "the text", "position", board)
    if text in library.problem_names():
        bundled = library.PROBLEMS / f"{text}.toml"
        return read_problem(read_text(bundled), board, bundled.name, text)
    path = Path(text)
    if _is_path(text) and isfile(path):
        if path.suffix.lower() == ".pddl":
            from pegcp.formats.pddl import read_files

            return read_files(path).known_problem
        return from_text(
            read_text(path), str(path), path.stem, lambda name: board(str(beside(path.parent, name) or name))
        )
    prefix, _, pattern = text.partition(":")
    if prefix in library.set_names():
        from pegcp.library.suites import suite

        row, *more = suite(prefix).chosen(pattern or "*")
        if more:
            raise InputError(f'{text} is a set of {len(more) + 1} problems: name one; "pegcp suite" lists them')
        return suite(prefix).problem(row)
    if _ROW.fullmatch(marks := text.replace(" ", "")):
        return map_problem(marks, "the text", marks)
    name, form = text.rpartition(":")[::2] if ":" in text else (text, "")
    if name == text and not isfile(path) and re.fullmatch("[XxOo01*_-][XxOo01.*_-]+", marks):
        raise InputError(f'cannot read "{text}": a line has X for a peg and o for a vacancy, such as XoXX')
    if name == text and _is_path(text):
        other = "a folder" if isdir(path) else 'no regular file ("-" reads standard input)'
        raise InputError(f'"{text}" is {other}' if exists(path) else f'there is no file "{text}"')
    if form.endswith("-"):
        raise InputError(f"{text} ends with -; in a shell, write quotes around a name with >, as in '{name}:c1->d4'")
    try:
        where = board(name)
    except InputError as error:
        if isfile(path):
            raise InputError(f'{error.message}; for the file of that name write "./{text}"') from None
        hint = suggestion(text, library.problem_names())
        if error.source is None and name == text and hint:
            raise InputError(f'unknown board or problem "{text}"{hint}') from None
        raise
    return compact(where, form, text)


def each(text: str) -> list[str]:
    """The problems that ``BOARD:*`` stands for (also ``BOARD:*!`` and ``BOARD:*->?``): one for every hole; and
    those of ``SET:*``, ``SET:french*`` and ``SET:grade3+unsolvable``."""
    prefix, colon, pattern = text.partition(":")
    if colon and prefix in library.set_names():
        from pegcp.library.suites import suite

        return [f"{prefix}:{row.name}" for row in suite(prefix).chosen(pattern)]
    name, _, form = text.rpartition(":")
    if not (name and form.startswith("*")):
        return [text]
    return [f"{name}:{hole}{form[1:]}" for hole in board(name).holes]


def compact(board: Board, text: str, name: str) -> Problem:
    """The problem that a compact form such as ``d4``, ``c1->d4``, ``c1->?`` or ``d4!`` means on a board."""
    text = text.strip() or own_problem(board)
    first, arrow, last = text.partition("->")
    vacancy = read_hole(board, first.removesuffix("!"))
    start = Position(board, board.full & ~(1 << vacancy))
    if text.endswith("!") and not arrow:
        return Problem(board, start, DeadEnd(), Objective.FEWEST_JUMPS, name)
    if last.strip() == "?":
        return Problem(board, start, OnePeg(), Objective.ANY, name)
    finish = read_hole(board, last) if arrow else vacancy
    return Problem(board, start, Exact(1 << finish), Objective.ANY, name)


def own_problem(board: Board) -> str:
    """The compact form of a board's own problem: its default, or one peg anywhere from the first vacancy whose position
    class allows a last peg (that of the first hole, if there is none)."""
    fitting = (hole for i, hole in enumerate(board.holes) if possible_finishes(board, board.full & ~(1 << i)))
    return board.default or f"{next(fitting, board.holes[0])}->?"


def grid_problem(text: str, source: str, name: str) -> Problem:
    """English-board pegs written as numbers 7 * row + column; the goal is one peg anywhere (the lab sheet's files)."""
    english = library.board("english")
    mask = 0
    for word in re.finditer(r"[^\s,;]+", text):
        try:
            peg = 1 << read_hole(english, word[0].lstrip("0")[:20] or "0", "grid")
            if mask & peg:
                raise InputError(f"{word[0]} is given twice")
        except InputError as error:
            line, column = place(text, word.start())
            fault = f"neither pegs of the 7 x 7 grid nor a map of X and o: {error.message}"
            raise InputError(fault, source=source, line=line, column=column) from None
        mask |= peg
    if not mask:
        raise InputError("no peg numbers, and no map of X and o", source=source, line=1, column=1)
    return Problem(english, Position(english, mask), OnePeg(), Objective.ANY, name)


def map_problem(text: str, source: str, name: str) -> Problem:
    """A position drawn with X (peg) and o (vacancy), dots and blanks outside; the goal is one peg anywhere.

    Rows that are staggered make a triangular board, others a square one; letters and numbers beside it, as pegcp prints
    them, are left out.
    """
    if _NUMBERED.search(text):
        text = re.sub("[0-9a-np-z]", " ", text)
    marks = [(r, x) for r, row in enumerate(text.splitlines()) for x, sign in enumerate(row) if sign in "Xo."]
    leaning, upright = ({(x + skew * r) % 2 for r, x in marks} for skew in (1, 0))
    on = lattice("triangular" if len(leaning) < len(upright) else "square")
    try:
        cells = read_map(text, {"X": "peg", "o": "vacancy", ".": "outside"}, on)
    except InputError as error:
        raise InputError(error.message, source=source, line=error.line, column=error.column) from None
    where = lattice_board(cells, on, f"{name}'s board")
    mask = sum(1 << i for i, meaning in enumerate(cells.values()) if meaning == "peg")
    return Problem(where, Position(where, mask), OnePeg(), Objective.ANY, name)


def from_text(text: str, source: str, name: str, find: Callable[[str], Board]) -> Problem:
    """Read a problem from a text in any of the forms that a file may have; ``find`` looks up boards."""
    if text.lstrip().startswith(("(define", ";")):
        from pegcp.formats.pddl import read_problem as read_pddl

        return read_pddl(text, source, name)
    if source.endswith(".toml") or "=" in text:
        _not_too_long(text, source)
        if is_problem(text, source):
            return read_problem(text, find, source, name)
        return compact(read_board(text, source, name), "", name)
    if re.search("[Xo]", text):
        _not_too_long(text, source)
        return map_problem(text.expandtabs(), source, name)
    return grid_problem(text, source, name)


def beside(folder: Path, text: str) -> Path | None:
    """The file in a folder that a path or a name with a suffix refers to; None for other texts."""
    return folder / text if _is_path(text) and isfile(folder / text) else None


def read_toml(path: Path) -> str:
    """The text of a TOML file. Raises InputError if it cannot be read."""
    return _not_too_long(read_text(path), str(path))


def _not_too_long(text: str, source: str) -> str:
    if len(text) > _LARGEST_TOML:
        raise InputError(f"TOML and maps are read up to {_LARGEST_TOML:,} characters", source=source, line=1, column=1)
    return text


def read_text(path: str | Path) -> str:
    """The text of a file (UTF-8); ``-`` is standard input. Raises InputError if it cannot be read."""
    data = _standard_input() if str(path) == "-" else read_file(path, _LARGEST_FILE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, column = place(data.decode("latin-1"), error.start)  # a character for each byte
        raise InputError("not UTF-8 text", source=str(path), line=line, column=column) from None


def _standard_input() -> bytes:
    try:
        data = sys.stdin.buffer.read(_LARGEST_FILE + 1)
    except (AttributeError, OSError) as error:
        why = getattr(error, "strerror", None) or "there is none"
        raise InputError(f"cannot read standard input: {why}", source="-") from None
    if len(data) > _LARGEST_FILE:
        raise InputError(f"standard input is larger than {_LARGEST_FILE / 1_000_000:g} MB", source="-")
    return data
