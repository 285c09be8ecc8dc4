"""To unified-planning and back: a task to change or to give to any of its engines, and the jumps of its plans."""

from __future__ import annotations

from typing import Any

from pegcp.errors import Missing
from pegcp.formats.pddl.plan import read_plan
from pegcp.formats.pddl.write import compiled
from pegcp.game.board import Jump
from pegcp.game.problem import Problem


def to_unified_planning(problem: Problem, domain: str | None = None) -> Any:
    """The problem as a ``unified_planning.model.Problem``. Raises InputError, and Missing without unified-planning.

    ``domain`` is the file in ``models/``: ``jumps``, ``last-peg``, ``fools`` or ``fewest-moves``.
    """
    pddl = compiled(problem, domain=domain)
    try:
        from unified_planning.io import PDDLReader
    except ImportError:
        raise Missing('this needs unified-planning; install it with: pip install "pegcp[planners]"') from None
    return PDDLReader().parse_problem_string(pddl.domain, pddl.problem)


def from_plan(problem: Problem, plan: Any) -> list[Jump]:
    """The jumps of a plan: one of unified-planning's sequential plans, or the text of a plan file.

    Raises InputError, naming the step, for what is no action of the problem. The jumps are not yet checked.
    """
    if isinstance(plan, str):
        return read_plan(problem, plan)
    steps = (f"({action.action.name} {' '.join(map(str, action.actual_parameters))})" for action in plan.actions)
    return read_plan(problem, "\n".join(steps))
