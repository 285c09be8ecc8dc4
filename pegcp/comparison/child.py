"""The child side of a run: a guard process, and under it the worker that answers one problem.

The guard is small and only watches: when the worker ends, when the parent asks for it, or when the parent is gone (end
of file on its socket, even after ``kill -9``), it kills what is left of the worker's processes, reaps them, tells the
parent what they used, and ends; for a parent that is gone it removes the folder. On Linux, processes that left the
worker's group or session are found too: the guard adopts orphans.

The worker reads ``request.json`` in the folder. PROGRESS, ANSWER and LAST are descriptors of files that the parent has
open and that have no names. What the method reports goes to the first, line by line, but for reports that follow each
other too quickly; the answer, one line, to the second. The third always begins with the last report of all.

``python child.py FOLDER PROGRESS ANSWER LAST``, with the socket to the parent as standard input, is a guard.
``python child.py PATH MODULE ... -`` is a warm process: it loads the modules, tells what that took, and forks a guard
for each message that it receives (:mod:`pegcp.comparison.warm`).
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

_SOCKET = 0
SET_PDEATHSIG = 1
SET_DUMPABLE = 4
SET_CHILD_SUBREAPER = 36
_LONGEST_PATH = 4096
_LONGEST_MESSAGE = 10_000  # characters
_REPORT_EVERY = 0.05  # seconds
_AT_ONCE = ("bound", "jumps", "log", "compiling")  # are not held back


def main() -> None:
    """Be a guard, or a warm process that forks guards."""
    if sys.argv[-1] == "-":
        _serve(json.loads(sys.argv[1]), sys.argv[2:-1])
    else:
        guard(Path(sys.argv[1]), *map(int, sys.argv[2:5]))


def guard(folder: Path, progress: int, answer: int, last: int) -> None:
    """Guard a worker, or be it."""
    request = json.loads((folder / "request.json").read_text("utf-8"))
    sys.path[:] = request["sys_path"]
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    started = time.monotonic()
    prctl(SET_CHILD_SUBREAPER, 1)
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    ended_read, ended_write = os.pipe()
    os.set_blocking(ended_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(ended_write, warn_on_full_buffer=False)
    worker = os.fork()
    if worker:
        _guard(worker, ended_read, folder)
    signal.set_wakeup_fd(-1)
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    os.setpgid(0, 0)
    prctl(SET_PDEATHSIG, signal.SIGKILL)
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # if the machine runs out of memory, Linux ends this process before others
    os.close(ended_read)
    os.close(ended_write)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _SOCKET)
    os.close(nothing)
    for descriptor in (progress, answer, last):
        os.set_inheritable(descriptor, False)
    work(request, started, (progress, last), answer)


# A warm process ------------------------------------------------------------------------------------------------------


def _serve(path: Sequence[str], modules: Sequence[str]) -> None:
    """Load modules, and fork a guard for each message, until the parent closes the socket.

    A message is the path of a folder, with the descriptors of the guard: its socket, standard output, standard error,
    PROGRESS, ANSWER and LAST. The reply is the guard's process number. The guard's parent is the process that started
    this one, as if it had started the guard itself; no run finds this process among its parents.
    """
    sys.path[:] = path
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)  # the parent decides
    prctl(SET_DUMPABLE, 0)  # no other process of the user may look into this one, or write there
    for module in modules:
        with suppress(Exception):  # the run that needs it will tell
            importlib.import_module(module)
    gc.freeze()
    pages = int(Path("/proc/self/statm").read_text().split()[1])  # ru_maxrss would begin with that of the parent
    used = {"cpu_seconds": time.process_time(), "bytes": pages * resource.getpagesize()}
    control = socket.socket(fileno=_SOCKET)
    control.sendall(json.dumps(used).encode())
    while True:
        folder, descriptors, _, _ = socket.recv_fds(control, _LONGEST_PATH, 6)
        if not folder:
            return
        told, tell = os.pipe()
        between = os.fork()
        if not between:
            os.close(told)
            if os.fork():
                os._exit(0)
            os.write(tell, str(os.getpid()).encode())
            os.close(tell)
            break
        os.close(tell)
        for descriptor in descriptors:
            os.close(descriptor)
        os.waitpid(between, 0)
        control.sendall(os.read(told, 20))
        os.close(told)
    control.detach()
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_DFL)
    prctl(SET_DUMPABLE, 1)
    os.setsid()
    for standard, descriptor in enumerate(descriptors[:3]):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    os.chdir(os.path.join(folder.decode(), "work"))
    sys.argv[1:] = [folder.decode(), *map(str, descriptors[3:])]  # as if it had been started for this run alone
    main()


def environment() -> dict[str, str]:
    """The environment of a run: hashes are the same in all, and the user's own rows are where they are here."""
    return {**os.environ, "PYTHONHASHSEED": "0", "PEGCP_HOME": os.path.abspath(os.environ.get("PEGCP_HOME", ""))}


def prctl(option: int, value: int) -> None:
    """Ask Linux for a property of this process; elsewhere do without."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _guard(worker: int, ended: int, folder: Path) -> NoReturn:
    status: int | None = None
    orphaned = False
    while status is None:
        ready, _, _ = select.select([_SOCKET, ended], [], [])
        if ended in ready:
            os.read(ended, 4096)
            status = _reap(worker, os.WNOHANG)
        if status is None and _SOCKET in ready:
            orphaned = not os.read(_SOCKET, 1)
            break
    status = _kill(worker, status)
    if not orphaned:
        _tell(status)
    remove(folder)  # if the parent is gone, nobody else does
    os._exit(0)  # at once, the parent waits


def remove(folder: Path) -> None:
    """Remove a folder, if it is there: also one that a method has locked, or in which folders lie thousands deep.

    Folders inside are moved to its top before they are emptied, so that no path gets long.
    """
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


def _tell(status: int | None) -> None:
    """Tell the parent how the worker ended and what it used; wait until the parent needs no guard, or is gone."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024
    usage = {"status": status, "cpu_seconds": used.ru_utime + used.ru_stime, "largest_bytes": used.ru_maxrss * unit}
    with suppress(OSError):
        os.write(_SOCKET, json.dumps(usage).encode() + b"\n")
        while os.read(_SOCKET, 1):
            pass


def _reap(worker: int, flags: int) -> int | None:
    """Reap the children that have ended; the exit code of the worker (negative: signal) if it is among them."""
    code = None
    while True:
        try:
            pid, status = os.waitpid(-1, flags)
        except ChildProcessError:
            return code
        if pid == 0:
            return code
        if pid == worker:
            code = os.waitstatus_to_exitcode(status)


def _kill(worker: int, code: int | None) -> int | None:
    """Kill and reap everything under this process; the exit code of the worker."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        ended = _reap(worker, os.WNOHANG)
        code = ended if code is None else code
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            break
        import psutil

        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                process.kill()
        time.sleep(0.002)
    return code


def work(request: Mapping[str, Any], started: float, reports: tuple[int, int], answer: int) -> NoReturn:
    """Answer the request and write the answer, whatever happens short of a crash; and end."""
    found = _answer(request, started, _reporter(*reports, started))
    with open(answer, "w", encoding="utf-8") as file:
        file.write(json.dumps(found, default=_plain) + "\n")
    with suppress(OSError, ValueError):  # a method may have closed them
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)  # at once: to take down a solver's libraries takes a tenth of a second


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
        listing = Listing(*request["listing"]) if request.get("listing") else None
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
