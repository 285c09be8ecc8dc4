"""Permutation groups of holes: the symmetries of a board and of a problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from struct import Struct

LISTED = 48  # elements; the images of a position under more of them take longer than they save

Permutation = tuple[int, ...]
Line = tuple[int, int, int]  # end, middle, end
_FEW = 20  # permutations that are listed on boards of any size
_LISTED_POINTS = 200_000  # points of all listed permutations together
_MOST_WORK = 1_000_000  # lines looked at in a search for symmetries: some seconds
Surroundings = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class Group:
    """A permutation group given by generators; ``degree`` points, ``order`` elements.

    A permutation p maps hole i to hole p[i]. ``complete`` is False if the search for symmetries was given up, so that
    there may be more.
    """

    degree: int
    generators: tuple[Permutation, ...]
    order: int
    complete: bool = True

    def elements(self) -> Iterator[Permutation]:
        """The elements one after the other, the identity first."""
        return _generated(self.degree, self.generators)

    def subgroup(self, most: int = LISTED) -> Subgroup:
        """The whole group if it has at most ``most`` elements; else as many of its generators as make no larger one.

        On boards of thousands of holes, ``most`` is less.
        """
        most = min(most, max(_FEW, _LISTED_POINTS // max(1, self.degree)))
        if self.order <= most and len(all_of_it := list(islice(self.elements(), most + 1))) <= most:
            return Subgroup(tuple(all_of_it), self.complete)
        chosen: list[Permutation] = []
        elements = [tuple(range(self.degree))]
        for generator in self.generators:
            if 2 * len(elements) > most:  # a subgroup is at most half of its group
                break
            larger = list(islice(_generated(self.degree, [*chosen, generator]), most + 1))
            if len(larger) <= most:
                chosen.append(generator)
                elements = larger
        return Subgroup(tuple(elements), complete=False)

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """Classes of points that the group carries into each other, each sorted, in order of their first point."""
        left = dict.fromkeys(range(self.degree))
        classes = []
        while left:
            classes.append(tuple(sorted(_orbit(next(iter(left)), self.generators))))
            for point in classes[-1]:
                del left[point]
        return tuple(classes)


@dataclass(frozen=True)
class Subgroup:
    """A group of permutations that is small enough to list: all its ``elements``, the identity first.

    It is closed under composition; searches that keep one position of each class rely on that. ``complete``: nothing
    was left out of the group that was asked for.
    """

    elements: tuple[Permutation, ...]
    complete: bool = True

    def __iter__(self) -> Iterator[Permutation]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def fixing(self, *masks: int) -> Subgroup:
        """The elements that carry each of these sets of holes (bit masks) to itself: a subgroup again."""
        return Subgroup(tuple(p for p in self.elements if all(image(p, mask) == mask for mask in masks)), self.complete)


def _generated(degree: int, generators: Sequence[Permutation]) -> Iterator[Permutation]:
    """The elements of the group with these generators, the identity first."""
    identity = tuple(range(degree))
    seen = {identity}
    queue = [identity]
    for element in queue:
        yield element
        for generator in generators:
            product = tuple(generator[i] for i in element)
            if product not in seen:
                seen.add(product)
                queue.append(product)


def image(permutation: Permutation, mask: int) -> int:
    """The set of holes (a bit mask) that a permutation makes of another."""
    result = 0
    i = 0
    while mask:
        if mask & 1:
            result |= 1 << permutation[i]
        mask >>= 1
        i += 1
    return result


def canonical_form(group: Subgroup) -> Callable[[int], int]:
    """A function that carries a position (a bit mask) to the least of its images under the elements of a group.

    All images are put together at once, byte by byte of the position, as one number in which they stand side by side.
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
    cut = Struct(f"{size}s" * len(group))

    def least(mask: int) -> int:
        images = 0
        for table, byte in zip(tables, mask.to_bytes(size, "little"), strict=True):
            images |= table[byte]
        return int.from_bytes(min(cut.unpack(images.to_bytes(cut.size, "big"))), "big")

    return least


def automorphisms(points: int, lines: Sequence[Line]) -> Group:
    """All permutations of the points that map lines to lines, middles to middles.

    By a stabiliser chain: points are fixed one after the other until the rest follows. Then, from the last level back
    to the first, for every point that the next one might be carried to, one search finds an automorphism, which becomes
    a generator, or shows that there is none. On boards where this would take too long, what was found until then makes
    a subgroup.
    """
    structure = _Structure(points, lines)
    generators: list[Permutation] = []
    order, complete = 1, False
    with suppress(_TooLong):
        chain = [structure.coloured(())]
        base: list[int] = []
        while (cell := structure.smallest_cell(chain[-1])) is not None:
            base.append(cell[0])
            chain.append(structure.coloured(base))
        for level in reversed(range(len(base))):
            point, fixed, colours = base[level], base[:level], chain[level]
            orbit = _orbit(point, generators)
            new = []
            for target, colour in enumerate(colours):
                if target in orbit or colour != colours[point]:
                    continue
                found = structure.isomorphism((*fixed, point), (*fixed, target), structure)
                if found is not None:
                    new.append(found)
                    orbit = _orbit(point, [*generators, *new])
            generators += new
            order *= len(orbit)
        complete = True
    return Group(points, tuple(generators), order, complete)


def isomorphism(points: int, lines: Sequence[Line], others: Sequence[Line]) -> Permutation | None:
    """A permutation of the points that maps the lines to the other lines, middles to middles; None if there is none, or
    if it would take too long to find one."""
    if len(lines) != len(others):
        return None
    with suppress(_TooLong):
        return _Structure(points, lines).isomorphism((), (), _Structure(points, others))
    return None


def _orbit(point: int, generators: Sequence[Permutation]) -> set[int]:
    orbit = {point}
    queue = [point]
    for i in queue:
        for generator in generators:
            if generator[i] not in orbit:
                orbit.add(generator[i])
                queue.append(generator[i])
    return orbit


class _TooLong(Exception):
    """The search for symmetries takes longer than they are worth."""


class _Structure:
    """Points and lines, for the search for automorphisms by colour refinement and individualisation."""

    def __init__(self, points: int, lines: Sequence[Line]) -> None:
        self.points = points
        self.lines = {(min(a, b), over, max(a, b)) for a, over, b in lines}
        self.as_end: list[list[tuple[int, int]]] = [[] for _ in range(points)]
        self.as_middle: list[list[tuple[int, int]]] = [[] for _ in range(points)]
        for a, over, b in self.lines:
            self.as_end[a].append((over, b))
            self.as_end[b].append((over, a))
            self.as_middle[over].append((a, b))
        self.around = [
            sorted({q for pair in (*self.as_end[p], *self.as_middle[p]) for q in pair}) for p in range(points)
        ]
        self.work = 0

    def coloured(self, pins: Sequence[int]) -> list[int]:
        """Colours of the points after giving each pin its own and refining until nothing changes.

        Colours depend on the structure and the order of the pins alone, not on the numbers of the points. Raises
        _TooLong when too much has been looked at.
        """
        colours = [0] * self.points
        changed = set(range(self.points))
        fresh = 1
        for pin in pins:
            colours[pin] = fresh
            fresh += 1
        size = Counter(colours)
        while changed:
            touched = changed.union(*(self.around[p] for p in changed))
            cells: dict[int, dict[Surroundings, list[int]]] = {}
            for p in touched:
                self.work += 1 + len(self.as_end[p]) + len(self.as_middle[p])
                if self.work > _MOST_WORK:
                    raise _TooLong
                cells.setdefault(colours[p], {}).setdefault(self._surroundings(p, colours), []).append(p)
            changed = set()
            for colour, parts in sorted(cells.items()):
                if sum(map(len, parts.values())) == size[colour]:  # the largest part keeps the colour
                    del parts[max(parts, key=lambda surroundings: (len(parts[surroundings]), surroundings))]
                for surroundings in sorted(parts):
                    part = parts[surroundings]
                    changed.update(part)
                    for p in part:
                        colours[p] = fresh
                    size[colour] -= len(part)
                    size[fresh] = len(part)
                    fresh += 1
        return colours

    def _surroundings(self, point: int, colours: Sequence[int]) -> Surroundings:
        """The colours on the lines through a point: of (middle, other end), or of both ends."""
        ends = sorted((colours[over], colours[end]) for over, end in self.as_end[point])
        middles = sorted((min(colours[a], colours[b]), max(colours[a], colours[b])) for a, b in self.as_middle[point])
        return tuple(ends), tuple(middles)

    def smallest_cell(self, colours: Sequence[int]) -> list[int] | None:
        """The points of the least frequent colour that more than one point has; None if there is no such colour."""
        cells: dict[int, list[int]] = {}
        for p, colour in enumerate(colours):
            cells.setdefault(colour, []).append(p)
        return min((c for c in cells.values() if len(c) > 1), key=len, default=None)

    def isomorphism(self, before: tuple[int, ...], after: tuple[int, ...], other: _Structure) -> Permutation | None:
        """An isomorphism that carries the points ``before`` to the points ``after`` of another structure with as many
        points and lines, or None if there is none."""
        left, right = self.coloured(before), other.coloured(after)
        if Counter(left) != Counter(right):
            return None
        cell = self.smallest_cell(left)
        if cell is not None:
            targets = (p for p, colour in enumerate(right) if colour == left[cell[0]])
            found = (self.isomorphism((*before, cell[0]), (*after, target), other) for target in targets)
            return next((permutation for permutation in found if permutation is not None), None)
        place = {colour: p for p, colour in enumerate(right)}
        permutation = tuple(place[colour] for colour in left)
        for a, over, b in self.lines:
            x, y = permutation[a], permutation[b]
            if (min(x, y), permutation[over], max(x, y)) not in other.lines:
                return None
        return permutation
