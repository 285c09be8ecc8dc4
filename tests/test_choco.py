"""Rounds in Choco: verdicts, limits, exports."""

from __future__ import annotations

import time

import pytest
from asking import answer
from parts import need

import pegcp
from pegcp.catalogue.exporting import export
from pegcp.errors import InputError
from pegcp.library.generate import scattered
from pegcp.method import Reason, Status


def setup_module() -> None:
    need("choco")


@pytest.mark.long
def test_what_five_rounds_cannot_do_is_refuted() -> None:
    result = answer(pegcp.problem("english"), "choco-rounds:horizon=5")
    assert result.statistics["refuted_horizons"] == [5]
    assert answer(pegcp.problem("english:d3"), "choco-rounds").status is Status.SOLVED


def test_the_search_begins_at_the_end_that_is_one_position() -> None:
    """Begun at the other end, or with the solver's own choice, neither has an answer in half a minute."""
    assert answer(pegcp.problem("fig5"), "choco-rounds", 30).status is Status.INFEASIBLE
    assert answer(scattered(pegcp.board("english"), 11, 7), "choco-rounds", 30).status is Status.INFEASIBLE


@pytest.mark.thorough
def test_a_turn_that_was_stopped_says_nothing() -> None:
    """A solver that goes on after a limit would say at once that there is no solution."""
    began = time.monotonic()
    result = answer(pegcp.problem("wiegleb:e1"), "choco-rounds:horizon=12", 0.3)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert time.monotonic() - began < 100


def test_nothing_to_export() -> None:
    with pytest.raises(InputError, match="format"):
        export(pegcp.problem("english"), "choco-rounds")
