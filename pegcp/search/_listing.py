"""Lists solutions jump by jump, where it is known from which positions the goal can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pegcp.game.board import Jump
from pegcp.game.notions import SEQUENCES, keeps_normal_form
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Tally


def listed(problem: Problem, run: Run, reaches: Callable[[int], bool]) -> Answer:
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
