"""Make many runs: every method on every problem, on the cores of this machine or on any executor."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal

from pegcp import machine
from pegcp.catalogue import methods as available
from pegcp.comparison.agreement import confirmed
from pegcp.comparison.evidence import certified
from pegcp.comparison.store import ResultFile
from pegcp.errors import InputError, PegcpError
from pegcp.game.problem import Problem
from pegcp.library import lookup
from pegcp.method import Reason
from pegcp.result import Result, failed
from pegcp.running import run as running
from pegcp.running.here import make_pool
from pegcp.running.story import Progress
from pegcp.running.task import MOST_RUNS, Task, make_limits

_RETRIED = {reason for reason in Reason if reason.sort in ("limit", "fault", "interruption")} | {Reason.MISSING}


@dataclass(frozen=True)
class Event:
    """An event of a comparison: the run at ``index`` starts, reports progress, is done, or was done before."""

    kind: Literal["start", "progress", "done", "kept"]
    index: int
    task: Task
    progress: Progress | None = None
    result: Result | None = None


class Interrupted(KeyboardInterrupt):
    """A comparison was interrupted; ``results`` has the finished runs, and the others as INTERRUPTED."""

    def __init__(self, results: list[Result]) -> None:
        super().__init__()
        self.results = results


def tasks(
    problems: Iterable[Problem | str],
    methods: Iterable[str],
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] = 1,
    workers: int = 2,
) -> list[Task]:
    """Return every method on every problem with every seed (a number of seeds means 0, 1, ...). Raises InputError.

    ``BOARD:*`` stands for the problems with each of the holes as the vacancy.
    """
    specs = [available.choose(text) for text in methods]
    all_problems: list[Problem] = []
    for item in problems:
        all_problems += [lookup.problem(text) for text in lookup.each(item)] if isinstance(item, str) else [item]
    number_of_seeds = seeds if isinstance(seeds, int) else len(seeds)
    if number_of_seeds < 1:
        raise InputError(f"a comparison needs at least one seed, not {seeds}")
    number = len(specs) * len(all_problems) * number_of_seeds
    if number > MOST_RUNS:
        raise InputError(f"a comparison has at most {MOST_RUNS:,} runs, not {number:,}")
    all_seeds = range(seeds) if isinstance(seeds, int) else seeds
    limits = [make_limits(time_limit, memory_limit, workers, seed) for seed in all_seeds]
    return [Task(problem, method, limit) for problem in all_problems for method in specs for limit in limits]


def run_all(
    todo: Sequence[Task],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    out: str | Path | None = None,
    retry: bool = False,
    on_event: Callable[[Event], None] | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> list[Result]:
    """Make the runs, in random order, and return their results in the order given.

    Up to ``jobs`` runs go on at once, never more than the cores allow; an ``executor`` decides for itself. Results that
    are in ``out`` are kept; with ``retry``, those that failed or hit a limit are not. ``warn`` gets a message for
    each line of ``out`` that cannot be used. See :func:`pegcp.compare`.
    """
    if jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs}")
    notify = on_event or (lambda _: None)
    results: dict[int, Result] = {}
    with ResultFile(out, warn) if out is not None else nullcontext() as file:

        def is_kept(index: int) -> bool:
            """Tell whether the result is in the file, perhaps since a moment ago by another comparison."""
            result = file.find(todo[index]) if file is not None else None
            if result is None or (retry and result.reason in _RETRIED):
                return False
            results[index] = replace(result, problem=todo[index].problem, method=todo[index].method.text)
            notify(Event("kept", index, todo[index], result=results[index]))
            return True

        where = _Here(todo, jobs, notify) if executor is None else _Elsewhere(todo, executor)
        order = list(range(len(todo)))
        random.Random(0).shuffle(order)
        try:
            for index, result in _results(order, where, is_kept):
                results[index] = result
                if file is not None and "lost" not in result.provenance:
                    file.append(todo[index], result, replace=retry)
                notify(Event("done", index, todo[index], result=result))
            for index, result in enumerate(
                certified([results[i] for i in range(len(todo))], min(jobs, machine.cores()))
            ):
                if file is not None and result is not results[index] and "lost" not in result.provenance:
                    file.append(todo[index], result, replace=True)
                results[index] = result
        except KeyboardInterrupt:
            where.close()
            raise Interrupted(confirmed(results.get(i) or _interrupted(task) for i, task in enumerate(todo))) from None
        finally:
            where.close()
    return confirmed(results[index] for index in range(len(todo)))


def _interrupted(task: Task) -> Result:
    return failed(task.problem, task.method.text, Reason.INTERRUPTED, "interrupted")


def _lost(task: Task, how: str, error: Exception) -> Result:
    """Return the result of a run that is not saved: it may go well another time."""
    message = f"the run {how}: {type(error).__name__}: {error}"
    return failed(task.problem, task.method.text, Reason.ERROR, message, provenance={"lost": True})


def _results(
    order: Iterable[int], where: _Here | _Elsewhere, is_kept: Callable[[int], bool]
) -> Iterator[tuple[int, Result]]:
    """Start runs as soon as they fit, in order as far as possible; yield them as they end."""
    waiting = list(order)
    running: dict[Future[Any], int] = {}
    # Ctrl-C in the middle of concurrent.futures.wait may leave the lock of a future taken, and its run never ends.
    ended = SimpleQueue[Future[Any]]()
    while waiting or running:
        for index in tuple(waiting):
            if where.fits(index):
                waiting.remove(index)
                if not is_kept(index):
                    future = where.start(index)
                    running[future] = index
                    future.add_done_callback(ended.put)
        if running:
            future = ended.get()
            index = running.pop(future)
            yield index, where.result(index, future)


class _Here:
    """Runs as children of this process, at most ``jobs`` at a time and no more than there are cores for."""

    def __init__(self, todo: Sequence[Task], jobs: int, notify: Callable[[Event], None]) -> None:
        self.todo, self.notify = todo, notify
        self.free_jobs, self.free_cores, self.cores = jobs, machine.cores(), machine.cores()
        self.together = min(jobs, self.cores, len(todo)) or 1
        self.stop = threading.Event()
        self.pool = make_pool(jobs)

    def fits(self, index: int) -> bool:
        """Tell whether there is room for a run; one that wants all cores or more has room when nothing else runs."""
        return self.free_jobs > 0 and min(self.todo[index].cores, self.cores) <= self.free_cores

    def start(self, index: int) -> Future[Any]:
        """Start a run."""
        self._take(index, 1)
        return self.pool.submit(self._run, index, self.todo[index])

    def _take(self, index: int, sign: int) -> None:
        self.free_jobs -= sign
        self.free_cores -= sign * min(self.todo[index].cores, self.cores)

    def _run(self, index: int, task: Task) -> Result:
        def note(progress: Progress) -> None:
            self.notify(Event("progress", index, task, progress=dict(progress)))

        self.notify(Event("start", index, task))
        return running.run(task, note, self.stop, self.together)

    def result(self, index: int, future: Future[Result]) -> Result:
        """Return the result of a run that has ended; an error if it could not be read."""
        self._take(index, -1)
        try:
            return future.result()
        except PegcpError:  # this machine cannot make runs
            raise
        except Exception as error:  # noqa: BLE001 - whatever a method made of its run concerns this run only
            return _lost(self.todo[index], "could not be read", error)

    def close(self) -> None:
        """Stop the runs that go on."""
        self.stop.set()
        self.pool.shutdown()


class _Elsewhere:
    """Runs on an executor, which does its own scheduling; requests and results travel as plain data."""

    def __init__(self, todo: Sequence[Task], executor: Executor) -> None:
        self.todo, self.executor = todo, executor
        self.futures: list[Future[Any]] = []

    def fits(self, _: int) -> bool:
        """Return True: the executor queues."""
        return True

    def start(self, index: int) -> Future[Any]:
        """Submit a run."""
        self.futures.append(self.executor.submit(running.run_request, running.make_request(self.todo[index])))
        return self.futures[-1]

    def result(self, index: int, future: Future[Any]) -> Result:
        """Return the result of a run, checked again here; a run that the executor lost is an error and is not saved."""
        task = self.todo[index]
        try:
            result = Result.from_json(future.result())
            if result.problem != task.problem:
                raise InputError("the executor gave the result of another problem")
            return replace(result, problem=task.problem, method=task.method.text)
        except Exception as error:  # noqa: BLE001 - any executor, any trouble: it concerns this run only
            return _lost(task, "was lost", error)

    def close(self) -> None:
        """Cancel the runs that have not started."""
        for future in self.futures:
            future.cancel()
