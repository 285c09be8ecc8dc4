"""What several test files use."""

from __future__ import annotations

import os
import sys

if sys.dont_write_bytecode:
    # Hundreds of processes would each compile all of pegcp, and each worker the tests. Workers, and the processes that
    # tests start, begin with this environment.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False

import fcntl
import gc
import random
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from parts import MISSING, need

from pegcp.game import Board, DeadEnd, Exact, Goal, OnePeg, Partial, Position, Problem, graph_board, lattice_board
from pegcp.game.lattice import lattice

gc.disable()  # until the tests are collected

LARGE = ["numba", "ortools.sat.python.cp_model"]  # libraries that take seconds to compile

# No outcome depends on the speed of the machine. By hand: python -m pytest --hypothesis-profile many
settings.register_profile("few", deadline=None, max_examples=40)
settings.register_profile("many", deadline=None, max_examples=2_000)
settings.load_profile("few")


def _random_board(chance: random.Random) -> Board:
    """At most 14 holes, on a lattice or a graph."""
    kind = chance.choice(["square", "triangular", "graph"])
    if kind == "graph":
        size = chance.randint(4, 9)
        edges = [(str(a), str(b)) for a in range(size) for b in range(a) if chance.random() < 0.4]
        return graph_board([str(i) for i in range(size)], edges)
    cells = [(r, c) for r in range(4) for c in range(4) if chance.random() < 0.8] or [(0, 0)]
    return lattice_board(cells[:14], lattice(kind))


def _random_problem(seed: int) -> Problem:
    """A random position with any kind of goal, more often than not one that can be reached."""
    chance = random.Random(seed)
    board = _random_board(chance)
    start = chance.getrandbits(len(board.holes)) | chance.getrandbits(len(board.holes)) or 1
    end = start
    for _ in range(chance.randint(0, 12)):
        legal = [jump for jump in board.jumps if jump.is_legal(end)]
        end ^= chance.choice(legal).mask if legal else 0
    free = chance.getrandbits(len(board.holes))
    partial = Partial(end & ~free, board.full & ~end & ~free)
    goals: list[Goal] = [OnePeg(), DeadEnd(), Exact(end), Exact(board.full & ~start), partial]
    return Problem(board, Position(board, start), chance.choice(goals))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Each worker begins with other files, so that in a fresh environment few are compiled by all of them at once."""
    config, here = session.config, Path(__file__).resolve().parent
    everything = [(config.rootpath / name).resolve() for name in config.args] == [here]
    if everything and "PYTEST_XDIST_WORKER" in os.environ:
        first, workers = int(os.environ["PYTEST_XDIST_WORKER"][2:]), int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        for name in LARGE[first : first + 1] + sorted(file.stem for file in here.glob("test_*.py"))[first::workers]:
            with suppress(Exception, pytest.skip.Exception):  # pytest says it when it comes to this file
                import_module(name)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests are slow ones, but not with PEGCP_THOROUGH, as in CI.

    Then each other thorough test is left out that is not in that file, nor its file.
    """
    if "PEGCP_THOROUGH" not in os.environ:
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker("slow")
        return
    names = set(Path(os.environ["PEGCP_THOROUGH"]).read_text("utf-8").splitlines())
    out = {
        item
        for item in items
        if item.get_closest_marker("thorough")
        and not item.get_closest_marker("long")
        and names.isdisjoint((item.nodeid, item.nodeid.partition("::")[0]))
    }
    config.hook.pytest_deselected(items=[*out])
    items[:] = [item for item in items if item not in out]


def pytest_collection_finish() -> None:
    """What is loaded now stays: no collection of garbage goes through it again. That took a fifth of the time."""
    gc.enable()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_compiles_at_a_time(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Of several workers that need the same kernel one compiles it, and the others read what it has kept."""
    if "numba" not in sys.modules:
        yield
        return
    from numba.core.dispatcher import Dispatcher

    compiled, depth = Dispatcher.compile, 0
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    with (shared / "compiling").open("w") as file, pytest.MonkeyPatch.context() as patched:

        def alone(self: Any, signature: Any) -> Any:
            nonlocal depth
            if depth == 0:
                fcntl.flock(file, fcntl.LOCK_EX)
            depth += 1
            try:
                return compiled(self, signature)
            finally:
                depth -= 1
                if depth == 0:
                    fcntl.flock(file, fcntl.LOCK_UN)

        patched.setattr(Dispatcher, "compile", alone)
        yield


@pytest.fixture
def random_problem() -> Callable[[int], Problem]:
    """A random problem for each seed: a small board, a position, and any kind of goal."""
    return _random_problem


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder of the test's own: planners write files there that others would read."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    need("selenium", "chromium", "chromedriver")
    from selenium import webdriver

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert chromium is not None
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield started
    started.quit()


_ARRAYS = [pytest.param(name, marks=pytest.mark.long) for name in ("bits", "sorted")]


@pytest.fixture(params=["lists", *_ARRAYS])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Levels as lists; as arrays by rows of bits; as arrays that are sorted.

    On arrays pagoda functions exclude positions, however few there are. What works on arrays is compiled first, which
    takes half a minute where it has not been yet: that is long. Rows of bits in ``test_levels`` are thorough.
    """
    from pegcp.states import ends, levels, winnable

    monkeypatch.setattr(winnable, "_LATEST", [])
    if request.param != "lists":
        monkeypatch.setattr(levels, "ARRAY_POSITIONS", 1)
        monkeypatch.setattr("pegcp.states.array_level._MOST_BITS", 1 << 40 if request.param == "bits" else 0)
        monkeypatch.setattr(ends, "BOUND_POSITIONS", 1)
    return str(request.param)


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One worker more than there are cores: many tests wait, for limits of time or for processes to end."""
    return (yield) + 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How much was compared with brute force; and for each missing optional part how many tests were skipped for it."""
    tallies: dict[str, list[str]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for kind, tally in getattr(report, "user_properties", []):
            if kind in ("in full", "cut short"):
                tallies.setdefault(kind, []).append(tally)
    from differential.campaign import summary

    for kind, found in tallies.items():
        terminalreporter.write_line(f"compared with brute force, {kind}: {summary(found)}")
    skipped = [
        (report.nodeid, report.longrepr[2].partition(f"{MISSING}: ")[2])
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple) and MISSING in report.longrepr[2]
    ]
    if "PEGCP_SKIPPED" in os.environ:  # for CI, which runs them where all parts are
        Path(os.environ["PEGCP_SKIPPED"]).write_text("".join(f"{test}\n" for test, _ in skipped), encoding="utf-8")
    reasons = Counter(reason for _, reason in skipped)
    if reasons:
        terminalreporter.section("optional parts that are missing")
    for reason, tests in sorted(reasons.items()):
        terminalreporter.write_line(f"{reason} ({tests} test{'' if tests == 1 else 's'} skipped)")
