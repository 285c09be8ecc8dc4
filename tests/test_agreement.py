"""Bounds are checked like answers: contradictions between methods, through every command that shows results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from processes import soon

import pegcp
from pegcp import library, machine
from pegcp.catalogue.choice import choose
from pegcp.cli.main import cli
from pegcp.comparison.agreement import find_disagreements
from pegcp.errors import InputError
from pegcp.game import Objective, Problem
from pegcp.method import Answer, Number, Reason, Run, Status
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result

ROGUE = Path(__file__).parent / "data" / "rogue"
CONTRADICTION = 4


@pytest.fixture(autouse=True)
def rogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ROGUE))
    machine.plugins.cache_clear()
    yield
    machine.plugins.cache_clear()


def typed(*arguments: str) -> tuple[int, str]:
    """The exit status and what is printed."""
    with CliRunner().isolation() as (out, _, _):
        status = cli.main(list(arguments), standalone_mode=False)
        return int(status or 0), out.getvalue().decode()


def compared(*methods: str, problem: str, out: Path | None = None, seconds: str = "60") -> tuple[int, str]:
    kept = () if out is None else ("--out", str(out))
    return typed("compare", problem, "--methods", ",".join(methods), "--time-limit", seconds, *kept)


@pytest.fixture
def fewest(tmp_path: Path) -> str:
    """A file of a problem whose shortest solution has 2 jumps."""
    path = tmp_path / "fewest.toml"
    path.write_text('board = "line4"\nstart = "a1 c1 d1"\ngoal = "one peg"\nobjective = "fewest-jumps"\n')
    return str(path)


@pytest.mark.parametrize(("does", "claims"), [("overbid", "bound 99"), ("deny", "claims that it is infeasible")])
def test_a_false_claim_ends_a_comparison_with_4(fewest: str, does: str, claims: str) -> None:
    status, shown = compared("bfs", f"rogue:does={does}", problem=fewest)
    assert status == CONTRADICTION
    assert "DISAGREEMENT" in shown
    assert claims in " ".join(shown.split())


@pytest.mark.thorough
def test_a_false_bound_that_was_reported_by_a_run_that_was_killed(fewest: str, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert compared("bfs", problem=fewest, out=file)[0] == 0
    compared("rogue:does=report", problem=fewest, out=file, seconds=f"{soon():.2f}")
    status, shown = typed("report", str(file))
    assert status == CONTRADICTION
    assert "claims the bound 3, bfs has a solution with 2" in " ".join(shown.split())


@pytest.mark.thorough
def test_a_false_bound_is_found_in_resumed_comparisons_and_in_reports(fewest: str, tmp_path: Path) -> None:
    first, second, page = tmp_path / "first.jsonl", tmp_path / "second.jsonl", tmp_path / "page.html"
    assert compared("bfs", problem=fewest, out=first)[0] == 0
    assert typed("report", str(first))[0] == 0
    for _ in range(2):  # the second time nothing is run
        assert compared("bfs", "rogue:does=overbid", problem=fewest, out=first)[0] == CONTRADICTION
    assert typed("report", str(first))[0] == CONTRADICTION
    compared("rogue:does=overbid", problem=fewest, out=second)
    assert typed("report", str(second))[0] != CONTRADICTION
    lines = first.read_text().splitlines()
    first.write_text("".join(f"{line}\n" for line in lines if '"bfs"' in line))
    status, shown = typed("report", str(first), str(second), "-o", str(page))
    assert status == CONTRADICTION
    assert "claims the bound 99" in shown
    assert "claims the bound 99" in page.read_text()


def test_a_line_whose_bound_was_raised_beyond_its_own_solution(fewest: str, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    compared("bfs", problem=fewest, out=file)
    data = json.loads(file.read_text())
    assert data["status"] == "OPTIMAL"
    file.write_text(json.dumps({**data, "bound": 7}) + "\n")
    with pytest.raises(InputError, match="no results"):
        typed("report", str(file))


def result(problem: Problem, method: str, answer: Answer) -> Result:
    found = judge_answer(problem, method, answer)
    assert found.status is answer.status, found.message
    return found


def claim(problem: Problem, bound: Number | None) -> Result:
    return result(problem, "claims", Answer(Status.UNKNOWN, Reason.TIME, bound=bound))


def solved(problem: Problem, method: str) -> Result:
    return result(problem, method, choose(method).run(problem, Run()))


def messages(results: Sequence[Result]) -> list[str]:
    return [found.message for found in find_disagreements(results)]


def test_a_solution_of_one_objective_refutes_bounds_and_denials_of_another() -> None:
    best = pegcp.problem("triangle10:a2->?", objective="fewest-moves")
    anything = replace(best, objective=Objective.ANY)
    found = solved(anything, "dfs")
    jumps, moves = len(found.jumps or ()), len(found.moves)
    assert messages([found, claim(best, moves)]) == []
    assert messages([found, claim(best, moves + 1)]) == [
        f"claims claims the bound {moves + 1}, dfs has a solution with {moves}"
    ]
    shortest = replace(best, objective=Objective.FEWEST_JUMPS)
    assert messages([claim(shortest, jumps + 0.5), found, claim(best, 1)]) == [
        f"claims claims the bound {jumps + 0.5}, dfs has a solution with {jumps}"
    ]
    denial = result(replace(best, objective=Objective.COUNT), "denies", Answer(Status.INFEASIBLE))
    assert messages([found, denial]) == ["denies claims that it is infeasible, dfs solved it"]
    assert messages([denial, claim(best, 99)]) == []  # of nothing anything is true
    other = pegcp.problem("triangle10:a1->?", objective="fewest-moves")
    assert messages([found, claim(other, 99)]) == []


def test_a_bound_of_another_objective_is_no_contradiction() -> None:
    """Every solution has at least as many jumps as moves."""
    best = pegcp.problem("triangle10:a2->?", objective="fewest-moves")
    shortest = replace(best, objective=Objective.FEWEST_JUMPS)
    few, many = solved(best, "fewest-moves"), solved(shortest, "bfs")
    assert (few.objective or 0) < (many.objective or 0)
    assert messages([few, many]) == []


def test_an_optimum_with_a_bound_below_it_is_no_optimum() -> None:
    problem = pegcp.problem("XoXX", objective="fewest-jumps")
    jumps = solved(problem, "bfs").jumps
    wrong = judge_answer(problem, "m", Answer(Status.OPTIMAL, jumps=jumps, bound=1))
    assert (wrong.status, wrong.reason) == (Status.UNKNOWN, Reason.INVALID_SOLUTION)
    assert judge_answer(problem, "m", Answer(Status.SOLVED, jumps=jumps, bound=1)).status is Status.SOLVED


def test_an_optimum_is_refuted_by_a_better_solution_without_a_bound() -> None:
    best = pegcp.problem("triangle10:a2->?", objective="fewest-moves")
    few, more = solved(best, "fewest-moves"), solved(replace(best, objective=Objective.ANY), "dfs")
    assert len(more.moves) > (few.objective or 0)
    boast = replace(more, problem=best, status=Status.OPTIMAL, objective=len(more.moves))
    assert "the optimum" in messages([few, boast])[0]
    assert messages([few, replace(boast, status=Status.SOLVED)]) == []  # it claims no optimum


def test_a_wrong_certificate_is_no_answer() -> None:
    wrong = judge_answer(pegcp.problem("oXX"), "m", Answer(Status.INFEASIBLE, certificate={"kind": "dead-end"}))
    assert (wrong.status, wrong.reason) == (Status.UNKNOWN, Reason.INVALID_SOLUTION)
    assert wrong.moves == []


@pytest.mark.parametrize(
    "about",
    [
        {"status": Status.SOLVED, "reason": Reason.COMPLETED},
        {"status": Status.SOLVED, "reason": Reason.COMPLETED, "jumps": ()},
        {"status": Status.UNKNOWN, "reason": Reason.TIME, "jumps": ()},
        {"status": Status.INFEASIBLE, "reason": Reason.INVALID_SOLUTION},
    ],
)
def test_results_that_cannot_be(about: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="result"):
        Result(problem=pegcp.problem("oXX"), method="m", **about)


def said(problem: Problem, status: Status, objective: Number | None = None, method: str = "a", **about: Any) -> Result:
    """A method's word, with the solution of XoXX where there must be one."""
    played = pegcp.check("XoXX", "d1-b1 a1-c1").moves if status.has_solution else None
    jumps = None if played is None else tuple(jump for move in played for jump in move)
    return judge_answer(problem, method, Answer(status, jumps=jumps, objective=objective, **about))


@pytest.mark.parametrize(
    ("text", "status", "answer", "word"),
    [
        ("XoXX", Status.SOLVED, False, "there is no solution"),
        ("XoXX", Status.SOLVED, True, ""),
        ("XoXX", Status.SOLVED, None, ""),
        ("XoX", Status.INFEASIBLE, True, "there is a solution"),
        ("XoX", Status.INFEASIBLE, 2, "there is a solution"),
        ("XoX", Status.INFEASIBLE, False, ""),
        ("XoXX", Status.OPTIMAL, 3, "the optimum 2: it is 3"),
        ("XoXX", Status.OPTIMAL, 2, ""),
        ("XoXX", Status.OPTIMAL, True, ""),
    ],
)
def test_an_answer_against_that_of_a_set(
    text: str, status: Status, answer: bool | int | None, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = library.Row("p", "line4", "", "", answer=answer)
    monkeypatch.setattr(library, "find_row", lambda _: known)
    objective = "fewest-jumps" if status is Status.OPTIMAL else "any"
    found = find_disagreements([said(pegcp.problem(text, objective=objective), status)])
    assert [word in item.message for item in found] == ([True] if word else [])


@pytest.mark.parametrize(("whole", "part", "wrong"), [(2, 3, True), (3, 3, False), (3, 2, False)])
def test_a_count_that_was_stopped_is_no_more_than_the_whole(whole: int, part: int, wrong: bool) -> None:
    problem = pegcp.problem("XoXX", objective="count")
    counts = said(problem, Status.OPTIMAL, whole, counted="jump sequences")
    stopped = said(problem, Status.SOLVED, part, "b", reason=Reason.TIME, counted="jump sequences")
    found = find_disagreements([counts, stopped])
    assert [item.message for item in found] == (
        [f"b has found {part} jump sequences, a counts {whole}"] if wrong else []
    )
    assert all(item.results == (stopped, counts) for item in found)
