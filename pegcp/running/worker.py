"""Answer one request in a process of its own, and report on the way."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from mmap import mmap
from pathlib import Path
from typing import Any, NoReturn

from pegcp.running.answer import answer_as_json, encode


def work(order: Mapping[str, Any], channel: int, errors: int, started: float, compiling: mmap) -> NoReturn:
    """Answer the order's request, write reports and the answer to the channel, line by line, and end this process. The
    first byte of ``compiling`` is 1 while the method says that it compiles."""
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")  # Linux ends this process before others
    os.dup2(0, 1)  # nowhere
    os.dup2(errors, 2)
    sys.path[:] = order["path"]
    os.environ.clear()
    os.environ.update(order["environment"])
    tempfile.tempdir = None
    os.chdir(order["folder"])
    file = open(channel, "wb")  # noqa: SIM115 - it is open until the end of the process

    def report(values: Mapping[str, Any]) -> None:
        compiling[0] = bool(values.get("compiling", compiling[0]))
        file.write(b"p" + encode({**values, "at_seconds": round(time.monotonic() - started, 3)}) + b"\n")
        file.flush()

    code, worker = 1, os.getpid()
    try:
        text = answer_as_json(order["request"], started, report)
        if os.getpid() == worker:  # not a fork that the method has made and that came back
            file.write(b"a" + text + b"\n")
            file.flush()
        code = 0
        sys.stderr.flush()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
        sys.stderr.write(f"{'' if error.code is None else error.code}\n")
    except BaseException:  # noqa: BLE001 - whatever it is, the host is told by standard error and exit code
        traceback.print_exc()
    finally:
        os._exit(code)  # at once: to take down a solver's libraries takes a tenth of a second, or for ever
