"""Do the methods agree? Contradictions between results, and answers that failed their check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pegcp.result import Reason, Result, Status


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
