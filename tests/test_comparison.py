"""Many runs: order, results on disk, interruption, contradictions, tables."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from asking import said
from processes import all_end, becomes_true, keepers, processes_of_runs, soon
from rich.console import Console

from pegcp import compare, machine
from pegcp.comparison.agreement import Disagreement, find_disagreements
from pegcp.comparison.experiment import TOUR, make_tasks, read_experiment
from pegcp.comparison.live import Live
from pegcp.comparison.schedule import Interrupted, RunEvent, run_all
from pegcp.comparison.scores import review
from pegcp.comparison.store import read_results
from pegcp.errors import InputError
from pegcp.game import Jump, Problem
from pegcp.library import lookup
from pegcp.method import Answer, Reason, Status
from pegcp.render.progress import ProgressBar
from pegcp.report import Comparison
from pegcp.report.tables import results_table
from pegcp.results.judge import judge_answer
from pegcp.results.result import Result, failed
from pegcp.running import road
from pegcp.running.task import Task

ROGUE = Path(__file__).parent / "data" / "rogue"


@pytest.fixture(autouse=True)
def rogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROGUE))
    machine.plugins.cache_clear()


def printed(results: list[Result], width: int = 200) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(results_table(review(results)))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def solved(problem: Problem, jumps: str, method: str) -> Result:
    board = problem.board
    triples = tuple(Jump(*(board.hole(hole) for hole in jump.split("-"))) for jump in jumps.split())
    return judge_answer(problem, method, Answer(Status.SOLVED, jumps=triples))


@pytest.mark.thorough
def test_results_come_in_the_order_asked_and_land_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    events: list[RunEvent] = []
    results = compare(["XoXX", "XXXoXXoX"], ["dfs", "bfs"], seeds=[4, 7], jobs=2, out=out, on_event=events.append)
    assert [(r.problem.name, r.method, r.parameters["seed"]) for r in results] == [
        (problem, method, seed) for problem in ("XoXX", "XXXoXXoX") for method in ("dfs", "bfs") for seed in (4, 7)
    ]
    assert [r.status for r in results] == [Status.SOLVED] * 4 + [Status.INFEASIBLE] * 4
    lines, warnings = read_results([out])
    assert len(lines) == len(results)
    assert all(result in lines for result in results)
    assert not warnings
    assert sorted(e.index for e in events if e.kind == "start") == list(range(8))
    assert sorted(e.index for e in events if e.kind == "done") == list(range(8))
    compare(["XoXX"], ["dfs"], out=out)
    assert len(read_results([out])[0]) == 9  # appended


def test_one_problem_from_every_hole() -> None:
    found = compare(["line4:*->?", "XoXX"], ["dfs"])  # the last one is line4:b1 again, which runs once
    assert [result.problem.name for result in found] == [f"line4:{hole}->?" for hole in ("a1", "b1", "c1", "d1")]
    rows = json.loads(said("compare", "line4:*!", "-m", "bfs", "--json")[0])
    assert [row["problem"] for row in rows] == [f"line4:{hole}!" for hole in ("a1", "b1", "c1", "d1")]


def test_one_bad_row_leaves_the_others_unharmed() -> None:
    results = compare(["XoXX"], ["rogue:does=crash", "dfs", "rogue:does=shout", "rogue:does=cheat"], jobs=2)
    assert [r.reason for r in results] == [Reason.ERROR, Reason.COMPLETED, Reason.ERROR, Reason.INVALID_SOLUTION]


def test_cores_are_not_oversubscribed(monkeypatch: pytest.MonkeyPatch) -> None:
    lock, now, most = threading.Lock(), 0, 0

    def pretend(task: Task, *_: object) -> Result:
        nonlocal now, most
        with lock:
            now += task.cores
            most = max(most, now)
        time.sleep(0.002)
        with lock:
            now -= task.cores
        return failed(task.problem, task.choice.text, Reason.ERROR, "pretended")

    monkeypatch.setattr(road, "run", pretend)
    for cores, jobs, workers, expected in ((4, 8, 2, 4), (4, 2, 1, 2), (4, 8, 3, 4), (1, 4, 8, 8)):
        monkeypatch.setattr(machine, "cores", lambda cores=cores: cores)
        now = most = 0
        run_all(make_tasks(["XoXX"], ["moves", "dfs"], seeds=10, workers=workers), jobs=jobs)
        assert most == expected, (cores, jobs, workers)


def test_runs_start_in_random_but_repeatable_order(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def pretend(task: Task, *_: object) -> Result:
        started.append(task.limits.seed)
        return failed(task.problem, task.choice.text, Reason.ERROR, "pretended")

    monkeypatch.setattr(road, "run", pretend)
    todo = make_tasks(["XoXX"], ["dfs"], seeds=20)
    run_all(todo)
    run_all(todo)
    assert started[:20] == started[20:] != list(range(20))


def test_unknown_names_are_refused_before_anything_runs(tmp_path: Path) -> None:
    for problems, chosen in ((["XoXX"], ["dsf"]), (["englsh"], ["dfs"])):
        with pytest.raises(InputError, match="did you mean"):
            compare(problems, chosen, out=tmp_path / "out")
    with pytest.raises(InputError, match="jobs"):
        compare(["XoXX"], ["dfs"], jobs=0)
    with pytest.raises(InputError, match="cannot write results"):
        compare(["XoXX"], ["dfs"], out=tmp_path)


def test_an_interrupt_keeps_what_is_finished() -> None:
    def interrupt(event: RunEvent) -> None:
        if event.kind == "done":
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        compare(["XoXX"], ["rogue:does=sleep", "dfs"], jobs=2, on_event=interrupt)
    assert [r.reason for r in caught.value.results] == [Reason.INTERRUPTED, Reason.COMPLETED]
    assert becomes_true(lambda: not processes_of_runs())


def test_an_error_in_the_comparison_itself_ends_the_children() -> None:
    def stumble(event: RunEvent) -> None:
        if event.kind == "done":
            raise OSError("no space left on device")

    began = time.monotonic()
    with pytest.raises(OSError, match="no space"):
        compare(["XoXX"], ["rogue:does=sleep", "dfs"], jobs=2, on_event=stumble)
    assert time.monotonic() - began < 10
    assert becomes_true(lambda: not processes_of_runs())


@pytest.mark.thorough
def test_ctrl_c_in_a_terminal_stops_a_comparison(tmp_path: Path) -> None:
    code = "import pegcp; pegcp.compare(['XoXX'], ['rogue:does=sleep', 'dfs'], jobs=2, out='out.jsonl')"
    environment = {**os.environ, "PYTHONPATH": str(ROGUE), "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what started the tests may ignore it
    )
    deadline = time.monotonic() + 20
    while not (tmp_path / "out.jsonl").exists() or not (tmp_path / "out.jsonl").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    children = [*keepers(process.pid), *processes_of_runs(process.pid)]
    assert children
    os.killpg(process.pid, signal.SIGINT)
    process.wait(10)
    assert all_end(children, 3)
    assert json.loads((tmp_path / "out.jsonl").read_text())["method"] == "dfs"
    assert becomes_true(lambda: not list(tmp_path.glob("pegcp-*")))


def test_contradictory_verdicts_are_found_and_shown() -> None:
    problem = lookup.problem("XoXX")
    yes = solved(problem, "d1-c1-b1 a1-b1-c1", method="yes")
    no = judge_answer(problem, "no", Answer(Status.INFEASIBLE))
    other = judge_answer(lookup.problem("XXXoXXoX"), "no", Answer(Status.INFEASIBLE))
    (found,) = find_disagreements([yes, other, no])
    assert found.problem == "XoXX"
    assert found.message == "no claims that it is infeasible, yes solved it"
    assert set(map(id, found.results)) == {id(yes), id(no)}
    assert "DISAGREEMENT on XoXX" in printed([yes, no])
    assert not find_disagreements([yes, other])
    assert "DISAGREEMENT" not in printed([yes, other])


def test_different_optima_and_broken_bounds_are_contradictions() -> None:
    problem = lookup.problem("triangle15:b3!")
    short, longer = _dead_ends(problem)
    good = judge_answer(problem, "good", Answer(Status.OPTIMAL, jumps=short))
    bad = judge_answer(problem, "bad", Answer(Status.OPTIMAL, jumps=longer))
    plain = judge_answer(problem, "plain", Answer(Status.SOLVED, jumps=longer))
    bound = judge_answer(problem, "bound", Answer(Status.UNKNOWN, Reason.TIME, bound=len(short) + 1))
    tight = judge_answer(problem, "tight", Answer(Status.UNKNOWN, Reason.TIME, bound=len(short)))
    assert [d.message for d in find_disagreements([good, bad])] == [
        f"bad claims the optimum {len(longer)}, good has a solution with {len(short)}"
    ]
    assert [d.message for d in find_disagreements([good, bound])] == [
        f"bound claims the bound {len(short) + 1}, good has a solution with {len(short)}"
    ]
    assert not find_disagreements([good, plain, tight])


def _dead_ends(problem: Problem) -> tuple[tuple[Jump, ...], tuple[Jump, ...]]:
    """The shortest dead end, and a longer one."""
    level: dict[int, tuple[Jump, ...]] = {problem.start.mask: ()}
    ends: list[tuple[Jump, ...]] = []
    while level:
        following: dict[int, tuple[Jump, ...]] = {}
        for position, jumps in level.items():
            legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
            if not legal:
                ends.append(jumps)
            for jump in legal:
                following.setdefault(position ^ jump.mask, (*jumps, jump))
        level = following
    return ends[0], next(end for end in ends if len(end) > len(ends[0]))


def test_one_comparison_looks_twice_for_disagreements(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Once for the evidence of its results, and once for all that is shown, under the names of tables."""
    calls = []

    def counting(results: Iterable[Result]) -> list[Disagreement]:
        calls.append(results)
        return find_disagreements(results)

    for module in ("agreement", "scores"):
        monkeypatch.setattr(f"pegcp.comparison.{module}.find_disagreements", counting)
    report = tmp_path / "report.html"
    out = said("compare", "XoXX", "XXoX", "XXo", "-m", "dfs,bfs", "--report", report)[0]
    assert "All 6 verdicts" in out
    assert len(calls) == 2
    calls.clear()
    table = Comparison(compare(["XoXX"], ["dfs", "bfs"]))
    assert not table.disagreements
    assert "0 disagreements" in f"{table!r}{table}" * 2
    assert len(calls) == 2


def test_answers_that_fail_their_check_are_disagreements() -> None:
    (result,) = compare(["XoXX"], ["rogue:does=cheat"])
    (found,) = find_disagreements([result])
    assert found.message.startswith("rogue:does=cheat: jump 1")


def test_the_table_shows_each_long_message_once() -> None:
    problem = lookup.problem("XoXX")
    errors = [
        failed(problem, "m", Reason.ERROR, "a long story about [bold] things", parameters={"seed": s}) for s in (1, 2)
    ]
    text = printed([*errors, failed(problem, "t", Reason.TIME, "stopped after 1 s", parameters={"seed": 1})])
    assert text.count("a long story about [bold] things") == 1
    assert text.count("UNKNOWN ERROR [1]") == 1
    assert "stopped after" not in text


def rows_of(results: list[Result]) -> list[list[str]]:
    """The words of each row of the table, its heads first."""
    return [re.split(r"\s{2,}", line.strip()) for line in printed(results).splitlines() if re.match(r" \w", line)]


def test_with_seeds_a_row_has_medians_and_says_how_many_runs_it_stands_for() -> None:
    problem = lookup.problem("XoXX")
    found = [
        replace(solved(problem, "d1-c1-b1 a1-b1-c1", "m"), statistics={"wall_seconds": wall}, parameters={"seed": seed})
        for seed, wall in enumerate((1.0, 2.0, 9.0))
    ]
    assert rows_of(found)[1] == ["XoXX", "m", "3", "SOLVED", "replayed", "2", "2", "2.00"]
    stopped = failed(problem, "m", Reason.TIME, "stopped after 9 s", parameters={"seed": 3})
    assert rows_of([*found, stopped])[1][2:4] == ["4", "3 SOLVED, 1 UNKNOWN TIME"]
    assert "runs" not in printed(found[:1])


def test_what_is_not_installed_is_a_line_below_the_table() -> None:
    problem = lookup.problem("XoXX")
    how = "Mini is not installed: apt install mini"
    missing = [failed(problem, method, Reason.MISSING, how) for method in ("a", "b", "a")]
    ran = solved(problem, "d1-c1-b1 a1-b1-c1", "m")
    text = printed([*missing, ran])
    assert f"Not run: a, b ({how})" in text
    assert [row[1] for row in rows_of([*missing, ran])] == ["method", "m"]
    assert "MISSING" not in text
    assert f"Not run: a, b ({how})" in Comparison([*missing, ran])._repr_html_()
    assert printed(missing).splitlines() == [f"Not run: a, b ({how})", "There is no verdict."]


def test_names_are_shown_as_they_are() -> None:
    problem = replace(lookup.problem("XoXX"), name="[red]<b>'ü\"")
    assert "[red]<b>'ü\"" in printed([failed(problem, "[m]", Reason.ERROR, "")])


def test_the_clock_is_whole_beside_a_long_report_at_80_columns() -> None:
    terminal = Console(file=StringIO(), force_terminal=True, width=80, height=30)
    with ProgressBar(terminal) as bar:
        bar.add_task("a problem of which there is much to report, " * 5)
    assert isinstance(terminal.file, StringIO)
    assert re.search(r"\d:\d\d:\d\d a problem", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.file.getvalue()))


@pytest.mark.thorough
def test_progress_is_lines_when_piped_and_live_on_a_terminal() -> None:
    todo = make_tasks(["XoXX"], ["dfs", "rogue:does=report"], time_limit=soon())
    piped = Console(file=StringIO())
    with Live(todo, piped) as live:
        run_all(todo, on_event=live.event)
    assert isinstance(piped.file, StringIO)
    lines = piped.file.getvalue().splitlines()
    assert len(lines) == 2
    assert any(line[3:].strip().startswith("XoXX by dfs: SOLVED in") for line in lines)
    terminal = Console(file=StringIO(), force_terminal=True, width=150, height=30)
    with Live(todo, terminal) as live:
        run_all(todo, on_event=live.event)
    assert isinstance(terminal.file, StringIO)
    shown = terminal.file.getvalue()
    assert "is running" in shown
    assert "XoXX by dfs: SOLVED in" in shown
    assert "bound 3" in shown
    assert "of 2 runs done" in shown


def test_a_run_that_has_told_no_figures_has_a_whole_line() -> None:
    (task,) = make_tasks(["XoXX"], ["dfs"])
    with Live([task], Console(file=StringIO())) as live:
        live.event(RunEvent("start", 0, task))
        live.event(RunEvent("progress", 0, task, {"solve_seconds": 1.0}))
        assert [line.description for line in live.tasks][1] == "XoXX by dfs, no figures yet"


def test_the_tour_is_made_of_runs_that_fit() -> None:
    stops = read_experiment(TOUR).tasks
    assert {"moves", "fools", "fast-downward", "pyperplan", "constraint", "dfs"} <= {task.choice.text for task in stops}
    told = (Path(__file__).parent.parent / "docs" / "languages.md").read_text(encoding="utf-8")
    languages = re.findall(r"^\| [^|]+ \| \[`(?:jumps|([\w-]+))`\]", told, re.MULTILINE)
    assert len(languages) == 12
    assert {name or "fast-downward" for name in languages} <= {task.choice.text for task in stops}
    assert not any(task.choice.method.refusal(task.problem) for task in stops)


def test_a_problem_without_methods_is_given_to_those_of_the_tour_that_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", lambda task, *_: failed(task.problem, task.choice.text, Reason.TIME, ""))
    found = json.loads(said("compare", "XoXX", "--goal", "dead end", "--time-limit", "20", "--json")[0])
    problem = lookup.problem("XoXX", goal="dead end")
    takers = {task.choice.text for task in read_experiment(TOUR).tasks if not task.choice.method.refusal(problem)}
    assert {result["method"] for result in found} == takers
    assert "fools" in takers
