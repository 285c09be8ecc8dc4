"""Levels on disk: an enumeration that needs little memory, survives a kill, and can be shared among processes.

A level is cut into shards, each a packed file of the positions from one to another (:mod:`pegcp.states.packed`). Two
kinds of tasks make the next level. *Expand* lists what is one jump after a shard: a run, cut into parts where the next
level will be, as some of its positions tell. *Merge* puts the same part of all runs together, without duplicates: a
shard. A task writes one file, under another name until it is whole. So a task may be lost and done again, by any
process that sees the folder; after a kill the levels and runs that were finished are found again.

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
from typing import BinaryIO, NamedTuple

import numpy as np

from pegcp import plain
from pegcp.errors import InputError
from pegcp.formats.files import open_file
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run
from pegcp.states.kernels.marks import Array
from pegcp.states.levels import LevelCounts, Levels, group, watch
from pegcp.states.packed import Packing
from pegcp.states.positions import WORD
from pegcp.states.words import Words

_SHARD = 1 << 23  # positions
_PIECE = 1 << 21  # positions that are expanded at a time
_SAMPLE = 256  # positions of a shard that tell where to cut the next level
_MOST = 1 << 27  # positions of a part of a file, eight times what is expected
_VERSION = 4
_STATE = "levels.json"
_LARGEST_HEADER = 20_000_000  # bytes
_INDEX = np.dtype([("begin", "<i8"), ("size", "<i8"), ("positions", "<i8"), ("digest", "V32")])  # of a part of a file
_OWN = re.compile(r"(?:(?P<made>\d+)-(?P<kind>run|shard)-\d+|levels\.json)(?P<unfinished>\.\d+)?|lock")


class _Done(NamedTuple):
    """The levels that are finished: their counts, the shards of the last one, and the cuts of the one after it."""

    levels: list[LevelCounts]
    shards: int
    cuts: list[int]


@dataclass(frozen=True)
class _Job:
    """One level to be expanded: what a task must know. ``cuts``: where the shards of the next level begin, but one."""

    problem: Problem
    symmetry: bool
    folder: Path
    made: int  # jumps
    shards: int
    cuts: Sequence[int]
    limits: Limits

    def run(self, shard: int) -> Path:
        """The file of what is one jump after a shard."""
        return self.folder / f"{self.made}-run-{shard}"

    def words(self) -> Words:
        """What treats the positions."""
        words = _levels(self.problem, self.symmetry).words
        words.threads.tick, words.threads.workers = watch(Run(self.limits)), self.limits.workers
        return words

    def packing(self, words: Words, more: int = 0) -> Packing:
        """How the level is packed, or one that is made by ``more`` jumps."""
        start = self.problem.start
        return Packing(words.sets, start.mask, len(start) - self.made - more)


@lru_cache(maxsize=1)
def _levels(problem: Problem, symmetry: bool) -> Levels:
    return Levels(problem, symmetries=group(problem, symmetry))


def _shard(folder: Path, made: int, part: int) -> Path:
    return folder / f"{made}-shard-{part}"


def _expand(job: _Job, shard: int) -> None:
    """Write the run of a shard."""
    if job.run(shard).exists():
        return
    words = job.words()
    level = _read(_shard(job.folder, job.made, shard), job.packing(words))
    whole = len(level) <= _PIECE or words.sets.dense(level, -1, len(level))
    pieces = [level] if whole else np.array_split(level, len(level) // _PIECE)  # for memory
    after = words.together([words.after(piece) for piece in pieces])
    parts = np.split(after, np.searchsorted(after, np.array(job.cuts, np.uint64)))
    _write(job.run(shard), parts, job.packing(words, 1), fast=True)


def _merge(job: _Job, part: int) -> tuple[LevelCounts, Array]:
    """Write a shard of the next level; its counts, and some of its positions."""
    words = job.words()
    words.threads.tick()
    packing = job.packing(words, 1)
    found = words.together([_read(job.run(shard), packing, part) for shard in range(job.shards)])
    _write(_shard(job.folder, job.made + 1, part), [found], packing)
    goals, dead_ends = words.goals(found, job.problem), words.dead_ends(found)
    single = int(np.count_nonzero(np.bitwise_count(found) == 1))
    return LevelCounts(len(found), len(goals), len(dead_ends), single), found[:: 1 + len(found) // _SAMPLE]


def _read(path: Path, packing: Packing, part: int = 0) -> Array:
    """The positions of one part of a file. Raises InputError if they are not those that were written."""
    try:
        with open_file(path, os.O_NOFOLLOW) as file:
            begin, size, positions, digest = _entry(file, part)
            file.seek(begin)
            text = file.read(size)
        if sha256(text).digest() != digest:
            raise ValueError
        return packing.unpack(text, positions)
    except (OSError, ValueError, IndexError):
        raise InputError(f"{path} is damaged: delete its folder to begin again") from None


def _entry(file: BinaryIO, part: int) -> tuple[int, int, int, bytes]:
    """Where a part of a file begins, its bytes, positions and digest. Raises OSError, ValueError or IndexError."""
    file.seek(part * _INDEX.itemsize)
    begin, size, positions, digest = np.frombuffer(file.read(_INDEX.itemsize), _INDEX)[0].tolist()
    if not (0 <= size <= os.fstat(file.fileno()).st_size and 0 <= positions <= _MOST):
        raise ValueError
    return begin, size, positions, digest


def _write(path: Path, parts: Sequence[Array], packing: Packing, fast: bool = False) -> None:
    """Write positions, in parts, to a file that is there only when it is whole."""
    index, begin = np.zeros(len(parts), _INDEX), len(parts) * _INDEX.itemsize
    texts = [packing.pack(part, fast) for part in parts]
    for number, (text, part) in enumerate(zip(texts, parts, strict=True)):
        index[number] = begin, len(text), len(part), sha256(text).digest()
        begin += len(text)
    _replace(path, [index.tobytes(), *texts])


def _replace(path: Path, texts: Sequence[bytes]) -> None:
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
        done = _finished(problem, symmetry, folder)
        _tidy(folder, done.levels)
        yield from (counts for counts in done.levels if counts.positions)
        while done.levels[-1].positions:
            limits = replace(run.limits, time=run.remaining)
            job = _Job(problem, symmetry, folder, len(done.levels) - 1, done.shards, done.cuts, limits)
            done = _next(job, done.levels, run, executor)
            _save(problem, symmetry, folder, done)
            _tidy(folder, done.levels)
            if done.levels[-1].positions:
                yield done.levels[-1]


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


def _save(problem: Problem, symmetry: bool, folder: Path, done: _Done) -> None:
    _replace(folder / _STATE, [json.dumps({"about": _about(problem, symmetry), **done._asdict()}).encode()])


def _finished(problem: Problem, symmetry: bool, folder: Path) -> _Done:
    """The finished levels of a folder, which has the shards of the last one; or the first level. Raises InputError."""
    path = folder / _STATE
    if not os.path.lexists(path):
        found = _levels(problem, symmetry)
        first = found.level([problem.start.mask])
        packing = Packing(found.words.sets, problem.start.mask, len(problem.start))
        _write(_shard(folder, 0, 0), [np.array(first, np.uint64)], packing)
        counts = LevelCounts(1, len(found.goals(first)), len(found.dead_ends(first)), int(len(problem.start) == 1))
        done = _Done([counts], 1, [])
        _save(problem, symmetry, folder, done)
        return done
    try:
        with open_file(path, os.O_NOFOLLOW) as file:
            header = plain.mapping(_STATE, plain.parse(file.read(_LARGEST_HEADER)))
        about = header["about"]
        levels = [LevelCounts(*(plain.whole("count", n, most=2**63) for n in row)) for row in header["levels"]]
        shards = plain.whole("shards", header["shards"], least=1, most=2**63)
        cuts = [plain.whole("cut", n, most=problem.board.full) for n in header["cuts"]]
        if len(cuts) > 2 * levels[-1].positions // _SHARD or cuts != sorted(set(cuts)):
            raise ValueError("the cuts are not those of the level")
        # one by one, so that a number that is too large ends at the first gap
        sizes = (_positions(_shard(folder, len(levels) - 1, shard)) for shard in range(shards))
        if about == _about(problem, symmetry) and sum(sizes) != levels[-1].positions:
            raise ValueError("the shards are not those of the level")
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        raise InputError(f"{path} is damaged: delete the folder to begin again") from None
    if about != _about(problem, symmetry):
        raise InputError(f"{folder} holds the levels of another problem, or of another version: choose another")
    return _Done(levels, shards, cuts)


def _positions(shard: Path) -> int:
    """How many positions a shard has. Raises OSError, ValueError or IndexError."""
    with open_file(shard, os.O_NOFOLLOW) as file:
        return _entry(file, 0)[2]


def _tidy(folder: Path, levels: Sequence[LevelCounts]) -> None:
    """Delete files of levels before the last one, and unfinished ones that a process that was killed left behind."""
    for file in folder.iterdir():
        found = _OWN.fullmatch(file.name)
        if found and (found["unfinished"] or (found["made"] and int(found["made"]) != len(levels) - 1)):
            file.unlink(missing_ok=True)


def _next(job: _Job, levels: Sequence[LevelCounts], run: Run, executor: Executor | None) -> _Done:
    """Make the next level."""
    every = executor.map if executor is not None else map  # each task, one after the other or at once
    for done, _ in enumerate(every(partial(_expand, job), range(job.shards)), start=1):
        run.report({"level": job.made + 1, "expanded": done / job.shards})
    counts, samples = zip(*every(partial(_merge, job), range(len(job.cuts) + 1)), strict=True)
    level = LevelCounts(*map(sum, zip(*counts, strict=True)))
    return _Done([*levels, level], len(counts), _cuts(job, level.positions, np.concatenate(samples)))


def _cuts(job: _Job, positions: int, sample: Array) -> list[int]:
    """Where to cut what is one jump after a level, of which a sample is known, so that shards are of like size."""
    parts = 1 + 2 * positions // _SHARD
    after = job.words().after(sample) if parts > 1 else sample[:0]
    return np.unique(after[np.arange(1, parts) * len(after) // parts]).tolist() if len(after) else []
