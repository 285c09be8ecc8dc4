"""Depth-first search without memory: a position may be searched many times."""

from __future__ import annotations

from pegcp.game.problem import Problem
from pegcp.method import Answer, Run
from pegcp.search.dfs import depth_first

ENGINE = "dfs"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run) -> Answer:
    """Find a solution, or prove by exhaustion that there is none."""
    return depth_first(problem, run, None)
