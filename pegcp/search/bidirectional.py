"""Bidirectional breadth-first search: levels forward from the start and backward from the goal, until they meet.

Both grow by the smaller frontier. A goal of one peg anywhere starts backward from every single peg that the position
classes allow. Complete.
"""

from __future__ import annotations

import time

from pegcp.game.problem import Problem
from pegcp.method import Answer, Reason, Run, Status
from pegcp.states.levels import Level, deadline, group, kernel, lifted, trace
from pegcp.theory.certificates import find
from pegcp.theory.parity import class_sets

GOALS = ("exact", "one-peg")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """A solution, or a proof that there is none; ``symmetry``: up to the symmetries of the goal."""
    began = time.perf_counter()
    if not problem.jump_counts:
        return Answer(Status.INFEASIBLE, certificate=find(problem, pagoda=False))
    symmetries = group(problem, symmetry)
    words = kernel(problem.board, symmetries, deadline(run))
    forward: list[Level] = [words.level([problem.start.mask])]
    backward: list[Level] = [words.level(last_positions(problem))]

    def answer(status: Status, reason: Reason = Reason.COMPLETED, path: list[int] | None = None) -> Answer:
        statistics = {
            "nodes": sum(map(len, forward)) + sum(map(len, backward)),
            "forward_levels": len(forward),
            "backward_levels": len(backward),
            "solve_seconds": time.perf_counter() - began,
        }
        jumps = None if path is None else tuple(lifted(problem, symmetries, path))
        return Answer(
            status, reason, jumps, statistics=statistics, message="time limit" if reason is Reason.TIME else ""
        )

    try:
        while len(forward[-1]) and len(backward[-1]):
            if len(forward) + len(backward) - 2 == problem.jump_counts[-1]:
                meeting = words.common(forward[-1], backward[-1])[:1]
                if not len(meeting):
                    break
                path = trace(words, forward, meeting)
                for level in reversed(backward[:-1]):
                    path.append(words.common(words.after(path[-1]), level)[:1])
                return answer(Status.SOLVED, path=[int(level[0]) for level in path])
            if len(forward[-1]) <= len(backward[-1]):
                forward.append(words.after(forward[-1]))
            else:
                backward.append(words.before(backward[-1]))
            run.report({"forward": len(forward[-1]), "backward": len(backward[-1])})
    except TimeoutError:
        return answer(Status.UNKNOWN, Reason.TIME)
    return answer(Status.INFEASIBLE)


def last_positions(problem: Problem) -> list[int]:
    """The positions that satisfy the goal and have the start's parity on every set that decides the position class."""
    goals = (
        [1 << h for h in range(len(problem.board.holes))] if problem.goal.kind == "one-peg" else [problem.final_pegs]
    )
    sets = class_sets(problem.board)
    return [goal for goal in goals if not any(((goal ^ problem.start.mask) & s).bit_count() % 2 for s in sets)]
