"""Playing every way within limits on the jumps, and the cut that follows where the goal is not reached.

Where no position that can be reached within the limits satisfies the goal, every solution leaves this play somewhere:
it makes a jump that was legal there but used up. So it makes one of those jumps more often than its limit, and that is
the cut. The other jumps need no limit: they were never used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from pegcp.game.board import Jump
from pegcp.game.problem import Problem

Cut = Mapping[int, int]  # limits of jumps, by their numbers: every solution makes one of them more often


@dataclass(frozen=True)
class Play:
    """The outcome of a play within limits: a solution, or else the longest play and the jumps that were used up."""

    jumps: list[Jump]
    solved: bool
    used_up: frozenset[int]
    positions: int

    def cut(self, limits: Cut) -> Cut:
        """The cut that follows for these limits where the goal is not reached."""
        return {j: limits[j] for j in sorted(self.used_up)}


def play(problem: Problem, limits: Cut, longest: float = inf, most: float = inf) -> Play | None:
    """Make jumps in every order, none more often than its limit and ``longest`` in all, until the goal is reached.

    Jumps without a limit are free. None if there are more than ``most`` positions; a position counts once for each
    combination of limits that are left in it.
    """
    board = problem.board
    first, shift = problem.start.mask, len(board.holes)
    table = []  # number, holes, pegs, what the jump takes of its limit, where its limit stands
    for j, jump in enumerate(board.jumps):
        one, limit = 0, -1
        if j in limits:
            width = limits[j].bit_length()
            one, limit = (1 << shift, ((1 << width) - 1) << shift) if width else (0, 0)
            first |= limits[j] << shift
            shift += width
        table.append((j, jump.mask, jump.needs, one, limit))
    came: dict[int, tuple[int, int]] = {first: (-1, -1)}  # the jump, and what it was made from
    left = [first]
    used_up: set[int] = set()
    last, fewest, least = first, len(board.holes) + 1, len(problem.start) - longest

    def jumps(state: int) -> list[Jump]:
        made = []
        while state != first:
            j, state = came[state]
            made.append(board.jumps[j])
        return made[::-1]

    while left:
        state = left.pop()
        pegs = (state & board.full).bit_count()
        if pegs < fewest:
            last, fewest = state, pegs
        if problem.is_goal(state & board.full):
            return Play(jumps(state), True, frozenset(), len(came))
        if pegs <= least:
            continue
        for j, mask, needs, one, limit in table:
            if state & mask == needs:
                if not state & limit:
                    used_up.add(j)
                elif (after := (state ^ mask) - one) not in came:
                    came[after] = j, state
                    left.append(after)
        if len(came) > most:
            return None
    return Play(jumps(last), False, frozenset(used_up), len(came))


def cut_images(problem: Problem, cut: Cut) -> Iterator[Cut]:
    """The cut as each symmetry of the problem carries it over the board; the cut itself first."""
    jumps = problem.board.jumps
    number = {jump: j for j, jump in enumerate(jumps)}
    for permutation in problem.symmetries():
        yield {number[Jump(*(permutation[hole] for hole in jumps[j]))]: limit for j, limit in cut.items()}
