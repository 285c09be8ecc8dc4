"""The truth about a small problem, found by listing every position: the oracle of these tests.

It is written for them alone. From pegcp it takes the lines of the board and the masks of the problem; jumps, goals,
moves and counts are its own, and it is meant to be slow and plain rather than clever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pegcp.checking.verification import verify
from pegcp.game import DeadEnd, Exact, Jump, Nearest, Objective, OnePeg, Partial, Problem

Triple = tuple[int, int, int]  # from, over, to


@dataclass(frozen=True)
class Truth:
    """What is true of a problem.

    ``fewest_jumps``, ``fewest_moves``, ``fewest_steps`` (of jumps without a common hole) and ``fewest_pegs`` are None
    if it has no solution; ``nearest`` is the least weight of wrong holes, None without a soft goal. ``sequences``
    counts the jump sequences that end in the goal, ``orders`` the same up to the order of independent jumps.
    ``dead_end`` is the fewest jumps to a position without a jump, whatever the goal; ``plays`` counts all jump
    sequences from the start, wherever they end: the size of a search without memory.
    """

    fewest_jumps: int | None
    fewest_moves: int | None
    fewest_steps: int | None
    fewest_pegs: int | None
    nearest: int | None
    sequences: int
    orders: int
    dead_end: int
    plays: int

    @property
    def solvable(self) -> bool:
        return self.fewest_jumps is not None

    def optimum(self, objective: Objective) -> int | None:
        """The best value of a solution; None without a solution, or if the objective does not compare solutions."""
        match objective:
            case Objective.FEWEST_JUMPS:
                return self.fewest_jumps
            case Objective.FEWEST_MOVES:
                return self.fewest_moves
            case Objective.FEWEST_STEPS:
                return self.fewest_steps
            case Objective.FEWEST_PEGS:
                return self.fewest_pegs
            case Objective.NEAREST:
                return self.nearest
            case Objective.ANY | Objective.COUNT:
                return None


class Game:
    """The jumps of a board as triples of holes, and the goal of a problem."""

    def __init__(self, problem: Problem) -> None:
        self.start, self.goal, self.holes = problem.start.mask, problem.goal, len(problem.board.holes)
        self.jumps: list[Triple] = [way for a, over, b in problem.board.lines for way in ((a, over, b), (b, over, a))]
        self._solvable: dict[int, bool] = {}

    def possible(self, position: int) -> Iterator[tuple[Triple, int]]:
        """The jumps that can be made, each with the position after it."""
        for jump in self.jumps:
            from_, over, to = jump
            if position >> from_ & 1 and position >> over & 1 and not position >> to & 1:
                yield jump, position - (1 << from_) - (1 << over) + (1 << to)

    def reached(self, position: int) -> bool:
        """Whether the goal is reached in this position."""
        match self.goal:
            case Exact(pegs):
                return position == pegs
            case OnePeg():
                return bin(position).count("1") == 1
            case Partial(pegs, vacancies):
                return position | pegs == position and position & vacancies == 0
            case DeadEnd():
                return not any(True for _ in self.possible(position))
            case Nearest():
                return True

    def solvable(self, position: int) -> bool:
        """Whether the goal can be reached from this position."""
        if position not in self._solvable:
            after = (self.solvable(after) for _, after in self.possible(position))
            self._solvable[position] = self.reached(position) or any(after)
        return self._solvable[position]

    def levels(self) -> list[set[int]]:
        """All positions after no jump, after one, and so on."""
        found = [{self.start}]
        while found[-1]:
            found.append({after for position in found[-1] for _, after in self.possible(position)})
        return found[:-1]

    def distance(self, position: int) -> int | None:
        """The weight of the holes that are not as a soft goal wants them; None if the goal is another."""
        if not isinstance(self.goal, Nearest):
            return None
        wanted = [self.goal.pegs >> hole & 1 for hole in range(self.holes)]
        return sum(w for hole, w in enumerate(self.goal.weights) if position >> hole & 1 != wanted[hole])

    def after(self, jumps: Iterable[Jump]) -> int | None:
        """The position after these jumps from the start, or None if one of them cannot be made."""
        position = self.start
        for jump in jumps:
            found = [after for made, after in self.possible(position) if made == tuple(jump)]
            if not found:
                return None
            position = found[0]
        return position

    def truth(self) -> Truth:
        """All of it, level by level: a level holds the positions after so many jumps."""
        fewest_jumps: int | None = None
        fewest_moves: int | None = None
        fewest_steps: int | None = None
        fewest_pegs: int | None = None
        nearest: int | None = None
        dead_end: int | None = None
        sequences = orders = plays = depth = 0
        ways = Counter({self.start: 1})
        # Up to the order of independent jumps the ways to a position are counted by inclusion and exclusion over the
        # sets of independent jumps that may come last (Cartier and Foata 1969).
        traces = [Counter({self.start: 1})]
        moves: dict[tuple[int, int], int] = {(self.start, -1): 0}  # by position and hole of the peg that moved last
        steps = {self.start: 0}
        while ways:
            traces += [Counter() for _ in range(self.holes // 3 + 1)]
            after: Counter[int] = Counter()
            plays += sum(ways.values())
            for position, number in ways.items():
                possible = list(self.possible(position))
                if dead_end is None and not possible:
                    dead_end = depth
                if self.reached(position):
                    fewest_jumps = depth if fewest_jumps is None else fewest_jumps
                    sequences += number
                    orders += traces[depth][position]
                    fewest_steps = steps[position] if fewest_steps is None else min(steps[position], fewest_steps)
                    fewest_pegs = bin(position).count("1")  # the later, the fewer
                    near = self.distance(position)
                    nearest = near if near is None or nearest is None else min(near, nearest)
                for _, next_position in possible:
                    after[next_position] += number
                for together, next_position in _independent([jump for jump, _ in possible], position):
                    sign = 1 if together % 2 else -1
                    traces[depth + together][next_position] += sign * traces[depth][position]
                    step = steps[position] + 1
                    steps[next_position] = min(step, steps.get(next_position, step))
            moves_after: dict[tuple[int, int], int] = {}
            for (position, last), made in moves.items():
                if self.reached(position):
                    fewest_moves = made if fewest_moves is None else min(made, fewest_moves)
                for (from_, _, to), next_position in self.possible(position):
                    state, cost = (next_position, to), made + (from_ != last)
                    moves_after[state] = min(cost, moves_after.get(state, cost))
            ways, moves, depth = after, moves_after, depth + 1
        assert dead_end is not None
        fewest = (fewest_jumps, fewest_moves, fewest_steps, fewest_pegs, nearest)
        return Truth(*fewest, sequences, orders, dead_end, plays)

    def number_of_moves(self, jumps: Sequence[Jump]) -> int:
        """How many moves a sequence of jumps makes: a move goes on while the same peg jumps."""
        return sum(i == 0 or jumps[i - 1][2] != jump[0] for i, jump in enumerate(jumps))

    def number_of_steps(self, jumps: Sequence[Jump]) -> int:
        """The fewest steps for these jumps, when each comes after the jumps before it that share a hole with it."""
        steps: list[int] = []
        for i, jump in enumerate(jumps):
            steps.append(1 + max((steps[k] for k in range(i) if set(jumps[k]) & set(jump)), default=0))
        return max(steps, default=0)

    def value(self, objective: Objective, jumps: Sequence[Jump]) -> int | None:
        """The value of a solution; None if the objective does not compare solutions."""
        last = self.after(jumps)
        assert last is not None
        match objective:
            case Objective.FEWEST_JUMPS:
                return len(jumps)
            case Objective.FEWEST_MOVES:
                return self.number_of_moves(jumps)
            case Objective.FEWEST_STEPS:
                return self.number_of_steps(jumps)
            case Objective.FEWEST_PEGS:
                return bin(last).count("1")
            case Objective.NEAREST:
                return self.distance(last)
            case Objective.ANY | Objective.COUNT:
                return None

    def goals(self) -> Iterator[int]:
        """All positions that satisfy the goal."""
        return (position for position in range(1 << self.holes) if self.reached(position))

    def is_certificate(self, problem: Problem, certificate: Mapping[str, Any]) -> bool:
        """Whether the certificate proves that the goal cannot be reached, by its definition and hole by hole."""
        if certificate["kind"] == "dead-end":
            return not self.reached(self.start) and not any(True for _ in self.possible(self.start))
        if certificate["kind"] == "cases":  # which has tests of its own
            return verify(problem, certificate) is None
        if certificate["kind"] == "finishes":
            single = {hole: 1 << h for h, hole in enumerate(problem.board.holes)}
            ruled_out = [(hole, case) for case in certificate["cases"] for hole in case["finishes"]]
            covered = {hole for hole, _ in ruled_out} == set(single)
            return covered and all(self._rules_out(problem, case, single[hole]) for hole, case in ruled_out)
        return all(self._rules_out(problem, certificate, goal) for goal in self.goals())

    def _rules_out(self, problem: Problem, certificate: Mapping[str, Any], goal: int) -> bool:
        """Whether the certificate, of a kind that speaks of one position, rules out this one."""
        before, after = ([h for h in range(self.holes) if p >> h & 1] for p in (self.start, goal))
        index = {hole: h for h, hole in enumerate(problem.board.holes)}
        match certificate["kind"]:
            case "count":
                return goal != self.start and not 1 <= len(after) < len(before)
            case "class":
                members = {index[hole] for hole in certificate["holes"]}
                even = all(len(members.intersection(jump)) % 2 == 0 for jump in self.jumps)
                return even and len(members.intersection(before)) % 2 != len(members.intersection(after)) % 2
            case "pagoda":
                weights = {index[hole]: weight for hole, weight in certificate["weights"].items()}
                w = [weights.get(h, 0) for h in range(self.holes)]
                never_grows = all(w[from_] + w[over] >= w[to] for from_, over, to in self.jumps)
                return never_grows and sum(w[h] for h in before) < sum(w[h] for h in after)
        return False


def _independent(jumps: list[Triple], position: int, together: int = 0) -> Iterator[tuple[int, int]]:
    """The sets of one or more jumps that have no hole in common: their number and the position after all of them."""
    for i, jump in enumerate(jumps):
        from_, over, to = jump
        after = position - (1 << from_) - (1 << over) + (1 << to)
        yield together + 1, after
        yield from _independent([j for j in jumps[i + 1 :] if not set(j) & set(jump)], after, together + 1)
