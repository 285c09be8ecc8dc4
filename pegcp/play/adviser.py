"""Advice for a page that asks after every click.

Beams and certificates answer at once. Meanwhile a child process makes a table of the problem, one table at a time;
from then on the table answers everything.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from pegcp.catalogue import methods
from pegcp.game.goal import DeadEnd, Nearest, Objective
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run, Status
from pegcp.play.advice import Known, NextJumps, Quick, advise, table_there
from pegcp.play.exchange import Game
from pegcp.running import run as runner
from pegcp.running.task import Task
from pegcp.states.winnable import winnable, within_reach
from pegcp.theory import certificates

_KEPT = 8  # tables in memory
_SMALL = 21  # holes, or pegs, up to which a table is made only if it is needed
_TABLE = Limits(time=120.0, memory=4000.0)
_BEAMS = 10.0  # seconds of computing for the jumps of one position where there is no table
_WHY = 3.0  # seconds for a certificate
_TELL = 0.5  # seconds between lines about progress

Line = dict[str, Any]


class Adviser:
    """Answers for all pages of a server. :meth:`close` ends what it has started."""

    def __init__(self) -> None:
        self.tables: OrderedDict[str, Known | None] = OrderedDict()  # None: it takes too long
        self.making: tuple[str, asyncio.Task[None]] | None = None

    async def advise(self, game: Game) -> AsyncIterator[Line]:
        """What is known of a game, as lines: what is known so far, at last the answer.

        ``state``: "searching", or "known" in the last line. ``jumps``: those that can be made and whether the goal
        stays in reach (null: not known); ``solvable``; ``taken_back``: jumps to take back until it is again; ``why`` it
        is not, if a certificate says so.
        """
        problem = replace(game.problem, objective=Objective.ANY)
        quick = Quick(problem, Run(Limits(time=_TABLE.time + _BEAMS)))
        table = self.tables.get(problem.text) or await asyncio.to_thread(table_there, problem)
        found = await asyncio.to_thread(advise, problem, game.jumps, table or quick)
        if table is not None:
            self._keep(problem, table)
        elif problem.text not in self.tables and (_is_large(problem) or not found.settled):
            self._make(problem)
        if not found.settled:
            yield {"state": "searching", **_view(game, found)}
            async for line in self._made():
                yield line
            quick.most = _BEAMS
            found = await asyncio.to_thread(advise, problem, game.jumps, self.tables.get(problem.text) or quick)
        answer = _view(game, found)
        if found.solvable is False:
            answer["why"] = await asyncio.to_thread(_why, game.from_here)
        yield {"state": "known", **answer}

    def _keep(self, problem: Problem, table: Known | None) -> None:
        self.tables[problem.text] = table
        self.tables.move_to_end(problem.text)
        while len(self.tables) > _KEPT:
            self.tables.popitem(last=False)

    def _make(self, problem: Problem) -> None:
        """Begin to make the table of a problem; the making of another is ended."""
        if self.making is None or self.making[0] != problem.text or self.making[1].cancelled():
            self.close()
            self.making = problem.text, asyncio.create_task(self._table(problem))

    async def _table(self, problem: Problem) -> None:
        """Make a table in a child process, which counts solutions and keeps a large table in the cache folder."""
        table = None
        if within_reach(problem):
            task = Task(replace(problem, objective=Objective.COUNT), methods.choose("count"), _TABLE)
            stop = threading.Event()
            try:
                result = await asyncio.to_thread(runner.run, task, stop=stop)
            finally:  # also when this is cancelled
                stop.set()
            table = await asyncio.to_thread(table_there, problem)
            if table is None and result.status is not Status.UNKNOWN:  # a small one
                table = (await asyncio.to_thread(winnable, problem, Run(_TABLE))).__contains__
        self._keep(problem, table)

    async def _made(self) -> AsyncIterator[Line]:
        """Signs of life while a table is made."""
        task = self.making[1] if self.making is not None else None
        while task is not None and not task.done():
            await asyncio.wait([task], timeout=_TELL)
            yield {"state": "searching"}

    def close(self) -> None:
        """End what is being made."""
        if self.making is not None:
            self.making[1].cancel()


def _is_large(problem: Problem) -> bool:
    """Whether the problem will soon need a table that takes a while to make."""
    open_goal = isinstance(problem.goal, DeadEnd | Nearest)  # which every game reaches
    return not open_goal and min(len(problem.board.holes), len(problem.start)) > _SMALL


def _view(game: Game, found: NextJumps) -> Line:
    return {
        "reached": game.problem.is_goal(game.positions[-1]),
        "solvable": found.solvable,
        "jumps": [[*jump, verdict] for jump, verdict in found.jumps],
        "taken_back": None if found.solvable else found.taken_back,
    }


def _why(problem: Problem) -> Line | None:
    """Why there is no solution from here, in words and as a picture, if a certificate shows that."""
    found = certificates.find(problem, run=Run(Limits(time=_WHY)))
    if found is None:
        return None
    return {"text": certificates.explain(problem, found), "picture": certificates.picture(problem, found)}
