"""Methods set on one position side by side, in child processes, until they answer or the page goes away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pegcp.comparison.schedule import tasks
from pegcp.errors import InputError, PegcpError
from pegcp.game.problem import Problem
from pegcp.play.exchange import result_view
from pegcp.running import machine
from pegcp.running import run as runner
from pegcp.running.task import Task

MOST_METHODS = 8  # in a race
MOST_WAITING = 16  # runs, over all pages
_SHOWN = ("bound", "positions", "nodes", "conflicts", "level", "horizon", "solutions")


class Busy(PegcpError):
    """So many runs are waiting that no more are taken."""


class Races:
    """The runs of all pages, as many at a time as there are cores."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(machine.cores())
        self.stops: set[threading.Event] = set()  # one for each race
        self.open = 0  # runs that have not ended

    async def race(self, problem: Problem, methods: list[str], time_limit: float) -> AsyncIterator[dict[str, Any]]:
        """What happens, line by line: a method starts, makes progress, or has a result.

        When the iterator is closed the runs end. Raises InputError, and Busy.
        """
        if not 1 <= len(methods) <= MOST_METHODS:
            raise InputError(f"choose 1 to {MOST_METHODS} methods")
        if self.open + len(methods) > MOST_WAITING:
            raise Busy(f"{self.open} runs are going on or waiting already; try again when they have ended")
        todo = tasks([problem], methods, time_limit=time_limit, workers=1)
        return self._race(todo)

    async def _race(self, todo: list[Task]) -> AsyncIterator[dict[str, Any]]:
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        stop = threading.Event()

        def tell(task: Task, **what: Any) -> None:
            loop.call_soon_threadsafe(lines.put_nowait, {"method": task.method.text, **what})

        def run(task: Task) -> None:
            tell(task, state="running")
            try:
                result = runner.run(task, lambda said: tell(task, state="running", **_figures(said)), stop, len(todo))
                tell(task, state="done", **result_view(result))
            except Exception as error:  # noqa: BLE001 - whatever happens concerns this run only
                tell(task, state="done", verdict="ERROR", text=str(error), jumps=None)

        self.stops.add(stop)
        self.open += len(todo)
        futures = [self.pool.submit(run, task) for task in todo]
        try:
            done = 0
            while done < len(todo):
                line = await lines.get()
                done += line["state"] == "done"
                yield line
        finally:
            stop.set()
            for future in futures:
                future.cancel()
            self.stops.discard(stop)
            self.open -= len(todo)

    def close(self) -> None:
        """End all runs; their races end with them."""
        for stop in tuple(self.stops):
            stop.set()
        self.pool.shutdown(wait=False)


def _figures(progress: Any) -> dict[str, Any]:
    return {key: progress[key] for key in _SHOWN if isinstance(progress.get(key), int | float)}
