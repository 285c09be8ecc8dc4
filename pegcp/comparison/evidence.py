"""Looks for certificates of verdicts that methods only claim: once for each problem, with a limit of its own.

What is found is evidence for the verdicts of all methods, as agreement is. It is nobody's answer, and in nobody's time.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from pegcp.catalogue.methods import choose
from pegcp.comparison.agreement import question
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.method import Evidence, Limits, Status
from pegcp.result import Result
from pegcp.running.in_process import make_pool
from pegcp.running.run import run
from pegcp.running.task import Task

LONGEST = 10.0  # seconds for each problem
_SECONDS = "certificate_seconds"


def certified(results: Sequence[Result], jobs: int = 1) -> list[Result]:
    """The results. Those that say INFEASIBLE on a method's word alone have a certificate, if there is one.

    ``certificate_seconds`` tells how long it took to look. Runs that were stopped are told of the certificate in their
    message; what they say stays UNKNOWN. Problems that a method has solved have no certificate, and nobody looks.
    """
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(question(result.problem), []).append(result)
    asked = {key: replace(of[0].problem, objective=Objective.ANY) for key, of in groups.items() if _doubtful(of)}
    method, stop = choose("certificate"), threading.Event()
    wanted = {key: problem for key, problem in asked.items() if method.method.mismatch(problem) is None}

    def look(problem: Problem) -> Result:
        return run(Task(problem, method, Limits(time=LONGEST)), stop=stop)

    with make_pool(jobs) as pool:
        try:
            looks = dict(zip(wanted, pool.map(look, wanted.values()), strict=True))
        except BaseException:  # such as Ctrl-C: the pool waits for what has been begun
            stop.set()
            raise
    return [_with(result, looks.get(question(result.problem))) for result in results]


def _doubtful(group: Sequence[Result]) -> bool:
    """Whether a certificate would say more about a problem than the results do."""
    open_to = [r for r in group if r.evidence is Evidence.CLAIMED or r.reason.sort == "limit"]
    settled = any(r.jumps is not None or r.certificate is not None or _SECONDS in r.statistics for r in group)
    return bool(open_to) and not settled


def _with(result: Result, look: Result | None) -> Result:
    """A result with what the look for a certificate found."""
    if look is None:
        return result
    result = replace(result, statistics={**result.statistics, _SECONDS: look.statistics["wall_seconds"]})
    if look.certificate is None:
        return result
    if result.status is Status.INFEASIBLE:
        return replace(result, certificate=look.certificate, evidence=Evidence.CERTIFICATE)
    if result.reason.sort == "limit":
        return replace(result, message=f"{result.message}; a certificate shows that there is no solution")
    return result
