"""Do the methods agree? Contradictions between results, and answers that failed their check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pegcp.game.goal import Objective
from pegcp.method import Reason, Status
from pegcp.result import Result


@dataclass(frozen=True)
class Disagreement:
    """Results that cannot all be right, or an answer that failed its check."""

    problem: str
    message: str
    results: tuple[Result, ...]


def disagreements(results: Iterable[Result]) -> list[Disagreement]:
    """All contradictions: solved against infeasible, different optima, a solution better than a proved bound, and every
    answer that failed its check."""
    by_problem: dict[str, list[Result]] = {}
    found = []
    for result in results:
        by_problem.setdefault(result.problem.fingerprint, []).append(result)
        if result.reason is Reason.INVALID_SOLUTION:
            found.append(Disagreement(result.problem.name, f"{result.method}: {result.message}", (result,)))
    for group in by_problem.values():
        found += _contradictions(group)
    return found


def _contradictions(group: Sequence[Result]) -> Iterator[Disagreement]:
    name = group[0].problem.name
    solved = [r for r in group if r.jumps is not None]
    refuted = [r for r in group if r.status is Status.INFEASIBLE]
    if solved and refuted:
        text = f"{_who(refuted)} prove{'s' * (len(_methods(refuted)) == 1)} it infeasible, {_who(solved)} solved it"
        yield Disagreement(name, text, (*refuted, *solved))
    valued = [r for r in solved if r.objective is not None]
    if not valued:
        return
    if group[0].problem.objective is Objective.COUNT:
        whole = [r for r in valued if r.reason is Reason.COMPLETED]
        if len({r.objective for r in whole}) > 1:
            text = ", ".join(dict.fromkeys(f"{r.method} counts {r.objective} solutions" for r in whole))
            yield Disagreement(name, text, tuple(whole))
        return
    best = min(valued, key=lambda r: r.objective or 0)
    for result in group:
        claim = result.objective if result.status is Status.OPTIMAL else result.bound
        if claim is not None and best.objective is not None and claim > best.objective + 1e-6:
            what = "optimum" if result.status is Status.OPTIMAL else "bound"
            text = f"{result.method} claims the {what} {claim}, {best.method} has a solution with {best.objective}"
            yield Disagreement(name, text, (result, best))


def _methods(results: Iterable[Result]) -> list[str]:
    return sorted({result.method for result in results})


def _who(results: Iterable[Result]) -> str:
    return " and ".join(_methods(results))


@dataclass(frozen=True)
class Agreement:
    """How two methods agree on the problems that both answered: same verdict, or contradiction."""

    first: str
    second: str
    same: int
    different: int


def agreement(results: Iterable[Result]) -> list[Agreement]:
    """All pairs of methods that answered a problem in common."""
    results = list(results)
    answered: dict[str, set[str]] = {}
    for result in results:
        if result.answered:
            answered.setdefault(result.method, set()).add(result.problem.fingerprint)
    contradicting = {
        (one.problem.fingerprint, frozenset((one.method, other.method)))
        for found in disagreements(results)
        for one in found.results
        for other in found.results
        if one is not other and _contradict(one, other)
    }
    pairs = []
    for first, second in combinations(answered, 2):
        both = answered[first] & answered[second]
        if both:
            different = sum((problem, frozenset((first, second))) in contradicting for problem in both)
            pairs.append(Agreement(first, second, len(both) - different, different))
    return pairs


def _contradict(one: Result, other: Result) -> bool:
    """Whether two results on one problem cannot both be right."""
    return any(True for _ in _contradictions([one, other]))
