"""Permutation groups of holes: the symmetries of a board and of a problem."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from struct import Struct
from typing import TypeVar

from pegcp.habits import Guided

Permutation = tuple[int, ...]
Line = tuple[int, int, int]  # end, middle, end
Element = TypeVar("Element")

LISTED = 48  # elements; the images of a position under more of them take longer than they save
_LISTED_PERMUTATIONS = 20  # permutations that are listed on boards of any size
_LISTED_POINTS = 200_000  # points of all listed permutations together
_MOST_WORK = 2_000_000  # lines read in a search for symmetries: about a second


@dataclass(frozen=True)
class Subgroup:
    """A group of permutations that is small enough to list: all its ``elements``, the identity first.

    It is closed under composition; searches that keep one position of each class rely on that. ``complete`` is True if
    it is the whole symmetry group.
    """

    elements: tuple[Permutation, ...]
    complete: bool = True

    def __iter__(self) -> Iterator[Permutation]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def fixing(self, *masks: int) -> "Subgroup":
        """Return the elements that carry each of these sets of holes (bit masks) to itself: a subgroup again."""
        return Subgroup(tuple(p for p in self.elements if all(image(p, mask) == mask for mask in masks)), self.complete)


@dataclass(frozen=True)
class Group(Guided):
    """A permutation group given by generators; ``degree`` points, ``order`` elements.

    A permutation p maps hole i to hole p[i]. ``complete`` is False if the search for symmetries took too long, so that
    there may be more.
    """

    degree: int
    generators: tuple[Permutation, ...]
    order: int
    complete: bool = True

    def elements(self) -> Iterator[Permutation]:
        """Return the elements one after the other, the identity first."""
        return _generated(self.degree, self.generators)

    def subgroup(self, most: int = LISTED) -> Subgroup:
        """Return the group itself if it has at most ``most`` elements; else a subgroup that some of its generators
        make.

        On boards of thousands of holes, ``most`` is less.
        """
        most = min(most, max(_LISTED_PERMUTATIONS, _LISTED_POINTS // max(1, self.degree)))
        generators: list[Permutation] = []
        elements = [tuple(range(self.degree))]
        for generator in self.generators:
            if 2 * len(elements) > most:  # a larger group has at least twice as many
                break
            larger = list(islice(_generated(self.degree, [*generators, generator]), most + 1))
            if len(larger) <= most:
                generators.append(generator)
                elements = larger
        return Subgroup(tuple(elements), self.complete and len(elements) == self.order)

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """Classes of points that the group carries into each other, each sorted, in order of their first point."""
        orbits: dict[int, tuple[int, ...]] = {}
        for point in range(self.degree):
            if point not in orbits:
                points = tuple(sorted(_orbit(point, self.generators)))
                orbits |= dict.fromkeys(points, points)
        return tuple(dict.fromkeys(orbits.values()))


def orbit(
    first: Element, generators: Sequence[Permutation], act: Callable[[Permutation, Element], Element]
) -> Iterator[Element]:
    """Yield the elements that generators make of the first, which comes first, when they act on it again and again."""
    elements, queue = {first}, [first]
    for element in queue:
        yield element
        for generator in generators:
            if (result := act(generator, element)) not in elements:
                elements.add(result)
                queue.append(result)


def _generated(degree: int, generators: Sequence[Permutation]) -> Iterator[Permutation]:
    """Return the elements of the group with these generators, the identity first."""
    return orbit(tuple(range(degree)), generators, lambda generator, element: tuple(generator[i] for i in element))


def _orbit(point: int, generators: Sequence[Permutation]) -> set[int]:
    """Return the points to which the group with these generators carries a point."""
    return set(orbit(point, generators, lambda generator, image: generator[image]))


def image(permutation: Permutation, mask: int) -> int:
    """Return the holes (a bit mask) to which a permutation carries those of another bit mask."""
    return sum(1 << target for hole, target in enumerate(permutation) if mask >> hole & 1)


def canonical_form(group: Subgroup) -> Callable[[int], int]:
    """Return a function that carries a position (a bit mask) to the least of its images under the elements of a group.

    A table for each byte of the position has all images of that byte side by side, as one number.
    """
    if len(group) == 1:
        return lambda mask: mask
    holes, size = len(group.elements[0]), (len(group.elements[0]) + 7) // 8
    tables = []
    for first in range(0, holes, 8):
        table = [0]
        for hole in range(first, min(first + 8, holes)):
            images = sum(1 << 8 * size * i + permutation[hole] for i, permutation in enumerate(group))
            table += [other | images for other in table]
        tables.append(table)
    fields = Struct(f"{size}s" * len(group))

    def least(mask: int) -> int:
        images = 0
        for table, byte in zip(tables, mask.to_bytes(size, "little"), strict=True):
            images |= table[byte]
        return int.from_bytes(min(fields.unpack(images.to_bytes(fields.size, "big"))), "big")

    return least


def automorphisms(points: int, lines: Sequence[Line]) -> Group:
    """Return all permutations of the points that map lines to lines, middles to middles.

    By a stabiliser chain: points are fixed one after the other until the rest follows. Then, from the last level back
    to the first, for every point that the next one might be carried to, one search finds an automorphism, which becomes
    a generator, or shows that there is none. If this takes too long, the generators found until then give a subgroup.
    """
    structure = _Structure(points, lines)
    generators: list[Permutation] = []
    order, complete = 1, False
    with suppress(_TooLong):
        base: list[int] = []
        chain = [structure.refine(base)]
        while (cell := _smallest_cell(chain[-1])) is not None:
            base.append(cell[0])
            chain.append(structure.refine(base))
        for level in reversed(range(len(base))):
            point, pins, colours = base[level], base[:level], chain[level]
            images = _orbit(point, generators)
            for target, colour in enumerate(colours):
                if target not in images and colour == colours[point]:
                    permutation = structure.automorphism((*pins, point), (*pins, target))
                    if permutation is not None:
                        generators.append(permutation)
                        images = _orbit(point, generators)
            order *= len(images)
        complete = True
    return Group(points, tuple(generators), order, complete)


class _TooLong(Exception):
    """The search for symmetries takes longer than they are worth."""


class _Structure:
    """Points and lines, for the search for automorphisms by colour refinement and individualisation."""

    def __init__(self, points: int, lines: Sequence[Line]) -> None:
        self.lines = {line for a, over, b in lines for line in ((a, over, b), (b, over, a))}
        self.around: list[list[Line]] = [[] for _ in range(points)]  # for each point: is it the middle, and the others
        for a, over, b in self.lines:
            self.around[a].append((0, over, b))
            self.around[over].append((1, a, b))
        self.work = 0

    def refine(self, pins: Sequence[int]) -> list[int]:
        """Colour the points: give each pin a colour of its own, then refine by the lines until nothing changes.

        Colours depend on the structure and the order of the pins alone, not on the numbers of the points. Raises
        _TooLong when too many lines have been looked at.
        """
        colours = [0] * len(self.around)
        for colour, pin in enumerate(pins, start=1):
            colours[pin] = colour
        number = 0
        while number < len(set(colours)):
            number = len(set(colours))
            self.work += len(colours) + 2 * len(self.lines)
            if self.work > _MOST_WORK:
                raise _TooLong
            keys = [
                (colour, tuple(sorted((middle, colours[p], colours[q]) for middle, p, q in lines)))
                for colour, lines in zip(colours, self.around, strict=True)
            ]
            rank = {key: i for i, key in enumerate(sorted(set(keys)))}
            colours = [rank[key] for key in keys]
        return colours

    def automorphism(self, before: tuple[int, ...], after: tuple[int, ...]) -> Permutation | None:
        """Return an automorphism that carries the points ``before`` to the points ``after``, or None."""
        colours, images = self.refine(before), self.refine(after)
        if sorted(colours) != sorted(images):
            return None
        cell = _smallest_cell(colours)
        if cell is not None:
            attempts = (
                self.automorphism((*before, cell[0]), (*after, target))
                for target, colour in enumerate(images)
                if colour == colours[cell[0]]
            )
            return next((permutation for permutation in attempts if permutation is not None), None)
        place = {colour: p for p, colour in enumerate(images)}
        permutation = tuple(place[colour] for colour in colours)
        return permutation if {(*(permutation[p] for p in line),) for line in self.lines} == self.lines else None


def _smallest_cell(colours: Sequence[int]) -> list[int] | None:
    """Return the points of the least frequent colour that more than one point has; None if there is no such colour."""
    cells: dict[int, list[int]] = {}
    for p, colour in enumerate(colours):
        cells.setdefault(colour, []).append(p)
    return min((cell for cell in cells.values() if len(cell) > 1), key=len, default=None)
