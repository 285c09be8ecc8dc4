"""Sizes of models before and after presolve, without a search; and the figures of a search."""

from __future__ import annotations

import contextlib
import tempfile
from typing import Any

import pytest
from asking import answer, typed
from parts import need

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.formats.files import models_folder
from pegcp.method import Limits, Run

SIZES = {"variables", "constraints", "literals"}
LOOKED = {
    "rounds:horizon=4": SIZES | {"variables_presolved", "constraints_presolved", "literals_presolved"},
    "moves": SIZES,
    "ip-rounds:highs:horizon=2": SIZES,
    "sat-rounds:horizon=4": SIZES,
    "asp-rounds:horizon=4": {"variables", "constraints", "variables_presolved", "constraints_presolved"},
    "smt-sweep:horizon=2": {"variables", "constraints"},
    "cpmpy-rounds:horizon=1": {"variables", "constraints"},
    "constraint-replay": {"variables", "constraints"},
}


def figures(problem: str, method: str) -> dict[str, Any]:
    """The statistics of the model of a problem."""
    need(choose(method).backend or "")
    return dict(choose(method).size_model(pegcp.problem(problem), Run(Limits(time=30))).statistics)


@pytest.mark.parametrize("method", LOOKED)
def test_what_each_tells(method: str) -> None:
    found = figures("triangle15:a1->?", method)
    assert LOOKED[method] <= found.keys()
    assert all(isinstance(found[key], int) and found[key] > 0 for key in SIZES & found.keys())


def test_the_task_of_a_planner() -> None:
    need("fast-downward")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = figures("triangle15:b3!", "fast-downward")
    assert found == {"variables": 34, "facts": 68, "operators": 91, "mutex_groups": 0}


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


def test_the_command() -> None:
    need("cp-sat", "cadical", "minizinc")
    both = typed("show", "XoXX", "-m", "sat-rounds,mzn-rounds")
    assert "constraints" in both
    assert "mzn-rounds: minizinc reports no sizes" in both
    assert "dfs is a search" in typed("show", "XoXX", "-m", "sat-rounds,dfs", status=2)
    assert "did you mean" in typed("show", "XoXX", "-m", "round", status=2)


@pytest.mark.parametrize("name", ["jumps.pddl", "last-peg.pddl"])
def test_a_domain_is_shown_by_the_name_of_its_file(name: str) -> None:
    assert typed("models", name) == (models_folder() / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("method", ["rounds", "ip-rounds", "sat-rounds", "smt-sweep", "cpmpy-rounds", "constraint"])
def test_results_have_the_sizes_of_the_model(method: str) -> None:
    need(choose(method).backend or "")
    statistics = answer(pegcp.problem("XoXXXX"), method).statistics
    assert statistics["variables"] > 0
    assert statistics["constraints"] > 0
