"""The scores of the International Planning Competitions, for any method: coverage, quality (satisficing track) and
agility (agile track). Each run gets at most 1 of each; the score of a method is the sum."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

from pegcp.game.goal import Objective
from pegcp.method import Status
from pegcp.result import Result


class Mark(NamedTuple):
    """What a run gets.

    ``coverage``: 1 for an answer, a solution that need not be the best or a refutation; ``quality``: the least cost
    that any run has found, over that of this run; ``agile``: 1 for an answer within a second, falling with the
    logarithm of the seconds to 0 at the time limit, where the first solution counts.
    """

    coverage: float
    quality: float
    agile: float


NONE = Mark(0, 0, 0)


def marks(results: Sequence[Result]) -> list[Mark]:
    """The marks of results that were made together, in their order."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if result.jumps is not None:
            groups.setdefault(result.problem.fingerprint, []).append(result)
    return [_mark(result, groups.get(result.problem.fingerprint, [])) for result in results]


def _mark(result: Result, solved: Sequence[Result]) -> Mark:
    if not result.answered:
        return NONE
    costs = _costs(solved)
    own = None if result.status is Status.INFEASIBLE else costs.get(id(result))
    quality = 1.0 if not own else min(costs.values()) / own
    return Mark(1, quality, _agility(_first(result), _number(result.parameters.get("time_limit"))))


def _costs(solved: Sequence[Result]) -> dict[int, float]:
    """What the solutions of a problem cost: as the planning files count it where all tell that, else the objective."""
    if not solved or solved[0].problem.objective in (Objective.ANY, Objective.COUNT):
        return {}
    told = {id(result): _number(result.statistics.get("plan_cost")) for result in solved}
    costs = told if None not in told.values() else {id(result): _number(result.objective) for result in solved}
    return {key: cost for key, cost in costs.items() if cost is not None}


def trace(result: Result) -> list[tuple[float, float | None, float | None]]:
    """The seconds, the objective and the bound by then; empty where the points, which any file may say, are no such."""
    points: Any = result.statistics.get("trace")
    if not isinstance(points, list) or not all(isinstance(point, list | tuple) and len(point) == 3 for point in points):
        return []
    numbers = all(value is None or isinstance(value, int | float) for point in points for value in point)
    return [tuple(point) for point in points] if numbers and all(point[0] is not None for point in points) else []


def _first(result: Result) -> float:
    """Seconds to the first solution, or to the answer."""
    times = [seconds for seconds, objective, _ in trace(result) if objective is not None]
    return times[0] if times else _number(result.statistics.get("wall_seconds")) or 0.0


def _agility(seconds: float, limit: float | None) -> float:
    if seconds <= 1 or limit is None:
        return 1.0
    return max(0.0, 1 - log(seconds) / log(limit)) if limit > 1 else 0.0


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
