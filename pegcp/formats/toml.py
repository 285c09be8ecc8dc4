"""Board and problem files: TOML with ASCII maps and an explicit legend.

A board is drawn on a lattice (``lattice``, ``legend``, ``map``), or given by ``edges`` of a graph, or by ``lines``. A
problem adds ``start``, ``goal`` and ``objective``; it names its ``board``, holds one as a table, or draws it with its
start map. See the files in ``pegcp/library`` for examples.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, assert_never

from pegcp.errors import InputError, place, suggestion
from pegcp.game.board import MOST_HOLES, Board, check_hole_name, graph_board, lattice_board, lines_board
from pegcp.game.canonical_text import FREE, quoted
from pegcp.game.goal import GOAL_KINDS, DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.hole_notation import read_hole
from pegcp.game.lattice import Cell, Lattice, lattice, read_map
from pegcp.game.picture import PEG, VACANCY
from pegcp.game.position import Position
from pegcp.game.problem import Problem

# How the goal of each kind is written; whoever adds a kind teaches read_goal or _goal to read it.
_WRITTEN = {
    OnePeg.kind: '"one peg"',
    DeadEnd.kind: '"dead end"',
    Exact.kind: "the holes of the last pegs",
    Partial.kind: "holes and * where the others are free",
    Nearest.kind: '"near" and holes',
}
if _WRITTEN.keys() != GOAL_KINDS:
    raise TypeError(f"pegcp/formats/toml.py does not read goals of the kinds {set(GOAL_KINDS) - set(_WRITTEN)}")
_ON_GRAPHS = frozenset({"edges", "lines", "holes", "coordinates"})
_DRAWN = frozenset({"name", "title", "lattice", "jumps", "legend"})
BOARD_KEYS = _DRAWN | _ON_GRAPHS | {"map", "default", "numbered_from"}
PROBLEM_KEYS = _DRAWN | _ON_GRAPHS | {"board", "start", "goal", "objective"}
MEANINGS = frozenset({"hole", "peg", "vacancy", "free", "outside"})
USUAL = {PEG: "peg", VACANCY: "vacancy", FREE: "free"}  # the legend of a position on a board that is named
_FARTHEST = 1_000_000
_MOST_PARTS = 200  # of a key, joined by dots
_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){{{_MOST_PARTS}}}""")


class Description:
    """A parsed file that knows where each of its keys stands, for error messages."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.text = text
        self._refuse_long_keys()
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            at = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            line, column = (int(at[1]), int(at[2])) if at else place(text, len(text))
            what = re.sub(r"\s*\(at .*\)$", "", str(error))
            raise InputError(f"not valid TOML: {what}", source=source, line=line, column=column) from None
        except (RecursionError, ValueError):
            fault = "not valid TOML: nested too deeply, or a number or date that is too large"
            raise InputError(fault, source=source, line=1, column=1) from None

    def _refuse_long_keys(self) -> None:
        """Refuse keys with thousands of parts: the TOML reader needs memory quadratic in that number."""
        found = _LONG_KEY.search(self.text)
        if found:
            line, column = place(self.text, found.start())
            fault = f"not valid TOML: a key of more than {_MOST_PARTS} parts"
            raise InputError(fault, source=self.source, line=line, column=column)

    def place(self, key: str) -> tuple[int, int]:
        """Line and column (from 1) of a key; 1, 1 for a key that is missing."""
        name = rf'["\']?{re.escape(key)}["\']?[ \t]*'
        found = re.search(rf"^[ \t]*{name}=|\[[ \t]*{name}\]", self.text, re.M)
        found = found or re.search(rf"(?<=[{{,])[ \t]*{name}=", self.text)
        if not found:
            return 1, 1
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        return place(self.text, start)

    def error(self, key: str, message: str) -> InputError:
        """An error about a key."""
        line, column = self.place(key)
        return InputError(message, source=self.source, line=line, column=column)

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """Gives errors without a place the place of a key."""
        try:
            yield
        except InputError as error:
            raise error if error.source is not None else self.error(key, error.message) from None


class _Table:
    """A table of a description, and what is read from it. Raises InputError for a key that it does not have."""

    def __init__(self, description: Description, data: Mapping[str, Any], keys: Collection[str], what: str) -> None:
        self.of, self.data = description, data
        for key in data:
            if key not in keys:
                raise description.error(key, f'unknown key "{key}" in a {what}{suggestion(key, keys)}')

    def text(self, key: str) -> str | None:
        value = self.data.get(key)
        if value is not None and not isinstance(value, str):
            raise self.of.error(key, f"{key} must be a string")
        return value

    def items(self, key: str, split: str) -> list[list[str]]:
        """A list of tuples of names, written as one string or as a list of strings or lists."""
        value = self.data[key]
        if isinstance(value, str):
            value = re.split(r"[\s,;]+" if split == "-" else r"[,;\n]+", value.strip())
        if not isinstance(value, list):
            raise self.of.error(key, f"{key} must be a string or a list")
        items = []
        for item in value:
            parts = [p for p in re.split(r"[-\s]+", item) if p] if isinstance(item, str) else item
            if not isinstance(parts, list) or not all(isinstance(p, str | int) for p in parts):
                raise self.of.error(key, f"cannot read {item!r} in {key}")
            names = [str(p) for p in parts]
            with self.of.at(key):
                for name in names:
                    check_hole_name(name)
            if names:
                items.append(names)
        return items

    def legend(self) -> dict[str, str]:
        legend = self.data.get("legend")
        if legend is None and "board" in self.data:
            return dict(USUAL)
        if not isinstance(legend, dict):
            raise self.of.error(
                "legend" if "legend" in self.data else "map" if "map" in self.data else "start",
                'a map needs a legend, such as legend = { hole = "o", outside = "." }',
            )
        characters: dict[str, str] = {}
        for meaning, character in legend.items():
            if meaning not in MEANINGS:
                raise self.of.error("legend", f'unknown meaning "{meaning}"{suggestion(meaning, MEANINGS)}')
            if not isinstance(character, str) or len(character) != 1 or (character.isspace() and meaning != "outside"):
                raise self.of.error("legend", f"{meaning} must be one visible character")
            if character in characters:
                raise self.of.error("legend", f'"{character}" stands for both {characters[character]} and {meaning}')
            characters[character] = meaning
        return characters

    def lattice(self) -> Lattice:
        name = self.text("lattice") or "square"
        try:
            return lattice(name, self.text("jumps") or "orthogonal")
        except InputError as error:
            raise self.of.error("jumps" if "jumps" in error.message else "lattice", error.message) from None

    def map(self, key: str, on: Lattice) -> dict[Cell, str]:
        text = self.text(key) or ""
        try:
            found = read_map(text, self.legend(), on)
            if len(found) > MOST_HOLES:
                raise InputError(f"a board has at most {MOST_HOLES:,} holes, not {len(found):,}")
            return found
        except InputError as error:
            if error.source is not None:
                raise
            line, _ = self.of.place(key)
            # In a multi-line string that opens with a line break, row 1 of the map is the line after the key.
            opens_below = re.search(rf'^[ \t]*{key}[ \t]*=[ \t]*("""|\'\'\')[ \t]*$', self.of.text, re.M)
            raise InputError(
                error.message,
                source=self.of.source,
                line=line + (error.line or 1) - (0 if opens_below else 1),
                column=error.column or 1,
            ) from None

    def board(self, name: str) -> Board:
        about: dict[str, Any] = {
            "title": self.text("title") or "",
            "default": self.text("default"),
            "numbered_from": self.data.get("numbered_from"),
        }
        if about["numbered_from"] not in (None, 0, 1):
            raise self.of.error("numbered_from", "numbered_from must be 0 or 1")
        name = self.text("name") or name
        with self.of.at(next((key for key in ("map", "edges", "lines") if key in self.data), "name")):
            return self.shaped(name, about)

    def shaped(self, name: str, about: Mapping[str, Any]) -> Board:
        """The board that is drawn, or given by its edges or lines."""
        shapes = [key for key in ("map", "edges", "lines") if key in self.data]
        if "coordinates" in self.data and shapes == ["map"]:
            raise self.of.error(
                "coordinates", "coordinates are for boards given by edges or lines; a map is drawn already"
            )
        match shapes:
            case ["map"]:
                on = self.lattice()
                return lattice_board(self.map("map", on), on, name, **about)
            case ["edges"]:
                edges = self.tuples("edges", 2, "-", "an edge is two holes, a-b")
                holes = self.holes("edges", edges)
                found = graph_board(holes, [(a, b) for a, b in edges], name, **about)
            case ["lines"]:
                lines = self.tuples("lines", 3, " ", "a line is three holes, end middle end")
                holes = self.holes("lines", lines)
                found = lines_board(holes, [(a, over, b) for a, over, b in lines], name, **about)
            case []:
                raise self.of.error("name", "a board needs a map, edges or lines")
            case shapes:
                raise self.of.error(shapes[-1], f"both {shapes[0]} and {shapes[1]}: choose one")
        return replace(found, coordinates=self.coordinates(holes)) if "coordinates" in self.data else found

    def coordinates(self, holes: list[str]) -> tuple[tuple[float, ...], ...]:
        """Where the holes are: two numbers each, or three, of no two holes the same."""
        given = self.data["coordinates"]
        if not isinstance(given, dict):
            raise self.of.error("coordinates", "coordinates must be a table, such as { a = [0, 0], b = [1, 0] }")
        _Table(self.of, given, frozenset(holes), "table of coordinates")
        missing = next((hole for hole in holes if hole not in given), None)
        if missing is not None:
            raise self.of.error("coordinates", f'hole "{missing}" has no coordinates: give all, or none')
        for hole, point in given.items():
            if not isinstance(point, list) or not all(type(x) in (int, float) and abs(x) <= _FARTHEST for x in point):
                raise self.of.error(hole, f"the coordinates of {hole} must be numbers, at most {_FARTHEST:,}")
            if len(point) not in (2, 3) or len(point) != len(given[holes[0]]):
                raise self.of.error(hole, f"the coordinates of {hole} must be two numbers, or three, as for all holes")
        points = [tuple(float(x) for x in given[hole]) for hole in holes]
        if len(set(points)) < len(points):
            raise self.of.error("coordinates", "two holes have the same coordinates")
        return tuple(points)

    def tuples(self, key: str, size: int, split: str, form: str) -> list[list[str]]:
        """Edges (``size`` 2) or lines (3); the holes of each are distinct."""
        items = self.items(key, split)
        for item in items:
            if len(item) != size:
                raise self.of.error(key, f"cannot read {'-'.join(item)}: {form}")
            if len(set(item)) != size:
                raise self.of.error(key, f"{'-'.join(item)} has a hole twice")
        return items

    def holes(self, key: str, items: list[list[str]]) -> list[str]:
        """The holes as they are listed; where they are not, those of the edges or lines, numbers before names."""
        used = dict.fromkeys(name for item in items for name in item)
        if "holes" in self.data:
            holes = [item[0] for item in self.items("holes", "-")]
            if len(set(holes)) < len(holes):
                raise self.of.error("holes", "a hole is listed twice")
            listed = set(holes)
            missing = next((name for name in used if name not in listed), None)
            if missing is not None:
                raise self.of.error(key, f'hole "{missing}" is not listed in holes')
        else:
            holes = sorted(used, key=lambda name: (0, int(name), "") if name.isdecimal() else (1, 0, name))
        if not holes:
            raise self.of.error(key, "the board has no holes")
        return holes

    def position(self, key: str, board: Board, allowed: set[str]) -> tuple[int, int]:
        """Pegs and vacancies (bit masks) of a map, a list of holes, or ``all but ...``."""
        value = self.data[key]
        drawn = key == "start" and "board" not in self.data and "lattice" in self.data
        if isinstance(value, str) and ("\n" in value or drawn):
            if board.lattice is None or board.cells is None:
                raise self.of.error(key, f"board {board.name} is not on a lattice: list the holes of the pegs instead")
            marks = self.map(key, board.lattice)
            if tuple(sorted(marks)) != board.cells:
                count = len(board.cells)
                raise self.of.error(
                    key, f"the map draws {len(marks)} holes, not the {count} of board {board.name} in their places"
                )
            for cell, meaning in marks.items():
                if meaning not in allowed:
                    hole = board.holes[board.cells.index(cell)]
                    takes = " and ".join(sorted(allowed))
                    raise self.of.error(key, f"{hole} is drawn as {meaning}; {key} takes {takes}")
            pegs = sum(1 << i for i, cell in enumerate(board.cells) if marks[cell] == "peg")
            vacancies = sum(1 << i for i, cell in enumerate(board.cells) if marks[cell] == "vacancy")
            return pegs, vacancies
        with self.of.at(key):
            pegs = read_pegs(board, value)
        return pegs, board.full & ~pegs

    def goal(self, board: Board) -> Goal:
        value = self.data.get("goal", "*" if self.data.get("objective") == Objective.FEWEST_PEGS else "one peg")
        if isinstance(value, dict):
            if "nearest" in value:
                return self.nearest(value, board)
            _Table(self.of, value, ("pegs", "vacancies"), "goal")
            with self.of.at("goal"):
                return Partial(*(read_pegs(board, value.get(key, [])) for key in ("pegs", "vacancies")))
        if isinstance(value, str) and "\n" in value:
            pegs, vacancies = self.position("goal", board, {"peg", "vacancy", "free"})
            return Exact(pegs) if pegs | vacancies == board.full else Partial(pegs, vacancies)
        with self.of.at("goal"):
            return read_goal(board, value)

    def nearest(self, value: dict[str, Any], board: Board) -> Nearest:
        """``{ nearest = PEGS, weights = { HOLE = NUMBER } }``; holes that are not named weigh 1."""
        _Table(self.of, value, ("nearest", "weights"), "goal")
        given = value.get("weights", {})
        if not isinstance(given, dict):
            raise self.of.error("goal", "weights must be a table such as { d4 = 15 }")
        weights = [1] * len(board.holes)
        with self.of.at("goal"):
            pegs = read_pegs(board, value["nearest"])
            for hole, weight in given.items():
                if not isinstance(weight, int) or isinstance(weight, bool):
                    raise InputError(f"the weight of {hole} must be a whole number")
                weights[read_hole(board, hole)] = weight
        return Nearest(pegs, tuple(weights))


def read_board(text: str, source: str = "board", name: str = "board") -> Board:
    """The board of a board file. Raises InputError with line and column."""
    description = Description(text, source)
    return _Table(description, description.data, BOARD_KEYS, "board file").board(name)


def is_problem(text: str, source: str) -> bool:
    """Whether a file describes a problem rather than a board. Raises InputError if it is not TOML."""
    return bool({"start", "goal", "board", "objective"} & Description(text, source).data.keys())


def read_problem(
    text: str, find_board: Callable[[str], Board] | None = None, source: str = "problem", name: str = "problem"
) -> Problem:
    """The problem of a problem file; ``find_board`` looks up boards by name, where names are allowed.

    Raises InputError with line and column.
    """
    description = Description(text, source)
    data = description.data
    table = _Table(description, data, PROBLEM_KEYS, "problem file")
    name = table.text("name") or name
    if "start" not in data:
        raise description.error("goal", "a problem needs a start")
    given = data.get("board")
    if isinstance(given, str):
        if find_board is None:
            raise description.error("board", "the board must be described here, not named")
        try:
            board = find_board(given)
        except InputError as error:  # which may be in the board's own file
            raise description.error("board", error.message) from None
    elif isinstance(given, dict):
        board = _Table(description, given, BOARD_KEYS, "board table").board(f"{name}'s board")
    elif given is not None:
        raise description.error("board", "board must be a name or a table")
    elif _ON_GRAPHS & data.keys():
        drawn = {key: data[key] for key in _ON_GRAPHS & data.keys()}
        board = _Table(description, drawn, BOARD_KEYS, "problem file").board(f"{name}'s board")
    else:
        on = table.lattice()
        board = lattice_board(table.map("start", on), on, f"{name}'s board")
    start = table.position("start", board, {"peg", "vacancy"})[0]
    goal = table.goal(board)
    objective = table.text("objective")
    with description.at("objective"):
        wanted = read_objective(objective) if objective else default_objective(goal)
    with description.at("goal"):
        return Problem(board, Position(board, start), goal, wanted, name)


def read_pegs(board: Board, value: object, scheme: str = "letters") -> int:
    """Bit mask of holes given as a list, as names separated by blanks or commas, or as ``all but NAMES``."""
    if isinstance(value, str):
        words = re.split(r"[\s,]+", value.strip())
        if words[:1] == ["all"] and (len(words) == 1 or words[1] == "but"):
            return board.full & ~read_pegs(board, words[2:], scheme)
        value = [word for word in words if word]
    if not isinstance(value, list) or not all(isinstance(item, str | int) for item in value):
        raise InputError('expected holes: a list of names, or "all but NAMES"')
    mask = 0
    for item in value:
        bit = 1 << read_hole(board, str(item), scheme)
        if mask & bit:
            raise InputError(f"hole {item} is given twice")
        mask |= bit
    return mask


def read_goal(board: Board, value: object) -> Goal:
    """A goal: ``one peg`` (or ``?``), ``dead end`` (or ``!``), holes for an exact position; with ``*`` among the holes
    the others are free, and ``-HOLE`` is a hole that must end vacant; ``near`` and holes: as near as possible to that
    position. A list always means holes."""
    words = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    if isinstance(value, str) and words in (["one", "peg"], ["one-peg"], ["?"]):
        return OnePeg()
    if isinstance(value, str) and words in (["dead", "end"], ["dead-end"], ["!"]):
        return DeadEnd()
    if not isinstance(words, list) or words == [""] or not all(isinstance(w, str | int) for w in words):
        raise InputError(f"expected a goal: {', '.join(_WRITTEN.values())}")
    names = [str(w) for w in words]
    if isinstance(value, str) and names[0] == "near":
        return Nearest(read_pegs(board, names[1:]), (1,) * len(board.holes))
    if "*" not in names:
        return Exact(read_pegs(board, names))
    pegs = [n for n in names if n != "*" and not n.startswith("-")]
    return Partial(read_pegs(board, pegs), read_pegs(board, [n[1:] for n in names if n.startswith("-")]))


def read_objective(value: str) -> Objective:
    """An objective by its name."""
    text = "-".join(value.lower().split())
    known = [objective.value for objective in Objective]
    if text not in known:
        raise InputError(f'unknown objective "{value}"{suggestion(text, known)}; choose one of {", ".join(known)}')
    return Objective(text)


def default_objective(goal: Goal) -> Objective:
    """Fewest jumps for a dead end (Fool's Solitaire), nearest for a soft goal, any solution otherwise."""
    match goal:
        case DeadEnd():
            return Objective.FEWEST_JUMPS
        case Nearest():
            return Objective.NEAREST
        case Exact() | OnePeg() | Partial():
            return Objective.ANY
        case _:
            assert_never(goal)


def problem_file(problem: Problem) -> str:
    """A problem file with its name; :func:`read_problem` reads it back."""
    return f"name = {quoted(problem.name)}\n{problem.text}"
