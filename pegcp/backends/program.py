"""Start programs on files: planners, and solvers by their command lines."""

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
from typing import TYPE_CHECKING

from pegcp.errors import Missing
from pegcp.method import Run

if TYPE_CHECKING:  # searches need no psutil
    import psutil

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
    """Run a program and end all that it started; return its exit code and the last ``most`` characters it printed.

    The exit code is None if it was stopped after so many seconds. What it prints goes to the file ``log`` and to
    standard output, and line by line to the run, if that asks for it; ``look`` is called now and then. Raises Missing
    if the program cannot be started.
    """
    import psutil

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
    program = psutil.Process(process.pid)
    ended = False
    try:
        deadline, pause = time.monotonic() + seconds, 0.001
        while not (ended := has_ended(program)) and time.monotonic() < deadline:
            time.sleep(pause)
            pause = min(2 * pause, _LOOK_EVERY)
            look()
    finally:
        # Solvers that MiniZinc starts are in process groups of their own; and the program may have left some in its
        # group. It is reaped last: until then its number, which is that of the group, is no other's.
        descendants = [] if ended else _descendants(program)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for descendant in descendants:
            with suppress(psutil.Error):
                descendant.kill()
        process.wait()
        reader.join(2)
    return process.returncode if ended else None, "".join(tail)


def has_ended(process: psutil.Process) -> bool:
    """Tell whether a process has ended, reaped or not; a new process with its number does not count."""
    import psutil

    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    import psutil

    with suppress(psutil.Error):
        return process.children(recursive=True)
    return []


def failure(code: int, log: str) -> str:
    """Describe how a program failed, with its last line."""
    ended = f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}" if code else "exit code 0"
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "it printed nothing")
    return f"({ended}): {last[:200]}"
