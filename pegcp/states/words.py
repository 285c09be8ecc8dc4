"""Levels as sorted arrays of 64-bit words, for boards of at most 64 holes: compiled, and shared among threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from math import comb
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Subgroup, image
from pegcp.states.kernels import jumps, marks, moves, sums
from pegcp.states.kernels.jumps import LANES, PIECE, Rules
from pegcp.states.kernels.marks import Array, Flags, Marks
from pegcp.states.kernels.moves import Moves
from pegcp.states.ranks import LARGEST, Ranks
from pegcp.theory.parity import class_sets

_CHUNK = 1 << 14  # positions that a thread treats at a time
_SPARSE = 4096  # bits of a row for each position of a level: with more, a hash table is smaller and quicker
_FULL = 0.6  # of the slots of a hash table
_NONE = np.zeros(0, np.int64)
_NO_PLACES = np.zeros(0, np.int32)
_EMPTY = (np.uint64(0),)


class Words:
    """What can be done with levels. All positions of a level have as many pegs and are in the same position class.

    ``symmetries`` are a group that keeps this class; ``tick`` is called between chunks and may raise to stop the work.
    """

    def __init__(self, board: Board, symmetries: Subgroup, tick: Callable[[], None], workers: int = 2) -> None:
        self.board, self.symmetries, self.tick, self.workers = board, symmetries, tick, workers

    @cached_property
    def forwards(self) -> Rules:
        """The jumps."""
        return rules(self.board, self.symmetries, [(jump.mask, jump.needs) for jump in self.board.jumps])

    @cached_property
    def backwards(self) -> Rules:
        """The jumps taken back: a jump taken back finds one peg, where it landed."""
        return rules(self.board, self.symmetries, [(jump.mask, 1 << jump.to) for jump in self.board.jumps])

    @cached_property
    def ranks(self) -> Ranks:
        """The tables for ranks."""
        return Ranks(self.board)

    def level(self, masks: Iterable[int]) -> Array:
        """The level of some positions."""
        return np.unique(self._canonical(np.array(list(masks), np.uint64)))

    def complements(self, level: Array) -> Array:
        """The positions with pegs and vacancies exchanged."""
        found = self._canonical(level ^ np.uint64(self.board.full))
        found.sort()
        return found

    def _canonical(self, positions: Array) -> Array:
        """Replaces each position by its least image."""
        found, rows = self.forwards, self._rows(positions)
        self._shared(lambda first, last: jumps.canonical(rows, first, last, found), len(rows))
        return positions

    def after(self, level: Array) -> Array:
        """All positions one jump later."""
        return self._listed(level, self.forwards, -1)

    def before(self, level: Array) -> Array:
        """All positions one jump earlier."""
        return self._listed(level, self.backwards, 1)

    def _listed(self, level: Array, found: Rules, change: int) -> Array:
        if not len(level) or not len(self.board.jumps):
            return level[:0]
        into, new = self._neighbours(level, found, change)
        if not len(into.starts):
            return np.sort(into.words[into.words != into.empty[0]])
        after = np.empty(new, np.uint64)
        marks.listed(into, self.ranks.groups, after)
        return after

    def _neighbours(self, level: Array, found: Rules, change: int) -> tuple[Marks, int]:
        """The set of what is one jump after or before a level, and how many positions it has."""
        if not self._dense(level, change, len(level)):
            return self._hashed(level, found)
        into, rows = self._row(level, change), self._rows(level)
        return into, self._shared(lambda first, last: jumps.expand(rows, first, last, found, into), len(rows))

    def leading(self, level: Array, into: Array) -> Array:
        """The positions of a level from which a jump leads into another level."""
        return level[self._touching(level, into, self.forwards, self.backwards, 1)]

    def mirrored(self, level: Array) -> Array:
        """The positions of a level from which a jump leads to the complement of one of them.

        On complements that is a jump taken back, into the level.
        """
        flags = np.zeros(len(level), np.bool_)
        if len(level) and len(self.board.jumps):
            rows, back, target = self._rows(level ^ np.uint64(self.board.full)), self.backwards, self.marks(level)
            self._shared(lambda first, last: jumps.leads(rows, first, last, back, target, flags), len(rows))
        return level[flags]

    def following(self, level: Array, out_of: Array) -> Array:
        """The positions of a level to which a jump leads from another level."""
        return level[self._touching(level, out_of, self.backwards, self.forwards, -1)]

    def _touching(self, level: Array, others: Array, there: Rules, back: Rules, change: int) -> Flags:
        """Which positions of a level are one jump from other positions: from the fewer it is looked for."""
        flags = np.zeros(len(level), np.bool_)
        if not len(level) or not len(others) or not len(self.board.jumps):
            return flags
        rows = self._rows(level)
        if len(others) < len(level):
            target, _ = self._neighbours(others, back, change)
            self._shared(lambda first, last: marks.marked(rows, first, last, target, flags), len(rows))
        else:
            target = self.marks(others, len(level))
            self._shared(lambda first, last: jumps.leads(rows, first, last, there, target, flags), len(rows))
        return flags

    def common(self, one: Array, other: Array) -> Array:
        """The positions that are in both levels."""
        few, many = (one, other) if len(one) < len(other) else (other, one)
        if not len(few):
            return few
        at = np.searchsorted(many, few)
        at[at == len(many)] = 0
        both: Array = few[many[at] == few]
        return both

    def either(self, one: Array, other: Array) -> Array:
        """The positions that are in one of the levels or in both."""
        both = np.concatenate([one, other])
        both.sort()  # np.unique takes ten times as long
        return both[np.insert(both[1:] != both[:-1], 0, values=True)] if len(one) and len(other) else both

    def goals(self, level: Array, problem: Problem) -> Array:
        """The positions of the level that satisfy the goal."""
        match problem.goal:
            case OnePeg():
                single: Array = level[np.bitwise_count(level) == 1]
                return single
            case DeadEnd():
                return self.dead_ends(level)
            case Exact() | Partial() | Nearest():
                fixed = problem.final_pegs | problem.final_vacancies
                matching: Array = level[level & np.uint64(fixed) == np.uint64(problem.final_pegs)]
                return matching
            case _:
                assert_never(problem.goal)

    def dead_ends(self, level: Array) -> Array:
        """The positions of the level in which no jump can be made."""
        if not len(self.board.jumps):
            return level
        flags, rows, found = np.empty(len(level), np.bool_), self._rows(level), self.forwards
        self._shared(lambda first, last: jumps.stuck(rows, first, last, found, flags), len(rows))
        return level[flags]

    def most_jumps(self, level: Array) -> int:
        """The largest number of jumps that can be made in a position of the level."""
        return int(sums.most(self._rows(level), self.forwards)) if len(self.board.jumps) else 0

    def add_jumps(self, level: Array, into: Array, values: Array, counts: Array) -> None:
        """Add to the counts of a level, for each jump into the next level, the value there.

        Counts and values: a row of 64-bit words for each position, the lowest word first.
        """
        if len(level) and len(into) and len(self.board.jumps):
            target, rows = self.numbered(into, len(level)), self._rows(level)
            self._shared(
                lambda first, last: sums.add_jumps(rows, first, last, self.forwards, target, values, counts), len(rows)
            )

    def add_sets(self, level: Array, size: int, into: Array, values: Array, counts: Array) -> None:
        """Add the values after ``size`` independent jumps, for every set of them; subtract them if ``size`` is even."""
        if len(level) and len(into) and len(self.board.jumps):
            target, rows = self.numbered(into, len(level)), self._rows(level)
            self._shared(
                lambda first, last: sums.add_sets(
                    rows, first, last, self.forwards, self.apart, size, target, values, counts
                ),
                len(rows),
            )

    def average(self, level: Array, into: Array, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean value one jump later, over all jumps that can be made; those outside ``into`` have 0."""
        means = np.zeros(len(level), np.float64)
        if len(level) and len(into) and len(self.board.jumps):
            target, rows = self.numbered(into, len(level)), self._rows(level)
            self._shared(
                lambda first, last: sums.average(rows, first, last, self.forwards, target, values, means), len(rows)
            )
        return means

    def fewest_moves(self, level: Array, into: Array, after: tuple[Moves, Array] | None) -> tuple[Moves, Array]:
        """For each position the fewest moves to the goal, and the holes from which the first of them may start.

        ``after`` has the same for the level after, ``into``. A position from which no jump leads there gets any values.
        """
        found, begins = np.zeros(len(level), np.int16), np.zeros(len(level), np.uint64)
        if after is not None and len(level) and len(into) and len(self.board.jumps):
            target, rows = self.numbered(into, len(level)), self._rows(level)
            leaves = np.array([jump.from_ for jump in self.board.jumps])
            lands = np.array([[p[jump.to] for p in self.symmetries] for jump in self.board.jumps])
            there, begins_after, begins_here = after[0], self._rows(after[1]), self._rows(begins)
            self._shared(
                lambda first, last: moves.fewest(
                    rows, first, last, self.forwards, leaves, lands, target, there, begins_after, found, begins_here
                ),
                len(rows),
            )
        return found, begins

    @cached_property
    def apart(self) -> Array:
        """For each jump the later ones that have no hole in common with it, as bits of words."""
        found = self.board.jumps
        apart = np.zeros((len(found), -(-len(found) // 64)), np.uint64)
        for i, jump in enumerate(found):
            for j in range(i + 1, len(found)):
                if jump.independent_of(found[j]):
                    apart[i, j // 64] |= np.uint64(1 << j % 64)
        return apart

    def nearest(self, level: Array, sought: Nearest) -> int:
        """The position of the level that is nearest to what is sought."""
        distance = np.zeros(len(level), np.int64)
        wrong = level ^ np.uint64(sought.pegs)
        for hole, weight in enumerate(sought.weights):
            distance += (wrong >> np.uint64(hole) & np.uint64(1)).astype(np.int64) * weight
        return int(level[distance.argmin()])

    def marks(self, level: Array, queries: int = 0) -> Marks:
        """A level as a set, for so many questions."""
        dense = self._dense(level, 0, max(len(level), queries))
        found = self._row(level, 0) if dense else _table(2 * len(level))
        rows = self._rows(level)
        self._shared(lambda first, last: marks.mark_all(rows, first, last, found), len(rows))
        return found

    def numbered(self, level: Array, queries: int) -> Marks:
        """A level as a set that knows the number of each position in the level."""
        found, rows = self.marks(level, queries), self._rows(level)
        found = found._replace(numbers=np.empty(len(found.words), np.int64))
        if len(found.starts):
            marks.count_bits(found.words, found.numbers)
        else:
            self._shared(lambda first, last: marks.count(rows, first, last, found), len(rows))
        return found

    def _dense(self, level: Array, change: int, positions: int) -> bool:
        """Whether the row of bits for a level with more or fewer pegs is short, for so many positions to be marked."""
        holes = len(self.board.holes)
        halves = 64 << (holes + 1) // 2
        if holes > LARGEST or halves > _SPARSE * positions:
            return False
        row = comb(holes, int(level[0]).bit_count() + change) >> len(class_sets(self.board))
        return row + halves <= _SPARSE * positions

    def _row(self, level: Array, change: int) -> Marks:
        """The empty row of bits for the class of a level, with more or fewer pegs."""
        starts, bases = self.ranks.row(int(level[0]), int(level[0]).bit_count() + change)
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Marks(words, starts, bases, self.ranks.places, self.ranks.split, _EMPTY, _NONE)

    def _hashed(self, level: Array, found: Rules) -> tuple[Marks, int]:
        part = 1 << 12
        most = min(len(level), part * self.workers) * len(self.board.jumps)
        into, rows = _table(most), self._rows(level)
        stored = 0
        for first in range(0, len(rows), part * self.workers):
            if stored + most > _FULL * len(into.words):
                stored_words = into.words[into.words != 0].reshape(-1, 1)
                into = _table(2 * stored + most)
                marks.mark_all(stored_words, 0, stored, into)
            some, target = rows[first : first + part * self.workers], into
            stored += self._shared(lambda a, b: jumps.expand(some, a, b, found, target), len(some), part)  # noqa: B023
        return into, stored

    def _rows(self, level: Array) -> Array:
        """A level as the compiled functions take it: a row of words for each position."""
        return np.ascontiguousarray(level).reshape(len(level), 1)

    def _shared(self, work: Callable[[int, int], int], size: int, chunk: int = _CHUNK) -> int:
        """Do work for so many positions, from one to another, chunk by chunk in all threads; the sum of results."""
        chunks = iter(range(0, size, chunk))

        def some() -> int:
            total = 0
            for begin in chunks:
                self.tick()
                total += work(begin, min(begin + chunk, size))
            return total

        if self.workers == 1 or size <= chunk:
            return some()
        with ThreadPoolExecutor(self.workers - 1) as pool:
            others = [pool.submit(some) for _ in range(self.workers - 1)]
            try:
                return some() + sum(other.result() for other in others)
            except BaseException:
                for _ in chunks:  # leaves nothing for the others to do
                    pass
                raise


def _table(positions: int) -> Marks:
    """An empty hash table with room for so many positions."""
    bits = max(10, int(positions / _FULL).bit_length())
    return Marks(np.zeros(1 << bits, np.uint64), _NONE, _NONE, _NO_PLACES, 64 - bits, _EMPTY, _NONE)


def rules(board: Board, symmetries: Subgroup, flips: Sequence[tuple[int, int]]) -> Rules:
    """The tables for jumps given as (holes that change, holes that must have pegs) and for symmetries."""
    pieces = -(-len(board.holes) // PIECE)
    lanes = LANES if len(symmetries) > 1 else 1
    padded = [*symmetries, *[symmetries.elements[0]] * (-len(symmetries) % lanes)]
    values = np.arange(1 << PIECE, dtype=np.uint64)
    legal = np.zeros((pieces, len(values), -(-len(flips) // 64)), np.uint64)
    images = np.zeros((pieces, len(values), 1, len(padded)), np.uint64)
    low = (1 << PIECE) - 1
    for piece in range(pieces):
        shift = PIECE * piece
        for j, (mask, pegs) in enumerate(flips):
            fits = values & np.uint64(mask >> shift & low) == np.uint64(pegs >> shift & low)
            legal[piece, fits, j // 64] |= np.uint64(1 << j % 64)
        for hole in range(shift, min(shift + PIECE, len(board.holes))):
            has = values >> np.uint64(hole - shift) & np.uint64(1) != 0
            images[piece, has] |= np.array([1 << p[hole] for p in padded], np.uint64)
    changes = np.array([[[image(p, mask) for p in padded]] for mask in [*(mask for mask, _ in flips), 0]], np.uint64)
    return Rules(legal, images, changes, (pieces,), (0,) * lanes)
