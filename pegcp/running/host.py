"""Carry out a request in a process of its own and hold all processes that it starts to limits of time and memory.

This process, the *host*, gives the request to a *keeper*: a process that has loaded the modules of the method, forks
the *worker* and enforces the limits. The keeper says over one socket when the worker starts and how it ended; the
worker sends its updates and its answer over another, which all that it starts may hold. Then the keeper waits for the
next request. It is nobody's child, so that the host neither reaps it nor waits for it, unless orphans become children
of the host; when the host hangs up or has ended, it kills the run and ends."""

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from selectors import EVENT_READ, DefaultSelector

from pegcp import machine
from pegcp.errors import PegcpError
from pegcp.formats.files import temporary_folder
from pegcp.method import Reason
from pegcp.running.messages import (
    Alive,
    Ended,
    Fault,
    Message,
    MessageReader,
    Request,
    decode,
    decode_foreign,
    encode,
)

_LOOK_EVERY = 0.1  # seconds between looks at whether the run is to be stopped
_LONGEST_SILENCE_SECONDS = 120.0  # until a keeper that says nothing is given up; it may load modules as long
_MOST_IDLE = 8 * machine.cores()  # keepers; the one that was used longest ago ends first
_PIECE_BYTES = 1 << 20  # bytes that are read at once
_KEEPER = """import json, os, sys
if os.fork():
    os._exit(0)
sys.path[:] = json.loads(sys.argv[2])
from pegcp.running.keeper import Keeper
Keeper(int(sys.argv[1]), int(sys.argv[3]), sys.argv[4:]).serve()"""


def follow(
    request: Request,
    take: Callable[[Message], bool],
    stop: threading.Event | None = None,
    modules: Sequence[str] = (),
) -> None:
    """Give a request, and the messages about it to ``take``; none of its processes is left afterwards.

    It is over when ``take`` returns False or ``stop`` is set. ``modules`` are loaded before, once for many requests
    with the same ones. Raises PegcpError where no process can be started.
    """
    if not hasattr(os, "fork"):
        raise PegcpError("running methods in child processes needs Linux, macOS or another POSIX system")
    modules = tuple(modules) if sys.platform == "linux" else ()
    with ExitStack() as stack:
        keeper = None
        try:
            where = os.path.abspath(tempfile.gettempdir())  # it is "." if TMPDIR says so
            keeper = _take_keeper(modules)
            # The folder is made last: if this process is killed, only a keeper that has the request removes it.
            path = stack.enter_context(temporary_folder("pegcp-", where))
            request = replace(
                request, environment={**environment(), "TMPDIR": path}, path=_absolute_path(), folder=path
            )
        except (OSError, ImportError, MemoryError) as error:
            if keeper is not None:
                _put_back(keeper)
            raise PegcpError(f"cannot run a child process: {getattr(error, 'strerror', None) or error}") from None
        stop = stop or threading.Event()
        # A keeper may have ended while it was taken.
        if not (_follow(keeper, request, take, stop) or _follow(_start_keeper(modules), request, take, stop)):
            take(Fault("the process that loads the library of the method ended"))


def environment() -> dict[str, str]:
    """Return the environment of runs: the same order of hashes in all, and the user's folder as it is found here."""
    return {**os.environ, "PYTHONHASHSEED": "0", "PEGCP_HOME": os.path.abspath(os.environ.get("PEGCP_HOME", ""))}


# Keepers --------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _KeeperHandle:
    """A process that has loaded some modules, or is about to, and the sockets to it and to its workers."""

    modules: tuple[str, ...]
    control: socket.socket
    workers: socket.socket
    descriptors: list[int] = field(default_factory=list)  # of the process, where the system has such

    def exchange(self, request: Request) -> Iterator[Message | None]:
        """Send the request; yield the messages of worker and keeper, until the keeper hangs up or is silent for long.

        There is a None now and then while nothing comes.
        """
        from_keeper, from_worker = MessageReader(), MessageReader()
        silence = 0.0  # seconds in which this process was awake, not stopped like the keeper by a shell or scheduler
        self.control.settimeout(_LONGEST_SILENCE_SECONDS)
        self.control.sendall(encode(request), getattr(socket, "MSG_NOSIGNAL", 0))
        with DefaultSelector() as selector:
            for connection in (self.control, self.workers):
                connection.setblocking(False)
                selector.register(connection, EVENT_READ)
            while silence <= _LONGEST_SILENCE_SECONDS:
                ready = [key.fileobj for key, _ in selector.select(_LOOK_EVERY)]
                if not ready:
                    silence += _LOOK_EVERY
                    yield None
                if self.workers in ready:
                    yield from _decoded(from_worker, self.workers.recv(_PIECE_BYTES))
                if self.control not in ready:
                    continue
                if not (data := self.control.recv(_PIECE_BYTES)):
                    return
                silence = 0.0
                for message in map(decode, from_keeper.add(data)):
                    while isinstance(message, Ended) and not message.survivors and (rest := _read_now(self.workers)):
                        yield from _decoded(from_worker, rest)  # all that the worker said before it ended
                    yield message
        yield Fault("the process that keeps the run within its limits does not answer")

    def has_ended(self) -> bool:
        """Tell whether it has ended, as long as it says nothing."""
        with suppress(BlockingIOError):
            return not self.control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        return False

    def note_process(self, number: int) -> None:
        """Note which process it is, so that it can be reaped if it should be a child of this one."""
        if not self.descriptors:
            self.descriptors = machine.process_descriptor(number)
            if self.has_ended():  # then the number may be another's by now
                while self.descriptors:
                    os.close(self.descriptors.pop())

    def hang_up(self, how: int = socket.SHUT_RDWR) -> None:
        """Let it kill what is left of its run, and end."""
        with suppress(OSError):  # it has ended
            self.control.shutdown(how)  # to close it is not enough: a fork of this process may hold it

    def dismiss(self) -> None:
        """Hang up on it for good; it is reaped where it should be a child of this process."""
        self.hang_up()
        self.control.close()
        self.workers.close()
        _ending.extend(self.descriptors)
        _reap()


def _above_outputs(ours: socket.socket) -> socket.socket:
    """Return the same socket under a number that is none of an output that was closed."""
    import fcntl  # Windows has no such module

    with ours:
        return socket.socket(fileno=fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, 3))


def _read_now(connection: socket.socket) -> bytes:
    with suppress(BlockingIOError):
        return connection.recv(_PIECE_BYTES)
    return b""


def _decoded(frames: MessageReader, data: bytes) -> Iterator[Message]:
    try:
        yield from map(decode_foreign, frames.add(data))
    except ValueError as error:
        frames.data.clear()
        yield Fault(str(error))


def _follow(keeper: _KeeperHandle, request: Request, take: Callable[[Message], bool], stop: threading.Event) -> bool:
    """Give a request to a keeper; return False if it ended before it started the worker."""
    has_started, is_over, may_wait = False, False, False
    try:
        with suppress(OSError):  # the keeper has ended
            for message in keeper.exchange(request):
                is_over = (message is not None and not take(message)) or is_over or stop.is_set()
                match message:
                    case Alive():
                        has_started = True
                        keeper.note_process(message.keeper)
                    case Ended():
                        may_wait = not is_over and not message.survivors and message.stopped is not Reason.INTERRUPTED
                        return True
                if is_over and not has_started:  # its modules are still being loaded
                    take(Ended(Reason.INTERRUPTED))
                    return True
                if is_over:
                    keeper.hang_up(socket.SHUT_WR)  # it kills the run, and says how it ended
    finally:
        if may_wait:
            _put_back(keeper)
        else:
            keeper.dismiss()
    if has_started:
        take(Fault("the process that kept the run within its limits was killed"))
    return has_started


# The keepers that wait, by the host: a process that was forked from this one leaves them alone.
_idle: defaultdict[int, list[_KeeperHandle]] = defaultdict(list)
_ending: list[int] = []  # descriptors of keepers that were told to end


def _take_keeper(modules: tuple[str, ...]) -> _KeeperHandle:
    """Return a keeper that has loaded these modules, or is about to. Raises OSError."""
    _reap()
    waiting = _idle[os.getpid()]
    for keeper in [keeper for keeper in waiting if keeper.modules == modules]:
        with suppress(ValueError):  # another thread has taken it
            waiting.remove(keeper)
            if not keeper.has_ended():
                return keeper
            keeper.dismiss()
    return _start_keeper(modules)


def _start_keeper(modules: tuple[str, ...]) -> _KeeperHandle:
    """Start a keeper that loads these modules. Raises OSError; PegcpError where Python is not known."""
    python = machine.python()
    (control, requests), (workers, channel) = socket.socketpair(), socket.socketpair()
    with requests, channel:
        channel = _above_outputs(channel)
        keeper = _KeeperHandle(modules, _above_outputs(control), _above_outputs(workers))
        numbers = str(os.getpid()), json.dumps(_absolute_path()), str(channel.fileno())
        command, null = [python, "-P", "-c", _KEEPER, *numbers, *modules], subprocess.DEVNULL
        subprocess.run(
            command, stdin=requests.fileno(), stdout=null, stderr=null, pass_fds=[channel.fileno()], cwd="/",
            env=environment(), start_new_session=True,
        )  # fmt: skip
        channel.close()
    return keeper


def _put_back(keeper: _KeeperHandle) -> None:
    """Let a keeper wait for the next run. If there are too many, the one that was used longest ago ends."""
    waiting = _idle[os.getpid()]
    waiting.append(keeper)
    for entry in waiting[:-_MOST_IDLE]:
        with suppress(ValueError):  # another thread has taken it
            waiting.remove(entry)
            entry.dismiss()


@atexit.register
def _dismiss_all() -> None:
    """Hang up on the keepers that wait, when this process ends."""
    for keeper in _idle.pop(os.getpid(), ()):
        keeper.dismiss()


def _reap() -> None:
    """Reap the keepers that have ended, where orphans become children of this process: in a container, for example."""
    for _ in range(len(_ending)):
        with suppress(IndexError):  # another thread has taken it
            descriptor = _ending.pop(0)
            with suppress(ChildProcessError):  # it is not a child of this process
                if os.waitid(os.P_PIDFD, descriptor, os.WEXITED | os.WNOHANG) is None:
                    _ending.append(descriptor)
                    continue
            os.close(descriptor)


def _absolute_path() -> list[str]:
    return [os.path.abspath(entry) for entry in sys.path if isinstance(entry, str)]
