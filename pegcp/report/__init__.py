"""Reports of comparisons, by the ending of the file: a page with plots, or tables for papers."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp.comparison.agreement import claims, disagreements
from pegcp.comparison.experiment import Experiment, Part, Published
from pegcp.comparison.merging import separate
from pegcp.comparison.scores import Measure, measures
from pegcp.comparison.table import executed, not_run
from pegcp.render.table import Table
from pegcp.report import page, plots, tables
from pegcp.report.growth import growth_table
from pegcp.report.pairs import options_table
from pegcp.report.tables import group_table, problem_table, score_table
from pegcp.results.result import Result
from pegcp.writing import check_ending, write_file

FORMATS = (".html", ".csv", ".md", ".tex")  # besides those of plots


def write_report(
    path: Path,
    results: Sequence[Result],
    plan: Experiment | None = None,
    *,
    by: Measure | None = None,
    extra: Sequence[Table] = (),
    mark: str = "",
) -> None:
    """Write a report of results: a self-contained page (.html), all runs (.csv), tables (.md, .tex), or the plot of
    :data:`pegcp.report.plots.PLOTS` that the file is named after (.svg, .pdf, .png, .pgf).

    ``extra`` tables come first, then those of the parts of the ``plan``, or the effects of options. The page shows all
    measures and plots; tables show ``by``, or the default measure of the results. ``mark`` is a word for programs that
    is written at the beginning, but for CSV.

    Raises InputError for another ending, and if the file cannot be written; Missing for a plot without Matplotlib.
    """
    check_report(path)
    plan = plan or Experiment("Comparison")
    results, apart = separate(plan.label(results))
    missing, runs = [*not_run(results), *apart], executed(results)
    by = measures(runs)[0] if by is None else by
    extra = [*extra, *part_tables(runs, plan.parts, by, plan.published)]
    verdicts = claims(runs)
    problems = [] if any(part.name for part in plan.parts) else [problem_table(runs, plan.published, by)]
    problems = [replace(table, note=f"{table.note} {verdicts}") for table in problems]
    on_paper = [*extra, score_table(runs, by), *problems]
    content: str | bytes
    match path.suffix.lower():
        case ".html":
            content = page.html(runs, plan, extra, missing, mark)
        case ".csv":
            content = tables.csv_text(results)
        case ".md":
            content = f"<!-- {mark} -->\n" * bool(mark) + tables.markdown(plan.name, on_paper, missing)
        case ".tex":
            content = f"% {mark}\n" * bool(mark) + tables.latex(plan.name, on_paper, missing)
        case _:
            content = plots.plot_file(path, runs, by)
    write_file(path, content)


def check_report(path: Path) -> None:
    """Check that the name of a file says which report it is to be. Raises InputError; Missing for a plot without
    Matplotlib."""
    check_ending(path, (*FORMATS, *plots.ENDINGS))
    if path.suffix.lower() in plots.ENDINGS:
        plots.plot_name(path)


def part_tables(
    results: Sequence[Result], parts: Sequence[Part], by: Measure, published: Sequence[Published] | None = None
) -> list[Table]:
    """Make the tables of the parts of an experiment: settled runs, effects of options, growth, and with ``published``
    values problems by methods. Without parts, the effects of options over all results."""
    collected = [] if parts else [options_table(results, by)]
    groups = {part.name: part.select(results) for part in parts if part.name and not part.grows}
    collected += [group_table(groups, by)] if len(groups) > 1 else []
    for part in parts:
        runs = part.select(results)
        own = [options_table(runs, by)]
        own += [growth_table(runs, by)] if part.grows else []
        own += [problem_table(runs, published, by)] if part.name and published is not None else []
        collected += [replace(table, title=f"{part.name}: {table.title}".removeprefix(": ")) for table in own]
    return [table for table in collected if table.rows]


def summary(results: Sequence[Result], by: Measure | None = None, parts: Sequence[Part] = ()) -> RenderableType:
    """Make a report for the terminal: disagreements, tables of problems, options and scores, methods that were not run,
    and the evidence of the verdicts."""
    results, apart = separate(results)
    wrong = [Text(f"DISAGREEMENT on {item.problem}: {item.message}") for item in disagreements(results)]
    verdicts = claims(results)
    missing, results = [*not_run(results), *apart], executed(results)
    by = measures(results)[0] if by is None else by
    problems = [] if any(part.name for part in parts) else [problem_table(results, by=by)]
    collected = [*problems, *part_tables(results, parts, by), score_table(results, by)] if results else []
    return Group(*wrong, *collected, *map(Text, missing), Text(verdicts))
