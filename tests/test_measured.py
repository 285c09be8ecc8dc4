"""Runs that were measured elsewhere: replayed or claimed, never trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

import pegcp
from pegcp.comparison.agreement import confirm_verdicts
from pegcp.method import Evidence, Reason, Status

TABLE = """problem,method,seconds,verdict,plan,seed
XoXX,popf,0.3,solved,d1-b1 a1-c1,0
XoXX,lazy,0.1,sat,,0
XXo,wrong,0.1,solved,b1-a1,0
XXXo,claims,0.2,unsat,,0
english:c1,lama,60,timeout,,3
"""


@pytest.fixture
def table(tmp_path: Path) -> pegcp.Comparison:
    (tmp_path / "runs.csv").write_text(TABLE)
    return pegcp.load(tmp_path / "runs.csv")


def test_solutions_are_replayed_and_verdicts_are_claims(table: pegcp.Comparison) -> None:
    solved, lazy, wrong, claims, stopped = table
    assert (solved.status, solved.evidence, solved.moves) == (Status.SOLVED, Evidence.REPLAYED, ["d1-b1", "a1-c1"])
    assert (lazy.status, lazy.message) == (Status.UNKNOWN, "sat is claimed, and there is no solution to replay")
    assert (wrong.status, wrong.reason) == (Status.UNKNOWN, Reason.INVALID_SOLUTION)
    assert (claims.status, claims.evidence) == (Status.INFEASIBLE, Evidence.CLAIMED)
    assert (stopped.reason, stopped.seconds, stopped.parameters["seed"]) == (Reason.TIME, 60, 3)


@pytest.mark.thorough
def test_what_others_claim_confirms_nothing(table: pegcp.Comparison) -> None:
    own = pegcp.solve("XXXo", "dfs")
    both = confirm_verdicts([*table, pegcp.read_result({**own.to_json(), "certificate": None})])
    assert both[-1].evidence is Evidence.CLAIMED
    assert both[3].agrees_with == "dfs"


def test_lines_of_json_stand_beside_results(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    pegcp.compare("XoXX", "dfs", out=out)
    with out.open("a") as file:
        file.write('{"problem": "XoXX", "method": "popf", "plan": "d1-b1 a1-c1", "seconds": 2}\n')
    assert [(result.method, result.verdict) for result in pegcp.load(out)] == [("dfs", "SOLVED"), ("popf", "SOLVED")]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("problem,method,colour\nXoXX,a,red\n", "columns problem, method, seconds"),
        ("problem,fingerprint,method\nXoXX,0,a\n", "this is a report: give the file of results"),
        ("problem,method,seconds\nXoXX,a,soon\n", "runs.csv:2"),
        ("problem,method,verdict\nXoXX,a,perhaps\n", "unknown verdict"),
        ("problem,method,seconds\nXoXX,a,nan\n", "runs.csv:2"),
        ("problem,method,seconds\nXoXX,a,-5\n", "runs.csv:2"),
        ("problem,method\nnosuch,a\n", "runs.csv:2.*unknown board"),
        ("problem,method\n-,a\n", "runs.csv:2.*named here"),
        ("problem,method\n/etc/passwd,a\n", "runs.csv:2.*named here"),
        (f"problem,method,plan\nXoXX,a,{'a' * 200_000}\n", "field larger"),
    ],
)
def test_a_table_at_fault_is_refused(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text(text)
    with pytest.raises(pegcp.InputError, match=fault):
        pegcp.load(tmp_path / "runs.csv")
