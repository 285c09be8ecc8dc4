"""The English board without pegcp: numbers of solutions and longest sweeps, from the first position to the last.

Run it with:  python examples/records/forwards.py [START ...]     (6 GB, 1 minute for each of the seven starts)

Shares no code with pegcp. A position is 29 bits: all holes but d6, e6, d7 and e7, which follow from the others, since
the four parities that no jump changes (de Bruijn 1972) are those of the start. Numbers of ways to reach a position
are added up modulo 2 ** 64 in an array of all 2 ** 29 positions, level by level from the start, so no set of winnable
positions is made. Whether the goal can be reached from q is looked up in the set of what can be reached from the
goal's complement, at the complement of q. Costs go to standard error. One line of JSON for each pair.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from itertools import product

import numpy as np
from words import Array, Word, compiled, lowest

LAST = [(3, 5), (4, 5), (3, 6), (4, 6)]
ALL = [(x, y) for y in range(7) for x in range(7) if 2 <= x <= 4 or 2 <= y <= 4]
HOLES = [hole for hole in ALL if hole not in LAST] + LAST
AT = {hole: i for i, hole in enumerate(HOLES)}
NAME = ["abcdefg"[x] + str(y + 1) for x, y in HOLES]
FREE, FULL = 29, (1 << 33) - 1
IMAGES = [  # where each symmetry carries each hole
    [AT[(3 + sx * (y - 3), 3 + sy * (x - 3)) if turned else (3 + sx * (x - 3), 3 + sy * (y - 3))] for x, y in HOLES]
    for turned, sx, sy in product((False, True), (1, -1), (1, -1))
]
STARTS = sorted({min(image[hole] for image in IMAGES) for hole in range(33)})


def jumps() -> Iterator[tuple[int, int, int]]:
    """All jumps: from, over, to."""
    for (x, y), (dx, dy) in product(HOLES, ((1, 0), (-1, 0), (0, 1), (0, -1))):
        line = [(x + i * dx, y + i * dy) for i in range(3)]
        if all(hole in AT for hole in line):
            yield AT[line[0]], AT[line[1]], AT[line[2]]


JUMPS = np.array(list(jumps()), np.int64)
FLIP = np.array([(1 << a) + (1 << b) + (1 << c) for a, b, c in JUMPS.tolist()], np.uint64)
NEED = np.array([(1 << a) + (1 << b) for a, b, c in JUMPS.tolist()], np.uint64)
FROM = np.full((33, 4), -1, np.int64)  # the jumps of a peg
for number, (begin, _, _) in enumerate(JUMPS.tolist()):
    FROM[begin, list(FROM[begin]).index(-1)] = number


def last_four() -> Array:
    """For each free hole the change of the last four that keeps all parities, as bits; solved by trying."""

    def parities(holes: list[int]) -> tuple[int, ...]:
        found = []
        for sign in (1, -1):
            count = [
                sum((HOLES[hole][0] + sign * HOLES[hole][1]) % 3 == colour for hole in holes) for colour in range(3)
            ]
            found += [(count[0] + count[1]) % 2, (count[1] + count[2]) % 2]
        return tuple(found)

    by = {parities([FREE + i for i in range(4) if four >> i & 1]): four for four in range(16)}
    assert len(by) == 16
    return np.array([by[parities([hole])] for hole in range(FREE)], np.uint64)


def tables() -> Array:
    """For the low 15 and the high 14 free bits, the last four, all parities even."""
    change = last_four()
    found = np.zeros((2, 1 << 15), np.uint64)
    for half, first in enumerate((0, 15)):
        for bit in range(15 - half):
            found[half, 1 << bit : 2 << bit] = found[half, : 1 << bit] ^ change[first + bit]
    return found << np.uint64(FREE)


FOUR = tables()


@compiled
def position(index: Word, four: Array, odd: Word) -> Word:
    """The position of an index."""
    return index | (four[0, index & np.uint64(0x7FFF)] ^ four[1, index >> np.uint64(15)] ^ odd)


@compiled
def step(now: Array, after: Array, ways: Array, four: Array, odd: Word, flip: Array, need: Array) -> int:
    """Add the numbers of ways to those one jump on; blocks of 4,096, so that all of a jump's targets are near."""
    low, one = np.uint64((1 << 29) - 1), np.uint64(1)
    indices, positions, numbers = np.empty(4096, np.uint64), np.empty(4096, np.uint64), np.empty(4096, np.uint64)
    total = 0
    for block in range(0, now.size, 64):
        n = 0
        for w in range(block, block + 64):
            word = now[w]
            while word:
                index = np.uint64(w) << np.uint64(6) | lowest(word)
                word &= word - one
                indices[n], positions[n], numbers[n] = index, position(index, four, odd), ways[index]
                n += 1
        total += n
        for j in range(flip.size if n else 0):
            for i in range(n):
                if positions[i] & flip[j] == need[j]:
                    to = indices[i] ^ (flip[j] & low)
                    ways[to] += numbers[i]
                    after[to >> np.uint64(6)] |= one << (to & np.uint64(63))
    return total


def reached(start: int, ways: Array) -> tuple[Array, int, list[int]]:
    """What can be reached from a vacancy, as bits; the parities; the positions of each level. ``ways`` is filled."""
    first = np.uint64(FULL & ~(1 << start))
    index = first & np.uint64((1 << FREE) - 1)
    odd = np.uint64(first ^ position(index, FOUR, np.uint64(0)))
    ways[:] = 0
    ways[index] = 1
    now, levels = np.zeros(1 << 23, np.uint64), []
    now[index >> np.uint64(6)] = np.uint64(1) << (index & np.uint64(63))
    seen = now.copy()
    while now.any():
        after = np.zeros_like(now)
        levels.append(step(now, after, ways, FOUR, odd, FLIP, NEED))
        seen |= after
        now = after
    return seen, int(odd), levels


def moved(image: list[int]) -> Array:
    """Where a symmetry carries the complement of a position: tables for 3 pieces of 11 bits, to be or-ed."""
    table = np.zeros((3, 2048), np.uint64)
    for piece, bits in product(range(3), range(2048)):
        table[piece, bits] = sum(1 << image[11 * piece + i] for i in range(11) if not bits >> i & 1)
    return table


@compiled
def wins(q: Word, table: Array, seen: Array) -> bool:
    """Whether the goal can be reached from a position."""
    m = np.uint64(2047)
    image: Word = table[0, q & m] | table[1, q >> np.uint64(11) & m] | table[2, q >> np.uint64(22)]
    index = image & np.uint64((1 << 29) - 1)
    return bool(seen[index >> np.uint64(6)] >> (index & np.uint64(63)) & np.uint64(1))


@compiled
def sweeps(
    now: Array,
    four: Array,
    odd: Word,
    flip: Array,
    need: Array,
    jumps: Array,
    leaving: Array,
    targets: Array,
    images: Array,
    sets: Array,
    found: Array,
) -> None:
    """For each goal: winnable positions; the longest sweep that can be part of a solution, and end it.

    ``found``: for each goal the number; longest, its first and last position; longest last, its first position.
    """
    one = np.uint64(1)
    hole, place, board = np.empty(40, np.int64), np.empty(40, np.int64), np.empty(40, np.uint64)
    for w in range(now.size):
        word = now[w]
        while word:
            p = position(np.uint64(w) << np.uint64(6) | lowest(word), four, odd)
            word &= word - one
            for g in range(targets.size):
                found[g, 0] += wins(p, images[g], sets[g])
            least = found[0, 1]
            for g in range(1, targets.size):
                least = min(least, found[g, 1])
            for peg in range(33):
                if not p >> np.uint64(peg) & one:
                    continue
                depth, hole[0], place[0], board[0] = 0, peg, 0, p
                while depth >= 0:
                    j = leaving[hole[depth], place[depth]] if place[depth] < 4 else -1
                    place[depth] += 1
                    if j < 0:
                        depth -= 1
                        continue
                    if board[depth] & flip[j] != need[j]:
                        continue
                    board[depth + 1], hole[depth + 1], place[depth + 1] = board[depth] ^ flip[j], jumps[j, 2], 0
                    depth += 1
                    q = board[depth]
                    single = q & (q - one) == 0
                    if depth <= least and not single:
                        continue
                    for g in range(targets.size):
                        if depth > found[g, 1] and wins(q, images[g], sets[g]):
                            found[g, 1], found[g, 2], found[g, 3] = depth, p, q
                        if single and q == one << np.uint64(targets[g]) and depth > found[g, 4]:
                            found[g, 4], found[g, 5] = depth, p


def names(mask: int) -> str:
    """The pegs of a position."""
    return " ".join(NAME[hole] for hole in range(33) if mask >> hole & 1)


def main() -> None:
    """All pairs of the starts that are named, or of all."""
    ways = np.zeros(1 << FREE, np.uint64)
    sets, odds, ends = {}, {}, {}
    for start in STARTS:
        begun = time.process_time()
        sets[start], odds[start], levels = reached(start, ways)
        single = np.array([1 << hole for hole in range(33)], np.uint64)
        index = single & np.uint64((1 << FREE) - 1)
        fits = [int(position(i, FOUR, np.uint64(odds[start]))) == int(s) for i, s in zip(index, single, strict=True)]
        ends[start] = {hole: int(ways[index[hole]]) for hole in range(33) if fits[hole]}
        about = {"start": NAME[start], "positions": sum(levels), "seconds": round(time.process_time() - begun, 1)}
        print(json.dumps(about), file=sys.stderr, flush=True)
    del ways
    for start in STARTS:
        if sys.argv[1:] and NAME[start] not in sys.argv[1:]:
            continue
        begun = time.process_time()
        keeping = [image for image in IMAGES if image[start] == start]
        goals = sorted({min((image[g] for image in keeping), key=lambda h: NAME[h][::-1]) for g in ends[start]})
        carried = [next(image for image in IMAGES if image[goal] in STARTS) for goal in goals]
        found = np.zeros((len(goals), 6), np.int64)
        first = np.stack([sets[image[goal]] for image, goal in zip(carried, goals, strict=True)])
        sweeps(
            sets[start], FOUR, np.uint64(odds[start]), FLIP, NEED, JUMPS, FROM, np.array(goals, np.int64),
            np.stack([moved(image) for image in carried]), first, found,
        )  # fmt: skip
        for goal, row in zip(goals, found.tolist(), strict=True):
            about = {
                "problem": f"english:{NAME[start]}->{NAME[goal]}",
                "solutions modulo 2**64": ends[start][goal],
                "winnable positions": row[0],
                "longest sweep": row[1],
                "from": names(row[2]),
                "to": names(row[3]),
                "longest last sweep": row[4],
                "last from": names(row[5]),
            }
            print(json.dumps(about), flush=True)
        print(json.dumps({"start": NAME[start], "seconds": round(time.process_time() - begun, 1)}), file=sys.stderr)


if __name__ == "__main__":
    main()
