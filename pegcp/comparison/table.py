"""A comparison for the eye: the table of its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp.comparison.agreement import Disagreement, claims, disagreements
from pegcp.method import Reason, Status
from pegcp.render.columns import Column, Listing
from pegcp.result import Result
from pegcp.running.outcome import Progress

_STYLES = {
    Status.SOLVED: "green",
    Status.OPTIMAL: "bold green",
    Status.INFEASIBLE: "cyan",
    Status.UNKNOWN: "yellow",
}
_UNREMARKABLE = (Reason.TIME, Reason.INTERRUPTED, Reason.COMPLETED)
_WRONG = "bold white on red"

Cell = Callable[[Result], str | Text]
Shown = Sequence[tuple[Column, Cell]]  # the columns of a table, and what each shows of a result


def results_table(results: Sequence[Result], title: str = "") -> RenderableType:
    """The results as a table, in their order; rows that contradict each other stand out. Disagreements are listed first
    below it, then long messages and what was counted, each once; and last, how many verdicts are only claimed."""
    contradictions = disagreements(results)
    notes: dict[str, int] = {}
    table = listing(results, title, None, contradictions, notes)
    wrong = [Text(f"DISAGREEMENT on {item.problem}: {item.message}", _WRONG) for item in contradictions]
    return Group(table, *wrong, *(Text(f"[{n}] {text}") for text, n in notes.items()), Text(claims(results)))


def listing(
    results: Sequence[Result],
    title: str = "",
    shown: Shown | None = None,
    contradictions: Sequence[Disagreement] = (),
    notes: dict[str, int] | None = None,
) -> Listing:
    """The table alone, with the columns of :func:`columns` or others; ``notes`` collects messages by number."""
    wrong = {id(result) for disagreement in contradictions for result in disagreement.results}
    shown = columns(results, {} if notes is None else notes) if shown is None else shown
    table = Listing(title, *(column for column, _ in shown))
    for result in results:
        table.add(*(cell(result) for _, cell in shown), style=_WRONG if id(result) in wrong else None)
    return table


def columns(results: Iterable[Result], notes: dict[str, int]) -> Shown:
    """What a comparison shows of its results; ``notes`` gets the texts below the table, with their numbers."""
    results = list(results)
    costs = any(r.objective not in (None, r.statistics.get("plan_cost", r.objective)) for r in results)
    seeds = len({result.parameters.get("seed") for result in results}) > 1

    def verdict(result: Result) -> Text:
        style = "bold red" if result.reason.sort == "fault" else _STYLES[result.status]
        return Text(result.verdict + _note(result, notes), style)

    return (
        (Column("problem"), lambda result: result.problem.name),
        (Column("method"), _method),
        (Column("seed", 1, right=True), lambda result: figure(result.parameters.get("seed")) if seeds else ""),
        (Column("verdict", prose=12), verdict),
        (Column("evidence", 2, prose=15), lambda result: result.rests_on),
        (Column("jumps", 4, right=True), lambda result: figure(None if result.jumps is None else len(result.jumps))),
        (Column("moves", 6, right=True), lambda result: figure(len(result.moves) if result.replay else None)),
        (Column("objective", 3, right=True), lambda result: figure(result.objective)),
        (Column("bound", 3, right=True), lambda result: figure(result.bound)),
        *([statistic("plan cost", "plan_cost", 6)] if costs else []),
        statistic("start s", "start_seconds", 9, 2),
        statistic("compile s", "compile_seconds", 8, 2),
        statistic("build s", "build_seconds", 5, 2),
        statistic("solve s", "solve_seconds", 1, 2),
        statistic("certificate s", "certificate_seconds", 8, 2),
        statistic("wall s", "wall_seconds", 6, 2),
        statistic("MB", "peak_memory_mb", 7, 0),
    )


def _method(result: Result) -> str:
    """The method; of one that chooses another, that too."""
    chosen = result.statistics.get("chosen")
    return f"{result.method} ({chosen})" if isinstance(chosen, str) else result.method


def statistic(name: str, key: str, rank: int, decimals: int | None = None) -> tuple[Column, Cell]:
    """The column of a figure among the statistics."""
    return Column(name, rank, right=True), lambda result: figure(result.statistics.get(key), decimals)


def _note(result: Result, notes: dict[str, int]) -> str:
    """The mark of what is said of a result below the table, if there is something to say."""
    remark = f"counted: {result.counted}" if result.counted else ""
    if result.message and not result.answered and result.reason not in _UNREMARKABLE:
        remark = f"{result.method}: {result.message}"
    return f" [{notes.setdefault(remark, len(notes) + 1)}]" if remark else ""


def figure(value: object, decimals: int | None = None) -> str:
    """A number for people; a dash for what is none."""
    if not isinstance(value, int | float):
        return "-"
    if decimals is not None:
        return f"{value:,.{decimals}f}"
    return f"{int(value):,}" if value == int(value) else f"{value:,g}"


def said(progress: Progress) -> str:
    """How far a run has come, in words; not how long it took to get there."""
    if progress.get("compiling"):
        return f"compiling, once on this machine: function {progress['compiling']}"
    figures = {k: v for k, v in progress.items() if isinstance(v, int | float) and not k.endswith("_seconds")}
    return ", ".join(f"{key.replace('_', ' ')} {figure(value)}" for key, value in figures.items())
