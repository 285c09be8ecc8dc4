"""The checker of peg solitaire proofs: one file that needs nothing but Python.

    python checker.py FOLDER [--cnf FILE] [--json] [--time S] [--memory MB]
    python checker.py -        a certificate: {"problem": ..., "certificate": ..., "bound": true or left out}

Says ``proved`` (exit 0), ``rejected`` and what is wrong first (4), ``stopped`` at a limit (3); bad usage is 2.

What is trusted is this file, the Python that runs it, and the machine. It reads a problem, and derives holes, lines and
jumps from it. It believes nothing else in a folder: a certificate is checked in whole numbers; a formula is not read at
all, but written here, and its refutation (LRAT) is followed step by step; a solution is replayed. docs/proof-format.md
says what is in a folder, how variables are numbered, and why each clause holds.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

FORMAT = 2
MOST_HOLES, MOST_LINES = 10_000, 100_000
MOST_NODES, MOST_TERMS = 20_000, 50_000_000  # of a tree of cases, and of all its sums
MOST_STUCK, MOST_CUT = 100_000, 1_000_000  # positions that are played through, in all of its cases and cuts
MOST_LITERALS = 10_000_000  # of a formula, about
LARGEST = {"problem.toml": 5_000_000, "claim.json": 40_000_000}  # bytes
LARGEST_PROOF, LONGEST_STEP = 8_000_000_000, 1 << 23

Jump = tuple[int, int, int]  # from, over, to
Clause = tuple[int, ...]  # literals: a variable, from 1, or minus it
Follow = Callable[[list[Clause], int, Iterable[bytes]], None]
DIRECTIONS = {
    "square orthogonal": [(0, 1), (1, 0)],
    "square diagonal": [(1, 1), (1, -1)],
    "square both": [(0, 1), (1, 0), (1, 1), (1, -1)],
    "triangular None": [(0, 1), (1, 0), (1, 1)],
}


class Rejected(Exception):
    """What is wrong first."""


class Unusable(Exception):
    """It is nothing that this program checks."""


class Stopped(BaseException):
    """The time is over. Not an Exception, so that nothing takes it for an error of its own."""


# Small readers


def need(holds: bool, otherwise: str) -> None:
    """Something must hold."""
    if not holds:
        raise Rejected(otherwise)


def shown(value: object) -> str:
    """A value for a message, on one line and short."""
    text = ascii(value) if isinstance(value, str | int | None) else type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def fields(what: str, value: Any, needed: str, optional: str = "") -> dict[str, Any]:
    """An object with these keys and no others."""
    need(isinstance(value, dict), f"{what} must be an object")
    for key in needed.split():
        need(key in value, f'{what} has no "{key}"')
    for key in value:
        need(key in f"{needed} {optional}".split(), f"{what} has a key that means nothing here: {shown(key)}")
    return dict(value)


def items(what: str, value: Any, most: int) -> list[Any]:
    """A list of at most so many items."""
    need(isinstance(value, list), f"{what} must be a list")
    need(len(value) <= most, f"{what}: more than {most:,} items")
    return list(value)


def whole(what: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """A whole number between two others."""
    need(type(value) is int, f"{what} must be a whole number")
    fits = (least is None or value >= least) and (most is None or value <= most)
    need(fits, f"{what} is {shown(value)}, not from {least} to {most}")
    return int(value)


def parsed(what: str, data: bytes) -> Any:
    """JSON; Python refuses numbers of thousands of digits."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{what} is not JSON: {shown(str(error))}") from None


# The problem


class Problem:
    """Holes by number, all jumps in rising order, a start, and what the last position must be (bit masks of holes).

    ``goal`` is "exact", "partial", "one peg", "dead end" or "nearest". ``fewest`` and ``longest``: no solution has less
    jumps, or more. A jump takes one peg away and leaves at least one.
    """

    def __init__(self, holes: list[str], jumps: list[Jump], start: int, goal: tuple[str, int, int]) -> None:
        self.holes, self.jumps, self.start = holes, jumps, start
        self.goal, self.pegs, self.vacancies = goal
        self.full = (1 << len(holes)) - 1
        self.masks = [(1 << a | 1 << b | 1 << c, 1 << a | 1 << b) for a, b, c in jumps]  # its holes, and its pegs
        self.count = start.bit_count()
        one = self.goal == "one peg"
        self.least_pegs = 1 if one else self.pegs.bit_count()
        self.most_pegs = 1 if one else len(holes) - self.vacancies.bit_count()
        self.fewest = max(0, self.count - self.most_pegs)
        self.longest = self.count - max(self.least_pegs, min(1, self.count))
        if not jumps:
            self.longest = min(0, self.longest)

    def is_goal(self, position: int) -> bool:
        """Whether a position satisfies the goal."""
        if self.goal == "one peg":
            return position.bit_count() == 1
        if self.goal == "dead end":
            return all(position & holes != pegs for holes, pegs in self.masks)
        return position & self.pegs == self.pegs and not position & self.vacancies

    def names(self, mask: int) -> str:
        """The names of some holes."""
        return " ".join(name for hole, name in enumerate(self.holes) if mask >> hole & 1)


def read_problem(text: bytes) -> Problem:
    """The problem of a canonical text, which draws a board on a lattice, or lists its holes and lines."""
    try:
        given = tomllib.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise Rejected(f"problem.toml is not TOML: {shown(str(error))}") from None
    if "lattice" in given:
        fields("problem.toml", given, "lattice legend start goal objective", "jumps")
        usual = {"peg": "X", "vacancy": "o", "free": "?"}
        need(given["legend"] == usual, "problem.toml: the legend must be that of canonical texts")
        cells = _cells(given["start"], given["lattice"] == "triangular")
        where = sorted(cells)
        holes = [_letters(column) + str(row + 1) for row, column in where]
        directions = DIRECTIONS.get(f"{given['lattice']} {given.get('jumps')}", [])
        need(directions != [], "problem.toml: there is no such lattice, or it has no such jumps")
        lines = list(_lattice_lines(where, directions))
        start = sum(1 << hole for hole, cell in enumerate(where) if cells[cell] == "X")
    else:
        fields("problem.toml", given, "holes lines start goal objective")
        holes = items("holes", given["holes"], MOST_HOLES)
        mask_of(holes, "holes", holes)
        need(holes != [], "problem.toml: there are no holes")
        number = {name: hole for hole, name in enumerate(holes)}
        lines = []
        for line in items("lines", given["lines"], MOST_LINES):
            ends = [number.get(name, -1) for name in line.split("-")] if isinstance(line, str) else []
            need(len(set(ends) - {-1}) == len(ends) == 3, f"problem.toml: {shown(line)} is no line of three holes")
            lines.append((ends[0], ends[1], ends[2]))
        start = mask_of(holes, "start", given["start"])
    jumps = sorted({jump for a, over, b in lines for jump in ((a, over, b), (b, over, a))})
    return Problem(holes, jumps, start, _goal(holes, given["goal"]))


def mask_of(holes: list[str], what: str, names: Any) -> int:
    """The holes of these names, each there once."""
    number = {name: hole for hole, name in enumerate(holes) if isinstance(name, str)}
    mask = 0
    for name in items(what, names, len(holes)):
        hole = number.get(name) if isinstance(name, str) else None
        if hole is None or mask >> hole & 1:
            raise Rejected(f"{what}: {shown(name)} is no hole of the board, or there twice")
        mask |= 1 << hole
    return mask


def _cells(drawn: Any, staggered: bool) -> dict[tuple[int, int], str]:
    """What is drawn at each (row, column), both from 0. A column is two characters wide; on a triangular lattice each
    row begins one character farther left than the one above."""
    need(isinstance(drawn, str) and set(drawn) <= set("Xo \n"), "problem.toml: a drawing has only X, o and blanks")
    rows = drawn.split("\n")
    places = {(r, x + r * staggered): mark for r, row in enumerate(rows) for x, mark in enumerate(row) if mark != " "}
    need(0 < len(places) <= MOST_HOLES, f"problem.toml: the drawing must have 1 to {MOST_HOLES:,} holes")
    top, left = min(r for r, _ in places), min(x for _, x in places)
    need(all((x - left) % 2 == 0 for _, x in places), "problem.toml: a hole is drawn between two columns")
    return {(r - top, (x - left) // 2): mark for (r, x), mark in places.items()}


def _letters(column: int) -> str:
    """a to z, aa, ab, ..."""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("a") + column % 26)


def _lattice_lines(where: list[tuple[int, int]], directions: list[tuple[int, int]]) -> Iterator[Jump]:
    """All triples of neighbours in a row."""
    number = {cell: hole for hole, cell in enumerate(where)}
    for row, column in where:
        for down, right in directions:
            over, end = number.get((row + down, column + right)), number.get((row + 2 * down, column + 2 * right))
            if over is not None and end is not None:
                yield number[row, column], over, end


def _goal(holes: list[str], goal: Any) -> tuple[str, int, int]:
    """The kind of goal, and the holes that must end with a peg, and without."""
    if goal in ("one peg", "dead end"):
        return str(goal), 0, 0
    if isinstance(goal, list):
        pegs = mask_of(holes, "goal", goal)
        return "exact", pegs, (1 << len(holes)) - 1 & ~pegs
    if isinstance(goal, dict) and goal.keys() == {"nearest", "weights"}:
        return "nearest", 0, 0
    fields("goal", goal, "pegs vacancies")
    pegs, vacancies = mask_of(holes, "goal", goal["pegs"]), mask_of(holes, "goal", goal["vacancies"])
    need(not pegs & vacancies, "problem.toml: the goal wants a hole both with a peg and without")
    return "partial", pegs, vacancies


# Certificates


def excluded(problem: Problem, given: dict[str, Any]) -> int:
    """A certificate shows that no solution has at most so many jumps. All kinds but two are trees of one case."""
    kind, tree = given.get("kind"), given
    if kind == "count":
        need(not problem.is_goal(problem.start), "the start satisfies the goal")
        need(problem.longest <= 0 or problem.fewest > problem.longest, "the numbers of pegs fit")
        return problem.longest
    if kind == "finishes":
        return _finishes(problem, given)
    if kind == "dead-end":
        tree = {"kind": "cases", "tree": [["stuck"]]}
    elif kind in ("class", "pagoda"):
        tree = {"kind": "cases", "tree": [["sum", weighed(problem, given)]]}
    need(tree.get("kind") == "cases", f"there is no certificate of kind {shown(kind)}")
    cases = Cases(problem, tree)
    cases.check()
    return cases.longest


def refuted(problem: Problem, given: dict[str, Any]) -> None:
    """A certificate shows that the problem has no solution."""
    need(excluded(problem, given) >= problem.longest, "longer solutions are left")


def weighed(problem: Problem, given: dict[str, Any]) -> list[list[int]]:
    """How often to take the equation of each hole: once in a set that each line meets in none or two holes, so that
    the parity of the pegs there stays the same; or so often as it weighs, where no jump lets the weight grow."""
    if given.get("kind") == "class":
        mask = mask_of(problem.holes, "holes", given.get("holes"))
        return [[hole, 1] for hole in range(len(problem.holes)) if mask >> hole & 1]
    weights: Any = given.get("weights")
    mask_of(problem.holes, "weights", list(weights) if isinstance(weights, dict) else None)
    return [[hole, whole("weights", weights[name])] for hole, name in enumerate(problem.holes) if name in weights]


def _finishes(problem: Problem, given: dict[str, Any]) -> int:
    """For one peg anywhere: a certificate against each hole where it may be."""
    left = problem.full
    need(problem.goal == "one peg", "a certificate of kind finishes is for one peg anywhere")
    for case in items("cases", given.get("cases"), len(problem.holes)):
        need(isinstance(case, dict), "a case must be an object")
        finishes = mask_of(problem.holes, "finishes", case.get("finishes"))
        need(not finishes & ~left, "finishes: a hole is there twice")
        ends = [hole for hole in range(len(problem.holes)) if finishes >> hole & 1]
        if case.get("kind") in ("class", "pagoda"):  # to a sum, holes that weigh the same are the same
            weights = {row[0]: row[1] for row in weighed(problem, case)}
            ends = list({weights.get(hole, 0): hole for hole in ends}.values())
        for hole in ends:
            goal = ("exact", 1 << hole, problem.full & ~(1 << hole))
            refuted(Problem(problem.holes, problem.jumps, problem.start, goal), case)
        left &= ~finishes
    need(not left, f"nothing rules out the last peg at {problem.names(left)}")
    return problem.longest


class Cases:
    """A tree of cases. Its numbers are how often each jump is made, then for each hole whether it ends with a peg.

    Each number has limits; a case makes them narrower. The rows are what all solutions satisfy: an equation for each
    hole (the peg at the start, less those that jumps take, and those that they put, is the peg at the end), and what
    the goal says. ``most``: it is about solutions of at most so many jumps.
    """

    def __init__(self, problem: Problem, data: dict[str, Any]) -> None:
        fields("the certificate", data, "kind tree", "most cuts")
        self.problem, self.longest = problem, problem.longest
        jumps, holes = len(problem.jumps), len(problem.holes)
        if "most" in data:
            self.longest = min(problem.longest, whole("most", data["most"], 0))
        self.low = [0] * jumps + [problem.pegs >> hole & 1 for hole in range(holes)]
        self.high = [self.longest] * jumps + [1 - (problem.vacancies >> hole & 1) for hole in range(holes)]
        self.trail: list[tuple[int, int, int]] = []  # limits to go back to
        self.rows: list[tuple[dict[int, int], int]]
        self.rows = [({jumps + hole: 1}, problem.start >> hole & 1) for hole in range(holes)]
        for j, jump in enumerate(problem.jumps):
            for hole, taken in zip(jump, (1, 1, -1), strict=True):
                self.rows[hole][0][j] = taken
        if problem.goal == "one peg":
            self.rows.append((dict.fromkeys(range(jumps, jumps + holes), 1), 1))
        self.equations = len(self.rows)  # the others say "at most"
        if problem.goal == "dead end":
            self.rows += [({jumps + a: 1, jumps + over: 1, jumps + b: -1}, 1) for a, over, b in problem.jumps]
        if "most" in data:
            self.rows.append((dict.fromkeys(range(jumps), 1), data["most"]))
        self.left = {"stuck": MOST_STUCK, "cut": MOST_CUT, "sum": MOST_TERMS}
        self.cuts = items("cuts", data.get("cuts", []), MOST_NODES)
        self.played: dict[int, dict[int, int]] = {}
        self.nodes = items("tree", data["tree"], MOST_NODES)

    def check(self) -> None:
        """All cases are closed. Nodes come in the order in which the cases are met."""
        nodes = iter(enumerate([*self.nodes, "none"], start=1))
        open_ = [iter([None])]
        while open_:
            for _ in open_[-1]:  # it makes the limits those of its next case; those of empty cases it leaves out
                i, node = next(nodes)
                what = f"node {i}"
                match node:
                    case ["split", number, k]:
                        open_.append(self._split(what, number, k))
                        break
                    case ["cut", number]:
                        open_.append(self._by_cut(what, number))
                        break
                    case ["sum", list(times)]:
                        self._sum(what, times)
                    case ["stuck"]:
                        self._play(what, "stuck", dict(enumerate(self.high[: len(self.problem.jumps)])))
                    case _:
                        told = f"{what} is neither a split, a cut, a sum nor stuck"
                        raise Rejected("a case is left open" if i > len(self.nodes) else told)
            else:
                open_.pop()
        need(next(nodes)[0] > len(self.nodes), "there are nodes after the last case")

    def _narrow(self, number: int, low: int, high: int) -> bool:
        """Narrow the limits of a number; whether any value is left."""
        self.trail.append((number, self.low[number], self.high[number]))
        self.low[number], self.high[number] = max(low, self.low[number]), min(high, self.high[number])
        return self.low[number] <= self.high[number]

    def _back(self, to: int) -> None:
        while len(self.trail) > to:
            number, self.low[number], self.high[number] = self.trail.pop()

    def _split(self, what: str, number: int, k: int) -> Iterator[None]:
        """The number is at most k; or more."""
        whole(f"{what}: a number", number, 0, len(self.low) - 1)
        whole(f"{what}: a limit", k, 0, self.problem.count)
        here = len(self.trail)
        for low, high in ((0, k), (k + 1, self.high[number])):
            if self._narrow(number, low, high):
                yield
            self._back(here)

    def _by_cut(self, what: str, i: int) -> Iterator[None]:
        """Every way within the limits of the cut misses the goal. So a solution makes one of its jumps more often: the
        first of those, and the ones before it not."""
        if whole(f"{what}: a cut", i, 0, len(self.cuts) - 1) not in self.played:
            jumps, cut = len(self.problem.jumps), dict[int, int]()
            for pair in items(f"cut {i}", self.cuts[i], jumps):
                need(isinstance(pair, list) and len(pair) == 2, f"cut {i} must have pairs")
                j, limit = whole("a jump", pair[0], 0, jumps - 1), whole("its limit", pair[1], 0, self.longest)
                need(cut.setdefault(j, limit) == limit, f"cut {i} has a jump twice")
            self._play(what, "cut", cut)
            self.played[i] = cut
        begin = len(self.trail)
        for j, limit in self.played[i].items():
            here = len(self.trail)
            if self._narrow(j, limit + 1, self.high[j]):
                yield
            self._back(here)
            if not self._narrow(j, 0, limit):
                break  # so are all cases that follow
        self._back(begin)

    def _sum(self, what: str, times: list[Any]) -> None:
        """The rows, each less its value and taken so many times, add up to more than 0, or to an odd number.

        But each of them is 0, or at most 0; so no solution is in the case.
        """
        total, sums, odd = 0, dict[int, int](), True
        for pair in times:
            row, many = pair if isinstance(pair, list) and len(pair) == 2 else (-1, 0)
            fits = type(row) is int and type(many) is int and 0 <= row < len(self.rows)
            if not fits or (many < 0 and row >= self.equations):
                raise Rejected(f"{what}: a sum must say which rows are taken, and how often")
            terms, value = self.rows[row]
            self.left["sum"] -= len(terms)
            if self.left["sum"] < 0:
                raise Rejected(f"{what}: the sums have more than {MOST_TERMS:,} terms")
            total -= many * value
            odd = odd and row < self.equations
            for number, one in terms.items():
                sums[number] = sums.get(number, 0) + many * one
        least = total + sum(one * (self.low if one > 0 else self.high)[number] for number, one in sums.items())
        for number, one in sums.items():
            fixed = self.low[number] == self.high[number]
            odd = odd and (fixed or one % 2 == 0)
            total += one * self.low[number] if fixed else 0
        need(least > 0 or (odd and total % 2 == 1), f"{what}: the rows can hold together")

    def _play(self, what: str, kind: str, limits: dict[int, int]) -> None:
        """Play every way in which no jump is made more often than its limit. What is left of the limits counts as a
        part of the position."""
        problem, first, shift = self.problem, self.problem.start, len(self.problem.holes)
        table = []  # of each jump its holes and pegs, where its limit stands, and what it takes of it
        for j, (holes, pegs) in enumerate(problem.masks):
            limit = limits.get(j, self.longest)
            if limit >= self.longest:  # no limit
                table.append((holes, pegs, 0, 0))
            elif limit:
                table.append((holes, pegs, ((1 << limit.bit_length()) - 1) << shift, 1 << shift))
                first |= limit << shift
                shift += limit.bit_length()
        fewest = problem.count - self.longest
        seen, left = {first}, [first]
        while left:
            state = left.pop()
            position = state & problem.full
            if problem.is_goal(position):
                raise Rejected(f"{what}: the goal is reached")
            for holes, pegs, limit, one in table if position.bit_count() > fewest else ():
                if position & holes == pegs and (not limit or state & limit):
                    after = (state ^ holes) - one
                    if after not in seen:
                        seen.add(after)
                        left.append(after)
            if len(seen) > self.left[kind]:
                raise Rejected(f"{what}: too many positions to play through")
        self.left[kind] -= len(seen)


# Formulas: what a solution satisfies. docs/proof-format.md says each clause in words.


class Formula:
    """The clauses of a model, written from the problem. Variables are numbered from 1, in blocks.

    ``horizon``: how many steps, or rounds through all jumps. ``rounds``: the order of the jumps in a round.
    """

    def __init__(self, problem: Problem, model: str, horizon: int, rounds: list[int]) -> None:
        self.problem, self.horizon, self.variables = problem, horizon, 0
        self.touching: list[list[int]] = [[] for _ in problem.holes]
        for j, jump in enumerate(problem.jumps):
            for hole in jump:
                self.touching[hole].append(j)
        size = (horizon + 1) * (30 * len(problem.jumps) + 10 * len(problem.holes))
        need(size <= MOST_LITERALS, f"the formula of {model} with horizon {horizon} is too large")
        self.made: list[tuple[int, int]] = []  # what it means that a variable is true: which jump is made
        if model == "sat-rounds":
            self.clauses = list(self._rounds(rounds))
            return
        self.peg = [self._block(len(problem.holes)) for _ in range(horizon + 1)]
        self.steps = [self._block(len(problem.jumps)) for _ in range(horizon)]
        self.made += ((one, j) for made in self.steps for j, one in enumerate(made))
        self.clauses = [*self._start(self.peg[0]), *chain(*map(self._step, range(horizon)))]
        self.clauses += self._parallel() if model == "sat-parallel" else self._one_by_one()
        self.clauses += self._end(self.peg[horizon])

    def dimacs(self) -> Iterator[bytes]:
        """The formula for other programs."""
        yield b"p cnf %d %d\n" % (self.variables, len(self.clauses))
        for clause in self.clauses:
            yield " ".join(map(str, (*clause, 0))).encode() + b"\n"

    def _block(self, size: int) -> list[int]:
        """So many new variables."""
        self.variables += size
        return list(range(self.variables - size + 1, self.variables + 1))

    def _start(self, peg: list[int]) -> Iterator[Clause]:
        """Each hole is as it is at the start."""
        for hole, one in enumerate(peg):
            yield (one,) if self.problem.start >> hole & 1 else (-one,)

    def _end(self, peg: list[int]) -> Iterator[Clause]:
        """The last position satisfies the goal."""
        for hole, one in enumerate(peg):
            if (self.problem.pegs | self.problem.vacancies) >> hole & 1:
                yield (one,) if self.problem.pegs >> hole & 1 else (-one,)
        if self.problem.goal == "one peg":
            yield tuple(peg)
            yield from self._at_most_one(peg)
        for a, over, b in self.problem.jumps if self.problem.goal == "dead end" else ():
            yield -peg[a], -peg[over], peg[b]

    def _step(self, t: int) -> Iterator[Clause]:
        """A jump made takes two pegs and puts one into a vacancy; a hole that changes is changed by a jump."""
        before, after, made = self.peg[t], self.peg[t + 1], self.steps[t]
        for jump, one in zip(self.problem.jumps, made, strict=True):
            for hole, sign in zip(jump, (1, 1, -1), strict=True):
                yield -one, sign * before[hole]
                yield -one, -sign * after[hole]
        for hole, jumps in enumerate(self.touching):
            yield -before[hole], after[hole], *(made[j] for j in jumps if self.problem.jumps[j][2] != hole)
            yield before[hole], -after[hole], *(made[j] for j in jumps if self.problem.jumps[j][2] == hole)

    def _at_most_one(self, literals: list[int]) -> Iterator[Clause]:
        """At most one is true: variable i of a new block is true if one of the first i is."""
        some = self._block(max(0, len(literals) - 1))
        for i, one in enumerate(literals):
            if i < len(some):
                yield -one, some[i]
            if i:
                yield -some[i - 1], -one
            if 0 < i < len(some):
                yield -some[i - 1], some[i]

    def _one_by_one(self) -> Iterator[Clause]:
        """Each step makes one jump."""
        for made in self.steps:
            yield tuple(made)
            yield from self._at_most_one(made)

    def _parallel(self) -> Iterator[Clause]:
        """The jumps of a step have no hole in common."""
        for made in self.steps:
            for jumps in self.touching:
                yield from self._at_most_one([made[j] for j in jumps])

    def _rounds(self, order: list[int]) -> Iterator[Clause]:
        """A round goes through all jumps in an order, and makes each or leaves its holes as they are."""
        now = self._block(len(self.problem.holes))
        yield from self._start(now)
        for j in order * self.horizon:
            (made,) = self._block(1)
            self.made.append((made, j))
            for hole, sign in zip(self.problem.jumps[j], (1, 1, -1), strict=True):
                before, (after,) = now[hole], self._block(1)
                now[hole] = after
                yield -made, sign * before
                yield -made, -sign * after
                yield made, -sign * before, sign * after
                yield sign * before, -sign * after
        yield from self._end(now)


# Refutations, in binary LRAT. A step adds a clause that follows from those it names: if it were false, these would
# become units one after the other, and the last one could not hold. The empty clause ends it.


def follow(clauses: list[Clause], variables: int, pieces: Iterable[bytes]) -> None:
    """Follow a proof that the clauses have no solution."""
    live = dict(enumerate(clauses, start=1))
    newest, done, left = len(clauses), False, b""
    true = [0] * (2 * variables + 1)  # by literal: the step in which it is true; a negative place counts from the end
    for piece in pieces:
        data, at = left + piece, 0
        while at < len(data):
            where, kind, end = f"the step after clause {newest}", data[at], data.find(0, at + 1)
            if done or kind not in b"ad":
                raise Rejected(f"{where} is none, or comes after the empty clause")
            last = data.find(0, end + 1) if kind == 97 and end >= 0 else end
            if last < 0:
                break
            numbers = _numbers(where, data[at + 1 : end])
            at = last + 1
            if kind == 100:
                for hint in numbers:
                    if hint & 1 or live.pop(hint >> 1, None) is None:
                        raise Rejected(f"{where} names the clause {hint >> 1}, which is not there")
                continue
            step = newest + 1
            if numbers[:1] != [2 * step]:
                raise Rejected(f"{where} does not have the next number")
            clause = tuple(-(code >> 1) if code & 1 else code >> 1 for code in numbers[1:])
            for literal in clause:
                if not 0 < abs(literal) <= variables:
                    raise Rejected(f"{where} has a literal that the formula has not")
                if true[literal] == step:
                    raise Rejected(f"{where} has a literal and its negation")
                true[-literal] = step
            for hint in _numbers(where, data[end + 1 : last]):
                known = None if hint & 1 else live.get(hint >> 1)
                if known is None:
                    raise Rejected(f"{where} names the clause {hint >> 1}, which is not there")
                unit = 0
                for literal in known:
                    if true[-literal] != step:
                        if unit and unit != literal:
                            raise Rejected(f"{where} names the clause {hint >> 1}, which is not a unit then")
                        unit = literal
                if not unit:
                    break
                true[unit] = step
            else:
                raise Rejected(f"{where} does not follow from the clauses that it names")
            live[step] = clause
            newest, done = step, not clause
        left = data[at:]
        need(len(left) <= LONGEST_STEP, f"the step after clause {newest} is longer than {LONGEST_STEP:,} bytes")
    need(not left, f"the step after clause {newest} is cut off")
    need(done, f"it ends after clause {newest} without the empty clause")


def _numbers(where: str, data: bytes) -> list[int]:
    """Numbers of seven bits in a byte, the lowest first; all bytes but the last of a number have the eighth bit."""
    found, value, shift = [], 0, 0
    for byte in data:
        if byte < 128:
            found.append(value | byte << shift)
            value = shift = 0
        else:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 56:
                break
    need(shift == 0, f"{where} has a malformed number")
    return found


# Folders

TARGETS = ("exact", "partial", "one peg")
PARTS: dict[str, dict[str, tuple[str, ...]]] = {  # what can show a claim, and for which goals
    "infeasible": {"certificate": TARGETS, "sat-moves": TARGETS, "sat-parallel": TARGETS},
    "jumps": {"cases": (*TARGETS, "dead end"), "sat-moves": (*TARGETS, "dead end")},
    "steps": {"sat-parallel": TARGETS},
    "rounds": {"sat-rounds": TARGETS},
    "pegs": {"certificate": (*TARGETS, "dead end")},
}
MODELS = ("sat-moves", "sat-parallel", "sat-rounds")


def pieces(path: str, name: str) -> Iterator[bytes]:
    """The bytes of a regular file in a folder."""
    try:
        handle = os.open(os.path.join(path, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Rejected(f"{name}: cannot read the file: {error.strerror}") from None
    with open(handle, "rb") as file:
        left = os.fstat(handle).st_size
        need(stat.S_ISREG(os.fstat(handle).st_mode), f"{name}: not a regular file")
        need(left <= LARGEST.get(name, LARGEST_PROOF), f"{name}: too large")
        while piece := file.read(min(left, 1 << 20)):
            left -= len(piece)
            yield piece


class Folder:
    """A proof folder: what is claimed of which problem, and by which parts it is shown. This is read, and whatever
    cannot support the claim is refused, before any work begins."""

    def __init__(self, path: str) -> None:
        self.path = path
        if not os.path.isdir(path):
            raise Unusable(f"{shown(path)} is no folder")
        old = os.path.exists(os.path.join(path, "manifest.json"))
        need(not old, "an old folder, which is not checked any more: make it anew, with pegcp prove PROBLEM -o FOLDER")
        given = parsed("claim.json", b"".join(pieces(path, "claim.json")))
        claim = given.get("claim") if isinstance(given, dict) else None
        self.type = claim.get("type") if isinstance(claim, dict) else None
        if self.type == "rerun":
            raise Unusable("it claims what a second run finds, which is no proof: pegcp check does the run")
        fields("claim.json", given, "format claim parts", "solution about")
        need(given["format"] == FORMAT, f"claim.json: format {shown(given['format'])}; this program reads {FORMAT}")
        self.parts, self.solution = given["parts"], given.get("solution")
        need(self.type in list(PARTS), f"claim.json: there is no claim of type {shown(self.type)}")
        self.text = b"".join(pieces(path, "problem.toml"))
        self.problem = read_problem(self.text)
        self.order: list[int] = []
        self.open = self._claimed(given["claim"])
        self.todo = self._supported()

    def _claimed(self, claim: dict[str, Any]) -> set[int]:
        """The values that must be shown to be impossible: numbers of jumps, steps, rounds, or pegs."""
        problem, pegs = self.problem, self.problem.count
        goals = chain(*PARTS[str(self.type)].values())
        need(problem.goal in goals, f'claim.json: a claim of type {self.type} is not for the goal "{problem.goal}"')
        if self.type == "infeasible":
            fields("the claim", claim, "type")
            need(self.solution is None, "claim.json: a solution, and that there is none")
            need(not problem.is_goal(problem.start), "claim.json: the start satisfies the goal")
            return set(range(problem.fewest, problem.longest + 1)) or {0}
        fields("the claim", claim, "type least order" if self.type == "rounds" else "type least")
        self.least = whole("claim.json: the bound", claim["least"], 0, pegs)
        if self.type == "jumps":
            return set(range(problem.fewest, min(self.least, problem.longest + 1)))
        if self.type == "pegs":
            values = set(range(pegs - max(problem.longest, 0), self.least))
            need(values <= {1}, "claim.json: only that no solution leaves one peg can be proved")
            return values
        if self.type == "rounds":
            jumps = len(problem.jumps)
            self.order = [whole("the order", j, 0, jumps - 1) for j in items("the order", claim["order"], jumps)]
            need(len(set(self.order)) == jumps, "claim.json: the order of a round must have each jump once")
        return {self.least - 1} if self.least else set()  # fewer steps, or rounds, become as many by empty ones

    def _supported(self) -> list[tuple[str, int, Any]]:
        """Of each part its kind, its horizon, and its certificate. Each must add something to the claim."""
        problem, left = self.problem, set(self.open)
        todo: list[tuple[str, int, Any]] = []
        for part in items("parts", self.parts, len(problem.holes) + 1):
            kind = part.get("type") if isinstance(part, dict) else None
            fits = isinstance(kind, str) and problem.goal in PARTS[str(self.type)].get(kind, ())
            need(fits, f"claim.json: {shown(kind)} cannot show a claim of type {self.type}, or not for this goal")
            if kind in MODELS:
                fields(str(kind), part, "type horizon")
                data, horizon = None, whole("claim.json: the horizon", part["horizon"], 0, problem.count)
                excludes = {horizon} if kind == "sat-moves" else set(range(horizon + 1))
            else:
                data, horizon = fields(str(kind), part, "type certificate")["certificate"], 0
                need(isinstance(data, dict), "claim.json: a certificate must be an object")
                excludes = self.open
                if kind == "cases":
                    excludes = set(range(whole("claim.json: most", data.get("most"), 0, problem.count) + 1))
            todo.append((str(kind), horizon, data))
            need(bool(excludes & left), f"claim.json: a part of type {kind} adds nothing to the claim")
            left -= excludes
        told = {"infeasible": "there is no solution", "pegs": "no solution leaves only 1"}
        missing = told.get(str(self.type), f"{min(left, default=0)} {self.type} are not enough")
        need(not left, f"claim.json: no part shows that {missing}")
        return todo

    def check(self, follow: Follow = follow, cnf: str = "") -> dict[str, Any]:
        """What is proved. ``cnf``: where to write the formula; with several, their horizons are added to its name."""
        if self.solution is not None:
            worth = self._worth(self.solution)
            need(worth == self.least, f"the solution has {worth} {self.type}, the claim says {self.least}")
        formulas = sum(kind in MODELS for kind, _, _ in self.todo)
        if cnf and not formulas:
            raise Unusable("it has no formula to write")
        for kind, horizon, data in self.todo:
            if kind in MODELS:
                formula = Formula(self.problem, kind, horizon, self.order)
                if cnf:
                    with open(cnf if formulas == 1 else f"{cnf}-{horizon:02}", "wb") as file:
                        file.writelines(formula.dimacs())
                name = f"proof-{horizon:02}.lrat"
                try:
                    follow(formula.clauses, formula.variables, pieces(self.path, name))
                except Rejected as error:
                    raise Rejected(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None
            elif kind == "cases":
                excluded(self.problem, data)
            elif self.type == "pegs":
                one_peg = ("one peg", 0, 0)
                refuted(Problem(self.problem.holes, self.problem.jumps, self.problem.start, one_peg), data)
            else:
                refuted(self.problem, data)
        found = {"type": self.type, "order": self.order, "problem": self.text.decode(), "says": "there is no solution"}
        if self.type != "infeasible":
            verb = "leaves" if self.type == "pegs" else "has"
            least = f"every solution {verb} at least {self.least} {self.type}"
            says = f"the fewest {self.type} are {self.least}" if self.solution is not None else least
            found |= {"least": self.least, "solution": self.solution, "says": says}
        return found

    def _worth(self, given: Any) -> int:
        """What a solution is worth: its jumps, steps or rounds, or the pegs that it leaves. It is replayed."""
        problem, position, steps, rounds, last = self.problem, self.problem.start, [0] * len(self.problem.holes), 0, -1
        number = {name: hole for hole, name in enumerate(problem.holes)}
        place = {tuple(jump): j for j, jump in enumerate(problem.jumps)}
        made = items("the solution", given, len(problem.holes))
        for i, names in enumerate(made, start=1):
            known = isinstance(names, list) and all(isinstance(name, str) for name in names)
            j = place.get(tuple(number.get(name, -1) for name in names), -1) if known else -1
            need(j >= 0 and position & problem.masks[j][0] == problem.masks[j][1], f"jump {i} is not possible")
            position ^= problem.masks[j][0]
            step = 1 + max(steps[hole] for hole in problem.jumps[j])  # the first in which it can stand
            for hole in problem.jumps[j]:
                steps[hole] = step
            if self.order:
                rounds, last = rounds + (self.order.index(j) <= last or i == 1), self.order.index(j)
        need(problem.is_goal(position), "the solution does not reach the goal")
        return {"jumps": len(made), "steps": max(steps), "rounds": rounds}.get(str(self.type), position.bit_count())


# The program


def certified(given: Any) -> str:
    """What a certificate shows of a problem: ``infeasible``, or ``at least N`` jumps."""
    data = fields("the input", given, "problem certificate", "bound")
    need(isinstance(data["problem"], str) and isinstance(data["certificate"], dict), "not a problem and a certificate")
    problem = read_problem(data["problem"].encode(errors="surrogatepass"))
    if data.get("bound") is not True:
        refuted(problem, data["certificate"])
        return "infeasible"
    need(data["certificate"].get("kind") == "cases", "only cases show a bound")
    return f"at least {excluded(problem, data['certificate']) + 1}"


def limit(seconds: float, megabytes: float) -> None:
    """Stop this process after so many seconds of work, and give it no more memory than that."""

    def stop(*_: object) -> None:
        raise Stopped

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    for kind, most in ((resource.RLIMIT_CPU, int(seconds) + 5), (resource.RLIMIT_AS, int(megabytes * 2**20))):
        hardest = resource.getrlimit(kind)[1]
        most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
        resource.setrlimit(kind, (most, most))


def main(arguments: list[str], follow: Follow = follow) -> int:
    """Check what the arguments name."""
    options = {"--cnf": "", "--time": "60", "--memory": "2000"}
    words = iter(arguments)
    names = [word for word in words if word not in options or options.update({word: next(words, "")})]
    try:
        limit(float(options["--time"]), float(options["--memory"]))
        if names == ["-"]:
            print(certified(parsed("the input", sys.stdin.buffer.read(LARGEST["claim.json"]))))
            return 0
        if len(names) - ("--json" in names) != 1 or names[0].startswith("-"):
            raise Unusable("usage: python checker.py FOLDER [--cnf FILE] [--json] [--time S] [--memory MB]")
        found = Folder(names[0]).check(follow, options["--cnf"])
        print(json.dumps(found) if "--json" in names else f"proved: {found['says']}")
        return 0
    except Rejected as error:
        print(f"rejected: {error}")
        return 4
    except Stopped:
        print(f"stopped: it takes more than {options['--time']} s")
    except MemoryError:
        print(f"stopped: it takes more than {options['--memory']} MB")
    except (Unusable, ValueError, OverflowError, OSError) as error:
        print(error)
        return 2
    return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
