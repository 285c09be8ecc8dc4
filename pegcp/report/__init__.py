"""Reports of comparisons: a page to explore with plots, and tables for papers. The ending of the file decides which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pegcp.errors import InputError
from pegcp.formats.files import write_file
from pegcp.result import Result

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pegcp.comparison.experiment import Published
    from pegcp.comparison.scores import Measure
    from pegcp.report.tables import Table

FORMATS = (".html", ".csv", ".md", ".tex")


def check_format(path: Path) -> None:
    """Check that the ending of a report is one of :data:`FORMATS`. Raises InputError."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f'a report ends in {", ".join(FORMATS)}, not "{path.suffix}"', source=str(path))


def write_report(
    path: Path,
    results: Sequence[Result],
    title: str = "Comparison",
    published: Sequence[Published] = (),
    description: str = "",
    *,
    by: Measure | None = None,
    extra: Sequence[Table] = (),
) -> None:
    """Write a report of results: a self-contained page (.html), all runs (.csv), or the tables of scores and problems
    (.md, .tex). ``extra`` tables come first. The page shows all measures, and draws plots that it gives as SVG; the
    others show ``by``, or the first of what the results tell.

    Raises InputError for another ending, and if the file cannot be written.
    """
    from pegcp.comparison.scores import told
    from pegcp.report import page, tables

    check_format(path)
    by = told(results)[0] if by is None else by
    shown = [*extra, tables.score_table(results, by), tables.problem_table(results, published, by)]
    match path.suffix.lower():
        case ".html":
            content = page.html(results, title, published, description, extra)
        case ".csv":
            content = tables.csv_text(results)
        case ".md":
            content = tables.markdown(title, shown)
        case _:
            content = tables.latex(title, shown)
    try:
        write_file(path, content)
    except OSError as error:
        raise InputError(f"cannot write the report: {error.strerror}", source=str(path)) from None


def summary(results: Sequence[Result], by: Measure | None = None) -> RenderableType:
    """Disagreements, the table of scores, and what the verdicts rest on, for the terminal."""
    from rich.console import Group
    from rich.text import Text

    from pegcp.comparison.agreement import claims, disagreements
    from pegcp.comparison.scores import told
    from pegcp.report.tables import listing, score_table

    found = [Text(f"DISAGREEMENT on {item.problem}: {item.message}") for item in disagreements(results)]
    scores = score_table(results, told(results)[0] if by is None else by)
    return Group(*found, listing(scores), Text(claims(results)))
