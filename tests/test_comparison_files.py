"""Experiment files and result files: what survives a crash, what is refused, and where."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier, BrokenBarrierError

import pytest
from asking import typed
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import need
from processes import all_end, becomes_true, keepers, processes_of_runs

import pegcp
from pegcp import compare, problem
from pegcp.cli.main import cli
from pegcp.comparison import schedule, store
from pegcp.comparison.experiment import make_tasks, read_experiment
from pegcp.comparison.schedule import RunEvent, run_all
from pegcp.comparison.scores import review
from pegcp.comparison.store import ResultFile, read_results
from pegcp.errors import InputError, PegcpError
from pegcp.formats.solution import read_solution
from pegcp.method import Answer, Reason, Status
from pegcp.report import summary, write_report
from pegcp.results.judge import judge_answer
from pegcp.results.reading import read_result
from pegcp.results.result import Result, failed
from pegcp.running import road
from pegcp.running.task import Task

EXPERIMENT = """
name = "Small"
problems = ["XoXX", "triangle15"]
methods = ["dfs", "moves:order=off"]
seeds = 2
time-limit = 10

[[runs]]
problems = ["line4:*->?"]
methods = ["dfs"]
seeds = [7]

[[published]]
name = "A paper, 1999"
values = { XoXX = 3.5, triangle15 = "yes" }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "experiment.toml"
    path.write_text(text, "utf-8")
    return path


def pretend(task: Task, *_: object) -> Result:
    return judge_answer(
        task.problem,
        task.choice.text,
        Answer(Status.INFEASIBLE),
        backend=task.choice.backend,
        parameters=task.parameters,
        versions=task.versions,
    )


# Experiment files


def test_an_experiment_is_all_its_runs_once(tmp_path: Path) -> None:
    experiment = read_experiment(written(tmp_path, EXPERIMENT))
    assert experiment.name == "Small"
    assert [(t.problem.name, t.choice.text, t.limits.seed, t.limits.time) for t in experiment.tasks] == [
        *((p, m, s, 10) for p in ("XoXX", "triangle15") for m in ("dfs", "moves:order=off") for s in (0, 1)),
        *((f"line4:{hole}->?", "dfs", 7, 10) for hole in ("a1", "b1", "c1", "d1")),
    ]
    assert experiment.published[0].values == {"XoXX": 3.5, "triangle15": "yes"}
    twice = read_experiment(written(tmp_path, 'problems = ["XoXX", "XoXX"]\nmethods = ["dfs", "dfs"]'))
    assert len(twice.tasks) == 1
    assert twice.name == "experiment"


def test_parameters_of_solvers_are_swept(tmp_path: Path) -> None:
    need("cp-sat")
    text = """problems = ["XoXX"]
methods = ["moves"]
parameters = { linearization_level = [0, 2], use_pb_resolution = true }
"""
    experiment = read_experiment(written(tmp_path, text))
    assert [task.choice.text for task in experiment.tasks] == [
        "moves:cp-sat.linearization_level=0:cp-sat.use_pb_resolution=true",
        "moves:cp-sat.linearization_level=2:cp-sat.use_pb_resolution=true",
    ]
    assert len({task.key for task in experiment.tasks}) == 2
    for wrong in ("linearisation_level = 1", "linearization_level = []", "num_workers = 4"):
        with pytest.raises(InputError, match="parameter"):
            read_experiment(written(tmp_path, f'problems = ["XoXX"]\nmethods = ["moves"]\nparameters = {{ {wrong} }}'))


def test_options_vary(tmp_path: Path) -> None:
    need("cp-sat")
    text = """problems = ["XoXX"]
methods = ["moves:pagoda=on"]
parameters = { linearization_level = [0, 2] }
vary = "VARY"
"""
    one = read_experiment(written(tmp_path, text.replace("VARY", "one")))
    assert [task.choice.text.removeprefix("moves:pagoda=on") for task in one.tasks] == [
        "",
        ":cp-sat.linearization_level=0",
        ":cp-sat.linearization_level=2",
        ":order=off",
    ]
    every = read_experiment(written(tmp_path, text.replace("VARY", "all")))
    assert len(every.tasks) == 3 * 2
    with pytest.raises(InputError, match=r"vary.*some"):
        read_experiment(written(tmp_path, text.replace("VARY", "some")))


def test_families_objectives_and_parts(tmp_path: Path) -> None:
    text = """methods = ["dfs"]
family = "triangle"
sizes = [3, 5]
[[runs]]
family = "english"
sizes = [4, 5]
[[runs]]
name = "small"
problems = ["XoXX"]
[[runs]]
name = "small"
problems = ["XXoX"]
objective = ["count", "fewest-moves"]
"""
    experiment = read_experiment(written(tmp_path, text))
    names = [task.problem.name for task in experiment.tasks]
    assert names[:3] == ["triangle6", "triangle10", "triangle15"]
    assert [len(task.problem.start) for task in experiment.tasks[3:9]] == [5, 5, 5, 6, 6, 6]
    assert names[9:] == ["XoXX", "XXoX objective=count", "XXoX objective=fewest-moves"]
    assert [(part.name, part.grows, len(part.tasks)) for part in experiment.parts] == [
        ("", True, 9),
        ("small", False, 3),
    ]
    results = [pretend(task) for task in reversed(experiment.tasks)]
    assert [result.problem.name for result in experiment.parts[1].select(results)] == names[9:]
    for key, wrong in (("sizes", "[5, 3]"), ("sizes", "3"), ("family", '"trangle"'), ("objective", '"cout"')):
        faulty = re.sub(f"^{key} = .*", f"{key} = {wrong}", text, count=1, flags=re.M)
        with pytest.raises(InputError, match=rf"experiment.toml: .*{key[:4]}|did you mean"):
            read_experiment(written(tmp_path, faulty))


@pytest.mark.thorough
def test_files_are_found_beside_the_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "line.txt").write_text("XoXX")
    (tmp_path / "own.py").write_text((Path(__file__).parent.parent / "models" / "constraint.py").read_text())
    path = written(tmp_path, 'problems = ["line.txt"]\nmethods = ["own.py"]')
    monkeypatch.chdir("/")
    (result,) = run_all(read_experiment(path).tasks)
    assert result.status is Status.SOLVED, result.message


GOOD_EXPERIMENT = {
    "name": '"x"',
    "problems": '[\n  "XoXX",\n]',
    "methods": '["dfs"]',
    "seeds": "1",
    "time-limit": "1",
    "memory-limit": "100",
    "workers": "1",
}


@pytest.mark.parametrize(
    ("key", "value", "path", "word"),
    [
        ("name", "3", "name", "text"),
        ("problms", '["XoXX"]', "", "problms"),
        ("problems", '[\n  "XoXX",\n  "englsh",\n]', "problems[1]", "englsh"),
        ("problems", '[\n  "english:z9",\n]', "problems[0]", "z9"),
        ("problems", "[5]", "problems[0]", "text"),
        ("problems", "[]", "problems", "needs"),
        ("objective", '"fewest"', "objective", "fewest"),
        ("vary", '"some"', "vary", "some"),
        ("parameters", "3", "parameters", "table"),
        ("methods", '["dsf"]', "methods[0]", "dsf"),
        ("methods", '["dfs", "moves:ordr=1"]', "methods[1]", "ordr"),
        ("methods", f'["{"long" * 100}.py"]', "methods[0]", "name"),
        ("methods", '[{ name = "mine", method = "dsf" }]', "methods[0]", "dsf"),
        ("seeds", "0", "seeds", "1"),
        ("seeds", "[-1]", "limits", "seed"),
        ("seeds", "200000", "seeds", "10000"),
        ("time-limit", '"long"', "time-limit", "number"),
        ("time-limit", "-1", "limits", "time"),
        ("memory-limit", "0", "limits", "memory"),
        ("workers", "0", "limits", "workers"),
        ("workers", "1.5", "workers", "whole"),
    ],
)
def test_a_fault_is_named_with_the_path_of_its_key(key: str, value: str, path: str, word: str, tmp_path: Path) -> None:
    text = "\n".join(f"{name} = {given}" for name, given in (GOOD_EXPERIMENT | {key: value}).items())
    with pytest.raises(InputError) as caught:
        read_experiment(written(tmp_path, text))
    told = str(caught.value).partition("experiment.toml: ")[2]
    assert told.startswith(path)
    assert word in told


def test_a_fault_in_a_later_group_is_named_there(tmp_path: Path) -> None:
    text = EXPERIMENT.replace('methods = ["dfs"]\nseeds = [7]', 'methods = ["dfs", "dsf"]')
    with pytest.raises(InputError, match=r"runs\[0\]\.methods\[1\].*dsf"):
        read_experiment(written(tmp_path, text))


@pytest.mark.parametrize("text", ["", "x = [", "methods = 3", 'runs = 3\nproblems = ["XoXX"]', "published = [1]"])
def test_broken_experiments_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"experiment\.toml:"):
        read_experiment(written(tmp_path, text))


EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, marks=pytest.mark.long) if p.name in ("auto.toml", "graded.toml") else p
        for p in EXAMPLES.rglob("*.toml")
        if "methods =" in p.read_text("utf-8")
    ],
    ids=lambda p: p.stem,
)
def test_the_experiments_among_the_examples_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEGCP_HOME", str(EXAMPLES / "planners"))
    experiment = read_experiment(path)
    assert experiment.tasks
    known = {task.problem.name for task in experiment.tasks}
    for column in experiment.published:
        assert known & set(column.values), column.name


# Keys and resuming


def test_keys_tell_runs_apart_and_nothing_else() -> None:
    def key(method: str = "moves", problem: str = "XoXX", **limits: float) -> str:
        return make_tasks([problem], [method], **limits)[0].key  # type: ignore[arg-type]

    assert key() == key("moves:order=on") == key("moves:cp-sat")
    assert key(time_limit=5) == key(time_limit=5.0)
    different = [key(), key("moves:order=off"), key("dfs"), key(problem="XoX"), key(time_limit=5), key(workers=1)]
    different += [key(seeds=[3]), key(memory_limit=100)]  # type: ignore[arg-type]
    assert len(set(different)) == len(different)


def test_a_model_file_that_changed_is_another_method(tmp_path: Path) -> None:
    model = tmp_path / "own.py"
    model.write_text((Path(__file__).parent.parent / "models" / "constraint.py").read_text())
    before = make_tasks(["XoXX"], [str(model)])[0].key
    assert make_tasks(["XoXX"], [str(model)])[0].key == before
    model.write_text(model.read_text() + "\n# better\n")
    assert make_tasks(["XoXX"], [str(model)])[0].key != before


def test_a_second_comparison_makes_only_the_missing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, int]] = []

    def note(task: Task, *rest: object) -> Result:
        if task.choice.text != "certificate":
            made.append((task.choice.text, task.limits.seed))
        if task.limits.seed == 1:
            return replace(pretend(task), status=Status.UNKNOWN, reason=Reason.TIME)
        return pretend(task, *rest)

    monkeypatch.setattr(road, "run", note)
    out = tmp_path / "out.jsonl"
    first = compare(["XoXX"], ["dfs"], seeds=3, out=out)
    assert sorted(made) == [("dfs", 0), ("dfs", 1), ("dfs", 2)]
    made.clear()
    events: list[RunEvent] = []
    second = compare(["XoXX"], ["dfs", "constraint"], seeds=3, out=out, on_event=events.append)
    assert sorted(made) == [("constraint", 0), ("constraint", 1), ("constraint", 2)]
    assert second[:3] == first
    assert sorted(e.kind for e in events if e.index < 3) == ["kept"] * 3
    made.clear()
    compare(["XoXX"], ["dfs", "constraint"], seeds=3, out=out, retry=True)
    assert sorted(made) == [("constraint", 1), ("dfs", 1)]
    results, warnings = read_results([out])
    assert len(results) == 6
    assert not warnings


def test_limits_on_the_command_line_come_before_those_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, EXPERIMENT + "\n[[runs]]\nproblems = ['XoX']\nmethods = ['dfs']\ntime-limit = 3\n")
    limits = {
        (task.limits.time, task.limits.seed) for task in read_experiment(path, seeds=[3, 4], time_limit=2.0).tasks
    }
    assert limits == {(2.0, 3), (2.0, 4)}


def test_shards_have_each_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", pretend)
    path, runner = written(tmp_path, EXPERIMENT), CliRunner()
    keys: list[str] = []
    for part in ("1/3", "2/3", "3/3"):
        out = tmp_path / f"{part[0]}.jsonl"
        runner.invoke(cli, ["compare", "--experiment", str(path), "--shard", part, "--out", str(out)])
        keys += {json.loads(line)["key"] for line in out.read_text().splitlines()}
    assert sorted(keys) == sorted(task.key for task in read_experiment(path).tasks)
    done = runner.invoke(cli, ["compare", "XoXX", "XXoX", "-m", "dfs,bfs", "--shard", "1/2", "--json"])
    assert sorted(run["method"] for run in json.loads(done.stdout)) == ["bfs", "dfs"]


@pytest.mark.parametrize("option", ["--seeds x", "--seeds 0", "--seeds ,", "--shard 3/2", "--shard 0/2", "--shard 1"])
def test_a_wrong_choice_of_runs_is_refused(option: str) -> None:
    run = CliRunner().invoke(cli, ["compare", "XoXX", "-m", "dfs", *option.split()])
    assert isinstance(run.exception, InputError)


# Several comparisons at once

SHARED = """
import sys
from pegcp import compare

starts = []
note = lambda event: starts.append(1) if event.kind == "start" else None
compare(["XoXX", "XXoX", "triangle10"], ["dfs", "bfs"], seeds=3, jobs=2, out="out.jsonl", on_event=note)
print(len(starts))
"""


def start_comparison(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", SHARED], cwd=folder, stdout=subprocess.PIPE, text=True)


def test_two_comparisons_on_one_file_share_the_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In threads: claims are of open files, not of processes."""
    out, both = tmp_path / "out.jsonl", Barrier(2)

    def run(task: Task, *_: object) -> Result:
        with suppress(BrokenBarrierError):
            both.wait(0.5)  # neither has made all before the other one begins
        return pretend(task)

    monkeypatch.setattr(road, "run", run)
    monkeypatch.setattr("pegcp.comparison.schedule.certificate_tasks", lambda *_: {})
    starts: list[int] = []

    def share(number: int) -> None:
        def note(event: RunEvent) -> None:
            starts.extend([number] * (event.kind == "start"))

        compare(["XoXX", "XXoX", "triangle10"], ["dfs", "bfs"], seeds=3, jobs=1, out=out, on_event=note)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(share, range(2)))
    assert len(starts) == 18
    assert {*starts} == {0, 1}
    results, warnings = read_results([out])
    assert len(results) == len(out.read_text().splitlines()) == 18
    assert not warnings
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.long
def test_runs_of_a_comparison_that_was_killed_are_made_by_the_other(tmp_path: Path) -> None:
    killed, other = start_comparison(tmp_path), start_comparison(tmp_path)
    while not ((tmp_path / "out.jsonl").exists() and (tmp_path / "out.jsonl").read_text()):
        assert other.poll() is None
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert int(other.communicate(timeout=60)[0]) <= 18
    results, _ = read_results([tmp_path / "out.jsonl"])
    assert len(results) == len((tmp_path / "out.jsonl").read_text().splitlines()) == 18


def test_a_run_is_claimed_once(tmp_path: Path) -> None:
    first_task, second_task = make_tasks(["XoXX"], ["dfs"], seeds=2)
    with ResultFile(tmp_path / "out.jsonl") as first:
        assert first.reserve(first_task)
        with ResultFile(tmp_path / "out.jsonl") as second:
            assert not second.reserve(first_task)
            assert second.reserve(second_task)
            assert not first.reserve(second_task)
            first.release(first_task)
            assert second.reserve(first_task)
        assert first.reserve(first_task)
        assert first.reserve(second_task)


def test_claims_leave_nothing_behind(tmp_path: Path) -> None:
    (task,) = make_tasks(["XoXX"], ["dfs"])
    with ResultFile(tmp_path / "out.jsonl") as first:
        assert first.reserve(task)
        assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
        first.append(task, pretend(task))
    with ResultFile(tmp_path / "out.jsonl") as second:
        assert second.reserve(task)  # closed without giving it free
    assert len((tmp_path / "out.jsonl").read_bytes().splitlines()) == 1


def test_without_locks_runs_are_made_and_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(store, "_set_lock", refuse)
    warnings: list[str] = []
    with ResultFile(tmp_path / "out.jsonl", warnings.append) as file:
        for task in make_tasks(["XoXX"], ["dfs"], seeds=3):
            assert file.reserve(task)
            file.append(task, pretend(task))
            file.release(task)
    assert len(warnings) == 1
    assert "No locks available" in warnings[0]
    assert len(read_results([tmp_path / "out.jsonl"])[0]) == 3


# Damaged files


def results_file(folder: Path, count: int = 3) -> Path:
    path = folder / "results.jsonl"
    with ResultFile(path) as file:
        for task in make_tasks(["XoXX"], ["dfs"], seeds=count):
            file.append(task, pretend(task))
    return path


def test_what_is_not_a_result_is_skipped_with_a_warning(tmp_path: Path) -> None:
    path = results_file(tmp_path)
    good = path.read_bytes().splitlines()
    newer = json.loads(good[0]) | {"status": "BETTER"}
    strange = json.loads(good[0]) | {"fresh": [1, 2]}
    lines = [
        good[0],
        b"hello",
        b"",
        b"[1]",
        json.dumps(newer).encode(),
        b"\xff\xfe",
        good[1],
        b"3",
        json.dumps(strange).encode(),
    ]
    path.write_bytes(b"\n".join(lines) + b"\n" + good[2][:100])
    results, warnings = read_results([path])
    assert len(results) == 2  # the run of the last line is that of the first
    said = [warning.removeprefix(f"{path}:") for warning in warnings]
    assert [warning.split(":")[0] for warning in said] == ["2", "5", "10"]
    assert said[0] == "2: not a line of results, skipped, and 3 more lines"
    assert "torn line" in said[-1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
GOOD = pretend(make_tasks(["XoXX"], ["dfs"])[0]).to_json() | {
    "status": "SOLVED",
    "jumps": [["d1", "c1", "b1"], ["a1", "b1", "c1"]],
}

_ALL = problem("XoXX", objective="count")
_FIRST = tuple(read_solution(_ALL, "d1-b1 a1-c1"))
COUNT = judge_answer(_ALL, "dfs", Answer(Status.OPTIMAL, jumps=_FIRST, objective=1, counted="jump sequences")).to_json()


@pytest.mark.thorough
@settings(max_examples=5, deadline=None)
@given(st.sampled_from([*GOOD, "key"]), JSON, st.binary(max_size=20), st.sampled_from([".html", ".csv", ".tex"]))
def test_any_line_is_a_result_or_a_warning(key: str, value: object, noise: bytes, suffix: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results"
        path.write_bytes(json.dumps(GOOD | {key: value}).encode() + b"\n" + noise)
        results, warnings = read_results([path])
        assert len(results) + len(warnings) >= 1
        for result in results:
            assert read_result(result.to_json()) == result
        if results:
            summary(review(results))
            write_report(Path(folder) / f"report{suffix}", review(results))


DAMAGE: dict[str, bytes] = {
    "nan": json.dumps(GOOD | {"statistics": {"nodes": float("nan")}}).encode(),
    "infinity": json.dumps(GOOD | {"bound": float("inf")}).encode(),
    "too-large": json.dumps(GOOD | {"bound": 1}).replace('"bound": 1', '"bound": 1e999').encode(),
    "400-digits": json.dumps(GOOD | {"bound": 10**400}).encode(),
    "400-digits-inside": json.dumps(GOOD | {"statistics": {"nodes": [10**400]}}).encode(),
    "9999-digits": json.dumps(GOOD).replace('"bound": null', '"bound": ' + "9" * 9999).encode(),
    "seconds-of-words": json.dumps(GOOD | {"statistics": {"wall_seconds": "long"}}).encode(),
    "negative-seconds": json.dumps(GOOD | {"statistics": {"wall_seconds": -7}}).encode(),
    "no-seed": json.dumps(GOOD | {"parameters": {"seed": None}}).encode(),
    "half-a-seed": json.dumps(GOOD | {"parameters": {"seed": 2.5}}).encode(),
    "no-time-limit": json.dumps(GOOD | {"parameters": {"time_limit": None}}).encode(),
    "parameters-in-words": json.dumps(GOOD | {"parameters": "none"}).encode(),
    "method-list": json.dumps(GOOD | {"method": []}).encode(),
    "odd-version": json.dumps(GOOD | {"status": "?", "versions": {"pegcp": "\u00b2"}}).encode(),
    "long-version": json.dumps(GOOD | {"status": "?", "versions": {"pegcp": "9" * 9999}}).encode(),
    "negative-count": json.dumps(COUNT | {"objective": -5}).encode(),
    "half-a-count": json.dumps(COUNT | {"objective": 2.5}).encode(),
    "no-count": json.dumps(COUNT | {"objective": None}).encode(),
    "optimal-error": json.dumps(GOOD | {"status": "OPTIMAL", "reason": "ERROR"}).encode(),
    "nothing-to-bound": json.dumps(GOOD | {"bound": 99}).encode(),
    "brackets": b"[" * 100_000,
    "objects": b'{"key":' * 100_000,
    "deep": json.dumps(GOOD | {"provenance": {"host": [[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]}}).encode(),
}


def test_damaged_lines_are_reported_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", pretend)
    lines = b"".join(line + b"\n" for line in DAMAGE.values())
    out = tmp_path / "out.jsonl"
    out.write_bytes(lines)
    results, warnings = read_results([out])
    assert not results
    assert 3 < len(warnings) <= len(DAMAGE)
    assert max(map(len, warnings)) < 1000
    for name, line in DAMAGE.items():
        out.write_bytes(b"{}\n" + line + b"\n")
        results, warnings = read_results([out])
        assert not results, name
        assert [warning.partition(": ")[0] for warning in warnings] == [f"{out}:1", f"{out}:2"], name
    out.write_bytes(lines)
    compare(["XoXX"], ["dfs"], out=out)
    assert out.read_bytes().startswith(lines)
    assert len(read_results([out])[0]) == 1  # the run was made and kept


@pytest.mark.parametrize("other", ["XXoX moves", "XoXX dfs", "XoXX moves:order=off"])
def test_the_result_of_another_run_is_another_line(other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (task,) = make_tasks(["XoXX"], ["moves"])
    elsewhere, method = other.split()
    (stranger,) = make_tasks([elsewhere], [method])
    out = tmp_path / "out"
    out.write_text(json.dumps({"key": task.key, **pretend(stranger).to_json()}) + "\n")
    monkeypatch.setattr(road, "run", pretend)
    for _ in range(2):  # the second time the new line counts
        assert run_all([task], out=out)[0].method == "moves"
        assert len(read_results([out])[0]) == 2


def test_the_result_of_another_problem_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    (other,) = make_tasks(["XXoX"], ["dfs"])
    monkeypatch.setattr("pegcp.comparison.places.run_request", lambda _: pretend(other).to_json())
    with ThreadPoolExecutor(1) as executor:
        (result,) = compare(["XoXX"], ["dfs"], executor=executor)
    assert (result.reason, "another problem" in result.message) == (Reason.ERROR, True)


def test_half_characters_in_a_file_are_shown_as_escapes(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text(json.dumps(GOOD | {"message": "\ud800", "method": "m\udfff\x1b[31m", "problem": "p\ud800"}))
    ((result,), warnings) = read_results([out])
    assert not warnings
    assert (result.message, result.method) == ("\\ud800", "m\\udfff\\x1b[31m")
    for suffix in (".html", ".csv", ".md", ".tex"):
        write_report(tmp_path / f"report{suffix}", review([result]))


def test_a_comparison_tells_of_damaged_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", pretend)
    out = tmp_path / "out.jsonl"
    compare(["XoX"], ["dfs"], out=out)
    out.write_text("hello\n" + out.read_text())
    done = CliRunner().invoke(cli, ["compare", "XoXX", "-m", "dfs", "--out", str(out)], standalone_mode=False)
    assert f"{out}:1: not a line of results, skipped" in done.stderr
    assert done.return_value == 0


def test_a_file_of_something_else_is_refused_without_a_warning_for_each_line(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>\n" * 200)
    warnings: list[str] = []
    with pytest.raises(InputError, match="no file of results"):
        ResultFile(page, warnings.append)
    assert not warnings


def test_a_line_of_any_length_takes_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.comparison.store.LONGEST_LINE", 10_000)
    path = results_file(tmp_path)
    good = path.read_bytes()
    path.write_bytes(b"x" * 100_000 + b"\n" + good + b'{"key": "' * 5_000)
    results, warnings = read_results([path])
    assert len(results) == 3
    assert warnings == [f"{path}:1: not a line of results, skipped, and 1 more line"]


def test_a_full_temporary_folder_stops_with_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkdtemp", full)
    with pytest.raises(PegcpError, match="cannot run a child process: No space left on device"):
        compare(["XoXX"], ["dfs"])


def test_a_torn_line_does_not_take_the_next_one_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", pretend)
    path = results_file(tmp_path)
    path.write_bytes(path.read_bytes()[:-50])
    compare(["XoXX"], ["dfs"], seeds=4, out=path)
    results, warnings = read_results([path])
    assert sorted(result.parameters["seed"] for result in results) == [0, 1, 2, 3]
    assert len(warnings) == 1


def test_the_last_line_of_a_run_counts_and_files_are_merged(tmp_path: Path) -> None:
    (task,) = make_tasks(["XoXX"], ["dfs"])

    def ended(reason: Reason) -> Result:
        return failed(task.problem, "dfs", reason, "", parameters=task.parameters, versions=task.versions)

    for name, reason in (("a", Reason.TIME), ("b", Reason.ERROR)):
        with ResultFile(tmp_path / name) as file:
            file.append(task, ended(reason))
            file.append(task, ended(Reason.MEMORY))  # not replaced
    assert [r.reason for r in read_results([tmp_path / "a"])[0]] == [Reason.TIME]
    assert [r.reason for r in read_results([tmp_path / "a", tmp_path / "b"])[0]] == [Reason.ERROR]
    with ResultFile(tmp_path / "a") as file:
        file.append(task, ended(Reason.MEMORY), replace=True)
    assert [r.reason for r in read_results([tmp_path / "a"])[0]] == [Reason.MEMORY]
    with pytest.raises(InputError, match="cannot read"):
        read_results([tmp_path / "none"])


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    path = results_file(tmp_path)
    (task,) = make_tasks(["XoXX"], ["dfs"], seeds=[99])
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with ResultFile(path) as file, pytest.raises(PegcpError, match=r"cannot write results.*is complete"):
            file.append(task, pretend(task))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == before


# Other executors


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["threads", pytest.param("processes", marks=pytest.mark.long)])
def test_any_executor_will_do(tmp_path: Path, kind: str) -> None:
    make = ThreadPoolExecutor(2) if kind == "threads" else ProcessPoolExecutor(1, get_context("spawn"))
    with make as executor:
        results = compare(["XoXX", "XXXoXX"], "dfs", executor=executor, out=tmp_path / "out")
    assert [(r.status, r.method) for r in results] == [(Status.SOLVED, "dfs"), (Status.INFEASIBLE, "dfs")]
    assert len(read_results([tmp_path / "out"])[0]) == 2


def test_runs_that_an_executor_loses_are_errors_and_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(_: object) -> None:
        raise ConnectionError("the cable was cut")

    monkeypatch.setattr("pegcp.comparison.places.run_request", lose)
    with ThreadPoolExecutor(1) as executor:
        (result,) = compare(["XoXX"], ["dfs"], executor=executor, out=tmp_path / "out")
    assert result.reason is Reason.ERROR
    assert "the cable was cut" in result.message
    assert not (tmp_path / "out").read_text()


@pytest.mark.long
def test_the_example_on_an_executor() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "cluster.py"], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": SOLVED") == done.stdout.count(": INFEASIBLE") == 2


# kill -9


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def grows(path: Path, before: int) -> bool:
    return becomes_true(lambda: size(path) > before, 60)


def killing_matrix(folder: Path, runs: int, kills: int, seed: int) -> None:
    """Restart an experiment after kill -9 at random moments; in the end each run is there once."""
    rng = random.Random(seed)
    written(folder, f'problems = ["XoXX", "XXXoXXoX"]\nmethods = ["dfs"]\nseeds = {runs // 2}\nworkers = 1')
    command = [
        sys.executable,
        "-m",
        "pegcp",
        "compare",
        "--experiment",
        "experiment.toml",
        "--out",
        "out.jsonl",
        "--jobs",
        "2",
    ]
    environment = {**os.environ, "TMPDIR": str(folder)}
    for round_ in range(kills + 1):
        before = size(folder / "out.jsonl")
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if round_ < kills:
            assert grows(folder / "out.jsonl", before)
            time.sleep(rng.uniform(0, 0.1))
            children = [*keepers(process.pid), *processes_of_runs(process.pid)]
            process.kill()
            process.wait()
            assert all_end(children, 5)
        else:
            assert process.wait(300) == 0
    lines = (folder / "out.jsonl").read_text().splitlines()
    keys = Counter(json.loads(line)["key"] for line in lines if line.startswith("{") and line.endswith("}"))
    assert len(keys) == runs
    for key, times in keys.items():  # twice where a look for a certificate came later, which the second line tells of
        looked = ["certificate_seconds" in line for line in lines if key in line]
        assert times == 1 or looked == [False, True]
    results, _ = read_results([folder / "out.jsonl"])
    assert Counter(result.status for result in results) == {Status.SOLVED: runs // 2, Status.INFEASIBLE: runs // 2}


@pytest.mark.long
def test_a_killed_experiment_goes_on(tmp_path: Path) -> None:
    killing_matrix(tmp_path, runs=20, kills=1, seed=1)


@pytest.mark.slow
def test_an_experiment_survives_twenty_kills(tmp_path: Path) -> None:
    killing_matrix(tmp_path, runs=200, kills=20, seed=2)


def test_a_method_may_have_a_name(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    text = 'problems = ["XoXX"]\nmethods = [{ name = "mine", method = "dfs:symmetry=off" }, "dfs"]\n'
    path.write_text(text)
    table = pegcp.compare(experiment=path, out=tmp_path / "r.jsonl")
    assert [result.method for result in table] == ["dfs:symmetry=off", "dfs"]
    assert "\n XoXX      mine     SOLVED" in str(table)
    assert [score.method for score in sorted(table.scores(), key=str)] == ["dfs", "mine", "virtual best"]
    table.report(tmp_path / "r.csv")
    assert ",mine," in (tmp_path / "r.csv").read_text()
    said = typed("report", str(tmp_path / "r.jsonl"), "--experiment", str(path))
    assert " mine " in said
    assert [task.choice.label for task in read_experiment(path, seeds=2).tasks] == ["mine", "mine", "", ""]
    path.write_text(text.replace('"dfs"]', '{ name = "mine", method = "dfs" }]'))
    with pytest.raises(InputError, match="mine is the name of two methods: dfs:symmetry=off and dfs"):
        read_experiment(path)
    path.write_text(text.replace("method =", "methods ="))
    with pytest.raises(InputError, match=r"methods\[0\]"):
        read_experiment(path)


def test_equal_methods_of_two_names_are_two_rows_of_one_run(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text(
        'problems = ["XoXX"]\nmethods = [{ name = "a", method = "dfs" }, { name = "b", method = "dfs" },'
        ' "dfs:symmetry=on", "dfs:symmetry=off"]\n'
    )
    table = pegcp.compare(experiment=path, out=tmp_path / "r.jsonl")
    assert [result.method for result in table] == ["dfs", "dfs:symmetry=off"]
    names = ["a", "b", "dfs:symmetry=on", "dfs:symmetry=off"]
    assert re.findall(r"^ XoXX +(\S+)", str(table), re.MULTILINE) == names
    assert {score.method for score in table.scores()} == {*names, "virtual best"}
    assert {*names} <= {*typed("report", str(tmp_path / "r.jsonl"), "--experiment", str(path)).split()}


def test_a_hundred_thousand_runs_are_planned_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "e.toml"
    path.write_text('problems = ["english:*", "XoXX"]\nmethods = ["dfs", "rounds", "bfs"]\n')
    monkeypatch.setattr(road, "run", pretend)

    def seconds(seeds: int) -> float:
        began = time.process_time()
        todo = read_experiment(path, seeds=seeds).tasks
        assert len(todo) == 102 * seeds
        assert len({task.key for task in todo}) == len(todo)
        return time.process_time() - began

    seconds(1)
    assert seconds(80) < 16 * seconds(10)


def test_two_commands_retry_each_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, made = tmp_path / "r.jsonl", list[int]()

    def fail(task: Task, *_: object) -> Result:
        made.extend([task.limits.seed] * (task.choice.text == "dfs"))
        return replace(pretend(task), status=Status.UNKNOWN, reason=Reason.TIME, jumps=None)

    todo = make_tasks(["XoXX"], ["dfs"], seeds=6)
    monkeypatch.setattr(road, "run", fail)
    schedule.run_all(todo, out=file)
    assert sorted(made) == [*range(6)]
    made.clear()
    second = ResultFile(file)  # a command that has begun, and goes on while another one retries all
    monkeypatch.setattr(schedule, "ResultFile", lambda *_: second)
    results = ResultFile(file)
    with results:
        for task in todo:
            results.append(task, fail(task), replace=True, retried=True)
    made.clear()
    schedule.run_all(todo, out=file, retry=True)
    assert made == []
    monkeypatch.undo()
    monkeypatch.setattr(road, "run", fail)
    schedule.run_all(todo, out=file, retry=True)  # a new one does
    assert sorted(made) == [*range(6)]


def test_no_run_is_scheduled_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road, "run", pretend)
    seen: list[int] = []
    todo = make_tasks(["XoXX"], ["dfs", "moves"], seeds=50)
    schedule.run_all(todo, jobs=4, on_event=lambda e: seen.append(e.index) if e.kind == "start" else None)
    assert sorted(seen) == list(range(100))


@pytest.mark.parametrize(
    "content",
    [b'{"key": "of the house"}', b'{"key": 5', b" " * 1001 + b"mine", b" " * 5000, b"mine", b'{"key": "0123', b""],
)
def test_only_a_file_of_results_is_appended_to(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    if content in (b"", b'{"key": "0123'):  # a torn first line
        ResultFile(file).__exit__()
    else:
        with pytest.raises(InputError, match="no file of results"):
            ResultFile(file)
    assert file.read_bytes() == content


def test_results_are_not_written_through_a_link_to_nothing(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "other")
    with pytest.raises(InputError, match="not there"):
        ResultFile(link)
    assert not (tmp_path / "other").exists()
    (tmp_path / "other").touch()
    ResultFile(link).__exit__()


def test_many_lines_that_are_no_results_are_one_warning(tmp_path: Path) -> None:
    file = tmp_path / "file"
    compare(["XoXX"], ["dfs"], out=file)
    file.write_bytes(file.read_bytes() + b"garbage\n" * 10_000)
    warnings: list[str] = []
    ResultFile(file, warnings.append).__exit__()
    assert len(warnings) == 1
    assert "9999 more lines" in warnings[0]
    results, warnings = read_results([file])
    assert len(results) == 1
    assert warnings == [f"{file}:2: not a line of results, skipped, and 9999 more lines"]


@pytest.mark.long
def test_a_line_of_more_values_than_fit_in_memory_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"key": "0123456789abcdef", "problem": [' + "[]," * 6_000_000 + "[]]}\n")
    command = f"ulimit -v 1500000; exec {sys.executable} -m pegcp report {path}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 2
    assert "not a line of results, skipped" in done.stderr
