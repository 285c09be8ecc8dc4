"""The winnable set of a problem: the positions that can be reached and from which the goal can be reached.

Levels grow forwards from the start and backwards from the goal until they meet; then each end keeps what leads to the
meeting or comes from it. Where a symmetry carries the complement of the start to the goal one end is enough
(:mod:`pegcp.theory.reversal`), and half of the levels. A goal that can be reached after different numbers of jumps is
met forwards alone.

A large set is kept in the cache folder of the user: a line that says what the file is, a line with the SHA-256 of all
that follows, a line of JSON, and the positions of each level, rising, as big-endian numbers of as few bytes as fit the
board. So the file is searched where it lies, without being read. It is written under another name first, then renamed.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import tempfile
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from pegcp import plain
from pegcp.errors import PegcpError
from pegcp.formats.files import open_file
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, canonical_form, image
from pegcp.method import Run
from pegcp.states.bounds import Bounds, MeetingLevels
from pegcp.states.cache import cache_folder
from pegcp.states.levels import LARGE, Levels, group
from pegcp.states.positions import TWO_WORDS, WORD, Level
from pegcp.theory.reversal import reversal

_MAGIC = b"pegcp winnable set, version 2\n"
_KEPT = 100_000  # positions from which on a set is worth a file
_PEGS = 20  # on boards of more than 64 holes; with more, there are most often too many positions


class BadTable(PegcpError):
    """A table file is damaged or is not what its name says; the message says why."""


class Winnable:
    """A winnable set, up to the symmetries of the goal.

    ``records``: the positions of all levels one after the other; ``sizes``: how many there are for each number of pegs.
    Of a problem that is its own reversal, the levels with fewer pegs than these are those with more, reversed.
    """

    def __init__(self, problem: Problem, records: Any, sizes: dict[int, int]) -> None:
        self.problem, self.records, self.sizes = problem, records, sizes
        self.width = width(problem)
        self.begins = dict(zip(sizes, accumulate(sizes.values(), initial=0), strict=False))

    @cached_property
    def canonical(self) -> Callable[[int], int]:
        """Carries a position to the least of its images."""
        return canonical_form(group(self.problem))

    @cached_property
    def reversal(self) -> Permutation | None:
        """What carries the complements of the levels with more pegs to those with fewer; None if all are stored."""
        return reversal(self.problem, group(self.problem))

    def __len__(self) -> int:
        """How many position classes the set has."""
        return sum(self.size(pegs) for pegs in range(len(self.problem.board.holes) + 1))

    def size(self, pegs: int) -> int:
        """How many position classes with this number of pegs the set has."""
        return self.sizes.get(self._stored(pegs), 0)

    def _stored(self, pegs: int) -> int:
        """The number of pegs under which a level is stored."""
        if pegs in self.sizes or self.reversal is None:
            return pegs
        return len(self.problem.board.holes) - pegs

    def __contains__(self, position: int) -> bool:
        """Whether the goal can be reached from a position (a bit mask) that can be reached itself."""
        if isinstance(self.problem.goal, DeadEnd):
            return True  # every game ends
        pegs = position.bit_count()
        stored = self._stored(pegs)
        if stored not in self.sizes:
            return False
        if stored != pegs and self.reversal is not None:
            position = image(self.reversal, position ^ self.problem.board.full)
        wanted, begin = self.canonical(position).to_bytes(self.width, "big"), self.begins[stored]
        end = begin + self.sizes[stored]
        at = bisect_left(range(end), wanted, begin, key=self._record)
        return at < end and self._record(at) == wanted

    def _record(self, index: int) -> bytes:
        return bytes(self.records[index * self.width : (index + 1) * self.width])

    def solution(self, position: int) -> list[Jump] | None:
        """The jumps of a solution from a position, or None if there is none."""
        jumps = []
        while not self.problem.is_goal(position):
            legal = (jump for jump in self.problem.board.jumps if jump.is_legal(position))
            jump = next((jump for jump in legal if position ^ jump.mask in self), None)
            if jump is None:
                return None
            jumps.append(jump)
            position ^= jump.mask
        return jumps

    def level(self, pegs: int) -> Level:
        """The positions with this number of pegs, as a level."""
        stored = self._stored(pegs)
        size, begin = self.sizes.get(stored, 0), self.begins.get(stored, 0)
        level: Level
        if size < LARGE or len(self.problem.board.holes) > TWO_WORDS:
            level = [int.from_bytes(self._record(begin + i), "big") for i in range(size)]
        else:
            import numpy as np

            text = np.frombuffer(self.records, np.uint8, size * self.width, begin * self.width)
            words = -(-len(self.problem.board.holes) // WORD)
            padded = np.zeros((size, words * WORD // 8), np.uint8)
            padded[:, -self.width :] = text.reshape(-1, self.width)
            rows = np.zeros((size, words, 8), np.uint8)
            rows[:, :, 8 - WORD // 8 :] = padded.reshape(size, words, -1)
            level = rows.view(">u8").astype(np.uint64).reshape((size, words) if words > 1 else size)
        return level if stored == pegs else Levels(self.problem).reversed(level)


def within_reach(problem: Problem) -> bool:
    """Whether it is worth trying to make the winnable set."""
    holes = len(problem.board.holes)
    return holes <= WORD or (holes <= TWO_WORDS and len(problem.start) <= _PEGS)


def width(problem: Problem) -> int:
    """Bytes of a position."""
    return max(1, -(-len(problem.board.holes) // 8))


def winnable(problem: Problem, run: Run, folder: Path | None = None) -> Winnable:
    """The winnable set of a problem: from the cache folder, or made and put there if it is large.

    Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    path = table_path(problem, folder)
    try:
        return read(problem, path)
    except FileNotFoundError:
        pass
    except (BadTable, OSError) as error:
        run.report({"log": f"{error}; it is made again"})
    made = build(problem, run)
    if sum(made.sizes.values()) >= _KEPT:
        try:
            write(made, path)
        except OSError as error:
            run.report({"log": f"{path}: {error.strerror}; the table is not kept"})
    return made


def table_path(problem: Problem, folder: Path | None = None) -> Path:
    """The file for the winnable set of a problem."""
    digest = hashlib.sha256(_described(problem).encode()).hexdigest()[:24]
    return (folder or cache_folder() / "winnable") / digest


def _described(problem: Problem) -> str:
    """What decides a winnable set, as text: board, start and goal, not the objective."""
    from dataclasses import replace

    from pegcp.game.goal import Objective

    return replace(problem, objective=Objective.ANY).text


def build(problem: Problem, run: Run) -> Winnable:
    """The winnable set, made. Raises TimeoutError or MemoryError when the limits of the run are reached."""
    levels = Levels(problem, run)
    if not problem.jump_counts or isinstance(problem.goal, DeadEnd):
        winning: list[Level] = []
    elif problem.targets is not None and not len(levels.last()):
        winning = []  # the goal is in another position class
    elif problem.targets is not None:
        winning = _from_both_ends(levels)
    else:
        winning = _forwards(levels, problem.jump_counts[-1])
    sizes = {len(problem.start) - made: len(level) for made, level in enumerate(winning) if len(level)}
    return Winnable(problem, b"".join(_records(level, width(problem)) for level in winning), sizes)


def _from_both_ends(levels: Levels) -> list[Level]:
    """All levels, or the first half of them for a problem that is its own reversal."""
    ends = MeetingLevels(levels, kept=True)
    middle = ends.meet()
    ends.forwards.pop()
    ends.backwards.pop()
    winning = _kept(levels, ends.forwards, middle)
    while ends.backwards:
        winning.append(levels.following(ends.backwards.pop(), winning[-1]))
    return winning


def _forwards(levels: Levels, jumps: int) -> list[Level]:
    forwards, ahead = [levels.level([levels.problem.start.mask])], Bounds(levels)
    while len(forwards) <= jumps and len(forwards[-1]):
        forwards.append(ahead.next(forwards[-1]))
        levels.run.report({"positions": sum(map(len, forwards))})
    return _kept(levels, forwards[:-1], levels.goals(forwards[-1]), several=True)


def _kept(levels: Levels, forwards: list[Level], last: Level, several: bool = False) -> list[Level]:
    """What leads to a last level, or with ``several`` to the goals of any level: of each level from the first."""
    winning = [last]
    while forwards:
        level = forwards.pop()
        kept = levels.leading(level, winning[-1])
        winning.append(levels.either(kept, levels.goals(level)) if several else kept)
    return winning[::-1]


def _records(level: Level, size: int) -> bytes:
    """A level as records."""
    if isinstance(level, list) or not len(level):
        return b"".join(position.to_bytes(size, "big") for position in level)
    import numpy as np

    text = level.astype(">u8").view(np.uint8).reshape(len(level), -1, 8)[:, :, 8 - WORD // 8 :]
    found: bytes = text.reshape(len(level), -1)[:, -size:].tobytes()
    return found


def write(table: Winnable, path: Path) -> None:
    """Keep a winnable set in a file. Raises OSError; then no file is left, or the one that was there."""
    about = {"problem": _described(table.problem), "sizes": list(table.sizes.items())}
    body = [json.dumps(about).encode() + b"\n", table.records]
    digest = hashlib.sha256()
    for part in body:
        digest.update(part)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines([_MAGIC, digest.hexdigest().encode() + b"\n", *body])
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise


def read(problem: Problem, path: Path) -> Winnable:
    """The winnable set in a file, checked. Raises BadTable with the reason, or OSError."""
    with open_file(path) as file:
        if file.readline(len(_MAGIC) + 1) != _MAGIC:
            raise BadTable(f"{path} is not a winnable set of this version of pegcp")
        digest = file.readline(80).strip()
        begin = file.tell()
        try:
            text = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError:
            raise BadTable(f"{path} is empty") from None
        about = file.readline()
    if hashlib.sha256(text[begin:]).hexdigest().encode() != digest:
        raise BadTable(f"{path} is damaged: its text does not have the SHA-256 that it gives")
    records = text[begin + len(about) :]
    try:
        found = plain.mapping("header", plain.parse(about))
        sizes = {plain.whole("pegs", pegs): plain.whole("size", size, 1, most=2**63) for pegs, size in found["sizes"]}
        if len(sizes) != len(found["sizes"]) or sum(sizes.values()) * width(problem) != len(records):
            raise ValueError("the sizes are not those of the levels")
    except (ValueError, TypeError, KeyError) as error:
        raise BadTable(f"{path} has a header that means nothing: {error}") from None
    if found.get("problem") != _described(problem):
        raise BadTable(f"{path} is the winnable set of another problem")
    return Winnable(problem, records, sizes)
