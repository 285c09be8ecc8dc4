"""One run in a child process: its limits, its figures, what is said when it fails."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from processes import all_end, becomes_true, keepers, one_run, processes_of_runs, soon

import pegcp
from pegcp import machine
from pegcp.catalogue.choice import choose
from pegcp.catalogue.modelfile import LINEAR_PROGRAMS
from pegcp.comparison.experiment import make_tasks
from pegcp.errors import InputError
from pegcp.method import Answer, Limits, Reason, Status, Wishes
from pegcp.results.reading import read_result
from pegcp.results.result import Result
from pegcp.running import keeper
from pegcp.running.host import _KeeperHandle, follow
from pegcp.running.keeper import Keeper
from pegcp.running.messages import (
    Alive,
    Ended,
    Fault,
    Message,
    MessageReader,
    Reply,
    Request,
    Update,
    decode,
    decode_foreign,
    encode,
)
from pegcp.running.road import Story, run
from pegcp.running.task import Task
from pegcp.running.worker import choice_of

ROGUE = Path(__file__).parent / "data" / "rogue"


@pytest.fixture(autouse=True)
def rogue(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The rogue plug-in is installed; afterwards no process and no folder of a run is left."""
    monkeypatch.syspath_prepend(str(ROGUE))
    monkeypatch.setenv("ROGUE_PIDS", str(tmp_path / "pids"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    machine.plugins.cache_clear()
    yield tmp_path
    machine.plugins.cache_clear()
    assert becomes_true(lambda: not processes_of_runs())
    assert not list(tmp_path.glob("pegcp-*"))


def family(folder: Path, size: int = 4, seconds: float = 10) -> list[psutil.Process]:
    """The processes that the rogue started and noted, itself included."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        pids = (folder / "pids").read_text().split() if (folder / "pids").exists() else []
        if len(pids) == size:
            return [psutil.Process(int(pid)) for pid in pids]
        time.sleep(0.01)
    raise AssertionError("the rogue did not start its family")


def rogue_run(does: str, *, time_limit: float = 20, memory_limit: float | None = None, problem: str = "XoXX") -> Result:
    return one_run(problem, f"rogue:does={does}", time_limit=time_limit, memory_limit=memory_limit)


def test_a_solution_comes_back_checked_with_its_figures() -> None:
    result = one_run("triangle15", "dfs", time_limit=20, seed=3, workers=1)
    assert result.status is Status.SOLVED
    assert result.jumps is not None
    assert len(result.jumps) == 13
    assert result.replay is not None
    statistics = result.statistics
    assert 0 <= statistics["build_seconds"] + statistics["solve_seconds"] <= statistics["wall_seconds"] < 20
    assert 0 < statistics["cpu_seconds"] < 20
    assert 5 < statistics["peak_memory_mb"] < 1000
    assert result.versions["pegcp"] == pegcp.__version__
    assert result.parameters == {
        **result.parameters, "seed": 3, "workers": 1, "time_limit": 20, "memory_limit": None
    }  # fmt: skip
    assert {"host", "cores", "started"} <= result.provenance.keys()
    assert read_result(json.loads(json.dumps(result.to_json()))) == result


def test_a_tampered_result_is_refused() -> None:
    data = one_run("XoXX", "dfs").to_json()
    assert read_result(data).status is Status.SOLVED
    changes = (
        {"jumps": [["a1", "b1", "c1"]]},
        {"jumps": None},
        {"fingerprint": "0"},
        {"status": "FINE"},
        {"versions": 3},
    )
    for change in changes:
        with pytest.raises(InputError):
            read_result({**data, **change})
    with pytest.raises(InputError, match='"status"'):
        read_result({key: value for key, value in data.items() if key != "status"})


@pytest.mark.thorough
def test_model_files_are_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.py").write_text((Path(__file__).parent.parent / "models" / "constraint.py").read_text())
    monkeypatch.chdir(tmp_path)
    result = pegcp.solve("XoXX", "own.py", time_limit=20)
    assert result.status is Status.SOLVED, result.message
    assert result.method == "own.py"


def test_each_run_has_its_own_folder_and_seed(tmp_path: Path) -> None:
    results = [one_run("XoXX", "rogue:does=obey", seed=seed) for seed in (5, 6)]
    folders = {result.statistics["folder"] for result in results}
    assert len(folders) == 2
    assert all(folder.startswith(str(tmp_path)) for folder in folders)
    assert [result.statistics["nodes"] for result in results] == [5, 6]


@pytest.mark.parametrize(
    "does", ["sleep", *(pytest.param(does, marks=pytest.mark.thorough) for does in ("ignore-term", "stop", "hold"))]
)
def test_the_time_limit_holds(does: str) -> None:
    began = time.monotonic()
    result = rogue_run(does, time_limit=0.3)
    assert 0.3 <= time.monotonic() - began <= 10  # 0.3 and a little where the machine has nothing else to do
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)


@pytest.mark.parametrize(
    ("does", "limit"), [("eat", 300), pytest.param("eat-together", 300, marks=pytest.mark.thorough)]
)
def test_the_memory_limit_holds_for_all_processes_together(does: str, limit: int) -> None:
    result = rogue_run(does, memory_limit=limit)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.MEMORY)
    assert f"more than {limit} MB" in result.message
    assert limit < result.statistics["peak_memory_mb"]  # they stop by themselves at 400, and wait
    assert result.statistics["wall_seconds"] < 15


@pytest.mark.thorough
def test_memory_below_the_limit_is_left_alone_and_processor_time_of_the_whole_tree_counts() -> None:
    result = rogue_run("burn", memory_limit=300)
    assert result.reason is Reason.COMPLETED
    assert result.statistics["cpu_seconds"] >= 0.2


@pytest.mark.parametrize(
    ("does", "message"),
    [
        ("raise", r"ZeroDivisionError: what a day \(rogue.py, line \d+\)"),
        ("refuse", "not this one"),
    ],
)
def test_trouble_is_an_error_that_says_what_happened(does: str, message: str) -> None:
    result = rogue_run(does)
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.ERROR)
    assert re.search(message, result.message, re.DOTALL), result.message


def test_what_is_missing_or_refused_is_said() -> None:
    missing = rogue_run("miss")
    assert (missing.reason, missing.message) == (Reason.MISSING, "backend rogue needs courage")
    refused = pegcp.solve("english:d4!", "moves")
    assert refused.reason is Reason.UNSUPPORTED
    assert "dead-end" in refused.message
    assert "wall_seconds" not in refused.statistics  # no process was started


def test_a_false_solution_is_invalid() -> None:
    result = rogue_run("cheat")
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.INVALID_SOLUTION)
    assert "jump 1" in result.message


@pytest.mark.thorough
def test_the_last_reported_bound_and_counts_survive_the_kill() -> None:
    seen = []
    result = one_run(
        "english:d4!", "rogue:does=report", time_limit=soon(), on_progress=lambda p: seen.append(p.get("bound", 1))
    )
    assert (result.status, result.reason) == (Status.UNKNOWN, Reason.TIME)
    assert result.bound == 3
    assert result.statistics["nodes"] == 30
    assert sorted(set(seen)) == [1, 2, 3]


def test_the_last_report_survives_however_soon_it_comes_after_another() -> None:
    result = one_run("english", "rogue:does=report-and-hold", time_limit=soon())
    assert (result.statistics["horizon"], result.statistics["conflicts"]) == (9, 80_000)
    assert result.statistics["build_seconds"] == 0.25
    start, solve_seconds, wall = (result.statistics[f"{key}_seconds"] for key in ("start", "solve", "wall"))
    assert start + 0.25 + solve_seconds == pytest.approx(wall)


@pytest.mark.thorough
def test_a_reported_solution_survives_the_kill_if_it_is_one() -> None:
    short = one_run("XoXX", "rogue:does=incumbent", time_limit=soon())
    assert short.reason is Reason.INVALID_SOLUTION  # one jump on XoXX is not the right one
    line = one_run("XXo", "rogue:does=incumbent", time_limit=soon())
    assert (line.status, line.reason) == (Status.SOLVED, Reason.TIME)


def test_a_run_can_be_stopped(rogue: Path) -> None:
    stop, started = threading.Event(), list[psutil.Process]()

    def stop_it() -> None:
        started.extend(family(rogue))
        stop.set()

    threading.Thread(target=stop_it).start()
    result = run(make_tasks(["XoXX"], ["rogue:does=family-forever"], time_limit=20)[0], stop=stop)
    assert result.reason is Reason.INTERRUPTED
    assert len(started) == 4
    assert all_end(started)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "signum"),
    [
        ("solve", signal.SIGINT),
        ("compare", signal.SIGKILL),
        pytest.param("compare", signal.SIGTERM, marks=pytest.mark.long),  # and SIGINT: tests/test_comparison.py
    ],
)
def test_signals_to_pegcp_leave_no_process_behind(rogue: Path, command: str, signum: signal.Signals) -> None:
    code = f"import pegcp; pegcp.{command}(" + (
        "'XoXX', 'rogue:does=family-forever')" if command == "solve" else "['XoXX'], ['rogue:does=family-forever'])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROGUE)}
    host = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # what started the tests may ignore it
    )
    started = family(rogue)
    processes = {*keepers(host.pid), *processes_of_runs(host.pid)}
    assert len(started) == 4
    assert set(started) <= processes
    host.send_signal(signum)
    _, errors = host.communicate(timeout=10)
    assert all_end(processes)
    if signum is signal.SIGINT:
        assert b"KeyboardInterrupt" in errors or b"Interrupted" in errors
    assert becomes_true(lambda: not list(rogue.glob("pegcp-*")))  # the keeper tidies up after a killed host


@pytest.mark.parametrize(
    "arguments",
    [
        {"time_limit": 0},
        {"time_limit": float("inf")},
        {"memory_limit": -1},
        {"workers": 0},
        {"seed": -1},
        {"seed": 2**31},
    ],
)
def test_limits_that_make_no_sense_are_refused(arguments: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be"):
        pegcp.solve("XoXX", "dfs", **arguments)  # type: ignore[arg-type]


def test_solutions_that_nobody_asked_for_are_not_replayed() -> None:
    result = one_run("XoXX", "rogue:does=list")
    assert result.reason is Reason.ERROR
    assert "1,000 solutions" in result.message


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{}", "status"),
        ("[]", "a table"),
        ('{"status": "FINE", "reason": "COMPLETED"}', "status"),
        ('{"status": "SOLVED", "reason": "COMPLETED", "jumps": [[0, 1, "c"]]}', "jumps"),
        ('{"status": "SOLVED", "reason": "COMPLETED", "objective": 1e999}', "objective"),
        ('{"status": "SOLVED", "reason": "COMPLETED", "objective": true}', "objective"),
        ('{"status": "UNKNOWN", "reason": "TIME", "statistics": {"wall_seconds": -1}}', "wall_seconds"),
    ],
)
def test_an_answer_that_does_not_fit_its_types_is_refused_with_the_key(line: str, word: str) -> None:
    message = decode_foreign(f'["Reply", {{"answer": {line}}}]'.encode())
    assert isinstance(message, Fault)
    assert "answer cannot be read" in message.text
    assert word in message.text


def test_only_pegcps_own_searches_may_take_longer_to_make_machine_code() -> None:
    (task,) = make_tasks(["XoXX"], ["rogue:does=compile"], time_limit=0.3)
    result = run(task)
    assert result.reason is Reason.TIME
    assert result.statistics["wall_seconds"] < 10
    assert "compiling" not in result.statistics
    messages: list[Message] = []  # nor do those for ever

    def take(message: Message) -> bool:
        messages.append(message)
        return True

    follow(replace(task.request(), pause=0.3), take)
    assert isinstance(messages[-1], Ended)
    assert 0.6 < messages[-1].wall_seconds < 10
    assert [make_tasks(["XoXX"], [name])[0].pauses for name in ("bfs", "moves", "rogue")] == [True, False, False]


def test_a_run_works_where_the_temporary_folder_is_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", ".")
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert one_run("XoXX", "dfs").answered


def test_a_library_that_ends_the_process_that_loads_it_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deadly.py").write_text("import os\nos._exit(1)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    (task,) = make_tasks(["XoXX"], ["dfs"])
    story = Story(task)
    follow(task.request(), story.take, modules=["deadly"])
    assert "loads the library" in story.fault
    story = Story(task)
    follow(task.request(), story.take)
    assert story.reply is not None


def test_children_are_found_where_the_system_does_not_list_them(monkeypatch: pytest.MonkeyPatch) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        for listed in (keeper._CHILDREN_ARE_LISTED, False):
            monkeypatch.setattr(keeper, "_CHILDREN_ARE_LISTED", listed)
            assert (child.pid, os.getpid()) in keeper._descendants()
    finally:
        child.communicate(b"\n")


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_signal_reaches_no_process_that_has_the_number_of_one_that_ended(
    is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that was listed may be reaped, and its number be a stranger's, before the signal is sent."""
    shell = subprocess.Popen(["sh", "-c", "sleep 60 & echo $!; wait"], stdout=subprocess.PIPE, text=True)
    assert shell.stdout is not None
    stranger = psutil.Process(int(shell.stdout.readline()))
    try:
        parent = shell.pid if is_ours else 1 << 21
        monkeypatch.setattr(keeper, "_descendants", lambda: iter([(stranger.pid, parent)]))
        keeper._signal(signal.SIGTERM)
        assert all_end([stranger], seconds=10 if is_ours else 0.1) is is_ours
    finally:
        with suppress(psutil.Error):
            stranger.kill()
        shell.communicate()


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_folder_has_one_remover(is_alive: bool, tmp_path: Path) -> None:
    """That is the host; and the keeper if the host has ended, but not of another folder with the same name."""
    folder = tmp_path / "folder"
    folder.mkdir()
    host, theirs = socket.socketpair()
    with host, theirs:
        ending = object.__new__(Keeper)
        ending.host, ending.control, ending.inputs = psutil.Process(), theirs, [theirs.fileno()]
        ending.folder = folder.stat()
        ending.request = replace(make_tasks(["XoXX"], ["dfs"])[0].request(), folder=str(folder))
        if not is_alive:
            child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
            ending.host = psutil.Process(child.pid)
            child.communicate(b"\n")
        host.close()
        ending.serve()
    assert folder.exists() is is_alive


@pytest.mark.thorough
def test_runs_go_on_in_several_threads() -> None:
    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(lambda seed: one_run("XoXX", "rogue:does=obey", seed=seed), range(6)))
    assert [result.statistics["nodes"] for result in results] == list(range(6))


def test_all_that_came_before_the_end_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.running.host._LONGEST_SILENCE_SECONDS", 1e-6)
    request = make_tasks(["XoXX"], ["dfs"])[0].request()
    (control, keeper), (reports, worker) = socket.socketpair(), socket.socketpair()
    with control, keeper, reports, worker:
        claim = Reply(Answer(Status.UNKNOWN))
        worker.sendall(encode(claim) + encode(claim)[:20])  # the last one was cut
        keeper.sendall(encode(Alive()) + encode(Ended()))
        keeper.shutdown(socket.SHUT_WR)
        messages = list(_KeeperHandle((), control, reports).exchange(replace(request, limits=Limits(0.0))))
        assert messages == [claim, Alive(), Ended()]


@pytest.mark.parametrize("beats", [0, 6])
def test_a_keeper_that_says_nothing_for_long_is_given_up(monkeypatch: pytest.MonkeyPatch, beats: int) -> None:
    monkeypatch.setattr("pegcp.running.host._LONGEST_SILENCE_SECONDS", 0.5)
    request = make_tasks(["XoXX"], ["dfs"])[0].request()
    (control, keeper), (reports, worker) = socket.socketpair(), socket.socketpair()

    def beat() -> None:
        for _ in range(beats):
            keeper.sendall(encode(Alive()))
            time.sleep(0.2)
        if beats:
            keeper.sendall(encode(Ended()))
            keeper.shutdown(socket.SHUT_WR)

    with control, keeper, reports, worker, ThreadPoolExecutor(1) as threads:
        threads.submit(beat)
        *_, last = filter(None, _KeeperHandle((), control, reports).exchange(request))
    assert last == (Ended() if beats else Fault("the process that keeps the run within its limits does not answer"))


def test_a_host_that_was_stopped_itself_does_not_take_that_for_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.running.host._LONGEST_SILENCE_SECONDS", 0.5)
    request = make_tasks(["XoXX"], ["dfs"])[0].request()
    (control, keeper), (reports, worker) = socket.socketpair(), socket.socketpair()
    with control, keeper, reports, worker:
        messages = _KeeperHandle((), control, reports).exchange(request)
        for _ in range(2):
            assert next(messages) is None
            time.sleep(0.6)


@pytest.mark.slow
def test_a_keeper_says_now_and_then_that_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegcp.running.host._LONGEST_SILENCE_SECONDS", keeper._BEAT_SECONDS + 2)
    assert one_run("XoXX", "rogue:does=sleep", time_limit=keeper._BEAT_SECONDS + 5).reason is Reason.TIME


def test_the_last_words_are_read_however_soon_the_worker_ends_after_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def reap(*_: object) -> bool:
        raise ChildProcessError  # the worker was the last one

    keeping = object.__new__(Keeper)
    keeping.errors, errors = os.pipe()
    os.set_blocking(keeping.errors, False)
    os.write(errors, b"last words")
    keeping.worker, keeping.tail = 1, b""
    monkeypatch.setattr(os, "killpg", lambda *_: None)
    monkeypatch.setattr(keeping, "_reap_orphans", reap)
    assert (keeping._kill(), keeping.tail) == (0, b"last words")
    os.close(errors)
    os.close(keeping.errors)


def test_a_keeper_that_ends_hangs_up_although_a_process_that_it_cannot_kill_holds_its_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = make_tasks(["XoXX"], ["dfs"])[0].request()
    host, theirs = socket.socketpair()
    with host, theirs, theirs.dup():
        ending = object.__new__(Keeper)
        ending.host, ending.control, ending.inputs = psutil.Process(), theirs, [theirs.fileno()]
        monkeypatch.setattr(ending, "keep", lambda _: False)
        host.sendall(encode(request))
        ending.serve()
        host.settimeout(5)
        assert host.recv(1) == b""
        assert theirs.fileno() == -1  # it is closed: no ResourceWarning


@pytest.mark.thorough
def test_a_thousand_orphans_cost_neither_this_run_nor_the_next() -> None:
    result = rogue_run("orphans", time_limit=60)
    assert (result.reason, result.message) == (Reason.COMPLETED, "did orphans")
    assert one_run("XoXX", "dfs").answered


@pytest.mark.long
def test_chains_of_forks_end_soon_after_the_limit() -> None:
    began = time.monotonic()
    result = rogue_run("chains", time_limit=0.5)
    assert result.reason is Reason.TIME
    assert "could not be ended" not in result.message
    assert time.monotonic() - began < 6
    assert one_run("XoXX", "dfs").answered


def test_a_run_whose_keeper_is_killed_ends_at_once(rogue: Path) -> None:
    began = time.monotonic()
    result = rogue_run("kill-keeper", time_limit=20)
    (child,) = family(rogue, size=1)
    child.kill()
    assert result.reason is Reason.ERROR
    assert "was killed" in result.message
    assert time.monotonic() - began < 10
    assert one_run("XoXX", "dfs").answered


def test_a_keeper_that_ended_while_it_was_taken_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert one_run("XoXX", "dfs").answered
    monkeypatch.setattr(_KeeperHandle, "has_ended", lambda _: False)
    killed = keepers()
    for process in killed:
        process.kill()
    assert all_end(killed)
    assert one_run("XoXX", "dfs").answered


def test_what_is_left_is_said_and_its_keeper_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    keepers_used: list[_KeeperHandle] = []

    def exchange(keeper: _KeeperHandle, _: Request) -> Iterator[Message]:
        keepers_used.append(keeper)
        keeper.control.setblocking(False)
        yield from (Alive(), Ended(Reason.TIME, survivors=2))

    monkeypatch.setattr(_KeeperHandle, "exchange", exchange)
    messages = [one_run("XoXX", "dfs", time_limit=1).message for _ in range(2)]
    assert messages == ["stopped after 1 s; 2 of its processes could not be ended"] * 2
    assert keepers_used[0] is not keepers_used[1]


def test_an_answer_after_the_limit_of_time_is_no_answer_within_it() -> None:
    result = one_run("XXo", "rogue:does=late", time_limit=0.3)
    assert (result.verdict, result.message) == ("SOLVED TIME", "it answered after the time limit")


def test_the_trace_of_a_long_run_is_thinned_and_the_log_is_cut_by_characters() -> None:
    story = Story(make_tasks(["english:d4!"], ["dfs"])[0])
    for bound in range(5000):
        story.take(Update({"bound": bound, "log": "x" * 10_000}, float(bound)))
    assert story.trace[0] == (0.0, None, 0)
    assert story.trace[-1] == (4999.0, None, 4999)
    assert 300 < len(story.trace) <= 1000
    assert len(story.log) == 20_000


@pytest.mark.parametrize(
    "text", ["auto", "ip1:scip", "moves:order=off:cp-sat.linearization_level=2", "planner:command=run a:b {plan}"]
)
def test_the_process_of_a_run_takes_the_method_as_it_was_chosen(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = choose(text)
    request = Task(pegcp.problem("XoXX"), choice, Limits()).request()
    monkeypatch.setattr("pegcp.catalogue.choice.split", lambda *_: pytest.fail("its options are read again"))
    (frame,) = MessageReader().add(encode(request))
    request = decode(frame)
    assert choice_of(request) == choice


@pytest.mark.parametrize(("method", "loads"), [("dfs", False), ("bfs", False), ("moves", True), ("budget", True)])
def test_only_what_begins_with_linear_programs_loads_them(method: str, loads: bool) -> None:
    task = Task(pegcp.problem("XoXX"), choose(method), Limits(), Wishes(may_certify=True))
    assert (LINEAR_PROGRAMS in task.modules) is loads


def test_a_search_without_solution_loads_linear_programs_for_a_certificate() -> None:
    result = pegcp.solve("line5:b1->d1", "dfs")
    assert (result.certificate or {})["kind"] == "pagoda"
