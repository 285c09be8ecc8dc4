"""Which jumps keep the goal in reach, for a page that asks after every click.

A winnable set answers at once. It is made when a problem is first asked about: a small one here, a large one in a child
process, one at a time, while the game goes on. Where it cannot be made, the jumps of one position are given to solvers.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pegcp.formats.toml import read_problem
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.method import Limits, Run
from pegcp.play.request import Game
from pegcp.states.winnable import BadTable, Winnable, read, table_path, winnable, within_reach
from pegcp.theory import certificates

_KEPT = 8  # winnable sets in memory
_SMALL = 21  # holes, or pegs, up to which a set is made here
_AT_ONCE = 1.0  # seconds for that
_TABLE = Limits(time=120.0, memory=4000.0)
_SOLVERS = 60.0  # seconds for the jumps of one position
_WHY = 3.0  # seconds for a certificate
_LOOK = 0.1  # seconds between looks at the child

Line = dict[str, Any]
Verdicts = dict[Jump, bool | None]


class Adviser:
    """Answers for all pages of a server. :meth:`close` ends what it has started."""

    def __init__(self) -> None:
        self.tables: OrderedDict[str, Winnable | None] = OrderedDict()  # None: it takes too long
        self.making: tuple[str, asyncio.Task[None]] | None = None
        self.progress: Line = {}

    async def advise(self, game: Game) -> AsyncIterator[Line]:
        """What is known of a game, as lines: how the search goes, at last the answer (its ``state`` is "known").

        ``jumps``: those that can be made and whether the goal stays in reach (null: not known); ``solvable``;
        ``taken_back``: jumps to take back until it is again; ``why`` it is not, if a certificate says so.
        """
        problem = replace(game.problem, objective=Objective.ANY)
        if isinstance(problem.goal, DeadEnd):
            yield _answer(game, dict.fromkeys(_legal(game), True), 0)
            return
        if problem.text not in self.tables:
            task = self._task(problem)
            while not task.done():
                yield {"state": "searching", **self.progress}
                await asyncio.wait([task], timeout=5 * _LOOK)
            if task.cancelled():  # for another problem, or the end
                return
        table = self.tables.get(problem.text)
        if table is not None:
            self.tables.move_to_end(problem.text)
            here = game.positions[-1]
            verdicts: Verdicts = dict(table.jumps(here))
            back = table.taken_back(game.jumps)
            if problem.is_goal(here):
                back = 0
            answer = _answer(game, verdicts, back)
        else:
            yield {"state": "searching"}
            answer = _answer(game, await _by_solvers(game), None)
        if answer["solvable"] is False:
            answer["why"] = await asyncio.to_thread(_why, game.from_here)
        yield answer

    def _task(self, problem: Problem) -> asyncio.Task[None]:
        """The task that makes the winnable set of a problem; one that makes another is ended."""
        if self.making is None or self.making[0] != problem.text or self.making[1].cancelled():
            if self.making is not None:
                self.making[1].cancel()
            self.progress = {}
            self.making = problem.text, asyncio.create_task(self._make(problem))
        return self.making[1]

    async def _make(self, problem: Problem) -> None:
        table = await asyncio.to_thread(_at_once, problem)
        if table is None and within_reach(problem):
            table = await self._in_child(problem)
        self.tables[problem.text] = table
        while len(self.tables) > _KEPT:
            self.tables.popitem(last=False)

    async def _in_child(self, problem: Problem) -> Winnable | None:
        with _child(_make_table, problem.text) as ours:
            while True:
                said = await _received(ours)
                if said is None:
                    return None
                kind, content = said
                if kind == "progress":
                    self.progress = content
                elif kind == "file":
                    with suppress(BadTable, OSError):
                        return await asyncio.to_thread(read, problem, table_path(problem))
                    return None
                else:
                    return Winnable(problem, *content)

    def close(self) -> None:
        """End what is being made."""
        if self.making is not None:
            self.making[1].cancel()


async def _by_solvers(game: Game) -> Verdicts:
    """What solvers say of the jumps of one position."""
    board = game.problem.board
    with TemporaryDirectory(prefix="pegcp-") as folder:
        file = Path(folder, "problem.toml")
        file.write_text(game.from_here.text, encoding="utf-8")
        command = ["-m", "pegcp", "next", str(file), "--json", "--time-limit", str(_SOLVERS)]
        child = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL
        )
        try:
            said, _ = await child.communicate()
        finally:
            with suppress(ProcessLookupError):
                child.kill()
    verdicts: Verdicts = dict.fromkeys(_legal(game), None)
    with suppress(ValueError, KeyError, TypeError):
        known = {tuple(item["jump"]): item["solvable"] for item in json.loads(said)["jumps"]}
        verdicts = {jump: known[board.jump_names(jump)] for jump in verdicts}
    return verdicts


def _legal(game: Game) -> list[Jump]:
    return list(Position(game.problem.board, game.positions[-1]).jumps())


def _answer(game: Game, verdicts: Verdicts, back: int | None) -> Line:
    known = set(verdicts.values())
    reached = game.problem.is_goal(game.positions[-1])
    solvable = True if reached or True in known else None if None in known else False
    return {
        "state": "known",
        "reached": reached,
        "solvable": solvable,
        "jumps": [[*jump, verdict] for jump, verdict in verdicts.items()],
        "taken_back": None if solvable else back,
    }


def _why(problem: Problem) -> Line | None:
    """Why there is no solution from here, in words and as a picture, if a certificate shows that."""
    found = certificates.find(problem, run=Run(Limits(time=_WHY)))
    if found is None:
        return None
    return {"text": certificates.explain(problem, found), "picture": certificates.picture(problem, found)}


def _at_once(problem: Problem) -> Winnable | None:
    """A winnable set that is there, or is made in a moment."""
    with suppress(BadTable, OSError):
        return read(problem, table_path(problem))
    if min(len(problem.board.holes), len(problem.start)) <= _SMALL:
        with suppress(TimeoutError, MemoryError):
            return winnable(problem, Run(Limits(time=_AT_ONCE)))
    return None


# In the child --------------------------------------------------------------------------------------------------------


def _make_table(theirs: Any, text: str) -> None:
    problem = read_problem(text)
    run = Run(_TABLE, report=lambda progress: theirs.send(("progress", dict(progress))))
    try:
        table = winnable(problem, run)
    except (TimeoutError, MemoryError):
        return
    if table_path(problem).exists():
        theirs.send(("file", None))
    else:
        theirs.send(("table", (bytes(table.records), table.sizes)))


def _work(work: Any, theirs: Any, *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to act on
    with suppress(BrokenPipeError):
        work(theirs, *arguments)


@contextmanager
def _child(work: Any, *arguments: Any) -> Iterator[Any]:
    """A process of its own for some work; gone when this ends. What it sends comes out of the connection."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(work, theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()
        ours.close()


async def _received(ours: Any) -> tuple[str, Any] | None:
    """The next thing the child sends; None when it has ended."""
    while not ours.poll():
        await asyncio.sleep(_LOOK)
    try:
        said: tuple[str, Any] = ours.recv()
    except EOFError:
        return None
    return said
