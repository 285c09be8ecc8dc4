"""The positions that chains reach, from the start and back from the goal, until both sides meet.

A chain is a jump or more by one peg, one after the other; proof-format.md defines the sets and says why they
decide how many moves a solution needs. A position is a word of 64 bits, and the least of its images is kept; a set is
a rising array.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pegcp.game.symmetry import Permutation, image
from pegcp.states.words import Words, contains, distinct, image_tables, least_images

MOST_HOLES = 64
_BATCH_POSITIONS = 1 << 17  # positions from which chains are made at a time


class Ends(NamedTuple):
    """A problem of at most 64 holes, and what makes its sets smaller.

    ``jumps``: from, over, to; ``start`` and ``goals``: bit masks; ``symmetries``: a group that keeps jumps and goals;
    ``regions``: bit masks of disjoint Merson regions.
    """

    holes: int
    jumps: Sequence[tuple[int, int, int]]
    start: int
    goals: Sequence[int]
    symmetries: Sequence[Permutation]
    regions: Sequence[int]


class ChainSets:
    """The sets of both sides within a number of chains. Side 0 is the start's, side 1 the goal's.

    ``levels[side][chains]``: the positions that need so many chains. ``tick`` is called with the number of positions.
    """

    def __init__(self, ends: Ends, most: int, tick: Callable[[int], None] = lambda _: None) -> None:
        self.ends, self.most, self.tick = ends, most, tick
        self.chains = [0, 0]
        self._jumps = [_by_peg(ends, back) for back in (False, True)]
        self._tables = np.moveaxis(image_tables(ends.holes, ends.symmetries), 2, 0).copy()
        sides = (np.array(masks, np.uint64) for masks in ([ends.start], ends.goals))
        self.levels = [[least_images(masks, self._tables)] for masks in sides]
        self._reached = [levels[0] for levels in self.levels]
        images = [image(symmetry, ends.start) for symmetry in ends.symmetries]
        self._fewest_full = int(self._full(np.array(images, np.uint64)).min())
        self._most_full = int(self._full(np.array(ends.goals, np.uint64)).max())
        self._dropped = False
        self._common = self._reached[0][:0]

    def meet(self) -> int | None:
        """Return the fewest chains of a solution; None if it has more than ``most``."""
        first, last = self._reached
        self._common = first[contains(last, first)]
        while not len(self._common) and sum(self.chains) < self.most:
            self._common = self._grow()
        return sum(self.chains) if len(self._common) else None

    @property
    def exhausted(self) -> bool:
        """Whether sides that have not met never will: one has all its positions, and none was dropped for ``most``."""
        return not self._dropped and not all(len(levels[-1]) for levels in self.levels)

    def _grow(self) -> Words:
        """Make one chain more on the smaller side; return positions of both sides as soon as there are some."""
        side = int(len(self.levels[1][-1]) < len(self.levels[0][-1]))
        self.chains[side] += 1
        rest = self.most - self.chains[side]
        few, many = (self._fewest_full - rest, len(self.ends.regions)) if side else (0, self._most_full + rest)
        parts = [self._reached[side][:0]]
        for after in _after_a_chain(self._jumps[side], self.levels[side][-1]):
            full = self._full(after)
            is_near = (few <= full) & (full <= many)
            self._dropped |= not is_near.all()
            images = least_images(after[is_near], self._tables)
            common = images[contains(self._reached[1 - side], images)]
            if len(common):
                return common
            if sum(self.chains) < self.most:  # the last ones are only looked up
                parts.append(images[~contains(self._reached[side], images)])
            self.tick(sum(map(len, (*self._reached, *parts))))
        if sum(self.chains) < self.most:
            self.levels[side].append(distinct(np.concatenate(parts)))
            self._reached[side] = distinct(np.concatenate([self._reached[side], self.levels[side][-1]]))
        return parts[0]

    def _full(self, positions: Words) -> NDArray[np.int64]:
        """Count the full regions of each position."""
        full = np.zeros(len(positions), np.int64)
        for region in map(np.uint64, self.ends.regions):
            full += positions & region == region
        return full

    def solution(self) -> list[int]:
        """Return the numbers of the jumps of a solution with the fewest chains, after the sides have met."""
        common = self._common[:1]
        path = [*[*self._path(0, common)][::-1], int(common[0]), *self._path(1, common)]
        position, solution = self.ends.start, list[int]()
        for least_image in path[1:]:
            position, chain = next(
                (after, chain)
                for after, chain in self._chains(position)
                if min(image(symmetry, after) for symmetry in self.ends.symmetries) == least_image
            )
            solution += chain
        return solution

    def _path(self, side: int, position: Words) -> Iterator[int]:
        """Yield positions on the way from this one to the end of a side, each a chain farther, as images."""
        for level in reversed(self.levels[side][: self.chains[side]]):
            images = least_images(np.concatenate([*_after_a_chain(self._jumps[1 - side], position)]), self._tables)
            position = images[contains(level, images)][:1]
            yield int(position[0])

    def _chains(self, position: int) -> Iterator[tuple[int, list[int]]]:
        """Yield all chains from a position, as the position after each and its jumps."""
        chains: list[tuple[int, list[int]]] = [(position, [])]
        seen = set[tuple[int, int]]()
        for before, chain in chains:  # to which longer ones are added
            for j, (a, over, b) in enumerate(self.ends.jumps):
                pegs, after = 1 << a | 1 << over, before ^ (1 << a | 1 << over | 1 << b)
                goes_on = not chain or self.ends.jumps[chain[-1]][2] == a
                if goes_on and before & pegs == pegs and not before >> b & 1 and (after, b) not in seen:
                    seen.add((after, b))
                    chains.append((after, [*chain, j]))
                    yield chains[-1]


def _by_peg(ends: Ends, back: bool) -> list[list[tuple[np.uint64, np.uint64, int]]]:
    """List the jumps, or those undone, by the hole of the peg: holes, pegs among them, and where it lands."""
    by_peg: list[list[tuple[np.uint64, np.uint64, int]]] = [[] for _ in range(ends.holes)]
    for a, over, b in ends.jumps:
        pegs = 1 << b if back else 1 << a | 1 << over
        by_peg[b if back else a].append((np.uint64(1 << a | 1 << over | 1 << b), np.uint64(pegs), a if back else b))
    return by_peg


def _after_a_chain(jumps: list[list[tuple[np.uint64, np.uint64, int]]], positions: Words) -> Iterator[Words]:
    """Yield the positions after a chain from these, many at a time."""
    for first in range(0, len(positions), _BATCH_POSITIONS):
        newest = [positions[first : first + _BATCH_POSITIONS]] * len(jumps)  # by the hole where the peg is now
        ends = [positions[:0]] * len(jumps)
        while any(map(len, newest)):
            longer: list[list[Words]] = [[part[:0]] for part in ends]
            for before, from_hole in zip(newest, jumps, strict=True):
                for mask, occupied, to in from_hole:
                    longer[to].append(before[before & mask == occupied] ^ mask)
            after = [distinct(np.concatenate(parts)) for parts in longer]
            newest = [new[~contains(end, new)] for end, new in zip(ends, after, strict=True)]
            ends = [distinct(np.concatenate(parts)) for parts in zip(ends, newest, strict=True)]
        yield np.concatenate(ends)
