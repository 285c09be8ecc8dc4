"""The process that keeps runs within their limits: it forks a worker for each, and kills what is left of it."""

import ctypes
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, islice
from math import inf
from mmap import mmap
from pathlib import Path

import psutil

from pegcp.backends.program import has_ended
from pegcp.catalogue.methods import bundled
from pegcp.machine import MB, process_descriptor
from pegcp.method import Pause, Reason
from pegcp.running.messages import Alive, Ended, Message, MessageReader, Request, decode, encode
from pegcp.running.worker import work

_IDLE_SECONDS = 600.0  # seconds without a run after which a keeper ends
_TICK, _SHORTEST_TICK = 0.05, 0.001  # seconds between looks at the memory of a run: far from the limit, near it
_FASTEST_GROWTH = 1e10  # bytes per second that processes may allocate
_BEAT_SECONDS = 10.0  # after which the host hears that the run goes on
_TIME_TO_WRITE = 2.0  # seconds after the time limit for a list of solutions
_TIME_TO_STOP = 0.25  # seconds after the time limit in which the method may stop by itself, then TERM
_TIME_TO_TERMINATE = 0.4  # seconds between TERM and KILL
_TIME_TO_DIE = 5.0  # seconds to kill everything
_ENDLESS_PROCESSES = 20  # processes that end between two looks, from which on they may be endless
_MOST_MEASURED = 500  # processes of which the memory is measured
_MOST_GENERATIONS = 50  # generations that are looked at together
_TAIL_BYTES = 2000  # bytes at the end of standard error that are kept
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36
_CHILDREN_ARE_LISTED = os.path.exists("/proc/thread-self/children")


class Keeper:
    """Keeps one run after another, as the host sends them over standard input; workers report over ``channel``."""

    def __init__(self, host: int, channel: int, modules: Sequence[str]) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(signum, signal.SIG_IGN)  # the host decides
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # the host may ignore its children
        _prctl(_SET_CHILD_SUBREAPER, 1)
        self.control, self.channel = socket.socket(fileno=os.dup(0)), channel
        self.host, self.inputs = psutil.Process(host), [self.control.fileno(), *process_descriptor(host)]
        os.set_inheritable(channel, False)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        for module in modules:
            with suppress(Exception):  # the run that needs it fails and says why
                importlib.import_module(module)
        gc.freeze()
        self.loading = time.process_time(), psutil.Process().memory_info().rss

    def serve(self) -> None:
        """Keep each run that is requested, until the host hangs up, has ended, or requests none for long."""
        requests = MessageReader()
        with self.control:
            while self.inputs[0] in select.select(self.inputs, [], [], _IDLE_SECONDS)[0]:
                data = self.control.recv(1 << 20)
                if not data or not all(self.keep(decode(request)) for request in requests.add(data)):
                    break
            self.control.shutdown(socket.SHUT_RDWR)
        with suppress(AttributeError, OSError):  # there was no run, or the host had removed its folder
            if has_ended(self.host) and os.path.samestat(self.folder, os.stat(self.request.folder)):
                shutil.rmtree(self.request.folder, ignore_errors=True)

    def keep(self, request: Request) -> bool:
        """Fork the worker, watch it, kill all that is left, and tell the host how it ended. Return False if something
        cannot be killed."""
        self.request, self.tail, self.pause = request, b"", Pause()
        self.stop_reason: Reason | None = None
        self.cpu_seconds, self.peak = self.loading  # count as the run's
        self.exit_code: int | None = None
        self.is_flooded = False  # by processes that end
        self.folder = os.stat(request.folder)
        self.errors, errors = os.pipe()
        os.set_blocking(self.errors, False)
        self.compiling = mmap(-1, 1)  # the worker notes in this memory whether it compiles
        with suppress(Exception):  # the worker says what is wrong with the method
            bundled().get(request.method.partition(":")[0])  # is read once, not by each worker
        self.start = time.monotonic()
        self.worker = os.fork()
        if not self.worker:
            self.control.close()  # else what it starts would hold it
            os.setpgid(0, 0)
            _prctl(_SET_PDEATHSIG, signal.SIGKILL)
            work(request, self.channel, errors, self.start, partial(self.compiling.__setitem__, 0))
        self._send(Alive(os.getpid()))
        self._watch()
        seconds = time.monotonic() - self.start
        survivors = self._kill()
        os.close(self.errors)
        os.close(errors)  # it was open until now, so that reading waits although the worker may have closed its own
        figures = seconds, self.cpu_seconds, self.peak / MB
        self._send(Ended(self.stop_reason, self.exit_code, self.tail.decode("utf-8", "replace"), *figures, survivors))
        return not survivors

    def _watch(self) -> None:
        """Wait until the worker ends or reaches a limit, or the host hangs up or has ended. Reap orphans meanwhile."""
        next_look, next_beat, term = self.start + _TICK / 2, self.start + _BEAT_SECONDS, 0.0
        worker_end = process_descriptor(self.worker)
        time_to_end = (_TIME_TO_WRITE if self.request.wishes.listing else 0.0) + _TIME_TO_STOP
        inputs = [self.errors, *self.inputs, *worker_end]
        while not (self.stop_reason or self._worker_has_ended()):
            now = time.monotonic()
            if now >= next_look and not self.is_flooded:
                next_look = now + self._measure()
                self.pause.turn(on=bool(self.compiling[0]))
            if now >= next_beat:
                next_beat = now + _BEAT_SECONDS
                self._send(Alive(os.getpid()), socket.MSG_DONTWAIT)  # a host that was stopped does not read
            pause = min(self.pause.seconds, self.request.pause)
            deadline = term or self.start + self.request.limits.time + pause + time_to_end
            if now >= deadline and term:
                break
            if now >= deadline:
                deadline = term = now + _TIME_TO_TERMINATE
                if not self.is_flooded:
                    _signal(signal.SIGTERM)
            ready, _, _ = select.select(inputs, [], [], max(0.001, min(next_look, deadline) - now))
            if not set(self.inputs).isdisjoint(ready):
                self.stop_reason = Reason.INTERRUPTED
            self._read_errors()
        self.stop_reason = self.stop_reason or (Reason.TIME if term else None)
        for descriptor in worker_end:
            os.close(descriptor)

    def _worker_has_ended(self) -> bool:
        """Reap the orphans of the run that have ended. The worker is left: its number stays its own."""
        if not hasattr(os, "waitid"):  # no subreaper either: there are no orphans
            return has_ended(psutil.Process(self.worker))
        return self._reap_orphans(lambda group: os.setpriority(os.PRIO_PGRP, group, 19), sparing=self.worker)

    def _reap_orphans(self, treat: Callable[[int], object], sparing: int = 0) -> bool:
        """Reap processes that have ended, for a moment; return True at the one to spare. If they end as fast as they
        are reaped, treat their groups: as long as a process has not been reaped, the number of its group is its own."""
        groups, until = {os.getpgrp(), sparing}, time.monotonic() + _TICK
        for number in count():
            process = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            self.is_flooded = time.monotonic() > until  # to list the others would take seconds
            if process is None or process.si_pid == sparing or self.is_flooded:
                return process is not None and process.si_pid == sparing
            if number >= _ENDLESS_PROCESSES and (group := os.getpgid(process.si_pid)) not in groups:
                groups.add(group)
                with suppress(OSError):
                    treat(group)
            self._reap(process.si_pid)
        return False

    def _reap(self, pid: int) -> bool:
        """Reap this child, or any (-1); return False if none has ended. Raises ChildProcessError if there is none."""
        pid, status, usage = os.wait4(pid, os.WNOHANG)
        if pid:
            self.cpu_seconds += usage.ru_utime + usage.ru_stime
            self.peak = max(self.peak, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
        if pid == self.worker:
            self.exit_code = os.waitstatus_to_exitcode(status)
        return pid > 0

    def _send(self, message: Message, flags: int = 0) -> None:
        with suppress(OSError):  # the host has hung up
            self.control.sendall(encode(message), flags)

    def _read_errors(self) -> bool:
        with suppress(BlockingIOError):
            data = os.read(self.errors, 1 << 16)
            self.tail = (self.tail + data)[-_TAIL_BYTES:]
            return bool(data)
        return False

    def _measure(self) -> float:
        """Measure the memory of the run and stop it above its limit; return the seconds until the next look."""
        sizes, limit = _sizes(), (self.request.limits.memory or inf) * MB
        memory, is_suspect = sum(sizes), sum(sizes) > limit
        if len(sizes) > 1 and memory > min(
            self.peak, limit
        ):  # count pages that processes share once: takes milliseconds
            if is_suspect:
                _signal(signal.SIGSTOP)  # nothing must grow meanwhile
            memory = max(*sizes, sum(_sizes(proportional=True)))
            if is_suspect:
                _signal(signal.SIGCONT)
        self.peak = max(self.peak, memory)
        self.stop_reason = Reason.MEMORY if memory > limit else self.stop_reason
        return min(_TICK, max(_SHORTEST_TICK, (limit - memory) / _FASTEST_GROWTH))

    def _kill(self) -> int:
        """Kill and reap all that is left of the run; return the number of processes that do not die in time."""
        with suppress(OSError):
            os.killpg(self.worker, signal.SIGKILL)  # it has not been reaped: the number is its own
        deadline = time.monotonic() + _TIME_TO_DIE
        while time.monotonic() < deadline:
            try:
                if hasattr(os, "waitid"):
                    self._reap_orphans(lambda group: os.killpg(group, signal.SIGKILL))
                while not hasattr(os, "waitid") and self._reap(-1):
                    pass
            except ChildProcessError:
                while self._read_errors():  # the last words, however soon the worker ended after them
                    pass
                return 0
            if not self.is_flooded:
                _signal(signal.SIGKILL)
            time.sleep(0.001)
        return sum(1 for _ in _descendants())


def _signal(signum: signal.Signals) -> None:
    """Send a signal to all processes of the run. Nobody else reaps a child of the keeper, so its number, and that of
    its group, are no other's; any other process is held by a descriptor."""
    groups = {os.getpgrp()}
    for pid, parent in _descendants():
        with suppress(OSError, psutil.Error):
            if parent == os.getpid():
                if signum == signal.SIGKILL and (group := os.getpgid(pid)) not in groups:
                    groups.add(group)
                    os.killpg(group, signum)  # at once: some may fork and end faster than they are listed
                os.kill(pid, signum)
                continue
            descriptors = process_descriptor(pid)
            is_ours = psutil.Process(pid).ppid() in (parent, os.getpid())
            if is_ours and not descriptors:
                os.kill(pid, signum)
            for descriptor in descriptors:
                with open(descriptor, "rb"), suppress(OSError):
                    signal.pidfd_send_signal(descriptor, signum if is_ours else 0)


def _sizes(*, proportional: bool = False) -> list[int]:
    """Return the bytes of each process of the run; ``proportional``: a page that n processes share counts as 1/n, where
    Linux tells."""
    sizes = []
    for pid, _ in islice(_descendants(), _MOST_MEASURED):
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            resident = process.memory_info().rss
            sizes.append(getattr(process.memory_full_info(), "pss", resident) if proportional else resident)
    return sizes


def _descendants() -> Iterator[tuple[int, int]]:
    """Yield the numbers of all processes under this one, each with that of its parent, as soon as they are listed."""
    if not _CHILDREN_ARE_LISTED:  # psutil looks at all processes, which takes longer
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                yield child.pid, child.ppid()
        return
    level = [os.getpid()]
    for _ in range(_MOST_GENERATIONS):  # processes that fork and end at once have no last descendant
        parents, level = level, []
        for parent in parents:
            with suppress(OSError):  # it has ended
                for task in os.listdir(f"/proc/{parent}/task"):
                    children = [*map(int, Path(f"/proc/{parent}/task/{task}/children").read_bytes().split())]
                    level += children
                    yield from ((pid, parent) for pid in children)


def _prctl(option: int, value: int) -> None:
    """Set a property of this process that only Linux has."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
