"""Sets of problems with known answers: each is a description in ``sets/``, a few kB of JSON (docs/suite.md).

A problem is one line: its name; ``BOARD START GOAL OBJECTIVE``, positions being hexadecimal bit masks, the goal ``?``
(one peg), ``!`` (a dead end), ``=LAST`` or ``PEGS/VACANCIES``; its grade, 1 to 5, or 0; its answer: whether there is a
solution, or the optimum, or null; what shows it; a solution, two digits to the base 36 for each jump's number; and, if
they were measured, its grades in LANGUAGES, a digit for each, ``-`` where it was not asked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256
from typing import Any

from pegcp import library, plain
from pegcp.errors import InputError, suggestion
from pegcp.formats.files import read_file
from pegcp.formats.toml import read_objective
from pegcp.game.board import Board, Jump, graph_board
from pegcp.game.goal import DeadEnd, Exact, Goal, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.replay import check

FOLDER = library.FOLDER / "sets"
LANGUAGES = ("cp-sat", "ip", "sat", "asp", "smt", "pddl", "search")


@dataclass(frozen=True)
class Row:
    """A problem of a set, as it is written, and what is true of it."""

    name: str
    text: str
    grade: int
    answer: bool | int | None
    shown: str
    solution: str
    languages: str = ""

    @property
    def grades(self) -> dict[str, int]:
        """Its grade in each language in which it was measured."""
        return {name: int(grade) for name, grade in zip(LANGUAGES, self.languages, strict=False) if grade != "-"}

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
        codes = [int(code, 36) for code in re.findall("[0-9a-z]{2}", self.solution)]
        jumps = problem.board.jumps
        if 2 * len(codes) != len(self.solution) or max(codes) >= len(jumps):
            raise InputError("its solution has a jump that the board has not", source=problem.name)
        found = [jumps[code] for code in codes]
        value = check(problem, found).value
        if self.answer is False or (value is not None and self.answer not in (None, value)):
            raise InputError(f"the answer {self.answer}, and a solution with {value}", source=problem.name)
        return found


@dataclass(frozen=True)
class Suite:
    """A set. ``boards`` are graphs by their edges, ``about`` says how it was made."""

    name: str
    title: str
    about: dict[str, Any]
    boards: dict[str, str]
    rows: tuple[Row, ...]
    sha256: str

    def problem(self, row: Row) -> Problem:
        """The problem of a row. Raises InputError."""
        name = f"{self.name}:{row.name}"
        try:
            on, start, goal, objective = row.text.split()
            board = graph(self.boards[on], on) if on in self.boards else library.board(on)
            return Problem(board, Position(board, int(start, 16)), _goal(goal), read_objective(objective), name)
        except ValueError as error:
            raise InputError(f"{row.text}: {error}", source=name) from None

    def chosen(self, which: str) -> list[Row]:
        """Those that fit each of the patterns, as in ``french*+grade[45]+solvable``. Raises InputError."""
        found = [row for row in self.rows if all(map(row.fits, which.split("+")))]
        if not found:
            raise InputError(f'{self.name} has no problem "{which}"{suggestion(which, [r.name for r in self.rows])}')
        return found


def names() -> list[str]:
    """The names of the sets."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def suite(name: str) -> Suite:
    """The set of that name. Raises InputError if there is none, or its description is damaged."""
    if name not in names():
        raise InputError(f'there is no set "{name}"{suggestion(name, names())}; "pegcp suite" lists them')
    path = FOLDER / f"{name}.json"
    data = read_file(path)
    try:
        given = plain.mapping("a set", plain.parse(data))
        boards = {plain.text("a board", on): plain.text("edges", edges) for on, edges in given["boards"].items()}
        rows = tuple(_row(*row) for row in given["problems"])
        if len({row.name for row in rows}) < len(rows):
            raise ValueError("two problems have one name")
        return Suite(name, plain.text("title", given["title"]), given["about"], boards, rows, sha256(data).hexdigest())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"the description of the set is damaged: {error}", source=str(path)) from None


def known(problem: Problem) -> Row | None:
    """What is true of a problem, if it is called as one of a set is, and is that one."""
    name, _, which = problem.name.partition(":")
    rows = [row for row in suite(name).rows if row.name == which] if name in names() else []
    return rows[0] if rows and suite(name).problem(rows[0]) == problem else None


def graph(edges: str, name: str) -> Board:
    """The board of a graph, ``0-1 1-2``, whose vertices are numbers from 0. Raises InputError and ValueError."""
    pairs = [tuple(map(int, edge.split("-"))) for edge in edges.split()]
    return graph_board([str(n) for n in range(1 + max(map(max, pairs)))], [(str(a), str(b)) for a, b in pairs], name)


def written(problem: Problem) -> str:
    """The line ``BOARD START GOAL OBJECTIVE`` of a problem."""
    match problem.goal:
        case Exact(pegs):
            goal = f"={pegs:x}"
        case Partial(pegs, vacancies):
            goal = f"{pegs:x}/{vacancies:x}"
        case other:
            goal = {OnePeg: "?", DeadEnd: "!"}[type(other)]
    return f"{problem.board.name} {problem.start.mask:x} {goal} {problem.objective}"


def described(title: str, about: dict[str, Any], boards: dict[str, str], rows: list[Row]) -> str:
    """The description of a set, a line for each problem."""
    lines = [json.dumps(list(vars(row).values())[: None if row.languages else -1], ensure_ascii=False) for row in rows]
    head = json.dumps({"title": title, "about": about, "boards": boards}, indent=1)[:-2]
    return f'{head},\n "problems": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def _goal(text: str) -> Goal:
    if text in ("?", "!"):
        return OnePeg() if text == "?" else DeadEnd()
    pegs, slash, vacancies = text.removeprefix("=").partition("/")
    return Partial(int(pegs, 16), int(vacancies, 16)) if slash else Exact(int(pegs, 16))


def _row(name: Any, text: Any, grade: Any, answer: Any, shown: Any, solution: Any, languages: Any = "") -> Row:
    if answer is not None and not isinstance(answer, bool):
        plain.whole("an answer", answer)
    name, text, shown, solution = (plain.text("a problem", item) for item in (name, text, shown, solution))
    if not re.fullmatch(f"([1-5-]{{{len(LANGUAGES)}}})?", plain.text("grades", languages)):
        raise ValueError(f'the grades must be a digit or "-" for each of {", ".join(LANGUAGES)}, not "{languages}"')
    return Row(name, text, plain.whole("a grade", grade, 0, 5), answer, shown, solution, languages)
