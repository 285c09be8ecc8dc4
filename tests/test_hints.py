"""Hints, counting, progress and logs of CP-SAT."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, islice, pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import pegcp
from pegcp.catalogue.methods import choose
from pegcp.cli.main import cli
from pegcp.errors import InputError
from pegcp.game.board import Board, Jump, grouped, lattice_board
from pegcp.game.check import check
from pegcp.game.goal import Exact, Objective, Partial
from pegcp.game.lattice import lattice
from pegcp.game.notions import in_normal_form
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.rules import replay
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.modelling.ordering import images, in_parallel, in_steps, moves_in_order

DATA = Path(__file__).parent / "data"


def run(method: str, problem: Problem, hint: tuple[Jump, ...] = (), seconds: float = 120) -> Answer:
    return choose(method).run(problem, Run(Limits(time=seconds, workers=1), hint=hint))


@cache
def solution(problem: Problem) -> tuple[Jump, ...]:
    found = run("dfs", problem).jumps
    assert found is not None
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["on", "off"])
@pytest.mark.parametrize("beginning", [31, 24])
def test_a_hint_is_played(order: str, beginning: int) -> None:
    problem = pegcp.problem("english")
    hint = solution(problem)[:beginning]
    found = run(f"moves:order={order}", problem, hint)
    assert found.status is Status.SOLVED
    assert found.jumps is not None
    check(problem, found.jumps)
    if order == "off":
        assert found.jumps[:beginning] == hint
    if beginning == 31:
        assert sorted(found.jumps) in map(sorted, images(problem, hint))
        assert found.statistics["conflicts"] == 0


def begins_with_an_image(problem: Problem, played: Sequence[Jump], hint: Sequence[Jump]) -> bool:
    return any(list(played[: len(hint)]) == image for image in images(problem, hint))


@pytest.mark.thorough
@pytest.mark.parametrize("options", ["symmetry=off", "symmetry=on", "pagoda=off"])
@pytest.mark.parametrize("steps", [0, 3, 31])
def test_a_whole_solution_is_played_in_parallel_steps(options: str, steps: int) -> None:
    """In as few steps as it can have, in a few more, one jump in each; and images of it."""
    problem = pegcp.problem("english")
    for played in islice(images(problem, solution(problem)), 0, None, 3):
        levels = len(in_steps(played))
        found = run(f"parallel:{options}:horizon={min(31, levels + steps)}", problem, tuple(played))
        assert found.jumps is not None
        check(problem, found.jumps)
        assert sorted(found.jumps) in map(sorted, images(problem, played))
        assert found.statistics["conflicts"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("beginning", "horizon"), [(24, 24), (28, 31)])
def test_a_beginning_is_played_in_parallel_steps(beginning: int, horizon: int) -> None:
    problem = pegcp.problem("english")
    hint = solution(problem)[:beginning]
    found = run(f"parallel:horizon={horizon}", problem, hint)
    assert found.jumps is not None
    check(problem, found.jumps)
    assert any(not Counter(image) - Counter(found.jumps) for image in images(problem, hint))


def test_a_hint_that_needs_more_steps_is_left_aside() -> None:
    problem = pegcp.problem("triangle15:a1")
    hint = solution(problem)
    too_few = len(in_steps(hint)) - 1
    found = run(f"parallel:horizon={too_few}", problem, hint)
    assert found.status in (Status.SOLVED, Status.UNKNOWN)


@cache
def shortest(problem: Problem) -> tuple[Jump, ...]:
    """A dead end after nine jumps."""
    played = run("fools-counts", problem).jumps
    assert played is not None
    assert len(played) == 9
    return played


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["on", "off"])
@pytest.mark.parametrize("beginning", [9, 5])
def test_a_hint_for_a_dead_end(order: str, beginning: int) -> None:
    problem = pegcp.problem("english:d3!", objective="any")
    played = shortest(problem)
    found = run(f"fools:order={order}:horizon=9", problem, played[:beginning])
    assert found.status is Status.SOLVED
    assert found.jumps is not None
    check(problem, found.jumps)
    assert not Counter(played[:beginning]) - Counter(found.jumps)
    assert beginning < 9 or found.statistics["conflicts"] == 0


@pytest.mark.thorough
def test_a_hint_leaves_the_proof_to_the_solver() -> None:
    longer = solution(pegcp.problem("triangle15:a1"))
    found = run("fools", pegcp.problem("triangle15:a1!"), longer)
    assert (found.status, found.bound) == (Status.OPTIMAL, 6)
    assert len(found.jumps or ()) == 6


def test_levels_and_their_stretching() -> None:
    problem = pegcp.problem("english")
    jumps = solution(problem)
    levels = in_steps(jumps)
    assert sorted(jump for together in levels for jump in together) == sorted(jumps)
    for before, together in pairwise(levels):
        assert all(any(not jump.independent_of(other) for other in before) for jump in together)
    for least in (0, len(levels) + 1, 25, 31):
        steps = in_parallel(problem, jumps, problem.board.jumps, range(least, 41))
        assert steps is not None
        assert len(steps) == max(least, len(levels))
        assert all(one.independent_of(other) for together in steps for one, other in combinations(together, 2))
        check(problem, [jump for together in steps for jump in together])
    assert in_parallel(problem, jumps, problem.board.jumps, range(32, 41)) is None
    assert in_parallel(problem, jumps, problem.board.jumps, range(len(levels))) is None


def test_a_hint_that_leads_nowhere_is_forgotten() -> None:
    problem = pegcp.problem("triangle15:a1")
    legal = [jump for jump in problem.board.jumps if jump.is_legal(problem.start.mask)]
    position, hint = problem.start.mask, []
    while legal:
        hint.append(legal[-1])
        position ^= legal[-1].mask
        legal = [jump for jump in problem.board.jumps if jump.is_legal(position)]
    assert position.bit_count() > 1
    assert run("moves", problem, tuple(hint)).status is Status.SOLVED


@pytest.mark.thorough
def test_a_hint_for_fewest_moves() -> None:
    problem = pegcp.problem("triangle15:a1", objective="fewest-moves")
    best = run("fewest-moves", problem).jumps
    assert best is not None
    found = run("long-hop:horizon=10", problem, best)
    assert found.jumps is not None
    assert sorted(found.jumps) == sorted(best)
    assert len(grouped(found.jumps)) == 10


def test_an_impossible_hint_is_refused_with_its_first_bad_jump() -> None:
    problem = pegcp.problem("triangle15:a1")
    hint = list(solution(problem)[:3])
    hint[2] = hint[0]
    with pytest.raises(InputError, match=r"the hint cannot be played: jump 3 \("):
        pegcp.solve(problem, "moves", hint=hint)
    with pytest.raises(InputError, match=r"the hint cannot be played: jump 3 \("):
        pegcp.solve(problem, "parallel", hint=hint)
    with pytest.raises(InputError, match=r"the hint cannot be played: jump 3 \("):
        pegcp.solve(pegcp.problem("triangle15:a1!"), "fools", hint=hint)
    with pytest.raises(InputError, match="dfs takes no hint"):
        pegcp.solve(problem, "dfs", hint=hint[:1])


def test_a_model_without_literals_refuses_a_hint() -> None:
    hint = solution(pegcp.problem("triangle15:a1"))[:3]
    with pytest.raises(InputError, match="takes no hint"):
        run("fools-counts", pegcp.problem("triangle15:a1!"), hint)


@pytest.mark.thorough
def test_hints_and_logs_through_the_command_line(tmp_path: Path) -> None:
    problem = pegcp.problem("triangle15:a1")
    file = tmp_path / "hint.json"
    names = [list(problem.board.jump_names(jump)) for jump in solution(problem)]
    file.write_text(json.dumps(names[:6]))
    arguments = ["solve", "triangle15:a1", "-m", "moves:order=off", "--hint", str(file), "--log", "--json"]
    result = CliRunner().invoke(cli, arguments)
    assert "Starting CP-SAT solver" in result.stderr
    data = json.loads(result.stdout)
    assert data["jumps"][:6] == names[:6]
    assert len(data["parameters"]["hint"]) == 6
    assert "log" not in data["statistics"]


@pytest.mark.thorough
def test_progress_of_a_search_with_bounds() -> None:
    seen: list[dict[str, Any]] = []

    def note(progress: Mapping[str, Any]) -> None:
        seen.append(dict(progress))

    problem = pegcp.problem("triangle10:a2->?", objective="fewest-moves")
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
    check(problem, ordered)
    assert sorted(ordered) == sorted(jumps)
    by_moves = [jump for move in moves_in_order(jumps) for jump in move]
    check(problem, by_moves)
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


@pytest.mark.thorough
def test_counting_that_is_stopped_is_told_from_counting_that_is_complete() -> None:
    problem = pegcp.problem("triangle15:a1->?", objective="count")
    found = run("moves:order=off", problem, seconds=4)
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
