"""Answer a request in this process, where there are no others and no threads: in a browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

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
