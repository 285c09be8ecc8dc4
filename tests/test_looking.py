"""What solvers make of models before they search: sizes, presolve, the root; and what they tell of a search."""

from __future__ import annotations

import contextlib
import tempfile
from typing import Any

import pytest
from asking import answer, typed
from parts import need

import pegcp
from pegcp.backends.sat import propagated
from pegcp.catalogue.methods import choose
from pegcp.comparison.model_sizes import with_roots
from pegcp.method import Limits, Run

SIZES = {"variables", "constraints", "literals"}
LOOKED = {
    "rounds:horizon=4": SIZES | {"variables_presolved", "constraints_presolved", "literals_presolved", "root_fixed"},
    "moves": SIZES | {"root_fixed"},
    "ip-rounds:highs:horizon=2": SIZES,
    "sat-rounds:horizon=4": SIZES | {"root_fixed"},
    "asp-rounds:horizon=4": {"variables", "constraints", "variables_presolved", "constraints_presolved"},
    "mzn-rounds:horizon=2": {"variables_presolved", "constraints_presolved"},
    "smt-sweep:horizon=2": {"variables", "constraints"},
    "cpmpy-rounds:horizon=1": {"variables", "constraints"},
    "constraint-replay": {"variables", "constraints"},
}


def figures(problem: str, method: str) -> dict[str, Any]:
    """What the solver of a method tells of a problem."""
    need(choose(method).backend or "")
    return dict(choose(method).look(pegcp.problem(problem), Run(Limits(time=30))).statistics)


@pytest.mark.parametrize("method", LOOKED)
def test_what_each_tells(method: str) -> None:
    found = figures("triangle15:a1->?", method)
    assert LOOKED[method] <= found.keys()
    assert all(isinstance(found[key], int) and found[key] > 0 for key in SIZES & found.keys())


def test_the_same_clauses_fix_the_same_variables() -> None:
    """CP-SAT's propagation and unit propagation, on `rounds` without rows, say the same."""
    one, other = figures("english", "rounds:horizon=6:pagoda=off"), figures("english", "sat-rounds:horizon=6")
    assert one["root_fixed"] == other["root_fixed"]


def test_the_task_of_a_planner() -> None:
    need("fast-downward")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = figures("triangle15:b3!", "fast-downward")
    assert found.pop("h_ff") >= 19
    sizes = {"variables": 34, "facts": 68, "operators": 91, "mutex_groups": 0}
    assert found == {**sizes, "h_blind": 1, "h_max": 2, "h_lmcut": 20, "h_landmarks": 19, "h_merged": 23}


def test_a_root_that_shows_that_there_is_no_solution() -> None:
    assert figures("XXXXX", "sat-rounds:horizon=1")["root"] == "infeasible"
    assert figures("english:d4!", "fools-counts:horizon=1")["root"] == "infeasible"


@pytest.mark.parametrize(
    ("clauses", "fixed"),
    [
        ([[1], [-1, 2], [-2, 3, 4]], {1, 2}),
        ([[1], [-1, 2], [-1, -2]], None),
        ([[1, 1], [-1, 2, 2]], {1, 2}),
        ([[1, -1], [2, 3]], set()),
        ([[]], None),
        ([], set()),
    ],
)
def test_unit_propagation(clauses: list[list[int]], fixed: set[int] | None) -> None:
    assert propagated(clauses, Run()) == fixed


def test_one_name_for_each_figure_of_a_search() -> None:
    told = {
        "moves": {"conflicts", "branches", "propagations", "restarts", "lp_iterations"},
        "sat-rounds": {"conflicts", "branches", "propagations", "restarts"},
        "asp-rounds": {"conflicts", "branches", "restarts"},
        "ip-rounds:highs": {"nodes", "lp_iterations"},
    }
    for method, names in told.items():
        need(choose(method).backend or "")
        statistics = answer(pegcp.problem("XoXXXX"), method).statistics
        assert names | {"variables", "constraints"} <= statistics.keys(), method
        assert all(type(statistics[name]) is int for name in names)


def test_a_comparison_by_what_is_open_at_the_root() -> None:
    """Of those that tell; a search has no model."""
    need("cp-sat", "cadical")
    rounds, clauses, search = with_roots(pegcp.compare("fig5", ["rounds", "sat-rounds", "dfs"]))
    assert rounds.statistics["root_open"] == 0 < clauses.statistics["root_open"]
    assert "root_open" not in search.statistics


def test_the_command() -> None:
    need("cp-sat", "cadical")
    assert "fixed at root" in typed("show", "XoXX", "-m", "sat-rounds")
    assert "dfs is a search" in typed("show", "XoXX", "-m", "sat-rounds,dfs", status=2)
    assert "did you mean" in typed("show", "XoXX", "-m", "round", status=2)
