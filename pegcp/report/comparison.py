"""What a comparison gives back: its results, with what can be said of them together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, overload

from pegcp.comparison import agreement
from pegcp.comparison.scores import Score, scores, told
from pegcp.comparison.scores import measure as named
from pegcp.report import tables, write_report
from pegcp.result import Result

_WIDE = 1000  # characters of a table on paper


class Comparison(Sequence[Result]):
    """The results of a comparison, in the order of its problems, methods and seeds. Immutable."""

    def __init__(self, results: Iterable[Result], title: str = "") -> None:
        self._results, self.title = tuple(results), title

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Comparison: ...
    def __getitem__(self, index: int | slice) -> Result | Comparison:
        if isinstance(index, slice):
            return Comparison(self._results[index], self.title)
        return self._results[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self._results == other._results

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._results)

    @property
    def disagreements(self) -> list[agreement.Disagreement]:
        """Results that cannot all be right, and answers that failed their check; empty if all is well."""
        return agreement.disagreements(self._results)

    def scores(self, measure: str | None = None) -> list[Score]:
        """A score for each method, the best first; the virtual best last.

        ``measure`` is ``run`` (build and solve), ``solve``, ``build``, ``cpu``, ``wall`` (all in seconds), ``memory``
        (MB), ``nodes`` or ``conflicts``; by default ``run`` where all results tell it, else ``wall``. Raises InputError
        for another.
        """
        return scores(self._results, told(self._results)[0] if measure is None else named(measure))

    def to_dataframe(self) -> Any:
        """One row for each result, as a ``pandas.DataFrame``."""
        import pandas

        return pandas.DataFrame(list(tables.run_rows(self._results)), columns=list(tables.RUN_COLUMNS))

    def report(self, path: str | Path) -> None:
        """Write a report: a page with plots (.html), all runs (.csv), or tables (.md, .tex).

        Raises InputError for another ending, and if the file cannot be written.
        """
        write_report(Path(path), self._results, self.title or "Comparison")

    def __repr__(self) -> str:
        problems = len({result.problem.fingerprint for result in self._results})
        methods = len({result.method for result in self._results})
        return (
            f"<Comparison: {len(self)} results, {problems} problems, {methods} methods, "
            f"{len(self.disagreements)} disagreements>"
        )

    def __str__(self) -> str:
        from rich.console import Console

        from pegcp.comparison.table import results_table

        paper = Console(file=StringIO(), width=_WIDE, color_system=None)
        with paper.capture() as capture:
            paper.print(results_table(self._results, self.title))
        return "\n".join(line.rstrip() for line in capture.get().strip("\n").split("\n"))

    def _repr_html_(self) -> str:
        from pegcp.comparison.table import listing

        table = listing(self._results)
        used = table.used()
        head = "".join(f"<th scope='col'>{escape(table.columns[number].name)}</th>" for number in used)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cells[number]))}</td>" for number in used) + "</tr>"
            for cells, _ in table.rows
        )
        wrong = "".join(
            f"<p><strong>Disagreement on {escape(item.problem)}: {escape(item.message)}</strong></p>"
            for item in self.disagreements
        )
        caption = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{wrong}"
