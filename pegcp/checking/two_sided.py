"""Bounds on moves by numpy: the checker's sets from both sides, made faster (:mod:`pegcp.states.chains`)."""

from pegcp.checking import checker
from pegcp.states.chains import MOST_HOLES, ChainSets, Ends


def meet(problem: checker.Problem, group: list[checker.Symmetry], regions: list[int], most: int) -> int | None:
    """Return the fewest chains of a solution, or None, as :func:`pegcp.checking.checker.meet` does."""
    if len(problem.holes) > MOST_HOLES:
        return checker.meet(problem, group, regions, most)
    return ChainSets(ends(problem, group, regions), most).meet()


def ends(problem: checker.Problem, group: list[checker.Symmetry], regions: list[int]) -> Ends:
    """Return the ends of a problem, whose goal is exact or one peg."""
    holes = len(problem.holes)
    goals = [1 << hole for hole in range(holes)] if problem.goal == "one peg" else [problem.pegs]
    return Ends(holes, problem.jumps, problem.start, goals, group, regions)
