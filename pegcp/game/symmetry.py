"""Permutation groups of holes: the symmetries of a board and of a problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

LISTED = 48  # elements; the images of a position under more of them take longer than they save

Permutation = tuple[int, ...]
Surroundings = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class Group:
    """A permutation group given by generators; ``degree`` points, ``order`` elements.

    A permutation p maps hole i to hole p[i].
    """

    degree: int
    generators: tuple[Permutation, ...]
    order: int

    def elements(self) -> Iterator[Permutation]:
        """The elements one after the other, the identity first."""
        return _generated(self.degree, self.generators)

    def subgroup(self, most: int = LISTED) -> Subgroup:
        """The whole group if it has at most ``most`` elements; else as many of its generators as make no larger one."""
        if self.order <= most:
            return Subgroup(tuple(self.elements()))
        chosen: list[Permutation] = []
        elements = [tuple(range(self.degree))]
        for generator in self.generators:
            larger = list(islice(_generated(self.degree, [*chosen, generator]), most + 1))
            if len(larger) <= most:
                chosen.append(generator)
                elements = larger
        return Subgroup(tuple(elements), whole=False)

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """Classes of points that the group carries into each other, each sorted, in order of their first point."""
        parent = list(range(self.degree))

        def root(i: int) -> int:
            while parent[i] != i:
                i = parent[i]
            return i

        for generator in self.generators:
            for i, j in enumerate(generator):
                a, b = sorted((root(i), root(j)))
                parent[b] = a
        classes: dict[int, list[int]] = {}
        for i in range(self.degree):
            classes.setdefault(root(i), []).append(i)
        return tuple(tuple(members) for members in classes.values())


@dataclass(frozen=True)
class Subgroup:
    """A group of permutations that is small enough to list: all its ``elements``, the identity first.

    It is closed under composition, which whoever takes one position of each class relies on. ``whole`` says that
    nothing was left out of the group that was asked for.
    """

    elements: tuple[Permutation, ...]
    whole: bool = True

    def __iter__(self) -> Iterator[Permutation]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def fixing(self, *masks: int) -> Subgroup:
        """The elements that carry each of these sets of holes (bit masks) to itself: a subgroup again."""
        return Subgroup(tuple(p for p in self.elements if all(image(p, mask) == mask for mask in masks)), self.whole)


def trivial(degree: int) -> Subgroup:
    """The identity alone."""
    return Subgroup((tuple(range(degree)),))


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

    Images are put together byte by byte from tables.
    """
    identity, *others = group
    tables = [_byte_tables(permutation) for permutation in others]
    if not tables:
        return lambda mask: mask
    size = (len(identity) + 7) // 8

    def least(mask: int) -> int:
        data = mask.to_bytes(size, "little")
        best = mask
        for table in tables:
            other = 0
            for images, byte in zip(table, data, strict=True):
                other |= images[byte]
            if other < best:
                best = other
        return best

    return least


def _byte_tables(permutation: Permutation) -> list[list[int]]:
    """For each byte of a mask, the images of its 256 values."""
    tables = []
    for first in range(0, len(permutation), 8):
        block = permutation[first : first + 8]
        tables.append([sum(1 << to for bit, to in enumerate(block) if value >> bit & 1) for value in range(256)])
    return tables


def from_elements(elements: Sequence[Permutation]) -> Group:
    """The group with exactly these elements (a set closed under composition)."""
    distinct = sorted(set(elements))
    identity = tuple(range(len(distinct[0])))
    return Group(len(identity), tuple(p for p in distinct if p != identity), len(distinct))


def automorphisms(points: int, lines: Sequence[tuple[int, int, int]]) -> Group:
    """All permutations of the points that map lines to lines, middles to middles.

    A stabiliser chain: points are fixed one after the other until the rest follows. Then, from the last level back to
    the first, for every point that the next one might be carried to, one search finds an automorphism, which becomes
    a generator, or shows that there is none.
    """
    structure = _Structure(points, lines)
    chain = [structure.coloured(())]
    base: list[int] = []
    while (cell := structure.smallest_cell(chain[-1])) is not None:
        base.append(cell[0])
        chain.append(structure.coloured(base))
    generators: list[Permutation] = []
    order = 1
    for level in reversed(range(len(base))):
        point, fixed, colours = base[level], base[:level], chain[level]
        orbit = _orbit(point, generators)
        for target in range(points):
            if target in orbit or colours[target] != colours[point]:
                continue
            found = structure.isomorphism((*fixed, point), (*fixed, target))
            if found is not None:
                generators.append(found)
                orbit = _orbit(point, generators)
        order *= len(orbit)
    return Group(points, tuple(generators), order)


def _orbit(point: int, generators: Sequence[Permutation]) -> set[int]:
    orbit = {point}
    queue = [point]
    for i in queue:
        for generator in generators:
            if generator[i] not in orbit:
                orbit.add(generator[i])
                queue.append(generator[i])
    return orbit


class _Structure:
    """Points and lines, for the search for automorphisms by colour refinement and individualisation."""

    def __init__(self, points: int, lines: Sequence[tuple[int, int, int]]) -> None:
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

    def coloured(self, pins: Sequence[int]) -> list[int]:
        """Colours of the points after giving each pin its own and refining until nothing changes.

        Colours depend on the structure and the order of the pins alone, not on the numbers of the points.
        """
        colours = [0] * len(self.around)
        changed = set(range(len(colours)))
        for number, pin in enumerate(pins, start=1):
            colours[pin] = number
        fresh = len(pins) + 1
        while changed:
            touched = changed.union(*(self.around[p] for p in changed))
            cells: dict[int, dict[Surroundings, list[int]]] = {}
            for p in touched:
                cells.setdefault(colours[p], {}).setdefault(self._surroundings(p, colours), []).append(p)
            size = Counter(colours)
            changed = set()
            for colour, parts in sorted(cells.items()):
                for surroundings in sorted(parts):
                    part = parts[surroundings]
                    if len(part) < size[colour]:
                        changed.update(part)
                        for p in part:
                            colours[p] = fresh
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

    def isomorphism(self, before: tuple[int, ...], after: tuple[int, ...]) -> Permutation | None:
        """An automorphism that carries the points ``before`` to the points ``after``, or None if there is none."""
        left, right = self.coloured(before), self.coloured(after)
        if Counter(left) != Counter(right):
            return None
        cell = self.smallest_cell(left)
        if cell is not None:
            targets = (p for p, colour in enumerate(right) if colour == left[cell[0]])
            found = (self.isomorphism((*before, cell[0]), (*after, target)) for target in targets)
            return next((permutation for permutation in found if permutation is not None), None)
        place = {colour: p for p, colour in enumerate(right)}
        permutation = tuple(place[colour] for colour in left)
        for a, over, b in self.lines:
            x, y = permutation[a], permutation[b]
            if (min(x, y), permutation[over], max(x, y)) not in self.lines:
                return None
        return permutation
