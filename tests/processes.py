"""The processes that a host has through pegcp: keepers, and those of runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

from pegcp.comparison.experiment import make_tasks
from pegcp.results.result import Result
from pegcp.running.road import Progress, run


def one_run(
    problem: str,
    method: str,
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seed: int = 0,
    workers: int = 2,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """A run as a comparison makes it: its keeper does not first load what certificates need."""
    (task,) = make_tasks(
        [problem], [method], time_limit=time_limit, memory_limit=memory_limit, seeds=[seed], workers=workers
    )
    return run(task, on_progress)


def keepers(host: int | None = None) -> list[psutil.Process]:
    """The keepers of a host, by default of this process."""
    forks = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            command = process.cmdline()
            if len(command) > 4 and "pegcp.running.keeper" in command[3] and command[4] == str(host or os.getpid()):
                forks[process.pid] = process
    found = []
    for process in forks.values():
        with suppress(psutil.Error):
            if process.ppid() not in forks:
                found.append(process)
    return found


def processes_of_runs(host: int | None = None) -> list[psutil.Process]:
    """All processes under the keepers of a host: workers, and what these have started."""
    found: list[psutil.Process] = []
    for keeper in keepers(host):
        with suppress(psutil.Error):
            found += keeper.children(recursive=True)
    return found


def soon() -> float:
    """Seconds within which a run has surely begun and said something, however busy this machine is just now."""
    one_run("XoXX", "dfs")  # its keeper is there now
    began = time.monotonic()
    one_run("XoXX", "dfs")
    return 0.3 + 5 * (time.monotonic() - began)


def is_alive(process: psutil.Process) -> bool:
    """Whether a process has not ended. A keeper is the child of the first process of the machine, which may let what
    has ended stand in the list for long."""
    with suppress(psutil.Error):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def all_end(processes: Iterable[psutil.Process], seconds: float = 10) -> bool:
    """Whether all of the processes end within some seconds."""
    return becomes_true(lambda: not any(map(is_alive, processes)), seconds)


def becomes_true(condition: Callable[[], bool], seconds: float = 10) -> bool:
    """Whether a condition is true within some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
