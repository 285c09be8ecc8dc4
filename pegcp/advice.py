"""The jumps that can be made now, and which of them keep the goal in reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from pegcp.errors import InputError, InvalidSolution, plural
from pegcp.formats.solution import read_solution
from pegcp.game.board import Jump
from pegcp.game.goal import DeadEnd, Objective
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.rules import replay
from pegcp.game.svg import position_svg
from pegcp.game.symmetry import canonical_form
from pegcp.game.written import written
from pegcp.library import lookup
from pegcp.method import Limits, Run, Status
from pegcp.states.counting import chance as chance_by_random
from pegcp.states.levels import group
from pegcp.states.winnable import BadTable, Winnable, read, table_path, winnable, within_reach
from pegcp.theory import certificates

Known = Callable[[int], bool | None]  # of a position: whether the goal can be reached from it

_SEARCHED = 20_000  # positions that are searched before a table is made
_MEMORY = 4000.0  # MB
_SAYS = {True: "keeps the goal in reach", False: "loses it", None: "not known"}


@dataclass(frozen=True, repr=False)
class NextJumps:
    """What can be done in a position of a game.

    ``solvable``: whether the goal can be reached from ``position``; ``jumps``: each jump that can be made, and whether
    the goal can be reached after it. None where that is not known. ``taken_back``: how many of the jumps made so far
    must be taken back until the goal can be reached again; None where that is not known, or never. ``forced``: the
    jumps that must be made now, one after the other, as long as only one keeps the goal in reach. ``chance``: that of
    reaching the goal by making any jump that is possible, all alike; None where it was not asked for or is not known.
    """

    position: Position
    solvable: bool | None
    jumps: tuple[tuple[Jump, bool | None], ...]
    taken_back: int | None = None
    forced: tuple[Jump, ...] = ()
    chance: float | None = None

    def __str__(self) -> str:
        """The position, what becomes of it by each jump, and what can be done."""
        board = self.position.board
        lines = [str(self.position)]
        for solvable, says in _SAYS.items():
            names = [written(board, [jump]) for jump, verdict in self.jumps if verdict is solvable]
            lines += [f"{says}: {' '.join(names)}"] if names else []
        lines += [] if self.jumps else ["no jump can be made"]
        lines.append(
            {True: "the goal can be reached", False: "the goal is out of reach", None: "not known"}[self.solvable]
        )
        if self.taken_back:
            lines[-1] += f"; take back {plural(self.taken_back, 'jump')}"
        if self.forced:
            lines.append(f"forced: {' '.join(written(board, [jump]) for jump in self.forced)}")
        if self.chance is not None:
            lines.append(f"jumping at random reaches the goal with a chance of {self.chance:.3g}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<NextJumps {len(self.jumps)} jumps, solvable {self.solvable}>"

    def _repr_html_(self) -> str:
        good = [jump for jump, solvable in self.jumps if solvable]
        picture = position_svg(self.position.board, self.position.mask, jumps=good)
        text = str(self).removeprefix(str(self.position)).strip()
        return f"<figure>{picture}<figcaption>{escape(text)}</figcaption></figure>"

    def to_json(self) -> dict[str, Any]:
        """The object of ``pegcp next --json``; jumps are triples of hole names."""
        board = self.position.board
        jumps = [{"jump": list(board.jump_names(jump)), "solvable": solvable} for jump, solvable in self.jumps]
        return {"solvable": self.solvable, "jumps": jumps}


def next_jumps(
    problem: Problem | str,
    after: str | Sequence[Jump] = (),
    *,
    time_limit: float = 60.0,
    memory_limit: float | None = None,
    workers: int = 2,
    chance: bool = False,
    on_progress: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> NextJumps:
    """Which jumps keep the goal in reach, after some jumps from the start of a problem (or the problem of that name).

    ``after`` is written as in a solution (``"d2-d4 b3-d3"``). A winnable set in the cache folder answers at once. Else
    a short search is tried; then the winnable set is made, in this process, with at most ``memory_limit`` MB (4000),
    and kept if it is large; then every jump is given to the best method. What is not known after ``time_limit`` seconds
    is None. ``chance`` asks for the chance of jumping at random, too. Raises InputError for an unknown problem or an
    impossible jump.

    >>> import pegcp
    >>> print(pegcp.next_jumps("XXXoXX", after="b1-d1"))
       a b c d e f
    1  X o o X X X
    loses it: e1-c1
    the goal is out of reach
    """
    if isinstance(problem, str):
        problem = lookup.problem(problem)
    made = read_solution(problem, after, "after") if isinstance(after, str) else list(after)
    try:
        positions = replay(problem.board, problem.start.mask, made)
    except InvalidSolution as error:
        raise InputError(str(error)) from None
    problem = replace(problem, objective=Objective.ANY)
    run = Run(Limits(time=time_limit, memory=memory_limit or _MEMORY, workers=workers), report=on_progress)
    known = _known(problem, positions, run)
    here = Position(problem.board, positions[-1])
    jumps = tuple((jump, known(here.mask ^ jump.mask)) for jump in here.jumps())
    verdicts = {solvable for _, solvable in jumps}
    solvable = True if problem.is_goal(here.mask) or True in verdicts else None if None in verdicts else False
    back = 0 if solvable else _taken_back(problem, positions, run) if solvable is False else None
    forced = tuple(_forced(problem, here.mask, run, known)) if solvable else ()
    odds = _chance(replace(problem, start=here), run) if chance else None
    return NextJumps(here, solvable, jumps, back, forced, odds)


def _forced(problem: Problem, position: int, run: Run, known: Known) -> Iterator[Jump]:
    """The jumps that must be made, one after the other, as far as a table or short searches can tell."""
    if isinstance(known, _Table):
        yield from known.table.forced(position)
        return
    while not problem.is_goal(position):
        jumps = [jump for jump in problem.board.jumps if jump.is_legal(position)]
        keeping = [jump for jump in jumps if known(position ^ jump.mask) is not False]
        if len(keeping) != 1 or known(position ^ keeping[0].mask) is None:
            return
        yield keeping[0]
        position ^= keeping[0].mask
        known = (_searched(problem, position, run) or {}).get


def _chance(problem: Problem, run: Run) -> float | None:
    with suppress(TimeoutError, MemoryError):
        return chance_by_random(problem, run)
    return None


def _taken_back(problem: Problem, positions: Sequence[int], run: Run) -> int | None:
    """How many jumps must be taken back from a hopeless position, as far as tables or short searches can tell."""
    if certificates.find(problem, run=run) is not None:
        return None
    known: Known | None = None
    for back in range(1, len(positions)):
        if not (isinstance(known, _Table) and known.table.problem.start == problem.start):
            known = _settled(problem, positions[:-back], run)
        if known is None:
            return None
        here = positions[-1 - back]
        if any(known(here ^ jump.mask) for jump in problem.board.jumps if jump.is_legal(here)):
            return back
    return None


class _Table:
    """Answers from a winnable set."""

    def __init__(self, table: Winnable) -> None:
        self.table = table

    def __call__(self, position: int) -> bool:
        return position in self.table


def _known(problem: Problem, positions: Sequence[int], run: Run) -> Known:
    """A function that says of a position one jump later whether the goal can be reached from it."""
    return _settled(problem, positions, run) or _solved(problem, positions[-1], run)


def _settled(problem: Problem, positions: Sequence[int], run: Run) -> Known | None:
    """The same, of a table or a short search; None if neither can be had."""
    if isinstance(problem.goal, DeadEnd):
        return lambda _: True  # every game ends
    with suppress(BadTable, OSError):
        return _Table(read(problem, table_path(problem)))
    here = positions[-1]
    found = _searched(problem, here, run)
    if found is not None:
        return found.get
    from_here = replace(problem, start=Position(problem.board, here))
    for wanted in filter(within_reach, (problem, from_here) if here != problem.start.mask else (problem,)):
        share = replace(run, limits=replace(run.limits, time=run.limits.time - run.remaining * 2 / 3))
        with suppress(TimeoutError, MemoryError):
            return _Table(winnable(wanted, share))
    return None


def _searched(problem: Problem, here: int, run: Run) -> dict[int, bool] | None:
    """For each position one jump later whether the goal can be reached; None if a short search does not settle it."""
    enough = 0.9 * run.remaining  # on large boards a position takes a while
    key = canonical_form(group(problem))
    failed: set[int] = set()
    least = problem.start.mask.bit_count() - (problem.jump_counts[-1] if problem.jump_counts else 0)
    flips = [(jump.mask, jump.needs) for jump in problem.board.jumps]
    entered = 0
    found = {}
    for first in [here ^ mask for mask, pegs in flips if here & mask == pegs]:
        stack = [(first, iter(flips))]
        solved = problem.is_goal(first)
        while stack and not solved:
            position, untried = stack[-1]
            for mask, pegs in untried:
                after = position ^ mask
                if position & mask == pegs and key(after) not in failed and after.bit_count() >= least:
                    entered += 1
                    solved = problem.is_goal(after)
                    stack.append((after, iter(flips)))
                    break
            else:
                failed.add(key(position))
                stack.pop()
            if entered > _SEARCHED or run.remaining < enough:
                return None
        found[first] = solved
    return found


def _solved(problem: Problem, here: int, run: Run) -> Known:
    """Each position one jump later given to the best method, with an equal share of the time that is left."""
    from pegcp.comparison.runner import solve

    todo = sum(jump.is_legal(here) for jump in problem.board.jumps)

    def known(position: int) -> bool | None:
        nonlocal todo
        share = run.remaining / max(1, todo)
        todo -= 1
        if share <= 0:
            return None
        wanted = replace(problem, start=Position(problem.board, position))
        status = solve(wanted, time_limit=share, workers=run.limits.workers).status
        return None if status is Status.UNKNOWN else status is not Status.INFEASIBLE

    return known
