"""Counting: what is counted is named, 0 is a count, and the start counts where it is the goal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from asking import answer, typed

import pegcp
from pegcp.comparison.agreement import find_disagreements
from pegcp.comparison.store import read_results
from pegcp.errors import InputError
from pegcp.game import Problem
from pegcp.game.equivalence import SEQUENCES
from pegcp.method import Answer, Reason, Status
from pegcp.results.judge import judge_answer
from pegcp.results.reading import read_result
from pegcp.results.result import Result

TRACES = "up to the order of independent jumps"


@pytest.mark.parametrize("method", ["count", "constraint", "moves:order=off", "rounds", "certificate"])
def test_a_count_of_0_is_a_count(method: str) -> None:
    impossible = pegcp.problem("XXXXX" if method != "certificate" else "english:c1->e5", objective="count")
    result = answer(impossible, method)
    assert (result.status, result.objective) == (Status.INFEASIBLE, 0)
    assert read_result(json.loads(json.dumps(result.to_json()))) == result


def test_a_count_of_0_through_the_command_line() -> None:
    data = json.loads(typed("solve", "XXXXX", "--objective", "count", "--json"))
    assert (data["status"], data["objective"], data["jumps"], data["counted"]) == ("INFEASIBLE", 0, None, None)


def test_lines_of_before_are_read_with_the_count_that_they_mean() -> None:
    result = answer(pegcp.problem("XXXXX", objective="count"), "count")
    data: dict[str, Any] = {**result.to_json(), "objective": None}
    del data["counted"]
    assert read_result(data) == result
    with pytest.raises(InputError, match="objective 5"):
        read_result({**data, "objective": 5})


def test_what_is_counted_is_shown() -> None:
    problem = pegcp.problem("XoXX", objective="count")
    assert f"count = 1 ({TRACES})" in str(answer(problem, "moves"))
    data = answer(problem, "count").to_json()
    assert (data["objective"], data["counted"]) == (1, SEQUENCES)


def count(
    problem: Problem, method: str, objective: int | None, counted: str, reason: Reason = Reason.COMPLETED
) -> Result:
    """A made-up count, on a problem that has a solution."""
    jumps = answer(problem, "count").jumps
    status = Status.OPTIMAL if reason is Reason.COMPLETED else Status.SOLVED
    return judge_answer(problem, method, Answer(status, reason, jumps, objective, counted=counted))


def test_only_equal_notions_are_compared(tmp_path: Path) -> None:
    problem = pegcp.problem("XoXX", objective="count")
    one, same, other = (
        count(problem, "a", 2, SEQUENCES),
        count(problem, "b", 2, SEQUENCES),
        count(problem, "c", 1, TRACES),
    )
    wrong, unnamed = count(problem, "d", 3, SEQUENCES), count(problem, "e", 7, "")
    assert not find_disagreements([one, same, other, unnamed])
    (found,) = find_disagreements([one, same, other, wrong, unnamed])
    assert found.message == f"a counts 2, b counts 2, d counts 3 {SEQUENCES}"
    assert set(map(id, found.results)) == {id(one), id(same), id(wrong)}
    refuted = judge_answer(problem, "r", Answer(Status.INFEASIBLE))
    assert len(find_disagreements([other, refuted])) == 1
    # Through result files too.
    file = tmp_path / "results.jsonl"
    file.write_text("".join(json.dumps(result.to_json()) + "\n" for result in (one, other, wrong)))
    results, warnings = read_results([file])
    assert not warnings
    assert len(find_disagreements(results)) == 1


def test_more_found_before_a_stop_than_there_are() -> None:
    problem = pegcp.problem("XoXX", objective="count")
    whole = count(problem, "whole", 2, SEQUENCES)
    fewer, more = (count(problem, "part", n, SEQUENCES, Reason.TIME) for n in (1, 3))
    assert not find_disagreements([whole, fewer])
    assert not find_disagreements([fewer, more])
    assert not find_disagreements([whole, count(problem, "part", 3, TRACES, Reason.TIME)])
    (found,) = find_disagreements([whole, more])
    assert found.message == f"part has found 3 {SEQUENCES}, whole counts 2"


@pytest.mark.parametrize("objective", [None, 0, -1, 1.5])
def test_counts_that_cannot_be(objective: float | None) -> None:
    problem = pegcp.problem("XoXX", objective="count")
    jumps = answer(problem, "count").jumps
    result = judge_answer(problem, "m", Answer(Status.OPTIMAL, jumps=jumps, objective=objective, counted=SEQUENCES))
    assert result.reason is Reason.INVALID_SOLUTION


def test_a_model_that_does_not_say_what_its_solutions_are_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "unsaid.py"
    text = (Path(__file__).parent.parent / "models" / "constraint_replay.py").read_text()
    path.write_text(text.replace(', distinct="jump sequences"', ""))
    result = answer(pegcp.problem("XoXX", objective="count"), str(path))
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.UNSUPPORTED)


def test_parameters_of_a_model_do_not_cut_a_count_short(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    text = (Path(__file__).parent.parent / "models" / "moves.py").read_text()
    path.write_text(text.replace("PARAMETERS = {", 'PARAMETERS = {\n    "enumerate_all_solutions": False,'))
    assert answer(pegcp.problem("triangle10:b4->?", objective="count"), str(path)).objective == 4
