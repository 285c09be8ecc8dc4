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
    """Find a solution in the fewest parallel steps, or prove by exhaustion that there is none."""
    measured = problem.objective is Objective.FEWEST_STEPS
    least = len(problem.start) - problem.jump_counts[-1]
    key, tick = canonical_form(problem.goal_symmetries()), watch(run)
    # For each position the one from which it was first reached, and the step.
    reached: dict[int, tuple[int, Step]] = {problem.start.mask: (-1, ())}
    classes = {key(problem.start.mask)}
    level, steps = [problem.start.mask], 0

    def statistics() -> dict[str, int]:
        return {"nodes": len(reached), "steps": steps}

    try:
        while level:
            goal = next(filter(problem.is_goal, level), None)
            if goal is not None:
                status, bound = (Status.OPTIMAL, steps) if measured else (Status.SOLVED, None)
                return Answer(status, jumps=_path(reached, goal), bound=bound, statistics=statistics())
            before, level, steps = level, [], steps + 1
            for position in before:
                tick()
                legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
                for step in _steps(legal, position.bit_count() - least):
                    after = position ^ sum(jump.mask for jump in step)  # these jumps have no hole in common
                    if key(after) not in classes:
                        classes.add(key(after))
                        reached[after] = position, step
                        level.append(after)
            run.report({**({"bound": steps} if measured else {}), **statistics()})
    except (TimeoutError, MemoryError) as error:
        return stopped(error, bound=steps if measured else None, statistics=statistics())
    return Answer(Status.INFEASIBLE, statistics=statistics())


def _steps(jumps: Sequence[Jump], most: int) -> Iterator[Step]:
    """Yield the sets of one to ``most`` of these jumps that have no hole in common."""
    for i, jump in enumerate(jumps if most > 0 else ()):
        yield (jump,)
        for step in _steps([other for other in jumps[i + 1 :] if other.independent_of(jump)], most - 1):
            yield (jump, *step)


def _path(reached: dict[int, tuple[int, Step]], goal: int) -> tuple[Jump, ...]:
    jumps: Step = ()
    while goal != -1:
        goal, step = reached[goal]
        jumps = step + jumps
    return jumps
