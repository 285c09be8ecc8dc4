"""Levels as sorted arrays of 64-bit words, or of rows of two such words: compiled, and shared among threads.

A position on a board of more than 64 holes has two words, that of the higher holes first. Sets of such positions are
always hash tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from math import comb
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Nearest, OnePeg, Partial
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, Subgroup, image
from pegcp.states.kernels import jumps, marks, moves, sums
from pegcp.states.kernels.jumps import LANES, PIECE, Rules, Scales
from pegcp.states.kernels.marks import Array, Flags, Marks
from pegcp.states.kernels.moves import Moves
from pegcp.states.positions import WORD, first, masks, place, rank
from pegcp.states.ranks import LARGEST, Ranks
from pegcp.theory.parity import class_sets

_CHUNK = 1 << 14  # positions that a thread treats at a time
_PART = 1 << 12  # the same where a hash table grows: its new size follows from the jumps of so many positions
_LISTS = 64  # that a row of bits makes, one after the other
_SPARSE = 4096  # bits of a row for each position of a level: with more, a hash table is smaller and quicker
_FULL = 0.6  # of the slots of a hash table
_SLOTS = 1 << 28  # of a hash table, where several will do
_NONE = np.zeros(0, np.int64)
_NO_PLACES = np.zeros(0, np.int32)
_FEW = 64  # positions that are looked for one by one
_ALL = (1 << WORD) - 1


class Weights(NamedTuple):
    """Bounds on positions: ``holes``, the weights of the holes, a row for each bound, and the ``least`` weights.

    What any pegs weigh more or less than a least weight fits a signed byte. No jump, or no jump taken back, lets a
    weight grow.
    """

    holes: NDArray[np.int16]
    least: NDArray[np.int16]


class Words:
    """What can be done with levels. All positions of a level have as many pegs and are in the same position class.

    ``symmetries`` are a group that keeps this class; ``tick`` is called between chunks and may raise to stop the work.
    """

    def __init__(self, board: Board, symmetries: Subgroup, tick: Callable[[], None], workers: int = 2) -> None:
        self.board, self.symmetries, self.tick, self.workers = board, symmetries, tick, workers
        self.words = -(-len(board.holes) // WORD)

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

    def array(self, masks: Sequence[int]) -> Array:
        """Positions as an array, in the same order."""
        rows = [[mask >> WORD * word & _ALL for word in reversed(range(self.words))] for mask in masks]
        found = np.array(rows, np.uint64).reshape(len(rows), self.words)
        return found.reshape(-1) if self.words == 1 else found

    def _rows(self, level: Array) -> Array:
        """A level as the compiled functions take it: a row of words for each position."""
        return np.ascontiguousarray(level).reshape(len(level), self.words)

    def _sorted(self, level: Array) -> Array:
        """The positions in rising order; the array is used up."""
        if self.words == 1:
            level.sort()
            return level
        found: Array = marks.in_order(np.array(level), np.empty_like(level))  # np.lexsort takes three times as long
        return found

    def reversed(self, level: Array, reversal: Permutation) -> Array:
        """The complements of the positions, carried by a symmetry."""
        found, carrying = level ^ self.array([self.board.full]), self._carrying(reversal)
        rows = self._rows(found)
        self._shared(lambda first, last: jumps.canonical(rows, first, last, carrying), len(rows))
        return self._sorted(found)

    def _carrying(self, reversal: Permutation) -> Rules:
        """The tables for the least image after a symmetry of the board."""
        return rules(self.board, Subgroup(tuple(tuple(p[hole] for hole in reversal) for p in self.symmetries)), [])

    def after(self, level: Array, weights: Weights | None = None) -> Array:
        """All positions one jump later that weigh enough."""
        return self._listed(level, self.forwards, -1, weights)

    def before(self, level: Array, weights: Weights | None = None) -> Array:
        """All positions one jump earlier that weigh enough."""
        return self._listed(level, self.backwards, 1, weights)

    def _listed(self, level: Array, found: Rules, change: int, weights: Weights | None) -> Array:
        if not len(level) or not len(self.board.jumps):
            return level[:0]
        scales = [] if weights is None else self._scales(weights)
        if self.dense(level, change, len(level)):
            return self._heavy(self._positions(*self._in_row(level, found, change)), scales)
        if scales:  # what is left out so soon needs no room in a table; in a row of bits it does not matter
            found = found._replace(scales=scales[0])
        parts: list[Array] = []
        for table in self._tables(level, found, change, _SLOTS):
            parts.append(self._heavy(self._sorted(self._filled(table)), scales))
            parts = [self._together(parts)]  # at once, since they have much in common
        return parts[0]

    def _positions(self, row: Marks, size: int) -> Array:
        """The positions of a row of bits, so many."""
        found, halves = np.empty(size, np.uint64), len(row.bases)
        chunk = halves if size < _CHUNK else -(-halves // _LISTS)
        begins = marks.ones_before(row.words, row.starts[:halves:chunk])
        self._shared(
            lambda first, last: marks.listed(row, self.ranks.groups, first, last, begins[first // chunk], found),
            halves,
            chunk,
        )
        return found

    def _heavy(self, level: Array, scales: Sequence[Scales]) -> Array:
        """The positions of a level that weigh enough; its array is used up."""
        kept = self._rows(level)
        for eight in scales:
            kept = kept[: jumps.keep(kept, self.forwards.pieces, eight)]
        if len(kept) == len(level):
            return level
        return kept[:, 0].copy() if self.words == 1 else kept.copy()

    def _scales(self, weights: Weights) -> list[Scales]:
        """The tables for bounds, eight by eight."""
        missing = -len(weights.least) % 8  # bounds that all positions keep
        holes, least = np.pad(weights.holes, ((0, missing), (0, 0))), np.pad(weights.least, (0, missing))
        values = np.arange(1 << PIECE)[:, None] >> np.arange(PIECE) & 1
        pieces = [piece for word in _pieces(self.board) for piece in word]
        from_, over, to = np.array(self.board.jumps).T
        found = []
        for begin in range(0, len(least), 8):
            eight, bound = holes[begin : begin + 8], least[begin : begin + 8]
            tables = np.array([_bytes(values[:, : len(piece)] @ eight[:, piece].T) for piece in pieces])
            losses = _bytes(np.abs(eight[:, from_] + eight[:, over] - eight[:, to]).T)
            found.append(Scales(np.uint64(_bytes(128 - bound)), tables, losses))
        return found

    def _neighbours(self, level: Array, found: Rules, change: int) -> Marks:
        """The set of what is one jump after or before a level."""
        if self.dense(level, change, len(level)):
            return self._in_row(level, found, change)[0]
        [table] = self._tables(level, found, change)
        return table

    def _in_row(self, level: Array, found: Rules, change: int) -> tuple[Marks, int]:
        """The same as a row of bits, and how many positions it has."""
        into, rows = self._row(level, change), self._rows(level)
        return into, self._shared(lambda first, last: jumps.expand(rows, first, last, found, into), len(rows))

    def leading(self, level: Array, into: Array) -> Array:
        """The positions of a level from which a jump leads into another level."""
        return level[self._touching(level, into, self.forwards, self.backwards, 1)]

    def mirrored(self, level: Array, reversal: Permutation, weights: Weights | None = None) -> Array:
        """The positions of a level, one peg more than vacancies, from which a jump leads to one of it reversed.

        From the position reversed that is a jump taken back, into the level. If weights are given, all positions of the
        level weigh enough.
        """
        flags = np.zeros(len(level), np.bool_)
        if len(level) and len(self.board.jumps):
            # Any image of a position does, so none is needed where the complements themselves are meant.
            itself = reversal == self.symmetries.elements[0]
            back, carrying = self.backwards, None if itself else self._carrying(reversal)
            if weights is not None:
                back = back._replace(scales=self._scales(weights)[0])
            for part in self._parts(level):
                into = self.marks(part)

                def some(first: int, last: int, into: Marks = into) -> int:
                    flags[first:last] |= self._leads(level[first:last], carrying, back, into)
                    return last - first

                self._shared(some, len(level))
        return level[flags]

    def _leads(self, some: Array, carrying: Rules | None, back: Rules, into: Marks) -> Flags:
        """From which positions, reversed, a jump taken back leads into a set."""
        rows, found = self._rows(some ^ self.array([self.board.full])), np.empty(len(some), np.bool_)
        if carrying is not None:
            jumps.canonical(rows, 0, len(rows), carrying)
        jumps.leads(rows, 0, len(rows), back, into, found)
        return found

    def following(self, level: Array, out_of: Array) -> Array:
        """The positions of a level to which a jump leads from another level."""
        return level[self._touching(level, out_of, self.backwards, self.forwards, -1)]

    def _touching(self, level: Array, others: Array, there: Rules, back: Rules, change: int) -> Flags:
        """Which positions of a level are one jump from other positions: from the fewer it is looked for."""
        flags = np.zeros(len(level), np.bool_)
        if not len(level) or not len(others) or not len(self.board.jumps):
            return flags
        if len(others) < len(level):
            return self._marked(level, self._neighbours(others, back, change))
        target, rows = self.marks(others, len(level)), self._rows(level)
        self._shared(lambda first, last: jumps.leads(rows, first, last, there, target, flags), len(rows))
        return flags

    def common(self, one: Array, other: Array) -> Array:
        """The positions that are in both levels."""
        few, many = (one, other) if len(one) < len(other) else (other, one)
        if len(few) <= _FEW:
            return few[np.array([place(many, position) is not None for position in masks(few)], np.bool_)]
        found = []
        for part in self._parts(few):
            span = many[rank(many, first(part)) : rank(many, first(part[-1:]) + 1)]
            found.append(span[self._marked(span, self.marks(part, len(span)))])
        return np.concatenate(found)

    def _parts(self, level: Array) -> list[Array]:
        """A level in parts whose sets are not too large."""
        size = int(_FULL * _SLOTS) // 2
        return [level[begin : begin + size] for begin in range(0, len(level), size)]

    def either(self, one: Array, other: Array) -> Array:
        """The positions that are in one of the levels or in both."""
        return self._together([one, other])

    def _together(self, levels: list[Array]) -> Array:
        """The positions that are in any of some levels; their list is emptied."""
        if len(levels) == 1:
            return levels.pop()
        every = np.concatenate(levels)
        levels.clear()
        every = self._sorted(every)  # np.unique takes ten times as long
        rows = self._rows(every)
        return every[np.insert((rows[1:] != rows[:-1]).any(axis=1), 0, values=True)] if len(every) else every

    def _marked(self, level: Array, target: Marks) -> Flags:
        """Which positions of a level are in a set."""
        flags, rows = np.empty(len(level), np.bool_), self._rows(level)
        self._shared(lambda first, last: marks.marked(rows, first, last, target, flags), len(rows))
        return flags

    def goals(self, level: Array, problem: Problem) -> Array:
        """The positions of the level that satisfy the goal."""
        return level[self.are_goals(level, problem)]

    def are_goals(self, level: Array, problem: Problem) -> Flags:
        """Which positions of the level satisfy the goal."""
        rows = self._rows(level)
        match problem.goal:
            case OnePeg():
                single: Flags = np.bitwise_count(rows).sum(axis=1) == 1
                return single
            case DeadEnd():
                return self.are_dead_ends(level)
            case Exact() | Partial() | Nearest():
                fixed = self._rows(self.array([problem.final_pegs | problem.final_vacancies]))
                matching: Flags = (rows & fixed == self._rows(self.array([problem.final_pegs]))).all(axis=1)
                return matching
            case _:
                assert_never(problem.goal)

    def are_dead_ends(self, level: Array) -> Flags:
        """Which positions of the level have no jump."""
        flags, rows, found = np.ones(len(level), np.bool_), self._rows(level), self.forwards
        if len(self.board.jumps):
            self._shared(lambda first, last: jumps.stuck(rows, first, last, found, flags), len(rows))
        return flags

    def dead_ends(self, level: Array) -> Array:
        """The positions of the level in which no jump can be made."""
        return level[self.are_dead_ends(level)]

    def ending(self, level: Array) -> Array:
        """The positions of the level from which a jump leads to a dead end."""
        flags, rows, found = np.zeros(len(level), np.bool_), self._rows(level), self.forwards
        if len(self.board.jumps):
            apart = self.apart
            self._shared(lambda first, last: jumps.ending(rows, first, last, found, apart, flags), len(rows))
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
                    rows, first, last, self.forwards, self.apart_later, size, target, values, counts
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
        found, begins = np.zeros(len(level), np.int16), np.zeros_like(level)
        if after is not None and len(level) and len(into) and len(self.board.jumps):
            target, rows = self.numbered(into, len(level)), self._rows(level)
            bits = np.array([64 * (self.words - 1 - i // WORD) + i % WORD for i in range(len(self.board.holes))])
            leaves = bits[[jump.from_ for jump in self.board.jumps]]
            lands = bits[[[p[jump.to] for p in self.symmetries] for jump in self.board.jumps]]
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
        """For each jump those that have no hole in common with it, as bits of words."""
        found = self.board.jumps
        apart = np.zeros((len(found), -(-len(found) // 64)), np.uint64)
        for i, jump in enumerate(found):
            for j, other in enumerate(found):
                if jump.independent_of(other):
                    apart[i, j // 64] |= np.uint64(1 << j % 64)
        return apart

    @cached_property
    def apart_later(self) -> Array:
        """For each jump those later ones that have no hole in common with it, as bits of words."""
        earlier = np.tril(np.ones((len(self.apart), 64 * self.apart.shape[1]), np.uint8))
        return self.apart & ~np.packbits(earlier, axis=1, bitorder="little").view(np.uint64)

    def nearest(self, level: Array, sought: Nearest) -> int:
        """The position of the level that is nearest to what is sought."""
        distance = np.zeros(len(level), np.int64)
        for wrong, weight in zip(self._holes(level ^ self.array([sought.pegs])), sought.weights, strict=True):
            distance += wrong * weight
        return first(level[distance.argmin() :])

    def lighter(self, level: Array, weights: Weights) -> Flags:
        """Which positions weigh less than the least weights: a row for each position, a column for each bound."""
        # Not by "@" of floating-point numbers: its threads wait at the cost of those of the searches.
        found = np.zeros((len(weights.least), len(level)), np.int16)
        for pegs, column in zip(self._holes(level), weights.holes.T, strict=True):
            found += column[:, None] * pegs.astype(np.int16)
        lighter: Flags = np.less(found.T, weights.least)
        return lighter

    def _holes(self, level: Array) -> Iterator[NDArray[np.int64]]:
        """For each hole which positions have a peg there, 0 or 1."""
        rows = self._rows(level)
        for hole in range(len(self.board.holes)):
            yield (rows[:, -1 - hole // WORD] >> np.uint64(hole % WORD) & np.uint64(1)).astype(np.int64)

    def marks(self, level: Array, queries: int = 0) -> Marks:
        """A level as a set, for so many questions."""
        dense = self.dense(level, 0, max(len(level), queries))
        found = self._row(level, 0) if dense else self._table(2 * len(level), level, 0)
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

    def dense(self, level: Array, change: int, positions: int) -> bool:
        """Whether the row of bits for a level with more or fewer pegs is short, for so many positions to be marked."""
        holes = len(self.board.holes)
        halves = 64 << (holes + 1) // 2
        if self.words > 1 or holes > LARGEST or halves > _SPARSE * positions:
            return False
        row = comb(holes, first(level).bit_count() + change) >> len(class_sets(self.board))
        return row + halves <= min(_SPARSE * positions, 64 * _SLOTS)

    def _row(self, level: Array, change: int) -> Marks:
        """The empty row of bits for the class of a level, with more or fewer pegs."""
        starts, bases = self.ranks.row(first(level), first(level).bit_count() + change)
        words = np.zeros(int(starts[-1]) // 64 + 1, np.uint64)
        return Marks(words, starts, bases, self.ranks.places, self.ranks.split, (np.uint64(0),), _NONE)

    def _tables(self, level: Array, found: Rules, change: int, slots: int | None = None) -> Iterator[Marks]:
        """What is one jump after or before a level: one hash table, or several one after the other of so many slots.

        A position may be in several of them. Each is emptied to make the next.
        """
        rows, stored = self._rows(level), 0
        into = self._table(len(level) if slots is None else min(len(level), int(_FULL * slots) - 1), level, change)
        for begin in range(0, len(rows), _PART * self.workers):
            some = rows[begin : begin + _PART * self.workers]
            most = stored + self._shared(partial(jumps.ways, some, rules=found), len(some))
            if most > _FULL * len(into.words) / self.words:
                if slots is not None and stored and len(into.words) >= slots * self.words:
                    yield into
                    into.words.reshape(-1, self.words)[:] = into.empty
                    stored = 0
                else:
                    before = self._rows(self._filled(into))
                    into = self._table(2 * most, level, change)
                    marks.mark_all(before, 0, stored, into)
            stored += self._shared(partial(jumps.expand, some, rules=found, marks=into), len(some), _PART)
        yield into

    def _table(self, positions: int, level: Array, change: int) -> Marks:
        """An empty hash table with room for so many positions with more or fewer pegs than those of a level."""
        bits = max(10, int(positions / _FULL).bit_length())
        pegs, rest = first(level).bit_count() + change, len(self.board.holes) % WORD
        # A word that is no word of any position: not even with all pegs, or not even with all other holes full.
        empty = [_ALL if pegs < WORD or (rest and not word) else 0 for word in range(self.words)]
        words = np.empty((1 << bits, self.words), np.uint64)
        words[:] = empty
        return Marks(words.reshape(-1), _NONE, _NONE, _NO_PLACES, 64 - bits, tuple(np.array(empty, np.uint64)), _NONE)

    def _filled(self, table: Marks) -> Array:
        """The positions in a hash table."""
        found: Array = table.words.reshape(-1, self.words)
        found = found[found[:, 0] != table.empty[0]]
        return found.reshape(-1) if self.words == 1 else found

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


def rules(board: Board, symmetries: Subgroup, flips: Sequence[tuple[int, int]]) -> Rules:
    """The tables for jumps given as (holes that change, holes that must have pegs) and for symmetries."""
    lanes = LANES if len(symmetries) > 1 else 1
    padded = [*symmetries, *[symmetries.elements[0]] * (-len(symmetries) % lanes)]
    pieces, order = _pieces(board), list(reversed(range(-(-len(board.holes) // WORD))))

    def cut(masks: Sequence[int]) -> Array:
        """The words of some masks, word by word."""
        return np.array([[mask >> WORD * word & _ALL for mask in masks] for word in order], np.uint64)

    values = np.arange(1 << PIECE, dtype=np.uint64)
    legal = np.zeros((sum(map(len, pieces)), len(values), -(-len(flips) // 64)), np.uint64)
    images = np.zeros((len(legal), len(values), len(order), len(padded)), np.uint64)
    for piece, holes in enumerate(holes for of_word in pieces for holes in of_word):
        low = (1 << len(holes)) - 1
        for j, (mask, pegs) in enumerate(flips):
            fits = values & np.uint64(mask >> holes.start & low) == np.uint64(pegs >> holes.start & low)
            legal[piece, fits, j // 64] |= np.uint64(1 << j % 64)
        for bit, hole in enumerate(holes):
            has = values >> np.uint64(bit) & np.uint64(1) != 0
            images[piece, has] |= cut([1 << p[hole] for p in padded])
    changes = np.array([cut([image(p, mask) for p in padded]) for mask in [*(mask for mask, _ in flips), 0]])
    none = Scales(np.uint64(0), np.zeros((0, 0), np.uint64), np.zeros(0, np.uint64))
    return Rules(legal, images, changes, tuple(map(len, pieces)), (0,) * lanes, none)


def _pieces(board: Board) -> list[list[range]]:
    """The holes of each piece of each word of a position, the highest word first."""
    words = reversed([range(len(board.holes))[begin : begin + WORD] for begin in range(0, len(board.holes), WORD)])
    return [[word[begin : begin + PIECE] for begin in range(0, len(word), PIECE)] for word in words]


def _bytes(values: NDArray[np.int16]) -> Array:
    """Eight numbers, the last axis, in the bytes of a word, the first in the lowest; what exceeds a byte is carried."""
    found: Array = (values.astype(np.int64) << 8 * np.arange(8)).sum(axis=-1).astype(np.uint64)
    return found
