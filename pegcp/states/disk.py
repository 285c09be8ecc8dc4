"""Levels on disk: an enumeration that needs little memory, survives a kill, and can be shared among processes.

A level is cut into shards by a hash of the position; a shard is a file of rising 64-bit words. Two kinds of tasks make
the next level. *Expand* lists what is one jump after a shard: a run, cut by the same hash into as many parts as the
next level has shards. *Merge* puts the same part of all runs together, without duplicates: a shard. A task writes one
file, under another name until it is whole, and does nothing if that file is there. So a task may be lost and done
again, by any process that sees the folder, and after a kill everything that was finished is found again.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pegcp.errors import InputError
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run
from pegcp.states.kernels.marks import GOLDEN, Array
from pegcp.states.levels import Counts, Levels, watch
from pegcp.states.positions import WORD
from pegcp.states.words import Words

T = TypeVar("T")

_SHARD = 1 << 21  # positions
_VERSION = 1
_STATE = "levels.json"
_OWN = re.compile(r"(?:(?P<made>\d+)-(?P<kind>run|shard)-\d+|levels\.json)(?P<unfinished>\.\d+)?")


@dataclass(frozen=True)
class _Job:
    """One level to be expanded: what a task must know. ``parts``: how many shards the next level has."""

    problem: Problem
    symmetry: bool
    folder: Path
    made: int  # jumps
    shards: int
    parts: int
    limits: Limits

    def run(self, shard: int) -> Path:
        """The file of what is one jump after a shard."""
        return self.folder / f"{self.made}-run-{shard}"

    def shard(self, part: int) -> Path:
        """The file of a shard of the next level."""
        return _shard(self.folder, self.made + 1, part)

    def words(self) -> Words:
        """What treats the positions."""
        words = _levels(self.problem, self.symmetry).words
        words.threads.tick, words.threads.workers = watch(Run(self.limits)), self.limits.workers
        return words


@lru_cache(maxsize=1)
def _levels(problem: Problem, symmetry: bool) -> Levels:
    return Levels(problem, symmetry=symmetry)


def _shard(folder: Path, made: int, part: int) -> Path:
    return folder / f"{made}-shard-{part}"


def _expand(job: _Job, shard: int) -> None:
    """Write the run of a shard: where each part ends, then the positions, part by part."""
    if job.run(shard).exists():
        return
    after = job.words().after(np.fromfile(_shard(job.folder, job.made, shard), np.uint64))
    part = ((after * GOLDEN >> np.uint64(32)) * np.uint64(job.parts) >> np.uint64(32)).astype(np.uint16)
    ends = np.cumsum(np.bincount(part, minlength=job.parts))
    _write(job.run(shard), [ends, after[np.argsort(part, kind="stable")]])


def _merge(job: _Job, part: int) -> Counts:
    """Write a shard of the next level; its counts."""
    words, path = job.words(), job.shard(part)
    words.threads.tick()
    if path.exists():
        found = np.fromfile(path, np.uint64)
    else:
        found = np.concatenate([_part(job.run(shard), part, job.parts) for shard in range(job.shards)])
        found.sort()  # np.unique takes ten times as long
        found = found[np.insert(found[1:] != found[:-1], 0, values=True)] if len(found) else found
        _write(path, [found])
    goals, dead_ends = words.goals(found, job.problem), words.dead_ends(found)
    single = int(np.count_nonzero(np.bitwise_count(found) == 1))
    return Counts(len(found), len(goals), len(dead_ends), single)


def _part(run: Path, part: int, parts: int) -> Array:
    """The positions of one part of a run."""
    ends = np.fromfile(run, np.int64, parts)
    begin, end = int(ends[part - 1]) if part else 0, int(ends[part])
    return np.fromfile(run, np.uint64, end - begin, offset=8 * (parts + begin))


def _write(path: Path, arrays: Sequence[NDArray[np.int64] | Array | NDArray[np.uint8]]) -> None:
    """Write a file that is there only when it is whole."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            for array in arrays:
                file.write(array.data)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def levels_on_disk(
    problem: Problem, run: Run, folder: Path, symmetry: bool = True, executor: Executor | None = None
) -> Generator[Counts]:
    """The counts of all levels, those that are finished in the folder first.

    ``executor`` does the tasks, in processes that see the folder; without it, this process does. Raises TimeoutError or
    MemoryError when the limits of the run are reached, and OSError when the disk is full: the folder keeps what was
    finished then. Raises InputError if the folder holds something else, is damaged or is in use, and for boards of more
    than 64 holes.
    """
    if len(problem.board.holes) > WORD:
        raise InputError(f"{problem.name} has {len(problem.board.holes)} holes: levels on disk take at most {WORD}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from None
    with _alone(folder):
        found = _State.read(problem, symmetry, folder)
        yield from (counts for counts in found.levels if counts.positions)
        while found.levels[-1].positions and found.next(run, executor).positions:
            yield found.levels[-1]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other process works in the folder."""
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{folder} is in use by another process: wait for it, or choose another folder") from None
        yield


class _State:
    """The finished levels of a folder; of the last one it has the shards."""

    def __init__(self, problem: Problem, symmetry: bool, folder: Path, levels: list[Counts], shards: int) -> None:
        self.problem, self.symmetry, self.folder = problem, symmetry, folder
        self.levels, self.shards = levels, shards

    @property
    def _about(self) -> dict[str, object]:
        return {"version": _VERSION, "problem": self.problem.text, "symmetry": self.symmetry, "shard": _SHARD}

    @classmethod
    def read(cls, problem: Problem, symmetry: bool, folder: Path) -> _State:
        """What a folder holds, or the first level. Raises InputError."""
        state = cls(problem, symmetry, folder, [], 1)
        path = folder / _STATE
        if not path.exists():
            if any(file.name != "lock" and not _OWN.fullmatch(file.name) for file in folder.iterdir()):
                raise InputError(f"{folder} holds other files: choose an empty folder")
            state._begin()
            return state
        try:
            found = json.loads(path.read_text())
            state.levels, state.shards = [Counts(*counts) for counts in found["levels"]], found["shards"]
            same = found["about"] == state._about
        except (OSError, ValueError, TypeError, KeyError):
            raise InputError(f"{path} is damaged: delete the folder to begin again") from None
        if not same:
            raise InputError(f"{folder} holds the levels of another problem, or of another version: choose another")
        made = len(state.levels) - 1
        shards = [_shard(folder, made, part) for part in range(state.shards)]
        if sum(file.stat().st_size for file in shards if file.exists()) != 8 * state.levels[-1].positions:
            raise InputError(f"{folder} is damaged: its last level is not whole; delete the folder to begin again")
        state._tidy()
        return state

    def _tidy(self) -> None:
        """Delete what a process that was killed left behind: unfinished files, and those of levels that are done."""
        made = len(self.levels) - 1
        for file in self.folder.iterdir():
            found = _OWN.fullmatch(file.name)
            if found is None or file.name == _STATE:
                continue
            late = made + (found["kind"] == "shard")
            if found["unfinished"] or not made <= int(found["made"]) <= late:
                file.unlink(missing_ok=True)

    def _begin(self) -> None:
        levels = _levels(self.problem, self.symmetry)
        first = levels.level([self.problem.start.mask])
        _write(_shard(self.folder, 0, 0), [np.array(first, np.uint64)])
        single = int(len(self.problem.start) == 1)
        self.levels.append(Counts(1, len(levels.goals(first)), len(levels.dead_ends(first)), single))
        self._save()

    def _save(self) -> None:
        text = json.dumps({"about": self._about, "levels": self.levels, "shards": self.shards})
        _write(self.folder / _STATE, [np.frombuffer(text.encode(), np.uint8)])

    def next(self, run: Run, executor: Executor | None) -> Counts:
        """Make the next level."""
        made = len(self.levels) - 1
        parts = 1 + 2 * self.levels[-1].positions // _SHARD
        limits = replace(run.limits, time=run.remaining)
        job = _Job(self.problem, self.symmetry, self.folder, made, self.shards, parts, limits)
        for done, _ in enumerate(_done(executor, _expand, job, range(self.shards)), start=1):
            run.report({"level": made + 1, "expanded": done / self.shards})
        merged = list(_done(executor, _merge, job, range(parts)))
        counts = Counts(*(sum(column) for column in zip(*merged, strict=True)))
        self.levels.append(counts)
        self.shards = parts
        self._save()
        for file in [
            *(_shard(self.folder, made, part) for part in range(job.shards)),
            *map(job.run, range(job.shards)),
        ]:
            file.unlink(missing_ok=True)
        return counts


def _done(executor: Executor | None, task: Callable[[_Job, int], T], job: _Job, numbers: Iterable[int]) -> Iterator[T]:
    """The results of tasks, each done."""
    if executor is None:
        for number in numbers:
            yield task(job, number)
        return
    futures = [executor.submit(task, job, number) for number in numbers]
    for future in futures:
        yield future.result()
