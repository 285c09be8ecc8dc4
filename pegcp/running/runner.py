"""Runs one method on one problem in a child process, and checks its answer."""

from __future__ import annotations

import json
import platform
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from pegcp import backends, plain
from pegcp.backends import external, planning
from pegcp.catalogue import methods
from pegcp.catalogue.methods import Chosen
from pegcp.catalogue.modelfile import SUFFIXES, name_of
from pegcp.catalogue.registry import bundled
from pegcp.errors import InputError
from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.equivalence import COARSER, UP_TO_SYMMETRY
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.method import Answer, Limits, Listing, Number, Reason, Run, Status
from pegcp.result import Result, checked, failed, read_answer
from pegcp.running import machine
from pegcp.running.process import Outcome, Point, Progress, contain
from pegcp.version import __version__

MOST_RUNS = 100_000  # of a comparison
LIMITS = ("seed", "workers", "time_limit", "memory_limit")  # parameters that are no options of the method
_LIBRARY = {  # what a search begins with that is slow to load
    **dict.fromkeys(("auto", "beam"), "pegcp.search.beam"),
    **dict.fromkeys(("budget", "certificate"), "pegcp.theory.equations"),
}
_LONGEST = 1e9  # seconds
_LARGEST = 1e12  # MB
_TIME_TO_WRITE = 2.0  # seconds after the time limit for a list of solutions
_LONGEST_LOG = 20_000  # characters that are kept


@dataclass(frozen=True)
class Task:
    """One run to make: a method on a problem within limits (which hold its seed).

    ``log`` asks for the solver's own lines; ``listing`` makes counting solutions listing them; with ``look`` nothing is
    solved, but the model is looked at.
    """

    problem: Problem
    method: Chosen
    limits: Limits
    log: bool = False
    listing: Listing | None = None
    look: bool = False

    @property
    def cores(self) -> int:
        """How many cores the run keeps busy."""
        info = backends.info(self.method.backend)
        return self.limits.workers if info is not None and info.threads else 1

    @property
    def modules(self) -> list[str]:
        """What to load before the run: what every run needs, and the library of the backend or search."""
        search = _LIBRARY.get(self.method.method.name)
        written = self.method.method.backends[:1] if self.method.backend == external.NAME else (self.method.backend,)
        library = [] if search is None else [search]
        return ["pegcp.catalogue.methods", *library, *(module for name in written for module in backends.modules(name))]

    @property
    def pauses(self) -> bool:
        """Whether the run may take longer while machine code is made: one of pegcp's own searches."""
        method = self.method.method
        return not method.backends and bundled().get(method.name) is method

    @property
    def parameters(self) -> dict[str, Any]:
        """Everything that was chosen: the options of the method, the seed and the limits."""
        limits = self.limits
        return {
            **self.method.parameters,
            **dict(zip(LIMITS, (limits.seed, limits.workers, float(limits.time), limits.memory), strict=True)),
            **({} if self.listing is None else vars(self.listing)),
        }

    @property
    def versions(self) -> dict[str, str]:
        """The versions of pegcp, Python and the backend, and fingerprints of what else decides: the model file, the
        files of the problem where the method gets them as they are."""
        versions = {"pegcp": __version__, "python": platform.python_version(), **_backend_version(self.method.backend)}
        path, original = self.method.method.path, self.method.parameters.get("encoding") == planning.ORIGINAL
        files = {"model": path.read_bytes()} if path is not None else {}
        files |= {"files": "\0".join(self.problem.files).encode()} if original else {}
        return {**versions, **{name: sha256(content).hexdigest()[:12] for name, content in files.items()}}

    @cached_property
    def key(self) -> str:
        """Fingerprint of all that decides the result: problem, method, parameters (with the seed) and versions."""
        name, backend = self.method.method.name, self.method.backend
        return result_key(self.problem.fingerprint, name, backend, self.parameters, self.versions)


def method_name(text: str) -> str:
    """The name of a method in its written form; that of a model file is the one in its header."""
    name = text.partition(":")[0]
    return name_of(Path(name)) if name.endswith(SUFFIXES) else name


def result_key(
    fingerprint: str, method: str, backend: str | None, parameters: Mapping[str, Any], versions: Mapping[str, str]
) -> str:
    """Sixteen hexadecimal digits that identify a run."""
    identity = json.dumps([fingerprint, method, backend, dict(parameters), dict(versions)], sort_keys=True)
    return sha256(identity.encode()).hexdigest()[:16]


def solve(
    problem: Problem | str,
    method: str | None = None,
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seed: int = 0,
    workers: int = 2,
    log: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Answer a problem (or the problem of that name) by a method, by default the best one for it.

    Here only the answer counts: where a certificate is quick to find, no model is solved.

    The method runs in a child process, for at most ``time_limit`` wall seconds and with at most ``memory_limit`` MB for
    all its processes together (by default three quarters of the machine's memory); its answer is checked.
    ``on_progress`` gets mappings with the latest ``bound``, counters and so on; ``log`` reports the lines of the
    solver's log, one by one, as ``log``. Raises InputError for an unknown problem or method; everything that goes wrong
    later is in the Result.

    >>> import pegcp
    >>> result = pegcp.solve("XoXX", "dfs")
    >>> result
    <Result XoXX by dfs: SOLVED; 2 jumps in 2 moves>
    >>> result.moves, [len(position) for position in result.positions()]
    (['d1-b1', 'a1-c1'], [3, 2, 1])
    """
    problem = lookup.problem(problem)
    limits = make_limits(time_limit, memory_limit, workers, seed)
    if method is None:
        chosen = methods.default_for(problem)
    else:
        chosen = methods.certified_or(methods.choose(method), problem, Run(limits))
    result = run(Task(problem, chosen, limits, log), on_progress)
    return result if method is not None else replace(result, method=result.statistics.get("chosen", result.method))


def run(
    task: Task,
    on_progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    together: int = 1,
) -> Result:
    """Make one run in a child process and check its answer. Setting ``stop`` ends it as INTERRUPTED; ``together`` runs
    share this machine's memory."""
    problem, chosen, limits = task.problem, task.method, task.limits
    about = {
        "backend": chosen.backend,
        "versions": task.versions,
        "parameters": task.parameters,
        "provenance": {**_machine(), "started": datetime.now(UTC).isoformat(timespec="milliseconds")},
    }
    mismatch = chosen.method.mismatch(problem)
    if mismatch is not None:
        return failed(problem, chosen.text, Reason.UNSUPPORTED, f"{mismatch}{methods.use_instead(problem)}", **about)
    log: deque[str] = deque(maxlen=_LONGEST_LOG)

    def heard(progress: Progress) -> None:
        if "log" in progress:
            log.append(str(progress["log"]))
        if on_progress is not None:
            on_progress(progress)

    outside = limits if task.listing is None else replace(limits, time=limits.time + _TIME_TO_WRITE)
    outcome = contain(request(task), outside, heard, stop, together, task.modules, task.pauses)
    answer = _answer(outcome, task)
    statistics = {
        **{k: v for k, v in outcome.progress.items() if k not in ("bound", "jumps", "objective", "compiling")},
        **(_stopped_seconds(outcome) if outcome.answer is None else {}),
        **answer.statistics,
        "wall_seconds": outcome.wall_seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "peak_memory_mb": outcome.peak_memory_mb,
    }
    answer = replace(answer, statistics=statistics)
    if answer.status is Status.UNKNOWN and answer.reason is Reason.INVALID_SOLUTION:
        answer = replace(answer, reason=Reason.ERROR)
    began = time.perf_counter()
    result = checked(problem, chosen.text, answer, limits, log="\n".join(log)[-_LONGEST_LOG:], **about)
    statistics["check_seconds"] = time.perf_counter() - began
    if outcome.trace and problem.objective not in (Objective.ANY, Objective.COUNT):
        statistics["trace"] = _ended(outcome, result)
    return replace(result, statistics=statistics)


def _stopped_seconds(outcome: Outcome) -> dict[str, float | None]:
    """The seconds of a run that was stopped: those that went by otherwise than starting, compiling and building."""
    start, compiled, built = (outcome.progress.get(f"{key}_seconds") for key in ("start", "compile", "build"))
    if outcome.stopped is None or start is None:
        return {"build_seconds": None, "solve_seconds": None}
    others = start + (compiled or 0.0) + (built or 0.0)
    return {"build_seconds": built or 0.0, "solve_seconds": max(0.0, outcome.wall_seconds - others)}


def _ended(outcome: Outcome, result: Result) -> list[Point]:
    """The trace of a run, to what it came to."""
    bound = result.objective if result.status is Status.OPTIMAL else result.bound
    return [*outcome.trace, (outcome.wall_seconds, result.objective, bound)]


def request(task: Task) -> dict[str, Any]:
    """A run as plain data, for another process or machine."""
    return {
        "problem": task.problem.text,
        "name": task.problem.name,
        "files": task.problem.files,
        "method": _absolute(task.method),
        "limits": vars(task.limits),
        "log": task.log,
        "look": task.look,
        "listing": task.listing and vars(task.listing),
    }


def run_request(data: Mapping[str, Any]) -> dict[str, Any]:
    """Make the run of a :func:`request`; the result as plain data."""
    problem = read_problem(data["problem"], name=data["name"]).read_from(tuple(data.get("files", ())))
    return run(Task(problem, methods.choose(data["method"]), Limits(**data["limits"]), data["log"])).to_json()


def make_limits(time_limit: float, memory_limit: float | None, workers: int, seed: int) -> Limits:
    """Limits that make sense. Raises InputError."""
    if not 0 < time_limit <= _LONGEST:
        raise InputError(f"the time limit must be a positive number of seconds, not {plain.shown(time_limit)}")
    if memory_limit is not None and not 0 < memory_limit <= _LARGEST:
        raise InputError(f"the memory limit must be a positive number of MB, not {plain.shown(memory_limit)}")
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {plain.shown(workers)}")
    if not 0 <= seed < 2**31:
        raise InputError(f"the seed must be between 0 and {2**31 - 1}, not {plain.shown(seed)}")
    return Limits(time_limit, memory_limit, workers, seed)


def _absolute(chosen: Chosen) -> str:
    """The written form of a method, with the path of a model file made absolute."""
    name, colon, rest = chosen.text.partition(":")
    return f"{chosen.method.path}{colon}{rest}" if name.endswith(SUFFIXES) else chosen.text


@cache
def _backend_version(backend: str | None) -> dict[str, str]:
    info = backends.info(backend)
    version = info.version() if info is not None else None
    return {info.distribution or info.name: version} if info is not None and version is not None else {}


@cache
def _machine() -> dict[str, Any]:
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": platform.processor() or platform.machine(),
        "cores": machine.cores(),
        "memory_mb": round(machine.memory()),
    }


# From the outcome of a child to an answer ---------------------------------------------------------------------------


def _answer(outcome: Outcome, task: Task) -> Answer:
    """What a method claims, or why there is no claim. A run that was stopped keeps what it reported before."""
    if outcome.fault:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=outcome.fault)
    if outcome.answer is not None:
        try:
            answer = _read_answer(plain.parse(outcome.answer, lenient=True), task)
        except (ValueError, TypeError, KeyError) as error:
            return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the method's answer cannot be read: {error!r}")
        if answer.status is not Status.UNKNOWN or answer.bound is not None:
            return answer
        return replace(answer, bound=_whole(outcome.progress.get("bound")))
    if outcome.stopped is None:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=_why(outcome))
    message = {
        Reason.TIME: f"stopped after {task.limits.time:g} s",
        Reason.MEMORY: f"stopped with more than {outcome.memory_limit:,.0f} MB"
        + (", the share of this machine's memory; --memory-limit sets another" if task.limits.memory is None else ""),
        Reason.INTERRUPTED: "interrupted",
    }[outcome.stopped]
    try:
        told = outcome.progress.get("jumps")
        jumps = None if told is None else tuple(map(_jump, told))
    except (ValueError, TypeError) as error:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the method's progress cannot be read: {error!r}")
    status = Status.UNKNOWN if jumps is None else Status.SOLVED
    return Answer(status, outcome.stopped, jumps, bound=_whole(outcome.progress.get("bound")), message=message)


def _why(outcome: Outcome) -> str:
    code = outcome.exit_code
    if code is not None and code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        text = f"the method was killed by {name}"
        text += " (perhaps by the system, for lack of memory)" if name == "SIGKILL" else ""
    else:
        text = f"the method ended with exit status {code} and without an answer"
    return f"{text}: {outcome.stderr}" if outcome.stderr else text


def _read_answer(said: Any, task: Task) -> Answer:
    if not isinstance(said, dict):
        raise TypeError(f"it is {plain.shown(said)}, not an object")
    data: dict[str, Any] = said
    answer = read_answer(data, _jump, plain.LONGEST_MESSAGE)
    jumps, listed = task.problem.board.jumps, data.get("solutions", ())
    if len(listed) > (task.listing.most if task.listing else 0):  # each is going to be replayed
        raise ValueError(f"it lists {len(listed):,} solutions")
    counted, wanted = answer.counted, COARSER.get(task.listing.up_to if task.listing else "")
    if task.listing and counted and (counted != wanted if wanted else counted == UP_TO_SYMMETRY):
        raise ValueError(f"it lists solutions {counted}, which is not what was asked for")
    solutions = tuple(
        tuple(jumps[plain.whole("the number of a jump", n, most=len(jumps) - 1)] for n in played) for played in listed
    )
    return replace(answer, objective=_whole(answer.objective), bound=_whole(answer.bound), solutions=solutions)


def _jump(holes: Any) -> Jump:
    jump = Jump(*holes)
    if not all(type(hole) is int for hole in jump):
        raise TypeError("jumps must be triples of hole numbers")
    return jump


def _whole(value: Number | None) -> Number | None:
    """The same number, of type int if it is whole."""
    return int(value) if value is not None and value == int(value) else value
