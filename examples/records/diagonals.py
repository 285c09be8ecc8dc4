"""The English board with diagonal jumps too: all positions that can be reached from the vacancy in the middle, and won.

Run it with:  python examples/records/diagonals.py > examples/records/diagonals.json     (2.2 GB)

No position class limits what can be reached here, so a set is a row of 2 ** 33 bits, 1 GB: the last 27 holes are the
number of a word, the first six the bit in it. ``push`` makes the levels one after the other, 64 positions by one
instruction. ``pull`` is the second way: by another loop, jumps taken back, it counts the bits that are not just what
the bits one jump before say; where there are none, the set is right, by induction on the number of jumps made. A
position can be won if its complement can be reached. Shares no code with pegcp.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from words import Array, Word, compiled, in_words, ones, tell

ROWS = [(x, y) for y in range(7) for x in range(7) if 2 <= x <= 4 or 2 <= y <= 4]
AT = {hole: i for i, hole in enumerate(ROWS)}  # hole 0 is c1; holes 0 to 5 are in the word
JUMPS = [
    (AT[x, y], AT[x + dx, y + dy], AT[x + 2 * dx, y + 2 * dy])
    for (x, y), dx, dy in product(ROWS, (-1, 0, 1), (-1, 0, 1))
    if (dx or dy) and (x + dx, y + dy) in AT and (x + 2 * dx, y + 2 * dy) in AT
]
WORDS = 1 << 27
FULL = (1 << 33) - 1
LOW = np.uint64(63)  # the first six holes


@compiled
def push(bits: Array, pegs: int, counts: Array, fits: Array, flips: Array, needs: Array, moves: Array) -> Word:
    """Add to the set what is one jump after its positions with a number of pegs; how many these are."""
    found = np.uint64(0)
    for w in range(bits.size):
        word = np.uint64(w)
        low = pegs - np.int64(ones(word))
        if low < 0 or low > 6:
            continue
        here = bits[w] & counts[low]
        if not here:
            continue
        found += ones(here)
        for j in range(flips.size):
            if word & flips[j] == needs[j]:
                fit = here & fits[j]
                if fit:
                    to = word ^ flips[j]
                    bits[to] |= fit >> np.uint64(moves[j]) if moves[j] >= 0 else fit << np.uint64(-moves[j])
    return found


@compiled
def pull(bits: Array, start: Word, fits: Array, flips: Array, needs: Array, moves: Array) -> Word:
    """How many bits are not what the bits one jump before say, the start apart."""
    wrong = np.uint64(0)
    for w in range(bits.size - 1, -1, -1):
        word = np.uint64(w)
        said = np.uint64(0)
        for j in range(flips.size):
            if word & flips[j] == flips[j] ^ needs[j]:
                fit = bits[word ^ flips[j]] & fits[j]
                said |= fit >> np.uint64(moves[j]) if moves[j] >= 0 else fit << np.uint64(-moves[j])
        if word == start >> np.uint64(6):
            said |= np.uint64(1) << (start & np.uint64(63))
        wrong += ones(said ^ bits[w])
    return wrong


@compiled
def won(bits: Array, counts: Array, found: Array) -> None:
    """For each number of pegs, the positions whose complements are in the set, too."""
    one = np.uint64(1)
    for w in range(bits.size):
        word, other, mirrored = np.uint64(w), bits[bits.size - 1 - w], np.uint64(0)
        for i in range(64):
            mirrored |= (other >> np.uint64(i) & one) << np.uint64(63 - i)
        both = bits[w] & mirrored
        for low in range(7):
            found[np.int64(ones(word)) + low] += ones(both & counts[low])


def main() -> None:
    """One object: what was reached and can be won, for each number of pegs."""
    flips, needs = in_words(JUMPS)
    low = np.array([flips & LOW, needs & LOW], np.int64).T.tolist()  # holes in the word
    fits = np.array([sum(1 << bits for bits in range(64) if bits & flip == need) for flip, need in low], np.uint64)
    moves = np.array([2 * need - flip for flip, need in low])  # of a bit in a word to the right
    counts = np.array([sum(1 << bits for bits in range(64) if bits.bit_count() == n) for n in range(7)], np.uint64)
    flips, needs = flips >> np.uint64(6), needs >> np.uint64(6)
    middle = AT[3, 3]
    start = np.uint64(FULL & ~(1 << middle))
    bits = np.zeros(WORDS, np.uint64)
    bits[start >> np.uint64(6)] = np.uint64(1) << (start & np.uint64(63))
    reached = {pegs: int(push(bits, pegs, counts, fits, flips, needs, moves)) for pegs in range(32, 0, -1)}
    wrong = int(pull(bits, start, fits, flips, needs, moves))
    winnable = np.zeros(34, np.uint64)
    won(bits, counts, winnable)
    about = {
        "jumps": len(JUMPS),
        "start": "d4",
        "positions": sum(reached.values()),
        "that pull does not confirm": wrong,
        "winnable, last peg d4": int(winnable.sum()),
        "by pegs": {str(pegs): [number, int(winnable[pegs])] for pegs, number in reached.items()},
    }
    tell(about)


if __name__ == "__main__":
    main()
