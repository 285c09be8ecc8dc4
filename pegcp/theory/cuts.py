"""Cuts on jump counts: what it says of all solutions that some limits on the jumps do not reach the goal.

Play every way within the limits. Where no position satisfies the goal, any solution must leave this play somewhere: it
makes a jump that was legal there but used up. So a solution makes one of those jumps more often than its limit. The
other jumps of the board need no limit: they were never used up.

That no jump counts satisfy A x = p_s - p_f and all cuts is shown by cases. Each case bounds some counts, and is closed
by weights of the holes: with c = w A the lost weight of each jump, the sum of c x is w p_s - w p_f, but the bounds of
the case make it larger.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Self

from pegcp.errors import InputError
from pegcp.game.board import Board, Jump
from pegcp.game.goal import OnePeg
from pegcp.game.problem import Problem
from pegcp.theory.pagoda import Weights, cost, least_weight, weight, whole
from pegcp.theory.parity import invariant_sets, odd

Cut = Mapping[int, int]  # limits of jumps, by their numbers: a solution makes one of them more often

MOST_POSITIONS = 1_000_000  # of the play within the limits of all cuts of a certificate
_MOST_CASES = 5_000
_DEEPEST = 300
_NONE = 1e-6  # what counts as nothing in a linear program


@dataclass(frozen=True)
class Play:
    """What can be played within limits: a solution, or else the longest play; which jumps were used up though legal."""

    jumps: list[Jump]
    solved: bool
    used_up: frozenset[int]
    positions: int


def play(problem: Problem, limits: Cut, most: float = inf) -> Play | None:
    """Play every way in which no jump is made more often than its limit, until the goal is reached.

    Jumps without a limit are free. None if there are more than ``most`` positions; one counts again for each set of
    limits left.
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
    longest, fewest = first, len(board.holes) + 1

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
            longest, fewest = state, pegs
        if problem.is_goal(state & board.full):
            return Play(jumps(state), True, frozenset(), len(came))
        for j, mask, needs, one, limit in table:
            if state & mask == needs:
                if not state & limit:
                    used_up.add(j)
                elif (after := (state ^ mask) - one) not in came:
                    came[after] = j, state
                    left.append(after)
        if len(came) > most:
            return None
    return Play(jumps(longest), False, frozenset(used_up), len(came))


@dataclass(frozen=True)
class Case:
    """Bounds on the jump counts (no upper bound: not in ``high``) and what is decided of the last position."""

    low: Mapping[int, int] = field(default_factory=dict)
    high: Mapping[int, int] = field(default_factory=dict)
    pegs: int = 0
    vacancies: int = 0

    def at_least(self, j: int, number: int) -> Case:
        """The case that jump j is made so often or more."""
        return replace(self, low={**self.low, j: max(number, self.low.get(j, 0))})

    def at_most(self, j: int, number: int) -> Case:
        """The case that jump j is made so often or less."""
        return replace(self, high={**self.high, j: min(number, self.high.get(j, number))})

    def of_cut(self, cut: Cut) -> Iterator[Case]:
        """One case for each jump of a cut: it is made more often than its limit, and those before it are not."""
        others = self
        for j, limit in cut.items():
            yield others.at_least(j, limit + 1)
            others = others.at_most(j, limit)

    def decided(self, hole: int) -> tuple[Case, Case]:
        """The cases that a hole is vacant at the end, and that it holds a peg."""
        return replace(self, vacancies=self.vacancies | 1 << hole), replace(self, pegs=self.pegs | 1 << hole)

    @property
    def empty(self) -> bool:
        """Whether the bounds of a jump, or what is decided of a hole, contradict each other."""
        return bool(self.pegs & self.vacancies) or any(self.low.get(j, 0) > most for j, most in self.high.items())


def first_case(problem: Problem) -> Case:
    """Nothing is known but the goal."""
    return Case(pegs=problem.final_pegs, vacancies=problem.final_vacancies)


def _lightest(problem: Problem, case: Case, weights: Sequence[int]) -> int:
    """The least that a last position of the case weighs."""
    free = problem.board.full & ~case.pegs & ~case.vacancies
    if not isinstance(problem.goal, OnePeg):
        return least_weight(weights, case.pegs, free)
    if case.pegs:
        return weight(weights, case.pegs)
    return min((value for hole, value in enumerate(weights) if free >> hole & 1), default=1 << 60)


def _closed(problem: Problem, case: Case, weights: Weights) -> bool:
    """Whether the jumps must lose more weight than the start has more than the last position."""
    lost = 0
    for j, jump in enumerate(problem.board.jumps):
        loss = cost(weights, jump)
        if loss < 0 and j not in case.high:
            return False
        lost += loss * (case.low.get(j, 0) if loss > 0 else case.high.get(j, 0))
    return lost > weight(weights, problem.start.mask) - _lightest(problem, case, weights)


def _wrong_class(problem: Problem, case: Case, holes: int) -> bool:
    """Whether start and last position differ in the parity of the pegs on a set that all jumps leave as it is."""
    free = problem.board.full & ~case.pegs & ~case.vacancies
    if isinstance(problem.goal, OnePeg) and case.pegs:
        free = 0
    return not free & holes and odd(holes & (problem.start.mask ^ case.pegs))


Nodes = list[dict[str, Any]]  # in the order in which they are met, each case followed by those it is divided into


@dataclass(frozen=True)
class Refutation:
    """Cuts that each solution satisfies, and cases that show that no jump counts satisfy them all."""

    cuts: tuple[Cut, ...]
    cases: Nodes

    @classmethod
    def read(cls, problem: Problem, data: Mapping[str, Any]) -> Self:
        """What :meth:`data` wrote. Raises InputError if the cuts are malformed."""
        numbers = _numbers(problem.board)
        cuts, cases = data.get("cuts"), data.get("cases")
        if not isinstance(cuts, list) or not isinstance(cases, list):
            raise InputError("a refutation has a list of cuts and a list of cases")
        for cut in cuts:
            if not isinstance(cut, Mapping) or not all(type(limit) is int and limit >= 0 for limit in cut.values()):
                raise InputError("a cut has a limit for each of its jumps")
            if not cut.keys() <= numbers.keys():
                raise InputError(f"a cut has jumps that are not on the board: {sorted(cut.keys() - numbers.keys())}")
        return cls(tuple({numbers[name]: limit for name, limit in cut.items()} for cut in cuts), cases)

    def data(self, board: Board) -> dict[str, Any]:
        """``cuts``: limits by jumps; ``cases``: see :class:`Checker`."""
        names = [" ".join(board.jump_names(jump)) for jump in board.jumps]
        return {"cuts": [{names[j]: limit for j, limit in cut.items()} for cut in self.cuts], "cases": self.cases}

    @property
    def size(self) -> int:
        """How many cases are closed."""
        return sum("weights" in node or "class" in node for node in self.cases)

    def flaw(self, problem: Problem) -> str | None:
        """What is wrong with it, or None if it proves that there is no solution."""
        left = MOST_POSITIONS
        for number, cut in enumerate(self.cuts, start=1):
            played = play(problem, cut, left)
            if played is None:
                return f"the cuts have more than {MOST_POSITIONS:,} positions to play through"
            left -= played.positions
            if played.solved:
                return f"within the limits of cut {number} the goal is reached"
        try:
            Checker(problem, self).check(first_case(problem))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            return "the cases are malformed"
        except InputError as error:
            return error.message
        return None


class Checker:
    """Checks the cases one after the other.

    A case is divided by a cut, ``{"cut": number}``, by a jump, ``{"jump": name, "most": k}`` (at most k times, or
    more), or by a hole of the last position, ``{"hole": name}`` (vacant, or a peg); or it is closed, by
    ``{"weights": ...}`` or ``{"class": holes}``. Those that are empty are left out.
    """

    def __init__(self, problem: Problem, refutation: Refutation) -> None:
        self.problem, self.cuts = problem, refutation.cuts
        self.nodes = iter(refutation.cases)
        self.numbers = _numbers(problem.board)

    def check(self, case: Case, depth: int = 0) -> None:
        """Raises InputError if the case is not closed."""
        if case.empty:
            return
        node = next(self.nodes, None)
        if node is None or depth > _DEEPEST:
            raise InputError("a case is left open")
        board = self.problem.board
        if "weights" in node:
            weights = tuple(int(node["weights"].get(hole, 0)) for hole in board.holes)
            if not _closed(self.problem, case, weights):
                raise InputError("the weights of a case leave it open")
        elif "class" in node:
            holes = board.mask(node["class"])
            if any(odd(holes & (1 << a | 1 << b | 1 << c)) for a, b, c in board.lines):
                raise InputError("a line meets the holes of a class in an odd number")
            if not _wrong_class(self.problem, case, holes):
                raise InputError("start and goal of a case have the same class")
        else:
            for part in self.parts(node, case):
                self.check(part, depth + 1)

    def parts(self, node: dict[str, Any], case: Case) -> list[Case]:
        """The cases that a node tells apart."""
        if "cut" in node:
            return list(case.of_cut(self.cuts[node["cut"] - 1]))
        if "jump" in node:
            j, most = self.numbers[node["jump"]], int(node["most"])
            return [case.at_most(j, most), case.at_least(j, most + 1)]
        return list(case.decided(self.problem.board.mask([node["hole"]]).bit_length() - 1))


def _numbers(board: Board) -> dict[str, int]:
    return {" ".join(board.jump_names(jump)): j for j, jump in enumerate(board.jumps)}


def refute(problem: Problem, cuts: Sequence[Cut], seconds: float) -> Refutation | None:
    """Cases that show that the cuts leave no jump counts; None if there are none in so many seconds, or too many."""
    search = _Cases(problem, cuts, time.monotonic() + seconds)
    try:
        cases = search.close(first_case(problem))
    except TimeoutError:
        return None
    used = sorted({node["cut"] for node in cases if "cut" in node})
    numbered = [node | ({"cut": used.index(node["cut"]) + 1} if "cut" in node else {}) for node in cases]
    found = Refutation(tuple(cuts[number] for number in used), numbered)
    return found if found.flaw(problem) is None else None  # as when its cuts take too long to play through


class _Cases:
    """The search for cases, by the linear relaxation: its duals close a case, its values tell where to divide it."""

    def __init__(self, problem: Problem, cuts: Sequence[Cut], deadline: float) -> None:
        import numpy as np

        self.problem, self.cuts, self.deadline = problem, cuts, deadline
        self.cases = 0
        board = problem.board
        self.sets = invariant_sets(board, 0)
        holes, jumps = len(board.holes), len(board.jumps)
        # Columns: jump counts, last position, and what each equation is violated by, more and less.
        self.matrix = np.zeros((holes + 1, jumps + 3 * holes))
        for j, jump in enumerate(board.jumps):
            self.matrix[[jump.from_, jump.over, jump.to], j] = 1, 1, -1
        for hole in range(holes):
            self.matrix[hole, [jumps + hole, jumps + holes + hole, jumps + 2 * holes + hole]] = 1, 1, -1
        self.right = [float(problem.start.mask >> hole & 1) for hole in range(holes)]
        if isinstance(problem.goal, OnePeg):
            self.matrix[holes, jumps : jumps + holes] = 1
        self.right.append(float(isinstance(problem.goal, OnePeg)))

    def close(self, case: Case, depth: int = 0) -> Nodes:
        """The nodes of a case. Raises TimeoutError if it cannot be closed."""
        if case.empty:
            return []
        self.cases += 1
        if self.cases > _MOST_CASES or depth > _DEEPEST or time.monotonic() > self.deadline:
            raise TimeoutError
        board, problem = self.problem.board, self.problem
        for holes in self.sets:
            if _wrong_class(problem, case, holes):
                return [{"class": board.names(holes)}]
        counts, last, duals = self.relaxed(case)
        if duals is not None:
            for sign in (-1, 1):
                weights = whole([sign * value for value in duals], lambda found: _closed(problem, case, found))
                if weights is not None:
                    by_hole = zip(board.holes, weights, strict=True)
                    return [{"weights": {hole: value for hole, value in by_hole if value}}]
            raise TimeoutError
        return self.divided(case, counts, last, depth)

    def divided(self, case: Case, counts: Sequence[float], last: Sequence[float], depth: int) -> Nodes:
        """The cases of the cut that has fewest of them and that the relaxation violates; else of a broken number."""
        board = self.problem.board
        violated = {
            number: sum(not part.empty for part in case.of_cut(cut))
            for number, cut in enumerate(self.cuts)
            if all(counts[j] < limit + 1 - _NONE for j, limit in cut.items())
        }
        broken = [j for j, count in enumerate(counts) if abs(count - round(count)) > _NONE]
        between = [hole for hole, value in enumerate(last) if _NONE < value < 1 - _NONE]
        node: dict[str, Any]
        parts: Iterable[Case]
        if violated:
            number = min(violated, key=violated.__getitem__)
            node, parts = {"cut": number}, case.of_cut(self.cuts[number])
        elif broken:
            j, most = broken[0], int(counts[broken[0]])
            node = {"jump": " ".join(board.jump_names(board.jumps[j])), "most": most}
            parts = case.at_most(j, most), case.at_least(j, most + 1)
        elif between:
            node, parts = {"hole": board.holes[between[0]]}, case.decided(between[0])
        else:
            raise TimeoutError  # these are jump counts that satisfy everything
        return [node, *(inner for part in parts for inner in self.close(part, depth + 1))]

    def relaxed(self, case: Case) -> tuple[Sequence[float], Sequence[float], Sequence[float] | None]:
        """Counts, last position, and, if the relaxation has none, the dual weights of the equations."""
        from scipy.optimize import linprog

        holes, jumps = len(self.problem.board.holes), len(self.problem.board.jumps)
        bounds: list[tuple[float, float | None]] = [(case.low.get(j, 0), case.high.get(j)) for j in range(jumps)]
        bounds += [(case.pegs >> hole & 1, 1 - (case.vacancies >> hole & 1)) for hole in range(holes)]
        bounds += [(0, None)] * (2 * holes)
        price = [0.0] * (jumps + holes) + [1.0] * (2 * holes)
        found = linprog(price, A_eq=self.matrix, b_eq=self.right, bounds=bounds, method="highs-ds")
        if found.status == 2:  # not even one peg can be left
            return (), (), [0.0] * holes
        if found.status != 0:
            raise TimeoutError
        if found.fun > _NONE:
            return (), (), [float(value) for value in found.eqlin.marginals[:holes]]
        values = [float(value) for value in found.x]
        return values[:jumps], values[jumps : jumps + holes], None
