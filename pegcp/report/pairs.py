"""Pairs of runs: before and after, from two files of results; or without an option and with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from statistics import mean
from typing import Any

from pegcp.catalogue.methods import option_text
from pegcp.comparison.scores import Measure, counts, settled, winner
from pegcp.comparison.significance import interval
from pegcp.errors import InputError
from pegcp.report.tables import Table, cell, figure
from pegcp.result import Result
from pegcp.running.task import LIMITS, method_name

BEFORE, AFTER = " (before)", " (after)"
_LEAST = 0.001  # of a figure in a ratio
_MOST = 10  # changes of time that a short table shows


@dataclass(frozen=True)
class Change:
    """The same run, made before and after; or without an option and with it."""

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


_HEAD = ("runs", "less", "more", "gained", "lost", "ratio", "95 %")
_NOTE = (
    "less, more: runs that take clearly less or more {title} {then}; gained, lost: runs that only {then}, or not any "
    "more, are settled; ratio: geometric mean of what it takes {then}, divided by what it takes {now}, where both are "
    "settled, with its 95 % interval (bootstrap over problems, over runs where there is one problem)."
)


def _row(name: str, found: Sequence[Change], by: Measure) -> tuple[str, ...]:
    """How often and by how much the second runs of pairs take less."""
    of = [change for change in found if counts(change.before) and counts(change.after)]
    wins = [winner(by.cost(change.after), by.cost(change.before), by) for change in of]
    logs: dict[str, list[float]] = {}
    for change in of:
        if (ratio := change.ratio(by)) is not None:
            logs.setdefault(change.after.problem.fingerprint, []).append(log(ratio))
    each = [one for some in logs.values() for one in some]
    least, most = interval([mean(some) for some in logs.values()] if len(logs) > 1 else each, mean) or (None, None)
    done = [(settled(change.before), settled(change.after)) for change in of]
    less, more = wins.count(1), wins.count(-1)
    return (
        name,
        str(len(of)),
        str(less),
        str(more),
        str(done.count((False, True))),
        str(done.count((True, False))),
        figure(exp(mean(each))) if each else "-",
        "-" if least is None or most is None else f"{figure(exp(least))} to {figure(exp(most))}",
    )


def _methods(found: Sequence[Change], by: Measure) -> Table:
    methods = dict.fromkeys(change.after.method for change in found)
    rows = tuple(_row(name, [change for change in found if change.after.method == name], by) for name in methods)
    note = _NOTE.format(title=by.title, then="after", now="before")
    return Table(f"Before and after by {by.title}", ("method", *_HEAD), rows, note)


# Options -------------------------------------------------------------------------------------------------------------


def options_table(results: Iterable[Result], by: Measure) -> Table:
    """What each option is worth: its runs beside those that differ in nothing else, on the same problem and seed.

    Each value is compared with the default; of what is always written, with the value that comes first. The table has
    no rows if no two runs differ in one option alone.
    """
    groups: dict[tuple[str, str | None], list[Result]] = {}
    for result in results:
        groups.setdefault((method_name(result.method), result.backend), []).append(result)
    rows = []
    for (method, backend), group in groups.items():
        several = sum(name == method for name, _ in groups) > 1
        for key, value, found in _changes_of_options(group):
            if any(counts(change.before) and counts(change.after) for change in found):
                rows.append(_row(f"{method}{f':{backend}' if several else ''}:{key}={value}", found, by))
    note = _NOTE.format(title=by.title, then="with the option", now="with its default")
    return Table(f"What each option is worth by {by.title}", ("option", *_HEAD), tuple(rows), note)


def _changes_of_options(group: Sequence[Result]) -> Iterator[tuple[str, str, list[Change]]]:
    """Each option of a method with each value but the first, and the pairs of runs that differ in it alone."""
    options = [{key: value for key, value in result.parameters.items() if key not in LIMITS} for result in group]
    for key in dict.fromkeys(key for of in options for key in of):
        unwritten = [of.get(key) for result, of in zip(group, options, strict=True) if f":{key}=" not in result.method]
        base = (unwritten or [of.get(key) for of in options])[0]
        bases = {
            _but(result, of, key): result for result, of in zip(group, options, strict=True) if of.get(key) == base
        }
        found: dict[str, list[Change]] = {}
        for result, of in zip(group, options, strict=True):
            if of.get(key) != base and (other := bases.get(_but(result, of, key))) is not None:
                found.setdefault(option_text(of.get(key)), []).append(Change(other, result))
        for value, changes_ in found.items():
            yield key, value, changes_


def _but(result: Result, options: Mapping[str, Any], key: str) -> tuple[object, ...]:
    """The run without one of its options."""
    others = tuple(sorted((name, str(value)) for name, value in options.items() if name != key))
    return result.problem.fingerprint, tuple(str(result.parameters.get(name)) for name in LIMITS), others


# What changed --------------------------------------------------------------------------------------------------------


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
