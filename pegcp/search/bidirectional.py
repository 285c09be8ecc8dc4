"""Bidirectional breadth-first search: levels forward from the start and backward from the goal, until they meet.

Both grow by the smaller frontier, and large ones lose the positions that pagoda functions exclude
(:mod:`pegcp.states.ends`). A goal of one peg anywhere starts backward from every single peg that the position
classes allow. Where a symmetry carries the complement of the start to the goal, one end is enough
(:func:`pegcp.states.frame.reversal`). Complete.

Only the frontiers are kept. How a solution leads to the position where they met, and on from there, is found by the
same search between fewer jumps (Korf, Zhang, Thayer and Hohwald, Frontier search, Journal of the ACM 52, 2005).
"""

from pegcp.game import Objective, Problem
from pegcp.method import Answer, Run, Status, stopped
from pegcp.states.ends import MeetingLevels
from pegcp.states.frame import group
from pegcp.states.levels import Level, Levels

ENGINE = "levels"
GOALS = ("exact", "one-peg")
OBJECTIVES = ("any", "fewest-jumps")


def search(problem: Problem, run: Run, *, symmetry: bool = True) -> Answer:
    """Find a solution, or that there is none. ``symmetry``: up to the symmetries of the goal."""
    levels = Levels(problem, run, group(problem, symmetry))
    ends = MeetingLevels(levels, keep=False)

    def statistics() -> dict[str, int]:
        return {"nodes": ends.nodes, "largest_level": ends.largest}

    try:
        start, last = ends.forwards[0], ends.backwards[0]
        middle = ends.meet()[:1]
        if not len(middle):
            return Answer(Status.INFEASIBLE, statistics=statistics())
        ends.forwards, ends.backwards = [], []  # for memory
        path = _between(ends, start, middle, ends.jumps)
        path += _between(ends, middle, last, problem.lengths[-1] - ends.jumps)[1:]
    except (TimeoutError, MemoryError) as error:
        return stopped(error, statistics=statistics())
    jumps = tuple(levels.lifted(path))
    shortest = problem.objective is Objective.FEWEST_JUMPS  # with these goals all solutions are equally long
    status, bound = (Status.OPTIMAL, len(jumps)) if shortest else (Status.SOLVED, None)
    return Answer(status, jumps=jumps, bound=bound, statistics=statistics())


def _between(ends: MeetingLevels, start: Level, last: Level, jumps: int) -> list[int]:
    """Return a path of ``jumps`` jumps from a position of one level to one of another. There must be one."""
    if not jumps:
        return [start.common(last).first]
    if jumps == 1:
        end = start.after().common(last)[:1]
        return [end.before().common(start).first, end.first]
    fore, back, half = start, last, jumps // 2
    for _ in range(half):
        fore = ends.tally(ends.ahead.next(fore))
    for _ in range(jumps - half):
        back = ends.tally(ends.behind.next(back))
    middle = fore.common(back)[:1]
    return _between(ends, start, middle, half) + _between(ends, middle, last, jumps - half)[1:]
