"""Breadth-first search: all positions after one jump, after two, and so on, up to symmetry.

Complete on any board and for every goal. The first level that has a goal position gives the fewest jumps.
"""

from __future__ import annotations

import time

from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.states.levels import Level, Levels, stopped
from pegcp.theory.certificates import find

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-jumps")


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """The shortest solution, or a proof by exhaustion that there is none.

    ``symmetry`` keeps one position of each class under the symmetries of the goal. The bound on the number of jumps is
    the number of levels finished without a goal.
    """
    began = time.perf_counter()
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
    found = Levels(problem, run, symmetry)
    levels: list[Level] = []
    finished = 0
    shortest = problem.objective is Objective.FEWEST_JUMPS

    def statistics() -> dict[str, float]:
        return {
            "nodes": sum(map(len, levels)),
            "levels": len(levels),
            "largest_level": max(map(len, levels), default=0),
            "solve_seconds": time.perf_counter() - began,
        }

    try:
        for jumps in range(problem.jump_counts.stop):
            levels.append(found.after(levels[-1]) if levels else found.level([problem.start.mask]))
            goals: Level = found.goals(levels[-1]) if jumps in problem.jump_counts else []
            if len(goals):
                return Answer(
                    Status.OPTIMAL if shortest else Status.SOLVED,
                    jumps=tuple(found.lifted(found.trace(levels, int(goals[0])))),
                    bound=jumps if shortest else None,
                    statistics=statistics(),
                )
            if not len(levels[-1]):
                break
            finished = jumps + 1
            run.report({"bound": finished, **statistics()} if shortest else statistics())
    except (TimeoutError, MemoryError) as error:
        return stopped(error, bound=finished if shortest else None, statistics=statistics())
    return Answer(Status.INFEASIBLE, statistics=statistics())
