"""Rounds in CPMpy on every solver that it is rewritten for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from importlib.metadata import files
from pathlib import Path
from xml.etree import ElementTree

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.game import OnePeg, Position, Problem, graph_board
from pegcp.method import Reason, Status

SOLVERS = ("cpmpy-ortools", "cpmpy-z3", "cpmpy-pysat")


def setup_module() -> None:
    need(*SOLVERS)


@pytest.mark.long
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_triangle(solver: str) -> None:
    result = answer(pegcp.problem("triangle15:a1->?"), f"cpmpy-rounds:{solver}")
    assert (result.status, result.statistics["horizon"]) == (Status.SOLVED, 6)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "solver", [pytest.param(solver, marks=pytest.mark.slow) for solver in SOLVERS[1:]] + [SOLVERS[0]]
)
def test_time_limit(solver: str) -> None:
    began = time.monotonic()
    result = answer(pegcp.problem("wiegleb:e1"), f"cpmpy-rounds:{solver}:horizon=12", 0.3)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert time.monotonic() - began < 100


@pytest.mark.thorough
def test_highspy_is_not_loaded_beside_or_tools(tmp_path: Path) -> None:
    """Both in one process end it; here the other one only says that it was loaded."""
    (tmp_path / "highspy.py").write_text("import os\nos._exit(7)\n", encoding="utf-8")
    code = """import sys, pegcp
pegcp.export("XXo", "cpmpy-rounds:horizon=1")
from pegcp.catalogue.choice import choose
from pegcp.method import Run
assert choose("cpmpy-rounds").run(pegcp.problem("XoXX"), Run()).jumps
assert "highspy" not in sys.modules  # an import in the same process is the caller's own business
"""
    path = os.pathsep.join([str(tmp_path), str(Path(pegcp.__file__).parent.parent)])
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, check=False)
    assert done.returncode == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "solvable"), [("triangle10:a2->?", True), ("XXoXXoX", False)])
def test_the_exported_program_has_the_same_answer(name: str, solvable: bool) -> None:
    """Read by a few lines of our own, and solved by HiGHS."""
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


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "solvable"), [("triangle10:a2->?", True), pytest.param("XXoXXoX", False, marks=pytest.mark.slow)]
)
def test_the_exported_xcsp3_has_the_same_answer(tmp_path: Path, name: str, solvable: bool) -> None:
    """By ACE, a solver that reads nothing else; pycsp3 brings it. The solution is replayed."""
    need("pycsp3", "java")
    problem = pegcp.problem(name)
    formulation = pegcp.model(problem, "cpmpy-rounds:horizon=4")
    file = tmp_path / "model.xml"
    file.write_text(export(problem, "cpmpy-rounds:horizon=4", "xcsp3")["model.xml"], encoding="utf-8")
    ace = next(file.locate() for file in files("pycsp3") or () if file.match("ACE*.jar"))
    java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar"]  # which is quicker for a small problem
    said = subprocess.run([*java, str(ace), file], capture_output=True, text=True, check=True).stdout
    if not solvable:
        assert "s UNSATISFIABLE" in said
        return
    found = re.search(r"<list>(.*?)</list>\s*<values>(.*?)</values>", said, re.DOTALL)
    assert found is not None, said
    values = dict(zip(found[1].split(), map(int, found[2].split()), strict=True))
    jumps = formulation.jumps(lambda variable: values[variable.name])
    assert jumps is not None
    pegcp.check(problem, jumps)


def test_names_that_xcsp3_does_not_have() -> None:
    """The names of holes may hold dots, or begin with digits; the variables are then numbered."""
    board = graph_board(["a.b", "1", "c_d"], [("a.b", "1"), ("1", "c_d")])
    problem = Problem(board, Position(board, 3), OnePeg())
    root = ElementTree.fromstring(export(problem, "cpmpy-rounds:horizon=1", "xcsp3")["model.xml"])
    ids = [str(var.get("id")) for var in root.iter("var")]
    assert len({*ids}) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z]\w*", id_) for id_ in ids)


def test_other_formats() -> None:
    with pytest.raises(InputError, match="opb"):
        export(pegcp.problem("XXo"), "cpmpy-rounds", "lp")
