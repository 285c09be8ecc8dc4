"""A tree of cases in each of which no jump counts lead from the start to the goal.

A case bounds the numbers of :mod:`pegcp.theory.equations`. A node of the tree, in JSON, either divides its case or
closes it; nodes come in preorder, and a case whose bounds contradict each other has none:

* ``["split", n, k]``: number n is at most k; or it is at least k + 1;
* ``["cut", i]``: one case for each jump of cut i, in its order: the jump is made
  more often than its limit, and those before it in the cut are not;
* ``["sum", [[row, times], ...]]``: the sum of these rows, each taken that number of times,
  contradicts the bounds of the case.

A linear program chooses. If no numbers within the bounds of a case satisfy the rows, its dual values give how often to
take each row. Otherwise a cut that the numbers violate divides the case, or a number that is not an integer. If all are
integers, and can't be played in any order, they give a new cut.

Play within limits on the jumps is exhaustive. If no position that can be reached within them satisfies the goal, every
solution leaves this play at some point: it makes a jump that was legal there but used up. So it makes one of those
jumps more often than its limit, and that is the cut. The other jumps need no limit: they were never used up.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from pegcp.errors import is_importable
from pegcp.game import Jump, Problem
from pegcp.theory.equations import TOLERANCE, Elastic, JumpCounts, NoResult, Ranges
from pegcp.theory.parity import bits, invariant_sets, odd

Node = list[Any]
Cut = Mapping[int, int]  # limits of jumps, by their numbers: every solution makes one of them more often
Keys = dict[str, Any]  # of a certificate

_DISTANCE_DIGITS = 6  # to which the distances from integers are rounded; of equal ones the first number is taken

MOST_NODES = 20_000
MOST_POSITIONS = 1_000_000  # of all plays within the limits of cuts together


@dataclass(frozen=True)
class Play:
    """The outcome of a play within limits: a solution, or else the longest play and the cut that follows."""

    jumps: list[Jump]
    solved: bool
    cut: Cut  # the limits of the jumps that were used up; of no meaning if it is solved
    positions: int


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
    return Play(jumps, solved, {j: limits[j] for j in sorted(used_up)}, len(origin))


def cut_images(problem: Problem, cut: Cut) -> Iterator[Cut]:
    """Yield the images of the cut under the symmetries of the problem; the cut itself first."""
    jumps = problem.board.jumps
    number = {jump: j for j, jump in enumerate(jumps)}
    for permutation in problem.symmetries():
        yield {number[Jump(*(permutation[hole] for hole in jumps[j]))]: limit for j, limit in cut.items()}


def parts(ranges: Ranges, node: Node, cuts: Sequence[Cut]) -> list[Ranges]:
    """Return the cases into which a node divides a case, without those whose bounds contradict each other."""
    is_split = node[0] == "split"
    outside, inside = list[Ranges](), [ranges]
    for number, limit in [node[1:]] if is_split else cuts[node[1]].items() if node[0] == "cut" else ():
        outside += [part for case in inside for part in _bounded(case, number, least=limit + 1)]
        inside = [part for case in inside for part in _bounded(case, number, most=limit)]
    return [*inside, *outside] if is_split else outside  # no solution stays inside a cut


def _bounded(ranges: Ranges, number: int, *, least: float = 0, most: float = inf) -> list[Ranges]:
    """Return the case with one more bound on a number; none if no value is left."""
    low, high = max(ranges[number][0], least), min(ranges[number][1], most)
    return [[*ranges[:number], (low, high), *ranges[number + 1 :]]] if low <= high else []


def find_cases(
    problem: Problem, seconds: float, nodes: int = MOST_NODES, most: int | None = None, cuts: Sequence[Cut] = ()
) -> Keys | None:
    """Find a certificate, a tree of at most ``nodes`` cases, with a linear program for each: there is no solution, or
    none of at most ``most`` jumps.

    None if there is a solution, if no tree was found in these ``seconds``, or if OR-tools is not installed. ``cuts``
    are those found before.
    """
    if seconds <= 0 or not problem.board.lines or not is_importable("ortools"):
        return None
    counts = JumpCounts(problem, most)
    search = _CaseSearch(counts, time.monotonic() + seconds, cuts)
    open_, tree = [counts.ranges()], list[Node]()
    try:
        while open_:
            if len(tree) == nodes:
                return None
            ranges = open_.pop()
            tree.append(search.node(ranges))
            open_ += reversed(parts(ranges, tree[-1], search.cuts))
    except NoResult:
        return None
    places = sorted({node[1] for node in tree if node[0] == "cut"})
    return {
        "kind": "cases",
        **({} if most is None else {"most": most}),
        **({"cuts": [[list(item) for item in search.cuts[i].items()] for i in places]} if places else {}),
        "tree": [["cut", places.index(node[1])] if node[0] == "cut" else node for node in tree],
    }


class _CaseSearch:
    """The linear program, and the cuts found so far."""

    def __init__(self, counts: JumpCounts, deadline: float, cuts: Sequence[Cut]) -> None:
        self.counts, self.deadline, self.cuts = counts, deadline, list(cuts)
        self.program = Elastic(counts)
        self.positions = MOST_POSITIONS // 10
        self.jumps = len(counts.problem.board.jumps)
        self.sets = invariant_sets(counts.problem.board, 0)

    def node(self, ranges: Ranges) -> Node:
        """Return the node of a case. Raises NoResult if there is a solution, or if no node was found in time."""
        holes = self.wrong_class(ranges)
        if holes is not None:
            return ["sum", [[hole, 1] for hole in bits(holes)]]
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise NoResult
        values = self.program.within(ranges, seconds)
        if isinstance(values, dict):
            return ["sum", [list(item) for item in values.items()]]
        return self.by_cut(ranges, values) or self.by_number(values) or self.by_new_cut(ranges, values)

    def wrong_class(self, ranges: Ranges) -> int | None:
        """Return the holes with another parity of pegs at the start than at the end, on which no jump changes it."""
        ends = ranges[self.jumps :]
        pegs = sum((low > 0) << hole for hole, (low, _) in enumerate(ends))
        free = sum((low < high) << hole for hole, (low, high) in enumerate(ends))
        difference = self.counts.problem.start.mask ^ pegs
        return next((holes for holes in self.sets if not holes & free and odd(holes & difference)), None)

    def by_cut(self, ranges: Ranges, values: Sequence[float]) -> Node | None:
        """Return the violated cut that leaves the fewest cases."""
        numbers = {
            i: len(parts(ranges, ["cut", i], self.cuts))
            for i, cut in enumerate(self.cuts)
            if all(values[j] < limit + 1 - TOLERANCE for j, limit in cut.items())
        }
        return ["cut", min(numbers, key=numbers.__getitem__)] if numbers else None

    def by_number(self, values: Sequence[float]) -> Node | None:
        """Split at the number that is farthest from an integer; the last pegs come first, because they decide most."""
        distances = [abs(value - round(value)) for value in values]
        for numbers in (range(self.jumps, len(values)), range(self.jumps)):
            number = max(numbers, key=lambda n: round(distances[n], _DISTANCE_DIGITS))
            if distances[number] > TOLERANCE:
                return ["split", number, int(values[number])]
        return None

    def by_new_cut(self, case: Ranges, values: Sequence[float]) -> Node:
        """Divide by a new cut, from jump counts that can't be played. Raises NoResult if they can."""
        problem = self.counts.problem
        limits = {j: round(value) for j, value in enumerate(values[: self.jumps])}
        outcome = play(problem, limits, self.counts.longest, self.positions)
        if outcome is None or outcome.solved:
            raise NoResult
        self.positions -= outcome.positions
        self.cuts += cut_images(problem, outcome.cut)
        node = self.by_cut(case, values)
        assert node is not None
        return node
