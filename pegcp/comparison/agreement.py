"""Do the methods agree? Contradictions between results, and answers that failed their check."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pegcp.errors import plural
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.library import suites
from pegcp.method import Evidence, Reason, Status
from pegcp.result import Result

_ROUNDING = 1e-6  # of bounds that solvers work out in floating point


@dataclass(frozen=True)
class Disagreement:
    """Results that cannot all be right, or an answer that failed its check."""

    problem: str
    message: str
    results: tuple[Result, ...]


def disagreements(results: Iterable[Result]) -> list[Disagreement]:
    """All contradictions, and every answer that failed its check.

    Contradictions: solved against infeasible; a bound, or an optimum, above the value of a solution; different counts
    of the same thing; what a set of problems knows. Solutions and refutations count for all problems that differ in the
    objective only.
    """
    found = []
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(question(result.problem), []).append(result)
        if result.reason is Reason.INVALID_SOLUTION:
            found.append(Disagreement(result.problem.name, f"{result.method}: {result.message}", (result,)))
        fault = _untrue(result, suites.known(result.problem))
        if fault:
            found.append(Disagreement(result.problem.name, f"{result.method} {fault}, which the set knows", (result,)))
    for group in groups.values():
        found += _contradictions(group)
    return found


def question(problem: Problem) -> str:
    """The fingerprint of a problem without its objective: whether there is a solution is the same question."""
    return replace(problem, objective=Objective.ANY).fingerprint


def _untrue(result: Result, row: suites.Row | None) -> str:
    """What a result says against the answer of a set of problems; empty if nothing."""
    if row is None or row.answer is None:
        return ""
    if result.status is Status.INFEASIBLE and row.answer is not False:
        return "claims that it is infeasible: there is a solution"
    if result.jumps is not None and row.answer is False:
        return "solved it: there is no solution"
    known = row.answer if type(row.answer) is int else result.objective
    if result.status is Status.OPTIMAL and result.objective != known:
        return f"claims the optimum {result.objective}: it is {known}"
    return ""


def _contradictions(group: Sequence[Result]) -> Iterator[Disagreement]:
    """The contradictions between results on one start and goal."""
    solved = [r for r in group if r.jumps is not None]
    refuted = [r for r in group if r.status is Status.INFEASIBLE]
    if solved and refuted:
        verb = "claims" if len(_methods(refuted)) == 1 else "claim"
        text = f"{_who(refuted)} {verb} that it is infeasible, {_who(solved)} solved it"
        yield Disagreement(group[0].problem.name, text, (*refuted, *solved))
    for result in group:
        yield from _beaten(result, solved)
    counts: dict[str, list[Result]] = {}
    for result in solved:
        if result.counted:
            counts.setdefault(result.counted, []).append(result)
    for counted, counting in counts.items():
        yield from _miscounted(counted, counting)


def _beaten(result: Result, solved: Iterable[Result]) -> Iterator[Disagreement]:
    """What the result says of the least value of its objective, against the best solution of all."""
    claims = [] if result.bound is None else [(result.bound, "bound")]
    if result.status is Status.OPTIMAL and result.objective is not None:
        claims.append((result.objective, "optimum"))
    values = [(value, other) for other in solved if (value := result.problem.value(other.jumps or ())) is not None]
    if not claims or not values:
        return
    claim, what = max(claims)
    best, other = min(values, key=lambda found: found[0])
    if claim > best + _ROUNDING:
        text = f"{result.method} claims the {what} {claim}, {other.method} has a solution with {best}"
        yield Disagreement(result.problem.name, text, (result, other))


def _miscounted(counted: str, counting: Sequence[Result]) -> Iterator[Disagreement]:
    """Counts of the same thing that cannot all be right; of those that were stopped, more may be left."""
    name = counting[0].problem.name
    whole = [r for r in counting if r.status is Status.OPTIMAL]
    if len({r.objective for r in whole}) > 1:
        text = ", ".join(dict.fromkeys(f"{r.method} counts {r.objective}" for r in whole))
        yield Disagreement(name, f"{text} {counted}", tuple(whole))
    for part in counting:
        fewer = [r for r in whole if (r.objective or 0) < (part.objective or 0)]
        if part.status is Status.SOLVED and fewer:
            text = f"{part.method} has found {part.objective} {counted}, {fewer[0].method} counts {fewer[0].objective}"
            yield Disagreement(name, text, (part, fewer[0]))


def _methods(results: Iterable[Result]) -> list[str]:
    return sorted({result.method for result in results})


def _who(results: Iterable[Result]) -> str:
    return " and ".join(_methods(results))


# Verdicts that other methods confirm


def confirmed(results: Iterable[Result]) -> list[Result]:
    """The results; those that are only claimed as ``agreed`` where another method says the same.

    Another method is another model or search, or the same model on another backend: other options or seeds do not make
    one. Results that contradict each other confirm nothing.
    """
    results = list(results)
    doubtful = {id(result) for found in disagreements(results) for result in found.results}
    said: dict[Hashable, list[Result]] = {}
    for result in results:
        if id(result) not in doubtful:
            said.setdefault(_said(result), []).append(result)
    return [result if id(result) in doubtful else _confirmed(result, said[_said(result)]) for result in results]


def _said(result: Result) -> Hashable:
    """The claim of a result in a form in which two methods' claims can be compared; None if no other can confirm it."""
    if result.status is Status.INFEASIBLE:
        return Status.INFEASIBLE, question(result.problem)
    if result.status is Status.OPTIMAL:
        return Status.OPTIMAL, result.problem.fingerprint, result.objective, result.counted
    return None


def _confirmed(result: Result, same: Iterable[Result]) -> Result:
    """A result that is only claimed, with the best evidence among those that say the same by another method."""
    others = [other for other in same if _source(other) != _source(result)]
    if result.evidence is not Evidence.CLAIMED or _said(result) is None or not others:
        return result
    best = min(others, key=lambda other: list(Evidence).index(other.evidence or Evidence.CLAIMED))
    return replace(result, evidence=Evidence.AGREED, agrees_with=best.method)


def _source(result: Result) -> tuple[str, str | None]:
    return result.method.partition(":")[0], result.backend


def claims(results: Iterable[Result]) -> str:
    """A sentence about the evidence: how many verdicts rest on the word of one method only. It says how many runs
    were interrupted."""
    results = list(results)
    verdicts = [result for result in results if result.answered]
    claimed = sum(result.evidence is Evidence.CLAIMED for result in verdicts)
    number = len(verdicts)
    subject = "The only verdict is" if number == 1 else f"All {number:,} verdicts are"
    if not number:
        text = "There is no verdict."
    elif claimed == number:
        text = f"{subject} claimed by one method only."
    elif claimed:
        text = f"{claimed:,} of {number:,} verdicts {'is' if claimed == 1 else 'are'} claimed by one method only."
    else:
        text = f"{subject} replayed, certified or confirmed by a second method."
    interrupted = sum(result.reason is Reason.INTERRUPTED for result in results)
    if interrupted:
        text += f" {plural(interrupted, 'run')} {'was' if interrupted == 1 else 'were'} interrupted."
    return text
