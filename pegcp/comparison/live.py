"""The progress of a comparison, while its runs go on."""

import logging
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import TaskID

from pegcp.comparison import places, schedule
from pegcp.render.progress import ProgressBar, progress_text
from pegcp.results.result import Result
from pegcp.running.task import Task


class Live(ProgressBar):
    """Shows a comparison while it runs: a line for each finished run, and on a terminal what is running.

    Use it as a context and give :attr:`event` to the runner.
    """

    def __init__(self, tasks: Sequence[Task], console: Console | None = None) -> None:
        super().__init__(console)
        self.number, self.total = 0, len(tasks)
        self.summary = self.add_task("Ctrl-C stops")
        self.lines: dict[int, TaskID] = {}

    def event(self, event: schedule.RunEvent) -> None:
        """Show an event of the comparison."""
        name = f"{event.task.problem.name} by {event.task.choice.text}"
        match event.kind:
            case "start":
                self.lines[event.index] = self.add_task(escape(f"{name} is running"))
            case "progress":
                words = progress_text(event.progress or {}) or "no figures yet"
                self.update(self.lines[event.index], description=escape(f"{name}, {words}"))
            case _ if event.result is not None:
                if event.index in self.lines:
                    self.remove_task(self.lines.pop(event.index))
                self.number += 1
                self.update(self.summary, description=f"{self.number} of {self.total} runs done; Ctrl-C stops")
                time = "" if event.result.seconds is None else f" in {event.result.seconds:.2f} s"
                line = f"{self.number}/{self.total}  {name}: {event.result.verdict}{time}"
                self.console.print(line + ", kept from the file" * (event.kind == "kept"), markup=False, soft_wrap=True)


def run_all(tasks: Sequence[Task], on: str | None, **options: Any) -> list[Result]:
    """Make the runs (:func:`pegcp.comparison.schedule.run_all`), at a place if one is named, and show how they go
    on."""
    if on is not None:
        logging.disable()  # what goes wrong on a cluster, one line says here
    with places.open_place(on) as elsewhere, Live(tasks) as view:
        return schedule.run_all(tasks, elsewhere=elsewhere, on_event=view.event, **options)
