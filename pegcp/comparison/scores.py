"""Statistics of a comparison that do not mistake time-outs for times.

A run is *settled* when it answers the question in full: infeasible, optimal, or solved where any solution will do. An
instance is a problem with a seed. Runs of a method that refuses a problem or is not installed do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any

from pegcp.errors import InputError, suggestion
from pegcp.game.goal import Objective
from pegcp.method import Reason, Status
from pegcp.result import Result

SHIFT = 1.0  # seconds, of the shifted geometric mean
VIRTUAL_BEST = "virtual best"
_TIE = 0.05  # relative difference below which nobody wins

Instance = tuple[str, int]


@dataclass(frozen=True)
class Measure:
    """Something that a run takes, less being better.

    ``name`` is what it is asked for by, ``title`` what tables and axes say, ``keys`` the statistics that add up to it.
    Differences under ``noise`` do not count; ``limited`` says that the time limit is one of it.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    noise: float = 0.0
    limited: bool = False

    def taken(self, result: Result) -> float | None:
        """What a run took; None where its method does not say."""
        figures = [result.statistics.get(key) for key in self.keys]
        told = [float(figure) for figure in figures if isinstance(figure, int | float)]
        return sum(told) if told else None

    def cost(self, result: Result) -> float:
        """What a settled run took; infinite for others."""
        return (self.taken(result) or 0.0) if settled(result) else inf


_NOISE = 0.01  # seconds
WALL = Measure("wall", "wall seconds", ("wall_seconds",), _NOISE, limited=True)
RUN = Measure("run", "build and solve seconds", ("build_seconds", "solve_seconds"), _NOISE, limited=True)
MEASURES = (
    RUN,
    Measure("solve", "solve seconds", ("solve_seconds",), _NOISE, limited=True),
    Measure("build", "build seconds", ("build_seconds",), _NOISE),
    Measure("cpu", "CPU seconds", ("cpu_seconds",), _NOISE),
    WALL,
    Measure("memory", "MB of memory", ("peak_memory_mb",), 1.0),
    Measure("nodes", "nodes", ("nodes",)),
    Measure("conflicts", "conflicts", ("conflicts",)),
    Measure("size", "literals or non-zeros", ("literals",)),
)


def measure(name: str) -> Measure:
    """The measure of that name. Raises InputError if there is none."""
    known = {found.name: found for found in MEASURES}
    if name not in known:
        raise InputError(f'there is no measure "{name}"{suggestion(name, known)}; there are {", ".join(known)}')
    return known[name]


def told(results: Sequence[Result]) -> list[Measure]:
    """The measures that some settled run tells, the one to begin with first: what it takes to build and to solve, where
    all tell it; else wall time, in which the start of Python outweighs small problems."""
    done = [result for result in results if settled(result)]
    found = [one for one in MEASURES if any(one.taken(result) is not None for result in done)]
    if WALL in found and any(RUN.taken(result) is None for result in done):
        found.sort(key=lambda one: one is not WALL)
    return found or [WALL]


def settled(result: Result) -> bool:
    """Whether a run answers the question in full: a solution that may not be the best is enough where any will do, and
    for a count that came to its end."""
    if result.status is not Status.SOLVED:
        return result.answered
    objective = result.problem.objective
    return objective is Objective.ANY or (objective is Objective.COUNT and result.reason is Reason.COMPLETED)


def counts(result: Result) -> bool:
    """Whether the run says something about its method: the method accepts the problem and is installed."""
    return result.reason.sort not in ("refusal", "interruption")


def by_method(results: Iterable[Result], by: Measure = WALL) -> dict[str, dict[Instance, Result]]:
    """Runs that count, by method and instance. A settled run that does not tell the measure does not count by it, and
    no run of a method that never does."""
    found: dict[str, dict[Instance, Result]] = {}
    for result in results:
        runs = found.setdefault(result.method, {})
        if counts(result) and not (settled(result) and by.taken(result) is None):
            runs[result.problem.fingerprint, int(result.parameters.get("seed", 0))] = result
    return {
        method: runs if any(by.taken(result) is not None for result in runs.values()) else {}
        for method, runs in found.items()
    }


@dataclass(frozen=True)
class Score:
    """How a method did: runs that count, how many it settled, how often it was the fastest.

    ``par2`` is the mean of seconds with twice the time limit for runs that are not settled; ``mean`` the shifted
    geometric mean of what it settled, ``common_mean`` that over the instances that all methods settled. None if empty,
    and PAR2 for a measure that the time limit does not limit.
    """

    method: str
    runs: int
    settled: int
    fastest: int
    par2: float | None
    mean: float | None
    common_mean: float | None
    timeouts: int
    failures: int


def shifted_geometric_mean(times: Sequence[float]) -> float | None:
    """``exp(mean(log(t + shift))) - shift``; None for no times."""
    return exp(sum(log(time + SHIFT) for time in times) / len(times)) - SHIFT if times else None


def scores(results: Iterable[Result], by: Measure = WALL) -> list[Score]:
    """A score for each method, best PAR2 first among equals in settled runs; the virtual best last."""
    runs = by_method(results, by)
    best = _virtual_best(runs, by)
    able = [
        {instance for instance, result in of.items() if settled(result)}
        for of in runs.values()
        if any(settled(result) for result in of.values())
    ]
    common = set.intersection(*able) if able else set()
    rows = [_score(method, method_runs, best, common, by) for method, method_runs in runs.items()]
    rows.sort(key=lambda score: (-score.settled, score.par2 if score.par2 is not None else score.mean or inf))
    return [*rows, _score(VIRTUAL_BEST, best, best, common, by)]


def _virtual_best(runs: Mapping[str, Mapping[Instance, Result]], by: Measure) -> dict[Instance, Result]:
    best: dict[Instance, Result] = {}
    for of in runs.values():
        for instance, result in of.items():
            if instance not in best or by.cost(result) < by.cost(best[instance]):
                best[instance] = result
    return best


def _score(
    method: str,
    of: Mapping[Instance, Result],
    best: Mapping[Instance, Result],
    common: set[Instance],
    by: Measure,
) -> Score:
    costs = {instance: by.cost(result) for instance, result in of.items()}
    done = [cost for cost in costs.values() if cost < inf]
    penalised = [
        cost if cost < inf else 2 * float(of[instance].parameters.get("time_limit", 0))
        for instance, cost in costs.items()
    ]
    return Score(
        method,
        len(of),
        len(done),
        sum(cost < inf and cost <= by.cost(best[instance]) for instance, cost in costs.items()),
        sum(penalised) / len(penalised) if penalised and by.limited else None,
        shifted_geometric_mean(done),
        shifted_geometric_mean([costs[instance] for instance in common if costs.get(instance, inf) < inf]),
        sum(result.reason.sort == "limit" and not settled(result) for result in of.values()),
        sum(result.reason.sort == "fault" for result in of.values()),
    )


def by_problem(results: Iterable[Result]) -> dict[str, dict[str, list[Result]]]:
    """Runs by the fingerprint of their problem and by method."""
    found: dict[str, dict[str, list[Result]]] = {}
    for result in results:
        found.setdefault(result.problem.fingerprint, {}).setdefault(result.method, []).append(result)
    return found


def winner(a: float, b: float, by: Measure) -> int:
    """1 if the first is clearly less, -1 if the second is, 0 for a tie."""
    if a == b or abs(a - b) <= max(by.noise, _TIE * min(a, b)):
        return 0
    return 1 if a < b else -1


def trace(result: Result) -> list[tuple[float, float | None, float | None]]:
    """The trace of a run: (seconds, objective, bound) each time one of them improved; empty if it is malformed."""
    points: Any = result.statistics.get("trace")
    if not isinstance(points, list) or not all(isinstance(point, list | tuple) and len(point) == 3 for point in points):
        return []
    numbers = all(value is None or isinstance(value, int | float) for point in points for value in point)
    return [tuple(point) for point in points] if numbers and all(point[0] is not None for point in points) else []
