"""Tables of a comparison as data, and as CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Any

from pegcp.comparison.agreement import claims
from pegcp.comparison.experiment import Published
from pegcp.comparison.scores import VIRTUAL_BEST, WALL, Measure, Score, by_problem, scores, settled
from pegcp.game.goal import Objective
from pegcp.method import Reason, Status
from pegcp.render.columns import Column, Listing
from pegcp.result import Result


@dataclass(frozen=True)
class Table:
    """A title, the column heads, rows of text of the same length, and a note on how to read it.

    A narrow terminal may leave out the ``optional`` columns.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    optional: tuple[str, ...] = ()


_RANKS = {
    "settled": 1,
    "ratio": 1,
    "PAR2": 2,
    "95 %": 2,
    "less": 3,
    "more": 3,
    "mean": 3,
    "runs": 4,
    "gained": 4,
    "lost": 4,
    "best": 5,
    "limit": 6,
    "failed": 7,
    "common mean": 8,
}


def listing(table: Table) -> Listing:
    """A table for the terminal; where there is little room, the columns that say least are left out."""
    words = ("problem", "method", "option")
    ranks = [1 if name in table.optional else _RANKS.get(name, 0) for name in table.head]
    shown = Listing(
        table.title,
        *(Column(name, rank, right=name not in words) for name, rank in zip(table.head, ranks, strict=True)),
    )
    for row in table.rows:
        shown.add(*row)
    return shown


def figure(value: float | None) -> str:
    """A number for people, three digits of it where it is small; a dash for none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 1000 or value == 0 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def score_table(results: Sequence[Result], by: Measure = WALL) -> Table:
    """One row for each method: what it settled and how fast."""
    about = ("method", "runs", "settled", "limit", "failed", "best")
    head = (*about, "PAR2", "mean", "common mean")
    rows = tuple(
        (
            score.method,
            *map(str, (score.runs, score.settled, score.timeouts, score.failures, score.fastest)),
            *map(figure, (score.par2, score.mean, score.common_mean)),
        )
        for score in scores(results, by)
    )
    note = (
        "limit: stopped at a limit of time or memory. best: on how many instances no method took less. "
        + ("PAR2: mean, with twice the time limit for what is not settled. " if by.limited else "")
        + "mean: geometric mean, shifted by 1, of what the method settled; common mean: of what all did."
    )
    return Table(f"Scores by {by.title}", head, rows, note)


def group_table(groups: Mapping[str, Sequence[Result]], by: Measure = WALL) -> Table:
    """One row for each method, one column for each group of runs: what it settled of them, and PAR2."""
    found = {name: {score.method: score for score in scores(results, by)} for name, results in groups.items()}
    methods = list(dict.fromkeys(method for of in found.values() for method in of if method != VIRTUAL_BEST))

    def cell(score: Score | None) -> str:
        return f"{score.settled} of {score.runs}, {figure(score.par2)}" if score is not None and score.runs else "-"

    rows = [(method, *(cell(of.get(method)) for of in found.values())) for method in (*methods, VIRTUAL_BEST)]
    return Table("Settled, and PAR2, by group of runs", ("method", *found), tuple(rows))


def problem_table(results: Sequence[Result], published: Sequence[Published] = (), by: Measure = WALL) -> Table:
    """One row for each problem, one column for each method: what it took (medians over seeds) or why it did not."""
    methods = list(dict.fromkeys(result.method for result in results))
    named = ((next(iter(of.values()))[0].problem.name, of) for of in by_problem(results).values())
    rows = tuple(
        (
            name,
            *(cell(of.get(method, []), by) for method in methods),
            *(str(column.values.get(name, "")) for column in published),
        )
        for name, of in named
    )
    note = (
        f"{by.title[0].upper()}{by.title[1:]}, median over seeds; k/n: settled with k of n seeds only (the others "
        "count as later than all). "
        "n: value proved optimal, inf.: proved infeasible, >= n: bound at a limit. "
        f"{claims(results)}"
    )
    columns = (*methods, *(column.name for column in published))
    return Table(f"Problems by {by.title}", ("problem", *columns), rows, note, optional=columns)


def cost(runs: Sequence[Result], by: Measure = WALL) -> float | None:
    """The median cost of a method on a problem; None if it settled too few of its runs, or does not report the cost."""
    costs = [by.cost(run) for run in runs if not settled(run) or by.taken(run) is not None]
    middle = median(costs) if costs else inf
    return middle if middle < inf else None


def cell(runs: Sequence[Result], by: Measure = WALL) -> str:
    """What a method made of a problem, over all seeds, in a few characters. Time-outs are never averaged in."""
    if not runs:
        return ""
    done = [run for run in runs if settled(run)]
    if len(done) < len(runs):
        if done:
            middle = cost(runs, by)
            return f"{len(done)}/{len(runs)}" + ("" if middle is None else f" {figure(middle)}")
        reasons = [run.reason for run in runs]
        worst = max(set(reasons), key=reasons.count)
        if any(run.status is Status.SOLVED for run in runs):
            values = [run.objective for run in runs if run.objective is not None]
            if runs[0].problem.objective is Objective.COUNT:  # so many were found before the end
                return f">= {max(values):,} {_short(worst)}" if values else _short(worst)
            return f"<= {min(values):g} {_short(worst)}" if values else _short(worst)
        bounds = [run.bound for run in runs if run.bound is not None]
        return f">= {max(bounds):g} {_short(worst)}" if bounds else _short(worst)
    time = figure(cost(done, by))
    if done[0].status is Status.INFEASIBLE:
        return f"inf. {time}"
    value = done[0].objective
    if value is None:
        return time
    return f"{value:,} {done[0].counted}: {time}" if done[0].counted else f"{value:g}: {time}"


def _short(reason: Reason) -> str:
    names = {Reason.UNSUPPORTED: "n/a", Reason.INVALID_SOLUTION: "WRONG", Reason.COMPLETED: "open"}
    return names.get(reason, reason.value)


RUN_COLUMNS = (
    "problem", "fingerprint", "method", "backend", "seed", "status", "reason", "jumps", "moves", "objective", "counted",
    "bound", "evidence", "agrees_with", "plan_cost", "start_seconds", "compile_seconds", "build_seconds",
    "solve_seconds", "check_seconds", "certificate_seconds", "wall_seconds", "cpu_seconds", "peak_memory_mb",
    "time_limit", "memory_limit", "workers", "host", "message",
)  # fmt: skip


def csv_text(results: Iterable[Result]) -> str:
    """All runs, one line each, with the heads of :data:`RUN_COLUMNS`."""
    out = io.StringIO()
    writer = csv.DictWriter(out, RUN_COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in run_rows(results):
        writer.writerow({key: _harmless(row[key]) for key in RUN_COLUMNS})
    return out.getvalue()


def run_rows(results: Iterable[Result]) -> Iterator[dict[str, Any]]:
    """All runs, each with the values of :data:`RUN_COLUMNS`."""
    for result in results:
        jumps = " ".join("-".join(result.problem.board.jump_names(jump)) for jump in result.jumps or ())
        data = {**result.statistics, **result.parameters, **result.provenance, **result.to_json(), "jumps": jumps}
        yield {key: data.get(key) for key in RUN_COLUMNS}


def _harmless(value: object) -> object:
    """Text that a spreadsheet would take for a formula, made plain text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _md(text: str) -> str:
    text = text.replace("\n", " ")
    return "".join(f"\\{c}" if c in "\\|*_`[]<>#" else c for c in text)


def markdown(title: str, tables: Iterable[Table], end: Iterable[str] = ()) -> str:
    """Tables below each other, and the lines of the ``end``."""
    parts = [f"## {table.title}\n\n{markdown_table(table)}\n\n{_md(table.note)}" for table in tables]
    return "\n\n".join([f"# {_md(title)}", *(part.rstrip() for part in parts), *map(_md, end)]) + "\n"


def markdown_table(table: Table) -> str:
    """A table in Markdown, its columns aligned."""
    rows = [tuple(map(_md, row)) for row in (table.head, *table.rows)]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(table.head))]
    aligned = [
        [c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))] for row in rows
    ]
    lines = [f"| {' | '.join(row)} |" for row in aligned]
    rule = "|" + "|".join(f" {'-' * w} " if i == 0 else f" {'-' * (w - 1)}: " for i, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def latex(title: str, tables: Iterable[Table], end: Iterable[str] = ()) -> str:
    """Tables for the package booktabs, and the lines of the ``end``."""
    parts = [f"% {title}".replace("\n", " "), "% \\usepackage{booktabs}"]
    for table in tables:
        rows = [" & ".join(map(_tex, row)) + r" \\" for row in table.rows]
        parts += [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_tex(title)}: {_tex(table.title.lower())}. {_tex(table.note)}}}",
            r"\begin{tabular}{l" + "r" * (len(table.head) - 1) + "}",
            r"\toprule",
            " & ".join(map(_tex, table.head)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    return "\n".join([*parts, *map(_tex, end)]) + "\n"


_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "\n": " ",
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(c, c) for c in text)
