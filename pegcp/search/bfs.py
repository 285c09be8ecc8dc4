"""Breadth-first search: all positions after one jump, after two, and so on, up to symmetry.

Complete on any board and for every goal. The first level that has a goal position gives the fewest jumps.
"""

from __future__ import annotations

import time

from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.states.levels import Level, deadline, group, kernel, lifted, trace
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
    symmetries = group(problem, symmetry)
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

    words = kernel(problem.board, symmetries, deadline(run))
    try:
        for jumps in range(problem.jump_counts.stop):
            levels.append(words.after(levels[-1]) if levels else words.level([problem.start.mask]))
            goals = words.goals(levels[-1], problem) if jumps in problem.jump_counts else ()
            if len(goals):
                path = [int(level[0]) for level in trace(words, levels, goals[:1])]
                return Answer(
                    Status.OPTIMAL if shortest else Status.SOLVED,
                    jumps=tuple(lifted(problem, symmetries, path)),
                    bound=jumps if shortest else None,
                    statistics=statistics(),
                )
            if not len(levels[-1]):
                break
            finished = jumps + 1
            run.report({"bound": finished, **statistics()} if shortest else statistics())
    except TimeoutError:
        bound = finished if shortest else None
        return Answer(Status.UNKNOWN, Reason.TIME, bound=bound, statistics=statistics(), message="time limit")
    return Answer(Status.INFEASIBLE, statistics=statistics())
