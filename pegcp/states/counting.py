"""Exact numbers of solutions and games, from the levels of the winnable set.

The number of solutions from a position is the sum of those from the positions one jump later; a position that satisfies
the goal adds one. So the levels are added up from the last to the first, and nothing but winnable positions is looked
at. Numbers of any size are sums of several 64-bit words; how many are needed follows from the most jumps that can be
made on each level.

*Up to order*: solutions that differ only in the order of independent jumps (no hole in common) are one. Their number
from a position is, over all sets of independent jumps that can be made there, the alternating sum of the numbers after
all jumps of the set: +1 for one jump, -1 for two, and so on (Cartier and Foata, Problèmes combinatoires de commutation
et réarrangements, 1969).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.states.levels import Levels
from pegcp.states.positions import Level, masks
from pegcp.states.winnable import winnable

if TYPE_CHECKING:
    from pegcp.states.kernels.marks import Array


def solutions(problem: Problem, run: Run, *, up_to_order: bool = False) -> int:
    """The number of solutions of a problem, as sequences of jumps or up to the order of independent jumps.

    For a dead end: the number of games. Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    found = Levels(problem, run)
    levels = winning_levels(problem, found, run)
    if not levels or not len(levels[0]):
        return 0
    if all(isinstance(level, list) for level in levels):
        return _added(found, levels, up_to_order)
    return _added_words(found, levels, up_to_order)


def chance(problem: Problem, run: Run) -> float:
    """The chance of winning for who makes any jump that is possible, all alike, until the goal is reached or none is.

    Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    if isinstance(problem.goal, DeadEnd):
        return 1.0
    found = Levels(problem, run)
    levels = winning_levels(problem, found, run)
    if not levels or not len(levels[0]):
        return 0.0
    if all(isinstance(level, list) for level in levels):
        chances: dict[int, float] = {}
        for level in reversed(levels):
            goals = set(masks(found.goals(level)))
            for position in level:
                after = [found.canonical(position ^ flip) for flip, pegs in found.forwards if position & flip == pegs]
                mean = sum(chances.get(p, 0.0) for p in after) / max(1, len(after))
                chances[position] = 1.0 if position in goals else mean
        return chances[levels[0][0]]
    import numpy as np

    into = found.array(levels[-1])[:0]
    means = np.zeros(0)
    for level in map(found.array, reversed(levels)):
        means = found.words.average(level, into, means)
        means[found.words.are_goals(level, problem)] = 1.0
        into = level
    return float(means[0])


def winning_levels(problem: Problem, found: Levels, run: Run) -> list[Level]:
    """All levels with positions from which the goal can be reached, the start's first."""
    if isinstance(problem.goal, DeadEnd):
        levels = [found.level([problem.start.mask])]
        while len(levels[-1]):
            levels.append(found.after(levels[-1]))
            run.report({"positions": sum(map(len, levels))})
        return levels[:-1]
    table = winnable(problem, run)
    pegs = len(problem.start)
    return [table.level(pegs - made) for made in range(problem.jump_counts.stop)]


def _added(found: Levels, levels: Sequence[Level], up_to_order: bool) -> int:
    """The number of solutions from the start, by Python integers."""
    jumps = found.problem.board.jumps
    counts: dict[int, int] = {}
    for level in reversed(levels):
        goals = set(masks(found.goals(level)))
        found.tick()
        for position in level:
            legal = [jump for jump in jumps if jump.is_legal(position)]
            sets = _independent(legal) if up_to_order else ((jump.mask, 1) for jump in legal)
            after = ((found.canonical(position ^ flip), sign) for flip, sign in sets)
            counts[position] = (position in goals) + sum(sign * counts.get(p, 0) for p, sign in after)
    return counts[levels[0][0]]


def _independent(jumps: Sequence[Jump]) -> Iterator[tuple[int, int]]:
    """For every set of independent jumps but the empty one: the holes that change, and +1 or -1 as the set is odd."""
    for i, jump in enumerate(jumps):
        yield jump.mask, 1
        for mask, sign in _independent([other for other in jumps[i + 1 :] if jump.independent_of(other)]):
            yield jump.mask | mask, -sign


def _added_words(found: Levels, levels: Sequence[Level], up_to_order: bool) -> int:
    """The number of solutions from the start, by arrays of 64-bit words."""
    import numpy as np

    words = found.words
    arrays: list[Array] = [found.array(level) for level in levels]
    most = [words.most_jumps(level) for level in arrays]
    # Sums up to order are taken modulo a power of 2: only the result must fit.
    size = (sum((ways + 1).bit_length() for ways in most) + len(arrays).bit_length()) // 64 + 1
    later: list[tuple[Array, Array]] = []  # levels and their counts, the next one first
    for level in reversed(arrays):
        counts = np.zeros((len(level), size), np.uint64)
        counts[words.are_goals(level, found.problem), 0] = 1
        if up_to_order:
            for made, (into, values) in enumerate(later, start=1):
                words.add_sets(level, made, into, values, counts)
        elif later:
            words.add_jumps(level, *later[0], counts)
        later.insert(0, (level, counts))
        del later[len(found.problem.board.holes) // 3 if up_to_order else 1 :]
        found.run.report({"counted": len(arrays[0])})
    return sum(int(word) << 64 * i for i, word in enumerate(later[0][1][0]))
