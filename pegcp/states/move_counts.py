"""The fewest moves to the goal from each position of some levels, from the last level to the first.

For each position: the fewest moves, and the holes from which the first of them may start. A peg that has just landed in
such a hole goes on in the same move, so from there it is one move less; from nowhere can it be two. So one number and
one set of holes for a position are enough, and the start's number is the optimum.
"""

from collections.abc import Iterator
from typing import Any

from pegcp.game import Jump, Problem
from pegcp.game.symmetry import image
from pegcp.method import Run
from pegcp.states.levels import Level, Levels, ListLevel
from pegcp.states.winnable import winning_levels

_NO_MOVE = 1 << 14


class MoveCounts:
    """The fewest moves from the winnable positions of a problem, level by level, the start's first.

    ``counts[jumps]`` belongs to the level after so many jumps: the fewest moves of its positions, and their holes.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run, self.levels = problem, run, Levels(problem, run)
        self.winning: list[Level] = []
        self.counts: dict[int, Any] = {}  # two lists, or two arrays

    @property
    def nodes(self) -> int:
        """The number of positions."""
        return sum(map(len, self.winning))

    def lower_bounds(self) -> Iterator[int]:
        """Fill in the counts, level by level; each time, yield a number of moves that every solution has at least."""
        self.winning = winning_levels(self.problem, self.levels, self.run)
        small = all(isinstance(level, ListLevel) for level in self.winning)
        for jumps in reversed(range(len(self.winning))):
            self.levels.tick()
            moves, _ = self.counts[jumps] = self._small(jumps) if small else self._large(jumps)
            if self.problem.targets is not None and len(moves):
                # Every solution passes this level. A move that is under way here was paid for before.
                yield int(min(moves) if small else moves.min())

    def _small(self, jumps: int) -> tuple[list[int], list[int]]:
        counts = list[tuple[int, int]]()
        for position in self.winning[jumps]:
            best, holes = (-1, 0) if self.problem.is_goal(position) else (_NO_MOVE, 0)
            for jump, moves in self._onward(jumps, position) if best > 0 else ():
                best, holes = (moves, 0) if moves < best else (best, holes)
                holes |= 1 << jump.from_ if moves == best else 0
            counts.append((best + 1, holes))
        return [moves for moves, _ in counts], [holes for _, holes in counts]

    def _large(self, jumps: int) -> tuple[Any, Any]:
        level, after = self.winning[jumps].array, self.counts.get(jumps + 1, ())
        into = self.winning[jumps + 1].array if after else level[:0]
        moves, holes = level.fewest_moves(into, *after)
        goals = level.are_goals()
        moves[goals], holes[goals] = 0, 0
        return moves, holes

    def _onward(self, jumps: int, position: int) -> Iterator[tuple[Jump, int]]:
        """Yield the jumps that keep the goal in reach, and the moves needed after each, going on with the same peg."""
        for jump in self.problem.board.jumps:
            if jump.is_legal(position):
                moves = self.moves(jumps + 1, position ^ jump.mask, jump.to)
                if moves < _NO_MOVE:
                    yield jump, moves

    def moves(self, jumps: int, position: int, peg: int | None = None) -> int:
        """Return the fewest moves from a position, where this peg may go on for nothing; a large number if unknown."""
        permutation = min(self.levels.symmetries, key=lambda p: image(p, position))
        place = self.winning[jumps].index(image(permutation, position)) if jumps in self.counts else None
        if place is None:
            return _NO_MOVE
        moves, holes = (int(column[place]) for column in self.counts[jumps])
        return moves - (peg is not None and holes >> permutation[peg] & 1)

    def solution(self) -> list[Jump] | None:
        """Return the jumps of a solution with the fewest moves, or None if there is none."""
        if not self.winning or not len(self.winning[0]):
            return None
        position, peg, jumps = self.problem.start.mask, None, list[Jump]()
        while not self.problem.is_goal(position):
            moves = self.moves(len(jumps), position, peg)
            onward = self._onward(len(jumps), position)
            jump = next(jump for jump, rest in onward if rest + (jump.from_ != peg) == moves)
            position, peg = position ^ jump.mask, jump.to
            jumps.append(jump)
        return jumps
