"""The files of a report: the page of HTML, all runs as CSV, tables in Markdown and LaTeX, and plots by Matplotlib or as
a picture of pgfplots, which LaTeX sets."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO, StringIO
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from pegcp.comparison import agreement, scores
from pegcp.comparison.experiment import Experiment
from pegcp.errors import need, plural, refuse_if
from pegcp.render.page import board_data, problem_data, render_page
from pegcp.render.table import Table
from pegcp.report.tables import growths, problem_table, score_table
from pegcp.results.result import Result
from pegcp.running.task import FILES
from pegcp.version import __version__

RUN_COLUMNS = (
    "problem", "fingerprint", "method", "backend", "seed", "status", "reason", "jumps", "moves", "objective", "counted",
    "bound", "evidence", "agrees_with", "plan_cost", "start_seconds", "compile_seconds", "build_seconds",
    "solve_seconds", "check_seconds", "certificate_seconds", "wall_seconds", "cpu_seconds", "peak_memory_mb",
    "time_limit", "memory_limit", "workers", "host", "message",
)  # fmt: skip


def csv_text(results: Iterable[Result]) -> str:
    """Format all runs as CSV, one line each, with the columns :data:`RUN_COLUMNS`."""
    out = StringIO()
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
    return "".join(f"\\{c}" if c in "\\|*_`[]<>#" else c for c in text.replace("\n", " "))


def markdown(title: str, tables: Iterable[Table], end: Iterable[str] = ()) -> str:
    """Format tables in Markdown, and the lines of the ``end`` below them."""
    parts = [f"## {table.title}\n\n{_markdown_table(table)}\n\n{_md(table.note)}" for table in tables]
    return "\n\n".join([f"# {_md(title)}", *(part.rstrip() for part in parts), *map(_md, end)]) + "\n"


def _markdown_table(table: Table) -> str:
    """Format a table in Markdown, its columns aligned."""
    rows = [tuple(_md(str(text)) for text in row) for row in (table.head, *table.rows)]
    widths = [max(3, *(len(row[i]) for row in rows)) for i in range(len(table.head))]
    cells = [
        [c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))] for row in rows
    ]
    lines = [f"| {' | '.join(row)} |" for row in cells]
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


# Plots ----------------------------------------------------------------------------------------------------------------

PLOT_ENDINGS = (".svg", ".pdf", ".png", ".pgf")
_MARKS = "os^Dvx+*"  # of lines, as Matplotlib names them
_LEAST_COST = 0.001  # on an axis by logarithm; of costs that are numbers of things 1


Points = list[tuple[float, float]]


class Plot(NamedTuple):
    """The titles of the axes, lines by name, and dots; costs stand on axes by logarithm: upwards, with dots on both."""

    across: str
    up: str
    lines: dict[str, Points]
    dots: Points


def _cactus(results: Sequence[Result], by: scores.Measure) -> Plot:
    """Return how many instances each method settles at which cost."""
    lines = {}
    for method, runs in scores.by_method(results, by).items():
        costs = sorted(_height(cost, by) for cost in map(by.cost, runs.values()) if cost < inf)
        lines[f"{method} ({len(costs)})"] = [(float(number), cost) for number, cost in enumerate(costs, 1)]
    return Plot("instances settled", by.title, lines, [])


def _scatter(results: Sequence[Result], by: scores.Measure) -> Plot:
    """Return two methods on the instances that both took; runs that are not settled stand at twice the largest cost."""
    runs = scores.by_method(results, by)
    refuse_if(len(runs) != 2, f"a scatter plot has two methods, not {len(runs)}; type: -m A,B, of {', '.join(runs)}")
    (across, first), (up, second) = runs.items()
    pairs = [(by.cost(run), by.cost(second[instance])) for instance, run in first.items() if instance in second]
    costs = [_height(cost, by) for pair in pairs for cost in pair if cost < inf] or [1.0]
    least, edge = min(costs), 2 * max(costs)
    dots = [(min(_height(a, by), edge), min(_height(b, by), edge)) for a, b in pairs]
    name = f"equal; runs at {edge:.3g} are not settled" if any(edge in dot for dot in dots) else "equal"
    return Plot(f"{across}: {by.title}", f"{up}: {by.title}", {name: [(least, least), (edge, edge)]}, dots)


def _growth(results: Sequence[Result], by: scores.Measure) -> Plot:
    """Return the median cost of each size of problem, up to the first that a method does not settle."""
    lines = {}
    for growth in growths(results, by):
        name = growth.method if growth.stops is None else f"{growth.method} (stops at {growth.stops})"
        lines[name] = [(float(size), _height(cost, by)) for size, cost in growth.points if size < (growth.stops or inf)]
    return Plot("jumps of a solution", by.title, lines, [])


def _height(cost: float, by: scores.Measure) -> float:
    return max(cost, _LEAST_COST if by.noise else 1.0)


PLOTS = {"cactus": _cactus, "scatter": _scatter, "growth": _growth}


def plot_name(path: Path) -> str:
    """Return which plot a file is named after. Raises InputError if it is none, Missing without Matplotlib."""
    name = next((name for name in PLOTS if path.stem.lower().endswith(name)), "")
    endings = " or ".join(f"{name}{path.suffix}" for name in PLOTS)
    refuse_if(not name, f"the name of a file with a plot must end in {endings}", path)
    if path.suffix.lower() != ".pgf":
        need("a plot as a file", "pegcp[pictures]", "matplotlib")
    return name


def plot_file(path: Path, results: Sequence[Result], by: scores.Measure) -> bytes:
    """Return the content of the file of the plot that it is named after. Raises InputError if there is none to make."""
    plot = PLOTS[plot_name(path)](results, by)
    refuse_if(not plot.dots and not any(plot.lines.values()), f"there is nothing to plot by {by.title}", path)
    kind = path.suffix.lower().removeprefix(".")
    return _pgfplots(plot).encode() if kind == "pgf" else _matplotlib(plot, kind)


def _matplotlib(plot: Plot, kind: str) -> bytes:
    """Draw a plot by Matplotlib, without pyplot, whose state is that of the host program."""
    from matplotlib.figure import Figure

    figure, buffer = Figure(figsize=(6.4, 4.0), layout="constrained"), BytesIO()
    axes = figure.subplots()
    axes.scatter([x for x, _ in plot.dots], [y for _, y in plot.dots], facecolors="none", edgecolors="C0")
    for number, (name, points) in enumerate(plot.lines.items()):
        mark = "" if plot.dots else _MARKS[number % len(_MARKS)]
        axes.plot([x for x, _ in points], [y for _, y in points], label=name, marker=mark, markersize=4)
    axes.set(xlabel=plot.across, ylabel=plot.up, yscale="log", xscale="log" if plot.dots else "linear")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(buffer, format=kind, dpi=200)
    return buffer.getvalue()


def _pgfplots(plot: Plot) -> str:
    """Write a plot as a picture of the LaTeX package pgfplots."""

    def coordinates(points: Points) -> str:
        return " ".join(f"({x:g},{y:g})" for x, y in points)

    axis, look = ("loglogaxis", "[dashed]") if plot.dots else ("semilogyaxis", "")
    titles = f"xlabel={{{tex(plot.across)}}}, ylabel={{{tex(plot.up)}}}"
    lines = [
        rf"\addplot{look} coordinates {{{coordinates(points)}}}; \addlegendentry{{{tex(name)}}}"
        for name, points in plot.lines.items()
    ]
    dots = rf"\addplot[only marks, mark=o, forget plot] coordinates {{{coordinates(plot.dots)}}};"
    begin = rf"\begin{{{axis}}}[grid=major, legend pos=outer north east, legend cell align=left, {titles}]"
    picture = [r"\begin{tikzpicture}", begin, *([dots] if plot.dots else []), *lines, rf"\end{{{axis}}}"]
    return "\n".join([r"% \usepackage{pgfplots}", *picture, r"\end{tikzpicture}", ""])


# The page -------------------------------------------------------------------------------------------------------------


def page_html(
    review: scores.Review,
    experiment: Experiment,
    extra: Sequence[Table] = (),
    mark: str = "",
) -> str:
    """Render the page. ``extra`` tables come first; parts that grow get a plot; ``mark`` is a word for
    programs."""
    results, published = review.entries, experiment.published
    methods = list(dict.fromkeys(result.method for result in results))
    views: list[dict[str, Any]] = [
        {"measure": by, "scores": score_table(results, by), "problems": problem_table(results, published, by)}
        for by in scores.measures(results)
    ]
    data = _data(results, methods, views)
    families = [(part.name, part.select(results)) for part in experiment.parts if part.grows]
    data["growth"] = {
        view["measure"].name: [
            {"name": name, "methods": [vars(growth) for growth in growths(runs, view["measure"])]}
            for name, runs in families
        ]
        for view in views
    }
    return render_page(
        "page.html",
        ("page.js", "drawing.js", "player.js", "plots.js", "report.js"),
        data,
        title=experiment.name,
        description=experiment.description.strip(),
        facts=list(_facts(results)),
        disagreements=review.disagreements,
        claims=agreement.describe_evidence(review.runs),
        mark=mark,
        missing=review.remarks,
        extra=extra,
        views=views,
        methods=methods,
        boards=list(dict.fromkeys(board["name"] for board in data["boards"])),
        verdicts=list(dict.fromkeys(result.verdict for result in results)),
    )


def _data(results: Sequence[Result], methods: Sequence[str], views: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Collect the data for the script: boards and problems once each, and the runs."""
    problems = {(problem.fingerprint, problem.name): problem for problem in (result.problem for result in results)}
    number, row = _numbered(problems), _numbered(fingerprint for fingerprint, _ in problems)
    boards, abouts = _numbered(problem.board for problem in problems.values()), _numbered(map(_about, results))
    return {
        "methods": methods,
        "measures": [{key: getattr(view["measure"], key) for key in ("name", "title", "limited")} for view in views],
        "boards": [board_data(board) for board in boards],
        "problems": [
            problem_data(problem, boards[problem.board], row[problem.fingerprint]) for problem in problems.values()
        ],
        "runs": [
            {
                "problem": number[result.problem.fingerprint, result.problem.name],
                "method": methods.index(result.method),
                "seed": result.parameters.get("seed"),
                "status": result.status,
                "verdict": result.verdict,
                "fault": result.reason.sort == "fault",
                "counts": scores.counts(result),
                "settled": scores.settled(result),
                "evidence": result.rests_on,
                "jumps": None if result.jumps is None else [hole for jump in result.jumps for hole in jump],
                "moves": len(result.moves) if result.jumps is not None else None,
                "objective": result.objective,
                "bound": result.bound,
                "costs": {view["measure"].name: view["measure"].read(result) for view in views},
                "message": result.message or (f"counted: {result.counted}" if result.counted else ""),
                "about": abouts[_about(result)],
                "log": result.log,
                "trace": scores.trace(result) or None,
            }
            for result in results
        ],
        "abouts": list(abouts),
    }


def _numbered(items: Iterable[Any]) -> dict[Any, int]:
    """Number the items, each once."""
    return {item: number for number, item in enumerate(dict.fromkeys(items))}


def _about(result: Result) -> str:
    """Describe the backend, parameters, versions and machine of a run, without its seed: many runs share the text."""
    parameters = {k: v for k, v in result.parameters.items() if k != "seed" and v is not None}
    parts = (
        f"backend {result.backend}" if result.backend else "",
        ", ".join(f"{key} {value}" for key, value in parameters.items()),
        ", ".join(f"{name} {version}" for name, version in result.versions.items()),
        _machine(result) if "host" in result.provenance else "",
    )
    return "\n".join(filter(None, parts))


def _facts(results: Sequence[Result]) -> Iterator[str]:
    """List numbers of runs, limits, machines and versions."""
    problems, methods = {result.problem.fingerprint for result in results}, {result.method for result in results}
    seeds = len({result.parameters.get("seed", 0) for result in results})
    about = [plural(len(problems), "problem"), plural(len(methods), "method"), *[f"{seeds} seeds"] * (seeds > 1)]
    yield f"{len(results):,} run{'s' * (len(results) != 1)}: {', '.join(about)}"
    facts = {
        "Time limit": {f"{r.parameters['time_limit']:g} s" for r in results if r.parameters.get("time_limit")},
        "Machines": {_machine(result) for result in results if "host" in result.provenance},
        "Versions": {f"{name} {version}" for r in results for name, version in r.versions.items() if name not in FILES},
    }
    yield from (f"{name}: {', '.join(sorted(values))}" for name, values in facts.items() if values)
    yield f"Written by pegcp {__version__} on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"


def _machine(result: Result) -> str:
    about = result.provenance
    return f"{about['host']} ({about.get('system', '?')}, {about.get('cores', '?')} cores)"
