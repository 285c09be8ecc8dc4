"""Board and problem files: TOML with ASCII maps and an explicit legend.

A board is drawn on a lattice (``lattice``, ``legend``, ``map``), or given by ``edges`` of a graph, or by ``lines``. A
problem adds ``start``, ``goal`` and ``objective``; it names its ``board``, has the keys of one, or draws it with its
start map. See the files in ``pegcp/library`` for examples.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pegcp import habits
from pegcp.errors import InputError, line_and_column, plural, refuse_if, shown, suggestion
from pegcp.game import (
    FREE,
    MOST_HOLES,
    PEG,
    VACANCY,
    Board,
    Cell,
    DeadEnd,
    Exact,
    Goal,
    Lattice,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    fixed_goal,
    graph_board,
    lattice_board,
    lines_board,
    quoted,
    read_hole,
    read_map,
)
from pegcp.game.lattice import lattice

_GOAL_WORDS: dict[str, Goal] = {
    **dict.fromkeys(("one peg", "one-peg", "?", "any", "any peg", "anywhere"), OnePeg()),
    **dict.fromkeys(("dead end", "dead-end", "!"), DeadEnd()),
}
_BESIDE_A_HOLE = {"the", "a", "one", "single", "last", "final", "peg", "is", "in", "at", "on", "hole"}  # one peg there
_ON_GRAPHS = frozenset({"edges", "lines", "holes", "coordinates"})
_DRAWN = frozenset({"name", "title", "lattice", "jumps", "legend"})
_BOARD_KEYS = _DRAWN | _ON_GRAPHS | {"map", "default"}
_PROBLEM_KEYS = _DRAWN | _ON_GRAPHS | {"board", "start", "goal", "objective"}
_KINDS: dict[str, tuple[type, str]] = {
    **dict.fromkeys(("name", "title", "default", "lattice", "jumps", "objective"), (str, "a string")),
    "coordinates": (dict, "a table, such as { a = [0, 0], b = [1, 0] }"),
    "weights": (dict, "a table, such as { d4 = 15 }"),
}
_MEANINGS = frozenset({"hole", "peg", "vacancy", "free", "outside"})
_MOST_COORDINATE = 1_000_000  # coordinate
_LARGEST_NUMBER = 10**100  # names have at most 100 signs, and Python refuses to write thousands of digits
_MOST_PARTS = 200  # of a key, joined by dots
_SHAPES: dict[str, tuple[str, int, str, Callable[..., Board]]] = {  # how one is written, and how many holes it has
    "edges": (r"[^\s,;]+", 2, "an edge is two holes, a-b", graph_board),
    "lines": (r"[^,;\n]+", 3, "a line is three holes, end middle end", lines_board),
}
_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}}""")


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Return the data of a TOML file. Raises InputError with line and column for text that is not TOML."""
    line = column = 1
    try:
        if long_key := _LONG_KEY.search(text):  # tomllib needs memory quadratic in the number of parts
            line, column = line_and_column(text, long_key.start())
            fault = f"a key of more than {_MOST_PARTS} parts"
        else:
            return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        fault, _, at = str(error).partition(" (at ")
        numbers = [int(number) for number in re.findall(r"\d+", at)]
        line, column = numbers if len(numbers) == 2 else line_and_column(text, len(text))
    except (RecursionError, ValueError):
        fault = "nested too deeply, or a number or date that is too large"
    raise InputError(f"not valid TOML: {fault}", source=source, line=line, column=column)


class _Table:
    """A table of a file. Its errors name the path of the key at fault, such as ``goal.weights``.

    Raises InputError for a key that it does not have, and for one of another kind.
    """

    def __init__(self, data: Mapping[str, Any], keys: Collection[str], source: str, path: str = "") -> None:
        self.data, self.source, self.path = data, source, path
        for key in [key for key in data if key not in keys]:
            is_start = key.lower() in ("pegs", "position", "initial")
            hint = ' (did you mean "start"?)' if is_start else suggestion(key, keys)
            raise InputError(f'unknown key "{path}{key}"{hint}', source=source)
        for key, (kind, form) in _KINDS.items():
            self.require(isinstance(data.get(key, kind()), kind), key, f"expected {form}")

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{self.path}{key}: {message}", source=self.source)

    def require(self, condition: bool, key: str, message: str) -> None:
        """Raise an error about a key if a condition does not hold."""
        refuse_if(not condition, f"{self.path}{key}: {message}", self.source)

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """Put the path of a key, and the row and column in a map, before the errors that have no source yet."""
        try:
            yield
        except InputError as error:
            if error.source is not None:
                raise
            places = {"row": error.line, "column": error.column}
            where = "".join(f", {name} {number}" for name, number in places.items() if number is not None)
            raise self.error(f"{key}{where}", error.message) from None

    def legend(self) -> dict[str, str]:
        """Return the meanings by their characters."""
        if "legend" not in self.data and "board" in self.data:
            return {PEG: "peg", VACANCY: "vacancy", FREE: "free"}
        drawn = 'peg = "X", vacancy = "o"' if "start" in self.data else 'hole = "o", outside = "."'
        legend: Any = self.data.get("legend")
        self.require(isinstance(legend, dict), "legend", f"expected a table, such as {{ {drawn} }}, for the map")
        characters: dict[str, str] = {}
        for meaning, character in legend.items():
            self.require(meaning in _MEANINGS, "legend", f'unknown meaning "{meaning}"{suggestion(meaning, _MEANINGS)}')
            self.require(
                isinstance(character, str)
                and len(character) == 1
                and (meaning == "outside" or not character.isspace()),
                f"legend.{meaning}",
                "expected one visible character",
            )
            other = characters.setdefault(character, meaning)
            self.require(other == meaning, "legend", f'"{character}" stands for both {other} and {meaning}')
        return characters

    def lattice(self) -> Lattice:
        name = self.data.get("lattice") or "square"
        with self.at("lattice"):
            lattice(name)
        with self.at("jumps"):
            return lattice(name, self.data.get("jumps") or "orthogonal")

    def map(self, key: str, on: Lattice) -> dict[Cell, str]:
        """Return the meanings of the cells of a map."""
        self.require(isinstance(self.data[key], str), key, "expected a string")
        with self.at(key):
            cells = read_map(self.data[key], self.legend(), on)
        self.require(len(cells) <= MOST_HOLES, key, f"a board has at most {MOST_HOLES:,} holes, not {len(cells):,}")
        return cells

    def board(self, name: str) -> Board:
        """Return the board that is drawn, or given by its edges or lines."""
        name = self.data.get("name") or name
        about: dict[str, Any] = {"title": self.data.get("title", ""), "default": self.data.get("default") or None}
        shapes = [key for key in ("map", "edges", "lines") if key in self.data]
        self.require(len(shapes) == 1, "map, edges, lines", "a board needs exactly one of these")
        with self.at(shapes[0]):
            if shapes == ["map"]:
                self.require("coordinates" not in self.data, "coordinates", "a map already gives these; leave them out")
                on = self.lattice()
                return lattice_board(self.map("map", on), on, name, **about)
            group, size, form, build = _SHAPES[shapes[0]]
            groups = [[*filter(None, _names(names, r"[^-\s]+"))] for names in _items(self.data[shapes[0]], group)]
            for names in groups:
                refuse_if(not len(names) == len({*names}) == size, f"cannot read {'-'.join(names)}: {form}")
            holes = self.holes(groups)
            board = build(holes, groups, name, **about)
        return replace(board, coordinates=self.coordinates(holes)) if "coordinates" in self.data else board

    def holes(self, groups: list[list[str]]) -> list[str]:
        """Return the holes as they are listed; where they are not, those of the edges or lines, numbers before
        names."""
        used = dict.fromkeys(name for group in groups for name in group)
        holes = sorted(used, key=lambda name: (0, name.zfill(100)) if name.isdecimal() else (1, name))
        if "holes" in self.data:
            with self.at("holes"):
                holes = _names(self.data["holes"], r"[^\s,;]+")
            self.require(len({*holes}) == len(holes), "holes", "a hole is listed twice")
            missing = sorted(used.keys() - {*holes})[:5]
            self.require(not missing, "holes", f"not listed: {', '.join(missing)}")
        self.require(bool(holes), "holes", "the board has none")
        return holes

    def coordinates(self, holes: list[str]) -> tuple[tuple[float, ...], ...]:
        """Return the coordinates of the holes: two numbers each, or three."""
        points = self.data["coordinates"]
        for hole in sorted(points.keys() ^ set(holes)):
            raise self.error(
                "coordinates", f'there is no hole "{hole}"' if hole in points else f'hole "{hole}" has no coordinates'
            )
        for hole, point in points.items():
            self.require(
                isinstance(point, list) and all(type(x) in (int, float) and abs(x) <= _MOST_COORDINATE for x in point),
                f"coordinates.{hole}",
                f"expected two or three numbers up to {_MOST_COORDINATE:,}",
            )
        places = tuple(tuple(map(float, points[hole])) for hole in holes)
        self.require(
            len(set(places)) == len(places) and {len(point) for point in places} in ({2}, {3}),
            "coordinates",
            "expected two numbers for each hole, or three, and no two holes alike",
        )
        return places

    def position(self, key: str, board: Board, *meanings: str) -> tuple[int, int]:
        """Return the pegs and vacancies (bit masks) of a map with these meanings, a list of holes, or ``all but
        ...``."""
        value = self.data[key]
        has_map = key == "start" and "board" not in self.data and "lattice" in self.data
        with self.at(key):
            if not isinstance(value, str) or not ("\n" in value or has_map):
                pegs = read_pegs(board, value)
                return pegs, board.full & ~pegs
            if board.lattice is None or board.cells is None:
                raise InputError(f"board {board.name} is not on a lattice: list the holes of the pegs instead")
            marks = self.map(key, board.lattice)
            refuse_if(
                tuple(sorted(marks)) != board.cells,
                f"the map has {plural(len(marks), 'hole')}, not the {len(board.cells)} of board {board.name} "
                "in their places",
            )
            signs = [marks[cell] for cell in board.cells]
            for hole, sign in zip(board.holes, signs, strict=True):
                refuse_if(sign not in meanings, f"{hole} is drawn as {sign}; expected {' or '.join(meanings)}")
            pegs, vacancies = (
                sum(1 << hole for hole, sign in enumerate(signs) if sign == mark) for mark in ("peg", "vacancy")
            )
            return pegs, vacancies

    def goal(self, board: Board) -> Goal:
        value = self.data.get("goal", "*" if self.data.get("objective") == Objective.FEWEST_PEGS.value else "one peg")
        if isinstance(value, str) and "\n" in value:
            pegs, vacancies = self.position("goal", board, "peg", "vacancy", "free")
            return fixed_goal(board, pegs, vacancies)
        with self.at("goal"):
            if not isinstance(value, dict):
                return read_goal(board, value)
            keys = ("nearest", "weights") if "nearest" in value else ("pegs", "vacancies")
            table = _Table(value, keys, self.source, f"{self.path}goal.")
            pegs, vacancies = (read_pegs(board, value.get(key, [])) for key in (keys[0], "vacancies"))
            if "nearest" not in value:
                return Partial(pegs, vacancies)
            weights = dict.fromkeys(board.holes, 1)
            for hole, weight in value.get("weights", {}).items():
                table.require(type(weight) is int, f"weights.{hole}", "expected an integer")
                weights[board.holes[read_hole(board, hole)]] = weight
            return Nearest(pegs, tuple(weights.values()))


def read_board(text: str, source: str = "board", name: str = "board") -> Board:
    """Read a board file. Raises InputError with the path of the key at fault."""
    return _Table(parse_toml(text, source), _BOARD_KEYS, source).board(name)


def is_problem(text: str, source: str) -> bool:
    """Tell whether a file describes a problem, not a board. Raises InputError for text that is not TOML."""
    return bool({"start", "goal", "board", "objective"} & parse_toml(text, source).keys())


def read_problem(
    text: str, find_board: Callable[[str], Board] | None = None, source: str = "problem", name: str = "problem"
) -> Problem:
    """Read a problem file; ``find_board`` looks up boards by name, where names are allowed.

    Raises InputError with the path of the key at fault.
    """
    data = parse_toml(text, source)
    table = _Table(data, _PROBLEM_KEYS, source)
    name = table.data.get("name") or name
    table.require("start" in data, "start", 'missing: give a map, or the holes with pegs, such as "all but d4"')
    on_graph = {key: data[key] for key in _ON_GRAPHS & data.keys()}
    match data.get("board"):
        case str(board_name) if find_board:
            with table.at("board"):
                board = find_board(board_name)
        case None if on_graph:
            board = _Table(on_graph, _BOARD_KEYS, source).board(f"{name}'s board")
        case None:
            on = table.lattice()
            board = lattice_board(table.map("start", on), on, f"{name}'s board")
        case _:
            raise table.error("board", "expected a name" if find_board else "give the board itself, not its name")
    start, _ = table.position("start", board, "peg", "vacancy")
    goal = table.goal(board)
    with table.at("objective"):
        objective = read_objective(table.data.get("objective") or default_objective(goal).value)
    with table.at("goal"):
        return Problem(board, Position(board, start), goal, objective, name)


def _is_name(value: object) -> bool:
    """Tell whether a value is text, or a whole number that may be a hole's name."""
    return isinstance(value, str) or (type(value) is int and abs(value) < _LARGEST_NUMBER)


def _items(value: object, item: str) -> list[object]:
    """Return the items of a list, or the parts of a text, or of a number, that match ``item``."""
    items = value if isinstance(value, list) else [value]
    return re.findall(item, str(value)) if _is_name(value) else items


def _names(value: object, name: str = r"[^\s,]+") -> list[str]:
    """Return names of holes. Raises InputError for what is neither text nor a whole number."""
    names = _items(value, name)
    for other in names:
        refuse_if(not _is_name(other), f"expected names of holes, not {shown(other)}")
    return [*map(str, names)]


def read_pegs(board: Board, value: object) -> int:
    """Return the bit mask of holes given as a list, as names separated by blanks or commas, or as ``all but NAMES``."""
    names = _names(value)
    if isinstance(value, str) and names[:2] in (["all"], ["all", "but"]):
        return board.full & ~read_pegs(board, names[2:])
    pegs = 0
    for name in names:
        peg = 1 << read_hole(board, name)
        refuse_if(pegs & peg, f"hole {name} is given twice")
        pegs |= peg
    return pegs


def read_goal(board: Board, value: object) -> Goal:
    """Return a goal: ``one peg`` (or ``?``), ``dead end`` (or ``!``), holes for an exact position; with ``*`` among the
    holes the others are free, and ``-HOLE`` is a hole that must end vacant; ``near`` and holes: as near as possible to
    that position. A list always means holes."""
    text = " ".join(value.lower().split()) if isinstance(value, str) else "in a list"
    if text in _GOAL_WORDS:
        return _GOAL_WORDS[text]
    *before, last = str(value).split() or [""]
    value = last if board.has_hole(last) and {*before} <= _BESIDE_A_HOLE - {*board.holes} else value
    names = _names(value)
    refuse_if(
        isinstance(value, str) and not names,
        'expected a goal: "one peg", "dead end", the holes of the last pegs, '
        'holes and * where the others are free, "near" and holes',
    )
    if isinstance(value, str) and not board.has_hole(names[0]):
        hint = (
            "; name the holes of the last pegs, or ask for --objective fewest-pegs"
            if names[-1] == "pegs"
            else suggestion(value, ("one peg", "dead end"))
        )
        refuse_if(hint, f'unknown goal "{value}"{hint}')
    if isinstance(value, str) and names[0] == "near":
        return Nearest(read_pegs(board, names[1:]), (1,) * len(board.holes))
    if "*" not in names:
        return Exact(read_pegs(board, names))
    return Partial(
        read_pegs(board, [name for name in names if name != "*" and not name.startswith("-")]),
        read_pegs(board, [name[1:] for name in names if name.startswith("-")]),
    )


def read_objective(value: str) -> Objective:
    """Return an objective by its name."""
    text = "-".join(value.lower().replace("_", " ").split())
    objectives = [objective.value for objective in Objective]
    refuse_if(
        text not in objectives,
        f'unknown objective "{value}"{suggestion(habits.meaning(text, habits.OBJECTIVES) or text, objectives)}; '
        f"choose one of {', '.join(objectives)}",
    )
    return Objective(text)


def default_objective(goal: Goal) -> Objective:
    """Return the objective for a goal: fewest jumps for a dead end (Fool's Solitaire), nearest for a soft goal."""
    return {DeadEnd.kind: Objective.FEWEST_JUMPS, Nearest.kind: Objective.NEAREST}.get(goal.kind, Objective.ANY)


def problem_file(problem: Problem) -> str:
    """Return a problem file with its name; :func:`read_problem` reads it back."""
    return f"name = {quoted(problem.name)}\n{problem.text}"
