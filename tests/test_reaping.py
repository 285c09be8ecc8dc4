"""Programs that reap children of pegcp, by signals, threads, watchers: a status is never believed alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pegcp.backends.program import execute
from pegcp.errors import PegcpError
from pegcp.method import Run

ASK = """
import pegcp
from pegcp.checking.verification import verify
print(verify(pegcp.problem("XXo"), {"kind": "cases", "tree": [["stuck"]]}))
print(verify(pegcp.problem("XoX"), {"kind": "cases", "tree": [["stuck"]]}))
print(pegcp.compare("XoXX", "dfs")[0].verdict)
"""
REAPERS = {
    "ignored over exec": "",
    "ignored": "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "handler": """
import os, signal
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
signal.signal(signal.SIGCHLD, reap)""",
    "thread": """
import os, threading, time
def reap():
    while True:
        try:
            os.wait()
        except ChildProcessError:
            time.sleep(0.0005)
threading.Thread(target=reap, daemon=True).start()""",
    "asyncio": """
import asyncio, os, threading, time
asyncio.set_child_watcher(asyncio.SafeChildWatcher())
loop = asyncio.new_event_loop()
def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    loop.call_later(0.0005, reap)
loop.call_soon(reap)
threading.Thread(target=loop.run_forever, daemon=True).start()""",
    "subreaper": """
import ctypes, os, threading, time
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
def reap():
    while True:
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            pass
        time.sleep(0.0005)
threading.Thread(target=reap, daemon=True).start()""",
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "how",
    [
        "ignored over exec",
        "handler",
        "subreaper",
        pytest.param("thread", marks=pytest.mark.long),
        *(pytest.param(how, marks=pytest.mark.slow) for how in ("asyncio", "ignored")),
    ],
)
def test_a_wrong_certificate_is_wrong_whoever_reaps(how: str) -> None:
    command = [sys.executable, "-c", REAPERS[how] + ASK]
    if how == "ignored over exec":
        command = ["bash", "-c", "trap '' CHLD; exec \"$@\"", "bash", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.splitlines() == ["node 1: the goal is reached", "None", "SOLVED"], done.stderr


def test_a_lost_exit_code_of_a_program_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kill = os.killpg

    def kill_and_reap(pid: int, signum: int) -> None:
        kill(pid, signum)
        os.waitpid(pid, 0)

    monkeypatch.setattr(os, "killpg", kill_and_reap)
    with pytest.raises(PegcpError, match="something else in this process reaps children"):
        execute([sys.executable, "-c", "raise SystemExit(3)"], Run(), 60, str(tmp_path / "log"))


ZOMBIES = """
import ctypes, psutil, sys, time
import pegcp
from pegcp.running import host
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # as the first process of a container, this one gets all orphans
pegcp.compare("XoXX", "dfs")
for keeper in host._idle[host.os.getpid()]:
    keeper.dismiss()
host._idle.clear()
latest = time.monotonic() + 10
while (left := psutil.Process().children()) and time.monotonic() < latest:
    time.sleep(0.01)
    host._reap()
print(left)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers")
def test_keepers_are_reaped_where_orphans_become_children_of_the_host() -> None:
    done = subprocess.run([sys.executable, "-c", ZOMBIES], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[]\n", done.stderr
