"""Guards that are kept: what is slow to load is loaded once, and each run is forked from a process that has it.

A guard has loaded one library, never two, and only methods that need the library are given to it; there are as many as
runs go on at once. Another is started where the environment or the path of Python has changed, or where one has died.
What a run is told to have used is what a process of its own would have used: the processor time of loading is added to
its own, and its memory is at least what the loaded library takes.

Only Linux can fork safely from a process that has loaded much: elsewhere guards load nothing, and each run its own.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from pegcp.running import child

_CHILD = Path(child.__file__)
_MOST = 4  # guards that wait; the one that was idle longest goes first
_LOADING = 60.0  # seconds for a library to load
_FORKING = 2.0  # seconds for a fork, which takes milliseconds

WATCHED = threading.Lock()  # held while processes are started, or orphans looked for
OURS: set[int] = set()  # process numbers of the guards that this process has started

# Names of environment variables that libraries read when they are loaded; a worker gets all others anew.
_READ_WHEN_LOADED = re.compile("(PYTHON|LD_|LC_|LANG|OMP_|OPENBLAS_|MKL_|NUMBA_|MALLOC_|JAVA_|XDG_|HOME$|PATH$)")
_Key = tuple[tuple[str, ...], tuple[str, ...], frozenset[tuple[str, str]]]


class Guard:
    """A process that guards one run at a time: a child of this process. ``cpu_seconds`` and ``bytes``: of loading."""

    def __init__(self, key: _Key) -> None:
        self.key = key
        self.socket, theirs = socket.socketpair()
        modules, path, _ = key
        with theirs, WATCHED:
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(_CHILD), json.dumps(path), *modules],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                cwd="/", env=child.environment(), start_new_session=True,
            )  # fmt: skip
            OURS.add(self.process.pid)
        self.about = psutil.Process(self.process.pid)
        self.cpu_seconds, self.bytes = 0.0, 0

    def load(self) -> bool:
        """Wait until the modules are loaded; False if the process died of it, or takes too long."""
        self.socket.settimeout(_LOADING)
        try:
            used = json.loads(self.socket.recv(1000))
        except (OSError, ValueError):
            return False
        self.cpu_seconds, self.bytes = used["cpu_seconds"], int(used["bytes"])
        return True

    def start(self, folder: Path, descriptors: Sequence[int]) -> bool:
        """Start the run in a folder; False if this process is dead, or somebody has stopped it.

        ``descriptors``: standard error, the files for progress, answer, last report.
        """
        self.socket.settimeout(_FORKING)
        try:
            socket.send_fds(self.socket, [os.fsencode(folder)], descriptors)
            return self.socket.recv(1) == b"."
        except OSError:
            return False

    def close(self) -> None:
        """End the process."""
        self.socket.close()
        self.process.kill()
        self.process.wait()
        OURS.discard(self.process.pid)


_idle: list[Guard] = []  # the one that was used last is the last
_choosing = threading.Lock()


@contextmanager
def guarded(modules: Sequence[str], folder: Path, descriptors: Sequence[int]) -> Iterator[Guard]:
    """The guard of a run in a folder, which it has started; kept for other runs unless it is dead in the end. Raises
    OSError where no process can be started."""
    path = tuple(os.path.abspath(entry) for entry in sys.path)
    read = frozenset(item for item in os.environ.items() if _READ_WHEN_LOADED.match(item[0]))
    key = (tuple(modules) if sys.platform == "linux" else (), path, read)
    for _ in range(_MOST + 2):  # those that are idle may all be dead
        guard = _loaded(key)
        if guard.start(folder, descriptors):
            break
        guard.close()
    else:
        raise OSError("no guard can fork a worker")
    try:
        yield guard
    finally:
        if guard.process.poll() is None:
            with _choosing:
                _idle.append(guard)
                dropped = [_idle.pop(0) for _ in _idle[_MOST:]]
        else:
            dropped = [guard]
        for one in dropped:
            one.close()


def _loaded(key: _Key) -> Guard:
    """A guard that is idle, or a new one; one that has loaded nothing where loading ends it."""
    with _choosing:
        for guard in reversed(_idle):
            if guard.key == key:
                _idle.remove(guard)
                return guard
    guard = Guard(key)
    if guard.load():
        return guard
    guard.close()
    guard = Guard(((), *key[1:]))
    guard.load()
    return guard


def kept() -> set[int]:
    """The process numbers of the guards that wait for a run."""
    return {guard.process.pid for guard in _idle}


@atexit.register
def _end() -> None:
    while _idle:
        _idle.pop().close()


os.register_at_fork(after_in_child=_idle.clear)
