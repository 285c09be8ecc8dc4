"""Any text gives a result, or one InputError that says where; nothing else ever escapes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import fuzzing
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pegcp
from pegcp.errors import InputError, InvalidSolution
from pegcp.formats.solution import read_solution
from pegcp.formats.toml import problem_file, read_board, read_goal, read_pegs, read_problem
from pegcp.game.board import Board, Jump, graph_board, lattice_board, lines_board
from pegcp.game.goal import DeadEnd, Exact, Goal, Nearest, Objective, OnePeg, Partial
from pegcp.game.lattice import draw_map, lattice, read_map
from pegcp.game.notation import SCHEMES, read_hole
from pegcp.game.position import Position
from pegcp.game.problem import Problem
from pegcp.game.rules import replay
from pegcp.game.text import board_text

T = TypeVar("T")
BOARD = """name = "mine"
lattice = "square"
legend = { hole = "o", outside = "." }
map = '''
. o o
o o o
'''
"""
TRIANGLE = 'lattice = "triangular"\nlegend = { hole = "o" }\nmap = """\n  o\n o o\no o o\n"""\n'
GRAPH = 'holes = "0 1 2 3"\nedges = "0-1 1-2 2-3"\n'
PROBLEM = """board = "english"
legend = { peg = "X", vacancy = "o", free = "?", outside = "." }
start = "all but d4"
goal = { pegs = ["d4"], vacancies = "c1" }
objective = "any"
"""
DRAWN = 'lattice = "square"\nlegend = { peg = "X", vacancy = "o" }\nstart = """\nXXo\noXX\n"""\ngoal = "one peg"\n'
SOLUTIONS = (
    "d2 d3 d4\nd5-d3",
    "(jump d2 d3 d4)\n(jump d5 d4 d3)\n",
    '{"jumps": [["d2", "d3", "d4"]]}',
    "(9 16 23) (23 30 37)",
    "61 47 13",
)
SCRAPS = (
    "'''",
    '"""',
    '"',
    "[",
    "]",
    "{",
    "}",
    "=",
    "\n",
    "\\",
    "-",
    "(",
    ")",
    " ",
    "\0",
    "\u2028",
    "é",
    "9" * 5000,
    "nan",
)


def mutated(*seeds: str) -> st.SearchStrategy[str]:
    """One of the texts with a few pieces cut, doubled or replaced."""

    @st.composite
    def edit(draw: st.DrawFn) -> str:
        text = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(1, 4))):
            at, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
            scrap = draw(st.one_of(st.sampled_from(SCRAPS), st.text(max_size=3), st.just(text[at:end])))
            text = text[:at] + scrap + text[end if draw(st.booleans()) else at :]
        return text

    return edit()


def outcome(read: Callable[[], T]) -> tuple[T | None, InputError | None]:
    """What is read, or the error."""
    try:
        return read(), None
    except InputError as error:
        return None, error


def placed(text: str, read: Callable[[str, str], T]) -> T | None:
    """What is read, or None after an InputError whose line and column lie in the text (or just behind its end)."""
    result, error = outcome(lambda: read(text, "input"))
    if error is not None:
        lines = text.split("\n")
        assert error.source == "input"
        assert error.line is not None, error
        assert error.column is not None, error
        assert 1 <= error.line <= len(lines), error
        assert 1 <= error.column <= len(lines[error.line - 1].expandtabs()) + 1, error
        assert len(str(error)) < 2000
    return result


@settings(deadline=None, max_examples=300)
@given(st.one_of(mutated(BOARD, TRIANGLE, GRAPH), st.text()))
@example('map = ""\nlegend = { hole = "o" }')
@example('edges = [["a", "b"], 3]')
@example('legend = { hole = "o" }\nmap = "\\n\\no"')
def test_board_files(text: str) -> None:
    board = placed(text, read_board)
    if board is not None and len(board.holes) <= 50:
        assert read_board(board_text(board)) == board


@settings(deadline=None, max_examples=300)
@given(st.one_of(mutated(PROBLEM, DRAWN, GRAPH + 'start = [0, 1]\ngoal = "dead end"\n'), st.text()))
@example('board = { edges = "0-1 1-2" }\nstart = "0 1"\ngoal = "2 *"')
@example('lattice = "square"\nstart = "X"\nlegend = { peg = "X" }')
@example('board = "english"\nstart = true')
def test_problem_files(text: str) -> None:
    problem = placed(text, lambda text, source: read_problem(text, pegcp.board, source))
    if problem is not None:
        assert read_problem(problem.text, pegcp.board) == problem
        assert list(problem.jump_counts) is not None


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(mutated(*SOLUTIONS), st.text()),
    st.sampled_from([*SCHEMES, "blocks"]),
    st.sampled_from(["english", "cycle8"]),
)
@example("{}", "letters", "english")
@example("[[[1, 2, 3]]]", "letters", "english")
@example("1" * 5000, "zero", "english")
@example('{"jumps": ' + "1" * 5000 + "}", "zero", "english")
@example("((0,1) (0,2))", "row-column", "english")
@example("\u0663 \u0664 \u0665", "zero", "english")
def test_solution_files(text: str, numbering: str, name: str) -> None:
    problem = pegcp.problem(name)
    if name == "cycle8" and numbering in ("grid", "row-column", "blocks"):
        numbering = "zero"  # the others are for lattices
    try:
        jumps = placed(text, lambda text, source: read_solution(problem, text, source, numbering)) or []
    except InvalidSolution:  # a plan with bookkeeping actions out of order
        return
    assert all(0 <= hole < len(problem.board.holes) for jump in jumps for hole in jump)


@settings(deadline=None, max_examples=200)
@given(
    st.one_of(st.binary(), mutated("2 3 4 9", BOARD, PROBLEM, "XoXX").map(lambda text: text.encode("utf-8", "replace")))
)
def test_files_of_any_bytes(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("txt", "toml"):
            path = Path(folder) / f"input.{suffix}"
            path.write_bytes(content)
            _, error = outcome(partial(pegcp.problem, str(path)))
            if error is not None:
                assert error.source == str(path)
                assert error.line is not None
                assert error.column is not None


@settings(deadline=None, max_examples=300)
@given(st.one_of(mutated("english:c1->d4", "triangle15:5!", "rectangle4x6", "hexagon19:?", "XoXX", "lab1"), st.text()))
def test_compact_names(text: str) -> None:
    problem, error = outcome(lambda: pegcp.problem(text))
    assert (problem is None) != (error is None)


@given(st.text(), st.sampled_from(SCHEMES))
def test_holes_goals_and_pegs(text: str, scheme: str) -> None:
    board = pegcp.board("english")
    outcome(lambda: read_hole(board, text, scheme))
    outcome(lambda: read_pegs(board, text))
    outcome(lambda: read_goal(board, text))
    outcome(lambda: pegcp.problem("english", start=text, goal=text, objective=text))


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
    "numbers", [range(500), pytest.param(range(500, 4_000), marks=pytest.mark.thorough)], ids=["few", "more"]
)
def test_mutated_inputs_are_read_or_refused(numbers: range, tmp_path: Path) -> None:
    for number in numbers:
        name, text, _, escaped = fuzzing.attempt(number, tmp_path)
        assert not escaped, (number, name, text, escaped)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("first", range(4_000, 404_000, 100_000))
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


@settings(deadline=None, max_examples=300)
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
    legend = {"X": "X", "o": "o", ".": "outside"}
    assert read_map(draw_map(moved, on, "."), legend, on) == moved


@given(st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40), st.integers(-3, 40)), max_size=4))
def test_the_checker_takes_any_numbers(jumps: list[tuple[int, int, int]]) -> None:
    board = pegcp.board("english")
    try:
        positions = replay(board, board.full - 1, [Jump(*jump) for jump in jumps])
    except InvalidSolution:
        return
    assert len(positions) == len(jumps) + 1
