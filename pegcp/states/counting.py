"""Exact numbers of solutions and games, from the levels of the winnable set.

The number of solutions from a position is the sum of those from the positions one jump later; a position that satisfies
the goal adds one. So the levels are added up from the last to the first, and nothing but winnable positions is looked
at. In arrays a number is a row of digits to the base 2 ** 32; how many follows from the most jumps that can be made on
each level.
"""

from __future__ import annotations

from collections.abc import Sequence

from pegcp.game.goal import DeadEnd
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.states.levels import Levels
from pegcp.states.positions import Level
from pegcp.states.winnable import winnable

_DIGIT = 32  # bits; the others of a 64-bit word hold the sum of more digits than a position has jumps


def solutions(problem: Problem, run: Run) -> int:
    """The number of solutions of a problem, as sequences of jumps.

    For a dead end: the number of games. Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    levels = Levels(problem, run)
    winning = winning_levels(problem, levels, run)
    if not winning or not len(winning[0]):
        return 0
    if not all(isinstance(level, list) for level in winning):
        return _added(levels, winning)
    numbers: dict[int, int] = {}
    for level in reversed(winning):
        levels.tick()
        for position in level:
            after = (levels.canonical(position ^ flip) for flip, pegs in levels.forwards if position & flip == pegs)
            numbers[position] = problem.is_goal(position) + sum(numbers.get(later, 0) for later in after)
    return numbers[winning[0][0]]


def winning_levels(problem: Problem, levels: Levels, run: Run) -> list[Level]:
    """All levels with positions from which the goal can be reached, the start's first."""
    if isinstance(problem.goal, DeadEnd):
        found = [levels.level([problem.start.mask])]
        while len(found[-1]):
            found.append(levels.after(found[-1]))
            run.report({"positions": sum(map(len, found))})
        return found[:-1]
    table = winnable(problem, run)
    pegs = len(problem.start)
    return [table.level(pegs - made) for made in range(problem.jump_counts.stop)]


def _added(levels: Levels, winning: Sequence[Level]) -> int:
    """The number of solutions from the start, by arrays."""
    import numpy as np

    words, arrays = levels.words, list(map(levels.array, winning))
    bits = sum(int(words.ways(level).max(initial=0) + 1).bit_length() for level in arrays) + len(arrays).bit_length()
    after, numbers = arrays[-1][:0], np.zeros((0, 1), np.int64)  # the next level and its counts
    for level in reversed(arrays):
        counts = np.zeros((len(level), bits // _DIGIT + 1), np.int64)
        counts[words.are_goals(level, levels.problem), 0] = 1
        words.add_jumps(level, after, numbers, counts)
        for digit in range(counts.shape[1] - 1):
            counts[:, digit + 1] += counts[:, digit] >> _DIGIT
            counts[:, digit] &= (1 << _DIGIT) - 1
        after, numbers = level, counts
        levels.run.report({"counted": len(arrays[0])})
    return sum(int(digit) << _DIGIT * i for i, digit in enumerate(numbers[0]))
