"""The processes that the host does not see: a server, which forks a keeper for each run, which forks the worker."""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import psutil

from pegcp.backends.program import has_ended
from pegcp.method import Pause
from pegcp.running.machine import MB
from pegcp.running.worker import work

_IDLE = 600.0  # seconds without a run after which a server ends
_LOOK_EVERY = 0.5  # seconds between looks of a server at its keepers and at whether the host has ended
_TICK, _SHORTEST_TICK = 0.05, 0.001  # seconds between looks at the memory of a run: far from the limit, near it
_FASTEST_GROWTH = 1e10  # bytes per second that processes may allocate
_TIME_TO_STOP = 0.25  # seconds after the time limit in which the method may stop by itself, then TERM
_TIME_TO_TERMINATE = 0.4  # seconds between TERM and KILL
_TIME_TO_DIE = 5.0  # seconds to kill everything
_TAIL = 2000  # bytes at the end of standard error that are kept
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36
_CHILDREN_ARE_LISTED = os.path.exists("/proc/thread-self/children")


def serve(host_pid: int, libraries: Sequence[str]) -> None:
    """Load libraries; then fork a keeper for each connection that the host sends over standard input, until the host
    hangs up or has ended."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)  # the host decides
    host, control = psutil.Process(host_pid), socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    _prctl(_SET_CHILD_SUBREAPER, 1)  # what a killed keeper leaves becomes a child of this process
    for library in libraries:
        with suppress(Exception):  # the run that needs it fails and says why
            importlib.import_module(library)
    gc.freeze()
    loading = time.process_time(), psutil.Process().memory_info().rss
    inputs, keepers, latest = [control], set[int](), time.monotonic() + _IDLE
    while inputs or keepers:
        ready, _, _ = select.select(inputs, [], [], _LOOK_EVERY)
        with suppress(ChildProcessError):
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                keepers.discard(pid)
        for orphan in set(_children(os.getpid())) - keepers:
            _signal([orphan, *_descendants(orphan)], signal.SIGKILL)
        if has_ended(host) or (time.monotonic() > latest and not keepers):
            inputs = []
        elif ready:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            latest = time.monotonic() + _IDLE
            if not message:
                inputs = []
            elif pid := os.fork():
                keepers.add(pid)
                os.close(descriptors[0])
            else:
                try:
                    control.close()
                    Keeper(socket.socket(fileno=descriptors[0]), host, *loading).keep()
                finally:
                    os._exit(0)


class Keeper:
    """Keeps one run. ``cpu_seconds`` and ``peak`` (bytes) begin with what loading the library took."""

    def __init__(self, connection: socket.socket, host: psutil.Process, cpu_seconds: float, peak: int) -> None:
        self.connection, self.host, self.cpu_seconds, self.peak = connection, host, cpu_seconds, peak
        self.stopped, self.tail, self.pause = "", b"", Pause()
        self.exit_code: int | None = None
        self.next_exact = 0.0  # when the memory that processes share is next counted once

    def keep(self) -> None:
        """Fork the worker that the host orders, watch it, kill all that is left, and tell the host how it ended."""
        _prctl(_SET_CHILD_SUBREAPER, 1)
        ends, wake = os.pipe()  # can be read when a child has ended
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self.connection.set_inheritable(False)
        with self.connection.makefile("rb") as file:
            self.order: dict[str, Any] = json.loads(file.readline())
        folder = os.stat(self.order["folder"])
        self.started = time.monotonic()
        self.errors, errors = os.pipe()
        os.set_blocking(self.errors, False)
        if not (pid := os.fork()):
            signal.set_wakeup_fd(-1)
            os.setpgid(0, 0)
            _prctl(_SET_PDEATHSIG, signal.SIGKILL)
            work(self.order, self.connection.detach(), errors, self.started)
        self.worker = psutil.Process(pid)
        self._send(b"\0s\n")
        self._watch(ends)
        seconds = time.monotonic() - self.started
        self._kill()
        with suppress(OSError):  # the host has removed it, and another may have its name by now
            if os.path.samestat(folder, os.stat(self.order["folder"])):
                shutil.rmtree(self.order["folder"], ignore_errors=True)
        how = {"stopped": self.stopped, "exit_code": self.exit_code, "stderr": self.tail.decode("utf-8", "replace")}
        used = {"wall_seconds": seconds, "cpu_seconds": self.cpu_seconds, "peak_memory_mb": self.peak / MB}
        # The null byte says that the worker may not have ended its last line.
        self._send(b"\0\n\0e" + json.dumps(how | used).encode() + b"\n")

    def _watch(self, ends: int) -> None:
        """Wait until the worker ends or reaches a limit, or the host hangs up or has ended."""
        next_look, term, ended = self.started + _TICK / 2, 0.0, False
        while not (self.stopped or ended):
            now = time.monotonic()
            if now >= next_look:
                next_look = now + self._measure()
                self.stopped = self.stopped or ("INTERRUPTED" if has_ended(self.host) else "")
            pause = min(self.pause.seconds, self.order["pause"])
            deadline = term or self.started + self.order["seconds"] + pause + _TIME_TO_STOP
            if now >= deadline and term:
                break
            if now >= deadline:
                deadline = term = now + _TIME_TO_TERMINATE
                _signal(_descendants(os.getpid()), signal.SIGTERM)
            wait = max(0.001, min(next_look, deadline) - now)
            ready, _, _ = select.select([ends, self.connection.fileno(), self.errors], [], [], wait)
            if self.connection.fileno() in ready:
                self._receive()
            if ends in ready:
                os.read(ends, 4096)
                ended = has_ended(self.worker)
            self._read_errors()
        self.stopped = self.stopped or ("TIME" if term else "")

    def _send(self, data: bytes) -> None:
        with suppress(OSError):  # the host has hung up
            self.connection.sendall(data)

    def _receive(self) -> None:
        """Stop or start the clock as the host says ("+" or "-"); end the run if it has hung up."""
        data = b""
        with suppress(OSError):
            data = self.connection.recv(1)
        if data:
            self.pause.turn(on=data == b"+")
        else:
            self.stopped = "INTERRUPTED"

    def _read_errors(self) -> bool:
        with suppress(BlockingIOError):
            data = os.read(self.errors, 1 << 16)
            self.tail = (self.tail + data)[-_TAIL:]
            return bool(data)
        return False

    def _measure(self) -> float:
        """Measure the memory of the run and kill it above its limit; return the seconds until the next look."""
        sizes = _sizes()
        used, limit, now = sum(sizes), float(self.order["memory"]), time.monotonic()
        is_suspect = used > limit
        if is_suspect:  # nothing must grow while pages that processes share are counted once: that takes milliseconds
            _signal(_descendants(os.getpid()), signal.SIGSTOP)
        if len(sizes) > 1 and (is_suspect or (used > self.peak and now >= self.next_exact)):
            used, self.next_exact = max(*sizes, sum(_sizes(proportional=True))), now + _TICK
            self.peak = max(self.peak, used)
        elif len(sizes) == 1:
            self.peak = max(self.peak, used)
        if used > limit:
            self.stopped = "MEMORY"
        elif is_suspect:
            _signal(_descendants(os.getpid()), signal.SIGCONT)
        return min(_TICK, max(_SHORTEST_TICK, (limit - used) / _FASTEST_GROWTH))

    def _kill(self) -> None:
        """Kill and reap all that is left of the run."""
        with suppress(OSError):
            os.killpg(self.worker.pid, signal.SIGKILL)  # the worker has not been reaped: the number is its own
        deadline = time.monotonic() + _TIME_TO_DIE
        with suppress(ChildProcessError):  # none is left
            while time.monotonic() < deadline:
                _signal(_descendants(os.getpid()), signal.SIGKILL)
                pid, status, used = os.wait4(-1, os.WNOHANG)
                if not pid:
                    time.sleep(0.001)
                    continue
                self.cpu_seconds += used.ru_utime + used.ru_stime
                self.peak = max(self.peak, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
                if pid == self.worker.pid:
                    self.exit_code = os.waitstatus_to_exitcode(status)
        while self._read_errors():
            pass


def _children(pid: int) -> list[int]:
    children = list[int]()
    with suppress(OSError, psutil.Error):
        if not _CHILDREN_ARE_LISTED:  # psutil looks at all processes, which takes longer
            return [child.pid for child in psutil.Process(pid).children()]
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                children += map(int, file.read().split())
    return children


def _descendants(pid: int) -> list[int]:
    pids = _children(pid)
    for child in pids:
        pids += _children(child)
    return pids


def _signal(pids: Iterable[int], signum: signal.Signals) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signum)


def _sizes(*, proportional: bool = False) -> list[int]:
    """Return the bytes of each process under this one; ``proportional``: a page that n processes share counts as 1/n,
    where Linux tells."""
    sizes = []
    for pid in _descendants(os.getpid()):
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            resident = process.memory_info().rss
            sizes.append(getattr(process.memory_full_info(), "pss", resident) if proportional else resident)
    return sizes


def _prctl(option: int, value: int) -> None:
    """Set a property of this process that only Linux has."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
