"""Runs a request in a child process of its own and holds it to its limits, from outside, on its whole process tree."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import psutil

from pegcp import plain
from pegcp.errors import PegcpError
from pegcp.formats.files import temporary_folder
from pegcp.method import Limits, Pause, Reason
from pegcp.running import machine, warm
from pegcp.running.child import SET_CHILD_SUBREAPER, environment, prctl, remove
from pegcp.running.machine import MB

_TICK = 0.25  # seconds between looks at a running tree
_TICK_WITH_MEMORY_LIMIT = 0.05  # where a limit is given; the machine's own is far away most of the time
_SHORTEST_TICK = 0.001  # near the memory limit
_TIME_TO_STOP = 0.25  # seconds after the time limit in which the method may stop by itself, then TERM
_TIME_TO_TERMINATE = 0.4  # seconds between TERM and KILL
_TIME_TO_DIE = 5.0  # seconds for the guard to clean up
_CLOCKS = 2.0  # seconds by which the system may err about when a process began
_PATIENCE = 0.1  # seconds without a word from the guard until a look at whether it was stopped
_FASTEST_GROWTH = 1e10  # bytes per second that a tree may allocate
_LARGEST_LOG = 16 * MB
_TAIL = 2000  # bytes of standard error that are kept
_LARGEST_ANSWER = 16 * MB
_LARGEST_REPORT = 1 * MB  # of progress: one line, and what is read at one look
_LARGEST_BACKLOG = 16 * MB  # of progress that has not been read yet
_MOST_REPORTED = 100  # different things in the progress
_LONGEST_PAUSE = 120.0  # seconds, all together

_LONGEST_TRACE = 1000  # points

Progress = Mapping[str, Any]
Point = tuple[float, int | float | None, int | float | None]  # seconds, the objective and the bound by then


@dataclass
class Outcome:
    """What became of a request.

    ``stopped`` says why it was stopped from outside (TIME, MEMORY, INTERRUPTED, or ERROR for a ``fault`` in what it
    reported), None if it ended by itself; ``answer`` is the line it wrote, if any; ``progress`` everything it reported,
    later values over earlier ones, and ``trace`` when which objective and bound; ``exit_code`` is that of the worker,
    negative for a signal, None if unknown. Seconds and MB are those of the whole process tree.
    """

    stopped: Reason | None = None
    fault: str = ""
    memory_limit: float = 0.0  # the one that was passed
    answer: bytes | None = None
    progress: dict[str, Any] = field(default_factory=dict)
    trace: list[Point] = field(default_factory=list)
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
    together: int = 1,
    modules: Sequence[str] = (),
    pauses: bool = False,
) -> Outcome:
    """Run a request (see :mod:`pegcp.running.child`) within its limits; nothing of it is left when this returns.

    Without a memory limit there is that of the machine: a share of its memory, divided by the number of runs that go on
    ``together``. ``modules``: what is loaded before, once for all runs with the same. ``on_progress`` gets what the
    method reports; setting ``stop`` ends the run. With ``pauses`` the clock stands still while the method says that it
    makes machine code. A KeyboardInterrupt ends it as well and goes on. Raises PegcpError
    where processes cannot be contained (not a POSIX system) or not even be started.
    """
    if os.name != "posix":
        raise PegcpError("running methods in child processes needs Linux, macOS or another POSIX system")
    memory = machine.SHARE * machine.memory() / together if limits.memory is None else limits.memory
    try:
        with temporary_folder() as folder, _adopting():
            try:
                _write_request(request, folder)
                report, ended = on_progress or (lambda _: None), stop or threading.Event()
                return _Run(folder, limits, memory, report, ended, modules, pauses).outcome()
            finally:
                remove(folder)
    except OSError as error:
        raise PegcpError(f"cannot run a child process: {error.strerror or error}") from None


def _write_request(request: Mapping[str, Any], folder: Path) -> None:
    work = folder / "work"
    work.mkdir()
    sys_path = [os.path.abspath(entry) for entry in sys.path]  # the child works in another folder
    whole = {**request, "sys_path": sys_path, "environment": {**environment(), "TMPDIR": str(work)}}
    (folder / "request.json").write_text(json.dumps(whole), "utf-8")


@dataclass
class _Run:
    """One child process, from its start to its end.

    All that the child says goes to files that are open here and have no names, so that it can put nothing in their
    places; they are read by the descriptors, no further than the limits above.
    """

    folder: Path
    limits: Limits
    memory: float
    on_progress: Callable[[Progress], None]
    stop: threading.Event
    modules: Sequence[str]
    pauses: bool
    pause: Pause = field(default_factory=Pause)
    result: Outcome = field(default_factory=Outcome)
    tree: set[psutil.Process] = field(default_factory=set)
    peak: int = 0
    thorough: bool = True  # the next measurement looks for shared pages
    progress_read: int = 0
    files: dict[str, int] = field(default_factory=dict)
    tail: bytes = b""  # of what was cut off the log

    def outcome(self) -> Outcome:
        with ExitStack() as stack:
            for name in ("stderr", "progress", "answer", "last"):
                self.files[name] = stack.enter_context(_nameless_file(self.folder, append=name != "last")).fileno()
            guard = stack.enter_context(warm.guarded(self.modules, self.folder, [*self.files.values()]))
            started = time.monotonic()
            usage: bytes | None = None
            try:
                usage = self._watch(guard, started)
            finally:
                if usage is None:
                    usage = self._end(guard)
                if not usage:
                    self._without(guard, started)
            self.result.wall_seconds = time.monotonic() - started
            while self._read_progress():
                pass
            self._read_last()
            self._collect(usage, guard)
        return self.result

    def _watch(self, guard: warm.Guard, started: float) -> bytes | None:
        """Wait until the guard reports the end (its report), or a limit is reached (None)."""
        next_look = 0.0
        while True:
            now = time.monotonic()
            deadline = started + self.limits.time + min(self.pause.seconds, _LONGEST_PAUSE) + _TIME_TO_STOP
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
                self._look(guard)
                self._signal(signal.SIGTERM)
                return _receive(guard.socket, _TIME_TO_TERMINATE)
            report = _receive(guard.socket, max(0.001, min(pause, deadline - now)))
            if report is not None:
                return report

    def _look(self, guard: warm.Guard) -> None:
        """Find the processes of the tree, read the progress, keep the log small."""
        self._find(guard)
        self._read_progress()
        self.thorough = True
        if os.fstat(self.files["stderr"]).st_size > _LARGEST_LOG:
            self.tail = self._last_words()
            os.ftruncate(self.files["stderr"], 0)

    def _find(self, guard: warm.Guard) -> bool:
        """Find the processes of the tree; whether the guard had been stopped, as only a hostile method would do."""
        with suppress(psutil.Error):
            self.tree |= set(guard.about.children(recursive=True))
            if guard.about.status() == psutil.STATUS_STOPPED:
                guard.about.resume()
                return True
        return False

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
        limit = self.memory * MB
        suspect = used > limit
        if suspect:
            self._signal(signal.SIGSTOP)  # it must not grow while it is measured
        if suspect or (self.thorough and used > self.peak):  # pages shared between processes count once
            used = max(*sizes.values(), sum(_proportional(*item) for item in sizes.items()))
            self.peak = max(self.peak, used)
        self.thorough = False
        room = limit - used
        if room < 0:
            self.result.stopped = Reason.MEMORY
            self.result.memory_limit = self.memory
            self._signal(signal.SIGKILL)  # at once: asking politely, or by way of the guard, would let it grow on
        elif suspect:
            self._signal(signal.SIGCONT)
        return min(pause, max(_SHORTEST_TICK, room / _FASTEST_GROWTH))

    def _signal(self, signum: signal.Signals) -> None:
        for process in tuple(self.tree):
            with suppress(psutil.Error):
                process.send_signal(signum)

    def _end(self, guard: warm.Guard) -> bytes | None:
        """Kill everything that is known, and tell the guard to kill the rest; what it reports, None if it is stuck."""
        self._find(guard)
        self._signal(signal.SIGKILL)
        try:
            guard.socket.sendall(b"!")
        except OSError:
            return None
        deadline = time.monotonic() + _TIME_TO_DIE
        stopped = 0
        while time.monotonic() < deadline and stopped < 3:
            report = _receive(guard.socket, _PATIENCE)
            if report is not None:
                return report
            stopped += self._find(guard)
        return None

    def _without(self, guard: warm.Guard, started: float) -> None:
        """The guard is stuck, or has been killed: kill it, and what it may have left."""
        guard.process.kill()
        guard.process.wait()
        self._signal(signal.SIGKILL)
        _kill_orphans(time.time() - (time.monotonic() - started) - _CLOCKS)

    def _read_progress(self) -> bool:
        """Take in some of what was reported; whether there may be more."""
        size = os.fstat(self.files["progress"]).st_size - self.progress_read
        data = os.pread(self.files["progress"], _LARGEST_REPORT, self.progress_read)
        complete = data[: data.rfind(b"\n") + 1]
        self.progress_read += len(complete)
        if size > _LARGEST_BACKLOG or len(data) - len(complete) == _LARGEST_REPORT:
            return self._fault(f"it reports more than {_LARGEST_REPORT // MB} MB at once")
        return all(map(self._take, complete.splitlines())) and bool(complete)

    def _read_last(self) -> None:
        """Take in the last report, which may have come too soon after another to be among the others."""
        line, end, _ = os.pread(self.files["last"], _LARGEST_REPORT, 0).partition(b"\n")
        if end:
            self._take(line)

    def _take(self, line: bytes) -> bool:
        """Take in a report; whether it could be read."""
        try:
            progress = _reported(line)
            if len(self.result.progress.keys() | progress) > _MOST_REPORTED:
                raise ValueError(f"it reports more than {_MOST_REPORTED} different things")
        except (ValueError, TypeError) as error:
            return self._fault(str(error))
        log = {"log": progress.pop("log")} if "log" in progress else {}
        at = progress.pop("at_seconds", None)
        if self.pauses and "compiling" in progress:
            self.pause.turn(on=bool(progress["compiling"]))
        self.result.progress.update(progress)
        if at is not None:
            self._trace(at)
        self.on_progress(self.result.progress | log)
        return True

    def _trace(self, at: float) -> None:
        """Note the objective and the bound, if there is news of them."""
        trace, progress = self.result.trace, self.result.progress
        known = progress.get("objective"), progress.get("bound")
        if len(trace) < _LONGEST_TRACE and known != (trace[-1][1:] if trace else (None, None)):
            trace.append((at, *known))

    def _fault(self, fault: str) -> bool:
        self.result.fault = self.result.fault or f"the method's progress cannot be read: {fault}"
        self.result.stopped = self.result.stopped or Reason.ERROR
        return False

    def _collect(self, usage: bytes | None, guard: warm.Guard) -> None:
        result = self.result
        try:
            report = json.loads(usage or b"")
            result.exit_code = report["status"]
            result.cpu_seconds = report["cpu_seconds"] + guard.cpu_seconds
            self.peak = max(self.peak, report["bytes"], guard.bytes)
        except (ValueError, KeyError, TypeError):
            result.exit_code = guard.process.returncode
        result.peak_memory_mb = self.peak / MB
        answer = _read(self.files["answer"], 0, _LARGEST_ANSWER + 1)
        if len(answer) > _LARGEST_ANSWER:
            result.fault = f"the method's answer is larger than {_LARGEST_ANSWER // MB} MB"
        elif answer.endswith(b"\n"):  # else the method was stopped while it wrote
            result.answer = answer
        result.stderr = self._last_words().decode("utf-8", "replace").strip()

    def _last_words(self) -> bytes:
        """The last bytes that were written to standard error."""
        size = os.fstat(self.files["stderr"]).st_size
        return (self.tail + _read(self.files["stderr"], max(0, size - _TAIL), _TAIL))[-_TAIL:]


def _nameless_file(folder: Path, *, append: bool) -> IO[bytes]:
    """A file that only those find who are given its descriptor. Whoever writes appends, if so asked."""
    file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - the caller closes it
    if append:
        fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_APPEND)
    return file


def _read(file: int, start: int, most: int) -> bytes:
    data = b""
    while len(data) < most and (part := os.pread(file, most - len(data), start + len(data))):
        data += part
    return data


def _reported(line: bytes) -> dict[str, Any]:
    """What one line of progress says. Raises ValueError or TypeError."""
    progress = plain.statistics(plain.parse(line, lenient=True))
    for key in ("bound", "objective"):
        plain.number(key, progress.get(key))
    return progress


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


# When a guard has been killed ----------------------------------------------------------------------------------------

_adopters = 0  # runs going on, for which this process adopts orphans


@contextmanager
def _adopting() -> Iterator[None]:
    """While runs go on, Linux makes this process the parent of what a guard leaves that was killed."""
    global _adopters
    with warm.WATCHED:
        _adopters += 1
        if _adopters == 1:
            prctl(SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        with warm.WATCHED:
            _adopters -= 1
            if _adopters == 0:
                prctl(SET_CHILD_SUBREAPER, 0)


def _kill_orphans(since: float) -> None:
    """Kill and reap the processes that a dead guard has left.

    They are children of this process now, in a session that is not its own (guards begin a new one, and no process can
    join another), and younger than the run.
    """
    deadline = time.monotonic() + _TIME_TO_DIE
    while time.monotonic() < deadline:
        with warm.WATCHED:
            orphans = [p for p in psutil.Process().children() if p.pid not in warm.OURS and _is_orphan(p, since)]
        if not orphans:
            return
        for orphan in orphans:
            with suppress(psutil.Error, ChildProcessError):
                for process in (orphan, *orphan.children(recursive=True)):
                    with suppress(psutil.Error):
                        process.kill()
                os.waitpid(orphan.pid, os.WNOHANG)
        time.sleep(0.005)


def _is_orphan(process: psutil.Process, since: float) -> bool:
    try:
        return process.create_time() >= since and os.getsid(process.pid) != os.getsid(0)
    except (psutil.Error, OSError):
        return False
