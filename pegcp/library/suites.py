"""Sets of problems with known answers: each is a JSON file in ``sets/`` (docs/suite.md).

A problem is an object: its name; ``board``, ``start``, ``goal`` and ``objective`` as in a problem file; its grade, 1 to
5, or 0; its answer (whether there is a solution, or the optimum, or null) and what shows it; a solution, as moves; and
its grade in each language in which it was measured.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from hashlib import sha256

from pegcp import library
from pegcp.errors import InputError, suggestion
from pegcp.formats.toml import read_board, read_goal, read_objective, read_pegs
from pegcp.game import Jump, Position, Problem, check, read_jumps

LANGUAGES = ("cp-sat", "ip", "sat", "asp", "smt", "pddl", "search")


@dataclass(frozen=True)
class Row:
    """A problem of a set as it is in the file, with its answer."""

    name: str
    board: str
    start: str
    goal: str
    objective: str = "any"
    grade: int = 0
    answer: bool | int | None = None
    shown: str = ""
    solution: str = ""
    grades: Mapping[str, int] = field(default_factory=dict)

    @property
    def languages(self) -> str:
        """Its grade in each of LANGUAGES, a digit each, ``-`` where it was not measured; empty if it never was."""
        return "".join(str(self.grades.get(name, "-")) for name in LANGUAGES) if self.grades else ""

    @property
    def kind(self) -> str:
        """The kind of its answer: solvable, unsolvable, optimum, or open."""
        if self.answer is None:
            return "open"
        return "optimum" if not isinstance(self.answer, bool) else "solvable" if self.answer else "unsolvable"

    def fits(self, pattern: str) -> bool:
        """True if a pattern such as ``grade[45]``, ``sat-grade1``, ``*solvable``, ``french*`` fits its grade, its grade
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
            raise InputError(f"the set says {self.answer}, and lists a solution worth {value}", source=problem.name)
        return jumps


@dataclass(frozen=True)
class Suite:
    """A set of problems, and the SHA-256 of its file.

    ``about`` says how the set was made, ``boards`` are graphs by their edges.
    """

    name: str
    title: str
    about: dict[str, str]
    boards: dict[str, str]
    rows: tuple[Row, ...]
    sha256: str

    def problem(self, row: Row) -> Problem:
        """The problem of a row."""
        edges = self.boards.get(row.board)
        board = read_board(f'edges = "{edges}"', row.board, row.board) if edges else library.board(row.board)
        start, goal = Position(board, read_pegs(board, row.start)), read_goal(board, row.goal)
        return Problem(board, start, goal, read_objective(row.objective), f"{self.name}:{row.name}")

    def chosen(self, pattern: str) -> list[Row]:
        """The rows that fit each part of a pattern such as ``french*+grade[45]+solvable``. Raises InputError."""
        rows = [row for row in self.rows if all(map(row.fits, pattern.split("+")))]
        if not rows:
            raise InputError(
                f'{self.name} has no problem "{pattern}"{suggestion(pattern, [row.name for row in self.rows])}'
            )
        return rows


@cache
def suite(name: str) -> Suite:
    """The set of that name. Raises InputError if there is none."""
    if name not in library.set_names():
        raise InputError(f'there is no set "{name}"{suggestion(name, library.set_names())}; "pegcp suite" lists them')
    content = (library.SETS / f"{name}.json").read_bytes()
    data = json.loads(content)
    rows = tuple(Row(**row) for row in data["problems"])
    return Suite(name, data["title"], data["about"], data["boards"], rows, sha256(content).hexdigest())


def known(problem: Problem) -> Row | None:
    """The row of a problem that a set has under the same name; None for other problems."""
    name, _, row_name = problem.name.partition(":")
    rows = [row for row in suite(name).rows if row.name == row_name] if name in library.set_names() else []
    return rows[0] if rows and suite(name).problem(rows[0]) == problem else None
