"""The child side of runs: a guard process, and under it the worker that answers one problem.

A guard loads what is slow to load, once; then it forks a worker for each request of the parent, one at a time. While
the worker runs, the guard only watches: when the worker ends, when the parent asks for it, or when the parent is gone
(end of file on its socket, even after ``kill -9``), it kills what is left of the worker's processes, reaps them, and
tells the parent what they used; for a parent that is gone it removes the folder, and ends. On Linux, processes that
left the worker's group or session are found too: the guard adopts orphans.

The worker reads ``request.json`` in the folder. PROGRESS, ANSWER and LAST are descriptors of files that the parent has
open and that have no names. What the method reports goes to the first, line by line, but for reports that follow each
other too quickly; the answer, one line, to the second. The third always begins with the last report of all.

``python child.py PATH MODULE ...``, with the socket to the parent as standard input, is a guard. A request is the path
of a folder, with the descriptors of standard error, PROGRESS, ANSWER and LAST; standard output goes nowhere. The reply
is a point when the worker is there, and a line when nothing of it is left. Another byte, in between, asks for the end.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

PREFIX = "pegcp-"  # of the names of folders of runs
_SOCKET = 0
SET_PDEATHSIG = 1
SET_DUMPABLE = 4
SET_CHILD_SUBREAPER = 36
_LONGEST_PATH = 4096
_LONGEST_MESSAGE = 10_000  # characters
_REPORT_EVERY = 0.05  # seconds
_AT_ONCE = ("bound", "jumps", "log", "compiling")  # are not held back


def main() -> None:
    """Load modules, tell what that took, and guard run after run until the parent closes the socket."""
    sys.path[:] = json.loads(sys.argv[1])
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)  # the parent decides
    prctl(SET_CHILD_SUBREAPER, 1)
    prctl(SET_DUMPABLE, 0)  # no other process of the user may look into this one, or write there
    for module in sys.argv[2:]:
        with suppress(Exception):  # the run that needs it will tell
            importlib.import_module(module)
    gc.freeze()
    control = socket.socket(fileno=_SOCKET)
    _tell(time.process_time(), _resident())
    ended, wake = os.pipe()  # tells that a child has ended
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    gone = False
    while not gone:
        said, descriptors, _, _ = socket.recv_fds(control, _LONGEST_PATH, 4)
        if not said:
            break
        if not descriptors:  # the end of a run that had ended by itself
            continue
        folder = Path(os.fsdecode(said.lstrip(b"!")))
        started = time.monotonic()
        worker = _Worker(os.fork())
        if not worker.pid:
            control.detach()
            signal.set_wakeup_fd(-1)
            os.close(ended)
            os.close(wake)
            _be_worker(folder, descriptors, started)
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(OSError):  # the parent may be gone
            control.sendall(b".")
        gone = _wait(worker, ended)
        worker.kill()
        if gone:
            remove(folder)  # nobody else does
        else:
            _tell(worker.cpu_seconds, worker.largest, worker.code)
    os._exit(0)


def _be_worker(folder: Path, descriptors: Sequence[int], started: float) -> NoReturn:
    """Answer the request in the folder and write the answer, whatever happens short of a crash; and end."""
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    os.setpgid(0, 0)
    prctl(SET_DUMPABLE, 1)
    prctl(SET_PDEATHSIG, signal.SIGKILL)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # if the machine runs out of memory, Linux ends this process before others
    errors, progress, answer, last = descriptors
    for standard, descriptor in enumerate((os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY), errors)):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    for descriptor in (progress, answer, last):
        os.set_inheritable(descriptor, False)
    request = json.loads((folder / "request.json").read_text("utf-8"))
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    os.chdir(folder / "work")
    sys.argv[1:] = [str(folder), *map(str, descriptors[1:])]  # as if it had been started for this run alone
    found = _answer(request, started, _reporter(progress, last, started))
    with open(answer, "w", encoding="utf-8") as file:
        file.write(json.dumps(found, default=_plain) + "\n")
    with suppress(OSError, ValueError):  # a method may have closed it
        sys.stderr.flush()
    os._exit(0)  # at once: to take down a solver's libraries takes a tenth of a second


def environment() -> dict[str, str]:
    """The environment of a run: hashes are the same in all, and the user's own rows are where they are here."""
    return {**os.environ, "PYTHONHASHSEED": "0", "PEGCP_HOME": os.path.abspath(os.environ.get("PEGCP_HOME", ""))}


def prctl(option: int, value: int) -> None:
    """Ask Linux for a property of this process; elsewhere do without."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class _Worker:
    """A worker, and what it and its processes used: seconds, and the bytes of the largest. ``code`` is its exit code,
    negative for a signal, None before its end."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None
        self.cpu_seconds = 0.0
        self.largest = 0

    def reap(self) -> bool:
        """Reap the processes that have ended; whether others are left."""
        unit = 1 if sys.platform == "darwin" else 1024
        with suppress(ChildProcessError):
            while (found := os.wait4(-1, os.WNOHANG))[0]:
                pid, status, used = found
                self.cpu_seconds += used.ru_utime + used.ru_stime
                self.largest = max(self.largest, used.ru_maxrss * unit)
                if pid == self.pid:
                    self.code = os.waitstatus_to_exitcode(status)
            return True
        return False

    def kill(self) -> None:
        """Kill and reap everything under this process."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        deadline = time.monotonic() + 5
        while self.reap() and time.monotonic() < deadline:
            import psutil

            for process in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    process.kill()
            time.sleep(0.002)


def _wait(worker: _Worker, ended: int) -> bool:
    """Wait until the worker ends, or until its end is asked for; whether the parent is gone."""
    while worker.code is None:
        ready, _, _ = select.select([_SOCKET, ended], [], [])
        if ended in ready:
            os.read(ended, 4096)
            worker.reap()
        elif _SOCKET in ready:
            return not os.read(_SOCKET, 1)
    return False


def _resident() -> int:
    """Bytes of memory that this process has; ru_maxrss would begin with those of the parent."""
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def _tell(cpu_seconds: float, largest: int, status: int | None = None) -> None:
    """Tell the parent what was used, and how the worker ended."""
    usage = {"status": status, "cpu_seconds": cpu_seconds, "bytes": largest}
    with suppress(OSError):
        os.write(_SOCKET, json.dumps(usage).encode() + b"\n")


def remove(folder: Path) -> None:
    """Remove the folder of a run, if it is there: also one that a method has locked, or in which folders lie thousands
    deep. Raises ValueError, and touches nothing, where the path is not that of such a folder.

    Folders inside are moved to its top before they are emptied, so that no path gets long.
    """
    if not (folder.is_absolute() and folder.name.lstrip(".").startswith(PREFIX)):
        raise ValueError(f"{folder} is no folder of a run")
    waiting = [folder]
    for number, path in enumerate(waiting):
        with suppress(OSError):
            os.chmod(path, 0o700)
            for entry in tuple(os.scandir(path)):
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(folder / f".{os.urandom(8).hex()}")
                    os.chmod(entry.path, 0o700)  # a folder that cannot be written cannot be moved
                    os.rename(entry.path, waiting[-1])
                else:
                    os.unlink(entry.path)
            if number:
                os.rmdir(path)
    with suppress(OSError):
        os.rmdir(folder)


def _answer(
    request: Mapping[str, Any], started: float, report: Callable[[Mapping[str, Any]], None]
) -> Mapping[str, Any]:
    from pegcp.catalogue.methods import choose
    from pegcp.errors import Missing, PegcpError
    from pegcp.formats.toml import read_problem
    from pegcp.method import Answer, Limits, Listing, Reason, Run, Status

    try:
        problem = read_problem(request["problem"], name=request["name"]).read_from(tuple(request.get("files", ())))
        chosen = choose(request["method"])
        listing = Listing(**request["listing"]) if request.get("listing") else None
        run = Run(Limits(**request["limits"]), started, report, request.get("log", False), listing=listing)
        start = time.monotonic() - started
        report({"start_seconds": start})
        began = time.perf_counter()
        answer = (chosen.look if request.get("look") else chosen.run)(problem, run)
        elapsed = time.perf_counter() - began
        compiled = {"compile_seconds": run.pause.seconds} if run.pause.seconds else {}
        statistics = {"start_seconds": start, **compiled, **answer.statistics}
        built = statistics.setdefault("build_seconds", 0.0)
        statistics.setdefault("solve_seconds", max(0.0, elapsed - built - run.pause.seconds))
        number = {jump: n for n, jump in enumerate(problem.board.jumps)}
        solutions = [[number[jump] for jump in played] for played in answer.solutions]
        return {**vars(answer), "statistics": statistics, "solutions": solutions}
    except Missing as error:
        reason, message = Reason.MISSING, str(error)
    except MemoryError:
        reason, message = Reason.MEMORY, "out of memory"
    except PegcpError as error:
        reason, message = Reason.ERROR, str(error)
    except Exception as error:  # noqa: BLE001 - whatever a method raises becomes a row of the table
        import traceback

        traceback.print_exc()
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = Reason.ERROR
        message = f"{type(error).__name__}: {error} ({os.path.basename(frame.filename)}, line {frame.lineno})"
    return vars(Answer(Status.UNKNOWN, reason, message=message[:_LONGEST_MESSAGE]))


def _reporter(progress: int, last: int, started: float) -> Callable[[Mapping[str, Any]], None]:
    """What takes the reports of a method."""
    known: dict[str, Any] = {}
    written = 0.0

    def line(report: Mapping[str, Any]) -> bytes:
        return json.dumps(report, default=_plain).encode() + b"\n"

    def report(news: Mapping[str, Any]) -> None:
        nonlocal written
        now = time.monotonic()
        at = {"at_seconds": round(now - started, 3)}
        known.update({key: value for key, value in news.items() if key not in ("jumps", "log")} | at)
        if now - written >= _REPORT_EVERY or not news.keys().isdisjoint(_AT_ONCE):
            written = now
            os.write(progress, line({**news, **at}))
        os.pwrite(last, line(known), 0)

    return report


def _plain(value: Any) -> Any:
    """What JSON lacks: numbers of numpy become numbers, mappings and sets lists, everything else text."""
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


if __name__ == "__main__":
    main()
