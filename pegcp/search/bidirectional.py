"""Bidirectional breadth-first search: levels forward from the start and backward from the goal, until they meet.

Both grow by the smaller frontier. A goal of one peg anywhere starts backward from every single peg that the position
classes allow. Complete.
"""

from __future__ import annotations

import time

from pegcp.game.problem import Problem
from pegcp.method import Answer, Run, Status
from pegcp.states.bounds import Bounds
from pegcp.states.levels import Levels, stopped
from pegcp.states.positions import Level, first
from pegcp.theory.certificates import find

GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """A solution, or a proof that there is none; ``symmetry``: up to the symmetries of the goal."""
    began = time.perf_counter()
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
    found = Levels(problem, run, symmetry)
    forward: list[Level] = [found.level([problem.start.mask])]
    backward: list[Level] = [found.last()]
    ahead, behind = Bounds(found), Bounds(found, backwards=True)

    def statistics() -> dict[str, float]:
        return {
            "nodes": sum(map(len, forward)) + sum(map(len, backward)),
            "forward_levels": len(forward),
            "backward_levels": len(backward),
            "solve_seconds": time.perf_counter() - began,
        }

    try:
        while len(forward[-1]) and len(backward[-1]):
            if len(forward) + len(backward) - 2 == problem.jump_counts[-1]:
                meeting = found.common(forward[-1], backward[-1])
                if not len(meeting):
                    break
                path = found.trace(forward, first(meeting))
                for level in reversed(backward[:-1]):
                    path.append(first(found.common(found.after([path[-1]]), level)))
                return Answer(Status.SOLVED, jumps=tuple(found.lifted(path)), statistics=statistics())
            if len(forward[-1]) <= len(backward[-1]):
                forward.append(ahead.kept(found.after(forward[-1])))
            else:
                backward.append(behind.kept(found.before(backward[-1])))
            run.report({"forward": len(forward[-1]), "backward": len(backward[-1])})
    except (TimeoutError, MemoryError) as error:
        return stopped(error, statistics=statistics())
    return Answer(Status.INFEASIBLE, statistics=statistics())
