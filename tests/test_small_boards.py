"""Boards on which there is little or nothing to play: no jumps, one hole, a start that is the goal."""

from __future__ import annotations

import pytest
from asking import answer

import pegcp
from pegcp.method import Reason, Run
from pegcp.states.graph import level_counts


@pytest.mark.parametrize("method", ["parallel", "parallel:early=on", "parallel:symmetry=off"])
def test_parallel_steps_where_no_step_is_possible(method: str) -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="a1 *")
    assert answer(problem, method).jumps == ()


HORIZONS = {
    "long-hop": False,
    "parallel": False,
    "parallel:early=on": True,
    "rounds": True,
    "ip1": False,
    "ip-state": False,
    "ip-parallel": True,
}


@pytest.mark.parametrize("method", HORIZONS)
def test_a_given_horizon_where_no_step_is_possible(method: str) -> None:
    """Steps may be empty (True), or each must have a jump."""
    problem = pegcp.problem("square2", start="a1 b1", goal="a1 *")
    result = answer(problem, f"{method}:horizon=2")
    assert result.reason is Reason.COMPLETED
    assert (result.jumps == ()) == HORIZONS[method]
    assert result.jumps == () or "horizon 2" in result.message


def test_the_certificate_without_jumps_says_so() -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="one peg")
    for method in ("bfs", "beam", "bidirectional", "budget", "dfs-plain", "moves"):
        assert answer(problem, method).certificate == {"kind": "dead-end"}


def test_the_levels_of_a_board_without_jumps() -> None:
    problem = pegcp.problem("square2", start="a1 b1", goal="one peg")
    assert [counts[:2] for counts in level_counts(problem, Run())] == [(1, 0)]
