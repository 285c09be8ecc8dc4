"""The checker of peg solitaire proofs: one file that needs nothing but Python.

    python checker.py FOLDER [--cnf FILE] [--json] [--time S] [--memory MB]

Prints ``proved`` (exit 0), ``rejected`` with the first fault (4) or ``stopped`` at a limit (3); bad usage is 2.

You trust this file, the Python that runs it, and the machine. It reads a problem, and derives holes, lines and jumps
from it. It believes nothing else in a folder: certificates are checked in whole numbers; formulas are not read but
written here, and their refutations (LRAT) are followed step by step; for a bound on moves or a count the positions are
made anew; solutions are replayed. proof-format.md has the format, the numbers of variables, the reason for each
clause.
"""

import json
import os
import signal
import stat
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, count, islice
from struct import Struct
from typing import Any

FORMAT = 2
MOST_HOLES, MOST_LINES, LONGEST_NAME = 10_000, 100_000, 100
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")  # of the names of holes
OBJECTIVES = ("any", "fewest-jumps", "fewest-moves", "fewest-pegs", "fewest-steps", "count")
MOST_NODES, MOST_RANGES = 20_000, 50_000_000  # of a tree of cases; of all its cases
BUDGET = {"stuck": 100_000, "cut": 1_000_000, "sum": 50_000_000}  # positions, positions, terms: for a whole certificate
MOST_LITERALS = 5_000_000  # of a formula
MOST_SYMMETRIES, MOST_GENERATORS = 120, 10
LARGEST_FILE_BYTES = {"problem.toml": 5_000_000, "claim.json": 40_000_000}  # bytes
LARGEST_PROOF_BYTES = 1_000_000_000
CLAIMS = {  # of each type of claim its keys, and the types of parts that can show it
    "infeasible": ("type", ("certificate", "sat-moves", "sat-parallel")),
    "jumps": ("type least", ("certificate", "sat-moves")),
    "steps": ("type least", ("sat-parallel",)),
    "rounds": ("type least order", ("sat-rounds",)),
    "pegs": ("type least", ("certificate",)),
    "moves": ("type least", ("two-sided",)),
    "count": ("type number", ("levels",)),
}
PART_KEYS = {
    "certificate": "type certificate",
    "two-sided": "type forward backward symmetries",
    "levels": "type symmetries",
}

Json = Any  # a value of a file
Jump = tuple[int, int, int]  # from, over, to
Clause = tuple[int, ...]  # literals: a variable, from 1, or minus it
Symmetry = tuple[int, ...]  # where each hole is carried
Meet = Callable[["Problem", list[Symmetry], list[int], int], int | None]
Ranges = list[tuple[int, int]]  # of each number: the least and the largest value
Check = tuple[Callable[..., None], tuple[Any, ...]]  # a method that checks a part, and its arguments


class Rejected(Exception):
    """The first fault of a folder."""


class Unusable(Exception):
    """The arguments name nothing that can be checked."""


class Stopped(BaseException):
    """The time is over. Not an Exception, so that no handler takes it for another error."""


# Files and values


def need(holds: bool, fault: str) -> None:
    """Reject the folder unless something holds."""
    if not holds:
        raise Rejected(fault)


def short(value: object) -> str:
    """Write a value for a message, on one line."""
    text = ascii(value) if isinstance(value, str | int | None) else type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def read_object(place: str, value: Json, required: str, optional: str = "") -> dict[str, Json]:
    """Read an object with these keys and no others."""
    need(isinstance(value, dict), f"{place}: not an object")
    for key in required.split():
        need(key in value, f'{place}: the key "{key}" is missing')
    for key in value:
        need(key in f"{required} {optional}".split(), f"{place}: unexpected key: {short(key)}")
    return dict(value)


def read_list(place: str, value: Json, most: int) -> list[Json]:
    """Read a list of at most so many items."""
    need(isinstance(value, list), f"{place}: not a list")
    need(len(value) <= most, f"{place}: more than {most:,} items")
    return list(value)


def read_integer(place: str, value: Json, least: int, most: int) -> int:
    """Read an integer between two others."""
    need(type(value) is int and least <= value <= most, f"{place}: {short(value)} is not from {least} to {most}")
    return int(value)


def read_pairs(place: str, value: Json, most: int) -> list[tuple[int, int]]:
    """Read a list of at most so many pairs of integers."""
    pairs = read_list(place, value, most)
    need(
        all(isinstance(pair, list) and list(map(type, pair)) == [int, int] for pair in pairs),
        f"{place}: not a list of pairs of integers",
    )
    return [(first, second) for first, second in pairs]


def contents(path: str, name: str) -> bytes:
    """Read a regular file of a folder."""
    try:
        flags = sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))  # no system has them all
        handle = os.open(os.path.join(path, name), os.O_RDONLY | flags)
    except OSError as error:
        raise Rejected(f"{name}: cannot read the file: {error.strerror}") from None
    try:
        status = os.fstat(handle)
        need(stat.S_ISREG(status.st_mode), f"{name}: not a regular file")
        need(status.st_size <= LARGEST_FILE_BYTES.get(name, LARGEST_PROOF_BYTES), f"{name}: too large")
        with open(handle, "rb", closefd=False) as file:
            return file.read(status.st_size)
    finally:
        os.close(handle)


def parse(name: str, data: bytes) -> Json:
    """Read a JSON or a TOML file. Python refuses numbers of thousands of digits."""
    try:
        text = data.decode()
        return json.loads(text, object_pairs_hook=unique_keys) if name.endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Rejected(f"{name}: cannot be read: {short(str(error))}") from None


def unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Make a JSON object, which must not have a key twice."""
    need(len(dict(pairs)) == len(pairs), "claim.json: an object has a key twice")
    return dict(pairs)


# The problem


class Problem:
    """Holes by number, all jumps in rising order, a start, and the goal (bit masks of holes).

    ``goal`` is "exact", "partial", "one peg" or "dead end". ``fewest`` and ``longest``: no solution has fewer jumps, or
    more. A jump takes one peg away and leaves at least one.
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
        bounds = self.pegs.bit_count(), len(holes) - self.vacancies.bit_count()
        least, most = (1, 1) if self.goal == "one peg" else bounds  # pegs in the end
        self.fewest = max(0, self.count - most)
        self.longest = self.count - max(least, min(1, self.count))
        if not jumps or not most:
            self.longest = min(0, self.longest)

    def is_goal(self, position: int) -> bool:
        """Decide whether a position satisfies the goal."""
        match self.goal:
            case "one peg":
                return position.bit_count() == 1
            case "dead end":
                return all(position & holes != pegs for holes, pegs in self.masks)
        return position & self.pegs == self.pegs and not position & self.vacancies


def read_problem(text: bytes) -> Problem:
    """Read the canonical text of a problem, which draws a board on a lattice, or lists its holes and lines.

    The text of what was read is written anew, and must be the given one, byte for byte: so a problem has one text, and
    no other reader can take the text for another problem.
    """
    data = parse("problem.toml", text)
    holes, lines, start, board_text = (_drawn_board if "lattice" in data else _listed_board)(data)
    jumps = sorted({jump for a, over, b in lines for jump in ((a, over, b), (b, over, a))})
    goal, goal_text = _goal(holes, data["goal"])
    need(data["objective"] in OBJECTIVES, f"problem.toml: there is no objective {short(data['objective'])}")
    canonical = f'{board_text}goal = {goal_text}\nobjective = "{data["objective"]}"\n'.encode()
    if canonical != text:
        pairs = zip(canonical.split(b"\n"), text.split(b"\n"), strict=False)
        line = next((i for i, (mine, other) in enumerate(pairs, start=1) if mine != other), "after the last")
        raise Rejected(f"problem.toml: not the canonical text of its problem, line {line}")
    return Problem(holes, jumps, start, goal)


def _listed_board(data: dict[str, Json]) -> tuple[list[str], list[Jump], int, str]:
    """Read holes, lines and start from lists; and write their text."""
    read_object("problem.toml", data, "holes lines start goal objective")
    holes = read_list("holes", data["holes"], MOST_HOLES)
    for name in holes:
        need(
            isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and LETTERS.issuperset(name),
            f"problem.toml: {short(name)} is not a hole name: letters a to z and A to Z, digits, _ and .",
        )
    _, holes_text = read_holes(holes, "holes", holes)
    need(holes != [], "problem.toml: there are no holes")
    number = {name: hole for hole, name in enumerate(holes)}
    lines = set()
    for line in read_list("lines", data["lines"], MOST_LINES):
        ends = [number.get(name, -1) for name in line.split("-")] if isinstance(line, str) else []
        need(len(set(ends) - {-1}) == len(ends) == 3, f"problem.toml: {short(line)} is not a line of three holes")
        lines.add((min(ends[0], ends[2]), ends[1], max(ends[0], ends[2])))
    start, start_text = read_holes(holes, "start", data["start"])
    lines_text = _toml_list("-".join(holes[hole] for hole in line) for line in sorted(lines))
    return holes, list(lines), start, f"holes = {holes_text}\nlines = {lines_text}\nstart = {start_text}\n"


def read_holes(holes: list[str], place: str, names: Json) -> tuple[int, str]:
    """Read a list of names, each there once: the mask of the holes, and the canonical text of the list."""
    number = {name: hole for hole, name in enumerate(holes)}
    mask = 0
    for name in read_list(place, names, len(holes)):
        hole = number.get(name) if isinstance(name, str) else None
        if hole is None or mask >> hole & 1:
            raise Rejected(f"{place}: {short(name)} is not a hole of the board, or is there twice")
        mask |= 1 << hole
    return mask, _toml_list(name for hole, name in enumerate(holes) if mask >> hole & 1)


def _toml_list(names: Iterable[str]) -> str:
    """Write a list of names as the canonical text has it."""
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


LEGEND = 'legend = { peg = "X", vacancy = "o", free = "?" }\n'  # the canonical one
NEIGHBOURS = {  # by lattice and jumps: (rows down, columns to the right)
    ("square", "orthogonal"): [(0, 1), (1, 0)],
    ("square", "diagonal"): [(1, 1), (1, -1)],
    ("square", "both"): [(0, 1), (1, 0), (1, 1), (1, -1)],
    ("triangular", None): [(0, 1), (1, 0), (1, 1)],
}


def _drawn_board(data: dict[str, Json]) -> tuple[list[str], list[Jump], int, str]:
    """Read holes, lines and start from a drawing; and write their text.

    A column is two characters wide; on a triangular lattice each row begins one character farther left than the one
    above.
    """
    read_object("problem.toml", data, "lattice legend start goal objective", "jumps")
    kind, drawing = (data["lattice"], data.get("jumps")), data["start"]
    neighbours = next((steps for lattice, steps in NEIGHBOURS.items() if lattice == kind), [])
    need(neighbours != [], "problem.toml: there is no such lattice, or it has no such jumps")
    need(isinstance(drawing, str) and set(drawing) <= set("Xo \n"), "problem.toml: a drawing has only X, o and blanks")
    *rows, last = drawing.split("\n")
    fits = rows != [] and "" not in (rows[0], rows[-1]) and last == "" and all(row == row.rstrip(" ") for row in rows)
    need(fits and any(row[:1] > " " for row in rows), "problem.toml: the drawing has a margin")
    slant = int(kind[0] == "triangular")
    marks = [(y, x + y * slant, mark) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != " "]
    need(0 < len(marks) <= MOST_HOLES, f"problem.toml: the drawing must have 1 to {MOST_HOLES:,} holes")
    margin = min(x for _, x, _ in marks)
    need(all((x - margin) % 2 == 0 for _, x, _ in marks), "problem.toml: a hole is drawn between two columns")
    number = {(y, (x - margin) // 2): hole for hole, (y, x, _) in enumerate(marks)}
    lines = []
    for (row, column), hole in number.items():
        for down, right in neighbours:
            over, end = number.get((row + down, column + right)), number.get((row + 2 * down, column + 2 * right))
            if over is not None and end is not None:
                lines.append((hole, over, end))
    start = sum(1 << hole for hole, (_, _, mark) in enumerate(marks) if mark == "X")
    jumps = f'jumps = "{kind[1]}"\n' if "jumps" in data else ""
    holes = [_letters(column) + str(row + 1) for row, column in number]
    return holes, lines, start, f'lattice = "{kind[0]}"\n{jumps}{LEGEND}start = """\n{drawing}"""\n'


def _letters(column: int) -> str:
    """Name a column: a to z, aa, ab, ..."""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("a") + column % 26)


def _goal(holes: list[str], goal: Json) -> tuple[tuple[str, int, int], str]:
    """Read the kind of goal, with masks of the holes that must end with a peg and without; and write its text."""
    match goal:
        case "one peg" | "dead end":
            return (goal, 0, 0), f'"{goal}"'
        case list():
            pegs, text = read_holes(holes, "goal", goal)
            return ("exact", pegs, (1 << len(holes)) - 1 & ~pegs), text
    read_object("goal", goal, "pegs vacancies")
    pegs, text = read_holes(holes, "goal", goal["pegs"])
    vacancies, other = read_holes(holes, "goal", goal["vacancies"])
    need(not pegs & vacancies, "problem.toml: the goal has a hole both with a peg and without")
    return ("partial", pegs, vacancies), f"{{ pegs = {text}, vacancies = {other} }}"


# Certificates


def _narrowed(ranges: Ranges, number: int, least: int, most: int) -> list[Ranges]:
    """Narrow the range of a number: one case, or none if no value is left. What is as narrow already is not copied."""
    low, high = max(ranges[number][0], least), min(ranges[number][1], most)
    if low > high:
        return []
    return [ranges if (low, high) == ranges[number] else [*ranges[:number], (low, high), *ranges[number + 1 :]]]


class Certificate:
    """A tree of cases in none of which there is a solution.

    Its numbers are how often each jump is made, then for each hole whether it ends with a peg. Each number has a range;
    a case makes some narrower. All solutions satisfy the rows: an equation for each hole (the peg at the start, less
    those that jumps take, and with those that they put, is the peg at the end), and the conditions of the goal.
    ``longest``: it is about solutions of at most so many jumps.
    """

    def __init__(self, problem: Problem, data: Json) -> None:
        read_object("the certificate", data, "tree", "most cuts")
        self.problem, self.longest, self.most = problem, problem.longest, data.get("most")
        if self.most is not None:
            self.longest = min(self.longest, read_integer("most", self.most, 0, problem.count))
        self.tree = read_list("tree", data["tree"], MOST_NODES)
        self.cuts = read_list("cuts", data.get("cuts", []), MOST_NODES)
        self.budget = dict(BUDGET)
        self.cut_limits: dict[int, dict[int, int]] = {}  # by cut: no way within them reaches the goal

    def check(self) -> None:
        """Check that all cases are closed. Nodes come in the order in which the cases are met."""
        problem, jumps, holes = self.problem, len(self.problem.jumps), len(self.problem.holes)
        ends = [(problem.pegs >> h & 1, 1 - (problem.vacancies >> h & 1)) for h in range(holes)]
        open_, nodes = [[*[(0, self.longest)] * jumps, *ends]], self.tree[::-1]
        need((jumps + holes) * len(nodes) <= MOST_RANGES, "the tree is too large for this board")
        self.rows = list(self._rows())
        while open_:
            need(len(open_) <= len(nodes), "a case is left open")
            ranges, node = open_.pop(), nodes.pop()
            place = f"node {len(self.tree) - len(nodes)}"
            cases: Iterable[Ranges] = ()
            match node:
                case ["split", number, k]:
                    cases = self._split(ranges, number, k)
                case ["last", last]:
                    cases = self._last(ranges, last)
                case ["cut", number]:
                    cases = self._by_cut(ranges, number)
                case ["sum", terms]:
                    self._sum(place, ranges, terms)
                case ["stuck"]:
                    self._play(place, "stuck", {j: most for j, (_, most) in enumerate(ranges[:jumps])})
                case _:
                    raise Rejected(f"{place} is not a valid node")
            open_ += reversed(list(islice(cases, len(nodes) + 1)))  # each needs a node
        need(nodes == [], "there are nodes after the last case")

    def _rows(self) -> Iterator[tuple[dict[int, int], int, bool]]:
        """Make the rows: numbers with their coefficients, and their sum, which they have exactly, or at most."""
        problem, jumps, holes = self.problem, len(self.problem.jumps), len(self.problem.holes)
        for hole in range(holes):
            takes, puts = dict.fromkeys(problem.takes[hole], 1), dict.fromkeys(problem.puts[hole], -1)
            yield takes | puts | {jumps + hole: 1}, problem.start >> hole & 1, True
        if problem.goal == "one peg":
            yield dict.fromkeys(range(jumps, jumps + holes), 1), 1, True
        for a, over, b in problem.jumps if problem.goal == "dead end" else ():
            yield {jumps + a: 1, jumps + over: 1, jumps + b: -1}, 1, False
        if self.most is not None:
            yield dict.fromkeys(range(jumps), 1), self.most, False

    def _split(self, ranges: Ranges, number: int, k: int) -> Iterator[Ranges]:
        """Divide a case: the number is at most k; or it is more."""
        read_integer("the number of a split", number, 0, len(ranges) - 1)
        read_integer("the limit of a split", k, 0, self.problem.count)
        yield from _narrowed(ranges, number, 0, k)
        yield from _narrowed(ranges, number, k + 1, ranges[number][1])

    def _last(self, ranges: Ranges, holes: Json) -> Iterator[Ranges]:
        """Divide a case, for one peg: it ends at one of these holes; or at none of them."""
        need(self.problem.goal == "one peg", "last is for one peg anywhere")
        jumps, most = len(self.problem.jumps), len(self.problem.holes)
        these = {read_integer("a hole", hole, 0, most - 1) for hole in read_list("last", holes, most)}
        for inside in (True, False):
            ends = [end if (hole in these) is inside else (0, 0) for hole, end in enumerate(ranges[jumps:])]
            yield [*ranges[:jumps], *ends]

    def _by_cut(self, ranges: Ranges, i: int) -> Iterator[Ranges]:
        """Divide a case by a cut: every way within its limits misses the goal.

        So a solution makes one of its jumps more often: a case for each, in which the jumps before are not.
        """
        if read_integer("the number of a cut", i, 0, len(self.cuts) - 1) not in self.cut_limits:
            jumps, cut = len(self.problem.jumps), dict[int, int]()
            for j, most in read_pairs(f"cut {i}", self.cuts[i], jumps):
                fits = 0 <= j < jumps and 0 <= most <= self.longest and cut.setdefault(j, most) == most
                need(fits, f"cut {i}: [{short(j)}, {short(most)}] is not a new limit of a jump")
            self._play(f"cut {i}", "cut", cut)
            self.cut_limits[i] = cut
        within = [ranges]
        for j, most in self.cut_limits[i].items():
            yield from (part for case in within for part in _narrowed(case, j, most + 1, case[j][1]))
            within = [part for case in within for part in _narrowed(case, j, 0, most)]

    def _sum(self, node: str, ranges: Ranges, terms: Json) -> None:
        """Check that the rows, each less its value and taken so many times, add up to more than 0, or to an odd number.

        But each of them is 0, or at most 0; so no solution is in the case.
        """
        total, sums, odd = 0, dict[int, int](), True
        for row, times in read_pairs(node, terms, BUDGET["sum"]):
            need(
                0 <= row < len(self.rows) and (self.rows[row][2] or times >= 0),
                f"{node}: row {short(row)} cannot be taken {short(times)} times",
            )
            coefficients, value, exact = self.rows[row]
            self.budget["sum"] -= len(coefficients)
            need(self.budget["sum"] >= 0, f"the sums have more than {BUDGET['sum']:,} terms")
            total -= times * value
            odd = odd and exact
            for number, factor in coefficients.items():
                sums[number] = sums.get(number, 0) + times * factor
        least = total
        for number, factor in sums.items():
            low, high = ranges[number]
            least += factor * (low if factor > 0 else high)
            odd = odd and (low == high or factor % 2 == 0)
            total += factor * low if low == high else 0
        need(least > 0 or (odd and total % 2 == 1), f"{node}: the rows do not contradict each other")

    def _play(self, place: str, kind: str, limits: dict[int, int]) -> None:
        """Check that no way in which each jump is made at most as often as its limit reaches the goal.

        How often each jump may still be made is a part of the state, in bits above those of the holes.
        """
        problem, first, shift = self.problem, self.problem.start, len(self.problem.holes)
        table = []  # of each jump its holes and pegs, the bits of its limit, and the lowest of them
        for j, (holes, pegs) in enumerate(problem.masks):
            limit = limits.get(j, self.longest)
            if limit >= self.longest:  # no limit
                table.append((holes, pegs, 0, 0))
            elif limit:
                table.append((holes, pegs, ((1 << limit.bit_length()) - 1) << shift, 1 << shift))
                first |= limit << shift
                shift += limit.bit_length()
        fewest = problem.count - self.longest
        states, stack = {first}, [first]
        while stack:
            state = stack.pop()
            position = state & problem.full
            if problem.is_goal(position):
                raise Rejected(f"{place}: the goal is reached")
            for holes, pegs, limit, lowest in table if position.bit_count() > fewest else ():
                if position & holes == pegs and (not limit or state & limit):
                    after = (state ^ holes) - lowest
                    if after not in states:
                        states.add(after)
                        stack.append(after)
            if len(states) > self.budget[kind]:
                raise Rejected(f"{place}: too many positions to play through")
        self.budget[kind] -= len(states)


# Formulas: the conditions of a solution. proof-format.md has each clause in words.


def formula(problem: Problem, model: str, horizon: int, order: list[int]) -> tuple[int, list[Clause]]:
    """Write a model: the number of its variables, and its clauses. Variables are numbered from 1, in blocks.

    ``horizon``: the number of steps, or of rounds through all jumps; ``order``: that of the jumps in a round.
    """
    holes, jumps = len(problem.holes), len(problem.jumps)
    variables = holes + 4 * horizon * jumps if model == "sat-rounds" else holes + horizon * (holes + jumps)
    clauses, size = list[Clause](), 0
    for clause in _rounds(problem, horizon, order) if model == "sat-rounds" else _steps(problem, model, horizon):
        clauses.append(clause)
        size += len(clause)
        need(size <= MOST_LITERALS, f"the formula of {model} with horizon {horizon} is too large")
    return variables, clauses


def _fixed(variables: list[int], true: int, false: int) -> Iterable[Clause]:
    """Require that holes in the masks hold a peg, or none."""
    ends = ((hole, variable) for hole, variable in enumerate(variables) if (true | false) >> hole & 1)
    return ((variable if true >> hole & 1 else -variable,) for hole, variable in ends)


def _end(problem: Problem, peg: list[int]) -> Iterator[Clause]:
    """Require that the last position satisfies the goal."""
    yield from _fixed(peg, problem.pegs, problem.vacancies)
    if problem.goal == "one peg":
        yield tuple(peg)
        yield from _at_most_one(peg)
    for a, over, b in problem.jumps if problem.goal == "dead end" else ():
        yield -peg[a], -peg[over], peg[b]


def _at_most_one(variables: list[int]) -> Iterable[Clause]:
    """Require that no two are true."""
    return ((-variable, -other) for variable, other in combinations(variables, 2))


def _steps(problem: Problem, model: str, horizon: int) -> Iterator[Clause]:
    """Require that each step makes one jump; or several jumps that have no hole in common, or none."""
    holes, jumps = len(problem.holes), len(problem.jumps)
    after = list(range(1, holes + 1))
    yield from _fixed(after, problem.start, ~problem.start)
    for t in range(horizon):
        before, after = after, [variable + holes for variable in after]
        first = 1 + holes * (horizon + 1) + jumps * t
        step = list(range(first, first + jumps))
        for variable, jump in zip(step, problem.jumps, strict=True):  # it takes two pegs and puts one into a vacancy
            for hole, sign in zip(jump, (1, 1, -1), strict=True):
                yield -variable, sign * before[hole]
                yield -variable, -sign * after[hole]
        if model == "sat-moves":
            yield tuple(step)
            yield from _at_most_one(step)
        for hole in range(holes):
            takes, puts = [step[j] for j in problem.takes[hole]], [step[j] for j in problem.puts[hole]]
            yield -before[hole], after[hole], *takes  # a hole that changes is changed by a jump
            yield before[hole], -after[hole], *puts
            if model == "sat-parallel":
                yield from _at_most_one(takes)
                yield from _at_most_one(puts)
    yield from _end(problem, after)


def _rounds(problem: Problem, horizon: int, order: list[int]) -> Iterator[Clause]:
    """Require that a round goes through all jumps in an order, and makes each or leaves its holes as they are."""
    pegs = list(range(1, len(problem.holes) + 1))
    yield from _fixed(pegs, problem.start, ~problem.start)
    for jump, j in zip(count(len(pegs) + 1, 4), order * horizon):
        for after, (hole, sign) in enumerate(zip(problem.jumps[j], (1, 1, -1), strict=True), start=jump + 1):
            before, pegs[hole] = pegs[hole], after
            yield -jump, sign * before
            yield -jump, -sign * after
            yield jump, -sign * before, sign * after
            yield sign * before, -sign * after
    yield from _end(problem, pegs)


# Refutations, in binary LRAT. A step adds a clause that follows from those it names: if it were false, these would
# become units one after the other, and the last one could not hold. The empty clause ends it.


def follow(clauses: list[Clause], variables: int, data: bytes) -> None:
    """Follow a proof that the clauses have no solution."""
    by_number = [(), *clauses]
    true = [0] * (2 * variables + 1)  # by literal: the step in which it is true; a negative place counts from the end
    place = 0
    while True:
        step = len(by_number)
        where = f"the step after clause {step - 1}"
        need(data[place : place + 1] == b"a", f"{where} adds no clause")
        numbers, place = _numbers(where, data, place + 1)
        hints, place = _numbers(where, data, place)
        need(numbers[:1] == [2 * step], f"{where} does not have the next number")
        clause = tuple(-(code >> 1) if code & 1 else code >> 1 for code in numbers[1:])
        for literal in clause:
            if not 0 < abs(literal) <= variables:
                raise Rejected(f"{where} has a literal of a variable that the formula does not have")
            true[-literal] = step
        for hint in hints:
            if hint & 1 or hint >= 2 * step:
                raise Rejected(f"{where} names clause {hint >> 1}, which does not exist")
            unit = 0
            for literal in by_number[hint >> 1]:
                if true[-literal] != step:
                    if unit and unit != literal:
                        raise Rejected(f"{where} names clause {hint >> 1}, which is not a unit there")
                    unit = literal
            if not unit:
                break
            true[unit] = step
        else:
            raise Rejected(f"{where} does not follow from the clauses that it names")
        if not clause:
            return
        by_number.append(clause)


def _numbers(where: str, data: bytes, place: int) -> tuple[list[int], int]:
    """Read the numbers up to the next 0, and the place after it.

    A number has seven bits in a byte, the lowest first; all its bytes but the last have the eighth bit.
    """
    end = data.find(0, place)
    need(end >= 0, f"{where} is cut off")
    numbers, value, shift = [], 0, 0
    for byte in data[place:end]:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
        elif shift > 28:
            break
    need(shift == 0 and max(numbers, default=0) < 1 << 31, f"{where} has a malformed number")
    return numbers, end + 1


# Moves, from both sides. A chain is one jump or more by one peg, one after the other. A solution of at most n moves is
# a row of at most n chains. So for any a + b = n it passes a position that at most a chains reach from the start, and
# from which at most b chains reach a goal. If no position is both, every solution has more moves.


def symmetries(problem: Problem, generators: Json) -> list[Symmetry]:
    """Make the group that some permutations of the holes generate; each of these must keep the jumps and the goal."""
    holes, jumps = range(len(problem.holes)), set(problem.jumps)
    ends = [{hole for hole in holes if mask >> hole & 1} for mask in (problem.pegs, problem.vacancies)]
    for s in read_list("symmetries", generators, MOST_GENERATORS):
        fits = isinstance(s, list) and all(type(hole) is int for hole in s) and sorted(s) == list(holes)
        need(fits and {(s[a], s[b], s[c]) for a, b, c in jumps} == jumps, "claim.json: a symmetry must keep the jumps")
        need(all({s[hole] for hole in end} == end for end in ends), "claim.json: a symmetry must keep the goal")
    group = [tuple(holes)]
    for element in group:  # what is new is added, and gone through in its turn
        group += {tuple(s[hole] for hole in element) for s in generators} - set(group)
        need(len(group) <= MOST_SYMMETRIES, f"claim.json: more than {MOST_SYMMETRIES} symmetries")
    return group


def merson_regions(problem: Problem, lists: Json) -> list[int]:
    """Read regions without a common hole: a jump over a hole of one begins or ends in it.

    A chain opens at most one full region, the one in which it begins (Merson 1962): the jump that does so takes its peg
    from the region, and a peg that has jumped before would stand in a hole of it that was vacant.
    """
    most = len(problem.holes)
    holes = [read_list("regions", region, most) for region in read_list("regions", lists, most)]
    numbers = [read_integer("regions", hole, 0, most - 1) for region in holes for hole in region]
    need([] not in holes and len(set(numbers)) == len(numbers), "claim.json: a region must have holes of its own")
    for region in holes:
        need(
            all(over not in region or a in region or b in region for a, over, b in problem.jumps),
            "claim.json: a jump over a hole of a region must begin or end in it",
        )
    return [sum(1 << hole for hole in region) for region in holes]


class Images:
    """The images of positions under a group, as one number, side by side; the position itself is in the lowest bits."""

    def __init__(self, problem: Problem, group: list[Symmetry]) -> None:
        holes, self.size = range(len(problem.holes)), len(problem.holes) // 8 + 1  # bytes of an image
        self.of_hole = [sum(1 << 8 * self.size * i + s[hole] for i, s in enumerate(group)) for hole in holes]
        self.bytes, self.alone = self.size * len(group), len(group) == 1
        self.split = Struct(f"{self.size}s" * len(group)).unpack

    def of(self, position: int) -> int:
        """Make the images of a position."""
        if self.alone:
            return position
        return sum([images for hole, images in enumerate(self.of_hole) if position >> hole & 1])

    def least(self, images: int) -> int:
        """Return the least of some images."""
        return int.from_bytes(min(self.split(images.to_bytes(self.bytes, "big"))), "big")


def count_solutions(problem: Problem, group: list[Symmetry]) -> int:
    """Count the solutions, as sequences of jumps: level by level, how many ways lead to a position or to its images."""
    images = Images(problem, group)
    changes = [(three, pegs, images.of(three)) for three, pegs in problem.masks]
    total, level = 0, {images.least(images.of(problem.start)): 1}
    while level:
        total += sum(ways for position, ways in level.items() if problem.is_goal(position))
        before, level = level, {}
        for position, ways in before.items():
            around = images.of(position)
            for three, pegs, change in changes:
                if position & three == pegs:
                    after = images.least(around ^ change)
                    level[after] = level.get(after, 0) + ways
    return total


def meet(problem: Problem, group: list[Symmetry], regions: list[int], most: int) -> int | None:
    """Return the fewest chains of a solution; None if it has more than ``most``.

    Of a position and its images the least is kept. They are made together: as one number, side by side. A position is
    left out if it has so many full regions, or so few, that the chains which are left do not open all that must be.
    """
    holes, table = range(len(problem.holes)), Images(problem, group)
    images, least = table.of, table.least

    def full(images: int) -> int:
        return sum([images & region == region for region in regions])

    # By the hole of the peg: the holes of a jump, those that must have a peg, what it changes, where the peg then is.
    jumps: tuple[list[list[tuple[int, int, int, int]]], ...] = [[] for _ in holes], [[] for _ in holes]
    for (three, pegs), (a, _, b) in zip(problem.masks, problem.jumps, strict=True):
        jumps[0][a].append((three, pegs, images(three), b))
        jumps[1][b].append((three, three ^ pegs, images(three), a))  # undone
    goals = [1 << hole for hole in holes] if problem.goal == "one peg" else [problem.pegs]
    newest = [[problem.start], goals]
    reached = [{least(images(position)) for position in positions} for positions in newest]
    if not reached[0].isdisjoint(reached[1]):
        return 0
    shifts = range(0, 8 * table.bytes, 8 * table.size)
    fewest_full = min(full(images(problem.start) >> shift) for shift in shifts)  # an image may stand for the start
    most_full = max(map(full, goals))
    chains = [0, 0]
    while sum(chains) < most:
        side = int(len(newest[1]) < len(newest[0]))  # the smaller one
        chains[side] += 1
        rest = most - chains[side]  # of the other side
        few, many = (fewest_full - rest, len(regions)) if side else (0, most_full + rest)
        before, newest[side] = newest[side], []
        for position in before:
            ends = _after_a_chain(images(position), jumps[side])
            if len(group) > 1:
                ends = {least(end) for end in ends}
            if not ends.isdisjoint(reached[1 - side]):
                return sum(chains)
            if sum(chains) < most:  # the last ones are only looked up
                ends -= reached[side]
                if few > 0 or many < len(regions):
                    ends = {end for end in ends if few <= full(end) <= many}
                reached[side] |= ends
                newest[side] += ends
    return None


def _after_a_chain(images: int, jumps: list[list[tuple[int, int, int, int]]]) -> set[int]:
    """Make the images of a position after each chain by one of its pegs."""
    ends = [(images ^ change, hole) for some in jumps for three, pegs, change, hole in some if images & three == pegs]
    longer = set[tuple[int, int]]()
    for after, peg in ends:  # chains that go on are added to them
        for three, pegs, change, hole in jumps[peg]:
            if after & three == pegs and (end := (after ^ change, hole)) not in longer:
                longer.add(end)
                ends.append(end)
    return {after for after, _ in ends}


# Folders


class Folder:
    """A proof folder: its claim about a problem, and the parts that show it.

    The folder is read, and rejected if its parts cannot show its claim, before any part is checked.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        data = parse("claim.json", contents(path, "claim.json"))
        read_object("claim.json", data, "format claim", "parts solution about")
        need(data["format"] == FORMAT, f"claim.json: format {short(data['format'])}; this program reads {FORMAT}")
        claim, self.solution = data["claim"], data.get("solution")
        self.type = str(claim.get("type")) if isinstance(claim, dict) else ""
        need(self.type in CLAIMS, f"claim.json: there is no claim of type {short(self.type)}")
        keys, self.kinds = CLAIMS[self.type]
        self.least = read_object("claim", claim, keys).get("number", claim.get("least", 0))
        self.text = contents(path, "problem.toml")
        self.problem = self.subject = read_problem(self.text)  # the subject is that of the certificates
        self.order: list[int] = []  # of the jumps in a round
        self.parts = list(self._read_parts(data.get("parts"), self._read_claim(claim)))

    def _read_claim(self, claim: dict[str, Json]) -> set[int]:
        """Read the claim: the numbers of jumps, steps, rounds or moves that must be shown to be impossible."""
        problem, pegs, jumps = self.problem, self.problem.count, len(self.problem.jumps)
        if self.type not in ("infeasible", "count"):
            read_integer("claim.json: least", self.least, 0, pegs)
        match self.type:
            case "infeasible":
                need(self.solution is None, "claim.json: a solution, and the claim that there is none")
                need(not problem.is_goal(problem.start), "claim.json: the start satisfies the goal")
                return set(range(problem.fewest, problem.longest + 1)) or {0}
            case "count":
                need(type(self.least) is int, "claim.json: the number of solutions is not an integer")
                need(self.solution is None, "claim.json: a solution, and the claim how many there are")
                return {0}
            case "jumps":
                return set(range(problem.fewest, min(self.least, problem.longest + 1)))
            case "pegs":
                numbers = set(range(pegs - max(problem.longest, 0), self.least))
                need(numbers <= {1}, "claim.json: a claim about pegs must be that at least 2 are left")
                self.subject = Problem(problem.holes, problem.jumps, problem.start, ("one peg", 0, 0))
                return {pegs - 1 for _ in numbers}
            case "rounds":
                self.order = [read_integer("order", j, 0, jumps - 1) for j in read_list("order", claim["order"], jumps)]
                need(len(set(self.order)) == jumps, "claim.json: the order of a round must have each jump once")
        return {self.least - 1} if self.least else set()  # parts that exclude it exclude all smaller numbers, too

    def _read_parts(self, parts: Json, missing: set[int]) -> Iterator[Check]:
        """Read parts, and yield how each is checked. Each must exclude a number that is missing."""
        problem, unit = self.problem, "jumps" if self.type in ("infeasible", "pegs") else self.type
        for i, part in enumerate(read_list("parts", parts, len(problem.holes) + 1), start=1):
            horizon, kind = 0, str(part.get("type")) if isinstance(part, dict) else ""
            need(kind in self.kinds, f"claim.json: {short(kind)} cannot show a claim of type {self.type}")
            read_object("part", part, PART_KEYS.get(kind, "type horizon"), "regions" if kind == "two-sided" else "")
            check: Check
            match kind:
                case "certificate":
                    certificate = Certificate(self.subject, part["certificate"])
                    horizon, check = max(certificate.longest, 0), (certificate.check, ())
                case "two-sided":
                    need(problem.goal in ("exact", "one peg"), "claim.json: moves need the goal exact or one peg")
                    horizon = sum(read_integer(side, part[side], 0, problem.count) for side in ("forward", "backward"))
                    regions = merson_regions(problem, part.get("regions", []))
                    check = self._meet, (symmetries(problem, part["symmetries"]), regions, horizon)
                case "levels":
                    check = self._count, (symmetries(problem, part["symmetries"]),)
                case _:
                    horizon = read_integer("horizon", part["horizon"], 0, problem.count)
                    check = self._refute, (kind, horizon)
            excluded = {horizon} if kind == "sat-moves" else set(range(horizon + 1))
            need(missing != set(), f"claim.json: part {i} is not needed")
            need(
                bool(excluded & missing),
                f"claim.json: part {i} ({kind} for {horizon}) does not show that {min(missing)} {unit} are not enough",
            )
            missing -= excluded
            yield check
        need(not missing, f"claim.json: no part shows that {min(missing, default=0)} {unit} are not enough")

    def check(self, cnf: str = "", meet: Meet = meet) -> dict[str, Json]:
        """Check all parts; return the claim. ``cnf``: a file to write the formula to, or several, by their horizons."""
        self.meet, self.cnf = meet, cnf
        if self.solution is not None:
            value = self._value(self.solution)
            need(value == self.least, f"the solution has {value} {self.type}, the claim is {self.least}")
        self.formulas = sum(check == self._refute for check, _ in self.parts)
        if cnf and not self.formulas:
            raise Unusable("the folder has no formula to write")
        if cnf and os.path.lexists(cnf):
            raise Unusable(f"{cnf} exists already; nothing is overwritten")
        for check, arguments in self.parts:
            check(*arguments)
        match self.type:
            case "infeasible":
                says = "there is no solution"
            case "count":
                says = f"there are {self.least} solutions, as sequences of jumps"
            case measure if self.solution is not None:
                says = f"the fewest {measure} are {self.least}"
            case measure:
                says = f"every solution has at least {self.least} {measure}"
        return {
            "type": self.type,
            "least": self.least,
            "order": self.order,
            "solution": self.solution,
            "problem": self.text.decode(),
            "says": says,
        }

    def _count(self, group: list[Symmetry]) -> None:
        """Count the solutions."""
        number = count_solutions(self.problem, group)
        need(number == self.least, f"there are {number} solutions")

    def _meet(self, group: list[Symmetry], regions: list[int], horizon: int) -> None:
        """Look for a solution of so many chains."""
        moves = self.meet(self.problem, group, regions, horizon)
        need(moves is None, f"there is a solution of {moves} moves")

    def _refute(self, model: str, horizon: int) -> None:
        """Write a formula, and follow its refutation."""
        variables, clauses = formula(self.problem, model, horizon, self.order)
        if self.cnf:
            with open(self.cnf if self.formulas == 1 else f"{self.cnf}-{horizon:02}", "xb") as file:
                file.write(b"p cnf %d %d\n" % (variables, len(clauses)))
                file.writelines(" ".join(map(str, (*clause, 0))).encode() + b"\n" for clause in clauses)
        name = f"proof-{horizon:02}.lrat"
        proof = contents(self.path, name)
        try:
            follow(clauses, variables, proof)
        except Rejected as error:
            raise Rejected(f"{name}: {error}") from None

    def _value(self, solution: Json) -> int:
        """Replay a solution; count its jumps, moves, steps or rounds, or the pegs that it leaves."""
        problem, position = self.problem, self.problem.start
        number = {name: hole for hole, name in enumerate(problem.holes)}
        place: dict[tuple[int, ...], int] = {jump: j for j, jump in enumerate(problem.jumps)}
        steps = [0] * len(problem.holes)  # by hole, the last step in which it changed
        moves, peg = 0, -1  # the hole where the last jump ended
        rounds, last = 0, len(self.order)  # the place of the last jump in its round
        for i, names in enumerate(read_list("solution", solution, len(problem.holes)), start=1):
            fits = isinstance(names, list) and all(isinstance(name, str) for name in names)
            j = place.get(tuple(number.get(name, -1) for name in names), -1) if fits else -1
            need(j >= 0 and position & problem.masks[j][0] == problem.masks[j][1], f"jump {i} is not possible")
            position ^= problem.masks[j][0]
            moves, peg = moves + (problem.jumps[j][0] != peg), problem.jumps[j][2]
            step = 1 + max(steps[hole] for hole in problem.jumps[j])  # the first in which it can stand
            for hole in problem.jumps[j]:
                steps[hole] = step
            if self.order:
                rounds, last = rounds + (self.order.index(j) <= last), self.order.index(j)
        need(problem.is_goal(position), "the solution does not reach the goal")
        values = {"jumps": problem.count - position.bit_count(), "moves": moves, "steps": max(steps), "rounds": rounds}
        return values.get(self.type, position.bit_count())


# The program


def limit(seconds: float, megabytes: float) -> None:
    """Stop this process after so many seconds of a clock, and give it no more memory than so many MB.

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
    try:  # noqa: SIM105 - it imports as little as it can
        resource.setrlimit(resource.RLIMIT_AS, (most, hardest))
    except ValueError:  # some versions of macOS have no such limit
        pass


def main(arguments: list[str], meet: Meet = meet) -> int:
    """Check the folder that the arguments name; return the exit status."""
    options = {"--cnf": "", "--time": "60", "--memory": "2000"}
    words = iter(arguments)
    names = [word for word in words if word not in options or options.update({word: next(words, "")})]
    try:
        limit(float(options["--time"]), float(options["--memory"]))
        if len(names) - ("--json" in names) != 1 or names[0].startswith("-"):
            raise Unusable("usage: python checker.py FOLDER [--cnf FILE] [--json] [--time S] [--memory MB]")
        verdict = Folder(names[0]).check(options["--cnf"], meet)
        status, line = 0, json.dumps(verdict) if "--json" in names else f"proved: {verdict['says']}"
    except Rejected as error:
        status, line = 4, f"rejected: {error}"
    except Stopped:
        status, line = 3, f"stopped: it takes more than {options['--time']} s"
    except MemoryError:  # the memory is free again when this is over
        status, line = 3, f"stopped: it takes more than {options['--memory']} MB"
    except (Unusable, ValueError, OverflowError, OSError) as error:
        status, line = 2, str(error)
    print(line)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
