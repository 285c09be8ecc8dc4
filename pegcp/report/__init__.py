"""The value of ``pegcp.compare``, and its reports: a page with plots, tables for papers or for the terminal, plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from importlib import import_module
from io import StringIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from rich.console import Console, Group, RenderableType
from rich.text import Text

from pegcp.comparison import agreement, schedule, scores
from pegcp.comparison.experiment import Experiment, Part
from pegcp.comparison.scores import Review
from pegcp.errors import need, plural
from pegcp.habits import Guided
from pegcp.render.table import Table
from pegcp.report import files
from pegcp.report.tables import part_tables, problem_table, results_table, score_table
from pegcp.results.result import Result
from pegcp.writing import check_ending, write_file

if TYPE_CHECKING:
    import pandas

FORMATS = (".html", ".csv", ".md", ".tex")  # besides those of plots


def write_report(
    path: Path,
    review: Review,
    experiment: Experiment | None = None,
    *,
    by: scores.Measure | None = None,
    extra: Sequence[Table] = (),
    mark: str = "",
) -> None:
    """Write a report of results: a self-contained page (.html), all runs (.csv), tables (.md, .tex), or the plot of
    :data:`pegcp.report.files.PLOTS` that the file is named after (.svg, .pdf, .png, .pgf).

    ``extra`` tables come first, then those of the parts of the ``experiment``, or the effects of options. The page
    shows all measures and plots; tables show ``by``, or the default measure of the results. ``mark`` is a word for
    programs that is written at the beginning, but for CSV.

    Raises InputError for another ending, and if the file cannot be written; Missing for a plot without Matplotlib.
    """
    check_report(path)
    experiment = experiment or Experiment("Comparison")
    runs = review.entries
    by = by or scores.measures(runs)[0]
    extra = [*extra, *part_tables(runs, experiment.parts, by, experiment.published)]
    problems = [] if any(part.name for part in experiment.parts) else [problem_table(runs, experiment.published, by)]
    problems = [replace(item, note=f"{item.note} {agreement.describe_evidence(review.runs)}") for item in problems]
    on_paper = [*extra, score_table(runs, by), *problems]
    content: str | bytes
    match path.suffix.lower():
        case ".html":
            content = files.page_html(review, experiment, extra, mark)
        case ".csv":
            content = files.csv_text(review.results)
        case ".md":
            content = f"<!-- {mark} -->\n" * bool(mark) + files.markdown(experiment.name, on_paper, review.remarks)
        case ".tex":
            content = f"% {mark}\n" * bool(mark) + files.latex(experiment.name, on_paper, review.remarks)
        case _:
            content = files.plot_file(path, runs, by)
    write_file(path, content)


def check_report(path: Path) -> None:
    """Check that the name of a file says which report it is to be. Raises InputError; Missing for a plot without
    Matplotlib."""
    check_ending(path, (*FORMATS, *files.PLOT_ENDINGS))
    if path.suffix.lower() in files.PLOT_ENDINGS:
        files.plot_name(path)


def summary(review: scores.Review, by: scores.Measure | None = None, parts: Sequence[Part] = ()) -> RenderableType:
    """Make a report for the terminal: disagreements, tables of problems, options and scores, methods that were not run,
    and the evidence of the verdicts."""
    runs = review.entries
    by = by or scores.measures(runs)[0]
    problems = [] if any(part.name for part in parts) else [problem_table(runs, by=by)]
    tables = [*problems, *part_tables(runs, parts, by), score_table(runs, by)] if runs else []
    return Group(
        *(Text(f"DISAGREEMENT on {item.problem}: {item.message}") for item in review.disagreements),
        *tables,
        *map(Text, review.remarks),
        Text(agreement.describe_evidence(review.results)),
    )


_LINE_CHARACTERS = 1000  # characters in a line of text


class Comparison(Sequence[Result], Guided):
    """The results of a comparison, in the order of its problems, methods and seeds. Immutable."""

    def __init__(self, results: Iterable[Result], experiment: Experiment | str = "") -> None:
        """``experiment`` is what the results are the runs of, or their title."""
        self._results = tuple(results)
        self.experiment = Experiment(experiment) if isinstance(experiment, str) else experiment

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Comparison: ...
    def __getitem__(self, index: int | slice | str) -> Result | Comparison:
        if isinstance(index, slice):
            return Comparison(self._results[index], self.experiment)
        if isinstance(index, str):
            is_of = f"[result for result in comparison if {index!r} in (result.method, result.problem.name)]"
            how = f"to_dataframe()[{index!r}]" if index in files.RUN_COLUMNS else is_of
            raise TypeError(f"a Comparison has results by number; use {how}")
        return self._results[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self._results == other._results

    def __len__(self) -> int:
        return len(self._results)

    def __reduce__(self) -> tuple[object, ...]:
        return Comparison, (self._results, replace(self.experiment, tasks=()))  # the runs to make hold functions

    @cached_property
    def disagreements(self) -> list[agreement.Disagreement]:
        """Results that contradict each other, and answers that failed their check."""
        return self._review.disagreements

    def scores(self, measure: str | None = None) -> Scores:
        """Score each method, the best first, the virtual best last.

        ``measure`` is ``run`` (build and solve), ``solve``, ``build``, ``cpu``, ``wall`` (all in seconds), ``memory``
        (MB), ``nodes`` or ``conflicts``; by default ``run`` if all results report it, else ``wall``. Raises InputError
        for another.
        """
        by = scores.measures(self._results)[0] if measure is None else scores.measure(measure)
        return Scores(self._review.entries, by)

    def to_dataframe(self) -> pandas.DataFrame:
        """Make a ``pandas.DataFrame``: a row for each result, with the columns of a report in CSV.

        (``pandas.DataFrame(table)`` makes columns of the fields of the results instead.) Raises Missing without pandas.
        """
        need("a table as a DataFrame", "pandas", "pandas")
        import pandas

        return pandas.DataFrame(list(files.run_rows(self._results)), columns=list(files.RUN_COLUMNS))

    def report(self, path: str | Path) -> None:
        """Write a report: a page with plots (.html), all runs (.csv), tables (.md, .tex); or the plot that the file is
        named after, ``cactus.pdf``, ``scatter.svg`` or ``growth.pgf``.

        Raises InputError for another ending, and if the file cannot be written; Missing for a plot without Matplotlib.
        """
        write_report(Path(path), self._review, replace(self.experiment, name=self.experiment.name or "Comparison"))

    def __repr__(self) -> str:
        numbers = {
            "result": len(self),
            "problem": len({result.problem.fingerprint for result in self._results}),
            "method": len({result.method for result in self._results}),
            "disagreement": len(self.disagreements),
        }
        return f"<Comparison: {', '.join(plural(number, noun) for noun, number in numbers.items())}>"

    @cached_property
    def _review(self) -> Review:
        return scores.review(self.experiment.label(self._results))

    def _table(self) -> RenderableType:
        return results_table(self._review, self.experiment.name, self.experiment.texts)

    def __str__(self) -> str:
        return as_text(self._table())

    def _repr_html_(self) -> str:
        return _markup(self._table())


class Scores(list[scores.Score]):
    """The scores of methods, shown as a table."""

    def __init__(self, results: Sequence[Result], by: scores.Measure) -> None:
        super().__init__(scores.scores(results, by))
        self._table = score_table(results, by)

    def __repr__(self) -> str:
        return as_text(self._table)

    def _repr_html_(self) -> str:
        return _markup(self._table, Text(self._table.note))


def as_text(*items: RenderableType, width: int = _LINE_CHARACTERS) -> str:
    """Lay out tables and text."""
    out = StringIO()
    Console(file=out, width=width, color_system=None, force_jupyter=False).print(*items)
    return "\n".join(line.rstrip() for line in out.getvalue().strip("\n").split("\n"))


def _markup(*items: RenderableType) -> str:
    """Return tables and text in HTML, those of a group in a division of their own."""
    parts = (
        _markup(*item.renderables)
        if isinstance(item, Group)
        else item.markup()
        if isinstance(item, Table)
        else f"<p>{escape(str(item))}</p>"
        for item in items
    )
    return f"<div>{''.join(parts)}</div>"


def notebook_bar(runs: int) -> Callable[[schedule.RunEvent], None] | None:
    """Show in a notebook how many runs are done; return what updates the bar, or None outside of notebooks."""
    if not Console().is_jupyter:
        return None
    ipython: Any = import_module("IPython.display")
    handle, numbers = ipython.display(ipython.HTML(""), display_id=True), count(1)

    def update(event: schedule.RunEvent) -> None:
        if event.kind in ("done", "kept"):
            number = next(numbers)
            handle.update(ipython.HTML(f"<progress value='{number}' max='{runs}'></progress> {number} of {runs} runs"))

    return update
