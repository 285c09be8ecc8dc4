"""OxiDD: runs models that map sets of positions, as decision diagrams, to the next ones. It uses one thread.

Levels grow from the start, and from the goal where all solutions have the same number of jumps. The level with the
smaller diagram grows next, until the two meet.
"""

from collections.abc import Callable
from typing import Any

from pegcp.backends.interface import (
    Answer,
    Backend,
    Formulation,
    HorizonLoop,
    Jump,
    Objective,
    Outcome,
    Status,
    stopped,
    watch,
)
from pegcp.modelling.reachability import Reachability

Positions = Any  # of OxiDD


class _Search:
    """The search of a run: levels ``forward`` after 0, 1, 2, ... jumps, and ``backward`` before as many of the last."""

    def __init__(self, loop: HorizonLoop, sets: Reachability[Any]) -> None:
        self.sets, self.problem, self.run, self.statistics = sets, loop.problem, loop.run, loop.statistics
        self.tick = watch(self.run)
        self.forward: list[Positions] = []
        self.backward: list[Positions] = []
        self.shortest = self.problem.objective is Objective.FEWEST_JUMPS
        self.bound: int | None = None  # of the number of jumps: so many levels have no goal position
        self.statistics |= {"positions": 0, "diagram_nodes": 0}

    def answer(self, formulation: Formulation[Reachability[Any]]) -> Outcome:
        """Build the diagrams level by level, and read a solution from them."""
        try:
            self._add(self.forward, self.sets.position(self.problem.start.mask))
            is_reached = self._meet() if len(self.problem.lengths) == 1 else self._reach_goal()
            meeting = self.forward[-1] & self.backward[-1]
            if not is_reached or not meeting.satisfiable():
                return False
            self.forward[-1] = self.backward[-1] = meeting
            return Answer(
                Status.OPTIMAL if self.shortest else Status.SOLVED,
                jumps=formulation.played(dict(enumerate(self._path())).get),
                bound=self.bound,
            )
        except (TimeoutError, MemoryError) as error:
            return stopped(error, bound=self.bound)

    def _meet(self) -> bool:
        """Add levels, the smaller side first, until the last ones of both sides have as many pegs."""
        (jumps,) = self.problem.lengths
        self._add(self.backward, self.sets.goal(self.sets.every(len(self.problem.start) - jumps)))
        while len(self.forward) + len(self.backward) < jumps + 2:
            is_forward = self.forward[-1].node_count() <= self.backward[-1].node_count()
            levels, step = (self.forward, self.sets.made) if is_forward else (self.backward, self.sets.undone)
            self._add(levels, self._step(levels[-1], step))
        return True

    def _reach_goal(self) -> bool:
        """Add levels forward until the last one has goal positions, which are then the only level backward."""
        for jumps in range(self.problem.lengths[-1] + 1):
            if self.shortest:
                self.bound = jumps
                self.run.report({"bound": jumps})
            self.backward = [self.sets.goal(self.forward[-1])]
            if jumps in self.problem.lengths and self.backward[0].satisfiable():
                return True
            self._add(self.forward, self._step(self.forward[-1], self.sets.made))
        return False

    def _add(self, levels: list[Positions], level: Positions) -> None:
        levels.append(level)
        positions, nodes = int(level.sat_count(len(self.problem.board.holes))), level.node_count()
        self.statistics["positions"] += positions
        self.statistics["diagram_nodes"] = max(nodes, self.statistics["diagram_nodes"])
        self.run.report({"positions": positions, "diagram_nodes": nodes})

    def _step(self, level: Positions, step: Callable[[Positions, Jump], Positions]) -> Positions:
        """Return the level after, or before, one jump from a level."""
        union = step(level, self.problem.board.jumps[0])
        for jump in self.problem.board.jumps[1:]:
            self.tick()
            union |= step(level, jump)
        return union

    def _path(self) -> list[int]:
        """Return the positions of a solution (bit masks)."""
        path = [_any_position(self.forward[-1])]
        for level in reversed(self.forward[:-1]):
            path.insert(0, _any_position(self._step(self.sets.position(path[0]), self.sets.undone) & level))
        for level in reversed(self.backward[:-1]):
            path.append(_any_position(self._step(self.sets.position(path[-1]), self.sets.made) & level))
        return path


def _any_position(level: Positions) -> int:
    """Return a position of the level (a bit mask)."""
    return sum(1 << hole for hole, peg in enumerate(level.pick_cube()) if peg)


class OxiDD(Backend):
    """OxiDD on models that map sets of positions to the next ones."""

    takes_turns = False

    def search(
        self,
        loop: HorizonLoop,
        formulation: Formulation[Reachability[Any]],
        state: None,
        seconds: float,
    ) -> Outcome:
        """Build the diagrams level by level, and read a solution from them."""
        return _Search(loop, formulation.model).answer(formulation)


OXIDD = OxiDD(
    name="oxidd",
    title="OxiDD (decision diagrams)",
    licence="MIT OR Apache-2.0",
    distribution="oxidd",
    modules=("oxidd",),
    package="pegcp[bdd]",
)
