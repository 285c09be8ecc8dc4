"""Depth-first search with double ("closed") hashing of failed positions."""

from __future__ import annotations

from pegcp.game.problem import Problem
from pegcp.method import Answer, Run
from pegcp.search.dfs import depth_first
from pegcp.states.hash_tables import DoubleTable

ENGINE = "dfs"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any",)


def search(problem: Problem, run: Run, *, size: int = 1009) -> Answer:
    """Find a solution, or prove by exhaustion that there is none; ``size`` is the number of slots to begin with."""
    return depth_first(problem, run, DoubleTable(size))
