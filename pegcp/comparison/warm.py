"""Warm processes: what is slow to load is loaded once, and each run is forked from a process that has it.

There is one such process for each library, never two libraries in one, and only methods that need the library are
forked from its process. It is started anew where the environment or the path of Python has changed, or where it has
died. What a run is told to have used is what a process of its own would have used: the processor time of loading is
added to its own, and its memory is at least what the loaded library takes.

Only on Linux: there the process that asked becomes the parent of what a grandchild leaves behind. Elsewhere each run
starts in a new process.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from pegcp.comparison import child

_CHILD = Path(child.__file__)
_MOST = 4  # warm processes at a time; the one that was idle longest goes first
_LOADING = 60.0  # seconds for a library to load
_FORKING = 2.0  # seconds for a fork, which takes milliseconds

WATCHED = threading.Lock()  # held while processes are started, or orphans looked for
OURS: set[int] = set()  # process numbers of the guards and warm processes that this process has started

# Names of environment variables that libraries read when they are loaded; a guard gets all others anew.
_READ_WHEN_LOADED = re.compile("(PYTHON|LD_|LC_|LANG|OMP_|OPENBLAS_|MKL_|NUMBA_|MALLOC_|JAVA_|XDG_|HOME$|PATH$)")
_Key = tuple[tuple[str, ...], tuple[str, ...], frozenset[tuple[str, str]]]


@dataclass
class Guard:
    """The process that guards a run: a child of this process. ``cpu_seconds`` and ``bytes``: of what was warm."""

    process: psutil.Process
    cpu_seconds: float = 0.0
    bytes: int = 0
    returncode: int | None = None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end; whether it has ended."""
        with suppress(psutil.TimeoutExpired):
            self.returncode = self.process.wait(seconds) or 0  # None where somebody else has waited for it
        return self.returncode is not None


class _Warm:
    """A process that has loaded some modules."""

    def __init__(self, modules: Sequence[str], path: Sequence[str]) -> None:
        self.lock = threading.Lock()
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(_CHILD), json.dumps(path), *modules, "-"],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                cwd="/", env=child.environment(), start_new_session=True,
            )  # fmt: skip
        OURS.add(self.process.pid)
        self.used: dict[str, float] | None = None

    def load(self) -> bool:
        """Wait until the modules are loaded; False if the process died of it, or takes too long."""
        with self.lock:
            if self.used is None:
                self.control.settimeout(_LOADING)
                try:
                    self.used = json.loads(self.control.recv(1000))
                except (OSError, ValueError):
                    return False
        return True

    def fork(self, folder: Path, descriptors: Sequence[int]) -> Guard | None:
        """A guard for the run in a folder; None if this process is dead."""
        assert self.used is not None
        with self.lock:
            try:
                self.control.settimeout(_FORKING)
                socket.send_fds(self.control, [os.fsencode(folder)], descriptors)
                process = psutil.Process(int(self.control.recv(20)))
            except (OSError, ValueError, psutil.Error):
                self.process.kill()  # somebody has stopped it, or worse
                return None
        return Guard(process, self.used["cpu_seconds"], int(self.used["bytes"]))

    def close(self) -> None:
        """End the process."""
        self.control.close()
        self.process.kill()
        self.process.wait()
        OURS.discard(self.process.pid)


_processes: dict[_Key, _Warm] = {}  # the one that was used last is the last
_choosing = threading.Lock()


def prepare(modules: Sequence[str]) -> _Warm | None:
    """A process that has loaded the modules; None where there is none."""
    if sys.platform != "linux":
        return None
    path = tuple(os.path.abspath(entry) for entry in sys.path)
    read = frozenset(item for item in os.environ.items() if _READ_WHEN_LOADED.match(item[0]))
    key = (tuple(modules), path, read)
    with _choosing:
        warm = _processes.pop(key, None)
        if warm is not None and warm.process.poll() is not None:
            warm.close()
            warm = None
        if warm is None:
            while len(_processes) >= _MOST:
                _processes.pop(next(iter(_processes))).close()
            with WATCHED:
                warm = _Warm(modules, path)
        _processes[key] = warm
    return warm if warm.load() else None


def start(warm: _Warm | None, folder: Path, descriptors: Sequence[int]) -> Guard:
    """Start the guard of the run in a folder, warm if possible.

    ``descriptors``: its socket, standard output, standard error, the files for progress, answer, last report.
    """
    with WATCHED:
        guard = None if warm is None else warm.fork(folder, descriptors)
        if guard is None:
            stdin, stdout, stderr, *said = descriptors
            process = subprocess.Popen(
                [sys.executable, "-P", str(_CHILD), str(folder), *map(str, said)],
                stdin=stdin, stdout=stdout, stderr=stderr, pass_fds=said,
                cwd=folder / "work", env=child.environment(), start_new_session=True,
            )  # fmt: skip
            process.returncode = 0  # it is waited for by its number
            guard = Guard(psutil.Process(process.pid))
        OURS.add(guard.process.pid)
    return guard


def kept() -> set[int]:
    """The process numbers of the processes that are kept warm."""
    return {warm.process.pid for warm in _processes.values()}


@atexit.register
def _end() -> None:
    while _processes:
        _processes.popitem()[1].close()


os.register_at_fork(after_in_child=_processes.clear)
