"""The evidence of verdicts: disagreements between results, answers that failed their check, verdicts that other
engines confirm, and certificates of what methods only claim.

The engine of a result is the program that did the reasoning, whatever the method that it worked for. A certificate is
looked for once for each problem, with a limit of its own: it is evidence for the verdicts of all methods, as agreement
is, but no method's answer, and in no method's time.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import PurePath

from pegcp import library
from pegcp.backends import inventory
from pegcp.backends.program import split_command
from pegcp.catalogue.choice import choose
from pegcp.catalogue.methods import method_of
from pegcp.comparison.groups import group_by
from pegcp.errors import InputError, plural
from pegcp.game import Objective, Problem
from pegcp.method import Evidence, Limits, Reason, Status
from pegcp.results.result import Result, failed
from pegcp.running.task import Task, method_name

SEARCH_SECONDS = 10.0  # seconds to look for a certificate of each problem
_ROUNDING_ERROR = 1e-6  # of bounds that solvers compute in floating point
_INTERPRETERS = ("python", "java", "sh", "bash", "env", "perl", "nice", "timeout", "apptainer", "singularity", "docker")
_CP_SAT = ("cp-sat", "cpsat", "ortools", "or-tools")


@dataclass(frozen=True)
class Disagreement:
    """Results that cannot all be right, or an answer that failed its check; ``wrong`` are those that may be wrong."""

    problem: str
    message: str
    results: tuple[Result, ...]
    wrong: tuple[Result, ...] = ()


def find_disagreements(results: Iterable[Result]) -> list[Disagreement]:
    """Return all disagreements of results, and every answer that failed its check.

    They are: solved against infeasible; a bound, or an optimum, above the value of a solution; different counts of the
    same thing; another answer than that of a set of problems. Solutions and refutations count for all problems that
    differ in the objective only.
    """
    results = list(results)
    disagreements = []
    for result in results:
        row = library.find_row(result.problem)
        own = f": {result.message}" if result.reason is Reason.INVALID_SOLUTION else ""
        wrong = () if row is not None and row.answer is False and result.jumps is not None else (result,)
        disagreements += [
            Disagreement(result.problem.name, result.method + fault, (result,), wrong)
            for fault in (_find_fault(result, row), own)
            if fault
        ]
    for group in group_by(results, lambda result: question(result.problem)).values():
        disagreements += _compare_group(group)
    return disagreements


def mark_refuted(results: Iterable[Result], disagreements: Iterable[Disagreement]) -> list[Result]:
    """Return the results, with those that others refute as wrong answers: they settle nothing."""
    faults = {id(result): item.message for item in disagreements for result in item.wrong}
    return [
        result
        if id(result) not in faults or result.reason is Reason.INVALID_SOLUTION
        else failed(
            result.problem,
            result.method,
            Reason.INVALID_SOLUTION,
            faults[id(result)],
            **{
                name: getattr(result, name)
                for name in ("statistics", "backend", "versions", "parameters", "provenance", "log")
            },
        )
        for result in results
    ]


def question(problem: Problem) -> str:
    """Return the fingerprint of a problem without its objective: all its objectives ask whether there is a solution."""
    return replace(problem, objective=Objective.ANY).fingerprint


def _find_fault(result: Result, row: library.Row | None) -> str:
    """Return how a result contradicts the answer of a set of problems; empty if it does not."""
    if row is None or row.answer is None:
        return ""
    optimum = row.answer if type(row.answer) is int else result.objective
    faults = {
        "claims that it is infeasible: there is a solution": (
            result.status is Status.INFEASIBLE and row.answer is not False
        ),
        "solved it: there is no solution": result.jumps is not None and row.answer is False,
        f"claims the optimum {result.objective}: it is {optimum}": (
            result.status is Status.OPTIMAL and result.objective != optimum
        ),
    }
    return next((f" {fault}, as its set of problems shows" for fault, is_so in faults.items() if is_so), "")


def _compare_group(group: Sequence[Result]) -> Iterator[Disagreement]:
    """Yield the disagreements of results on one start and goal."""
    solutions = [r for r in group if r.jumps is not None]
    deniers = [r for r in group if r.status is Status.INFEASIBLE]
    if solutions and deniers:
        verb = "claims" if len({r.method for r in deniers}) == 1 else "claim"
        text = f"{_names(deniers)} {verb} that it is infeasible, {_names(solutions)} solved it"
        yield Disagreement(group[0].problem.name, text, (*deniers, *solutions), tuple(deniers))
    for result in group:
        optimum = result.objective if result.status is Status.OPTIMAL else None
        claims = [(claim, name) for claim, name in ((result.bound, "bound"), (optimum, "optimum")) if claim is not None]
        values = [(value, r) for r in solutions if (value := result.problem.value(r.jumps or ())) is not None]
        claim, name = max(claims, default=(-inf, ""))
        best, other = min(values, key=lambda pair: pair[0], default=(inf, result))
        if claim > best + _ROUNDING_ERROR:
            text = f"{result.method} claims the {name} {claim}, {other.method} has a solution with {best}"
            yield Disagreement(result.problem.name, text, (result, other), (result,))
    for notion, counts in group_by((r for r in solutions if r.counted), lambda result: result.counted).items():
        yield from _compare_counts(notion, counts)


def _compare_counts(notion: str, counts: Sequence[Result]) -> Iterator[Disagreement]:
    """Yield counts of the same thing that cannot all be right; a run that was stopped may have missed some."""
    name = counts[0].problem.name
    complete = [r for r in counts if r.status is Status.OPTIMAL]
    if len({r.objective for r in complete}) > 1:
        text = ", ".join(dict.fromkeys(f"{r.method} counts {r.objective}" for r in complete))
        yield Disagreement(name, f"{text} {notion}", tuple(complete), tuple(complete))
    for part in counts:
        fewer = [r for r in complete if (r.objective or 0) < (part.objective or 0)]
        if part.status is Status.SOLVED and fewer:
            text = f"{part.method} has found {part.objective} {notion}, {fewer[0].method} counts {fewer[0].objective}"
            yield Disagreement(name, text, (part, fewer[0]), (part, fewer[0]))


def _names(results: Iterable[Result]) -> str:
    return " and ".join(sorted({result.method for result in results}))


# Verdicts that other engines confirm


def confirm_verdicts(results: Iterable[Result]) -> list[Result]:
    """Return the results; those that are only claimed as ``agreed`` where another engine claims the same.

    Other models, options and seeds do not make another engine (:func:`engine`). Results that
    contradict each other confirm nothing, nor do runs that were measured elsewhere.
    """
    results = list(results)
    doubtful = {id(result) for item in find_disagreements(results) for result in item.results}
    verdicts = group_by((result for result in results if id(result) not in doubtful), _verdict)
    engines = {id(result): engine(result) for verdict, same in verdicts.items() if verdict for result in same}

    def confirm(result: Result) -> Result:
        """Return a result with the best evidence of other engines for it, if it is only claimed."""
        if result.evidence is not Evidence.CLAIMED or id(result) not in engines:
            return result
        witnesses = (
            other
            for other in verdicts[_verdict(result)]
            if engines[id(other)] != engines[id(result)] and "elsewhere" not in other.provenance
        )
        best = min(witnesses, key=lambda other: [*Evidence].index(other.evidence or Evidence.CLAIMED), default=None)
        return result if best is None else replace(result, evidence=Evidence.AGREED, agrees_with=best.method)

    return [confirm(result) for result in results]


def _verdict(result: Result) -> Hashable:
    """Return the verdict of a result in a form in which two methods' can be compared; None if it is replayed."""
    match result.status:
        case Status.INFEASIBLE:
            return Status.INFEASIBLE, question(result.problem)
        case Status.OPTIMAL:
            return Status.OPTIMAL, result.problem.fingerprint, result.objective, result.counted
        case _:
            return None


def engine(result: Result) -> str:
    """Return the engine of a result, also of one from a file: only another engine gives a second opinion.

    That of ``auto`` is the engine of the method that it chose; models on one solver have one engine, whichever library
    hands them over; searches may share one; and a command has that of the program that it starts.
    """
    turn = result.statistics.get("chosen")
    name, backend = (turn, None) if isinstance(turn, str) else (method_name(result.method), result.backend)
    if backend is None:
        try:
            method = method_of(name)
        except InputError:  # it was a method of another machine
            return name
        backend = next(iter(method.backends), None)
        if backend is None:
            return method.engine or name
    info = inventory.info(backend)
    if info is not None and info.engine:
        return info.engine
    command = result.parameters.get("command")
    if isinstance(command, str) and command:
        return _program(command)
    return _one_name(str(result.parameters.get("minizinc.solver", "gecode"))) if backend == "minizinc" else backend


def _program(command: str) -> str:
    """Return the name of the program in a command: the first word that is no interpreter, option or number."""
    try:
        words = split_command(command)
    except InputError:
        return command
    if solver := re.search(r"minizinc .*--solver[ =](\S+)", command):
        return _one_name(solver[1])
    names = [PurePath(word).name for word in words if not word.startswith(("-", "{")) and "=" not in word]
    programs = [name for name in names if not (name.rstrip("0123456789.") in _INTERPRETERS or name[:1].isdigit())]
    return _one_name((programs or names or [command])[0])


def _one_name(program: str) -> str:
    """Return one name for programs and solvers that have several."""
    stem = program.lower().partition(".")[0] if "ortools" not in program else "cp-sat"
    return "cp-sat" if stem in _CP_SAT else stem


# Certificates of verdicts that are only claimed


def certificate_tasks(results: Sequence[Result], tasks: Iterable[Task]) -> dict[str, Task]:
    """Return the searches for certificates that would add to the results of ``tasks``, by question.

    Each has the memory of the runs. Problems that a method has solved have no certificate.
    """
    choice, searches = choose("certificate"), dict[str, Task]()
    doubtful = {
        key for key, group in group_by(results, lambda result: question(result.problem)).items() if _is_doubtful(group)
    }
    for task in tasks if doubtful else ():
        key, problem = question(task.problem), replace(task.problem, objective=Objective.ANY)
        if key in doubtful and key not in searches and not choice.method.refusal(problem):
            searches[key] = Task(problem, choice, Limits(SEARCH_SECONDS, task.limits.memory, 1))
    return searches


def with_certificates(results: Iterable[Result], searches: Mapping[str, Result]) -> Iterator[Result]:
    """Yield the results, with a certificate those that claim INFEASIBLE without one, if one was found.

    ``certificate_seconds`` is the time that the search took. A run that was stopped mentions the certificate in its
    message; its verdict stays UNKNOWN.
    """
    for result in results:
        if (search := searches.get(question(result.problem))) is not None:
            statistics = {**result.statistics, "certificate_seconds": search.statistics.get("wall_seconds")}
            result = replace(result, statistics=statistics)
            if search.certificate is not None and result.status is Status.INFEASIBLE:
                result = replace(result, certificate=search.certificate, evidence=Evidence.CERTIFICATE)
            elif search.certificate is not None and result.reason.sort == "limit":
                result = replace(result, message=f"{result.message}; a certificate shows that there is no solution")
        yield result


def _is_doubtful(group: Sequence[Result]) -> bool:
    """Tell whether a certificate would add to the results of a problem."""
    return any(r.evidence is Evidence.CLAIMED or r.reason.sort == "limit" for r in group) and not any(
        r.jumps is not None or r.certificate is not None or "certificate_seconds" in r.statistics for r in group
    )


def describe_evidence(results: Iterable[Result]) -> str:
    """Return a sentence about how many verdicts rest on the word of one engine only, and how many runs were
    interrupted."""
    results = list(results)
    verdicts = [result for result in results if result.answered]
    number, claims = len(verdicts), sum(result.evidence is Evidence.CLAIMED for result in verdicts)
    subject = "The only verdict is" if number == 1 else f"All {number:,} verdicts are"
    if 0 < claims < number:
        subject = f"{claims:,} of {number:,} verdicts {'is' if claims == 1 else 'are'}"
    how = "claimed by one engine only" if claims else "replayed, certified or confirmed by another engine"
    text = f"{subject} {how}." if number else "There is no verdict."
    if interruptions := sum(result.reason is Reason.INTERRUPTED for result in results):
        text += f" {plural(interruptions, 'run')} {'was' if interruptions == 1 else 'were'} interrupted."
    return text
