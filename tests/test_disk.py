"""Levels on disk: the counts of levels in memory, whatever ends the process, and whoever does the tasks."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from asking import own_cache
from parts import need

import pegcp
from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run
from pegcp.states import disk
from pegcp.states.graph import level_counts

NAME = "triangle15:a1->?"
LARGE = "triangle21:a1->?"  # 7,700 position classes at most on a level

KILLED = """
import os, signal, sys
from pathlib import Path
import pegcp
from pegcp.method import Run
from pegcp.states import disk
disk._SHARD = 2000
left, replace = int(sys.argv[2]), os.replace
def counting(*paths):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*paths)
    if left == -1:
        os.kill(os.getpid(), signal.SIGKILL)
disk.os.replace = counting
print([list(c) for c in disk.levels_on_disk(pegcp.problem(sys.argv[1]), Run(), Path("."))])
"""


def in_memory(problem: Problem, symmetry: bool = True) -> list[tuple[int, ...]]:
    return [tuple(counts) for counts in level_counts(problem, Run(), symmetry)]


def on_disk(problem: Problem, folder: Path, run: Run | None = None, symmetry: bool = True) -> list[tuple[int, ...]]:
    return [tuple(counts) for counts in level_counts(problem, run or Run(), symmetry, folder)]


@pytest.mark.thorough
def test_counts_of_random_problems(
    random_problem: Callable[[int], Problem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_SHARD", 8)
    for seed in range(8):
        problem = random_problem(seed)
        expected = in_memory(problem, symmetry=seed % 2 == 0)
        folder = tmp_path / str(seed)
        assert on_disk(problem, folder, symmetry=seed % 2 == 0) == expected, seed
        assert on_disk(problem, folder, symmetry=seed % 2 == 0) == expected, seed
        left = {file.name.split("-")[0] for file in folder.iterdir()}
        assert left <= {"levels.json", "lock", str(len(expected))}


@pytest.mark.thorough
def test_goes_on_after_each_kill(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, LARGE]
    for writes in (3, 90):
        killed = subprocess.run([*command, str(writes)], cwd=tmp_path, capture_output=True, check=False)
        assert killed.returncode == -signal.SIGKILL
    finished = subprocess.run([*command, "-2"], cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = in_memory(pegcp.problem(LARGE))
    assert finished.stdout.strip() == str([list(counts) for counts in expected])
    assert {file.name.split("-")[0] for file in tmp_path.iterdir()} == {"levels.json", "lock", str(len(expected))}


@pytest.mark.thorough
def test_finished_levels_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = pegcp.problem(LARGE)
    expected = in_memory(problem)
    begun = disk.levels_on_disk(problem, Run(), tmp_path)
    assert [tuple(next(begun)) for _ in range(6)] == expected[:6]
    begun.close()

    def no_more(*_: object) -> None:
        raise OSError("no more")

    with monkeypatch.context() as patched:
        patched.setattr(disk, "_expand", no_more)
        again = disk.levels_on_disk(problem, Run(), tmp_path)
        assert [tuple(next(again)) for _ in range(6)] == expected[:6]
        with pytest.raises(OSError, match="no more"):
            next(again)
    assert on_disk(problem, tmp_path) == expected


@pytest.mark.thorough
def test_limits_keep_what_is_finished(tmp_path: Path) -> None:
    problem = pegcp.problem(LARGE)
    with pytest.raises(MemoryError):
        on_disk(problem, tmp_path, Run(Limits(memory=1)))
    with pytest.raises(TimeoutError):
        on_disk(problem, tmp_path, Run(Limits(time=0)))
    assert on_disk(problem, tmp_path) == in_memory(problem)


@pytest.mark.thorough
def test_a_full_disk(tmp_path: Path) -> None:
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, 3_000)); "
        "from pegcp.cli.main import main; sys.exit(main())"
    )
    arguments = ["graph", LARGE, "--folder", str(tmp_path / "levels")]
    full = subprocess.run(
        [sys.executable, "-c", limited, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=own_cache(tmp_path / "cache"),
    )
    assert full.returncode == 3, full.stderr
    assert "File too large" in full.stdout
    assert "goes on from there" in full.stdout
    assert on_disk(pegcp.problem(LARGE), tmp_path / "levels") == in_memory(pegcp.problem(LARGE))


def test_folders_that_are_refused(tmp_path: Path) -> None:
    problem = pegcp.problem("triangle10:a2->?")
    folder = tmp_path / "levels"
    on_disk(problem, folder)
    with pytest.raises(InputError, match="another problem"):
        on_disk(pegcp.problem("triangle10:b3->?"), folder)
    with pytest.raises(InputError, match="another problem"):
        on_disk(problem, folder, symmetry=False)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="in use"):
            on_disk(problem, folder)
    (folder / disk._STATE).write_text("{")
    with pytest.raises(InputError, match="damaged"):
        on_disk(problem, folder)
    with pytest.raises(InputError, match="other files"):
        on_disk(problem, tmp_path)
    with pytest.raises(InputError, match="81 holes"):
        on_disk(pegcp.problem("square9:a1->?"), tmp_path / "large")


def begun(folder: Path, levels: int) -> None:
    """The first levels of the triangle in a folder."""
    made = disk.levels_on_disk(pegcp.problem(NAME), Run(), folder)
    for _ in range(levels):
        next(made)
    made.close()


@pytest.mark.parametrize("flaw", ["cut", "flipped", "pipe", "link", "gone"])
def test_a_damaged_shard(flaw: str, tmp_path: Path) -> None:
    begun(tmp_path, 5)
    shard = tmp_path / "4-shard-0"
    text = shard.read_bytes()
    shard.unlink()
    match flaw:
        case "pipe":
            os.mkfifo(shard)
        case "link":
            shard.symlink_to(os.devnull)
        case "gone":
            pass
        case _:
            other = {"cut": text[:-8], "flipped": text[:-16] + text[-8:] + text[-16:-8]}
            shard.write_bytes(other[flaw])
    with pytest.raises(InputError, match="damaged"):
        on_disk(pegcp.problem(NAME), tmp_path)


def test_a_damaged_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last level was being merged when the process was killed."""
    begun(tmp_path, 5)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(disk, "_merge", killed)
        with pytest.raises(KeyboardInterrupt):
            on_disk(pegcp.problem(NAME), tmp_path)
    run = tmp_path / "4-run-0"
    text = run.read_bytes()
    for at in (0, 8, 50):
        run.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        with pytest.raises(InputError, match="damaged"):
            on_disk(pegcp.problem(NAME), tmp_path)
    run.write_bytes(text)
    assert on_disk(pegcp.problem(NAME), tmp_path) == in_memory(pegcp.problem(NAME))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("levels", []), ("levels", [[1, 0, 0]]), ("levels", [[1, 0, 0, "0"]]), ("levels", "x"),
        ("levels", [[1e300] * 4]), ("levels", [[2**63, 0, 0, 0]]), ("about", 5), ("about", None),
        ("shards", 0), ("shards", 2), ("shards", "1"), ("shards", 2**62), ("cuts", [5]), ("cuts", "x"), ("cuts", None),
    ],
)  # fmt: skip
def test_a_header_with_odd_values(key: str, value: object, tmp_path: Path) -> None:
    begun(tmp_path, 1)
    header = tmp_path / disk._STATE
    header.write_text(json.dumps({**json.loads(header.read_text()), key: value}))
    with pytest.raises(InputError, match=r"damaged|another"):
        on_disk(pegcp.problem(NAME), tmp_path)


def test_no_link_is_followed_and_nothing_is_written_to_another_folder(tmp_path: Path) -> None:
    problem, precious, folder = pegcp.problem("XoXX"), tmp_path / "precious", tmp_path / "levels"
    precious.write_text("precious")
    folder.mkdir()
    (folder / "lock").symlink_to(precious)
    with pytest.raises(InputError, match="lock"):
        on_disk(problem, folder)
    (folder / "other").touch()
    (folder / "lock").unlink()
    with pytest.raises(InputError, match="other files"):
        on_disk(problem, folder)
    (folder / "other").unlink()
    assert list(folder.iterdir()) == []
    (folder / "levels.json").symlink_to(precious)
    with pytest.raises(InputError, match="damaged"):
        on_disk(problem, folder)
    (folder / "levels.json").unlink()
    os.mkfifo(folder / "levels.json")
    with pytest.raises(InputError, match="damaged"):
        on_disk(problem, folder)
    assert precious.read_text() == "precious"


def test_a_board_without_pegs(tmp_path: Path) -> None:
    assert on_disk(pegcp.problem("ooo"), tmp_path) == in_memory(pegcp.problem("ooo")) == [(1, 0, 1, 0)]


@pytest.mark.thorough
def test_tasks_in_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_SHARD", 2000)
    problem = pegcp.problem(LARGE)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert [tuple(counts) for counts in level_counts(problem, Run(), True, tmp_path, pool)] == in_memory(problem)


@pytest.mark.thorough
def test_a_killed_worker_of_a_cluster_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("distributed")
    distributed: Any = import_module("distributed")  # its types are not those of its objects
    monkeypatch.setattr(disk, "_SHARD", 2000)
    problem = pegcp.problem(LARGE)
    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = []
        for counts in level_counts(problem, Run(Limits(time=200)), True, tmp_path, client.get_executor()):
            found.append(tuple(counts))
            if len(found) == 8:
                workers = client.run(os.getpid)
                assert len(workers) == 3
                os.kill(next(iter(workers.values())), signal.SIGKILL)
    assert found == in_memory(problem)
