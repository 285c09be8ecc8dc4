"""Forged proof folders: python tests/forging.py N [SEED]

Takes true folders of small problems, damages or forges them, and asks the checker. The truth is found by brute force.
It counts accepted claims that are false, tracebacks, verdicts that differ between plain and compiled code, and says
what took longest. Everything happens in this process and in memory, so that a forgery takes about a millisecond.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pegcp
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, Exact, Goal, OnePeg, Partial
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Run
from pegcp.modelling.ordering import outside_in
from pegcp.proofs import checker, lrat
from pegcp.proofs.writing import _Writer

Files = dict[str, bytes]
BOARDS = ("line5", "line6", "line7", "cycle5", "cycle6", "triangle6", "triangle10", "rectangle3x3", "rectangle2x4")
SECONDS = 60.0


# The truth


@cache
def truth(text: bytes, order: tuple[int, ...]) -> dict[str, int | None]:
    """The fewest jumps, steps, rounds and pegs of a solution; None for each if there is none."""
    problem = checker.read_problem(text)
    level, found, jumps, pegs = {problem.start}, False, None, None
    for made in count():
        goals = [position for position in level if problem.is_goal(position)]
        if goals:
            jumps = made if jumps is None else jumps
            pegs = problem.count - made
        level = {p ^ holes for p in level for holes, needs in problem.masks if p & holes == needs}
        if not level:
            break
    found = jumps is not None
    steps = first(problem, in_parallel) if found else None
    rounds = first(problem, lambda problem, p: in_a_round(problem, p, order)) if found and order else None
    return {"jumps": jumps, "steps": steps, "rounds": rounds, "pegs": pegs}


def first(problem: checker.Problem, after: Callable[[checker.Problem, int], Iterable[int]]) -> int:
    """How many steps it takes to the goal."""
    seen = new = {problem.start}
    for made in count():
        if any(map(problem.is_goal, new)):
            return made
        new = {q for p in new for q in after(problem, p)} - seen
        seen = seen | new
    raise AssertionError


def in_parallel(problem: checker.Problem, position: int) -> set[int]:
    """What jumps without common holes make of a position."""
    found = {0}
    for holes, needs in problem.masks:
        if position & holes == needs:
            found |= {made | holes for made in found if not made & holes}
    return {position ^ made for made in found}


def in_a_round(problem: checker.Problem, position: int, order: Iterable[int]) -> set[int]:
    """What a round through all jumps makes of a position."""
    found = {position}
    for j in order:
        holes, needs = problem.masks[j]
        found |= {p ^ holes for p in found if p & holes == needs}
    return found


def is_true(found: dict[str, Any]) -> bool:
    """Whether what the checker says is so."""
    least = truth(found["problem"].encode(), tuple(found["order"]))
    if found["type"] == "infeasible":
        return least["jumps"] is None
    fewest = least[found["type"]]
    if found["solution"] is not None:
        return bool(fewest == found["least"])
    return fewest is None or bool(fewest >= found["least"])


# True folders


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


def ways_to_prove(problem: Problem, least: dict[str, int | None]) -> dict[str, Callable[[_Writer], Any]]:
    """What can be claimed of a problem and shown, and how."""
    dead_end, longest = isinstance(problem.goal, DeadEnd), max(problem.jump_counts, default=-1)
    ways: dict[str, Callable[[_Writer], Any]] = {}
    if least["jumps"] is None:
        ways["certificate"] = _Writer.no_solution
        if longest >= 0 and problem.jump_counts:
            ways["sat-moves"] = lambda writer: writer.clauses("sat-moves", longest)
            ways["sat-parallel"] = lambda writer: writer.clauses("sat-parallel", longest)
    elif dead_end:
        ways["jumps"] = lambda writer: writer.fewest_jumps(least["jumps"])
        ways["sat-fools"] = lambda writer: clauses_alone(writer, least["jumps"] or 0)
    else:
        ways["steps"] = lambda writer: writer.fewest_steps(least["steps"])
        ways["rounds"] = lambda writer: writer.fewest_rounds(least["rounds"])
    if (least["pegs"] or 2) >= 2:
        ways["pegs"] = lambda writer: writer.nearest_end(2)
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
        objective = pegcp.Objective.FEWEST_PEGS if name == "pegs" else problem.objective
        where = folder / str(number)
        where.mkdir()
        writer = _Writer(replace(problem, objective=objective), where, Run())
        if way(writer) is None and writer.claim["type"] != "rerun":
            writer.finish()
            found.append({file.name: file.read_bytes() for file in where.iterdir()})
            kinds[name] += 1
    return found


def clauses_alone(writer: _Writer, bound: int) -> Any:
    """Fewest jumps without cases."""
    writer.claim = {"type": "jumps", "least": bound}
    return next(filter(None, (writer.clauses("sat-fools", n) for n in writer.problem.jump_counts if n < bound)), None)


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
        self.ways = [self.some_bytes, self.some_json, self.some_json, self.claim, self.claim, self.parts, self.proof,
                     self.foreign, self.problem, self.solution, self.certificate, self.certificate]  # fmt: skip

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
        kind = self.chance.choice(["infeasible", "jumps", "steps", "rounds", "pegs", data["claim"]["type"]])
        least = data["claim"].get("least", 1) + self.chance.choice([0, 1, 1, 1, 2, 5, -1])
        claim = {"type": kind, "least": self.chance.choice([least, least, self.chance.choice(ODD)])}
        if kind == "rounds":
            jumps = len(checker.read_problem(files["problem.toml"]).jumps)
            claim["order"] = data["claim"].get("order") or self.chance.sample(range(jumps), jumps)
        if kind == "infeasible":
            del claim["least"]
        data["claim"] = claim
        if self.chance.random() < 0.7:
            data.pop("solution", None)
        if self.chance.random() < 0.6:  # make the parts fit as well as they can
            for part in data["parts"]:
                if "horizon" in part and "least" in claim:
                    part["horizon"] = claim["least"] - 1
                    models = {"steps": "sat-parallel", "rounds": "sat-rounds", "jumps": "sat-fools"}
                    part["type"] = models.get(kind, part["type"])
                elif kind == "jumps":
                    part["type"] = "cases"
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
                one["type"] = self.chance.choice(
                    ["sat-moves", "sat-fools", "sat-parallel", "sat-rounds", "cases", "certificate"]
                )
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
        data["solution"] = made
        if self.chance.random() < 0.3:
            data["claim"]["least"] = len(made)
        self.keep(files, data)

    def certificate(self, files: Files) -> None:
        """Small changes inside one, or a short one made up."""
        data = self.edit(files)
        part = self.chance.choice([part for part in data["parts"] if "certificate" in part])
        given = part["certificate"]
        problem = checker.read_problem(files["problem.toml"])
        holes, jumps = problem.holes, len(problem.jumps)
        some = self.chance.sample(holes, self.chance.randint(0, len(holes)))
        match self.chance.randrange(8):
            case 0:
                given = {"kind": self.chance.choice(["count", "dead-end"])}
            case 1:
                given = {"kind": "class", "holes": some}
            case 2:
                given = {"kind": "pagoda", "weights": {hole: self.chance.randint(-2, 5) for hole in some}}
            case 3:
                inner = {"kind": "pagoda", "weights": {hole: self.chance.randint(0, 3) for hole in some}}
                given = {"kind": "finishes", "cases": [{"finishes": holes, **inner}]}
            case 4:
                tree: list[Any] = [["stuck"]]
                cuts = []
                for _ in range(self.chance.randint(0, 3)):
                    tree.insert(0, ["split", self.chance.randrange(jumps + len(holes)), self.chance.randint(0, 2)])
                    tree.append(["stuck"])
                if self.chance.random() < 0.5:
                    cuts = [[[j, self.chance.randint(0, 1)] for j in self.chance.sample(range(jumps), min(jumps, 3))]]
                    tree = [["cut", 0], *tree]
                given = {"kind": "cases", "most": self.chance.randint(0, 9), "tree": tree, "cuts": cuts}
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
                            [[self.chance.randrange(len(holes)), self.chance.randint(-2, 2)] for _ in some],
                        ]
                    case 3:
                        tree[i] = self.chance.choice([["stuck"], ["cut", 0], ["split", 0, 0], ["sum", []]])
                    case _:
                        given["most"] = given.get("most", 0) + self.chance.choice([1, 2, -1])
        part["certificate"] = given
        self.keep(files, data)


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


# The campaign


@dataclass
class Outcome:
    """What a campaign found: how often each verdict was given, and what must not be."""

    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0


def verdict(files: Files, empty: str, follow: checker.Follow = checker.follow) -> tuple[str, Any]:
    """What the checker says of a folder that is in memory: accepted and what, rejected and why, or a traceback."""

    def pieces(path: str, name: str) -> Iterator[bytes]:
        del path
        if name not in files:
            raise checker.Rejected(f"{name}: cannot read the file")
        return iter([files[name]])

    before, checker.pieces = checker.pieces, pieces
    try:
        return "accepted", checker.Folder(empty).check(follow)
    except (checker.Rejected, checker.Unusable) as error:
        return "rejected", str(error)
    except (Exception, checker.Stopped) as error:  # noqa: BLE001
        return "traceback", repr(error)
    finally:
        checker.pieces = before


def stop(*_: object) -> None:
    raise checker.Stopped


def campaign(number: int, seed: int = 0, folders: int = 40) -> Outcome:
    """So many forgeries."""
    chance, outcome = random.Random(seed), Outcome()
    signal.signal(signal.SIGPROF, stop)
    with TemporaryDirectory() as made, TemporaryDirectory() as empty:
        true = true_folders(chance, Path(made), folders)
        for files in true:
            said, what = verdict(files, empty)
            if said != "accepted" or not is_true(what):
                outcome.wrong.append(f"a true folder is {said}: {what}")
        forger = Forger(chance, true)
        for _ in range(number):
            how, files = forger.forged()
            began = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            said, what = verdict(files, empty)
            signal.setitimer(signal.ITIMER_PROF, 0)
            outcome.slowest = max(outcome.slowest, time.process_time() - began)
            if said == "accepted" and not is_true(what):
                said = "false"
            if any(name.endswith(".lrat") for name in files) and verdict(files, empty, lrat.follow)[0] != said:
                outcome.wrong.append(f"{how}: compiled code differs")
            if said in ("false", "traceback"):
                outcome.wrong.append(f"{how}: {said}: {what} {files}")
            outcome.verdicts[said] += 1
            if said == "rejected":
                outcome.reasons["".join(c for c in str(what)[:40] if not c.isdigit())] += 1
    return outcome


def main() -> None:
    """Run a campaign, and say what it found."""
    number, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    began = time.process_time()
    outcome = campaign(number, seed)
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
