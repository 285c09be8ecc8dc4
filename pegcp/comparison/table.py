"""Show the results of a comparison as a table with lines below it."""

import shlex
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp import backends
from pegcp.comparison.agreement import Disagreement, claims, disagreements, group_by
from pegcp.comparison.merging import separate
from pegcp.method import Reason, Status
from pegcp.render.table import Column, Table, figure
from pegcp.results.result import Result

_STYLES = {
    Status.SOLVED: "green",
    Status.OPTIMAL: "bold green",
    Status.INFEASIBLE: "cyan",
    Status.UNKNOWN: "yellow",
}
_UNREMARKABLE = (Reason.TIME, Reason.INTERRUPTED, Reason.COMPLETED)
_WRONG = "bold white on red"

ResultColumn = tuple[Column, Callable[[Sequence[Result]], str | Text]]  # and its text for the runs of a row


def results_table(
    results: Sequence[Result],
    title: str = "",
    texts: Mapping[str, str] = {},
    matrix: Callable[[Sequence[Result]], Table] | None = None,
) -> RenderableType:
    """Return the results as a table, in their order: a row for each problem and method, with medians over seeds.

    Where more than two problems were asked of every method, a ``matrix`` of problems by methods takes its place.
    Rows that contradict each other stand out. Below the table: disagreements, methods that are not installed, long
    messages and notions of counts, each once; and last, how many verdicts are only claimed. ``texts`` are the written
    forms of methods that an experiment calls by a name.
    """
    results, apart = separate(results)
    contradictions = disagreements(results)
    wrong = {id(result) for disagreement in contradictions for result in disagreement.results}
    notes: dict[str, int] = {}
    runs = executed(results)
    cells = _cells(runs, notes)
    groups = list(group_by(runs, _row).values())
    rows = tuple(tuple(cell(group) for _, cell in cells) for group in groups)
    styles = {number: _WRONG for number, group in enumerate(groups) if any(id(run) in wrong for run in group)}
    table = Table(title, tuple(column for column, _ in cells), rows, styles=styles)
    shown: list[RenderableType] = [table] if table.rows else []
    remarks = [f"[{number}] {text}" for text, number in notes.items()]
    methods, problems = ({getattr(run, name) for run in runs} for name in ("method", "problem"))
    if matrix is not None and len(problems) > 2 and len(groups) == len(methods) * len(problems) > len(problems):
        table = replace(matrix(runs), title=title)
        shown = [table if len(problems) >= len(methods) else table.turned("method"), Text(table.note, "dim")]
        remarks = list(notes)
    lines = [Text(f"DISAGREEMENT on {item.problem}: {item.message}", _WRONG) for item in contradictions]
    lines += [Text(line) for line in dict.fromkeys(line for item in contradictions for line in _asking(item, texts))]
    lines += [Text(line) for line in (*remarks, *not_run(results), *apart)]
    return Group(*shown, *lines, Text(claims(results)))


def _asking(contradiction: Disagreement, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the commands that say which lines of the models in a disagreement are wrong."""
    for result in contradiction.wrong or contradiction.results:
        if backends.find(result.backend) is not None:
            words = ["pegcp", "why", contradiction.problem, "-m", texts.get(result.method, result.method)]
            yield f"Which line is wrong: {shlex.join(words)}"


def executed(results: Iterable[Result]) -> list[Result]:
    """Return the results without those of methods that are not installed, and of runs that never began."""
    return [
        result
        for result in results
        if result.reason is not Reason.MISSING and (result.reason is not Reason.INTERRUPTED or result.provenance)
    ]


def not_run(results: Iterable[Result]) -> list[str]:
    """Return the methods that are not installed and how to install them: a line for each command."""
    missing = group_by((r for r in results if r.reason is Reason.MISSING), lambda result: result.message)
    return [
        f"Not run: {', '.join(dict.fromkeys(run.method for run in runs))} ({message})"
        for message, runs in missing.items()
    ]


def _cells(results: Sequence[Result], notes: dict[str, int]) -> Sequence[ResultColumn]:
    """Return the columns of a comparison; ``notes`` gets the texts below the table, with their numbers."""
    costs = any(r.objective not in (None, r.statistics.get("plan_cost", r.objective)) for r in results)
    several = len(set(map(_row, results))) < len(results)

    def verdict(runs: Sequence[Result]) -> Text:
        return _verdict(runs, "".join(dict.fromkeys(_note(run, notes) for run in runs)))

    return (
        (Column("problem", prose=16), lambda runs: runs[0].problem.name),
        (Column("method", prose=20), _method),
        (Column("runs", 1, right=True), lambda runs: figure(len(runs)) if several else ""),
        (Column("verdict", prose=12), verdict),
        (
            Column("evidence", 2, prose=15),
            lambda runs: ", ".join(dict.fromkeys(r.rests_on for r in runs if r.rests_on)),
        ),
        _medians("jumps", 4, lambda run: None if run.jumps is None else len(run.jumps)),
        _medians("moves", 6, lambda run: len(run.moves) if run.replay else None),
        _medians("objective", 3, lambda run: run.objective),
        _medians("bound", 3, lambda run: run.bound),
        *([_statistic("plan cost", "plan_cost", 6)] if costs else []),
        _statistic("start s", "start_seconds", 9, 2),
        _statistic("compile s", "compile_seconds", 8, 2),
        _statistic("build s", "build_seconds", 5, 2),
        _statistic("solve s", "solve_seconds", 1, 2),
        _statistic("certificate s", "certificate_seconds", 8, 2),
        _statistic("wall s", "wall_seconds", 6, 2),
        _statistic("MB", "peak_memory_mb", 7, 0),
    )


def _row(result: Result) -> Hashable:
    """Return the same for runs that share a row."""
    return result.problem.name, result.problem.fingerprint, result.method


def _verdict(runs: Sequence[Result], note: str) -> Text:
    """Return the verdict of the runs of a row, or how often there was which; in the colour of the worst."""
    times = Counter(run.verdict for run in runs)
    text = ", ".join(f"{number} {verdict}" for verdict, number in times.items()) if len(times) > 1 else runs[0].verdict
    if any(run.reason.sort == "fault" for run in runs):
        return Text(text + note, "bold red")
    return Text(text + note, _STYLES[next((run.status for run in runs if not run.answered), runs[0].status)])


def _method(runs: Sequence[Result]) -> str:
    """Return the method, and the one that it chose if it chooses one."""
    choice = runs[0].statistics.get("chosen")
    return f"{runs[0].method} ({choice})" if isinstance(choice, str) else runs[0].method


def _medians(name: str, rank: int, value: Callable[[Result], object], decimals: int | None = None) -> ResultColumn:
    """Return the column of a figure: its median over the runs of a row that have it."""

    def cell(runs: Sequence[Result]) -> str:
        values = [number for run in runs if isinstance(number := value(run), int | float)]
        return figure(median(values) if values else None, decimals)

    return Column(name, rank, right=True), cell


def _statistic(name: str, key: str, rank: int, decimals: int | None = None) -> ResultColumn:
    """Return the column of a figure among the statistics."""
    return _medians(name, rank, lambda run: run.statistics.get(key), decimals)


def _note(result: Result, notes: dict[str, int]) -> str:
    """Return the footnote mark of a result; empty if it has none."""
    remark = f"counted: {result.counted}" if result.counted else ""
    if result.message and not result.answered and result.reason not in _UNREMARKABLE:
        remark = f"{result.method}: {result.message}"
    return f" [{notes.setdefault(remark, len(notes) + 1)}]" if remark else ""
