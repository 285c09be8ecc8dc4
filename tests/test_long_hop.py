"""Fewest moves: the model and the search against published optima, puzzles, and exhaustive search."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import product
from math import inf
from pathlib import Path

import pytest

import pegcp
from pegcp.catalogue.choice import best_for, choose
from pegcp.catalogue.modelfile import load, read_source
from pegcp.game import (
    Board,
    Exact,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
    group_moves,
    replay_solution,
)
from pegcp.method import Answer, Limits, Reason, Run, Status
from pegcp.search import __file__ as searches
from pegcp.states import frame, winnable
from pegcp.theory.regions import find_revisited_hole, least_moves, packing, regions, regions_to_open

DATA = Path(__file__).parent / "data"
METHODS = ("long-hop", "fewest-moves")
SEARCH = read_source(Path(searches).with_name("fewest_moves.py"))


def answer(method: str, problem: Problem, seconds: float = 120.0) -> Answer:
    found = choose(method).run(problem, Run(Limits(time=seconds, workers=1)))
    if found.status is Status.OPTIMAL:
        assert found.jumps is not None
        assert replay_solution(problem, found.jumps).value == found.bound
    return found


def fewest_moves(problem: Problem) -> int | None:
    """By Dijkstra's algorithm over positions with the hole of the peg moved last: nothing shared with the methods."""
    queue: list[tuple[int, int, int]] = [(0, problem.start.mask, -1)]
    seen = set()
    while queue:
        moves, position, last = heappop(queue)
        if (position, last) in seen:
            continue
        seen.add((position, last))
        if problem.is_goal(position):
            return moves
        for jump in problem.board.jumps:
            if jump.is_legal(position):
                heappush(queue, (moves + (jump.from_ != last), position ^ jump.mask, jump.to))
    return None


def puzzles() -> Iterator[tuple[Problem, int]]:
    """The solvable puzzles with their fewest moves."""
    board = pegcp.board("english")
    cells = board.cells
    assert cells is not None
    for entry in json.loads((DATA / "english_puzzles.json").read_text()):
        if entry["solvable"]:
            pegs = sum(1 << cells.index((row, column)) for row, column in entry["pegs"])
            target = 1 << cells.index((entry["target"][0], entry["target"][1]))
            problem = Problem(
                board, Position(board, pegs), Exact(target), Objective.FEWEST_MOVES, f"puzzle{entry['id']}"
            )
            yield problem, entry["min_moves"]


def moves_of(name: str) -> Problem:
    return pegcp.problem(name, objective="fewest-moves")


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "moves"), [("triangle15:a1", 10), ("triangle15:a3", 9)])
def test_published_optima_by_search(name: str, moves: int) -> None:
    assert answer("fewest-moves", moves_of(name)).bound == moves == fewest_moves(moves_of(name))


@pytest.mark.long
@pytest.mark.parametrize(("holes", "moves"), [(10, 5), (15, 9)])
def test_the_best_game_on_a_triangle(holes: int, moves: int) -> None:
    board = pegcp.board(f"triangle{holes}")
    starts = [board.holes[orbit[0]] for orbit in board.symmetries.orbits]
    found = [answer("fewest-moves", moves_of(f"triangle{holes}:{hole}->?")).bound for hole in starts]
    assert min(bound for bound in found if bound is not None) == moves  # OEIS A127500


def without_beam(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """The winnable set on boards of any size, or on none where the goal can be searched back from."""
    monkeypatch.setattr(load(SEARCH), "FEW_POSITIONS", {"winnable set": inf, "both ends": -1}[engine])
    monkeypatch.setattr("pegcp.search.beam.search", lambda *_: Answer(Status.UNKNOWN))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("engine", "kernel"),
    [
        ("winnable set", "lists"),
        ("both ends", "lists"),
        *(
            pytest.param(*row, marks=pytest.mark.long)
            for row in product(("winnable set", "both ends"), ("bits", "sorted"))
        ),
        ("beam", "lists"),
    ],
    indirect=["kernel"],
)
def test_fewest_moves_of_random_problems(
    engine: str, kernel: str, random_problem: Callable[[int], Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine != "beam":
        without_beam(monkeypatch, engine)
    method = "beam:width=100" if engine == "beam" else "fewest-moves"
    solved = 0
    for seed in (*range(60 if kernel == "lists" else 30), 1031, 1120):  # in the last two, more jumps make fewer moves
        problem = replace(random_problem(seed), objective=Objective.FEWEST_MOVES)
        if len(problem.start) > 8:
            continue
        expected = fewest_moves(problem)
        found = answer(method, problem)
        if expected is None:
            assert found.status is Status.INFEASIBLE, (seed, kernel)
        else:
            assert (found.status, found.bound) == (Status.OPTIMAL, expected), (seed, kernel)
            solved += expected > 1
    assert solved > 2


@pytest.mark.long
def test_a_bound_is_true_whenever_the_search_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = moves_of("triangle15:a3")
    for engine in ("winnable set", "both ends"):
        without_beam(monkeypatch, engine)
        bounds = set()
        for ticks in range(0, 60, 12):
            left = iter(range(ticks))

            def tick(left: Iterator[int] = left) -> None:
                if next(left, None) is None:
                    raise TimeoutError

            monkeypatch.setattr(frame, "watch", lambda _, tick=tick: tick)
            monkeypatch.setattr(winnable, "_LATEST", [])
            found = answer("fewest-moves", problem)
            if found.status is Status.UNKNOWN:
                assert found.bound is not None
                assert found.bound <= 9
            bounds.add(found.bound)
        assert len(bounds) > 2


@pytest.mark.parametrize(
    ("name", "asked"),
    [("english", ["winnable set"]), ("french:c1->e1", ["both ends", "beam"]), ("french:c1!", ["winnable set"])],
)
def test_the_winnable_set_is_for_small_boards_and_goals_without_a_list_of_ends(
    name: str, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, calls = load(SEARCH), list[str]()

    def stop(engine: str) -> None:
        calls.append(engine)
        raise TimeoutError

    def beam(*_: object) -> Answer:
        calls.append("beam")
        return Answer(Status.UNKNOWN)

    monkeypatch.setattr(module.MoveCounts, "lower_bounds", lambda _: stop("winnable set"))
    monkeypatch.setattr(module.BothEnds, "lower_bounds", lambda _: stop("both ends"))
    monkeypatch.setattr("pegcp.search.beam.search", beam)
    assert answer("fewest-moves", moves_of(name)).reason is Reason.TIME
    assert calls == asked


@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), [("triangle15:a1", 10), ("triangle15:a3", 9)])
def test_published_optima_by_model(name: str, moves: int) -> None:
    assert answer("long-hop", moves_of(name), 600).bound == moves


@pytest.mark.long
def test_some_puzzles_by_search() -> None:
    for problem, moves in list(puzzles())[::12]:
        found = answer("fewest-moves", problem)
        assert (found.status, found.bound) == (Status.OPTIMAL, moves), problem.name


@pytest.mark.slow
def test_all_puzzles_by_search() -> None:
    for problem, moves in puzzles():
        found = answer("fewest-moves", problem)
        assert (found.status, found.bound) == (Status.OPTIMAL, moves), problem.name


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_puzzles_but_the_central_game_by_model() -> None:
    for problem, moves in puzzles():
        if len(problem.start) < 32:
            found = answer("long-hop", problem, 600)
            assert (found.status, found.bound) == (Status.OPTIMAL, moves), problem.name


@pytest.mark.slow
def test_a_bound_for_the_central_game_by_model() -> None:
    """The whole proof, 18 moves, takes 1,250 s of CPU: examples/long_hop.toml, models/LONG_HOP.md."""
    found = answer("long-hop", moves_of("english"), 120)
    assert found.bound is not None
    assert 12 <= found.bound <= 18


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "moves"), [("english", 18), ("square6:a1", 16)])
def test_published_optima_of_large_boards(name: str, moves: int) -> None:
    """Two fifths of the time go to a beam, the proof for the square takes about a minute."""
    assert answer("fewest-moves", moves_of(name), 450).bound == moves


def small_problems() -> Iterator[Problem]:
    for name in ("rectangle3x3", "triangle10", "line7", "cycle6"):
        board = pegcp.board(name)
        for vacancies in (1 << 1, 1 << 0 | 1 << 3):
            start = Position(board, board.full & ~vacancies)
            for goal in (OnePeg(), Exact(1 << 1), Exact(1 << 2 | 1 << 4), Partial(1 << 0, 1 << 3)):
                yield Problem(board, start, goal, Objective.FEWEST_MOVES, f"{name} {vacancies} {goal}")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "method",
    [*METHODS, *(pytest.param(f"long-hop:{option}=off", marks=pytest.mark.slow) for option in ("regions", "order"))],
)
def test_small_problems_against_exhaustive_search(method: str) -> None:
    solved = 0
    step = 2 if method == "fewest-moves" else 11
    for problem in list(small_problems())[::step]:
        if not choose(method).method.refusal(problem):
            expected = fewest_moves(problem)
            found = answer(method, problem)
            solved += expected is not None
            if expected is None:
                assert found.status is Status.INFEASIBLE, problem.name
            else:
                assert (found.status, found.bound) == (Status.OPTIMAL, expected), problem.name
    assert solved >= 1


def test_a_sweep_that_comes_back_to_where_it_began_and_visits_holes_twice() -> None:
    board = pegcp.board("square5")
    # From c3 round the corner a1 and back to c3, then round e5 and back: one move of eight jumps.
    pegs = board.mask(["c3", "c2", "b1", "a2", "b3", "d3", "e4", "d5", "c4"])
    problem = Problem(board, Position(board, pegs), Exact(board.mask(["c3"])), Objective.FEWEST_MOVES)
    for method in METHODS:
        found = answer(method, problem)
        assert (found.status, found.bound) == (Status.OPTIMAL, 1)
        assert found.jumps is not None
        assert len(found.jumps) == 8


def test_a_graph_on_which_a_peg_lands_where_it_jumped_is_refused_by_the_model_alone() -> None:
    board = graph_board(list("abc"), [("a", "b"), ("b", "c"), ("c", "a")], "triangle")
    assert find_revisited_hole(board) is not None
    problem = Problem(board, Position(board, 0b011), Exact(0b100), Objective.FEWEST_MOVES)
    assert answer("fewest-moves", problem).bound == 1


@pytest.mark.parametrize(("name", "count"), [("english", 12), ("square6", 16), ("french", 16), ("triangle15", 6)])
def test_regions_of_boards(name: str, count: int) -> None:
    board = pegcp.board(name)
    found = regions(board)
    assert all(is_region(board, region) for region in found)
    assert not any(one != other and one & other == one for one in found for other in found)
    chosen = packing(found)
    assert sum(region.bit_count() for region in chosen) == sum(chosen).bit_count()
    assert len(chosen) == count


def is_region(board: Board, region: int) -> bool:
    return all(region >> a & 1 or region >> b & 1 for a, over, b in board.lines if region >> over & 1)


@pytest.mark.thorough
def test_the_lower_bound_never_exceeds_the_optimum() -> None:
    for problem in small_problems():
        expected = fewest_moves(problem)
        assert expected is None or least_moves(problem) <= expected, problem.name
        assert all(region & ~problem.start.mask == 0 for region in regions_to_open(problem))
    assert least_moves(moves_of("square6:a1")) == 15
    solved = replace(moves_of("triangle15:a1"), start=Position(pegcp.board("triangle15"), 1))
    assert least_moves(solved) == 0
    assert answer("fewest-moves", solved).bound == 0


def test_a_beam_comes_after_a_search_that_has_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    module, problem = load(SEARCH), moves_of("triangle15:a1")
    best = replace(answer("fewest-moves", problem), status=Status.SOLVED, bound=6)
    monkeypatch.setattr("pegcp.search.beam.search", lambda *_: best)
    monkeypatch.setattr(module, "FEW_POSITIONS", 0)
    for bound, status in ((7, Status.SOLVED), (10, Status.OPTIMAL)):

        def lower_bounds(_: object, bound: int = bound) -> Iterator[int]:
            yield bound
            raise TimeoutError

        monkeypatch.setattr(module.BothEnds, "lower_bounds", lower_bounds)
        found = answer("fewest-moves", problem)
        assert (found.status, found.bound, found.jumps) == (status, bound, best.jumps)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["english:c1", "pattern0"])
def test_few_moves_by_a_beam(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load(SEARCH), "FEW_POSITIONS", 0)
    for method in ("beam", "fewest-moves"):
        found = answer(method, moves_of(name), 6)
        assert found.status.has_solution, method
        assert found.jumps is not None
        replay_solution(moves_of(name), found.jumps)
        assert len(group_moves(found.jumps)) <= 22


def test_a_horizon_too_short_proves_nothing() -> None:
    found = answer("long-hop:horizon=4", moves_of("triangle10:a2->?"))
    assert found.status is Status.UNKNOWN
    assert "horizon 4" in found.message


def test_the_best_method() -> None:
    assert best_for(moves_of("english")).method.name == "fewest-moves"
    board = pegcp.board("english")
    partial = Problem(board, Position(board, board.full & ~(1 << 16)), Partial(1), Objective.FEWEST_MOVES)
    assert best_for(partial).method.name == "fewest-moves"


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_horizon_on_a_board_without_jumps(horizon: int) -> None:
    found = answer(f"long-hop:horizon={horizon}", pegcp.problem("square2", start="a1", goal="one peg"))
    assert (found.status, found.reason) == (Status.UNKNOWN, Reason.COMPLETED)
    assert f"no solution with horizon {horizon}" in found.message
