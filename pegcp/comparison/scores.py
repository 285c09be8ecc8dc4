"""Statistics of a comparison that do not mistake time-outs for times.

A run is *settled* when it answers the question in full: infeasible, optimal, or solved where any solution will do. An
instance is a problem with a seed. Runs of a method that refuses a problem or is not installed do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, inf, log
from statistics import median
from typing import assert_never

from pegcp.game.goal import Objective
from pegcp.method import Reason, Status
from pegcp.result import Result

SHIFT = 1.0  # seconds, of the shifted geometric mean
VIRTUAL_BEST = "virtual best"
_TIE = 0.05  # relative difference of times below which nobody wins
_LEAST = 0.01  # seconds; differences below this are noise

Instance = tuple[str, int]


def settled(result: Result) -> bool:
    """Whether a run answers the question in full."""
    match result.status:
        case Status.OPTIMAL | Status.INFEASIBLE:
            return True
        case Status.UNKNOWN:
            return False
        case Status.SOLVED:
            return _enough(result)
        case _:
            assert_never(result.status)


def _enough(result: Result) -> bool:
    """Whether a solution, not known to be the best, is all that was asked for."""
    match result.problem.objective:
        case Objective.ANY:
            return True
        case Objective.COUNT:
            return result.reason is Reason.COMPLETED
        case (
            Objective.FEWEST_JUMPS
            | Objective.FEWEST_MOVES
            | Objective.FEWEST_STEPS
            | Objective.FEWEST_PEGS
            | Objective.NEAREST
        ):
            return False
        case _:
            assert_never(result.problem.objective)


def seconds(result: Result) -> float:
    """Wall seconds of a settled run; infinite for others."""
    return float(result.statistics.get("wall_seconds") or 0.0) if settled(result) else inf


def counts(result: Result) -> bool:
    """Whether the run says something about its method: the method accepts the problem and is installed."""
    return result.reason.sort not in ("refusal", "interruption")


def by_method(results: Iterable[Result]) -> dict[str, dict[Instance, Result]]:
    """Runs that count, by method and instance."""
    found: dict[str, dict[Instance, Result]] = {}
    for result in results:
        runs = found.setdefault(result.method, {})
        if counts(result):
            runs[result.problem.fingerprint, int(result.parameters.get("seed", 0))] = result
    return found


@dataclass(frozen=True)
class Score:
    """How a method did: runs that count, how many it settled, how often it was the fastest.

    ``par2`` is the mean of wall seconds with twice the time limit for runs that are not settled; ``mean`` the shifted
    geometric mean of what it settled, ``common_mean`` that over the instances that all methods settled. None if empty.
    """

    method: str
    runs: int
    settled: int
    fastest: int
    par2: float | None
    mean: float | None
    common_mean: float | None
    timeouts: int = 0
    failures: int = 0


def shifted_geometric_mean(times: Sequence[float], shift: float = SHIFT) -> float | None:
    """``exp(mean(log(t + shift))) - shift``; None for no times."""
    return exp(sum(log(time + shift) for time in times) / len(times)) - shift if times else None


def scores(results: Iterable[Result]) -> list[Score]:
    """A score for each method, best PAR2 first among equals in settled runs; the virtual best last."""
    runs = by_method(results)
    best = _virtual_best(runs)
    able = [
        {instance for instance, result in of.items() if settled(result)}
        for of in runs.values()
        if any(settled(result) for result in of.values())
    ]
    common = set.intersection(*able) if able else set()
    found = [_score(method, of, best, common) for method, of in runs.items()]
    found.sort(key=lambda score: (-score.settled, score.par2 if score.par2 is not None else inf))
    return [*found, _score(VIRTUAL_BEST, best, best, common)]


def _virtual_best(runs: Mapping[str, Mapping[Instance, Result]]) -> dict[Instance, Result]:
    best: dict[Instance, Result] = {}
    for of in runs.values():
        for instance, result in of.items():
            if instance not in best or seconds(result) < seconds(best[instance]):
                best[instance] = result
    return best


def _score(method: str, of: Mapping[Instance, Result], best: Mapping[Instance, Result], common: set[Instance]) -> Score:
    times = {instance: seconds(result) for instance, result in of.items()}
    done = [time for time in times.values() if time < inf]
    penalised = [
        time if time < inf else 2 * float(of[instance].parameters.get("time_limit", 0))
        for instance, time in times.items()
    ]
    return Score(
        method,
        len(of),
        len(done),
        sum(time < inf and time <= seconds(best[instance]) for instance, time in times.items()),
        sum(penalised) / len(penalised) if penalised else None,
        shifted_geometric_mean(done),
        shifted_geometric_mean([times[instance] for instance in common if times.get(instance, inf) < inf]),
        sum(result.reason.sort == "limit" and not settled(result) for result in of.values()),
        sum(result.reason.sort == "fault" for result in of.values()),
    )


@dataclass(frozen=True)
class Duel:
    """Two methods on the problems that both take: how often each is faster (medians over seeds; settled beats not
    settled; differences under 5 % or 10 ms are ties), and the p value of the two-sided sign test, corrected for all
    duels of the comparison (Benjamini and Hochberg)."""

    first: str
    second: str
    wins: int
    losses: int
    ties: int
    p: float


def duels(results: Iterable[Result]) -> list[Duel]:
    """All pairs of methods that have problems in common."""
    from scipy.stats import binomtest, false_discovery_control

    times: dict[str, dict[str, float]] = {}
    for method, runs in by_method(results).items():
        by_problem: dict[str, list[float]] = {}
        for (problem, _), result in runs.items():
            by_problem.setdefault(problem, []).append(seconds(result))
        times[method] = {problem: median(of) for problem, of in by_problem.items()}
    found = []
    for first, second in combinations(times, 2):
        both = times[first].keys() & times[second].keys()
        if both:
            outcomes = [_winner(times[first][problem], times[second][problem]) for problem in both]
            wins, losses = outcomes.count(1), outcomes.count(-1)
            p = float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
            found.append(Duel(first, second, wins, losses, outcomes.count(0), p))
    corrected = false_discovery_control([duel.p for duel in found]) if found else []
    return [replace(duel, p=float(p)) for duel, p in zip(found, corrected, strict=True)]


def _winner(a: float, b: float) -> int:
    """1 if the first time is clearly smaller, -1 if the second is, 0 for a tie."""
    if a == b or abs(a - b) <= max(_LEAST, _TIE * min(a, b)):
        return 0
    return 1 if a < b else -1
