"""Plots of a comparison as files for papers: by Matplotlib, or as a picture of pgfplots, which LaTeX sets."""

from collections.abc import Sequence
from io import BytesIO
from math import inf
from pathlib import Path
from typing import NamedTuple

from pegcp.comparison.scores import Measure, by_method
from pegcp.errors import InputError, need
from pegcp.report.growth import growths
from pegcp.report.tables import tex
from pegcp.results.result import Result

ENDINGS = (".svg", ".pdf", ".png", ".pgf")
_MARKS = "os^Dvx+*"  # of lines, as Matplotlib names them
_LEAST_COST = 0.001  # on an axis by logarithm; of costs that are numbers of things 1


Points = list[tuple[float, float]]


class Plot(NamedTuple):
    """The titles of the axes, lines by name, and dots; costs stand on axes by logarithm: upwards, with dots on both."""

    across: str
    up: str
    lines: dict[str, Points]
    dots: Points


def _cactus(results: Sequence[Result], by: Measure) -> Plot:
    """Return how many instances each method settles at which cost."""
    lines = {}
    for method, runs in by_method(results, by).items():
        costs = sorted(_shown(cost, by) for cost in map(by.cost, runs.values()) if cost < inf)
        lines[f"{method} ({len(costs)})"] = [(float(number), cost) for number, cost in enumerate(costs, 1)]
    return Plot("instances settled", by.title, lines, [])


def _scatter(results: Sequence[Result], by: Measure) -> Plot:
    """Return two methods on the instances that both took; runs that are not settled stand at twice the largest cost."""
    runs = by_method(results, by)
    if len(runs) != 2:
        raise InputError(f"a scatter plot has two methods, not {len(runs)}; type: -m A,B, of {', '.join(runs)}")
    (across, first), (up, second) = runs.items()
    pairs = [(by.cost(run), by.cost(second[instance])) for instance, run in first.items() if instance in second]
    costs = [_shown(cost, by) for pair in pairs for cost in pair if cost < inf] or [1.0]
    least, edge = min(costs), 2 * max(costs)
    dots = [(min(_shown(a, by), edge), min(_shown(b, by), edge)) for a, b in pairs]
    name = f"equal; runs at {edge:.3g} are not settled" if any(edge in dot for dot in dots) else "equal"
    return Plot(f"{across}: {by.title}", f"{up}: {by.title}", {name: [(least, least), (edge, edge)]}, dots)


def _growth(results: Sequence[Result], by: Measure) -> Plot:
    """Return the median cost of each size of problem, up to the first that a method does not settle."""
    lines = {}
    for growth in growths(results, by):
        name = growth.method if growth.stops is None else f"{growth.method} (stops at {growth.stops})"
        lines[name] = [(float(size), _shown(cost, by)) for size, cost in growth.points if size < (growth.stops or inf)]
    return Plot("jumps of a solution", by.title, lines, [])


def _shown(cost: float, by: Measure) -> float:
    return max(cost, _LEAST_COST if by.noise else 1.0)


PLOTS = {"cactus": _cactus, "scatter": _scatter, "growth": _growth}


def plot_name(path: Path) -> str:
    """Return which plot a file is named after. Raises InputError if it is none, Missing without Matplotlib."""
    name = next((name for name in PLOTS if path.stem.lower().endswith(name)), None)
    if name is None:
        files = " or ".join(f"{name}{path.suffix}" for name in PLOTS)
        raise InputError(f"the name of a file with a plot must end in {files}", source=str(path))
    if path.suffix.lower() != ".pgf":
        need("a plot as a file", "pegcp[pictures]", "matplotlib")
    return name


def plot_file(path: Path, results: Sequence[Result], by: Measure) -> bytes:
    """Return the content of the file of the plot that it is named after. Raises InputError if there is none to make."""
    plot = PLOTS[plot_name(path)](results, by)
    if not plot.dots and not any(plot.lines.values()):
        raise InputError(f"there is nothing to plot by {by.title}", source=str(path))
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

    axis = "loglogaxis" if plot.dots else "semilogyaxis"
    titles = f"xlabel={{{tex(plot.across)}}}, ylabel={{{tex(plot.up)}}}"
    look = "[dashed]" if plot.dots else ""
    lines = [
        rf"\addplot{look} coordinates {{{coordinates(points)}}}; \addlegendentry{{{tex(name)}}}"
        for name, points in plot.lines.items()
    ]
    dots = rf"\addplot[only marks, mark=o, forget plot] coordinates {{{coordinates(plot.dots)}}};"
    begin = rf"\begin{{{axis}}}[grid=major, legend pos=outer north east, legend cell align=left, {titles}]"
    picture = [r"\begin{tikzpicture}", begin, *([dots] if plot.dots else []), *lines, rf"\end{{{axis}}}"]
    return "\n".join([r"% \usepackage{pgfplots}", *picture, r"\end{tikzpicture}", ""])
