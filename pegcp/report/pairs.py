"""Pairs of runs: without an option and with it, or before and after a change, from two result files."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from statistics import mean

from pegcp.catalogue.methods import option_text
from pegcp.comparison.agreement import group_by
from pegcp.comparison.scores import Measure, counts, settled, winner
from pegcp.errors import InputError
from pegcp.render.table import Table, cost_figure
from pegcp.report.tables import cell, columns
from pegcp.results.result import Result
from pegcp.running.task import LIMITS, method_name

_LEAST_COST = 0.001  # of a cost in a ratio
_ERROR_LEVEL = 0.05  # of the interval of a ratio
_SAMPLE_SIZE = 3  # in a sample that has an interval
_NUMBER_OF_DRAWS = 2000


@dataclass(frozen=True)
class Change:
    """A run without an option and with it, or before and after."""

    before: Result
    after: Result

    def ratio(self, by: Measure) -> float | None:
        """The cost after, divided by the cost before; None unless both runs are settled and report it."""
        before, after = by.cost(self.before), by.cost(self.after)
        if inf in (before, after) or by.read(self.before) is None or by.read(self.after) is None:
            return None
        return max(after, _LEAST_COST) / max(before, _LEAST_COST)


_HEAD = ("runs", "less", "more", "gained", "lost", "ratio", "95 %")
_NOTE = (
    "less, more: runs that take clearly less or more {title} {now}. gained, lost: runs settled only {now}, or only "
    "{then}. ratio: {title} {now} divided by {title} {then}, geometric mean over pairs that are both settled, with "
    "its 95 % interval (bootstrap over problems; over runs if there is one problem)."
)


def _row(name: str, pairs: Sequence[Change], by: Measure) -> tuple[str, ...]:
    """Count how often, and measure by how much, the second runs of pairs take less."""
    pairs = [pair for pair in pairs if counts(pair.before) and counts(pair.after)]
    wins = [winner(by.cost(pair.after), by.cost(pair.before), by) for pair in pairs]
    logs: dict[str, list[float]] = {}
    for pair in pairs:
        if (ratio := pair.ratio(by)) is not None:
            logs.setdefault(pair.after.problem.fingerprint, []).append(log(ratio))
    every = [value for values in logs.values() for value in values]
    bounds = interval(list(map(mean, logs.values())) if len(logs) > 1 else every)
    both_settled = [(settled(pair.before), settled(pair.after)) for pair in pairs]
    numbers = (len(pairs), wins.count(1), wins.count(-1), both_settled.count((False, True)))
    return (
        name,
        *map(str, numbers),
        str(both_settled.count((True, False))),
        cost_figure(exp(mean(every)) if every else None),
        "-" if bounds is None else f"{cost_figure(exp(bounds[0]))} to {cost_figure(exp(bounds[1]))}",
    )


def interval(sample: Sequence[float]) -> tuple[float, float] | None:
    """Return the bootstrap interval of a mean at the level: its percentiles over samples drawn from the sample (Efron
    1979). None for fewer than three."""
    if len(sample) < _SAMPLE_SIZE:
        return None
    chance = random.Random(0)
    values = sorted(mean(chance.choices(sample, k=len(sample))) for _ in range(_NUMBER_OF_DRAWS))
    return values[round(_NUMBER_OF_DRAWS * _ERROR_LEVEL / 2)], values[
        round(_NUMBER_OF_DRAWS * (1 - _ERROR_LEVEL / 2)) - 1
    ]


def options_table(results: Iterable[Result], by: Measure) -> Table:
    """Compare the values of each option: pairs of runs on the same problem and seed that differ in nothing else.

    Each value is compared with the default; if the option is written in every run, with its first value. The table has
    no rows if no two runs differ in one option alone.
    """
    groups = group_by(results, lambda result: (method_name(result.method), result.backend))
    rows = []
    for (method, backend), group in groups.items():
        several = sum(name == method for name, _ in groups) > 1
        for key, value, pairs in _option_pairs(group):
            if any(counts(pair.before) and counts(pair.after) for pair in pairs):
                rows.append(_row(f"{method}{f':{backend}' if several else ''}:{key}={value}", pairs, by))
    note = _NOTE.format(title=by.title, now="with the option", then="with its default")
    return Table(f"Effect of each option on {by.title}", columns("option", *_HEAD), tuple(rows), note)


def _option_pairs(group: Sequence[Result]) -> Iterator[tuple[str, str, list[Change]]]:
    """Find each option of a method, each value but the base, and the pairs of runs that differ in it alone."""
    options = [{key: value for key, value in result.parameters.items() if key not in LIMITS} for result in group]
    runs = list(zip(group, options, strict=True))
    for key in dict.fromkeys(key for values in options for key in values):
        defaults = [values.get(key) for result, values in runs if f":{key}=" not in result.method]
        base = (defaults or [values.get(key) for values in options])[0]
        bases = {_without(result, values, key): result for result, values in runs if values.get(key) == base}
        pairs: dict[str, list[Change]] = {}
        for result, values in runs:
            before = bases.get(_without(result, values, key))
            if values.get(key) != base and before is not None:
                pairs.setdefault(option_text(values.get(key)), []).append(Change(before, result))
        yield from ((key, value, changed) for value, changed in pairs.items())


def _without(result: Result, options: Mapping[str, object], key: str) -> tuple[object, ...]:
    """Identify a run without one of its options."""
    rest = tuple(sorted((name, str(value)) for name, value in options.items() if name != key))
    return result.problem.fingerprint, tuple(str(result.parameters.get(name)) for name in LIMITS), rest


# Before and after -----------------------------------------------------------------------------------------------------


def changes(before: Sequence[Result], after: Sequence[Result]) -> list[Change]:
    """Pair the runs of two files by problem, method and seed; by problem and seed if each file has one method only.

    Raises InputError if there are none.
    """
    one_method = len({result.method for result in before}) == len({result.method for result in after}) == 1

    def run(result: Result) -> tuple[object, ...]:
        return result.problem.fingerprint, one_method or result.method, result.parameters.get("seed", 0)

    old = {run(result): result for result in before}
    pairs = [Change(old[run(result)], result) for result in after if run(result) in old]
    if not pairs:
        raise InputError("the two files have no run in common: same problem, method and seed")
    return pairs


def change_tables(pairs: Sequence[Change], by: Measure) -> list[Table]:
    """Make a table of the changes of each method, and one of the verdicts that changed, if any did."""
    rows = [_row(method, own, by) for method, own in group_by(pairs, lambda pair: pair.after.method).items()]
    note = _NOTE.format(title=by.title, now="after", then="before")
    verdicts = [
        (pair.after.problem.name, pair.after.method, cell([pair.before], by), cell([pair.after], by))
        for pair in pairs
        if (pair.before.verdict, pair.before.objective) != (pair.after.verdict, pair.after.objective)
    ]
    tables = (
        Table(f"Before and after by {by.title}", columns("method", *_HEAD), tuple(rows), note),
        Table("Changed verdicts", columns("problem", "method", "before", "after"), tuple(verdicts)),
    )
    return [table for table in tables if table.rows]
