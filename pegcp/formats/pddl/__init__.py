"""PDDL: problems written for any planner, problem files and plans read back. The domains are ``models/*.pddl``."""

from pegcp.formats.pddl.domains import GOALS, domain_for, export, unsupported
from pegcp.formats.pddl.plan import Plan, metric_value, read_plan, read_whole_plan, write_plan
from pegcp.formats.pddl.read import PlanningTask, are_files, is_domain, read_files, read_named, read_problem, read_task

__all__ = [
    "GOALS",
    "Plan",
    "PlanningTask",
    "are_files",
    "domain_for",
    "export",
    "is_domain",
    "metric_value",
    "read_files",
    "read_named",
    "read_plan",
    "read_problem",
    "read_task",
    "read_whole_plan",
    "unsupported",
    "write_plan",
]
