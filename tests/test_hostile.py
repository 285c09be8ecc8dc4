"""Models that attack the runner: every one is contained, the method after it answers, and nothing is left behind."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from pegcp import compare
from pegcp.comparison.store import read_results
from pegcp.method import Reason, Status
from pegcp.report import write_report
from pegcp.result import Result
from pegcp.running import child, warm
from pegcp.running.machine import MB

MARK = "PEGCP_HOSTILE"  # in the environment of everything that a hostile model starts
HEAD = '''"""A hostile model."""
import json, os, signal, socket, subprocess, sys, threading, time
from pathlib import Path
from pegcp.errors import InputError

BACKENDS = ("python-constraint",)
GOALS = ("one-peg",)
PROGRESS, ANSWER = int(sys.argv[2]), int(sys.argv[3])
GUARD = os.getppid()
GOOD = {"status": "UNKNOWN", "reason": "COMPLETED"}


def answer(**said):
    """Answer in place of pegcp."""
    os.write(ANSWER, json.dumps(GOOD | said).encode() + b"\\n")
    os._exit(0)


def report(line):
    os.write(PROGRESS, line)
    time.sleep(60)


def daemon(code):
    """Run code in a process of its own session that nobody is the parent of."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            exec(code)
        os._exit(0)
    os.wait()


def signal_the_warm(signum):
    """Find the guards of the same parent that wait for other runs."""

    def parent(pid):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

    for folder in Path("/proc").glob("[0-9]*"):
        words = (folder / "cmdline").read_bytes().split(b"\\0") if folder.exists() else []
        guard = any(word.endswith(b"child.py") for word in words) and parent(folder.name) == parent(GUARD)
        if guard and int(folder.name) not in (os.getpid(), os.getppid()):
            os.kill(int(folder.name), signum)
    raise ValueError("signalled")


def build(problem):
'''

TIME, MEMORY, ERROR = Reason.TIME, Reason.MEMORY, Reason.ERROR
WRONG, COMPLETED = Reason.INVALID_SOLUTION, Reason.COMPLETED

# What each model does, how its run ends, and what is said about it.
HOSTILE: dict[str, tuple[str, Reason, str]] = {
    # the folder
    "fifo-for-answer": ("os.mkfifo('../answer.json'); os._exit(0)", ERROR, "without an answer"),
    "fifo-for-progress": ("os.mkfifo('../progress.jsonl'); time.sleep(60)", TIME, ""),
    "endless-answer": ("os.symlink('/dev/zero', '../answer.json'); os._exit(0)", ERROR, "without an answer"),
    "endless-progress": ("os.symlink('/dev/zero', '../progress.jsonl'); time.sleep(60)", TIME, ""),
    "no-logs": (
        "[os.unlink(f'../{n}') for n in ('stdout', 'stderr') if os.path.exists(f'../{n}')]; time.sleep(60)", TIME, "",
    ),
    "no-folder": ("import shutil; shutil.rmtree('..', ignore_errors=True); time.sleep(60)", TIME, ""),
    "locked-folder": ("os.makedirs('a/b'); os.chmod('a', 0); os.chmod('..', 0); raise ValueError", ERROR, "ValueError"),
    "link-for-folder": ("os.symlink('/usr', 'usr'); os.symlink('..', 'up'); raise ValueError", ERROR, "ValueError"),
    "deep-folder": ("[(os.mkdir('d'), os.chdir('d')) for _ in range(3000)]; raise ValueError", ERROR, "ValueError"),
    "odd-names": ("open(b'\\xff\\x1b[31m', 'w').close(); raise ValueError", ERROR, "ValueError"),
    "sparse-log": ("os.ftruncate(2, 1 << 40); time.sleep(60)", TIME, ""),
    # answers
    "brackets": ("os.write(ANSWER, b'[' * 100_000 + b'\\n'); os._exit(0)", ERROR, "nested too deeply"),
    "not-json": ("os.write(ANSWER, b'{]\\n'); os._exit(0)", ERROR, "cannot be read"),
    "a-list": ("os.write(ANSWER, b'[1]\\n'); os._exit(0)", ERROR, "not an object"),
    "half-answer": ("os.write(ANSWER, b'{\"status\": \"SOL'); os._exit(0)", ERROR, "without an answer"),
    "binary": ("os.write(ANSWER, bytes(range(256)) + b'\\n'); os._exit(0)", ERROR, "cannot be read"),
    "no-answer": ("os._exit(0)", ERROR, "without an answer"),
    "great-answer": ("os.ftruncate(ANSWER, 1 << 33); os._exit(0)", ERROR, "larger than 16 MB"),
    "great-bound": ("answer(bound=10**400)", ERROR, "bound is not a number that can be used"),
    "huge-digits": ("os.write(ANSWER, b'{\"bound\": ' + b'9' * 9999 + b'}\\n'); os._exit(0)", ERROR, "cannot be read"),
    "infinite-bound": ("os.write(ANSWER, b'{\"bound\": 1e999}\\n'); os._exit(0)", ERROR, "cannot be read"),
    "bound-of-words": ("answer(bound='many')", ERROR, "bound is 'many', not a number"),
    "objective-list": ("answer(objective=[1])", ERROR, "objective is a list"),
    "odd-status": ("answer(status='FINE')", ERROR, "FINE"),
    "odd-reason": ("answer(reason=None)", ERROR, "cannot be read"),
    "seconds-of-words": ("answer(statistics={'build_seconds': 'long'})", ERROR, "build_seconds is 'long'"),
    "great-seconds": ("answer(statistics={'solve_seconds': 10**400})", ERROR, "solve_seconds|statistics"),
    "many-statistics": ("answer(statistics={str(i): i for i in range(10_000)})", ERROR, "10,000 entries"),
    "deep-statistics": ("answer(statistics={'a': eval('[' * 50 + ']' * 50)})", ERROR, "nested more than 20"),
    "statistics-list": ("answer(statistics=[1])", ERROR, "statistics is a list"),
    "message-list": ("answer(message=['x'])", ERROR, "message is a list"),
    "long-message": ("answer(message='x' * 15_000_000)", COMPLETED, "xxx"),
    "escaping-message": ("answer(message='\\x1b[31m\\x07')", COMPLETED, r"\\x1b\[31m\\x07"),
    "half-character": ("answer(message='\\ud800')", COMPLETED, r"\\ud800"),
    "false-certificate": (
        "answer(status='INFEASIBLE', certificate={'kind': 'class', 'holes': ['a1']})", WRONG, "certificate",
    ),
    "odd-certificate": ("answer(status='INFEASIBLE', certificate={'kind': [], 'cases': 3})", WRONG, "certificate"),
    "certificate-list": ("answer(status='INFEASIBLE', certificate=[3])", ERROR, "certificate is a list"),
    "far-jump": ("answer(status='SOLVED', jumps=[[0, 10**30, -1]])", WRONG, "not on board"),
    "invalid-and-solved": (
        "answer(status='SOLVED', reason='INVALID_SOLUTION', jumps=[[3, 2, 1], [0, 1, 2]])", WRONG, "INVALID_SOLUTION",
    ),
    "half-jump": ("answer(status='SOLVED', jumps=[[0, 1]])", ERROR, "cannot be read"),
    "jumps-of-words": ("answer(status='SOLVED', jumps='abc')", ERROR, "cannot be read"),
    "many-jumps": ("answer(status='SOLVED', jumps=[[0, 1, 2]] * 100_000)", WRONG, "impossible"),
    "no-jumps": ("answer(status='SOLVED')", WRONG, "without a solution"),
    # progress
    "flood": ("while True: os.write(PROGRESS, b'x' * 1_000_000)", ERROR, "more than 1 MB at once"),
    "flood-of-lines": ("while True: os.write(PROGRESS, b'{\"bound\": 1}\\n' * 100_000)", ERROR, "at once"),
    "sparse-progress": ("os.ftruncate(PROGRESS, 1 << 40); time.sleep(60)", ERROR, "at once"),
    "cut-progress": ("os.write(PROGRESS, b'{}\\n' * 99); os.ftruncate(PROGRESS, 0); time.sleep(60)", TIME, ""),
    "odd-progress": ("report(b'\\xff\\xfe{]\\n')", ERROR, "progress cannot be read"),
    "bound-in-words": ("report(b'{\"bound\": \"x\"}\\n')", ERROR, "bound is 'x', not a number"),
    "great-progress": ("report(b'{\"nodes\": 1e999}\\n')", ERROR, "progress cannot be read"),
    "deep-progress": ("report(b'[' * 100_000 + b'\\n')", ERROR, "nested too deeply"),
    "ever-new-progress": ("report(b''.join(b'{\"%d\": 1}\\n' % i for i in range(1000)))", ERROR, "different things"),
    "jumps-in-progress": ("report(b'{\"jumps\": [[1, 2], \"x\"]}\\n')", ERROR, "progress cannot be read"),
    # exceptions
    "half-character-raised": ("raise ValueError('\\udfff\\ud800')", ERROR, r"\\ud800"),
    "long-exception": ("raise ValueError('x' * 50_000_000)", ERROR, "ValueError: xxx"),
    "exit": ("sys.exit('bye')", ERROR, "exit status 1"),
    "interrupt": ("raise KeyboardInterrupt", ERROR, "KeyboardInterrupt|SIGINT"),
    "recursion": ("build(problem)", ERROR, "RecursionError"),
    "silent-exception": ("type('E', (Exception,), {'__str__': lambda s: 1 / 0})() and None; raise type('E', "
                         "(Exception,), {'__str__': lambda s: 1 // 0})", ERROR, "."),
    "odd-result": ("return 7", ERROR, "must return a Formulation, not int"),
    "segfault": ("os.kill(os.getpid(), signal.SIGSEGV)", ERROR, "SIGSEGV"),
    # time and memory
    "sleep": ("time.sleep(60)", TIME, ""),
    "spin": ("while True: pass", TIME, ""),
    "deaf": ("[signal.signal(s, signal.SIG_IGN) for s in (15, 2, 1)]; time.sleep(60)", TIME, ""),
    "stopped": ("os.kill(os.getpid(), signal.SIGSTOP); time.sleep(60)", TIME, ""),
    "glutton": ("x = [b'x' * 10**7 for _ in range(10**4)]", MEMORY, ""),
    "glutton-child": (
        "subprocess.Popen([sys.executable, '-c', 'x = [b\"x\" * 10**7 for _ in range(10**4)]']).wait()", MEMORY, "",
    ),
    "forks": ("[os.fork() for _ in range(6)]; time.sleep(60)", TIME, ""),
    # the guard, and leaving it
    "daemon": ("daemon('time.sleep(60)'); raise ValueError", ERROR, "ValueError"),
    "warm-killer": ("signal_the_warm(signal.SIGKILL)", ERROR, "signalled"),
    "warm-stopper": ("signal_the_warm(signal.SIGSTOP)", ERROR, "signalled"),
    "spoiler": (
        "import pegcp.game.goal as g; del g.Goal; sys.path.clear(); os.environ.clear(); raise ValueError", ERROR, ".",
    ),
    "guard-killer": ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)", ERROR, "SIGKILL"),
    "guard-stopper": ("os.kill(os.getppid(), signal.SIGSTOP); time.sleep(60)", TIME, ""),
    "guard-stopped-at-the-end": (
        "os.kill(os.getppid(), signal.SIGSTOP); raise ValueError", ERROR, "ValueError",
    ),
    "guard-killer-daemon": (
        "daemon('[daemon(\"time.sleep(60)\") for _ in range(3)]; os.kill(GUARD, 9); time.sleep(60)');"
        " time.sleep(60)", ERROR, "SIGKILL",
    ),
    "guard-stopper-daemon": (
        "daemon('while True: os.kill(GUARD, signal.SIGSTOP)'); time.sleep(60)", TIME, "",
    ),
}  # fmt: skip


def model(folder: Path, name: str) -> str:
    """The file of a hostile model."""
    path = folder / f"{name}.py"
    path.write_text(HEAD + f"    {HOSTILE[name][0]}\n", "utf-8")
    return str(path)


def marked() -> list[psutil.Process]:
    """The processes that a hostile model has left."""
    found, ours = [], {os.getpid(), *warm.kept()}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.pid not in ours and process.environ().get(MARK) == str(os.getpid()):
                found.append(process)
    return found


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv(MARK, str(os.getpid()))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield
    left = marked()
    for process in left:
        process.kill()
    assert not left
    assert not list(tmp_path.glob("pegcp-*"))


def contained(name: str, result: Result) -> None:
    """See that the run of a hostile model ended as it should."""
    _, reason, message = HOSTILE[name]
    assert (result.status, result.reason) == (Status.UNKNOWN, reason), (name, result.message)
    assert re.search(message, result.message), (name, result.message)
    assert len(result.message) < 5_000
    assert "\x1b" not in result.message


QUICK = ("locked-folder", "deep-folder", "brackets", "invalid-and-solved", "flood", "segfault")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.thorough) for name in HOSTILE]
)
def test_a_hostile_model_is_contained(name: str, tmp_path: Path) -> None:
    process = psutil.Process()
    before = process.memory_info().rss
    limit = 1.5 if HOSTILE[name][1] is TIME or "progress" in name else 20.0
    (hostile,) = compare(["XoXX"], [model(tmp_path, name)], time_limit=limit, memory_limit=400)
    contained(name, hostile)
    assert hostile.statistics["wall_seconds"] < limit + 10  # far less where the machine has nothing else to do
    assert process.memory_info().rss - before < 150 * MB


@pytest.mark.thorough
def test_a_comparison_with_hostile_models_in_it_ends_resumes_and_is_reported(tmp_path: Path) -> None:
    hostile = [model(tmp_path, name) for name in ("half-character-raised", "great-bound", "guard-killer-daemon")]
    methods = ["dfs", "bfs", *hostile, "dfs:symmetry=off", "constraint", "bidirectional"]
    problems = ["XoXX", "XXXoXXoX"]
    out = tmp_path / "out.jsonl"
    results = compare(problems, methods, time_limit=10, out=out)
    assert len(results) == 16
    assert len(out.read_text("utf-8").splitlines()) >= 16  # a look for a certificate adds the result once more
    assert sum(result.reason is Reason.ERROR for result in results) == 6
    assert all(result.answered for result in results if result.method not in hostile)
    made = []
    again = compare(problems, methods, time_limit=10, out=out, on_event=lambda event: made.append(event.kind))
    assert again == results
    assert set(made) == {"kept"}
    found, warnings = read_results([out])
    assert len(found) == 16
    assert not warnings
    for suffix in (".html", ".csv", ".md", ".tex"):
        write_report(tmp_path / f"report{suffix}", found)


@pytest.mark.parametrize("requests", [[], [b""], [b"."], [b"folder"]])
def test_a_guard_whose_parent_is_gone_removes_nothing_but_the_folder_of_a_run(
    requests: list[bytes], tmp_path: Path
) -> None:
    precious = tmp_path / "folder" / "precious"
    precious.parent.mkdir()
    precious.write_text("precious", encoding="utf-8")
    ours, theirs = socket.socketpair()
    with theirs:
        guard = subprocess.Popen(
            [sys.executable, "-P", child.__file__, json.dumps(sys.path)], stdin=theirs.fileno(), cwd=tmp_path
        )
    with ours:
        assert json.loads(ours.recv(1000))["status"] is None
        for path in requests:
            socket.send_fds(ours, [path], [os.open(os.devnull, os.O_RDWR) for _ in range(4)])
    guard.wait(30)
    assert precious.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("path", ["", ".", "/", "folder"])
def test_only_the_folder_of_a_run_is_removed(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def touched(*_: object) -> None:
        pytest.fail("it is being removed")

    with monkeypatch.context() as guarded:
        for name in ("chmod", "scandir", "rmdir", "rename", "unlink"):
            guarded.setattr(os, name, touched)
        with pytest.raises(ValueError, match="no folder of a run"):
            child.remove(Path(path))
