"""Regions of a board that only a move from inside can open: lower bounds on moves.

A *Merson region* is a set of holes such that every line whose middle is in the set has an end in it, too. A full region
can be opened only by a jump that starts inside it, and this jump is the first of its move. So each of several disjoint
full regions costs a move of its own (Merson 1962, in Beasley, The Ins and Outs of Peg Solitaire, 1985; Barker and Korf
2012). A corner is a region by itself.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pegcp.game import Board, Problem
from pegcp.theory.parity import bits

_MOST_HOLES = 4  # holes; larger regions are seldom full and add little
_PACKING_SECONDS = 10.0  # deterministic seconds of CP-SAT for disjoint regions, of which any number gives a bound


@lru_cache(maxsize=32)
def regions(board: Board) -> tuple[int, ...]:
    """Return the smallest regions (bit masks) of at most four holes: none contains another."""
    ends: dict[int, list[int]] = {}
    for a, over, b in board.lines:
        ends.setdefault(over, []).append(1 << a | 1 << b)

    def closures(holes: int) -> Iterator[int]:
        pairs = (pair for hole in bits(holes) for pair in ends.get(hole, ()))
        lacking = next((pair for pair in pairs if not holes & pair), None)
        if lacking is None:
            yield holes
        elif holes.bit_count() < _MOST_HOLES:
            for end in bits(lacking):
                yield from closures(holes | 1 << end)

    candidates = {region for hole in range(len(board.holes)) for region in closures(1 << hole)}
    return tuple(sorted(r for r in candidates if not any(q != r and q & r == q for q in candidates)))


def packing(candidates: Sequence[int]) -> list[int]:
    """Disjoint regions, by CP-SAT: as many as possible, or on a huge board as many as are found with bounded work."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    choices = [model.new_bool_var("") for _ in candidates]
    for hole in range(max((region.bit_length() for region in candidates), default=0)):
        model.add_at_most_one(x for x, region in zip(choices, candidates, strict=True) if region >> hole & 1)
    model.maximize(sum(choices))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False  # else Ctrl-C ends this search alone, and the program goes on
    solver.parameters.max_deterministic_time = _PACKING_SECONDS  # the same regions on every machine
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return []
    return [region for x, region in zip(choices, candidates, strict=True) if solver.value(x)]


def regions_to_open(problem: Problem) -> list[int]:
    """Return the regions that are full at the start and cannot be full at the end: each must be opened by a move."""
    start, empty, most = problem.start.mask, problem.final_vacancies, problem.goal_pegs[1]
    return [
        region
        for region in regions(problem.board)
        if not region & ~start and (region & empty or region.bit_count() > most)
    ]


def least_moves(problem: Problem) -> int:
    """Return a lower bound on the number of moves of a solution: 0 only if the start satisfies the goal."""
    return 0 if problem.is_goal(problem.start.mask) else max(1, len(packing(regions_to_open(problem))))


def find_revisited_hole(board: Board) -> str | None:
    """Return the name of a hole in which a peg can perhaps land after it has jumped over it, or None if there is none.

    There is none on a lattice, where a peg moves two cells at a time; on some graphs there are.
    """
    part = [[hole] for hole in range(len(board.holes))]  # holes between which a peg can move are in one part
    for a, _, b in board.lines:
        small, large = sorted((part[a], part[b]), key=len)
        if small is not large:
            large += small
            for hole in small:
                part[hole] = large
    return next((board.holes[over] for a, over, _ in board.lines if part[a] is part[over]), None)
