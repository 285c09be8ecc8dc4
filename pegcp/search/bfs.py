"""Breadth-first search: all positions after one jump, after two, and so on, up to symmetry.

Complete on any board and for every goal. The first level that has a goal position gives the fewest jumps; the best goal
position of all levels is the nearest to what the objective seeks.

The shortest dead end is seen one level before; and where memory does not suffice for the next level, two levels before,
part by part.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.states.levels import Levels, stopped
from pegcp.states.positions import Level, first
from pegcp.theory.certificates import find

GOALS = ("exact", "one-peg", "partial", "dead-end", "nearest")
OBJECTIVES = ("any", "fewest-jumps", "fewest-pegs", "nearest")

_PART = 1 << 22  # positions


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """The shortest or the nearest solution, or a proof by exhaustion that there is none.

    ``symmetry`` keeps one position of each class under the symmetries of the goal. The bound on the number of jumps is
    the number of levels finished without a goal.
    """
    began = time.perf_counter()
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
    found = Levels(problem, run, symmetry)
    levels: list[Level] = []
    frontier: Level = []  # the positions of the last level from which the search goes on
    finished, looked_ahead = 0, False
    shortest = problem.objective is Objective.FEWEST_JUMPS
    sought = problem.sought
    nearest: Answer | None = None

    def statistics() -> dict[str, float]:
        return {
            "nodes": sum(map(len, levels)),
            "levels": len(levels),
            "largest_level": max(map(len, levels), default=0),
            "solve_seconds": time.perf_counter() - began,
        }

    def solution(jumps: int, goal: int) -> tuple[Jump, ...]:
        return tuple(found.lifted(found.trace(levels[: jumps + 1], goal)))

    def following() -> Level:
        """The next level; of one that memory does not suffice for, a position before a dead end."""
        nonlocal finished
        with suppress(MemoryError):
            return found.after(frontier)
        if not looked_ahead:
            raise MemoryError
        for begin in range(0, len(frontier), _PART):
            ending = found.ending(found.after(frontier[begin : begin + _PART]))
            if len(ending):
                return ending[:1]
        finished += 1
        raise MemoryError

    try:
        for jumps in range(problem.jump_counts.stop):
            levels.append(following() if levels else found.level([problem.start.mask]))
            goals: Level = found.goals(levels[-1]) if jumps in problem.jump_counts else []
            if len(goals) and sought is None:
                return Answer(
                    Status.OPTIMAL if shortest else Status.SOLVED,
                    jumps=solution(jumps, first(goals)),
                    bound=jumps if shortest else None,
                    statistics=statistics(),
                )
            if len(goals) and sought is not None:
                position = found.nearest(goals, sought)
                value = sought.distance(position)
                if nearest is None or value < (nearest.bound or 0):
                    nearest = Answer(Status.OPTIMAL, jumps=solution(jumps, position), bound=value)
                if value == problem.least_value:
                    break
            if not len(levels[-1]):
                break
            finished = jumps + 1
            frontier = levels[-1]
            looked_ahead = isinstance(problem.goal, DeadEnd) and shortest and not isinstance(frontier, list)
            if looked_ahead:
                # The next level is several times as large; if it is the last, one of its positions is enough.
                ending = found.ending(frontier)
                if len(ending):
                    frontier = ending[:1]
                else:
                    finished += 1
            run.report({"bound": finished, **statistics()} if shortest else statistics())
    except (TimeoutError, MemoryError) as error:
        bound = finished if shortest else problem.least_value if nearest else None
        cut_short = stopped(error, bound=bound, statistics=statistics())
        return cut_short if nearest is None else replace(cut_short, status=Status.SOLVED, jumps=nearest.jumps)
    if nearest is not None:
        return replace(nearest, statistics=statistics())
    return Answer(Status.INFEASIBLE, statistics=statistics())
