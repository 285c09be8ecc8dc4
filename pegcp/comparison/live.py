"""What is going on while a comparison is made."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live as RichLive
from rich.text import Text

from pegcp.comparison.runner import Task
from pegcp.comparison.schedule import Event
from pegcp.comparison.table import results_table, said
from pegcp.result import Result


class Live:
    """Shows a comparison while it runs: live on a terminal, else a line for each finished run.

    Use it as a context and give :attr:`event` to the runner.
    """

    def __init__(self, tasks: Sequence[Task], console: Console | None = None) -> None:
        self.tasks = tasks
        self.console = console or Console(stderr=True, highlight=False)
        self.results: dict[int, Result] = {}
        self.running: dict[int, tuple[float, str]] = {}
        self._lock = threading.Lock()
        self._live: RichLive | None = None

    def __enter__(self) -> Live:
        if self.console.is_terminal:
            live = RichLive(self, console=self.console, refresh_per_second=4, transient=True)
            live.start()
            self._live = live
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def event(self, event: Event) -> None:
        """Take note of what happens in the comparison."""
        with self._lock:
            if event.kind == "start":
                self.running[event.index] = (time.monotonic(), "")
            elif event.kind == "progress" and event.index in self.running:
                self.running[event.index] = (self.running[event.index][0], said(event.progress or {}))
            elif event.result is not None:
                self.running.pop(event.index, None)
                self.results[event.index] = event.result
                if self._live is None:
                    self.console.print(self._line(event.result), markup=False, soft_wrap=True)

    def _line(self, result: Result) -> str:
        """That a run has ended; what it found is in the table, which comes when all have."""
        wall = result.statistics.get("wall_seconds")
        took = "" if wall is None else f" in {wall:.2f} s"
        return f"{len(self.results)}/{len(self.tasks)}  {result.problem.name} by {result.method}: done{took}"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The finished runs as far as there is room, and the running ones."""
        with self._lock:
            room = console.height - len(self.running) - 6
            finished = [self.results[i] for i in sorted(self.results)][-room:] if room > 0 else []
            running = [self._running(index) for index in sorted(self.running)]
        if finished:
            yield results_table(finished)
        yield from running
        yield Text(f"{len(self.results)} of {len(self.tasks)} runs done; Ctrl-C stops", "dim")

    def _running(self, index: int) -> Text:
        since, progress = self.running[index]
        task = self.tasks[index]
        text = f"{task.problem.name} by {task.method.text}: running {time.monotonic() - since:.0f} s {progress}"
        return Text(text.rstrip(), no_wrap=True, overflow="ellipsis")
