"""Run one method on one problem in a child process, within limits, and judge its answer."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pegcp import machine
from pegcp.catalogue import methods
from pegcp.catalogue.modelfile import SUFFIXES, read_source
from pegcp.formats.toml import read_problem
from pegcp.method import Reason
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result, failed
from pegcp.running import here, host
from pegcp.running.messages import Request
from pegcp.running.story import Progress, Story
from pegcp.running.task import Task
from pegcp.running.worker import choice_of


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
    story = Story(task, order.memory, on_progress)
    if machine.IN_BROWSER:
        here.follow(task.request, story.take)
    else:
        host.follow(order, story.take, stop, task.modules)
    began, statistics = time.perf_counter(), story.statistics
    answer = replace(story.answer, statistics=statistics)
    result = judge_answer(problem, method.text, answer, task.limits, stop, log=story.log, **about)
    statistics["check_seconds"] = time.perf_counter() - began
    if trace := story.traced(result):
        statistics["trace"] = trace
    return replace(result, statistics=statistics)


def make_request(task: Task) -> Request:
    """Return a run as plain data, for another process or machine, with the text of a model file."""
    request, (name, colon, options) = task.request, task.method.text.partition(":")
    if not name.endswith(SUFFIXES) or task.method.method.path is None:
        return request
    source = read_source(task.method.method.path)
    beside = {f"{helper}.py": content for helper, content in source.helpers}
    files = {name: content.decode("latin-1") for name, content in {source.path.name: source.content, **beside}.items()}
    return replace(request, method=f"{source.path.name}{colon}{options}", files=files)


def run_request(
    request: Request,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    together: int = 1,
) -> dict[str, Any]:
    """Make the run of a :func:`make_request`, see :func:`run`; return the result as plain data."""
    with TemporaryDirectory() if request.files else nullcontext("") as folder:
        for name, text in request.files.items():
            Path(folder, name).write_bytes(text.encode("latin-1"))
        choice = choice_of(replace(request, method=os.path.join(folder, request.method)))
        problem = read_problem(request.problem, name=request.name)
        details = request.log, request.listing, request.sizes, request.certificate
        return run(Task(problem, choice, request.limits, *details), on_progress, stop, together).to_json()


@cache
def _machine() -> dict[str, object]:
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": machine.processor(),
        "cores": machine.cores(),
        "memory_mb": round(machine.memory()),
    }
