"""Which jumps keep the goal in reach: for the command ``next`` and for Python. (The page has answers of its own.)

All of it follows from one question, whether the goal can be reached from a position. A table, the winnable set of the
problem, answers it at once and for every position of the game, but a large one takes a while to make. So beams and
certificates are asked first (:class:`Quick`): they settle most positions in milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from pegcp.errors import InputError, InvalidSolution, plural
from pegcp.formats.solution import read_solution
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.jump_notation import written
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.rules import replay
from pegcp.game.svg import position_svg
from pegcp.game.symmetry import canonical_form
from pegcp.method import Run, Status
from pegcp.states.winnable import BadTable, read, table_path, winnable, within_reach
from pegcp.theory import certificates

Known = Callable[[int], bool | None]  # of a position: whether the goal can be reached from it; None: not known

_QUICK = 1.0  # seconds of computing for all that beams and certificates may do at first
_WIDEST = 300  # positions in a level of such a beam
_SAYS = {True: "keeps the goal in reach", False: "loses it", None: "not known"}


@dataclass(frozen=True, repr=False)
class NextJumps:
    """What can be done in a position of a game.

    ``solvable``: whether the goal can be reached from ``position``; ``jumps``: each jump that can be made, and whether
    the goal can be reached after it. None where that is not known. ``taken_back``: how many of the jumps made so far
    must be taken back until the goal can be reached again; None where that is not known, or never. ``forced``: the
    jumps that must be made now, one after the other, as long as only one keeps the goal in reach. ``settled``: more
    time would show nothing new of the jumps or of those to take back.
    """

    position: Position
    solvable: bool | None
    jumps: tuple[tuple[Jump, bool | None], ...]
    taken_back: int | None = None
    forced: tuple[Jump, ...] = ()
    settled: bool = field(default=True, compare=False)

    def __str__(self) -> str:
        """The position, what becomes of it by each jump, and what can be done."""
        board = self.position.board
        lines = [str(self.position), *self.verdicts]
        lines += [] if self.jumps else ["no jump can be made"]
        lines.append(
            {True: "the goal can be reached", False: "the goal is out of reach", None: "not known"}[self.solvable]
        )
        if self.taken_back:
            lines[-1] += f"; take back {plural(self.taken_back, 'jump')}"
        if self.forced:
            lines.append(f"forced: {' '.join(written(board, [jump]) for jump in self.forced)}")
        return "\n".join(lines)

    @property
    def verdicts(self) -> list[str]:
        """A line for each verdict, with the jumps that have it."""
        found = {says: [jump for jump, verdict in self.jumps if verdict is value] for value, says in _SAYS.items()}
        board = self.position.board
        return [f"{says}: {' '.join(written(board, [j]) for j in some)}" for says, some in found.items() if some]

    def __repr__(self) -> str:
        return f"<NextJumps {len(self.jumps)} jumps, solvable {self.solvable}>"

    def _repr_html_(self) -> str:
        good = [jump for jump, solvable in self.jumps if solvable]
        picture = position_svg(self.position.board, self.position.mask, jumps=good)
        text = str(self).removeprefix(str(self.position)).strip()
        return f"<figure>{picture}<figcaption style='white-space:pre-line'>{escape(text)}</figcaption></figure>"

    def to_json(self) -> dict[str, Any]:
        """The object of ``pegcp next --json``; jumps are triples of hole names."""
        board = self.position.board
        jumps = [{"jump": list(board.jump_names(jump)), "solvable": solvable} for jump, solvable in self.jumps]
        return {"solvable": self.solvable, "jumps": jumps}


def advise(problem: Problem, made: Sequence[Jump], known: Known) -> NextJumps:
    """The jumps after those that were made, and what follows from what is known of positions.

    Raises InvalidSolution for jumps that cannot be made.
    """
    positions = replay(problem.board, problem.start.mask, made)
    here = Position(problem.board, positions[-1])
    jumps = tuple((jump, known(here.mask ^ jump.mask)) for jump in here.jumps())
    verdicts = {verdict for _, verdict in jumps}
    solvable = True if problem.is_goal(here.mask) or True in verdicts else None if None in verdicts else False
    back, settled = (0, True) if solvable else (None, False)
    if solvable is False:
        back, settled = _taken_back(positions[:-1], known)
    return NextJumps(
        here,
        solvable,
        jumps,
        back,
        tuple(_forced(problem, here.mask, known)) if solvable else (),
        settled=settled and None not in verdicts,
    )


def _taken_back(earlier: Sequence[int], known: Known) -> tuple[int | None, bool]:
    """How many jumps to take back from a lost position, and whether that is settled. None: not known, or never."""
    if not earlier or known(earlier[0]) is False:  # then so are all that come from it
        return None, True
    for back, position in enumerate(reversed(earlier), start=1):
        verdict = known(position)
        if verdict is not False:
            return (back, True) if verdict else (None, False)
    return None, True


def _forced(problem: Problem, position: int, known: Known) -> Iterator[Jump]:
    """The jumps that must be made, one after the other, as far as that is known."""
    while not problem.is_goal(position):
        after = {jump: known(position ^ jump.mask) for jump in problem.board.jumps if jump.is_legal(position)}
        keeping = [jump for jump, verdict in after.items() if verdict is not False]
        if len(keeping) != 1 or not after[keeping[0]]:
            return
        yield keeping[0]
        position ^= keeping[0].mask


class Quick:
    """Asks narrow beams and certificates about positions, for ``most`` seconds of computing in all; None where they
    fail."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem = problem
        self.run = replace(run, report=_narrow)
        self.canonical = canonical_form(problem.goal_symmetries())
        self.found: dict[int, bool | None] = {}  # by the least image
        self.spent, self.most = 0.0, _QUICK  # seconds

    def __call__(self, position: int) -> bool | None:
        """Whether the goal can be reached from a position."""
        if self.problem.is_goal(position) or isinstance(self.problem.goal, DeadEnd):  # every game ends
            return True
        least = self.canonical(position)
        if least not in self.found and self.spent < self.most and self.run.remaining:
            began = time.thread_time()  # a machine that is busy with other things does not change the answer
            self.found[least] = self._asked(position)
            self.spent += time.thread_time() - began
        return self.found.get(least)

    def _asked(self, position: int) -> bool | None:
        from pegcp.search import beam

        wanted = replace(self.problem, start=Position(self.problem.board, position))
        answer = beam.search(wanted, self.run)
        for jump in answer.jumps or ():
            self.found[self.canonical(position)] = True
            position ^= jump.mask
        if answer.status is Status.UNKNOWN and certificates.find(wanted, run=self.run) is None:
            return None
        return answer.status.has_solution


def _narrow(progress: Mapping[str, Any]) -> None:
    """Stops a beam that gets too wide."""
    if progress.get("width", 0) > _WIDEST:
        raise TimeoutError


def table_there(problem: Problem) -> Known | None:
    """The answers of a table that is in the cache folder; None if there is none."""
    with suppress(BadTable, OSError):
        return read(problem, table_path(problem)).__contains__
    return None


def by_table(problem: Problem, here: int, quick: Known, run: Run) -> Known | None:
    """The answers of a table, made now: from the start, or where that is too large from the position on the board."""
    for wanted in dict.fromkeys((problem, replace(problem, start=Position(problem.board, here)))):
        share = replace(run, limits=replace(run.limits, time=run.limits.time - run.remaining * 2 / 3))
        with suppress(TimeoutError, MemoryError):
            if within_reach(wanted):
                table, most = winnable(wanted, share), len(wanted.start)
                return lambda position: position in table if position.bit_count() <= most else quick(position)
    return None


def find_next_jumps(problem: Problem, after: str | Sequence[Jump], run: Run) -> NextJumps:
    """Return which jumps keep the goal in reach after some jumps from the start, see :func:`pegcp.next_jumps`."""
    try:
        made = read_solution(problem, after) if isinstance(after, str) else list(after)
    except InputError as error:
        raise InputError(error.message, source="--after") from None
    problem = replace(problem, objective=Objective.ANY)
    quick = Quick(problem, run)
    try:
        found = advise(problem, made, table_there(problem) or quick)
    except InvalidSolution as error:
        raise InputError(str(error), source="--after") from None
    if not found.settled:
        run.report(
            {"log": f"{'; '.join(found.verdicts)}; a table is made, which takes longer the first time on a machine"}
        )
        table = by_table(problem, found.position.mask, quick, run)
        quick.most = run.limits.time
        found = advise(problem, made, table or quick)
    return found
