"""The planners pegcp knows: how to start each on PDDL files, and what it means when no plan was written.

They come in the engine packages of unified-planning (``up-fast-downward``, ``up-symk``, ...), and are started with the
command lines of those engines, but on pegcp's own files. To pass a problem through unified-planning's reader and writer
(1.3.0) takes three seconds for the English board, ten times what Fast Downward needs to solve it, orders ``:constants``
by the hash seed, and loses the log of a run that is stopped. Only Tamer, which has no command line, goes
through unified-planning; ``engine.py`` is its command line.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pegcp.backends.entry import Entry
from pegcp.backends.program import failure
from pegcp.errors import InputError, Missing
from pegcp.method import Reason, Status

DOMAIN, PROBLEM, PLAN = "domain.pddl", "problem.pddl", "plan.txt"

Options = Mapping[str, Any]
Verdict = tuple[Status, Reason, str]
# From the exit code and the log of a run without a plan to what that means.
Judge = Callable[[int, str], Verdict]


@dataclass(frozen=True, kw_only=True)
class Planner(Entry):
    """How to run a planner on the files in the current directory, and what it means when no plan was written.

    ``about``: what it does; ``optimal(options)`` says whether a plan is proved best; ``costs`` whether the planner
    understands action costs, ``temporal`` whether it understands durative actions; ``encodings`` are the domains of
    ``models/`` that it understands beside those.
    """

    about: str
    command: Callable[[Options, int], list[str]]
    judge: Judge
    options: Options = field(default_factory=dict)
    optimal: Callable[[Options], bool] = lambda _: False
    costs: bool = True
    temporal: bool = False
    encodings: tuple[str, ...] = ()
    plan: str = PLAN


# A* finds an optimum with a heuristic that never overestimates.
_ADMISSIBLE = re.compile(r"astar\((blind|hmax|lmcut|ipdb|cegar|merge_and_shrink|landmark_cost_partitioning)\(")


def _inside(package: str, *path: str) -> str:
    """A file that an engine package, which is there, carries."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    return str(Path(spec.submodule_search_locations[0], *path))


def _fast_downward(options: Options, seed: int) -> list[str]:
    driver = _inside("up_fast_downward", "downward", "fast-downward.py")
    search = options["search"].replace("{seed}", str(seed))
    return [sys.executable, driver, "--plan-file", PLAN, DOMAIN, PROBLEM, "--search", search]


def _symk(options: Options, _seed: int) -> list[str]:
    driver = _inside("up_symk", "symk", "fast-downward.py")
    return [sys.executable, driver, "--plan-file", PLAN, DOMAIN, PROBLEM, "--search", options["search"]]


def _pyperplan(options: Options, _seed: int) -> list[str]:
    heuristic = ["-H", options["heuristic"]] if options["search"] not in ("bfs", "ids", "sat") else []
    return [sys.executable, "-P", "-m", "pyperplan", "-s", options["search"], *heuristic, DOMAIN, PROBLEM]


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


def _engine(name: str) -> Callable[[Options, int], list[str]]:
    def command(_options: Options, _seed: int) -> list[str]:
        return [sys.executable, "-P", str(Path(__file__).with_name("engine.py")), name, DOMAIN, PROBLEM, PLAN]

    return command


def _judge_downward(code: int, log: str) -> Verdict:
    """Exit codes of Fast Downward and its relatives, see https://www.fast-downward.org/latest/documentation/exit-codes."""
    if code == 11 and "iterated(" in log:
        # Fast Downward 26.6 says "provably unsolvable" when a search inside iterated() has reached its max_time.
        return Status.UNKNOWN, Reason.COMPLETED, "the planner gave up: an iterated search is no proof"
    if code in (10, 11):
        return Status.INFEASIBLE, Reason.COMPLETED, "the planner has shown that there is no plan"
    if code == 12 and re.search(r"BOUND: 2147483647 < 2147483647", log):
        # SymK leaves with 12 whenever it has no plan; with this bound it has exhausted one direction of its search.
        return Status.INFEASIBLE, Reason.COMPLETED, "the planner has shown that there is no plan"
    if code == 12:
        return Status.UNKNOWN, Reason.COMPLETED, "the planner gave up: its search is incomplete and found no plan"
    if code == 34:
        return Status.UNKNOWN, Reason.UNSUPPORTED, "the planner's search does not take this problem"
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


def _judge_lpg(code: int, log: str) -> Verdict:
    """LPG leaves with 1 where it sees no way to the goals; it may have left ways out: no proof, and no failure."""
    if code == 1 and "Goals of the planning problem can not be reached" in log:
        return Status.UNKNOWN, Reason.COMPLETED, "the planner gave up: it sees no way to the goal"
    return _judge_words("problem proven unsolvable", "The problem is unsolvable since")(code, log)


def _judge_any(code: int, log: str) -> Verdict:
    if code == 0:
        return Status.UNKNOWN, Reason.COMPLETED, "the planner ended without a plan"
    return Status.UNKNOWN, Reason.ERROR, f"the planner failed {failure(code, log)}"


# After a search, and by a relaxation with intervals before it. "Unsolvable Problem" it says also when it has crashed.
_ENHSP_PROOFS = ("Problem unsolvable", "Problem Detected as Unsolvable by AIBR")
_EXTRA = "pegcp[planners]"
_PDDL = ("pddl",)
_GPL = "GPL-3.0"
_DOWNWARD = ("up-fast-downward", ("up_fast_downward",), _EXTRA, _PDDL)
_ENHSP = ("up-enhsp", ("up_enhsp",), "up-enhsp", _PDDL)

PLANNERS = (
    Planner(
        *("fast-downward", "Fast Downward", _GPL, *_DOWNWARD),
        about="weighted A* with the FF heuristic; {seed} in the search option is the seed",
        command=_fast_downward,
        judge=_judge_downward,
        # Solves all 33 English reversals in seconds; greedy search, with or without preferred operators, does not.
        options={"search": "eager_wastar([ff()],w=3)"},
        encodings=("parallel", "derived"),
    ),
    Planner(
        *("fast-downward-opt", "Fast Downward", _GPL, *_DOWNWARD),
        about="A* with the landmark-cut heuristic: optimal",
        command=_fast_downward,
        judge=_judge_downward,
        options={"search": "astar(lmcut())"},
        optimal=lambda options: _ADMISSIBLE.match(options["search"]) is not None,
        encodings=("parallel", "derived"),  # derived is not for landmark-cut
    ),
    Planner(
        *("symk", "SymK", _GPL, "up-symk", ("up_symk",), "up-symk", _PDDL),
        about="symbolic bidirectional search with decision diagrams: optimal",
        command=_symk,
        judge=_judge_downward,
        options={"search": "sym_bd()"},
        optimal=lambda options: options["search"].startswith("sym_"),
        encodings=("parallel", "derived"),
    ),
    Planner(
        *("pyperplan", "pyperplan", _GPL, "up-pyperplan", ("up_pyperplan",), _EXTRA, _PDDL),
        about="the teaching planner in Python; search astar with heuristic lmcut is optimal",
        command=_pyperplan,
        judge=_judge_words("Task unsolvable"),
        options={"search": "wastar", "heuristic": "hadd"},
        optimal=lambda options: (
            options["search"] in ("bfs", "ids", "sat")
            or (options["search"] == "astar" and options["heuristic"] in ("blind", "hmax", "lmcut"))
        ),
        costs=False,
        plan=f"{PROBLEM}.soln",
    ),
    Planner(
        *("enhsp", "ENHSP (needs Java 17)", _GPL, *_ENHSP),
        about="greedy best-first search with the additive heuristic",
        command=_enhsp(),
        judge=_judge_words(*_ENHSP_PROOFS),
        encodings=("parallel",),
    ),
    Planner(
        *("enhsp-opt", "ENHSP (needs Java 17)", _GPL, *_ENHSP),
        about="A* with the heuristic hrmax: optimal",
        command=_enhsp("-s", "WAStar", "-h", "hrmax"),
        judge=_judge_words(*_ENHSP_PROOFS),
        optimal=lambda _: True,
        encodings=("parallel",),
    ),
    Planner(
        *("lpg", "LPG", "", "up-lpg", ("up_lpg",), "up-lpg", _PDDL),
        about="randomised local search on plan graphs",
        command=_lpg,
        judge=_judge_lpg,  # on durative actions it may crash, so it is not given any
    ),
    Planner(
        *("tamer", "Tamer", "", "up-tamer", ("up_tamer",), "up-tamer unified-planning", _PDDL),
        about="heuristic search, through unified-planning",
        command=_engine("tamer"),
        judge=_judge_any,
        temporal=True,
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
    *("planner", "any planner by its command line", "", "pegcp", (), "", _PDDL),
    about="with {domain}, {problem} and {plan} for the files",
    command=_by_template,
    judge=_judge_any,
    options={"command": ""},
    temporal=True,
    encodings=("parallel", "derived"),
)
