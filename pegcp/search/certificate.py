"""No search at all: look for a certificate (count, class, pagoda function, cases) that there is no solution.

Here certificates are looked for in place of a method, too, and after one.
"""

import time
from dataclasses import replace

from pegcp.game import Problem
from pegcp.method import OUT_OF_TIME, Answer, Run, Status
from pegcp.theory import certificates

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-jumps", "fewest-moves", "fewest-steps", "fewest-pegs", "count")

_MOST_HOLES = 400  # holes up to which linear programs take less than a second
_LOADING_SECONDS = 0.5  # more than linear programs take to load, which searches do not begin with


def search(problem: Problem, run: Run) -> Answer:
    """Return INFEASIBLE with a certificate, or UNKNOWN: most solvable problems and many unsolvable ones have none."""
    certificate = certificates.find(problem, cases=True, seconds=run.remaining)
    if certificate is None:
        return Answer(Status.UNKNOWN, message="no certificate: the problem may have a solution")
    return Answer(Status.INFEASIBLE, certificate=certificate)


def certify(problem: Problem, seconds: float, *, cases: bool = False) -> Answer:
    """Return INFEASIBLE with a certificate, or UNKNOWN; ``certificate_seconds`` says how long it took.

    There are no linear programs on large boards, nor in less time than they take to load.
    """
    began = time.perf_counter()
    has_programs = len(problem.board.holes) <= _MOST_HOLES and seconds > _LOADING_SECONDS
    certificate = certificates.find(problem, cases=cases, seconds=seconds if has_programs else 0)
    answer = OUT_OF_TIME if certificate is None else Answer(Status.INFEASIBLE, certificate=certificate)
    return replace(answer, statistics={"certificate_seconds": time.perf_counter() - began})
