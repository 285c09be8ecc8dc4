"""Peg solitaire on all connected graphs and all trees of a size, without pegcp.

Run it with:  python examples/records/graphs.py [--trees] FEWEST-VERTICES MOST-VERTICES

Needs nauty's geng. Rules of Beeler and Hoilman 2011: x over y into z, along an edge and then another. Two programs,
which share only the reading of graphs, and must agree on each graph: ``forwards`` carries, from the full positions
down, the set of starts that reach each position; ``backwards`` has the fewest and the most pegs of the ends of each
position, from one peg up, by a list of jumps. One line of JSON for each number of vertices:

* ``solvable`` from some vacancy, ``freely solvable`` from every one; ``fewest pegs`` at the end, over all starts;
* the Fool's number, the most pegs at a dead end, over all starts, beside the independence number alpha.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
from words import Array, compiled, tell


def graphs(n: int, trees: bool) -> list[str]:
    """All of them, in graph6."""
    if trees:
        made: Any = nx.nonisomorphic_trees(n)
        return [nx.to_graph6_bytes(tree, header=False).decode().strip() for tree in made]
    return subprocess.check_output(["nauty-geng", "-c", "-q", str(n)], text=True).split()


def neighbours(n: int, texts: list[str]) -> np.ndarray:
    """The neighbours of each vertex of each graph, as bits."""
    text = np.frombuffer("".join(texts).encode(), np.uint8).reshape(len(texts), -1)[:, 1:] - 63
    bits = np.unpackbits(text[:, :, None], axis=2)[:, :, 2:].reshape(len(texts), -1)
    found = np.zeros((len(texts), n), np.int64)
    k = 0
    for j in range(1, n):
        for i in range(j):
            found[:, i] |= bits[:, k].astype(np.int64) << j
            found[:, j] |= bits[:, k].astype(np.int64) << i
            k += 1
    return found


@compiled
def forwards(around: Array, order: Array, pegs: Array, found: Array) -> None:
    """For each graph and start the fewest and the most pegs at an end."""
    n = around.shape[1]
    starts = np.zeros(1 << n, np.int64)
    for g in range(around.shape[0]):
        next_to = around[g]
        starts[:] = 0
        for s in range(n):
            starts[(1 << n) - 1 - (1 << s)] = 1 << s
        for position in order:
            from_here = starts[position]
            if not from_here:
                continue
            stuck = True
            for y in range(n):
                if not position >> y & 1:
                    continue
                begins, ends = next_to[y] & position, next_to[y] & ~position
                if not begins or not ends:
                    continue
                stuck = False
                for x in range(n):
                    if begins >> x & 1:
                        for z in range(n):
                            if ends >> z & 1:
                                starts[position ^ (1 << x | 1 << y | 1 << z)] |= from_here
            if stuck:
                left = pegs[position]
                for s in range(n):
                    if from_here >> s & 1:
                        found[g, s, 0], found[g, s, 1] = min(found[g, s, 0], left), max(found[g, s, 1], left)


@compiled
def backwards(around: Array, order: Array, pegs: Array, found: Array, alpha: Array) -> None:
    """The same fewest and most, from one peg up; and the independence number, by trying all sets."""
    n = around.shape[1]
    least, most = np.zeros(1 << n, np.int64), np.zeros(1 << n, np.int64)
    flip, need = np.zeros(n * n * n, np.int64), np.zeros(n * n * n, np.int64)
    for g in range(around.shape[0]):
        jumps = 0
        for x in range(n):
            for y in range(n):
                for z in range(n):
                    if x != z and around[g, x] >> y & 1 and around[g, y] >> z & 1:
                        need[jumps] = 1 << x | 1 << y
                        flip[jumps] = need[jumps] | 1 << z
                        jumps += 1
        for position in order[::-1]:
            low, high = 99, 0
            for j in range(jumps):
                if position & flip[j] == need[j]:
                    low, high = min(low, least[position ^ flip[j]]), max(high, most[position ^ flip[j]])
            if high == 0:
                low = high = pegs[position]
            least[position], most[position] = low, high
            apart = True
            for x in range(n):
                apart &= not (position >> x & 1 and around[g, x] & position)
            if apart:
                alpha[g] = max(alpha[g], pegs[position])
        for s in range(n):
            full = (1 << n) - 1 - (1 << s)
            found[g, s, 0], found[g, s, 1] = least[full], most[full]


def counted(values: np.ndarray) -> dict[str, int]:
    """How often each value occurs."""
    return {str(value): number for value, number in sorted(Counter(values.tolist()).items())}


def table(n: int, trees: bool) -> dict[str, object]:
    """All graphs of a size."""
    texts = graphs(n, trees)
    around = neighbours(n, texts)
    pegs = np.array([bin(position).count("1") for position in range(1 << n)])
    order = np.argsort(-pegs, kind="stable")[:-1]  # not the position without pegs
    one, other = (np.zeros((len(texts), n, 2), np.int64) for _ in range(2))
    one[:, :, 0] = n
    alpha = np.zeros(len(texts), np.int64)
    forwards(around, order, pegs, one)
    backwards(around, order, pegs, other, alpha)
    assert (one == other).all()
    fewest, fools = one[:, :, 0].min(1), one[:, :, 1].max(1)
    solvable, freely = fewest == 1, one[:, :, 0].max(1) == 1
    return {
        "kind": "trees" if trees else "connected graphs",
        "vertices": n,
        "graphs": len(texts),
        "solvable": int(solvable.sum()),
        "freely solvable": int(freely.sum()),
        "fewest pegs": counted(fewest),
        "alpha minus Fool's number": counted(alpha - fools),
    }


if __name__ == "__main__":
    first, last = map(int, sys.argv[-2:])
    for size in range(first, last + 1):
        tell(table(size, "--trees" in sys.argv))
