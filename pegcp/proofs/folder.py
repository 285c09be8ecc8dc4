"""Proof folders: what is in one, and how a stranger checks it, without any solver.

``manifest.json`` says what is claimed and by which parts it is shown, and has the size and the SHA-256 of each file.

    problem.toml       the canonical text of the problem
    certificate.json   evidence that needs no search (:mod:`pegcp.theory.certificates`), also for a bound
    levels.json        all positions, level by level, in numbers and hashes (:mod:`pegcp.proofs.exhaustion`)
    formula*.cnf       clauses that a solution would satisfy, in DIMACS format, with the names of the variables
    proof*.lrat        a proof that the clauses have no solution (:mod:`pegcp.proofs.lrat`)
    solution.json       a solution, where an optimum is claimed

Nothing in a folder is believed: names that lead out of it, links, files of another size or hash, and other versions of
the format are refused.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from pegcp import plain
from pegcp.errors import InputError, InvalidProof, InvalidSolution
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump, grouped, in_steps
from pegcp.game.check import check as replay
from pegcp.game.goal import Nearest, Objective, OnePeg
from pegcp.game.problem import Problem
from pegcp.proofs import reading
from pegcp.proofs.exhaustion import repeated
from pegcp.proofs.lrat import Checker
from pegcp.theory.certificates import verify, verify_bound

FORMAT = 1
MANIFEST = "manifest.json"
MEASURES = ("jumps", "moves", "steps", "rounds", "pegs", "distance")  # what a claim can say the least number of
_NAME = re.compile(r"[a-z][a-z0-9.-]{0,60}", re.ASCII)
_LARGEST = {"json": 20_000_000, "toml": 5_000_000, "cnf": 100_000_000, "lrat": 8_000_000_000}
_PIECE = 1 << 20


@dataclass(frozen=True)
class Claim:
    """What a folder shows: that there is no solution, or that no solution has less than ``least`` of the ``measure``.

    The measures are jumps, moves, parallel steps and rounds, the pegs that are left, and the distance from a soft goal.
    ``jumps``: the solution in the folder, None if there is none. ``order``: that of the jumps in a round.
    """

    problem: Problem
    measure: str | None = None
    least: int = 0
    jumps: tuple[Jump, ...] | None = None
    order: tuple[Jump, ...] = ()

    @property
    def optimal(self) -> bool:
        """Whether the solution in the folder has no more of the measure than the least."""
        if self.jumps is None:
            return False
        match self.measure:
            case "jumps":
                found = len(self.jumps)
            case "moves":
                found = len(grouped(self.jumps))
            case "steps":
                found = len(in_steps(self.jumps))
            case "rounds":
                found = rounds(self.jumps, self.order)
            case "pegs":
                found = len(self.problem.start) - len(self.jumps)
            case "distance":
                assert isinstance(self.problem.goal, Nearest)
                found = self.problem.goal.distance(self.problem.start.after(*self.jumps).mask)
            case _:
                return False
        return found == self.least

    def __str__(self) -> str:
        if self.measure is None:
            return "there is no solution"
        if self.measure == "distance":
            least = "" if self.optimal else " at least"
            return f"the nearest end is at a distance of {self.least}{least}"
        if self.optimal:
            return f"the fewest {self.measure} are {self.least}"
        verb = "leaves" if self.measure == "pegs" else "has"
        return f"every solution {verb} at least {self.least} {self.measure}"


def check(folder: Path, problem: Problem | None = None) -> Claim:
    """What a proof folder proves, of the given problem if there is one. Raises InvalidProof, saying what is wrong
    first; InputError if there is no such folder."""
    if not folder.is_dir():
        raise InputError("there is no such folder", source=str(folder))
    try:
        return _Folder(folder).claim(problem)
    except InvalidSolution as error:
        raise InvalidProof(f"solution.json: {error}") from None
    except (InputError, TypeError, ValueError, KeyError) as error:
        told = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise InvalidProof(told if isinstance(error, InputError) else f"{MANIFEST}: {told}") from None


class _Folder:
    """An opened folder, its manifest read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        data = b"".join(self.pieces(MANIFEST))
        self.manifest = plain.mapping(MANIFEST, plain.parse(data))
        if self.manifest.get("format") != FORMAT:
            shown = plain.shown(self.manifest.get("format"))
            raise InvalidProof(f"{MANIFEST}: the folder has format {shown}, this version of pegcp reads {FORMAT}")
        self.files = plain.mapping("files", self.manifest["files"])

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of a file, which must be a regular file in the folder, and not too large. Raises InvalidProof."""
        largest = _LARGEST.get(name.rpartition(".")[2])
        if not _NAME.fullmatch(name) or largest is None:
            raise InvalidProof(f"{plain.shown(name)} is no name of a file in a proof folder")
        try:
            handle = os.open(self.folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise InvalidProof(f"{name}: cannot read the file: {error.strerror}") from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise InvalidProof(f"{name}: not a regular file")
        with open(handle, "rb") as file:
            size = 0
            while piece := file.read(_PIECE):
                size += len(piece)
                if size > largest:
                    raise InvalidProof(f"{name}: larger than {largest:,} bytes")
                yield piece

    def sealed(self, name: str) -> Iterator[bytes]:
        """The bytes of a file of which the manifest has the size and the hash. Raises InvalidProof at the end."""
        digest, size = sha256(), 0
        for piece in self.pieces(name):
            digest.update(piece)
            size += len(piece)
            yield piece
        seal = plain.mapping(f"the seal of {name}", self.files.get(name))
        if size != seal["bytes"]:
            raise InvalidProof(f"{name}: {size:,} bytes, the manifest says {plain.shown(seal['bytes'])}")
        if digest.hexdigest() != seal["sha256"]:
            raise InvalidProof(f"{name}: its SHA-256 is not that of the manifest")

    def text(self, name: Any) -> str:
        """The text of a file."""
        return b"".join(self.sealed(plain.text("file", name))).decode("utf-8")

    def claim(self, wanted: Problem | None) -> Claim:
        """The claim, everything checked."""
        problem = read_problem(self.text("problem.toml"), source="problem.toml", name="problem.toml")
        for of, fingerprint in (("the manifest", self.manifest["fingerprint"]), ("the problem asked for", wanted)):
            if isinstance(fingerprint, Problem):
                fingerprint = fingerprint.fingerprint
            if fingerprint not in (None, problem.fingerprint):
                fault = f"its fingerprint is {problem.fingerprint}, that of {of} is {fingerprint}"
                raise InvalidProof(f"problem.toml: another problem: {fault}")
        measure, least = self._claimed()
        if measure == "distance" and not isinstance(problem.goal, Nearest):
            raise InvalidProof(f"{MANIFEST}: a distance, and no goal to be near to")
        parts = self.manifest["parts"]
        if not isinstance(parts, list):
            raise InvalidProof(f"{MANIFEST}: parts must be a list")
        order = self._order(problem) if measure == "rounds" else ()
        open_ = _values(problem, measure, least)
        for part in parts:
            open_ -= self._refuted(problem, measure, least, order, plain.mapping("part", part))
        if open_:
            left = {
                None: "there is no solution",
                "pegs": f"no solution leaves only {min(open_)}",
                "distance": f"no end is at a distance of {min(open_)}",
            }.get(measure, f"{min(open_)} {measure} are not enough")
            raise InvalidProof(f"{MANIFEST}: no part shows that {left}")
        return Claim(problem, measure, least, self._solution(problem, measure), order)

    def _claimed(self) -> tuple[str | None, int]:
        claim = plain.mapping("claim", self.manifest["claim"])
        if claim["kind"] == "infeasible":
            return None, 0
        if claim["kind"] != "least" or claim["of"] not in MEASURES:
            raise InvalidProof(f"{MANIFEST}: unknown claim")
        return claim["of"], plain.whole("number", claim["number"])

    def _order(self, problem: Problem) -> tuple[Jump, ...]:
        """The order of the jumps in a round, which is a part of the claim: each jump of the board once."""
        known = {" ".join(problem.board.jump_names(jump)): jump for jump in problem.board.jumps}
        names = self.manifest["claim"].get("order")
        if not isinstance(names, list) or sorted(map(str, names)) != sorted(known):
            raise InvalidProof(f"{MANIFEST}: the order of a round must have each jump of the board once")
        return tuple(known[name] for name in names)

    def _solution(self, problem: Problem, measure: str | None) -> tuple[Jump, ...] | None:
        if "solution.json" not in self.files:
            return None
        if measure is None:
            raise InvalidProof(f"{MANIFEST}: a solution, and that there is none")
        jumps = read_solution(problem, self.text("solution.json"), "solution.json")
        replay(problem, jumps)
        return tuple(jumps)

    def _refuted(
        self, problem: Problem, measure: str | None, least: int, order: tuple[Jump, ...], part: Mapping[str, Any]
    ) -> set[int]:
        """The values that a part shows to be impossible. Raises InvalidProof if it is wrong."""
        if part["kind"] in ("certificate", "bound"):
            data = plain.mapping(part["file"], plain.parse(self.text(part["file"])))
            try:
                if part["kind"] == "bound":
                    return set(range(verify_bound(problem, data))) if measure == "jumps" else set()
                flaw = verify(one_peg(problem) if measure == "pegs" else problem, data)
            except InputError as error:
                raise InvalidProof(f"{part['file']}: {error.message}") from None
            if flaw:
                raise InvalidProof(f"{part['file']}: {flaw}")
            return {1} if measure == "pegs" else _values(problem, measure, least)
        if part["kind"] == "exhaustion":
            return self._search(problem, measure, least, part["file"])
        if part["kind"] != "clauses":
            raise InvalidProof(f"{MANIFEST}: there is no kind of part {plain.shown(part['kind'])}")
        horizon = plain.whole("horizon", part["horizon"], most=10_000)
        if part["model"] == "sat-rounds" and not order:
            raise InvalidProof(f"{MANIFEST}: a formula of rounds, and the claim is not about rounds")
        self._follow(problem, part, horizon, order)
        match part["model"], measure:
            case "sat-fools", "jumps":
                return {horizon}
            case ("sat-parallel", "steps") | ("sat-rounds", "rounds"):
                return set(range(horizon + 1))
            case (
                "sat-moves",
                None,
            ):  # each of its steps makes a jump, unless solutions can have different numbers of them
                return {0} if horizon == max(problem.jump_counts, default=-1) else set()
            case "sat-parallel", None:
                return {0} if horizon >= max(problem.jump_counts, default=0) else set()
            case _:
                return set()

    def _search(self, problem: Problem, measure: str | None, least: int, name: str) -> set[int]:
        """Make all levels once more, and compare them with those of a file."""
        try:
            fewest = repeated(problem, plain.parse(self.text(name)))
        except (InputError, InvalidProof) as error:
            raise InvalidProof(f"{name}: {error}") from None
        if fewest is None:
            return _values(problem, measure, least)
        return set(range(fewest[measure])) if measure in fewest else set()

    def _follow(self, problem: Problem, part: Mapping[str, Any], horizon: int, order: tuple[Jump, ...]) -> None:
        """Read the formula of a part, compare it with the second reading, and follow its proof."""
        model, options = part["model"], plain.mapping("options", part["options"])
        known = reading.MODELS.get(model, ())
        if sorted(options) != sorted(known) or not all(type(value) is bool for value in options.values()):
            raise InvalidProof(f"{MANIFEST}: the options of {plain.shown(model)} must be {', '.join(known) or 'none'}")
        formula, proof = plain.text("formula", part["formula"]), plain.text("proof", part["proof"])
        wanted = reading.clauses(problem, model, horizon, options, order)
        clauses, variables = read_formula(self.text(formula), formula, wanted)
        checker = Checker(clauses, variables)
        try:
            for piece in self.sealed(proof):
                checker.feed(piece)
            checker.finish()
        except InvalidProof as error:
            raise InvalidProof(f"{proof}: {str(error).removeprefix(f'{proof}: ')}") from None


def _values(problem: Problem, measure: str | None, least: int) -> set[int]:
    """The values below the least, all of which must be shown to be impossible; without a measure there is one, 0."""
    if measure is None:
        return {0}
    counts = problem.jump_counts if measure == "jumps" else range(least)
    if measure == "steps" and problem.jump_counts:
        counts = range(min(least, problem.jump_counts[-1] + 1))
    if measure == "pegs":
        counts = range(len(problem.start) - max(problem.jump_counts, default=0), least)
    return {value for value in counts if value < least}


def rounds(jumps: Iterable[Jump], order: Sequence[Jump]) -> int:
    """How many rounds through all jumps in this order it takes to make some of them, one after the other."""
    places = [order.index(jump) for jump in jumps]
    return sum(place <= before for before, place in pairwise([len(order), *places]))


def one_peg(problem: Problem) -> Problem:
    """The same problem with the goal to leave one peg; if it has no solution, every solution leaves two at least."""
    return replace(problem, goal=OnePeg(), objective=Objective.ANY)


def read_formula(text: str, source: str, wanted: set[reading.Named]) -> tuple[list[list[int]], int]:
    """The clauses of a formula in DIMACS format, each of which must be one of the wanted ones, and how many variables
    there are. Raises InvalidProof with the line."""
    names: dict[int, str] = {}
    clauses: list[list[int]] = []
    variables = 0

    def fault(number: int, message: str) -> InvalidProof:
        return InvalidProof(f"{source}:{number}: {message}")

    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.startswith("c "):
                _, variable, name = line.split(" ", 2)
                names[int(variable)] = name
            elif line.startswith("p "):
                _, _, given, _ = line.split()
                variables = plain.whole("variables", int(given), most=10_000_000)
            elif line:
                *literals, end = map(int, line.split())
                if end or not all(0 < abs(literal) <= variables for literal in literals):
                    raise ValueError
                clauses.append(literals)
                named = frozenset(names[x] if x > 0 else f"-{names[-x]}" for x in literals)
                if named not in wanted:
                    told = " or ".join(sorted(named, key=lambda name: name.lstrip("-"))[:8]) or "the empty clause"
                    raise fault(number, f"the problem does not say that {told}")
        except ValueError:
            raise fault(number, "not a line of a formula in DIMACS format") from None
        except KeyError as error:
            raise fault(number, f"the variable {error} has no name") from None
    return clauses, variables
