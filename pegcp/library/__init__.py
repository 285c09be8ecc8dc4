"""The boards and problems that ship with pegcp: files beside this module, and families by size."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import count, product
from math import prod
from operator import mul
from pathlib import Path
from typing import Any

from pegcp.errors import InputError, clipped, suggestion
from pegcp.formats.toml import read_board
from pegcp.game import MOST_HOLES, Board, Cell, column_letters, graph_board, lattice_board, lines_board
from pegcp.game.lattice import lattice
from pegcp.habits import BOARDS, meaning

FOLDER = Path(__file__).parent
SETS = FOLDER / "sets"
PROBLEMS = FOLDER / "problems"


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
        """The numbers in the name of a member, by their letters; None for other names."""
        match = re.fullmatch(re.sub("([A-Z])", r"(?P<\1>\\d{1,100})", self.form), name)
        return match.groupdict() if match else None


def _rectangle(width: int, height: int) -> Board:
    return lattice_board(product(range(height), range(width)), lattice("square"))


def _triangular(shape: str, holes: int) -> Board:
    """Return the board of a shape that has so many holes. Raises InputError if there is none."""
    size, cells = _TRIANGULAR[shape]
    side = next(n for n in count(1) if size(n) >= holes)
    if size(side) != holes:
        names = f"{shape}{size(holes)} has side {holes}, " if size(holes) <= MOST_HOLES else ""
        raise InputError(f"no {shape} has {holes} holes; {names}{shape}{size(side)} has side {side}")
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
    return lattice_board([*roof, *product(range(side), repeat=2)], lattice("square"))


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
    if holes < 3:
        raise InputError("a cycle has at least 3 holes")
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


def board_names() -> list[str]:
    """Names of the boards that have a file."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def set_names() -> list[str]:
    """Names of the sets of problems (:mod:`pegcp.library.suites`)."""
    return sorted(path.stem for path in SETS.glob("*.json"))


def problem_names() -> list[str]:
    """Names of the problems that have a file."""
    return sorted(path.stem for path in PROBLEMS.glob("*.toml"))


def board(name: str) -> Board:
    """The bundled board, or the member of a family, of that name.

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
            if not 1 <= holes <= MOST_HOLES:
                raise InputError(
                    f"the board would have {holes:,} holes; boards have 1 to {MOST_HOLES:,}, such as square100"
                )
            member = family.make(*numbers)
            return replace(member, name=name, title=family.title.translate(str.maketrans(sizes)))
    usual = _usual_name(name)
    if usual != name and (usual in board_names() or any(family.sizes(usual) for family in FAMILIES)):
        return board(usual)
    names = [*board_names(), *(family.example for family in FAMILIES)]
    raise InputError(f'unknown board "{clipped(name, 60)}"{suggestion(name, names)}; "pegcp boards" lists them')


def _usual_name(name: str) -> str:
    """Return the name of the board that people call so, such as ``European``, ``7x7`` or ``square6x6``."""
    word = re.sub(r"[\s_-]|board\Z", "", name.lower())
    word = meaning(word, BOARDS) or word
    word = re.sub(r"\A(?:square|rectangle)?([1-9][0-9]{0,3})x\1\Z", r"square\1", word)
    return re.sub(r"\A([1-9][0-9]{0,3}x[1-9][0-9]{0,3})\Z", r"rectangle\1", word)


def all_problems() -> list[str]:
    """The names of all bundled problems; that of a board stands for its own problem."""
    return [*board_names(), *problem_names()]
