"""The planners of ``planners.toml`` and those of the user: start each on PDDL files, read and check its plans.

Those that ship come in the engine packages of unified-planning (``up-fast-downward``, ``up-symk``, ...). They are
started with the command lines of those engines, but on pegcp's own files: unified-planning's reader and writer (1.3.0)
take three seconds for the English board, ten times what Fast Downward needs to solve it, order ``:constants`` by the
hash seed, and lose the log of a run that is stopped. Only Tamer, which has no command line of its own, is started
through unified-planning.

Each run has a folder to itself: ``domain.pddl``, ``problem.pddl``, the plan, and the log ``planner.log``.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pegcp.backends.backend import BackendInfo
from pegcp.backends.program import execute, failure, resolved_words, split_command
from pegcp.backends.program_tables import own_programs, read_programs, read_tables
from pegcp.errors import InputError, PegcpError
from pegcp.formats import pddl
from pegcp.formats.files import read_file
from pegcp.game.board import Jump
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.replay import check
from pegcp.method import OUT_OF_TIME, Answer, Method, Reason, Run, Status

DOMAIN, PROBLEM, PLAN = "domain.pddl", "problem.pddl", "plan.txt"
BY_COMMAND = "planner"  # any planner by its command line
OWN = "planners.toml"  # of the user

Options = Mapping[str, Any]
Meaning = Literal["unsolvable", "incomplete", "unsupported", "memory", "time"]
_MEANINGS: dict[Meaning, Answer] = {
    "unsolvable": Answer(Status.INFEASIBLE, message="the planner says that there is no plan"),
    "incomplete": Answer(Status.UNKNOWN, message="the planner gave up, which proves nothing"),
    "unsupported": Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message="the planner does not support this problem"),
    "memory": Answer(Status.UNKNOWN, Reason.MEMORY, message="the planner ran out of memory"),
    "time": Answer(Status.UNKNOWN, Reason.TIME, message="the planner ran out of time"),
}
_SIGNALS = 128  # a shell or driver whose part was killed ends with this and the number of the signal
_SHIPPED = Path(__file__).with_name(OWN)
LOG = "planner.log"
_LARGEST = 10_000_000  # bytes of a plan
PLAIN = "plain"  # the encoding that fits the goal and the objective
# Fast Downward and SymK; pyperplan; ENHSP.
_TRANSLATED = re.compile(
    r"^INFO\s+translator wall-clock time: ([\d.]+)s|^Done! \[[\d.]+s CPU, ([\d.]+)s wall-clock\]", re.MULTILINE
)
_EXPANDED = re.compile(r"Expanded (\d+) state\(s\)\.|(\d+) Nodes expanded|^Expanded Nodes:(\d+)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Planner(BackendInfo):
    """How to run a planner on files in a folder: a table of ``planners.toml``, which explains its keys.

    ``costs``: it supports action costs; ``temporal``: durative actions; ``encodings``: the domains of ``models/`` that
    it supports beside those; ``plan``: the file that it writes, if its command cannot name one.
    """

    formats: tuple[str, ...] = ("pddl",)
    about: str = ""
    command_mac: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    optimal: bool | tuple[str, str] = False
    costs: bool = True
    temporal: bool = False
    encodings: tuple[Literal["parallel", "derived"], ...] = ()
    plan: str = PLAN
    exit: Mapping[Meaning, tuple[int, ...]] = field(default_factory=dict)
    says: Mapping[Meaning | Literal["doubtful"], tuple[str, ...]] = field(default_factory=dict)

    @property
    def choices(self) -> dict[str, Any]:
        """Its options. Those of the user's programs include the claims to trust, and the command."""
        if self.modules:
            return dict(self.options)
        proves = {} if isinstance(self.optimal, tuple) else {"optimal": "yes" if self.optimal else "no"}
        return {**self.options, **proves, "exit.unsolvable": Codes(""), "says.unsolvable": "", "command": self.command}

    def command_line(self, options: Options, run: Run) -> list[str]:
        """The words that start it in the folder of a run. Raises InputError for a command that cannot be split."""
        template = options.get("command") or self.command_mac * (sys.platform == "darwin") or self.command
        if not template.strip():
            example = f'{self.name}:command="mine {{domain}} {{problem}} {{plan}}"'
            raise InputError(f"{self.name} needs a command, such as {example}")
        files = {"domain": DOMAIN, "problem": PROBLEM, "plan": self.plan}
        values = {
            **{name: str(run.folder / file) for name, file in files.items()},
            "python": sys.executable,
            "time": f"{max(1, run.remaining):.0f}",
            **{package: _folder(package) for package in self.modules},
            **{name: str(value) for name, value in options.items()},
        }

        def filled(word: str) -> str:
            word = re.sub(r"\{(\w+)\}", lambda place: values.get(place[1], place[0]), word)
            return word.replace("{seed}", str(run.limits.seed))  # also in the options

        words = split_command(template) if self.modules else resolved_words(template)  # those that ship name no files
        return [filled(word) for word in words]

    def proves(self, options: Options) -> bool:
        """True if its last plan is proved to be the best."""
        if "optimal" in options:
            return bool(options["optimal"] == "yes")
        if isinstance(self.optimal, bool):
            return self.optimal
        text, pattern = self.optimal
        return re.fullmatch(pattern, text.format(**options), re.DOTALL) is not None

    def judge(self, options: Options, code: int, log: str) -> Answer:
        """Conclude from a run without a plan. A program that crashed proves nothing."""
        by_code = {meaning for meaning, codes in self.exit.items() if code in codes}
        by_log = {meaning for meaning, words in self.says.items() if any(word in log for word in words)}
        by_code |= {"unsolvable"} if str(code) in options.get("exit.unsolvable", "").split(",") else set()
        by_log |= {"unsolvable"} if options.get("says.unsolvable") and options["says.unsolvable"] in log else set()
        if not 0 <= code < _SIGNALS:
            by_log &= {"memory"}
        limits: tuple[Meaning, ...] = ("memory", "time", "unsupported")
        for meaning in limits:
            if meaning in by_code | by_log:
                return _MEANINGS[meaning]
        if "unsolvable" in by_code | by_log and "doubtful" not in by_log:
            return _MEANINGS["unsolvable"]
        if not (by_code | by_log).isdisjoint(("incomplete", "unsolvable")):
            return _MEANINGS["incomplete"]
        if code == 0:
            return Answer(Status.UNKNOWN, message="the planner ended without a plan")
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the planner failed {failure(code, log)}")


class Codes(str):
    """Exit codes separated by commas. Raises ValueError for any other text."""

    __slots__ = ()

    def __new__(cls, text: str) -> Codes:
        """The codes in a text."""
        if text and not re.fullmatch(r"\d{1,3}(,\d{1,3})*", text):
            raise ValueError(text)
        return super().__new__(cls, text)


def _folder(package: str) -> str:
    """The folder of an installed package."""
    spec = importlib.util.find_spec(package)
    return os.path.dirname(spec.origin or "") if spec is not None else package


def shipped_names() -> tuple[str, ...]:
    """The names of the planners that ship."""
    return tuple(read_tables(_SHIPPED))


@cache
def shipped() -> dict[str, Planner]:
    """The planners that ship, by name."""
    return {planner.name: planner for planner in read_programs(_SHIPPED, Planner)}


def own() -> list[Planner]:
    """The planners of the user's own file, if there is one. Raises InputError."""
    return own_programs(OWN, Planner)


def method(planner: Planner) -> Method:
    """The method that is a planner."""

    def run(problem: Problem, run: Run, options: Options, _backend: str | None) -> Answer:
        return solve(planner, problem, run, options)

    objectives = {Objective.ANY, Objective.FEWEST_JUMPS}
    if planner.costs:
        objectives |= {Objective.FEWEST_MOVES, Objective.FEWEST_PEGS, Objective.NEAREST}
    if planner.temporal or "parallel" in planner.encodings:
        objectives |= {Objective.FEWEST_STEPS}
    return Method(
        planner.name,
        f"{planner.title}, {planner.about}".removesuffix(", "),
        frozenset(pddl.GOALS),
        frozenset(objective.value for objective in objectives),
        run,
        () if planner.name == BY_COMMAND else (planner.name,),
        {"encoding": PLAIN, **planner.choices},
        {"encoding": (PLAIN, *planner.encodings), "optimal": ("yes", "no")},
        without=frozenset((g, o.value) for g in pddl.GOALS for o in objectives if pddl.unsupported(g, o)),
    )


def solve(planner: Planner, problem: Problem, run: Run, options: Options) -> Answer:
    """Write the files, run the planner, read the plan. Raises Missing and InputError."""
    began = time.perf_counter()
    try:
        task = _write_files(planner, problem, encoding(planner, problem, options), run.folder)
        command = planner.command_line(options, run)
    except InputError as error:
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=str(error))
    if problem.sought is None and problem.is_goal(problem.start.mask):  # on which some planners crash
        value, message = problem.value(()), "the start satisfies the goal, so the planner was not started"
        return Answer(Status.SOLVED if value is None else Status.OPTIMAL, jumps=(), bound=value, message=message)
    plans = _Plans(planner, task, run)
    built = time.perf_counter() - began

    began = time.perf_counter()
    code, log = execute(command, run, run.remaining, LOG, look=plans.look)
    plans.look()
    elapsed = time.perf_counter() - began
    # The planner's own translation belongs to building.
    translated, expanded = _TRANSLATED.search(log), _EXPANDED.search(log)
    translating = min(float(translated[translated.lastindex or 0]), elapsed) if translated else 0.0
    answer = _judged(planner, problem, options, plans, code, log)
    seconds = {"build_seconds": built + translating, "solve_seconds": elapsed - translating}
    figures = {"expanded": int(expanded[expanded.lastindex or 0])} if expanded else {}
    return replace(answer, statistics={**seconds, **figures, **answer.statistics})


def look(planner: Planner, problem: Problem, run: Run, options: Options) -> dict[str, int]:
    """Sizes of a problem after the translator of Fast Downward, or of a relative. Raises InputError for others."""
    words = planner.command_line(options, run)
    drivers = [word for word in words if word.endswith("fast-downward.py")][:1]
    if not drivers:
        raise InputError(f"{planner.name} reports no sizes. Try: -m fast-downward")
    _write_files(planner, problem, encoding(planner, problem, options), run.folder)
    _, log = execute([sys.executable, *drivers, "--translate", DOMAIN, PROBLEM], run, run.remaining, LOG)
    sizes = re.findall(r"^Translator (variables|facts|operators|mutex groups): (\d+)$", log, re.MULTILINE)
    return {name.replace(" ", "_"): int(size) for name, size in sizes}


def encoding(planner: Planner, problem: Problem, options: Options) -> str | None:
    """The domain in ``models/`` that a planner with these options is given, or None for the one that fits."""
    option: str = options.get("encoding", PLAIN)
    if option != PLAIN:
        return option
    # Without durations the jumps of a step are actions one after the other.
    return "parallel" if problem.objective is Objective.FEWEST_STEPS and not planner.temporal else None


def _write_files(planner: Planner, problem: Problem, encoding: str | None, folder: Path) -> pddl.Task:
    """Write the files of ``pegcp export``; return the task of the plans.

    Raises Missing if the planner is not installed, and InputError for an encoding that does not fit.
    """
    for name, text in pddl.export(problem, domain=encoding, metric=False).items():
        (folder / name).write_text(text, encoding="utf-8")
    if planner.version() is None:
        raise planner.missing()
    return pddl.Task(problem, pddl.domain_for(problem, encoding))


class _Plans:
    """The plans that a planner has written so far: ``plan.txt``, and those of planners that continue after the first,
    ``plan.txt.1``, ``plan.txt.2``, ... A file that cannot be read may be half written, and is read again when it has
    changed.

    ``best`` is the value, the cost in the domain, and the jumps of the best plan.
    """

    def __init__(self, planner: Planner, task: pddl.Task, run: Run) -> None:
        self.planner, self.task, self.run = planner, task, run
        self.timed = task.domain.measure == "total-time"
        self.count = 0
        self.best: tuple[float, float, tuple[Jump, ...]] | None = None
        self.faults: dict[Path, str] = {}
        self._seen: dict[Path, tuple[int, int]] = {}

    def look(self) -> None:
        """Read the plans that are new."""
        for path in _plan_files(self.planner, self.run.folder):
            with suppress(OSError):
                about = path.stat()
                if self._seen.get(path) != (about.st_mtime_ns, about.st_size):
                    self._seen[path] = about.st_mtime_ns, about.st_size
                    self.add(path)

    def add(self, path: Path) -> None:
        """Read and check a plan; the file may hold none."""
        self.faults.pop(path, None)
        try:
            text = read_file(path, _LARGEST).decode("utf-8", "replace")
            if text.endswith("no solution"):
                return
            plan = pddl.read_whole_plan(self.task, text, path.name)
            value = check(self.task.problem, plan.jumps).value
        except PegcpError as error:
            self.faults[path] = str(error)
            return
        self.count += 1
        if self.best is None or (value or 0, plan.cost) < self.best[:2]:
            self.best = value or 0, plan.cost, plan.jumps
            self.run.report({"jumps": plan.jumps, **({} if value is None else {"objective": value})})

    @property
    def statistics(self) -> dict[str, Any]:
        """The number of plans, and the cost of the best."""
        several = {"plans": self.count} if self.count > 1 else {}
        return {} if self.best is None else {"plan_cost": self.best[1], **several}


def _judged(planner: Planner, problem: Problem, options: Options, plans: _Plans, code: int | None, log: str) -> Answer:
    """Conclude from a run of the planner; ``code`` is None if it was stopped at the time limit."""
    if plans.best is None and code is None:  # the file of a plan may be half written
        return OUT_OF_TIME
    if plans.best is None and plans.faults:
        fault = list(plans.faults.values())[-1]
        return Answer(Status.UNKNOWN, Reason.INVALID_SOLUTION, message=f"the planner's plan is invalid: {fault}")
    if plans.best is None:
        return planner.judge(options, code or 0, log)
    value, cost, jumps = plans.best
    if code is None:
        return Answer(Status.SOLVED, Reason.TIME, jumps, statistics={"stopped": True, **plans.statistics})
    solved = Answer(Status.SOLVED, jumps=jumps, statistics=plans.statistics)
    if problem.objective is Objective.ANY or not planner.proves(options) or code != 0:
        return solved
    if cost > value and not plans.timed:
        message = f"the planner claims that {cost:g} is the least cost, but its own plan has the value {value:g}"
        return replace(solved, message=message)
    return replace(solved, status=Status.OPTIMAL, bound=problem.value(jumps))


def _plan_files(planner: Planner, folder: Path) -> list[Path]:
    """The files of plans in a folder, those without a number first."""
    name = re.compile(re.escape(planner.plan) + r"(\.\d{1,9})?")
    files = [path for path in folder.glob("*") if name.fullmatch(path.name) and path.is_file()]
    return sorted(files, key=lambda path: (len(path.name), path.name))
