"""Make many runs: every method on every problem, on the cores of this machine or on any executor."""

import os
import random
import threading
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from numbers import Integral
from operator import itemgetter
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Literal

from pegcp import machine
from pegcp.catalogue import methods as available
from pegcp.comparison.agreement import confirm_verdicts, group_by
from pegcp.comparison.evidence import certificate_tasks, with_certificates
from pegcp.comparison.places import OnExecutor, Place, make_request, with_versions
from pegcp.comparison.store import ResultFile
from pegcp.errors import InputError, PegcpError
from pegcp.game import Problem
from pegcp.library import lookup
from pegcp.method import Method, Reason, check_number, make_limits
from pegcp.results.reading import read_result
from pegcp.results.result import Result, failed
from pegcp.running import road
from pegcp.running.story import Progress
from pegcp.running.task import MOST_RUNS, Task

_RETRIED = {reason for reason in Reason if reason.sort in ("limit", "fault", "interruption")} | {Reason.MISSING}

Running = Future[Any]  # of a Result, or of one as plain data
_PAUSE_SECONDS = 1.0  # seconds until runs are looked at again that another comparison is making


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


def read_problems(texts: Iterable[Problem | str], **changes: Any) -> list[Problem]:
    """Return problems, each once. Files of one name are called by the part of their paths that tells them apart.

    ``BOARD:*`` stands for the problems with each of the holes as the vacancy. Raises InputError.
    """
    problems: dict[str, tuple[str, Problem]] = {}
    for item in texts:
        for text in lookup.each(item) if isinstance(item, str) else [""]:
            problem = lookup.problem(text or item, **changes)
            problems.setdefault(problem.fingerprint, (text, problem))
    folders = {
        problem: os.path.dirname(os.path.abspath(text)) for text, problem in problems.values() if os.path.isfile(text)
    }
    names = group_by(folders, lambda problem: problem.name)

    def name(problem: Problem) -> str:
        same = names.get(problem.name, [])
        if problem not in folders or len(same) < 2:
            return problem.name
        folder = os.path.relpath(folders[problem], os.path.commonpath([folders[other] for other in same]))
        return os.path.normpath(os.path.join(folder, problem.name))

    return [replace(problem, name=name(problem)) for _, problem in problems.values()]


def tasks(
    problems: Iterable[Problem | str],
    methods: Iterable[str],
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    seeds: int | Sequence[int] = 1,
    workers: int = 2,
    fits: Callable[[Method, Problem], bool] = lambda *_: True,
) -> list[Task]:
    """Return every method on every problem that it ``fits`` with every seed (a number of seeds means 0, 1, ...).

    Problems and methods that are named twice count once. See :func:`read_problems`. Raises InputError.
    """
    choices = [available.choose(text) for text in dict.fromkeys(methods)]
    all_problems = read_problems(problems)
    is_list = isinstance(seeds, Sequence) and not isinstance(seeds, str)
    check_number("number of seeds", 1 if is_list else seeds, Integral)
    number_of_seeds = seeds if isinstance(seeds, int) else len(seeds)
    if number_of_seeds < 1:
        raise InputError(f"a comparison needs at least one seed, not {seeds}")
    number = len(choices) * len(all_problems) * number_of_seeds
    if number > MOST_RUNS:
        raise InputError(f"a comparison has at most {MOST_RUNS:,} runs, not {number:,}")
    all_seeds = range(seeds) if isinstance(seeds, int) else dict.fromkeys(seeds)
    limits = [make_limits(time_limit, memory_limit, workers, seed) for seed in all_seeds]
    return [
        Task(problem, method, limit)
        for problem in all_problems
        for method in choices
        if fits(method.method, problem)
        for limit in limits
    ]


def run_all(
    todo: Sequence[Task],
    *,
    jobs: int = 1,
    executor: Executor | Place | None = None,
    out: str | Path | None = None,
    retry: bool = False,
    on_event: Callable[[Event], None] | None = None,
    warn: Callable[[str], None] = lambda _: None,
    shuffled: bool = True,
) -> list[Result]:
    """Make the runs, in random order unless not ``shuffled``, and return their results in the order given.

    Up to ``jobs`` runs go on at once, never more than the cores allow; an ``executor`` decides for itself, and a place
    elsewhere has slots, and versions of its own. Results in ``out`` are kept; with ``retry``, those that failed
    or hit a limit are made again, and the better result is kept. Of several comparisons with one ``out`` each run is
    made by one. ``warn`` gets a message for each line of ``out`` that cannot be used. See :func:`pegcp.compare`.
    """
    if jobs < 1:
        raise InputError(f"jobs must be at least 1, not {jobs}")
    notify = on_event or (lambda _: None)
    elsewhere = executor if executor is None or isinstance(executor, Place) else OnExecutor(executor)
    todo = todo if elsewhere is None else with_versions(todo, elsewhere)
    results: dict[int, Result] = {}
    with ResultFile(out, warn) if out is not None else nullcontext() as file:

        def save(index: int, *, again: bool = False) -> None:
            """Write the result of a run, of two the better one; not of a run that was lost: it may go well later."""
            result = results[index]
            if file is not None and result.reason is not Reason.INTERRUPTED and "lost" not in result.provenance:
                replaces, retried = retry or again, retry and not again
                results[index] = file.append(todo[index], result, replace=replaces, retried=retried)
            runs.in_file.add(index)

        runs = _Runs(todo, jobs, elsewhere, notify, file, _RETRIED if retry else ())
        order = list(range(len(todo)))
        if shuffled:
            random.Random(0 if file is None else None).shuffle(order)  # comparisons with one file begin apart
        try:
            for index, result in runs.results(order):
                results[index] = result
                is_kept = index in runs.in_file
                if not is_kept:
                    save(index)
                if file is not None:
                    file.release(todo[index])
                notify(Event("kept" if is_kept else "done", index, todo[index], result=results[index]))
            first_results = [results[index] for index in range(len(todo))]
            searches = certificate_tasks(first_results, todo)
            certificates: dict[int, Result] = {}
            runs.close()
            runs = _Runs([*searches.values()], jobs, elsewhere)
            try:
                certificates |= runs.results(range(len(searches)))
            except PegcpError as error:  # the results are there without them
                warn(f"no certificates were looked for: {error}")
            certified = {question: certificates[at] for at, question in enumerate(searches) if at in certificates}
            for index, result in enumerate(with_certificates(first_results, certified)):
                if result is not results[index]:
                    results[index] = result
                    save(index, again=True)
        except KeyboardInterrupt:
            runs.close()
            if len(results) < len(todo):
                ended = [future for future in runs.running if future.done() and not future.cancelled()]
                results |= map(runs.result_of, ended)
                for index in results.keys() - runs.in_file:
                    save(index)
            for index, task in enumerate(todo):
                if index not in results:
                    results[index] = failed(task.problem, task.method.text, Reason.INTERRUPTED, "interrupted")
            raise Interrupted(confirm_verdicts(results[index] for index in range(len(todo)))) from None
        finally:
            runs.close()
    return confirm_verdicts(results[index] for index in range(len(todo)))


class _Runs:
    """Runs that are made as soon as they fit, and in order as far as possible: in children of this process, at most
    ``jobs`` at a time and no more than there are cores for; or elsewhere, with as many waiting as there are slots, and
    where requests and results travel as plain data. Runs whose results are in the ``file`` are not made again, but for
    reasons ``to_retry``; those that cannot be claimed wait until they are there, or until they can be."""

    def __init__(
        self,
        todo: Sequence[Task],
        jobs: int,
        elsewhere: Place | None,
        notify: Callable[[Event], None] = lambda _: None,
        file: ResultFile | None = None,
        to_retry: Container[Reason] = (),
    ) -> None:
        self.todo, self.elsewhere, self.notify, self.file, self.to_retry = todo, elsewhere, notify, file, to_retry
        most = machine.cores()
        self.free_jobs: float = jobs if elsewhere is None else 2 * elsewhere.slots
        self.free_cores: float = most if elsewhere is None else inf
        self.cores = [min(task.cores, most) for task in todo]  # one that wants more has room when nothing else runs
        self.together = min(jobs, most, len(todo)) or 1
        self.stop = threading.Event()
        self.pool = ThreadPoolExecutor(jobs)
        self.running: dict[Running, int] = {}
        self.in_file: set[int] = set()
        # Ctrl-C in the middle of concurrent.futures.wait may leave the lock of a future taken, and its run never ends.
        self.ended = SimpleQueue[Running]()

    def results(self, order: Sequence[int]) -> Iterator[tuple[int, Result]]:
        """Make the runs; yield the results as they end."""
        waiting: dict[int, deque[int]] = {}  # places in the order, by the cores that the runs need
        for place, index in enumerate(order):
            waiting.setdefault(self.cores[index], deque()).append(place)
        are_all_here = self._fill(order, waiting)
        while any(waiting.values()) or self.running:
            future = None
            with suppress(Empty):
                future = self.ended.get(timeout=None if are_all_here else _PAUSE_SECONDS)
                self.free_jobs += 1
                self.free_cores += self.cores[self.running[future]]
            are_all_here = self._fill(order, waiting)  # before the result is saved, which takes a moment
            if future is not None:
                yield self.result_of(future)

    def _fill(self, order: Sequence[int], waiting: Mapping[int, deque[int]]) -> bool:
        """Start the runs that fit; return False if another comparison is making one of them."""
        others = []
        while self.free_jobs > 0 and (
            fitting := [queue for cores, queue in waiting.items() if queue and cores <= self.free_cores]
        ):
            place = min(fitting, key=itemgetter(0)).popleft()
            index = order[place]
            if self.file is not None and not self.file.claim(self.todo[index]):
                others.append(place)
                continue
            self.free_jobs -= 1
            self.free_cores -= self.cores[index]
            future = self._start(index)
            self.running[future] = index
            future.add_done_callback(self.ended.put)
        for place in reversed(others):
            waiting[self.cores[order[place]]].appendleft(place)
        return not others

    def close(self) -> None:
        """Stop the runs that go on; on an executor, those that have not started."""
        self.stop.set()
        self.pool.shutdown()
        for future in self.running:
            future.cancel()

    def _start(self, index: int) -> Running:
        """Start a run, unless it was made before; in a browser, which has no threads, make it."""
        if self.elsewhere is None and not machine.IN_BROWSER:
            return self.pool.submit(self._run, index)
        earlier = self._find(index)
        if earlier is None and self.elsewhere is not None:
            return self.elsewhere.start(make_request(self.todo[index]), partial(self._note, index))
        future = Running()
        future.set_result(self._run(index) if earlier is None else earlier)
        return future

    def _find(self, index: int) -> Result | None:
        if self.file is None or self.stop.is_set():
            return None
        result = self.file.find(self.todo[index], self.to_retry)
        if result is not None:
            self.in_file.add(index)
        return result

    def _note(self, index: int, progress: Progress) -> None:
        """Pass on that a run has begun, or its progress."""
        self.notify(Event("progress" if progress else "start", index, self.todo[index], progress=dict(progress)))

    def _run(self, index: int) -> Result:
        if (earlier := self._find(index)) is not None:
            return earlier
        self._note(index, {})
        return road.run(self.todo[index], partial(self._note, index), self.stop, self.together)

    def result_of(self, future: Running) -> tuple[int, Result]:
        """Return the result of a run that has ended, checked again if it was made elsewhere; an error if it is lost."""
        index = self.running.pop(future)
        task = self.todo[index]
        try:
            if isinstance(data := future.result(), Result):
                return index, data
            result = read_result(data)
            if result.problem != task.problem:
                raise InputError("the executor gave the result of another problem")
            return index, replace(result, problem=task.problem, method=task.method.text)
        except Exception as error:
            if self.elsewhere is None and isinstance(error, PegcpError):  # this machine cannot make runs
                raise
            if self.elsewhere is not None:
                self.elsewhere.check()
            message = f"the run was lost: {type(error).__name__}: {error}"
            return index, failed(task.problem, task.method.text, Reason.ERROR, message, provenance={"lost": True})
