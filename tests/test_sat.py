"""Models in clauses on every SAT solver: options lose nothing, horizons from the bottom, limits, exports."""

from __future__ import annotations

import time

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.method import Reason, Status

SOLVERS = ("cadical", "glucose")
SLOW = pytest.mark.slow


def setup_module() -> None:
    need("cadical")


@pytest.mark.thorough
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("hole", "rounds"),
    [
        ("d3", 4),
        *(pytest.param(place, 5, marks=SLOW) for place in ("c1", "c2", "d2", "c3")),
        *(pytest.param(place, 6, marks=SLOW) for place in ("d1", "d4")),
    ],
)
def test_the_fewest_rounds(solver: str, hole: str, rounds: int) -> None:
    result = answer(pegcp.problem(f"english:{hole}"), f"sat-rounds:{solver}:bottom=on")
    assert result.status is Status.SOLVED
    assert result.statistics["horizon"] == rounds
    assert result.statistics["refuted_horizons"] == list(range(1, rounds))


@pytest.mark.thorough
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("name", "jumps"), [("english:d1!", 6), pytest.param("english:c1!", 9, marks=SLOW)])
def test_fools_solitaire(solver: str, name: str, jumps: int) -> None:
    result = answer(pegcp.problem(name), f"sat-fools:{solver}")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, jumps, jumps)


@pytest.mark.thorough
@pytest.mark.parametrize("solver", SOLVERS)
def test_time_limit_gives_the_bound(solver: str) -> None:
    began = time.monotonic()
    for seconds in (0.3, 10):  # a busy machine has not begun after less
        result = answer(pegcp.problem("english:c2!"), f"sat-fools:{solver}", seconds)
        if result.bound is not None and result.bound > 3:
            break
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert result.bound is not None
    assert 4 <= result.bound <= 13
    assert time.monotonic() - began < 60  # without a limit it takes minutes


@pytest.mark.thorough
def test_the_solver_goes_on_with_what_it_has_learned() -> None:
    """Each horizon by itself takes more conflicts than all of them one after the other."""
    problem = pegcp.problem("triangle15:a1!")
    together = answer(problem, "sat-fools").statistics["conflicts"]
    apart = [answer(problem, f"sat-fools:horizon={T}").statistics["conflicts"] for T in range(1, 7)]
    assert together < sum(apart)


@pytest.mark.parametrize("method", ["sat-rounds:horizon=4", "sat-parallel:horizon=8", "sat-moves"])
@pytest.mark.parametrize(("name", "solvable"), [("triangle15:a1->?", True), ("XXoXXoX", False)])
def test_the_exported_clauses_have_the_same_answer(method: str, name: str, solvable: bool) -> None:
    """Read by a few lines of our own and solved by a solver that is no backend."""
    from pysat.solvers import Solver

    lines = export(pegcp.problem(name), method)["model.cnf"].splitlines()
    comments = [line for line in lines if line.startswith("c ")]
    (header,) = (line.split() for line in lines if line.startswith("p cnf"))
    clauses = [[int(word) for word in line.split()] for line in lines if line[0] not in "cp"]
    assert len(comments) == int(header[2])
    assert len(clauses) == int(header[3])
    assert all(clause.pop() == 0 for clause in clauses)
    assert Solver("minisat22", bootstrap_with=clauses).solve() is solvable


def test_which_horizon_to_export() -> None:
    with pytest.raises(InputError, match="horizon=N"):
        export(pegcp.problem("triangle15:a1!"), "sat-fools")
    assert "dead_t04" in export(pegcp.problem("triangle15:b3!"), "sat-fools:horizon=4", "cnf")["model.cnf"]
