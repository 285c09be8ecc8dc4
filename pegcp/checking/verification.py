"""Verify certificates and proof folders: run the one-file checker, which alone decides, in a process of its own."""

import json
import re
import runpy
import subprocess
import threading
import time
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from pegcp import machine
from pegcp.errors import InputError, InvalidProof, clipped, refuse_if
from pegcp.formats.files import open_file, temporary_folder
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import read_problem
from pegcp.game import Jump, Problem
from pegcp.method import Limits, Reason, stopped
from pegcp.theory import certificates

CHECKER = Path(__file__).with_name("checker.py")  # a program that pegcp runs
VERIFIED = Path(__file__).parents[2] / "formal" / "check"  # made by formal/build in a checkout
_MEMORY_MB = 2000.0  # MB for a check, if the limits have none
CHECK_LIMITS = Limits(60.0, _MEMORY_MB)  # of the check of a folder
_WITH_NUMPY = Path(__file__).with_name("with_numpy.py")
_CLAIM_BYTES = 100_000  # bytes; the claim about a bound on moves is shorter
_QUICK_MOVES = 8  # moves: plain code checks such a bound in a second or so, on any board
_DELAY_SECONDS = 10.0  # seconds that the checker may take to start and to exit
_LOOK_EVERY = 0.1  # seconds between looks at whether the check is to be stopped
_MOST_FLAWS = 100  # that are remembered
_flaws: dict[tuple[str, str], str | None] = {}  # by problem and certificate: many lines of result files have the same


class Unverified(InputError):
    """An answer was not checked within the limits, or not at all; ``reason`` says why."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify(
    problem: Problem, certificate: certificates.Data, limits: Limits | None = None, stop: threading.Event | None = None
) -> str | None:
    """Check a certificate: return None if it proves that the problem has no solution, else its fault.

    The checker runs in a process of its own. Raises Unverified if it stops at the limits, or when ``stop`` is set.
    """
    try:
        parts = json.dumps([{"type": "certificate", "certificate": certificates.for_checker(problem, certificate)}])
    except (InputError, TypeError, ValueError, RecursionError) as error:
        return str(error)
    key = problem.text, parts
    if key not in _flaws:
        flaw = _flaw(*key, limits or Limits(), stop)
        while len(_flaws) >= _MOST_FLAWS:
            _flaws.pop(next(iter(_flaws)), None)
        _flaws[key] = flaw
    return _flaws[key]


def explain(problem: Problem, certificate: certificates.Data) -> str:
    """Verify a certificate, and explain why the problem has no solution, with the sets and weights drawn on the board.

    Raises InputError if the certificate is wrong, Unverified if the check takes too long.
    """
    flaw = verify(problem, certificate)
    refuse_if(flaw, f"the certificate is wrong: {flaw}")
    return certificates.explain(problem, certificate)


def _flaw(problem: str, parts: str, limits: Limits, stop: threading.Event | None) -> str | None:
    """Return the fault that the checker finds in a folder with these parts. Raises Unverified."""
    try:
        with temporary_folder("pegcp-check-") as folder:
            Path(folder, "problem.toml").write_text(problem, "utf-8", "surrogatepass")
            Path(folder, "claim.json").write_text(
                f'{{"format": 2, "claim": {{"type": "infeasible"}}, "parts": {parts}}}', "utf-8"
            )
            run_checker(Path(folder), limits, stop=stop)
            return None
    except InvalidProof as error:
        return str(error)
    except (TimeoutError, MemoryError) as error:
        was_interrupted = stop is not None and stop.is_set()
        reason, fault = Reason.INTERRUPTED if was_interrupted else stopped(error).reason, str(error)
    except InputError as error:
        reason, fault = Reason.ERROR, error.message
    except OSError as error:
        reason, fault = Reason.ERROR, error.strerror or str(error)
    raise Unverified(reason, f"the certificate was not checked: {fault}")


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


def verify_folder(
    folder: Path, problem: Problem | None = None, limits: Limits = CHECK_LIMITS, cnf: Path | None = None
) -> Claim:
    """Return the claim that a folder proves, about a certain problem if one is given.

    ``cnf``: a file to write the formula to. Raises InvalidProof, naming the first fault; InputError if there is no such
    folder; TimeoutError or MemoryError when it takes more than the limits.
    """
    refuse_if(not folder.is_dir(), "there is no such folder", folder)
    options = [] if cnf is None else ["--cnf", str(cnf.absolute())]
    verdict = json.loads(
        run_checker(folder, limits, "--json", *options, program=_WITH_NUMPY if _has_long_moves(folder) else CHECKER)
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


def _has_long_moves(folder: Path) -> bool:
    """Decide whether a bound on moves takes so long to check that loading numpy is worth while.

    This process looks at the first bytes of the claim; the checker, which has limits, parses it.
    """
    claim = b""
    with suppress(OSError), open_file(folder / "claim.json") as file:  # the checker reports any fault
        claim = file.read(_CLAIM_BYTES)
    moves = re.search(rb'"forward":\s*(\d{1,4}),\s*"backward":\s*(\d{1,4})\b', claim)
    return moves is not None and sum(map(int, moves.groups())) > _QUICK_MOVES


def check_verified(folder: Path, limits: Limits = CHECK_LIMITS) -> None:
    """Run the checker that is extracted from Coq (formal/) on a folder.

    Raises InvalidProof if it rejects the folder; InputError if it was not built, or does not check such folders;
    TimeoutError or MemoryError when it takes more than the limits.
    """
    refuse_if(
        not VERIFIED.is_file(),
        "the verified checker was not built: in a checkout, with coq and ocaml, run formal/build",
    )
    memory = _MEMORY_MB if limits.memory is None else limits.memory
    limit = ["sh", "-c", 'ulimit -v "$0" && exec "$@"', str(int(memory * 1024))]
    output, errors, status = run_program([*limit, str(VERIFIED), str(folder)], limits.time)
    answer = output.strip()
    if "memory" in errors or status == 3:
        raise MemoryError(f"the verified checker takes more than {memory:g} MB")
    if answer.startswith("rejected: "):  # where somebody else reaps children, the status is 0
        raise InvalidProof(f"the verified checker: {answer.removeprefix('rejected: ')}")
    refuse_if(
        status != 0 or not answer.startswith("proved: "), f"the verified checker: {answer or 'it failed'}", folder
    )


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
        raise InvalidProof(
            "problem.toml: this is not "
            + (f"the problem {expected.name}" if expected else "the canonical text of its problem, as pegcp reads it")
        )
    return problem


def run_checker(
    folder: Path, limits: Limits, *options: str, program: Path = CHECKER, stop: threading.Event | None = None
) -> str:
    """Run the one-file checker on a folder, in a process of its own, and return the verdict that it prints.

    ``program`` may be the checker with faster code for long bounds on moves. Raises InvalidProof with the first fault;
    TimeoutError or MemoryError at the limits; InputError if nothing can be checked. Only the words of the verdict
    count: a program may end with status 0 and without one.
    """
    memory = _MEMORY_MB if limits.memory is None else limits.memory
    arguments = [str(folder.absolute()), *options, "--time", f"{limits.time:g}", "--memory", f"{memory:g}"]
    without_packages = ["-S"] if program == CHECKER else []
    command = [machine.python(), "-I", *without_packages, str(program), *arguments]
    output, errors, status = _run_here(arguments) if machine.IN_BROWSER else run_program(command, limits.time, stop)
    verdict = output.rpartition("\n")[0].rpartition("\n")[2]  # only a line that was written to its end
    if status == 0 and verdict.startswith("{" if "--json" in options else "proved: "):
        return verdict
    match verdict.partition(": "):
        case "rejected", _, text:
            raise InvalidProof(text)
        case "stopped", _, text:
            raise MemoryError(text) if text.endswith("MB") else TimeoutError(text)
    if status < 0:
        raise TimeoutError(f"signal {-status} ended the check")
    fault = verdict or errors.strip().rpartition("\n")[2] or "the checker ended without a verdict"
    raise InputError(clipped(fault, 200), source=str(folder))


def _run_here(arguments: list[str]) -> tuple[str, str, int]:
    """Run the checker in this process, without limits: in a browser there are no others."""
    with redirect_stdout(StringIO()) as output:
        status = runpy.run_path(str(CHECKER))["main"](arguments)
    return output.getvalue(), "", status


def run_program(command: list[str], seconds: float, stop: threading.Event | None = None) -> tuple[str, str, int]:
    """Run a program: return its output, its errors and its status, which is 0 where somebody else reaps children.

    Raises TimeoutError when it takes more than these seconds, and does not stop by itself, or when ``stop`` is set.
    """
    deadline = time.monotonic() + seconds + _DELAY_SECONDS
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    except OSError as error:
        raise InputError(f"cannot run {command[0]}: {error.strerror}") from None
    with process:
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    return *process.communicate(timeout=_LOOK_EVERY), process.returncode
                if time.monotonic() > deadline or (stop is not None and stop.is_set()):
                    raise TimeoutError(f"it takes more than {seconds:g} s")
        finally:
            process.kill()
