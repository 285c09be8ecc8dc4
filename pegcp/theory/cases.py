"""A tree of cases in each of which no jump counts lead from the start to the goal.

A case bounds the numbers of :mod:`pegcp.theory.equations`. A node of the tree, in JSON, either divides its case or
closes it; nodes come in preorder, and a case whose bounds contradict each other has none:

* ``["split", n, k]``: number n is at most k; or it is at least k + 1;
* ``["cut", i]``: one case for each jump of cut i (:mod:`pegcp.theory.exhaustive_play`), in its order: the jump is made
  more often than its limit, and those before it in the cut are not;
* ``["sum", [[row, times], ...]]``: the sum of these rows, each taken that number of times,
  contradicts the bounds of the case.

A linear program chooses. If no numbers within the bounds of a case satisfy the rows, its dual values give how often to
take each row. Otherwise a cut that the numbers violate divides the case, or a number that is not an integer. If all are
integers, and can't be played in any order, they give a new cut.
"""

import time
from collections.abc import Sequence
from math import inf
from typing import Any

from pegcp.theory.equations import TOLERANCE, Elastic, JumpCounts, Limits, NoResult
from pegcp.theory.exhaustive_play import Cut, cut_images, play
from pegcp.theory.parity import bits, invariant_sets, odd

Node = list[Any]
Keys = dict[str, Any]  # of a certificate

_DISTANCE_DIGITS = 6  # to which the distances from integers are rounded; of equal ones the first number is taken

MOST_NODES = 20_000
MOST_POSITIONS = 1_000_000  # of all plays within the limits of cuts together


def parts(limits: Limits, node: Node, cuts: Sequence[Cut]) -> list[Limits]:
    """The cases into which a node divides a case, without those whose bounds contradict each other."""
    if node[0] == "split":
        _, number, most = node
        return [*_bounded(limits, number, most=most), *_bounded(limits, number, least=most + 1)]
    cases, inside = list[Limits](), [limits]
    for j, limit in cuts[node[1]].items() if node[0] == "cut" else ():
        cases += [part for case in inside for part in _bounded(case, j, least=limit + 1)]
        inside = [part for case in inside for part in _bounded(case, j, most=limit)]
    return cases


def _bounded(limits: Limits, number: int, *, least: float = 0, most: float = inf) -> list[Limits]:
    """The case with one more bound on a number; none if no value is left."""
    low, high = max(limits[number][0], least), min(limits[number][1], most)
    return [[*limits[:number], (low, high), *limits[number + 1 :]]] if low <= high else []


def cases(counts: JumpCounts, seconds: float, programs: int, cuts: Sequence[Cut] = ()) -> Keys | None:
    """Find a certificate, a tree of cases: there is no solution, or none of at most ``counts.most`` jumps.

    None if there is a solution, or if no tree was found in these ``seconds`` and this number of linear ``programs``.
    ``cuts`` are those found before.
    """
    search = _CaseSearch(counts, time.monotonic() + seconds, cuts)
    open_ = [counts.limits()]
    nodes: list[Node] = []
    try:
        while open_:
            if len(nodes) == min(programs, MOST_NODES):
                return None
            limits = open_.pop()
            nodes.append(search.node(limits))
            open_ += reversed(parts(limits, nodes[-1], search.cuts))
    except NoResult:
        return None
    used = sorted({node[1] for node in nodes if node[0] == "cut"})
    most: Keys = {} if counts.most is None else {"most": counts.most}
    by_play: Keys = {"cuts": [[list(item) for item in search.cuts[i].items()] for i in used]} if used else {}
    tree = [["cut", used.index(node[1])] if node[0] == "cut" else node for node in nodes]
    return {"kind": "cases", **most, **by_play, "tree": tree}


class _CaseSearch:
    """The linear program, and the cuts found so far."""

    def __init__(self, counts: JumpCounts, deadline: float, cuts: Sequence[Cut]) -> None:
        self.counts, self.deadline, self.cuts = counts, deadline, list(cuts)
        self.program = Elastic(counts)
        self.positions = MOST_POSITIONS // 10
        board = counts.problem.board
        self.jumps = len(board.jumps)
        self.sets = invariant_sets(board, 0)

    def node(self, limits: Limits) -> Node:
        """The node of a case. Raises NoResult if there is a solution, or if no node was found in time."""
        holes = self.wrong_class(limits)
        if holes is not None:
            return ["sum", [[hole, 1] for hole in bits(holes)]]
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise NoResult
        values = self.program.within(limits, seconds)
        if isinstance(values, dict):
            return ["sum", [list(item) for item in values.items()]]
        return self.by_cut(limits, values) or self.by_number(values) or self.by_new_cut(limits, values)

    def wrong_class(self, limits: Limits) -> int | None:
        """Holes with another parity of pegs at the start than at the end, on which no jump changes it."""
        pegs = free = 0
        for hole, (low, high) in enumerate(limits[self.jumps :]):
            pegs |= (low > 0) << hole
            free |= (low < high) << hole
        changed = self.counts.problem.start.mask ^ pegs
        return next((holes for holes in self.sets if not holes & free and odd(holes & changed)), None)

    def by_cut(self, limits: Limits, values: Sequence[float]) -> Node | None:
        """The violated cut that leaves the fewest cases."""
        numbers = {
            i: len(parts(limits, ["cut", i], self.cuts))
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

    def by_new_cut(self, case: Limits, values: Sequence[float]) -> Node:
        """Divide by a new cut, from jump counts that can't be played. Raises NoResult if they can."""
        problem = self.counts.problem
        limits = {j: round(value) for j, value in enumerate(values[: self.jumps])}
        outcome = play(problem, limits, self.counts.longest, self.positions)
        if outcome is None or outcome.solved:
            raise NoResult
        self.positions -= outcome.positions
        self.cuts += cut_images(problem, outcome.cut(limits))
        node = self.by_cut(case, values)
        assert node is not None
        return node
