"""Peg duotaire: two players jump in turn, and who cannot jump loses; or wins, in the misere game.

Run it with:  python examples/records/duotaire.py up BOARD ...; or: down BOARD[:VACANCY] ...

For each vacancy, up to symmetry, a line of JSON: the nim-value of the start, the least number that no position one jump
later has (Moore and Eppstein, One-dimensional peg solitaire, and duotaire, 2002), and who wins the misere game. The
first player wins if the value is not 0. Two programs that share words.py alone; costs go to standard error:

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

import numpy as np
from forwards import ROWS, Board, Jumps, last, reached
from words import Array, Word, compiled, different, image_tables, in_words, lattice, least, lowest, ones, slot, tell

MISERE = 15  # a number of a heap that means the misere game
TOLD = ("positions", "lost", "lost in misere", "classes", "classes lost", "classes lost in misere", "largest value")
MOST_SLOT_BITS = 28  # of the table of positions that were played down
MOST_FULL = 0.9  # of its slots


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
            first = np.int64(least(p, images) == p)  # of its images
            lost, misere_lost = np.int64(value & 127 == 0), np.int64(value < 128)
            for i, number in enumerate((1, lost, misere_lost, first, first * lost, first * misere_lost)):
                found[i] += number
            found[6] = max(found[6], value & 127)
    return found


@compiled
def loses(position: Word, heap: int, flips: Array, needs: Array, table: Array, lost: Array, number: Array) -> bool:
    """Whether the mover loses a position with a heap beside it; the table keeps each that was played to its end."""
    key = position << np.uint64(4) | np.uint64(heap)
    at = slot(table, key)
    if table[at]:
        return bool(lost[at])
    wins = False
    for less in range(0 if heap == MISERE else heap):
        wins = wins or loses(position, less, flips, needs, table, lost, number)
    stuck = True
    for j in range(flips.size):
        if not wins and position & flips[j] == needs[j]:
            stuck = False
            wins = loses(position ^ flips[j], heap, flips, needs, table, lost, number)
    wins = wins or (stuck and heap == MISERE)
    number[0] += 1
    if number[0] > MOST_FULL * table.size:
        raise MemoryError("the table of positions is full: give it more MOST_SLOT_BITS")
    at = slot(table, key)  # by now others may have taken the slot
    table[at], lost[at] = key, not wins
    return not wins


def triangle_up(name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """All vacancies of a triangle, from the positions without pegs up."""
    holes, names, jumps = lattice(name)
    size, (flips, needs) = len(holes), in_words(jumps)
    values, misere = np.zeros(1 << size, np.uint8), np.zeros(1 << size, np.bool_)
    for pegs in range(size):
        play(pegs, values, misere, flips.astype(np.uint32), needs.astype(np.uint32))
    for hole in different(holes):
        start = (1 << size) - 1 - (1 << hole)
        yield names[hole], row(int(values[start]), not misere[start])


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
            images = image_tables([image for image in board.images if image[hole] == hole])
            told = summary(values, bits, board.free, four, board.inside, images).tolist()
            value = int(values[word * 64 + bit])
            same = min((image[hole] for image in board.images), key=lambda at: board.holes[at][::-1])
            yield board.names[same], row(value & 127, value < 128) | dict(zip(TOLD, told, strict=True))


def down(name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """All vacancies of a board, each from the start down."""
    import pegcp

    name, _, vacancy = name.partition(":")
    board = pegcp.board(name)
    flips, needs = in_words((jump.from_, jump.over, jump.to) for jump in board.jumps)
    for hole in range(len(board.holes)):
        if vacancy in ("", str(board.holes[hole])) and hole == min(p[hole] for p in board.symmetries.elements()):
            slots = 1 << min(MOST_SLOT_BITS, len(board.holes) + 4)
            played = np.zeros(slots, np.uint64), np.zeros(slots, np.bool_), np.zeros(1, np.int64)
            start = np.uint64(board.full ^ 1 << hole)
            value = next(heap for heap in range(MISERE) if loses(start, heap, flips, needs, *played))
            print(f"{played[2][0]} positions", file=sys.stderr)
            for array in played:
                array.fill(0)
            yield str(board.holes[hole]), row(value, loses(start, MISERE, flips, needs, *played))


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
