"""The number of solutions, exactly: the winnable set, added up from its last level to its first.

Counts solutions as sequences of jumps, or up to the order of independent jumps, or up to symmetry, too; or lists them
jump by jump. For a dead end: the number of games. Nothing but winnable positions is looked at
(:mod:`pegcp.states.solution_numbers`).

Up to symmetry, the number is the average over the symmetries of the problem of how many solutions each carries to
themselves (Burnside).
"""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Literal

from pegcp.errors import InputError
from pegcp.game import Jump, Problem
from pegcp.game.equivalence import (
    COARSER,
    SEQUENCES,
    UP_TO_SYMMETRY,
    keeps_normal_form,
    representative,
    symmetries_of_solutions,
)
from pegcp.method import Answer, Reason, Run, Status, Tally, stopped, watch
from pegcp.states.solution_numbers import SolutionNumbers, symmetric_solutions
from pegcp.states.winnable import Winnable, winnable

ENGINE = "levels"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("count",)


def search(problem: Problem, run: Run, *, up_to: Literal["nothing", "order", "symmetry"] = "nothing") -> Answer:
    """Count the solutions and return one, or find by exhaustion that there is none; or list solutions.

    ``up_to``: of solutions that are equal up to the order of independent jumps, or up to this and to symmetry, one
    counts.
    """
    notion = COARSER.get(up_to, SEQUENCES)
    try:
        if run.wishes.listing is not None:
            return _listed(problem, run, notion)
        number = solutions(problem, run, up_to)
        jumps = winnable(problem, run).solution(problem.start.mask) if number else None
    except (TimeoutError, MemoryError) as error:
        return stopped(error)
    except InputError as error:
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=str(error))
    if jumps is None:
        return Answer(Status.INFEASIBLE)
    return Answer(Status.OPTIMAL, jumps=tuple(jumps), objective=number, counted=notion)


def solutions(problem: Problem, run: Run, up_to: str = "") -> int:
    """Count the solutions of a problem: as sequences of jumps, or up to ``order`` or ``symmetry``.

    For a dead end: the number of games. Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    number = SolutionNumbers(problem, run, ordered=up_to in COARSER)[problem.start.mask]
    if up_to != "symmetry" or not number:
        return number
    table, symmetries, tick = winnable(problem, run), symmetries_of_solutions(problem).elements, watch(run)
    return (number + sum(symmetric_solutions(problem, table, s, tick) for s in symmetries[1:])) // len(symmetries)


def _listed(problem: Problem, run: Run, notion: str) -> Answer:
    """Return as many solutions as the run asks for. Raises TimeoutError or MemoryError if it has no winnable set."""
    tally = Tally(problem, run, notion)
    every = _solutions(problem, run, winnable(problem, run), ordered=tally.notion != SEQUENCES)
    if run.wishes.listing and run.wishes.listing.sample:
        up_to = next((word for word, notion in COARSER.items() if notion == tally.notion), "")
        if run.wishes.listing.most < solutions(problem, run, up_to):
            every = _samples(problem, run, tally.notion)
    try:
        complete = all(tally.add(partial(tuple, jumps)) for jumps in every)
    except TimeoutError:
        complete = False
    return tally.answer(is_complete=complete)


def _samples(problem: Problem, run: Run, notion: str) -> Iterator[tuple[Jump, ...]]:
    """Yield solutions at random without end, each of those that are not equal as often as any other."""
    numbers = SolutionNumbers(problem, run, ordered=notion != SEQUENCES, keep=True)
    chance = Random(run.limits.seed)
    while True:
        if not run.remaining:
            raise TimeoutError
        played = numbers.solution(chance.randrange(numbers[problem.start.mask]))
        if notion != UP_TO_SYMMETRY or played == representative(problem, played, notion):
            yield played


def _solutions(problem: Problem, run: Run, table: Winnable, *, ordered: bool) -> Iterator[tuple[Jump, ...]]:
    """Yield all solutions; if ``ordered``, only those in which independent jumps are in their normal form."""
    least = len(problem.start) - problem.lengths[-1]
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
