"""Levels on disk: little memory, few bytes for a position, and a second run goes on where the first one ended.

Used by board49.py. A level is cut into shards, each a file with the positions from one to another. To make the next
level, each shard is expanded into a run, cut where the shards of the next level will be; then the same part of all runs
is put together, without duplicates.

A position is kept as its rank among those of its class with as many pegs. Most gaps between ranks are small: a byte for
each gap, and eight more for each large one, compressed by Zstandard (RFC 8878), are about 0.3 bytes for a position of a
large level. Needs the package zstandard.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pegcp.game import Problem
from pegcp.method import Run
from pegcp.states.array_level import ArrayLevel
from pegcp.states.kernels.rows import Ranks
from pegcp.states.levels import Levels
from pegcp.states.words import Words, union

zstandard: Any = import_module("zstandard")  # an extra of the records alone
_SHARD = 1 << 23  # positions
_PIECE = 1 << 21  # positions that are expanded at a time
_SAMPLE = 256  # positions of a shard, from which the cuts of the next level follow
_LARGE = 255  # a gap from which on a byte is not enough
_FAST, _SMALL = 3, 12  # levels of the codec
_WINDOW = 27  # bits: repetitions are found in so many bytes
_STATE = "levels.json"


class Packing:
    """The written form of levels that have as many pegs and are in the position class of ``member``."""

    def __init__(self, ranks: Ranks, member: int, pegs: int) -> None:
        self.ranks, (self.starts, self.bases) = ranks, ranks.starts_and_bases(member, pegs)

    def pack(self, level: Words, codec: int = _SMALL) -> bytes:
        """Compress a level."""
        low = level & np.uint64((1 << self.ranks.split) - 1)
        numbers = self.starts[level >> np.uint64(self.ranks.split)] + self.ranks.places[low]
        gaps = np.diff(numbers, prepend=0)
        large = gaps[gaps >= _LARGE].view(np.uint8).reshape(-1, 8)
        text = np.minimum(gaps, _LARGE).astype(np.uint8).tobytes() + large.T.tobytes()  # the highest bytes are alike
        parameters = zstandard.ZstdCompressionParameters.from_level(codec, window_log=_WINDOW)
        packed: bytes = zstandard.ZstdCompressor(compression_params=parameters).compress(text)
        return len(level).to_bytes(8, "little") + packed

    def unpack(self, data: bytes) -> Words:
        """Read a level that was packed."""
        size = int.from_bytes(data[:8], "little")
        text = np.frombuffer(zstandard.ZstdDecompressor().decompress(data[8:]), np.uint8)
        gaps = text[:size].astype(np.int64)
        gaps[gaps == _LARGE] = np.ascontiguousarray(text[size:].reshape(8, -1).T).view(np.int64)[:, 0]
        numbers = np.cumsum(gaps)
        high = np.searchsorted(self.starts, numbers, "right") - 1
        low = self.ranks.groups[self.bases[high] + numbers - self.starts[high]]
        level: Words = high.astype(np.uint64) << np.uint64(self.ranks.split) | low
        return level


def level_sizes(problem: Problem, run: Run, folder: Path) -> Iterator[int]:
    """How many positions each level has, up to symmetry, from the first; levels are kept in a folder.

    The folder is new, or holds levels of this problem that an earlier run has made. Only files that it
    has made and knows by name are removed again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    store = _Store(problem, run, folder)
    yield from store.sizes
    while store.sizes[-1]:
        store.make_next()
        if store.sizes[-1]:
            yield store.sizes[-1]


class _Store:
    """The folder: sizes of the levels, shards of the last one, and where to cut the one after it."""

    def __init__(self, problem: Problem, run: Run, folder: Path) -> None:
        self.problem, self.folder = problem, folder
        self.levels = Levels(problem, run)
        if (folder / _STATE).exists():
            state = json.loads((folder / _STATE).read_text())
            if state["problem"] != problem.text:
                raise SystemExit(f"{folder} holds the levels of another problem")
            self.sizes, self.shards, self.cuts = state["sizes"], state["shards"], state["cuts"]
            return
        if any(folder.iterdir()):
            raise SystemExit(f"{folder} holds other files: choose an empty folder")
        self.sizes, self.shards, self.cuts = [1], 1, []
        self._write(self._path(0, "shard", 0), self._packing(0).pack(self.levels.first().array.words))
        self._save()

    def _packing(self, made: int) -> Packing:
        start = self.problem.start
        return Packing(self.levels.tables.ranks, start.mask, len(start) - made)

    def _path(self, *parts: object) -> Path:
        return self.folder / "-".join(map(str, parts))

    def _save(self) -> None:
        state = {"problem": self.problem.text, "sizes": self.sizes, "shards": self.shards, "cuts": self.cuts}
        self._write(self.folder / _STATE, json.dumps(state).encode())

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file that is complete when it has its name."""
        unfinished = path.with_name(f"{path.name}.unfinished")
        unfinished.write_bytes(data)
        os.replace(unfinished, path)

    def make_next(self) -> None:
        """Make the next level, and remove the files of the last one."""
        made = len(self.sizes) - 1
        here, after = self._packing(made), self._packing(made + 1)
        for shard in range(self.shards):
            if not self._path(made, "run", shard, len(self.cuts)).exists():  # the last part is written last
                level = here.unpack(self._path(made, "shard", shard).read_bytes())
                pieces = np.array_split(level, 1 + len(level) // _PIECE)  # for memory
                found = union([ArrayLevel(self.levels.tables, piece).after().words for piece in pieces])
                parts = np.split(found, np.searchsorted(found, np.array(self.cuts, np.uint64)))
                for part, positions in enumerate(parts):
                    self._write(self._path(made, "run", shard, part), after.pack(positions, _FAST))
        size, samples, parts_made = 0, list[Words](), range(len(self.cuts) + 1)
        for part in parts_made:
            runs = [self._path(made, "run", shard, part) for shard in range(self.shards)]
            level = union([after.unpack(path.read_bytes()) for path in runs])
            self._write(self._path(made + 1, "shard", part), after.pack(level))
            size += len(level)
            samples.append(level[:: 1 + len(level) // _SAMPLE])
        files = [self._path(made, "shard", shard) for shard in range(self.shards)]
        files += [self._path(made, "run", shard, part) for shard in range(self.shards) for part in parts_made]
        self.sizes, self.shards, self.cuts = [*self.sizes, size], len(parts_made), self._cuts(size, samples)
        self._save()
        for file in files:
            file.unlink()

    def _cuts(self, size: int, samples: Sequence[Words]) -> list[int]:
        """Where to cut what is one jump after a level, so that shards are of like size."""
        parts = 1 + 2 * size // _SHARD
        if parts == 1:
            return []
        after = ArrayLevel(self.levels.tables, np.concatenate(samples)).after().words
        cuts: list[int] = np.unique(after[np.arange(1, parts) * len(after) // parts]).tolist()
        return cuts
