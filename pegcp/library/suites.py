"""Sets of problems with known answers: each is a JSON file in ``sets/`` (docs/suite.md).

A problem is an object: its name; ``board``, ``start``, ``goal`` and ``objective`` as in a problem file; its grade, 1 to
5, or 0; its answer (whether there is a solution, or the optimum, or null) and what shows it; a solution, as moves; and
its grade in each language in which it was measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from typing import Annotated, Any

import msgspec

from pegcp import library
from pegcp.errors import InputError, suggestion
from pegcp.formats.declared import convert
from pegcp.formats.files import read_file
from pegcp.formats.toml import read_goal, read_objective, read_pegs
from pegcp.game.board import Board, Jump, graph_board, group_moves
from pegcp.game.goal import DeadEnd, Exact, Goal, OnePeg, Partial
from pegcp.game.jump_notation import read_jumps, written
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.replay import check

LANGUAGES = ("cp-sat", "ip", "sat", "asp", "smt", "pddl", "search")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A problem of a set, as it stands in the file, and what is true of it."""

    name: str
    board: str
    start: str
    goal: str
    objective: str = "any"
    grade: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    answer: bool | int | None = None
    shown: str = ""
    solution: str = ""
    grades: dict[str, Annotated[int, msgspec.Meta(ge=1, le=5)]] = {}

    @property
    def languages(self) -> str:
        """Its grade in each of LANGUAGES, a digit each, ``-`` where it was not measured; empty if it never was."""
        return "".join(str(self.grades.get(name, "-")) for name in LANGUAGES) if self.grades else ""

    @property
    def kind(self) -> str:
        """What it turns out to be: solvable, unsolvable, an optimum, open."""
        if self.answer is None:
            return "open"
        return "optimum" if not isinstance(self.answer, bool) else "solvable" if self.answer else "unsolvable"

    def fits(self, pattern: str) -> bool:
        """Whether a pattern such as ``grade[45]``, ``sat-grade1``, ``*solvable``, ``french*`` fits its grade, its grade
        in a language, its kind, its name."""
        if "grade" in pattern:
            grades = [f"grade{self.grade}", *(f"{name}-grade{grade}" for name, grade in self.grades.items())]
            return any(fnmatchcase(grade, pattern) for grade in grades)
        return fnmatchcase(self.kind if pattern.endswith(("solvable", "optimum", "open")) else self.name, pattern)

    def jumps(self, problem: Problem) -> list[Jump] | None:
        """The solution, replayed, if there is one. Raises InputError and InvalidSolution."""
        if not self.solution:
            return None
        jumps = read_jumps(problem.board, self.solution)
        value = check(problem, jumps).value
        if self.answer is False or (value is not None and self.answer not in (None, value)):
            raise InputError(f"the answer {self.answer}, and a solution with {value}", source=problem.name)
        return jumps


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a set. ``boards`` are graphs by their edges, ``about`` says how the set was made."""

    title: str
    about: dict[str, str]
    boards: dict[str, str]
    problems: list[Row]


@dataclass(frozen=True)
class Suite:
    """A set of problems, and the SHA-256 of its file."""

    name: str
    title: str
    about: dict[str, str]
    boards: dict[str, str]
    rows: tuple[Row, ...]
    sha256: str

    def problem(self, row: Row) -> Problem:
        """The problem of a row. Raises InputError."""
        name = f"{self.name}:{row.name}"
        try:
            board = graph(self.boards[row.board], row.board) if row.board in self.boards else library.board(row.board)
            start = Position(board, read_pegs(board, row.start))
            return Problem(board, start, read_goal(board, row.goal), read_objective(row.objective), name)
        except ValueError as error:
            raise InputError(f"board {row.board}: {error}", source=name) from None

    def chosen(self, which: str) -> list[Row]:
        """Those that fit each of the patterns, as in ``french*+grade[45]+solvable``. Raises InputError."""
        found = [row for row in self.rows if all(map(row.fits, which.split("+")))]
        if not found:
            raise InputError(f'{self.name} has no problem "{which}"{suggestion(which, [r.name for r in self.rows])}')
        return found


@cache
def suite(name: str) -> Suite:
    """The set of that name. Raises InputError if there is none, or its description is damaged."""
    if name not in library.set_names():
        raise InputError(f'there is no set "{name}"{suggestion(name, library.set_names())}; "pegcp suite" lists them')
    path = library.SETS / f"{name}.json"
    data = read_file(path)
    try:
        file = convert(json.loads(data), _File, str(path), Row.__struct_fields__)
    except ValueError as error:
        raise InputError(f"the set is not JSON: {error}", source=str(path)) from None
    if len({row.name for row in file.problems}) < len(file.problems):
        raise InputError("two problems of the set have one name", source=str(path))
    return Suite(name, file.title, file.about, file.boards, tuple(file.problems), sha256(data).hexdigest())


def known(problem: Problem) -> Row | None:
    """What is true of a problem, if it is called as one of a set is, and is that one."""
    name, _, which = problem.name.partition(":")
    rows = [row for row in suite(name).rows if row.name == which] if name in library.set_names() else []
    return rows[0] if rows and suite(name).problem(rows[0]) == problem else None


def graph(edges: str, name: str) -> Board:
    """The board of a graph, ``0-1 1-2``, whose vertices are numbers from 0. Raises InputError and ValueError."""
    pairs = [tuple(map(int, edge.split("-"))) for edge in edges.split()]
    return graph_board([str(n) for n in range(1 + max(map(max, pairs)))], [(str(a), str(b)) for a, b in pairs], name)


def described(problem: Problem, **about: Any) -> Row:
    """The row of a problem, with what is true ``about`` it. Raises InputError for a goal that no set has."""
    board, start, objective = problem.board, _holes(problem.board, problem.start.mask), problem.objective.value
    return Row(problem.name, board.name, start, _goal_text(board, problem.goal), objective, **about)


def solution_text(board: Board, jumps: Sequence[Jump]) -> str:
    """The moves of a solution, as the file of a set has them."""
    return " ".join(written(board, move) for move in group_moves(jumps))


def file_text(title: str, about: dict[str, str], boards: dict[str, str], rows: Iterable[Row]) -> str:
    """The file of a set, a line for each problem."""
    lines = [msgspec.json.encode(row).decode() for row in rows]
    head = json.dumps({"title": title, "about": about, "boards": boards}, indent=1)[:-2]
    return f'{head},\n "problems": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def _holes(board: Board, pegs: int) -> str:
    """The holes of a bit mask, or all but the others if they are fewer."""
    others = board.full & ~pegs
    full = 2 * pegs.bit_count() > len(board.holes)
    return " ".join(["all but", *board.names(others)] if full and others else board.names(pegs))


def _goal_text(board: Board, goal: Goal) -> str:
    match goal:
        case OnePeg():
            return "one peg"
        case DeadEnd():
            return "dead end"
        case Exact(pegs):
            return " ".join(board.names(pegs))
        case Partial(pegs, vacancies):
            return " ".join([*board.names(pegs), "*", *(f"-{hole}" for hole in board.names(vacancies))])
        case other:
            raise InputError(f"a set has no goals of kind {other.kind}")
