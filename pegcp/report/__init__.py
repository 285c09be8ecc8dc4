"""Reports of comparisons: a page to explore, tables for papers, plots. The ending of the file decides which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pegcp.errors import InputError
from pegcp.result import Result

if TYPE_CHECKING:
    from pegcp.comparison.experiment import Published

FORMATS = (".html", ".csv", ".md", ".tex", ".svg", ".png")


def check_format(path: Path) -> None:
    """See that the ending of a report is one of :data:`FORMATS`. Raises InputError."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f'a report ends in {", ".join(FORMATS)}, not "{path.suffix}"', source=str(path))


def write_report(
    path: Path,
    results: Sequence[Result],
    title: str = "Comparison",
    published: Sequence[Published] = (),
    description: str = "",
) -> None:
    """Write a report of results: a self-contained page (.html), all runs (.csv), the tables of scores and problems
    (.md, .tex), or a cactus plot (.svg, .png). Raises InputError for another ending, and if the file cannot be written.
    """
    from pegcp.report import page, plots, tables

    check_format(path)
    match path.suffix.lower():
        case ".html":
            content: str | bytes = page.html(results, title, published, description)
        case ".csv":
            content = tables.csv_text(results)
        case ".md":
            content = tables.markdown(results, title, published)
        case ".tex":
            content = tables.latex(results, title, published)
        case ".svg":
            content = plots.cactus(results)
        case _:
            content = plots.png(plots.cactus(results))
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise InputError(f"cannot write the report: {error.strerror}", source=str(path)) from None


def summary(results: Sequence[Result]) -> str:
    """Disagreements, the table of scores, and how many verdicts are only claimed, for the terminal."""
    from pegcp.comparison.agreement import claims, disagreements
    from pegcp.report.tables import markdown_table, score_table

    found = [f"DISAGREEMENT on {item.problem}: {item.message}" for item in disagreements(results)]
    return "\n".join([*found, markdown_table(score_table(results), str), claims(results)])
