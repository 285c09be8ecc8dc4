"""Test cases of peg solitaire for engines of unified-planning: optima, unsolvable problems, valid and wrong plans."""

import json
from pathlib import Path

from unified_planning.io import PDDLReader
from unified_planning.test import TestCase

FOLDER = Path(__file__).parent


def get_test_cases():
    """Return the test cases by name."""
    cases = {}
    for about in json.loads((FOLDER / "cases.json").read_text(encoding="utf-8")):
        folder = FOLDER / about["name"]
        reader = PDDLReader()
        problem = reader.parse_problem(str(folder / "domain.pddl"), str(folder / "problem.pddl"))
        plans = {
            kind: [reader.parse_plan(problem, str(path)) for path in sorted(folder.glob(f"{kind}*.plan"))]
            for kind in ("valid", "invalid")
        }
        cases[about["name"]] = TestCase(
            problem=problem,
            solvable=about["solvable"],
            optimum=about["optimum"],
            valid_plans=plans["valid"],
            invalid_plans=plans["invalid"],
        )
    return cases
