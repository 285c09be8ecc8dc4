"""Beam search: breadth-first, keeping only the most promising positions of each level.

A position is judged by where its pegs are. Where the pegs must come together, each weighs the square of its distance
from the nearest of the goal's pegs, or from the middle of the board. Where pegs must get somewhere and the others are
free, a peg is worth 0.618 to the power of its distance (Conway's weights, in Winning Ways, chapter 23). A goal that has
more pegs than the start has vacancies is sought from behind: played backwards on the complement (pegs and vacancies
exchanged), a jump is a jump.

If no solution is found the beam is made wider, until no level is cut any more: then the search was complete. Levels are
arrays with a row of 64-bit words for each position, so boards may have any size.

For few moves a position is kept once for each hole where the last peg landed, and a move weighs as much as some
distance. The beam is made wider until time or memory is used up; what cannot have fewer moves than the best solution so
far is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf, sqrt
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from pegcp.game import DeadEnd, Exact, Jump, Nearest, Objective, OnePeg, Partial, Position, Problem
from pegcp.method import SOFT_SHARE, Answer, Run, Status, stopped, watch
from pegcp.states.words import Flags, Words
from pegcp.theory.certificates import find
from pegcp.theory.parity import bits
from pegcp.theory.regions import least_moves

Numbers = NDArray[np.int32 | np.intp]  # the shorter ones where they are kept

GOALS = ("exact", "one-peg", "partial", "dead-end")
OBJECTIVES = ("any", "fewest-moves")

_WIDTH_FACTOR = 3  # of the width from one try to the next
_CHUNK_PAIRS = 1 << 20  # pairs of a position and a jump that are looked at together
_GOLDEN = (sqrt(5) - 1) / 2
_MOVE_WEIGHTS = (0.5, 1.0, 2.0)  # times the mean weight of a hole: what a move weighs where few moves are wanted


def search(problem: Problem, run: Run, *, width: int = 30) -> Answer:
    """Find a solution, or that there is none, once no level is wider than the beam.

    ``width`` is the first width of the beam; it grows threefold from one try to the next. For fewest moves: the best
    solution found within the limits.
    """
    return find_solution(problem, run, width)


def find_solution(problem: Problem, run: Run, width: int, widest: float = inf) -> Answer:
    """Search with beams that are at most so wide; see :func:`search`."""
    certificate = find(problem, seconds=0)
    if certificate is not None:
        return Answer(Status.INFEASIBLE, certificate=certificate)
    optimising = problem.objective is Objective.FEWEST_MOVES
    if problem.is_goal(problem.start.mask):
        return Answer(Status.OPTIMAL if optimising else Status.SOLVED, jumps=(), bound=0 if optimising else None)
    bound = least_moves(problem) if optimising else None
    beam = _Beam(problem, run)
    best: tuple[Jump, ...] | None = None

    def statistics() -> dict[str, float]:
        return {"nodes": beam.nodes, "width": width}

    try:
        while width <= widest:
            for move in _MOVE_WEIGHTS if optimising else (0.0,):
                best = beam.descend(width, move) or best
                if best is not None and not optimising:
                    return Answer(Status.SOLVED, jumps=best, statistics=statistics())
                if best is not None:
                    run.report({"objective": beam.fewer_than, "jumps": best})
                    beam.tick = watch(run)
                if not beam.cut or beam.fewer_than == bound:
                    if best is None:
                        return Answer(Status.INFEASIBLE, statistics=statistics())
                    return Answer(Status.OPTIMAL, jumps=best, bound=beam.fewer_than, statistics=statistics())
            width *= _WIDTH_FACTOR
            run.report({"width": width, "nodes": beam.nodes})
    except (TimeoutError, MemoryError) as error:
        return stopped(error, best, bound=bound, statistics=statistics())
    return Answer(Status.UNKNOWN if best is None else Status.SOLVED, jumps=best, message=f"no wider than {widest:g}")


def _from_behind(problem: Problem) -> Problem | None:
    """Return the problem whose solutions are those of this one, reversed, if it is easier; None otherwise."""
    board = problem.board
    start = board.full & ~problem.start.mask
    if not isinstance(problem.goal, Exact) or problem.goal.pegs.bit_count() <= start.bit_count():
        return None
    return replace(problem, start=Position(board, board.full & ~problem.goal.pegs), goal=Exact(start))


class _Candidates(NamedTuple):
    """Distinct positions, and their weights (less is better).

    ``parents``: the index of each in the level before; ``jumps``: the number of the jump. ``moves``: how many were
    made; ``ends``: the hole where the last one ended. Both are 0 where moves do not matter.
    """

    positions: Words
    weights: NDArray[np.float64]
    parents: Numbers
    jumps: Numbers
    moves: Numbers
    ends: Numbers

    def only(self, rows: NDArray[np.intp]) -> _Candidates:
        """Return some of the positions."""
        return _Candidates._make(column[rows] for column in self)


class _Beam:
    """The search. A node is a jump made in a position; ``cut`` is True if the last descent left positions out.

    ``fewer_than``: only solutions with fewer moves are of use.
    """

    def __init__(self, problem: Problem, run: Run) -> None:
        behind = _from_behind(problem)
        self.behind = behind is not None
        # Before there is a solution nothing has to be saved from the limit of memory: it may be used to the full.
        memory = run.limits.memory and run.limits.memory / SOFT_SHARE
        self.problem, self.tick = behind or problem, watch(run.within(run.remaining, memory))
        self.nodes = 0
        self.cut = False
        self.lengths = problem.lengths
        self.fewer_than = self.lengths.stop
        jumps = problem.board.jumps
        self.flips = self._words(jump.mask for jump in jumps)
        self.ends = np.array(jumps, np.int32).T
        weights = np.array(hole_weights(self.problem))
        from_, over, to = self.ends
        self.gains = weights[to] - weights[from_] - weights[over]
        self.mean = float(np.abs(weights).mean())
        self.move = 0.0

    def _words(self, masks: Iterable[int]) -> Words:
        """Return masks as rows of 64-bit words, the lowest first."""
        size = -(-len(self.problem.board.holes) // 64)
        text = b"".join(mask.to_bytes(8 * size, "little") for mask in masks)
        return np.frombuffer(text, "<u8").reshape(-1, size).astype(np.uint64)

    def descend(self, width: int, move: float) -> tuple[Jump, ...] | None:
        """Return the jumps of a solution within a beam of this width, or None.

        ``move``: what a move weighs, times the mean weight of a hole; 0 where moves do not matter.
        """
        self.cut, self.move = False, move * self.mean
        start, nothing = self._words([self.problem.start.mask]), np.zeros(1, np.int32)
        levels = [_Candidates(start, np.zeros(1), nothing, nothing, nothing, nothing - 1)]
        best: tuple[Jump, ...] | None = None
        for jumps in range(1, self.lengths.stop):
            level = self._after(levels[-1], width)
            levels.append(level)
            if not len(level.positions):
                break
            goals = self._goals(level.positions) if jumps in self.lengths else ()
            if len(goals):
                row = int(goals[level.moves[goals].argmin()])
                best = tuple(self._traced(levels, row))[:: 1 if self.behind else -1]
                if not self.move:
                    break
                self.fewer_than = int(level.moves[row])  # a longer solution may have fewer moves
        return best

    def _after(self, level: _Candidates, width: int) -> _Candidates:
        """Return the best positions one jump later."""
        parts: list[_Candidates] = []
        rows = max(1, _CHUNK_PAIRS // len(self.flips))
        for first in range(0, len(level.positions), rows):
            self.tick()
            positions = level.positions[first : first + rows]
            jumps, parents = (indices.astype(np.int32) for indices in np.nonzero(self._legal(positions)))
            from_ = parents + first if first else parents
            self.nodes += len(jumps)
            weights = level.weights[from_] + self.gains[jumps]
            moves = ends = np.zeros(len(jumps), np.int32)
            if self.move:
                # From behind, a move is made from its last jump to its first.
                leaves, lands = (self.ends[2], self.ends[0]) if self.behind else (self.ends[0], self.ends[2])
                begins = leaves[jumps] != level.ends[from_]
                moves, ends = level.moves[from_] + begins.astype(np.int32), lands[jumps]
                weights += self.move * begins
            new = _Candidates(positions[parents] ^ self.flips[jumps], weights, from_, jumps, moves, ends)
            parts.append(new.only(np.flatnonzero(moves < self.fewer_than)) if self.move else new)
            if sum(len(part.jumps) for part in parts) > 4 * max(width, _CHUNK_PAIRS):
                parts = [self._best(parts, width)]
        return self._best(parts, width)

    def _legal(self, positions: Words) -> Flags:
        """Flag, in a row for each jump, the positions in which it can be made."""
        octets = positions.astype("<u8").view(np.uint8).reshape(len(positions), -1)
        pegs = np.unpackbits(octets, axis=1, bitorder="little").T.view(np.bool_)
        from_, over, to = self.ends
        legal: Flags = pegs[from_] & pegs[over] & ~pegs[to]
        return legal

    def _best(self, parts: Sequence[_Candidates], width: int) -> _Candidates:
        """Return the positions of all parts, each once; of more than the beam is wide, those that weigh least."""
        every = parts[0] if len(parts) == 1 else _Candidates._make(map(np.concatenate, zip(*parts, strict=True)))
        order = np.lexsort((every.moves, every.ends, *every.positions.T) if self.move else every.positions.T)
        new, rising = np.empty(len(order), np.bool_), every.positions[order]
        new[:1] = True
        new[1:] = (rising[1:] != rising[:-1]).any(axis=1)
        if self.move:
            new[1:] |= every.ends[order[1:]] != every.ends[order[:-1]]
        rows = order[new]
        if len(rows) > width:
            self.cut = True
            rows = rows[np.argpartition(every.weights[rows], width)[:width]]
        return every.only(rows)

    def _goals(self, positions: Words) -> NDArray[np.intp]:
        """Return the rows of the positions that satisfy the goal."""
        problem = self.problem
        match problem.goal:
            case OnePeg():
                return np.flatnonzero(np.bitwise_count(positions).sum(axis=1) == 1)
            case DeadEnd():
                return np.flatnonzero(~self._legal(positions).any(axis=0))
            case Exact() | Partial() | Nearest():
                pegs, vacancies = self._words([problem.final_pegs, problem.final_vacancies])
                return np.flatnonzero((positions & (pegs | vacancies) == pegs).all(axis=1))
            case _:
                assert_never(problem.goal)

    def _traced(self, levels: Sequence[_Candidates], row: int) -> Iterator[Jump]:
        """Yield the jumps to a position of the last level, the last one first."""
        for level in reversed(levels[1:]):
            yield self.problem.board.jumps[level.jumps[row]]
            row = int(level.parents[row])


def hole_weights(problem: Problem) -> list[float]:
    """Return a weight for each hole: the greater, the worse it is to have a peg there."""
    places = problem.board.places
    middle = tuple(sum(column) / len(places) for column in zip(*places, strict=True))
    near = [places[hole] for hole in bits(problem.final_pegs)] or [middle]
    if isinstance(problem.goal, Partial):
        steps = [min(abs(x - u) + abs(y - v) for u, v in near) for x, y in places]
        return [-(_GOLDEN**step) for step in steps]
    return [min((x - u) ** 2 + (y - v) ** 2 for u, v in near) for x, y in places]
