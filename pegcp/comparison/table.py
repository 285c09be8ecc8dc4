"""Comparisons for the eye: a table of results, and what is going on while they are made."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from types import TracebackType

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live as RichLive
from rich.table import Table
from rich.text import Text

from pegcp.comparison.agreement import Disagreement, disagreements
from pegcp.comparison.runner import Task
from pegcp.comparison.schedule import Event
from pegcp.method import Reason, Status
from pegcp.result import Result

_STYLES = {
    Status.SOLVED: "green",
    Status.OPTIMAL: "bold green",
    Status.INFEASIBLE: "cyan",
    Status.UNKNOWN: "yellow",
}
_FAULTS = (Reason.ERROR, Reason.INVALID_SOLUTION)
_UNREMARKABLE = (Reason.TIME, Reason.INTERRUPTED, Reason.COMPLETED)
_WRONG = "bold white on red"


def results_table(results: Sequence[Result], title: str = "") -> RenderableType:
    """The results as a table, in their order; rows that contradict each other stand out. Disagreements are listed first
    below it, then long messages and what was counted, each once."""
    found = disagreements(results)
    wrong = {id(result) for disagreement in found for result in disagreement.results}
    seeds = len({result.parameters.get("seed") for result in results}) > 1
    table = _table(title, seeds)
    notes: dict[str, int] = {}
    for result in results:
        note, remark = "", f"counted: {result.counted}" if result.counted else ""
        if result.message and not result.answered and result.reason not in _UNREMARKABLE:
            remark = f"{result.method}: {result.message}"
        if remark:
            note = f" [{notes.setdefault(remark, len(notes) + 1)}]"
        table.add_row(*_cells(result, seeds, note), style=_WRONG if id(result) in wrong else None)
    return Group(table, *_disagreements(found), *(Text(f"[{n}] {text}") for text, n in notes.items()))


def verdict(result: Result) -> str:
    """Status, and the reason where it says more."""
    return result.status.value if result.reason is Reason.COMPLETED else f"{result.status} {result.reason}"


def _table(title: str, seeds: bool) -> Table:
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("problem", overflow="fold")
    table.add_column("method", overflow="fold")
    if seeds:
        table.add_column("seed", justify="right")
    table.add_column("verdict", overflow="fold")
    for name in ("jumps", "moves", "objective", "bound", "build s", "solve s", "wall s", "MB"):
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _cells(result: Result, seeds: bool, note: str) -> list[str | Text]:
    statistics = result.statistics
    style = "bold red" if result.reason in _FAULTS else _STYLES[result.status]
    return [
        Text(result.problem.name),
        Text(result.method),
        *([_figure(result.parameters.get("seed"))] if seeds else []),
        Text(verdict(result) + note, style),
        _figure(None if result.jumps is None else len(result.jumps)),
        _figure(result.moves),
        _figure(result.objective),
        _figure(result.bound),
        _figure(statistics.get("build_seconds"), 2),
        _figure(statistics.get("solve_seconds"), 2),
        _figure(statistics.get("wall_seconds"), 2),
        _figure(statistics.get("peak_memory_mb"), 0),
    ]


def _figure(value: object, decimals: int | None = None) -> str:
    if not isinstance(value, int | float):
        return "-"
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    return f"{int(value):,}" if value == int(value) else f"{value:,g}"


def _disagreements(found: Iterable[Disagreement]) -> list[Text]:
    return [Text(f"DISAGREEMENT on {item.problem}: {item.message}", _WRONG) for item in found]


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
                shown = {k: v for k, v in (event.progress or {}).items() if isinstance(v, int | float)}
                text = ", ".join(f"{k.replace('_', ' ')} {_figure(v)}" for k, v in shown.items())
                self.running[event.index] = (self.running[event.index][0], text)
            elif event.result is not None:
                self.running.pop(event.index, None)
                self.results[event.index] = event.result
                if self._live is None:
                    self.console.print(self._line(event.result), markup=False, soft_wrap=True)

    def _line(self, result: Result) -> str:
        wall = result.statistics.get("wall_seconds")
        took = f" in {wall:.2f} s" if wall is not None else ""
        jumps = f", {len(result.jumps)} jumps" if result.jumps is not None else ""
        done = f"{len(self.results)}/{len(self.tasks)}"
        return f"{done}  {result.problem.name} by {result.method}: {verdict(result)}{jumps}{took}"

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The finished runs as far as there is room, and the running ones."""
        with self._lock:
            room = console.height - len(self.running) - 6
            finished = [self.results[i] for i in sorted(self.results)][-room:] if room > 0 else []
            table = _table("", False)
            for result in finished:
                table.add_row(*_cells(result, False, ""))
            for index, (since, progress) in sorted(self.running.items()):
                task = self.tasks[index]
                seconds = f"{time.monotonic() - since:.0f} s"
                name, method = Text(task.problem.name), Text(task.method.text)
                table.add_row(name, method, Text(f"running {seconds} {progress}".rstrip(), "dim"))
        yield table
        yield Text(f"{len(self.results)} of {len(self.tasks)} runs done; Ctrl-C stops", "dim")
