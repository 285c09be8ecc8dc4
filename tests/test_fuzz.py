"""Any text gives a result, or one InputError that says where; nothing else ever escapes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import fuzzing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pegcp
from pegcp.errors import InvalidSolution
from pegcp.formats.toml import problem_file, read_problem
from pegcp.game import (
    Board,
    DeadEnd,
    Exact,
    Goal,
    Jump,
    Nearest,
    Objective,
    OnePeg,
    Partial,
    Position,
    Problem,
    graph_board,
    lattice_board,
    lines_board,
    read_map,
)
from pegcp.game.lattice import lattice, rows
from pegcp.game.position import replay


@st.composite
def boards(draw: st.DrawFn) -> Board:
    kind = draw(st.sampled_from(("square", "both", "diagonal", "triangular", "graph", "lines")))
    if kind in ("graph", "lines"):
        names = draw(
            st.lists(st.from_regex(r"[A-Za-z0-9_.]{1,4}", fullmatch=True), min_size=1, max_size=8, unique=True)
        )
        pairs = [(a, b) for a in names for b in names if a < b]
        if kind == "graph":
            return graph_board(names, draw(st.lists(st.sampled_from(pairs), max_size=12)) if pairs else [])
        lines = [(a, b, c) for a in names for b in names for c in names if len({a, b, c}) == 3]
        return lines_board(names, draw(st.lists(st.sampled_from(lines), max_size=8)) if lines else [])
    cells = draw(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25))
    on = (
        lattice("triangular") if kind == "triangular" else lattice("square", "orthogonal" if kind == "square" else kind)
    )
    return lattice_board(cells, on)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    board = draw(boards())
    masks = st.integers(0, board.full)
    pegs, others = draw(masks), draw(masks)
    weights = draw(st.lists(st.integers(0, 9), min_size=len(board.holes), max_size=len(board.holes)))
    hard: tuple[Goal, ...] = (Exact(pegs), OnePeg(), DeadEnd(), Partial(pegs & ~others, others & ~pegs))
    goal = draw(st.sampled_from((*hard, Nearest(pegs, tuple(weights)))))
    objectives = [o for o in Objective if o is not Objective.NEAREST or isinstance(goal, Nearest)]
    return Problem(
        board,
        Position(board, draw(masks)),
        goal,
        draw(st.sampled_from(objectives)),
        draw(st.text(min_size=1, max_size=8)),
    )


# Mutated inputs for everything that reads


@pytest.mark.parametrize(
    "numbers", [range(300), pytest.param(range(300, 800), marks=pytest.mark.thorough)], ids=["few", "more"]
)
def test_mutated_inputs_are_read_or_refused(numbers: range, tmp_path: Path) -> None:
    for number in numbers:
        name, text, _, escaped = fuzzing.attempt(number, tmp_path)
        assert not escaped, (number, name, text, escaped)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("first", range(800, 400_800, 100_000))
def test_many_mutated_inputs_are_read_or_refused_soon_and_in_little_memory(first: int) -> None:
    """In a process of its own, so that the peak of its memory is its own."""
    command = [sys.executable, fuzzing.__file__, str(first), "100000"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found = json.loads(done.stdout)
    assert found["inputs"] == 100_000
    assert not found["escapes"]
    assert found["slowest"] < [2.0], "seconds of CPU, the reader, and the number of the input"
    assert found["peak_mb"] < 300


@settings(deadline=None, max_examples=50)
@given(problems())
def test_every_problem_reads_back_from_its_text(problem: Problem) -> None:
    again = read_problem(problem_file(problem), pegcp.board, name="other")
    assert again.name == problem.name
    assert again == problem
    assert (again.text, again.fingerprint) == (problem.text, problem.fingerprint)


@given(
    st.dictionaries(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.sampled_from("Xo"), min_size=1), st.booleans()
)
def test_maps_read_back(marks: dict[tuple[int, int], str], triangular: bool) -> None:
    on = lattice("triangular" if triangular else "square")
    top, left = min(r for r, _ in marks), min(c for _, c in marks)
    moved = {(r - top, c - left): mark for (r, c), mark in sorted(marks.items())}
    drawn = "\n".join(rows(moved, on).values())
    assert read_map(drawn, {"X": "X", "o": "o"}, on) == moved


@given(st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40), st.integers(-3, 40)), max_size=4))
def test_the_checker_takes_any_numbers(jumps: list[tuple[int, int, int]]) -> None:
    board = pegcp.board("english")
    try:
        positions = replay(board, board.full - 1, [Jump(*jump) for jump in jumps])
    except InvalidSolution:
        return
    assert len(positions) == len(jumps) + 1
