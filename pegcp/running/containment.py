"""Run a request in a process of its own and hold all processes that it starts to limits of time and memory.

This process, the *host*, gives the run to a *keeper*: a process that has loaded the library of the method, forks the
*worker* and enforces the limits. Keeper and worker share one socket to the host: the worker sends its reports and its
answer, the keeper how the run ended. Then the keeper waits for the next run. It is nobody's child, so that the host
neither reaps it nor waits for it; when the host hangs up or has ended, it kills the run and ends.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pegcp.errors import PegcpError
from pegcp.method import Limits, Reason
from pegcp.running import machine
from pegcp.running.machine import MB
from pegcp.running.outcome import Outcome, Progress

_LOOK_EVERY = 0.1  # seconds between looks at whether the run is to be stopped
_PATIENCE = 60.0  # seconds for a library to load; after the limit, until a silent keeper is given up
_LONGEST_PAUSE = 120.0  # seconds of compilation in a run, all together
_LONGEST_LINE = 16_000_000  # bytes of an answer or a report
_MOST_IDLE = 8 * machine.cores()  # keepers; the one that was used longest ago ends first
_KEEPER = """import json, os, sys
if os.fork():
    os._exit(0)
sys.path[:] = json.loads(sys.argv[2])
from pegcp.running.keeper import Keeper
Keeper(int(sys.argv[1]), sys.argv[3:]).serve()"""


def contain(
    request: Mapping[str, Any],
    limits: Limits,
    on_progress: Callable[[Progress], None] = lambda _: None,
    stop: threading.Event | None = None,
    together: int = 1,
    modules: Sequence[str] = (),
    pauses: bool = False,
) -> Outcome:
    """Run a request (see :func:`pegcp.running.answer.answer`) within limits; none of its processes is left afterwards.

    Without a memory limit there is that of the machine: a share of its memory, divided by the number of runs that go on
    ``together``. ``modules`` are loaded before, once for many runs with the same ones. Setting ``stop`` ends the run.
    With ``pauses`` the clock stands still while the method says that it compiles. Raises PegcpError where no process
    can be started.
    """
    if not hasattr(os, "fork"):
        raise PegcpError("running methods in child processes needs Linux, macOS or another POSIX system")
    memory = machine.SHARE * machine.memory() / together if limits.memory is None else limits.memory
    order: dict[str, Any] = {"request": request, "seconds": limits.time, "memory": memory * MB}
    outcome = Outcome(memory_limit=memory)
    libraries = tuple(modules) if sys.platform == "linux" else ()
    try:
        order |= {"pause": _LONGEST_PAUSE * pauses, "environment": environment(), "path": _absolute_path()}
        where = os.path.abspath(tempfile.gettempdir())  # it is "." if TMPDIR says so
        folder = tempfile.TemporaryDirectory(prefix="pegcp-", dir=where, ignore_cleanup_errors=True)
        keeper = _take_keeper(libraries)
    except OSError as error:
        raise PegcpError(f"cannot run a child process: {error.strerror or error}") from None
    with folder as path:
        order["folder"] = order["environment"]["TMPDIR"] = path
        try:
            _follow(keeper, order, outcome, on_progress, stop or threading.Event())
        finally:
            if outcome.exit_code is None or outcome.stopped in (Reason.INTERRUPTED, Reason.ERROR):
                _hang_up(keeper)  # it kills what is left of the run, and ends
            else:
                _put_back(keeper, libraries)
    return outcome


def environment() -> dict[str, str]:
    """Return the environment of runs: the same order of hashes in all, and the user's folder as it is found here."""
    return {**os.environ, "PYTHONHASHSEED": "0", "PEGCP_HOME": os.path.abspath(os.environ.get("PEGCP_HOME", ""))}


def _follow(
    keeper: socket.socket,
    order: Mapping[str, Any],
    outcome: Outcome,
    on_progress: Callable[[Progress], None],
    stop: threading.Event,
) -> None:
    """Give the keeper its order, and note in the outcome what the worker reports and how the run ends."""
    started = False
    for line in _exchange(keeper, order):
        started = started or bool(line)
        if line.startswith(b"\0e"):
            outcome.add_end(line[2:])
            return
        if len(line) > _LONGEST_LINE:
            outcome.add_fault("the method's answer or progress is too long")
        elif line.startswith(b"a"):
            outcome.answer = line[1:]
        elif line.startswith(b"p") and (progress := outcome.add_report(line[1:])):
            on_progress(progress)
        if stop.is_set():
            outcome.stopped = outcome.stopped or Reason.INTERRUPTED
        if outcome.stopped and not started:  # its library is still being loaded
            return
        if outcome.stopped:
            with suppress(OSError):  # the keeper has ended
                keeper.shutdown(socket.SHUT_WR)  # it kills the run, and says how it ended
    loader = "the process that loads the library of the method ended"
    outcome.add_fault("the process that kept the run within its limits was killed" if started else loader)


def _exchange(keeper: socket.socket, order: Mapping[str, Any]) -> Iterator[bytes]:
    """Send the order; yield the lines that keeper and worker send, until both have hung up or are far too late.

    There is an empty line now and then while nothing comes. A line that is too long comes in pieces. The worker's last
    line may be cut: then a null byte ends it, and it is left out.
    """
    patience = order["seconds"] + order["pause"] + _PATIENCE
    latest, partial, data = time.monotonic() + patience, b"", b"."
    with suppress(OSError):  # the keeper has ended
        keeper.settimeout(patience)
        keeper.sendall(json.dumps(order).encode() + b"\n", getattr(socket, "MSG_NOSIGNAL", 0))
        keeper.settimeout(_LOOK_EVERY)
        while data:
            try:
                data = keeper.recv(1 << 20)
            except TimeoutError:
                if time.monotonic() > latest:  # what has come is read first: this process may have slept until now
                    return
                yield b""
                continue
            *lines, partial = (partial + data).split(b"\n")
            yield from (line for line in lines if not line.endswith(b"\0"))
            if len(partial) > _LONGEST_LINE:
                yield partial
                partial = b""


# Keepers that wait ----------------------------------------------------------------------------------------------------

# The libraries of each, and the socket to it, by the host: a process that was forked from this one leaves them alone.
_idle: defaultdict[int, list[tuple[tuple[str, ...], socket.socket]]] = defaultdict(list)


def _take_keeper(libraries: tuple[str, ...]) -> socket.socket:
    """Return the socket to a keeper that has loaded these libraries, or is about to. Raises OSError."""
    waiting = _idle[os.getpid()]
    for entry in [entry for entry in waiting if entry[0] == libraries]:
        with suppress(ValueError):  # another thread has taken it
            waiting.remove(entry)
            if not _has_ended(entry[1]):
                return entry[1]
    import fcntl  # Windows has no such module

    low, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-c", _KEEPER, str(os.getpid()), json.dumps(_absolute_path()), *libraries]
    null = subprocess.DEVNULL
    with low, theirs:
        ours = socket.socket(fileno=fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 3))  # no output that was closed
        subprocess.run(
            command, stdin=theirs.fileno(), stdout=null, stderr=null, cwd="/", env=environment(), start_new_session=True
        )
    return ours


def _put_back(keeper: socket.socket, libraries: tuple[str, ...]) -> None:
    """Let a keeper wait for the next run. If there are too many, the one that was used longest ago ends."""
    waiting = _idle[os.getpid()]
    waiting.append((libraries, keeper))
    for entry in waiting[:-_MOST_IDLE]:
        with suppress(ValueError):  # another thread has taken it
            waiting.remove(entry)
            _hang_up(entry[1])


def _has_ended(keeper: socket.socket) -> bool:
    """Tell whether an idle keeper has ended: there is nothing else that it would send."""
    keeper.setblocking(False)
    with suppress(BlockingIOError):
        return not keeper.recv(1)
    return False


def _hang_up(keeper: socket.socket) -> None:
    with suppress(OSError):  # it has ended
        keeper.shutdown(socket.SHUT_RDWR)  # to close it is not enough: a fork of this process may hold it, too


def _absolute_path() -> list[str]:
    return [os.path.abspath(entry) for entry in sys.path]
