"""Programs that pegcp starts on files: planners, and solvers by their command lines."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil

from pegcp.errors import Missing
from pegcp.method import Run

MOST = 400_000  # characters at the end of what a planner prints that are looked at
_LOOK_EVERY = 0.05  # seconds
_LINE = 1 << 16  # characters that are read at once of a line that does not end


def execute(
    command: list[str],
    run: Run,
    seconds: float,
    log: str,
    most: int = MOST,
    look: Callable[[], None] = lambda: None,
) -> tuple[int | None, str]:
    """Exit code (None: stopped after so many seconds, with all that it started) and the end of what it printed.

    All of that goes to the file ``log`` and to standard output, and line by line to the run, if it asks; ``look`` is
    called now and then. Raises Missing if the program cannot be started.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        )
    except OSError as error:
        raise Missing(f'cannot start "{command[0]}": {error.strerror or error}') from None
    tail: list[str] = []

    def copy() -> None:
        assert process.stdout is not None
        kept = 0
        with Path(log).open("w", encoding="utf-8") as file:
            for line in iter(partial(process.stdout.readline, _LINE), ""):
                file.write(line)
                file.flush()
                sys.stdout.write(line)
                if run.log:
                    run.report({"log": line.rstrip("\n")})
                tail.append(line)
                kept += len(line)
                while kept > most and len(tail) > 1:
                    kept -= len(tail.pop(0))
        sys.stdout.flush()

    reader = threading.Thread(target=copy, daemon=True)
    reader.start()
    code: int | None = None
    try:
        deadline = time.monotonic() + seconds
        while code is None and time.monotonic() < deadline:
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(min(_LOOK_EVERY, max(0.0, deadline - time.monotonic())))
            look()
    finally:
        # MiniZinc starts solvers in process groups of their own.
        started = _descendants(process.pid) if code is None else []
        # Also what the program left running behind it.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for descendant in started:
            with suppress(psutil.Error):
                descendant.kill()
        process.wait()
        reader.join(2)
    return code, "".join(tail)


def _descendants(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def failure(code: int, log: str) -> str:
    """How a program failed, with its last line."""
    ended = f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}" if code else "exit code 0"
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "it printed nothing")
    return f"({ended}): {last[:200]}"
