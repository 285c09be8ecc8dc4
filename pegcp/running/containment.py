"""Run a request in a process of its own and hold all processes that it starts to limits of time and memory.

This process, the *host*, asks a *server* for each run. A server has loaded the library of a method and is nobody's
child, so that a host neither reaps it nor waits for it. For each run it forks a *keeper*, which forks the *worker* and
enforces the limits. Keeper and worker share one socket to the host: the worker sends its reports and its answer, the
keeper how the run ended. A keeper whose host hangs up or has ended kills the run.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
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
_LONGEST_ANSWER, _LONGEST_REPORT = 16_000_000, 1_000_000  # bytes
_MOST_SERVERS = 6  # the server that was used longest ago ends first
# Environment variables that libraries read while they are loaded; a worker gets all others anew.
_READ_WHEN_LOADED = re.compile("PYTHON|LD_|LC_|LANG|OMP_|OPENBLAS_|MKL_|NUMBA_|MALLOC_|JAVA_|XDG_|HOME$|PATH$")
_SERVER = """import json, os, sys
if os.fork():
    os._exit(0)
sys.path[:] = json.loads(sys.argv[1])
from pegcp.running.keeper import serve
serve(int(sys.argv[2]), sys.argv[3:])"""


def contain(
    request: Mapping[str, Any],
    limits: Limits,
    on_progress: Callable[[Progress], None] = lambda _: None,
    stop: threading.Event | None = None,
    together: int = 1,
    modules: Sequence[str] = (),
    pauses: bool = False,
) -> Outcome:
    """Run a request (see :func:`pegcp.running.worker.answer`) within limits; none of its processes is left afterwards.

    Without a memory limit there is that of the machine: a share of its memory, divided by the number of runs that go on
    ``together``. ``modules`` are loaded before, once for all runs with the same ones. Setting ``stop`` ends the run.
    With ``pauses`` the clock stands still while the method says that it compiles. Raises PegcpError where no process
    can be started.
    """
    if not hasattr(os, "fork"):
        raise PegcpError("running methods in child processes needs Linux, macOS or another POSIX system")
    memory = machine.SHARE * machine.memory() / together if limits.memory is None else limits.memory
    order = {"request": request, "seconds": limits.time, "memory": memory * MB, "pause": _LONGEST_PAUSE * pauses}
    # Loading a library may end a server: then the worker loads it, and that it dies of it is the run's result.
    for libraries in dict.fromkeys((tuple(modules) if sys.platform == "linux" else (), ())):
        outcome = Outcome(memory_limit=memory)
        try:
            where = os.path.abspath(tempfile.gettempdir())  # it is "." if TMPDIR says so
            folder = tempfile.TemporaryDirectory(prefix="pegcp-", dir=where, ignore_cleanup_errors=True)
            keeper = _connect(libraries)
        except OSError as error:
            raise PegcpError(f"cannot run a child process: {error.strerror or error}") from None
        with folder as path, keeper:
            order |= {"folder": path, "environment": {**environment(), "TMPDIR": path}}
            if _follow(keeper, order, outcome, on_progress, stop or threading.Event()):
                return outcome
    raise PegcpError("cannot run a child process: it ended before the run began")


def environment() -> dict[str, str]:
    """Return the environment of runs: the same order of hashes in all, and the user's folder as it is found here."""
    return {**os.environ, "PYTHONHASHSEED": "0", "PEGCP_HOME": os.path.abspath(os.environ.get("PEGCP_HOME", ""))}


def _follow(
    keeper: socket.socket,
    order: Mapping[str, Any],
    outcome: Outcome,
    on_progress: Callable[[Progress], None],
    stop: threading.Event,
) -> bool:
    """Give the keeper its order, and note in the outcome what the worker reports and how the run ends.

    Return False if the keeper ended before it had forked a worker.
    """
    patience = order["seconds"] + order["pause"] + _PATIENCE
    started, compiling = False, None
    try:
        keeper.settimeout(patience)
        _send(keeper, json.dumps(order).encode() + b"\n")
        for line in _lines(keeper, patience):
            started = started or bool(line)
            if line.startswith(b"\0e"):
                outcome.add_end(line[2:])
                return True
            if _is_too_long(line):
                outcome.add_fault("the method's answer or progress is too long")
            elif line.startswith(b"a"):
                outcome.answer = line[1:]
            elif line.startswith(b"p") and (progress := outcome.add_report(line[1:])):
                if progress.get("compiling") != compiling:
                    compiling = progress.get("compiling")
                    _send(keeper, b"+" if compiling else b"-")
                on_progress(progress)
            if stop.is_set() and not started:  # its library is still being loaded
                outcome.stopped = Reason.INTERRUPTED
                return True
            if stop.is_set() or outcome.stopped:
                _hang_up(keeper, socket.SHUT_WR)  # the keeper ends the run, and says how it ended
        outcome.add_fault("the process that kept the run within its limits was killed")
        return started
    finally:
        _hang_up(keeper, socket.SHUT_RDWR)


def _send(keeper: socket.socket, data: bytes) -> None:
    with suppress(OSError):  # it has ended
        keeper.sendall(data)


def _hang_up(connection: socket.socket, how: int) -> None:
    """Let the other end know, although a fork of this process may hold the socket, too."""
    with suppress(OSError):  # the other end has hung up
        connection.shutdown(how)


def _lines(keeper: socket.socket, seconds: float) -> Iterator[bytes]:
    """Yield the lines that keeper and worker send, until both have hung up or for so many seconds.

    There is an empty line now and then while nothing comes. A line that is too long comes in pieces. The worker's last
    line may be cut: then a null byte ends it, and it is left out.
    """
    keeper.settimeout(_LOOK_EVERY)
    latest, partial, data = time.monotonic() + seconds, b"", b"."
    while data and time.monotonic() < latest:
        try:
            data = keeper.recv(1 << 20)
        except TimeoutError:
            yield b""
            continue
        except OSError:
            return
        *lines, partial = (partial + data).split(b"\n")
        yield from (line for line in lines if not line.endswith(b"\0"))
        if _is_too_long(partial):
            yield partial
            partial = b""


def _is_too_long(line: bytes) -> bool:
    return len(line) > (_LONGEST_ANSWER if line.startswith(b"a") else _LONGEST_REPORT)


# Servers --------------------------------------------------------------------------------------------------------------

_lock = threading.Lock()
_servers: dict[Hashable, socket.socket] = {}  # by what they have loaded; the one used last at the end


def _connect(libraries: tuple[str, ...]) -> socket.socket:
    """Have a keeper forked from a server that has loaded these libraries; return the socket to it. Raises OSError."""
    path = json.dumps([os.path.abspath(entry) for entry in sys.path])
    variables = environment()
    key = libraries, path, frozenset(item for item in variables.items() if _READ_WHEN_LOADED.match(item[0]))
    ours, theirs = socket.socketpair()
    with theirs, _lock:
        for _ in range(2):  # the first may be a server that has ended meanwhile
            server = _servers.pop(key, None) or _start_server([path, str(os.getpid()), *libraries], variables)
            with suppress(OSError):
                socket.send_fds(server, [b"."], [theirs.fileno()])
                _servers[key] = server
                if len(_servers) > _MOST_SERVERS:
                    _hang_up(_servers.pop(next(iter(_servers))), socket.SHUT_RDWR)
                return ours
    raise OSError("no server answers")


def _start_server(arguments: Sequence[str], variables: Mapping[str, str]) -> socket.socket:
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-c", _SERVER, *arguments]
    null = subprocess.DEVNULL
    with theirs:
        subprocess.run(
            command, stdin=theirs.fileno(), stdout=null, stderr=null, cwd="/", env=variables, start_new_session=True
        )
    return ours


def _forget_servers() -> None:
    """Leave the servers to the process from which this one was forked."""
    global _lock
    _lock = threading.Lock()  # another thread may have held it
    _servers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_servers)
