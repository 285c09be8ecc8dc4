"""All positions of a board that have exactly one solution to one peg anywhere, up to the order of independent jumps.

Run it with:  python examples/records/unique.py triangle15 > examples/records/unique.jsonl

Two programs must agree on each position: sums over sets of independent jumps with alternating signs (Cartier and Foata
1969), and at most two solutions of each position, each in the order in which the least jump that can be first is
first. One line of JSON for each number of pegs: positions, those with a solution and with one alone, and how many of
these are different up to symmetry.
"""

from __future__ import annotations

import json
import sys

import pegcp
from pegcp.game import Jump
from pegcp.game.equivalence import in_normal_form
from pegcp.game.symmetry import image
from pegcp.states.solution_numbers import disjoint_sets


def main() -> None:
    """A line for each number of pegs."""
    board = pegcp.board(sys.argv[1])
    bundles = [(jump.mask, jump.needs) for jump in board.jumps]
    numbers, some = [0] * (board.full + 1), [set[tuple[Jump, ...]]() for _ in range(board.full + 1)]
    unique = dict[int, list[int]]()
    for position in sorted(range(1, board.full + 1), key=int.bit_count):
        pegs = position.bit_count()
        if pegs == 1:
            numbers[position], some[position] = 1, {()}
        else:
            numbers[position] = sum(sign * numbers[after] for after, sign in disjoint_sets(position, bundles, pegs))
            legal = (jump for jump in board.jumps if jump.is_legal(position))
            every = {tuple(in_normal_form([jump, *rest])) for jump in legal for rest in some[position ^ jump.mask]}
            some[position] = set(sorted(every)[:2])
        assert min(2, numbers[position]) == len(some[position])
        if numbers[position] == 1:
            unique.setdefault(pegs, []).append(position)
    symmetries = [*board.symmetries.elements()]
    for pegs, positions in unique.items():
        masks = {min(image(p, mask) for p in symmetries) for mask in positions}
        same = [number for mask, number in enumerate(numbers) if mask.bit_count() == pegs]
        about = {"pegs": pegs, "positions": len(same), "solvable": sum(number > 0 for number in same)}
        print(json.dumps({"board": board.name, **about, "one solution": len(positions), "up to symmetry": len(masks)}))


if __name__ == "__main__":
    main()
