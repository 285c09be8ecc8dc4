"""The number of solutions, exactly: the winnable set, added up from its last level to its first.

Counts solutions as sequences of jumps, or lists them jump by jump. For a dead end: the number of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pegcp.game.board import Jump
from pegcp.game.notions import SEQUENCES, keeps_normal_form
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status, Tally
from pegcp.states.counting import solutions
from pegcp.states.levels import stopped
from pegcp.states.winnable import winnable

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("count",)


def search(problem: Problem, run: Run) -> Answer:
    """The number of solutions and one of them, or a proof by exhaustion that there is none; or solutions, listed."""
    try:
        if run.listing is not None:
            return _listed(problem, run, winnable(problem, run).__contains__)
        number = solutions(problem, run)
        jumps = winnable(problem, run).solution(problem.start.mask) if number else None
    except (TimeoutError, MemoryError) as error:
        return stopped(error)
    if jumps is None:
        return Answer(Status.INFEASIBLE)
    return Answer(Status.OPTIMAL, jumps=tuple(jumps), objective=number, counted=SEQUENCES)


def _listed(problem: Problem, run: Run, reaches: Callable[[int], bool]) -> Answer:
    """As many solutions as the run asks for. ``reaches``: whether the goal can be reached from a position, which may
    raise TimeoutError."""
    tally = Tally(problem, run, SEQUENCES)
    try:
        for played in _solutions(problem, run, reaches, ordered=tally.notion != SEQUENCES):
            if not tally.add(partial(tuple, played)):
                return tally.answer(whole=False)
    except TimeoutError:
        return tally.answer(whole=False)
    return tally.answer(whole=True)


def _solutions(
    problem: Problem, run: Run, reaches: Callable[[int], bool], *, ordered: bool
) -> Iterator[tuple[Jump, ...]]:
    """All solutions; if they are to be ``ordered``, only those in which independent jumps are in their normal form."""
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
            if jump.is_legal(position) and (not ordered or keeps_normal_form(played, jump)):
                after = position ^ jump.mask
                if reaches(after):
                    waiting.append((after, (*played, jump)))
