"""Planners: they get the files that ``pegcp export`` writes, and what they write is read back and checked.

Each run has the current directory to itself: ``domain.pddl``, ``problem.pddl``, the plan, and the log ``planner.log``,
which is also copied to standard output.
"""

from __future__ import annotations

import re
import signal
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pegcp.backends.planners import BY_COMMAND, Options, Planner
from pegcp.backends.program import execute
from pegcp.errors import InputError, PegcpError
from pegcp.formats import pddl
from pegcp.formats.files import read_file
from pegcp.game.board import Jump
from pegcp.game.goal import Nearest, Objective, Partial
from pegcp.game.problem import Problem
from pegcp.game.replay import check
from pegcp.method import OUT_OF_TIME, Answer, Method, Reason, Run, Status

LOG = "planner.log"
_LARGEST = 10_000_000  # bytes of a plan
_LISTED = 1000  # plans of a series that are no better than those before
PLAIN = "plain"  # the encoding that fits the goal and the objective
ORIGINAL = "original"  # the files that the problem was read from


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
        f"{planner.title}, {planner.about}",
        frozenset(planner.goals),
        frozenset(objective.value for objective in objectives),
        run,
        () if planner.name == BY_COMMAND else (planner.name,),
        {"encoding": PLAIN, **planner.choices},
        {"encoding": (PLAIN, *planner.encodings, ORIGINAL), "optimal": ("yes", "no")},
        without=frozenset((g, o.value) for g in pddl.GOALS for o in objectives if pddl.unsupported(g, o)),
    )


def solve(planner: Planner, problem: Problem, run: Run, options: Options) -> Answer:
    """Write the files, run the planner in the current directory, read the plan. Raises Missing and InputError."""
    began = time.perf_counter()
    try:
        task = _write_files(planner, problem, encoding(planner, problem, options))
    except InputError as error:
        return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=str(error))
    if _asks_nothing(problem):  # some planners crash on a goal without conditions
        value = problem.value(())
        return Answer(
            Status.SOLVED if value is None else Status.OPTIMAL,
            jumps=(),
            bound=value,
            message="the goal asks for nothing, so the planner was not started",
        )
    command = planner.started(options, run.limits.seed, run.remaining)
    plans = _Plans(planner, task, run)
    built = time.perf_counter() - began

    began = time.perf_counter()
    used = _cpu_seconds()
    code, log = execute(command, run, run.remaining, LOG, look=plans.look)
    plans.look()
    if code is not None and _over_cpu_limit(code, _cpu_seconds() - used):
        code = None
    elapsed = time.perf_counter() - began
    reported = _reported(log)
    # What the planner spends on translating belongs to building.
    translating = min(reported.pop("translate_seconds", 0.0), elapsed)
    answer = _judged(planner, problem, options, plans, code, log)
    statistics = {
        "build_seconds": built + translating,
        "solve_seconds": elapsed - translating,
        "planner_seconds": elapsed,
        **reported,
    }
    return replace(answer, statistics={**statistics, **answer.statistics})


def look(planner: Planner, problem: Problem, run: Run, options: Options) -> dict[str, int]:
    """Sizes of a problem after the translator of Fast Downward, or of a relative; and the values of the usual
    heuristics of Fast Downward at the start. Raises InputError for other planners."""
    command = planner.started(options, run.limits.seed, run.remaining)
    drivers = [part for part in command if part.endswith("fast-downward.py")]
    if not drivers:
        raise InputError(f"{planner.name} tells no sizes; fast-downward and symk do")
    _write_files(planner, problem, encoding(planner, problem, options))
    driver = [sys.executable, *drivers]
    _, log = execute([*driver, "--translate", "domain.pddl", "problem.pddl"], run, run.remaining, LOG)
    sizes = dict(re.findall(r"^Translator ([a-z ]+): (\d+)$", log, re.MULTILINE))
    names = ("variables", "facts", "operators", "mutex groups")
    figures = {name.replace(" ", "_"): int(sizes[name]) for name in names if name in sizes}
    for name, heuristic in _HEURISTICS.items() if "up_fast_downward" in planner.modules else ():
        search = ["output.sas", "--search", f"astar({heuristic},max_time=0)"]
        _, log = execute([*driver, *search], run, run.remaining, LOG)
        value = re.search(r"Initial heuristic value for \S+: (\d+)$", log, re.MULTILINE)
        figures |= {f"h_{name}": int(value[1])} if value else {}
    return figures


_MERGED = (  # as in the manual of Fast Downward
    "merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),merge_strategy=merge_sccs(order_of_sccs=topological,"
    "merge_selector=score_based_filtering(scoring_functions=[goal_relevance(),dfp(),total_order()])),label_reduction="
    "exact(before_shrinking=true,before_merging=false),max_states=50k,threshold_before_merge=1,main_loop_max_time=5)"
)
_HEURISTICS = {
    "blind": "blind()",
    "max": "hmax()",
    "lmcut": "lmcut()",
    "ff": "ff()",
    "landmarks": "landmark_sum(lm_rhw())",
    "merged": _MERGED,
}


def encoding(planner: Planner, problem: Problem, options: Options) -> str | None:
    """The domain in ``models/`` that a planner with these options is given, or None for the one that fits."""
    chosen: str = options.get("encoding", PLAIN)
    if chosen != PLAIN:
        return chosen
    # Without durations steps are told one after the other.
    return "parallel" if problem.objective is Objective.FEWEST_STEPS and not planner.temporal else None


def _asks_nothing(problem: Problem) -> bool:
    """Whether any last position will do, and none is better than another."""
    weights = () if problem.sought is None else problem.sought.weights
    return (problem.goal == Partial(0) or isinstance(problem.goal, Nearest)) and not any(weights)


def _cpu_seconds() -> float:
    """CPU seconds of the child processes that have ended."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _over_cpu_limit(code: int, seconds: float) -> bool:
    """Whether a planner that used so many seconds was killed because a process may use no more here.

    Shells and drivers end with an exit code of their own for a part that was killed: 128 and the number of the signal,
    or what is left of its negative in a byte.
    """
    import resource

    if code in _codes(signal.SIGXCPU):
        return True
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    return code in _codes(signal.SIGKILL) and most != resource.RLIM_INFINITY and seconds > most - 1


def _codes(number: int) -> tuple[int, ...]:
    return -number, 256 - number, 128 + number


def _write_files(planner: Planner, problem: Problem, encoding: str | None) -> pddl.Task:
    """Write the files of ``pegcp export``, or those that the problem was read from; return how their plans are read.

    Raises Missing if the planner is not installed, and InputError for an encoding that does not fit.
    """
    if encoding == ORIGINAL:
        original = pddl.task_of(problem)
        if original is None:
            raise InputError(f"{problem.name} was not read from a PDDL file")
        task, texts = original, (*problem.files, original.domain.written(problem, costs=False))
        files = {"problem.pddl": texts[0], "domain.pddl": texts[1]}
    else:
        task = pddl.Task(problem, pddl.domain_for(problem, encoding))
        files = pddl.export(problem, domain=encoding, metric=False)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    if planner.version() is None:
        raise planner.missing()
    for path in _plan_files(planner):
        path.unlink()
    return task


class _Plans:
    """The plans that a planner has written so far: ``plan.txt``, and those of planners that go on after the first,
    ``plan.txt.1``, ``plan.txt.2``, ... What cannot be read may be half written, and is read again when it has changed.

    ``best`` is the value, the cost in the domain, and the jumps of the best plan; ``series`` says when plans were
    there, in seconds, and what they cost.
    """

    def __init__(self, planner: Planner, task: pddl.Task, run: Run) -> None:
        self.planner, self.task, self.run = planner, task, run
        self.timed = task.domain.measure == "total-time"
        self.began = self.looked = time.time()
        self.most = run.remaining
        self.plans = 0
        self.best: tuple[float, float, tuple[Jump, ...]] | None = None
        self.series: list[tuple[float, float]] = []
        self.faults: dict[Path, str] = {}
        self._seen: dict[Path, tuple[int, int]] = {}

    def look(self) -> None:
        """Read the plans that are new."""
        now = time.time()
        for path in _plan_files(self.planner):
            with suppress(OSError):
                about = path.stat()
                if self._seen.get(path) == (about.st_mtime_ns, about.st_size):
                    continue
                self._seen[path] = about.st_mtime_ns, about.st_size
                # The time is the planner's word, but that it was not there at the last look.
                at = min(max(about.st_mtime, self.looked), now) - self.began
                if at <= self.most:
                    self.take(path, at)
        self.looked = now

    def take(self, path: Path, at: float, text: str | None = None) -> None:
        """Take in a plan, from a file if it is not given; there may be none in the file."""
        self.faults.pop(path, None)
        try:
            text = read_file(path, _LARGEST).decode("utf-8", "replace") if text is None else text
            if text.endswith("no solution"):
                return
            plan = pddl.read_whole_plan(self.task, text, str(path))
            value = check(self.task.problem, plan.jumps).value
        except PegcpError as error:
            self.faults[path] = str(error)
            return
        self.plans += 1
        better = self.best is None or (value or 0, plan.cost) < self.best[:2]
        if better or len(self.series) < _LISTED:
            self.series.append((round(max(0.0, at), 3), plan.cost))
        if better:
            self.best = value or 0, plan.cost, plan.jumps
            self.run.report({"jumps": plan.jumps, **({} if value is None else {"objective": value})})

    @property
    def statistics(self) -> dict[str, Any]:
        """How many there are, what the best costs, and how they came."""
        if self.best is None:
            return {}
        in_time = sorted(self.series, key=lambda point: point[0])
        several = {"plans": self.plans, "plan_series": in_time} if self.plans > 1 else {}
        return {"plan_cost": self.best[1], **several}


def _judged(planner: Planner, problem: Problem, options: Options, plans: _Plans, code: int | None, log: str) -> Answer:
    """Conclude from a run of the planner; ``code`` is None if it was stopped at the time limit."""
    # These words are LPG's, which may leave without a plan where the start is the goal.
    if plans.best is None and not plans.faults and "The empty plan solves it" in log:
        plans.take(Path(planner.plan), 0.0, "")
    if plans.best is None and code is None:  # what there is of a plan may be half written
        return OUT_OF_TIME
    if plans.best is None and plans.faults:
        fault = list(plans.faults.values())[-1]
        return Answer(Status.UNKNOWN, Reason.INVALID_SOLUTION, message=f"the plan cannot be used: {fault}")
    if plans.best is None:
        return planner.judge(options, code or 0, log)
    value, cost, jumps = plans.best
    if code is None:
        return Answer(Status.SOLVED, Reason.TIME, jumps, statistics={"stopped": True, **plans.statistics})
    solved = Answer(Status.SOLVED, jumps=jumps, statistics=plans.statistics)
    if problem.objective is Objective.ANY or not planner.proves(options) or code != 0:
        return solved
    if cost > value and not plans.timed:
        message = f"the planner claims that {cost:g} is the least cost, and its own plan shows {value:g}"
        return replace(solved, message=message)
    return replace(solved, status=Status.OPTIMAL, bound=problem.value(jumps))


def _plan_files(planner: Planner) -> list[Path]:
    """The files of plans, those without a number first."""
    name = re.compile(re.escape(planner.plan) + r"(\.\d{1,9})?")
    files = [path for path in Path().iterdir() if name.fullmatch(path.name) and path.is_file()]
    return sorted(files, key=lambda path: (len(path.name), path.name))


# What planners report of themselves. Fast Downward and SymK; pyperplan; ENHSP; LPG.
_FIGURES: tuple[tuple[str, str, type], ...] = (
    (
        "translate_seconds",
        r"^INFO\s+translator wall-clock time: ([\d.]+)s|^Done! \[[\d.]+s CPU, ([\d.]+)s wall-clock\]"
        r"|^Grounding Time: (\d+)$",
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
    figures: dict[str, Any] = {}
    for name, pattern, kind in _FIGURES:
        match = next(iter(re.finditer(pattern, log, re.MULTILINE)), None)
        if match:
            figures[name] = kind(next(group for group in match.groups() if group is not None))
            if "msec" in match[0] or match[0].startswith("Grounding"):  # ENHSP tells milliseconds
                figures[name] /= 1000
    return figures
