"""The CP-SAT backend: a model that the solver does not accept."""

from __future__ import annotations

from pathlib import Path

import pytest

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.method import Reason, Run, Status

OVERFLOW = '''"""Variables whose sum does not fit into 64 bits."""
from ortools.sat.python.cp_model import CpModel
from pegcp.modelling.formulation import Formulation

BACKENDS = ("cp-sat",)
GOALS = ("one-peg",)
OBJECTIVES = ("any", "count")


def build(problem):
    model = CpModel()
    model.add(sum(4 * model.new_int_var(0, 2**61, name) for name in "abcd") == 8)
    return Formulation(model, lambda value: [], distinct="sequences")
'''


@pytest.mark.parametrize("objective", ["any", "count"])
def test_an_invalid_model_is_an_error_with_the_solvers_words(tmp_path: Path, objective: str) -> None:
    path = tmp_path / "overflow.py"
    path.write_text(OVERFLOW)
    answer = choose(str(path)).run(pegcp.problem("triangle10:a2->?", objective=objective), Run())
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.ERROR)
    assert "overflow" in answer.message
