"""A command line for the engines of unified-planning that have none of their own: ENGINE DOMAIN PROBLEM PLAN."""

from __future__ import annotations

import sys
from typing import Any


def main(engine: str, domain: str, problem: str, plan: str) -> int:
    """Solve two PDDL files by the engine of that name, and write the plan. The exit code is that of a planner."""
    from unified_planning.engines import PlanGenerationResultStatus as Found
    from unified_planning.io import PDDLReader, PDDLWriter
    from unified_planning.shortcuts import OneshotPlanner, get_environment

    get_environment().credits_stream = None
    task = PDDLReader().parse_problem(domain, problem)
    planner: Any
    with OneshotPlanner(name=engine) as planner:
        planner.skip_checks = True
        result = planner.solve(task)
    print(f"{engine}: {result.status.name}")
    for message in result.log_messages or []:
        print(message.message)
    if result.plan is not None:
        PDDLWriter(task).write_plan(result.plan, plan)
    return 1 if result.status in (Found.INTERNAL_ERROR, Found.UNSUPPORTED_PROBLEM) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
