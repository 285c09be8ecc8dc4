"""Answer a request in this process, where there are no others and no threads: in a browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from pegcp.machine import IN_BROWSER
from pegcp.running.messages import Ended, Message, Reply, Report, Request
from pegcp.running.worker import answer


def follow(request: Request, take: Callable[[Message], object]) -> None:
    """Give the messages of a run, as :func:`pegcp.running.host.follow` does elsewhere.

    The method itself keeps its limit of time; nothing keeps that of memory.
    """
    began, used = time.monotonic(), time.process_time()

    def report(values: Mapping[str, object]) -> None:
        take(Report(dict(values), round(time.monotonic() - began, 3)))

    take(Reply(answer(request, began, report)))
    take(Ended(None, 0, "", time.monotonic() - began, time.process_time() - used))


def make_pool(jobs: int) -> Executor:
    """Return an executor that makes runs, at most ``jobs`` at a time; in a browser one after the other."""
    return _Sequential() if IN_BROWSER else ThreadPoolExecutor(jobs)


class _Sequential(Executor):
    """Calls what is submitted at once: an executor without threads."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function, and return a future that is done."""
        future: Future[object] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future raises it
            future.set_exception(error)
        return future
