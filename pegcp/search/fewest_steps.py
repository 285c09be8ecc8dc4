"""Fewest steps: breadth-first over steps, each a set of jumps that have no hole in common.

A position is entered once, with the fewest steps, for its whole class under the symmetries of the goal. From each all
sets of such jumps are tried, so this is for small boards and for few pegs. Complete on any board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.symmetry import canonical_form
from pegcp.method import Answer, Run, Status, stopped, watch

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-steps")

Step = tuple[Jump, ...]


def search(problem: Problem, run: Run) -> Answer:
    """A solution in the fewest parallel steps, or a proof by exhaustion that there is none."""
    measured = problem.objective is Objective.FEWEST_STEPS
    least = len(problem.start) - problem.jump_counts[-1]
    key, tick = canonical_form(problem.goal_symmetries()), watch(run)
    # How each position was first reached: from which one, by which step.
    reached: dict[int, tuple[int, Step]] = {problem.start.mask: (-1, ())}
    seen = {key(problem.start.mask)}
    here, steps = [problem.start.mask], 0

    def statistics() -> dict[str, int]:
        return {"nodes": len(reached), "steps": steps}

    try:
        while here:
            goal = next(filter(problem.is_goal, here), None)
            if goal is not None:
                status, bound = (Status.OPTIMAL, steps) if measured else (Status.SOLVED, None)
                return Answer(status, jumps=_path(reached, goal), bound=bound, statistics=statistics())
            after = []
            for position in here:
                tick()
                legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
                for step in _steps(legal, position.bit_count() - least):
                    found = position
                    for jump in step:
                        found ^= jump.mask
                    if key(found) not in seen:
                        seen.add(key(found))
                        reached[found] = position, step
                        after.append(found)
            here, steps = after, steps + 1
            run.report({**({"bound": steps} if measured else {}), **statistics()})
    except (TimeoutError, MemoryError) as error:
        return stopped(error, bound=steps + 1 if measured else None, statistics=statistics())
    return Answer(Status.INFEASIBLE, statistics=statistics())


def _steps(jumps: Sequence[Jump], most: int) -> Iterator[Step]:
    """The sets of one to ``most`` of these jumps that have no hole in common."""
    for i, jump in enumerate(jumps if most > 0 else ()):
        yield (jump,)
        for others in _steps([other for other in jumps[i + 1 :] if other.independent_of(jump)], most - 1):
            yield (jump, *others)


def _path(reached: dict[int, tuple[int, Step]], goal: int) -> tuple[Jump, ...]:
    jumps: Step = ()
    while goal != -1:
        goal, step = reached[goal]
        jumps = step + jumps
    return jumps
