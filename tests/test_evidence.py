"""What verdicts rest on: solutions that were replayed, certificates, the word of two methods, or of one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import answer as asked
from click.testing import CliRunner
from rich.console import Console

import pegcp
from pegcp.cli.main import cli
from pegcp.comparison.agreement import confirm_verdicts, describe_evidence
from pegcp.comparison.experiment import make_tasks
from pegcp.comparison.schedule import run_all
from pegcp.comparison.scores import review
from pegcp.comparison.store import ResultFile, read_results
from pegcp.formats.solution import read_solution
from pegcp.game import Jump, Nearest, Objective, Position, Problem
from pegcp.method import Answer, Evidence, Reason, Status
from pegcp.report import summary, write_report
from pegcp.results.judge import judge_answer
from pegcp.results.reading import read_result
from pegcp.results.result import Result
from pegcp.running.task import Task
from pegcp.theory import certificates

NONE = Answer(Status.INFEASIBLE)
JUMPS = (Jump(2, 1, 0),)  # XXo backwards: oXX to Xoo


def made(answer: Answer, method: str = "dfs", problem: Problem | str = "oXX", backend: str | None = None) -> Result:
    where = pegcp.problem(problem) if isinstance(problem, str) else problem
    return judge_answer(where, method, answer, backend=backend)


@pytest.mark.parametrize(
    ("objective", "answer", "evidence"),
    [
        ("any", Answer(Status.SOLVED, jumps=JUMPS), Evidence.REPLAYED),
        ("any", NONE, Evidence.CLAIMED),
        ("any", Answer(Status.UNKNOWN, Reason.TIME), None),
        ("fewest-moves", Answer(Status.SOLVED, Reason.TIME, JUMPS), Evidence.REPLAYED),
        # Nobody can do with fewer moves than one, or with fewer jumps than pegs have to go.
        ("fewest-moves", Answer(Status.OPTIMAL, jumps=JUMPS), Evidence.REPLAYED),
        ("fewest-jumps", Answer(Status.OPTIMAL, jumps=JUMPS), Evidence.REPLAYED),
        ("count", Answer(Status.OPTIMAL, jumps=JUMPS, objective=1, counted="sequences"), Evidence.CLAIMED),
        ("count", Answer(Status.SOLVED, Reason.TIME, JUMPS, objective=1, counted="sequences"), Evidence.CLAIMED),
        ("count", NONE, Evidence.CLAIMED),
    ],
)
def test_a_verdict_rests_on_its_weakest_part(objective: str, answer: Answer, evidence: Evidence | None) -> None:
    result = made(answer, problem=pegcp.problem("oXX", objective=objective))
    assert result.evidence is evidence
    assert result.to_json()["evidence"] == evidence
    assert read_result(json.loads(json.dumps(result.to_json()))).evidence is evidence


def test_a_claim_without_a_search_for_a_certificate_says_how_to_search() -> None:
    result = made(NONE)
    assert "pegcp explain" in str(result)
    assert "no certificate" in str(replace(result, statistics={"certificate_seconds": 0.1}))


def test_an_optimum_without_a_checked_bound_is_claimed() -> None:
    problem = pegcp.problem("english:d4!")
    result = asked(problem, "bfs")
    assert result.status is Status.OPTIMAL
    assert result.evidence is Evidence.CLAIMED
    assert "claimed" in str(result)


def test_a_certificate_is_evidence() -> None:
    problem = pegcp.problem("english:c1->d4")
    found = certificates.find(problem)
    result = made(Answer(Status.INFEASIBLE, certificate=found), "certificate", problem)
    assert result.evidence is Evidence.CERTIFICATE
    other = confirm_verdicts([made(NONE, "dfs", problem), result])[0]
    assert (other.evidence, other.agrees_with, other.rests_on) == (
        Evidence.AGREED, "certificate", "agreed (certificate)",
    )  # fmt: skip


def test_a_comparison_looks_for_a_certificate_once_and_in_nobodys_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def run(task: Task, *_: object, **__: object) -> Result:
        name, method = task.problem.name, task.choice.text
        answer = (
            NONE if name != "XXoX" else Answer(Status.SOLVED, jumps=tuple(read_solution(task.problem, "a1-c1 d1-b1")))
        )
        if method == "certificate":
            looks.append(name)
            answer = Answer(Status.INFEASIBLE, certificate=certificates.find(task.problem))
        elif method == "bfs":
            answer = Answer(Status.UNKNOWN, Reason.TIME, message="stopped")
        about: dict[str, Any] = {
            "parameters": task.parameters,
            "versions": task.versions,
            "backend": task.choice.backend,
        }
        return judge_answer(task.problem, method, replace(answer, statistics={"wall_seconds": 2.5}), **about)

    monkeypatch.setattr("pegcp.running.road.run", run)
    todo = make_tasks(["XoX", "XXoX"], ["dfs", "bfs"])
    for _ in range(2):
        refuted, stopped, *solved = run_all(todo, out=tmp_path / "out")
        assert (refuted.evidence, refuted.statistics["certificate_seconds"]) == (Evidence.CERTIFICATE, 2.5)
        assert (stopped.status, stopped.certificate) == (Status.UNKNOWN, None)
        assert "certificate" in stopped.message
        assert all("certificate_seconds" not in result.statistics for result in solved)
        assert looks == ["XoX"]
    assert [r.evidence for r in read_results([tmp_path / "out"])[0]].count(Evidence.CERTIFICATE) == 1
    line = pegcp.board("line3")
    nearest = Problem(line, Position(line, 0b011), Nearest(0, (1, 1, 1)), Objective.NEAREST)
    (open_to,) = run_all(make_tasks([nearest], ["bfs"]))  # for which there are no certificates
    assert (open_to.status, looks) == (Status.UNKNOWN, ["XoX"])


def test_a_file_cannot_say_what_a_result_rests_on() -> None:
    data = made(NONE).to_json()
    for evidence in ("proof", "agreed", "certificate", 3):
        again = read_result(data | {"evidence": evidence, "agrees_with": "everybody"})
        assert (again.evidence, again.agrees_with) == (Evidence.CLAIMED, "")


def test_other_methods_confirm_a_claim_and_the_same_one_does_not() -> None:
    def evidence(*methods: tuple[str, str | None]) -> list[str]:
        return [
            result.rests_on
            for result in confirm_verdicts(made(NONE, name, backend=backend) for name, backend in methods)
        ]

    assert evidence(("dfs", None)) == ["claimed"]
    assert evidence(("dfs", None), ("dfs:symmetry=off", None)) == ["claimed", "claimed"]
    assert evidence(("dfs", None), ("moves", "cp-sat")) == ["agreed (moves)", "agreed (dfs)"]
    assert evidence(("ip1:highs", "highs"), ("ip1:scip", "scip")) == ["agreed (ip1:scip)", "agreed (ip1:highs)"]


@pytest.mark.parametrize(
    ("methods", "evidence"),
    [
        ([("dfs", None), ("auto", None)], "claimed"),  # which chose dfs
        ([("moves", "cp-sat"), ("rounds", "cp-sat")], "claimed"),
        ([("moves", "cp-sat"), ("cpmpy-rounds", "cpmpy-ortools"), ("ip1:cp-sat-mathopt", "cp-sat-mathopt")], "claimed"),
        ([("moves", "cp-sat"), ("/elsewhere/copy.py", "cp-sat")], "claimed"),
        ([("dfs-plain", None), ("dfs-double", None), ("dfs-chained", None), ("budget", None)], "claimed"),
        ([("fast-downward", "fast-downward"), ("fast-downward-opt", "fast-downward-opt")], "claimed"),
        ([("sat-rounds", "cadical"), ("smt-sweep:cvc5", "cvc5")], "claimed"),
        ([("cpmpy-rounds:cpmpy-z3", "cpmpy-z3"), ("smt-sweep:z3", "z3")], "claimed"),
        ([("sat-rounds", "cadical"), ("sat-moves:glucose", "glucose")], "agreed"),
        ([("auto", None), ("bfs", None)], "agreed"),
        ([("moves", "cp-sat"), ("dfs", None)], "agreed"),
    ],
)
def test_only_another_engine_confirms(methods: list[tuple[str, str | None]], evidence: str) -> None:
    results = [made(NONE, name, backend=backend) for name, backend in methods]
    results = [replace(r, statistics={"chosen": "dfs"}) if r.method == "auto" else r for r in results]
    again = [read_result(json.loads(json.dumps(result.to_json()))) for result in results]
    assert {result.evidence for result in confirm_verdicts(results)} == {Evidence(evidence)}
    assert {result.evidence for result in confirm_verdicts(again)} == {Evidence(evidence)}


@pytest.mark.parametrize(
    ("first", "second", "evidence"),
    [
        ("kissat --quiet {file}", "nice -n 5 /opt/bin/kissat {file}", "claimed"),
        ("python3 ./fast-downward.py --alias lama {domain}", "fast-downward {domain} {problem} {plan}", "claimed"),
        ("minizinc --solver org.ortools {file}", "ortools {file}", "claimed"),
        ("kissat {file}", "minisat {file}", "agreed"),
    ],
)
def test_programs_are_engines_whatever_their_options(first: str, second: str, evidence: str) -> None:
    results = [
        replace(made(NONE, f"m{number}", backend="command"), parameters={"command": command})
        for number, command in enumerate((first, second))
    ]
    assert {result.evidence for result in confirm_verdicts(results)} == {Evidence(evidence)}


@pytest.mark.parametrize("name", ["english:d4!", "triangle15:a1!"])
def test_auto_does_not_confirm_what_it_chose(name: str) -> None:
    """Both asked, and not only made up: the answer itself says what was chosen."""
    first = asked(pegcp.problem(name), "auto")
    results = [first, asked(pegcp.problem(name), first.statistics["chosen"])]
    assert [(result.verdict, result.rests_on) for result in confirm_verdicts(results)] == [("OPTIMAL", "claimed")] * 2


def test_contradictions_confirm_nothing() -> None:
    results = [made(NONE, "dfs"), made(NONE, "bfs"), made(Answer(Status.SOLVED, jumps=JUMPS), "moves")]
    assert [result.rests_on for result in confirm_verdicts(results)] == ["claimed", "claimed", "replayed"]


def test_different_counts_and_problems_confirm_nothing() -> None:
    problem = pegcp.problem("oXX", objective="count")
    answers = [
        Answer(Status.OPTIMAL, jumps=JUMPS, objective=1, counted=counted) for counted in ("sequences", "sets", "sets")
    ]
    results = [made(a, m, problem) for a, m in zip(answers, ("dfs", "moves", "count"), strict=True)]
    assert [result.rests_on for result in confirm_verdicts(results)] == ["claimed", "agreed (count)", "agreed (moves)"]
    elsewhere = [made(NONE, "dfs", "oXXo"), made(NONE, "bfs", "XXXoXXoX")]
    assert [result.rests_on for result in confirm_verdicts(elsewhere)] == ["claimed", "claimed"]


def test_the_claims_are_counted() -> None:
    one, other = made(NONE), made(Answer(Status.SOLVED, jumps=JUMPS))
    unknown = made(Answer(Status.UNKNOWN))
    assert describe_evidence([one, other, unknown]) == "1 of 2 verdicts is claimed by one engine only."
    assert describe_evidence([one, one, other]) == "2 of 3 verdicts are claimed by one engine only."
    assert describe_evidence([other]) == "The only verdict is replayed, certified or confirmed by another engine."
    assert describe_evidence([unknown]) == "There is no verdict."


def test_interrupted_runs_are_counted_beside_the_verdicts() -> None:
    found = made(Answer(Status.SOLVED, jumps=JUMPS))
    interrupted = made(Answer(Status.UNKNOWN, Reason.INTERRUPTED))
    assert describe_evidence([found, interrupted]).endswith("1 run was interrupted.")
    assert describe_evidence([interrupted, interrupted]).endswith("2 runs were interrupted.")


@pytest.mark.thorough
def test_tables_reports_and_json_show_the_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.comparison.schedule.certificate_tasks", lambda *_: {})
    invoke = CliRunner().invoke
    arguments = ["compare", "XXXoXXoX", "XXoX", "-m", "dfs,bfs", "--out", str(tmp_path / "out.jsonl")]
    done = invoke(cli, arguments, standalone_mode=False)
    assert "agreed (bfs)" in done.stdout
    assert "replayed" in done.stdout
    assert done.stdout.strip().splitlines()[-1].startswith("All 4 verdicts are")
    alone = invoke(cli, ["compare", "XXXoXXoX", "-m", "dfs"], standalone_mode=False)
    assert alone.stdout.strip().splitlines()[-1] == "The only verdict is claimed by one engine only."
    as_json = json.loads(invoke(cli, [*arguments, "--json"], standalone_mode=False).stdout)
    assert [(one["evidence"], one["agrees_with"]) for one in as_json[:2]] == [("agreed", "bfs"), ("agreed", "dfs")]
    found = confirm_verdicts(read_results([tmp_path / "out.jsonl"])[0])
    console = Console()
    with console.capture() as shown:
        console.print(summary(review(found)))
    assert shown.get().endswith("by another engine.\n")
    for suffix in (".md", ".tex"):
        write_report(tmp_path / f"report{suffix}", review(found))
        assert "All 4 verdicts are" in (tmp_path / f"report{suffix}").read_text("utf-8")
    for suffix in (".html", ".csv"):
        write_report(tmp_path / f"report{suffix}", review(found))
        text = (tmp_path / f"report{suffix}").read_text("utf-8")
        assert "agreed" in text
        assert "bfs" in text
    reported = invoke(cli, ["report", str(tmp_path / "out.jsonl")], standalone_mode=False)
    assert "All 4 verdicts are" in reported.stdout
    solved = invoke(cli, ["solve", "triangle10:a2!", "-m", "bfs"], standalone_mode=False)
    assert "claimed" in solved.stdout


def test_results_in_a_file_keep_to_themselves(tmp_path: Path) -> None:
    with ResultFile(tmp_path / "out") as file:
        for method in ("dfs", "bfs"):
            (task,) = make_tasks(["XXXoXXoX"], [method])
            file.append(task, made(NONE, method))
    lines = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [line["evidence"] for line in lines] == ["claimed", "claimed"]
