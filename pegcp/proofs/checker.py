"""The checker of peg solitaire proofs: one file that needs nothing but Python.

    python checker.py FOLDER [--cnf FILE] [--json] [--time S] [--memory MB]

Says ``proved`` (exit 0), ``rejected`` and what is wrong first (4), ``stopped`` at a limit (3); bad usage is 2.

What is trusted is this file, the Python that runs it, and the machine. It reads a problem, and derives holes, lines and
jumps from it. It believes nothing else in a folder: a certificate is checked in whole numbers; a formula is not read at
all, but written here, and its refutation (LRAT) is followed step by step; a solution is replayed. docs/proof-format.md
says what is in a folder, how variables are numbered, and why each clause holds.
"""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, repeat
from operator import or_
from typing import Any

FORMAT = 2
MOST_HOLES, MOST_LINES = 10_000, 100_000
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")  # of which names of holes are made
LONGEST_NAME = 100
OBJECTIVES = ("any", "fewest-jumps", "fewest-moves", "fewest-pegs", "fewest-steps", "count")
MOST_NODES, MOST_LIMITS, MOST_TERMS = 20_000, 50_000_000, 50_000_000  # of a tree of cases, of all cases, of all sums
MOST_STUCK, MOST_CUT = 100_000, 1_000_000  # positions that are played through, in all of its cases and cuts
MOST_LITERALS = 5_000_000  # of a formula
MOST_SYMMETRIES, MOST_GENERATORS = 120, 10
PIECE, BATCH = 11, 200_000  # holes that are looked up at a time; positions whose images are made at a time
LARGEST = {"problem.toml": 5_000_000, "claim.json": 40_000_000}  # bytes
LARGEST_PROOF = 1_000_000_000

Jump = tuple[int, int, int]  # from, over, to
Clause = tuple[int, ...]  # literals: a variable, from 1, or minus it
Symmetry = tuple[int, ...]  # where each hole is carried
Follow = Callable[[list[Clause], int, bytes], None]
Meet = Callable[["Problem", list[Symmetry], int, int], int | None]
Limits = list[tuple[int, int]]  # of each number: the least and the largest value


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


def whole(what: str, value: Any, least: int, most: int) -> int:
    """A whole number between two others."""
    need(type(value) is int and least <= value <= most, f"{what} is {shown(value)}, not from {least} to {most}")
    return int(value)


def contents(path: str, name: str) -> bytes:
    """The bytes of a regular file in a folder."""
    try:
        flags = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))  # no system has them all
        handle = os.open(os.path.join(path, name), os.O_RDONLY | flags)
    except OSError as error:
        raise Rejected(f"{name}: cannot read the file: {error.strerror}") from None
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST.get(name, LARGEST_PROOF):
        os.close(handle)
        raise Rejected(f"{name}: {'too large' if stat.S_ISREG(about.st_mode) else 'not a regular file'}")
    with open(handle, "rb") as file:
        return file.read(about.st_size)


def parsed(name: str, data: bytes) -> Any:
    """Read a JSON or a TOML file. Python refuses numbers of thousands of digits."""
    try:
        text = data.decode()
        return json.loads(text, object_pairs_hook=distinct) if name.endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{name} cannot be read: {shown(str(error))}") from None


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, which must not have a key twice."""
    found = dict(pairs)
    need(len(found) == len(pairs), "claim.json: an object has a key twice")
    return found


# The problem


class Problem:
    """Holes by number, all jumps in rising order, a start, and what the last position must be (bit masks of holes).

    ``goal`` is "exact", "partial", "one peg" or "dead end". ``fewest`` and ``longest``: no solution has less
    jumps, or more. A jump takes one peg away and leaves at least one.
    """

    def __init__(self, holes: list[str], jumps: list[Jump], start: int, goal: tuple[str, int, int]) -> None:
        self.holes, self.jumps, self.start = holes, jumps, start
        self.goal, self.pegs, self.vacancies = goal
        self.full = (1 << len(holes)) - 1
        self.masks = [(1 << a | 1 << b | 1 << c, 1 << a | 1 << b) for a, b, c in jumps]  # its holes, and its pegs
        self.takes: list[list[int]] = [[] for _ in holes]  # the jumps that take a peg from a hole,
        self.puts: list[list[int]] = [[] for _ in holes]  # and those that put one there
        for j, (a, over, b) in enumerate(jumps):
            self.takes[a].append(j)
            self.takes[over].append(j)
            self.puts[b].append(j)
        self.count = start.bit_count()
        least = 1 if self.goal == "one peg" else self.pegs.bit_count()
        most = 1 if self.goal == "one peg" else len(holes) - self.vacancies.bit_count()
        self.fewest = max(0, self.count - most)
        self.longest = self.count - max(least, min(1, self.count))
        if not jumps or not most:
            self.longest = min(0, self.longest)

    def is_goal(self, position: int) -> bool:
        """Whether a position satisfies the goal."""
        if self.goal == "one peg":
            return position.bit_count() == 1
        if self.goal == "dead end":
            return all(position & holes != pegs for holes, pegs in self.masks)
        return position & self.pegs == self.pegs and not position & self.vacancies


def read_problem(text: bytes) -> Problem:
    """The problem of a canonical text, which draws a board on a lattice, or lists its holes and lines.

    The text of what was read is written, too, and must be the one that is there, byte for byte: so a problem has one
    text, and no other reader can take the text for another problem.
    """
    given = parsed("problem.toml", text)
    if "lattice" in given:
        fields("problem.toml", given, "lattice legend start goal objective", "jumps")
        holes, lines, start = _drawn(given)
        jumps_of = f'jumps = "{given["jumps"]}"\n' if "jumps" in given else ""
        written = f'lattice = "{given["lattice"]}"\n{jumps_of}legend = {LEGEND}\nstart = """\n{given["start"]}"""\n'
    else:
        fields("problem.toml", given, "holes lines start goal objective")
        holes = items("holes", given["holes"], MOST_HOLES)
        for name in holes:
            fits = isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and NAME.issuperset(name)
            need(fits, f"problem.toml: {shown(name)} is not a hole name: letters a to z and A to Z, digits, _ and .")
        mask_of(holes, "holes", holes)
        need(holes != [], "problem.toml: there are no holes")
        number = {name: hole for hole, name in enumerate(holes)}
        lines = []
        for line in items("lines", given["lines"], MOST_LINES):
            ends = [number.get(name, -1) for name in line.split("-")] if isinstance(line, str) else []
            need(len(set(ends) - {-1}) == len(ends) == 3, f"problem.toml: {shown(line)} is no line of three holes")
            lines.append((ends[0], ends[1], ends[2]))
        start = mask_of(holes, "start", given["start"])
        ordered = sorted({(min(a, b), over, max(a, b)) for a, over, b in lines})
        written = f"holes = {_listed(holes)}\nlines = {_listed('-'.join(holes[h] for h in line) for line in ordered)}\n"
        written += f"start = {_listed(_names(holes, start))}\n"
    jumps = sorted({jump for a, over, b in lines for jump in ((a, over, b), (b, over, a))})
    goal, shown_goal = _goal(holes, given["goal"])
    need(given["objective"] in OBJECTIVES, f"problem.toml: there is no objective {shown(given['objective'])}")
    written += f'goal = {shown_goal}\nobjective = "{given["objective"]}"\n'
    if written.encode() != text:
        pairs = zip(written.encode().split(b"\n"), text.split(b"\n"), strict=False)
        line = next((i for i, (one, other) in enumerate(pairs, start=1) if one != other), "after the last")
        raise Rejected(f"problem.toml: not the canonical text of its problem, line {line}")
    return Problem(holes, jumps, start, goal)


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


def _names(holes: list[str], mask: int) -> list[str]:
    """The names of some holes, in their order."""
    return [name for hole, name in enumerate(holes) if mask >> hole & 1]


def _listed(names: Iterable[str]) -> str:
    """A list of names as the canonical text has it."""
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


LEGEND = '{ peg = "X", vacancy = "o", free = "?" }'
NEIGHBOURS = {  # by lattice and jumps: (rows down, columns to the right)
    ("square", "orthogonal"): [(0, 1), (1, 0)],
    ("square", "diagonal"): [(1, 1), (1, -1)],
    ("square", "both"): [(0, 1), (1, 0), (1, 1), (1, -1)],
    ("triangular", None): [(0, 1), (1, 0), (1, 1)],
}


def _drawn(given: dict[str, Any]) -> tuple[list[str], list[Jump], int]:
    """Holes, lines and start of a drawing. A column is two characters wide; on a triangular lattice each row begins
    one character farther left than the one above."""
    kind = given["lattice"], given.get("jumps")
    neighbours = next((steps for known, steps in NEIGHBOURS.items() if known == kind), [])
    need(neighbours != [], "problem.toml: there is no such lattice, or it has no such jumps")
    need(given["legend"] == {"peg": "X", "vacancy": "o", "free": "?"}, "problem.toml: another legend")
    drawn, farther = given["start"], given["lattice"] == "triangular"
    need(isinstance(drawn, str) and set(drawn) <= set("Xo \n"), "problem.toml: a drawing has only X, o and blanks")
    *rows, last = drawn.split("\n")
    fits = rows != [] and "" not in (rows[0], rows[-1]) and last == "" and all(row == row.rstrip(" ") for row in rows)
    need(fits and any(row[:1] > " " for row in rows), "problem.toml: the drawing has a margin")
    places = {
        (row, x + row * farther): mark for row, marks in enumerate(rows) for x, mark in enumerate(marks) if mark != " "
    }
    need(0 < len(places) <= MOST_HOLES, f"problem.toml: the drawing must have 1 to {MOST_HOLES:,} holes")
    top, left = min(row for row, _ in places), min(x for _, x in places)
    need(all((x - left) % 2 == 0 for _, x in places), "problem.toml: a hole is drawn between two columns")
    cells = [(row - top, (x - left) // 2) for row, x in sorted(places)]
    number = {cell: hole for hole, cell in enumerate(cells)}
    lines = []
    for hole, (row, column) in enumerate(cells):
        for down, right in neighbours:
            over, end = number.get((row + down, column + right)), number.get((row + 2 * down, column + 2 * right))
            if over is not None and end is not None:
                lines.append((hole, over, end))
    start = sum(1 << hole for hole, place in enumerate(sorted(places)) if places[place] == "X")
    return [_letters(column) + str(row + 1) for row, column in cells], lines, start


def _letters(column: int) -> str:
    """a to z, aa, ab, ..."""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("a") + column % 26)


def _goal(holes: list[str], goal: Any) -> tuple[tuple[str, int, int], str]:
    """The kind of goal, and the holes that must end with a peg, and without; and its canonical text."""
    if goal in ("one peg", "dead end"):
        return (str(goal), 0, 0), f'"{goal}"'
    if isinstance(goal, list):
        pegs = mask_of(holes, "goal", goal)
        return ("exact", pegs, (1 << len(holes)) - 1 & ~pegs), _listed(_names(holes, pegs))
    fields("goal", goal, "pegs vacancies")
    pegs, vacancies = mask_of(holes, "goal", goal["pegs"]), mask_of(holes, "goal", goal["vacancies"])
    need(not pegs & vacancies, "problem.toml: the goal wants a hole both with a peg and without")
    text = f"{{ pegs = {_listed(_names(holes, pegs))}, vacancies = {_listed(_names(holes, vacancies))} }}"
    return ("partial", pegs, vacancies), text


# Certificates


class Certificate:
    """A tree of cases in none of which there is a solution.

    Its numbers are how often each jump is made, then for each hole whether it ends with a peg. Each number has limits;
    a case makes them narrower. The rows are what all solutions satisfy: an equation for each hole (the peg at the
    start, less those that jumps take, and those that they put, is the peg at the end), and what the goal says.
    ``longest``: it is about solutions of at most so many jumps.
    """

    def __init__(self, problem: Problem, data: Any) -> None:
        fields("the certificate", data, "tree", "most cuts")
        self.problem, self.longest, self.most = problem, problem.longest, data.get("most")
        if self.most is not None:
            self.longest = min(self.longest, whole("most", self.most, 0, problem.count))
        self.tree, self.cuts = items("tree", data["tree"], MOST_NODES), items("cuts", data.get("cuts", []), MOST_NODES)
        self.left = {"stuck": MOST_STUCK, "cut": MOST_CUT, "sum": MOST_TERMS}

    def check(self) -> None:
        """All cases are closed. Nodes come in the order in which the cases are met."""
        problem, jumps, holes = self.problem, len(self.problem.jumps), range(len(self.problem.holes))
        self.rows: list[tuple[dict[int, int], int]] = []  # numbers with their coefficients, and what they add up to
        for hole in holes:
            takes, puts = dict.fromkeys(problem.takes[hole], 1), dict.fromkeys(problem.puts[hole], -1)
            self.rows.append((takes | puts | {jumps + hole: 1}, problem.start >> hole & 1))
        if problem.goal == "one peg":
            self.rows.append((dict.fromkeys(range(jumps, jumps + len(holes)), 1), 1))
        self.equations = len(self.rows)  # the others say "at most"
        if problem.goal == "dead end":
            self.rows += [({jumps + a: 1, jumps + over: 1, jumps + b: -1}, 1) for a, over, b in problem.jumps]
        if self.most is not None:
            self.rows.append((dict.fromkeys(range(jumps), 1), self.most))
        ends = [(problem.pegs >> h & 1, 1 - (problem.vacancies >> h & 1)) for h in holes]
        first = [*[(0, self.longest)] * jumps, *ends]
        need(len(first) * len(self.tree) <= MOST_LIMITS, "the tree is too large for this board")
        self.cut: dict[int, dict[int, int]] = {}  # those that have been played
        nodes = iter(enumerate([*self.tree, "none"], start=1))
        open_: list[Iterator[Limits]] = [iter([first])]  # of the cases that are open: how each is divided
        while open_:
            limits = next(open_[-1], None)
            if limits is None:
                open_.pop()
                continue
            i, node = next(nodes)
            match node:
                case ["split", number, k]:
                    open_.append(self._split(limits, number, k))
                case ["last", holes]:
                    open_.append(self._last(limits, holes))
                case ["cut", number]:
                    open_.append(self._by_cut(limits, number))
                case ["sum", list(times)]:
                    self._sum(f"node {i}", limits, times)
                case ["stuck"]:
                    self._play(f"node {i}", "stuck", {j: most for j, (_, most) in enumerate(limits[:jumps])})
                case _:
                    raise Rejected("a case is left open" if i > len(self.tree) else f"node {i} is not a valid node")
        need(next(nodes)[0] > len(self.tree), "there are nodes after the last case")

    def _split(self, limits: Limits, number: int, k: int) -> Iterator[Limits]:
        """The number is at most k; or more."""
        whole("the number of a split", number, 0, len(limits) - 1)
        whole("the limit of a split", k, 0, self.problem.count)
        low, high = limits[number]
        for narrow in ((low, min(k, high)), (max(low, k + 1), high)):
            if narrow[0] <= narrow[1]:
                yield [*limits[:number], narrow, *limits[number + 1 :]]

    def _last(self, limits: Limits, holes: Any) -> Iterator[Limits]:
        """For one peg: it ends at one of these holes; or at none of them."""
        need(self.problem.goal == "one peg", "last is for one peg anywhere")
        jumps, most = len(self.problem.jumps), len(self.problem.holes)
        these = {whole("a hole", hole, 0, most - 1) for hole in items("last", holes, most)}
        for there in (True, False):
            ends = [end if (hole in these) is there else (0, 0) for hole, end in enumerate(limits[jumps:])]
            yield [*limits[:jumps], *ends]

    def _by_cut(self, limits: Limits, i: int) -> Iterator[Limits]:
        """Every way within the limits of the cut misses the goal. So a solution makes one of its jumps more often: the
        first of those, and the ones before it not."""
        if whole("the number of a cut", i, 0, len(self.cuts) - 1) not in self.cut:
            jumps, cut = len(self.problem.jumps), dict[int, int]()
            for pair in items(f"cut {i}", self.cuts[i], jumps):
                need(isinstance(pair, list) and len(pair) == 2, f"cut {i} must have pairs")
                j, limit = whole("a jump", pair[0], 0, jumps - 1), whole("its limit", pair[1], 0, self.longest)
                need(cut.setdefault(j, limit) == limit, f"cut {i} has a jump twice")
            self._play(f"cut {i}", "cut", cut)
            self.cut[i] = cut
        limits = list(limits)
        for j, limit in self.cut[i].items():
            low, high = limits[j]
            if limit < high:
                yield [*limits[:j], (max(low, limit + 1), high), *limits[j + 1 :]]
            if limit < low:
                break  # it is made more often: so no case is left
            limits[j] = (low, min(limit, high))

    def _sum(self, what: str, limits: Limits, times: list[Any]) -> None:
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
            need(self.left["sum"] >= 0, f"the sums have more than {MOST_TERMS:,} terms")
            total -= many * value
            odd = odd and row < self.equations
            for number, one in terms.items():
                sums[number] = sums.get(number, 0) + many * one
        least = total
        for number, one in sums.items():
            low, high = limits[number]
            least += one * (low if one > 0 else high)
            odd = odd and (low == high or one % 2 == 0)
            total += one * low if low == high else 0
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


def formula(problem: Problem, model: str, horizon: int, order: list[int]) -> tuple[int, list[Clause]]:
    """How many variables there are, and the clauses of a model. Variables are numbered from 1, in blocks.

    ``horizon``: how many steps, or rounds through all jumps; ``order``: that of the jumps in a round.
    """
    holes, jumps = len(problem.holes), len(problem.jumps)
    variables = holes + 4 * horizon * jumps if model == "sat-rounds" else holes + horizon * (holes + jumps)
    clauses, size = list[Clause](), 0
    for clause in _rounds(problem, horizon, order) if model == "sat-rounds" else _steps(problem, model, horizon):
        clauses.append(clause)
        size += len(clause)
        need(size <= MOST_LITERALS, f"the formula of {model} with horizon {horizon} is too large")
    return variables, clauses


def _fixed(variables: list[int], true: int, false: int) -> Iterator[Clause]:
    """Some holes are as they must be."""
    for hole, one in enumerate(variables):
        if (true | false) >> hole & 1:
            yield (one,) if true >> hole & 1 else (-one,)


def _end(problem: Problem, peg: list[int]) -> Iterator[Clause]:
    """The last position satisfies the goal."""
    yield from _fixed(peg, problem.pegs, problem.vacancies)
    if problem.goal == "one peg":
        yield tuple(peg)
        yield from _at_most_one(peg)
    for a, over, b in problem.jumps if problem.goal == "dead end" else ():
        yield -peg[a], -peg[over], peg[b]


def _at_most_one(variables: list[int]) -> Iterator[Clause]:
    """No two are true."""
    for one, other in combinations(variables, 2):
        yield -one, -other


def _steps(problem: Problem, model: str, horizon: int) -> Iterator[Clause]:
    """Each step makes one jump; or several jumps that have no hole in common, or none."""
    holes, jumps = len(problem.holes), len(problem.jumps)
    after = list(range(1, holes + 1))
    yield from _fixed(after, problem.start, ~problem.start)
    for t in range(horizon):
        before, after = after, [variable + holes for variable in after]
        first = 1 + holes * (horizon + 1) + jumps * t
        made = list(range(first, first + jumps))
        for one, jump in zip(made, problem.jumps, strict=True):  # it takes two pegs and puts one into a vacancy
            for hole, sign in zip(jump, (1, 1, -1), strict=True):
                yield -one, sign * before[hole]
                yield -one, -sign * after[hole]
        if model == "sat-moves":
            yield tuple(made)
            yield from _at_most_one(made)
        for hole in range(holes):
            takes, puts = [made[j] for j in problem.takes[hole]], [made[j] for j in problem.puts[hole]]
            yield -before[hole], after[hole], *takes  # a hole that changes is changed by a jump
            yield before[hole], -after[hole], *puts
            if model == "sat-parallel":
                yield from _at_most_one(takes)
                yield from _at_most_one(puts)
    yield from _end(problem, after)


def _rounds(problem: Problem, horizon: int, order: list[int]) -> Iterator[Clause]:
    """A round goes through all jumps in an order, and makes each or leaves its holes as they are."""
    now = list(range(1, len(problem.holes) + 1))
    made = len(now) + 1
    yield from _fixed(now, problem.start, ~problem.start)
    for j in order * horizon:
        for after, (hole, sign) in enumerate(zip(problem.jumps[j], (1, 1, -1), strict=True), start=made + 1):
            before, now[hole] = now[hole], after
            yield -made, sign * before
            yield -made, -sign * after
            yield made, -sign * before, sign * after
            yield sign * before, -sign * after
        made += 4
    yield from _end(problem, now)


# Refutations, in binary LRAT. A step adds a clause that follows from those it names: if it were false, these would
# become units one after the other, and the last one could not hold. The empty clause ends it.


def follow(clauses: list[Clause], variables: int, data: bytes) -> None:
    """Follow a proof that the clauses have no solution."""
    known = [(), *clauses]  # by number
    true = [0] * (2 * variables + 1)  # by literal: the step in which it is true; a negative place counts from the end
    at = 0
    while True:
        step = len(known)
        where = f"the step after clause {step - 1}"
        need(data[at : at + 1] == b"a", f"{where} adds no clause")
        numbers, at = _numbers(where, data, at + 1)
        hints, at = _numbers(where, data, at)
        need(numbers[:1] == [2 * step], f"{where} does not have the next number")
        clause = tuple(-(code >> 1) if code & 1 else code >> 1 for code in numbers[1:])
        for literal in clause:
            if not 0 < abs(literal) <= variables:
                raise Rejected(f"{where} has a literal that the formula has not")
            true[-literal] = step
        for hint in hints:
            if hint & 1 or hint >= 2 * step:
                raise Rejected(f"{where} names the clause {hint >> 1}, which is not there")
            unit = 0
            for literal in known[hint >> 1]:
                if true[-literal] != step:
                    if unit and unit != literal:
                        raise Rejected(f"{where} names the clause {hint >> 1}, which is not a unit then")
                    unit = literal
            if not unit:
                break
            true[unit] = step
        else:
            raise Rejected(f"{where} does not follow from the clauses that it names")
        if not clause:
            return
        known.append(clause)


def _numbers(where: str, data: bytes, at: int) -> tuple[list[int], int]:
    """The numbers up to the next 0, and the place after it. A number has seven bits in a byte, the lowest first; all
    its bytes but the last have the eighth bit."""
    end = data.find(0, at)
    need(end >= 0, f"{where} is cut off")
    found, value, shift = [], 0, 0
    for byte in data[at:end]:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
        elif shift > 28:
            break
    need(shift == 0 and max(found, default=0) < 1 << 31, f"{where} has a malformed number")
    return found, end + 1


# Moves, from both sides. A run is one jump or more by one peg, each from the hole where the one before it ended. F are
# the positions that at most `forward` runs reach from the start, B those from which at most `backward` reach a goal. A
# solution of at most forward + backward moves is a row of as many runs or fewer; the position after the first `forward`
# is in both. Where a run begins in the hole in which the last one ended, the two are one move; such a row has fewer
# moves than runs, and since F and B are about at most so many runs, it adds nothing to them.


def symmetries(problem: Problem, generators: Any) -> list[Symmetry]:
    """The group of permutations of the holes that these generate; each of them keeps jumps and goals."""
    holes, jumps, pegs = range(len(problem.holes)), set(problem.jumps), problem.pegs
    for s in items("the symmetries", generators, MOST_GENERATORS):
        fits = isinstance(s, list) and all(type(hole) is int for hole in s) and sorted(s) == list(holes)
        need(fits and {(s[a], s[b], s[c]) for a, b, c in jumps} == jumps, "claim.json: a symmetry must keep the jumps")
        need(
            all(pegs >> s[hole] & 1 for hole in holes if pegs >> hole & 1), "claim.json: a symmetry must keep the goal"
        )
    group = [tuple(holes)]
    for product in (tuple(s[hole] for hole in g) for g in group for s in generators):
        if product not in group:  # to which they are added until all are there: all images have the same images
            need(len(group) < MOST_SYMMETRIES, f"claim.json: more than {MOST_SYMMETRIES} symmetries")
            group.append(product)
    return group


def meet(problem: Problem, group: list[Symmetry], forward: int, backward: int) -> int | None:
    """The fewest runs of a solution; None if there is none of at most ``forward`` and ``backward`` together."""
    least = _least_images(len(problem.holes), group)
    goals = {1 << hole for hole in range(len(problem.holes))} if problem.goal == "one peg" else {problem.pegs}
    reached, new, left, runs = [least({problem.start}), least(goals)], [{problem.start}, goals], [forward, backward], 0
    while reached[0].isdisjoint(reached[1]):
        if not any(left):
            return None
        side = int(not left[0] or (left[1] > 0 and len(new[1]) < len(new[0])))  # the smaller one
        left[side], runs, before, new[side] = left[side] - 1, runs + 1, new[side], set()
        for images in map(least, _after_a_run(problem, before, side == 1)):
            if not images.isdisjoint(reached[1 - side]):
                return runs
            new[side] |= images - reached[side] if any(left) else set()  # the last ones are only looked up
        reached[side] |= new[side]
    return 0


def _after_a_run(problem: Problem, positions: set[int], back: bool) -> Iterator[set[int]]:
    """Positions after a run from these, or before a run to them, many at a time."""
    ways: list[list[tuple[int, int, int]]] = [[] for _ in problem.holes]  # by the hole where the peg is
    for (holes, pegs), (a, _, b) in zip(problem.masks, problem.jumps, strict=True):
        ways[b if back else a].append((holes, holes ^ pegs if back else pegs, a if back else b))
    first, found = [way for some in ways for way in some], set[int]()
    for position in positions:
        ends = [(position ^ holes, hole) for holes, pegs, hole in first if position & holes == pegs]
        longer = set[tuple[int, int]]()
        for after, peg in ends:  # to which they are added
            for holes, pegs, hole in ways[peg]:
                if after & holes == pegs and (end := (after ^ holes, hole)) not in longer:
                    longer.add(end)
                    ends.append(end)
        found.update([after for after, _ in ends])
        if len(found) > BATCH:
            yield found
            found = set()
    yield found


def _least_images(holes: int, group: list[Symmetry]) -> Callable[[set[int]], set[int]]:
    """What makes of positions their least images; nothing where these do not fit into eight bytes, or are the same."""
    if holes > 64 or len(group) == 1:
        return set
    tables = []  # of each piece of a position the images, side by side
    for low in range(0, holes, PIECE):
        bits = [sum(1 << 64 * i + s[h] for i, s in enumerate(group)) for h in range(low, min(low + PIECE, holes))]
        table = [0]
        for bit in bits:
            table += [images | bit for images in table]
        tables.append((low, table.__getitem__))

    def least(positions: set[int]) -> set[int]:
        images: Any = repeat(0)
        for low, table in tables:
            images = map(or_, images, map(table, [position >> low & (1 << PIECE) - 1 for position in positions]))
        size = 8 * len(group)
        data = b"".join(packed.to_bytes(size, sys.byteorder) for packed in images)
        return set(map(min, *[iter(memoryview(data).cast("Q"))] * len(group)))

    return least


# Folders

SHOWN_BY = {  # each claim, and what can show it
    "infeasible": ("certificate", "sat-moves", "sat-parallel"),
    "jumps": ("certificate", "sat-moves"),
    "steps": ("sat-parallel",),
    "rounds": ("sat-rounds",),
    "pegs": ("certificate",),
    "moves": ("two-sided",),
}


class Folder:
    """A proof folder: what is claimed of which problem, and by which parts it is shown. This is read, and whatever
    cannot support the claim is refused, before any work begins."""

    def __init__(self, path: str) -> None:
        self.path = path
        old = os.path.exists(os.path.join(path, "manifest.json"))
        need(not old, "an old folder, which is not checked any more: make it anew, with pegcp prove PROBLEM -o FOLDER")
        data = parsed("claim.json", contents(path, "claim.json"))
        given = fields("claim.json", data, "format claim", "parts solution about")
        need(given["format"] == FORMAT, f"claim.json: format {shown(given['format'])}; this program reads {FORMAT}")
        claim, self.solution = given["claim"], given.get("solution")
        self.type = str(claim.get("type")) if isinstance(claim, dict) else ""
        need(self.type in SHOWN_BY, f"claim.json: there is no claim of type {shown(self.type)}")
        self.text = contents(path, "problem.toml")
        self.problem = read_problem(self.text)
        self.order: list[int] = []
        self.target = self.problem  # what the parts are about
        self.sides: Any = None  # symmetries, and how many runs forward and backward
        self.parts = list(self._supported(given.get("parts"), self._claimed(claim)))

    def _claimed(self, claim: dict[str, Any]) -> set[int]:
        """What must be shown to be impossible: numbers of jumps, steps or rounds."""
        problem, pegs = self.problem, self.problem.count
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
            left = range(pegs - max(problem.longest, 0), self.least)
            need(set(left) <= {1}, "claim.json: only that no solution leaves one peg can be proved")
            self.target = Problem(problem.holes, problem.jumps, problem.start, ("one peg", 0, 0))
            return {pegs - 1 for _ in left}
        if self.type == "rounds":
            jumps = len(problem.jumps)
            self.order = [whole("the order", j, 0, jumps - 1) for j in items("the order", claim["order"], jumps)]
            need(len(set(self.order)) == jumps, "claim.json: the order of a round must have each jump once")
        return {self.least - 1} if self.least else set()  # what excludes it excludes fewer steps, rounds, moves, too

    def _supported(self, parts: Any, left: set[int]) -> Iterator[tuple[str, int, Certificate | None]]:
        """Of each part its type, and its horizon or its certificate. Each must exclude some of what is left."""
        for part in items("parts", parts, len(self.problem.holes) + 1):
            kind, certificate = part.get("type") if isinstance(part, dict) else None, None
            need(kind in SHOWN_BY[self.type], f"claim.json: {shown(kind)} cannot show a claim of type {self.type}")
            if kind == "certificate":
                certificate = Certificate(self.target, fields("a part", part, "type certificate")["certificate"])
                horizon = max(certificate.longest, 0)
            elif kind == "two-sided":
                fields("a part", part, "type forward backward symmetries")
                sides = [whole(f"{side} moves", part[side], 0, self.problem.count) for side in ("forward", "backward")]
                need(self.problem.goal in ("exact", "one peg"), "claim.json: moves are for exact goals and one peg")
                self.sides, horizon = (symmetries(self.problem, part["symmetries"]), *sides), sum(sides)
            else:
                horizon = whole("the horizon", fields("a part", part, "type horizon")["horizon"], 0, self.problem.count)
            excluded = {horizon} if kind == "sat-moves" else set(range(horizon + 1))
            need(bool(excluded & left), f"claim.json: a part of type {kind} adds nothing to the claim")
            left -= excluded
            yield str(kind), horizon, certificate
        what = "jumps" if self.type in ("infeasible", "pegs") else self.type
        need(not left, f"claim.json: no part shows that {min(left, default=0)} {what} are not enough")

    def check(self, follow: Follow = follow, cnf: str = "", meet: Meet = meet) -> dict[str, Any]:
        """What is proved. ``cnf``: where to write the formula; with several, their horizons are added to its name."""
        if self.solution is not None:
            worth = self._worth(self.solution)
            need(worth == self.least, f"the solution has {worth} {self.type}, the claim says {self.least}")
        formulas = sum(kind.startswith("sat-") for kind, _, _ in self.parts)
        if cnf and not formulas:
            raise Unusable("it has no formula to write")
        if cnf and os.path.lexists(cnf):
            raise Unusable(f"nothing is overwritten: there is {cnf} already")
        for kind, horizon, certificate in self.parts:
            if certificate is not None:
                certificate.check()
                continue
            if kind == "two-sided":
                runs = meet(self.problem, *self.sides)
                need(runs is None, f"there is a solution of {runs} moves")
                continue
            variables, clauses = formula(self.problem, kind, horizon, self.order)
            if cnf:
                with open(cnf if formulas == 1 else f"{cnf}-{horizon:02}", "xb") as file:
                    file.write(b"p cnf %d %d\n" % (variables, len(clauses)))
                    file.writelines(" ".join(map(str, (*clause, 0))).encode() + b"\n" for clause in clauses)
            name = f"proof-{horizon:02}.lrat"
            proof = contents(self.path, name)
            try:
                follow(clauses, variables, proof)
            except Rejected as error:
                raise Rejected(f"{name}: {error}") from None
        found: dict[str, Any] = {"says": "there is no solution"}
        found |= {"type": self.type, "order": self.order, "problem": self.text.decode()}
        if self.type != "infeasible":
            least = f"every solution has at least {self.least} {self.type}"
            says = least if self.solution is None else f"the fewest {self.type} are {self.least}"
            found |= {"least": self.least, "solution": self.solution, "says": says}
        return found

    def _worth(self, given: Any) -> int:
        """What a solution is worth: its jumps, moves, steps or rounds, or the pegs that it leaves. It is replayed."""
        problem, position, steps, rounds, last = self.problem, self.problem.start, [0] * len(self.problem.holes), 0, -1
        number = {name: hole for hole, name in enumerate(problem.holes)}
        place: dict[tuple[int, ...], int] = {jump: j for j, jump in enumerate(problem.jumps)}
        made = items("the solution", given, len(problem.holes))
        moves, peg = 0, -1  # the hole where the last jump ended
        for i, names in enumerate(made, start=1):
            known = isinstance(names, list) and all(isinstance(name, str) for name in names)
            j = place.get(tuple(number.get(name, -1) for name in names), -1) if known else -1
            need(j >= 0 and position & problem.masks[j][0] == problem.masks[j][1], f"jump {i} is not possible")
            position ^= problem.masks[j][0]
            moves, peg = moves + (problem.jumps[j][0] != peg), problem.jumps[j][2]
            step = 1 + max(steps[hole] for hole in problem.jumps[j])  # the first in which it can stand
            for hole in problem.jumps[j]:
                steps[hole] = step
            if self.order:
                rounds, last = rounds + (self.order.index(j) <= last or i == 1), self.order.index(j)
        need(problem.is_goal(position), "the solution does not reach the goal")
        values = {"jumps": len(made), "moves": moves, "steps": max(steps), "rounds": rounds}
        return values.get(self.type, position.bit_count())


# The program


def limit(seconds: float, megabytes: float) -> None:
    """Stop this process after so many seconds, as a clock counts them, and give it no more memory than that.

    Windows and browsers have neither limit.
    """
    if sys.platform in ("win32", "emscripten"):
        return
    import resource

    def stop(*_: object) -> None:
        raise Stopped

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))  # 0 would be no limit
    most, hardest = int(megabytes * 2**20), resource.getrlimit(resource.RLIMIT_AS)[1]
    most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
    resource.setrlimit(resource.RLIMIT_AS, (most, hardest))


def main(arguments: list[str], follow: Follow = follow, meet: Meet = meet) -> int:
    """Check what the arguments name."""
    options = {"--cnf": "", "--time": "60", "--memory": "2000"}
    words = iter(arguments)
    names = [word for word in words if word not in options or options.update({word: next(words, "")})]
    try:
        limit(float(options["--time"]), float(options["--memory"]))
        if len(names) - ("--json" in names) != 1 or names[0].startswith("-"):
            raise Unusable("usage: python checker.py FOLDER [--cnf FILE] [--json] [--time S] [--memory MB]")
        found = Folder(names[0]).check(follow, options["--cnf"], meet)
        status, said = 0, json.dumps(found) if "--json" in names else f"proved: {found['says']}"
    except Rejected as error:
        status, said = 4, f"rejected: {error}"
    except Stopped:
        status, said = 3, f"stopped: it takes more than {options['--time']} s"
    except MemoryError:  # what took it is free again when this is over
        status, said = 3, f"stopped: it takes more than {options['--memory']} MB"
    except (Unusable, ValueError, OverflowError, OSError) as error:
        status, said = 2, str(error)
    print(said)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
