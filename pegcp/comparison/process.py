"""Runs a request in a child process of its own and holds it to its limits, from outside, on its whole process tree."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from pegcp.errors import PegcpError
from pegcp.method import Limits, Reason

MB = 1_000_000  # bytes

_CHILD = Path(__file__).with_name("child.py")
_TICK = 0.25  # seconds between looks at a running tree
_TICK_WITH_MEMORY_LIMIT = 0.05
_SHORTEST_TICK = 0.001  # near the memory limit
_TIME_TO_STOP = 0.25  # seconds after the time limit in which the method may stop by itself, then TERM
_TIME_TO_TERMINATE = 0.4  # seconds between TERM and KILL
_TIME_TO_DIE = 5.0  # seconds for the guard to clean up
_FASTEST_GROWTH = 1e10  # bytes per second that a tree may allocate
_LARGEST_LOG = 16 * MB
_TAIL = 2000  # bytes of standard error that are kept

Progress = Mapping[str, Any]


@dataclass
class Outcome:
    """What became of a request.

    ``stopped`` says why it was stopped from outside (TIME, MEMORY, INTERRUPTED), None if it ended by itself;
    ``answer`` is the text it wrote, if any; ``progress`` everything it reported, later values over earlier ones;
    ``exit_code`` is that of the worker, negative for a signal, None if unknown. Seconds and MB are those of the whole
    process tree.
    """

    stopped: Reason | None = None
    answer: str | None = None
    progress: dict[str, Any] = field(default_factory=dict)
    exit_code: int | None = None
    stderr: str = ""
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_mb: float = 0.0


def contain(
    request: Mapping[str, Any],
    limits: Limits,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Run a request (see :mod:`pegcp.comparison.child`) within its limits; nothing of it is left when this returns.

    ``on_progress`` gets what the method reports; setting ``stop`` ends the run. A KeyboardInterrupt ends it as well and
    goes on. Raises PegcpError where processes cannot be contained (not a POSIX system) or not even be started.
    """
    if os.name != "posix":
        raise PegcpError("running methods in child processes needs Linux, macOS or another POSIX system")
    try:
        return _contain(request, limits, on_progress, stop)
    except OSError as error:
        raise PegcpError(f"cannot run a child process: {error.strerror or error}") from None


def _contain(
    request: Mapping[str, Any],
    limits: Limits,
    on_progress: Callable[[Progress], None] | None,
    stop: threading.Event | None,
) -> Outcome:
    folder = Path(tempfile.mkdtemp(prefix="pegcp-"))
    try:
        (folder / "work").mkdir()
        sys_path = [os.path.abspath(entry) for entry in sys.path]  # the child works in another folder
        (folder / "request.json").write_text(json.dumps({**request, "sys_path": sys_path}), "utf-8")
        return _Run(folder, limits, on_progress or (lambda _: None), stop or threading.Event()).outcome()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Run:
    """One child process, from its start to its end."""

    def __init__(
        self, folder: Path, limits: Limits, on_progress: Callable[[Progress], None], stop: threading.Event
    ) -> None:
        self.folder, self.limits, self.on_progress, self.stop = folder, limits, on_progress, stop
        self.result = Outcome()
        self.tree: set[psutil.Process] = set()
        self.peak = 0
        self.thorough = True  # the next measurement looks for shared pages
        self.progress_read = 0
        self.tails: dict[str, bytes] = {}

    def outcome(self) -> Outcome:
        ours, theirs = socket.socketpair()
        started = time.monotonic()
        with ours, open(self.folder / "stdout", "ab") as out, open(self.folder / "stderr", "ab") as err:
            with theirs:
                guard = subprocess.Popen(
                    [sys.executable, "-P", str(_CHILD), str(self.folder)],
                    stdin=theirs.fileno(), stdout=out, stderr=err,
                    cwd=self.folder / "work", env={**os.environ, "PYTHONHASHSEED": "0"}, start_new_session=True,
                )  # fmt: skip
            usage: bytes | None = None
            try:
                usage = self._watch(ours, psutil.Process(guard.pid), started)
            finally:
                if usage is None:
                    usage = self._end(ours)
                if not usage:  # the guard is dead or stuck
                    self._make_sure(guard)
            self.result.wall_seconds = time.monotonic() - started
            self._read_progress()
            self._collect(usage, guard.returncode)
            shutil.rmtree(self.folder, ignore_errors=True)
            with suppress(OSError):
                ours.shutdown(socket.SHUT_WR)  # the guard may go
                _receive(ours, _TIME_TO_DIE)
        self._make_sure(guard)
        return self.result

    def _watch(self, ours: socket.socket, guard: psutil.Process, started: float) -> bytes | None:
        """Wait until the guard reports the end (its report), or a limit is reached (None)."""
        deadline = started + self.limits.time + _TIME_TO_STOP
        next_look = 0.0
        while True:
            now = time.monotonic()
            if now >= next_look:
                next_look = now + (_TICK if self.limits.memory is None else _TICK_WITH_MEMORY_LIMIT)
                self._look(guard)
            pause = self._measure(next_look - now)
            if self.result.stopped is None and self.stop.is_set():
                self.result.stopped = Reason.INTERRUPTED
            if self.result.stopped is not None:
                return None
            if now >= deadline:
                self.result.stopped = Reason.TIME
                return self._terminate(ours, guard)
            report = _receive(ours, max(0.001, min(pause, deadline - now)))
            if report is not None:
                return report

    def _look(self, guard: psutil.Process) -> None:
        """Find the processes of the tree, read the progress, keep the logs small."""
        with suppress(psutil.Error):
            self.tree |= set(guard.children(recursive=True))
        self._read_progress()
        self.thorough = True
        for log in ("stdout", "stderr"):
            if (self.folder / log).stat().st_size > _LARGEST_LOG:
                self.tails[log] = self._tail(log)
                os.truncate(self.folder / log, 0)

    def _measure(self, pause: float) -> float:
        """Measure the memory of the tree; how long to wait for the next look, at most ``pause`` seconds."""
        self.tree |= {child for process in tuple(self.tree) for child in _children(process.pid) - self.tree}
        sizes = {}
        for process in tuple(self.tree):
            try:
                sizes[process] = process.memory_info().rss
            except psutil.Error:
                self.tree.discard(process)
        used = sum(sizes.values())
        limit = math.inf if self.limits.memory is None else self.limits.memory * MB
        suspect = used > limit
        if suspect:
            self._signal(signal.SIGSTOP)  # it must not grow while it is measured
        if suspect or (self.thorough and used > self.peak):  # pages shared between processes count once
            used = max(*sizes.values(), sum(_proportional(*item) for item in sizes.items()))
            self.peak = max(self.peak, used)
        self.thorough = False
        if self.limits.memory is None:
            return pause
        room = limit - used
        if room < 0:
            self.result.stopped = Reason.MEMORY
            self._signal(signal.SIGKILL)  # at once: asking politely, or by way of the guard, would let it grow on
        elif suspect:
            self._signal(signal.SIGCONT)
        return min(pause, max(_SHORTEST_TICK, room / _FASTEST_GROWTH))

    def _signal(self, signum: signal.Signals) -> None:
        for process in tuple(self.tree):
            with suppress(psutil.Error):
                process.send_signal(signum)

    def _terminate(self, ours: socket.socket, guard: psutil.Process) -> bytes | None:
        self._look(guard)
        self._signal(signal.SIGTERM)
        return _receive(ours, _TIME_TO_TERMINATE)

    def _end(self, ours: socket.socket) -> bytes | None:
        """Tell the guard to kill everything."""
        try:
            ours.sendall(b"!")
        except OSError:
            return None
        return _receive(ours, _TIME_TO_DIE)

    def _make_sure(self, guard: subprocess.Popen[bytes]) -> None:
        """Wait for the guard to end; kill what it may have left, should it have died itself."""
        try:
            guard.wait(_TIME_TO_DIE)
        except subprocess.TimeoutExpired:
            guard.kill()
            guard.wait()
        self._signal(signal.SIGKILL)

    def _read_progress(self) -> None:
        try:
            with open(self.folder / "progress.jsonl", "rb") as file:
                file.seek(self.progress_read)
                data = file.read()
        except OSError:
            return
        complete = data[: data.rfind(b"\n") + 1]
        self.progress_read += len(complete)
        for line in complete.splitlines():
            try:
                progress = json.loads(line)
            except ValueError:
                continue
            if isinstance(progress, dict):
                log = {"log": progress.pop("log")} if "log" in progress else {}
                self.result.progress.update(progress)
                self.on_progress(self.result.progress | log)

    def _collect(self, usage: bytes | None, guard_code: int | None) -> None:
        result = self.result
        try:
            report = json.loads(usage or b"")
            result.exit_code = report["status"]
            result.cpu_seconds = report["cpu_seconds"]
            self.peak = max(self.peak, report["largest_bytes"])
        except (ValueError, KeyError, TypeError):
            result.exit_code = guard_code or None
        result.peak_memory_mb = self.peak / MB
        try:
            result.answer = (self.folder / "answer.json").read_text("utf-8")
        except (OSError, ValueError):
            result.answer = None
        result.stderr = self._tail("stderr").decode("utf-8", "replace").strip()

    def _tail(self, log: str) -> bytes:
        """The last bytes that were written to a log."""
        with open(self.folder / log, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            return (self.tails.get(log, b"") + file.read())[-_TAIL:]


def _receive(ours: socket.socket, seconds: float) -> bytes | None:
    """The line that the guard says, nothing if it is dead; None if it says nothing within the time."""
    ours.settimeout(seconds)
    said = b""
    try:
        while not said.endswith(b"\n") and (part := ours.recv(4096)):
            said += part
    except TimeoutError:
        return None
    except OSError:
        pass
    return said


def _children(pid: int) -> set[psutil.Process]:
    """The children of a process, from where Linux lists them; quicker than a look at all processes."""
    found = set()
    with suppress(OSError, psutil.Error):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found |= {psutil.Process(int(child)) for child in (task / "children").read_text().split()}
    return found


def _proportional(process: psutil.Process, resident: int) -> int:
    """Bytes of a process, with each page shared by n processes counted as 1/n where the system can tell."""
    try:
        return getattr(process.memory_full_info(), "pss", resident)
    except psutil.Error:
        return resident
