"""Find the fewest moves from both ends, run by run, within a bound that grows until the sides meet.

As Barker and Korf do jump by jump (Solving peg solitaire with bidirectional BFIDA*, AAAI 2012), a position is dropped
when its moves, and one for each full region that must still be opened (:mod:`pegcp.theory.regions`), exceed the bound.
The first bound with a solution is the optimum. A proof of the fewest moves is the same argument (docs/proof-format.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from pegcp.game.board import Jump
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.states.levels import Levels
from pegcp.states.runs import Ends, RunSets
from pegcp.theory.regions import least_moves, packing, regions_to_open


class BothEnds:
    """The search, for a goal that is exact or one peg. ``nodes``: positions that were kept."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run = problem, run
        self.nodes = 0
        self.jumps: list[Jump] | None = None

    def lower_bounds(self) -> Iterator[int]:
        """Look for a solution within a bound that grows; each time, yield the next bound."""
        problem, board, levels = self.problem, self.problem.board, Levels(self.problem, self.run)
        jumps = [(jump.from_, jump.over, jump.to) for jump in board.jumps]
        regions = packing(regions_to_open(problem))
        goals = list(levels.last())  # none if the goal is in another position class
        ends = Ends(len(board.holes), jumps, problem.start.mask, goals, levels.symmetries.elements, regions)
        bound, before = least_moves(problem), 0

        def tick(positions: int) -> None:
            levels.tick()
            self.nodes = before + positions
            self.run.report({"nodes": self.nodes})

        while goals:
            sets = RunSets(ends, bound, tick)
            if sets.meet() is not None:
                self.jumps = [board.jumps[j] for j in sets.solution()]
            if self.jumps is not None or sets.exhausted:
                return
            bound, before = bound + 1, self.nodes
            yield bound

    def solution(self) -> list[Jump] | None:
        """Return the solution, or None if there is none."""
        return self.jumps
