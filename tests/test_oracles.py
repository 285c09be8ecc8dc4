"""The rules of the game against independent answers: one-line boards, graphs, puzzles with exhaustive answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import pegcp
from pegcp.errors import InvalidSolution
from pegcp.game import Board, Exact, Position, Problem, graph_board, group_moves, replay_solution

DATA = Path(__file__).parent / "data"
ONE_LINE = re.compile(r"0*(1|110|11(01)*(11)*01|11(01)*00(11)*(10)*11|11(01)*1101(11)*(10)*11)0*")
ONE_LINE_COUNTS = (1, 2, 5, 9, 13, 22, 31, 52, 73, 117, 161, 243, 325, 464, 603)  # for 1, 2, ... holes


def final_pegs(board: Board, start: int) -> set[int]:
    """Numbers of pegs of the dead ends that can be reached, by exhaustion."""
    seen = {start}
    queue = [start]
    ends = set()
    for position in queue:
        after = [position ^ jump.mask for jump in board.jumps if jump.is_legal(position)]
        if not after:
            ends.add(position.bit_count())
        for new in after:
            if new not in seen:
                seen.add(new)
                queue.append(new)
    return ends


def best_and_worst(board: Board) -> list[tuple[int, int]]:
    """Fewest and most final pegs for every start vacancy."""
    ends = [final_pegs(board, board.full & ~(1 << hole)) for hole in range(len(board.holes))]
    return [(min(end), max(end)) for end in ends]


@pytest.mark.parametrize("holes", [1, 2, 3, 5, 8, 11, 12, pytest.param(15, marks=pytest.mark.long)])
def test_one_line_language(holes: int) -> None:
    board = pegcp.board(f"line{holes}")
    solvable = [False] * (1 << holes)
    for position in sorted(range(1 << holes), key=int.bit_count):
        solvable[position] = position.bit_count() == 1 or any(
            jump.is_legal(position) and solvable[position ^ jump.mask] for jump in board.jumps
        )
    assert sum(solvable) == ONE_LINE_COUNTS[holes - 1]
    if holes <= 12:
        for position, found in enumerate(solvable):
            text = f"{position:0{holes}b}"
            assert found == bool(ONE_LINE.fullmatch(text) or ONE_LINE.fullmatch(text[::-1])), text


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_table_of_graphs(every: int) -> None:
    graphs = json.loads((DATA / "graphs.json").read_text())
    assert len(graphs) == 333
    for graph in graphs[::every]:
        edges = [(a, b) for a, b in (edge.split("-") for edge in graph["edges"].split())]
        board = graph_board([str(i) for i in range(graph["n"])], edges)
        expected = list(zip(graph["min_pegs_by_vacancy"], graph["max_dead_end_pegs_by_vacancy"], strict=True))
        assert best_and_worst(board) == expected, graph["edges"]


def graph(vertices: int, edges: Iterable[tuple[int, int]]) -> Board:
    return graph_board([str(i) for i in range(vertices)], [(str(a), str(b)) for a, b in edges])


@pytest.mark.parametrize("n", range(3, 12))
def test_paths_and_cycles(n: int) -> None:
    solvable = n % 2 == 0 or n == 3
    path = best_and_worst(pegcp.board(f"line{n}"))
    assert (min(least for least, _ in path) == 1) == solvable
    assert max(most for _, most in path) == (2 if n == 3 else n // 2)
    cycle = best_and_worst(pegcp.board(f"cycle{n}"))
    assert (min(least for least, _ in cycle) == 1) == solvable
    assert max(most for _, most in cycle) == (n - 1) // 2


@pytest.mark.parametrize("n", range(3, 9))
def test_complete_graphs_and_stars(n: int) -> None:
    assert set(best_and_worst(graph(n, combinations(range(n), 2)))) == {(1, 1)}
    star = best_and_worst(graph(n + 1, [(0, leaf) for leaf in range(1, n + 1)]))
    assert min(least for least, _ in star) == n - 1
    assert max(most for _, most in star) == n


@pytest.mark.parametrize(("a", "b"), [(2, 2), (2, 4), (3, 3), (3, 5), (4, 4)])
def test_most_pegs_of_complete_bipartite_graphs(a: int, b: int) -> None:
    board = graph(a + b, [(i, a + j) for i in range(a) for j in range(b)])
    assert max(most for _, most in best_and_worst(board)) == b - 1


def test_most_pegs_of_the_cube_and_of_petersen() -> None:
    cube = graph(8, [(i, i ^ bit) for i in range(8) for bit in (1, 2, 4) if not i & bit])
    assert max(most for _, most in best_and_worst(cube)) == 3
    ring = [edge for i in range(5) for edge in ((i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5))]
    assert max(most for _, most in best_and_worst(graph(10, ring))) == 4


@pytest.mark.parametrize("start", ["1", "2", "4", "5"])
def test_games_on_the_triangle(start: str) -> None:
    """Every game is counted, so a jump too many or too few anywhere on the board would show."""
    facts = json.loads((DATA / "triangle15.json").read_text())["by_start_hole"][start]
    board = pegcp.board("triangle15")

    @cache
    def games(position: int) -> tuple[int, int, int]:
        """Games from here, games that end with one peg, jumps of the shortest game."""
        after = [games(position ^ jump.mask) for jump in board.jumps if jump.is_legal(position)]
        if not after:
            return 1, int(position.bit_count() == 1), 0
        return sum(g for g, _, _ in after), sum(w for _, w, _ in after), 1 + min(s for _, _, s in after)

    vacancy = 1 << int(start) - 1
    assert games(board.full & ~vacancy) == (facts["games"], facts["wins"], facts["shortest_game"])


def puzzles() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DATA / "english_puzzles.json").read_text())
    return [puzzle for puzzle in found if puzzle["jumps"] <= 8]


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: str(puzzle["id"]))
def test_puzzles_counted_and_checked(puzzle: dict[str, Any]) -> None:
    """All solutions of the small puzzles: their number, the fewest moves, and each passes the checker."""
    board = pegcp.board("english")
    assert board.cells is not None
    pegs = sum(1 << board.cells.index((r, c)) for r, c in puzzle["pegs"])
    target = 1 << board.cells.index((puzzle["target"][0], puzzle["target"][1]))
    problem = Problem(board, Position(board, pegs), Exact(target))

    @cache
    def solutions(position: int) -> tuple[tuple[int, ...], ...]:
        if position == target:
            return ((),)
        return tuple(
            (j, *rest)
            for j, jump in enumerate(board.jumps)
            if jump.is_legal(position)
            for rest in solutions(position ^ jump.mask)
        )

    found = [[board.jumps[j] for j in solution] for solution in solutions(pegs)]
    assert bool(found) == puzzle["solvable"]
    if found:
        assert len(found) == puzzle["solutions"]
        assert min(len(group_moves(jumps)) for jumps in found) == puzzle["min_moves"]
        for jumps in found[:50]:
            assert replay_solution(problem, jumps).positions[-1].mask == target
            with pytest.raises(InvalidSolution, match="no peg at"):
                replay_solution(problem, jumps[:-1])
