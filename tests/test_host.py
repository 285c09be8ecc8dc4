"""Programs that use pegcp and have processes of their own: they and their state stay as they are."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from processes import all_end, becomes_true, is_alive, keepers, one_run, processes_of_runs

from pegcp import machine
from pegcp.backends.program import execute
from pegcp.errors import PegcpError
from pegcp.method import Reason, Run
from pegcp.results.result import Result

ROGUE = Path(__file__).parent / "data" / "rogue"

HOST = """
import asyncio, ctypes, multiprocessing, os, signal, subprocess, sys, threading, time
import pegcp

signal.signal(signal.SIGINT, signal.default_int_handler)  # what started the tests may ignore it

def code(number):  # a child that ends when its input does
    return [sys.executable, "-c", f"import sys; sys.stdin.read(); sys.exit({number})"]

async def start_and_wait():
    started = await asyncio.create_subprocess_exec(*code(5), stdin=asyncio.subprocess.PIPE)
    numbers.append(started.pid)
    await asyncio.to_thread(over.wait)
    started.stdin.close()
    return await started.wait()

def alive(number):
    return open(f"/proc/{number}/stat").read().rpartition(")")[2].split()[0] != "Z"

def state():
    flag = ctypes.c_int(-1)
    ctypes.CDLL(None).prctl(37, ctypes.byref(flag), 0, 0, 0)  # PR_GET_CHILD_SUBREAPER
    return flag.value, [signal.getsignal(n) for n in signal.valid_signals()], signal.pthread_sigmask(0, [])

ended = []
signal.signal(signal.SIGCHLD, lambda *_: ended.append("a child"))
over, numbers, codes = threading.Event(), [], []
pool = multiprocessing.get_context("fork").Pool(2)
popens = [subprocess.Popen(code(3), stdin=-1), subprocess.Popen(code(4), stdin=-1, start_new_session=True)]
thread = threading.Thread(target=lambda: codes.append(asyncio.run(start_and_wait())))
thread.start()
while not numbers:
    time.sleep(0.01)
numbers += [child.pid for child in (*popens, *multiprocessing.active_children())]
before = state()

def interrupt():
    while not os.path.exists("pids") or len(open("pids").read().split()) < 8:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    pegcp.compare(["XoXX", "XXo"], ["rogue:does=family-forever"], jobs=2)
except KeyboardInterrupt:
    pass
else:
    sys.exit("not interrupted")
assert state() == before
assert len(numbers) == 5 and all(map(alive, numbers)), numbers
assert pool.map(abs, [-1, -2]) == [1, 2]
for child in popens:
    child.stdin.close()
assert [child.wait() for child in popens] == [3, 4]
over.set()
thread.join()
assert codes == [5]
pool.close()
pool.join()
try:
    print("left:", os.wait())
except ChildProcessError:
    print("well")
"""

FORKING = """
import ctypes, os, sys, threading, time
import pegcp

threading.Thread(target=pegcp.solve, args=["XoXX", "rogue:does=family-forever"]).start()
while not os.path.exists("pids") or len(open("pids").read().split()) < 4:
    time.sleep(0.01)
if FORK() == 0:
    time.sleep(1000)
open("forked", "w").close()
time.sleep(1000)
"""


@pytest.fixture(autouse=True)
def rogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ROGUE))
    monkeypatch.setenv("PYTHONPATH", str(ROGUE))
    monkeypatch.setenv("ROGUE_PIDS", str(tmp_path / "pids"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    machine.plugins.cache_clear()
    yield
    machine.plugins.cache_clear()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the state of processes")
def test_a_host_keeps_its_children_their_exit_codes_its_handlers_and_its_state(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOST], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.returncode) == ("well\n", 0), done.stderr
    for number in (tmp_path / "pids").read_text().split():
        assert not psutil.pid_exists(int(number))
    assert becomes_true(lambda: not list(tmp_path.glob("pegcp-*")))


@pytest.mark.long
@pytest.mark.parametrize("fork", ["os.fork", "ctypes.PyDLL(None).fork"])  # the second one tells Python nothing
def test_a_fork_of_a_killed_host_keeps_no_run_alive(fork: str, tmp_path: Path) -> None:
    host = subprocess.Popen([sys.executable, "-c", FORKING.replace("FORK", fork)], cwd=tmp_path)
    assert becomes_true((tmp_path / "forked").exists, 60)
    forks = psutil.Process(host.pid).children()
    assert becomes_true(lambda: len([*keepers(host.pid), *processes_of_runs(host.pid)]) == 5)  # none is starting
    runs = [*keepers(host.pid), *processes_of_runs(host.pid)]
    host.kill()  # it is not reaped yet
    try:
        assert all_end(runs, 5)
        assert [is_alive(process) for process in forks] == [True]
        assert becomes_true(lambda: not list(tmp_path.glob("pegcp-*")))
    finally:
        for process in forks:
            process.kill()
        host.wait()


@pytest.mark.long
@pytest.mark.parametrize("which", ["keeper", "worker"])
def test_killing_a_process_of_a_run_harms_nothing_else(which: str, tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
    results: list[Result] = []
    thread = threading.Thread(
        target=lambda: results.append(one_run("XoXX", "rogue:does=family-forever", time_limit=20))
    )
    thread.start()
    pids = tmp_path / "pids"
    assert becomes_true(lambda: pids.exists() and len(pids.read_text().split()) == 4)
    worker, *others = (psutil.Process(int(pid)) for pid in pids.read_text().split())
    keeper = psutil.Process(worker.ppid())
    {"worker": worker, "keeper": keeper}[which].kill()
    thread.join(30)
    assert results[0].reason is Reason.ERROR
    assert all_end([worker])
    if which == "keeper":  # it cannot end what is not its child any more
        for process in others:
            process.kill()
    assert all_end(others)
    assert child.poll() is None
    child.communicate(b"\n")
    assert child.returncode == 0
    assert becomes_true(lambda: not list(tmp_path.glob("pegcp-*")))
    assert one_run("XoXX", "dfs").answered


@pytest.mark.thorough
def test_a_host_that_ignores_its_children_gets_exit_codes(tmp_path: Path) -> None:
    code = (
        "import pegcp, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "print(pegcp.compare('XoXX', {!r})[0].message)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code.format("rogue:does=exit")], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "exit status 3" in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("code", "end"),
    [
        # The process that becomes the keeper ends at once, and the order that is sent to it is too much.
        (
            "signal.signal(signal.SIGPIPE, signal.SIG_DFL); host._KEEPER = ''; print(solve('rogue').reason)",
            "ERROR",
        ),
        # What is printed meanwhile must not reach the keeper.
        ("os.close(1); sys.stderr.write(solve('rogue:does=report', on_progress=print_to_1).reason)", "TIME"),
    ],
)
def test_a_host_survives_a_keeper_that_ended_and_a_run_a_closed_output(code: str, end: str, tmp_path: Path) -> None:
    setting = """
import os, signal, sys
from pegcp.comparison.experiment import make_tasks
from pegcp.running import host
from pegcp.running.road import run
def solve(method, on_progress=None):
    return run(make_tasks(["english:d4!"], [method], time_limit=0.5)[0], on_progress)
def print_to_1(progress):
    try:
        os.write(1, b"a word")
    except OSError:
        pass
"""
    done = subprocess.run(
        [sys.executable, "-c", setting + code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ((done.stdout + done.stderr).strip(), done.returncode) == (end, 0)


def test_a_current_folder_that_was_removed_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert one_run("XoXX", "dfs").answered  # its keeper waits
    monkeypatch.chdir(folder)
    folder.rmdir()
    with pytest.raises(PegcpError, match="No such file"):
        one_run("XoXX", "dfs")


def test_the_group_of_a_program_is_killed_while_its_number_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states: list[str] = []
    monkeypatch.setattr(os, "killpg", lambda pid, _: states.append(psutil.Process(pid).status()))
    assert execute([sys.executable, "-c", ""], Run(), 60, str(tmp_path / "log"))[0] == 0
    assert states == [psutil.STATUS_ZOMBIE]


@pytest.mark.thorough
def test_no_socket_is_left_open_when_a_program_ends() -> None:
    code = "import pegcp; pegcp.compare(['XoXX', 'XXoX'], ['dfs', 'bfs'], time_limit=20, jobs=2)"
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


NO_FOLDER = """
import os, tempfile, pegcp
from pegcp.comparison.experiment import make_tasks
from pegcp.running.road import run
(task,) = make_tasks(["XoXX"], ["dfs"])
tempfile.tempdir = os.path.join(os.getcwd(), "nowhere")
try:
    run(task)
except pegcp.PegcpError as error:
    print(error)
tempfile.tempdir = None
print(run(task).verdict)
"""


@pytest.mark.thorough
def test_after_a_run_that_found_no_temporary_folder_the_next_one_answers(tmp_path: Path) -> None:
    command = [sys.executable, "-c", NO_FOLDER]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "cannot run a child process: No such file or directory\nSOLVED\n"
