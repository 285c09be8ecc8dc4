"""Fewest moves: from the winnable set, or where that is too large from both ends within a bound that grows.

The winnable set is treated level by level from the last to the first. For each position: the fewest moves to the goal,
and the holes from which the first of them may start. A peg that has just landed in such a hole goes on in the same
move, so from there it is one move less; from nowhere can it be two. So one number and one set of holes for a position
are enough, and the start's number is the optimum. Where there is no room or no time for all of them:
:mod:`pegcp.search.beam` for a good solution, then :mod:`pegcp.search._both_ends`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import comb, inf
from typing import TYPE_CHECKING, Any

from pegcp.game.board import Jump, grouped
from pegcp.game.goal import Objective
from pegcp.game.problem import Problem
from pegcp.game.symmetry import image
from pegcp.method import Answer, Reason, Run, Status
from pegcp.search import beam
from pegcp.states.counting import winning_levels
from pegcp.states.levels import Levels, group, stopped
from pegcp.states.positions import WORD, Level, first, place
from pegcp.theory.parity import class_sets
from pegcp.theory.regions import least_moves

if TYPE_CHECKING:
    from pegcp.search._both_ends import BothEnds

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-moves")

_SHARE = 0.4  # of the time for a first solution
_NO_MOVE = 1 << 14
_FEW = 1 << 27  # positions of a class with as many pegs: more on boards larger than the English one
_BYTES = 12  # of memory for each class of more positions than that: some of them are kept, on several levels
_RATE = 2_500_000  # of these classes in a second by one thread


def search(problem: Problem, run: Run) -> Answer:
    """A solution with the fewest moves, or a proof by exhaustion that there is none.

    Where there are many positions the search from both ends comes first. If there is memory and twice the time for the
    winnable set, it gets as much time as that is going to take.
    """
    seconds = _seconds(problem, run)
    if not seconds:
        return _proved(problem, run, _Moves(problem, run))
    if run.remaining < 2 * seconds:
        return _from_both_ends(problem, run)
    answer = _from_both_ends(problem, _shortened(run, seconds))
    if answer.reason not in (Reason.TIME, Reason.MEMORY):
        return answer
    return _proved(problem, run, _Moves(problem, run), answer)


def _seconds(problem: Problem, run: Run) -> float:
    """About how long the winnable set takes. 0: it is small, or the goal is no list of positions to search back from.
    Infinite: memory does not suffice for it."""
    board = problem.board
    holes = len(board.holes)
    if holes > WORD or problem.targets is None:
        return 0
    widest = comb(holes, min(len(problem.start), holes // 2)) >> len(class_sets(board))
    if widest <= _FEW:
        return 0
    import psutil

    classes = widest // len(group(problem))
    memory = 1e6 * run.limits.memory if run.limits.memory else psutil.virtual_memory().available
    return classes / (_RATE * run.limits.workers) if classes * _BYTES <= memory else inf


def _shortened(run: Run, seconds: float) -> Run:
    """The same run, ending ``seconds`` from now."""
    return replace(run, limits=replace(run.limits, time=run.limits.time - run.remaining + seconds))


def _from_both_ends(problem: Problem, run: Run) -> Answer:
    """A beam looks for a good solution; then the search from both ends proves it the best, or finds a better one."""
    answer = beam.search(problem, _shortened(run, _SHARE * run.remaining))
    improved = answer.status is Status.SOLVED and problem.objective is Objective.FEWEST_MOVES
    if answer.status is not Status.UNKNOWN and not improved:
        return answer
    from pegcp.search._both_ends import BothEnds

    return _proved(problem, run, BothEnds(problem, run), answer)


def _proved(problem: Problem, run: Run, found: _Moves | BothEnds, earlier: Answer | None = None) -> Answer:
    """The answer of a search, helped by the solution and bound of an earlier one."""
    optimising = problem.objective is Objective.FEWEST_MOVES
    known = earlier.jumps if earlier is not None else None
    bound = max(least_moves(problem), earlier.bound or 0 if earlier is not None else 0)

    def statistics() -> dict[str, int]:
        return {"nodes": found.nodes}

    try:
        for least in found.lower_bounds():
            bound = max(bound, least)
            run.report({**({"bound": bound} if optimising else {}), **statistics()})
            if known is not None and len(grouped(known)) <= bound:
                return Answer(Status.OPTIMAL, jumps=known, bound=bound, statistics=statistics())
    except (TimeoutError, MemoryError) as error:
        halted = stopped(error, bound=bound if optimising else None, statistics=statistics())
        return halted if known is None else replace(halted, status=Status.SOLVED, jumps=known)
    jumps = found.solution()
    if jumps is None:
        return Answer(Status.INFEASIBLE, statistics=statistics())
    if not optimising:
        return Answer(Status.SOLVED, jumps=tuple(jumps), statistics=statistics())
    return Answer(Status.OPTIMAL, jumps=tuple(jumps), bound=len(grouped(jumps)), statistics=statistics())


class _Moves:
    """The levels with positions from which the goal can be reached, and what is known of each position.

    ``known[made]`` belongs to the level after ``made`` jumps: a dict from position to (fewest moves, holes), or two
    arrays.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run = problem, run
        self.found = Levels(problem, run)
        self.levels: list[Level] = []
        self.known: dict[int, Any] = {}

    @property
    def nodes(self) -> int:
        """How many positions there are."""
        return sum(map(len, self.levels))

    def lower_bounds(self) -> Iterator[int]:
        """Fill in what is known, level by level; each time, a number that the moves of a solution cannot fall below."""
        self.levels = winning_levels(self.problem, self.found, self.run)
        small = all(isinstance(level, list) for level in self.levels)
        if not small:
            self.levels = [self.found.array(level) for level in self.levels]
        for made in reversed(range(len(self.levels))):
            self.found.tick()
            known: Any = self._small(made) if small else self._large(made)
            self.known[made] = known
            if self.problem.targets is not None and len(self.levels[made]):
                # Every solution passes this level. A move that is under way here was paid for before.
                yield min(moves for moves, _ in known.values()) if small else int(known[0].min())

    def _small(self, made: int) -> dict[int, tuple[int, int]]:
        known = {}
        for position in self.levels[made]:
            best, holes = (-1, 0) if self.problem.is_goal(position) else (_NO_MOVE, 0)
            for jump, moves in self._onward(made, position) if best > 0 else ():
                best, holes = (moves, 0) if moves < best else (best, holes)
                holes |= 1 << jump.from_ if moves == best else 0
            known[position] = best + 1, holes
        return known

    def _onward(self, made: int, position: int) -> Iterator[tuple[Jump, int]]:
        """The jumps that keep the goal in reach, and the moves needed after each, going on with the same peg."""
        for jump in self.problem.board.jumps:
            if jump.is_legal(position):
                moves = self.moves(made + 1, position ^ jump.mask, jump.to)
                if moves < _NO_MOVE:
                    yield jump, moves

    def moves(self, made: int, position: int, peg: int | None = None) -> int:
        """The fewest moves from a position to the goal, where this peg may go on for nothing; or a large number."""
        permutation = min(self.found.symmetries, key=lambda p: image(p, position))
        moves, holes = self._known(made, image(permutation, position))
        return moves - (peg is not None and holes >> permutation[peg] & 1)

    def _known(self, made: int, position: int) -> tuple[int, int]:
        known: Any = self.known.get(made)
        if isinstance(known, dict):
            found: tuple[int, int] = known.get(position, (_NO_MOVE, 0))
            return found
        if known is None:
            return _NO_MOVE, 0
        level = self.levels[made]
        i = place(level, position)
        return (_NO_MOVE, 0) if i is None else (int(known[0][i]), first(known[1][i : i + 1]))

    def _large(self, made: int) -> tuple[Any, Any]:
        level = self.levels[made]
        after = self.known.get(made + 1)
        into = self.levels[made + 1] if after else level[:0]
        moves, begins = self.found.words.fewest_moves(level, into, after)
        goals = self.found.words.are_goals(level, self.problem)
        moves[goals], begins[goals] = 0, 0
        return moves, begins

    def solution(self) -> list[Jump] | None:
        """The jumps of a solution with the fewest moves, or None if there is none."""
        if not self.levels or not len(self.levels[0]):
            return None
        position, peg, jumps = self.problem.start.mask, None, list[Jump]()
        while not self.problem.is_goal(position):
            left = self.moves(len(jumps), position, peg)
            jump = next(
                jump for jump, moves in self._onward(len(jumps), position) if moves + (jump.from_ != peg) == left
            )
            position, peg = position ^ jump.mask, jump.to
            jumps.append(jump)
        return jumps
