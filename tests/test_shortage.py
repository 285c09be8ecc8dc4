"""Something is short or absent: memory, descriptors, outputs, the path of Python. One sentence each, no traceback."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pegcp
from pegcp.checking.verification import verify
from pegcp.cli import end_at_once
from pegcp.cli.console import Exit, interruption
from pegcp.cli.main import cli, main
from pegcp.errors import PegcpError

ROOT = Path(__file__).parent.parent
PEGCP = f"{sys.executable} -m pegcp"
EACH_CLOSED = tuple(" ".join(some) for n in (1, 2, 3) for some in itertools.combinations(("<&-", ">&-", "2>&-"), n))


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell ran in which Ctrl-C does what it does at a terminal."""
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.parametrize("python", [None, "", "/nowhere/python"])
def test_where_python_is_not_known_a_run_and_a_check_are_one_clear_error(
    python: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    monkeypatch.setattr("pegcp.running.host._take_keeper", lambda modules: start(modules))
    from pegcp.running.host import _start_keeper as start

    match = "No such file" if python else r"sys\.executable does not say where Python is"
    with pytest.raises(PegcpError, match=match):
        pegcp.solve("XoXX", "dfs")
    with pytest.raises(PegcpError, match=match):
        pegcp.prove("XoXXo", tmp_path / "proof")
    with pytest.raises(PegcpError, match=match):
        verify(pegcp.problem("XXoXo"), {"kind": "cases", "tree": [["stuck"]]})


@pytest.mark.thorough
def test_what_is_no_path_in_the_path_of_python_is_passed_over() -> None:
    code = (
        "import sys, pegcp; sys.path.insert(0, None)\n"
        "from pegcp.comparison.experiment import make_tasks\n"
        "print(pegcp.compare('XoXX', 'dfs')[0].verdict, *make_tasks(['XoXX'], ['moves'])[0].versions)\n"
        "print(len(pegcp.methods()) > 10)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "SOLVED pegcp python ortools model\nTrue\n", done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kilobytes", "command"),
    [
        (20_000, "next XoXX"),
        (60_000, "solve XoXX"),
        *(pytest.param(*more, marks=pytest.mark.long) for more in ((30_000, "solve XoXX"), (60_000, "next XoXX"))),
    ],
)
def test_too_little_memory_is_one_line(kilobytes: int, command: str) -> None:
    done = shell(f"ulimit -v {kilobytes}; exec {PEGCP} {command}")
    assert done.returncode in (0, Exit.BAD_INPUT, Exit.NO_ANSWER), done.stderr
    if done.returncode == Exit.BAD_INPUT:
        assert (done.stderr.startswith("pegcp: "), done.stderr.count("\n")) == (True, 1), done.stderr
    else:
        assert (done.stderr, done.stdout.count("\n") < 6) == ("", True), done.stdout


DESCRIPTORS = """
import os, resource, pegcp
from pegcp.checking.verification import verify
pegcp.solve("XoXX", "dfs")  # what is loaded later is loaded now
hard, used = resource.getrlimit(resource.RLIMIT_NOFILE)[1], len(os.listdir("/proc/self/fd")) - 1
question = pegcp.problem("XXo")
for more in range(16):
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + more, hard))
    for ask in (
        lambda: pegcp.solve("XoXX", "dfs").verdict,
        lambda: verify(question, {"kind": "cases", "tree": [["stuck"], more]}),
    ):
        try:
            print(ask())
        except pegcp.PegcpError as error:
            print(str(error).rpartition(": ")[2])
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how many descriptors are open")
def test_too_few_descriptors_are_one_clear_error() -> None:
    done = subprocess.run([sys.executable, "-c", DESCRIPTORS], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    assert set(answers) == {
        "Too many open files",
        "SOLVED",
        "the goal is reached",
        "node 1: the goal is reached",
    } & set(answers)
    assert {"Too many open files", "SOLVED"} <= set(answers)
    assert len(answers) == 32


@pytest.mark.thorough
@pytest.mark.parametrize(
    "number",
    [
        6,
        12,
        *(pytest.param(n, marks=pytest.mark.long) for n in (8, 10, 14, 17)),
        *(pytest.param(n, marks=pytest.mark.slow) for n in (7, 9, 11, 13, 15, 16, 18, 19, 20)),
    ],
)
def test_a_shell_with_few_descriptors_gets_an_answer_or_one_line(number: int) -> None:
    done = shell(f"ulimit -n {number}; exec {PEGCP} solve XoXX -m dfs")
    assert done.returncode in (0, Exit.BAD_INPUT), (done.stdout, done.stderr)
    assert done.returncode == 0 or done.stderr == "pegcp: cannot run a child process: Too many open files\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "closed"),
    [
        ("solve XoXX -m dfs", ("<&- >&- 2>&-",)),
        ("explain XoX", (">&-", "<&- 2>&-")),
        ("models moves", ("<&- >&-",)),
        *(
            pytest.param(command, EACH_CLOSED, marks=pytest.mark.slow)
            for command in ("solve XoXX", "compare XoXX -m dfs,rounds", "explain XoX")
        ),
    ],
)
def test_outputs_that_were_closed_end_nothing(command: str, closed: tuple[str, ...]) -> None:
    for outputs in closed:
        done = shell(f"exec {PEGCP} {command} {outputs}")
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), (outputs, done.stderr)


# Ctrl-C at the beginning and at the end


@pytest.mark.parametrize(
    ("trouble", "status", "said"),
    [
        ("import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(30)", Exit.INTERRUPTED, ""),
        (
            "import os, signal\ntry: os.kill(os.getpid(), signal.SIGINT)\nexcept KeyboardInterrupt: raise ImportError",
            Exit.INTERRUPTED,
            "",
        ),
        ("raise MemoryError", Exit.BAD_INPUT, "pegcp: cannot be loaded: out of memory\n"),
        ("raise ImportError('no memory for click')", Exit.BAD_INPUT, "pegcp: cannot be loaded: no memory for click\n"),
    ],
)
def test_trouble_while_the_command_line_is_loaded_is_no_traceback(
    trouble: str, status: Exit, said: str, tmp_path: Path
) -> None:
    (tmp_path / "click.py").write_text(trouble)
    done = shell(f"exec {sys.executable} -m pegcp boards", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert (done.returncode, done.stderr) == (status, said)


def test_the_handler_of_the_beginning_gives_way_to_that_of_the_commands() -> None:
    before = {
        signum: signal.getsignal(signum) for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
    }
    try:
        signal.signal(signal.SIGINT, end_at_once)
        interruption.install()
        assert signal.getsignal(signal.SIGINT) is interruption
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


@pytest.mark.parametrize("place", ["setitimer", "getsignal"])
def test_a_second_ctrl_c_while_the_first_one_ends_the_command_is_no_traceback(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = [signal.SIGINT]

    def fail(*_: object, **__: object) -> None:
        interruption(signal.SIGINT, None)

    def interrupt(_: int, seconds: float = 0, *__: float) -> None:
        if seconds == 0 and second:
            interruption(second.pop(), None)

    monkeypatch.setattr(interruption, "install", lambda: None)
    monkeypatch.setattr(interruption, "signal", 0)
    monkeypatch.setattr(cli, "main", fail)
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)
    monkeypatch.setattr(signal, place, interrupt)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == Exit.INTERRUPTED
    assert not second
