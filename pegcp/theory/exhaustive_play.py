"""Exhaustive play within limits on the jumps, and the cut that follows if it does not reach the goal.

If no position that can be reached within the limits satisfies the goal, every solution leaves this play at some point:
it makes a jump that was legal there but used up. So it makes one of those jumps more often than its limit, and that is
the cut. The other jumps need no limit: they were never used up.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from pegcp.game import Jump, Problem

Cut = Mapping[int, int]  # limits of jumps, by their numbers: every solution makes one of them more often


@dataclass(frozen=True)
class Play:
    """The outcome of a play within limits: a solution, or else the longest play and the jumps that were used up."""

    jumps: list[Jump]
    solved: bool
    used_up: frozenset[int]
    positions: int

    def cut(self, limits: Cut) -> Cut:
        """The cut that follows for these limits if the goal was not reached."""
        return {j: limits[j] for j in sorted(self.used_up)}


def play(problem: Problem, limits: Cut, longest: float = inf, most: float = inf) -> Play | None:
    """Make jumps in every order, none more often than its limit and ``longest`` in all, until the goal is reached.

    A jump without a limit may be made any number of times. None if there are more than ``most`` positions; a position
    counts once for each combination of remaining limits.
    """
    board = problem.board
    # A state is a position, and above it a field of bits for each limit: how often its jump may still be made.
    start, shift = problem.start.mask, len(board.holes)
    table = []  # number, holes, pegs, unit and field of its limit
    for j, jump in enumerate(board.jumps):
        width = limits.get(j, 0).bit_length()
        unit, field = (1 << shift, (1 << width) - 1 << shift) if width else (0, 0 if j in limits else -1)
        start |= limits.get(j, 0) << shift
        shift += width
        table.append((j, jump.mask, jump.needs, unit, field))
    origin: dict[int, tuple[int, int]] = {start: (-1, -1)}  # the jump that led to a state, and the state before it
    stack, used_up = [start], set[int]()
    last, solved, fewest = start, False, len(problem.start) - longest
    while stack and not solved:
        state = stack.pop()
        position = state & board.full
        solved = problem.is_goal(position)
        if solved or position.bit_count() < (last & board.full).bit_count():
            last = state
        if solved or position.bit_count() <= fewest:
            continue
        for j, mask, needs, unit, field in table:
            if state & mask == needs:
                if not state & field:
                    used_up.add(j)
                elif (after := (state ^ mask) - unit) not in origin:
                    origin[after] = j, state
                    stack.append(after)
        if len(origin) > most:
            return None
    jumps: list[Jump] = []
    while last != start:
        j, last = origin[last]
        jumps.insert(0, board.jumps[j])
    return Play(jumps, solved, frozenset(() if solved else used_up), len(origin))


def cut_images(problem: Problem, cut: Cut) -> Iterator[Cut]:
    """The images of the cut under the symmetries of the problem; the cut itself first."""
    jumps = problem.board.jumps
    number = {jump: j for j, jump in enumerate(jumps)}
    for permutation in problem.symmetries():
        yield {number[Jump(*(permutation[hole] for hole in jumps[j]))]: limit for j, limit in cut.items()}
