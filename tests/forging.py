"""Forged proof folders: python tests/forging.py [--faults | --verified] N [SEED]

Takes true folders of small problems, damages or forges them, and asks ``pegcp check``. The truth is found by brute
force, by a reader and rules of its own (tests/independent.py). It counts accepted claims that are false, or that are
printed of another problem, tracebacks, and verdicts that differ between plain and faster code, and says what took
longest. Everything happens in this process, so that a forgery takes a few milliseconds.
"""

from __future__ import annotations

import io
import json
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from unittest.mock import patch

import independent
from independent import is_true, truth

import pegcp
from pegcp.catalogue.choice import Choice
from pegcp.checking import checker, two_sided, verification
from pegcp.checking.verification import VERIFIED
from pegcp.cli import files as command
from pegcp.errors import PegcpError
from pegcp.formats.toml import read_problem
from pegcp.game import Board, DeadEnd, Exact, Goal, Nearest, OnePeg, Partial, Position, Problem
from pegcp.method import Answer, Run
from pegcp.modelling.ordering import outside_in
from pegcp.proofs.writing import NoProof
from pegcp.proofs.writing import _Writer as _WriterOfProofs
from pegcp.theory.cases import _CaseSearch, parts
from pegcp.theory.equations import JumpCounts, NoResult

Files = dict[str, bytes]
BOARDS = ("line5", "line6", "line7", "cycle5", "cycle6", "triangle6", "triangle10", "rectangle3x3", "rectangle2x4")
MODELS = ("sat-moves", "sat-parallel", "sat-rounds")
SECONDS = 60.0


# True folders


class Writer(_WriterOfProofs):
    """A writer that asks methods in this process: a refutation takes milliseconds."""

    def solve(self, problem: Problem, choice: Choice, seconds: float = inf) -> Answer:
        limits = replace(self.run.limits, time=min(seconds, self.run.remaining))
        return choice.run(problem, replace(self.run, limits=limits))


def some_problem(chance: random.Random) -> Problem:
    """A small problem with any kind of goal."""
    board: Board = pegcp.board(chance.choice(BOARDS))
    while True:
        start = chance.getrandbits(len(board.holes)) | chance.getrandbits(len(board.holes))
        if 2 <= start.bit_count() <= 8:
            break
    end = start
    for _ in range(chance.randint(0, 8)):
        legal = [jump for jump in board.jumps if jump.is_legal(end)]
        end ^= chance.choice(legal).mask if legal else 0
    free = chance.getrandbits(len(board.holes))
    other = chance.getrandbits(len(board.holes)) & start or 1
    goals: list[Goal] = [
        OnePeg(),
        OnePeg(),
        DeadEnd(),
        Exact(end),
        Exact(other),
        Partial(end & ~free, board.full & ~end & ~free),
    ]
    return Problem(board, Position(board, start), chance.choice(goals))


def ways_to_prove(problem: Problem, least: dict[str, int | None]) -> dict[str, Callable[[Writer], Any]]:
    """What can be claimed of a problem and shown, and how."""
    dead_end, longest = isinstance(problem.goal, DeadEnd), max(problem.lengths, default=-1)
    ways: dict[str, Callable[[Writer], Any]] = {}
    if least["jumps"] is None:
        ways["certificate"] = Writer.no_solution
        if longest >= 0 and problem.lengths:
            ways["sat-moves"] = clauses_alone
            ways["sat-parallel"] = lambda writer: writer.clauses("sat-parallel", longest)
    elif dead_end:
        ways["jumps"] = lambda writer: writer.fewest_jumps(least["jumps"] or 0)
        ways["sat-fools"] = lambda writer: clauses_alone(writer, least["jumps"] or 0)
    else:
        ways["steps"] = lambda writer: writer.fewest_steps(least["steps"] or 0)
        ways["rounds"] = lambda writer: rounds(writer, least["rounds"] or 0)
    if least["moves"] is not None and isinstance(problem.goal, Exact | OnePeg):
        ways["moves"] = Writer.optimum
    ways["count"] = Writer.optimum
    if (least["pegs"] or 2) >= 2:
        ways["pegs"] = lambda writer: writer.fewest_pegs(2)
    return ways


def true_folders(chance: random.Random, folder: Path, wanted: int) -> list[Files]:
    """Folders with every kind of claim and part, as far as their problems allow."""
    found: list[Files] = []
    kinds = Counter[str]()
    number = 0
    while len(found) < wanted:
        number += 1
        problem = some_problem(chance)
        order = [problem.board.jumps.index(jump) for jump in outside_in(problem.board)]
        least = truth(problem.text.encode(), tuple(order))
        ways = ways_to_prove(problem, least)
        name, way = min(ways.items(), key=lambda item: kinds[item[0]])
        objectives = {
            "pegs": pegcp.Objective.FEWEST_PEGS,
            "moves": pegcp.Objective.FEWEST_MOVES,
            "count": pegcp.Objective.COUNT,
        }
        objective = objectives.get(name, problem.objective)
        where = folder / str(number)
        where.mkdir()
        writer = Writer(replace(problem, objective=objective), where, Run())
        with suppress(NoProof):
            way(writer)
            writer.finish()
            found.append({file.name: file.read_bytes() for file in where.iterdir()})
            kinds[name] += 1
    return found


def clauses_alone(writer: Writer, bound: int | None = None) -> None:
    """Fewest jumps, or no solution, without certificates."""
    counts = [n for n in writer.problem.lengths if bound is None or n < bound]
    if bound is not None:
        writer.claim = {"type": "jumps", "least": bound}
    writer.clauses("sat-moves", *counts)


def rounds(writer: Writer, least: int) -> None:
    """At least so many rounds."""
    jumps = writer.problem.board.jumps
    order = [jumps.index(jump) for jump in outside_in(writer.problem.board)]
    writer.claim = {"type": "rounds", "least": least, "order": order}
    if least:
        writer.clauses("sat-rounds", least - 1, order=order)


Proof = tuple[str, int, list[int], bytes]  # model, horizon, order of the jumps in a round, and the refutation


def refutations(chance: random.Random, text: bytes, folder: Path) -> list[Proof]:
    """True proofs that formulas of a problem have no solution, whatever that is good for."""
    problem = read_problem(text.decode())
    order = [problem.board.jumps.index(jump) for jump in outside_in(problem.board)]
    found = []
    for model in MODELS:
        writer = Writer(problem, folder, Run())
        horizon = chance.randint(0, min(4, len(problem.start)))
        with suppress(NoProof):
            writer.clauses(model, horizon, order=order)
            found.append((model, horizon, order, (folder / f"proof-{horizon:02}.lrat").read_bytes()))
    return found


def near_misses(chance: random.Random, text: bytes) -> Iterator[dict[str, Any]]:
    """Trees of two cases or so, closed as well as a linear program can; some leave a value out."""
    problem = read_problem(text.decode())
    if isinstance(problem.goal, Nearest) or not problem.lengths:
        return
    holes = len(problem.board.holes)
    for _ in range(30):
        most = chance.choice([None, None, *problem.lengths])
        search = _CaseSearch(JumpCounts(problem, most), inf, [])
        ranges = search.counts.ranges()
        number, k, lost = chance.randrange(len(ranges)), chance.choice([0, 0, 1]), chance.choice([0, 1])
        node, cuts = ["split", number, k], [{number: k}]
        left = [*parts(ranges, ["split", number, k], [])[:1], *parts(ranges, ["split", number, k + lost], [])[1:]]
        if number < search.jumps and chance.random() < 0.5:
            node, left = ["cut", 0], left[1:]
        elif isinstance(problem.goal, OnePeg) and chance.random() < 0.5:
            these = chance.sample(range(holes), chance.randint(0, holes))
            ends = [
                [(0, int((hole in these) is there)) for hole in range(holes)] for there in (True, False)[: 2 - lost]
            ]
            node, left = ["last", these], [[*ranges[: search.jumps], *end] for end in ends]
        tree = [node]
        for case in left:
            try:
                closed = search.node(case)
            except NoResult:
                closed = ["stuck"]
            tree.append(closed if closed[0] == "sum" else ["stuck"])
        found = {"tree": tree, "cuts": [[list(pair) for pair in cut.items()] for cut in cuts]}
        yield found if most is None else {**found, "most": most}


# Forgeries


ODD: list[Any] = [
    0,
    1,
    2,
    3,
    -1,
    10**6,
    2**31 - 1,
    2**63,
    10**30,
    True,
    False,
    None,
    "",
    "class",
    "a1",
    [],
    {},
    [[]],
    [[0, 0]],
    0.5,
]


class Forger:
    """Changes folders, mostly one thing, sometimes more."""

    def __init__(self, chance: random.Random, folders: list[Files]) -> None:
        self.chance, self.folders = chance, folders
        self.with_moves = [
            files for files in folders
            if checker.read_problem(text := files["problem.toml"]).goal in ("exact", "one peg") and truth(text)["moves"]
        ]  # fmt: skip
        self.proofs: dict[bytes, list[Proof]] = {}
        self.trees: dict[bytes, list[dict[str, Any]]] = {}
        with TemporaryDirectory() as made:
            for files in folders:
                text = files["problem.toml"]
                self.proofs[text] = refutations(chance, text, Path(made))
                self.trees[text] = list(near_misses(chance, text))
        self.ways = [self.some_bytes, self.some_json, self.some_json, self.claim, self.claim, self.parts, self.proof,
                     self.misused, self.misused, self.invented, self.foreign, self.problem, self.solution,
                     self.certificate, self.certificate, self.certificate, self.tree,
                     self.spelling, self.names, self.sides, self.sides, self.sides]  # fmt: skip

    def forged(self) -> tuple[str, Files]:
        """What was done, and the folder."""
        files = dict(self.chance.choice(self.folders))
        done = []
        for _ in range(self.chance.choice([1, 1, 1, 2, 2, 3])):
            way = self.chance.choice(self.ways)
            try:
                way(files)
                done.append(way.__name__)
            except (ValueError, KeyError, IndexError, TypeError, AttributeError, checker.Rejected):
                done.append("no " + way.__name__)  # an earlier change left nothing to change
        return " + ".join(done), files

    def some_bytes(self, files: Files) -> None:
        name = self.chance.choice(sorted(files))
        data = bytearray(files[name])
        for _ in range(self.chance.choice([1, 1, 3])):
            at = self.chance.randrange(len(data))
            end = min(len(data), at + self.chance.choice([1, 1, 2, 8, 100]))
            new = bytes(self.chance.choice([*data[:50], self.chance.randrange(256)]) for _ in range(end - at))
            data[at:end] = self.chance.choice([new, b"", new + data[at:end], data[at:end] * 2])
        files[name] = bytes(data)

    def some_json(self, files: Files) -> None:
        data = json.loads(files["claim.json"])
        places = list(self.places(data))
        inside, key = self.chance.choice(places)
        value = inside[key]
        if type(value) is int and self.chance.random() < 0.6:
            inside[key] = value + self.chance.choice([1, -1, 2, -value, -2 * value])
        elif self.chance.random() < 0.4:
            other, place = self.chance.choice(places)
            inside[key] = json.loads(json.dumps(other[place]))
        elif self.chance.random() < 0.5:
            del inside[key]
        elif isinstance(value, list) and value:
            i = self.chance.randrange(len(value))
            value[i:] = self.chance.choice([value[i:][::-1], value[i + 1 :], [value[0], *value[i:]]])
        else:
            inside[key] = self.chance.choice(ODD)
        files["claim.json"] = json.dumps(data).encode()

    def places(self, data: Any) -> Iterator[tuple[Any, Any]]:
        for key in list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
            yield data, key
            yield from self.places(data[key])

    def edit(self, files: Files) -> Any:
        return json.loads(files["claim.json"])

    def keep(self, files: Files, data: Any) -> None:
        files["claim.json"] = json.dumps(data).encode()

    def claim(self, files: Files) -> None:
        data = self.edit(files)
        kinds = ["infeasible", "jumps", "steps", "rounds", "pegs", "moves", "count", data["claim"]["type"]]
        kind = self.chance.choice(kinds)
        least = data["claim"].get("least", data["claim"].get("number", 1)) + self.chance.choice([0, 1, 1, 1, 2, 5, -1])
        claim = {"type": kind, "least": self.chance.choice([least, least, self.chance.choice(ODD)])}
        if kind == "rounds":
            jumps = len(checker.read_problem(files["problem.toml"]).jumps)
            claim["order"] = data["claim"].get("order") or self.chance.sample(range(jumps), jumps)
        if kind in ("infeasible", "count"):
            number = claim.pop("least")
            claim |= {"number": number} if kind == "count" else {}
        data["claim"] = claim
        if self.chance.random() < 0.7:
            data.pop("solution", None)
        if self.chance.random() < 0.6:  # make the parts fit as well as they can
            for part in data["parts"]:
                if "horizon" in part and "least" in claim:
                    part["horizon"] = claim["least"] - 1
                    models = {"steps": "sat-parallel", "rounds": "sat-rounds", "jumps": "sat-moves"}
                    part["type"] = models.get(kind, part["type"])
                elif kind == "jumps":
                    part["certificate"]["most"] = claim["least"] - 1
        self.keep(files, data)

    def parts(self, files: Files) -> None:
        data, other = self.edit(files), json.loads(self.chance.choice(self.folders)["claim.json"])
        parts = data["parts"]
        match self.chance.randrange(6):
            case 0:
                parts += other["parts"]
            case 1:
                data["parts"] = other["parts"]
            case 2:
                parts.append(parts[0])
            case 3:
                parts.pop()
            case 4:
                one = self.chance.choice(parts)
                one["type"] = self.chance.choice([*MODELS, "certificate"])
            case _:
                one = self.chance.choice(parts)
                one["horizon"] = one["horizon"] + self.chance.choice([1, -1, 5, 100, 10_000])
        self.keep(files, data)
        self.rename(files)

    def rename(self, files: Files) -> None:
        """Give the parts the proofs that there are."""
        proofs = [files.pop(name) for name in sorted(files) if name.endswith(".lrat")]
        for part, proof in zip((p for p in self.edit(files)["parts"] if "horizon" in p), proofs, strict=False):
            files[f"proof-{part['horizon']:02}.lrat"] = proof

    def proof(self, files: Files) -> None:
        name = self.chance.choice([name for name in sorted(files) if name.endswith(".lrat")])
        data = files[name]
        steps = [data[i:j] for i, j in zip([0, *cuts(data)], cuts(data), strict=False)]
        match self.chance.randrange(6):
            case 0:  # the empty clause at once, from some clauses
                clauses = self.chance.choice([2, 40, 200, 1000])
                hints = [self.chance.randint(1, clauses) for _ in range(self.chance.choice([1, 2, 2, 5, 40]))]
                steps = [b"a" + coded(2 * (clauses + 1)) + b"\0" + b"".join(coded(2 * hint) for hint in hints) + b"\0"]
            case 1:
                del steps[self.chance.randrange(len(steps))]
            case 2:
                self.chance.shuffle(steps)
            case 3:
                steps.insert(self.chance.randrange(len(steps)), self.chance.choice(steps))
            case 4:
                i = self.chance.randrange(len(steps))
                at = self.chance.randrange(len(steps[i]))
                steps[i] = steps[i][:at] + bytes([steps[i][at] ^ 1 << self.chance.randrange(8)]) + steps[i][at + 1 :]
            case _:
                steps = [b"".join(f for n, f in sorted(self.chance.choice(self.folders).items()) if n.endswith("lrat"))]
        files[name] = b"".join(steps)

    def misused(self, files: Files) -> None:
        """A true proof of a formula, for any claim."""
        data = self.edit(files)
        model, horizon, order, proof = self.chance.choice(self.proofs[files["problem.toml"]])
        kind = self.chance.choice(["infeasible", "jumps", "steps", "rounds", "pegs"])
        data["claim"] = {"type": kind}
        if kind != "infeasible":
            data["claim"]["least"] = horizon + self.chance.choice([1, 1, 2])
        if kind == "rounds":
            data["claim"]["order"] = order
        data["parts"] = [{"type": model, "horizon": horizon}]
        data.pop("solution", None)
        files[f"proof-{horizon:02}.lrat"] = proof
        self.keep(files, data)

    def invented(self, files: Files) -> None:
        """A claim that may be false, and the empty clause from some clauses of the formula, or another, or none."""
        shown = [part for part in self.edit(files)["parts"] if "most" in part.get("certificate", {})]
        self.misused(files)
        data = self.edit(files)
        part = data["parts"][0]
        part["horizon"] += self.chance.choice([0, 1, 2])
        if shown:  # as many jumps more than a certificate excludes
            part |= {"type": "sat-moves", "horizon": shown[0]["certificate"]["most"] + 1}
            data["claim"] = {"type": "jumps"}
            data["parts"] = [shown[0], part]
        if data["claim"]["type"] != "infeasible":
            data["claim"]["least"] = part["horizon"] + 1
        problem = checker.read_problem(files["problem.toml"])
        _, clauses = checker.formula(problem, part["type"], part["horizon"], data["claim"].get("order", []))
        hints = self.chance.choices(range(1, len(clauses) + 1), k=self.chance.choice([0, 1, 2, 10, 100, 400]))
        literals = [literal_code(literal) for literal in clauses[hints[0] - 1]] if len(hints) == 1 else []
        numbers = [2 * len(clauses) + 2, *literals], [2 * hint for hint in hints]
        step = b"a" + b"".join(b"".join(map(coded, some)) + b"\0" for some in numbers)
        files[f"proof-{part['horizon']:02}.lrat"] = step if hints else b""
        self.keep(files, data)

    def tree(self, files: Files) -> None:
        """A tree that nearly closes."""
        if self.chance.random() < 0.2:  # all equations, and one row more, which may be an inequality
            holes, sign = len(checker.read_problem(files["problem.toml"]).holes), self.chance.choice([1, -1])
            more = [[holes + self.chance.randint(0, 1), self.chance.choice([1, -1])]]
            sums = [["sum", [[hole, sign] for hole in range(holes)] + more]]
            self.certify(files, {"most": self.chance.randint(0, 8), "tree": sums})
            return
        given = json.loads(json.dumps(self.chance.choice(self.trees[files["problem.toml"]])))
        for node in given["tree"]:
            if node[0] == "sum" and node[1] and self.chance.random() < 0.3:
                pair = self.chance.choice([node[1][-1], self.chance.choice(node[1])])
                pair[1] += self.chance.choice([-2 * pair[1], 1, -1])
        self.certify(files, given)

    def certify(self, files: Files, given: dict[str, Any]) -> None:
        """A certificate, for a claim that it can support; mostly the others are taken away."""
        data = self.edit(files)
        part = {"type": "certificate", "certificate": given}
        claims: list[dict[str, Any]] = [{"type": "infeasible"}, {"type": "infeasible"}, {"type": "pegs", "least": 2}]
        if "most" in given:
            claims += [{"type": "jumps", "least": given["most"] + 1}] * 3
        data["claim"] = self.chance.choice(claims)
        data["parts"] = [part]
        data.pop("solution", None)
        self.keep(files, data)

    def foreign(self, files: Files) -> None:
        """A file of another folder."""
        other = self.chance.choice(self.folders)
        name = self.chance.choice(sorted(other))
        files[name] = other[name]

    def problem(self, files: Files) -> None:
        text = files["problem.toml"].decode()
        lines = text.split("\n")
        if self.chance.random() < 0.3:
            goals = ['"one peg"', '"dead end"', '["a1"]', '[]', '["b1", "a1"]', '{ pegs = ["a1"], vacancies = [] }',
                     '{ pegs = [], vacancies = ["b1"] }', '{ nearest = [], weights = {  } }']  # fmt: skip
            lines = [f"goal = {self.chance.choice(goals)}" if line.startswith("goal") else line for line in lines]
        elif self.chance.random() < 0.2:
            lines = [
                "".join(self.chance.choice([*line, "X", "o", " "]) for _ in line) if "=" not in line else line
                for line in lines
            ]
        else:
            places = [
                i
                for i, c in enumerate(text)
                if c in "Xo" and "=" not in text[text.rfind("\n", 0, i) : text.find("\n", i)]
            ]
            at = self.chance.choice(places)
            lines = [text[:at] + ("o" if text[at] == "X" else "X") + text[at + 1 :]]
        files["problem.toml"] = "\n".join(lines).encode()

    def sides(self, files: Files) -> None:
        """A bound on moves, from sides that meet or not, with symmetries and regions, or nearly; or a count."""
        if self.chance.random() < 0.8:  # of a problem of which it can be claimed
            files.clear()
            files.update(self.chance.choice(self.with_moves))
        game, data = independent.read(files["problem.toml"]), self.edit(files)
        least = self.chance.choice([truth(files["problem.toml"])["moves"] or 0, self.chance.randint(0, 6)])
        least += self.chance.choice([0, 1, 1, 1, 1, 2])
        total = max(0, least - 1 + self.chance.choice([0, 0, 0, 0, 0, 0, -1, 1]))
        forward = self.chance.randint(0, total)
        some: list[list[int]] = []
        for _ in range(self.chance.choice([0, 1, 1, 2, 3])):
            permutation = list(range(len(game.holes)))
            board = read_problem(files["problem.toml"].decode()).board
            if self.chance.random() < 0.7:
                permutation = [*self.chance.choice([*board.symmetries.subgroup(50).elements])]
            for _ in range(self.chance.choice([0, 0, 0, 0, 1, 3])):  # or nearly
                i, j = self.chance.sample(range(len(permutation)), 2)
                permutation[i], permutation[j] = permutation[j], permutation[i]
            if self.chance.random() < 0.05:
                permutation[0] = permutation[1]
            some.append(permutation)
        if self.chance.random() < 0.3:
            number = independent.number_of_solutions(files["problem.toml"]) + self.chance.choice([0, 0, 0, 1, -1])
            data["claim"], data["parts"] = {"type": "count", "number": number}, [{"type": "levels", "symmetries": some}]
            data.pop("solution", None)
            self.keep(files, data)
            return
        data["claim"] = {"type": "moves", "least": least}
        part = {"type": "two-sided", "forward": forward, "backward": total - forward, "symmetries": some}
        if self.chance.random() < 0.7:
            at = game.holes.index
            part["regions"] = self.regions([(at(a), at(b), at(c)) for a, b, c in game.jumps], len(game.holes))
        data["parts"] = [part] if least else []
        if self.chance.random() < 0.8:
            data.pop("solution", None)
        self.keep(files, data)

    def regions(self, jumps: list[tuple[int, int, int]], holes: int) -> list[list[int]]:
        """Sets of holes over which no jump goes from outside to outside, or nearly."""
        found: list[list[int]] = []
        for _ in range(self.chance.choice([1, 2, 3, 9])):
            free = sorted(set(range(holes)) - {hole for region in found for hole in region})
            region = set(self.chance.sample(free, min(len(free), self.chance.choice([1, 1, 1, 1, 2, 3]))))
            while self.chance.random() < 0.9:
                outside = [(a, b) for a, over, b in jumps if over in region and a not in region and b not in region]
                if not outside:
                    break
                region.add(self.chance.choice(self.chance.choice(outside)))
            if region <= set(free) or self.chance.random() < 0.3:
                found.append(self.chance.sample(sorted(region), len(region)))
        for listed in found:
            if self.chance.random() < 0.03:
                listed.append(self.chance.randrange(-1, holes + 1))
            elif listed and self.chance.random() < 0.03:
                listed.pop()
        return found

    def spelling(self, files: Files) -> None:
        """The same problem, or nearly, in another text that TOML allows."""
        text = files["problem.toml"].decode()
        key, value = self.chance.choice([line.split(" = ", 1) for line in text.split("\n") if " = " in line])
        changes: list[tuple[str, str]] = [
            ("\n", "\r\n"), ("", "\ufeff"), ("\n", " # a comment\n"), ("\n", "\n\n"), (" = ", "="),
            ("goal =", '"goal" ='),
            ('"""\n', "'''\n"), ("peg = ", "peg= "), ('"X"', "'X'"), ('"X"', '"\\u0058"'), ("X", "\\u0058"),
            ("objective", "goal.pegs"), ("[", "[ "), (", ", ","), ("]", ",]"), ('"]', '", ]'),
            ('goal = "one', "goal = 'one"),
            ("X", "1"), ("o", "O"), ("X o", "X  o"), ("X", "*"), ("\n", " \n"), ('"any"', '"nearest"'), ('"any"', '""'),
            ("legend", 'jumps = "None"\nlegend'), ('"orthogonal"', '"diagonal"'), ("goal", "goal = []\ngoal"),
            (f"{key} = {value}", f"{key} = {value}\n{key} = {value}"), (f"{key} = {value}\n", ""),
            (f"{key} = {value}", f"{key} = {value}\nx = 1"), (value, f"[{value}]"), (value, "1.0"), (value, "1e0"),
            (value, "true"), ("goal =", "[goal]\npegs ="), ('"?" }', '"?", free = "?" }'),
            ('"?" }', '"?", other = "O" }'),
        ]  # fmt: skip
        old, new = self.chance.choice([change for change in changes if change[0] in text])
        times = self.chance.choice([1, 1, -1]) if old else 1
        files["problem.toml"] = text.replace(old, new, times).encode()

    def names(self, files: Files) -> None:
        """Holes with other names, some of which mean something to a reader, in the problem and in the solution."""
        game, data = independent.read(files["problem.toml"]), self.edit(files)
        odd = ["", " ", "a b", "-", "a-b", "-a", "A1", "a1", "e\u0301", "\u00e9", "\uff41", "\u0661", "a\n", "a,b", "*"]
        odd += [
            "?",
            "0",
            "00",
            "1e0",
            "nan",
            "true",
            "a" * 101,
            "h" * 100,
            "_",
            ".",
            "..",
            "a.b",
            '"',
            "\\",
            "#",
            "one",
        ]
        called = dict(zip(game.holes, self.chance.sample([*odd, *game.holes], len(game.holes)), strict=True))
        if self.chance.random() < 0.5:  # only one or two of them
            kept = self.chance.sample(game.holes, max(0, len(game.holes) - 2))
            called |= {hole: hole for hole in kept}

        def listed(holes: Iterable[str]) -> str:
            return json.dumps([called[hole] for hole in game.holes if hole in holes], ensure_ascii=False)

        number = game.holes.index
        lines = sorted([number(h) for h in jump] for jump in game.jumps if number(jump[0]) < number(jump[2]))
        joined = ["-".join(called[game.holes[hole]] for hole in line) for line in lines]
        goal = f'"{game.goal}"'
        if not isinstance(game.goal, str):
            goal = f"{{ pegs = {listed(game.goal[0])}, vacancies = {listed(game.goal[1])} }}"
            goal = listed(game.goal[0]) if len(game.goal[0] | game.goal[1]) == len(game.holes) else goal
        text = f"holes = {listed(game.holes)}\nlines = {json.dumps(joined, ensure_ascii=False)}\n"
        text += f'start = {listed(game.start)}\ngoal = {goal}\nobjective = "any"\n'
        if self.chance.random() < 0.2:  # a line of a name that holds a separator
            text = text.replace("-", self.chance.choice(["--", " - ", "- ", "\u2013"]), 1)
        files["problem.toml"] = text.encode()
        if data.get("solution"):
            data["solution"] = [[called.get(name, name) for name in jump] for jump in data["solution"]]
            self.keep(files, data)

    def solution(self, files: Files) -> None:
        """Any play, longer or shorter than the claim says."""
        data, problem = self.edit(files), checker.read_problem(files["problem.toml"])
        position = problem.start
        made: list[list[str]] = []
        while len(made) < 20:
            legal = [j for j, (holes, pegs) in enumerate(problem.masks) if position & holes == pegs]
            if not legal or (problem.is_goal(position) and self.chance.random() < 0.7):
                break
            j = self.chance.choice(legal)
            position ^= problem.masks[j][0]
            made.append([problem.holes[hole] for hole in problem.jumps[j]])
        if made and self.chance.random() < 0.3:  # not as the rules say
            jumps = [[problem.holes[hole] for hole in jump] for jump in problem.jumps]
            at = self.chance.randrange(len(made))
            made[at:] = self.chance.choice([made[at:][::-1], [self.chance.choice(jumps), *made[at + 1 :]]])
        data["solution"] = made
        if self.chance.random() < 0.3:
            data["claim"]["least"] = len(made)
        self.keep(files, data)

    def certificate(self, files: Files) -> None:
        """Small changes inside one, or a short one made up."""
        data = self.edit(files)
        shown = [part for part in data["parts"] if "certificate" in part]
        part = self.chance.choice(shown or [{"certificate": {}}])
        given = part["certificate"]
        problem = checker.read_problem(files["problem.toml"])
        holes, jumps = problem.holes, len(problem.jumps)
        some = self.chance.sample(range(len(holes)), self.chance.randint(0, len(holes)))
        match self.chance.randrange(8 if "tree" in given else 6):
            case 0:
                given = {"most": self.chance.randint(0, 2), "tree": [["stuck"]]}
            case 1:
                given = {"tree": [["sum", [[hole, 1] for hole in some]]]}
            case 2:
                given = {"tree": [["sum", [[hole, self.chance.randint(-2, 5)] for hole in some]]]}
            case 3:
                sums = ["sum", [[hole, self.chance.choice([1, self.chance.randint(0, 3)])] for hole in some]]
                nodes = [self.chance.choice([sums, sums, ["stuck"]]) for _ in range(self.chance.choice([2, 2, 1, 3]))]
                given = {"tree": [["last", self.chance.sample(range(len(holes)), len(some))], *nodes]}
            case 4 | 5:
                tree: list[Any] = [["stuck"]]
                cuts = []
                for _ in range(self.chance.randint(0, 3)):
                    tree.insert(0, ["split", self.chance.randrange(jumps + len(holes)), self.chance.randint(0, 2)])
                    tree += [["stuck"]] * self.chance.randint(0, 1)
                if self.chance.random() < 0.5:
                    cuts = [[[j, self.chance.randint(0, 1)] for j in self.chance.sample(range(jumps), min(jumps, 3))]]
                    tree = [["cut", 0], *tree]
                given = {"most": self.chance.randint(0, 9), "tree": tree, "cuts": cuts}
            case _:
                tree = given["tree"]
                i = self.chance.randrange(len(tree))
                match self.chance.randrange(5):
                    case 0:
                        del tree[i]
                    case 1:
                        tree.insert(i, self.chance.choice(tree))
                    case 2:
                        tree[i] = [
                            "sum",
                            [[self.chance.randrange(len(holes) + 2), self.chance.randint(-2, 2)] for _ in some],
                        ]
                    case 3:
                        tree[i] = self.chance.choice(
                            [["stuck"], ["cut", 0], ["split", 0, 0], ["sum", []], ["last", []]]
                        )
                    case _:
                        given["most"] = given.get("most", 0) + self.chance.choice([1, 2, -1])
        if shown and self.chance.random() < 0.5:
            part["certificate"] = given
            self.keep(files, data)
        else:
            self.certify(files, given)


def cuts(data: bytes) -> list[int]:
    """Where the steps of a proof end."""
    ends = [0]
    while ends[-1] < len(data):
        zero = data.find(0, ends[-1] + 1)
        if zero >= 0 and data[ends[-1]] == ord("a"):
            zero = data.find(0, zero + 1)
        ends.append(zero + 1 or len(data))  # a damaged proof may end anywhere
    return ends[1:]


def coded(value: int) -> bytes:
    """A number as proofs write it."""
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def literal_code(literal: int) -> int:
    """A literal as proofs write it: twice its variable, plus one if negated."""
    return 2 * abs(literal) + (literal < 0)


# The campaign


@dataclass
class Outcome:
    """What a campaign found: how often each verdict was given, and what must not be."""

    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0


def verdict(files: Files, empty: str, checker: Any = checker, meet: Any = None) -> tuple[str, Any]:
    """What the checker says of a folder that is in memory: accepted and what, rejected and why, or a traceback."""

    def contents(path: str, name: str) -> bytes:
        del path
        if name not in files:
            raise checker.Rejected(f"{name}: cannot read the file")
        return files[name]

    before, checker.contents = checker.contents, contents
    try:
        return "accepted", checker.Folder(empty).check(meet=meet or checker.meet)
    except (checker.Rejected, checker.Unusable) as error:
        return "rejected", str(error)
    except (Exception, checker.Stopped) as error:  # noqa: BLE001
        return "traceback", repr(error)
    finally:
        checker.contents = before


@contextmanager
def in_this_process() -> Iterator[list[Any]]:
    """Let ``pegcp check`` run the one-file checker in this process, without limits; and record the claims."""
    claims: list[Any] = []

    def run(command: list[str], *_: object) -> tuple[str, str, int]:
        out = io.StringIO()
        with redirect_stdout(out):
            fast = [word for word in command if word.endswith("with_numpy.py")]
            words = command[command.index((fast or [str(verification.CHECKER)])[0]) + 1 :]
            status = checker.main(words, two_sided.meet if fast else checker.meet)
        return out.getvalue(), "", status

    def check(*what: Any) -> Any:
        claims.append(check_folder(*what))
        return claims[-1]

    check_folder = verification.verify_folder
    with (
        patch.object(verification, "verify_folder", check),
        patch.object(checker, "limit", lambda *_: None),
        patch.object(verification, "run_program", run),
    ):
        yield claims


def by_command(files: Files, folder: Path, claims: list[Any]) -> tuple[str, Any]:
    """The verdict of ``pegcp check`` on a folder: accepted and the claim, rejected and why, or a traceback."""
    for file in folder.iterdir():
        file.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    claims.clear()
    out = io.StringIO()
    try:
        with redirect_stdout(out):
            status = command.check.main([str(folder), "--json"], standalone_mode=False)
    except PegcpError as error:
        return "refused", str(error)
    except (Exception, checker.Stopped) as error:  # noqa: BLE001
        return "traceback", repr(error)
    answer = json.loads(out.getvalue())
    if (status, answer["accepted"]) not in ((0, True), (4, False)):
        return "traceback", f"status {status}: {answer}"
    return ("accepted", (answer, claims[0])) if answer["accepted"] else ("rejected", answer["reason"])


def printed_truly(files: Files, answer: dict[str, Any], claim: Any) -> bool:
    """Whether what ``pegcp check`` prints is so, of the game that the folder's problem is."""
    problem: Problem = claim.problem
    game = independent.read(files["problem.toml"])
    names = problem.board.holes
    goal: Any = problem.goal_text
    if isinstance(game.goal, tuple):
        pegs = [frozenset(problem.board.names(mask)) for mask in (problem.final_pegs, problem.final_vacancies)]
        same_goal = game.goal == tuple(pegs)
    else:
        same_goal = goal.startswith(game.goal) or game.goal in goal
    same = (
        names == game.holes
        and frozenset(problem.start.pegs) == game.start
        and tuple(tuple(names[hole] for hole in jump) for jump in problem.board.jumps) == game.jumps
        and same_goal
        and answer["fingerprint"] == sha256(files["problem.toml"]).hexdigest()[:16]
    )
    data = json.loads(files["claim.json"])
    said = {"type": claim.measure or "infeasible", "least": claim.least, "order": data["claim"].get("order")}
    jumps = None if claim.jumps is None else [[*problem.board.jump_names(jump)] for jump in claim.jumps]
    return same and answer["says"] == claim.says and is_true(files["problem.toml"], said, jumps)


def stop(*_: object) -> None:
    raise checker.Stopped


def genuine(chance: random.Random, wanted: int) -> list[Files]:
    """So many true folders; the checker accepts each."""
    with TemporaryDirectory() as made, TemporaryDirectory() as empty:
        found = true_folders(chance, Path(made), wanted)
        for files in found:
            said, what = verdict(files, empty)
            assert said == "accepted", what
            assert claimed_truly(files), what
    return found


def campaign(number: int, seed: int = 0, folders: int = 40) -> Outcome:
    """So many forgeries."""
    chance, outcome = random.Random(seed), Outcome()
    signal.signal(signal.SIGPROF, stop)
    forger = Forger(chance, genuine(chance, folders))
    with TemporaryDirectory() as made, TemporaryDirectory() as empty, in_this_process() as claims:
        for _ in range(number):
            how, files = forger.forged()
            began = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            said, what = by_command(files, Path(made), claims)
            signal.setitimer(signal.ITIMER_PROF, 0)
            outcome.slowest = max(outcome.slowest, time.process_time() - began)
            has_met = said == "accepted" or str(what).startswith("there is a solution of")
            if has_met and verdict(files, empty, meet=two_sided.meet)[0] != said:
                outcome.wrong.append(f"{how}: faster code differs")
            if said == "accepted" and not printed_truly(files, *what):
                said = "false"
            if said in ("false", "traceback"):
                outcome.wrong.append(f"{how}: {said}: {what} {files}")
            outcome.verdicts[said] += 1
            if said == "rejected":
                outcome.reasons["".join(c for c in str(what)[:40] if not c.isdigit())] += 1
    return outcome


FAULTS = {
    "the number of solutions": ("need(number == self.least,", "need(number <= self.least,"),
    "symmetries of the goal": ("need(all({s[hole] for hole in end} == end for end in ends),", "need(True,"),
    "ways that meet": ("level.get(after, 0) + ways", "ways"),
    "symmetries of the jumps": ("need(fits and {(s[a], s[b], s[c]) for a, b, c in jumps} == jumps,", "need(fits,"),
    "longer chains": ("longer.add(end)", "break"),
    "the last moves": ("while sum(chains) < most:", "while sum(chains) < most - 1:"),
    "full regions forwards": ("(0, most_full + rest)", "(0, most_full + rest - 1)"),
    # a fault of the checker: what is taken out of it, or put in
    "one text for a problem": ("if canonical != text:", "if False:"),
    "the names of holes": ("isinstance(name, str) and 0 <", "isinstance(name, str) or 0 <"),
    "the worth of a solution": ("need(value == self.least,", "need(True,"),
    "replay": ("position & problem.masks[j][0] == problem.masks[j][1], f", "True, f"),
    "the end of a solution": ("need(problem.is_goal(position), ", "need(True, "),
    "the type of a part": ('"steps": ("type least", (', '"steps": ("type least", ("sat-moves", '),
    "a part for each value": ('need(not missing, f"claim', 'need(True, f"claim'),
    "the horizon": ("else set(range(horizon + 1))", "else set(range(horizon + 2))"),
    "parts after the first": ("for check, arguments in self.parts:", "for check, arguments in self.parts[:1]:"),
    "each jump in a round": ("need(len(set(self.order)) == jumps,", "need(True,"),
    "which hints are units": ("if unit and unit != literal:", "if False:"),
    "the last hint": ('raise Rejected(f"{where} does not follow', '(f"{where} does not follow'),
    "the empty clause": ("if not clause:", "if place >= len(data):"),
    "longer solutions": ("max(certificate.longest, 0), (", "problem.count, ("),
    "open cases": ('need(len(open_) <= len(nodes), "a case is left open")', "if not nodes:\n                return"),
    "the second case of a split": ("k + 1, ranges[number][1]", "k + 2, ranges[number][1]"),
    "all last pegs": ("for inside in (True, False):", "for inside in (True,):"),
    "cases of a cut": ("most + 1, case[j][1]", "most + 2, case[j][1]"),
    "the play of a cut": ('self._play(f"cut {i}", "cut", cut)', "pass"),
    "limits of a play": ("elif limit:", "elif False:"),
    "a peg too many": ("position.bit_count() > fewest else", "position.bit_count() > fewest + 1 else"),
    "the sum": ("need(least > 0 or", "need(least >= 0 or"),
    "ranges in a sum": ("low if factor > 0 else high", "low"),
    "signs of a sum": ("(self.rows[row][2] or times >= 0)", "True"),
    "inequalities in a parity": ("odd = odd and exact", "pass"),
    "parity of what is free": ("(low == high or factor % 2 == 0)", "True"),
}


def faulty(fault: str) -> Any:
    """The checker with a fault."""
    text, (right, wrong) = Path(checker.__file__).read_text(), FAULTS[fault]
    assert text.count(right) == 1, fault
    module = ModuleType("faulty")
    exec(compile(text.replace(right, wrong), fault, "exec"), module.__dict__)
    return module


def noticed(fault: str, forger: Forger, most: int) -> int:
    """After how many forgeries a checker with a fault accepts a false claim, or ends in a traceback; 0: it does not."""
    wrong = faulty(fault)
    with TemporaryDirectory() as empty:
        for number in range(1, most + 1):
            files = forger.forged()[1]
            said, _ = verdict(files, empty, checker=wrong)
            if said == "traceback" or (said == "accepted" and not claimed_truly(files)):
                return number
    return 0


def asked(folders: list[Files], where: Path) -> list[str]:
    """What the verified program says of each folder."""
    for i, files in enumerate(folders):
        (where / str(i)).mkdir()
        for name, data in files.items():
            (where / str(i) / name).write_bytes(data)
    names = [str(where / str(i)) for i in range(len(folders))]
    lines = subprocess.run([VERIFIED, *names], stdout=subprocess.PIPE, text=True, timeout=600).stdout.splitlines()
    assert len(lines) == len(folders)
    return [line.removeprefix(f"{name}: ").split(":")[0] for line, name in zip(lines, names, strict=True)]


def claimed_truly(files: Files) -> bool:
    """Whether what a folder claims is so."""
    data = json.loads(files["claim.json"].decode(errors="replace"))
    return is_true(files["problem.toml"], data["claim"], data.get("solution"))


def against_verified(number: int, seed: int, batch: int = 500) -> Outcome:
    """So many forgeries for the verified program, and how its verdicts stand beside those of the one-file checker."""
    chance, outcome = random.Random(seed), Outcome()
    signal.signal(signal.SIGPROF, stop)
    forger = Forger(chance, genuine(chance, 40))
    for done in range(0, number, batch):
        forged = [forger.forged() for _ in range(min(batch, number - done))]
        with TemporaryDirectory() as made, TemporaryDirectory() as empty:
            for (how, files), said in zip(forged, asked([files for _, files in forged], Path(made)), strict=True):
                outcome.verdicts[f"{said}, {verdict(files, empty)[0]} by the file"] += 1
                if said == "proved" and not claimed_truly(files):  # the claim, for the program prints no problem
                    outcome.wrong.append(f"{how}: false: {files}")
    return outcome


def main() -> None:
    """Run a campaign, and say what it found; with --faults one against each faulty checker, with --verified one against
    the program that formal/build makes."""
    if sys.argv[1:2] == ["--faults"]:
        number, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
        chance = random.Random(seed)
        forger = Forger(chance, genuine(chance, 40))
        for fault in FAULTS:
            print(f"{fault}: {noticed(fault, forger, number) or 'not found'}", flush=True)
        return
    verified = sys.argv[1:2] == ["--verified"]
    number, *rest = map(int, sys.argv[1 + verified :])
    seed = rest[0] if rest else 0
    began = time.process_time()
    outcome = against_verified(number, seed) if verified else campaign(number, seed)
    print(f"{number:,} forgeries, seed {seed}: {dict(outcome.verdicts)}, {len(outcome.wrong)} wrong")
    memory, spent = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000, time.process_time() - began
    print(f"slowest {outcome.slowest:.2f} s, memory {memory:.0f} MB, {spent:.0f} CPU s")
    for reason, often in outcome.reasons.most_common(25):
        print(f"{often:9,} {reason}")
    for wrong in outcome.wrong[:10]:
        print(wrong[:2000])
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
