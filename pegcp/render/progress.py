"""The progress of runs, as lines on a terminal."""

from collections.abc import Mapping

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Column

from pegcp.render.table import figure


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


def progress_text(progress: Mapping[str, object]) -> str:
    """Return the progress of a run in words, without its times."""
    if progress.get("compiling"):
        return f"compiling, once on this machine: function {progress['compiling']}"
    figures = {k: v for k, v in progress.items() if isinstance(v, int | float) and not k.endswith("_seconds")}
    return ", ".join(f"{key.replace('_', ' ')} {figure(value)}" for key, value in figures.items())
