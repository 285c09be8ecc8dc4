"""PDDL: problems written for any planner, problem files and plans read back. The domains are ``models/*.pddl``."""

from pegcp.formats.pddl.domains import GOALS, domain_for, unsupported
from pegcp.formats.pddl.plan import Plan, read_plan, read_whole_plan, write_plan
from pegcp.formats.pddl.read import read_problem
from pegcp.formats.pddl.write import Compiled, benchmark, compiled, export

__all__ = [
    "GOALS",
    "Compiled",
    "Plan",
    "benchmark",
    "compiled",
    "domain_for",
    "export",
    "read_plan",
    "read_problem",
    "read_whole_plan",
    "unsupported",
    "write_plan",
]
