"""Growth: the cost of a method by the size of a problem, and where the method stops.

The size of a problem is the number of jumps of its solutions.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, inf, log
from statistics import linear_regression, median

from pegcp.comparison.agreement import group_by
from pegcp.comparison.scores import Measure, by_method
from pegcp.render.table import Table, cost_figure
from pegcp.report.tables import columns
from pegcp.results.result import Result


@dataclass(frozen=True)
class Growth:
    """The median cost of a method by size; ``stops`` is the first size of which it settles less than half. One more
    jump multiplies the cost by ``factor``: least squares of logarithms, over at least three costs above noise."""

    method: str
    points: tuple[tuple[int, float], ...]
    stops: int | None
    factor: float | None


def growths(results: Iterable[Result], by: Measure) -> list[Growth]:
    """Measure the growth of each method. The cost of a size is the median over its problems of the medians over seeds,
    where a run that is not settled costs infinitely much."""
    results = list(results)
    sizes = {r.problem.fingerprint: r.problem.lengths[-1] for r in results if r.problem.lengths}
    rows = []
    for method, runs in by_method(results, by).items():
        problems = group_by(runs.values(), lambda result: result.problem.fingerprint)
        medians = {problem: median(map(by.cost, seeds)) for problem, seeds in problems.items() if problem in sizes}
        groups = group_by(medians, lambda problem: sizes[problem])
        by_size = [(size, median(medians[problem] for problem in groups[size])) for size in sorted(groups)]
        points = tuple((size, cost) for size, cost in by_size if cost < inf)
        clear = [(size, log(cost)) for size, cost in points if cost > by.noise]
        factor = exp(linear_regression(*zip(*clear, strict=True)).slope) if len(clear) > 2 else None
        rows.append(Growth(method, points, next((size for size, cost in by_size if cost == inf), None), factor))
    return rows


def growth_table(results: Iterable[Result], by: Measure) -> Table:
    """List the methods with the sizes they settle, where they stop, and how much one more jump costs."""
    rows = []
    for growth in growths(results, by):
        settled = f"{growth.points[0][0]} to {growth.points[-1][0]}" if growth.points else "-"
        rows.append(
            (growth.method, settled, "-" if growth.stops is None else str(growth.stops), cost_figure(growth.factor))
        )
    note = (
        "sizes: jumps of a solution. stops: the first size of which the method settles less than half. factor: how "
        f"much one more jump multiplies {by.title} (least squares of logarithms of medians)."
    )
    return Table(f"Growth by {by.title}", columns("method", "sizes settled", "stops", "factor"), tuple(rows), note)
