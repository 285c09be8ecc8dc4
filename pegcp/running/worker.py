"""Answer one request in a process of its own, and report on the way."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from pegcp.catalogue.methods import choose
from pegcp.errors import Missing, PegcpError
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.method import Answer, Limits, Listing, Reason, Run, Status

_LONGEST_MESSAGE = 10_000  # characters

Report = Callable[[Mapping[str, Any]], None]


def work(order: Mapping[str, Any], channel: int, errors: int, started: float) -> NoReturn:
    """Answer the order's request, write reports and the answer to the channel, line by line, and end this process."""
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(signum, signal.SIG_DFL)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")  # Linux ends this process before others
    os.dup2(0, 1)  # nowhere
    os.dup2(errors, 2)
    os.environ.clear()
    os.environ.update(order["environment"])
    tempfile.tempdir = None
    os.chdir(order["folder"])
    file = open(channel, "wb")  # noqa: SIM115 - it is open until the end of the process

    def write(kind: bytes, values: Mapping[str, Any]) -> None:
        file.write(kind + json.dumps(values, default=_plain).encode() + b"\n")
        file.flush()

    def report(values: Mapping[str, Any]) -> None:
        write(b"p", {**values, "at_seconds": round(time.monotonic() - started, 3)})

    code, worker = 1, os.getpid()
    try:
        claim = answer(order["request"], started, report)
        if os.getpid() == worker:  # not a fork that the method has made and that came back
            write(b"a", vars(claim) | {"solutions": _number_jumps(claim.solutions, order["request"]["problem"])})
        code = 0
        sys.stderr.flush()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
        sys.stderr.write(f"{'' if error.code is None else error.code}\n")
    except BaseException:  # noqa: BLE001 - whatever it is, the host is told by standard error and exit code
        traceback.print_exc()
    finally:
        os._exit(code)  # at once: to take down a solver's libraries takes a tenth of a second, or for ever


def answer(request: Mapping[str, Any], started: float, report: Report) -> Answer:
    """Answer a request, made by :func:`pegcp.running.run.make_request`; every Exception becomes an answer."""
    try:
        problem = read_problem(request["problem"], name=request["name"]).read_from(tuple(request.get("files", ())))
        spec = choose(request["method"])
        listing = Listing(**request["listing"]) if request.get("listing") else None
        run = Run(Limits(**request["limits"]), started, report, request.get("log", False), listing=listing)
        start = time.monotonic() - started
        report({"start_seconds": start})
        began = time.perf_counter()
        claim = (spec.look if request.get("look") else spec.run)(problem, run)
        elapsed = time.perf_counter() - began
        compiled = {"compile_seconds": run.pause.seconds} if run.pause.seconds else {}
        statistics = {"start_seconds": start, **compiled, **claim.statistics}
        built = statistics.setdefault("build_seconds", 0.0)
        statistics.setdefault("solve_seconds", max(0.0, elapsed - built - run.pause.seconds))
        return replace(claim, statistics=statistics)
    except Missing as error:
        reason, message = Reason.MISSING, str(error)
    except MemoryError:
        reason, message = Reason.MEMORY, "out of memory"
    except PegcpError as error:
        reason, message = Reason.ERROR, str(error)
    except Exception as error:  # noqa: BLE001 - whatever a method raises becomes a row of the table
        traceback.print_exc()
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = Reason.ERROR
        message = f"{type(error).__name__}: {error} ({os.path.basename(frame.filename)}, line {frame.lineno})"
    return Answer(Status.UNKNOWN, reason, message=message[:_LONGEST_MESSAGE])


def _number_jumps(solutions: Sequence[Sequence[Jump]], description: str) -> list[list[int]]:
    """Return solutions as numbers of jumps of the board, which are shorter than their holes; -1 for any other jump."""
    jumps = read_problem(description).board.jumps if solutions else ()
    number = {jump: n for n, jump in enumerate(jumps)}
    return [[number.get(jump, -1) for jump in solution] for solution in solutions]


def _plain(value: Any) -> Any:
    """Return JSON's equivalent of a value: numbers of numpy become numbers, sets lists, everything else text."""
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)
