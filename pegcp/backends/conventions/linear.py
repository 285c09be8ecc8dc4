"""Solutions of integer programs: the files and words of CBC, GLPK, lp_solve, SCIP, HiGHS and Gurobi.

They have no convention in common; but each writes the name of a variable, and after it the value, with or without a
number before and a basis status between.
"""

from __future__ import annotations

import re

from pegcp.backends.conventions import Said, whole

_NO = re.compile(
    r"^(?:Integer infeasible|Infeasible) - objective value"  # CBC's file
    r"|^Status: +INTEGER EMPTY|PROBLEM HAS NO (?:INTEGER|PRIMAL) FEASIBLE SOLUTION"  # GLPK
    r"|^This problem is infeasible$"  # lp_solve
    r"|^solution status: infeasible$|^SCIP Status +: problem is solved \[infeasible\]"  # SCIP
    r"|^Model status +: Infeasible$|^Model status\nInfeasible$|^  Status +Infeasible$"  # HiGHS
    r"|^Model is infeasible$",  # Gurobi
    re.MULTILINE,
)
_YES = re.compile(
    r"\b(?:optimal|feasible)\b|^Actual values of the variables|^# Objective value", re.IGNORECASE | re.MULTILINE
)
_VALUE = re.compile(r"(?<!\S)([A-Za-z]\w*)\s+(?:(?:\*|NL|NU|B|NF|NS)\s+)?([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?!\S)")


def read(said: str, code: int) -> Said:  # noqa: ARG001 - it has no meaning here
    """The values, of which some leave out those that are 0; of constraints, too, which have names of their own."""
    if _NO.search(said):
        return False
    if not _YES.search(said):
        return None
    values: dict[str, int] = {}
    for variable, value in _VALUE.findall(said.partition("\nDual value")[0]):  # lp_solve's name variables again
        try:
            values[variable] = whole(value)
        except (ValueError, OverflowError):
            continue
    return values
