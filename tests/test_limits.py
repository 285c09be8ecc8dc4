"""Limits cover all work: also what pegcp does itself before and after a method runs."""

from __future__ import annotations

import importlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from asking import typed
from processes import becomes_true, processes_of_runs

import pegcp
from pegcp import machine
from pegcp.api import solve
from pegcp.cli.console import Exit, Interruption, interruption, stop_alarm
from pegcp.cli.main import cli, main
from pegcp.comparison.experiment import make_tasks
from pegcp.errors import InputError
from pegcp.method import Limits, Reason, Run
from pegcp.running.road import run
from pegcp.theory import certificates

ROOT = Path(__file__).parent.parent


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        pytest.param("solve square100:a1->? --time-limit 20", 0, marks=pytest.mark.slow),
        ("solve square48 --time-limit 0.5", 3),
        pytest.param("explain square100:a1->?", 0, marks=pytest.mark.slow),
        ("explain square48 --time-limit 0.5", 3),
        pytest.param("show line10000", 0, marks=pytest.mark.slow),
        pytest.param("export square98 -m pddl -o out", 0, marks=pytest.mark.slow),
        ("export square50 -m pddl -o out", 0),
        ("next square50:a1->? --time-limit 10", 0),
    ],
)
@pytest.mark.timeout(60)
@pytest.mark.usefixtures("own_folder")
def test_commands_keep_their_limits(arguments: str, status: int) -> None:
    """Without them they took minutes."""
    typed(*arguments.split(), status=status)


def test_linear_programs_take_no_longer_than_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr("pegcp.theory.certificates.refuting", lambda _, seconds: given.append(seconds))
    problem = pegcp.problem("english")  # neither numbers nor the class rule it out
    assert certificates.find(problem, seconds=0) is None
    assert not given
    assert certificates.find(problem, seconds=5) is None
    assert 0 < given[0] <= 5


@pytest.mark.parametrize(
    ("name", "holes"),
    [
        ("square200", "40,000"),
        ("rectangle1000x999", "999,000"),
        ("hexagon1000001", "1,000,001"),
        ("line10001", "10,001"),
        ("cycle99999", "99,999"),
    ],
)
def test_boards_that_are_too_large_say_what_will_work(name: str, holes: str) -> None:
    with pytest.raises(InputError, match=rf"would have {holes} holes; boards have 1 to 10,000, such as square100"):
        pegcp.board(name)
    with pytest.raises(InputError, match="unknown board"):
        pegcp.board("square" + "9" * 5000)


GLUTTON = '''"""Eats."""
BACKENDS = ("python-constraint",)
GOALS = ("one-peg",)
def build(problem):
    hoard = []
    while True:
        hoard.append(b"x" * 1_000_000)
'''


@pytest.mark.thorough
def test_without_a_memory_limit_the_machine_sets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "glutton.py").write_text(GLUTTON)
    monkeypatch.setattr(machine, "memory", lambda: 400.0)
    result = solve("XoXX", str(tmp_path / "glutton.py"), time_limit=60)
    assert result.reason is Reason.MEMORY
    assert re.search("more than 300 MB, the share of this machine's memory; --memory-limit", result.message)
    assert result.parameters["memory_limit"] is None  # so that the run has the same key on every machine
    (task,) = make_tasks(["XoXX"], [str(tmp_path / "glutton.py")], time_limit=60)
    shared = run(task, sharers=4)
    assert "more than 75 MB" in shared.message


def test_the_memory_of_the_machine_is_what_the_groups_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 100 < machine.memory() < 10**8
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "a" / "b").mkdir(parents=True)
        (root / "a" / "memory.max").write_text("500000000\n")
        (root / "a" / "b" / "memory.max").write_text("max\n")
        monkeypatch.setattr(machine, "_GROUPS", folder)
        read_text = Path.read_text

        def pretended(path: Path, *arguments: str) -> str:
            return "0::/a/b\n" if str(path) == "/proc/self/cgroup" else read_text(path, *arguments)

        monkeypatch.setattr(Path, "read_text", pretended)
        assert machine.memory() == 500


def test_making_machine_code_is_in_no_runs_time() -> None:
    """The clock stands still from the first function that numba begins with until it is at none."""
    pytest.importorskip("numba")
    from numba.core.event import trigger_event

    from pegcp.states.kernels.compiled import compiling_for

    said: list[dict[str, Any]] = []
    run = Run(Limits(time=0.05), report=lambda report: said.append(dict(report)))
    compiling_for(run)
    with trigger_event("numba:compile"), trigger_event("numba:compile"):
        time.sleep(0.1)
        assert run.remaining > 0
    assert 0.1 <= said[-1]["compile_seconds"] == run.pause.seconds
    assert [report["compiling"] for report in said] == [said[0]["compiling"], None]
    compiling_for(Run())


@pytest.mark.thorough
@pytest.mark.parametrize("error", ["pass", pytest.param("raise ImportError from None", marks=pytest.mark.long)])
def test_ctrl_c_ends_a_command_even_if_a_library_swallows_it(error: str, tmp_path: Path) -> None:
    (tmp_path / "swallows.py").write_text(
        "import os, signal, time\n"
        "try:\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(10)\n"
        f"except KeyboardInterrupt:\n    {error}\n"
    )
    code = (
        "import contextlib, sys, time, click\n"
        "from pegcp.cli import console\n"
        "from pegcp.cli.main import cli, main\n"
        "console._REPEAT_SECONDS = 0.2\n"
        "@cli.command()\n"
        "def loads():\n"
        "    with contextlib.suppress(ImportError):\n        import swallows\n"
        "    time.sleep(20)\n"
        "sys.argv[1:] = ['loads']\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stderr.strip()) == (130, "")


def test_a_second_ctrl_c_does_not_disturb_the_tidying_up_after_the_first() -> None:
    interruption = Interruption()
    with pytest.raises(KeyboardInterrupt):
        interruption(signal.SIGINT, None)
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        interruption(signal.SIGINT, None)
    finally:
        stop_alarm()


def test_ctrl_c_waits_for_a_module_that_is_being_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading C code prints the exception (protobuf) or makes an ImportError of it: the alarm raises afterwards."""
    interruption = Interruption()
    monkeypatch.setattr(signal, "interrupt_for_test", interruption, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "being_loaded.py").write_text(
        "import signal, sys\nsignal.interrupt_for_test(signal.SIGINT, sys._getframe())\n"
    )
    try:
        importlib.import_module("being_loaded")
        with pytest.raises(KeyboardInterrupt):
            interruption(signal.SIGALRM, sys._getframe())
    finally:
        stop_alarm()


def test_an_error_that_a_library_makes_of_ctrl_c_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        interruption.signal = signal.SIGINT
        raise ImportError("initialization failed")

    monkeypatch.setattr(interruption, "install", lambda: None)
    monkeypatch.setattr(cli, "main", fail)
    monkeypatch.setattr(interruption, "signal", 0)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == Exit.INTERRUPTED


@pytest.mark.long
@pytest.mark.parametrize("pause", [0.002, pytest.param(0.03, marks=pytest.mark.slow)])
def test_a_second_signal_while_python_ends_leaves_the_status(pause: float) -> None:
    command = [sys.executable, "-m", "pegcp", "solve", "square9", "-m", "dfs", "--log"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # some shells ignore it
    try:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        assert becomes_true(lambda: bool(processes_of_runs(process.pid)), 60)
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
        assert "Traceback" not in process.communicate(timeout=60)[1]
    assert process.returncode == Exit.INTERRUPTED
