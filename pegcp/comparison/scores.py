"""Compute statistics of a comparison that do not mistake time-outs for times, nor runs of other limits, versions and
machines, or of an old definition of a method, for repetitions of one run.

A run is *settled* when it answers the question in full: infeasible, optimal, or solved where any solution will do. An
instance is a problem with a seed. Runs of a method that refuses a problem or is not installed do not count.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log

from pegcp.comparison.agreement import Disagreement, find_disagreements, mark_refuted
from pegcp.comparison.groups import group_by
from pegcp.errors import InputError, plural, refuse_if, suggestion
from pegcp.formats.foreign import convert
from pegcp.game import Objective
from pegcp.method import Number, Reason, Status
from pegcp.results.result import Result
from pegcp.running.task import FILES, LIMIT_NAMES

SHIFT = 1.0  # seconds, of the shifted geometric mean
VIRTUAL_BEST = "virtual best"
_TIE_DIFFERENCE = 0.05  # relative difference below which nobody wins

_UNITS = {"time_limit": "{} s", "memory_limit": "{} MB", "workers": "{} workers", "host": "on {}"}

Instance = tuple[str, int]


@dataclass(frozen=True)
class Measure:
    """A cost of runs; less is better.

    ``name`` is for options, ``title`` for tables and axes; the cost is the sum of the statistics ``keys``. Differences
    under ``noise`` do not count; ``limited`` costs are bounded by the time limit.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    noise: float = 0.0
    limited: bool = False

    def read(self, result: Result) -> float | None:
        """Return the cost of a run; None where its method does not report it."""
        figures = [result.statistics.get(key) for key in self.keys]
        numbers = [float(figure) for figure in figures if isinstance(figure, int | float)]
        return sum(numbers) if numbers else None

    def cost(self, result: Result) -> float:
        """Return the cost of a settled run; infinite for others."""
        return (self.read(result) or 0.0) if settled(result) else inf


_NOISE_SECONDS = 0.01  # seconds
WALL = Measure("wall", "wall seconds", ("wall_seconds",), _NOISE_SECONDS, limited=True)
RUN = Measure("run", "build and solve seconds", ("build_seconds", "solve_seconds"), _NOISE_SECONDS, limited=True)
MEASURES = (
    RUN,
    Measure("solve", "solve seconds", ("solve_seconds",), _NOISE_SECONDS, limited=True),
    Measure("build", "build seconds", ("build_seconds",), _NOISE_SECONDS),
    Measure("cpu", "CPU seconds", ("cpu_seconds",), _NOISE_SECONDS),
    WALL,
    Measure("memory", "MB of memory", ("peak_memory_mb",), 1.0),
    Measure("nodes", "nodes", ("nodes",)),
    Measure("conflicts", "conflicts", ("conflicts",)),
    Measure("size", "literals or non-zeros", ("literals",)),
)


def measure(name: str) -> Measure:
    """Return the measure of that name. Raises InputError if there is none."""
    by_name = {measure.name: measure for measure in MEASURES}
    refuse_if(
        name not in by_name,
        f'there is no measure "{name}"{suggestion(name, by_name)}; there are {", ".join(by_name)}',
    )
    return by_name[name]


def measures(results: Sequence[Result]) -> list[Measure]:
    """Return the measures that settled runs report, the default one first.

    That is the time to build and to solve, if all report it; else wall time, in which the start of Python outweighs
    small problems.
    """
    runs = [result for result in results if settled(result)]
    in_use = [measure for measure in MEASURES if any(measure.read(run) is not None for run in runs)]
    if WALL in in_use and any(RUN.read(run) is None for run in runs):
        in_use.sort(key=lambda measure: measure is not WALL)
    return in_use or [WALL]


def settled(result: Result) -> bool:
    """Tell whether a run answers the question in full: a solution that may not be the best is enough where any will do,
    and for a count that came to its end."""
    if result.status is not Status.SOLVED:
        return result.answered
    objective = result.problem.objective
    return objective is Objective.ANY or (objective is Objective.COUNT and result.reason is Reason.COMPLETED)


def counts(result: Result) -> bool:
    """Tell whether a run counts for its method: the method accepts the problem and is installed."""
    return result.reason.sort not in ("refusal", "interruption")


def by_method(results: Iterable[Result], by: Measure = WALL) -> dict[str, dict[Instance, Result]]:
    """Return the runs that count, by method and instance. A settled run that does not report the measure does not count
    by it, and no run of a method that never does."""
    methods = {}
    for method, group in group_by(results, lambda result: result.method).items():
        runs = [run for run in group if counts(run) and not (settled(run) and by.read(run) is None)]
        is_reported = any(by.read(run) is not None for run in runs)
        methods[method] = {_instance(run): run for run in runs if is_reported}
    return methods


@dataclass(frozen=True)
class Score:
    """The score of a method: runs that count, how many it settled, how often it was the fastest.

    ``par2`` is the mean of seconds with twice the time limit for runs that are not settled; ``mean`` the shifted
    geometric mean of what it settled. None if empty, and PAR2 for a measure that the time limit does not limit.
    """

    method: str
    runs: int
    settled: int
    fastest: int
    par2: float | None
    mean: float | None
    timeouts: int
    failures: int


def shifted_geometric_mean(times: Sequence[float]) -> float | None:
    """``exp(mean(log(t + shift))) - shift``; None for no times."""
    return exp(sum(log(time + SHIFT) for time in times) / len(times)) - SHIFT if times else None


def scores(results: Iterable[Result], by: Measure = WALL) -> list[Score]:
    """Return a score for each method, best PAR2 first among equals in settled runs; the virtual best last.

    The virtual best takes the fastest run of each instance that all methods ran: of others it would be another set.
    """
    runs = by_method(results, by)
    best = {
        instance: min((own[instance] for own in runs.values() if instance in own), key=by.cost)
        for instance in dict.fromkeys(instance for own in runs.values() for instance in own)
    }
    rows = [_score(method, method_runs, best, by) for method, method_runs in runs.items()]
    rows.sort(key=lambda score: (-score.settled, score.par2 if score.par2 is not None else score.mean or inf))
    common = set.intersection(*[set(method_runs) for method_runs in runs.values() if method_runs] or [set()])
    return [
        *rows,
        _score(VIRTUAL_BEST, {instance: best[instance] for instance in best if instance in common}, best, by),
    ]


def _score(
    method: str,
    runs: Mapping[Instance, Result],
    best: Mapping[Instance, Result],
    by: Measure,
) -> Score:
    costs = {instance: by.cost(result) for instance, result in runs.items()}
    finite = [cost for cost in costs.values() if cost < inf]
    penalties = [
        cost if cost < inf else 2 * float(runs[instance].parameters.get("time_limit", 0))
        for instance, cost in costs.items()
    ]
    return Score(
        method,
        len(runs),
        len(finite),
        sum(cost < inf and cost <= by.cost(best[instance]) for instance, cost in costs.items()),
        sum(penalties) / len(penalties) if penalties and by.limited else None,
        shifted_geometric_mean(finite),
        sum(result.reason.sort == "limit" and not settled(result) for result in runs.values()),
        sum(result.reason.sort == "fault" for result in runs.values()),
    )


def winner(a: float, b: float, by: Measure) -> int:
    """Return 1 if the first is clearly less, -1 if the second is, 0 for a tie."""
    if a == b or abs(a - b) <= max(by.noise, _TIE_DIFFERENCE * min(a, b)):
        return 0
    return 1 if a < b else -1


def trace(result: Result) -> list[tuple[float, Number | None, Number | None]]:
    """Return the trace of a run: (seconds, objective, bound) each time one of them improved; empty if malformed."""
    try:
        return convert(result.statistics.get("trace"), list[tuple[float, Number | None, Number | None]], "trace")
    except InputError:
        return []


# What tables are made of ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Review:
    """The results of a comparison, ready for tables.

    ``results`` have names that keep apart what must not share a row; ``runs`` are those that were made, and
    ``entries`` the same with refuted answers as failures; ``remarks`` are lines about methods that were not run, and
    about runs that are kept apart or left out.
    """

    results: list[Result]
    runs: list[Result]
    entries: list[Result]
    disagreements: list[Disagreement]
    remarks: list[str]


def review(results: Sequence[Result]) -> Review:
    """Return what tables of some results are made of."""
    results, lines = separate(results)
    disagreements = find_disagreements(results)
    remarks = [
        f"Not run: {', '.join(dict.fromkeys(run.method for run in same))} ({message})"
        for (reason, message), same in group_by(results, lambda run: (run.reason, run.message)).items()
        if reason is Reason.MISSING
    ]
    runs = [
        run
        for run in results
        if run.reason is not Reason.MISSING and (run.reason is not Reason.INTERRUPTED or run.provenance)
    ]
    return Review(results, runs, mark_refuted(runs, disagreements), disagreements, [*remarks, *lines])


def separate(results: Sequence[Result]) -> tuple[list[Result], list[str]]:
    """Return the results, with a name of its own for whatever must not share a row, and lines that say so.

    Of a method whose file or command has changed the runs of the newest definition alone stay. Where a method has runs
    of one problem with several limits or versions, or of one seed on several machines, these are in its name:
    ``dfs (10 s)``. Problems of one name get the beginning of their fingerprints.
    """
    results, lines = _current(results)
    several = {
        name
        for name, runs in group_by(results, lambda result: result.problem.name).items()
        if len({run.problem.fingerprint for run in runs}) > 1
    }
    labels: dict[int, str] = {}
    for method, runs in group_by(results, lambda result: result.method).items():
        if differing := _differing(runs):
            for run in runs:
                conditions = _conditions(run)
                about = ", ".join(_UNITS.get(key, f"{key} {{}}").format(conditions.get(key, "-")) for key in differing)
                labels[id(run)] = f"{method} ({re.sub('[()]', '', about)})"
            lines.append(f"Runs of {method} that differ in {', '.join(differing).replace('_', ' ')} are kept apart.")
    processors = sorted({str(result.provenance.get("processor", "")) for result in results} - {""})
    if len(processors) > 1:
        lines.append(f"Caution: seconds of different processors are compared: {', '.join(processors)}.")
    return [_named(result, labels.get(id(result)), result.problem.name in several) for result in results], lines


def arrange(results: Iterable[Result]) -> list[Result]:
    """Return results in an order that does not depend on when they were made: by problem, method and seed."""

    def rank(result: Result) -> tuple[object, ...]:
        words = re.split(r"(\d+)", result.problem.name)  # every second one is a number
        name = [(int(word), "") if at % 2 else (0, word) for at, word in enumerate(words)]
        return name, result.problem.fingerprint, result.method, int(result.parameters.get("seed", 0))

    return sorted(results, key=rank)


def runs_by(methods: Sequence[str], runs: Sequence[Result]) -> list[Result]:
    """Return the runs of some methods, in the order of these. Raises InputError for one that has none."""
    by_name = group_by(runs, lambda run: run.method)
    for name in [name for name in methods if name not in by_name]:
        raise InputError(f'no run is by "{name}"{suggestion(name, by_name)}; methods: {", ".join(by_name)}')
    return [run for name in methods for run in by_name[name]]


def _current(results: Sequence[Result]) -> tuple[list[Result], list[str]]:
    """Return the results of the newest definition of each method, and lines about those left out."""
    lines, old = [], set[int]()
    for method, runs in group_by(results, lambda result: result.method).items():
        complete = [run for run in runs if run.parameters]  # others were lost, or never began
        newest = max(complete, key=lambda run: str(run.provenance.get("started", "")), default=None)
        older = [run for run in complete if newest is not None and _definition(run) != _definition(newest)]
        if older:
            are = "is" if len(older) == 1 else "are"
            lines.append(f"{plural(len(older), 'run')} of an older definition of {method} {are} left out.")
        instances = {_instance(run) for run in runs if run.reason is not Reason.MISSING}
        old |= {id(run) for run in runs if run.reason is Reason.MISSING and _instance(run) in instances}
        old |= set(map(id, older))
    return [result for result in results if id(result) not in old], lines


def _definition(result: Result) -> tuple[object, ...]:
    """Return what a method is, beside its written form: its options and files."""
    options = {key: value for key, value in result.parameters.items() if key not in LIMIT_NAMES}
    return str(sorted(options.items())), *(result.versions.get(file) for file in FILES)


def _instance(result: Result) -> Instance:
    return result.problem.fingerprint, int(result.parameters.get("seed", 0))


def _conditions(result: Result) -> dict[str, object]:
    """Return what a run depends on beside its method and seed."""
    limits = {key: result.parameters[key] for key in LIMIT_NAMES if key != "seed" and key in result.parameters}
    versions = {name: version for name, version in result.versions.items() if name not in FILES}
    return {
        **{key: f"{value:g}" if isinstance(value, float) else value for key, value in limits.items()},
        **({} if result.reason is Reason.MISSING else versions),
        **{key: value for key, value in result.provenance.items() if key == "host"},
    }


def _differing(runs: Sequence[Result]) -> list[str]:
    """Return the conditions in which runs of one method on a problem differ; machines count for runs of one seed."""
    conditions: Mapping[int, dict[str, object]] = {id(run): _conditions(run) for run in runs}
    keys = list(dict.fromkeys(key for values in conditions.values() for key in values))
    problems = group_by(runs, lambda run: run.problem.fingerprint).values()
    instances = group_by(runs, _instance).values()
    return [
        key
        for key in keys
        if any(
            len({str(conditions[id(run)][key]) for run in group if key in conditions[id(run)]}) > 1
            for group in (instances if key == "host" else problems)
        )
    ]


def _named(result: Result, label: str | None, several: bool) -> Result:
    problem = result.problem
    if several and not problem.name.endswith(mark := f" #{problem.fingerprint[:4]}"):
        problem = replace(problem, name=problem.name + mark)
    return replace(result, method=label or result.method, problem=problem)
