"""Certificates: evidence, checkable without search, that a problem has no solution.

A certificate is a JSON object; its ``kind`` says what it shows.

* ``count``: a jump removes one peg and leaves at least one, so the numbers of pegs do not fit.
* ``dead-end``: the start is not the goal, and no jump is possible.
* ``class``: ``holes`` is a set that meets every line in none or two holes. A jump changes the three holes of its line,
  so the parity of the pegs on the set never changes; start and goal differ in it. (The position class: Reiss 1857;
  Berlekamp, Conway and Guy, Winning Ways, chapter 23.)
* ``pagoda``: integer ``weights`` (0 where not given) with w(from) + w(over) >= w(to) for every jump. The weight of the
  pegs never grows; the goal weighs more than the start. (Conway; Kiyomi and Matsui 2001, section 3: a pagoda function
  exists if and only if the linear relaxation of the jump counts has no solution.)
* ``finishes``, for one peg anywhere: ``cases``, each a ``class`` or ``pagoda`` with the ``finishes`` that it rules out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm
from typing import Any

from pegcp.errors import InputError
from pegcp.game.board import Board
from pegcp.game.goal import DeadEnd, OnePeg
from pegcp.game.problem import Problem

Certificate = dict[str, Any]
_COMBINED = 6  # with so many independent sets at most, all their sums are tried as well


def find(problem: Problem, *, pagoda: bool = True) -> Certificate | None:
    """A certificate that the problem has no solution, or None when none of these kinds exists.

    Never wrong, not complete: many unsolvable problems have none. Without ``pagoda`` no linear program is solved.
    """
    start = problem.start.mask
    if isinstance(problem.goal, DeadEnd) or problem.is_goal(start):
        return None
    for kind in ("count", "dead-end"):
        if verify(problem, {"kind": kind}) is None:
            return {"kind": kind}
    if isinstance(problem.goal, OnePeg):
        return _find_for_finishes(problem, pagoda)
    return _find_for_target(problem.board, start, problem.final_pegs, _free(problem), pagoda)


def _find_for_target(board: Board, start: int, pegs: int, free: int, pagoda: bool) -> Certificate | None:
    for holes in _sets(board, free):
        if _odd(holes & (start ^ pegs)):
            return {"kind": "class", "holes": board.names(holes)}
    weights = _pagoda(board, start, pegs, free) if pagoda else None
    return None if weights is None else {"kind": "pagoda", "weights": weights}


def _find_for_finishes(problem: Problem, pagoda: bool) -> Certificate | None:
    board, start = problem.board, problem.start.mask
    cases: list[Certificate] = []
    left = board.full
    ruled_out = {holes: board.full & ~holes if _odd(holes & start) else holes for holes in _sets(board, 0)}
    while ruled_out:
        best = max(ruled_out, key=lambda holes: (ruled_out[holes] & left).bit_count())
        new = ruled_out[best] & left
        if not new:
            break
        left &= ~new
        cases.append({"finishes": board.names(new), "kind": "class", "holes": board.names(best)})
    while left:
        weights = _pagoda(board, start, left & -left, 0) if pagoda else None
        if weights is None:
            return None
        total = _weight(board, weights, start)
        new = sum(1 << h for h, hole in enumerate(board.holes) if left >> h & 1 and weights.get(hole, 0) > total)
        left &= ~new
        cases.append({"finishes": board.names(new), "kind": "pagoda", "weights": weights})
    return {"kind": "finishes", "cases": cases}


def verify(problem: Problem, certificate: Mapping[str, Any]) -> str | None:
    """What is wrong with a certificate, or None if it proves that the problem has no solution."""
    start = problem.start.mask
    kind = certificate.get("kind")
    if problem.is_goal(start):
        return "the start satisfies the goal"
    try:
        if kind == "count":
            return _count_flaw(problem)
        if kind == "dead-end":
            return None if problem.start.is_dead_end() else "a jump is possible at the start"
        if isinstance(problem.goal, DeadEnd):
            return "a dead end can always be reached"
        if kind == "finishes":
            return _finishes_flaw(problem, certificate)
        if isinstance(problem.goal, OnePeg):
            return f'one peg anywhere takes a certificate of kind "finishes", not "{kind}"'
        return _target_flaw(problem.board, start, problem.final_pegs, _free(problem), certificate)
    except InputError as error:
        return error.message


def _count_flaw(problem: Problem) -> str | None:
    pegs = len(problem.start)
    least, most = problem.goal_pegs
    if pegs > least and most > 0:
        return f"from {pegs} pegs the goal's {least} can be reached as far as the numbers go"
    return None


def _finishes_flaw(problem: Problem, certificate: Mapping[str, Any]) -> str | None:
    board, start = problem.board, problem.start.mask
    if not isinstance(problem.goal, OnePeg):
        return 'kind "finishes" is for the goal one peg anywhere'
    cases = certificate.get("cases")
    if not isinstance(cases, list) or not all(isinstance(case, Mapping) for case in cases):
        raise InputError("cases must be a list of objects")
    covered = 0
    for case in cases:
        finishes = _mask(board, case.get("finishes"), "finishes")
        for hole in _bits(finishes):
            flaw = _target_flaw(board, start, 1 << hole, 0, case)
            if flaw:
                return f"for the last peg at {board.holes[hole]}: {flaw}"
        covered |= finishes
    missing = board.names(board.full & ~covered)
    return f"nothing rules out the last peg at {' '.join(missing)}" if missing else None


def _target_flaw(board: Board, start: int, pegs: int, free: int, certificate: Mapping[str, Any]) -> str | None:
    """What is wrong with the evidence that these pegs, with any pegs in the free holes, cannot be reached."""
    if certificate.get("kind") == "class":
        holes = _mask(board, certificate.get("holes"), "holes")
        for line in board.lines:
            if sum(holes >> hole & 1 for hole in line) % 2:
                return (
                    f"the line {' '.join(board.holes[hole] for hole in line)} meets the set in an odd number of holes"
                )
        if holes & free:
            return f"the goal leaves {' '.join(board.names(holes & free))} free"
        return None if _odd(holes & start) != _odd(holes & pegs) else "start and goal have the same parity on the set"
    if certificate.get("kind") == "pagoda":
        weights = certificate.get("weights")
        if not isinstance(weights, Mapping) or not all(type(weight) is int for weight in weights.values()):
            raise InputError("weights must be whole numbers by hole")
        _mask(board, list(weights), "weights")
        flaw = _not_pagoda(board, weights)
        before, after = _weight(board, weights, start), _least_weight(board, weights, pegs, free)
        return flaw or (None if before < after else f"the start weighs {before}, the goal may weigh {after}")
    return f'unknown kind of certificate "{certificate.get("kind")}"'


def _mask(board: Board, names: object, what: str) -> int:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{what} must be hole names")
    return board.mask(names)


def _free(problem: Problem) -> int:
    return problem.board.full & ~problem.final_pegs & ~problem.final_vacancies


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _odd(mask: int) -> bool:
    return mask.bit_count() % 2 == 1


# Position class


def position_class(board: Board, mask: int) -> tuple[int, ...]:
    """The class of a position (a bit mask): the parity of its pegs on each of the board's :func:`class_sets`.

    Positions of different classes cannot be reached from each other.
    """
    return tuple((mask & holes).bit_count() % 2 for holes in class_sets(board))


def finishes(board: Board, start: int) -> int:
    """The holes (a bit mask) where a last peg is in the class of the start position (a bit mask)."""
    wanted = position_class(board, start)
    return sum(1 << hole for hole in range(len(board.holes)) if position_class(board, 1 << hole) == wanted)


@cache
def class_sets(board: Board) -> tuple[int, ...]:
    """A basis of the sets of holes (bit masks) that meet every line in none or two holes.

    It spans the null space, over GF(2), of the matrix of lines and holes. The empty set is not in it.
    """
    # Membership of a hole is a sum of unknowns (a bit mask of them); a line gives its third hole from the other two.
    through: list[list[tuple[int, int, int]]] = [[] for _ in board.holes]
    for line in board.lines:
        for hole in line:
            through[hole].append(line)
    sums: dict[int, int] = {}
    equations: list[int] = []
    unknowns = 0
    for seed in range(len(board.holes)):
        if seed in sums:
            continue
        sums[seed] = 1 << unknowns
        unknowns += 1
        queue = [seed]
        for known in queue:
            for line in through[known]:
                new = [hole for hole in line if hole not in sums]
                total = _xor(sums[hole] for hole in line if hole in sums)
                if len(new) == 1:
                    sums[new[0]] = total
                    queue.append(new[0])
                elif not new and total:
                    equations.append(total)
    return tuple(
        sum(1 << hole for hole, total in sums.items() if _odd(total & choice))
        for choice in _null_space(equations, unknowns)
    )


def _xor(masks: Iterable[int]) -> int:
    total = 0
    for mask in masks:
        total ^= mask
    return total


def _null_space(rows: Iterable[int], width: int) -> list[int]:
    """A basis of the vectors (bit masks) that meet every row in an even number of places."""
    reduced: dict[int, int] = {}
    for row in rows:
        for place, pivot in reduced.items():
            if row >> place & 1:
                row ^= pivot
        if row:
            place = row.bit_length() - 1
            for other in reduced:
                if reduced[other] >> place & 1:
                    reduced[other] ^= row
            reduced[place] = row
    return [
        1 << free | sum(1 << place for place, row in reduced.items() if row >> free & 1)
        for free in range(width)
        if free not in reduced
    ]


def _sets(board: Board, free: int) -> list[int]:
    """Sets that meet every line in none or two holes and have none of the free holes, small ones first."""
    basis = class_sets(board)
    rows = [sum(1 << i for i, holes in enumerate(basis) if holes >> h & 1) for h in _bits(free)]
    basis = tuple(
        _xor(holes for i, holes in enumerate(basis) if choice >> i & 1) for choice in _null_space(rows, len(basis))
    )
    most = len(basis) if len(basis) <= _COMBINED else 1
    sums = {_xor(chosen) for size in range(1, most + 1) for chosen in combinations(basis, size)}
    return sorted(sums, key=lambda holes: (holes.bit_count(), holes))


# Pagoda functions


def _not_pagoda(board: Board, weights: Mapping[str, int]) -> str | None:
    w = [weights.get(hole, 0) for hole in board.holes]
    for jump in board.jumps:
        if w[jump.from_] + w[jump.over] < w[jump.to]:
            return f"the jump {' '.join(board.jump_names(jump))} would make the weight grow"
    return None


def _weight(board: Board, weights: Mapping[str, int], pegs: int) -> int:
    return sum(weights.get(hole, 0) for hole in board.names(pegs))


def _least_weight(board: Board, weights: Mapping[str, int], pegs: int, free: int) -> int:
    """The smallest weight of a position with these pegs and any pegs in the free holes."""
    return _weight(board, weights, pegs) + sum(min(0, weights.get(hole, 0)) for hole in board.names(free))


def _pagoda(board: Board, start: int, pegs: int, free: int) -> dict[str, int] | None:
    """Weights by which the goal (pegs, with any pegs in the free holes) is heavier than the start, or None.

    The linear program takes the smallest weights that make a difference of at least one.
    """
    from ortools.linear_solver.pywraplp import Solver

    solver = Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    more = [solver.NumVar(0, infinity, "") for _ in board.holes]
    less = [solver.NumVar(0, infinity, "") for _ in board.holes]
    w = [plus - minus for plus, minus in zip(more, less, strict=True)]
    for jump in board.jumps:
        solver.Add(w[jump.from_] + w[jump.over] >= w[jump.to])
    fixed = [w[h] if pegs >> h & 1 else 0 for h in range(len(w)) if not free >> h & 1]
    cheapest = [-less[h] for h in _bits(free)]  # a peg there if its weight is negative
    solver.Add(solver.Sum(fixed) + solver.Sum(cheapest) - solver.Sum([w[h] for h in _bits(start)]) >= 1)
    solver.Minimize(solver.Sum(more) + solver.Sum(less))
    if solver.Solve() != Solver.OPTIMAL:
        return None
    return _whole(
        board,
        start,
        pegs,
        free,
        [plus.solution_value() - minus.solution_value() for plus, minus in zip(more, less, strict=True)],
    )


def _whole(board: Board, start: int, pegs: int, free: int, weights: Sequence[float]) -> dict[str, int] | None:
    """The weights as whole numbers, by their common denominator; None if that is too large to recognise."""
    for limit in (10**digits for digits in range(1, 8)):
        exact = [Fraction(weight).limit_denominator(limit) for weight in weights]
        factor = lcm(*(weight.denominator for weight in exact))
        whole = {hole: int(factor * weight) for hole, weight in zip(board.holes, exact, strict=True) if weight}
        if _least_weight(board, whole, pegs, free) > _weight(board, whole, start) and not _not_pagoda(board, whole):
            return whole
    return None


# In words


def explain(problem: Problem, certificate: Mapping[str, Any]) -> str:
    """Why the problem has no solution, in words, with the sets and weights drawn on the board.

    Raises InputError if the certificate is not right.
    """
    flaw = verify(problem, certificate)
    if flaw:
        raise InputError(f"the certificate is wrong: {flaw}")
    board, start = problem.board, problem.start.mask
    match certificate["kind"]:
        case "count":
            least, most = problem.goal_pegs
            needs = "no peg" if most == 0 else f"{least} peg{'s' * (least != 1)}"
            return (
                f"The start has {len(problem.start)} pegs, the goal needs {needs}. "
                "Every jump removes one peg and leaves at least one."
            )
        case "dead-end":
            return "No jump is possible at the start, and the start is not the goal."
        case "finishes":
            parts = []
            for case in certificate["cases"]:
                head = f"The last peg cannot be at {' '.join(case['finishes'])}."
                parts.append(f"{head}\n{_explain_target(board, start, board.mask(case['finishes'][:1]), 0, case)}")
            return "\n\n".join(parts)
    return _explain_target(board, start, problem.final_pegs, _free(problem), certificate)


def _explain_target(board: Board, start: int, pegs: int, free: int, certificate: Mapping[str, Any]) -> str:
    from pegcp.game.picture import labelled

    if certificate["kind"] == "class":
        holes = board.mask(certificate["holes"])
        drawing = labelled(board, ["#" if holes >> h & 1 else "." for h in range(len(board.holes))])
        before, after = ((holes & mask).bit_count() for mask in (start, pegs))
        return (
            "Every jump changes none or two of the holes marked #: the number of pegs there stays odd or stays even.\n"
            f"{_indented(drawing)}\n"
            f"The start has {before} there ({_parity(before)}), the goal {after} ({_parity(after)})."
        )
    weights = certificate["weights"]
    drawing = labelled(board, [str(weights.get(hole, 0) or ".") for hole in board.holes])
    before, after = _weight(board, weights, start), _least_weight(board, weights, pegs, free)
    return (
        "Weigh the pegs by the numbers drawn here (. is 0). Whatever jumps, weight(from) + weight(over) is at least "
        "weight(to),\nso the weight never grows:\n"
        f"{_indented(drawing)}\n"
        f"The start weighs {before}, the goal at least {after}."
    )


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
