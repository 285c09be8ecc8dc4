"""How the cost of a method grows with the size of a problem, and where the method stops.

The size is the number of jumps of a solution. Two laws are fitted to the medians by least squares of logarithms:
cost = a * size^b, and cost = a * b^size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from statistics import correlation, linear_regression, median

from pegcp.comparison.scores import Measure, by_method
from pegcp.comparison.significance import interval
from pegcp.report.tables import Table, figure
from pegcp.result import Result

_FEWEST = 4  # sizes to fit a law to

Point = tuple[int, float]


@dataclass(frozen=True)
class Law:
    """A law: its ``base`` b with the 95 % interval (bootstrap over sizes), its ``factor`` a, and how much of the
    variance of the logarithms it explains."""

    name: str
    base: float
    least: float
    most: float
    factor: float
    explains: float


@dataclass(frozen=True)
class Growth:
    """What a method took by size; ``stops`` is the first size of which it did not settle half."""

    method: str
    points: tuple[Point, ...]
    stops: int | None
    laws: tuple[Law, ...]

    @property
    def better(self) -> Law | None:
        """The law that fits better."""
        return max(self.laws, key=lambda law: law.explains, default=None)


def growths(results: Iterable[Result], by: Measure) -> list[Growth]:
    """How each method's cost grows, the median over the problems of each size of the medians over seeds, which are
    infinite where fewer than half are settled."""
    results = list(results)
    sizes = {r.problem.fingerprint: r.problem.jump_counts[-1] for r in results if r.problem.jump_counts}
    found = []
    for method, runs in by_method(results, by).items():
        costs: dict[str, list[float]] = {}
        for (problem, _), result in runs.items():
            costs.setdefault(problem, []).append(by.cost(result))
        of: dict[int, list[float]] = {}
        for problem in costs.keys() & sizes:
            of.setdefault(sizes[problem], []).append(median(costs[problem]))
        middle = {size: median(some) for size, some in sorted(of.items())}
        points = tuple((size, cost) for size, cost in middle.items() if cost < inf)
        stops = next((size for size, cost in middle.items() if cost == inf), None)
        found.append(Growth(method, points, stops, _laws(points, by)))
    return found


def _laws(points: Sequence[Point], by: Measure) -> tuple[Law, ...]:
    """Both laws, fitted to what is more than noise; none for a few sizes or where nothing grows."""
    clear = [(size, log(cost)) for size, cost in points if cost > by.noise]
    if len(clear) < _FEWEST or len({cost for _, cost in clear}) == 1:
        return ()
    return (
        _law("power", [(log(size), cost) for size, cost in clear], lambda slope: slope),
        _law("exponential", [(float(size), cost) for size, cost in clear], exp),
    )


def _law(name: str, points: Sequence[tuple[float, float]], base: Callable[[float], float]) -> Law:
    xs, ys = zip(*points, strict=True)
    slope, intercept = linear_regression(xs, ys)

    def drawn(some: Sequence[tuple[float, float]]) -> float:
        x, y = zip(*some, strict=True)
        return linear_regression(x, y).slope if len(set(x)) > 1 else slope

    least, most = interval(points, drawn) or (slope, slope)
    return Law(name, base(slope), base(least), base(most), exp(intercept), correlation(xs, ys) ** 2)


def growth_table(results: Iterable[Result], by: Measure) -> Table:
    """One row for each method: its sizes, both laws, and where it stops."""
    rows = []
    for one in growths(results, by):
        laws = [f"{figure(law.base)} ({figure(law.least)} to {figure(law.most)})" for law in one.laws] or ["-", "-"]
        settled = f"{one.points[0][0]} to {one.points[-1][0]}" if one.points else "-"
        better = f"{one.better.name}, {one.better.explains:.0%}" if one.better else "-"
        rows.append((one.method, settled, "-" if one.stops is None else str(one.stops), *laws, better))
    note = (
        "sizes: jumps of a solution. stops: the first size of which the method does not settle half. exponent b of "
        f"{by.title} = a size^b, factor b of a b^size, with 95 % intervals (bootstrap over sizes), fitted to medians "
        "that are more than noise; better fit: the law, and what it explains of the variance of logarithms."
    )
    head = ("method", "sizes settled", "stops", "exponent", "factor", "better fit")
    return Table(f"Growth by {by.title}", head, tuple(rows), note)
