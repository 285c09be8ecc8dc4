"""Run one method on one problem in a child process, within limits, and judge its answer."""

import platform
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from pegcp import machine
from pegcp.catalogue import methods
from pegcp.method import Reason
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result, failed
from pegcp.running import host, worker
from pegcp.running.story import Progress, Story
from pegcp.running.task import Task


def run(
    task: Task,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    together: int = 1,
) -> Result:
    """Make one run in a child process and check its answer. Setting ``stop`` ends it as INTERRUPTED; ``together`` runs
    share this machine's memory."""
    problem, method = task.problem, task.method
    about = {
        "backend": method.backend,
        "versions": task.versions,
        "parameters": task.parameters,
        "provenance": {**_machine(), "started": datetime.now(UTC).isoformat(timespec="milliseconds")},
    }
    if mismatch := method.method.mismatch(problem):
        return failed(problem, method.text, Reason.UNSUPPORTED, f"{mismatch}{methods.use_instead(problem)}", **about)
    order = task.order(together)
    story = Story(task, order.limits.memory or 0.0, on_progress)
    follow = worker.follow_here if machine.IN_BROWSER else host.follow
    follow(order, story.take, stop, task.modules)
    began, statistics = time.perf_counter(), story.statistics
    answer = replace(story.answer, statistics=statistics)
    result = judge_answer(problem, method.text, answer, task.limits, stop, log=story.log, **about)
    statistics["check_seconds"] = time.perf_counter() - began
    if trace := story.traced(result):
        statistics["trace"] = trace
    return replace(result, statistics=statistics)


@cache
def _machine() -> dict[str, object]:
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": machine.processor(),
        "cores": machine.cores(),
        "memory_mb": round(machine.memory()),
    }
