"""Checking a proof folder: :mod:`pegcp.proofs.checker` does it, in a process of its own that has limits.

A folder that claims what a second run finds (:mod:`pegcp.proofs.exhaustion`) is no proof: here its run is done.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from pegcp.errors import InputError, InvalidProof, InvalidSolution
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.replay import check as check_solution
from pegcp.method import Evidence, Limits, Run
from pegcp.proofs import checker
from pegcp.proofs.exhaustion import fewest
from pegcp.theory import certificates

LIMITS = Limits(60.0, 2000.0)
VERIFIED = Path(__file__).parents[2] / "formal" / "check"  # which formal/build makes in a checkout
MEASURES = {  # of which a second run finds the least
    "jumps": Objective.FEWEST_JUMPS,
    "moves": Objective.FEWEST_MOVES,
    "pegs": Objective.FEWEST_PEGS,
    "distance": Objective.NEAREST,
}


@dataclass(frozen=True)
class Claim:
    """What a folder shows: that there is no solution, or that no solution has less than ``least`` of the ``measure``.

    The measures are jumps, moves, parallel steps and rounds, the pegs that are left, and the distance from a soft goal.
    ``jumps``: a solution with the least, None if there is none in the folder. ``evidence``: proof, or rerun.
    """

    problem: Problem
    measure: str | None
    least: int
    jumps: tuple[Jump, ...] | None
    says: str
    evidence: Evidence

    def __str__(self) -> str:
        return self.says


def check(folder: Path, problem: Problem | None = None, limits: Limits = LIMITS, cnf: Path | None = None) -> Claim:
    """What a folder shows, of the given problem if there is one; ``cnf``: where to write the formula.

    Raises InvalidProof, saying what is wrong first; InputError if there is no such folder; TimeoutError or MemoryError
    when it takes more than the limits.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", source=str(folder))
    if _reruns(folder):
        return _rerun(folder, problem, limits)
    compiled = any(file.stat().st_size > certificates.LONG for file in folder.glob("*.lrat"))
    options = [] if cnf is None else ["--cnf", str(cnf.absolute())]
    found = json.loads(certificates.checker(folder, limits, "--json", *options, compiled=compiled))
    about = _asked_for(folder, found["problem"], problem)
    jumps = None if found.get("solution") is None else tuple(read_solution(about, json.dumps(found["solution"])))
    measure = None if found["type"] == "infeasible" else found["type"]
    return Claim(about, measure, found.get("least", 0), jumps, found["says"], Evidence.PROOF)


def check_verified(folder: Path, limits: Limits = LIMITS) -> None:
    """Ask the checker that is extracted from Coq (formal/) whether it accepts a folder, too.

    Raises InvalidProof if it does not; InputError if it was not built, or does not check such folders; TimeoutError or
    MemoryError when it takes more than the limits.
    """
    if not VERIFIED.is_file():
        raise InputError("the verified checker is not there; in a checkout, with coq and ocaml, formal/build makes it")
    limited = ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(int((limits.memory or 2000) * 1024))]
    limited += [str(VERIFIED), str(folder)]
    try:
        done = subprocess.run(
            limited, capture_output=True, text=True, errors="replace", timeout=limits.time, check=False
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"the verified checker takes more than {limits.time:g} s") from None
    said = done.stdout.strip()
    if "memory" in done.stderr or done.returncode == 3:
        raise MemoryError(f"the verified checker takes more than {limits.memory or 2000:g} MB")
    if done.returncode == 4:
        raise InvalidProof(f"the verified checker: {said.removeprefix('rejected: ')}")
    if done.returncode != 0:
        raise InputError(f"the verified checker: {said or 'it failed'}", source=str(folder))


def _asked_for(folder: Path, text: str, wanted: Problem | None) -> Problem:
    """The problem of a canonical text, which must be the one that is asked for, if one is. Otherwise it is called as
    the folder is: what the folder says about names may be wrong. Raises InvalidProof."""
    if wanted is not None and text != wanted.text:
        raise InvalidProof(f"problem.toml: another problem than {wanted.name}")
    return wanted or read_problem(text, source="problem.toml", name=folder.resolve().name)


def _reruns(folder: Path) -> bool:
    """Whether a folder claims what a second run finds. Whatever is wrong with it otherwise, the checker says."""
    try:
        claim = checker.parsed("claim.json", checker.contents(str(folder), "claim.json"))["claim"]
        return bool(claim["type"] == "rerun")
    except (checker.Rejected, KeyError, TypeError):
        return False


def _rerun(folder: Path, wanted: Problem | None, limits: Limits) -> Claim:
    """Make all positions once more, and compare what they say with what the folder says."""
    try:
        data = checker.parsed("claim.json", checker.contents(str(folder), "claim.json"))
        given = checker.fields("claim.json", data, "format claim", "solution about")
        claim = checker.fields("the claim", given["claim"], "type", "of least")
        problem = _asked_for(folder, checker.contents(str(folder), "problem.toml").decode(), wanted)
        jumps = None
        if given.get("solution") is not None:
            jumps = tuple(read_solution(problem, json.dumps(given["solution"]), "claim.json"))
            check_solution(problem, jumps)
        of, least = claim.get("of"), claim.get("least", 0)
        checker.need(of is not None or (jumps is None and "least" not in claim), "claim.json: it says too much")
        if of is not None:
            checker.whole("claim.json: the bound", least, 0, checker.MOST_HOLES**2)
            checker.need(of in MEASURES, f"claim.json: a second run does not find the fewest {checker.shown(of)}")
            measured = replace(problem, objective=MEASURES[of])  # which says whether there is a goal to be near to
            worth = least if jumps is None else measured.value(jumps)
            checker.need(worth == least, f"claim.json: the solution has {worth} {of}, the claim says {least}")
    except (checker.Rejected, InvalidSolution, InputError, ValueError, TypeError) as error:
        raise InvalidProof(str(error)) from None
    found = fewest(problem, Run(limits)) if of is None or least else None
    if of is None:
        if found is not None:
            raise InvalidProof("a second run finds a solution")
        return Claim(problem, None, 0, None, "a second run finds no solution either", Evidence.RERUN)
    if found is not None and least > found[of]:
        raise InvalidProof(f"a second run finds {found[of]} {of}, the claim says {least}")
    what = "the distance of the nearest end" if of == "distance" else f"the fewest {of}"
    says = f"a second run finds, too: {what} {'is' if of == 'distance' else 'are'}"
    return Claim(problem, of, least, jumps, f"{says}{'' if jumps else ' at least'} {least}", Evidence.RERUN)
