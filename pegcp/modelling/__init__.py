"""The names that a model file imports; they are kept stable.

This module has the nouns: boards, jumps, problems, goals, and the formulation that a model returns. Beside it are
``clauses`` (shared by the CP-SAT models), ``cnf``, ``rules`` and ``smt`` (the other languages) and
``ordering`` (orders of jumps, numbers of rounds).
"""

from pegcp.game import Board, DeadEnd, Exact, Goal, Jump, Nearest, Objective, OnePeg, Partial, Problem
from pegcp.modelling.formulation import ByJump, Formulation, Value, by_hole, by_round, by_step

__all__ = [
    "Board",
    "ByJump",
    "DeadEnd",
    "Exact",
    "Formulation",
    "Goal",
    "Jump",
    "Nearest",
    "Objective",
    "OnePeg",
    "Partial",
    "Problem",
    "Value",
    "by_hole",
    "by_round",
    "by_step",
]
