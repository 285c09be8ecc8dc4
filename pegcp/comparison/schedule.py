"""Make many runs, on the cores of this machine or at a place elsewhere."""

import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Literal

from pegcp import machine
from pegcp.comparison.agreement import certificate_tasks, confirm_verdicts, with_certificates
from pegcp.comparison.places import Place, RunFuture, with_versions
from pegcp.comparison.store import ResultFile
from pegcp.errors import PegcpError, refuse_if
from pegcp.method import Reason
from pegcp.results.reading import read_result
from pegcp.results.result import Result, failed
from pegcp.running import road
from pegcp.running.task import Task

_RETRIED = {reason for reason in Reason if reason.sort in ("limit", "fault", "interruption")} | {Reason.MISSING}

_PAUSE_SECONDS = 1.0  # seconds until runs are looked at again that another comparison is making


@dataclass(frozen=True)
class RunEvent:
    """An event of a comparison: the run at ``index`` starts, reports progress, is done, or was done before."""

    kind: Literal["start", "progress", "done", "kept"]
    index: int
    task: Task
    progress: road.Progress | None = None
    result: Result | None = None


class Interrupted(KeyboardInterrupt):
    """A comparison was interrupted; ``results`` has the finished runs, and the others as INTERRUPTED."""

    def __init__(self, results: list[Result]) -> None:
        super().__init__()
        self.results = results


def run_all(
    tasks: Sequence[Task],
    *,
    jobs: int = 1,
    elsewhere: Place | None = None,
    out: str | Path | None = None,
    retry: bool = False,
    on_event: Callable[[RunEvent], None] | None = None,
    warn: Callable[[str], None] = lambda _: None,
    shuffled: bool = True,
) -> list[Result]:
    """Make the runs, in random order unless not ``shuffled``, and return their results in the order given.

    Up to ``jobs`` runs go on at once, never more than the cores allow; a place ``elsewhere`` has slots and versions of
    its own. Results in ``out`` are kept; with ``retry``, those that failed or hit a limit are made again, and the
    better result is kept. Of several comparisons with one ``out`` each run is made by one. ``warn`` gets a message for
    each line of ``out`` that cannot be used. See :func:`pegcp.compare`.
    """
    refuse_if(jobs < 1, f"jobs must be at least 1, not {jobs}")
    tasks = tasks if elsewhere is None else with_versions(tasks, elsewhere)
    order = list(range(len(tasks)))
    if shuffled:
        random.Random(0 if out is None else None).shuffle(order)  # comparisons with one file begin apart
    with (
        ResultFile(out, warn) if out is not None else nullcontext() as file,
        closing(_Runs(tasks, jobs, elsewhere, on_event, file, retry=retry)) as runs,
    ):
        try:
            runs.make(order)
            searches = certificate_tasks(runs.in_order, tasks)
            with closing(_Runs([*searches.values()], jobs, elsewhere)) as search:
                try:
                    search.make(range(len(searches)))
                except PegcpError as error:  # the results are there without them
                    warn(f"no certificates were looked for: {error}")
            certificates = {key: search.results[at] for at, key in enumerate(searches) if at in search.results}
            for index, result in enumerate(with_certificates(runs.in_order, certificates)):
                if result is not runs.results[index]:
                    runs.results[index] = result
                    runs.save(index, again=True)
        except KeyboardInterrupt:
            runs.end()
            raise Interrupted(confirm_verdicts(runs.in_order)) from None
        return confirm_verdicts(runs.in_order)


class _Runs:
    """Runs that are made as soon as they fit, and in order as far as possible: in children of this process, at most
    ``jobs`` at a time and no more than there are cores for; or elsewhere, with as many waiting as there are slots, and
    where requests and results travel as plain data. Runs whose results are in the ``file`` are not made again, but
    those to ``retry``; those that cannot be reserved wait until they are there, or until they can be."""

    def __init__(
        self,
        tasks: Sequence[Task],
        jobs: int,
        elsewhere: Place | None,
        notify: Callable[[RunEvent], None] | None = None,
        file: ResultFile | None = None,
        *,
        retry: bool = False,
    ) -> None:
        self.tasks, self.elsewhere, self.file, self.retry = tasks, elsewhere, file, retry
        self.notify = notify or (lambda _: None)
        most = machine.cores()
        self.free_jobs: float = jobs if elsewhere is None else 2 * elsewhere.slots
        self.free_cores: float = most if elsewhere is None else inf
        self.cores = [min(task.cores, most) for task in tasks]  # one that wants more has room when nothing else runs
        self.sharers = min(jobs, most, len(tasks)) or 1
        self.stop, self.pool = threading.Event(), ThreadPoolExecutor(jobs)
        self.waiting: dict[int, deque[tuple[int, int]]] = {}  # runs with their ranks, by the cores that they need
        self.running: dict[RunFuture, int] = {}
        self.results: dict[int, Result] = {}
        self.in_file: set[int] = set()
        # Ctrl-C in the middle of concurrent.futures.wait may leave the lock of a future taken, and its run never ends.
        self.ends = SimpleQueue[RunFuture]()

    @property
    def in_order(self) -> list[Result]:
        """The results in the order of the runs, when all are there."""
        return [self.results[index] for index in range(len(self.tasks))]

    def make(self, order: Sequence[int]) -> None:
        """Make the runs, and save each result as the run ends."""
        for rank, index in enumerate(order):
            self.waiting.setdefault(self.cores[index], deque()).append((rank, index))
        are_all_here = self._fill()
        while any(self.waiting.values()) or self.running:
            future = None
            with suppress(Empty):
                future = self.ends.get(timeout=None if are_all_here else _PAUSE_SECONDS)
                self.free_jobs += 1
                self.free_cores += self.cores[self.running[future]]
            are_all_here = self._fill()  # before the result is saved, which takes a moment
            if future is not None:
                index = self._take(future)
                is_kept = index in self.in_file
                if not is_kept:
                    self.save(index)
                if self.file is not None:
                    self.file.release(self.tasks[index])
                self.notify(
                    RunEvent("kept" if is_kept else "done", index, self.tasks[index], result=self.results[index])
                )

    def _fill(self) -> bool:
        """Start the runs that fit; return False if another comparison is making one of them."""
        others = []
        while self.free_jobs > 0 and (
            fitting := [queue for cores, queue in self.waiting.items() if queue and cores <= self.free_cores]
        ):
            rank, index = min(fitting).popleft()
            if self.file is not None and not self.file.reserve(self.tasks[index]):
                others.append((rank, index))
                continue
            self.free_jobs -= 1
            self.free_cores -= self.cores[index]
            future = self._start(index)
            self.running[future] = index
            future.add_done_callback(self.ends.put)
        for rank, index in reversed(others):
            self.waiting[self.cores[index]].appendleft((rank, index))
        return not others

    def _start(self, index: int) -> RunFuture:
        """Start a run, unless it was made before; in a browser, which has no threads, make it."""
        task, note, earlier = self.tasks[index], partial(self._note, index), None
        if self.file is not None:
            earlier = self.file.find(task, _RETRIED if self.retry else ())
        if earlier is not None:
            self.in_file.add(index)
        elif self.elsewhere is not None:
            return self.elsewhere.start(task.request(elsewhere=True), note)
        elif not machine.IN_BROWSER:
            return self.pool.submit(self._run, task, note)
        future = RunFuture()
        future.set_result(self._run(task, note) if earlier is None else earlier)
        return future

    def _run(self, task: Task, note: Callable[[road.Progress], None]) -> Result:
        note({})
        return road.run(task, note, self.stop, self.sharers)

    def _note(self, index: int, progress: road.Progress) -> None:
        """Pass on that a run has begun, or its progress."""
        self.notify(RunEvent("progress" if progress else "start", index, self.tasks[index], progress=dict(progress)))

    def _take(self, future: RunFuture) -> int:
        """Take the result of a run that has ended, checked again if it was made elsewhere, an error if it is lost;
        return which run it is."""
        index = self.running.pop(future)
        task = self.tasks[index]
        try:
            result = future.result()
            if not isinstance(result, Result):
                result = read_result(result)
                refuse_if(result.problem != task.problem, "the executor gave the result of another problem")
                result = replace(result, problem=task.problem, method=task.choice.text)
        except Exception as error:
            if self.elsewhere is None and isinstance(error, PegcpError):  # this machine cannot make runs
                raise
            if self.elsewhere is not None:
                self.elsewhere.check()
            message = f"the run was lost: {type(error).__name__}: {error}"
            result = failed(task.problem, task.choice.text, Reason.ERROR, message, provenance={"lost": True})
        self.results[index] = result
        return index

    def save(self, index: int, *, again: bool = False) -> None:
        """Write the result of a run, of two the better one; not of a run that was lost: it may go well later."""
        result, is_retry = self.results[index], self.retry and not again
        if self.file is not None and result.reason is not Reason.INTERRUPTED and "lost" not in result.provenance:
            self.results[index] = self.file.append(
                self.tasks[index], result, replace=self.retry or again, retried=is_retry
            )
        self.in_file.add(index)

    def end(self) -> None:
        """Save what has ended; all other runs were interrupted."""
        self.close()
        for future in [future for future in self.running if future.done() and not future.cancelled()]:
            self._take(future)
        for index in self.results.keys() - self.in_file:
            self.save(index)
        for index, task in enumerate(self.tasks):
            self.results.setdefault(index, failed(task.problem, task.choice.text, Reason.INTERRUPTED, "interrupted"))

    def close(self) -> None:
        """Stop the runs that go on; elsewhere, those that have not started."""
        self.stop.set()
        self.pool.shutdown()
        for future in self.running:
            future.cancel()
