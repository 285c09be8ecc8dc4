"""Certificates of verdicts that methods only claim: looked for once for each problem, with a limit of their own.

A certificate is evidence for the verdicts of all methods, as agreement is. It is no method's answer, and in no method's
time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pegcp.catalogue.methods import choose
from pegcp.comparison.agreement import group_by, question
from pegcp.game import Objective
from pegcp.method import Evidence, Limits, Status
from pegcp.results.result import Result
from pegcp.running.task import Task

SEARCH_SECONDS = 10.0  # seconds for each problem
_SECONDS = "certificate_seconds"


def certificate_tasks(results: Sequence[Result], tasks: Iterable[Task]) -> dict[str, Task]:
    """Return the searches for certificates that would add to the results of ``tasks``, by question.

    Each has the memory of the runs. Problems that a method has solved have no certificate.
    """
    method, searches = choose("certificate"), dict[str, Task]()
    groups = group_by(results, lambda result: question(result.problem))
    doubtful = {key for key, group in groups.items() if _is_doubtful(group)}
    for task in tasks if doubtful else ():
        key, problem = question(task.problem), replace(task.problem, objective=Objective.ANY)
        if key in doubtful and key not in searches and method.method.mismatch(problem) is None:
            searches[key] = Task(problem, method, Limits(SEARCH_SECONDS, task.limits.memory, 1))
    return searches


def with_certificates(results: Iterable[Result], searches: Mapping[str, Result]) -> Iterator[Result]:
    """Yield the results, with a certificate those that claim INFEASIBLE without one, if one was found.

    ``certificate_seconds`` is the time that the search took. A run that was stopped mentions the certificate in its
    message; its verdict stays UNKNOWN.
    """
    for result in results:
        if search := searches.get(question(result.problem)):
            seconds = {_SECONDS: search.statistics.get("wall_seconds")}
            result = replace(result, statistics={**result.statistics, **seconds})
            if search.certificate is not None and result.status is Status.INFEASIBLE:
                result = replace(result, certificate=search.certificate, evidence=Evidence.CERTIFICATE)
            elif search.certificate is not None and result.reason.sort == "limit":
                message = f"{result.message}; a certificate shows that there is no solution"
                result = replace(result, message=message)
        yield result


def _is_doubtful(group: Sequence[Result]) -> bool:
    """Tell whether a certificate would add to the results of a problem."""
    unsettled = any(r.evidence is Evidence.CLAIMED or r.reason.sort == "limit" for r in group)
    return unsettled and not any(
        r.jumps is not None or r.certificate is not None or _SECONDS in r.statistics for r in group
    )
