"""Results of several files and times: what shares a row, what is kept apart, and what is left out."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import said
from click.testing import CliRunner

import pegcp
from pegcp.cli.main import cli
from pegcp.comparison import store
from pegcp.comparison.experiment import make_tasks
from pegcp.comparison.schedule import Interrupted, RunEvent, run_all
from pegcp.comparison.scores import arrange, review, scores, separate
from pegcp.comparison.store import ResultFile, read_results
from pegcp.errors import PegcpError
from pegcp.formats.solution import read_solution
from pegcp.method import Answer, Reason, Status
from pegcp.report import as_text
from pegcp.report.files import latex
from pegcp.report.tables import cell, problem_table, results_table, score_table
from pegcp.results.judge import judge_answer
from pegcp.results.reading import read_result
from pegcp.results.result import Result, failed
from pegcp.running import road
from pegcp.running import task as running_task
from pegcp.running.task import Task

TABLE = pegcp.problem("XoXX")
LIMITS = {"seed": 0, "workers": 2, "time_limit": 10.0, "memory_limit": None}


def ran(method: str = "dfs", problem: str = "XoXX", seconds: float = 1.0, day: int = 1, **about: Any) -> Result:
    """A run that solved a problem, or hit its limit if it has no seconds."""
    host, versions = about.pop("host", "here"), {"pegcp": "1", **about.pop("versions", {})}
    where = pegcp.problem(problem)
    jumps = {"XoXX": "d1-b1 a1-c1", "XXoX": "a1-c1 d1-b1"}[where.name]
    answer = Answer(Status.SOLVED, jumps=tuple(read_solution(where, jumps)), statistics={"wall_seconds": seconds})
    if not seconds:
        answer = Answer(Status.UNKNOWN, Reason.TIME, statistics={"wall_seconds": about.get("time_limit", 10.0)})
    provenance = {"host": host, "started": f"2026-11-{day:02}T00:00:00+00:00"}
    return judge_answer(where, method, answer, parameters=LIMITS | about, versions=versions, provenance=provenance)


@pytest.mark.parametrize(
    ("difference", "names"),
    [
        ({"time_limit": 50.0}, {"dfs (10 s)", "dfs (50 s)"}),
        ({"memory_limit": 100.0}, {"dfs (None MB)", "dfs (100 MB)"}),
        ({"workers": 1}, {"dfs (2 workers)", "dfs (1 workers)"}),
        ({"host": "there"}, {"dfs (on here)", "dfs (on there)"}),
        ({"versions": {"pegcp": "2"}}, {"dfs (pegcp 1)", "dfs (pegcp 2)"}),
        ({"seed": 1}, {"dfs"}),
    ],
)
def test_runs_under_other_conditions_have_rows_of_their_own(difference: dict[str, Any], names: set[str]) -> None:
    runs = [ran(), ran(seconds=0.0, **difference)]
    for order in (runs, runs[::-1]):
        results, lines = separate(order)
        assert {result.method for result in results} == names
        assert (len(lines), "kept apart" in "".join(lines)) == ((1, True) if len(names) > 1 else (0, False))
        assert separate(results) == (results, [])  # nothing is left to do
        rows = {score.method: (score.runs, score.settled) for score in scores(review(order).entries)}
        assert {name for name in rows if name != "virtual best"} == names
        assert sum(runs for name, (runs, _) in rows.items() if name in names) == 2
        assert set(problem_table(results).head) == {"problem", *names}
        text = as_text(results_table(review(order)))
        assert all(name in text for name in names)


def test_processors_that_differ_in_one_table_are_a_caution() -> None:
    result = pegcp.solve("XoXX", "dfs")
    other = replace(
        result, provenance={**result.provenance, "processor": "Z80"}, parameters={**result.parameters, "seed": 1}
    )
    assert not any("Caution" in line for line in separate([result, result])[1])
    (caution,) = [line for line in separate([result, other])[1] if "Caution" in line]
    assert caution.startswith("Caution: seconds of different processors are compared: ")
    assert "Z80" in caution


def test_seeds_of_a_cluster_share_a_row() -> None:
    runs = [ran(seed=seed, host=f"node{seed}") for seed in range(3)]
    assert separate(runs) == (runs, [])


def test_the_newest_definition_of_a_method_alone_counts() -> None:
    old = [ran("mine", problem, 0.0, command="old", seed=seed) for problem in ("XoXX", "XXoX") for seed in (0, 1, 2)]
    new = [ran("mine", "XoXX", 1.0, day=2, command="new", seed=seed) for seed in (0, 1, 2)]
    for order in (old + new, new + old):
        results, lines = separate(order)
        assert results == new
        assert lines == ["6 runs of an older definition of mine are left out."]
        assert cell(results) == "1.00"
    files = [ran("mine.py", versions={"model": "aa"}), ran("mine.py", versions={"model": "bb"}, day=3)]
    assert separate(files)[0] == files[1:]


def test_a_method_that_is_installed_by_now_is_not_called_missing() -> None:
    missing = failed(TABLE, "dfs", Reason.MISSING, "not installed", parameters=LIMITS, versions={"pegcp": "1"})
    assert separate([missing, ran(versions={"solver": "3"})]) == ([ran(versions={"solver": "3"})], [])
    assert separate([missing])[0] == [missing]


def test_problems_of_one_name_are_told_apart_in_all_tables() -> None:
    results = [replace(run, problem=replace(run.problem, name="p01")) for run in (ran(), ran(problem="XXoX"))]
    separated, _ = separate(results)
    names = [result.problem.name for result in separated]
    assert len(set(names)) == 2
    assert all(name.startswith("p01 #") for name in names)
    assert all(name in as_text(results_table(review(results))) for name in names)


@pytest.mark.thorough
def test_the_order_of_rows_and_words_is_not_by_chance() -> None:
    runs = [ran(method, problem) for method in ("b", "a") for problem in ("XXoX", "XoXX")]
    assert arrange(runs) == arrange(runs[::-1])
    assert [(r.problem.name, r.method) for r in arrange(runs)] == [
        ("XXoX", "a"), ("XXoX", "b"), ("XoXX", "a"), ("XoXX", "b"),
    ]  # fmt: skip
    code = (
        "import pegcp; from pegcp.report.tables import _open\n"
        "from pegcp.method import Reason; from pegcp.results.result import failed\n"
        "p = pegcp.problem('XoX')\n"
        "print(_open([failed(p, 'm', reason, '') for reason in (Reason.TIME, Reason.ERROR, Reason.MEMORY)]))"
    )
    words = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(2)
    }
    assert words == {"TIME\n"}


def test_a_wrong_answer_settles_nothing_and_never_improves_a_score() -> None:
    honest = ran("bfs", seconds=0.5)
    wrong = judge_answer(TABLE, "dfs", Answer(Status.INFEASIBLE, statistics={"wall_seconds": 0.001}), parameters=LIMITS)
    entries = review([honest, wrong]).entries
    by_method = {score.method: score for score in scores(entries)}
    assert (by_method["dfs"].settled, by_method["dfs"].failures, by_method["dfs"].par2) == (0, 1, 20.0)
    assert (by_method["virtual best"].settled, by_method["virtual best"].par2) == (1, 0.5)
    assert problem_table(entries).rows == (("XoXX", "0.50", "WRONG"),)


def test_the_virtual_best_is_over_the_runs_that_all_made() -> None:
    easy, hard = ran("a", seconds=1.0), ran("b", seconds=2.0)
    more = ran("b", "XXoX", 9.0)
    best = scores([easy, hard, more])[-1]
    assert (best.method, best.runs, best.par2) == ("virtual best", 1, 1.0)


def test_latex_has_labels_and_no_loose_text() -> None:
    text = latex("T", [score_table([ran()])], ["Not run: x_y (pip install z)"])
    assert "\\label{tab:scores-by-wall-seconds}" in text
    assert text.endswith("\\end{table}\n% Not run: x_y (pip install z)\n")


# Files


def test_the_same_run_on_two_machines_is_two_runs(tmp_path: Path) -> None:
    for name, host in (("a", "here"), ("b", "there")):
        (tmp_path / name).write_text(json.dumps(ran(host=host).to_json()) + "\n")
    for order in ("ab", "ba"):
        results, _ = read_results([tmp_path / name for name in order])
        assert {result.method for result in separate(results)[0]} == {"dfs (on here)", "dfs (on there)"}


def stopped(task: Task, bound: float | None = None, moves: str = "") -> Result:
    jumps = tuple(read_solution(task.problem, moves)) if moves else None
    status = Status.SOLVED if moves else Status.UNKNOWN
    answer = Answer(status, Reason.TIME, jumps, bound=bound, statistics={"wall_seconds": 1.0})
    about: dict[str, Any] = {"parameters": task.parameters, "versions": task.versions, "backend": task.choice.backend}
    return judge_answer(task.problem, task.choice.text, answer, **about)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({"bound": 2}, {"bound": 1}, 2),
        ({"bound": 1}, {"bound": 2}, 2),
        ({"bound": 1}, {}, 1),
        ({}, {"bound": 1}, 1),
    ],
)
def test_retry_keeps_the_better_bound_on_the_screen_and_in_the_file(
    first: dict[str, Any], second: dict[str, Any], kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,) = make_tasks([pegcp.problem("XoXX", objective="fewest-moves")], ["bfs"])
    for about in (first, second):
        monkeypatch.setattr(road, "run", lambda task, *_, about=about: stopped(task, **about))
        (result,) = run_all([task], out=tmp_path / "out", retry=True)
    assert result.bound == kept
    assert [run.bound for run in read_results([tmp_path / "out"])[0]] == [kept]


def test_retry_keeps_a_solution_against_a_bound(tmp_path: Path) -> None:
    (task,) = make_tasks([pegcp.problem("XoXX", objective="fewest-moves")], ["bfs"])
    with ResultFile(tmp_path / "out") as file:
        attempts: list[dict[str, Any]] = [{"bound": 2}, {"moves": "d1-b1 a1-c1"}, {"bound": 2}, {}]
        kept = [file.append(task, stopped(task, **about), replace=True) for about in attempts][-1]
        assert (kept.status, kept.objective) == (Status.SOLVED, 2)
        assert file.find(task) == kept
    error = failed(task.problem, "bfs", Reason.ERROR, "crash", parameters=task.parameters, versions=task.versions)
    with ResultFile(tmp_path / "other") as file:
        file.append(task, error, replace=True)
        assert file.append(task, stopped(task), replace=True).reason is Reason.TIME
        assert file.append(task, error, replace=True).reason is Reason.TIME


def test_nothing_is_checked_under_the_lock_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (task,) = make_tasks(["XoXX"], ["dfs"])
    with ResultFile(tmp_path / "out") as file, open(tmp_path / "out", "rb") as other:
        file.append(task, stopped(task))
        read, reads = read_result, list[str]()

        def check(data: Any) -> Result:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error if somebody has it
            fcntl.flock(other, fcntl.LOCK_UN)
            reads.append(data["method"])
            return read(data)

        monkeypatch.setattr(store, "read_result", check)
        for moves in ("", "d1-b1 a1-c1"):
            file.append(task, stopped(task, moves=moves), replace=True)
    assert reads


def test_what_has_ended_at_ctrl_c_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", lambda task, *_: stopped(task, moves="d1-b1 a1-c1"))
    todo = make_tasks(["XoXX"], ["dfs"], seeds=2)

    def interrupt(event: RunEvent) -> None:
        if event.kind == "done":  # the other run ends meanwhile: closing waits for it
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        run_all(todo, jobs=2, out=tmp_path / "out", on_event=interrupt)
    assert [result.status for result in caught.value.results] == [Status.SOLVED] * 2
    assert len(read_results([tmp_path / "out"])[0]) == 2


def test_an_error_of_the_search_for_certificates_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(task: Task, *_: object) -> Result:
        if task.choice.text == "certificate":
            raise PegcpError("the temporary folder is full")
        return judge_answer(task.problem, "dfs", Answer(Status.INFEASIBLE))

    monkeypatch.setattr(road, "run", run)
    warnings: list[str] = []
    (result,) = run_all(make_tasks(["XoX"], ["dfs"]), warn=warnings.append)
    assert result.status is Status.INFEASIBLE
    assert "temporary folder" in warnings[0]


def test_choosing_the_next_run_takes_a_look_at_few(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Task] = []

    def cores(task: Task) -> int:
        looks.append(task)
        return 1

    monkeypatch.setattr(Task, "cores", property(cores))
    monkeypatch.setattr(road, "run", lambda task, *_: stopped(task))
    monkeypatch.setattr("pegcp.comparison.schedule.certificate_tasks", lambda *_: {})
    run_all(make_tasks(["XoXX"], ["dfs"], seeds=300))
    assert len(looks) <= 4 * 300


def test_results_of_a_worker_with_another_python_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def work(request: Any) -> dict[str, Any]:
        made.append(request.method)
        (task,) = make_tasks(["XoXX"], ["dfs"])
        result = stopped(task, moves="d1-b1 a1-c1")
        return replace(result, versions={**result.versions, "python": "3.99.1"}).to_json()

    monkeypatch.setattr("pegcp.comparison.places.run_request", work)
    for _ in range(2):
        with ThreadPoolExecutor(1) as executor:
            (result,) = pegcp.compare("XoXX", "dfs", executor=executor, out=tmp_path / "out")
        assert result.versions["python"] == "3.99.1"
    assert made == ["dfs"]
    assert len(read_results([tmp_path / "out"])[0]) == 1


def test_an_edited_script_is_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "my.sh"
    keys = []
    for text in ("exit 1", "exit 1", "exit 2"):
        script.write_text(f"#!/bin/sh\n{text}\n")
        keys.append(make_tasks(["XoXX"], ["planner:command=./my.sh {domain} {problem} {plan}"])[0].key)
    assert keys[0] == keys[1] != keys[2]
    assert "program" not in make_tasks(["XoXX"], ["planner:command=absent {domain} {plan}"])[0].versions
    assert running_task.FILES == ("model", "program")


# Commands


def typed(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    if isinstance(done.exception, PegcpError):
        return 2, done.stdout, str(done.exception)
    assert done.exception is None
    return int(done.return_value or 0), done.stdout, done.stderr


@pytest.mark.parametrize("ending", ["html", "csv", "md", "tex"])
def test_the_same_command_writes_its_report_again(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", lambda task, *_: stopped(task, moves="d1-b1 a1-c1"))
    monkeypatch.chdir(tmp_path)
    report = Path(f"r.{ending}")
    command = ("compare", "XoXX", "-m", "dfs", "--out", "r.jsonl", "--report", str(report))
    assert typed(*command)[0] == 0
    report.rename("saved")
    Path("saved").rename(report)
    assert typed(*command, "--seeds", "2")[0] == 0
    written = report.read_bytes()
    status, _, error = typed("compare", "XXoX", "-m", "dfs", "--out", "other.jsonl", "--report", str(report))
    assert (status, "--force" in error) == (2, True)
    assert report.read_bytes() == written
    report.write_text("mine")
    status, _, error = typed(*command)
    assert (status, report.read_text()) == (2, "mine")
    assert typed(*command, "--force")[0] == 0
    assert report.read_text() != "mine"


def test_lists_with_blanks_files_of_one_name_and_problems_named_twice(tmp_path: Path) -> None:
    for folder, text in (("a", "XoXX"), ("b", "XXoX")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p01.txt").write_text(text)
    first, second = str(tmp_path / "a" / "p01.txt"), str(tmp_path / "b" / "p01.txt")
    status, text, lines = typed("compare", first, second, first, "-m", "dfs,  bfs")
    assert status == 0
    assert [line.split()[:2] for line in text.splitlines() if " SOLVED " in line] == [
        ["a/p01", "dfs"], ["a/p01", "bfs"], ["b/p01", "dfs"], ["b/p01", "bfs"],
    ]  # fmt: skip
    assert "b/p01 by bfs: SOLVED in " in lines
    assert "in quotes" in typed("compare", "XoXX", "-m", "dfs,")[2]


def test_a_kept_result_is_called_kept(tmp_path: Path) -> None:
    command = ("compare", "XoXX", "-m", "dfs", "--out", str(tmp_path / "out"))
    assert "kept" not in typed(*command)[2]
    assert "SOLVED in " in (text := typed(*command)[2])
    assert "kept from the file" in text


def test_without_methods_the_quick_ones_come_first_and_those_that_do_not_fit_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(road, "run", lambda task, *_: failed(task.problem, task.choice.text, Reason.TIME, ""))
    _, _, lines = typed("compare", "english")
    methods = [line.split(" by ")[1].split(":")[0] for line in lines.splitlines()]
    assert methods[:3] == ["rounds", "ip-rounds", "sat-rounds"]
    assert "fools" not in methods
    assert "bdd" not in methods
    assert "bdd" in typed("compare", "XoXX")[2]


def test_a_limit_of_runs_holds_for_the_whole_comparison() -> None:
    status, _, error = typed("compare", "english:*", "-m", "dfs,bfs", "--seeds", "2000")
    assert (status, "100,000 runs" in error) == (2, True)


def test_a_long_method_leaves_room_for_the_figures() -> None:
    name = "fast-downward:search=let(h,ff(),lazy_greedy([h],preferred=[h]))"
    runs = [replace(run, statistics={"solve_seconds": 1.5, "wall_seconds": 2.0}) for run in (ran(), ran(name))]
    text = as_text(results_table(review(runs)), width=80)
    assert "solve s" in text.splitlines()[1]
    assert "preferred=[h]" in text.replace("\n", "").replace(" ", "")
    assert max(map(len, text.splitlines())) <= 80


def test_runs_that_never_began_are_a_number() -> None:
    never = [failed(TABLE, f"m{n}", Reason.INTERRUPTED, "interrupted") for n in range(95)]
    lines = as_text(results_table(review([ran(), *never]))).splitlines()
    assert len(lines) < 8
    assert lines[-1].endswith("95 runs were interrupted.")


def test_a_report_filters_by_its_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", lambda task, *_: stopped(task, moves="d1-b1 a1-c1"))
    out, plan = str(tmp_path / "out"), tmp_path / "e.toml"
    for seconds in ("10", "5"):
        typed("compare", "XoXX", "-m", "dfs,bfs", "--time-limit", seconds, "--out", out)
    plan.write_text('problems = ["XoXX"]\nmethods = ["dfs"]\ntime-limit = 5\n')
    _, text, warnings = typed("report", out, "--experiment", str(plan))
    assert "bfs" not in text
    assert "kept apart" not in text
    assert "3 of 4 runs" in warnings
    plan.write_text('problems = ["XXoX"]\nmethods = ["dfs"]\n')
    assert typed("report", out, "--experiment", str(plan))[0] == 2
    assert "dfs (10 s)" in typed("report", out)[1]


@pytest.mark.parametrize(("code", "status"), [(1, 1), (0, 0), (None, 0), ("no licence", 2)])
def test_a_plug_in_that_exits_does_not_exit_with_0(
    code: int | str | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "callback", lambda: sys.exit(code))
    _, error, _, ended = said("boards")
    assert ended == status
    assert ("no licence" in error) is (status == 2)
