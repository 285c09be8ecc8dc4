"""This machine and this Python: cores, memory, processes, packages and their plug-ins."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pegcp.errors import need, refuse_if

if TYPE_CHECKING:
    from importlib.metadata import Distribution

IN_BROWSER: bool = sys.platform == "emscripten"  # which has neither processes nor threads
MB = 1_000_000  # bytes
MEMORY_SHARE = 0.75  # of the memory that the runs of a comparison may use together, where no limit is given

_GROUPS = "/sys/fs/cgroup"


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> float:
    """Return the MB of memory that this process may use: the machine's, or less if its control group allows less.

    Raises Missing without psutil.
    """
    if IN_BROWSER:
        return 4000.0  # that a page can have
    need("a run in a child process", "pegcp", "psutil")
    import psutil

    return min([psutil.virtual_memory().total, *_group_limits()]) / MB


def processor() -> str:
    """Return the name of the processor, as far as the system tells."""
    with suppress(OSError, StopIteration):
        text = Path("/proc/cpuinfo").read_text("utf-8")
        return next(line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name"))
    return platform.processor() or platform.machine()


def python() -> str:
    """Return the path of Python, for processes of pegcp. Raises InputError where it is not known."""
    refuse_if(not sys.executable, "cannot run a child process: sys.executable does not say where Python is")
    return sys.executable


def packages(name: str | None = None) -> Iterable[Distribution]:
    """Return the installed packages, or those of a name; some programs put into sys.path what is no path."""
    from importlib.metadata import distributions  # a tenth of the time in which a run begins

    return distributions(name=name, path=[entry for entry in sys.path if isinstance(entry, str)])


@cache
def plugins(group: str, kind: type) -> Mapping[str, Any]:
    """Return what other packages add to a group of entry points, by name: of a kind, or a function that returns it.

    In place of one that does not load, or is none of this kind, there is the error.
    """
    by_name: dict[str, Any] = {}
    for package in packages():
        for point in package.entry_points.select(group=group):
            try:
                plugin = point.load()
                by_name[point.name] = plugin if isinstance(plugin, kind) else plugin()
                if not isinstance(by_name[point.name], kind):
                    raise TypeError(f"{point.name} must be a {kind.__module__}.{kind.__name__}, or return one")
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a broken plug-in must not take the others down
                by_name[point.name] = error if isinstance(error, Exception) else RuntimeError(repr(error))
    return by_name


def process_descriptor(number: int) -> list[int]:
    """Return a descriptor of a process, which can be read when it has ended; nothing where the system has none."""
    with suppress(AttributeError, OSError):
        return [os.pidfd_open(number)]
    return []


def _group_limits() -> Iterator[int]:
    """Yield the bytes that the control groups of this process and those above them allow."""
    with suppress(OSError, IndexError):  # not Linux, or version 1
        group = Path(_GROUPS + Path("/proc/self/cgroup").read_text("utf-8").split("0::")[1].strip())
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):  # "max" is no number, and a container hides the path
                yield int((folder / "memory.max").read_text("utf-8"))
