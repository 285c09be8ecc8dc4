"""The value of ``pegcp.compare``: results, with scores, tables and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib import import_module
from io import StringIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from rich.console import Console, Group, RenderableType
from rich.text import Text

from pegcp.comparison import agreement
from pegcp.comparison.experiment import Experiment
from pegcp.comparison.schedule import Event
from pegcp.comparison.scores import Measure, Score, measures, scores
from pegcp.comparison.scores import measure as named
from pegcp.comparison.table import results_table
from pegcp.errors import need, plural
from pegcp.habits import Guided
from pegcp.render.table import Table
from pegcp.report import tables, write_report
from pegcp.results.result import Result

if TYPE_CHECKING:
    import pandas


_LINE_CHARACTERS = 1000  # characters in a line of text


class Comparison(Sequence[Result], Guided):
    """The results of a comparison, in the order of its problems, methods and seeds. Immutable."""

    def __init__(self, results: Iterable[Result], plan: Experiment | str = "") -> None:
        """``plan`` is what the results are the runs of, or their title."""
        self._results, self.plan = tuple(results), Experiment(plan) if isinstance(plan, str) else plan

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Comparison: ...
    def __getitem__(self, index: int | slice) -> Result | Comparison:
        if isinstance(index, slice):
            return Comparison(self._results[index], self.plan)
        return self._results[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self._results == other._results

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._results)

    @property
    def disagreements(self) -> list[agreement.Disagreement]:
        """Results that contradict each other, and answers that failed their check."""
        return agreement.disagreements(self._results)

    def scores(self, measure: str | None = None) -> Scores:
        """Score each method, the best first, the virtual best last.

        ``measure`` is ``run`` (build and solve), ``solve``, ``build``, ``cpu``, ``wall`` (all in seconds), ``memory``
        (MB), ``nodes`` or ``conflicts``; by default ``run`` if all results report it, else ``wall``. Raises InputError
        for another.
        """
        return Scores(self.plan.label(self._results), measures(self._results)[0] if measure is None else named(measure))

    def to_dataframe(self) -> pandas.DataFrame:
        """Make a ``pandas.DataFrame``: a row for each result, with the columns of a report in CSV.

        (``pandas.DataFrame(table)`` makes columns of the fields of the results instead.) Raises Missing without pandas.
        """
        need("a table as a DataFrame", "pandas", "pandas")
        import pandas

        return pandas.DataFrame(list(tables.run_rows(self._results)), columns=list(tables.RUN_COLUMNS))

    def report(self, path: str | Path) -> None:
        """Write a report: a page with plots (.html), all runs (.csv), tables (.md, .tex); or the plot that the file is
        named after, ``cactus.pdf``, ``scatter.svg`` or ``growth.pgf``.

        Raises InputError for another ending, and if the file cannot be written; Missing for a plot without Matplotlib.
        """
        write_report(Path(path), self._results, replace(self.plan, name=self.plan.name or "Comparison"))

    def __repr__(self) -> str:
        problems = len({result.problem.fingerprint for result in self._results})
        methods = len({result.method for result in self._results})
        return (
            f"<Comparison: {plural(len(self), 'result')}, {plural(problems, 'problem')}, {plural(methods, 'method')}, "
            f"{plural(len(self.disagreements), 'disagreement')}>"
        )

    def _table(self) -> RenderableType:
        return results_table(self.plan.label(self._results), self.plan.name, self.plan.texts, tables.problem_table)

    def __str__(self) -> str:
        return as_text(self._table())

    def _repr_html_(self) -> str:
        return _markup(self._table())


class Scores(list[Score]):
    """The scores of methods, shown as a table."""

    def __init__(self, results: Sequence[Result], by: Measure) -> None:
        super().__init__(scores(results, by))
        self._table = tables.score_table(results, by)

    def __repr__(self) -> str:
        return as_text(self._table)

    def _repr_html_(self) -> str:
        return _markup(self._table, Text(self._table.note))


def as_text(*items: RenderableType, width: int = _LINE_CHARACTERS) -> str:
    """Lay out tables and text."""
    console = Console(file=StringIO(), width=width, color_system=None, force_jupyter=False)
    with console.capture() as capture:
        console.print(*items)
    return "\n".join(line.rstrip() for line in capture.get().strip("\n").split("\n"))


def _markup(*items: RenderableType) -> str:
    """Return tables and text in HTML."""

    def markup(item: RenderableType) -> str:
        if isinstance(item, Group):
            return _markup(*item.renderables)
        return item.markup() if isinstance(item, Table) else f"<p>{escape(str(item))}</p>"

    return f"<div>{''.join(map(markup, items))}</div>"


def notebook_bar(runs: int) -> Callable[[Event], None] | None:
    """Show in a notebook how many runs are done; return what updates the bar, or None outside of notebooks."""
    if not Console().is_jupyter:
        return None
    ipython: Any = import_module("IPython.display")
    handle, finished = ipython.display(ipython.HTML(""), display_id=True), count(1)

    def update(event: Event) -> None:
        if event.kind in ("done", "kept"):
            number = next(finished)
            handle.update(ipython.HTML(f"<progress value='{number}' max='{runs}'></progress> {number} of {runs} runs"))

    return update
