"""Runs methods on problems: one with :func:`solve`, many with :func:`compare`."""

from __future__ import annotations

import json
import math
import os
import platform
import random
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pegcp import __version__, backends, methods, names
from pegcp.board import Jump
from pegcp.comparison.process import Outcome, Progress, contain
from pegcp.comparison.store import Appender
from pegcp.errors import InputError
from pegcp.methods import Chosen
from pegcp.problem import Problem
from pegcp.result import Answer, Limits, Number, Reason, Result, Status, checked, failed


@dataclass(frozen=True)
class Task:
    """One run to make: a method on a problem within limits (which hold its seed)."""

    problem: Problem
    method: Chosen
    limits: Limits

    @property
    def cores(self) -> int:
        """How many cores the run keeps busy."""
        entry = next((e for e in backends.entries() if e.name == self.method.backend), None)
        return self.limits.workers if entry is not None and entry.threads else 1


@dataclass(frozen=True)
class Event:
    """What happens during a comparison: the task at ``index`` of the tasks starts, reports progress, or is done."""

    kind: Literal["start", "progress", "done"]
    index: int
    task: Task
    progress: Progress | None = None
    result: Result | None = None


class Interrupted(KeyboardInterrupt):
    """A comparison was interrupted; ``results`` has the finished runs, and the others as INTERRUPTED."""

    def __init__(self, results: list[Result]) -> None:
        super().__init__()
        self.results = results


def solve(
    problem: Problem | str,
    method: str | None = None,
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seed: int = 0,
    workers: int = 2,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Answer a problem (or the problem of that name) by a method, by default the best one for it.

    The method runs in a child process, for at most ``time_limit`` wall seconds and with at most ``memory_limit`` MB for
    all its processes together; its answer is checked. ``on_progress`` gets mappings with the latest ``bound``, counters
    and so on. Raises InputError for an unknown problem or method; everything that goes wrong later is in the Result.
    """
    if isinstance(problem, str):
        problem = names.problem(problem)
    chosen = methods.best_for(problem) if method is None else methods.choose(method)
    return run(Task(problem, chosen, _limits(time_limit, memory_limit, workers, seed)), on_progress)


def run(
    task: Task, on_progress: Callable[[Progress], None] | None = None, stop: threading.Event | None = None
) -> Result:
    """Make one run in a child process and check its answer. Setting ``stop`` ends it as INTERRUPTED."""
    problem, chosen, limits = task.problem, task.method, task.limits
    about = {
        "backend": chosen.backend,
        "versions": _versions(chosen.backend),
        "parameters": {
            **chosen.parameters,
            "seed": limits.seed,
            "workers": limits.workers,
            "time_limit": limits.time,
            "memory_limit": limits.memory,
        },
        "provenance": {**_machine(), "started": datetime.now(UTC).isoformat(timespec="milliseconds")},
    }
    refusal = chosen.method.refusal(problem)
    if refusal is not None:
        return failed(problem, chosen.text, Reason.UNSUPPORTED, refusal, **about)
    request = {
        "problem": problem.text,
        "name": problem.name,
        "method": _absolute(chosen),
        "limits": {"time": limits.time, "memory": limits.memory, "workers": limits.workers, "seed": limits.seed},
    }
    outcome = contain(request, limits, on_progress, stop)
    answer = _answer(outcome, limits)
    statistics = {
        "build_seconds": None,
        "solve_seconds": None,
        **{k: v for k, v in outcome.progress.items() if k not in ("bound", "jumps", "objective")},
        **answer.statistics,
        "wall_seconds": outcome.wall_seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "peak_memory_mb": outcome.peak_memory_mb,
    }
    answer = replace(answer, statistics=statistics)
    if answer.status is Status.UNKNOWN and answer.reason is Reason.INVALID_SOLUTION:
        answer = replace(answer, reason=Reason.ERROR)
    return checked(problem, chosen.text, answer, **about)


def _limits(time_limit: float, memory_limit: float | None, workers: int, seed: int) -> Limits:
    if not time_limit > 0 or math.isinf(time_limit):
        raise InputError(f"the time limit must be a positive number of seconds, not {time_limit}")
    if memory_limit is not None and not memory_limit > 0:
        raise InputError(f"the memory limit must be a positive number of MB, not {memory_limit}")
    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
    if not 0 <= seed < 2**31:
        raise InputError(f"the seed must be between 0 and {2**31 - 1}, not {seed}")
    return Limits(time_limit, memory_limit, workers, seed)


def _absolute(chosen: Chosen) -> str:
    """The written form of a method, with the path of a model file made absolute."""
    name, colon, rest = chosen.text.partition(":")
    return f"{chosen.method.path}{colon}{rest}" if name.endswith(".py") else chosen.text


def _versions(backend: str | None) -> dict[str, str]:
    return {"pegcp": __version__, "python": platform.python_version(), **_backend_version(backend)}


@cache
def _backend_version(backend: str | None) -> dict[str, str]:
    entry = next((e for e in backends.entries() if e.name == backend), None)
    version = entry.version() if entry is not None else None
    return {entry.distribution: version} if entry is not None and version is not None else {}


@cache
def _machine() -> dict[str, Any]:
    return {
        "host": platform.node(),
        "system": f"{platform.system()} {platform.release()}",
        "processor": platform.processor() or platform.machine(),
        "cores": cores(),
    }


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# From the outcome of a child to an answer ---------------------------------------------------------------------------


def _answer(outcome: Outcome, limits: Limits) -> Answer:
    """What a method claims, or why there is no claim. A run that was stopped keeps what it reported before."""
    if outcome.answer is not None:
        try:
            answer = _read_answer(json.loads(outcome.answer))
        except (ValueError, TypeError, KeyError) as error:
            return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the method's answer cannot be read: {error!r}")
        if answer.status is not Status.UNKNOWN or answer.bound is not None:
            return answer
        return replace(answer, bound=_number(outcome.progress.get("bound")))
    if outcome.stopped is None:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=_why(outcome))
    message = {
        Reason.TIME: f"stopped after {limits.time:g} s",
        Reason.MEMORY: f"stopped with more than {limits.memory:g} MB" if limits.memory is not None else "",
        Reason.INTERRUPTED: "interrupted",
    }[outcome.stopped]
    try:
        jumps = _jumps(outcome.progress.get("jumps"))
        bound = _number(outcome.progress.get("bound"))
    except (ValueError, TypeError) as error:
        return Answer(Status.UNKNOWN, Reason.ERROR, message=f"the method's progress cannot be read: {error!r}")
    status = Status.UNKNOWN if jumps is None else Status.SOLVED
    return Answer(status, outcome.stopped, jumps, bound=bound, message=message)


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


def _read_answer(data: Any) -> Answer:
    return Answer(
        Status(data["status"]),
        Reason(data["reason"]),
        _jumps(data.get("jumps")),
        _number(data.get("objective")),
        _number(data.get("bound")),
        _mapping(data.get("certificate")),
        _mapping(data.get("statistics")) or {},
        str(data.get("message", "")),
    )


def _jumps(data: Any) -> tuple[Jump, ...] | None:
    if data is None:
        return None
    jumps = tuple(Jump(*jump) for jump in data)
    if not all(type(hole) is int for jump in jumps for hole in jump):
        raise TypeError("jumps must be triples of hole numbers")
    return jumps


def _number(value: Any) -> Number | None:
    """A finite number, whole if it is one; None for none and for infinities."""
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        if value is not None:
            raise TypeError(f"{value!r} is not a number")
        return None
    if not math.isfinite(value):
        return None
    return int(value) if value == int(value) else value


def _mapping(value: Any) -> dict[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"{value!r} is not a mapping")
    return value


# Many runs ----------------------------------------------------------------------------------------------------------


def tasks(
    problems: Iterable[Problem | str],
    methods_: Iterable[str],
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] = 1,
    workers: int = 2,
) -> list[Task]:
    """Every method on every problem with every seed (a number of seeds means 0, 1, ...). Raises InputError."""
    chosen = [methods.choose(text) for text in methods_]
    found = [names.problem(problem) if isinstance(problem, str) else problem for problem in problems]
    limits = [
        _limits(time_limit, memory_limit, workers, seed) for seed in (range(seeds) if isinstance(seeds, int) else seeds)
    ]
    return [Task(problem, method, limit) for problem in found for method in chosen for limit in limits]


def compare(
    problems: Iterable[Problem | str],
    methods: Iterable[str],
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] = 1,
    workers: int = 2,
    jobs: int = 1,
    out: str | Path | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> list[Result]:
    """Run every method on every problem with every seed and return the checked results, in that order.

    Up to ``jobs`` runs go on at once, never more than the cores allow. With ``out``, each result is appended to that
    file as a line of JSON as soon as it is there. Raises InputError for unknown names before anything runs, and
    :class:`Interrupted` at Ctrl-C, when no child process is left.
    """
    todo = tasks(problems, methods, time_limit=time_limit, memory_limit=memory_limit, seeds=seeds, workers=workers)
    return run_all(todo, jobs=jobs, out=out, on_event=on_event)


def run_all(
    todo: Sequence[Task],
    *,
    jobs: int = 1,
    out: str | Path | None = None,
    on_event: Callable[[Event], None] | None = None,
    order_seed: int = 0,
) -> list[Result]:
    """Make the runs, in random order, and return their results in the order given. See :func:`compare`."""
    if jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs}")
    notify = on_event or (lambda _: None)
    stop = threading.Event()
    found: dict[int, Result] = {}

    def one(index: int) -> Result:
        notify(Event("start", index, todo[index]))
        return run(todo[index], lambda p: notify(Event("progress", index, todo[index], progress=dict(p))), stop)

    with Appender(out) if out is not None else nullcontext() as appender, ThreadPoolExecutor(jobs) as pool:
        try:
            for index, result in _schedule(todo, one, pool, jobs, order_seed):
                found[index] = result
                if appender is not None:
                    appender.append(result.to_json())
                notify(Event("done", index, todo[index], result=result))
        except KeyboardInterrupt:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise Interrupted([found.get(i) or _interrupted(task) for i, task in enumerate(todo)]) from None
        except BaseException:
            stop.set()
            raise
    return [found[index] for index in range(len(todo))]


def _schedule(
    todo: Sequence[Task], one: Callable[[int], Result], pool: ThreadPoolExecutor, jobs: int, order_seed: int
) -> Iterator[tuple[int, Result]]:
    """Start runs in random order as cores become free; yield them as they end."""
    waiting = list(range(len(todo)))
    random.Random(order_seed).shuffle(waiting)
    running: dict[Future[Result], int] = {}
    free = max(cores(), 1)
    while waiting or running:
        for index in tuple(waiting):
            if len(running) < jobs and (todo[index].cores <= free or not running):
                waiting.remove(index)
                free -= todo[index].cores
                running[pool.submit(one, index)] = index
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in ended:
            index = running.pop(future)
            free += todo[index].cores
            yield index, future.result()


def _interrupted(task: Task) -> Result:
    return failed(task.problem, task.method.text, Reason.INTERRUPTED, "interrupted")


# Disagreements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Disagreement:
    """Results that cannot all be right, or an answer that failed its check."""

    problem: str
    message: str
    results: tuple[Result, ...]


def disagreements(results: Iterable[Result]) -> list[Disagreement]:
    """All contradictions: solved against infeasible, different optima, a solution better than a proved bound, and every
    answer that failed its check."""
    by_problem: dict[str, list[Result]] = {}
    found = []
    for result in results:
        by_problem.setdefault(result.problem.fingerprint, []).append(result)
        if result.reason is Reason.INVALID_SOLUTION:
            found.append(Disagreement(result.problem.name, f"{result.method}: {result.message}", (result,)))
    for group in by_problem.values():
        found += _contradictions(group)
    return found


def _contradictions(group: Sequence[Result]) -> Iterator[Disagreement]:
    name = group[0].problem.name
    solved = [r for r in group if r.jumps is not None]
    refuted = [r for r in group if r.status is Status.INFEASIBLE]
    if solved and refuted:
        text = f"{_who(refuted)} prove{'s' * (len(_methods(refuted)) == 1)} it infeasible, {_who(solved)} solved it"
        yield Disagreement(name, text, (*refuted, *solved))
    valued = [r for r in solved if r.objective is not None]
    if not valued:
        return
    best = min(valued, key=lambda r: r.objective or 0)
    for result in group:
        claim = result.objective if result.status is Status.OPTIMAL else result.bound
        if claim is not None and best.objective is not None and claim > best.objective + 1e-6:
            what = "optimum" if result.status is Status.OPTIMAL else "bound"
            text = f"{result.method} claims the {what} {claim}, {best.method} has a solution with {best.objective}"
            yield Disagreement(name, text, (result, best))


def _methods(results: Iterable[Result]) -> list[str]:
    return sorted({result.method for result in results})


def _who(results: Iterable[Result]) -> str:
    return " and ".join(_methods(results))
