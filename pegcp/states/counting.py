"""Exact numbers of solutions and games, from the levels of the winnable set.

The number of solutions from a position is the sum of those from the positions one jump later; a position that satisfies
the goal adds one. So the levels are added up from the last to the first, and nothing but winnable positions is looked
at. In arrays a number is a row of digits to the base 2 ** 32; how many follows from the most jumps that can be made on
each level.

*Up to order*: solutions that differ only in the order of independent jumps (no hole in common) are one. Their number
from a position is, over all sets of independent jumps that can be made there, the alternating sum of the numbers after
all jumps of the set: +1 for one jump, -1 for two, and so on (Cartier and Foata, Problèmes combinatoires de commutation
et réarrangements, 1969).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.states.levels import Levels
from pegcp.states.positions import Level, masks
from pegcp.states.winnable import winnable

if TYPE_CHECKING:
    from pegcp.states.kernels.marks import Array
    from pegcp.states.kernels.sums import Values

N = TypeVar("N", int, float)

_DIGIT = 32  # bits; the others of a 64-bit word hold the sum of more digits than a position has sets of jumps


def solutions(problem: Problem, run: Run, *, up_to_order: bool = False) -> int:
    """The number of solutions of a problem, as sequences of jumps or up to the order of independent jumps.

    For a dead end: the number of games. Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    levels = Levels(problem, run)
    winning = winning_levels(problem, levels, run)
    if not winning or not len(winning[0]):
        return 0
    if not all(isinstance(level, list) for level in winning):
        return _added(levels, winning, up_to_order)

    def number(position: int, is_goal: bool, later: Callable[[int], int]) -> int:
        legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
        sets = _independent(legal) if up_to_order else ((jump.mask, 1) for jump in legal)
        return is_goal + sum(sign * later(position ^ flip) for flip, sign in sets)

    return _from_last(levels, winning, number, 0)


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


def _from_last(
    levels: Levels, winning: Sequence[Level], value: Callable[[int, bool, Callable[[int], N]], N], lost: N
) -> N:
    """The value of the start: that of a position follows from those of later ones; ``lost`` is that of all others."""
    values: dict[int, N] = {}

    def later(position: int) -> N:
        return values.get(levels.canonical(position), lost)

    for level in reversed(winning):
        levels.tick()
        goals = set(masks(levels.goals(level)))
        values |= {position: value(position, position in goals, later) for position in level}
    return values[winning[0][0]]


def _independent(jumps: Sequence[Jump]) -> Iterator[tuple[int, int]]:
    """For every set of independent jumps but the empty one: the holes that change, and +1 or -1 as the set is odd."""
    for i, jump in enumerate(jumps):
        yield jump.mask, 1
        for mask, sign in _independent([other for other in jumps[i + 1 :] if jump.independent_of(other)]):
            yield jump.mask | mask, -sign


def _added(levels: Levels, winning: Sequence[Level], up_to_order: bool) -> int:
    """The number of solutions from the start, by arrays."""
    import numpy as np

    words, arrays = levels.words, list(map(levels.array, winning))
    bits = sum(int(words.ways(level).max(initial=0) + 1).bit_length() for level in arrays) + len(arrays).bit_length()
    later: list[tuple[Array, Values]] = []  # levels and their counts, the next one first
    for level in reversed(arrays):
        counts = np.zeros((len(level), bits // _DIGIT + 1), np.int64)
        counts[words.are_goals(level, levels.problem), 0] = 1
        if up_to_order:
            for made, (into, values) in enumerate(later, start=1):
                words.add_sets(level, made, into, values, counts)
        elif later:
            words.add_jumps(level, *later[0], counts)
        for digit in range(counts.shape[1] - 1):
            counts[:, digit + 1] += counts[:, digit] >> _DIGIT
            counts[:, digit] &= (1 << _DIGIT) - 1
        later.insert(0, (level, counts))
        del later[len(levels.problem.board.holes) // 3 if up_to_order else 1 :]
        levels.run.report({"counted": len(arrays[0])})
    return sum(int(digit) << _DIGIT * i for i, digit in enumerate(later[0][1][0]))
