"""Levels on disk: an enumeration that needs little memory, survives a kill, and can be shared among processes.

A level is cut into shards by a hash of the position; a shard is a file of rising 64-bit words. Two kinds of tasks make
the next level. *Expand* lists what is one jump after a shard: a run, cut by the same hash into as many parts as the
next level has shards. *Merge* puts the same part of all runs together, without duplicates: a shard. A task writes one
file, under another name until it is whole. So a task may be lost and done again, by any process that sees the folder;
after a kill the levels and runs that were finished are found again.

Nothing that is read is trusted: an index at the beginning of each file has the SHA-256 of each of its parts. A shard
has one part.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import stat
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from pegcp import plain
from pegcp.errors import InputError
from pegcp.formats.files import open_file
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run
from pegcp.states.kernels.marks import GOLDEN, Array
from pegcp.states.levels import LevelCounts, Levels, group, watch
from pegcp.states.positions import WORD
from pegcp.states.words import Words

_SHARD = 1 << 21  # positions
_VERSION = 3
_STATE = "levels.json"
_LARGEST_HEADER = 20_000_000  # bytes
_INDEX = np.dtype([("begin", np.int64), ("positions", np.int64), ("digest", "V32")])  # of each part of a file
_OWN = re.compile(r"(?:(?P<made>\d+)-(?P<kind>run|shard)-\d+|levels\.json)(?P<unfinished>\.\d+)?|lock")


@dataclass(frozen=True)
class _Job:
    """One level to be expanded: what a task must know. ``shards``, ``parts``: how many it has, and the next level."""

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
    return Levels(problem, symmetries=group(problem, symmetry))


def _shard(folder: Path, made: int, part: int) -> Path:
    return folder / f"{made}-shard-{part}"


def _expand(job: _Job, shard: int) -> None:
    """Write the run of a shard."""
    if job.run(shard).exists():
        return
    after = job.words().after(_read(_shard(job.folder, job.made, shard)))
    part = ((after * GOLDEN >> np.uint64(32)) * np.uint64(job.parts) >> np.uint64(32)).astype(np.uint16)
    ends = np.cumsum(np.bincount(part, minlength=job.parts))
    _write(job.run(shard), np.split(after[np.argsort(part, kind="stable")], ends[:-1]))


def _merge(job: _Job, part: int) -> LevelCounts:
    """Write a shard of the next level; its counts."""
    words = job.words()
    words.threads.tick()
    found = words.together([_read(job.run(shard), part) for shard in range(job.shards)])
    _write(job.shard(part), [found])
    goals, dead_ends = words.goals(found, job.problem), words.dead_ends(found)
    single = int(np.count_nonzero(np.bitwise_count(found) == 1))
    return LevelCounts(len(found), len(goals), len(dead_ends), single)


def _read(path: Path, part: int = 0) -> Array:
    """The positions of one part of a file. Raises InputError if they are not those that were written."""
    try:
        with open_file(path, os.O_NOFOLLOW) as file:
            file.seek(part * _INDEX.itemsize)
            begin, positions, digest = np.frombuffer(file.read(_INDEX.itemsize), _INDEX)[0]
            if not 0 <= 8 * int(positions) <= os.fstat(file.fileno()).st_size:
                raise ValueError
            file.seek(int(begin))
            text = file.read(8 * int(positions))
            if sha256(text).digest() != digest.tobytes():
                raise ValueError
    except (OSError, ValueError, IndexError):
        raise InputError(f"{path} is damaged: delete its folder to begin again") from None
    return np.frombuffer(text, np.uint64).copy()  # functions are compiled for arrays that can be written to


def _write(path: Path, parts: Sequence[Array]) -> None:
    """Write positions, in parts, to a file that is there only when it is whole."""
    index, begin = np.zeros(len(parts), _INDEX), len(parts) * _INDEX.itemsize
    for number, part in enumerate(parts):
        index[number] = begin, len(part), sha256(part.data).digest()
        begin += part.nbytes
    _replace(path, [index.tobytes(), *(part.data for part in parts)])


def _replace(path: Path, texts: Sequence[bytes | memoryview]) -> None:
    """Write a file under another name first."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    try:
        with unfinished.open("xb") as file:  # never what a link points to
            file.writelines(texts)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def levels_on_disk(
    problem: Problem, run: Run, folder: Path, symmetry: bool = True, executor: Executor | None = None
) -> Generator[LevelCounts]:
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
        levels = _finished(problem, symmetry, folder)
        _tidy(folder, levels)
        yield from (counts for counts in levels if counts.positions)
        while levels[-1].positions:
            levels.append(_next(_job(problem, symmetry, folder, levels, run), run, executor))
            _save(problem, symmetry, folder, levels)
            _tidy(folder, levels)
            if levels[-1].positions:
                yield levels[-1]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While no other process works in the folder, which is empty or holds levels. Raises InputError."""
    if not all(_OWN.fullmatch(name) for name in os.listdir(folder)):
        raise InputError(f"{folder} holds other files: choose an empty folder")
    try:
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise InputError(f"{folder / 'lock'}: {error.strerror}") from None
    try:
        if not stat.S_ISREG(os.fstat(lock).st_mode):
            raise InputError(f"{folder / 'lock'}: not a regular file")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{folder} is in use by another process: wait for it, or choose another folder") from None
        yield
    finally:
        os.close(lock)


def _about(problem: Problem, symmetry: bool) -> dict[str, object]:
    return {"version": _VERSION, "problem": problem.text, "symmetry": symmetry, "shard": _SHARD}


def _save(problem: Problem, symmetry: bool, folder: Path, levels: Sequence[LevelCounts]) -> None:
    _replace(folder / _STATE, [json.dumps({"about": _about(problem, symmetry), "levels": levels}).encode()])


def _finished(problem: Problem, symmetry: bool, folder: Path) -> list[LevelCounts]:
    """The finished levels of a folder, which has the shards of the last one; or the first level. Raises InputError."""
    path = folder / _STATE
    if not os.path.lexists(path):
        found = _levels(problem, symmetry)
        first = found.level([problem.start.mask])
        _write(_shard(folder, 0, 0), [np.array(first, np.uint64)])
        levels = [LevelCounts(1, len(found.goals(first)), len(found.dead_ends(first)), int(len(problem.start) == 1))]
        _save(problem, symmetry, folder, levels)
        return levels
    try:
        with open_file(path, os.O_NOFOLLOW) as file:
            header = plain.mapping(_STATE, plain.parse(file.read(_LARGEST_HEADER)))
        about = header["about"]
        levels = [LevelCounts(*(plain.whole("count", n, most=2**63) for n in row)) for row in header["levels"]]
        count = _shards(levels)
        wanted = 8 * levels[-1].positions + _INDEX.itemsize * count
        # one by one, so that a number that is too large ends at the first gap
        sizes = (_shard(folder, len(levels) - 1, shard).lstat().st_size for shard in range(count))
        if about == _about(problem, symmetry) and sum(sizes) != wanted:
            raise ValueError("the shards are not those of the level")
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        raise InputError(f"{path} is damaged: delete the folder to begin again") from None
    if about != _about(problem, symmetry):
        raise InputError(f"{folder} holds the levels of another problem, or of another version: choose another")
    return levels


def _tidy(folder: Path, levels: Sequence[LevelCounts]) -> None:
    """Delete files of levels before the last one, and unfinished ones that a process that was killed left behind."""
    for file in folder.iterdir():
        found = _OWN.fullmatch(file.name)
        if found and (found["unfinished"] or (found["made"] and int(found["made"]) != len(levels) - 1)):
            file.unlink(missing_ok=True)


def _shards(levels: Sequence[LevelCounts]) -> int:
    """How many shards the last of some levels has."""
    return 1 + 2 * levels[-2].positions // _SHARD if len(levels) > 1 else 1


def _job(problem: Problem, symmetry: bool, folder: Path, levels: Sequence[LevelCounts], run: Run) -> _Job:
    """To expand the last of the levels."""
    limits, parts = replace(run.limits, time=run.remaining), _shards([*levels, levels[-1]])
    return _Job(problem, symmetry, folder, len(levels) - 1, _shards(levels), parts, limits)


def _next(job: _Job, run: Run, executor: Executor | None) -> LevelCounts:
    """Make the next level."""
    every = executor.map if executor is not None else map  # each task, one after the other or at once
    for done, _ in enumerate(every(partial(_expand, job), range(job.shards)), start=1):
        run.report({"level": job.made + 1, "expanded": done / job.shards})
    merged = list(every(partial(_merge, job), range(job.parts)))
    return LevelCounts(*map(sum, zip(*merged, strict=True)))
