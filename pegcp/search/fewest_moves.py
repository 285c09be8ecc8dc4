"""Fewest moves: from the winnable set, or where that is too large from both ends within a bound that grows.

The winnable set is treated level by level from the last to the first (:class:`MoveCounts`). On larger boards: from both
ends within a bound that grows until the sides meet (:class:`BothEnds`), then :mod:`pegcp.search.beam` for a good
solution.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import comb
from typing import Any

from pegcp import machine
from pegcp.game import Jump, Objective, Problem, group_moves
from pegcp.game.symmetry import image
from pegcp.method import Answer, Reason, Run, Status, stopped
from pegcp.states.frame import WORD_HOLES
from pegcp.states.levels import Level, Levels, ListLevel
from pegcp.states.winnable import winning_levels
from pegcp.theory.parity import class_sets
from pegcp.theory.regions import least_moves, packing, regions_to_open

ENGINE = "levels"
GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-moves")

_BEAM_TIME_SHARE = 0.4  # of the time for a good solution, if no best one is found before
_SETS_MEMORY_SHARE = 0.4  # of the memory for the sets of both ends: merging them takes more for a while
FEW_POSITIONS = 1 << 27  # positions of a class with as many pegs: more on boards larger than the English one
_NO_MOVE = 1 << 14


def search(problem: Problem, run: Run) -> Answer:
    """Find a solution with the fewest moves, or by exhaustion that there is none."""
    return _prove(problem, run, MoveCounts(problem, run)) if _is_small(problem) else _from_both_ends(problem, run)


def _is_small(problem: Problem) -> bool:
    """Decide whether to build the winnable set: where it is small, or the goal is no list to search back from."""
    board, pegs = problem.board, len(problem.start)
    widest = comb(len(board.holes), min(pegs, len(board.holes) // 2)) >> len(class_sets(board))
    return widest <= FEW_POSITIONS or len(board.holes) > WORD_HOLES or problem.targets is None


def _from_both_ends(problem: Problem, run: Run) -> Answer:
    """Search from both ends. If that does not finish, a beam looks for a good solution in the rest of the time."""
    from pegcp.search import beam

    memory = run.limits.memory or machine.MEMORY_SHARE * machine.memory()
    first = run.within((1 - _BEAM_TIME_SHARE) * run.remaining, _SETS_MEMORY_SHARE * memory)
    answer = _prove(problem, first, BothEnds(problem, first))
    if answer.reason not in (Reason.TIME, Reason.MEMORY):
        return answer
    solution = beam.search(problem, run)
    if solution.status is not Status.SOLVED or problem.objective is not Objective.FEWEST_MOVES:
        return solution if solution.status is not Status.UNKNOWN else answer
    bound = max(answer.bound or 0, solution.bound or 0)
    optimal = solution.jumps is not None and len(group_moves(solution.jumps)) <= bound
    return replace(solution, status=Status.OPTIMAL if optimal else solution.status, bound=bound)


class MoveCounts:
    """The fewest moves from the winnable positions of a problem, level by level, the start's first.

    For each position: the fewest moves, and the holes from which the first of them may start. A peg that has just
    landed in such a hole goes on in the same move, so from there it is one move less; from nowhere can it be two. So
    one number and one set of holes for a position are enough, and the start's number is the optimum.

    ``counts[jumps]`` belongs to the level after so many jumps: the fewest moves of its positions, and their holes.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run, self.levels = problem, run, Levels(problem, run)
        self.winning: list[Level] = []
        self.counts: dict[int, Any] = {}  # two lists, or two arrays

    @property
    def nodes(self) -> int:
        """The number of positions."""
        return sum(map(len, self.winning))

    def lower_bounds(self) -> Iterator[int]:
        """Fill in the counts, level by level; each time, yield a number of moves that every solution has at least."""
        self.winning = winning_levels(self.problem, self.levels, self.run)
        small = all(isinstance(level, ListLevel) for level in self.winning)
        for jumps in reversed(range(len(self.winning))):
            self.levels.tick()
            moves, _ = self.counts[jumps] = self._small(jumps) if small else self._large(jumps)
            if self.problem.targets is not None and len(moves):
                # Every solution passes this level. A move that is under way here was paid for before.
                yield int(min(moves) if small else moves.min())

    def _small(self, jumps: int) -> tuple[Any, Any]:
        counts = list[tuple[int, int]]()
        for position in self.winning[jumps]:
            best, holes = (-1, 0) if self.problem.is_goal(position) else (_NO_MOVE, 0)
            for jump, moves in self._onward(jumps, position) if best > 0 else ():
                best, holes = (moves, 0) if moves < best else (best, holes)
                holes |= 1 << jump.from_ if moves == best else 0
            counts.append((best + 1, holes))
        return [moves for moves, _ in counts], [holes for _, holes in counts]

    def _large(self, jumps: int) -> tuple[Any, Any]:
        level, after = self.winning[jumps].array, self.counts.get(jumps + 1, ())
        into = self.winning[jumps + 1].array if after else level[:0]
        moves, holes = level.fewest_moves(into, *after)
        goals = level.are_goals()
        moves[goals], holes[goals] = 0, 0
        return moves, holes

    def _onward(self, jumps: int, position: int) -> Iterator[tuple[Jump, int]]:
        """Yield the jumps that keep the goal in reach, and the moves needed after each, going on with the same peg."""
        for jump in self.problem.board.jumps:
            if jump.is_legal(position):
                moves = self.moves(jumps + 1, position ^ jump.mask, jump.to)
                if moves < _NO_MOVE:
                    yield jump, moves

    def moves(self, jumps: int, position: int, peg: int | None = None) -> int:
        """Return the fewest moves from a position, where this peg may go on for nothing; a large number if unknown."""
        permutation = min(self.levels.symmetries, key=lambda p: image(p, position))
        place = self.winning[jumps].index(image(permutation, position)) if jumps in self.counts else None
        if place is None:
            return _NO_MOVE
        moves, holes = (int(column[place]) for column in self.counts[jumps])
        return moves - (peg is not None and holes >> permutation[peg] & 1)

    @property
    def solution(self) -> list[Jump] | None:
        """The jumps of a solution with the fewest moves, or None if there is none."""
        if not self.winning or not len(self.winning[0]):
            return None
        position, peg, jumps = self.problem.start.mask, None, list[Jump]()
        while not self.problem.is_goal(position):
            moves = self.moves(len(jumps), position, peg)
            onward = self._onward(len(jumps), position)
            jump = next(jump for jump, rest in onward if rest + (jump.from_ != peg) == moves)
            position, peg = position ^ jump.mask, jump.to
            jumps.append(jump)
        return jumps


class BothEnds:
    """The search from both ends, chain by chain, for a goal that is exact or one peg. ``nodes``: positions
    kept; ``solution``: its jumps, if there is one.

    As Barker and Korf do jump by jump (Solving peg solitaire with bidirectional BFIDA*, AAAI 2012), a position is
    dropped when its moves, and one for each full region that must still be opened (:mod:`pegcp.theory.regions`), exceed
    the bound. The first bound with a solution is the optimum. A proof of the fewest moves is the same argument
    (proof-format.md).
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        self.problem, self.run = problem, run
        self.nodes = 0
        self.solution: list[Jump] | None = None

    def lower_bounds(self) -> Iterator[int]:
        """Look for a solution within a bound that grows; each time, yield the next bound."""
        from pegcp.states.chains import ChainSets, Ends

        problem, board, levels = self.problem, self.problem.board, Levels(self.problem, self.run)
        jumps = [(jump.from_, jump.over, jump.to) for jump in board.jumps]
        regions = packing(regions_to_open(problem))
        goals = list(levels.last())  # none if the goal is in another position class
        ends = Ends(len(board.holes), jumps, problem.start.mask, goals, levels.symmetries.elements, regions)
        bound, before = least_moves(problem), 0

        def tick(positions: int) -> None:
            levels.tick()
            self.nodes = before + positions
            self.run.report({"nodes": self.nodes})

        while goals:
            sets = ChainSets(ends, bound, tick)
            if sets.meet() is not None:
                self.solution = [board.jumps[j] for j in sets.solution()]
            if self.solution is not None or sets.exhausted:
                return
            bound, before = bound + 1, self.nodes
            yield bound


def _prove(problem: Problem, run: Run, engine: MoveCounts | BothEnds) -> Answer:
    """Return the answer of a search."""
    optimising = problem.objective is Objective.FEWEST_MOVES
    bound = least_moves(problem)
    try:
        for least in engine.lower_bounds():
            bound = max(bound, least)
            run.report({**({"bound": bound} if optimising else {}), "nodes": engine.nodes})
    except (TimeoutError, MemoryError) as error:
        return stopped(error, bound=bound if optimising else None, statistics={"nodes": engine.nodes})
    jumps = engine.solution
    if jumps is None:
        return Answer(Status.INFEASIBLE, statistics={"nodes": engine.nodes})
    status, moves = (Status.OPTIMAL, len(group_moves(jumps))) if optimising else (Status.SOLVED, None)
    return Answer(status, jumps=tuple(jumps), bound=moves, statistics={"nodes": engine.nodes})
