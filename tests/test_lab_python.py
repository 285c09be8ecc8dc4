"""What the page "Models here" asks of pegcp, without a browser: the same functions, and a solver that is played."""

from __future__ import annotations

import asyncio
import json
import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pegcp

FOLDER = Path(__file__).parent.parent / "docs" / "lab"
sys.path.insert(0, str(FOLDER))  # as in the page
try:
    LAB = runpy.run_path(str(FOLDER / "lab.py"))
finally:
    sys.path.remove(str(FOLDER))


async def refuses(_files: Mapping[str, str], _seconds: float) -> tuple[str, int]:
    """A solver that finds no solution, whatever it is asked."""
    return "s UNSATISFIABLE", 20


def solve(text: str, method: str, edited: str | None = None, execute: Any = None) -> dict[str, Any]:
    """Solve and judge; the row of the table."""
    answer = asyncio.run(LAB["solve"](text, method, edited, 20.0, execute))
    (row,) = LAB["judge"](text, method, method, answer)
    assert isinstance(row, dict)
    return row


@pytest.fixture(autouse=True)
def _no_results() -> None:
    LAB["about"]("XoXX")


def test_a_search_is_replayed_and_its_jumps_are_numbers_of_holes() -> None:
    row = solve("XoXX", "dfs-plain")
    assert (row["verdict"], row["evidence"], len(row["jumps"]), row["moves"]) == (
        "SOLVED",
        "replayed",
        2,
        ["d1-b1", "a1-c1"],
    )


def test_a_program_that_refutes_every_horizon_settles_the_problem() -> None:
    row = solve("XXoXX", "sat-rounds", execute=refuses)
    assert (row["verdict"], row["evidence"]) == ("INFEASIBLE", "claimed")


def test_an_answer_with_a_jump_that_is_not_possible_is_refused() -> None:
    answer = json.loads(asyncio.run(LAB["solve"]("XoXX", "dfs-plain", None, 20.0, None)))
    answer["jumps"].reverse()
    (row,) = LAB["judge"]("XoXX", "row", "dfs-plain", json.dumps(answer))
    assert row["verdict"] == "UNKNOWN INVALID_SOLUTION"
    assert "jump 1" in row["message"]


def test_a_changed_model_is_the_one_that_is_compiled() -> None:
    shipped = LAB["source"]("asp-rounds")
    files = LAB["compiled"]("XoXX", "asp-rounds", shipped.replace("#show made/2.", "#show made/2. extra."))
    assert "extra." in "".join(files.values())


@pytest.mark.parametrize("method", LAB["MODELS"])
def test_every_model_of_the_page_has_a_source_and_files(method: str) -> None:
    assert len(LAB["source"](method)) > 200
    text = "line4:a1!" if "fools" in method else "XoXX"
    assert all(LAB["compiled"](text, method, None).values())


def test_a_click_on_a_hole_changes_the_start_alone() -> None:
    problem = pegcp.problem("english:c1->d4")
    changed = LAB["read"](LAB["with_pegs"]("english:c1->d4", [0, 1]))
    assert (changed.start.mask, changed.goal, changed.board) == (3, problem.goal, problem.board)


def test_a_certificate_is_drawn_where_it_has_a_picture() -> None:
    assert LAB["about"]("english:c1->e5")["picture"].startswith("<svg")
    assert LAB["about"]("english")["picture"] is None


def test_each_change_of_a_python_model_is_run() -> None:
    """A change, another one, and the file as it ships."""
    shipped = LAB["source"]("moves")
    wrong = 'raise ValueError("{}")\n\n\ndef build('
    for word in ("first", "second"):
        with pytest.raises(ValueError, match=word):
            asyncio.run(LAB["solve"]("XoXX", "moves", shipped.replace("def build(", wrong.format(word)), 20.0, None))
    assert solve("XoXX", "moves", shipped)["verdict"] == "SOLVED"
