"""The number of solutions, exactly: the winnable set, added up from its last level to its first.

Counts solutions as sequences of jumps. For a dead end: the number of games.
"""

from __future__ import annotations

from pegcp.game.notions import SEQUENCES
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.search._listing import listed
from pegcp.states.counting import solutions
from pegcp.states.levels import stopped
from pegcp.states.winnable import winnable

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("count",)


def search(problem: Problem, run: Run) -> Answer:
    """The number of solutions and one of them, or a proof by exhaustion that there is none; or solutions, listed."""
    try:
        if run.listing is not None:
            return listed(problem, run, winnable(problem, run).__contains__)
        number = solutions(problem, run)
        jumps = winnable(problem, run).solution(problem.start.mask) if number else None
    except (TimeoutError, MemoryError) as error:
        return stopped(error)
    if jumps is None:
        return Answer(Status.INFEASIBLE)
    return Answer(Status.OPTIMAL, jumps=tuple(jumps), objective=number, counted=SEQUENCES)
