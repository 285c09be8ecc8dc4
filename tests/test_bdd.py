"""Symbolic reachability in decision diagrams: verdicts, counts, limits."""

from __future__ import annotations

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.method import Limits, Reason, Run, Status


def setup_module() -> None:
    need("oxidd")


@pytest.mark.parametrize(
    "name", ["triangle15:a1!", "triangle15:b3!", "square4:b2!", pytest.param("english:d4!", marks=pytest.mark.thorough)]
)
def test_the_first_dead_end_is_the_one_of_search(name: str) -> None:
    problem = pegcp.problem(name)
    result, found = answer(problem, "bdd"), answer(problem, "bfs")
    assert (result.status, result.objective, result.bound) == (Status.OPTIMAL, found.objective, found.bound)


@pytest.mark.thorough
def test_positions_after_each_jump_are_the_published_ones() -> None:
    """English, without symmetry: 1, 4, 12, 60, 296, 1,338 positions after 0 to 5 jumps (facts of the state graph)."""
    reports: list[int] = []
    run = Run(Limits(time=100), report=lambda news: reports.append(news.get("positions", 0)))
    choose("bdd").run(pegcp.problem("english:d4!"), run)
    assert [number for number in reports if number][:6] == [1, 4, 12, 60, 296, 1338]


def test_the_bound_of_a_stopped_run() -> None:
    result = answer(pegcp.problem("english:d4!", objective="fewest-jumps"), "bdd", 0)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)


def test_nothing_to_export() -> None:
    with pytest.raises(InputError, match="format"):
        export(pegcp.problem("triangle15"), "bdd")
