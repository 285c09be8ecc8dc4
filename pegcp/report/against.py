"""Two files of results, before and after: which runs changed, and how."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from statistics import mean

from pegcp.comparison.scores import Measure, counts, settled, winner
from pegcp.comparison.significance import sign_test
from pegcp.errors import InputError
from pegcp.report.tables import Table, cell, figure
from pegcp.result import Result

BEFORE, AFTER = " (before)", " (after)"
_LEAST = 0.001  # of a figure in a ratio
_MOST = 10  # changes of time that a short table shows


@dataclass(frozen=True)
class Change:
    """The same run, made before and after."""

    before: Result
    after: Result

    def ratio(self, by: Measure) -> float | None:
        """The cost after, divided by the cost before; None unless both runs are settled."""
        costs = by.cost(self.before), by.cost(self.after)
        if inf in costs or by.taken(self.before) is None or by.taken(self.after) is None:
            return None
        return max(costs[1], _LEAST) / max(costs[0], _LEAST)

    @property
    def verdict(self) -> bool:
        """Whether the verdict or the value changed."""
        one, other = self.before, self.after
        return (one.verdict, one.objective) != (other.verdict, other.objective)


def changes(before: Iterable[Result], after: Iterable[Result]) -> list[Change]:
    """Pair the runs of two files by problem, method and seed; by problem and seed if each file has one method only.

    Raises InputError if there are none.
    """
    before, after = list(before), list(after)
    alone = len({result.method for result in before}) == len({result.method for result in after}) == 1

    def run(result: Result) -> tuple[object, ...]:
        method = "" if alone else result.method
        return result.problem.fingerprint, method, result.parameters.get("seed", 0)

    old = {run(result): result for result in before}
    found = [Change(old[run(result)], result) for result in after if run(result) in old]
    if not found:
        raise InputError("the two files have no run in common: same problem, method and seed")
    return found


def both(found: Iterable[Change]) -> list[Result]:
    """All results of both files, the methods named after their file."""
    pairs = [(change.before, change.after) for change in found]
    return [
        replace(result, method=result.method + name)
        for pair in pairs
        for result, name in zip(pair, (BEFORE, AFTER), strict=True)
    ]


def tables(found: Sequence[Change], by: Measure, *, whole: bool = False) -> list[Table]:
    """Tables of what changed: by method, in verdicts, and by run (only the largest changes unless ``whole``)."""
    return [table for table in (_methods(found, by), _verdicts(found, by), _ratios(found, by, whole)) if table.rows]


def _methods(found: Sequence[Change], by: Measure) -> Table:
    rows = []
    for method in dict.fromkeys(change.after.method for change in found):
        of = [change for change in found if change.after.method == method]
        of = [change for change in of if counts(change.before) and counts(change.after)]
        wins = [winner(by.cost(change.after), by.cost(change.before), by) for change in of]
        ratios = [log(ratio) for change in of if (ratio := change.ratio(by)) is not None]
        less, more = wins.count(1), wins.count(-1)
        rows.append(
            (
                method,
                str(len(of)),
                str(sum(settled(change.before) for change in of)),
                str(sum(settled(change.after) for change in of)),
                str(less),
                str(more),
                figure(exp(mean(ratios))) if ratios else "-",
                f"{sign_test(less, more):.4f}",
            )
        )
    note = (
        f"less, more: runs that take clearly less or more {by.title} than before; ratio: geometric mean of after by "
        "before, where both are settled; p: two-sided sign test."
    )
    head = ("method", "runs", "settled before", "after", "less", "more", "ratio", "p")
    return Table(f"Before and after by {by.title}", head, tuple(rows), note)


def _verdicts(found: Sequence[Change], by: Measure) -> Table:
    rows = tuple(
        (*_name(change), cell([change.before], by), cell([change.after], by)) for change in found if change.verdict
    )
    return Table("Changed verdicts", ("problem", "method", "seed", "before", "after"), rows)


def _ratios(found: Sequence[Change], by: Measure, whole: bool) -> Table:
    """The runs that take clearly less or more, the most changed first."""
    known = [(ratio, change) for change in found if (ratio := change.ratio(by)) is not None]
    clear = [pair for pair in known if winner(by.cost(pair[1].after), by.cost(pair[1].before), by)]
    clear.sort(key=lambda pair: -abs(log(pair[0])))
    shown = clear if whole else clear[:_MOST]
    rows = tuple(
        (*_name(change), figure(by.cost(change.before)), figure(by.cost(change.after)), figure(ratio))
        for ratio, change in shown
    )
    more = f"The {len(shown)} largest of {len(clear)}." if len(shown) < len(clear) else ""
    return Table(f"Changes by {by.title}", ("problem", "method", "seed", "before", "after", "ratio"), rows, more)


def _name(change: Change) -> tuple[str, str, str]:
    result = change.after
    return result.problem.name, result.method, str(result.parameters.get("seed", 0))
