"""Verify a proof folder: run :mod:`pegcp.checking.checker` in a process of its own, with limits."""

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pegcp.checking.verification import CHECKER, run_checker, run_program
from pegcp.errors import InputError, InvalidProof, there
from pegcp.formats.files import open_file
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import read_problem
from pegcp.game import Jump, Problem
from pegcp.method import Limits

LIMITS = Limits(60.0, 2000.0)
_COMPILED = Path(__file__).with_name("compiled.py")
_LONG_PROOF_BYTES = 1_000_000  # bytes of a proof for which loading compiled code is worth while
_CLAIM_BYTES = 100_000  # bytes; the claim about a bound on moves is shorter
_QUICK_MOVES = 8  # moves: plain code checks such a bound in a second or so, on any board
VERIFIED = Path(__file__).parents[2] / "formal" / "check"  # made by formal/build in a checkout


@dataclass(frozen=True)
class Claim:
    """A proved claim: there is no solution, or none with fewer than ``least`` of the ``measure``.

    Of the measure ``count`` there are exactly so many solutions. The others are jumps, moves, parallel steps, rounds,
    and the pegs that are left. ``jumps``: a solution with ``least`` of it, None if the folder has none.
    """

    problem: Problem
    measure: str | None
    least: int
    jumps: tuple[Jump, ...] | None
    says: str

    def __str__(self) -> str:
        return self.says


def check(folder: Path, problem: Problem | None = None, limits: Limits = LIMITS, cnf: Path | None = None) -> Claim:
    """Return the claim that a folder proves, about a certain problem if one is given.

    ``cnf``: a file to write the formula to. Raises InvalidProof, naming the first fault; InputError if there is no such
    folder; TimeoutError or MemoryError when it takes more than the limits.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", source=str(folder))
    options = [] if cnf is None else ["--cnf", str(cnf.absolute())]
    verdict = json.loads(
        run_checker(folder, limits, "--json", *options, program=_COMPILED if _is_long(folder) else CHECKER)
    )
    about = _read_alike(folder, verdict["problem"], problem)
    solution = verdict["solution"]
    return Claim(
        about,
        measure=None if verdict["type"] == "infeasible" else verdict["type"],
        least=verdict["least"],
        jumps=None if solution is None else tuple(read_solution(about, json.dumps(solution))),
        says=verdict["says"],
    )


def _is_long(folder: Path) -> bool:
    """Decide whether a folder takes so long to check that loading compiled code is worth while.

    This process looks at the sizes of files and the first bytes of the claim; the checker, which has limits, parses it.
    """
    claim = b""
    with suppress(OSError), open_file(folder / "claim.json") as file:  # the checker reports any fault
        claim = file.read(_CLAIM_BYTES)
    moves = re.search(rb'"forward":\s*(\d{1,4}),\s*"backward":\s*(\d{1,4})\b', claim)
    has_long_moves = moves is not None and sum(map(int, moves.groups())) > _QUICK_MOVES
    has_long_proof = any(file.lstat().st_size > _LONG_PROOF_BYTES for file in folder.glob("*.lrat"))
    return there("numba") and (has_long_moves or has_long_proof)


def check_verified(folder: Path, limits: Limits = LIMITS) -> None:
    """Run the checker that is extracted from Coq (formal/) on a folder.

    Raises InvalidProof if it rejects the folder; InputError if it was not built, or does not check such folders;
    TimeoutError or MemoryError when it takes more than the limits.
    """
    if not VERIFIED.is_file():
        raise InputError("the verified checker was not built: in a checkout, with coq and ocaml, run formal/build")
    memory = limits.memory or 2000  # MB
    limit = ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(int(memory * 1024))]
    output, errors, status = run_program([*limit, str(VERIFIED), str(folder)], limits.time)
    answer = output.strip()
    if "memory" in errors or status == 3:
        raise MemoryError(f"the verified checker takes more than {memory:g} MB")
    if answer.startswith("rejected: "):  # where somebody else reaps children, the status is 0
        raise InvalidProof(f"the verified checker: {answer.removeprefix('rejected: ')}")
    if status != 0 or not answer.startswith("proved: "):
        raise InputError(f"the verified checker: {answer or 'it failed'}", source=str(folder))


def _read_alike(folder: Path, text: str, expected: Problem | None) -> Problem:
    """Read the problem that the checker has read; it must be the expected one, if there is one.

    Two readers must agree: the canonical text of the problem that pegcp prints must be the text that the checker wrote.
    The problem gets the name of the folder, since names in the folder are not checked. Raises InvalidProof.
    """
    try:
        problem = expected or read_problem(text, source="problem.toml", name=folder.resolve().name)
    except InputError as error:
        raise InvalidProof(str(error)) from None
    if problem.text != text:
        other = "not the canonical text of its problem, as pegcp reads it"
        raise InvalidProof(f"problem.toml: {other if expected is None else f'another problem than {expected.name}'}")
    return problem
