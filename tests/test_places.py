"""Runs on clusters: made once, none lost, whatever dies meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from parts import need

from pegcp import InputError, compare, machine
from pegcp.comparison import places
from pegcp.comparison.experiment import make_tasks
from pegcp.comparison.places import Place, run_request, with_versions
from pegcp.comparison.schedule import run_all
from pegcp.comparison.store import read_results
from pegcp.method import Wishes
from pegcp.running.messages import Request

ROOT = Path(__file__).parent.parent


class InThreads(Place):
    """Two workers in this process, which know no file."""

    slots = 2.0

    def __init__(self, *versions: str) -> None:
        self.pool, self.versions = ThreadPoolExecutor(2), versions
        self.requests: list[Request] = []

    def start(self, request: Request, note: Any) -> Future[dict[str, Any]]:
        self.requests.append(request)
        return self.pool.submit(run_request, request, note)

    def ask(self, function: Any, *arguments: Any) -> dict[str, Any]:
        answer = function(*arguments)
        return {
            f"worker {n}": {backend: {**about, "python": version} for backend, about in answer.items()}
            for n, version in enumerate(self.versions)
        }


def test_rows_are_known_by_the_versions_of_the_workers(tmp_path: Path) -> None:
    todo, where = make_tasks(["XoXX", "XXoX"], ["dfs"]), InThreads("3.99.1", "3.99.1")
    out = tmp_path / "out.jsonl"
    run_all(todo, elsewhere=where, out=out)
    assert len(where.requests) == 2
    run_all(todo, elsewhere=where, out=out)
    assert len(where.requests) == 2  # found by the versions of the workers
    assert len(out.read_text().splitlines()) == 2


def test_workers_that_differ_are_refused() -> None:
    with pytest.raises(InputError, match=r"worker 0 has .*python 3\.9.*, and worker 1 has .*python 3\.8"):
        with_versions(make_tasks(["XoXX"], ["dfs"]), InThreads("3.9", "3.8"))


@pytest.mark.thorough
def test_a_model_file_travels_with_the_modules_beside_it(tmp_path: Path) -> None:
    model = (ROOT / "models" / "moves.py").read_text("utf-8")
    (tmp_path / "mine.py").write_text(model.replace("\nfrom pegcp", "\nimport beside\nfrom pegcp", 1))
    (tmp_path / "beside.py").write_text("x = 1\n")
    (task,) = make_tasks(["XoXX"], [f"{tmp_path / 'mine.py'}:order=off"])
    request = task.request(elsewhere=True)
    (tmp_path / "mine.py").unlink()
    (tmp_path / "beside.py").unlink()
    result = run_request(request)
    assert result["status"] == "SOLVED"
    assert result["versions"]["model"] == task.versions["model"]


def test_a_hint_travels_with_the_run() -> None:
    (task,) = make_tasks(["XoXX"], ["moves"])
    task = replace(task, wishes=Wishes(hint=tuple(task.problem.board.jumps[:1])))
    assert run_request(task.request(elsewhere=True))["parameters"]["hint"] == task.parameters["hint"] != ""


def test_an_unknown_place_or_two_places_are_refused() -> None:
    with pytest.raises(InputError, match='no place "dusk"'):
        places.place("dusk:here")
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="one place"):
        compare("XoXX", "dfs", on="dask:x", executor=pool)


PLUGIN = """
from pegcp.comparison.places import Place
def number(address):
    return 5
def place(address):
    return Place()
"""


@pytest.mark.parametrize(
    ("point", "fault"),
    [
        ("nothing:AT_ALL", "the place theirs does not load: ModuleNotFoundError"),
        ("their_places:number", "the place theirs is 5: it must be a .*Place that defines start"),
        ("their_places:place", "the place theirs is .*: it must be a .*Place that defines start"),
    ],
)
def test_a_place_of_another_package_that_is_none_is_refused(
    point: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_places.py").write_text(PLUGIN)
    (tmp_path / "theirs-1.0.dist-info").mkdir()
    (tmp_path / "theirs-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (tmp_path / "theirs-1.0.dist-info" / "entry_points.txt").write_text(f"[pegcp.places]\ntheirs = {point}\n")
    monkeypatch.syspath_prepend(tmp_path)
    machine.plugins.cache_clear()
    try:
        with pytest.raises(InputError, match=fault):
            places.place("theirs:here")
    finally:
        machine.plugins.cache_clear()


@pytest.mark.parametrize("executor", [5, "threads", ThreadPoolExecutor])
def test_an_executor_that_is_none_is_refused(executor: Any) -> None:
    with pytest.raises(InputError, match="executor must be one of concurrent"):
        compare("XoXX", "dfs", executor=executor)


# A cluster of processes


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Cluster:
    """A scheduler and two workers on the loopback address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.address = folder, f"tcp://127.0.0.1:{free_port()}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()
        for _ in range(2):
            self.start_worker()

    def start_scheduler(self) -> None:
        self.scheduler = self._start("scheduler", "--host", self.address, "--no-dashboard")

    def start_worker(self) -> None:
        options = [self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        options += ["--local-directory", str(self.folder)]
        self.workers.append(self._start("worker", *options))

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        code = f"from distributed.cli.dask_{what} import main; main()"
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen([sys.executable, "-c", code, *options], stdout=log, stderr=log)

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    need("distributed")
    started = Cluster(tmp_path)
    yield started
    started.close()


def start_compare(cluster: Cluster, folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pegcp", "compare", "XoXX", "XXoX", "triangle10", "-m", "dfs,constraint,moves"]
    command += ["--seeds", "3", "--on", f"dask:{cluster.address}", "--out", str(folder / "out.jsonl"), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_lines(path: Path, process: subprocess.Popen[str], number: int) -> None:
    while not path.exists() or len(path.read_text().splitlines()) < number:
        assert process.poll() is None
        time.sleep(0.02)


def check_each_run_once(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(lines) == len({line["key"] for line in lines}) == 27
    assert all(line["provenance"]["worker"].startswith("tcp://") for line in lines)
    results, warnings = read_results([path])
    assert [str(result.status) for result in results] == ["SOLVED"] * 27
    assert not warnings


@pytest.mark.thorough
def test_runs_on_dask_survive_a_killed_worker(cluster: Cluster, tmp_path: Path) -> None:
    process = start_compare(cluster, tmp_path)
    wait_for_lines(tmp_path / "out.jsonl", process, 3)
    cluster.workers[0].kill()
    process.communicate(timeout=120)
    assert process.returncode == 0
    check_each_run_once(tmp_path / "out.jsonl")


@pytest.mark.thorough
def test_runs_on_dask_are_resumed_after_the_scheduler_was_killed(cluster: Cluster, tmp_path: Path) -> None:
    process = start_compare(cluster, tmp_path)
    wait_for_lines(tmp_path / "out.jsonl", process, 3)
    cluster.scheduler.kill()
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "Traceback" not in errors
    assert "the same command goes on" in errors
    made = len((tmp_path / "out.jsonl").read_text().splitlines())
    again = Cluster(tmp_path)
    try:
        process = start_compare(again, tmp_path)
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0
        check_each_run_once(tmp_path / "out.jsonl")
        assert 3 <= made < 27
    finally:
        again.close()


@pytest.mark.thorough
def test_ctrl_c_stops_the_runs_on_dask(cluster: Cluster, tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    (tmp_path / "beating.py").write_text(
        f"""'''A search without end.'''
import time
from pathlib import Path

GOALS = ("exact", "one-peg", "partial")
OBJECTIVES = ("any",)


def search(problem, run, options=None):
    while True:
        Path({str(beat)!r}).write_text(str(time.time()))
        time.sleep(0.05)
"""
    )
    command = [sys.executable, "-m", "pegcp", "compare", "XoXX", "-m", str(tmp_path / "beating.py")]
    command += ["--on", f"dask:{cluster.address}"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what started the tests may ignore it
    )
    while not beat.exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    while time.time() - beat.stat().st_mtime < 1:  # if the run goes on, until the time of the test is over
        time.sleep(0.2)


@pytest.mark.thorough  # Dask waits ten seconds for one
def test_without_a_scheduler_one_line_says_how_to_start_one() -> None:
    need("distributed")
    with pytest.raises(InputError, match="dask scheduler"):
        places.place(f"dask:tcp://127.0.0.1:{free_port()}")


SBATCH = """#!/bin/sh
cp "$1" {folder}/job.sh
setsid sh {folder}/job.sh >{folder}/job.log 2>&1 &
echo "Submitted batch job $!"
"""


@pytest.mark.thorough
def test_workers_are_started_by_slurm(tmp_path: Path) -> None:
    need("distributed", "dask_jobqueue")
    for name, text in {"sbatch": SBATCH.format(folder=tmp_path), "scancel": '#!/bin/sh\nkill -- "-$1"\n'}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    command = [sys.executable, "-m", "pegcp", "compare", "XoXX", "-m", "dfs", "--json"]
    command += ["--on", "dask-slurm:debug,cores=1,memory=2GB"]
    path = f"{tmp_path}:{os.environ['PATH']}"
    run = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)[0]["provenance"]["worker"].startswith("tcp://")
    assert "#SBATCH -p debug" in (tmp_path / "job.sh").read_text()


@pytest.mark.parametrize("text", ["debug,cores=many", "debug,memory=", "debug,jobs"])
def test_settings_of_slurm_at_fault_are_refused(text: str) -> None:
    need("distributed", "dask_jobqueue")
    with pytest.raises(InputError, match="QUEUE,cores=8"):
        places.place(f"dask-slurm:{text}")


# Ray


@pytest.mark.thorough
def test_runs_on_ray_are_made_by_its_workers(tmp_path: Path) -> None:
    need("ray")
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))  # paths of sockets are short
    ray = [sys.executable, "-m", "ray.scripts.scripts"]
    options = [f"--port={free_port()}", "--num-cpus=4", "--include-dashboard=false", "--disable-usage-stats"]
    cluster = subprocess.Popen([*ray, "start", "--head", "--block", *options, f"--temp-dir={folder}"])
    try:
        command = [sys.executable, "-m", "pegcp", "compare", "XoXX", "XXXoXX", "-m", "dfs", "--seeds", "2"]
        command += ["--on", f"ray:127.0.0.1:{options[0].removeprefix('--port=')}", "--out", str(tmp_path / "r.jsonl")]
        said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert said.returncode == 0, said.stderr
    finally:
        cluster.terminate()
        cluster.wait()
        shutil.rmtree(folder, ignore_errors=True)
    results, _ = read_results([tmp_path / "r.jsonl"])
    assert [result.verdict for result in results] == ["SOLVED", "SOLVED", "INFEASIBLE", "INFEASIBLE"]
