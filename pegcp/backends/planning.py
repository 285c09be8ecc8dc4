"""Planners: they get the files that ``pegcp export`` writes, and what they write is read back and checked.

The planners come with unified-planning's engine packages (``up-fast-downward``, ``up-symk``, ...), as does their command
line. They are run directly on pegcp's own files: to pass a problem through unified-planning's reader and writer takes two
to three seconds more than Fast Downward needs for the English board, orders ``:constants`` by the hash seed, and loses the
log of a run that is stopped (unified-planning 1.3.0). Only Tamer, which has no command line, goes through
unified-planning; ``pegcp/backends/engine.py`` is its command line.

Each run has the current directory to itself: ``domain.pddl``, ``problem.pddl``, the plan, and the log ``planner.log``, which
is also copied to standard output.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pegcp.backends import Entry, Missing
from pegcp.errors import InputError, PegcpError
from pegcp.formulation import Run
from pegcp.methods import Method
from pegcp.problem import GOAL_KINDS, Objective, Problem
from pegcp.result import Answer, Reason, Status

DOMAIN, PROBLEM, PLAN, LOG = "domain.pddl", "problem.pddl", "plan.txt", "planner.log"
_LOG_TAIL = 400_000  # characters of the log that are looked at

Options = Mapping[str, Any]
Verdict = tuple[Status, Reason, str]
# From the exit code and the log of a run without a plan to what that means.
Judge = Callable[[int, str], Verdict]


@dataclass(frozen=True)
class Planner:
    """How to run a planner on the files in the current directory, and how to understand its silence.

    ``optimal(options)`` says whether a plan is proved best; ``costs`` whether the planner understands action costs.
    """

    name: str
    summary: str
    distribution: str
    install: str
    command: Callable[[Options, int], list[str]]
    judge: Judge
    options: Options = field(default_factory=dict)
    optimal: Callable[[Options], bool] = lambda _: False
    costs: bool = True
    plan: str = PLAN


def _inside(package: str, *path: str) -> str:
    """A file that an engine package carries. Raises Missing."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise Missing(f"{package} is not installed")
    return str(Path(spec.submodule_search_locations[0], *path))


_SATISFICING = "lazy_greedy([ff()],preferred=[ff()])"


def _fast_downward(options: Options, seed: int) -> list[str]:
    search = options["search"]
    if seed and search == _SATISFICING:
        search = f"{search[:-1]},randomize_successors=true,random_seed={seed})"
    driver = _inside("up_fast_downward", "downward", "fast-downward.py")
    return [sys.executable, driver, "--plan-file", PLAN, DOMAIN, PROBLEM, "--search", search]


def _symk(options: Options, _seed: int) -> list[str]:
    driver = _inside("up_symk", "symk", "fast-downward.py")
    return [sys.executable, driver, "--plan-file", PLAN, DOMAIN, PROBLEM, "--search", options["search"]]


def _pyperplan(options: Options, _seed: int) -> list[str]:
    heuristic = ["-H", options["heuristic"]] if options["search"] not in ("bfs", "ids", "sat") else []
    return [sys.executable, "-m", "pyperplan", "-s", options["search"], *heuristic, DOMAIN, PROBLEM]


def _enhsp(*configuration: str) -> Callable[[Options, int], list[str]]:
    def command(_options: Options, _seed: int) -> list[str]:
        if shutil.which("java") is None:
            raise Missing("ENHSP needs Java (version 17 or later), and there is no java on the path")
        jar = _inside("up_enhsp", "ENHSP", "enhsp.jar")
        return ["java", "-jar", jar, "-o", DOMAIN, "-f", PROBLEM, "-sp", PLAN, "-npm", *configuration]

    return command


def _lpg(_options: Options, seed: int) -> list[str]:
    lpg = _inside("up_lpg", {"win32": "lpg.exe", "darwin": "lpg_mac"}.get(sys.platform, "lpg"))
    return [lpg, "-o", DOMAIN, "-f", PROBLEM, "-n", "1", "-seed", str(seed + 1), "-out", PLAN]


def _tamer(_options: Options, _seed: int) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("engine.py")), "tamer", DOMAIN, PROBLEM, PLAN]


def _judge_downward(code: int, log: str) -> Verdict:
    """Exit codes of Fast Downward and its relatives, see https://www.fast-downward.org/latest/documentation/exit-codes."""
    if code in (10, 11):
        return Status.INFEASIBLE, Reason.COMPLETED, "the planner has shown that there is no plan"
    if code == 12 and re.search(r"BOUND: 2147483647 < 2147483647", log):
        # SymK leaves with 12 whenever it has no plan; with this bound it has exhausted one direction of its search.
        return Status.INFEASIBLE, Reason.COMPLETED, "the planner has shown that there is no plan"
    if code == 12:
        return Status.UNKNOWN, Reason.COMPLETED, "the planner gave up: its search is incomplete and found no plan"
    if code in (20, 22, 24):
        return Status.UNKNOWN, Reason.MEMORY, "the planner ran out of memory"
    if code in (21, 23):
        return Status.UNKNOWN, Reason.TIME, "the planner ran out of time"
    return _judge_any(code, log)


def _judge_words(*proofs: str) -> Judge:
    """For planners that tell only in words: ``proofs`` are what they print after an exhausted, complete search."""

    def judge(code: int, log: str) -> Verdict:
        if code == 0 and any(proof in log for proof in proofs):
            return Status.INFEASIBLE, Reason.COMPLETED, "the planner has shown that there is no plan"
        if re.search(r"OutOfMemoryError|MemoryError|bad_alloc", log):
            return Status.UNKNOWN, Reason.MEMORY, "the planner ran out of memory"
        return _judge_any(code, log)

    return judge


def _judge_any(code: int, log: str) -> Verdict:
    if code == 0:
        return Status.UNKNOWN, Reason.COMPLETED, "the planner ended without a plan"
    ended = f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}"
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "it printed nothing")
    return Status.UNKNOWN, Reason.ERROR, f"the planner failed ({ended}): {last[:200]}"


_EXTRA = 'pip install "pegcp[planners]"'

PLANNERS = (
    Planner(
        "fast-downward",
        "Fast Downward, greedy best-first search with the FF heuristic; a seed other than 0 shuffles successors",
        "up-fast-downward",
        _EXTRA,
        _fast_downward,
        _judge_downward,
        {"search": _SATISFICING},
    ),
    Planner(
        "fast-downward-opt",
        "Fast Downward, A* with the landmark-cut heuristic: optimal",
        "up-fast-downward",
        _EXTRA,
        _fast_downward,
        _judge_downward,
        {"search": "astar(lmcut())"},
        lambda options: options["search"].startswith("astar("),
    ),
    Planner(
        "symk",
        "SymK, symbolic bidirectional search with decision diagrams: optimal",
        "up-symk",
        "pip install up-symk",
        _symk,
        _judge_downward,
        {"search": "sym_bd()"},
        lambda options: options["search"].startswith("sym_"),
    ),
    Planner(
        "pyperplan",
        "pyperplan, the teaching planner in Python; search astar with heuristic lmcut is optimal",
        "up-pyperplan",
        _EXTRA,
        _pyperplan,
        _judge_words("Task unsolvable"),
        {"search": "wastar", "heuristic": "hadd"},
        lambda options: (
            options["search"] in ("bfs", "ids", "sat")
            or (options["search"] == "astar" and options["heuristic"] in ("blind", "hmax", "lmcut"))
        ),
        costs=False,
        plan=f"{PROBLEM}.soln",
    ),
    Planner(
        "enhsp",
        "ENHSP, greedy best-first search with the additive heuristic",
        "up-enhsp",
        "pip install up-enhsp, and Java 17",
        _enhsp(),
        _judge_words("Problem unsolvable"),
    ),
    Planner(
        "enhsp-opt",
        "ENHSP, A* with the heuristic hrmax: optimal",
        "up-enhsp",
        "pip install up-enhsp, and Java 17",
        _enhsp("-s", "WAStar", "-h", "hrmax"),
        _judge_words("Problem unsolvable"),
        optimal=lambda _: True,
    ),
    Planner(
        "lpg",
        "LPG, randomised local search on plan graphs",
        "up-lpg",
        "pip install up-lpg",
        _lpg,
        _judge_words("problem proven unsolvable"),
    ),
    Planner(
        "tamer",
        "Tamer, heuristic search, through unified-planning",
        "up-tamer",
        "pip install up-tamer",
        _tamer,
        _judge_any,
    ),
)


def _by_template(options: Options, _seed: int) -> list[str]:
    template = options["command"]
    if not template.strip():
        raise InputError('the method planner needs a command, such as planner:command="mine {domain} {problem} {plan}"')
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise InputError(f"cannot split the planner command into words: {error}") from None
    files = {"domain": DOMAIN, "problem": PROBLEM, "plan": PLAN}
    return [re.sub(r"\{(domain|problem|plan)\}", lambda found: os.path.abspath(files[found[1]]), w) for w in words]


# Any planner, given by its command line. What it prints is not understood, so that no plan means: unknown.
BY_COMMAND = Planner(
    "planner",
    "any planner by its command line, with {domain}, {problem} and {plan} for the files",
    "pegcp",
    "",
    _by_template,
    _judge_any,
    {"command": ""},
)


def entries() -> tuple[Entry, ...]:
    """The planners as backends."""
    return tuple(
        Entry(
            planner.name,
            planner.summary.partition(",")[0],
            planner.distribution,
            planner.install,
            __name__,
            ("pddl",),
            False,
        )
        for planner in PLANNERS
    )


def methods() -> list[Method]:
    """A method for each planner, installed or not, and one for planners by command line."""
    return [_method(planner) for planner in (*PLANNERS, BY_COMMAND)]


def _method(planner: Planner) -> Method:
    def run(problem: Problem, run: Run, options: Options, _backend: str | None) -> Answer:
        return solve(planner, problem, run, options)

    objectives = {Objective.ANY, Objective.FEWEST_JUMPS, *([Objective.FEWEST_MOVES] if planner.costs else [])}
    return Method(
        planner.name,
        planner.summary,
        GOAL_KINDS,
        frozenset(objective.value for objective in objectives),
        run,
        (planner.name,) if planner in PLANNERS else (),
        planner.options,
        refuse=_refuse,
    )


def _refuse(problem: Problem) -> str | None:
    from pegcp.pddl import unsupported

    return unsupported(problem)


def solve(planner: Planner, problem: Problem, run: Run, options: Options) -> Answer:
    """Write the files, run the planner in the current directory, read the plan. Raises Missing and InputError."""
    from pegcp.pddl import export, read_plan

    began = time.perf_counter()
    for name, text in export(problem).items():
        Path(name).write_text(text, encoding="utf-8")
    if planner in PLANNERS and next(entry for entry in entries() if entry.name == planner.name).version() is None:
        raise Missing(f"{planner.name} needs {planner.distribution}; install it with: {planner.install}")
    command = planner.command(options, run.limits.seed)
    Path(planner.plan).unlink(missing_ok=True)
    built = time.perf_counter() - began

    began = time.perf_counter()
    code, log = _execute(command, run.remaining)
    elapsed = time.perf_counter() - began
    reported = _reported(log)
    # What the planner spends on translating belongs to building.
    translating = min(reported.pop("translate_seconds", 0.0), elapsed)
    statistics = {
        "build_seconds": built + translating,
        "solve_seconds": elapsed - translating,
        "planner_seconds": elapsed,
        **reported,
    }

    path = Path(planner.plan)
    if not path.is_file():
        if code is None:
            return Answer(Status.UNKNOWN, Reason.TIME, statistics=statistics, message="time limit")
        status, reason, message = planner.judge(code, log)
        return Answer(status, reason, statistics=statistics, message=message)
    if code is None:
        # The file may be half written: it counts only if it is a plan.
        statistics["stopped"] = True
    try:
        jumps = tuple(read_plan(problem, path.read_text(encoding="utf-8", errors="replace"), planner.plan))
    except PegcpError as error:
        reason = Reason.INVALID_SOLUTION if code is not None else Reason.TIME
        return Answer(Status.UNKNOWN, reason, statistics=statistics, message=f"the plan cannot be used: {error}")
    proved = problem.objective is not Objective.ANY and planner.optimal(options) and code == 0
    return Answer(
        Status.OPTIMAL if proved else Status.SOLVED,
        Reason.COMPLETED if code is not None else Reason.TIME,
        jumps,
        bound=problem.value(jumps) if proved else None,
        statistics=statistics,
    )


def _execute(command: list[str], seconds: float) -> tuple[int | None, str]:
    """Exit code (None: stopped at the time limit, with its whole group) and the end of the log."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        )
    except OSError as error:
        raise Missing(f'cannot start the planner "{command[0]}": {error.strerror or error}') from None
    tail: list[str] = []

    def copy() -> None:
        assert process.stdout is not None
        kept = 0
        with open(LOG, "w", encoding="utf-8") as log:
            for line in process.stdout:
                log.write(line)
                log.flush()
                sys.stdout.write(line)
                tail.append(line)
                kept += len(line)
                while kept > _LOG_TAIL and len(tail) > 1:
                    kept -= len(tail.pop(0))
        sys.stdout.flush()

    reader = threading.Thread(target=copy, daemon=True)
    reader.start()
    code: int | None = None
    try:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(seconds)
    finally:
        # Also what the planner left running behind it.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join(2)
    return code, "".join(tail)


# What planners report of themselves. Fast Downward and SymK; pyperplan; ENHSP; LPG.
_FIGURES: tuple[tuple[str, str, type], ...] = (
    (
        "translate_seconds",
        r"^INFO\s+translator wall-clock time: ([\d.]+)s|^Done! \[[\d.]+s CPU, ([\d.]+)s wall-clock\]",
        float,
    ),
    (
        "search_seconds",
        r"^\[t=[^\]]*\] Search time: ([\d.]+)s|Search time: ([\d.]+)$|^Search Time \(msec\): (\d+)",
        float,
    ),
    ("expanded", r"Expanded (\d+) state\(s\)\.|(\d+) Nodes expanded|^Expanded Nodes:(\d+)", int),
    ("evaluated", r"Evaluated (\d+) state\(s\)\.|^States Evaluated:(\d+)", int),
    ("plan_cost", r"Plan cost: (\d+)", int),
)


def _reported(log: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, pattern, kind in _FIGURES:
        match = next(iter(re.finditer(pattern, log, re.MULTILINE)), None)
        if match:
            found[name] = kind(next(group for group in match.groups() if group is not None))
            if "msec" in match[0]:
                found[name] /= 1000
    return found
