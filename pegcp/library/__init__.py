"""The boards and problems that ship with pegcp: files beside this module, families by size, and sets.

A set of problems with known answers is a JSON file in ``sets/`` (docs/suite.md). A problem there is an object: its
name; ``board``, ``start``, ``goal`` and ``objective`` as in a problem file; its grade, 1 to 5, or 0; its answer
(whether there is a solution, or the optimum, or null) and what shows it; a solution, as moves; and its grade in each
language in which it was measured.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache, partial
from hashlib import sha256
from itertools import count, product
from math import prod
from operator import mul
from pathlib import Path
from typing import Any

from pegcp.errors import InputError, accepts, clipped, refuse_if, suggestion
from pegcp.formats.toml import read_board, read_goal, read_objective, read_pegs
from pegcp.game import (
    MOST_HOLES,
    Board,
    Cell,
    Jump,
    Position,
    Problem,
    column_letters,
    graph_board,
    lattice_board,
    lines_board,
    read_jumps,
    replay_solution,
)
from pegcp.game.lattice import lattice
from pegcp.habits import BOARDS, SHAPES, meaning, plain

FOLDER = Path(__file__).parent
SETS = FOLDER / "sets"
PROBLEMS = FOLDER / "problems"
LANGUAGES = ("cp-sat", "ip", "sat", "asp", "smt", "pddl", "search")


@dataclass(frozen=True)
class Family:
    """Boards of one shape, named by size: ``form`` and ``title`` have capital letters in place of the numbers.

    From these numbers ``make`` builds the board, and ``holes`` counts its holes.
    """

    form: str
    title: str
    example: str
    make: Callable[..., Board]
    holes: Callable[..., int] = lambda number: number

    def sizes(self, name: str) -> dict[str, Any] | None:
        """Return the numbers in the name of a member, by their letters; None for other names."""
        match = re.fullmatch(re.sub("([A-Z])", r"(?P<\1>\\d{1,100})", self.form), name)
        return match.groupdict() if match else None


def _rectangle(width: int, height: int) -> Board:
    return lattice_board(product(range(height), range(width)), lattice("square"))


def _triangular(shape: str, holes: int) -> Board:
    """Return the board of a shape that has so many holes. Raises InputError if there is none."""
    size, cells = _TRIANGULAR[shape]
    side = next(n for n in count(1) if size(n) >= holes)
    others = f"{shape}{size(holes)} has side {holes}, " if size(holes) <= MOST_HOLES and holes != side else ""
    refuse_if(size(side) != holes, f"no {shape} has {holes} holes; {others}{shape}{size(side)} has side {side}")
    return lattice_board(cells(side), lattice("triangular"), numbered_from=1 if shape == "triangle" else None)


# Shapes on the triangular lattice: the number of holes by the side, and their cells.
_TRIANGULAR: dict[str, tuple[Callable[[int], int], Callable[[int], Iterable[Cell]]]] = {
    "triangle": (
        lambda side: side * (side + 1) // 2,
        lambda side: ((r, c) for r in range(side) for c in range(r + 1)),
    ),
    "hexagon": (
        lambda side: 3 * side * (side - 1) + 1,
        lambda side: ((r, c) for r, c in product(range(2 * side - 1), repeat=2) if abs(r - c) < side),
    ),
    "star": (  # two triangles, one upside down: the cells that lie in either, by their three coordinates
        lambda side: 6 * side * (side - 1) + 1,
        lambda side: (
            (r, c)
            for r, c in product(range(2 - 2 * side, 2 * side - 1), repeat=2)
            if min(r - c, c, -r) > -side or max(r - c, c, -r) < side
        ),
    ),
}


def _house(side: int) -> Board:
    roof = [(-row, c) for row in range(1, (side + 1) // 2) for c in range(row, side - row)]
    return lattice_board([*roof, *product(range(side), range(side))], lattice("square"))


def _box(*sizes: int) -> Board:
    names = {cell: f"{column_letters(cell[0])}{cell[1] + 1}.{cell[2] + 1}" for cell in product(*map(range, sizes))}
    lines = [
        (names[end], names[middle], names[beyond])
        for end in names
        for axis in range(3)
        for middle, beyond in [[tuple(x + n * (at == axis) for at, x in enumerate(end)) for n in (1, 2)]]
        if beyond in names
    ]
    return replace(lines_board([*names.values()], lines), coordinates=tuple(tuple(map(float, cell)) for cell in names))


def _cycle(holes: int) -> Board:
    refuse_if(holes < 3, "a cycle has at least 3 holes")
    names = [str(i) for i in range(holes)]
    return graph_board(names, [(names[i], names[(i + 1) % holes]) for i in range(holes)])


FAMILIES = (
    Family("triangleN", "triangle of N holes", "triangle15", partial(_triangular, "triangle")),
    Family("squareN", "N x N square", "square6", lambda side: _rectangle(side, side), lambda side: side**2),
    Family("rectangleWxH", "W holes wide, H high", "rectangle4x6", _rectangle, mul),
    Family("hexagonN", "hexagon of N holes", "hexagon19", partial(_triangular, "hexagon")),
    Family("lineN", "N holes in a row", "line9", lambda holes: _rectangle(holes, 1)),
    Family("starN", "six-pointed star of N holes", "star13", partial(_triangular, "star")),
    Family("houseN", "N x N square under a roof", "house5", _house, lambda side: side**2),
    Family("boxWxHxD", "W x H x D holes in space", "box3x3x3", _box, lambda *sizes: prod(sizes)),
    Family("cycleN", "cycle graph of N vertices", "cycle8", _cycle),
)


@cache  # each problem that is read asks for them
def board_names() -> tuple[str, ...]:
    """Return the names of the boards that have a file."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def set_names() -> list[str]:
    """Return the names of the sets of problems (:func:`suite`)."""
    return sorted(path.stem for path in SETS.glob("*.json"))


def problem_names() -> list[str]:
    """Return the names of the problems that have a file."""
    return sorted(path.stem for path in PROBLEMS.glob("*.toml"))


def board(name: str) -> Board:
    """Return the bundled board, or the member of a family, of that name.

    Raises InputError, with the nearest name, if there is none.
    """
    return _bundled(name) if name in board_names() else _member(name)


@cache
def _bundled(name: str) -> Board:
    path = FOLDER / f"{name}.toml"
    return read_board(path.read_text(encoding="utf-8"), path.name, name)


@lru_cache(maxsize=8)  # there are many, and they may be large
def _member(name: str) -> Board:
    for family in FAMILIES:
        sizes = family.sizes(name)
        if sizes is not None:
            numbers = [int(size) for size in sizes.values()]
            holes = family.holes(*numbers)
            refuse_if(
                not 1 <= holes <= MOST_HOLES,
                f"the board would have {holes:,} holes; boards have 1 to {MOST_HOLES:,}, such as square100",
            )
            return replace(family.make(*numbers), name=name, title=family.title.translate(str.maketrans(sizes)))
    usual = _usual_name(name)
    if usual != name and (usual in board_names() or any(family.sizes(usual) for family in FAMILIES)):
        return board(usual)
    names = [*board_names(), *(family.example for family in FAMILIES)]
    raise InputError(f'unknown board "{clipped(name, 60)}"{suggestion(name, names)}; "pegcp boards" lists them')


def _usual_name(name: str) -> str:
    """Return the name of the board that people call so, such as ``European``, ``7x7`` or ``15-hole triangle``."""
    word = re.sub(r"(?:peg|solitaire|puzzle|game|board|holes?)(?![a-z])|[\s_-]", "", plain(name))
    word = re.sub(r"\A([0-9]+)([a-wyz]+)\Z", r"\2\1", word)
    word = re.sub(r"(?<=ang)ular|(?<=hexagon)al", lambda ending: "le" * (ending[0] == "ular"), word)
    word = re.sub("[a-z]{4,}", lambda part: meaning(part[0], SHAPES) or part[0], word)
    word = meaning(word, BOARDS) or word
    word = re.sub(r"\A(?:square|rectangle)?([1-9][0-9]{0,3})x\1\Z", r"square\1", word)
    return re.sub(r"\A([1-9][0-9]{0,3}x[1-9][0-9]{0,3})\Z", r"rectangle\1", word)


def usual_problem(text: str) -> str:
    """Return the name of the problem that is meant by a board and its holes, or its size, in another form, such as
    ``english(d4)``, ``english c1 f4``, ``english:4,4`` or ``triangle 15``; nothing for other texts."""
    form = re.sub(r"(?<=[a-z])\W+(?=\d+x\d)", "", plain(text))  # rectangle:3x6
    shape, *words = re.findall(r"[a-z]+(?:\d+(?:[x.]\d+)*)?|\d+|!", form) or [""]
    if shape.startswith("fool"):
        shape, words = "english", ["!"]
    if not words and _bundled("english").has_hole(shape):
        shape, words = "english", [shape]
    name, number = _usual_name(shape), "".join(words[:1]) or "size" * (form != plain(text))
    if number.isdigit() and (name.endswith(number) or not is_name(name)):
        sizes = ["", number, *(size(int(number)) for form, (size, _) in _TRIANGULAR.items() if form == name)]
        name, words = next((f"{name}{size}" for size in sizes if accepts(board, f"{name}{size}")), ""), words[1:]
        number = "size"
    if not accepts(board, name) or text.endswith(("-", "=")):  # a shell took the rest
        return ""
    if number.isdigit() and words[1:] == [number]:
        words = [f"{column_letters(int(number) - 1)}{number}"]
    holes = [word for word in words if word != "!"]
    if len(holes) > 2 - ("!" in words) or not all(map(board(name).has_hole, holes)):
        return ""
    if "!" in words:
        return f"{name}:{''.join(holes[:1]) or (board(name).default or '').partition('-')[0]}!"
    return f"{name}:{'->'.join(holes)}" if holes else name * (number == "size")


def is_name(text: str) -> bool:
    """Tell whether a text begins with the name of a board or a problem that ships, or of a member of a family."""
    name = text.partition(":")[0]
    return name in all_problems() or any(family.sizes(name) for family in FAMILIES)


def all_problems() -> list[str]:
    """Return the names of all bundled problems; that of a board stands for its own problem."""
    return [*board_names(), *problem_names()]


# Sets of problems -----------------------------------------------------------------------------------------------------


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
        """Tell whether a pattern such as ``grade[45]``, ``sat-grade1``, ``*solvable``, ``french*`` fits its grade, its
        grade in a language, its kind, its name."""
        if "grade" in pattern:
            grades = [f"grade{self.grade}", *(f"{name}-grade{grade}" for name, grade in self.grades.items())]
            return any(fnmatchcase(grade, pattern) for grade in grades)
        return fnmatchcase(self.kind if pattern.endswith(("solvable", "optimum", "open")) else self.name, pattern)

    def jumps(self, problem: Problem) -> list[Jump] | None:
        """Return the solution, replayed, if there is one. Raises InputError and InvalidSolution."""
        if not self.solution:
            return None
        jumps = read_jumps(problem.board, self.solution)
        value = replay_solution(problem, jumps).value
        refuse_if(
            self.answer is False or (value is not None and self.answer not in (None, value)),
            f"the set says {self.answer}, and lists a solution worth {value}",
            problem.name,
        )
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
        """Return the problem of a row."""
        edges = self.boards.get(row.board)
        on = read_board(f'edges = "{edges}"', row.board, row.board) if edges else board(row.board)
        start, goal = Position(on, read_pegs(on, row.start)), read_goal(on, row.goal)
        return Problem(on, start, goal, read_objective(row.objective), f"{self.name}:{row.name}")

    def chosen(self, pattern: str) -> list[Row]:
        """Return the rows that fit each part of a pattern such as ``french*+grade[45]+solvable``. Raises InputError."""
        rows = [row for row in self.rows if all(map(row.fits, pattern.split("+")))]
        if not rows:
            raise InputError(
                f'{self.name} has no problem "{pattern}"{suggestion(pattern, [row.name for row in self.rows])}'
            )
        return rows


@cache
def suite(name: str) -> Suite:
    """Return the set of that name. Raises InputError if there is none."""
    refuse_if(
        name not in set_names(),
        f'there is no set "{name}"{suggestion(name, set_names())}; "pegcp suite" lists them',
    )
    content = (SETS / f"{name}.json").read_bytes()
    data = json.loads(content)
    data["rows"] = tuple(Row(**row) for row in data.pop("problems"))
    return Suite(name, sha256=sha256(content).hexdigest(), **data)


def find_row(problem: Problem) -> Row | None:
    """Return the row of a problem that a set has under the same name; None for other problems."""
    name, _, row_name = problem.name.partition(":")
    rows = [row for row in suite(name).rows if row.name == row_name] if name in set_names() else []
    return rows[0] if rows and suite(name).problem(rows[0]) == problem else None
