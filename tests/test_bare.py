"""An environment with nothing but Python, and a platform without what only POSIX systems have."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

_POSIX = """
import sys
POSIX = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
for module in POSIX & sys.modules.keys():
    del sys.modules[module]
"""

_NOTHING_INSTALLED = f"""{_POSIX}
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {{*sys.stdlib_module_names, "pegcp"}} - POSIX:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
"""

# Libraries have wheels for Windows, so what they and the standard library need is loaded before it is taken away: of
# those that modules of pegcp import when they are loaded. Two modules stand for libraries that take seconds to load.
_FEW = ("click", "msgspec", "platformdirs", "psutil", "rich.console", "rich.progress")
_SOME = (*_FEW, "networkx", "numba", "numpy")
_ALL = (*_SOME, "cpmpy", "unified_planning.shortcuts")
_SLOW_TO_LOAD = ("pegcp.backends.import_cpmpy", "pegcp.planning_engine")
_LIKE_WINDOWS = f"""
import importlib, os, pkgutil, signal, socket, sys
import asyncio, concurrent.futures, multiprocessing, platform, shutil, subprocess, tempfile, threading

for module in LIBRARIES:
    try:
        importlib.import_module(module)
    except ImportError:
        pass
{_POSIX}
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name in POSIX:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
for module, names in {{
    os: "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK fchmod fork getpgid geteuid getuid killpg pread pwrite"
        " register_at_fork sched_getaffinity setpgid setsid statvfs uname wait4",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGUSR1 SIGXCPU alarm"
            " pthread_kill pthread_sigmask setitimer",
    socket: "recv_fds send_fds",
}}.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
sys.platform = "win32"
"""


def run(code: str) -> str:
    """What a program prints. It finds pegcp, and nothing from this environment on its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        env={"PYTHONPATH": str(ROOT), "HOME": "/nowhere"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# What a program prints where only the standard library can be imported: the code, and parts of what it prints.
CALLS = (
    "solve('XoXX', 'dfs')",
    "solve('XoXX', 'moves')",
    "compare('XoXX', 'dfs')",
    "model('XoXX', 'moves')",
    "graph('XoXX')",
    "to_unified_planning('XoXX')",
)
CODES: dict[str, str] = {
    "data classes": """
import pegcp, pegcp.api, pegcp.game, pegcp.method, pegcp.results.result, pegcp.results.judge
print("imported")
""",
    "problems, pictures and certificates": """
import pegcp
for text in ("english", "triangle15:a1->?", "XoXX", "english:c1->e5"):
    problem = pegcp.problem(text)
    print(len(problem.board.jumps), problem.start.legal_jumps()[:1], "<svg" in problem._repr_html_())
print(pegcp.problem("XXo\\nooo").name, len(pegcp.check("XoXX", "d1-b1 a1-c1").moves))
print("symmetries" in pegcp.show("english"))
print(pegcp.explain("english"), pegcp.explain("english:c1->e5"), pegcp.explain("XoX"))
print(pegcp.explain(pegcp.problem("Xoo", goal="a1 b1")))
""",
    "texts of models": """
import pegcp
methods = ("sat-rounds", "asp-rounds", "mzn-rounds", "smt-sweep", "pddl")
print(*(sum(map(len, pegcp.export('triangle15', m).values())) for m in methods))
""",
    "texts of models of fool's solitaire": """
import pegcp
problem = pegcp.problem("triangle10:a1!", objective="any")
print(*(len(pegcp.export(problem, method)) for method in ("asp-fools", "sat-fools")))
""",
    "modules": """
import importlib, pkgutil
import pegcp.formats, pegcp.game, pegcp.library, pegcp.modelling, pegcp.theory
for package in (pegcp.formats, pegcp.game, pegcp.library, pegcp.modelling, pegcp.theory):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
print("imported")
""",
    "a search": """
import pegcp
from pegcp.catalogue.choice import choose
from pegcp.method import Run
from pegcp.results.judge import judge_answer
problem = pegcp.problem("triangle10:a2->b2")
answer = choose("dfs-plain").run(problem, Run())
print(judge_answer(problem, "dfs-plain", answer).verdict)
""",
    "what is missing": f"""
import pegcp
for call in {CALLS!r}:
    try:
        eval("pegcp." + call)
    except pegcp.Missing as error:
        print(call, error)
""",
    "planning": """
import pegcp
from pegcp.formats import pddl
problem = pegcp.problem("csplib:reversal-c1")
files = pegcp.export(problem, "pddl:encoding=competition")
print(pddl.read_problem(files["problem.pddl"], domain=(files["domain.pddl"], "domain.pddl")) == problem)
print(pddl.write_plan(pegcp.problem("XoXX"), pegcp.from_plan("XoXX", "(jump d1 c1 b1)\\n(jump a1 b1 c1)")), end="")
""",
    "in a browser": """
import sys
sys.platform = "emscripten"
import pegcp, pegcp.machine
pegcp.machine.IN_BROWSER = True
print(*(pegcp.solve(text, "dfs-plain").verdict for text in ("XoXX", "XXoXX")))
""",
}
_IN_TURN = f"""
import contextlib, io, json, traceback
printed = {{}}
for name, code in {CODES!r}.items():
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(code, {{}})
        except BaseException:
            print(traceback.format_exc())
    printed[name] = out.getvalue()
print(json.dumps(printed))
"""


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """What the programs print in a process where only the standard library can be imported, one after the other."""
    texts: dict[str, str] = json.loads(run(_NOTHING_INSTALLED + _IN_TURN))
    return texts


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data classes", "imported\n"),
        ("texts of models of fool's solitaire", "1 1\n"),
        ("modules", "imported\n"),
        ("a search", "SOLVED\n"),
        ("planning", "True\n(jump d1 c1 b1)\n(jump a1 b1 c1)\n(take c1)\n; cost = 3\n"),
        ("in a browser", "SOLVED INFEASIBLE\n"),
    ],
)
def test_much_needs_only_python(name: str, text: str, printed: dict[str, str]) -> None:
    assert printed[name] == text


@pytest.mark.thorough
def test_problems_pictures_and_certificates_need_only_python(printed: dict[str, str]) -> None:
    explained = printed["problems, pictures and certificates"]
    words = ("odd", "removes one peg", "No jump is possible at the start")
    assert [word for word in words if word not in explained] == [], explained


@pytest.mark.thorough
def test_texts_of_models_need_only_python(printed: dict[str, str]) -> None:
    assert all(int(size) > 500 for size in printed["texts of models"].split())


@pytest.mark.thorough
def test_a_missing_package_is_one_error_with_the_command_that_installs_it(printed: dict[str, str]) -> None:
    text = printed["what is missing"]
    errors = re.split("^(?=" + "|".join(map(re.escape, CALLS)) + ")", text, flags=re.MULTILINE)[1:]
    assert len(errors) == len(CALLS), text
    assert all("install it with:" in error for error in errors), text


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("libraries", "but"), [(_SOME, _SLOW_TO_LOAD), pytest.param(_ALL, (), marks=pytest.mark.slow)], ids=["most", "all"]
)
def test_every_module_can_be_imported_on_a_platform_without_what_only_posix_has(
    libraries: tuple[str, ...], but: tuple[str, ...]
) -> None:
    code = """
import pegcp
for module in pkgutil.walk_packages(pegcp.__path__, "pegcp."):
    if not module.name.endswith("__main__") and module.name not in BUT:
        try:
            importlib.import_module(module.name)
        except Exception as error:
            print(module.name, type(error).__name__, error)
"""
    assert run(f"LIBRARIES, BUT = {libraries!r}, {but!r}" + _LIKE_WINDOWS + code) == ""


@pytest.mark.thorough
def test_in_a_browser_without_processes_and_threads_runs_are_made_one_after_the_other() -> None:
    code = """
import msgspec, rich.console, rich.progress, threading
sys.platform = "emscripten"
def no_threads(self):
    raise RuntimeError("can't start new thread")
threading.Thread.start = no_threads
import pegcp
table = pegcp.compare(["XoXX", "XXoXX"], ["dfs-plain", "dfs-chained"])
print(*(result.verdict for result in [pegcp.solve("XoXX", "dfs-plain"), *table]))
"""
    taken_away = _LIKE_WINDOWS.partition('sys.platform = "win32"')[0]
    assert run(f"LIBRARIES = {_FEW!r}" + taken_away + code) == "SOLVED SOLVED SOLVED INFEASIBLE INFEASIBLE\n"
