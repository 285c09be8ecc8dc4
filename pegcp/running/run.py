"""Run one method on one problem in a child process, within limits, and judge its answer."""

from __future__ import annotations

import platform
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from pegcp.catalogue import methods
from pegcp.catalogue.methods import Chosen
from pegcp.catalogue.modelfile import SUFFIXES
from pegcp.formats.toml import read_problem
from pegcp.game.goal import Objective
from pegcp.method import IN_BROWSER, Limits, Reason, Status
from pegcp.result import Result, failed
from pegcp.running import machine
from pegcp.running.containment import contain
from pegcp.running.in_process import run_here
from pegcp.running.judge import checked
from pegcp.running.outcome import Outcome, Point, Progress, read_claim
from pegcp.running.task import Task

_TIME_TO_WRITE = 2.0  # seconds after the time limit for a list of solutions
_LONGEST_LOG = 20_000  # characters that are kept


def run(
    task: Task,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    together: int = 1,
) -> Result:
    """Make one run in a child process and check its answer. Setting ``stop`` ends it as INTERRUPTED; ``together`` runs
    share this machine's memory."""
    problem, spec, limits = task.problem, task.method, task.limits
    about = {
        "backend": spec.backend,
        "versions": task.versions,
        "parameters": task.parameters,
        "provenance": {**_machine(), "started": datetime.now(UTC).isoformat(timespec="milliseconds")},
    }
    mismatch = spec.method.mismatch(problem)
    if mismatch is not None:
        return failed(problem, spec.text, Reason.UNSUPPORTED, f"{mismatch}{methods.use_instead(problem)}", **about)
    log: deque[str] = deque(maxlen=_LONGEST_LOG)

    def take_progress(progress: Progress) -> None:
        if "log" in progress:
            log.append(str(progress["log"]))
        if on_progress is not None:
            on_progress(progress)

    outside = limits if task.listing is None else replace(limits, time=limits.time + _TIME_TO_WRITE)
    if IN_BROWSER:
        outcome = run_here(make_request(task), take_progress)
    else:
        outcome = contain(make_request(task), outside, take_progress, stop, together, task.modules, task.pauses)
    answer = read_claim(outcome, task)
    statistics = {
        **{k: v for k, v in outcome.progress.items() if k not in ("bound", "jumps", "objective", "compiling")},
        **(_stopped_seconds(outcome) if outcome.answer is None else {}),
        **answer.statistics,
        "wall_seconds": outcome.wall_seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "peak_memory_mb": outcome.peak_memory_mb,
    }
    answer = replace(answer, statistics=statistics)
    if answer.status is Status.UNKNOWN and answer.reason is Reason.INVALID_SOLUTION:
        answer = replace(answer, reason=Reason.ERROR)
    began = time.perf_counter()
    result = checked(problem, spec.text, answer, limits, log="\n".join(log)[-_LONGEST_LOG:], **about)
    statistics["check_seconds"] = time.perf_counter() - began
    if outcome.trace and problem.objective not in (Objective.ANY, Objective.COUNT):
        statistics["trace"] = [list(point) for point in _complete_trace(outcome, result)]  # as JSON has it
    return replace(result, statistics=statistics)


def _stopped_seconds(outcome: Outcome) -> dict[str, float | None]:
    """Return the seconds of a run that was stopped: all but starting, compiling and building were spent solving."""
    start, compiled, built = (outcome.progress.get(f"{key}_seconds") for key in ("start", "compile", "build"))
    if outcome.stopped is None or start is None:
        return {"build_seconds": None, "solve_seconds": None}
    elsewhere = start + (compiled or 0.0) + (built or 0.0)
    return {"build_seconds": built or 0.0, "solve_seconds": max(0.0, outcome.wall_seconds - elsewhere)}


def _complete_trace(outcome: Outcome, result: Result) -> list[Point]:
    """Return the trace of a run, with its result as the last point."""
    bound = result.objective if result.status is Status.OPTIMAL else result.bound
    return [*outcome.trace, (outcome.wall_seconds, result.objective, bound)]


def make_request(task: Task) -> dict[str, Any]:
    """Return a run as plain data, for another process or machine."""
    return {
        "problem": task.problem.text,
        "name": task.problem.name,
        "method": _absolute(task.method),
        "fingerprint": task.method.method.fingerprint,
        "limits": vars(task.limits),
        "log": task.log,
        "look": task.look,
        "certificate": task.certificate,
        "listing": task.listing and vars(task.listing),
    }


def run_request(data: Mapping[str, Any]) -> dict[str, Any]:
    """Make the run of a :func:`make_request`; return the result as plain data."""
    problem = read_problem(data["problem"], name=data["name"])
    return run(Task(problem, methods.choose(data["method"]), Limits(**data["limits"]), data["log"])).to_json()


def _absolute(spec: Chosen) -> str:
    """Return the written form of a method, with the path of a model file made absolute."""
    name, colon, options = spec.text.partition(":")
    return f"{spec.method.path}{colon}{options}" if name.endswith(SUFFIXES) else spec.text


@cache
def _machine() -> dict[str, Any]:
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": platform.processor() or platform.machine(),
        "cores": machine.cores(),
        "memory_mb": round(machine.memory()),
    }
