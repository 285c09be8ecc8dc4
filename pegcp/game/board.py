"""Boards and their jumps."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from pegcp.errors import printable, refuse_if, suggestion
from pegcp.game.lattice import Cell, Lattice, Shape, column_letters, draw
from pegcp.game.svg import Drawn, position_svg
from pegcp.game.symmetry import Group, automorphisms
from pegcp.habits import Guided

MOST_HOLES = 10_000  # of a board; readers, pictures and searches are not made for larger ones
MOST_LINES = 100_000


class _Holes(NamedTuple):
    from_: int
    over: int
    to: int


class Jump(_Holes, Guided):
    """A peg at ``from_`` jumps over a peg at ``over`` into the vacancy ``to``; the peg at ``over`` is removed.

    Holes are indices into ``Board.holes``. The jumps of a board, and those of results, have a ``name``, such as
    ``d2-d4``, by which they are printed.
    """

    name = ""  # not compared

    def __repr__(self) -> str:
        return f"Jump({self.name})" if self.name else super().__repr__()

    def __str__(self) -> str:
        return self.name or repr(self)

    @property
    def mask(self) -> int:
        """The three holes as a bit mask; every jump flips exactly these."""
        return 1 << self.from_ | 1 << self.over | 1 << self.to

    @property
    def needs(self) -> int:
        """The two holes that must hold pegs, as a bit mask."""
        return 1 << self.from_ | 1 << self.over

    def is_legal(self, position: int) -> bool:
        """Tell whether the jump can be made in the position (a bit mask)."""
        return position & self.mask == self.needs

    def independent_of(self, other: "Jump") -> bool:
        """Tell whether the two jumps have no hole in common, so that their order does not matter."""
        return not self.mask & other.mask


def check_hole_name(name: str) -> None:
    """Raise InputError unless a hole may have this name.

    All readers and writers of files accept the same names, so no name contains a separator or a blank.
    """
    short = name if len(name) <= 40 else f"{name[:37]}..."
    refuse_if(
        not re.fullmatch(r"[A-Za-z0-9_.]{1,100}", name),
        f'"{short}" is not a hole name: use 1 to 100 of the letters a to z, A to Z, digits, "_" and "."',
    )


@dataclass(frozen=True, repr=False)
class Board(Shape, Drawn):
    """Holes and the lines along which pegs jump; a hole's index is its bit in a position, a line gives two jumps.

    ``title``, ``default`` (compact problem, such as ``d4``) and ``numbered_from`` describe the board. They take no part
    in comparisons, like the fields of :class:`pegcp.game.lattice.Shape` that are only for drawing.
    """

    title: str = field(default="", compare=False)
    default: str | None = field(default=None, compare=False)
    numbered_from: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        refuse_if(
            isinstance(self.holes, str),
            'a Board is made of holes and lines; pegcp.board("english") finds one by its name, '
            "pegcp.problem(drawing).board reads one",
        )
        for hole in self.holes:
            check_hole_name(hole)
        refuse_if(len(set(self.holes)) < len(self.holes), "two holes of a board have the same name")
        for number, most, noun in ((len(self.holes), MOST_HOLES, "holes"), (len(self.lines), MOST_LINES, "lines")):
            refuse_if(number > most, f"a board has at most {most:,} {noun}, not {number:,}")
        for name in ("name", "title"):
            object.__setattr__(self, name, printable(getattr(self, name)))

    @cached_property
    def _hash(self) -> int:
        return hash((self.holes, self.lines, self.lattice, self.cells))

    def __hash__(self) -> int:
        return self._hash  # boards are looked up often, and large ones take a while to hash

    def __len__(self) -> int:
        return len(self.holes)

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.holes)} holes, {len(self.jumps)} jumps>"

    def __str__(self) -> str:
        title = f"{self.name}, {self.title}" if self.title else self.name
        return f"{title}: {len(self.holes)} holes, {len(self.jumps)} jumps\n{draw(self, 0, coordinates=True)}"

    def _repr_svg_(self) -> str:
        return position_svg(self, 0, labels=self.holes)

    @cached_property
    def jumps(self) -> tuple[Jump, ...]:
        """All jumps, two for each line, ordered by their holes."""
        jumps = tuple(Jump(*way) for a, over, b in self.lines for way in ((a, over, b), (b, over, a)))
        for jump in jumps:
            jump.name = jump_name(self, jump)
        return tuple(sorted(jumps))

    def name_jumps(self, jumps: Iterable[Jump]) -> tuple[Jump, ...]:
        """Return the jumps of this board that are equal to some, so that they have names; others as they are."""
        return tuple(self._own_jumps.get(jump, jump) for jump in jumps)

    @cached_property
    def _own_jumps(self) -> dict[Jump, Jump]:
        return {jump: jump for jump in self.jumps}

    @cached_property
    def full(self) -> int:
        """The position with a peg in every hole, as a bit mask."""
        return (1 << len(self.holes)) - 1

    @cached_property
    def symmetries(self) -> Group:
        """The symmetry group, as permutations of hole indices.

        On a lattice: the rotations and reflections that map the board onto itself. Elsewhere: all permutations of the
        holes that map lines to lines.
        """
        if self.lattice is not None and self.cells is not None:
            identity, *generators = self.lattice.symmetries(self.cells)
            return Group(len(identity), tuple(generators), 1 + len(generators))
        return automorphisms(len(self.holes), self.lines)

    def hole(self, name: str) -> int:
        """Return the index of the hole of that name; the ``centre`` is the only one that every symmetry keeps. If there
        is none, raises InputError, which names a similar hole."""
        if name in self._index:
            return self._index[name]
        group = self.symmetries.generators if str(name).lower() in ("center", "centre", "middle") else ()
        central = [hole for hole in range(len(self.holes)) if all(image[hole] == hole for image in group)]
        refuse_if(
            not group or len(central) != 1,
            f'{self.name} has no hole "{name}"{suggestion(name, self.holes)}; '
            f"its holes are {self.holes[0]} .. {self.holes[-1]}"
            + ", a letter for the column and a number for the row"
            * bool(self.cells and re.search(r"\d\D+\d", str(name))),
        )
        return central[0]

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.holes)}

    @cached_property
    def jumps_from(self) -> tuple[list[Jump], ...]:
        """The jumps from each hole."""
        jumps: tuple[list[Jump], ...] = tuple([] for _ in self.holes)
        for jump in self.jumps:
            jumps[jump.from_].append(jump)
        return jumps

    def has_jump(self, jump: Jump) -> bool:
        """Tell whether the three holes are a line of this board, in that order."""
        return jump in self.jumps_from[jump.from_]

    def has_hole(self, name: str) -> bool:
        """Tell whether there is a hole of that name."""
        return name in self._index

    def mask(self, holes: Iterable[str]) -> int:
        """Return the bit mask of the named holes."""
        return sum(1 << hole for hole in {self.hole(name) for name in holes})

    def names(self, mask: int) -> list[str]:
        """Return the names of the holes in a bit mask, in reading order."""
        return [name for i, name in enumerate(self.holes) if mask >> i & 1]

    def jump_names(self, jump: Jump) -> tuple[str, str, str]:
        """Return the jump's three hole names: from, over, to."""
        return self.holes[jump.from_], self.holes[jump.over], self.holes[jump.to]


def group_moves(jumps: Sequence[Jump]) -> tuple[tuple[Jump, ...], ...]:
    """Group the jumps into moves: maximal runs of jumps by the same peg."""
    groups: list[list[Jump]] = []
    for jump in jumps:
        if groups and groups[-1][-1].to == jump.from_:
            groups[-1].append(jump)
        else:
            groups.append([jump])
    return tuple(tuple(group) for group in groups)


def group_steps(jumps: Sequence[Jump]) -> list[list[Jump]]:
    """Group the jumps into steps, each jump as early as possible: just after the last jump with which it shares a hole.

    These are the fewest steps that keep the order of jumps with common holes (Foata's normal form). Within a step the
    jumps are sorted by their holes.
    """
    level: dict[int, int] = {}
    steps: list[list[Jump]] = []
    for jump in jumps:
        first = max(level.get(hole, 0) for hole in jump)
        if first == len(steps):
            steps.append([])
        steps[first].append(jump)
        level |= dict.fromkeys(jump, first + 1)
    return [sorted(step) for step in steps]


def jump_name(board: Board, jump: Jump) -> str:
    """``d2-d4``: the holes from which the peg jumps and in which it lands."""
    return f"{board.holes[jump.from_]}-{board.holes[jump.to]}"


def lattice_board(cells: Iterable[Cell], lattice: Lattice, name: str = "board", **about: str | int | None) -> Board:
    """Return a board of lattice cells; lines, names (letter = column, number = row) and symmetries follow from the
    lattice.

    The cells are moved so that the first row and the first column have number 0.
    """
    cells = set(cells)
    top, margin = min(r for r, _ in cells), min(c for _, c in cells)
    names = {(r, c): f"{column_letters(c)}{r + 1}" for r, c in sorted((r - top, c - margin) for r, c in cells)}
    lines = ((names[a], names[over], names[b]) for a, over, b in lattice.lines(names))
    return lines_board([*names.values()], lines, name, lattice=lattice, cells=tuple(names), **about)


def lines_board(
    holes: Sequence[str], lines: Iterable[tuple[str, str, str]], name: str = "board", **about: Any
) -> Board:
    """Return a board of explicit lines (end, middle, end) between named holes."""
    index = {hole: i for i, hole in enumerate(holes)}
    triples = {(min(index[a], index[b]), index[over], max(index[a], index[b])) for a, over, b in lines}
    return Board(tuple(holes), tuple(sorted(triples)), name=name, **about)


def graph_board(
    vertices: Sequence[str], edges: Iterable[tuple[str, str]], name: str = "board", **about: str | int | None
) -> Board:
    """Return a board on a graph: a jump goes along an edge and then along another (Beeler and Hoilman 2011)."""
    neighbours: dict[str, set[str]] = {v: set() for v in vertices}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    number = sum(len(around) * (len(around) - 1) // 2 for around in neighbours.values())
    refuse_if(number > MOST_LINES, f"a board has at most {MOST_LINES:,} lines; these edges make {number:,}")
    lines = ((a, over, b) for over, around in neighbours.items() for a in around for b in around if a < b)
    return lines_board(vertices, lines, name, **about)
