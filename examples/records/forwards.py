"""The English and the French board without pegcp: numbers of solutions and longest sweeps of pairs.

Run it with:  python examples/records/forwards.py BOARD[:START[->FINISH]] ... > examples/records/forwards.jsonl
or:           python examples/records/forwards.py order BOARD[:START] ... > examples/records/forwards_order.jsonl

Shares no code with pegcp. A position is given by all holes but d6, e6, d7 and e7, which follow from the others, since
the four parities that no jump changes (de Bruijn 1972) are those of the start. So a set is a row of bits: 2 ** 29 of
them, 64 MB, on the English board, 2 ** 33, 1 GB, on the French one. The first six holes are the bit in a word, and 64
positions jump by one instruction. ``spread`` makes what can be reached from the start, level by level; then, by jumps
taken back from the goal, what of it can be won. Over these positions the numbers of ways to reach them are added up
from the start, modulo 2 ** 64; with ``order``, up to the order of jumps without a common hole (Cartier and Foata
1969), for all last pegs of a vacancy at once. Costs go to standard error. One line of JSON for each pair.
"""

from __future__ import annotations

import sys
from itertools import groupby, product
from typing import NamedTuple

import numpy as np
from words import Array, Word, compiled, fill, in_words, larger_set, lowest, ones, tell

ROWS = {  # how many holes each row has
    "english": (3, 3, 7, 7, 7, 3, 3),
    "french": (3, 5, 7, 7, 7, 5, 3),
    "square5": (5,) * 5,
    "square6": (6,) * 6,
}
BLOCK = 256  # words; so many jump one after the other by the same jump, so that what they reach is near, too


class Jumps(NamedTuple):
    """All jumps, or all jumps taken back, as arrays."""

    fits: Array  # where in a word a jump fits, for each value of the last four holes at the word's first position
    flips: Array  # what it changes in the number of a word
    needs: Array  # what of that are pegs before
    moves: Array  # by how much it moves a bit in the word to the right


class Board:
    """The holes and jumps of a board, and the arrays for its sets."""

    def __init__(self, rows: tuple[int, ...]) -> None:
        n = len(rows)
        everything = [(x, y) for y, width in enumerate(rows) for x in range(n) if abs(2 * x + 1 - n) < width]
        x, y = everything[-1]
        last = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)]
        self.holes = [hole for hole in everything if hole not in last] + last
        self.free = len(self.holes) - 4
        at = {hole: i for i, hole in enumerate(self.holes)}
        self.names = ["abcdefg"[x] + str(y + 1) for x, y in self.holes]
        self.images = [  # where each symmetry carries each hole
            [at[(x, y, n - 1 - x, n - 1 - y)[i], (x, y, n - 1 - x, n - 1 - y)[j]] for x, y in self.holes]
            for i, j in product(range(4), range(4))
            if i % 2 != j % 2
        ]
        self.jumps = [  # from, over, to
            (at[x, y], at[x + dx, y + dy], at[x + 2 * dx, y + 2 * dy])
            for (x, y), (dx, dy) in product(self.holes, ((1, 0), (-1, 0), (0, 1), (0, -1)))
            if (x + dx, y + dy) in at and (x + 2 * dx, y + 2 * dy) in at
        ]
        self.change = self._change()
        self.inside = np.array([self.last_four(bits) for bits in range(64)], np.uint64)
        self.counts = np.zeros((16, 11), np.uint64)  # where in a word, by the last four, are how many pegs
        for four, bits in product(range(16), range(64)):
            self.counts[four, bits.bit_count() + (four ^ int(self.inside[bits])).bit_count()] |= np.uint64(1 << bits)
        self.forth, self.back = self._jumps((1, 1, 0)), self._jumps((0, 0, 1))

    def _change(self) -> list[int]:
        """For each free hole the change of the last four that keeps all parities, as bits; solved by trying."""

        def parities(holes: list[int]) -> tuple[int, ...]:
            found = []
            for sign in (1, -1):
                of = [(self.holes[hole][0] + sign * self.holes[hole][1]) % 3 for hole in holes]
                count = [of.count(colour) for colour in range(3)]
                found += [(count[0] + count[1]) % 2, (count[1] + count[2]) % 2]
            return tuple(found)

        by = {parities([self.free + i for i in range(4) if four >> i & 1]): four for four in range(16)}
        assert len(by) == 16
        return [by[parities([hole])] for hole in range(self.free)]

    def last_four(self, mask: int) -> int:
        """What pegs in free holes change in the last four."""
        found = 0
        for hole, change in enumerate(self.change):
            found ^= change * (mask >> hole & 1)
        return found

    def _jumps(self, pegs: tuple[int, int, int]) -> Jumps:
        """The jumps of positions with such pegs in a jump's three holes."""
        fits = np.zeros((16, len(self.jumps)), np.uint64)
        for four, bits, (j, jump) in product(range(16), range(64), enumerate(self.jumps)):
            position = bits | (four ^ int(self.inside[bits])) << self.free
            known = [(hole, peg) for hole, peg in zip(jump, pegs, strict=True) if hole < 6 or hole >= self.free]
            if all(position >> hole & 1 == peg for hole, peg in known):
                fits[four, j] |= np.uint64(1 << bits)
        outside = [
            [(hole - 6, peg) for hole, peg in zip(jump, pegs, strict=True) if 6 <= hole < self.free]
            for jump in self.jumps
        ]
        flips = [sum(1 << hole for hole, _ in jump) for jump in outside]
        needs = [sum(peg << hole for hole, peg in jump) for jump in outside]
        moves = [
            sum((1, -1)[not peg] << hole for hole, peg in zip(jump, pegs, strict=True) if hole < 6)
            for jump in self.jumps
        ]
        return Jumps(fits, np.array(flips, np.uint64), np.array(needs, np.uint64), np.array(moves, np.int64))

    def four(self, position: int) -> Array:
        """For the low 14 and the other bits of the number of a word, the last four in the class of a position."""
        odd = position >> self.free ^ self.last_four(position)
        found = np.zeros((2, 1 << 14), np.uint64)
        for half, bits in product((0, 1), range(1 << 14)):
            found[half, bits] = self.last_four(bits << (6 + 14 * half))
        found[0] ^= np.uint64(odd)
        return found

    def place(self, position: int) -> tuple[int, int]:
        """The number of a position's word, and the bit in it."""
        index = position & ((1 << self.free) - 1)
        return index >> 6, index & 63

    def pairs(self) -> list[tuple[int, int]]:
        """The vacancies and last pegs that the parities allow, up to symmetry."""
        full, found = (1 << len(self.holes)) - 1, []
        in_rows = sorted(range(len(self.holes)), key=lambda hole: self.holes[hole][::-1])
        seen = set[tuple[int, int]]()
        for start, goal in product(in_rows, in_rows):
            one, other = full ^ 1 << start, 1 << goal
            same = (one ^ other) >> self.free == self.last_four(one ^ other)
            if same and (start, goal) not in seen:
                found.append((start, goal))
                seen |= {(image[start], image[goal]) for image in self.images}
        return found


@compiled
def last(word: Word, four: Array) -> Word:
    """The last four holes of the first position of a word."""
    return four[0, word & np.uint64(0x3FFF)] ^ four[1, word >> np.uint64(14)]


@compiled
def moved(bits: Word, by: int) -> Word:
    """The bits moved to the right, or to the left."""
    return bits >> np.uint64(by) if by >= 0 else bits << np.uint64(-by)


@compiled
def steps(bits: Array, block: int, pegs: int, four: Array, counts: Array, jumps: Jumps, found: Array) -> int:
    """The jumps of a block's positions with a number of pegs: word, the one after, which positions of it, jump."""
    fits, flips, needs, moves = jumps
    words, outer = np.empty((3, BLOCK), np.uint64), ~np.uint64(BLOCK - 1)
    active, n = 0, 0
    for w in range(block, min(block + BLOCK, bits.size)):
        low = pegs - np.int64(ones(w))
        if 0 <= low <= 10 and bits[w]:
            o = last(np.uint64(w), four)
            words[0, active], words[1, active], words[2, active] = np.uint64(w), o, bits[w] & counts[o, low]
            active += words[2, active] != 0
    for j in range(flips.size if active else 0):
        if (np.uint64(block) & flips[j] ^ needs[j]) & outer:
            continue
        for i in range(active):
            fit = words[2, i] & fits[words[1, i], j]
            if fit and words[0, i] & flips[j] == needs[j]:
                found[n, 0], found[n, 1], found[n, 2] = words[0, i], words[0, i] ^ flips[j], moved(fit, moves[j])
                found[n, 3] = np.uint64(j)
                n += 1
    return n


@compiled
def spread(bits: Array, within: Array, pegs: int, four: Array, counts: Array, jumps: Jumps) -> None:
    """Add to a set what of another is one jump after its positions with a number of pegs."""
    found = np.empty((BLOCK * jumps.flips.size, 4), np.uint64)
    for block in range(0, bits.size, BLOCK):
        for i in range(steps(bits, block, pegs, four, counts, jumps, found)):
            to = found[i, 1]
            bits[to] |= found[i, 2] & within[to]


@compiled
def ranks(bits: Array) -> tuple[Array, Word]:
    """How many positions are in the words before each word, and in all."""
    before, n = np.empty(bits.size, np.uint32), np.uint64(0)
    for w in range(bits.size):
        before[w] = n
        n += ones(bits[w])
    return before, n


@compiled
def rank(word: Word, bit: Word, bits: Array, before: Array) -> Word:
    """The place of a position among those of a set."""
    return np.uint64(before[word]) + ones(bits[word] & (bit - np.uint64(1)))


@compiled
def add(ways: Array, bits: Array, before: Array, pegs: int, four: Array, counts: Array, jumps: Jumps) -> None:
    """Add the numbers of ways to the positions with a number of pegs to those one jump on."""
    found = np.empty((BLOCK * jumps.flips.size, 4), np.uint64)
    for block in range(0, bits.size, BLOCK):
        for i in range(steps(bits, block, pegs, four, counts, jumps, found)):
            word, to = found[i, 0], found[i, 1]
            hits, by = found[i, 2] & bits[to], jumps.moves[found[i, 3]]
            while hits:
                bit = hits & (~hits + np.uint64(1))
                hits ^= bit
                ways[rank(to, bit, bits, before)] += ways[rank(word, moved(bit, -by), bits, before)]


@compiled
def order(
    traces: Array,
    bits: Array,
    before: Array,
    pegs: int,
    free: int,
    four: Array,
    inside: Array,
    flips: Array,
    taken: Array,
) -> None:
    """Fill in the ways to positions with a number of pegs, up to the order of jumps without a common hole.

    The sum over all sets of such jumps that can be taken back of the ways before them; minus where they are even.
    """
    one, low = np.uint64(1), (np.uint64(1) << np.uint64(free)) - np.uint64(1)
    made, jump, changes = np.zeros((14, 2), np.uint64), np.zeros(14, np.int64), np.zeros(flips.size, np.uint64)
    for w in range(bits.size):
        word, rest, here = bits[w], last(np.uint64(w), four), np.int64(before[w]) - 1
        while word:
            bit = lowest(word)
            word &= word - one
            here += 1
            p = np.uint64(w) << np.uint64(6) | bit | (rest ^ inside[bit]) << np.uint64(free)
            if ones(p) != pegs:
                continue
            number = fill(changes, p, flips, taken)
            size, made[0, 0], jump[0] = 0, p, 0
            while size >= 0:
                jump[size] = larger_set(changes, number, made, size, jump[size]) + 1
                if jump[size] == 0:
                    size -= 1
                    continue
                index = made[size + 1, 0] & low
                there, at = index >> np.uint64(6), one << (index & np.uint64(63))
                if bits[there] & at:  # else no solution passes it, nor what is before it
                    ways = traces[rank(there, at, bits, before)]
                    traces[here] += ways if size % 2 == 0 else -ways
                    size += 1
                    jump[size] = jump[size - 1]


@compiled
def sweeps(
    bits: Array, free: int, four: Array, inside: Array, jumps: Array, leaving: Array, over: Array, goal: Word
) -> Array:
    """The longest sweep that can be part of a solution, and the longest that can end one."""
    one, found = np.uint64(1), np.zeros(2, np.uint64)
    hole, place, board = np.empty(40, np.int64), np.empty(40, np.int64), np.empty(40, np.uint64)
    for w in range(bits.size):
        word = bits[w]
        while word:
            bit = lowest(word)
            word &= word - one
            p = np.uint64(w) << np.uint64(6) | bit | (last(np.uint64(w), four) ^ inside[bit]) << np.uint64(free)
            others = ones(p) - one
            for peg in range(over.size):
                if not p >> np.uint64(peg) & one:
                    continue
                most = ones(p & over[peg])  # as many can be jumped over
                if most <= found[0] and (most < others or most <= found[1]):
                    continue
                depth, hole[0], place[0], board[0] = 0, peg, 0, p
                while depth >= 0:
                    j = leaving[hole[depth], place[depth]] if place[depth] < 4 else -1
                    place[depth] += 1
                    if j < 0:
                        depth -= 1
                        continue
                    begin, middle, end = one << jumps[j, 0], one << jumps[j, 1], one << jumps[j, 2]
                    if not board[depth] & middle or board[depth] & end:
                        continue
                    q = board[depth] ^ begin ^ middle ^ end
                    board[depth + 1], hole[depth + 1], place[depth + 1] = q, np.int64(jumps[j, 2]), 0
                    depth += 1
                    length = np.uint64(depth)
                    if length > found[0]:
                        index = q & ((one << np.uint64(free)) - one)
                        if bits[index >> np.uint64(6)] >> (index & np.uint64(63)) & one:
                            found[0] = length
                    if q == goal:
                        found[1] = max(found[1], length)
    return found


def takes(board: Board) -> Array:
    """For each hole those that a peg there can ever jump over."""
    found = []
    for hole in range(len(board.holes)):
        places = {hole}
        while more := {c for a, _, c in board.jumps if a in places} - places:
            places |= more
        found.append(sum({1 << b for a, b, _ in board.jumps if a in places}))
    return np.array(found, np.uint64)


def reached(board: Board, start: int) -> Array:
    """What can be reached from a vacancy."""
    position = (1 << len(board.holes)) - 1 ^ 1 << start
    bits = np.zeros(1 << board.free - 6, np.uint64)
    word, bit = board.place(position)
    bits[word] = np.uint64(1 << bit)
    every = np.broadcast_to(np.uint64(2**64 - 1), bits.shape)
    four = board.four(position)
    for pegs in range(len(board.holes) - 1, 1, -1):
        spread(bits, every, pegs, four, board.counts, board.forth)
    return bits


def way(board: Board, start: int, goals: list[int], seen: Array) -> tuple[Array, Array, Array, int, int, list[int]]:
    """What solutions pass of what can be reached: last four, bits, ranks; the number; the start's and goals' ranks."""
    masks = [(1 << len(board.holes)) - 1 ^ 1 << start, *(1 << goal for goal in goals)]
    places = [(np.uint64(word), np.uint64(1 << bit)) for word, bit in map(board.place, masks)]
    four, bits = board.four(masks[0]), np.zeros_like(seen)
    for word, bit in places[1:]:
        bits[word] |= bit & seen[word]
    for pegs in range(1, len(board.holes) - 1):
        spread(bits, seen, pegs, four, board.counts, board.back)
    before, positions = ranks(bits)
    first, *ends = (int(rank(*place, bits, before)) for place in places)
    return four, bits, before, int(positions), first, ends


def about(board: Board, start: int, goal: int, seen: Array) -> dict[str, object]:
    """The numbers of a pair."""
    four, bits, before, positions, first, ends = way(board, start, [goal], seen)
    ways = np.zeros(positions, np.uint64)
    ways[first] = 1
    for pegs in range(len(board.holes) - 1, 1, -1):
        add(ways, bits, before, pegs, four, board.counts, board.forth)
    number = int(ways[ends[0]])
    del ways, before
    leaving = np.full((len(board.holes), 4), -1, np.int64)  # the jumps of a peg
    for j, (begin, _, _) in enumerate(board.jumps):
        leaving[begin, list(leaving[begin]).index(-1)] = j
    jumps = np.array(board.jumps, np.uint64)
    found = sweeps(bits, board.free, four, board.inside, jumps, leaving, takes(board), np.uint64(1 << goal)).tolist()
    return {
        "solutions modulo 2**64": number,
        "winnable positions": positions,
        "longest sweep": found[0],
        "longest last sweep": found[1],
    }


def orders(board: Board, start: int, goals: list[int], seen: Array) -> list[dict[str, object]]:
    """For each last peg the number of solutions up to the order of jumps without a common hole."""
    four, bits, before, positions, first, ends = way(board, start, goals, seen)
    traces = np.zeros(positions, np.int64)
    traces[first] = 1
    flips, needs = in_words(board.jumps)
    for pegs in range(len(board.holes) - 2, 0, -1):
        order(traces, bits, before, pegs, board.free, four, board.inside, flips, flips ^ needs)
    return [{"up to order": int(traces[end])} for end in ends]


def main() -> None:
    """A line for each pair."""
    is_order = sys.argv[1] == "order"
    for argument in sys.argv[1 + is_order :]:
        name = argument.partition(":")[0]
        board = Board(ROWS[name])
        named = {pair: f"{name}:{board.names[pair[0]]}->{board.names[pair[1]]}" for pair in board.pairs()}
        wanted = [pair for pair, problem in named.items() if problem.startswith(argument)]
        for start, pairs in groupby(wanted, lambda pair: pair[0]):
            seen, goals = reached(board, start), [goal for _, goal in pairs]
            each = (about(board, start, goal, seen) for goal in goals)
            told = orders(board, start, goals, seen) if is_order else each
            for goal, numbers in zip(goals, told, strict=True):
                tell({"problem": named[start, goal], **numbers})


if __name__ == "__main__":
    main()
