"""A solution in few moves on the triangle of side 11 (OEIS A127500), by a beam over moves.

Run it with:  python examples/records/eleven.py WIDTH SEEDS > examples/records/eleven.jsonl

The last move is prepared: a sweep over every other peg. Its peg visits nodes, the 21 holes of even coordinates; each of
the other 45 holes lies between two of these, so its peg is an edge of a graph. One move clears the board if one node
alone has a peg and a trail from it has every edge. So a position is the better the fewer nodes have pegs, and the fewer
have an odd number of edges. From each position of a level all moves are made, and the best positions are kept.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import networkx as nx
import numpy as np
from words import Array, Word, compiled, ones, tell

import pegcp
from pegcp.game.board import Jump, group_moves

LONGEST = 7  # jumps of a move before the last: so many digits to the base 512 has a word
ROOM = 20_000  # moves from a position
ODD = 0.2  # what a node with an odd number of edges costs, where one with a peg costs 2


@compiled
def moves(edges: Word, nodes: Word, jumps: Array, leaving: Array, found: Array) -> int:
    """Fill in what each move makes of a position, and the numbers of its jumps, from 1, as digits; return how many."""
    number, depth = 0, 0
    on, ways = np.empty((LONGEST + 1, 3), np.uint64), np.empty((LONGEST + 1, 2), np.int64)
    for hole in range(leaving.shape[0]):
        on[0, 0], on[0, 1], on[0, 2] = edges, nodes, 0
        depth, ways[0, 0], ways[0, 1] = 0, hole, 0
        while depth >= 0:
            j = leaving[ways[depth, 0], ways[depth, 1]] if depth < LONGEST and ways[depth, 1] < 6 else -1
            ways[depth, 1] += 1
            if j < 0:
                depth -= 1
            elif on[depth, 0] & jumps[j, 0] == jumps[j, 2] and on[depth, 1] & jumps[j, 1] == jumps[j, 3]:
                on[depth + 1, 0], on[depth + 1, 1] = on[depth, 0] ^ jumps[j, 0], on[depth, 1] ^ jumps[j, 1]
                on[depth + 1, 2] = on[depth, 2] << np.uint64(9) | np.uint64(j + 1)
                depth += 1
                ways[depth, 0], ways[depth, 1] = np.int64(jumps[j, 4]), 0
                found[number] = on[depth]
                number = min(number + 1, found.shape[0] - 1)
    return number


@compiled
def rates(positions: Array, removing: Array, around: Array) -> Array:
    """How bad positions are: by pegs on nodes, which are better where they can be jumped over, and by odd nodes."""
    found = np.zeros(len(positions))
    for i in range(len(positions)):
        edges, nodes, gone = positions[i, 0], positions[i, 1], np.uint64(0)
        for j in range(removing.shape[0]):
            if edges & removing[j, 0] == removing[j, 2] and nodes & removing[j, 1]:
                gone |= removing[j, 1]
        found[i] = 2 * ones(nodes) - 0.7 * ones(gone) if nodes else 99  # some peg must make the last move
        for at in around:
            found[i] += ODD * (ones(edges & at) & np.uint64(1))
    return found


class Triangle:
    """The board, its holes as bits of two words: of edges, and of nodes."""

    def __init__(self) -> None:
        self.board = pegcp.board("triangle66")
        places = [(ord(name[0]) - ord("a"), int(name[1:]) - 1) for name in self.board.holes]
        self.is_node = [x % 2 == y % 2 == 0 for x, y in places]
        self.bit = [1 << self.is_node[:hole].count(kind) for hole, kind in enumerate(self.is_node)]
        jumps = self.board.jumps
        self.jumps = np.array([[*self.words(jump), *self.words(jump[:2]), jump.to] for jump in jumps], np.uint64)
        self.removing = self.jumps[[not self.is_node[jump.from_] and self.is_node[jump.over] for jump in jumps]]
        self.leaving = np.full((len(places), 6), -1)
        for j, jump in enumerate(jumps):
            self.leaving[jump.from_, list(self.leaving[jump.from_]).index(-1)] = j
        nodes = [hole for hole, kind in enumerate(self.is_node) if kind]
        self.around = np.array([self.words([b for a, b, _ in jumps if a == node])[0] for node in nodes], np.uint64)

    def words(self, holes: Iterable[int]) -> list[int]:
        """Some holes as bits of the two words."""
        return [sum(self.bit[hole] for hole in holes if self.is_node[hole] == kind) for kind in (False, True)]

    def sweep(self, edges: int, nodes: int) -> list[Jump] | None:
        """The jumps of a last move over all edges, if there is one."""
        across = {
            jump[::2]: jump for jump in self.board.jumps if self.is_node[jump.from_] and self.bit[jump.over] & edges
        }
        graph = nx.Graph(list(across))
        start = next(hole for hole, kind in enumerate(self.is_node) if kind and self.bit[hole] & nodes)
        if start not in graph or not nx.has_eulerian_path(graph, start):
            return None
        return [across[step] for step in nx.eulerian_path(graph, start)]


def search(triangle: Triangle, width: int, seed: int) -> list[Jump]:
    """The jumps of the first solution that a beam finds."""
    board, chance, found = triangle.board, np.random.default_rng(seed), np.empty((ROOM, 3), np.uint64)
    every = range(len(board.holes))
    starts = sorted({min(p[hole] for p in board.symmetries.elements()) for hole in every})
    levels = [np.array([[*triangle.words(set(every) - {hole}), 0, 0] for hole in starts], np.uint64)]
    while True:
        parts = []
        for i, (edges, nodes) in enumerate(levels[-1][:, :2]):
            number = moves(edges, nodes, triangle.jumps, triangle.leaving, found)
            parts.append(np.column_stack([found[:number], np.full(number, i, np.uint64)]))
        after = np.concatenate(parts)
        after = after[np.unique(after[:, 0] * np.uint64(0x9E3779B97F4A7C15) + after[:, 1], return_index=True)[1]]
        kept = np.argsort(rates(after, triangle.removing, triangle.around) + 0.3 * chance.random(len(after)))
        levels.append(after[kept[:width]])
        print(len(levels)-1, np.bitwise_count(levels[-1][:,1]).min(), (np.bitwise_count(levels[-1][:,1])==1).sum(), file=sys.stderr)
        for edges, nodes, path, i in levels[-1].tolist():
            last = triangle.sweep(edges, nodes) if nodes.bit_count() == 1 else None
            if last:
                for level in levels[-2::-1]:
                    digits = [path >> 9 * place & 511 for place in reversed(range(LONGEST))]
                    last = [board.jumps[digit - 1] for digit in digits if digit] + last
                    path, i = level[i, 2:].tolist()
                return last


def main() -> None:
    """Try many seeds; tell each solution that is better than those before, move by move."""
    triangle, best = Triangle(), 99
    for seed in range(int(sys.argv[2])):
        jumps = search(triangle, int(sys.argv[1]), seed)
        played = group_moves(jumps)
        print(seed, len(played), file=sys.stderr, flush=True)
        if len(played) < best:
            best, names = len(played), triangle.board.holes
            told = ("-".join(names[hole] for hole in [move[0].from_, *(jump.to for jump in move)]) for move in played)
            problem = f"triangle66:{names[jumps[0].to]}->{names[jumps[-1].to]}"
            pegcp.check(problem, jumps)
            tell({"problem": problem, "moves": best, "solution": " ".join(told)})


if __name__ == "__main__":
    main()
