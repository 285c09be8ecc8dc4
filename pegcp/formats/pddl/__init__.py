"""PDDL: problems written for any planner, problem files and plans read back. The domains are ``models/*.pddl``."""

from pegcp.formats.pddl.plan import read_plan
from pegcp.formats.pddl.read import read_problem
from pegcp.formats.pddl.write import ENCODINGS, GOALS, Compiled, benchmark, compiled, export, model_file, unsupported

__all__ = [
    "ENCODINGS",
    "GOALS",
    "Compiled",
    "benchmark",
    "compiled",
    "export",
    "model_file",
    "read_plan",
    "read_problem",
    "unsupported",
]
