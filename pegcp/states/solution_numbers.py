"""The numbers of solutions from all winnable positions, exactly: from the last level of the winnable set to its first.

As sequences of jumps: the number of a position is the sum of those one jump later; one that satisfies the goal adds
one. Up to the order of independent jumps: the sum over all sets of independent jumps of the numbers after these, with
the sign plus for sets of odd size and minus for others (Cartier and Foata 1969). For each solution that is not empty
has a set of jumps that can be its first; of the sets within this one, those of odd size are one more, without the empty
one.

In arrays a number is a row of digits to the base 2 ** 32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pegcp.game import Jump, Problem
from pegcp.game.symmetry import Permutation, orbit
from pegcp.method import Run
from pegcp.states.levels import Levels, ListLevel
from pegcp.states.winnable import Winnable, winning_levels

if TYPE_CHECKING:
    from pegcp.states.array_level import ArrayLevel
    from pegcp.states.kernels.jumps import NumberRows
    from pegcp.states.kernels.rows import Index

_DIGIT_BITS = 32  # bits; the others of a 64-bit word hold the sum of more digits than a position has sets of jumps

Bundle = tuple[int, int]  # of independent jumps: the holes that they change, and those that must have pegs


class SolutionNumbers:
    """The numbers of solutions from winnable positions; ``ordered``: up to the order of independent jumps.

    They are those of all positions if they are to be kept, and else those of the start and of some levels after it.
    Raises TimeoutError or MemoryError when the limits of the run are reached.
    """

    def __init__(self, problem: Problem, run: Run, *, ordered: bool, keep: bool = False) -> None:
        self.levels = Levels(problem, run)
        self.reach = max(1, len(problem.board.holes) // 3) if ordered else 1  # so many jumps can be independent
        self.numbers: dict[int, int] = {}
        self.arrays: dict[int, tuple[ArrayLevel, Index, NumberRows]] = {}  # by the number of pegs
        winning = winning_levels(problem, self.levels, run)
        in_lists = all(isinstance(level, ListLevel) for level in winning)
        bundles = [(jump.mask, jump.needs) for jump in problem.board.jumps]
        for pegs, level in reversed([*zip(range(len(problem.start), -1, -1), winning, strict=False)]):
            self.levels.tick()
            if in_lists:
                for position in level:
                    after = disjoint_sets(position, bundles, self.reach)
                    self.numbers[position] = problem.is_goal(position) + sum(sign * self[p] for p, sign in after)
            else:
                self._add_array(pegs, level.array)
                if not keep:
                    self.arrays.pop(pegs - self.reach, None)

    def __getitem__(self, position: int) -> int:
        """Return the number of solutions from a position (a bit mask)."""
        position = self.levels.canonical(position)
        if position.bit_count() not in self.arrays:
            return self.numbers.get(position, 0)
        level, _, numbers = self.arrays[position.bit_count()]
        place = level.index(position)
        return 0 if place is None else sum(int(d) << _DIGIT_BITS * i for i, d in enumerate(numbers[place]))

    def solution(self, rank: int) -> tuple[Jump, ...]:
        """Return the solution of a rank, from 0, in the order of their jumps; the numbers of all positions were kept.

        Up to order, each is in its normal form: of the jumps that can be its first the least is, and so on. So no
        solution may go on with a jump that is ``barred``: that is less than one before, and independent of all since.
        """
        problem, played, barred = self.levels.problem, list[Jump](), list[Jump]()
        position = problem.start.mask
        while rank >= (ends := problem.is_goal(position)):
            rank, before = rank - ends, barred.copy()
            for jump in (jump for jump in problem.board.jumps if jump.is_legal(position) and jump not in barred):
                barred_after = [other for other in before if other.independent_of(jump)]
                later = position ^ jump.mask
                sets = disjoint_sets(later, [(other.mask, other.needs) for other in barred_after], self.reach)
                number = self[later] - sum(sign * self[after] for after, sign in sets)
                if rank < number:
                    played, position, barred = [*played, jump], later, barred_after
                    break
                rank -= number
                before += [jump] * (self.reach > 1)
            else:
                raise IndexError("there are not so many solutions")
        return tuple(played)

    def _add_array(self, pegs: int, level: ArrayLevel) -> None:
        """Add up the numbers of a large level from those of later ones."""
        import numpy as np

        later = [self.arrays[less][1:] for less in range(pegs - 1, pegs - 1 - self.reach, -1) if less in self.arrays]
        digits = 1 + max((numbers.shape[1] for _, numbers in later), default=0)
        sums = np.zeros((len(level), digits), np.int64)
        sums[level.are_goals(), 0] = 1
        level.add_jumps(later, sums)
        for digit in range(digits - 1):
            sums[:, digit + 1] += sums[:, digit] >> _DIGIT_BITS
            sums[:, digit] &= (1 << _DIGIT_BITS) - 1
        while digits > 1 and not sums[:, digits - 1].any():
            digits -= 1
        self.arrays[pegs] = level, level.indexed(), sums[:, :digits].copy()
        self.levels.run.report({"counted": sum(len(level) for level, *_ in self.arrays.values())})


def disjoint_sets(position: int, bundles: Sequence[Bundle], most: int) -> Iterator[tuple[int, int]]:
    """Yield what each set of at most so many possible bundles without a common hole makes of a position; with its sign.

    The sign is 1 for sets of odd size, and -1 for others.
    """
    possible = [(mask, pegs) for mask, pegs in bundles if position & mask == pegs]
    for i, (mask, _) in enumerate(possible):
        yield position ^ mask, 1
        if most > 1:
            others = [bundle for bundle in possible[i + 1 :] if not bundle[0] & mask]
            yield from ((after, -sign) for after, sign in disjoint_sets(position ^ mask, others, most - 1))


def symmetric_solutions(problem: Problem, table: Winnable, symmetry: Permutation, tick: Callable[[], None]) -> int:
    """Count the solutions, up to the order of independent jumps, that a symmetry of the problem carries to themselves.

    They are made of bundles: of a jump with all its images under the symmetry, where these are independent.
    """
    orbits = {
        frozenset(orbit(jump, [symmetry], lambda p, jump: Jump(*(p[hole] for hole in jump))))
        for jump in problem.board.jumps
    }
    sums = [(len(made), sum(jump.mask for jump in made), sum(jump.needs for jump in made)) for made in orbits]
    bundles = [(mask, pegs) for size, mask, pegs in sums if mask.bit_count() == 3 * size]
    numbers, waiting = {problem.start.mask: 0}, [problem.start.mask]
    for position in waiting:
        tick()
        later = {after for after, _ in disjoint_sets(position, bundles, 1) if after in table}
        waiting += later - numbers.keys()
        numbers |= dict.fromkeys(later, 0)
    for position in sorted(numbers, key=int.bit_count):
        tick()
        sets = disjoint_sets(position, bundles, len(bundles))
        numbers[position] = problem.is_goal(position) + sum(sign * numbers.get(after, 0) for after, sign in sets)
    return numbers[problem.start.mask]
