"""Run the one-file checker, which alone decides whether a certificate or a proof folder is right."""

import json
import runpy
import subprocess
import threading
import time
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

from pegcp import machine
from pegcp.errors import InputError, InvalidProof, clipped
from pegcp.formats.files import temporary_folder
from pegcp.game import Problem
from pegcp.method import Limits, Reason, stopped
from pegcp.theory import certificates
from pegcp.theory.certificates import Data, for_checker

CHECKER = Path(__file__).with_name("checker.py")  # a program that pegcp runs
_MEMORY_MB = 2000.0  # MB for a check, if the limits have none
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
    problem: Problem, certificate: Data, limits: Limits | None = None, stop: threading.Event | None = None
) -> str | None:
    """Check a certificate: return None if it proves that the problem has no solution, else its fault.

    The checker runs in a process of its own. Raises Unverified if it stops at the limits, or when ``stop`` is set.
    """
    try:
        parts = json.dumps([{"type": "certificate", "certificate": for_checker(problem, certificate)}])
    except (InputError, TypeError, ValueError, RecursionError) as error:
        return str(error)
    key = problem.text, parts
    if key not in _flaws:
        flaw = _flaw(*key, limits or Limits(), stop)
        while len(_flaws) >= _MOST_FLAWS:
            _flaws.pop(next(iter(_flaws)), None)
        _flaws[key] = flaw
    return _flaws[key]


def explain(problem: Problem, certificate: Data) -> str:
    """Verify a certificate, and explain why the problem has no solution, with the sets and weights drawn on the board.

    Raises InputError if the certificate is wrong, Unverified if the check takes too long.
    """
    flaw = verify(problem, certificate)
    if flaw:
        raise InputError(f"the certificate is wrong: {flaw}")
    return certificates.explain(problem, certificate)


def _flaw(problem: str, parts: str, limits: Limits, stop: threading.Event | None) -> str | None:
    """Return the fault that the checker finds in a folder with these parts. Raises Unverified."""
    try:
        with temporary_folder("pegcp-check-") as folder:
            Path(folder, "problem.toml").write_text(problem, "utf-8", "surrogatepass")
            claim = f'{{"format": 2, "claim": {{"type": "infeasible"}}, "parts": {parts}}}'
            Path(folder, "claim.json").write_text(claim, "utf-8")
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


def run_checker(
    folder: Path, limits: Limits, *options: str, program: Path = CHECKER, stop: threading.Event | None = None
) -> str:
    """Run the one-file checker on a folder, in a process of its own, and return the verdict that it prints.

    ``program`` may be the checker with faster code for long work. Raises InvalidProof with the first fault;
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
