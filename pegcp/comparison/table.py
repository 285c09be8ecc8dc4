"""A comparison for the eye: the table of its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp.comparison.agreement import Disagreement, claims, disagreements
from pegcp.method import Reason, Status
from pegcp.render.columns import Column, Listing
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
    below it, then long messages and what was counted, each once; and last, how many verdicts are only claimed."""
    found = disagreements(results)
    notes: dict[str, int] = {}
    table = listing(results, title, found, notes)
    below = [Text(f"[{n}] {text}") for text, n in notes.items()]
    return Group(table, *_disagreements(found), *below, Text(claims(results)))


def listing(
    results: Sequence[Result],
    title: str = "",
    found: Sequence[Disagreement] = (),
    notes: dict[str, int] | None = None,
) -> Listing:
    """The table alone; messages are numbered and collected in ``notes``."""
    wrong = {id(result) for disagreement in found for result in disagreement.results}
    table = Listing(title, *COLUMNS)
    seeds = len({result.parameters.get("seed") for result in results}) > 1
    for result in results:
        note, remark = "", f"counted: {result.counted}" if result.counted else ""
        if result.message and not result.answered and result.reason not in _UNREMARKABLE:
            remark = f"{result.method}: {result.message}"
        if remark and notes is not None:
            note = f" [{notes.setdefault(remark, len(notes) + 1)}]"
        row = cells(result, note)
        row[2] = row[2] if seeds else ""
        table.add(*row, style=_WRONG if id(result) in wrong else None)
    return table


COLUMNS = (
    Column("problem"),
    Column("method"),
    Column("seed", 1, right=True),
    Column("verdict", prose=12),
    Column("evidence", 2),
    Column("jumps", 4, right=True),
    Column("moves", 6, right=True),
    Column("objective", 3, right=True),
    Column("bound", 3, right=True),
    Column("start s", 9, right=True),
    Column("compile s", 8, right=True),
    Column("build s", 5, right=True),
    Column("solve s", 1, right=True),
    Column("certificate s", 8, right=True),
    Column("wall s", 6, right=True),
    Column("MB", 7, right=True),
)
_SECONDS = ("start", "compile", "build", "solve", "certificate", "wall")


def cells(result: Result, note: str = "") -> list[str | Text]:
    """The row of a result, one cell for each of :data:`COLUMNS`."""
    statistics = result.statistics
    style = "bold red" if result.reason in _FAULTS else _STYLES[result.status]
    return [
        result.problem.name,
        result.method,
        figure(result.parameters.get("seed")),
        Text(result.verdict + note, style),
        result.rests_on,
        figure(None if result.jumps is None else len(result.jumps)),
        figure(result.moves),
        figure(result.objective),
        figure(result.bound),
        *(figure(statistics.get(f"{key}_seconds"), 2) for key in _SECONDS),
        figure(statistics.get("peak_memory_mb"), 0),
    ]


def figure(value: object, decimals: int | None = None) -> str:
    """A number for people; a dash for what is none."""
    if not isinstance(value, int | float):
        return "-"
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    return f"{int(value):,}" if value == int(value) else f"{value:,g}"


def _disagreements(found: Iterable[Disagreement]) -> list[Text]:
    return [Text(f"DISAGREEMENT on {item.problem}: {item.message}", _WRONG) for item in found]
