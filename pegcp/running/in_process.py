"""Answer a request in this process, where there are no others and no threads: in a browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from pegcp.method import IN_BROWSER
from pegcp.running.answer import answer
from pegcp.running.outcome import Outcome, Progress


def run_here(request: Mapping[str, Any], on_progress: Callable[[Progress], None]) -> Outcome:
    """Return the outcome of a request, as :func:`pegcp.running.containment.contain` does elsewhere.

    The method itself keeps its limit of time; nothing keeps that of memory.
    """
    outcome, began, used = Outcome(), time.monotonic(), time.process_time()

    def report(values: Mapping[str, Any]) -> None:
        on_progress(outcome.add_values({**values, "at_seconds": round(time.monotonic() - began, 3)}))

    outcome.answer = answer(request, began, report)
    outcome.exit_code = 0
    outcome.wall_seconds, outcome.cpu_seconds = time.monotonic() - began, time.process_time() - used
    return outcome


def make_pool(jobs: int) -> Executor:
    """Return an executor that makes runs, at most ``jobs`` at a time; in a browser one after the other."""
    return _Sequential() if IN_BROWSER else ThreadPoolExecutor(jobs)


class _Sequential(Executor):
    """Calls what is submitted at once: an executor without threads."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function, and return a future that is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future raises it
            future.set_exception(error)
        return future
