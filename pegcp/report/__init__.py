"""Reports of comparisons: a page to explore with plots, and tables for papers. The ending of the file decides which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp.comparison.agreement import claims, disagreements
from pegcp.comparison.experiment import Experiment, Part, Published
from pegcp.comparison.scores import Measure, told
from pegcp.comparison.table import executed, not_run
from pegcp.errors import InputError
from pegcp.formats.files import write_file
from pegcp.report import page, tables
from pegcp.report.growth import growth_table
from pegcp.report.pairs import options_table
from pegcp.report.tables import Table, group_table, listing, problem_table, score_table
from pegcp.result import Result

FORMATS = (".html", ".csv", ".md", ".tex")


def check_format(path: Path) -> None:
    """Check that the ending of a report is one of :data:`FORMATS`. Raises InputError."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f'a report ends in {", ".join(FORMATS)}, not "{path.suffix}"', source=str(path))


def write_report(
    path: Path,
    results: Sequence[Result],
    plan: Experiment | None = None,
    *,
    by: Measure | None = None,
    extra: Sequence[Table] = (),
) -> None:
    """Write a report of results: a self-contained page (.html), all runs (.csv), or the tables of scores and problems
    (.md, .tex). ``extra`` tables come first, then those of the parts of the ``plan``, or what options are worth. The
    page shows all measures, and draws plots that it gives as SVG; the others show ``by``, or the first of what the
    results tell.

    Raises InputError for another ending, and if the file cannot be written.
    """
    check_format(path)
    plan = plan or Experiment("Comparison")
    every, results = results, executed(results)
    by = told(results)[0] if by is None else by
    extra = [*extra, *part_tables(results, plan.parts, by, plan.published)]
    whole = [] if any(part.name for part in plan.parts) else [problem_table(results, plan.published, by)]
    shown = [*extra, score_table(results, by), *whole]
    match path.suffix.lower():
        case ".html":
            content = page.html(results, plan, extra, not_run(every))
        case ".csv":
            content = tables.csv_text(every)
        case ".md":
            content = tables.markdown(plan.name, shown, not_run(every))
        case _:
            content = tables.latex(plan.name, shown, not_run(every))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content)
    except OSError as error:
        raise InputError(f"cannot write the report: {error.strerror}", source=str(path)) from None


def part_tables(
    results: Sequence[Result], parts: Sequence[Part], by: Measure, published: Sequence[Published] | None = None
) -> list[Table]:
    """The tables of the parts of an experiment: what each settled, what options are worth, growth, and with
    ``published`` values problems by methods. Without parts, what options are worth altogether."""
    found = [] if parts else [options_table(results, by)]
    groups = {part.name: part.of(results) for part in parts if part.name and not part.grows}
    found += [group_table(groups, by)] if len(groups) > 1 else []
    for part in parts:
        of = part.of(results)
        own = [options_table(of, by)]
        own += [growth_table(of, by)] if part.grows else []
        own += [problem_table(of, published, by)] if part.name and published is not None else []
        found += [replace(one, title=f"{part.name}: {one.title}" if part.name else one.title) for one in own]
    return [one for one in found if one.rows]


def summary(results: Sequence[Result], by: Measure | None = None, parts: Sequence[Part] = ()) -> RenderableType:
    """A report for the terminal: disagreements, the tables of problems, options and scores, what was not run, and what
    the verdicts rest on."""
    wrong = [Text(f"DISAGREEMENT on {item.problem}: {item.message}") for item in disagreements(results)]
    missing, results = not_run(results), executed(results)
    by = told(results)[0] if by is None else by
    problems = [] if any(part.name for part in parts) else [problem_table(results, by=by)]
    shown = [*problems, *part_tables(results, parts, by), score_table(results, by)] if results else []
    return Group(*wrong, *map(listing, shown), *map(Text, missing), Text(claims(results)))
