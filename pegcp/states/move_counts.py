"""The fewest moves to the goal from each position of some levels, from the last level to the first.

For each position: the fewest moves, and the holes from which the first of them may start. A peg that has just landed in
such a hole goes on in the same move, so from there it is one move less; from nowhere can it be two. So one number and
one set of holes for a position are enough, and the start's number is the optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pegcp.game.board import Jump
from pegcp.game.symmetry import image
from pegcp.states.levels import Levels
from pegcp.states.positions import Level, place

_NO_MOVE = 1 << 14


class MoveCounts:
    """The fewest moves from the positions of levels, the start's first, each of which leads to the next.

    ``make`` makes these levels. ``known[made]`` belongs to the level after ``made`` jumps: a dict from position to
    (fewest moves, holes), or two arrays.
    """

    def __init__(self, levels: Levels, make: Callable[[], list[Level]]) -> None:
        self.levels, self.problem, self.make = levels, levels.problem, make
        self.winning: list[Level] = []
        self.known: dict[int, Any] = {}

    @property
    def nodes(self) -> int:
        """How many positions there are."""
        return sum(map(len, self.winning))

    def lower_bounds(self) -> Iterator[int]:
        """Fill in what is known, level by level; each time, a number that the moves of a solution cannot fall below."""
        self.winning = self.make()
        small = all(isinstance(level, list) for level in self.winning)
        if not small:
            self.winning = [self.levels.array(level) for level in self.winning]
        for made in reversed(range(len(self.winning))):
            self.levels.tick()
            known: Any = self._small(made) if small else self._large(made)
            self.known[made] = known
            if self.problem.targets is not None and len(self.winning[made]):
                # Every solution passes this level. A move that is under way here was paid for before.
                yield min(moves for moves, _ in known.values()) if small else int(known[0].min())

    def _small(self, made: int) -> dict[int, tuple[int, int]]:
        known = {}
        for position in self.winning[made]:
            best, holes = (-1, 0) if self.problem.is_goal(position) else (_NO_MOVE, 0)
            for jump, moves in self._onward(made, position) if best > 0 else ():
                best, holes = (moves, 0) if moves < best else (best, holes)
                holes |= 1 << jump.from_ if moves == best else 0
            known[position] = best + 1, holes
        return known

    def _onward(self, made: int, position: int) -> Iterator[tuple[Jump, int]]:
        """The jumps that keep the goal in reach, and the moves needed after each, going on with the same peg."""
        for jump in self.problem.board.jumps:
            if jump.is_legal(position):
                moves = self.moves(made + 1, position ^ jump.mask, jump.to)
                if moves < _NO_MOVE:
                    yield jump, moves

    def moves(self, made: int, position: int, peg: int | None = None) -> int:
        """The fewest moves from a position to the goal, where this peg may go on for nothing; or a large number."""
        permutation = min(self.levels.symmetries, key=lambda p: image(p, position))
        moves, holes = self._known(made, image(permutation, position))
        return moves - (peg is not None and holes >> permutation[peg] & 1)

    def _known(self, made: int, position: int) -> tuple[int, int]:
        known: Any = self.known.get(made)
        if isinstance(known, dict):
            found: tuple[int, int] = known.get(position, (_NO_MOVE, 0))
            return found
        if known is None:
            return _NO_MOVE, 0
        level = self.winning[made]
        i = place(level, position)
        return (_NO_MOVE, 0) if i is None else (int(known[0][i]), int(known[1][i]))

    def _large(self, made: int) -> tuple[Any, Any]:
        level = self.winning[made]
        after = self.known.get(made + 1)
        into = self.winning[made + 1] if after else level[:0]
        moves, begins = self.levels.arrays.fewest_moves(level, into, after)
        goals = self.levels.arrays.are_goals(level)
        moves[goals], begins[goals] = 0, 0
        return moves, begins

    def solution(self) -> list[Jump] | None:
        """The jumps of a solution with the fewest moves, or None if there is none."""
        if not self.winning or not len(self.winning[0]):
            return None
        position, peg, jumps = self.problem.start.mask, None, list[Jump]()
        while not self.problem.is_goal(position):
            left = self.moves(len(jumps), position, peg)
            jump = next(
                jump for jump, moves in self._onward(len(jumps), position) if moves + (jump.from_ != peg) == left
            )
            position, peg = position ^ jump.mask, jump.to
            jumps.append(jump)
        return jumps
