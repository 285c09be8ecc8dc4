"""Rounds in CPMpy on every solver that it is rewritten for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from parts import need

import pegcp
from pegcp.catalogue import choose
from pegcp.errors import InputError
from pegcp.exporting import export
from pegcp.game.problem import Problem
from pegcp.method import Limits, Reason, Run, Status
from pegcp.result import Result, checked

SOLVERS = ("cpmpy-ortools", "cpmpy-z3", "cpmpy-pysat")


def setup_module() -> None:
    need(*SOLVERS)


def answer(problem: Problem, method: str, seconds: float = 100) -> Result:
    return checked(problem, method, choose(method).run(problem, Run(Limits(time=seconds, workers=1))))


@pytest.mark.parametrize("solver", SOLVERS)
def test_verdicts_are_those_of_search(solver: str, random_problem: Callable[[int], Problem]) -> None:
    seen = []
    for seed in range(70):
        problem = random_problem(seed)
        small = len(problem.board.jumps) * (problem.jump_counts[-1] if problem.jump_counts else 0) < 250
        if small and choose("cpmpy-rounds").method.refusal(problem) is None:
            result = answer(problem, f"cpmpy-rounds:{solver}")
            assert result.status is answer(problem, "bfs").status, problem.text
            seen.append(result.status)
    assert {*seen} == {Status.SOLVED, Status.INFEASIBLE}


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_centre(solver: str) -> None:
    result = answer(pegcp.problem("english"), f"cpmpy-rounds:{solver}")
    assert result.status is Status.SOLVED
    assert result.statistics["refuted_horizons"] == [4, 5]


@pytest.mark.parametrize("solver", SOLVERS)
def test_time_limit(solver: str) -> None:
    began = time.monotonic()
    result = answer(pegcp.problem("wiegleb:e1"), f"cpmpy-rounds:{solver}:horizon=12", 3)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert time.monotonic() - began < 100


def test_highspy_is_not_loaded_beside_or_tools(tmp_path: Path) -> None:
    """Both in one process end it; here the other one only says that it was loaded."""
    (tmp_path / "highspy.py").write_text("import os\nos._exit(7)\n", encoding="utf-8")
    code = "import pegcp.backends.cpmpy as backend; backend.cpmpy.SolverLookup.solvernames()"
    path = os.pathsep.join([str(tmp_path), str(Path(pegcp.__file__).parent.parent)])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(("name", "solvable"), [("triangle15:a1->?", True), ("XXoXXoX", False)])
def test_the_exported_program_has_the_same_answer(name: str, solvable: bool) -> None:
    """Read by a few lines of our own, and solved by HiGHS."""
    import re

    from ortools.math_opt.python import mathopt

    text = export(pegcp.problem(name), "cpmpy-rounds:horizon=4")["model.opb"]
    model = mathopt.Model()
    x: dict[str, mathopt.Variable] = {}
    for line in text.splitlines():
        if not line.startswith("*"):
            terms, relation, bound = re.fullmatch(r"(.*?)(>=|=)\s*(-?\d+)\s*;", line).groups()  # type: ignore[union-attr]
            parts = []
            for weight, sign, name_ in re.findall(r"([+-]?\d+) (~?)(x\d+)", terms):
                variable = x.setdefault(name_, model.add_binary_variable())
                parts.append(int(weight) * (1 - variable if sign else variable))
            row = mathopt.fast_sum(parts)
            model.add_linear_constraint(row >= int(bound) if relation == ">=" else row == int(bound))
    assert len(x) > 10
    ended = mathopt.solve(model, mathopt.SolverType.HIGHS).termination.reason
    assert (ended is mathopt.TerminationReason.OPTIMAL) is solvable


def test_other_formats() -> None:
    with pytest.raises(InputError, match="opb"):
        export(pegcp.problem("XXo"), "cpmpy-rounds", "lp")
