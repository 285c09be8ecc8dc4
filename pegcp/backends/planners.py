"""The planners of ``planners.toml`` and those of the user: start each on PDDL files, read and check its plans.

Those that ship come in the engine packages of unified-planning (``up-fast-downward``, ``up-symk``, ...). They are
started with the command lines of those engines, but on pegcp's own files: unified-planning's reader and writer (1.3.0)
take three seconds for the English board, ten times what Fast Downward needs to solve it, order ``:constants`` by the
hash seed, and lose the log of a run that is stopped. Only Tamer, which has no command line of its own, is started
through unified-planning.

Each run has a folder to itself: ``domain.pddl``, ``problem.pddl``, the plan, and the log ``planner.log``.
"""

import importlib.util
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Literal

from pegcp.backends.interface import (
    OUT_OF_TIME,
    Answer,
    BackendInfo,
    Data,
    InputError,
    Method,
    Objective,
    Options,
    Problem,
    Reason,
    Run,
    Status,
)
from pegcp.backends.program import execute, failure, fill_places, places, resolved_words, split_command
from pegcp.errors import PegcpError, accepts, refuse_if
from pegcp.formats import pddl
from pegcp.formats.files import read_file, read_toml
from pegcp.formats.toml import parse_toml

DOMAIN, PROBLEM, PLAN = "domain.pddl", "problem.pddl", "plan.txt"
BY_COMMAND = "planner"  # any planner by its command line
OWN_PLANNERS = "planners.toml"  # of the user

Meaning = Literal["unsolvable", "incomplete", "unsupported", "memory", "time"]
_MEANINGS: dict[Meaning, Answer] = {  # the first that holds is the answer
    "memory": Answer(Status.UNKNOWN, Reason.MEMORY, message="the planner ran out of memory"),
    "time": Answer(Status.UNKNOWN, Reason.TIME, message="the planner ran out of time"),
    "unsupported": Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message="the planner does not support this problem"),
    "unsolvable": Answer(Status.INFEASIBLE, message="the planner says that there is no plan"),
    "incomplete": Answer(Status.UNKNOWN, message="the planner gave up, which proves nothing"),
}
_SHIPPED = Path(__file__).with_name(OWN_PLANNERS)
_SIGNAL_BASE = 128  # a shell or driver whose part was killed ends with this and the number of the signal
LOG = "planner.log"
_PLACES = ("domain", "problem", "plan", "seed", "time", "python")
PLAIN = "plain"  # the encoding that fits the goal and the objective
_MOST_BYTES = 10_000_000  # bytes of a plan
# Fast Downward and SymK; pyperplan; ENHSP.
_TRANSLATED = r"^INFO\s+translator wall-clock time: ([\d.]+)s|^Done! \[[\d.]+s CPU, ([\d.]+)s wall-clock\]"
_EXPANDED = r"Expanded (\d+) state\(s\)\.|(\d+) Nodes expanded|^Expanded Nodes:(\d+)"


@dataclass(frozen=True, kw_only=True)
class Planner(BackendInfo):
    """How to run a planner on files in a folder: a table of ``planners.toml``, which explains its keys.

    ``costs``: it supports action costs; ``temporal``: durative actions; ``encodings``: the domains of ``models/`` that
    it supports beside those; ``plan``: the file that it writes, if its command cannot name one.
    """

    file = OWN_PLANNERS
    formats: tuple[str, ...] = ("pddl",)
    about: str = ""
    command_mac: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    optimal: bool | tuple[str, str] = False
    costs: bool = True
    temporal: bool = False
    encodings: tuple[Literal["parallel", "derived"], ...] = ()
    plan: str = ""
    exit: Mapping[Meaning, tuple[int, ...]] = field(default_factory=dict)
    says: Mapping[Meaning | Literal["doubtful", "empty"], tuple[str, ...]] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """The program that its command starts."""
        return fill_places(super().program, {"python": sys.executable, **_folders(self.modules)})

    def check_options(self, options: Options) -> None:
        """Raise InputError for exit codes that are none, for a place in a command that nothing fills, and for a command
        that does not say where the plan goes."""
        codes, command = options.get("exit.unsolvable"), options.get("command", self.command)
        refuse_if(
            codes and not re.fullmatch(r"\d{1,3}(,\d{1,3})*", codes),
            f'option exit.unsolvable cannot be "{codes}": it takes exit codes, such as 11,12',
        )
        refuse_if(not command.strip(), f'{self.name} needs a command, such as "mine {{domain}} {{problem}} {{plan}}"')
        others = [name for name in {**self.options, **options} if name != "command"]
        places_of_command = places(split_command(command), (*_PLACES, *self.modules, *others))
        refuse_if(
            not self.plan and "plan" not in places_of_command,
            "the command has no {plan}, the file that pegcp reads the plan from. A planner that prints it: sh -c "
            "'mine {domain} {problem} > {plan}'; in planners.toml, one that names the file itself: "
            'plan = "sas_plan"',
        )

    def command_line(self, options: Options, run: Run) -> list[str]:
        """Return the words that start it in the folder of a run. Raises InputError for a command that cannot be
        split."""
        template = options.get("command") or self.command_mac * (sys.platform == "darwin") or self.command
        self.check_options(options)
        values = {
            "domain": str(run.folder / DOMAIN),
            "problem": str(run.folder / PROBLEM),
            "plan": str(run.folder / (self.plan or PLAN)),
            "python": sys.executable,
            "time": f"{max(1, run.remaining):.0f}",
            **_folders(self.modules),
            **{name: str(value) for name, value in options.items()},
        }
        words = split_command(template) if self.modules else resolved_words(template)  # those that ship name no files
        seed = str(run.limits.seed)  # also in the options
        return [fill_places(word, values).replace("{seed}", seed) for word in words]

    def proves(self, options: Options) -> bool:
        """Tell whether its last plan is proved to be the best."""
        text, pattern = ("{optimal}", "yes") if isinstance(self.optimal, bool) else self.optimal
        words = text.format(**{"optimal": "yes" if self.optimal else "no", **options})
        return re.fullmatch(pattern, words, re.DOTALL) is not None

    def read_answer(self, options: Options, code: int, log: str) -> Answer:
        """Conclude from a run without a plan. A program that crashed proves nothing."""
        meanings = {meaning for meaning, words in self.says.items() if any(word in log for word in words)}
        meanings |= {"unsolvable"} if options.get("says.unsolvable") and options["says.unsolvable"] in log else set()
        if not 0 <= code < _SIGNAL_BASE:
            meanings &= {"memory"}
        meanings |= {meaning for meaning, codes in self.exit.items() if code in codes}
        meanings |= {"unsolvable"} if str(code) in options.get("exit.unsolvable", "").split(",") else set()
        if "doubtful" in meanings:
            meanings = {"incomplete" if meaning == "unsolvable" else meaning for meaning in meanings}
        failed = f"the planner failed {failure(code, log)}\n--log prints all that it says"
        reason, message = (Reason.ERROR, failed) if code else (Reason.COMPLETED, "the planner ended without a plan")
        other = Answer(Status.UNKNOWN, reason, message=message)
        return next((answer for meaning, answer in _MEANINGS.items() if meaning in meanings), other)


@dataclass(frozen=True, kw_only=True)
class PlannerMethod(Method):
    """The method that is a planner."""

    planner: Planner

    def check_options(self, options: Options) -> None:
        """Raise InputError for options that the planner cannot take."""
        self.planner.check_options(options)

    def run(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Answer:
        """Write the files, run the planner, read the plan. Raises Missing and InputError."""
        began = time.perf_counter()
        try:
            task = _write_files(self.planner, problem, options, run.folder)
            command = self.planner.command_line(options, run)
        except InputError as error:
            return Answer(Status.UNKNOWN, Reason.UNSUPPORTED, message=str(error))
        if problem.sought is None and problem.is_goal(problem.start.mask):  # on which some planners crash
            value, message = problem.value(()), "the start satisfies the goal, so the planner was not started"
            return Answer(Status.SOLVED if value is None else Status.OPTIMAL, jumps=(), bound=value, message=message)
        plans = PlanFiles(self.planner.plan or PLAN, task, run)
        building = time.perf_counter() - began

        began = time.perf_counter()
        code, log = execute(command, run, run.remaining, LOG, poll=plans.poll)
        plans.poll()
        solving = time.perf_counter() - began
        # The planner's own translation belongs to building.
        translation, expansions = (re.search(pattern, log, re.MULTILINE) for pattern in (_TRANSLATED, _EXPANDED))
        translating = min(float(translation[translation.lastindex or 0]), solving) if translation else 0.0
        log = log.replace(f"{run.folder}{os.sep}", "")  # the same fault of several runs is one
        answer = conclude(self.planner, problem, options, plans, code, log)
        seconds = {"build_seconds": building + translating, "solve_seconds": solving - translating}
        figures = {"expanded": int(expansions[expansions.lastindex or 0])} if expansions else {}
        return replace(answer, statistics={**seconds, **figures, **answer.statistics})

    def encodings(self, problem: Problem) -> list[str]:
        """Return those of its encodings that express a problem."""
        domains = {name: encoding(self.planner, problem, {"encoding": name}) for name in self.values("encoding")}
        return [name for name in domains if accepts(lambda name: pddl.domain_for(problem, domains[name]), name)]

    def sizes(self, problem: Problem, run: Run, options: Options, backend: str | None) -> Data:
        """Return the sizes of a problem after the translator of Fast Downward, or of a relative. Raises InputError for
        others."""
        drivers = [word for word in self.planner.command_line(options, run) if word.endswith("fast-downward.py")][:1]
        refuse_if(not drivers, f"{self.planner.name} reports no sizes. Try: -m fast-downward")
        _write_files(self.planner, problem, options, run.folder)
        _, log = execute([sys.executable, *drivers, "--translate", DOMAIN, PROBLEM], run, run.remaining, LOG)
        return {
            name.replace(" ", "_"): int(size)
            for name, size in re.findall(
                r"^Translator (variables|facts|operators|mutex groups): (\d+)$", log, re.MULTILINE
            )
        }


def _folders(packages: Iterable[str]) -> dict[str, str]:
    """Return the folders of installed packages."""
    specs = {package: importlib.util.find_spec(package) for package in packages}
    return {package: os.path.dirname(spec.origin or "") for package, spec in specs.items() if spec is not None}


def shipped_names() -> tuple[str, ...]:
    """Return the names of the planners that ship, which can be read without the library that their tables need."""
    return tuple(parse_toml(read_toml(_SHIPPED), OWN_PLANNERS))


@cache
def shipped() -> dict[str, Planner]:
    """Return the planners that ship, by name."""
    return {planner.name: planner for planner in Planner.read_all(_SHIPPED)}


@cache
def shipped_method(name: str) -> PlannerMethod:
    """Return the method that is a planner which ships."""
    return method(shipped()[name])


def method(planner: Planner) -> PlannerMethod:
    """Return the method that is a planner. The options of the user's programs include the claims to trust, and the
    command."""
    objectives = {Objective.ANY, Objective.FEWEST_JUMPS}
    objectives |= {Objective.FEWEST_MOVES, Objective.FEWEST_PEGS, Objective.NEAREST} if planner.costs else set()
    objectives |= {Objective.FEWEST_STEPS} if planner.temporal or "parallel" in planner.encodings else set()
    options: dict[str, object] = {"encoding": PLAIN, **planner.options}
    if not planner.modules:
        options |= {} if isinstance(planner.optimal, tuple) else {"optimal": "yes" if planner.optimal else "no"}
        options |= {"exit.unsolvable": "", "says.unsolvable": "", "command": planner.command}
    return PlannerMethod(
        planner.name,
        f"{planner.title}, {planner.about}".removesuffix(", "),
        frozenset(pddl.GOALS),
        frozenset(objective.value for objective in objectives),
        () if planner.name == BY_COMMAND else (planner.name,),
        options,
        {"encoding": (PLAIN, *planner.encodings), "optimal": ("yes", "no")},
        without=frozenset((g, o.value) for g in pddl.GOALS for o in objectives if pddl.unsupported(g, o)),
        planner=planner,
    )


def encoding(planner: Planner, problem: Problem, options: Options) -> str | None:
    """Return the domain in ``models/`` that a planner with these options is given, or None for the one that fits."""
    # Without durations the jumps of a step are actions one after the other.
    in_steps = problem.objective is Objective.FEWEST_STEPS and not planner.temporal
    option: str = options.get("encoding", PLAIN)
    return option if option != PLAIN else "parallel" if in_steps else None


def _write_files(planner: Planner, problem: Problem, options: Options, folder: Path) -> pddl.PlanningTask:
    """Write the files of ``pegcp export``; return the task of the plans.

    Raises Missing if the planner is not installed, and InputError for an encoding that does not fit.
    """
    domain = encoding(planner, problem, options)
    for name, text in pddl.export(problem, domain=domain, metric=False).items():
        (folder / name).write_text(text, encoding="utf-8")
    planner.require()
    return pddl.PlanningTask(problem, pddl.domain_for(problem, domain))


class PlanFiles:
    """The plans that a planner writes while it runs: each is read and checked when it is new, and the best is kept.

    They are in the folder of the run: the file ``name``, and of planners that continue after the first plan ``name.1``,
    ``name.2``, ... A file that cannot be read may be half written, and is read again when it has changed.

    ``best`` is the best plan; ``faults`` say of each other file why it is no plan.
    """

    def __init__(self, name: str, task: pddl.PlanningTask, run: Run) -> None:
        self.name, self.task, self.run, self.count = name, task, run, 0
        self.best: pddl.Plan | None = None
        self.faults: dict[str, str] = {}
        self._stamps: dict[Path, tuple[int, int]] = {}

    def poll(self) -> None:
        """Read the plans that are new, those without a number first."""
        for path in sorted(self.run.folder.glob("*"), key=lambda path: (len(path.name), path.name)):
            with suppress(OSError):
                about, is_plan = path.stat(), re.fullmatch(re.escape(self.name) + r"(\.\d{1,9})?", path.name)
                stamp = about.st_mtime_ns, about.st_size
                if is_plan and path.is_file() and self._stamps.get(path) != stamp:
                    self._stamps[path] = stamp
                    self.add(path.name, partial(read_file, path, _MOST_BYTES))

    def add(self, name: str, read_content: Callable[[], bytes]) -> None:
        """Read and check a plan, and keep it if it is the best."""
        self.faults.pop(name, None)
        try:
            text = read_content().decode("utf-8", "replace")
            if text.endswith("no solution"):
                return
            plan = pddl.read_whole_plan(self.task, text, name)
        except PegcpError as error:
            self.faults[name] = str(error)
            return
        self.count += 1
        if self.best is None or self._rank(plan) < self._rank(self.best):
            self.best = plan
            value = self.task.problem.value(plan.jumps)
            self.run.report({"jumps": plan.jumps, **({} if value is None else {"objective": value})})

    def _rank(self, plan: pddl.Plan) -> tuple[float, float]:
        return self.task.problem.value(plan.jumps) or 0, plan.cost


def conclude(
    planner: Planner, problem: Problem, options: Options, plans: PlanFiles, code: int | None, log: str
) -> Answer:
    """Conclude from a run of the planner; ``code`` is None if it was stopped at the time limit."""
    if code is not None and not (plans.best or plans.faults) and any(w in log for w in planner.says.get("empty", ())):
        plans.add("the empty plan", bytes)
    best = plans.best
    if best is None and code is None:  # the file of a plan may be half written
        return OUT_OF_TIME
    if best is None and plans.faults:
        return Answer(
            Status.UNKNOWN,
            Reason.INVALID_SOLUTION,
            message=f"the planner's plan is invalid: {[*plans.faults.values()][-1]}",
        )
    if best is None:
        return planner.read_answer(options, code or 0, log)
    statistics: Data = {"plan_cost": best.cost, **({"plans": plans.count} if plans.count > 1 else {})}
    answer = Answer(Status.SOLVED, jumps=best.jumps, statistics=statistics)
    if code is None:
        return replace(answer, reason=Reason.TIME, statistics={"stopped": True, **statistics})
    if problem.objective is Objective.ANY or not planner.proves(options) or code != 0:
        return answer
    cost, value = best.cost, problem.value(best.jumps)
    # The end of a plan with times has small gaps in it.
    if value is not None and cost > value and plans.task.domain.measure != "total-time":
        return replace(
            answer,
            message=f"the planner claims that {cost:g} is the least cost, but its own plan has the value {value:g}",
        )
    return replace(answer, status=Status.OPTIMAL, bound=value)
