"""Peg duotaire: two players jump in turn, and who cannot jump loses; or wins, in the misere game.

Run it with:  python examples/records/duotaire.py up BOARD ...; or: down BOARD[:VACANCY] ...

For each vacancy, up to symmetry, a line of JSON: the nim-value of the start, the least number that no position one jump
later has (Moore and Eppstein, One-dimensional peg solitaire, and duotaire, 2002), and who wins the misere game. The
first player wins if the value is not 0. Two programs that share no code; costs go to standard error:

* ``up``, without pegcp: all positions of a class, from those without pegs up. Triangles have a byte for each set of
  pegs; on other boards (:mod:`forwards`) the class of the vacancy has, and 64 positions jump one after the other into
  the same line of memory. Of boards it also tells how many positions can be reached, and how many of them are lost for
  the mover; and of classes up to the symmetries that keep the vacancy.
* ``down``, with the jumps of pegcp's boards: from the start alone, depth first, each position until a reply is found.
  A value is shown by a heap beside the board, of which a player may take away: with as many in it, the start is lost.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

import numpy as np
from forwards import ROWS, Board, Jumps, last, reached
from words import Array, Word, compiled, lowest, ones, tell

MISERE = 15  # a number of a heap that means the misere game
TOLD = ("positions", "lost", "lost in misere", "classes", "classes lost", "classes lost in misere", "largest value")
MOST_SLOT_BITS = 28  # of the table of positions that were played down


@compiled
def play(pegs: int, values: Array, misere: Array, flips: Array, needs: Array) -> None:
    """Fill in the positions with a number of pegs."""
    for p in range(values.size):
        position = np.uint32(p)
        if ones(position) != pegs:
            continue
        seen, wins, stuck = np.uint64(0), False, True
        for j in range(flips.size):
            if position & flips[j] == needs[j]:
                after = position ^ flips[j]
                seen |= np.uint64(1) << np.uint64(values[after])
                wins |= not misere[after]
                stuck = False
        misere[p] = wins or stuck
        while seen >> np.uint64(values[p]) & np.uint64(1):
            values[p] += 1


@compiled
def play_class(pegs: int, values: Array, four: Array, counts: Array, jumps: Jumps) -> None:
    """Fill in the positions of a class with a number of pegs: a value, and 128 if the mover wins the misere game."""
    fits, flips, needs, moves = jumps
    one, seen = np.uint64(1), np.zeros(64, np.uint64)  # bits of values, and the highest bit for a misere loss
    for w in range(values.size // 64):
        word = np.uint64(w)
        low = pegs - np.int64(ones(word))
        if not 0 <= low <= 10:
            continue
        o = last(word, four)
        active = counts[o, low]
        movable = np.uint64(0)
        for j in range(flips.size):
            fit = active & fits[o, j]
            if fit and word & flips[j] == needs[j]:
                movable |= fit
                begin = np.int64(word ^ flips[j]) * 64 - moves[j]
                while fit:
                    bit = np.int64(lowest(fit))
                    fit &= fit - one
                    value = values[begin + bit]
                    seen[bit] |= one << np.uint64(value & 127) | np.uint64(value < 128) << np.uint64(63)
        while active:
            bit = np.int64(lowest(active))
            found, value = seen[bit], 0
            while found >> np.uint64(value) & one:
                value += 1
            if found >> np.uint64(63) or not movable >> np.uint64(bit) & one:
                value += 128
            values[w * 64 + bit] = value
            seen[bit] = 0
            active &= active - one


@compiled
def summary(values: Array, bits: Array, free: int, four: Array, inside: Array, images: Array) -> Array:
    """Numbers of positions, of those lost for the mover and lost in the misere game, and of classes; largest value."""
    found = np.zeros(7, np.int64)
    for w in range(bits.size):
        word = bits[w]
        while word:
            bit = lowest(word)
            word &= word - np.uint64(1)
            value = values[w * 64 + np.int64(bit)]
            p = np.uint64(w) << np.uint64(6) | bit | (last(np.uint64(w), four) ^ inside[bit]) << np.uint64(free)
            is_first = 1  # of its images
            for i in range(images.shape[0]):
                image = np.uint64(0)
                for part in range(4):
                    image |= images[i, part, p >> np.uint64(10 * part) & np.uint64(1023)]
                if image < p:
                    is_first = 0
                    break
            lost, misere_lost = value & 127 == 0, value < 128
            found[0] += 1
            found[1] += lost
            found[2] += misere_lost
            found[3] += is_first
            found[4] += is_first * lost
            found[5] += is_first * misere_lost
            found[6] = max(found[6], value & 127)
    return found


@compiled
def loses(position: Word, heap: int, flips: Array, needs: Array, table: Array) -> bool:
    """Whether the mover loses a position with a heap beside it; the table keeps each that was played to its end."""
    key = position << np.uint64(4) | np.uint64(heap)
    slot = (key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) % np.uint64(table.size)
    while table[slot]:
        if table[slot] >> np.uint64(1) == key:
            return bool(table[slot] & np.uint64(1))
        slot = (slot + np.uint64(1)) % np.uint64(table.size)
    wins = False
    for less in range(0 if heap == 15 else heap):
        wins = wins or loses(position, less, flips, needs, table)
    stuck = True
    for j in range(flips.size):
        if not wins and position & flips[j] == needs[j]:
            stuck = False
            wins = loses(position ^ flips[j], heap, flips, needs, table)
    wins = wins or (stuck and heap == 15)
    while table[slot]:  # by now others may have taken the slot
        slot = (slot + np.uint64(1)) % np.uint64(table.size)
    table[slot] = key << np.uint64(1) | np.uint64(not wins)
    return not wins


def in_words(jumps: Iterator[tuple[int, int, int]]) -> tuple[Array, Array]:
    """What each jump changes, and what of that are pegs before."""
    holes = list(jumps)
    flips = np.array([1 << a | 1 << b | 1 << c for a, b, c in holes], np.uint64)
    return flips, np.array([1 << a | 1 << b for a, b, _ in holes], np.uint64)


def triangle_up(name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """All vacancies of a triangle, from the positions without pegs up."""
    size = int(name.removeprefix("triangle"))
    side = next(side for side in range(size + 1) if side * (side + 1) // 2 == size)
    holes = [(x, y) for y in range(side) for x in range(y + 1)]
    flips, needs = in_words(
        (holes.index((x, y)), holes.index((x + dx, y + dy)), holes.index((x + 2 * dx, y + 2 * dy)))
        for x, y in holes
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))
        if (x + dx, y + dy) in holes and (x + 2 * dx, y + 2 * dy) in holes
    )
    values, misere = np.zeros(1 << size, np.uint8), np.zeros(1 << size, np.bool_)
    for pegs in range(size):
        play(pegs, values, misere, flips.astype(np.uint32), needs.astype(np.uint32))
    seen = set[tuple[int, ...]]()
    for hole, (x, y) in enumerate(holes):
        image = tuple(sorted((x, y - x, side - 1 - y)))
        if image not in seen:
            seen.add(image)
            start = (1 << size) - 1 - (1 << hole)
            yield f"{'abcdefghij'[x]}{y + 1}", row(int(values[start]), not misere[start])


def board_up(name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """All vacancies of another board, each class of positions from those without pegs up."""
    board = Board(ROWS[name])
    full = (1 << len(board.holes)) - 1
    by_class: dict[int, list[int]] = {}  # the vacancies up to symmetry, in the first class that has an image of each
    for images in sorted({tuple(sorted({image[hole] for image in board.images})) for hole in range(len(board.holes))}):
        odd = {(full ^ 1 << hole) >> board.free ^ board.last_four(full ^ 1 << hole): hole for hole in images}
        chosen = next((key for key in by_class if key in odd), min(odd))
        by_class.setdefault(chosen, []).append(odd[chosen])
    for vacancies in by_class.values():
        four = board.four(full ^ 1 << vacancies[0])
        values = np.zeros(1 << board.free, np.uint8)
        for pegs in range(len(board.holes)):
            play_class(pegs, values, four, board.counts, board.forth)
        for hole in vacancies:
            word, bit = board.place(full ^ 1 << hole)
            bits = reached(board, hole)
            inside = np.array(board.inside, np.uint64)
            told = summary(values, bits, board.free, four, inside, image_tables(board, hole)).tolist()
            value = int(values[word * 64 + bit])
            same = min((image[hole] for image in board.images), key=lambda at: board.holes[at][::-1])
            yield board.names[same], row(value & 127, value < 128) | dict(zip(TOLD, told, strict=True))


def image_tables(board: Board, hole: int) -> Array:
    """For each symmetry that keeps a hole, where it carries pegs, ten holes at a time."""
    images = sorted({tuple(image) for image in board.images if image[hole] == hole})
    tables = np.zeros((len(images), 4, 1024), np.uint64)
    for (i, image), part, bits in product(enumerate(images), range(4), range(1024)):
        tables[i, part, bits] = sum(1 << to for at, to in enumerate(image) if bits << 10 * part >> at & 1)
    return tables


def down(name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """All vacancies of a board, each from the start down."""
    import pegcp

    name, _, vacancy = name.partition(":")
    board = pegcp.board(name)
    flips, needs = in_words((jump.from_, jump.over, jump.to) for jump in board.jumps)
    for hole in range(len(board.holes)):
        if vacancy in ("", str(board.holes[hole])) and hole == min(p[hole] for p in board.symmetries.elements()):
            table = np.zeros(1 << min(MOST_SLOT_BITS, len(board.holes)), np.uint64)
            start = np.uint64(board.full ^ 1 << hole)
            value = 0
            while not loses(start, value, flips, needs, table):
                value += 1
            print(f"{np.count_nonzero(table)} positions", file=sys.stderr)
            table.fill(0)
            yield str(board.holes[hole]), row(value, loses(start, MISERE, flips, needs, table))
            print(f"{np.count_nonzero(table)} positions in misere", file=sys.stderr)


def row(value: int, misere_lost: bool) -> dict[str, object]:
    """What both programs tell of a vacancy."""
    return {"nim-value": value, "misere": "second" if misere_lost else "first"}


def main() -> None:
    """A line for each vacancy."""
    for name in sys.argv[2:]:
        found = down if sys.argv[1] == "down" else triangle_up if name.startswith("triangle") else board_up
        for hole, about in found(name):
            tell({"vacancy": f"{name.partition(':')[0]}:{hole}", **about})


if __name__ == "__main__":
    main()
