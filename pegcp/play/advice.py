"""The jumps that keep the goal in reach, for the command ``next`` and for Python, and the one that lost the game in a
solution that fails. (The page has its own search.)

All answers follow from one question: can the goal be reached from a position? A table, the winnable set of the problem,
answers it for every position of the game, but a large table takes a while to build. So beams and certificates are tried
first (:class:`QuickVerdicts`); they settle most positions in milliseconds.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from pegcp.errors import InputError, InvalidSolution, Missing, need
from pegcp.formats.readings import SolutionReading
from pegcp.formats.solution import read_beginning
from pegcp.game import (
    DeadEnd,
    Jump,
    Objective,
    Position,
    Problem,
    Replay,
    canonical_form,
    jumps_of,
    position_svg,
    replay_solution,
    write_move,
)
from pegcp.habits import Guided
from pegcp.method import Run, Status
from pegcp.states.winnable import winnable, within_reach
from pegcp.theory import certificates

Solvable = Callable[[int], bool | None]  # can the goal be reached from a position? None: unknown

_QUICK = 1.0  # CPU seconds for beams and certificates before a table is built
_NARROWEST, _WIDEST = 30, 300  # positions in a level of such a beam
_VERDICTS = {True: "keep the goal in reach", False: "lead to no solution", None: "unknown"}
_GOAL = {
    True: "The goal can be reached",
    False: "The goal is out of reach",
    None: "It is unknown whether the goal can be reached",
}
# Seconds that do not depend on how busy the machine is; a browser has no time of a thread.
_busy_seconds = getattr(time, "thread_time", time.process_time)


@dataclass(frozen=True, repr=False)
class NextJumps(Guided):
    """The jumps from a position of a game.

    ``solvable``: whether the goal can be reached from ``position``, None if that is unknown. ``jumps``: each possible
    jump, and the same about the position after it. ``lost``: which jump before lost the game, in words, if one did.
    """

    position: Position
    solvable: bool | None
    jumps: tuple[tuple[Jump, bool | None], ...]
    lost: str = ""

    def __str__(self) -> str:
        """Draw the position, and list the jumps by verdict."""
        lost = f" It was {self.lost}." if self.lost else ""
        verdicts = self.verdicts or ["no jump is possible"]
        return "\n".join([str(self.position), *verdicts, f"{_GOAL[self.solvable]}.{lost}"])

    @property
    def verdicts(self) -> list[str]:
        """A line for each verdict, with its jumps."""
        names: dict[bool | None, list[str]] = {verdict: [] for verdict in _VERDICTS}
        for jump, solvable in self.jumps:
            names[solvable].append(write_move(self.position.board, [jump]))
        return [f"{_VERDICTS[verdict]}: {' '.join(jumps)}" for verdict, jumps in names.items() if jumps]

    def __repr__(self) -> str:
        return f"<NextJumps {len(self.jumps)} jumps, solvable {self.solvable}>"

    def _repr_html_(self) -> str:
        good = [jump for jump, solvable in self.jumps if solvable]
        picture = position_svg(self.position.board, self.position.mask, jumps=good)
        text = str(self).removeprefix(str(self.position)).strip()
        return f"<figure>{picture}<figcaption style='white-space:pre-line'>{escape(text)}</figcaption></figure>"

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``pegcp next --json``; jumps are triples of hole names."""
        board = self.position.board
        jumps = [{"jump": list(board.jump_names(jump)), "solvable": solvable} for jump, solvable in self.jumps]
        return {"solvable": self.solvable, "jumps": jumps, **({"lost": self.lost} if self.lost else {})}


def advise(problem: Problem, position: Position, solvable: Solvable) -> NextJumps:
    """Return the jumps from a position with their verdicts."""
    mask = position.mask
    jumps = tuple((jump, solvable(mask ^ jump.mask)) for jump in position.jumps())
    verdicts = {verdict for _, verdict in jumps}
    verdict = True if problem.is_goal(mask) or True in verdicts else None if None in verdicts else False
    return NextJumps(position, verdict, jumps)


def find_loss(problem: Problem, jumps: Sequence[Jump], solvable: Solvable) -> str:
    """Say which of some jumps lost the game, and what would have won in its place; nothing if none is known to."""
    position = problem.start
    for number, jump in enumerate(jumps, 1):
        after = position.after(jump)
        if solvable(after.mask) is False:
            better = [write_move(problem.board, [j]) for j in position.jumps() if solvable(position.mask ^ j.mask)]
            name = write_move(problem.board, [jump])
            return f"lost by jump {number}, {name}; {' or '.join(better[:3])} would have won" if better else ""
        position = after
    return ""


class QuickVerdicts:
    """Verdicts on positions by narrow beams and certificates, for ``most`` CPU seconds in all; None where they fail."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run = problem, replace(run, report=lambda _: None)
        self.canonical = canonical_form(problem.goal_symmetries())
        self.verdicts: dict[int, bool | None] = {}  # by the least symmetric position
        self.seconds, self.most = 0.0, _QUICK

    def __call__(self, position: int) -> bool | None:
        """Tell whether the goal can be reached from a position; None if that is not found."""
        if self.problem.is_goal(position) or isinstance(self.problem.goal, DeadEnd):  # every game ends
            return True
        least = self.canonical(position)
        if least not in self.verdicts and self.seconds < self.most and self.run.remaining:
            began = _busy_seconds()
            self.verdicts[least] = self._find_verdict(position)
            self.seconds += _busy_seconds() - began
        return self.verdicts.get(least)

    def _find_verdict(self, position: int) -> bool | None:
        from pegcp.search import beam

        problem = replace(self.problem, start=Position(self.problem.board, position))
        answer = beam.find_solution(problem, self.run, _NARROWEST, _WIDEST)
        for jump in answer.jumps or ():
            self.verdicts[self.canonical(position)] = True
            position ^= jump.mask
        if answer.status is Status.UNKNOWN and certificates.find(problem, seconds=self.run.remaining) is None:
            return None
        return answer.status.has_solution


def build_table(problem: Problem, position: Position, run: Run) -> Solvable | None:
    """Build a table: for the whole game, or if that is too large, from the position on the board; None if both are."""
    for start in dict.fromkeys((problem, replace(problem, start=position))):
        with suppress(TimeoutError, MemoryError):
            if within_reach(start):
                return winnable(start, run.within(run.remaining / 3)).__contains__
    return None


def find_next_jumps(problem: Problem, after: str | Sequence[Jump], run: Run) -> NextJumps:
    """Find the jumps that keep the goal in reach, after some jumps from the start; see :func:`pegcp.next_jumps`."""
    need("next_jumps", "pegcp", "numpy", "platformdirs")
    problem = replace(problem, objective=Objective.ANY)
    quick = QuickVerdicts(problem, run)
    try:
        earlier = read_beginning(problem, after).jumps if isinstance(after, str) else jumps_of(problem.board, after)
        position = problem.start.after(*earlier)
    except (InputError, InvalidSolution) as error:
        raise InputError(getattr(error, "message", str(error)), source="after") from None
    advice = advise(problem, position, quick)
    solvable: Solvable = quick
    if None in dict(advice.jumps).values():
        run.report({"log": "\n".join([*advice.verdicts, "Building a table of positions ..."])})
        solvable = build_table(problem, position, run) or quick
        quick.most = run.limits.time  # without a table beams and certificates take all the time of the run
        advice = advise(problem, position, solvable)
    return replace(advice, lost=find_loss(problem, earlier, solvable)) if advice.solvable is False else advice


def replay_or_explain(problem: Problem, reading: SolutionReading, run: Run) -> Replay:
    """Replay a solution that was read from a text.

    Raises InvalidSolution, which also says which jump lost the game where that is found in the time of the run.
    """
    try:
        return replace(replay_solution(problem, reading.jumps), read_as=reading.read_as)
    except InvalidSolution as error:
        legal, lost = reading.jumps[: error.step - 1 if error.step else None], ""
        if legal:
            with suppress(ImportError, Missing):  # tables need optional parts
                lost = find_next_jumps(problem, legal, run).lost
        raise InvalidSolution(error.message, step=error.step, lost=lost, read_as=reading.read_as) from None
