"""Accidents of methods: each is a row with its reason, within the limits, and nothing is left behind."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import becomes_true, one_run, processes_of_runs

from pegcp import compare, machine
from pegcp.comparison.scores import review
from pegcp.comparison.store import read_results
from pegcp.method import Reason, Status
from pegcp.report import write_report

ROGUE = Path(__file__).parent / "data" / "rogue"
TIME, ERROR, COMPLETED = Reason.TIME, Reason.ERROR, Reason.COMPLETED

# What the method does: its time limit, how the run ends, a word of the message. Those that pass their limits in other
# ways are in tests/test_running.py.
ACCIDENTS = {
    "crash": (20, ERROR, "SIGSEGV"),
    "loop": (0.3, TIME, ""),
    "fork": (0.3, TIME, ""),
    "shout": (20, ERROR, "exit status 5.*last words"),
    "flood-progress": (0.3, TIME, ""),
    "flood-progress-at-once": (20, ERROR, "too long"),
    "garble": (20, ERROR, "answer cannot be read"),
    "list-nonsense": (20, ERROR, "answer cannot be read: solutions"),
    "garble-progress": (20, ERROR, "progress cannot be read"),
    "exit": (20, ERROR, "exit status 3 .*farewell"),
    "hang-at-exit": (20, COMPLETED, "did hang-at-exit"),
    "raise-unprintable": (20, ERROR, "Unprintable"),
    "family": (20, COMPLETED, "did family"),
}
QUICK = ("crash", "fork", "garble", "exit", "hang-at-exit", "raise-unprintable")


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ROGUE))
    monkeypatch.setenv("ROGUE_PIDS", str(tmp_path / "pids"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    machine.plugins.cache_clear()
    yield
    machine.plugins.cache_clear()
    assert becomes_true(lambda: not processes_of_runs())
    assert not list(tmp_path.glob("pegcp-*"))


@pytest.mark.parametrize("does", [pytest.param(d, marks=() if d in QUICK else pytest.mark.thorough) for d in ACCIDENTS])
def test_an_accident_is_a_result_with_a_reason(does: str) -> None:
    seconds, reason, message = ACCIDENTS[does]
    result = one_run("XoXX", f"rogue:does={does}", time_limit=seconds, memory_limit=400)
    assert (result.status, result.reason) == (Status.UNKNOWN, reason), result.message
    assert re.search(message, result.message, re.DOTALL), result.message
    assert result.statistics["wall_seconds"] < seconds + 10  # far less where the machine has nothing else to do


@pytest.mark.long
def test_a_comparison_with_accidents_in_it_ends_resumes_and_is_reported(tmp_path: Path) -> None:
    accidents = [f"rogue:does={does}" for does in ("crash", "garble", "raise-unprintable")]
    chosen = ["dfs", "bfs", *accidents, "dfs:symmetry=off"]
    problems, out = ["XoXX", "XXXoXXoX"], tmp_path / "out.jsonl"
    results = compare(problems, chosen, time_limit=10, out=out)
    assert len(results) == 12
    assert sum(result.reason is Reason.ERROR for result in results) == 6
    assert all(result.answered for result in results if result.method not in accidents)
    kinds = set()
    again = compare(problems, chosen, time_limit=10, out=out, on_event=lambda event: kinds.add(event.kind))
    assert again == results
    assert kinds == {"kept"}
    found, warnings = read_results([out])
    assert len(found) == 12
    assert not warnings
    for suffix in (".html", ".csv", ".md", ".tex"):
        write_report(tmp_path / f"report{suffix}", review(found))


def test_what_a_method_leaves_in_its_folder_is_removed_with_it(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").touch()
    result = one_run("XoXX", "rogue:does=litter", time_limit=20)
    assert result.reason is COMPLETED
    assert os.listdir(precious) == ["file"]  # a link to it lay in the folder
