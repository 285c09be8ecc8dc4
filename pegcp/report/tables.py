"""The tables of a comparison: results, sizes of models, scores, problems by methods, growth, and pairs of runs.

The growth of a method is its cost by the size of a problem, which is the number of jumps of its solutions. Pairs of
runs are those without an option and with it, or before and after a change, from two files of results.
"""

import random
import shlex
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from statistics import linear_regression, mean, median

from rich.console import Group, RenderableType
from rich.text import Text

from pegcp import backends
from pegcp.catalogue.choice import option_text
from pegcp.comparison import agreement, experiment, scores
from pegcp.comparison.groups import group_by
from pegcp.errors import refuse_if
from pegcp.game import Objective
from pegcp.method import Reason, Status
from pegcp.render.table import Column, Table, cost_figure, figure
from pegcp.results.result import Result
from pegcp.running.task import LIMIT_NAMES, method_name

_RANKS = {  # of columns; others are always shown
    **dict.fromkeys(("settled", "ratio"), 1),
    **dict.fromkeys(("PAR2", "95 %"), 2),
    **dict.fromkeys(("less", "more", "mean"), 3),
    **dict.fromkeys(("runs", "gained", "lost"), 4),
    "best": 5,
    "limit": 6,
    "failed": 7,
}
_WORDS = {"problem": 16, "method": 20, "option": 20}  # columns of words, and the width to which they may be wrapped


def columns(*names: str, optional: Sequence[str] = ()) -> tuple[Column, ...]:
    """Return the columns of a table; a narrow terminal hides the least important first, and ``optional`` ones."""
    return tuple(
        Column(name, 1 if name in optional else _RANKS.get(name, 0), name not in _WORDS, _WORDS.get(name, 0))
        for name in names
    )


def score_table(results: Sequence[Result], by: scores.Measure = scores.WALL) -> Table:
    """Score each method: a row with how much it settled, and how fast."""
    rows = tuple(
        (
            score.method,
            *map(str, (score.runs, score.settled, score.timeouts, score.failures, score.fastest)),
            *map(cost_figure, (score.par2, score.mean)),
        )
        for score in scores.scores(results, by)
    )
    return Table(
        f"Scores by {by.title}",
        columns("method", "runs", "settled", "limit", "failed", "best", "PAR2", "mean"),
        rows,
        "limit: runs stopped at a limit of time or memory. best: instances on which no method took less. "
        + ("PAR2: mean, with twice the time limit for each run that is not settled. " if by.limited else "")
        + "mean: geometric mean, shifted by 1, of the settled runs. "
        + "virtual best: the fastest run of each instance that all methods ran.",
    )


def problem_table(
    results: Sequence[Result], published: Sequence[experiment.Published] = (), by: scores.Measure | None = None
) -> Table:
    """Compare problems (rows) by methods (columns): the median cost over seeds, or the reason why there is none. The
    default measure is that of the results.
    """
    by = by or scores.measures(results)[0]
    methods = list(dict.fromkeys(result.method for result in results))
    rows = []
    for group in group_by(results, lambda result: result.problem.fingerprint).values():
        name, runs = group[0].problem.name, group_by(group, lambda result: result.method)
        costs = [cell(runs.get(method, []), by) for method in methods]
        rows.append((name, *costs, *(str(column.values.get(name, "")) for column in published)))
    names = (*methods, *(column.name for column in published))
    return Table(
        f"Problems by {by.title}",
        columns("problem", *names, optional=names),
        tuple(rows),
        f"{by.title[0].upper()}{by.title[1:]}, median over seeds. k/n: settled with only k of n seeds (the others "
        "count as slower than all). n: the optimum. inf.: no solution. >= n: bound at a limit.",
    )


def cell(runs: Sequence[Result], by: scores.Measure = scores.WALL) -> str:
    """Sum up the runs of a method on a problem, over all seeds, in few characters. Time-outs are never averaged in."""
    if not runs:
        return ""
    answers = [run for run in runs if scores.settled(run)]
    if not answers:
        return _open(runs)
    costs = [by.cost(run) for run in runs if not scores.settled(run) or by.read(run) is not None]
    middle = cost_figure(median(costs) if costs and median(costs) < inf else None)
    if len(answers) < len(runs):
        return f"{len(answers)}/{len(runs)} {middle}".removesuffix(" -")
    first = answers[0]
    if first.status is Status.INFEASIBLE:
        return f"inf. {middle}"
    if first.objective is None:
        return middle
    return f"{first.objective:,} {first.counted}: {middle}" if first.counted else f"{first.objective:g}: {middle}"


def _open(runs: Sequence[Result]) -> str:
    """Sum up runs that are not settled: the best bound, and the commonest reason."""
    (reason, _), *_ = Counter(run.reason for run in runs).most_common()  # of equals the first
    word = {Reason.UNSUPPORTED: "n/a", Reason.INVALID_SOLUTION: "WRONG", Reason.COMPLETED: "open"}.get(reason, reason)
    values = [run.objective for run in runs if run.status is Status.SOLVED and run.objective is not None]
    bounds = [run.bound for run in runs if run.bound is not None]
    if values:
        counting = runs[0].problem.objective is Objective.COUNT  # so many were found before the end
        return f">= {max(values):,} {word}" if counting else f"<= {min(values):g} {word}"
    return f">= {max(bounds):g} {word}" if bounds else word


# Growth ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Growth:
    """The median cost of a method by size; ``stops`` is the first size of which it settles less than half. One more
    jump multiplies the cost by ``factor``: least squares of logarithms, over at least three costs above noise."""

    method: str
    points: tuple[tuple[int, float], ...]
    stops: int | None
    factor: float | None


def growths(results: Sequence[Result], by: scores.Measure) -> list[Growth]:
    """Measure the growth of each method. The cost of a size is the median over its problems of the medians over seeds,
    where a run that is not settled costs infinitely much."""
    sizes = {r.problem.fingerprint: r.problem.lengths[-1] for r in results if r.problem.lengths}
    rows = []
    for method, runs in scores.by_method(results, by).items():
        medians = {
            problem: median(map(by.cost, seeds))
            for problem, seeds in group_by(runs.values(), lambda run: run.problem.fingerprint).items()
            if problem in sizes
        }
        groups = group_by(medians, lambda problem: sizes[problem])
        by_size = [(size, median(medians[problem] for problem in groups[size])) for size in sorted(groups)]
        points = tuple((size, cost) for size, cost in by_size if cost < inf)
        clear = [(size, log(cost)) for size, cost in points if cost > by.noise]
        factor = exp(linear_regression(*zip(*clear, strict=True)).slope) if len(clear) > 2 else None
        rows.append(Growth(method, points, next((size for size, cost in by_size if cost == inf), None), factor))
    return rows


def growth_table(results: Sequence[Result], by: scores.Measure) -> Table:
    """List the methods with the sizes they settle, where they stop, and how much one more jump costs."""
    rows = tuple(
        (
            growth.method,
            f"{growth.points[0][0]} to {growth.points[-1][0]}" if growth.points else "-",
            "-" if growth.stops is None else str(growth.stops),
            cost_figure(growth.factor),
        )
        for growth in growths(results, by)
    )
    return Table(
        f"Growth by {by.title}",
        columns("method", "sizes settled", "stops", "factor"),
        rows,
        "sizes: jumps of a solution. stops: the first size of which the method settles less than half. factor: how "
        f"much one more jump multiplies {by.title} (least squares of logarithms of medians).",
    )


# Pairs of runs --------------------------------------------------------------------------------------------------------

_LEAST_COST = 0.001  # of a cost in a ratio
_ERROR_LEVEL = 0.05  # of the interval of a ratio
_SAMPLE_SIZE = 3  # in a sample that has an interval
_NUMBER_OF_DRAWS = 2000


@dataclass(frozen=True)
class Change:
    """A run without an option and with it, or before and after."""

    before: Result
    after: Result

    def ratio(self, by: scores.Measure) -> float | None:
        """Return the cost after, divided by the cost before; None unless both runs are settled and report it."""
        before, after = by.cost(self.before), by.cost(self.after)
        if inf in (before, after) or by.read(self.before) is None or by.read(self.after) is None:
            return None
        return max(after, _LEAST_COST) / max(before, _LEAST_COST)


def _pairs_table(
    title: str, noun: str, rows: Sequence[tuple[str, ...]], by: scores.Measure, now: str, then: str
) -> Table:
    """Return a table of rows about pairs of runs, and how to read it."""
    return Table(
        title,
        columns(noun, "runs", "less", "more", "gained", "lost", "ratio", "95 %"),
        tuple(rows),
        f"less, more: runs that take clearly less or more {by.title} {now}. gained, lost: runs settled only {now}, or "
        f"only {then}. ratio: {by.title} {now} divided by {by.title} {then}, geometric mean over pairs that are both "
        "settled, with its 95 % interval (bootstrap over problems; over runs if there is one problem).",
    )


def _pairs_row(name: str, pairs: Sequence[Change], by: scores.Measure) -> tuple[str, ...]:
    """Count how often, and measure by how much, the second runs of pairs take less."""
    pairs = [pair for pair in pairs if scores.counts(pair.before) and scores.counts(pair.after)]
    wins = [scores.winner(by.cost(pair.after), by.cost(pair.before), by) for pair in pairs]
    ratios = [(pair.after.problem.fingerprint, log(ratio)) for pair in pairs if (ratio := pair.ratio(by)) is not None]
    every = [value for _, value in ratios]
    means = [mean(value for _, value in own) for own in group_by(ratios, lambda pair: pair[0]).values()]
    bounds = interval(means if len(means) > 1 else every)
    ends = [(scores.settled(pair.before), scores.settled(pair.after)) for pair in pairs]
    gains, losses = ends.count((False, True)), ends.count((True, False))
    return (
        name,
        *map(str, (len(pairs), wins.count(1), wins.count(-1), gains, losses)),
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


def options_table(results: Iterable[Result], by: scores.Measure) -> Table:
    """Compare the values of each option: pairs of runs on the same problem and seed that differ in nothing else.

    Each value is compared with the default; if the option is written in every run, with its first value. The table has
    no rows if no two runs differ in one option alone.
    """
    groups = group_by(results, lambda result: (method_name(result.method), result.backend))
    rows = []
    for (method, backend), group in groups.items():
        several = sum(name == method for name, _ in groups) > 1
        for key, value, pairs in _option_pairs(group):
            if any(scores.counts(pair.before) and scores.counts(pair.after) for pair in pairs):
                rows.append(_pairs_row(f"{method}{f':{backend}' if several else ''}:{key}={value}", pairs, by))
    return _pairs_table(
        f"Effect of each option on {by.title}", "option", rows, by, "with the option", "with its default"
    )


def _option_pairs(group: Sequence[Result]) -> Iterator[tuple[str, str, list[Change]]]:
    """Find each option of a method, each value but the base, and the pairs of runs that differ in it alone."""
    runs = [(run, {key: value for key, value in run.parameters.items() if key not in LIMIT_NAMES}) for run in group]
    for key in dict.fromkeys(key for _, values in runs for key in values):
        defaults = [values.get(key) for result, values in runs if f":{key}=" not in result.method]
        base = (defaults or [values.get(key) for _, values in runs])[0]
        bases = {_without(result, values, key): result for result, values in runs if values.get(key) == base}
        pairs: dict[str, list[Change]] = {}
        for result, values in runs:
            before = bases.get(_without(result, values, key))
            if values.get(key) != base and before is not None:
                pairs.setdefault(option_text(values.get(key)), []).append(Change(before, result))
        yield from ((key, value, own) for value, own in pairs.items())


def _without(result: Result, options: Mapping[str, object], key: str) -> tuple[object, ...]:
    """Identify a run without one of its options."""
    rest = tuple(sorted((name, str(value)) for name, value in options.items() if name != key))
    return result.problem.fingerprint, tuple(str(result.parameters.get(name)) for name in LIMIT_NAMES), rest


def changes(before: Sequence[Result], after: Sequence[Result]) -> list[Change]:
    """Pair the runs of two files by problem, method and seed; by problem and seed if each file has one method only.

    Raises InputError if there are none.
    """
    is_single = len({result.method for result in before}) == len({result.method for result in after}) == 1

    def key(result: Result) -> tuple[object, ...]:
        return result.problem.fingerprint, is_single or result.method, result.parameters.get("seed", 0)

    old = {key(result): result for result in before}
    pairs = [Change(old[key(result)], result) for result in after if key(result) in old]
    refuse_if(not pairs, "the two files have no run in common: same problem, method and seed")
    return pairs


def change_tables(pairs: Sequence[Change], by: scores.Measure) -> list[Table]:
    """Make a table of the changes of each method, and one of the verdicts that changed, if any did."""
    rows = [_pairs_row(method, own, by) for method, own in group_by(pairs, lambda pair: pair.after.method).items()]
    verdicts = [
        (pair.after.problem.name, pair.after.method, cell([pair.before], by), cell([pair.after], by))
        for pair in pairs
        if (pair.before.verdict, pair.before.objective) != (pair.after.verdict, pair.after.objective)
    ]
    tables = (
        _pairs_table(f"Before and after by {by.title}", "method", rows, by, "after", "before"),
        Table("Changed verdicts", columns("problem", "method", "before", "after"), tuple(verdicts)),
    )
    return [table for table in tables if table.rows]


def part_tables(
    results: Sequence[Result],
    parts: Sequence[experiment.Part],
    by: scores.Measure,
    published: Sequence[experiment.Published] | None = None,
) -> list[Table]:
    """Make the tables of the parts of an experiment: effects of options, growth, and with ``published`` values problems
    by methods. Without parts, the effects of options over all results."""
    tables = [] if parts else [options_table(results, by)]
    for part in parts:
        runs = part.select(results)
        own = [
            options_table(runs, by),
            *([growth_table(runs, by)] if part.grows else []),
            *([problem_table(runs, published, by)] if part.name and published is not None else []),
        ]
        tables += [replace(table, title=f"{part.name}: {table.title}".removeprefix(": ")) for table in own]
    return [table for table in tables if table.rows]


# Results --------------------------------------------------------------------------------------------------------------

_STYLES = {
    Status.SOLVED: "green",
    Status.OPTIMAL: "bold green",
    Status.INFEASIBLE: "cyan",
    Status.UNKNOWN: "yellow",
}
_UNREMARKABLE = (Reason.TIME, Reason.INTERRUPTED, Reason.COMPLETED)
_WRONG = "bold white on red"

ResultColumn = tuple[Column, Callable[[Sequence[Result]], str | Text]]  # and its text for the runs of a row


def results_table(review: scores.Review, title: str = "", texts: Mapping[str, str] = {}) -> RenderableType:
    """Return the results as a table, in their order: a row for each problem and method, with medians over seeds.

    Where more than two problems were asked of every method, a table of problems by methods takes its place.
    Rows that contradict each other stand out. Below the table: disagreements, methods that are not installed, long
    messages and notions of counts, each once; and last, how many verdicts are only claimed. ``texts`` are the written
    forms of methods that an experiment calls by a name.
    """
    runs, notes = review.runs, dict[str, int]()
    wrong = {id(result) for disagreement in review.disagreements for result in disagreement.results}
    layout = _result_columns(runs, notes)
    groups = list(group_by(runs, _row_key).values())
    styles = {number: _WRONG for number, group in enumerate(groups) if any(id(run) in wrong for run in group)}
    table = Table(
        title,
        tuple(column for column, _ in layout),
        tuple(tuple(text(group) for _, text in layout) for group in groups),
        styles=styles,
    )
    items: list[RenderableType] = [table] if table.rows else []
    remarks = [f"[{number}] {text}" for text, number in notes.items()]
    methods, problems = ({getattr(run, name) for run in runs} for name in ("method", "problem"))
    if len(problems) > 2 and len(groups) == len(methods) * len(problems) > len(problems):
        table = replace(problem_table(review.entries), title=title)
        items = [table if len(problems) >= len(methods) else table.transpose("method")]
        remarks = list(notes)
    lines = [Text(f"DISAGREEMENT on {item.problem}: {item.message}", _WRONG) for item in review.disagreements]
    questions = dict.fromkeys(line for item in review.disagreements for line in _ask_why(item, texts))
    lines += [Text(line) for line in (*questions, *remarks, *review.remarks)]
    return Group(*items, *lines, Text(agreement.describe_evidence(review.results)))


def _ask_why(item: agreement.Disagreement, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield the commands that say which lines of the models in a disagreement are wrong."""
    for result in item.wrong or item.results:
        if backends.find(result.backend) is not None:
            words = ["pegcp", "why", item.problem, "-m", texts.get(result.method, result.method)]
            yield f"Which line is wrong: {shlex.join(words)}"


def _result_columns(results: Sequence[Result], notes: dict[str, int]) -> Sequence[ResultColumn]:
    """Return the columns of a comparison; ``notes`` gets the texts below the table, with their numbers."""
    costs = any(r.objective not in (None, r.statistics.get("plan_cost", r.objective)) for r in results)
    several = len(set(map(_row_key, results))) < len(results)

    def verdict(runs: Sequence[Result]) -> Text:
        return _verdict(runs, "".join(dict.fromkeys(_note(run, notes) for run in runs)))

    return (
        (Column("problem", prose=16), lambda runs: runs[0].problem.name),
        (Column("method", prose=20), _method),
        (Column("runs", 1, right=True), lambda runs: figure(len(runs)) if several else ""),
        (Column("verdict", prose=12), verdict),
        (
            Column("evidence", 2, prose=15),
            lambda runs: ", ".join(dict.fromkeys(r.rests_on for r in runs if r.rests_on)),
        ),
        _medians("jumps", 4, lambda run: None if run.jumps is None else len(run.jumps)),
        _medians("moves", 6, lambda run: len(run.moves) if run.replay else None),
        _medians("objective", 3, lambda run: run.objective),
        _medians("bound", 3, lambda run: run.bound),
        *([_statistic("plan cost", "plan_cost", 6)] if costs else []),
        _statistic("start s", "start_seconds", 9, 2),
        _statistic("compile s", "compile_seconds", 8, 2),
        _statistic("build s", "build_seconds", 5, 2),
        _statistic("solve s", "solve_seconds", 1, 2),
        _statistic("certificate s", "certificate_seconds", 8, 2),
        _statistic("wall s", "wall_seconds", 6, 2),
        _statistic("MB", "peak_memory_mb", 7, 0),
    )


def _row_key(result: Result) -> Hashable:
    """Return the same for runs that share a row."""
    return result.problem.name, result.problem.fingerprint, result.method


def _verdict(runs: Sequence[Result], note: str) -> Text:
    """Return the verdict of the runs of a row, or how often there was which; in the colour of the worst."""
    times = Counter(run.verdict for run in runs)
    text = ", ".join(f"{number} {verdict}" for verdict, number in times.items()) if len(times) > 1 else runs[0].verdict
    if any(run.reason.sort == "fault" for run in runs):
        return Text(text + note, "bold red")
    return Text(text + note, _STYLES[next((run.status for run in runs if not run.answered), runs[0].status)])


def _method(runs: Sequence[Result]) -> str:
    """Return the method, and the one that it chose if it chooses one."""
    turn = runs[0].statistics.get("chosen")
    return f"{runs[0].method} ({turn})" if isinstance(turn, str) else runs[0].method


def _medians(name: str, rank: int, value: Callable[[Result], object], decimals: int | None = None) -> ResultColumn:
    """Return the column of a figure: its median over the runs of a row that have it."""

    def cell(runs: Sequence[Result]) -> str:
        values = [number for run in runs if isinstance(number := value(run), int | float)]
        return figure(median(values) if values else None, decimals)

    return Column(name, rank, right=True), cell


def _statistic(name: str, key: str, rank: int, decimals: int | None = None) -> ResultColumn:
    """Return the column of a figure among the statistics."""
    return _medians(name, rank, lambda run: run.statistics.get(key), decimals)


def _note(result: Result, notes: dict[str, int]) -> str:
    """Return the footnote mark of a result; empty if it has none."""
    remark = f"counted: {result.counted}" if result.counted else ""
    if result.message and not result.answered and result.reason not in _UNREMARKABLE:
        remark = f"{result.method}: {result.message}"
    return f" [{notes.setdefault(remark, len(notes) + 1)}]" if remark else ""


# Sizes of models ------------------------------------------------------------------------------------------------------

_SIZES = ("variables", "constraints", "literals")
_MEASURED = {  # the statistics in the table, and the ranks of their columns
    "horizon": 2,
    **dict.fromkeys(_SIZES, 1),
    **{f"{size}_presolved": 3 for size in _SIZES},
    **dict.fromkeys(("facts", "operators", "mutex_groups"), 1),
    "build_seconds": 4,
}


def sizes_table(results: Sequence[Result]) -> RenderableType:
    """Return the sizes as a table, and below it why a model could not be measured."""
    columns = (
        Column(name.replace("_seconds", " s").replace("_", " "), rank, right=True) for name, rank in _MEASURED.items()
    )
    rows = (
        (r.method, *(figure(r.statistics.get(name), 2 if name == "build_seconds" else None) for name in _MEASURED))
        for r in results
    )
    return Group(
        Table("", (Column("model"), *columns), tuple(rows)),
        *(Text(f"{r.method}: {r.message}") for r in results if r.message),
    )
