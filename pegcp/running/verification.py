"""Run the one-file checker, which alone decides whether a certificate or a proof folder is right."""

import json
import runpy
import subprocess
import sys
from contextlib import redirect_stdout
from functools import lru_cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pegcp.errors import InputError, InvalidProof, clipped
from pegcp.game.problem import Problem
from pegcp.method import IN_BROWSER, Limits, Reason
from pegcp.theory import certificates
from pegcp.theory.certificates import Data, for_checker

PROGRAMS = Path(__file__).parent.parent / "proofs"  # the folder of the checker, which pegcp runs but never imports
_MEMORY = 2000.0  # MB for a check, if the limits have none
LONG = 1_000_000  # bytes of a proof for which loading compiled code is worth while
_LATE = 10.0  # seconds that the checker may take to start and to exit


class Unchecked(InputError):
    """An answer was not checked within the limits, or not at all; ``reason`` says why."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def verify(problem: Problem, certificate: Data, limits: Limits | None = None) -> str | None:
    """Check a certificate: return None if it proves that the problem has no solution, else its fault.

    The checker runs in a process of its own. Raises Unchecked if it stops at the limits.
    """
    try:
        tree = for_checker(problem, certificate)
    except InputError as error:
        return str(error)
    try:
        text = json.dumps([{"type": "certificate", "certificate": tree}])
    except (TypeError, ValueError, RecursionError) as error:
        return str(error)
    return _flaw(problem.text, text, limits or Limits())


def explain(problem: Problem, certificate: Data) -> str:
    """Verify a certificate, and explain why the problem has no solution, with the sets and weights drawn on the board.

    Raises InputError if the certificate is wrong, Unchecked if the check takes too long.
    """
    flaw = verify(problem, certificate)
    if flaw:
        raise InputError(f"the certificate is wrong: {flaw}")
    return certificates.explain(problem, certificate)


@lru_cache(maxsize=100)
def _flaw(problem: str, parts: str, limits: Limits) -> str | None:
    """The fault that the checker finds in a folder with these parts; lines of a result file often have the same."""
    with TemporaryDirectory() as folder:
        Path(folder, "problem.toml").write_text(problem, "utf-8", "surrogatepass")
        claim = f'{{"format": 2, "claim": {{"type": "infeasible"}}, "parts": {parts}}}'
        Path(folder, "claim.json").write_text(claim, "utf-8")
        try:
            run_checker(Path(folder), limits)
        except InvalidProof as error:
            return str(error)
        except (TimeoutError, MemoryError) as error:
            reason = Reason.MEMORY if isinstance(error, MemoryError) else Reason.TIME
            raise Unchecked(reason, f"the certificate was not checked: {error}") from None
        except InputError as error:
            raise Unchecked(Reason.ERROR, f"the certificate was not checked: {error.message}") from None
    return None


def run_checker(folder: Path, limits: Limits, *options: str, compiled: bool = False) -> str:
    """Run the one-file checker on a folder, in a process of its own, and return the verdict that it prints.

    ``compiled``: use compiled code for refutations. Raises InvalidProof with the first fault; TimeoutError or
    MemoryError at the limits; InputError if nothing can be checked.
    """
    program = [str(PROGRAMS / "compiled.py")] if compiled else ["-S", str(PROGRAMS / "checker.py")]
    memory = _MEMORY if limits.memory is None else limits.memory
    command = [sys.executable, "-I", *program, str(folder.absolute()), *options]
    command += ["--time", f"{limits.time:g}", "--memory", f"{memory:g}"]
    try:
        process = _run_command(command, limits.time + _LATE)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"it takes more than {limits.time:g} s") from None
    verdict = (process.stdout.strip() or process.stderr.strip()).rpartition("\n")[2]
    match process.returncode:
        case 0:
            return verdict
        case 4:
            raise InvalidProof(verdict.removeprefix("rejected: "))
        case 3 if verdict.endswith("MB"):
            raise MemoryError(verdict.removeprefix("stopped: "))
        case status if status == 3 or status < 0:
            raise TimeoutError(verdict.removeprefix("stopped: ") or f"signal {-status} ended the check")
        case _:
            raise InputError(clipped(verdict, 200), source=str(folder))


def _run_command(command: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
    """Run the checker. In a browser there are no processes: there it runs in this one, without limits."""
    if not IN_BROWSER:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    main = runpy.run_path(str(PROGRAMS / "checker.py"))["main"]
    with redirect_stdout(StringIO()) as output:
        status = main(command[4:])
    return subprocess.CompletedProcess(command, status, output.getvalue(), "")
