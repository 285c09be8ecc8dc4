"""Normal forms of solutions, what CP-SAT counts, and what it reports on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

import pegcp
from pegcp.catalogue.choice import choose
from pegcp.game import (
    Board,
    Exact,
    Jump,
    Objective,
    Partial,
    Position,
    Problem,
    group_steps,
    lattice_board,
    replay_solution,
)
from pegcp.game.equivalence import in_normal_form
from pegcp.game.lattice import lattice
from pegcp.game.position import replay
from pegcp.method import Answer, Limits, Reason, Run, Status

DATA = Path(__file__).parent / "data"


def run(method: str, problem: Problem, seconds: float = 120) -> Answer:
    return choose(method).run(problem, Run(Limits(time=seconds, workers=1)))


@cache
def solution(problem: Problem) -> tuple[Jump, ...]:
    found = run("dfs", problem).jumps
    assert found is not None
    return found


def test_the_fewest_steps_of_a_sequence() -> None:
    problem = pegcp.problem("english")
    jumps = solution(problem)
    levels = group_steps(jumps)
    assert sorted(jump for together in levels for jump in together) == sorted(jumps)
    for before, together in pairwise(levels):
        assert all(any(not jump.independent_of(other) for other in before) for jump in together)
    assert all(one.independent_of(other) for together in levels for one, other in combinations(together, 2))
    replay_solution(problem, [jump for together in levels for jump in together])


@pytest.mark.thorough
def test_progress_of_a_search_with_bounds() -> None:
    seen: list[dict[str, Any]] = []

    def note(progress: Mapping[str, Any]) -> None:
        seen.append(dict(progress))

    problem = pegcp.problem("lab1", objective="fewest-moves")
    result = pegcp.solve(problem, "long-hop", on_progress=note)
    assert result.status is Status.OPTIMAL
    bounds = [progress["bound"] for progress in seen if "bound" in progress]
    assert bounds == sorted(bounds)
    assert bounds
    assert bounds[-1] == result.objective
    assert any("conflicts" in progress for progress in seen)


def test_normal_forms_of_sequences() -> None:
    problem = pegcp.problem("triangle15:a1")
    jumps = solution(problem)
    ordered = in_normal_form(jumps)
    replay_solution(problem, ordered)
    assert sorted(ordered) == sorted(jumps)
    # Of all orders of a few jumps that can be played and swap independent ones only, the least.
    few = jumps[:5]
    allowed = [
        order
        for order in permutations(few)
        if all(
            order.index(one) < order.index(other)
            for i, one in enumerate(few)
            for other in few[i + 1 :]
            if not one.independent_of(other)
        )
    ]
    assert tuple(in_normal_form(few)) == min(allowed)
    replay(problem.board, problem.start.mask, min(allowed))


def traces(problem: Problem) -> tuple[int, int]:
    """Solutions, and solutions up to the order of independent jumps, by exhaustion."""
    sequences = 0
    forms = set()
    stack: list[tuple[int, tuple[Jump, ...]]] = [(problem.start.mask, ())]
    while stack:
        position, played = stack.pop()
        if problem.is_goal(position):
            sequences += 1
            forms.add(tuple(in_normal_form(played)))
        stack += [(position ^ j.mask, (*played, j)) for j in problem.board.jumps if j.is_legal(position)]
    return sequences, len(forms)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["rectangle3x4:a1->?", "rectangle3x4:a1->a1", "triangle10:a2->?", "XXXoXXoX"])
def test_counts_against_exhaustion(name: str) -> None:
    problem = pegcp.problem(name, objective="count")
    counted = [run(f"moves:order={order}", problem) for order in ("off", "on")]
    assert tuple(found.objective or 0 for found in counted) == traces(problem)
    assert {found.status for found in counted} <= {Status.OPTIMAL, Status.INFEASIBLE}


@pytest.mark.thorough
def test_counting_sequences_of_every_length() -> None:
    board = pegcp.board("rectangle3x3")
    problem = Problem(board, Position(board, board.full & ~1), Partial(1 << 4), Objective.COUNT)
    assert (run("moves:order=off", problem).objective, run("moves", problem).objective) == traces(problem)


@pytest.mark.long
def test_counting_that_is_stopped_is_told_from_counting_that_is_complete() -> None:
    problem = pegcp.problem("triangle15:a1->?", objective="count")
    for seconds in (0.7, 10):  # a busy machine has not begun after less
        found = run("moves:order=off", problem, seconds)
        if found.status.has_solution:
            break
    assert (found.status, found.reason) == (Status.SOLVED, Reason.TIME)
    assert found.objective is not None
    assert 0 < found.objective < 29_760
    assert "there may be more" in found.message


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_solutions_of_the_triangle_are_counted() -> None:
    problem = pegcp.problem("triangle15:a1->?", objective="count")
    found = run("moves:order=off", problem, seconds=1700)
    assert (found.status, found.objective) == (Status.OPTIMAL, 29_760)


def beginnings() -> list[tuple[str, Board, int, int, int]]:
    """Name, board of the listed cells, start, number of jumps, number of sequences."""
    found = []
    for entry in json.loads((DATA / "sequence_counts.json").read_text()):
        cells = [tuple(cell) for cell in entry["pegs"] + entry["vacancies"]]
        board = lattice_board(cells, lattice("square"))
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        assert board.cells is not None
        start = sum(1 << board.cells.index((r - top, c - left)) for r, c in entry["pegs"])
        found.append((entry["name"], board, start, entry["jumps"], entry["sequences"]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "board", "start", "jumps", "sequences"), beginnings(), ids=lambda value: str(value)[:12]
)
def test_beginnings_are_counted_by_where_they_end(
    name: str, board: Board, start: int, jumps: int, sequences: int
) -> None:
    ends = {start}
    for _ in range(jumps):
        ends = {p ^ jump.mask for p in ends for jump in board.jumps if jump.is_legal(p)}
    counts = [
        run("moves:order=off", Problem(board, Position(board, start), Exact(end), Objective.COUNT)).objective
        for end in ends
    ]
    assert sum(count or 0 for count in counts) == sequences, name
