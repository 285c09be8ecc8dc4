"""Show the progress of runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column

from pegcp.comparison.schedule import RunEvent
from pegcp.render.table import figure
from pegcp.running.task import Task


class ProgressBar(Progress):
    """A line for each run that goes on, with its seconds; nothing unless the console is a terminal."""

    def __init__(self, console: Console | None = None) -> None:
        console = console or Console(stderr=True, highlight=False)
        clock, text = Column(no_wrap=True, min_width=7), Column(no_wrap=True, overflow="ellipsis", ratio=1)
        seconds, words = TimeElapsedColumn(table_column=clock), TextColumn("{task.description}", table_column=text)
        super().__init__(
            SpinnerColumn("line"),
            seconds,
            words,
            console=console,
            transient=True,
            expand=True,
            refresh_per_second=4,
            disable=not console.is_terminal,
        )


class Live(ProgressBar):
    """Shows a comparison while it runs: a line for each finished run, and on a terminal what is running.

    Use it as a context and give :attr:`event` to the runner.
    """

    def __init__(self, tasks: Sequence[Task], console: Console | None = None) -> None:
        super().__init__(console)
        self.number, self.total = 0, len(tasks)
        self.summary = self.add_task("Ctrl-C stops")
        self.lines: dict[int, TaskID] = {}

    def event(self, event: RunEvent) -> None:
        """Show an event of the comparison."""
        name = f"{event.task.problem.name} by {event.task.method.text}"
        match event.kind:
            case "start":
                self.lines[event.index] = self.add_task(escape(f"{name} is running"))
            case "progress":
                words = progress_text(event.progress or {})
                self.update(self.lines[event.index], description=escape(f"{name}, {words}"))
            case _ if event.result is not None:
                if event.index in self.lines:
                    self.remove_task(self.lines.pop(event.index))
                self.number += 1
                self.update(self.summary, description=f"{self.number} of {self.total} runs done; Ctrl-C stops")
                time = "" if event.result.seconds is None else f" in {event.result.seconds:.2f} s"
                line = f"{self.number}/{self.total}  {name}: {event.result.verdict}{time}"
                self.console.print(line + ", kept from the file" * (event.kind == "kept"), markup=False, soft_wrap=True)


def progress_text(progress: Mapping[str, Any]) -> str:
    """Return the progress of a run in words, without its times."""
    if progress.get("compiling"):
        return f"compiling, once on this machine: function {progress['compiling']}"
    figures = {k: v for k, v in progress.items() if isinstance(v, int | float) and not k.endswith("_seconds")}
    return ", ".join(f"{key.replace('_', ' ')} {figure(value)}" for key, value in figures.items())
