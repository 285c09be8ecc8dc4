"""Where the time of the tests goes: PYTHONPATH=tests python -m pytest -p cpu_times -q -m 'not slow'.

A plug-in of pytest. At the end it prints the files and the tests that take most CPU, that of their child processes
included, and how long they only waited. Keepers are nobody's children: they are looked for after tests that took long.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from contextlib import suppress
from typing import Any

import psutil
import pytest
from processes import keepers

KEY = "cpu and wall seconds"
MOST = 40
LONG = 0.05  # seconds of a test that may have started a keeper

_begun: dict[str, tuple[float, float]] = {}
_keepers: list[psutil.Process] = []
_looking = 0.0  # CPU seconds that this plug-in itself takes


def _now(*, look_for_keepers: bool = False) -> tuple[float, float]:
    """The CPU seconds of this process and of all processes below it, also those that have ended, and the clock."""
    global _looking
    began = time.process_time()
    if look_for_keepers:
        _keepers[:] = keepers()
    seconds = began - time.process_time() - _looking
    for root in (psutil.Process(), *_keepers):
        with suppress(psutil.Error):  # it ends just now
            for process in (root, *root.children(recursive=True)):
                times = process.cpu_times()
                seconds += times.user + times.system + times.children_user + times.children_system
    _looking += time.process_time() - began
    return seconds, time.monotonic()


def pytest_runtest_logstart(nodeid: str) -> None:
    _begun[nodeid] = _now()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, Any]:
    if call.when == "teardown":
        begun = _begun.pop(item.nodeid)
        cpu, wall = _now(look_for_keepers=time.monotonic() - begun[1] > LONG)
        item.user_properties.append((KEY, (cpu - begun[0], wall - begun[1])))
    return (yield)


def _lines(rows: Iterable[tuple[str, tuple[float, float]]]) -> list[str]:
    found = sorted(rows, key=lambda row: -row[1][0])[:MOST]
    return [f"{cpu:8.2f} {max(0.0, wall - cpu):8.2f}  {name}" for name, (cpu, wall) in found]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tests: dict[str, tuple[float, float]] = {}
    files: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        for key, seconds in getattr(report, "user_properties", []):
            if key == KEY and report.when == "teardown":
                tests[report.nodeid] = seconds
    for name, (cpu, wall) in tests.items():
        file = name.partition("::")[0]
        files[file] = files[file][0] + cpu, files[file][1] + wall
    terminalreporter.section("CPU seconds, seconds of waiting")
    everything = sum(cpu for cpu, _ in tests.values()), sum(wall for _, wall in tests.values())
    for line in [*_lines([("all tests", everything)]), *_lines(files.items()), *_lines(tests.items())]:
        terminalreporter.write_line(line)
