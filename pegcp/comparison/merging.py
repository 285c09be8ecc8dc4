"""Keep runs apart that one row of a table must not mix: of other limits, versions and machines, and old definitions."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pegcp.comparison.agreement import group_by
from pegcp.errors import plural
from pegcp.method import Reason
from pegcp.results.result import Result
from pegcp.running.task import FILES, LIMITS

_UNITS = {"time_limit": "{} s", "memory_limit": "{} MB", "workers": "{} workers", "host": "on {}"}


def separate(results: Sequence[Result]) -> tuple[list[Result], list[str]]:
    """Return the results, with a name of its own for whatever must not share a row, and lines that say so.

    Of a method whose file or command has changed the runs of the newest definition alone stay. Where a method has runs
    of one problem with several limits or versions, or of one seed on several machines, these are in its name:
    ``dfs (10 s)``. Problems of one name get the beginning of their fingerprints.
    """
    results, lines = _current(results)
    names = group_by(results, lambda result: result.problem.name)
    several = {name for name, runs in names.items() if len({run.problem.fingerprint for run in runs}) > 1}
    labels: dict[int, str] = {}
    for method, runs in group_by(results, lambda result: result.method).items():
        if differing := _differing(runs):
            for run in runs:
                conditions = _conditions(run)
                about = ", ".join(_UNITS.get(key, f"{key} {{}}").format(conditions.get(key, "-")) for key in differing)
                labels[id(run)] = f"{method} ({re.sub('[()]', '', about)})"
            what = ", ".join(key.replace("_", " ") for key in differing)
            lines.append(f"Runs of {method} that differ in {what} are kept apart.")
    processors = sorted({str(result.provenance.get("processor", "")) for result in results} - {""})
    if len(processors) > 1:
        lines.append(f"Caution: seconds of different processors are compared: {', '.join(processors)}.")
    return [_named(result, labels.get(id(result)), result.problem.name in several) for result in results], lines


def arrange(results: Iterable[Result]) -> list[Result]:
    """Return results in an order that does not depend on when they were made: by problem, method and seed."""

    def place(result: Result) -> tuple[object, ...]:
        words = re.split(r"(\d+)", result.problem.name)  # numbers are at the odd places
        name = [(int(word), "") if at % 2 else (0, word) for at, word in enumerate(words)]
        return name, result.problem.fingerprint, result.method, int(result.parameters.get("seed", 0))

    return sorted(results, key=place)


def _current(results: Sequence[Result]) -> tuple[list[Result], list[str]]:
    """Return the results of the newest definition of each method, and lines about those left out."""
    lines, old = [], set[int]()
    for method, runs in group_by(results, lambda result: result.method).items():
        complete = [run for run in runs if run.parameters]  # others were lost, or never began
        newest = max(complete, key=lambda run: str(run.provenance.get("started", "")), default=None)
        older = [run for run in complete if newest is not None and _definition(run) != _definition(newest)]
        if older:
            what = plural(len(older), "run")
            lines.append(f"{what} of an older definition of {method} {'is' if len(older) == 1 else 'are'} left out.")
        installed = {_instance(run) for run in runs if run.reason is not Reason.MISSING}
        old |= {id(run) for run in runs if run.reason is Reason.MISSING and _instance(run) in installed}
        old |= set(map(id, older))
    return [result for result in results if id(result) not in old], lines


def _definition(result: Result) -> tuple[object, ...]:
    """Return what a method is, beside its written form: its options and files."""
    options = {key: value for key, value in result.parameters.items() if key not in LIMITS}
    return str(sorted(options.items())), *(result.versions.get(file) for file in FILES)


def _instance(result: Result) -> tuple[object, ...]:
    return result.problem.fingerprint, result.parameters.get("seed", 0)


def _conditions(result: Result) -> dict[str, object]:
    """Return what a run depends on beside its method and seed."""
    limits = {key: result.parameters[key] for key in LIMITS if key != "seed" and key in result.parameters}
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
    if label is None and problem is result.problem:
        return result
    return replace(result, method=label or result.method, problem=problem)
