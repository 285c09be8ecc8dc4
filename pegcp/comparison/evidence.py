"""Look for certificates of verdicts that methods only claim: once for each problem, with a limit of its own.

A certificate is evidence for the verdicts of all methods, as agreement is. It is no method's answer, and in no method's
time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from pegcp.catalogue.methods import choose
from pegcp.comparison.agreement import group_by, question
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Evidence, Limits, Status
from pegcp.result import Result
from pegcp.running.here import make_pool
from pegcp.running.run import run
from pegcp.running.task import Task

LONGEST = 10.0  # seconds for each problem
_SECONDS = "certificate_seconds"


def certified(results: Sequence[Result], jobs: int = 1) -> list[Result]:
    """Return the results, with a certificate those that claim INFEASIBLE without one, if there is one.

    ``certificate_seconds`` is the time that the search took. A run that was stopped mentions the certificate in its
    message; its verdict stays UNKNOWN. Problems that a method has solved have no certificate.
    """
    method, stop = choose("certificate"), threading.Event()
    problems = {
        key: replace(group[0].problem, objective=Objective.ANY)
        for key, group in group_by(results, lambda result: question(result.problem)).items()
        if _is_doubtful(group) and method.method.mismatch(replace(group[0].problem, objective=Objective.ANY)) is None
    }

    def search(problem: Problem) -> Result:
        return run(Task(problem, method, Limits(time=LONGEST)), stop=stop)

    with make_pool(jobs) as pool:
        try:
            searches = dict(zip(problems, pool.map(search, problems.values()), strict=True))
        except BaseException:  # such as Ctrl-C: the pool waits for what has begun
            stop.set()
            raise
    return [_with_certificate(result, searches.get(question(result.problem))) for result in results]


def _is_doubtful(group: Sequence[Result]) -> bool:
    """Tell whether a certificate would add to the results of a problem."""
    unsettled = any(r.evidence is Evidence.CLAIMED or r.reason.sort == "limit" for r in group)
    return unsettled and not any(
        r.jumps is not None or r.certificate is not None or _SECONDS in r.statistics for r in group
    )


def _with_certificate(result: Result, search: Result | None) -> Result:
    """Return a result with the certificate that a search found, and the time of the search."""
    if search is None:
        return result
    result = replace(result, statistics={**result.statistics, _SECONDS: search.statistics["wall_seconds"]})
    if search.certificate is None:
        return result
    if result.status is Status.INFEASIBLE:
        return replace(result, certificate=search.certificate, evidence=Evidence.CERTIFICATE)
    if result.reason.sort == "limit":
        return replace(result, message=f"{result.message}; a certificate shows that there is no solution")
    return result
