"""The winnable set of a problem: the positions that can be reached and from which the goal can be reached.

Levels grow forwards from the start and backwards from the goal until they meet; then each end keeps what leads to the
meeting or comes from it. Where a symmetry carries the complement of the start to the goal one end is enough
(:mod:`pegcp.theory.reversal`), and half of the levels. A goal that can be reached after different numbers of jumps is
met forwards alone.

A large set is kept in the cache folder of the user, in a file of numpy's (``.npz``): the canonical text of the problem,
the number of pegs and the size of each level, and all positions. It is written under another name first, then renamed.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

from pegcp.errors import PegcpError
from pegcp.formats.files import check_private, make_private_folder, open_file, write_file
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.problem import Problem
from pegcp.game.symmetry import Permutation, image
from pegcp.method import Run
from pegcp.states.levels import LARGE, WORD, Level, Levels, place
from pegcp.states.pagoda_bounds import Bounds, MeetingLevels

_KEPT = 100_000  # positions from which on a set is worth a file
_PEGS = 12  # on boards of more than 64 holes; with more, there are most often too many positions


class BadTable(PegcpError):
    """A table file that is damaged, or of another problem; the message gives the reason."""


class Winnable:
    """A winnable set, up to the symmetries of the goal.

    ``levels``: the positions by their number of pegs. Of a problem that is its own reversal, the levels with fewer pegs
    than these are those with more, reversed.
    """

    def __init__(self, problem: Problem, levels: Mapping[int, Level]) -> None:
        self.problem, self.levels = problem, levels

    @cached_property
    def classes(self) -> Levels:
        """Carries positions to their classes, and levels to their reversals."""
        return Levels(self.problem)

    @property
    def reversal(self) -> Permutation | None:
        """The symmetry that carries complements of stored levels to those with fewer pegs; None if all are stored."""
        return self.classes.reversal

    def __len__(self) -> int:
        """Return the number of position classes in the set."""
        return sum(len(self.levels.get(self._stored(pegs), ())) for pegs in range(len(self.problem.board.holes) + 1))

    def _stored(self, pegs: int) -> int:
        """Return the number of pegs under which a level is stored."""
        if pegs in self.levels or self.reversal is None:
            return pegs
        return len(self.problem.board.holes) - pegs

    def __contains__(self, position: int) -> bool:
        """Tell whether the goal can be reached from a position (a bit mask) that can be reached itself."""
        if isinstance(self.problem.goal, DeadEnd):
            return True  # every game ends
        pegs = position.bit_count()
        stored = self._stored(pegs)
        if stored != pegs and self.reversal is not None:
            position = image(self.reversal, position ^ self.problem.board.full)
        return place(self.levels.get(stored, ()), self.classes.canonical(position)) is not None

    def solution(self, position: int) -> list[Jump] | None:
        """Return the jumps of a solution from a position, or None if there is none."""
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
        """Return the positions with this number of pegs, as a level."""
        stored = self._stored(pegs)
        level = self.levels.get(stored, [])
        return level if stored == pegs else self.classes.reversed(level)


def within_reach(problem: Problem) -> bool:
    """Tell whether it is worth trying to make the winnable set."""
    return len(problem.board.holes) <= WORD or len(problem.start) <= _PEGS


def winnable(problem: Problem, run: Run) -> Winnable:
    """Return the winnable set of a problem: from the cache folder, or built, and cached if it is large.

    Raises TimeoutError or MemoryError when the limits of the run are reached.
    """
    path = table_path(problem)
    try:
        return read(problem, path)
    except FileNotFoundError:
        pass
    except BadTable as error:
        run.report({"log": f"{error}; building the table again"})
    except OSError as error:
        run.report({"log": f"cannot read {path}: {error.strerror}; building the table again"})
    table = build(problem, run)
    if sum(map(len, table.levels.values())) >= _KEPT and len(problem.board.holes) <= WORD:
        try:
            write(table, path)
        except OSError as error:
            run.report({"log": f"cannot write {path}: {error.strerror}; the table is not cached"})
    return table


def winning_levels(problem: Problem, levels: Levels, run: Run) -> list[Level]:
    """Return all levels with positions from which the goal can be reached, the start's first."""
    if isinstance(problem.goal, DeadEnd):
        winning = [levels.level([problem.start.mask])]
        while len(winning[-1]):
            winning.append(levels.after(winning[-1]))
            run.report({"positions": sum(map(len, winning))})
        return winning[:-1]
    table = winnable(problem, run)
    return [table.level(len(problem.start) - jumps) for jumps in range(problem.jump_counts.stop)]


def cache_folder() -> Path:
    """Return the folder for winnable sets, in the cache of the user."""
    from platformdirs import user_cache_path

    return user_cache_path("pegcp", appauthor=False) / "winnable"


def table_path(problem: Problem) -> Path:
    """Return the file for the winnable set of a problem."""
    digest = hashlib.sha256(_key(problem).encode()).hexdigest()[:24]
    return cache_folder() / f"{digest}.npz"


def _key(problem: Problem) -> str:
    """Return the text on which a winnable set depends: board, start and goal, not the objective."""
    return replace(problem, objective=Objective.ANY).text


def build(problem: Problem, run: Run) -> Winnable:
    """Build the winnable set. Raises TimeoutError or MemoryError when the limits of the run are reached."""
    levels = Levels(problem, run)
    winning: list[Level] = []
    if problem.jump_counts and not isinstance(problem.goal, DeadEnd):
        if problem.targets is None:
            winning = _forwards(levels, problem.jump_counts[-1])
        elif len(levels.last()):  # else the goal is in another position class
            winning = _from_both_ends(levels)
    return Winnable(problem, {len(problem.start) - jumps: level for jumps, level in enumerate(winning) if len(level)})


def _from_both_ends(levels: Levels) -> list[Level]:
    """Return all levels, or the first half of them for a problem that is its own reversal."""
    ends = MeetingLevels(levels, keep=True)
    middle = ends.meet()
    ends.forwards.pop()
    ends.backwards.pop()
    winning = _leading(levels, ends.forwards, middle)
    while ends.backwards:
        winning.append(levels.following(ends.backwards.pop(), winning[-1]))
    return winning


def _forwards(levels: Levels, jumps: int) -> list[Level]:
    forwards, ahead = [levels.level([levels.problem.start.mask])], Bounds(levels)
    while len(forwards) <= jumps and len(forwards[-1]):
        forwards.append(ahead.next(forwards[-1]))
        levels.run.report({"positions": sum(map(len, forwards))})
    return _leading(levels, forwards[:-1], levels.goals(forwards[-1]), several=True)


def _leading(levels: Levels, forwards: list[Level], last: Level, several: bool = False) -> list[Level]:
    """Return the positions of each level that lead to the last one, or with ``several`` to the goals of any level."""
    winning = [last]
    while forwards:
        level = forwards.pop()
        leading = levels.leading(level, winning[-1])
        winning.append(levels.either(leading, levels.goals(level)) if several else leading)
    return winning[::-1]


def write(table: Winnable, path: Path) -> None:
    """Write a winnable set to a file. Raises OSError; then no file is left, or the one that was there."""
    import numpy as np

    sizes = np.array([(pegs, len(level)) for pegs, level in table.levels.items()], np.int64).reshape(-1, 2)
    positions = np.concatenate([np.zeros(0, np.uint64), *(np.array(o, np.uint64) for o in table.levels.values())])
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    make_private_folder(path.parent)
    data = BytesIO()
    np.savez(data, problem=np.array(_key(table.problem)), sizes=sizes, positions=positions)
    write_file(path, data.getvalue())


def read(problem: Problem, path: Path) -> Winnable:
    """Read the winnable set in a file, whose arrays have checksums. Raises BadTable with the reason, or OSError."""
    check_private(path.parent)
    try:
        with open_file(path) as file:
            import numpy as np
            from numpy.lib.npyio import NpzFile

            arrays = NpzFile(file, allow_pickle=False)
            key, sizes, positions = (arrays[name] for name in ("problem", "sizes", "positions"))
    except (BadZipFile, ArithmeticError, EOFError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise BadTable(f"{path} is damaged: {error}") from None
    if str(key) != _key(problem):
        raise BadTable(f"{path} is the winnable set of another problem")
    fits = sizes.dtype == np.int64 and sizes.shape[1:] == (2,) and positions.dtype == np.uint64 and positions.ndim == 1
    if not fits or (sizes < 0).any() or sizes[:, 1].sum() != len(positions):
        raise BadTable(f"{path} is damaged: its levels have other sizes than it states")
    parts = np.split(positions, sizes[:, 1].cumsum())
    levels = (level if len(level) >= LARGE else level.tolist() for level in parts)
    return Winnable(problem, dict(zip(sizes[:, 0].tolist(), levels, strict=False)))
