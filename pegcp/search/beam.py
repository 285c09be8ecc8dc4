"""Beam search: breadth-first, keeping only the most promising positions of each level.

A position is judged by where its pegs are: a hole from which and over which many jumps go is a good place for a peg,
one from which few go is a bad one, and places far from the goal's pegs count more. If no solution is found the beam is
made wider, until no level is cut any more: then the search was complete.
"""

from __future__ import annotations

import time
from dataclasses import replace

from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.states.levels import Level, Levels, stopped
from pegcp.theory.certificates import find

GOALS = ("exact", "one-peg", "partial", "dead-end", "nearest")
OBJECTIVES = ("any", "fewest-pegs", "nearest")


def search(problem: Problem, run: Run, *, width: int = 100, symmetry: bool = True) -> Answer:
    """A solution, or the nearest one, or a proof that there is none once no level is wider than the beam.

    ``width`` is the first width of the beam; it grows tenfold from one try to the next.
    """
    began = time.perf_counter()
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
    found = Levels(problem, run, symmetry)
    weights = hole_weights(problem)
    nodes = 0
    sought = problem.sought
    nearest: Answer | None = None

    def statistics() -> dict[str, float]:
        return {"nodes": nodes, "width": width, "solve_seconds": time.perf_counter() - began}

    try:
        while True:
            levels: list[Level] = []
            cut = False
            for jumps in range(problem.jump_counts.stop):
                level = found.after(levels[-1]) if levels else found.level([problem.start.mask])
                nodes += len(level)
                goals: Level = found.goals(level) if jumps in problem.jump_counts else []
                if len(goals):
                    goal = int(goals[0]) if sought is None else found.nearest(goals, sought)
                    value = 0 if sought is None else sought.distance(goal)
                    if nearest is None or value < (nearest.bound or 0):
                        path = found.trace([*levels, level], goal)
                        nearest = Answer(Status.OPTIMAL, jumps=tuple(found.lifted(path)), bound=value)
                    if sought is None:
                        return replace(nearest, status=Status.SOLVED, bound=None, statistics=statistics())
                    if value == problem.least_value:
                        return replace(nearest, statistics=statistics())
                if not len(level):
                    break
                levels.append(found.best(level, weights, width))
                cut |= len(levels[-1]) < len(level)
            if not cut and nearest is not None:
                return replace(nearest, statistics=statistics())
            if not cut:
                return Answer(Status.INFEASIBLE, statistics=statistics())
            width *= 10
            run.report({"width": width, "nodes": nodes})
    except (TimeoutError, MemoryError) as error:
        if nearest is None:
            return stopped(error, statistics=statistics())
        return replace(
            stopped(error, bound=problem.least_value, statistics=statistics()),
            status=Status.SOLVED,
            jumps=nearest.jumps,
        )


def hole_weights(problem: Problem) -> list[int]:
    """How bad it is to have a peg in each hole: distance from the goal's pegs, and few jumps from there."""
    board = problem.board
    ways = [sum(hole in (jump.from_, jump.over) for jump in board.jumps) for hole in range(len(board.holes))]
    most = max(ways, default=0)
    wanted = problem.final_pegs if problem.sought is None else problem.sought.pegs
    near = {h for h in range(len(board.holes)) if wanted >> h & 1}
    near = near or {h for h in range(len(board.holes)) if ways[h] == most}
    distance = dict.fromkeys(near, 0)
    queue = list(near)
    for hole in queue:
        for a, over, b in board.lines:
            for one, other in ((a, over), (over, a), (b, over), (over, b)):
                if one == hole and other not in distance:
                    distance[other] = distance[hole] + 1
                    queue.append(other)
    return [most - ways[h] + 2 * distance.get(h, len(board.holes)) ** 2 for h in range(len(board.holes))]
