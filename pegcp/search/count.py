"""The number of solutions, exactly: the winnable set, added up from its last level to its first.

Counts solutions as sequences of jumps, or lists them jump by jump. For a dead end: the number of games.

The number of solutions from a position is the sum of those from the positions one jump later; a position that satisfies
the goal adds one. Nothing but winnable positions is looked at. In arrays a number is a row of digits to the base
2 ** 32; how many follows from the most jumps that can be made on each level.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from pegcp.game.board import Jump
from pegcp.game.equivalence import SEQUENCES, keeps_normal_form
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status, Tally, stopped
from pegcp.states.levels import Level, Levels, ListLevel
from pegcp.states.winnable import Winnable, winnable, winning_levels

ENGINE = "levels"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("count",)

_DIGIT_BITS = 32  # bits; the others of a 64-bit word hold the sum of more digits than a position has jumps


def search(problem: Problem, run: Run) -> Answer:
    """Count the solutions and return one, or prove by exhaustion that there is none; or list solutions."""
    try:
        if run.listing is not None:
            return _listed(problem, run)
        number = solutions(problem, run)
        jumps = winnable(problem, run).solution(problem.start.mask) if number else None
    except (TimeoutError, MemoryError) as error:
        return stopped(error)
    if jumps is None:
        return Answer(Status.INFEASIBLE)
    return Answer(Status.OPTIMAL, jumps=tuple(jumps), objective=number, counted=SEQUENCES)


def solutions(problem: Problem, run: Run) -> int:
    """Count the solutions of a problem, as sequences of jumps.

    For a dead end: the number of games. Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    levels = Levels(problem, run)
    winning = winning_levels(problem, levels, run)
    if not winning or not len(winning[0]):
        return 0
    if not all(isinstance(level, ListLevel) for level in winning):
        return _sum_up(levels, winning)
    numbers: dict[int, int] = {}
    for level in reversed(winning):
        levels.tick()
        for position in level:
            after = (levels.canonical(position ^ flip) for flip, pegs in levels.forwards if position & flip == pegs)
            numbers[position] = problem.is_goal(position) + sum(numbers.get(later, 0) for later in after)
    return numbers[winning[0].first]


def _sum_up(levels: Levels, winning: Sequence[Level]) -> int:
    """Count the solutions from the start, by arrays."""
    import numpy as np

    arrays = [level.array for level in winning]
    bits = sum(int(level.ways().max(initial=0) + 1).bit_length() for level in arrays) + len(arrays).bit_length()
    after, numbers = arrays[-1][:0], np.zeros((0, 1), np.int64)  # the next level and its counts
    for level in reversed(arrays):
        counts = np.zeros((len(level), bits // _DIGIT_BITS + 1), np.int64)
        counts[level.are_goals(), 0] = 1
        level.add_jumps(after, numbers, counts)
        for digit in range(counts.shape[1] - 1):
            counts[:, digit + 1] += counts[:, digit] >> _DIGIT_BITS
            counts[:, digit] &= (1 << _DIGIT_BITS) - 1
        after, numbers = level, counts
        levels.run.report({"counted": len(arrays[0])})
    return sum(int(digit) << _DIGIT_BITS * i for i, digit in enumerate(numbers[0]))


def _listed(problem: Problem, run: Run) -> Answer:
    """Return as many solutions as the run asks for. Raises TimeoutError or MemoryError if it has no winnable set."""
    tally, table = Tally(problem, run, SEQUENCES), winnable(problem, run)
    every = _solutions(problem, run, table, ordered=tally.notion != SEQUENCES)
    try:
        complete = all(tally.add(partial(tuple, jumps)) for jumps in every)
    except TimeoutError:
        complete = False
    return tally.answer(whole=complete)


def _solutions(problem: Problem, run: Run, table: Winnable, *, ordered: bool) -> Iterator[tuple[Jump, ...]]:
    """Yield all solutions; if ``ordered``, only those in which independent jumps are in their normal form."""
    least = len(problem.start) - problem.jump_counts[-1]
    waiting: list[tuple[int, tuple[Jump, ...]]] = [(problem.start.mask, ())]
    while waiting:
        if not run.remaining:
            raise TimeoutError
        position, played = waiting.pop()
        if problem.is_goal(position):
            yield played
        if position.bit_count() <= least:
            continue
        for jump in reversed(problem.board.jumps):
            after = position ^ jump.mask
            if jump.is_legal(position) and (not ordered or keeps_normal_form(played, jump)) and after in table:
                waiting.append((after, (*played, jump)))
