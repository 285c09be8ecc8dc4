"""The process that keeps runs within their limits: it forks a worker for each, and kills what is left of it."""

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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from mmap import mmap
from pathlib import Path
from typing import Any

import psutil

from pegcp.backends.program import has_ended
from pegcp.method import Pause
from pegcp.running.machine import MB
from pegcp.running.worker import work

_IDLE = 600.0  # seconds without a run after which a keeper ends
_TICK, _SHORTEST_TICK = 0.05, 0.001  # seconds between looks at the memory of a run: far from the limit, near it
_FASTEST_GROWTH = 1e10  # bytes per second that processes may allocate
_TIME_TO_STOP = 0.25  # seconds after the time limit in which the method may stop by itself, then TERM
_TIME_TO_TERMINATE = 0.4  # seconds between TERM and KILL
_TIME_TO_DIE = 5.0  # seconds to kill everything
_TAIL = 2000  # bytes at the end of standard error that are kept
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36
_CHILDREN_ARE_LISTED = os.path.exists("/proc/thread-self/children")


class Keeper:
    """Keeps one run after another, as the host orders them over standard input."""

    def __init__(self, host_pid: int, libraries: Sequence[str]) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(signum, signal.SIG_IGN)  # the host decides
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # the host may ignore its children
        _prctl(_SET_CHILD_SUBREAPER, 1)
        self.connection, self.host_end = socket.socket(fileno=os.dup(0)), _end_of(host_pid)
        self.channel = self.connection.fileno()
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        for library in libraries:
            with suppress(Exception):  # the run that needs it fails and says why
                importlib.import_module(library)
        gc.freeze()
        self.loading = time.process_time(), psutil.Process().memory_info().rss

    def serve(self) -> None:
        """Keep each run that is ordered, until the host hangs up, has ended, or orders none for long."""
        with self.connection.makefile("rb") as orders:
            while self.channel in select.select([self.channel, *self.host_end], [], [], _IDLE)[0]:
                line = orders.readline()
                if not line or not self.keep(json.loads(line)):
                    break
        self.connection.shutdown(socket.SHUT_RDWR)  # a process that cannot be killed may hold it, too

    def keep(self, order: Mapping[str, Any]) -> bool:
        """Fork the worker, watch it, kill all that is left, and tell the host how it ended. Return False if something
        cannot be killed."""
        self.order, self.stopped, self.tail, self.pause = order, "", b"", Pause()
        self.cpu_seconds, self.peak = self.loading  # count as the run's
        self.exit_code: int | None = None
        folder = os.stat(order["folder"])
        self.errors, errors = os.pipe()
        os.set_blocking(self.errors, False)
        self.compiling = mmap(-1, 1)  # the worker notes in this memory whether it compiles
        self.started = time.monotonic()
        if not (pid := os.fork()):
            os.setpgid(0, 0)
            _prctl(_SET_PDEATHSIG, signal.SIGKILL)
            work(order, self.channel, errors, self.started, self.compiling)
        self._send(b"\0s\n")
        self._watch(psutil.Process(pid))
        seconds = time.monotonic() - self.started
        is_gone = self._kill(pid)
        os.close(self.errors)
        os.close(errors)  # it was open until now, so that reading waits although the worker may have closed its own
        with suppress(OSError):  # the host has removed it, and another may have its name by now
            if os.path.samestat(folder, os.stat(order["folder"])):
                shutil.rmtree(order["folder"], ignore_errors=True)
        how = {"stopped": self.stopped, "exit_code": self.exit_code, "stderr": self.tail.decode("utf-8", "replace")}
        used = {"wall_seconds": seconds, "cpu_seconds": self.cpu_seconds, "peak_memory_mb": self.peak / MB}
        # The null byte says that the worker may not have ended its last line.
        self._send(b"\0\n\0e" + json.dumps(how | used).encode() + b"\n")
        return is_gone

    def _watch(self, worker: psutil.Process) -> None:
        """Wait until the worker ends or reaches a limit, or the host hangs up or has ended."""
        next_look, term, worker_end = self.started + _TICK / 2, 0.0, _end_of(worker.pid)
        inputs = [self.errors, self.channel, *self.host_end, *worker_end]
        while not (self.stopped or has_ended(worker)):
            now = time.monotonic()
            if now >= next_look:
                next_look = now + self._measure()
                self.pause.turn(on=bool(self.compiling[0]))
            pause = min(self.pause.seconds, self.order["pause"])
            deadline = term or self.started + self.order["seconds"] + pause + _TIME_TO_STOP
            if now >= deadline and term:
                break
            if now >= deadline:
                deadline = term = now + _TIME_TO_TERMINATE
                _signal(signal.SIGTERM)
            ready, _, _ = select.select(inputs, [], [], max(0.001, min(next_look, deadline) - now))
            if not {self.channel, *self.host_end}.isdisjoint(ready):
                self.stopped = "INTERRUPTED"
            self._read_errors()
        self.stopped = self.stopped or ("TIME" if term else "")
        for descriptor in worker_end:
            os.close(descriptor)

    def _send(self, data: bytes) -> None:
        with suppress(OSError):  # the host has hung up
            self.connection.sendall(data)

    def _read_errors(self) -> bool:
        with suppress(BlockingIOError):
            data = os.read(self.errors, 1 << 16)
            self.tail = (self.tail + data)[-_TAIL:]
            return bool(data)
        return False

    def _measure(self) -> float:
        """Measure the memory of the run and stop it above its limit; return the seconds until the next look."""
        sizes, limit = _sizes(), float(self.order["memory"])
        used, is_suspect = sum(sizes), sum(sizes) > limit
        if len(sizes) > 1 and used > min(self.peak, limit):  # count pages that processes share once: takes milliseconds
            if is_suspect:
                _signal(signal.SIGSTOP)  # nothing must grow meanwhile
            used = max(*sizes, sum(_sizes(proportional=True)))
            if is_suspect:
                _signal(signal.SIGCONT)
        self.peak = max(self.peak, used)
        self.stopped = "MEMORY" if used > limit else self.stopped
        return min(_TICK, max(_SHORTEST_TICK, (limit - used) / _FASTEST_GROWTH))

    def _kill(self, worker: int) -> bool:
        """Kill and reap all that is left of the run. Return False if something does not die."""
        with suppress(OSError):
            os.killpg(worker, signal.SIGKILL)  # it has not been reaped: the number is its own
        deadline = time.monotonic() + _TIME_TO_DIE
        while time.monotonic() < deadline:
            _signal(signal.SIGKILL)
            while self._read_errors():
                pass
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if not pid:
                time.sleep(0.001)
                continue
            self.cpu_seconds += used.ru_utime + used.ru_stime
            self.peak = max(self.peak, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
            if pid == worker:
                self.exit_code = os.waitstatus_to_exitcode(status)
        return False


def _end_of(pid: int) -> list[int]:
    """Return a descriptor that can be read when a process has ended, where the system has such."""
    with suppress(AttributeError, OSError):
        return [os.pidfd_open(pid)]
    return []


def _signal(signum: signal.Signals) -> None:
    """Send a signal to all processes of the run."""
    for pid in _descendants():
        with suppress(OSError):
            os.kill(pid, signum)


def _sizes(*, proportional: bool = False) -> list[int]:
    """Return the bytes of each process of the run; ``proportional``: a page that n processes share counts as 1/n, where
    Linux tells."""
    sizes = []
    for pid in _descendants():
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            resident = process.memory_info().rss
            sizes.append(getattr(process.memory_full_info(), "pss", resident) if proportional else resident)
    return sizes


def _descendants() -> list[int]:
    """Return the numbers of all processes under this one."""
    if not _CHILDREN_ARE_LISTED:  # psutil looks at all processes, which takes longer
        return [child.pid for child in psutil.Process().children(recursive=True)]
    pids = [os.getpid()]
    for pid in pids:
        with suppress(OSError):  # it has ended
            for task in os.listdir(f"/proc/{pid}/task"):
                pids += map(int, Path(f"/proc/{pid}/task/{task}/children").read_bytes().split())
    return pids[1:]


def _prctl(option: int, value: int) -> None:
    """Set a property of this process that only Linux has."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
