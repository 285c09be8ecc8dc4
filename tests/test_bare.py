"""An environment with nothing but Python, and a platform without what only POSIX systems have."""

from __future__ import annotations

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

# Libraries have wheels for Windows, so what they and the standard library need is loaded before it is taken away.
_FEW = ("click", "msgspec", "platformdirs", "psutil", "rich.console", "rich.progress")
_ALL = (
    *_FEW,
    "constraint",
    "cpmpy",
    "distributed",
    "jinja2",
    "networkx",
    "numba",
    "numpy",
    "ortools.math_opt.python.mathopt",
    "ortools.sat.python.cp_model",
    "unified_planning.shortcuts",
)
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


def bare(code: str) -> str:
    """What a program prints where only the standard library can be imported."""
    return run(_NOTHING_INSTALLED + code)


def test_the_package_and_its_data_classes_need_only_python() -> None:
    modules = ("pegcp", "pegcp.api", "pegcp.game", "pegcp.method", "pegcp.results.result", "pegcp.results.judge")
    assert bare(f"import {', '.join(modules)}; print('imported')") == "imported\n"


def test_problems_pictures_and_certificates_need_only_python() -> None:
    code = """
import pegcp
for text in ("english", "triangle15:a1->?", "XoXX", "english:c1->e5"):
    problem = pegcp.problem(text)
    print(len(problem.board.jumps), problem.start.legal_jumps()[:1], "<svg" in problem._repr_html_())
print(pegcp.problem("XXo\\nooo").name, len(pegcp.check("XoXX", "d1-b1 a1-c1").moves))
print("symmetries" in pegcp.show("english"))
print(pegcp.explain("english"), pegcp.explain("english:c1->e5"), pegcp.explain("XoX"))
"""
    assert "No jump is possible at the start" in bare(code)


def test_texts_of_models_need_only_python() -> None:
    methods = ("sat-rounds", "asp-rounds", "mzn-rounds", "smt-sweep", "pddl")
    code = f"import pegcp; print(*(sum(map(len, pegcp.export('triangle15', m).values())) for m in {methods!r}))"
    assert all(int(size) > 500 for size in bare(code).split())


def test_texts_of_models_of_fools_solitaire_need_only_python() -> None:
    code = """
import pegcp
problem = pegcp.problem("triangle10:a1!", objective="any")
print(*(len(pegcp.export(problem, method)) for method in ("asp-fools", "sat-fools")))
"""
    assert bare(code) == "1 1\n"


def test_every_module_of_game_theory_and_modelling_needs_only_python() -> None:
    code = """
import importlib, pkgutil
import pegcp.game, pegcp.modelling, pegcp.theory
for package in (pegcp.game, pegcp.modelling, pegcp.theory):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
print("imported")
"""
    assert bare(code) == "imported\n"


def test_certificates_by_class_and_count_are_explained_with_only_python() -> None:
    code = """
import pegcp
print(pegcp.explain("english:c1->e5"))
print(pegcp.explain(pegcp.problem("Xoo", goal="a1 b1")))
print(pegcp.explain("XoX"))
"""
    explained = bare(code)
    assert [word for word in ("odd", "removes one peg", "No jump") if word not in explained] == []


def test_a_search_in_this_process_needs_only_python() -> None:
    code = """
import pegcp
from pegcp.catalogue.methods import choose
from pegcp.method import Run
from pegcp.results.judge import judge_answer
problem = pegcp.problem("triangle10:a2->b2")
answer = choose("dfs-plain").run(problem, Run())
print(judge_answer(problem, "dfs-plain", answer).verdict)
"""
    assert bare(code) == "SOLVED\n"


CALLS = (
    "solve('XoXX', 'dfs')",
    "solve('XoXX', 'moves')",
    "compare('XoXX', 'dfs')",
    "model('XoXX', 'moves')",
    "graph('XoXX')",
    "to_unified_planning('XoXX')",
)


def test_a_missing_package_is_one_error_with_the_command_that_installs_it() -> None:
    code = f"""
import pegcp
for call in {CALLS!r}:
    try:
        eval("pegcp." + call)
    except pegcp.Missing as error:
        print(call, error)
"""
    printed = bare(code)
    errors = re.split("^(?=" + "|".join(map(re.escape, CALLS)) + ")", printed, flags=re.MULTILINE)[1:]
    assert len(errors) == len(CALLS), printed
    assert all("install it with:" in error for error in errors), printed


@pytest.mark.thorough
def test_every_module_can_be_imported_on_a_platform_without_what_only_posix_has() -> None:
    code = """
import pegcp
for module in pkgutil.walk_packages(pegcp.__path__, "pegcp."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except Exception as error:
            print(module.name, type(error).__name__, error)
"""
    assert run(f"LIBRARIES = {_ALL!r}" + _LIKE_WINDOWS + code) == ""


def test_files_and_the_library_need_only_python() -> None:
    code = """
import importlib, pkgutil
import pegcp, pegcp.formats, pegcp.library
for package in (pegcp.formats, pegcp.library):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from pegcp.formats import pddl
problem = pegcp.problem("csplib:reversal-c1")
files = pegcp.export(problem, "pddl:encoding=competition")
print(pddl.read_problem(files["problem.pddl"], domain=(files["domain.pddl"], "domain.pddl")) == problem)
print(pddl.write_plan(pegcp.problem("XoXX"), pegcp.from_plan("XoXX", "(jump d1 c1 b1)\\n(jump a1 b1 c1)")), end="")
"""
    assert bare(code) == "True\n(jump d1 c1 b1)\n(jump a1 b1 c1)\n(take c1)\n; cost = 3\n"


def test_in_a_browser_a_problem_is_solved_without_any_package() -> None:
    code = """
sys.platform = "emscripten"
import pegcp
print(*(pegcp.solve(text, "dfs-plain").verdict for text in ("XoXX", "XXoXX")))
"""
    assert bare(code) == "SOLVED INFEASIBLE\n"


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
