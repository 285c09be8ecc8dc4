"""No search at all: look for a certificate (count, class, pagoda function, cases) that there is no solution."""

from pegcp.game import Problem
from pegcp.method import Answer, Run, Status
from pegcp.theory.certificates import find

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-jumps", "fewest-moves", "fewest-steps", "fewest-pegs", "count")


def search(problem: Problem, run: Run) -> Answer:
    """Return INFEASIBLE with a certificate, or UNKNOWN: most solvable problems and many unsolvable ones have none."""
    certificate = find(problem, cases=True, seconds=run.remaining)
    if certificate is None:
        return Answer(Status.UNKNOWN, message="no certificate: the problem may have a solution")
    return Answer(Status.INFEASIBLE, certificate=certificate)
