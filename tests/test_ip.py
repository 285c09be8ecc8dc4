"""Integer programs on every solver: verdicts, bounds, limits, exports."""

from __future__ import annotations

import pytest

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.catalogue.exporting import export
from pegcp.game import Problem
from pegcp.method import Limits, Reason, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result

SOLVERS = ("highs", "scip", "cp-sat-mathopt")
MODELS = ("ip1", "ip-state", "ip-parallel", "ip-rounds")
SMALL = {"XXo": "SOLVED", "XXoXXoX": "INFEASIBLE", "XXXXo": "INFEASIBLE", "XoXX": "SOLVED"}


def run(problem: Problem, method: str, seconds: float = 60) -> Result:
    chosen = choose(method)
    assert not chosen.method.refusal(problem)
    return judge_answer(problem, method, chosen.run(problem, Run(Limits(time=seconds))))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("model", MODELS)
def test_small_lines(model: str, solver: str) -> None:
    for text in SMALL:
        assert run(pegcp.problem(text), f"{model}:{solver}").status == SMALL[text], text


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["ip1:scip", "ip-state", "ip-parallel:highs", "ip-rounds"])
def test_lab_boards(method: str) -> None:
    for pegs, status in (("c2 e3 f3 b5 c5 d6", "SOLVED"), ("d4 d3", "SOLVED"), ("c1 c2 g4", "INFEASIBLE")):
        problem = pegcp.problem("english", start=pegs, goal="one peg")
        assert run(problem, method).status == status, pegs


@pytest.mark.parametrize("method", ["ip-state:scip", "ip-state:cp-sat-mathopt"])
def test_fools_solitaire(method: str) -> None:
    result = run(pegcp.problem("triangle15:b3!"), method)
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, 4, 4)


@pytest.mark.thorough
@pytest.mark.parametrize("solver", SOLVERS)
def test_time_limit_gives_the_bound(solver: str) -> None:
    result = run(pegcp.problem("english:c2!"), f"ip-state:{solver}", 0.3)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert result.bound is not None
    assert 0 <= result.bound <= 13


@pytest.mark.parametrize("model", MODELS)
def test_export(model: str) -> None:
    problem = pegcp.problem("XXoX")
    lp = export(problem, model, "lp")["model.lp"]
    mps = export(problem, model, "mps")["model.mps"]
    assert "Subject to" in lp
    assert "ROWS" in mps
    assert "_a1_b1_c1" in lp
    assert export(problem, model, "lp") == {"model.lp": lp}


@pytest.mark.parametrize("model", MODELS)
def test_the_exported_model_has_the_same_answer(model: str) -> None:
    from ortools.linear_solver.python import model_builder

    for text in ("XXo", "XXoXXoX"):
        problem = pegcp.problem(text)
        reader = model_builder.Model()  # type: ignore[no-untyped-call]
        method = f"{model}:horizon=3" if model in ("ip-parallel", "ip-rounds") else model
        assert reader.import_from_mps_string(export(problem, method, "mps")["model.mps"])
        solver = model_builder.Solver("scip")
        found = solver.solve(reader)
        expected = model_builder.SolveStatus.OPTIMAL if text == "XXo" else model_builder.SolveStatus.INFEASIBLE
        assert found == expected, (text, found)


def test_more_pegs_at_the_end() -> None:
    problem = pegcp.problem("english", start="d4 e4", goal="d4 e4 f4")
    for model in MODELS:
        assert run(problem, model).status is Status.INFEASIBLE


def test_one_peg_at_the_start() -> None:
    problem = pegcp.problem("english", start="d4", goal="one peg")
    for model in MODELS:
        assert run(problem, model).jumps == ()


@pytest.mark.slow
def test_english_centre() -> None:
    assert run(pegcp.problem("english"), "ip-parallel:scip", 280).status is Status.SOLVED


@pytest.mark.thorough
@pytest.mark.parametrize(
    "solver", ["highs", *(pytest.param(solver, marks=pytest.mark.slow) for solver in ("scip", "cp-sat-mathopt"))]
)
def test_rounds_on_the_english_board(solver: str) -> None:
    assert run(pegcp.problem("english:d3"), f"ip-rounds:{solver}", 100).status is Status.SOLVED


@pytest.mark.slow
@pytest.mark.parametrize("method", ["ip1:highs", "ip-state:scip", "ip-parallel:scip"])
@pytest.mark.parametrize("hole", ["a1", "a2", "a3", "b3"])
def test_triangle(method: str, hole: str) -> None:
    assert run(pegcp.problem(f"triangle15:{hole}->?"), method, 200).status is Status.SOLVED
