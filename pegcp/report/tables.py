"""Tables of a comparison as data, and as CSV, Markdown and LaTeX."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from statistics import median

from pegcp.comparison.agreement import refuted
from pegcp.comparison.experiment import Published
from pegcp.comparison.scores import VIRTUAL_BEST, WALL, Measure, Score, by_problem, measures, scores, settled
from pegcp.game import Objective
from pegcp.method import Reason, Status
from pegcp.render.table import Column, Table, cost_figure
from pegcp.results.result import Result

_BY_RANK = (
    "settled ratio",
    "PAR2 95_%",
    "less more mean",
    "runs gained lost",
    "best",
    "limit",
    "failed",
    "common_mean",
)
_RANKS = {name.replace("_", " "): rank for rank, names in enumerate(_BY_RANK, 1) for name in names.split()}


_WORDS = {"problem": 16, "method": 20, "option": 20}  # columns of words, and the width to which they may be wrapped


def columns(*names: str, optional: Sequence[str] = ()) -> tuple[Column, ...]:
    """Return the columns of a table; a narrow terminal hides the least important first, and ``optional`` ones."""
    return tuple(
        Column(name, 1 if name in optional else _RANKS.get(name, 0), name not in _WORDS, _WORDS.get(name, 0))
        for name in names
    )


def score_table(results: Sequence[Result], by: Measure = WALL) -> Table:
    """Score each method: a row with how much it settled, and how fast."""
    head = columns("method", "runs", "settled", "limit", "failed", "best", "PAR2", "mean", "common mean")
    rows = tuple(
        (
            score.method,
            *map(str, (score.runs, score.settled, score.timeouts, score.failures, score.fastest)),
            *map(cost_figure, (score.par2, score.mean, score.common_mean)),
        )
        for score in scores(results, by)
    )
    note = (
        "limit: runs stopped at a limit of time or memory. best: instances on which no method took less. "
        + ("PAR2: mean, with twice the time limit for each run that is not settled. " if by.limited else "")
        + "mean: geometric mean, shifted by 1, of the settled runs; common mean: of the instances that all settle. "
        + "virtual best: the fastest run of each instance that all methods ran."
    )
    return Table(f"Scores by {by.title}", head, rows, note)


def group_table(groups: Mapping[str, Sequence[Result]], by: Measure = WALL) -> Table:
    """Compare methods (rows) on groups of runs (columns): how many they settled, and PAR2."""
    by_group = {name: {score.method: score for score in scores(results, by)} for name, results in groups.items()}
    methods = dict.fromkeys(method for group in by_group.values() for method in group if method != VIRTUAL_BEST)

    def cell(score: Score | None) -> str:
        return (
            f"{score.settled} of {score.runs}, {cost_figure(score.par2)}" if score is not None and score.runs else "-"
        )

    rows = [(method, *(cell(group.get(method)) for group in by_group.values())) for method in (*methods, VIRTUAL_BEST)]
    return Table("Settled, and PAR2, by group of runs", columns("method", *by_group), tuple(rows))


def problem_table(results: Sequence[Result], published: Sequence[Published] = (), by: Measure | None = None) -> Table:
    """Compare problems (rows) by methods (columns): the median cost over seeds, or the reason why there is none. The
    default measure is that of the results.

    Of runs that others refute the cell says WRONG.
    """
    results, by = refuted(results), by or measures(results)[0]
    methods = list(dict.fromkeys(result.method for result in results))
    rows = []
    for runs in by_problem(results).values():
        name = next(iter(runs.values()))[0].problem.name
        costs = [cell(runs.get(method, []), by) for method in methods]
        rows.append((name, *costs, *(str(column.values.get(name, "")) for column in published)))
    note = (
        f"{by.title[0].upper()}{by.title[1:]}, median over seeds. k/n: settled with only k of n seeds (the others "
        "count as slower than all). n: the optimum. inf.: no solution. >= n: bound at a limit."
    )
    names = (*methods, *(column.name for column in published))
    return Table(f"Problems by {by.title}", columns("problem", *names, optional=names), tuple(rows), note)


def cost(runs: Sequence[Result], by: Measure = WALL) -> float | None:
    """Take the median cost of runs; None if too few are settled, or they do not report the cost."""
    costs = [by.cost(run) for run in runs if not settled(run) or by.read(run) is not None]
    middle = median(costs) if costs else inf
    return middle if middle < inf else None


def cell(runs: Sequence[Result], by: Measure = WALL) -> str:
    """Sum up the runs of a method on a problem, over all seeds, in few characters. Time-outs are never averaged in."""
    if not runs:
        return ""
    finished = [run for run in runs if settled(run)]
    if not finished:
        return _open(runs)
    middle = cost_figure(cost(runs, by))
    if len(finished) < len(runs):
        return f"{len(finished)}/{len(runs)} {middle}".removesuffix(" -")
    first = finished[0]
    if first.status is Status.INFEASIBLE:
        return f"inf. {middle}"
    if first.objective is None:
        return middle
    return f"{first.objective:,} {first.counted}: {middle}" if first.counted else f"{first.objective:g}: {middle}"


def _open(runs: Sequence[Result]) -> str:
    """Sum up runs that are not settled: the best bound, and the commonest reason."""
    (reason, _), *_ = Counter(run.reason for run in runs).most_common()  # of equals the first
    names = {Reason.UNSUPPORTED: "n/a", Reason.INVALID_SOLUTION: "WRONG", Reason.COMPLETED: "open"}
    word = names.get(reason, reason.value)
    values = [run.objective for run in runs if run.status is Status.SOLVED and run.objective is not None]
    bounds = [run.bound for run in runs if run.bound is not None]
    if values:
        counting = runs[0].problem.objective is Objective.COUNT  # so many were found before the end
        return f">= {max(values):,} {word}" if counting else f"<= {min(values):g} {word}"
    return f">= {max(bounds):g} {word}" if bounds else word


RUN_COLUMNS = (
    "problem", "fingerprint", "method", "backend", "seed", "status", "reason", "jumps", "moves", "objective", "counted",
    "bound", "evidence", "agrees_with", "plan_cost", "start_seconds", "compile_seconds", "build_seconds",
    "solve_seconds", "check_seconds", "certificate_seconds", "wall_seconds", "cpu_seconds", "peak_memory_mb",
    "time_limit", "memory_limit", "workers", "host", "message",
)  # fmt: skip


def csv_text(results: Iterable[Result]) -> str:
    """Format all runs as CSV, one line each, with the columns :data:`RUN_COLUMNS`."""
    out = io.StringIO()
    writer: csv.DictWriter[str] = csv.DictWriter(out, RUN_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _harmless(value) for key, value in row.items()} for row in run_rows(results))
    return out.getvalue()


def run_rows(results: Iterable[Result]) -> Iterator[dict[str, object]]:
    """List all runs, each as a dictionary with the keys :data:`RUN_COLUMNS`."""
    for result in results:
        jumps = " ".join("-".join(result.problem.board.jump_names(jump)) for jump in result.jumps or ())
        data = {**result.statistics, **result.parameters, **result.provenance, **result.to_json(), "jumps": jumps}
        yield {key: data.get(key) for key in RUN_COLUMNS}


def _harmless(value: object) -> object:
    """Quote text that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _md(text: str) -> str:
    text = text.replace("\n", " ")
    return "".join(f"\\{c}" if c in "\\|*_`[]<>#" else c for c in text)


def markdown(title: str, tables: Iterable[Table], end: Iterable[str] = ()) -> str:
    """Format tables in Markdown, and the lines of the ``end`` below them."""
    parts = [f"## {table.title}\n\n{_markdown_table(table)}\n\n{_md(table.note)}" for table in tables]
    return "\n\n".join([f"# {_md(title)}", *(part.rstrip() for part in parts), *map(_md, end)]) + "\n"


def _markdown_table(table: Table) -> str:
    """Format a table in Markdown, its columns aligned."""
    rows = [tuple(_md(str(text)) for text in row) for row in (table.head, *table.rows)]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(table.head))]
    aligned = [
        [c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))] for row in rows
    ]
    lines = [f"| {' | '.join(row)} |" for row in aligned]
    rule = "|" + "|".join(f" {'-' * w} " if i == 0 else f" {'-' * (w - 1)}: " for i, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def latex(title: str, tables: Iterable[Table], end: Iterable[str] = ()) -> str:
    """Format tables in LaTeX for the package booktabs, and the lines of the ``end`` as comments below them."""
    parts = [f"% {title}".replace("\n", " "), "% \\usepackage{booktabs}"]
    for table in tables:
        rows = [" & ".join(tex(str(text)) for text in row) + r" \\" for row in table.rows]
        parts += [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{tex(title)}: {tex(table.title.lower())}. {tex(table.note)}}}",
            rf"\label{{tab:{re.sub('[^a-z0-9]+', '-', table.title.lower()).strip('-')}}}",
            r"\begin{tabular}{l" + "r" * (len(table.head) - 1) + "}",
            r"\toprule",
            " & ".join(map(tex, table.head)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    return "\n".join([*parts, *(f"% {line}".replace("\n", " ") for line in end)]) + "\n"


_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "\n": " ",
}  # fmt: skip


def tex(text: str) -> str:
    """Return a text as LaTeX shows it."""
    return "".join(_TEX.get(c, c) for c in text)
